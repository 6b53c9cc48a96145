"""One number for one page: what most people come for."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

from pagemeter.errors import MeasureError, UnprovenWarning, warn
from pagemeter.evaluation import Evaluation, evaluate
from pagemeter.measure import Measure

if TYPE_CHECKING:
    from pagemeter.score import Score
    from pagemeter.sources import PageLike


def cer(gt: PageLike, hyp: PageLike, letters: str = "", **overrides: Any) -> float:  # noqa: ANN401
    r"""The character error rate with the letters of the measure: any of R, S, G.

    Where time runs out before the minimum is proven, the rate is the best one found, and a warning of
    category `pagemeter.errors.UnprovenWarning` states the range.

    >>> cer("abcd\nef", "ef\nabcx")
    0.16666666666666666
    """
    return _rate("CER", gt, hyp, letters, overrides)


def wer(gt: PageLike, hyp: PageLike, letters: str = "", **overrides: Any) -> float:  # noqa: ANN401
    r"""The word error rate with the letters of the measure: any of R, S, G; see `cer`.

    >>> wer("one two three", "one\ntwo three", "S")
    0.0
    """
    return _rate("WER", gt, hyp, letters, overrides)


def _rate(unit: str, gt: PageLike, hyp: PageLike, letters: str, overrides: dict[str, Any]) -> float:
    measure = _with_letters(unit, str(letters))
    found = evaluate(gt, hyp, (measure,), **overrides)
    score = found.scores[measure]
    if not score.optimal:
        _warn(found, score)
    return score.rate


def _warn(found: Evaluation, score: Score) -> None:
    from pagemeter.report.figures import errors, rate  # noqa: PLC0415  (only where there is a range)

    exact = found.settings.solver == "exact"
    remedy = f"raise time_limit={found.settings.time_limit:g}" if exact else "use solver='exact'"
    warn(
        f"{score.measure}: the minimum is not proven; it lies in {rate(score)} ({errors(score)} errors), and "
        f"the upper end is returned; {remedy}, or take the range from evaluate()",
        UnprovenWarning,
    )


@lru_cache
def _with_letters(unit: str, letters: str) -> Measure:
    """The measure of one unit with some letters; the whole id is understood too."""
    text = letters.strip()
    whole = text[:3].upper() in ("CER", "WER", "BOW")
    measure = Measure.parse(text if whole else f"{unit}:{text}")
    if measure.unit != unit:
        raise MeasureError(
            f"{unit.lower()}() takes letters of R, S and G, not {letters!r}; for {measure} use "
            f"{'evaluate' if measure.unit == 'BOW' else measure.unit.lower()}()"
        )
    return measure
