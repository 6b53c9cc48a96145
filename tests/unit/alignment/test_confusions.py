"""Confusions: which errors belong together, counts and examples."""

from __future__ import annotations

import pytest

from pagemeter import Measure, evaluate
from pagemeter.alignment import Aligner, Confusions, Example, PageConfusions
from pagemeter.alignment.confusions import MAX_EXAMPLES, clearest_measures
from pagemeter.measure import ALL


def confusions(*pages, measure="CER"):
    found = Confusions()
    for number, (gt, hyp) in enumerate(pages):
        found.add(
            f"p{number}", PageConfusions.of(Aligner(evaluate(gt, hyp, [measure])), Measure.parse(measure))
        )
    return found


def top(found, fault):
    return [(one.gt, one.hyp, one.count) for one in found.top(fault)]


def test_substitutions_count_one_by_one():
    assert top(confusions(("cat sat", "kit sit")), "substitution") == [("a", "i", 2), ("c", "k", 1)]


def test_adjacent_errors_are_one_confusion():
    assert top(confusions(("modern", "modem")), "substitution") == [("rn", "m", 1)]


def test_missing_and_extra_text_is_one_confusion():
    found = confusions(("a long word", "a word"), ("word", "words"))
    assert top(found, "insertion") == [(" long", "", 1)]
    assert top(found, "deletion") == [("", "s", 1)]


def test_lines_without_a_match_are_counted_separately():
    found = confusions((["abc", "xyz"], ["abd"]), (["abc"], ["abc", "qqqq"]))
    assert (found.unmatched_gt, found.unmatched_hyp) == (3, 4)
    assert found.top("insertion") == found.top("deletion") == ()


def test_examples_name_page_and_line_and_are_few():
    found = confusions(*[(["same", "cat"], ["same", "cut"])] * 9)
    (one,) = found.top("substitution")
    assert (one.count, len(one.examples)) == (9, MAX_EXAMPLES)
    assert one.examples[0] == Example("p0", 1)


def test_words_are_confused_as_words():
    found = confusions(("in to the", "into the"), ("the old", "the odd"), measure="WER")
    assert top(found, "substitution") == [("in to", "into", 1), ("old", "odd", 1)]


def test_the_total_counts_all_and_the_top_is_cut():
    found = confusions(("abcdef", "uvwxyz"[:5] + "f"))
    assert found.total("substitution") == 5
    assert len(found.top("substitution", 2)) == 2


@pytest.mark.parametrize(
    ("given", "expected"),
    [(ALL, ["CER:S", "WER:S"]), ((Measure("BOW"),), []), (ALL[:2], ["CER:R"])],
)
def test_the_clearest_measure_of_a_unit_has_the_fewest_constraints(given, expected):
    assert list(map(str, clearest_measures(given))) == expected
