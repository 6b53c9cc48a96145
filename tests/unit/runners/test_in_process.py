"""Results of the runner of this process."""

from __future__ import annotations

import faults
from pagemeter.inputs.pairs import Pair
from pagemeter.runners import InProcess, evaluate_pairs
from pagemeter.settings import Settings


def test_pairs_are_evaluated_one_by_one_as_they_are_asked_for(write):
    """A pair is read only when its result is requested, so memory stays flat."""
    good = Pair("1", write("a.txt", "one"), write("b.txt", "one"))

    def endless():
        while True:
            yield good

    stream = evaluate_pairs(endless(), ["CER"])
    assert next(stream).status == next(stream).status == "evaluated"


def test_a_page_that_takes_too_long_is_missed_or_fails(write):
    """`HANG` waits for any signal again and again, so only the limit ends it."""
    word, hang = write("a.txt", "a word"), write("b.txt", "HANG")
    pairs = [Pair("1", word, word), Pair("2", word, hang), Pair("3", hang, word)]
    settings = Settings(tokeniser=faults.tokenise)
    results = list(evaluate_pairs(pairs, ["WER"], settings, on=InProcess(page_seconds=1)))
    assert [result.status for result in results] == ["evaluated", "missed", "failed"]
    assert results[1].warnings[0].source == str(hang)
    assert results[1].warnings[0].detail.startswith("took more than 1 seconds")
    assert results[2].errors[0].detail == "took more than 1 seconds"


def test_a_bug_affects_only_its_page(write):
    word, bug = write("a.txt", "a word"), write("b.txt", "FAULT")
    settings = Settings(tokeniser=faults.tokenise)
    pairs = [Pair("1", bug, word), Pair("2", word, word)]
    first, second = evaluate_pairs(pairs, ["WER"], settings)
    assert "RuntimeError: a bug" in first.error
    assert second.status == "evaluated"
