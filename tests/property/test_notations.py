"""Ground truth with notations: brute force, and relations that minima must satisfy."""

from __future__ import annotations

import random
import re

import numpy as np
import pytest

import pagemeter as pm
from pagemeter.alignment import align, error_kinds
from pagemeter.measure import ALL, Measure
from pagemeter.page import Line, Note, Page
from pagemeter.preparation import PreparedPair, Source
from pagemeter.settings import Settings
from pages import noisy, runs_of, text_lines, tiny_pages, tokens_of
from reference import notations as brute
from reference.encode import words_of_page

MOST = 3
MARKED = Settings(gap=MOST, wildcard=r"\?", gap_pattern=r"\*")


def noted(rng: random.Random, line: str) -> str:
    """Return a line with some notations."""
    marked = "".join("?" if c != " " and rng.random() < 0.15 else c for c in line)
    if rng.random() < 0.4:
        at = rng.randrange(len(marked) + 1)
        marked = f"{marked[:at]}*{marked[at:]}"
    return marked


def tiny(rng: random.Random, letters: str, most_words: int):
    gt, hyp = tiny_pages(rng, letters)
    while len(words_of_page(hyp, Settings())[0]) > most_words:
        hyp.pop()
    while len(words_of_page(gt, Settings())[0]) > most_words:
        gt.pop()
    near = [[rng.random() < 0.6 for _ in hyp] for _ in gt]
    readings = [[noted(rng, line)] for line in gt]
    for line in readings:
        for _ in range(rng.choice((0, 0, 1, 2))):
            text = line[0].replace("*", "").replace("?", "a")
            line.append(noted(rng, " ".join(noisy(rng, [text], 0.3, letters)[0].split())))
    return readings, hyp, near


def score_of(measure: Measure, readings, hyp, near, settings=MARKED):
    page = Page(tuple(Line(first, readings=tuple(more)) for first, *more in readings))
    pair = PreparedPair(Source.of(page), Source(hyp), settings)
    pair._mask = np.array(near, bool).reshape(len(readings), len(hyp))
    return pair.score(measure)


def judge(readings, hyp, measure: Measure, near) -> tuple[int, int, int]:
    near = near if measure.geometry else None
    separator = "" if measure.of_characters else " "
    if measure.of_characters:
        readings = [[re.sub(r"(?<=\*) | (?=\*)", "~", text) for text in line] for line in readings]
    gt = [tuple(dict.fromkeys(map(tuple, tokens_of(line, measure)))) for line in readings]
    h = tokens_of(hyp, measure)
    if measure.is_bag:
        errors, cor, minus_sub = brute.bag(gt, h, MOST, near)
    elif measure.segmentation:
        errors, cor, minus_sub = brute.segments(
            gt, *runs_of(hyp, measure), MOST, separator, order=measure.order, near=near
        )
    else:
        errors, cor, minus_sub = brute.lines(gt, h, MOST, separator, order=measure.order, near=near)
    return errors, cor, -minus_sub


CASES = [
    (measure, letters)
    for measure in ALL
    for letters in ("ab", "a漢")
    if letters == "ab" or measure.of_characters
]


@pytest.mark.parametrize(("measure", "letters"), CASES, ids=str)
def test_equals_brute_force_on_tiny_pages(measure: Measure, letters: str):
    rng = random.Random(f"notations {letters} {measure}")
    for _ in range(60 if measure.is_bag else 150):
        readings, hyp, near = tiny(rng, letters, 4 if measure.is_bag else 5)
        found = score_of(measure, readings, hyp, near)
        expected = judge(readings, hyp, measure, near)
        assert (found.errors, found.cor, found.sub) == expected, (readings, hyp, near)
        assert found.optimal
        assert found.canonical


@pytest.mark.parametrize("measure", ALL, ids=str)
def test_alignments_have_the_counts_of_the_score(measure: Measure):
    rng = random.Random(f"alignments {measure}")
    for _ in range(15):
        readings, hyp, _ = tiny(rng, "ab", 6)
        page = Page(tuple(Line(first, readings=tuple(more)) for first, *more in readings))
        if measure.geometry or measure.is_bag:  # unequal pairs of a bag are in no line
            continue
        found = pm.evaluate(page, hyp, [measure], settings=MARKED)
        score = found[measure]
        counts = align(found, measure).counts
        assert counts == score.counts, (readings, hyp)
        assert error_kinds(found, measure).errors == score.errors


@pytest.mark.parametrize("measure", ALL, ids=str)
def test_each_notation_never_raises_the_errors_and_nothing_changes_without(measure: Measure):
    rng = random.Random(f"relations {measure}")
    for size in (3, 8):
        gt = text_lines(rng, size, 30)
        hyp = noisy(rng, gt[size // 3 :] + gt[: size // 3] + text_lines(rng, 2, 25), 0.15)
        near = [[rng.random() < 0.8 for _ in hyp] for _ in gt]
        plain = score_of(measure, [[line] for line in gt], hyp, near, Settings())
        same = score_of(measure, [[line] for line in gt], hyp, near)
        assert (same.counts, same.lower_bound) == (plain.counts, plain.lower_bound)
        before = plain.errors
        lines = [[line] for line in gt]
        for _ in range(5):
            line = rng.choice(lines)
            at = rng.randrange(len(line[0]))
            way = rng.choice(("wildcard", "gap", "reading"))
            if way == "wildcard" and line[0][at] not in " *":
                line[:] = [text[:at] + "?" + text[at + 1 :] if text == line[0] else text for text in line]
            elif way == "gap" and measure.of_characters:
                line[0] = f"{line[0][:at]}*{line[0][at:]}"
            elif way == "reading":
                line.append(noisy(rng, [gt[0]], 0.3)[0] or "x")
            found = score_of(measure, lines, hyp, near)
            assert found.lower_bound <= found.errors <= before
            before = found.errors


def test_the_first_reading_counts_if_several_are_equal():
    page = Page((Line("abc", readings=("abd", "abe")),))
    found = pm.evaluate(page, ["abx"], ["CER"])["CER"]
    assert (found.errors, found.matches[0].reading, found.n_gt) == (1, 0, 3)
    assert pm.evaluate(page, ["abe"], ["CER"])["CER"].matches[0].reading == 2


def test_notes_are_text_until_a_setting_gives_them_a_meaning():
    line = Line("a bcd e", notes=(Note("unclear", 2, 5), Note("gap", 7, 7, text=" …")))
    page = Page((line,))
    for settings, hyp, errors in (
        ({}, "a bcd e", 0),
        ({}, "a bxd e", 1),
        ({"unclear": "wildcard"}, "a xyz e", 0),
        ({"unclear": "wildcard"}, "a xy e", 1),
        ({"unclear": "omit"}, "a e", 0),
        ({"gap": 8}, "a bcd e and more", 0),
        ({"gap": 8}, "a bcd e", 0),
        ({"gap": 5}, "a bcd e and more", 3),
        ({"gap": 9, "unclear": "gap"}, "a whatever e and more", 0),
    ):
        for name in ("CER", "CER:R", "CER:S", "CER:RS"):
            found = pm.evaluate(page, [hyp], [name], **settings)[name]
            assert (found.errors, found.optimal) == (errors, True), (name, settings, hyp)


def test_words_with_notations():
    page = Page((Line("the h?use of * and *ing"),))
    settings = Settings(gap=12, wildcard=r"\?", gap_pattern=r"\*")
    for name in ("WER", "WER:R", "WER:S", "WER:RS", "BOW"):
        for hyp, errors in (
            ("the house of king and building", 0),
            ("the horse of old men and king", 1),
            ("the house of and king", 0),
            ("the house of kings and queens and king", 1),
        ):
            found = pm.evaluate(page, [hyp], [name], settings=settings)[name]
            assert (found.errors, found.n_gt) == (errors, 5), (name, hyp)
