"""The kernel refuses arrays that do not fit together, before it reads beyond one of them."""

from __future__ import annotations

import numpy as np
import pytest

from pagemeter import _kernel


def ints(*values: object) -> np.ndarray:
    return np.array(values, np.int32)


TOKENS, LINES, WORDS, WORD_LINE = ints(1, 2, 3), ints((0, 2), (2, 3)), ints((0, 1), (1, 3)), ints(0, 1)
NO_MASK = None


def noted(**changed: np.ndarray) -> _kernel.NotedGroundTruth:
    arguments = {
        "tokens": TOKENS,
        "rows": LINES,
        "first_row": ints(0, 1, 2),
        "alphabet": 4,
        "matches": np.zeros((0, 4), bool),
        "gap": ints(),
        "weight": ints(1, 1, 1, 1),
    }
    return _kernel.NotedGroundTruth(**arguments | changed)


@pytest.mark.parametrize(
    "bounds", [ints((1, 2), (0, 3)), ints((0, 1), (2, 1)), ints((0, 4)), ints((-1, 2))], ids=str
)
def test_bounds_that_do_not_ascend_within_the_tokens(bounds):
    with pytest.raises(ValueError, match="bounds must ascend and lie within the tokens"):
        _kernel.ordered(TOKENS, bounds, TOKENS, LINES, NO_MASK, 4)
    with pytest.raises(ValueError, match="bounds must ascend and lie within the tokens"):
        _kernel.free(TOKENS, LINES, TOKENS, bounds, NO_MASK, 4)


@pytest.mark.parametrize(
    ("word_line", "message"),
    [(ints(0), "each word needs a line"), (ints(-1, 0), "line numbers must not be negative")],
)
def test_words_without_a_line(word_line, message):
    with pytest.raises(ValueError, match=message):
        _kernel.ordered_segments(TOKENS, LINES, TOKENS, WORDS, word_line, NO_MASK, 4)


@pytest.mark.parametrize("shape", [(1, 2), (2, 1)])
def test_a_mask_of_another_page(shape):
    with pytest.raises(ValueError, match="the mask must have a row for each GT line"):
        _kernel.free(TOKENS, LINES, TOKENS, LINES, np.ones(shape, bool), 4)


@pytest.mark.parametrize("spans", [ints((0, 4)), ints((2, 1)), ints((-1, 1))], ids=str)
def test_spans_outside_the_tokens(spans):
    whole = ints((0, 3))
    with pytest.raises(ValueError, match="spans must lie within the tokens"):
        _kernel.edits(TOKENS, spans, TOKENS, whole, 4, 100)
    with pytest.raises(ValueError, match="spans must lie within the tokens"):
        _kernel.pair_counts(TOKENS, whole, TOKENS, spans, 4, "canonical")
    with pytest.raises(ValueError, match="spans must lie within the tokens"):
        noted().edits(ints(0), TOKENS, spans)


@pytest.mark.parametrize("row", [-1, 2])
def test_a_row_that_does_not_exist(row):
    with pytest.raises(ValueError, match="spans must lie within the tokens"):
        noted().edits(ints(row), TOKENS, ints((0, 3)))


@pytest.mark.parametrize(
    "changed",
    [{"matches": np.zeros((1, 4), bool)}, {"matches": np.zeros((0, 3), bool)}, {"weight": ints(1, 1, 1)}],
    ids=str,
)
def test_flags_of_another_alphabet(changed):
    with pytest.raises(ValueError, match="each special token needs a flag for each token"):
        noted(**changed)


@pytest.mark.parametrize("first_row", [ints(), ints(1, 2), ints(0, 0, 2), ints(0, 1), ints(0, 1, 3)], ids=str)
def test_lines_without_a_row(first_row):
    with pytest.raises(ValueError, match="each line needs a row"):
        noted(first_row=first_row)


@pytest.mark.parametrize(
    ("points", "lengths", "message"),
    [
        (ints(65, 66), ints(1), "the line lengths must add up to the number of code points"),
        (ints(65), ints(1, 1), "the line lengths must add up to the number of code points"),
        (ints(-1), ints(1), "a code point cannot be negative"),
    ],
)
def test_code_points_that_do_not_fit_their_lines(points, lengths, message):
    good = (ints(65), ints(1), None)
    blanks = np.zeros(128, bool)
    for pages in [((points, lengths, None), good), (good, (points, lengths, None))]:
        with pytest.raises(ValueError, match=message):
            _kernel.number_characters(*pages[0], *pages[1], blanks, 32)


@pytest.mark.parametrize("word_line", [ints(1, 0), ints(0, 2)], ids=str)
def test_words_whose_lines_decrease_or_do_not_exist(word_line):
    good, bad = (TOKENS, WORDS, WORD_LINE, 2), (TOKENS, WORDS, word_line, 2)
    for pages in [(good, bad), (bad, good)]:
        with pytest.raises(ValueError, match="the lines of the words must not decrease"):
            _kernel.number_words(*pages[0], *pages[1], 4)
