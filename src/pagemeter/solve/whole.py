"""Measures of the page as one text: T, bags of characters, and words by LCS or by an assignment.

Their scores have no matches, because the lines of the two pages are not matched.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from pagemeter import _kernel
from pagemeter.errors import InputError
from pagemeter.score import Counts, Score
from pagemeter.solve.instance import check_token_count

if TYPE_CHECKING:
    from pagemeter.measure import Measure
    from pagemeter.text.encode import Ints, SpelledWords, TextPair


def score_text(measure: Measure, pair: TextPair, rule: str = "canonical") -> Score:
    """Return the score of a measure that compares tokens.

    Args:
        measure: The measure.
        pair: The tokens of both pages.
        rule: The alignment that is counted, as in `Settings.counts`.

    >>> from pagemeter.measure import Measure
    >>> from pagemeter.text.encode import encode_texts
    >>> score_text(Measure.parse("CER:T"), encode_texts("one line", "ane lime")).errors
    2

    """
    check_token_count(len(pair.gt) + len(pair.hyp))
    try:
        counts = _METHODS[measure.method](pair, rule)
    except OverflowError as error:
        raise InputError(f"{measure}: {error}", remedy="split them into pages") from None
    canonical = rule == "canonical" or measure.method != "distance"
    return Score(measure, counts, counts.errors, canonical)


def score_spelled(measure: Measure, words: SpelledWords) -> Score:
    """Return the score of words that are matched one to one by their similarity and place (hWER).

    Words without a partner are unequal to each other as far as there are some on both sides.
    """
    pair = words.characters
    check_token_count(len(pair.gt) + len(pair.hyp))
    try:
        equal, unequal = _kernel.match_words(pair.gt, words.gt, pair.hyp, words.hyp, pair.alphabet)
    except OverflowError as error:
        raise InputError(f"{measure}: {error}", remedy="split them into pages") from None
    alone = len(words.gt) - equal - unequal, len(words.hyp) - equal - unequal
    counts = _unordered(equal, equal + unequal + alone[0], equal + unequal + alone[1])
    return Score(measure, counts, counts.errors, canonical=False)


def _distance(pair: TextPair, rule: str) -> Counts:
    spans = (np.array([[0, len(side)]], np.int32) for side in (pair.gt, pair.hyp))
    gt_span, hyp_span = spans
    rows = _kernel.pair_counts(pair.gt, gt_span, pair.hyp, hyp_span, pair.alphabet, rule)
    errors, cor, sub = rows[0].tolist()
    return Counts.solve(errors=errors, cor=cor, sub=sub, n_gt=len(pair.gt))


def _bag(pair: TextPair, _rule: str) -> Counts:
    occurrences = (np.bincount(side, minlength=pair.alphabet) for side in (pair.gt, pair.hyp))
    return _unordered(int(np.minimum(*occurrences).sum()), len(pair.gt), len(pair.hyp))


def _unordered(equal: int, n_gt: int, n_hyp: int) -> Counts:
    """Return the counts of tokens without an order: as many of the others as possible are wrong."""
    sub = min(n_gt, n_hyp) - equal
    return Counts(n_gt - equal - sub, n_hyp - equal - sub, sub, equal)


def _subsequence(pair: TextPair, _rule: str) -> Counts:
    equal = common_subsequence(pair.gt, pair.hyp)
    return Counts(ins=len(pair.gt) - equal, dels=len(pair.hyp) - equal, cor=equal)


_METHODS = {"distance": _distance, "bag": _bag, "subsequence": _subsequence}


def common_subsequence(first: Ints, second: Ints) -> int:
    """Return the length of the longest common subsequence.

    A column of the dynamic programme is one large integer, whose bits are 0 where the length grows
    (H. Hyyrö, "Bit-parallel LCS-length computation revisited", 2004).

    >>> common_subsequence(np.array([1, 2, 3, 4]), np.array([2, 9, 4]))
    2
    """
    places: dict[int, int] = {}
    for position, token in enumerate(first.tolist()):
        places[token] = places.get(token, 0) | 1 << position
    every = (1 << len(first)) - 1
    column = every
    for token in second.tolist():
        if shared := column & places.get(token, 0):
            column = ((column + shared) | (column - shared)) & every
    return len(first) - column.bit_count()
