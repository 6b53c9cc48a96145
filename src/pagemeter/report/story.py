"""The story of a run in a few sentences, made from its numbers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pagemeter.corpus.totals import fewest_pages
from pagemeter.report.budget_bar import BudgetBar, budgets_to_show
from pagemeter.report.columns import format_interval, format_percent, format_rate
from pagemeter.report.names import make_visible, printable

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from pagemeter.alignment import Confusions
    from pagemeter.corpus import ScoreTable
    from pagemeter.measure import Measure
    from pagemeter.score import Score
    from pagemeter.stats.bootstrap import Interval
    from pagemeter.stats.budget import Budget
    from pagemeter.stats.comparison import RankedSystem

_HALF, _MOST = 0.5, 0.8  # shares of all errors
_FEW = 4  # pages hold most errors if they are at most this part of all pages
_NUMBER_WORDS = ("No", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten")
_LOSSES = {
    "misread": "misread text",
    "missed": "missed text",
    "invented": "invented text",
    "replaced": "replaced text",
}


@dataclass(frozen=True, slots=True)
class Story:
    """What a reader should know first: one rate with its interval, and what the errors are.

    Args:
        measure: The measure of the rate, None if no measure has a total.
        rate: The rate as it is shown.
        interval: Its confidence interval as it is shown, or the reason why there is none.
        sentences: Up to three sentences: the main cause, the pages with most errors, the main confusion.

    """

    measure: Measure | None
    rate: str
    interval: str
    sentences: tuple[str, ...]


def tell(
    scores: Mapping[Measure, Score],
    budgets: Mapping[Measure, Budget],
    intervals: Mapping[Measure, Interval],
    table: ScoreTable,
    confusions: Mapping[Measure, Confusions],
) -> Story:
    """Return the story of one system.

    The rate is that of the first measure. The error budget is that of its unit, if there is one.

    Args:
        scores: The totals.
        budgets: The error budgets of the totals.
        intervals: The confidence intervals of the totals.
        table: The scores of the pages.
        confusions: The confusions by measure.

    >>> from pagemeter.corpus import ScoreTable
    >>> tell({}, {}, {}, ScoreTable(), {})
    Story(measure=None, rate='', interval='', sentences=())

    """
    measure = next(iter(scores), None)
    if measure is None:
        return Story(None, "", "", ())
    score, interval = scores[measure], intervals.get(measure)
    shown = format_interval(interval) if interval and interval.shown_bounds else ""
    if not score.errors:
        return Story(measure, format_rate(score), shown, (f"There are no errors by {measure}.",))
    sentences = [
        *_main_loss(measure, score, budgets),
        *_worst_pages(measure, table),
        *_main_confusion(measure, confusions),
    ]
    return Story(measure, format_rate(score), shown, tuple(sentences))


def _main_loss(measure: Measure, score: Score, budgets: Mapping[Measure, Budget]) -> Iterator[str]:
    """Yield the largest part of the error budget; without a budget, the largest count."""
    bars = [BudgetBar(one) for one in budgets_to_show(budgets)]
    bar = next((one for one in bars if one.budget.measure.unit == measure.unit), next(iter(bars), None))
    if bar is None:
        counts = {"missing": score.missing, "extra": score.extra, "wrong": score.wrong}
        name = max(counts, key=counts.__getitem__)
        unit = "characters" if measure.of_characters else "words"
        yield (
            f"Most errors are {name} {unit}: {counts[name]:,} of {score.errors:,}."
            if (2 * counts[name] > score.errors)
            else f"The largest group of errors is {name} {unit}: {counts[name]:,} of {score.errors:,}."
        )
        return
    by = "" if bar.budget.measure == measure else f" by {bar.budget.measure}"
    part = max(bar.parts, key=lambda one: one.errors)
    loss, whole = 100 * bar.budget.rate * float(part.errors / bar.budget.errors), 100 * bar.budget.rate
    name = _LOSSES.get(part.key, part.name)
    points = f"{_points(loss, whole)} of {_points(whole, whole)} points"
    if part.errors == bar.budget.errors:
        yield f"All of the loss{by} is {name}."
    elif 2 * part.errors > bar.budget.errors:
        yield f"Most of the loss{by} is {name}: {points}."
    else:
        yield f"The largest part of the loss{by} is {name}: {points}."


def _points(value: float, whole: float) -> str:
    """Return percentage points with as many decimals as the whole needs.

    >>> _points(29.1, 47.2), _points(0.44, 1.9), _points(1.24, 5.0)
    ('29', '0.44', '1.2')
    """
    decimals = 0 if whole >= 10 else 1 if whole >= 2 else 2  # noqa: PLR2004
    return f"{value:.{decimals}f}"


def _worst_pages(measure: Measure, table: ScoreTable) -> Iterator[str]:
    """Yield how the errors are distributed over pages, if there are several."""
    total = len(table.rows_of(measure)[0])
    if total < 2:  # noqa: PLR2004
        return
    few = fewest_pages(table, measure, _MOST)
    half = few if _FEW * few.pages <= total else fewest_pages(table, measure, _HALF)
    if half.pages == total:
        yield f"The errors are spread over all {total:,} pages."
        return
    holds = "holds" if half.pages == 1 else "hold"
    count = _NUMBER_WORDS[half.pages] if half.pages < len(_NUMBER_WORDS) else f"{half.pages:,}"
    yield f"{count} of {total:,} pages {holds} {_share(half.share)} of the errors."


def _share(share: float) -> str:
    """Return a share without decimals; nearly all is not all.

    >>> _share(0.969), _share(0.9999), _share(1.0)
    ('97 %', 'more than 99 %', '100 %')
    """
    return "more than 99 %" if round(100 * share) == 100 and share < 1 else f"{100 * share:.0f} %"  # noqa: PLR2004


def _main_confusion(measure: Measure, confusions: Mapping[Measure, Confusions]) -> Iterator[str]:
    """Yield the most frequent confusion, of the unit of the measure if it has one."""
    units = sorted(confusions, key=lambda one: one.unit != measure.unit)
    for one in units[:1]:
        top = confusions[one].top("substitution", 1)
        if top:
            times = f"{top[0].count:,} time{'s' * (top[0].count != 1)}"
            gt, hyp = make_visible(top[0].gt), make_visible(top[0].hyp)
            yield f"The most frequent confusion is {hyp} for {gt} ({times})."


def tell_comparison(ranking: Sequence[RankedSystem], measure: Measure | None) -> Story:
    """Return the story of a comparison from its ranking: the best system, and which ones do not differ."""
    if measure is None or not ranking:
        return Story(measure, "", "", ())
    best, *others = ranking
    score, interval = best.system.total[measure], best.system.intervals[measure]
    shown = format_interval(interval) if interval.shown_bounds else ""
    name = printable(best.system.name)
    sentences = [f"{name} has the fewest errors: {measure} {format_percent(score.rate)}."]
    if others and all(one.system.total[measure].errors == score.errors for one in others):
        sentences = [f"All systems have the same errors: {measure} {format_percent(score.rate)}."]
    elif any(one.groups for one in ranking):
        alike = [printable(one.system.name) for one in others if set(one.groups) & set(best.groups)]
        if alike:
            sentences.append(f"It does not differ significantly from {_listed(alike)}.")
        else:
            sentences.append("It differs significantly from all others.")
    if others:
        worst = others[-1]
        rate = format_percent(worst.system.total[measure].rate)
        sentences.append(f"The last is {printable(worst.system.name)} with {rate}.")
    return Story(measure, format_rate(score), shown, tuple(sentences))


def _listed(names: Sequence[str]) -> str:
    """Return names as a list in a sentence.

    >>> _listed(["a", "b", "c"]), _listed(["a"])
    ('a, b and c', 'a')
    """
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))
