"""Sentences about a run: its story, how many pages there were of each kind, and errors and warnings."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from pagemeter.corpus.totals import fewest_pages, page_distribution
from pagemeter.errors import Problem, as_keyword
from pagemeter.flags import FLAGS
from pagemeter.report.columns import BudgetBar, budgets_to_show, format_interval, format_percent, format_rate
from pagemeter.report.names import make_visible, printable
from pagemeter.report.tables import confidence_note
from pagemeter.score import ratio

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from pagemeter.alignment import Confusions
    from pagemeter.corpus import Outcome, PageResult, ScoreTable, Totals
    from pagemeter.corpus.page_result import Failure
    from pagemeter.corpus.totals import CappedList, LargePage
    from pagemeter.measure import Measure
    from pagemeter.report import ShowSetting
    from pagemeter.score import Score
    from pagemeter.stats.bootstrap import Interval
    from pagemeter.stats.budget import Budget
    from pagemeter.stats.comparison import RankedSystem

MOST_LISTED = 20
"""The number of names, and of kinds of errors and warnings, that are listed."""
MOST_EXAMPLES = 5
"""The number of failed pages that are named for each reason."""
_MOST_REASONS = 3
_FEWEST_PAGES = 5  # for notes about the distribution of errors over pages
_MOST_ERRORS, _DOMINANCE = 0.5, 3.0
_FAILURES: dict[Failure, str] = {
    "unreadable": "an unusable",
    "truncated": "a truncated",
    "empty": "an empty",
    "textless": "a textless",
    "refusal": "a refusal as",
}
_WITHOUT_DIGITS = dict.fromkeys(map(ord, "0123456789"))


def summary(outcome: Outcome, compared: ScoreTable | None = None) -> list[str]:
    """Return notes about a run: the number of pages of each kind, and the pages that totals do not include.

    Args:
        outcome: The outcome of the run.
        compared: The scores of those pages that were compared with other systems; None for all pages.

    >>> from pagemeter.corpus import Outcome, Totals
    >>> from pagemeter.corpus.totals import CappedList
    >>> totals = Totals(pages=7, missed=1, warnings=2, without_hyp=CappedList(["gt/0003.xml"]))
    >>> summary(Outcome(totals, "measures:CER"))
    ['7 pages · 1 of them without a hypothesis, counted as missing · 2 warnings']

    """
    totals = outcome.totals
    skipped = totals.without_hyp.count - _absent(totals)
    warnings = totals.warnings + len(totals.wrong_pairs)
    parts = [
        _count(totals.pages, "page"),
        _counted_as_missing(totals),
        totals.empty_gt and f"{totals.empty_gt:,} without ground-truth text, excluded",
        skipped and f"{skipped:,} without a hypothesis, skipped",
        totals.without_gt
        and f"{_count(totals.without_gt.count, 'hypothesis', 'hypotheses')} without ground truth",
        totals.failed and f"{totals.failed.count:,} failed, not in the totals",
        warnings and _count(warnings, "warning"),
    ]
    notes = [" · ".join(part for part in parts if part)]
    notes += [confidence_note(totals.confidences)] if totals.confidences else []
    notes += _flagged(totals) + _distribution(totals.table if compared is None else compared)
    return notes + _without_positions(outcome) + _filtered(totals) + _ignored(outcome)


def _absent(totals: Totals) -> int:
    """Return the number of pages that count as missing because they have no hypothesis."""
    return totals.missed - totals.failures.total()


def _counted_as_missing(totals: Totals) -> str:
    """Return how many pages count as missing and why, or "".

    >>> from collections import Counter
    >>> from pagemeter.corpus import Totals
    >>> _counted_as_missing(Totals(pages=9, missed=3, failures=Counter(empty=2)))
    '3 of them counted as missing: 1 without a hypothesis, 2 with an empty hypothesis'
    """
    absent = _absent(totals)
    reasons = [f"{absent:,} without a hypothesis"] if absent else []
    reasons += [f"{count:,} with {_FAILURES[kind]} hypothesis" for kind, count in totals.failures.items()]
    if len(reasons) > 1:
        return f"{totals.missed:,} of them counted as missing: {', '.join(reasons)}"
    return "".join(reasons).replace(" ", " of them ", 1) + ", counted as missing" if reasons else ""


def dominant_pages(totals: Totals) -> list[str]:
    """Return a note that names the few pages that have most of the errors, if there are such pages.

    The pages are at most a tenth of all, have half of the errors or more, and their share of the errors is at
    least three times their share of the text. The rate of the other pages is added if rates are all errors
    divided by all ground-truth tokens.
    """
    score = next(iter(totals.scores.values()), None)
    if score is None or totals.pages < _FEWEST_PAGES or not score.errors:
        return []
    errors = n_gt = 0
    for count, page in enumerate(totals.largest[: max(1, totals.pages // 10)], 1):
        errors, n_gt = errors + page.score.errors, n_gt + page.score.n_gt
        if page.score.measure != score.measure:
            return []
        share = errors / score.errors
        if share >= _MOST_ERRORS and share >= _DOMINANCE * ratio(n_gt, score.n_gt):
            names = "; ".join(_named(page) for page in totals.largest[:count])
            have = f"{_count(count, 'page')} of {totals.pages:,} {'has' if count == 1 else 'have'}"
            note = f"{have} {format_percent(share)} of the errors of {score.measure}: {names}"
            settings = totals.settings
            if settings and (settings.average, settings.denominator) != ("micro", "gt"):
                return [note]
            rest = ratio(score.errors - errors, score.n_gt - n_gt)
            return [f"{note}; the other pages have {score.measure} {format_percent(rest)}"]
    return []


def _named(page: LargePage) -> str:
    flags = f", flagged {', '.join(page.flags)}" if page.flags else ""
    return f"{printable(page.name)} ({format_percent(page.score.rate)}{flags})"


def _flagged(totals: Totals) -> list[str]:
    """Return the number of pages by flag, and the totals without them."""
    if not totals.flagged:
        return []
    counts = ", ".join(f"{totals.flags[flag]:,} {flag}" for flag in FLAGS if totals.flags[flag])
    without = [f"{m} {format_percent(score.rate)}" for m, score in totals.scores_without_flagged.items()]
    rates = (
        f"; without {'it' if len(totals.flagged) == 1 else 'them'}: {', '.join(without)}" if without else ""
    )
    return [f"{_count(len(totals.flagged), 'flagged page')} ({counts}){rates}"]


def _distribution(table: ScoreTable) -> list[str]:
    """Return the median rate, and the share of the errors on the worst pages."""
    measure = next(iter(table.common_measures), None)
    if measure is None or len(table) < _FEWEST_PAGES or not table.total(measure).errors:
        return []
    pages = page_distribution(table, measure)
    median = "–" if pages.median_rate is None else format_percent(pages.median_rate)
    worst = _count(pages.worst_pages, "page")
    share = format_percent(pages.worst_share)
    return [f"median page: {measure} {median} · worst 5 % of pages ({worst}): {share} of all errors"]


def _without_positions(outcome: Outcome) -> list[str]:
    """Return why measures with G and the error budget lack positions, unless none are expected."""
    totals = outcome.totals
    page = totals.first_without_positions
    if page is None or not (totals.has_positions or outcome.named or not totals.scores):
        return []
    side, file = ("ground truth", page.gt) if "gt" in page.without_positions else ("hypothesis", page.hyp)
    have = "have" if totals.without_positions > 1 else "has"
    first = f"{'first ' if totals.without_positions > 1 else ''}the {side} {printable(file or page.name)}"
    pages = f"{totals.without_positions:,} of {_count(totals.pages, 'page')}"
    return [f"no totals with positions (G): {pages} {have} no positions, {first}"]


def _filtered(totals: Totals) -> list[str]:
    """Return how many lines verdicts and line filters removed."""
    ignored = [f"verdicts: {_count(totals.ignored, 'line')} ignored"] if totals.ignored else []
    return ignored + _dropped(totals)


def _dropped(totals: Totals) -> list[str]:
    if not (totals.dropped_gt or totals.dropped_hyp):
        return []
    gt = f"{_count(totals.dropped_gt, 'line')} of the ground truth"
    return [f"line filters removed {gt} and {totals.dropped_hyp:,} of the hypothesis"]


def _ignored(outcome: Outcome) -> list[str]:
    if not outcome.passed_over:
        return []
    reasons = Counter(file.reason for file in outcome.passed_over).most_common()
    rest = sum(count for _, count in reasons[_MOST_REASONS:])
    listed = [*reasons[:_MOST_REASONS], *([("other reasons", rest)] if rest else ())]
    return [
        f"{_count(len(outcome.passed_over), 'other file')} ignored: "
        + "; ".join(f"{count} × {reason}" for reason, count in listed)
    ]


def messages(totals: Totals, show_setting: ShowSetting = as_keyword) -> Iterator[str]:
    """Yield one line for each failed page, each page without a partner, and each kind of warning.

    Long lists, and many pages that failed for the same reason, are shortened.

    >>> from pagemeter.corpus import Totals
    >>> from pagemeter.corpus.totals import CappedList
    >>> list(messages(Totals(without_gt=CappedList(["hyp/0003.xml"]))))
    ['no ground truth: hyp/0003.xml']
    """
    yield from _errors(totals.failed, show_setting)
    for what, names in (("no hypothesis", totals.without_hyp), ("no ground truth", totals.without_gt)):
        yield from list_names(what, names.items, names.count, show_setting=show_setting)
    wrong = totals.wrong_pairs
    yield from (f"warning: {printable(problem.render(show_setting))}" for problem in wrong[:MOST_LISTED])
    if len(wrong) > MOST_LISTED:
        yield _more("warning", f"{len(wrong) - MOST_LISTED:,} more wrong pairs", show_setting)
    listed = list(islice(totals.warning_groups.values(), MOST_LISTED))
    for reason in listed:
        others = f" (and {_count(reason.count - 1, 'more such warning')})" if reason.count > 1 else ""
        yield f"warning: {printable(reason.first.render(show_setting))}{others}"
    if totals.warning_groups and (rest := totals.warnings - sum(reason.count for reason in listed)):
        yield _more("warning", f"{_count(rest, 'more warning')} for other reasons", show_setting)


def list_names(
    what: str, names: Sequence[str], times: int | None = None, *, show_setting: ShowSetting = as_keyword
) -> Iterator[str]:
    """Yield one line per name, and one that counts the names that are not listed.

    Args:
        what: The start of each line, which describes the names.
        names: The names; only the first are listed.
        times: The number of names, if not all of them are given.
        show_setting: Shows the setting that lists all names.

    >>> list(list_names("no ground truth", ["hyp/0003.xml"]))
    ['no ground truth: hyp/0003.xml']

    """
    yield from (f"{what}: {printable(name)}" for name in names[:MOST_LISTED])
    if (rest := (times or len(names)) - MOST_LISTED) > 0:
        yield _more(what, f"{rest:,} more", show_setting)


def _more(what: str, detail: str, show_setting: ShowSetting) -> str:
    return Problem(detail, what, remedy="use {} to list all", settings=(("json", ""),)).render(show_setting)


def _errors(failed: CappedList[PageResult], show_setting: ShowSetting) -> Iterator[str]:
    """Yield the errors; if many pages have the same reason, only the message of the first is included."""
    examples: dict[str, list[Problem]] = {}
    names: dict[str, list[str]] = {}
    times: Counter[str] = Counter()
    for page in failed.items:
        for reason, problems in _reasons(page).items():
            times[reason] += 1
            if times[reason] <= MOST_EXAMPLES:
                examples.setdefault(reason, []).extend(problems)
                names.setdefault(reason, []).append(page.name)
    for reason, problems in islice(examples.items(), MOST_LISTED):
        many = times[reason] > MOST_EXAMPLES
        for problem in problems[:1] if many else problems:
            yield f"error: {printable(problem.render(show_setting))}"
        if many:
            named, rest = printable(", ".join(names[reason][1:])), times[reason] - MOST_EXAMPLES
            yield _more("error", f"the same for {named} and {_count(rest, 'more page')}", show_setting)
    rest, why = failed.count - len(failed.items), ""
    if len(examples) > MOST_LISTED:
        listed, why = set(islice(examples, MOST_LISTED)), " for other reasons"
        rest += sum(_reasons(page).keys().isdisjoint(listed) for page in failed.items)
    if rest:
        yield _more("error", f"{_count(rest, 'more page')} failed{why}", show_setting)


def _reasons(page: PageResult) -> dict[str, list[Problem]]:
    """Return the errors of a page by reason: both files may have one, or the same one."""
    reasons: dict[str, list[Problem]] = {}
    for problem in page.errors:
        reasons.setdefault(_reason(problem), []).append(problem)
    return reasons


def _reason(problem: Problem) -> str:
    """Return the reason of a problem without numbers, names and quoted messages, to group problems of a kind.

    If a remedy names settings, problems are grouped by the remedy.
    """
    if problem.settings:
        return problem.remedy
    return f"{problem.detail.partition(' (')[0]} {problem.remedy}".translate(_WITHOUT_DIGITS)


def _count(number: int, one: str, many: str = "") -> str:
    return f"{number:,} {one if number == 1 else many or one + 's'}"


_HALF, _MOST = 0.5, 0.8  # shares of all errors
_EVEN = 1.25  # times their share of the pages: what the worst pages hold at most if errors are spread evenly
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
    score, shown = scores[measure], _shown_interval(intervals.get(measure))
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
    if half.share < _EVEN * half.pages / total:
        yield f"The errors are spread evenly over all {total:,} pages."
        return
    holds = "holds" if half.pages == 1 else "hold"
    yield f"{_number_word(half.pages)} of {total:,} pages {holds} {_share(half.share)} of the errors."


def _number_word(number: int) -> str:
    """Return a number as the first word of a sentence."""
    return _NUMBER_WORDS[number] if number < len(_NUMBER_WORDS) else f"{number:,}"


def _shown_interval(interval: Interval | None) -> str:
    """Return an interval with its confidence, or why there is none.

    >>> from pagemeter.stats import Interval
    >>> _shown_interval(Interval((0.0213, 0.034), 0.95, "bootstrap"))
    '95 % interval 2.13–3.40 %'
    >>> _shown_interval(Interval(None, 0.95, "none", "too few pages (4 with text, 5 are needed)"))
    'no interval: too few pages'
    """
    if interval is None:
        return ""
    if interval.shown_bounds:
        return f"{100 * interval.confidence:g} % interval {format_interval(interval)}"
    return f"no interval: {interval.reason.partition(' (')[0]}"


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


def tell_comparison(ranking: Sequence[RankedSystem], measure: Measure | None, pages: int) -> Story:
    """Return the story of a comparison: the best system, and which ones do not differ.

    Args:
        ranking: The systems, the best first.
        measure: The measure of the ranking.
        pages: The number of pages that were compared.

    """
    if measure is None or not ranking:
        return Story(measure, "", "", ())
    best, *others = ranking
    score, interval = best.system.total[measure], best.system.intervals[measure]
    name = printable(best.system.name)
    sentences = [f"{name} has the fewest errors: {measure} {format_percent(score.rate)}."]
    if others and all(one.system.total[measure].errors == score.errors for one in others):
        sentences = [f"All systems have the same errors: {measure} {format_percent(score.rate)}."]
    elif any(one.groups for one in ranking):
        alike = [printable(one.system.name) for one in others if set(one.groups) & set(best.groups)]
        if alike and _too_few_to_differ(pages, len(ranking), interval.confidence):
            few = f"{_number_word(pages)} pages are" if pages > 1 else "One page is"
            sentences.append(f"{few} too few to show a significant difference.")
        elif alike:
            sentences.append(f"It does not differ significantly from {_listed(alike)}.")
        else:
            sentences.append("It differs significantly from all others.")
    if others:
        worst = others[-1]
        rate = format_percent(worst.system.total[measure].rate)
        sentences.append(f"The last is {printable(worst.system.name)} with {rate}.")
    return Story(measure, format_rate(score), _shown_interval(interval), tuple(sentences))


def _too_few_to_differ(pages: int, systems: int, confidence: float) -> bool:
    """Return True if no difference could be significant: the permutation test has two outcomes per page."""
    tests = systems * (systems - 1) // 2
    return min(1.0, tests * 2.0 ** (1 - pages)) > 1 - confidence


def _listed(names: Sequence[str]) -> str:
    """Return names as a list in a sentence.

    >>> _listed(["a", "b", "c"]), _listed(["a"])
    ('a, b and c', 'a')
    """
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))
