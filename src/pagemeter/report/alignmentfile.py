"""Alignments as JSON Lines, one record a line of the ground truth; docs/alignments.md has the schema."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, TextIO

from pagemeter.alignment import Aligner
from pagemeter.report.spelling import portable

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pagemeter.alignment import LeftOver, LineAlignment, PageAlignment, Part
    from pagemeter.corpus import Outcome, PageResult

SCHEMA, VERSION = "pagemeter-alignments", 1
ALIGNMENTS = "alignments"
"""The name of what is prepared for this report."""


class AlignmentFile:
    """All pages by all measures that were evaluated, as they come."""

    def __init__(self, file: TextIO) -> None:
        self._file = file
        self._file.write(_dump({"kind": "header", "schema": SCHEMA, "version": VERSION}))

    def add(self, result: PageResult) -> None:
        """Writes the records of one page."""
        found = result.prepared.get(ALIGNMENTS)
        self._file.write(prepare_alignments(result) if found is None else found)

    def finish(self, outcome: Outcome) -> None:
        """Writes the last record, which says that the file is complete and how it was made."""
        end = {"kind": "end", "pages": outcome.totals.pages, "signature": outcome.signature}
        self._file.write(_dump(end))


def prepare_alignments(result: PageResult) -> str:
    """The records of a page as they stand in the file."""
    if result.evaluation is None:
        return ""
    aligner, page = Aligner(result.evaluation), portable(result.name)
    found = (record for measure in result.scores for record in records(aligner.align(measure)))
    return "".join(_dump({"kind": record.pop("kind"), "page": page} | record) for record in found)


def records(page: PageAlignment) -> Iterator[dict[str, Any]]:
    """The lines of a page, then what is left over; numbers count from 1.

    >>> from pagemeter import evaluate
    >>> from pagemeter.alignment import align
    >>> record = next(records(align(evaluate("a line", "a lime", ["CER"]), "CER")))
    >>> record["gt_line"], record["ops"]
    (1, [['equal', 4, 'a li', 'a li'], ['substitute', 1, 'n', 'm'], ['equal', 1, 'e', 'e']])
    """
    measure = str(page.measure)
    for line in page.lines:
        yield {"kind": "line", "measure": measure} | _line(line)
    for rest in page.left_over:
        yield {"kind": "left over", "measure": measure} | _left_over(rest)


def _dump(record: dict[str, Any]) -> str:
    return json.dumps(record, ensure_ascii=False) + "\n"


def _line(line: LineAlignment) -> dict[str, Any]:
    counts = line.counts
    return {
        "gt_line": line.gt + 1,
        "gt_id": line.id,
        "gt": line.text,
        "hyp": line.hyp,
        "hyp_lines": list(map(_part, line.parts)),
        "ins": counts.ins,
        "dels": counts.dels,
        "sub": counts.sub,
        "cor": counts.cor,
        "ops": [[o.kind, o.size, o.gt, o.hyp] for o in line.operations],
    }


def _left_over(rest: LeftOver) -> dict[str, Any]:
    return {"hyp": rest.hyp, "hyp_lines": list(map(_part, rest.parts)), "dels": rest.size}


def _part(part: Part) -> dict[str, Any]:
    return {"line": part.line + 1, "id": part.id, "words": [part.first + 1, part.last], "of": part.of}
