"""The details of one page as the report's scripts read them.

The block of the ground truth:

    {"file", "size": [width, height], "lines": [[text, id, [x, y, …], closed]],
     "n": {unit: [tokens of each line]}}

The block of what one system read:

    {"file", "size", "image": {"href", "embedded", "note"}, "warnings": […],
     "lines": [[id, [x, y, …], closed]],
     "words": {unit: [[words of a line]]},
     "edits": [[[0, text] | [0, gt, hyp] | [1, gt, hyp] | [2, gt] | [3, hyp]]],
     "measures": {id: {"lines": [[gt line, errors, edits, words]], "left": [[from, to, size]]}}}

Edits are 0 equal, 1 substituted, 2 inserted, 3 deleted; -1 instead of their number means that all is equal.
Words are `[from, to before]` or, for a bag of words, all of them. A GT line that is not listed got nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from pagemeter.report.spelling import portable

if TYPE_CHECKING:
    from pagemeter.alignment import Aligner, LineAlignment, Operation, PageAlignment
    from pagemeter.corpus import PageResult
    from pagemeter.page import Line, Page
    from pagemeter.report.html.images import Image

_MOST_POINTS = 24


def gt_block(result: PageResult, aligner: Aligner) -> dict[str, Any]:
    """The ground truth of a page."""
    gt = aligner.evaluation.gt
    return {
        "file": portable(result.gt or ""),
        "size": _size(gt),
        "lines": [
            [text, line.id, *_place(line)] for text, line in zip(aligner.lines[0], gt.lines, strict=True)
        ],
        "n": {
            unit: np.diff(aligner.unit(unit).gt.page.lines, axis=1)[:, 0].tolist() for unit in _units(aligner)
        },
    }


def hyp_block(result: PageResult, aligner: Aligner, image: Image | None) -> dict[str, Any]:
    """What a system read on a page, and what each measure matched."""
    edits, hyp = _Edits(), aligner.evaluation.hyp
    return {
        "file": None if result.hyp is None else portable(result.hyp),
        "size": _size(hyp),
        "image": image and {"href": image.href, "embedded": image.content is not None, "note": image.note},
        "warnings": [portable(str(warning)) for warning in result.warnings],
        "lines": [[line.id, *_place(line)] for line in hyp.lines],
        "words": {unit: _words(aligner, unit) for unit in _units(aligner)},
        "measures": {str(m): edits.measure(aligner.align(m)) for m in aligner.evaluation.scores},
        "edits": edits.rows,
    }


def _units(aligner: Aligner) -> list[str]:
    return sorted({"CER" if measure.unit == "CER" else "WER" for measure in aligner.evaluation.scores})


def _words(aligner: Aligner, unit: str) -> list[list[str]]:
    hyp = aligner.unit(unit).hyp
    return [[hyp.word(word) for word in hyp.words_of(line)] for line in range(len(hyp.lines))]


class _Edits:
    """The edits of all measures of a page; those of a pair that several measures match stand there once."""

    def __init__(self) -> None:
        self.rows: list[list[list[Any]]] = []
        self._numbers: dict[int, int] = {}
        self._kept: list[tuple[Operation, ...]] = []  # so that no id is used twice

    def measure(self, page: PageAlignment) -> dict[str, Any]:
        bag = page.measure.unit == "BOW"
        return {
            "lines": [self._line(line, bag=bag) for line in page.lines if line.hyp is not None],
            "left": [[rest.hyp_words.start, rest.hyp_words.stop, rest.size] for rest in page.left_over],
        }

    def _line(self, line: LineAlignment, *, bag: bool) -> list[Any]:
        words = line.hyp_words
        taken = list(words) if bag else [words[0], words[-1] + 1] if words else [0, 0]
        errors = sum(o.size for o in line.operations if o.kind != "equal")
        return [line.gt, errors, self._number(line.operations), taken]

    def _number(self, operations: tuple[Operation, ...]) -> int:
        if len(operations) == 1 and operations[0].kind == "equal" and operations[0].gt == operations[0].hyp:
            return -1
        if id(operations) not in self._numbers:
            self._numbers[id(operations)] = len(self.rows)
            self._kept.append(operations)
            self.rows.append([_edit(operation) for operation in operations])
        return self._numbers[id(operations)]


def _edit(operation: Operation) -> list[Any]:
    match operation.kind:
        case "equal" if operation.gt == operation.hyp:
            return [0, operation.gt]
        case "equal":
            return [0, operation.gt, operation.hyp]
        case "substitute":
            return [1, operation.gt, operation.hyp]
        case "insert":
            return [2, operation.gt]
        case _:
            return [3, operation.hyp]


def _place(line: Line) -> tuple[list[int], int]:
    """The baseline or else the polygon as x, y, x, y …, and whether it is closed."""
    points, closed = (line.baseline, 0) if line.baseline else (line.polygon or (), 1)
    if len(points) > _MOST_POINTS:
        last = len(points) - 1
        points = tuple(points[round(i * last / (_MOST_POINTS - 1))] for i in range(_MOST_POINTS))
    return [round(c) for point in points for c in point], closed


def _size(page: Page) -> list[int] | None:
    """The size of the page that the coordinates are in, if its file says."""
    return [page.width, page.height] if page.width and page.height else None
