"""Files of keyword spotting: TREC qrels and runs, tables of KwsEvalTool, boxes of ICDAR 2017, CITlab JSON.

| format | ground truth | hypothesis |
|---|---|---|
| trec | topic, iteration, document, relevance | topic, Q0, document, rank, score, run |
| prhlt | line, query, relevance, score: one table for both | the same, or none |
| icdar2017 | query, document, x, y, width, height | the same and a score |
| citlab | JSON with pages, lines and `kws` | JSON with `keywords` |
"""

from __future__ import annotations

import math
from collections import Counter
from typing import TYPE_CHECKING, Any, Literal, NoReturn, get_args

from pagemeter.errors import FormatError, Problem, UsageError, did_you_mean
from pagemeter.formats.coordinates import Rectangle, parse_points
from pagemeter.formats.json_document import parse_json, type_name
from pagemeter.formats.plain import decode_text
from pagemeter.spotting.matching import Hit, Place, Reference, Spots

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pagemeter.page import Points

TableFormat = Literal["trec", "prhlt", "icdar2017", "citlab"]
FORMATS: tuple[TableFormat, ...] = get_args(TableFormat)

_REPAIR = "repair the file"
_TRUE, _FALSE = frozenset("1tTyY"), frozenset("0fFnN")
_WIDTHS = {"trec": (4, 6), "prhlt": (4, 4), "icdar2017": (6, 7)}


class _Rows:
    """The rows of a table with columns separated by white space; lines that begin with # are left out."""

    def __init__(self, text: str, source: str) -> None:
        self.source = source
        self._lines = [
            (number, words)
            for number, line in enumerate(text.splitlines(), 1)
            if (words := line.split()) and not words[0].startswith("#")
        ]

    def __len__(self) -> int:
        return len(self._lines)

    def have(self, width: int, *numbers: int) -> bool:
        """Return True if all rows have this width, and numbers in the given columns."""
        return bool(self._lines) and all(
            len(words) == width and all(_is_number(words[column]) for column in numbers)
            for _, words in self._lines
        )

    def of_width(self, width: int) -> Iterator[tuple[int, list[str]]]:
        """Iterate over the numbers and words of the rows; it is an error if a row has another width."""
        for number, words in self._lines:
            if len(words) != width:
                self.refuse(number, f"{len(words)} columns, not {width}")
            yield number, words

    def number(self, line: int, word: str, name: str) -> float:
        """Return a number; only a score may be infinite, such as the logarithm of 0."""
        if not _is_number(word) or (name != "score" and not math.isfinite(float(word))):
            self.refuse(line, f"the {name} {word!r:.40} is not a number")
        return float(word)

    def refuse(self, line: int, detail: str) -> NoReturn:
        """Raise the error of a row."""
        raise FormatError(detail, source=self.source, element=f"line {line}", remedy=_REPAIR)

    def words(self) -> Iterator[list[str]]:
        """Iterate over the words of the rows."""
        return (words for _, words in self._lines)

    def are_marked(self) -> bool:
        """Return True if the third column has only marks of relevance."""
        return all(words[2] in _TRUE | _FALSE for _, words in self._lines)


def _is_number(word: str) -> bool:
    try:
        return not math.isnan(float(word))
    except ValueError:
        return False


def detect(gt: bytes, hyp: bytes | None) -> TableFormat | None:
    """Return the format of the content of two files, or None if they are not files of keyword spotting.

    >>> detect(b"q1 0 doc1 1", b"q1 Q0 doc1 1 0.5 run")
    'trec'
    >>> detect(b"some text", b"some text") is None
    True
    >>> detect(b"q1 0 doc1 1", b"some text")
    'trec'
    """
    first = gt.lstrip()[:1]
    if first == b"{":
        return "citlab" if b'"kws"' in gt or (hyp is not None and b'"keywords"' in hyp) else None
    try:
        left = _Rows(decode_text(gt, "", None), "")
        right = None if hyp is None else _Rows(decode_text(hyp, "", None), "")
    except FormatError:
        return None
    is_table = left.have(4, 3) and left.are_marked()
    if right is None:
        return "prhlt" if is_table else None
    return _format_of_tables(left, right, is_table=is_table)


def _format_of_tables(left: _Rows, right: _Rows, *, is_table: bool) -> TableFormat | None:
    if left.have(4, 3) and right.have(6, 4):
        return "trec"
    if left.have(6, 2, 3, 4, 5) and (right.have(7, 2, 3, 4, 5, 6) or not len(right)):
        return "icdar2017"
    return "prhlt" if is_table and right.have(4, 3) else _format_of_one(left, right)


def _format_of_one(references: _Rows, hits: _Rows) -> TableFormat | None:
    """Return the format that only one file has, so that reading the other one shows what is wrong."""
    if hits.have(6, 4) and all(words[1].upper() == "Q0" for words in hits.words()):
        return "trec"
    if hits.have(7, 2, 3, 4, 5, 6) or references.have(6, 2, 3, 4, 5):
        return "icdar2017"
    return "trec" if references.have(4, 1, 3) else None


def check_format(name: str) -> None:
    """Raise UsageError if a format is unknown."""
    known = (*FORMATS, "pages")
    if name not in known:
        raise UsageError(
            f"unknown format{did_you_mean(name, known)}",
            setting=("format", name),
            remedy=f"use one of {', '.join(known)}",
        )


def read_spots(gt: bytes, gt_source: str, hyp: bytes | None, hyp_source: str, form: TableFormat) -> Spots:
    """Read the references and hits of two files.

    >>> spots = read_spots(b"q d 0 0 9 9", "ref", b"q d 0 0 9 9 -1.5", "hyp", "icdar2017")
    >>> spots.references[0].place == spots.hits[0].place, spots.hits[0].score
    (True, -1.5)
    """
    if hyp is None and form != "prhlt":
        raise UsageError(
            "there is no hypothesis", source=gt_source, remedy="give the file of the hits as well"
        )
    if form == "citlab":
        return _read_citlab(_json(gt, gt_source), _json(hyp or b"", hyp_source))
    left = _Rows(decode_text(gt, gt_source, None), gt_source)
    right = left if hyp is None else _Rows(decode_text(hyp, hyp_source, None), hyp_source)
    readers: dict[str, Callable[[_Rows, _Rows], Spots]] = {
        "trec": _read_trec,
        "prhlt": _read_prhlt,
        "icdar2017": _read_icdar,
    }
    return readers[form](left, right)


def _read_trec(gt: _Rows, hyp: _Rows) -> Spots:
    """Read qrels and a run; a judgement above 0 is relevant, and only the topics of the qrels count."""
    references, topics = [], {}
    judged: set[tuple[str, str]] = set()
    for line, (topic, _, document, relevance) in gt.of_width(_WIDTHS["trec"][0]):
        gain = gt.number(line, relevance, "relevance")
        if (topic, document) in judged:
            gt.refuse(line, f"a second judgement of document {document!r:.80} for topic {topic!r:.80}")
        judged.add((topic, document))
        topics[topic] = True
        if gain > 0:
            references.append(Reference(topic, document, None, gain))
    hits, strange = [], Counter[str]()
    for line, (topic, _, document, _, score, _) in hyp.of_width(_WIDTHS["trec"][1]):
        value = hyp.number(line, score, "score")
        if topic in topics:
            hits.append(Hit(topic, document, value))
        else:
            strange[topic] += 1
    warnings: tuple[Problem, ...] = ()
    if strange:
        count, others = strange.total(), len(strange)
        detail = (
            f"left out {count:,} hit{'s' * (count > 1)} of {others:,} topic{'s' * (others > 1)} "
            "not in the qrels"
        )
        warnings = (Problem(detail, hyp.source, f"topic {next(iter(strange))}"),)
    return Spots(tuple(references), tuple(hits), tuple(topics), warnings=warnings)


def _read_prhlt(gt: _Rows, hyp: _Rows) -> Spots:
    """Read tables of events; a negative score means that the event was not found.

    A word may occur twice in a line. Its events are then numbered, in the order of the file.
    """
    references = []
    for line, (document, query, mark, score) in _numbered(gt):
        gt.number(line, score, "score")
        if mark not in _TRUE | _FALSE:
            gt.refuse(line, f"the relevance {mark!r:.40} is neither 1 nor 0")
        if mark in _TRUE:
            references.append(Reference(query, document))
    hits = []
    for line, (document, query, _, score) in _numbered(hyp):
        value = hyp.number(line, score, "score")
        if value >= 0:
            hits.append(Hit(query, document, value))
    return Spots(tuple(references), tuple(hits))


def _numbered(rows: _Rows) -> Iterator[tuple[int, list[str]]]:
    seen = Counter[tuple[str, str]]()
    for line, words in rows.of_width(_WIDTHS["prhlt"][0]):
        key = words[0], words[1]
        seen[key] += 1
        yield line, ([f"{words[0]}\n{seen[key]}", *words[1:]] if seen[key] > 1 else words)


def _read_icdar(gt: _Rows, hyp: _Rows) -> Spots:
    """Read boxes of queries in documents."""
    widths = _WIDTHS["icdar2017"]
    references = [
        Reference(words[0], words[1], _box(gt, line, words)) for line, words in gt.of_width(widths[0])
    ]
    hits = [
        Hit(words[0], words[1], hyp.number(line, words[6], "score"), _box(hyp, line, words))
        for line, words in hyp.of_width(widths[1])
    ]
    return Spots(tuple(references), tuple(hits))


def _box(rows: _Rows, line: int, words: list[str]) -> Place:
    x, y, width, height = (rows.number(line, word, "coordinate") for word in words[2:6])
    if width < 0 or height < 0:
        rows.refuse(line, "the width or height of the box is negative")
    return Place(Rectangle(x, y, x + width, y + height))


# CITlab JSON


class _Json:
    """A value in a JSON file, and where it is; errors name the place."""

    def __init__(self, value: Any, source: str, where: str) -> None:  # noqa: ANN401
        self.value, self.source, self.where = value, source, where

    def get(self, key: str, kind: type, default: object = ...) -> _Json:
        """Return a member of an object that has this type."""
        found = self._as(dict).get(key, default)
        if found is ...:
            self.refuse(f"{key} is missing")
        return _Json(found, self.source, f"{self.where}.{key}").checked(kind)

    def items(self, kind: type) -> list[_Json]:
        """Return the items of a list, which have this type."""
        items = [_Json(item, self.source, f"{self.where}[{i}]") for i, item in enumerate(self._as(list))]
        return [item.checked(kind) for item in items]

    def members(self) -> list[tuple[str, _Json]]:
        """Return the members of an object, which are lists."""
        pairs = [
            (key, _Json(value, self.source, f"{self.where}.{key}")) for key, value in self._as(dict).items()
        ]
        return [(key, value.checked(list)) for key, value in pairs]

    def points(self) -> Points | None:
        """Return points written as `x,y x,y`, or None for an empty text."""
        try:
            return parse_points(self.value) or None
        except ValueError as error:
            self.refuse(str(error))

    def _as(self, kind: type) -> Any:  # noqa: ANN401
        return self.checked(kind).value

    def checked(self, kind: type) -> _Json:
        """Return the value itself if it has a type, or else raise an error."""
        numeric = kind is float and isinstance(self.value, int | float) and not isinstance(self.value, bool)
        if not numeric and not (kind is not float and isinstance(self.value, kind)):
            self.refuse(f"must be {_KIND_NAMES[kind]}, not {type_name(self.value)}")
        return self

    def refuse(self, detail: str) -> NoReturn:
        """Raise the error of this value."""
        raise FormatError(detail, source=self.source, element=self.where, remedy=_REPAIR)


_KIND_NAMES: dict[type, str] = {str: "a string", float: "a number", list: "a list", dict: "an object"}


def _json(data: bytes, source: str) -> _Json:
    return _Json(parse_json(decode_text(data, source, None), source), source, "document")


def _read_citlab(gt: _Json, hyp: _Json) -> Spots:
    references, lines = [], {}
    for page in gt.get("pages", list).items(dict):
        name = page.get("pageID", str).value
        baselines = []
        for line in page.get("lines", list).items(dict):
            baseline = line.get("bl", str, "").points()
            baselines += [baseline] if baseline else []
            for query, places in line.get("kws", dict, {}).members():
                references += [
                    Reference(query, name, Place(None, place.points(), baseline))
                    for place in places.items(str)
                ]
        lines[name] = tuple(baselines)
    hits, asked = [], []
    for keyword in hyp.get("keywords", list).items(dict):
        query = keyword.get("kw", str).value
        asked.append(query)
        for position in keyword.get("pos", list, []).items(dict):
            score = float(position.get("conf", float).value)
            if not math.isfinite(score):
                position.refuse("the confidence is not a finite number")
            baseline = position.get("bl", str, "").points()
            hits.append(Hit(query, position.get("image", str).value, score, Place(None, baseline)))
    queries = tuple(dict.fromkeys([*(one.query for one in references), *asked]))
    return Spots(tuple(references), tuple(hits), queries, lines)
