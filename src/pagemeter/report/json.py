"""All numbers of a run as JSON.

    {"signature": …, "total": {id: {fields of a score}}, "intervals": {id: {…}}, "budgets": {id: {…}},
     "kinds": {id: {"misread", "missed", "invented", "repeated", "replaced"}}, "summary": {…},
     "peer": {"preset", "total": {name: number}, "why"},
     "pages": [{"page": …, "gt": path, "hyp": path or null, "measures": {id: {…}}, "budgets": {id: {…}},
                "kinds": {id: {…}}, "warnings": […]}],
     "unpaired": {"gt": […], "hyp": […]}, "failed": [{"page": …, "error": …}], "passed_over": […]}

With a preset, "peer" has the numbers in the terms of its tool, also of each page. A page that failed has no
measures but an "error". An infinite rate is null. `pagemeter.report.columns` lists
the fields of a score.
"""

from __future__ import annotations

import json
import math
import re
import shutil
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, TextIO

from pagemeter.atomic_io import encodable, text_spool
from pagemeter.corpus.page_result import FAILURES
from pagemeter.corpus.totals import page_distribution
from pagemeter.flags import FLAGS
from pagemeter.report.columns import score_fields
from pagemeter.report.tables import TypeTotals, confidence_fields, peer_note, type_fields

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pagemeter.alignment import ErrorKinds
    from pagemeter.corpus import Outcome, PageResult, Totals
    from pagemeter.errors import Problem
    from pagemeter.measure import Measure
    from pagemeter.score import Score
    from pagemeter.stats.budget import Budget


JSON = "json"
"""The key of `prepare_json` in `PageResult.prepared`."""
_CONTROLS = re.compile("[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")
"""Control and direction characters that `json.dumps` does not escape."""
_ENCODER = json.JSONEncoder(ensure_ascii=False, allow_nan=False)


class JsonFile:
    """A JSON file. Pages are spooled to temporary files, because the totals precede them in the file."""

    def __init__(self, file: TextIO, per_line: Measure | None = None, *, types: bool = False) -> None:
        self._file, self._per_line = file, per_line
        self._types = TypeTotals() if types else None
        self._pages = _SpooledMembers("\n", ",\n")
        self._gts, self._hyps, self._failed = _SpooledMembers(), _SpooledMembers(), _SpooledMembers()

    def close(self) -> None:
        """Discard the spooled pages."""
        for members in (self._pages, self._gts, self._hyps, self._failed):
            members.close()

    def add(self, result: PageResult) -> None:
        """Add one page; a skipped page, or one without ground truth, is listed by its file only."""
        if self._types:
            self._types.add(result)
        if result.status not in ("no ground truth", "left out"):
            self._pages.add(result.prepared.get(JSON) or dump_json(page_fields(result, self._per_line)))
        if result.error is not None:
            error = {"page": encodable(result.name), "error": encodable(result.error)}
            self._failed.add(dump_json(error))
        elif result.hyp is None and result.gt is not None and not result.unusable_hyp:
            self._gts.add(dump_json(encodable(result.gt)))
        elif result.gt is None and result.hyp is not None:
            self._hyps.add(dump_json(encodable(result.hyp)))

    def finish(self, outcome: Outcome) -> None:
        """Write the file."""
        write, totals = self._file.write, outcome.totals
        write(f'{{"signature": {dump_json(outcome.signature)},\n')
        if self._per_line:
            write(f'"per_line": {dump_json(str(self._per_line))},\n')
        write(f'"total": {_dump_object(measure_fields(totals.scores))},\n')
        intervals = {str(measure): interval.as_dict() for measure, interval in outcome.intervals.items()}
        if peer := totals.peer:
            label = totals.settings.preset_label if totals.settings else None
            fields = {"preset": label, "total": finite(peer), "why": peer_note(totals)}
            write(f'"peer": {dump_json(fields)},\n')
        write(f'"intervals": {_dump_object(intervals)},\n')
        write(f'"budgets": {_dump_object(budget_fields(totals.budgets))},\n')
        write(f'"kinds": {_dump_object(kind_fields(totals.kinds))},\n')
        if totals.confidences:
            write(f'"confidences": {dump_json(confidence_fields(totals.confidences))},\n')
        write(f'"flags": {dump_json(flag_fields(totals))},\n')
        write(f'"distribution": {_dump_object(distribution_fields(totals))},\n')
        write(f'"empty_gt": {_dump_object(empty_gt_fields(totals))},\n')
        if self._types:
            types = {str(measure): type_fields(one) for measure, one in self._types.by_measure.items()}
            write(f'"types": {_dump_object(types)},\n')
        write(f'"summary": {dump_json(summary_fields(totals))},\n')
        wrong = [_problem_fields(problem) for problem in totals.wrong_pairs]
        write(f'"wrong_pairs": {dump_json(wrong)},\n')
        for before, members in (
            ('"pages": [', self._pages),
            ('],\n"unpaired": {"gt": [', self._gts),
            ('], "hyp": [', self._hyps),
            (']},\n"failed": [', self._failed),
        ):
            write(before)
            members.move_to(self._file)
        write("],\n")
        ignored = [{"path": encodable(str(file.path)), "reason": file.reason} for file in outcome.passed_over]
        write(f'"passed_over": {dump_json(ignored)}}}\n')


class _SpooledMembers:
    """Members of a JSON array in a temporary file, which is in memory while it is small."""

    def __init__(self, begin: str = "", separator: str = ", ") -> None:
        self._file = text_spool()
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


def prepare_json(result: PageResult) -> str:
    """Return a page as `JsonFile` writes it, without its lines."""
    return dump_json(page_fields(result))


def page_fields(result: PageResult, per_line: Measure | None = None) -> dict[str, Any]:
    """Return the JSON fields of one page.

    >>> from pagemeter.corpus import PageResult
    >>> from pagemeter.errors import Problem
    >>> result = PageResult("0001", "1.xml", "2.xml", errors=(Problem("the file is cut off", "2.xml"),))
    >>> page_fields(result)["error"]
    '2.xml: the file is cut off'
    """
    fields: dict[str, Any] = {
        "page": encodable(result.name),
        "gt": None if result.gt is None else encodable(result.gt),
        "hyp": None if result.hyp is None else encodable(result.hyp),
        "measures": measure_fields(result.scores),
        "budgets": budget_fields(result.budgets),
        "kinds": kind_fields(result.kinds),
        "flags": list(result.flags),
        "warnings": list(map(_problem_fields, result.warnings)),
    }
    if result.confidences:
        fields["confidences"] = confidence_fields(result.confidences, curves=False)
    if result.evaluation and (peer := result.evaluation.peer):
        fields["peer"] = finite(peer)
    if result.without_positions:
        fields["without_positions"] = list(result.without_positions)
    if result.unusable_hyp:
        fields["unusable_hyp"] = True
    if result.failure:
        fields["failure"] = result.failure
    if result.error is not None:
        fields["error"] = encodable(result.error)
    if per_line and result.evaluation:
        from pagemeter.corpus import line_results  # noqa: PLC0415  (only if asked for)

        _, lines, unmatched = line_results(result.evaluation, per_line)
        fields["lines"] = [asdict(line) for line in lines]
        fields["left_over"] = [asdict(rest) for rest in unmatched]
    return fields


def finite(terms: Mapping[str, float | int]) -> dict[str, float | int | None]:
    """Return numbers with None for those that are not finite, which JSON lacks."""
    return {name: value if math.isfinite(value) else None for name, value in terms.items()}


def _problem_fields(problem: Problem) -> dict[str, str]:
    return {name: encodable(text) for name, text in problem.as_dict().items()}


def measure_fields(scores: Mapping[Measure, Score]) -> dict[str, dict[str, Any]]:
    """Return the JSON fields of scores by the ids of their measures."""
    return {str(measure): score_fields(score) for measure, score in scores.items()}


def budget_fields(budgets: Mapping[Measure, Budget]) -> dict[str, dict[str, Any]]:
    """Return the JSON fields of error budgets by the ids of the measures that they divide."""
    return {str(measure): budget.as_dict() for measure, budget in budgets.items()}


def kind_fields(kinds: Mapping[Measure, ErrorKinds]) -> dict[str, dict[str, int]]:
    """Return the errors by kind by the ids of their measures."""
    return {str(measure): dict(one) for measure, one in kinds.items()}


def flag_fields(totals: Totals) -> dict[str, Any]:
    """Return the number of pages by flag, and the totals without flagged pages, if they differ."""
    return {
        "pages": len(totals.flagged),
        "counts": {flag: totals.flags[flag] for flag in FLAGS},
        "total_without_flagged": measure_fields(totals.scores_without_flagged),
    }


def distribution_fields(totals: Totals) -> dict[str, dict[str, Any]]:
    """Return how the errors are distributed over pages, by measure id."""
    return {str(measure): page_distribution(totals.table, measure).as_dict() for measure in totals.scores}


def empty_gt_fields(totals: Totals) -> dict[str, dict[str, Any]]:
    """Return the errors on pages without ground-truth text, and the scores of the other pages."""
    return {
        str(measure): {"errors": totals.errors_without_text[measure], "others": score_fields(score)}
        for measure, score in totals.scores_with_text.items()
    }


def summary_fields(totals: Totals) -> dict[str, int]:
    """Return the number of pages of each kind."""
    failures = {f"{failure}_hyp": totals.failures[failure] for failure in FAILURES}
    return failures | {
        "pages": totals.pages,
        "missed": totals.missed,
        "unusable_hyp": totals.unusable_hyp,
        "warnings": totals.warnings,
        "without_hyp": totals.without_hyp.count,
        "without_gt": totals.without_gt.count,
        "failed": totals.failed.count,
        "flagged": len(totals.flagged),
        "excluded_empty_gt": totals.empty_gt,
        "without_positions": totals.without_positions,
        "dropped_gt_lines": totals.dropped_gt,
        "dropped_hyp_lines": totals.dropped_hyp,
    }


def dump_json(value: object) -> str:
    r"""Return a value as JSON on one line, in which no character controls a terminal.

    >>> print(dump_json("é\x9b\u202e"))
    "é\u009b\u202e"
    """
    text = _ENCODER.encode(value)
    if text.isascii() and "\x7f" not in text:
        return text
    return _CONTROLS.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


def _dump_object(members: dict[str, dict[str, Any]]) -> str:
    """Return an object as JSON with one line per member."""
    return "{" + ",".join(f"\n {dump_json(name)}: {dump_json(row)}" for name, row in members.items()) + "}"
