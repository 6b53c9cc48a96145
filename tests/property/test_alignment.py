"""The edits of an alignment have the counts of the score, for every measure."""

from __future__ import annotations

import random

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from pagemeter import Line, Page, _kernel, evaluate
from pagemeter.alignment import Aligner
from pagemeter.measure import ALL
from pagemeter.score import Counts, Score
from pages import noisy, text_lines
from reference.readable import pair as readable_pair

# Two kinds of blanks, a combining mark, punctuation that a tokeniser cuts off, a letter beyond 16 bits, and
# one of a script without spaces.
ALPHABET = "ab c,\u0301\u00a0\U0001d51e漢"
texts = st.lists(st.text(alphabet=ALPHABET, max_size=12), max_size=6)
SETTINGS = {
    "tokeniser": st.sampled_from(["whitespace", "punctuation", "uax29"]),
    "whitespace": st.sampled_from(["keep", "collapse"]),
    "unit": st.sampled_from(["grapheme", "codepoint"]),
}


@st.composite
def placed(draw, alphabet: str = ALPHABET) -> Page:
    """Draw a page with lines in four rows, so that some are neighbours."""
    rows = draw(st.lists(st.tuples(st.text(alphabet=alphabet, max_size=12), st.integers(0, 3)), max_size=6))
    return Page(tuple(Line(text, ((0, 100 * y + 50), (300, 100 * y + 50)), id=f"l{y}") for text, y in rows))


def check_counts(gt: Page, hyp: Page, solver: str, chosen: dict[str, str], *, breaks: bool) -> None:
    found = evaluate(gt, hyp, ALL, solver, **chosen)
    aligner = Aligner(found, breaks=breaks)
    for measure in ALL:
        page = aligner.align(measure)
        assert page.counts == _shown_counts(found[measure]), measure
        assert [line.gt for line in page.lines] == list(range(len(gt.lines)))


def _shown_counts(score: Score) -> Counts:
    """Return the counts of an alignment: which words of a bag form wrong pairs is not determined."""
    if not score.measure.is_bag:
        return score.counts
    return Counts(ins=score.ins + score.sub, dels=score.dels + score.sub, cor=score.cor)


@given(placed(), placed(), st.fixed_dictionaries(SETTINGS), st.booleans())
@settings(max_examples=150)
def test_the_edits_sum_to_the_counts_of_every_measure(gt, hyp, chosen, breaks):
    check_counts(gt, hyp, "exact", chosen, breaks=breaks)


@given(placed("ab c,\u0301"), placed("ab c,\u0301"), st.fixed_dictionaries(SETTINGS))
@settings(max_examples=60)
def test_the_edits_add_up_to_the_counts_of_the_papers_solver(gt, hyp, chosen):
    check_counts(gt, hyp, "paper", chosen, breaks=False)


@given(texts, texts, st.sampled_from(["keep", "collapse"]))
@settings(max_examples=80)
def test_the_texts_of_the_edits_are_those_of_the_lines(gt, hyp, whitespace):
    measures = [m for m in ALL if m.unit == "CER" and not m.geometry]
    aligner = Aligner(evaluate(gt, hyp, measures, whitespace=whitespace))
    for measure in measures:
        for line in aligner.align(measure).lines:
            assert "".join(o.gt for o in line.operations) == line.text
            assert "".join(o.hyp for o in line.operations) == (line.hyp or "")
            for o in line.operations:
                assert (o.gt == o.hyp) == (o.kind == "equal")


@given(texts, texts)
@settings(max_examples=80)
def test_every_word_of_the_hypothesis_occurs_once(gt, hyp):
    measures = [m for m in ALL if not m.geometry]
    aligner = Aligner(evaluate(gt, hyp, measures))
    for measure in measures:
        page = aligner.align(measure)
        given_away = sorted(word for part in (*page.lines, *page.unmatched) for word in part.hyp_words)
        assert given_away == list(range(len(aligner.unit(measure.unit).hyp.words)))


def applied(rows: list[list[int]], gt: list[int], hyp: list[int]) -> tuple[int, int]:
    """Check that edits turn one sequence into the other, and return (distance, COR)."""
    i = j = errors = cor = 0
    for _, kind, size in rows:
        if kind == 0:
            assert gt[i : i + size] == hyp[j : j + size]
            cor += size
        elif kind == 1:
            assert all(a != b for a, b in zip(gt[i : i + size], hyp[j : j + size], strict=True))
        errors += size * (kind > 0)
        i, j = i + size * (kind != 3), j + size * (kind != 2)
    assert (i, j) == (len(gt), len(hyp))
    return errors, cor


def edits(gt: list[int], hyp: list[int], most_cells: int) -> list[list[int]]:
    spans = (np.array([[0, len(tokens)]], np.int32) for tokens in (gt, hyp))
    arrays = (np.array(tokens, np.int32) for tokens in (gt, hyp))
    a, b, x, y = *arrays, *spans
    return _kernel.edits(a, x, b, y, 3, most_cells).tolist()


tokens = st.lists(st.integers(0, 2), max_size=20)


@given(tokens, tokens, st.sampled_from([0, 10, 60, 1 << 26]))
@settings(max_examples=400)
def test_an_alignment_is_canonical_after_any_number_of_halvings(gt, hyp, most_cells):
    distance, cor, _ = readable_pair(hyp, gt)
    assert applied(edits(gt, hyp, most_cells), gt, hyp) == (distance, cor)


def test_long_lines_have_equal_counts_whole_and_halved():
    rng = random.Random(7)
    (line,) = text_lines(rng, 1, 2000, "abc")
    (read,) = noisy(rng, [line], 0.2, "abc")
    gt, hyp = ([max(0, "abc".find(c)) for c in text] for text in (line, read))
    assert applied(edits(gt, hyp, 1 << 26), gt, hyp) == applied(edits(gt, hyp, 5000), gt, hyp)
