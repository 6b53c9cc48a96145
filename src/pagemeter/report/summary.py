"""What is said of a run besides its numbers."""

from __future__ import annotations

import re
from collections import Counter
from itertools import islice
from typing import TYPE_CHECKING

from pagemeter.report.spelling import shown

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pagemeter.corpus import Outcome, PageResult, Totals
    from pagemeter.corpus.totals import First

MOST = 20
EXAMPLES = 5
_PARSED = re.compile(r"\A(?:: )?line 0, column 0: .*: ")  # where and what a parser stumbled on


def summary(outcome: Outcome) -> list[str]:
    """How many pages there were of each kind.

    >>> from pagemeter.corpus import Outcome, Totals
    >>> from pagemeter.corpus.totals import First
    >>> totals = Totals(pages=7, missed=1, warnings=2, without_hyp=First(["gt/0003.xml"]))
    >>> summary(Outcome(totals, "measures:CER"))
    ['7 pages · 1 of them without hypothesis, counted as missed · 2 warnings']
    """
    totals, passed_over = outcome.totals, outcome.passed_over
    left_out = totals.without_hyp.times - totals.missed
    parts = [
        _count(totals.pages, "page"),
        totals.missed and f"{totals.missed} of them without hypothesis, counted as missed",
        left_out and f"{left_out} without hypothesis, left out",
        totals.without_gt
        and f"{_count(totals.without_gt.times, 'hypothesis', 'hypotheses')} without ground truth",
        totals.failed and f"{totals.failed.times:,} failed, left out of the totals",
        totals.warnings and _count(totals.warnings, "warning"),
    ]
    said = [" · ".join(part for part in parts if part), *_without_text(totals)]
    said += [*_without_positions(outcome), *_dropped(totals)]
    if passed_over:
        kinds = Counter(other.reason for other in passed_over)
        most = kinds.most_common(3)
        rest = len(passed_over) - sum(count for _, count in most)
        listed = [*((reason, count) for reason, count in most), *([("other reasons", rest)] if rest else ())]
        reasons = "; ".join(f"{count} × {reason}" for reason, count in listed)
        said.append(f"{_count(len(passed_over), 'other file')} passed over: {reasons}")
    return said


def messages(totals: Totals) -> Iterator[str]:
    """A line for every bad file, for every page without partner, and for every kind of warning.

    Of very many that are alike only the first are told.

    >>> from pagemeter.corpus import Totals
    >>> from pagemeter.corpus.totals import First
    >>> list(messages(Totals(without_gt=First(["hyp/0003.xml"]))))
    ['no ground truth: hyp/0003.xml']
    """
    yield from _errors(totals.failed)
    for what, names in (("no hypothesis", totals.without_hyp), ("no ground truth", totals.without_gt)):
        yield from listed(what, names.first, names.times)
    told = list(islice(totals.reasons.values(), MOST))
    for reason in told:
        others = f" (and {_count(reason.times - 1, 'more such warning')})" if reason.times > 1 else ""
        yield f"warning: {shown(str(reason.first))}{others}"
    if totals.reasons and (rest := totals.warnings - sum(reason.times for reason in told)):
        yield f"warning: and {_count(rest, 'more warning')} for other reasons, which --json lists"


def _errors(failed: First[PageResult]) -> Iterator[str]:
    """The errors, those of many pages for one reason told by the first of these pages."""
    told: dict[str, list[str]] = {}
    names: dict[str, list[str]] = {}
    times: Counter[str] = Counter()
    for page in failed.first:
        for reason, lines in _reasons(page).items():
            times[reason] += 1
            if times[reason] <= EXAMPLES:
                told.setdefault(reason, []).extend(lines)
                names.setdefault(reason, []).append(page.name)
    for reason, lines in islice(told.items(), MOST):
        many = times[reason] > EXAMPLES
        yield from (f"error: {shown(line)}" for line in (lines[:1] if many else lines))
        if many:
            first = shown(", ".join(names[reason][1:]))
            yield f"error: the same of {first} and {times[reason] - EXAMPLES:,} more, which --json lists"
    rest = failed.times - len(failed.first)
    if len(told) > MOST:
        rest += sum(_reasons(page).keys().isdisjoint(islice(told, MOST)) for page in failed.first)
    if rest:
        yield f"error: and {rest:,} more{' for other reasons' * (len(told) > MOST)}, which --json lists"


def _reasons(page: PageResult) -> dict[str, list[str]]:
    """The errors of a page by their reasons: both files may have one, or the same one."""
    found: dict[str, list[str]] = {}
    for line in (page.error or "").split("\n"):
        found.setdefault(_reason(line, page), []).append(line)
    return found


def _reason(line: str, page: PageResult) -> str:
    """An error without what only this page has: its name, its numbers, and files to choose from.

    Of XML that cannot be read it is what to do about it, for a file can be cut off in any element.
    """
    remedy = line.rpartition("; ")[2]
    if remedy.startswith("choose with "):
        return remedy
    own = next((name for name in (page.gt, page.hyp, page.name) if name and line.startswith(f"{name}: ")), "")
    said = re.sub(r"\d+", "0", line.removeprefix(own) if own else line.partition(": ")[2] or line)
    return _PARSED.sub("", said)


def _without_text(totals: Totals) -> list[str]:
    """What ground truths without text cost, which only a system that reads something pays."""
    measure = next((measure for measure in totals.scores if totals.textless.get(measure)), None)
    if measure is None:
        return []
    errors = f"{totals.textless[measure]:,} of the {_count(totals.scores[measure].errors, 'error')}"
    return [f"{errors} of {measure} are on pages whose ground truth has no text"]


def _without_positions(outcome: Outcome) -> list[str]:
    """Why there is no total of a measure with G, unless nobody would expect one."""
    totals = outcome.totals
    page = totals.first_unplaced
    if page is None or not (totals.places or outcome.named or not totals.scores):
        return []
    side, file = ("ground truth", page.gt) if "gt" in page.unplaced else ("hypothesis", page.hyp)
    pages = f"{totals.unplaced:,} of {_count(totals.pages, 'page')}"
    first = f"{'first ' if totals.unplaced > 1 else ''}the {side} {shown(file or page.name)}"
    return [f"no totals of measures with G: {pages} without positions, {first}"]


def _dropped(totals: Totals) -> list[str]:
    if not (totals.dropped_gt or totals.dropped_hyp):
        return []
    counts = (
        f"{_count(totals.dropped_gt, 'line')} of the ground truth, {totals.dropped_hyp:,} of the hypothesis"
    )
    return [f"left out by --keep-lines and --drop-lines: {counts}"]


def listed(what: str, names: Sequence[str], times: int | None = None) -> Iterator[str]:
    """A line a name, and one for all that are too many; `times` is how many there are if not all are given.

    >>> list(listed("no ground truth", ["hyp/0003.xml"]))
    ['no ground truth: hyp/0003.xml']
    """
    yield from (f"{what}: {shown(name)}" for name in names[:MOST])
    if (rest := (times or len(names)) - MOST) > 0:
        yield f"{what}: and {rest:,} more, which --json lists"


def _count(number: int, one: str, many: str = "") -> str:
    return f"{number:,} {one if number == 1 else many or one + 's'}"
