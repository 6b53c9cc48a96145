"""The alignment of each line: as JSON Lines with all edits, as CSV, and as text; and a table of confusions.

The JSON Lines have one record per line of the ground truth; docs/alignments.md has the schema. The text
lists only lines with errors. The confusions (ground truth → recognised) are of characters and words.
"""

from __future__ import annotations

import shutil
from dataclasses import asdict, fields
from typing import TYPE_CHECKING, Any, TextIO, get_args

from pagemeter.alignment import Aligner, Confusion, Confusions, PageConfusions
from pagemeter.alignment.token_statistics import Fault, clearest_measures
from pagemeter.atomic_io import encodable
from pagemeter.corpus.page_result import LineResult, line_results
from pagemeter.report.csv import CsvFormulas, CsvTable
from pagemeter.report.json import dump_json
from pagemeter.report.names import character_names, make_visible, printable

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from pagemeter.alignment import ExtraText, HypPart, LineAlignment, PageAlignment
    from pagemeter.corpus import Outcome, PageResult
    from pagemeter.measure import Measure

ALIGNMENT_SCHEMA, ALIGNMENT_VERSION = "pagemeter-alignments", 1
ALIGNMENTS = "alignments"
"""The key of `prepare_alignments` in `PageResult.prepared`."""
_LINE_FIELDS = ("page", "measure", *(field.name for field in fields(LineResult)))
FAULTS: tuple[Fault, ...] = get_args(Fault)
_CONFUSION_FIELDS = ("measure", "fault", "count", "gt", "hyp", "shown", "names", "examples")
_MOST_CONFUSIONS = 1000
CONFUSIONS = "confusions"
"""The key of `prepare_confusions` in `PageResult.prepared`."""


class AlignmentFile:
    """All pages by all measures that were evaluated, as JSON Lines."""

    def __init__(self, file: TextIO) -> None:
        self._file = file
        self._file.write(
            _dump_line({"kind": "header", "schema": ALIGNMENT_SCHEMA, "version": ALIGNMENT_VERSION})
        )

    def add(self, result: PageResult) -> None:
        """Write the records of one page."""
        prepared = result.prepared
        records = prepared[ALIGNMENTS] if ALIGNMENTS in prepared else prepare_alignments(result)
        self._file.write(records or "")  # None: they could not be prepared, which is a warning of the page

    def finish(self, outcome: Outcome) -> None:
        """Write the last record, which shows that the file is complete and has the signature."""
        end = {"kind": "end", "pages": outcome.totals.pages, "signature": outcome.signature}
        self._file.write(_dump_line(end))


def prepare_alignments(result: PageResult) -> str:
    """Return the records of a page as they are in the file."""
    if result.evaluation is None:
        return ""
    aligner, page = Aligner(result.evaluation), encodable(result.name)
    measures = [measure for measure in result.scores if not measure.whole]
    records = (record for measure in measures for record in alignment_records(aligner.align(measure)))
    return "".join(_dump_line({"kind": record.pop("kind"), "page": page} | record) for record in records)


def alignment_records(page: PageAlignment) -> Iterator[dict[str, Any]]:
    """Yield the lines of a page, then the text of the hypothesis without a match; numbers count from 1.

    >>> from pagemeter import evaluate
    >>> from pagemeter.alignment import align
    >>> record = next(alignment_records(align(evaluate("a line", "a lime", ["CER"]), "CER")))
    >>> record["gt_line"], record["ops"]
    (1, [['equal', 4, 'a li', 'a li'], ['substitute', 1, 'n', 'm'], ['equal', 1, 'e', 'e']])
    """
    measure = str(page.measure)
    for line in page.lines:
        yield {"kind": "line", "measure": measure} | _line_fields(line)
    for rest in page.unmatched:
        yield {"kind": "left over", "measure": measure} | _left_over_fields(rest)


def _dump_line(record: dict[str, Any]) -> str:
    return dump_json(record) + "\n"


def _line_fields(line: LineAlignment) -> dict[str, Any]:
    counts = line.counts
    return {
        "gt_line": line.gt + 1,
        "gt_id": line.id,
        "gt_type": line.type,
        "gt": line.text,
        "hyp": line.hyp,
        "hyp_lines": list(map(_part_fields, line.parts)),
        "ins": counts.ins,
        "dels": counts.dels,
        "sub": counts.sub,
        "cor": counts.cor,
        "ops": [[o.kind, o.size, o.gt, o.hyp] for o in line.operations],
    }


def _left_over_fields(rest: ExtraText) -> dict[str, Any]:
    return {"hyp": rest.hyp, "hyp_lines": list(map(_part_fields, rest.parts)), "dels": rest.size}


def _part_fields(part: HypPart) -> dict[str, Any]:
    words = [part.first + 1, part.last]
    return {"line": part.line + 1, "id": part.id, "type": part.type, "words": words, "of": part.of}


class LineCsvFile:
    """One row per line of the ground truth; text of the hypothesis without a match has a row of its own."""

    def __init__(self, file: TextIO, measure: Measure, formulas: CsvFormulas = "escape") -> None:
        self._measure = measure
        self._table = CsvTable(file, _LINE_FIELDS, formulas)
        self._table.write_header()

    def add(self, result: PageResult) -> None:
        """Write the lines of one page."""
        if result.evaluation is None:
            return
        start = {"page": printable(result.name), "measure": str(self._measure)}
        _, lines, unmatched = line_results(result.evaluation, self._measure)
        self._table.write(start | asdict(line) for line in lines)
        for rest in unmatched:
            hyp_line = " ".join(map(str, rest.hyp_lines))
            self._table.write([start | {"hyp": rest.hyp, "hyp_line": hyp_line, "distance": rest.n_hyp}])

    def finish(self, outcome: Outcome) -> None:
        """Do nothing, because lines have no totals."""


class LineTextFile:
    """The lines with errors as text; they are kept in `spool` until all pages are evaluated."""

    def __init__(self, file: TextIO, spool: TextIO, measure: Measure) -> None:
        self._file, self._lines, self._measure = file, spool, measure

    def add(self, result: PageResult) -> None:
        """Spool the lines of one page that have errors."""
        self._lines.writelines(f"{line}\n" for line in line_texts(result, self._measure))

    def finish(self, outcome: Outcome) -> None:  # noqa: ARG002
        """Write the lines."""
        self._lines.seek(0)
        shutil.copyfileobj(self._lines, self._file)
        self._file.write("\n")


def line_texts(result: PageResult, measure: Measure) -> Iterator[str]:
    r"""Yield the lines of a page that have errors, three lines of text each.

    >>> from pagemeter import Measure, evaluate
    >>> from pagemeter.corpus import PageResult
    >>> result = PageResult("0001", "gt", "hyp", evaluate("a line", "a lime", ["CER"]))
    >>> print(*line_texts(result, Measure("CER")), sep="\n")
    0001, line 1: 1 error, 6 characters (CER)
      GT   a line
      HYP  a lime
    """
    if result.evaluation is None:
        return
    page = printable(result.name)
    _, lines, unmatched = line_results(result.evaluation, measure)
    for line in lines:
        if line.distance:
            errors = f"{line.distance:,} error{'s' * (line.distance > 1)}"
            sizes = f"{errors}, {_tokens(line.n_gt, measure)} ({measure})"
            yield f"{page}, line {_line_number(line.number, line.id)}: {sizes}"
            yield f"  GT   {printable(line.gt)}"
            yield f"  HYP  {printable(line.hyp)}" if line.hyp is not None else "  HYP  (no match)"
    for rest in unmatched:
        numbers = ", ".join(map(_line_number, rest.hyp_lines, rest.ids))
        yield f"{page}, extra in line {numbers} of the hypothesis: {_tokens(rest.n_hyp, measure)} ({measure})"
        yield f"  HYP  {printable(rest.hyp)}"


def _tokens(count: int, measure: Measure) -> str:
    label = measure.label.lower()
    return f"{count:,} {label.removesuffix('s') if count == 1 else label}"


def _line_number(number: int, name: str | None) -> str:
    return f"{number} ({printable(name)})" if name else str(number)


class ConfusionFile:
    """One row per confusion, the most frequent first, at most 1,000 of each kind and measure."""

    def __init__(self, file: TextIO, formulas: CsvFormulas = "escape") -> None:
        self._table = CsvTable(file, _CONFUSION_FIELDS, formulas)
        self._counter = ConfusionCounter()

    def add(self, result: PageResult) -> None:
        """Count the confusions of one page."""
        prepared = result.prepared
        confusions = prepared[CONFUSIONS] if CONFUSIONS in prepared else prepare_confusions(result)
        self._counter.add(encodable(result.name), confusions or {})  # None: they could not be prepared

    def finish(self, outcome: Outcome) -> None:  # noqa: ARG002
        """Write the table."""
        self._table.write_header()
        for measure, confusions in self._counter.by_measure.items():
            for fault in FAULTS:
                self._table.write(_row(measure, one) for one in confusions.top(fault, _MOST_CONFUSIONS))


class ConfusionCounter:
    """Counts of the confusions of characters and of words over pages, by measure."""

    def __init__(self) -> None:
        self.by_measure: dict[Measure, Confusions] = {}

    def add(self, name: str, page: Mapping[Measure, PageConfusions]) -> None:
        """Count the confusions of a page."""
        for measure, confusions in page.items():
            self.by_measure.setdefault(measure, Confusions()).add(name, confusions)


def prepare_confusions(result: PageResult) -> dict[Measure, PageConfusions]:
    """Return the confusions of a page for `ConfusionFile`."""
    return page_confusions(Aligner(result.evaluation)) if result.evaluation else {}


def page_confusions(aligner: Aligner) -> dict[Measure, PageConfusions]:
    """Return the confusions of a page by one measure of characters and one of words.

    For each unit, this is the evaluated measure in which layout causes the fewest errors.
    """
    return {
        measure: PageConfusions.of(aligner, measure)
        for measure in clearest_measures(aligner.evaluation.scores)
    }


def confusion_names(confusion: Confusion) -> str:
    """Return the Unicode names of both sides of a confusion, empty if both are plain."""
    return " → ".join(filter(None, (character_names(confusion.gt), character_names(confusion.hyp))))


def _row(measure: Measure, one: Confusion) -> dict[str, object]:
    return {
        "measure": str(measure),
        "fault": one.fault,
        "count": one.count,
        "gt": one.gt,
        "hyp": one.hyp,
        "shown": f"{make_visible(one.gt)} → {make_visible(one.hyp)}",
        "names": confusion_names(one),
        "examples": "; ".join(f"{example.page}:{example.line + 1}" for example in one.examples),
    }
