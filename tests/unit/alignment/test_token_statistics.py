"""Confusions, and confidences of words: which errors belong together, counts and examples."""

from __future__ import annotations

import random

import pytest

import pagemeter as pm
from pagemeter import Measure, evaluate
from pagemeter.alignment import (
    Aligner,
    ConfidenceSums,
    Confusions,
    Example,
    PageConfusions,
    WordConfidences,
    word_confidences,
)
from pagemeter.alignment.token_statistics import MAX_EXAMPLES, clearest_measures
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


def test_a_line_with_several_readings_is_missing_with_its_shortest():
    gt = pm.Page([pm.Line("abc"), pm.Line("xyz uvw", readings=["xyz", "wxyz"]), pm.Line("[...]q")])
    evaluation = evaluate(gt, ["abd"], ["CER", "WER"], gap=9, gap_pattern=r"\[\.\.\.\]")
    for name, missing in (("CER", 4), ("WER", 2)):
        measure = Measure.parse(name)
        page = PageConfusions.of(Aligner(evaluation), measure)
        assert page.unmatched_gt == missing
        assert evaluation[name].missing == missing


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


def page(*lines, types=()):
    """Return a page of lines, each a list of words and confidences."""
    kinds = types or ["text"] * len(lines)
    return pm.Page(
        [
            pm.Line(" ".join(text for text, _ in words), type=kind, words=[pm.Word(*word) for word in words])
            for words, kind in zip(lines, kinds, strict=True)
        ]
    )


def confidences(gt, hyp, measure="WER:R", **settings):
    return word_confidences(pm.evaluate(gt, hyp, [measure], **settings), measure)


HYP = page([("the", 0.9), ("olb", 0.6), ("city", 0.8)], [("of", 0.7), ("night", 0.5), ("extra", 0.1)])
GT = ["the old city", "of night"]


@pytest.mark.parametrize("measure", ["WER", "WER:R", "WER:S", "WER:RS", "BOW"])
def test_right_and_wrong_words_are_those_of_the_alignment(measure):
    words = confidences(GT, HYP, measure)
    assert words == WordConfidences({0.9: 1, 0.8: 1, 0.7: 1, 0.5: 1}, {0.6: 1, 0.1: 1})


@pytest.mark.parametrize("seed", range(30))
@pytest.mark.parametrize("measure", ["WER", "WER:R", "WER:S", "WER:RS", "BOW"])
def test_the_number_of_right_words_is_that_of_the_score(seed, measure):
    rng = random.Random(seed)

    def lines():
        return [
            [(rng.choice("abc"), rng.choice([None, 0.3, 0.6])) for _ in range(rng.randint(0, 4))]
            for _ in range(rng.randint(1, 4))
        ]

    gt, hyp = page(*lines()), page(*lines())
    evaluation = pm.evaluate(gt, hyp, [measure])
    words, score = word_confidences(evaluation, measure), evaluation[measure]
    assert words.words + words.unknown == score.n_hyp
    assert sum(words.right.values()) <= score.cor
    known = page(*[[(text, 0.5) for text in line.text.split()] for line in hyp.lines])
    all_known = confidences(gt, known, measure)
    assert all_known.right.get(0.5, 0) == score.cor


def test_tokens_of_a_word_have_its_confidence():
    hyp = page([("its,", 0.5), ("end.", 0.9)])
    words = confidences("its, end!", hyp, tokeniser="punctuation")
    assert words == WordConfidences({0.5: 2, 0.9: 1}, {0.9: 1})


def test_a_token_of_several_words_has_the_lowest_confidence():
    line = pm.Line("foobar", words=[pm.Word("foo", 0.9), pm.Word("bar", 0.4)])
    assert confidences("foobar", pm.Page([line])).right == {0.4: 1}


def test_words_that_differ_from_the_text_are_aligned_with_it():
    line = pm.Line("one two three-", words=[pm.Word("one", 0.9), pm.Word("TWO", 0.4), pm.Word("three", 0.3)])
    words = confidences("one two three-", pm.Page([line]))
    assert words == WordConfidences({0.9: 1}, {}, unknown=2)


def test_normalisation_applies_to_words_too():
    assert confidences("one", page([("ONE", 0.9)]), case="fold").right == {0.9: 1}


def test_pages_without_words_have_no_confidences():
    words = confidences(GT, ["the old city"])
    assert (words.words, words.unknown) == (0, 3)
    assert (words.confidence, words.share_right, words.calibration_error) == (0, 0, 0)
    assert words.calibration == words.rejection == ()


def test_optional_text_without_a_match_is_left_out():
    hyp = page([("one", 0.9)], [("header", 0.5)], types=["text", "header"])
    assert confidences("one", hyp).wrong == {0.5: 1}
    assert confidences("one", hyp, optional=("header",)) == WordConfidences({0.9: 1}, {})


@pytest.mark.parametrize("seed", range(20))
def test_tables_equal_their_definitions(seed):
    rng = random.Random(seed)
    words = [(rng.randint(0, 20) / 20, rng.random() < 0.7) for _ in range(rng.randint(1, 40))]
    counted = {True: {}, False: {}}
    for value, is_right in words:
        counted[is_right][value] = counted[is_right].get(value, 0) + 1
    result = WordConfidences(counted[True], counted[False])
    error = 0.0
    for number in range(10):
        inside = [
            w for w in words if number <= round(w[0] * 10, 9) < number + 1 or (number == 9 and w[0] == 1)
        ]
        if inside:
            mean = sum(value for value, _ in inside) / len(inside)
            right = sum(is_right for _, is_right in inside) / len(inside)
            error += len(inside) / len(words) * abs(mean - right)
    assert result.calibration_error == pytest.approx(error)
    assert sum(one.words for one in result.calibration) == len(words)
    for point in result.rejection:
        kept = [is_right for value, is_right in words if value >= point.threshold]
        assert (point.words, point.errors) == (len(kept), kept.count(False))
        assert point.kept == pytest.approx(len(kept) / len(words))
        assert point.error_rate == pytest.approx(kept.count(False) / len(kept))
    assert result.kept(1.0) == result.rejection[-1]


def test_pages_are_added():
    sums = ConfidenceSums()
    assert sums.total is None
    sums.add(WordConfidences({0.9: 1}, {}, 2))
    sums.add(WordConfidences({0.9: 1}, {0.1: 1}))
    assert sums.total == WordConfidences({0.9: 2}, {0.1: 1}, 2)
