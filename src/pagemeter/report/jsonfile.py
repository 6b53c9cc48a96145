"""All numbers of a run as JSON.

    {"signature": …, "total": {id: {fields of a score}}, "intervals": {id: {…}}, "budgets": {id: {…}},
     "summary": {…},
     "pages": [{"page": …, "gt": path, "hyp": path or null, "measures": {id: {…}}, "budgets": {id: {…}},
                "warnings": […]}],
     "unpaired": {"gt": […], "hyp": […]}, "failed": [{"page": …, "error": …}], "passed_over": […]}

A page that failed has no measures but an "error". An infinite rate is null.
"""

from __future__ import annotations

import json
import shutil
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, TextIO

from pagemeter.report.output import spooled
from pagemeter.report.spelling import portable

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pagemeter.corpus import Outcome, PageResult, Totals
    from pagemeter.measure import Measure
    from pagemeter.score import Score
    from pagemeter.stats.budget import Budget

JSON = "json"
"""The name of what is prepared for this report."""


class _Waiting:
    """Members of an array that wait until what stands before them is known: on disk if they are many."""

    def __init__(self, begin: str = "", separator: str = ", ") -> None:
        self._file = spooled()
        self._next, self._separator = begin, separator

    def add(self, text: str) -> None:
        self._file.write(self._next + text)
        self._next = self._separator

    def move_to(self, file: TextIO) -> None:
        self._file.seek(0)
        shutil.copyfileobj(self._file, file)
        self.close()

    def close(self) -> None:
        self._file.close()


class JsonFile:
    """Pages and names wait until the totals are known, which stand before them."""

    def __init__(self, file: TextIO, per_line: Measure | None = None) -> None:
        self._file, self._per_line = file, per_line
        self._pages = _Waiting("\n", ",\n")
        self._gts, self._hyps, self._failed = _Waiting(), _Waiting(), _Waiting()

    def close(self) -> None:
        """Lets go what waits, if nothing will come of it."""
        for members in (self._pages, self._gts, self._hyps, self._failed):
            members.close()

    def add(self, result: PageResult) -> None:
        """Takes one page; a hypothesis without ground truth, and one that was left out, is only named."""
        if result.status not in ("no ground truth", "left out"):
            self._pages.add(result.prepared.get(JSON) or _dump(page_fields(result, self._per_line)))
        if result.error is not None:
            self._failed.add(_dump({"page": portable(result.name), "error": portable(result.error)}))
        elif result.hyp is None and result.gt is not None:
            self._gts.add(_dump(portable(result.gt)))
        elif result.gt is None and result.hyp is not None:
            self._hyps.add(_dump(portable(result.hyp)))

    def finish(self, outcome: Outcome) -> None:
        """Writes the file from the top."""
        write, totals = self._file.write, outcome.totals
        write(f'{{"signature": {_dump(outcome.signature)},\n')
        if self._per_line:
            write(f'"per_line": {_dump(str(self._per_line))},\n')
        write(f'"total": {_dump_rows(score_fields(totals.scores))},\n')
        intervals = {str(measure): found.as_dict() for measure, found in outcome.intervals.items()}
        write(f'"intervals": {_dump_rows(intervals)},\n')
        write(f'"budgets": {_dump_rows(budget_fields(totals.budgets))},\n')
        write(f'"summary": {_dump(summary_fields(totals))},\n')
        for before, members in (
            ('"pages": [', self._pages),
            ('],\n"unpaired": {"gt": [', self._gts),
            ('], "hyp": [', self._hyps),
            (']},\n"failed": [', self._failed),
        ):
            write(before)
            members.move_to(self._file)
        write("],\n")
        others = [
            {"path": portable(str(other.path)), "reason": other.reason} for other in outcome.passed_over
        ]
        write(f'"passed_over": {_dump(others)}}}\n')


def prepare_json(result: PageResult) -> str:
    """What `JsonFile` writes of a page without its lines."""
    return _dump(page_fields(result))


def page_fields(result: PageResult, per_line: Measure | None = None) -> dict[str, Any]:
    """One page as it stands in the JSON.

    >>> from pagemeter.corpus import PageResult
    >>> page_fields(PageResult("0001", "gt/0001.xml", "hyp/0001.xml", error="hyp/0001.xml: cut off"))["error"]
    'hyp/0001.xml: cut off'
    """
    fields: dict[str, Any] = {
        "page": portable(result.name),
        "gt": None if result.gt is None else portable(result.gt),
        "hyp": None if result.hyp is None else portable(result.hyp),
        "measures": score_fields(result.scores),
        "budgets": budget_fields(result.budgets),
        "warnings": [{name: portable(text) for name, text in asdict(w).items()} for w in result.warnings],
    }
    if result.unplaced:
        fields["without_positions"] = list(result.unplaced)
    if result.error is not None:
        fields["error"] = portable(result.error)
    if per_line and result.evaluation:
        from pagemeter.corpus import lines_of  # noqa: PLC0415  (only where asked for)

        lines, left_over = lines_of(result.evaluation, per_line)
        fields["lines"] = [asdict(line) for line in lines]
        fields["left_over"] = [asdict(rest) for rest in left_over]
    return fields


def score_fields(scores: Mapping[Measure, Score]) -> dict[str, dict[str, Any]]:
    """Scores by the ids of their measures."""
    return {str(measure): score.as_dict() for measure, score in scores.items()}


def budget_fields(budgets: Mapping[Measure, Budget]) -> dict[str, dict[str, Any]]:
    """Budgets by the ids of the measures that they divide."""
    return {str(measure): found.as_dict() for measure, found in budgets.items()}


def summary_fields(totals: Totals) -> dict[str, int]:
    """How many pages there were of each kind."""
    return {
        "pages": totals.pages,
        "missed": totals.missed,
        "warnings": totals.warnings,
        "without_hyp": totals.without_hyp.times,
        "without_gt": totals.without_gt.times,
        "failed": totals.failed.times,
        "without_positions": totals.unplaced,
        "dropped_gt_lines": totals.dropped_gt,
        "dropped_hyp_lines": totals.dropped_hyp,
    }


def _dump(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)


def _dump_rows(rows: dict[str, dict[str, Any]]) -> str:
    """An object with one member a line."""
    return "{" + ",".join(f"\n {_dump(name)}: {_dump(row)}" for name, row in rows.items()) + "}"
