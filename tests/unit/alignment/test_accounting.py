"""The kinds of errors and errors by type of line: made-up answers with one known fault, rules at limits."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

import model_answers as answers
import pagemeter as pm
from pagemeter import evaluate
from pagemeter.alignment import Aligner, ErrorKinds, TypeCounts, counts_by_type, error_kinds
from pagemeter.corpus import PageResult
from pagemeter.errors import NotEvaluatedError
from pagemeter.measure import ALL
from pagemeter.page import LINE_TYPES, Line, Page
from pages import noisy, text_lines

LAST, INVENTED = len(answers.GT[-1]), sum(map(len, answers.INVENTED))
INVENTED_LETTERS = sum(len(line.replace(" ", "")) for line in answers.INVENTED)
PLAIN = [measure for measure in ALL if not measure.geometry and not measure.is_bag]


def kinds(gt, hyp, measure="CER:S", **settings):
    evaluation = evaluate(gt, hyp, [measure], **settings)
    found = evaluation.kinds[measure]
    assert found.errors == evaluation[measure].errors
    return found


def test_errors_in_lines_that_were_read_are_misread():
    found = kinds(answers.GT, answers.MISREAD)
    assert found == ErrorKinds(misread=found.errors)
    assert found.errors


@pytest.mark.parametrize("measure", ["CER:S", "CER:RS", "CER:R", "CER", "WER:S", "WER:R"])
def test_dropped_lines_are_missed(measure):
    found = kinds(answers.GT, answers.DROPPED, measure)
    assert found == ErrorKinds(missed=found.errors)
    assert found.errors


@pytest.mark.parametrize("line", ["x \t", "\t\tx", " x  y ", "\u3000"])
@pytest.mark.parametrize("measure", ["CER:S", "CER:RS", "WER:S", "CER:R"])
def test_white_space_that_is_kept_makes_no_token_of_an_empty_word(line, measure):
    for gt in ([], ["a"], ["x"]):
        found = kinds(gt, ["q", line], measure, whitespace="keep")
        assert found.repeated == 0


def test_a_long_part_of_a_line_that_was_dropped_is_missed():
    assert kinds(answers.GT, answers.DROPPED_HALF_LINE) == ErrorKinds(missed=LAST - 27)


@pytest.mark.parametrize("hyp", [answers.LOOP, answers.LOOP_IN_ONE_LINE])
@pytest.mark.parametrize("measure", ["CER:S", "CER:RS", "WER:S"])
def test_a_loop_is_invented_and_repeated(hyp, measure):
    found = kinds(answers.GT, hyp, measure)
    assert found == ErrorKinds(invented=found.errors, repeated=found.repeated)
    assert found.repeated > 0.98 * found.invented


def test_invented_lines_are_invented_and_not_repeated():
    assert kinds(answers.GT, answers.HALLUCINATED) == ErrorKinds(invented=INVENTED_LETTERS)
    assert kinds(answers.GT, answers.HALLUCINATED, "CER:R") == ErrorKinds(invented=INVENTED)


def test_other_text_instead_of_that_of_the_page_is_replaced():
    found = kinds(answers.GT, answers.REPLACED)
    assert found.misread == 0
    assert found.replaced > 0.7 * found.errors


def test_a_loop_in_a_script_without_spaces_is_repeated():
    text = "天地玄黃宇宙洪荒日月盈昃辰宿列張寒來暑往秋收冬藏"
    found = kinds([text], [text * 20], "CER:R")
    assert found.repeated == found.invented == 19 * len(text)


def test_a_loop_of_characters_without_spaces_is_repeated():
    found = kinds(["one line of text"], ["one line of text", "ab" * 500], "CER:R")
    assert (found.invented, found.repeated) == (1000, 998)


def test_the_matched_occurrence_is_the_original_even_if_it_is_the_last():
    """Reading order makes the solver match the last of three equal lines."""
    line = "one two three four five six seven"
    found = kinds(["a first line here", line], [line, line, "a first line here", line], "CER:R")
    assert found.repeated == found.invented == 2 * len(line)


@pytest.mark.parametrize(("missing", "kind"), [(19, "misread"), (20, "missed")])
def test_a_run_of_20_characters_is_long(missing, kind):
    right = "the quick brown fox jumps over the lazy dog"
    found = kinds([right + "x" * missing], [right], "CER:R")
    assert found == ErrorKinds(**{kind: missing})
    flipped = kinds([right], [right + "x" * missing], "CER:R")
    assert flipped == ErrorKinds(**{kind.replace("missed", "invented"): missing})


@pytest.mark.parametrize(("missing", "kind"), [(2, "misread"), (3, "missed")])
def test_a_run_of_three_words_is_long(missing, kind):
    assert kinds(["a b c d" + " x" * missing], ["a b c d"], "WER:R") == ErrorKinds(**{kind: missing})


@pytest.mark.parametrize(("hyp", "kind"), [("abxx", "misread"), ("axxx", "replaced")])
def test_a_pair_is_alike_if_half_of_it_is_right(hyp, kind):
    found = kinds(["abcd"], [hyp], "CER:R")
    assert found[kind] == found.errors


def test_an_empty_hypothesis_is_missed_and_an_empty_ground_truth_invented():
    assert kinds(answers.GT, []) == ErrorKinds(missed=sum(map(len, answers.GT)))
    assert kinds([], answers.INVENTED) == ErrorKinds(invented=INVENTED_LETTERS)


def test_a_bag_of_words_has_no_kinds():
    evaluation = evaluate("one two", "one too", ["CER:S", "BOW"])
    assert list(evaluation.kinds) == ["CER:S"]
    assert "BOW" not in evaluation.kinds
    with pytest.raises(NotEvaluatedError, match="BOW does not align lines"):
        evaluation.kinds["BOW"]
    with pytest.raises(NotEvaluatedError, match="CER:R was not evaluated"):
        evaluation.kinds["CER:R"]


def test_kinds_that_were_computed_are_kept_without_texts():
    evaluation = evaluate(answers.GT, answers.LOOP, ["CER:S", "CER:R"])
    known = {evaluation["CER:S"].measure: error_kinds(evaluation, "CER:S")}
    result = PageResult("1", "gt", "hyp", replace(evaluation, known_kinds=known)).without_details
    assert dict(result.evaluation.kinds) == {"CER:S": evaluation.kinds["CER:S"]}
    with pytest.raises(NotEvaluatedError, match="kinds of errors of CER:R nor the texts were kept"):
        result.evaluation.kinds["CER:R"]


def test_kinds_are_added_and_read_as_a_mapping():
    total = sum([ErrorKinds(1, 2, 3, 2, 4), ErrorKinds(misread=1)])
    assert dict(total) == {"misread": 2, "missed": 2, "invented": 3, "repeated": 2, "replaced": 4}
    assert total.errors == 11
    assert total == dict(total)


def typed(rng: random.Random, lines: list[str]) -> Page:
    return Page(tuple(Line(text, type=rng.choice(LINE_TYPES[:4])) for text in lines))


@pytest.mark.parametrize("measure", PLAIN, ids=str)
@pytest.mark.parametrize("optional", [(), ("header",)])
def test_the_errors_of_all_types_sum_to_those_of_the_measure(measure, optional):
    rng = random.Random(str(measure))
    for size in (1, 4, 9):
        lines = text_lines(rng, size, 25)
        gt, hyp = typed(rng, lines), typed(rng, noisy(rng, lines[::-1] + text_lines(rng, 2, 20), 0.2))
        found = pm.evaluate(gt, hyp, [measure], optional=optional)
        types = counts_by_type(Aligner(found), measure)
        total = sum(types.values(), TypeCounts())
        assert total.counts.errors == found[measure].errors
        assert total.lines == sum(bool(text.strip()) for text in lines)
        if not optional:
            assert total.counts == found[measure].counts


def test_extra_text_belongs_to_the_type_of_its_line():
    gt, hyp = Page((Line("a text"),)), Page((Line("12", type="page-number"), Line("a text")))
    for name in ("CER", "CER:R", "CER:S", "WER:RS"):
        types = counts_by_type(Aligner(pm.evaluate(gt, hyp, [name])), name)
        assert types["text"].rate == 0
        assert types["page-number"].counts.errors == types["page-number"].counts.dels > 0
