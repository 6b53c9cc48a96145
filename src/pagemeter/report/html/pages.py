"""The details of one page as the report's scripts read them.

The block of the ground truth:

    {"file", "size": [width, height], "lines": [[text, id, [x, y, …], closed, up, down]],
     "types": {type: [lines]}, "cells": [[line, row, column]], "n": {unit: [tokens of each line]}}

The block of the hypothesis of one system:

    {"file", "size", "image": {"href", "embedded", "note"}, "warnings": […],
     "lines": [[id, [x, y, …], closed, up, down]], "types": {type: [lines]},
     "words": {unit: [[words of a line]]},
     "edits": [[0, text | 1, gt, hyp | 2, gt | 3, hyp | 4, gt, hyp, …]],
     "measures": {id: {"lines": [[gt line, errors, edits, words, kinds]], "left": [[from, to, size]]}}}

The points of a line are its baseline or, if `closed`, its outline. `up` and `down` are how far the outline
reaches above and below the baseline. Types are those of lines that are not running text. Kinds are the sum of
1 misread, 2 missed, 4 invented, 8 replaced and 16 for a pair that is not alike; they are left out if all
errors are misread, and for bags of words.

Edits are runs of 0 equal, 1 substituted, 2 missing and 3 extra tokens, and 4 equal ones among which a HYP
line ends, which is a line feed in its text; -1 instead of their index means that all tokens are equal. Words
are `[first, last + 1]` or, for a bag of words, a list of all of them. A GT line that is not listed has no
match. A word that follows the previous word of its line without a space begins with a word joiner.

Pages are packed where they are evaluated, which may be another process. Their blocks are compressed, spooled
to a temporary file, and limited in size.
"""

from __future__ import annotations

import base64
import json
import math
import zlib
from collections import Counter
from dataclasses import dataclass, field
from typing import IO, TYPE_CHECKING, Any, TextIO

from pagemeter.alignment import Aligner
from pagemeter.alignment.accounting import pair_kinds
from pagemeter.alignment.token_edits import EDIT_KINDS, GAP_TOKEN, IN_GAP
from pagemeter.errors import Problem, UsageError, as_keyword
from pagemeter.report.alignments import page_confusions
from pagemeter.report.names import ShownPaths

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from pagemeter.alignment import Operation, PageConfusions
    from pagemeter.alignment.token_edits import EditRuns, MatchedSpan, TokenEdits
    from pagemeter.corpus import PageResult
    from pagemeter.measure import Measure, UnitName
    from pagemeter.page import Line, Page
    from pagemeter.report import ShowSetting
    from pagemeter.report.html.images import Image, Images
    from pagemeter.score import Match

_MEGABYTE = 1_000_000
_COMPRESSION_LEVEL = 6
GT_BLOCK, HYP_BLOCK, IMAGE_BLOCK = "page", "read", "image"
"""Kinds of blocks: the ground truth of a page, the hypothesis of a system, and the image."""
_MOST_POINTS = 24  # of a baseline or polygon; others are left out
_EQUAL, _SUBSTITUTED, _MISSING, _EXTRA = map(EDIT_KINDS.index, ("equal", "substitute", "insert", "delete"))
_EQUAL_BUT_BREAKS = len(EDIT_KINDS)
_ALL_EQUAL = -1
_KIND_BITS = (1, 2, 4, 8, 16)  # misread, missed, invented, replaced, and a pair without a long equal text
_NO_SPACE = "\u2060"  # before a word that follows the previous one without a space, as in matching.js
_PATHS = ShownPaths()

HTML = "html"
"""The key of the packed page in `PageResult.prepared`."""


@dataclass(frozen=True, slots=True)
class SizeLimit:
    """The size that the details of pages may have; beyond it, those of the best pages are omitted."""

    most_bytes: int = 100 * _MEGABYTE

    @classmethod
    def of(cls, megabytes: float) -> SizeLimit:
        """Return a limit in megabytes.

        >>> SizeLimit.of(1.5).most_bytes
        1500000
        """
        if not 0 <= megabytes < math.inf:
            raise UsageError("give megabytes, 0 or more", setting=("html_size", f"{megabytes:g}"))
        return cls(int(megabytes * _MEGABYTE))


def pack(value: object) -> bytes:
    """Return a value as compressed JSON in Base64, which has no characters that are special in HTML.

    >>> b"<" in pack("<script>")
    False
    """
    return pack_text(json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False))


def pack_text(text: str) -> bytes:
    """Return a compressed text in Base64."""
    return base64.b64encode(zlib.compress(text.encode("utf-8", "backslashreplace"), _COMPRESSION_LEVEL))


@dataclass(frozen=True, slots=True)
class _Block:
    """A block in the temporary file."""

    name: str
    page: int
    offset: int
    size: int

    @property
    def is_image(self) -> bool:
        return self.name.startswith(IMAGE_BLOCK)


@dataclass(slots=True)
class Blocks:
    """Blocks in a temporary file, until all are known and those that fit can be chosen."""

    spool: IO[bytes]
    _blocks: list[_Block] = field(default_factory=list)

    def add(self, kind: str, page: int, content: bytes, system: int | None = None) -> None:
        """Spool a block; its name consists of the kind, the number of the page and the system."""
        name = f"{kind}{page}" if system is None else f"{kind}{page}-{system}"
        self._blocks.append(_Block(name, page, self.spool.tell(), len(content)))
        self.spool.write(content)

    def choose(self, worst_first: Iterable[int], limit: SizeLimit) -> tuple[set[int], set[int]]:
        """Return the pages whose lines fit, and those of them whose image fits too, the worst first."""
        order, left = list(worst_first), limit.most_bytes
        pages: set[int] = set()
        images: set[int] = set()
        for chosen, is_image in ((pages, False), (images, True)):
            sizes: Counter[int] = Counter()
            for block in self._blocks:
                if block.is_image == is_image:
                    sizes[block.page] += block.size
            for page in order:
                if page in sizes and sizes[page] <= left and (not is_image or page in pages):
                    left -= sizes[page]
                    chosen.add(page)
        return pages, images

    def omission_notes(
        self, pages: set[int], images: set[int], show_setting: ShowSetting = as_keyword
    ) -> list[str]:
        """Return a note that counts the pages whose lines or image were not chosen, if there are any."""
        with_lines = {block.page for block in self._blocks if not block.is_image}
        with_image = {block.page for block in self._blocks if block.is_image}
        omitted = {"details": len(with_lines - pages), "image": len(with_image - images)}
        counts = [f"{count:,} without {name}" for name, count in omitted.items() if count]
        if not counts:
            return []
        detail = f"pages that exceed the size limit: {', '.join(counts)}"
        return [Problem(detail, remedy="raise {}", settings=(("html_size", ""),)).render(show_setting)]

    def write(self, file: TextIO, pages: set[int], images: set[int]) -> None:
        """Write the chosen blocks as data elements."""
        for block in self._blocks:
            if block.page in (images if block.is_image else pages):
                self.spool.seek(block.offset)
                write_block(file, block.name, self.spool.read(block.size))


def write_block(file: TextIO, name: str, content: bytes) -> None:
    """Write one block as a data element."""
    file.write(f'<script type="text/plain" id="{name}">{content.decode("ascii")}</script>\n')


@dataclass(frozen=True, slots=True)
class PackedPage:
    """The blocks of a page, its image, the number of its lines and its confusions."""

    gt: bytes
    hyp: bytes
    image: Image | None
    lines: int
    confusions: Mapping[Measure, PageConfusions]


@dataclass(frozen=True, slots=True)
class Packer:
    """A function that packs the pages of one system; it can be sent to other processes."""

    images: Images
    paths: ShownPaths = field(default_factory=ShownPaths)

    def __call__(self, result: PageResult) -> PackedPage | None:
        """Return the packed page, or None if it was not evaluated."""
        if result.evaluation is None:
            return None
        aligner, image = Aligner(result.evaluation, breaks=True), self.images.of(result)
        return PackedPage(
            pack(gt_block(result, aligner, self.paths)),
            pack(hyp_block(result, aligner, image, self.images.show_setting, self.paths)),
            image,
            len(result.evaluation.gt.lines),
            page_confusions(aligner),
        )


def gt_block(result: PageResult, aligner: Aligner, paths: ShownPaths = _PATHS) -> dict[str, Any]:
    """Return the block of the ground truth."""
    gt = aligner.evaluation.gt
    return {
        "file": paths.text(result.gt or "", result.gt),
        "size": _size(gt),
        "lines": [
            [text, line.id, *_points(line), *_extents(line)]
            for text, line in zip(aligner.lines[0], gt.lines, strict=True)
        ],
        "types": _types(gt),
        "cells": [[number, *line.cell] for number, line in enumerate(gt.lines) if line.cell],
        "n": {unit: _counted_tokens(aligner.unit(unit)) for unit in _units(aligner)},
    }


def _counted_tokens(unit: TokenEdits) -> list[int]:
    """Return the tokens of each line; those of an optional line do not count."""
    return list(map(unit.missing, range(len(unit.gt.optional))))


def hyp_block(
    result: PageResult,
    aligner: Aligner,
    image: Image | None,
    show_setting: ShowSetting = as_keyword,
    paths: ShownPaths = _PATHS,
) -> dict[str, Any]:
    """Return the block of the hypothesis of a system, with the matching of each measure."""
    files = result.gt, result.hyp
    edits, hyp = _Edits(aligner), aligner.evaluation.hyp
    return {
        "file": None if result.hyp is None else paths.text(result.hyp, result.hyp),
        "size": _size(hyp),
        "image": image and {"href": image.href, "embedded": image.content is not None, "note": image.note},
        "warnings": [paths.text(warning.render(show_setting), *files) for warning in result.warnings],
        "lines": [[line.id, *_points(line), *_extents(line)] for line in hyp.lines],
        "types": _types(hyp),
        "words": {unit: _words(aligner, unit) for unit in _units(aligner)},
        "measures": {str(m): edits.measure(m) for m in aligner.evaluation.scores if not m.whole},
        "edits": edits.rows,
    }


def _units(aligner: Aligner) -> list[UnitName]:
    return sorted({measure.aligned_as for measure in aligner.evaluation.scores})


def _words(aligner: Aligner, unit: UnitName) -> list[list[str]]:
    hyp = aligner.unit(unit).hyp
    return [
        [_NO_SPACE * hyp.follows(word) + hyp.word(word) for word in hyp.words_of(line)]
        for line in range(len(hyp.lines))
    ]


class _Edits:
    """The edits of all measures of a page; a pair of lines that several measures match has one entry."""

    def __init__(self, aligner: Aligner) -> None:
        self.rows: list[list[Any]] = []
        self._aligner = aligner
        self._numbers: dict[tuple[str, MatchedSpan], int] = {}

    def measure(self, measure: Measure) -> dict[str, Any]:
        """Return the matched lines of a measure, and the words without a match."""
        unit, matches = self._aligner.unit(measure.unit), self._aligner.evaluation[measure].matches
        numbers = self._bag(unit, matches) if measure.is_bag else self._pairs(measure, unit, matches)
        return {
            "lines": [
                [match.gt, match.distance, number, _words_of(match), *self._kinds(measure, unit, match)]
                for match, number in zip(matches, numbers, strict=True)
            ],
            "left": [
                [rest.words.start, rest.words.stop, rest.size] for rest in unit.unmatched(measure, matches)
            ],
        }

    @staticmethod
    def _kinds(measure: Measure, unit: TokenEdits, match: Match) -> tuple[int, ...]:
        """Return the kinds of errors of a match as one number; none if all errors are misread."""
        if measure.is_bag or not match.distance:
            return ()
        span = unit.span(match)
        runs = unit.runs([span])[span]
        found = pair_kinds(measure, span, runs)
        unlike = not found.alike and not _is_inside(runs)
        kinds = (found.misread, found.missed, found.invented, found.replaced, unlike)
        number = sum(bit for bit, has in zip(_KIND_BITS, kinds, strict=True) if has)
        return () if number == _KIND_BITS[0] else (number,)

    def _bag(self, unit: TokenEdits, matches: Sequence[Match]) -> list[int]:
        return [
            self._add([part for o in unit.bag_edits(match) for part in (_kind_number(o), o.gt)])
            if match.distance
            else _ALL_EQUAL
            for match in matches
        ]

    def _pairs(self, measure: Measure, unit: TokenEdits, matches: Sequence[Match]) -> list[int]:
        line_of = unit.hyp.word_line
        pairs = [
            (measure.unit, unit.span(match))
            if match.distance or unit.notations is not None or _has_breaks(match, line_of)
            else None
            for match in matches
        ]
        new = [key for key in pairs if key is not None and key not in self._numbers]
        for pair, runs in unit.runs(pair for _, pair in new).items():
            self._numbers[measure.unit, pair] = self._add(_flat(unit, pair, runs))
        return [_ALL_EQUAL if key is None else self._numbers[key] for key in pairs]

    def _add(self, edits: list[Any]) -> int:
        self.rows.append(edits)
        return len(self.rows) - 1


def _is_inside(runs: EditRuns) -> bool:
    """Return True if at least half of the shorter side is one run of equal tokens, as in a merged line."""
    lengths: Counter[int] = Counter()
    longest = 0
    for number, length in runs:
        lengths[number] += length
        longest = max(longest, length if number == _EQUAL else 0)
    shorter = lengths[_EQUAL] + lengths[_SUBSTITUTED] + min(lengths[_MISSING], lengths[_EXTRA])
    return 2 * longest >= shorter > 0


def _has_breaks(match: Match, line_of: Sequence[int]) -> bool:
    """Return True if a line was matched with words of several HYP lines."""
    words = match.hyp_words
    return bool(words) and line_of[words[0]] != line_of[words[-1]]


def _words_of(match: Match) -> list[int]:
    words = match.hyp_words
    if match.tokens:
        return list(words)
    return [words[0], words[-1] + 1] if words else [0, 0]


def _flat(unit: TokenEdits, span: MatchedSpan, runs: EditRuns) -> list[Any]:
    """Return the edits of a span in one list: the kind of each run, then its texts."""
    gt, hyp = unit.gt.slice, unit.hyp.slice
    i, j = unit.gt.spans[span.gt][0], span.begin
    flat: list[Any] = []
    for kind, size in runs:
        if kind == GAP_TOKEN:
            flat += (_EQUAL_BUT_BREAKS, gt(i, i := i + size), "")
            continue
        if kind == IN_GAP:
            flat += (_EQUAL_BUT_BREAKS, "", hyp(j, j := j + size))
            continue
        gt_text, hyp_text = "", ""
        if kind != _EXTRA:
            gt_text = gt(i, i := i + size)
        if kind != _MISSING:
            hyp_text = hyp(j, j := j + size)
        if kind in (_MISSING, _EXTRA):
            flat += (kind, gt_text or hyp_text)
        elif gt_text == hyp_text:
            flat += (_EQUAL, gt_text)
        else:
            flat += (kind or _EQUAL_BUT_BREAKS, gt_text, hyp_text)
    return flat


def _kind_number(operation: Operation) -> int:
    return EDIT_KINDS.index(operation.kind) if operation.kind != "gap" else _EQUAL_BUT_BREAKS


def _points(line: Line) -> tuple[list[int], int]:
    """Return the baseline or else the polygon as x, y, x, y …, and 1 if it is closed."""
    points, closed = (line.baseline, 0) if line.baseline else (line.polygon or (), 1)
    if len(points) > _MOST_POINTS:
        last = len(points) - 1
        points = tuple(points[round(i * last / (_MOST_POINTS - 1))] for i in range(_MOST_POINTS))
    return [round(c) for point in points for c in point], closed


def _extents(line: Line) -> tuple[int, int]:
    """Return how far the outline of a line reaches above and below its baseline; 0 and 0 if unknown."""
    if not line.baseline or not line.polygon:
        return 0, 0
    (left, top), (right, bottom) = line.baseline[0], line.baseline[-1]
    dx, dy = right - left, bottom - top
    length = math.hypot(dx, dy)
    if not length:
        return 0, 0
    if dx < 0 and -dx > abs(dy):  # a baseline from right to left; text is not upside down
        dx, dy = -dx, -dy
    above = [((x - left) * dy - (y - top) * dx) / length for x, y in line.polygon]
    return max(0, round(max(above))), max(0, round(-min(above)))


def _types(page: Page) -> dict[str, list[int]]:
    """Return the lines of each type, apart from running text."""
    types: dict[str, list[int]] = {}
    for number, line in enumerate(page.lines):
        if line.type != "text":
            types.setdefault(line.type, []).append(number)
    return types


def _size(page: Page) -> list[int] | None:
    """Return the size of the page in the units of its coordinates, if it is known."""
    return [page.width, page.height] if page.width and page.height else None
