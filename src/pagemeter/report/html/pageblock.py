"""The details of one page as the report's scripts read them.

The block of the ground truth:

    {"file", "size": [width, height], "lines": [[text, id, [x, y, …], closed]],
     "n": {unit: [tokens of each line]}}

The block of what one system read:

    {"file", "size", "image": {"href", "embedded", "note"}, "warnings": […],
     "lines": [[id, [x, y, …], closed]],
     "words": {unit: [[words of a line]]},
     "edits": [[0, text | 1, gt, hyp | 2, gt | 3, hyp | 4, gt, hyp, …]],
     "measures": {id: {"lines": [[gt line, errors, edits, words]], "left": [[from, to, size]]}}}

Edits are runs of 0 equal, 1 substituted, 2 inserted and 3 deleted tokens, and 4 equal ones among which a HYP
line ends, which is a line feed in its text; -1 instead of their number means that all is equal.
Words are `[from, to before]` or, for a bag of words, all of them. A GT line that is not listed got nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pagemeter.alignment import bag
from pagemeter.alignment.result import KINDS
from pagemeter.report.spelling import portable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pagemeter.alignment import Aligner
    from pagemeter.alignment.unit import Pair, Runs, Unit
    from pagemeter.corpus import PageResult
    from pagemeter.measure import Measure
    from pagemeter.page import Line, Page
    from pagemeter.report.html.images import Image
    from pagemeter.score import Match

_MOST_POINTS = 24
EQUAL, INSERTED, DELETED = (KINDS.index(kind) for kind in ("equal", "insert", "delete"))
EQUAL_BUT_BREAKS = len(KINDS)
ALL_EQUAL = -1


def gt_block(result: PageResult, aligner: Aligner) -> dict[str, Any]:
    """The ground truth of a page."""
    gt = aligner.evaluation.gt
    return {
        "file": portable(result.gt or ""),
        "size": _size(gt),
        "lines": [
            [text, line.id, *_place(line)] for text, line in zip(aligner.lines[0], gt.lines, strict=True)
        ],
        "n": {unit: [end - begin for begin, end in aligner.unit(unit).gt.spans] for unit in _units(aligner)},
    }


def hyp_block(result: PageResult, aligner: Aligner, image: Image | None) -> dict[str, Any]:
    """What a system read on a page, and what each measure matched."""
    edits, hyp = _Edits(aligner), aligner.evaluation.hyp
    return {
        "file": None if result.hyp is None else portable(result.hyp),
        "size": _size(hyp),
        "image": image and {"href": image.href, "embedded": image.content is not None, "note": image.note},
        "warnings": [portable(str(warning)) for warning in result.warnings],
        "lines": [[line.id, *_place(line)] for line in hyp.lines],
        "words": {unit: _words(aligner, unit) for unit in _units(aligner)},
        "measures": {str(m): edits.measure(m) for m in aligner.evaluation.scores},
        "edits": edits.rows,
    }


def _units(aligner: Aligner) -> list[str]:
    return sorted({"CER" if measure.unit == "CER" else "WER" for measure in aligner.evaluation.scores})


def _words(aligner: Aligner, unit: str) -> list[list[str]]:
    hyp = aligner.unit(unit).hyp
    return [[hyp.word(word) for word in hyp.words_of(line)] for line in range(len(hyp.lines))]


class _Edits:
    """The edits of all measures of a page; those of a pair that several measures match stand there once."""

    def __init__(self, aligner: Aligner) -> None:
        self.rows: list[list[Any]] = []
        self._aligner = aligner
        self._numbers: dict[tuple[str, Pair], int] = {}

    def measure(self, measure: Measure) -> dict[str, Any]:
        """What each line got by a measure, and what no line got."""
        unit, matches = self._aligner.unit(measure.unit), self._aligner.evaluation[measure].matches
        numbers = self._bag(unit, matches) if measure.unit == "BOW" else self._pairs(measure, unit, matches)
        return {
            "lines": [
                [match.gt, match.distance, number, _taken(match)]
                for match, number in zip(matches, numbers, strict=True)
            ],
            "left": [[rest.words.start, rest.words.stop, rest.size] for rest in unit.left(measure, matches)],
        }

    def _bag(self, unit: Unit, matches: Sequence[Match]) -> list[int]:
        return [
            self._add([part for o in bag.edits(unit.gt, match) for part in (KINDS.index(o.kind), o.gt)])
            if match.distance
            else ALL_EQUAL
            for match in matches
        ]

    def _pairs(self, measure: Measure, unit: Unit, matches: Sequence[Match]) -> list[int]:
        line_of = unit.hyp.word_line
        pairs = [
            (measure.unit, unit.pair(match)) if match.distance or _spread(match, line_of) else None
            for match in matches
        ]
        new = [key for key in pairs if key is not None and key not in self._numbers]
        for pair, runs in unit.runs(pair for _, pair in new).items():
            self._numbers[measure.unit, pair] = self._add(_flat(unit, pair, runs))
        return [ALL_EQUAL if key is None else self._numbers[key] for key in pairs]

    def _add(self, edits: list[Any]) -> int:
        self.rows.append(edits)
        return len(self.rows) - 1


def _spread(match: Match, line_of: Sequence[int]) -> bool:
    """Whether a line got words of several HYP lines."""
    words = match.hyp_words
    return bool(words) and line_of[words[0]] != line_of[words[-1]]


def _taken(match: Match) -> list[int]:
    words = match.hyp_words
    if match.tokens:
        return list(words)
    return [words[0], words[-1] + 1] if words else [0, 0]


def _flat(unit: Unit, pair: Pair, runs: Runs) -> list[Any]:
    """The edits of a pair in one list: the kind of each run, then its texts."""
    gt, hyp = unit.gt.slice, unit.hyp.slice
    i, j = unit.gt.spans[pair.gt][0], pair.begin
    made: list[Any] = []
    for kind, size in runs:
        before, behind = "", ""
        if kind != DELETED:
            before = gt(i, i := i + size)
        if kind != INSERTED:
            behind = hyp(j, j := j + size)
        if kind in (INSERTED, DELETED):
            made += (kind, before or behind)
        elif before == behind:
            made += (EQUAL, before)
        else:
            made += (kind or EQUAL_BUT_BREAKS, before, behind)
    return made


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
