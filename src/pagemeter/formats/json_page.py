"""Pages as JSON, pagemeter's own format: `save` writes it, and reading it back returns an equal page.

    {"format": "pagemeter-page", "version": 1, "pages": [
      {"source": "…", "image": "…", "width": 1, "height": 1, "warnings": [{"source", "element", "reason"}],
       "lines": [{"text": "…", "baseline": [[x, y], …], "polygon": [[x, y], …], "id": "…", "region": "…",
                  "type": "heading", "words": [{"text", "confidence", "polygon", "baseline"}],
                  "cell": [row, column]}]}]}

Words are read only if they are asked for. Only "lines" and "text" are required. A single page,
`{"lines": […]}`, and a list of strings are read as well. A warning with a remedy also has "detail", "remedy"
and "settings", the fields of `pagemeter.errors.Problem`.
"""

from __future__ import annotations

import json
import os
from dataclasses import asdict, replace
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from pagemeter.errors import FormatError, InputError, Problem, UsageError
from pagemeter.formats.base import Notes, ReadOptions, arrange_lines
from pagemeter.formats.coordinates import range_error
from pagemeter.formats.json_document import REPAIR, is_number, parse_json, type_name
from pagemeter.formats.lines import find_type
from pagemeter.formats.plain import decode_text
from pagemeter.formats.registry import formats, known_suffixes
from pagemeter.page import LINE_TYPES, Line, Note, Page, Reading, Word

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pagemeter.page import LineType, Points

_NAME = "pagemeter-page"
_VERSION = 1
_INTEGER_LIMIT = 1 << 63
_PAGE_KEYS = frozenset(("lines", "source", "image", "width", "height", "warnings"))


def save(pages: Page | Iterable[Page], path: str | os.PathLike[str]) -> None:
    """Write one or several pages as JSON. An existing file is replaced only when all is written.

    Args:
        pages: A page, or several.
        path: The file, usually with the suffix .json.

    Raises:
        UsageError: The path has the suffix of another format, or `pages` contains something other than pages.
        InputError: The file cannot be written, or a coordinate is not a number or out of range.

    >>> import tempfile, pathlib
    >>> path = pathlib.Path(tempfile.mkdtemp(), "page.json")
    >>> page = Page((Line("one", baseline=((1, 9), (40, 9))),), source="p.xml")
    >>> save(page, path)
    >>> read_json(path.read_bytes(), "page.json", ReadOptions()) == [page]
    True

    """
    from pagemeter.atomic_io import write_atomic  # noqa: PLC0415  (slow to import)

    suffix = Path(path).suffix.lower()
    if suffix != ".json" and suffix in {*known_suffixes(installed=False), ".tsv"}:
        raise UsageError(
            f"pages are saved as JSON, not as {suffix}", source=f"save: {os.fspath(path)}", remedy="use .json"
        )
    several = (pages,) if isinstance(pages, Page) else tuple(pages)
    for page in several:
        if not isinstance(page, Page):
            raise UsageError(
                f"{page!r:.40} has the type {type(page).__name__}", source="save", remedy="give Page objects"
            )
    document = {"format": _NAME, "version": _VERSION, "pages": [_page_fields(page) for page in several]}
    text = json.dumps(document, ensure_ascii=False, allow_nan=False, indent=1)
    try:
        data = text.encode()
    except UnicodeEncodeError:  # half of a surrogate pair, which only an escape can represent
        data = json.dumps(document, allow_nan=False, indent=1).encode()
    write_atomic(path, data + b"\n")


def _page_fields(page: Page) -> dict[str, Any]:
    fields: dict[str, Any] = {"source": page.source, "image": page.image, "width": page.width}
    fields["height"] = page.height
    if page.warnings:
        fields["warnings"] = [_warning_fields(warning) for warning in page.warnings]
    fields["lines"] = [_line_fields(line, page.source) for line in page.lines]
    return {key: value for key, value in fields.items() if value is not None}


def _warning_fields(warning: Problem) -> dict[str, Any]:
    fields: dict[str, Any] = {**warning.as_dict()}
    if warning.remedy:
        fields |= {"detail": warning.detail, "remedy": warning.remedy, "settings": warning.settings}
    return fields


def _line_fields(line: Line, source: str) -> dict[str, Any]:
    fields = {
        "text": line.text,
        "baseline": _checked_points(line.baseline, line, source),
        "polygon": _checked_points(line.polygon, line, source),
        "id": line.id,
        "region": line.region,
        "type": None if line.type == "text" else line.type,
        "words": [_word_fields(word, line, source) for word in line.words] or None,
        "notes": list(map(_note_fields, line.notes)) or None,
        "readings": list(map(_reading_fields, line.readings)) or None,
        "cell": line.cell and list(line.cell),
    }
    return {key: value for key, value in fields.items() if value is not None}


def _word_fields(word: Word, line: Line, source: str) -> dict[str, Any]:
    fields = {
        "text": word.text,
        "confidence": word.confidence,
        "polygon": _checked_points(word.polygon, line, source),
        "baseline": _checked_points(word.baseline, line, source),
    }
    return {key: value for key, value in fields.items() if value is not None}


def _reading_fields(reading: Reading) -> str | dict[str, Any]:
    if not reading.notes:
        return reading.text
    return {"text": reading.text, "notes": list(map(_note_fields, reading.notes))}


def _note_fields(note: Note) -> dict[str, Any]:
    return {key: value for key, value in asdict(note).items() if value not in (None, "")}


def _checked_points(points: Points | None, line: Line, source: str) -> Points | None:
    if points is not None and (reason := range_error(points)):
        raise InputError(
            reason,
            source=source or "save",
            element=f"line {line.id or repr(line.text)}",
            remedy="correct it before the page is saved",
        )
    return points


def read_json(data: bytes, source: str, options: ReadOptions) -> list[Page]:
    """Read the pages of a JSON file.

    >>> read_json(b'["one", "two"]', "p.json", ReadOptions())[0].lines[1].text
    'two'
    """
    document = parse_json(decode_text(data, source, options.encoding), source)
    if isinstance(document, dict) and ("pages" in document or "format" in document):
        fields = _Fields(document, source, "document", Notes(source))
        fields.expect("format", _NAME)
        fields.expect("version", _VERSION)
        return [
            _page(page, source, f"pages[{index}]", options)
            for index, page in enumerate(fields.items("pages"))
        ]
    _check_schema(document, source)
    return [_page(document, source, "page", options)]


def _check_schema(document: Any, source: str) -> None:  # noqa: ANN401
    """Raise FormatError if a document has another schema than pagemeter's own."""
    if isinstance(document, dict) and document and not _PAGE_KEYS & document.keys():
        found = f"an object with {', '.join(repr(key[:40]) for key in [*document][:6])}"
    elif isinstance(document, list) and any(isinstance(line, dict | list) for line in document):
        found = "a list of objects or lists"
    else:
        return
    tried = [known.name for known in formats() if {".json", ".jsonl"} & {*known.suffixes}]
    raise FormatError(
        f"JSON of an unknown schema ({found}); these formats were tried: {', '.join(tried)}",
        source=source,
        remedy="convert it to one of them, for example with pagemeter.save",
    )


def _page(document: Any, source: str, where: str, options: ReadOptions) -> Page:  # noqa: ANN401  (any JSON)
    notes = Notes(source)
    if isinstance(document, list):
        document = {"lines": [line if isinstance(line, str) else {"text": line} for line in document]}
    fields = _Fields(document, source, where, notes)
    lines = [
        _line(line, source, f"{where}.lines[{index}]", notes, words=options.words)
        for index, line in enumerate(fields.items("lines"))
    ]
    regions = [list(region) for _, region in groupby(lines, key=lambda line: line.region)]
    ordered = arrange_lines(regions, options.order)
    warnings = tuple(
        _warning(warning, source, f"{where}.warnings[{index}]", notes)
        for index, warning in enumerate(fields.items("warnings", default=[]))
    )
    name = fields.string("source")
    image, width, height = fields.string("image"), fields.integer("width"), fields.integer("height")
    fields.note_unknown()
    return Page(ordered, source if name is None else name, image, width, height, warnings + notes.warnings())


def _line(document: Any, source: str, where: str, notes: Notes, *, words: bool) -> Line:  # noqa: ANN401
    if isinstance(document, str):
        return Line(document)
    fields = _Fields(document, source, where, notes)
    text = fields.required_string("text")
    line = Line(
        text,
        fields.points("baseline"),
        fields.points("polygon"),
        fields.string("id"),
        fields.string("region"),
        _line_type(fields.string("type"), f"{where}.type", notes),
        notes=_notes(fields, source, where, notes, text),
        readings=tuple(
            _reading(one, source, f"{where}.readings[{index}]", notes)
            for index, one in enumerate(fields.items("readings", default=[]))
        ),
        cell=fields.cell("cell"),
    )
    given = fields.items("words", default=[])
    fields.note_unknown()
    if not words or not given:
        return line
    read = [_word(word, source, f"{where}.words[{index}]", notes) for index, word in enumerate(given)]
    return replace(line, words=tuple(read))


def _reading(document: Any, source: str, where: str, notes: Notes) -> Reading:  # noqa: ANN401
    if isinstance(document, str):
        return Reading(document)
    fields = _Fields(document, source, where, notes)
    text = fields.required_string("text")
    reading = Reading(text, _notes(fields, source, where, notes, text))
    fields.note_unknown()
    return reading


def _notes(fields: _Fields, source: str, where: str, notes: Notes, text: str) -> tuple[Note, ...]:
    return tuple(
        _note(note, source, f"{where}.notes[{index}]", notes, text)
        for index, note in enumerate(fields.items("notes", default=[]))
    )


def _note(document: Any, source: str, where: str, notes: Notes, text: str) -> Note:  # noqa: ANN401
    fields = _Fields(document, source, where, notes)
    kind: Any = fields.required_string("kind")
    begin, end, characters = map(fields.integer, ("begin", "end", "characters"))
    begin = begin or 0
    try:
        note = Note(kind, begin, begin if end is None else end, characters, fields.string("text") or "")
    except UsageError as error:
        raise FormatError(error.problem.detail, source=source, element=where, remedy=REPAIR) from None
    if note.end > len(text):
        raise FormatError("ends after the text", source=source, element=where, remedy=REPAIR)
    fields.note_unknown()
    return note


def _word(document: Any, source: str, where: str, notes: Notes) -> Word:  # noqa: ANN401
    fields = _Fields(document, source, where, notes)
    word = Word(
        fields.required_string("text"),
        fields.share("confidence"),
        fields.points("polygon"),
        fields.points("baseline"),
    )
    fields.note_unknown()
    return word


def _line_type(name: str | None, where: str, notes: Notes) -> LineType:
    if name in (None, "text"):
        return "text"
    known = find_type(name)
    if known is None:
        notes.add(where, "unknown type is read as text", f"use one of {', '.join(LINE_TYPES)}")
    return known or "text"


def _warning(document: Any, source: str, where: str, notes: Notes) -> Problem:  # noqa: ANN401
    fields = _Fields(document, source, where, notes)
    reason = fields.required_string("reason")
    warning = Problem(
        fields.string("detail") or reason,
        fields.required_string("source"),
        fields.required_string("element"),
        fields.string("remedy") or "",
        fields.settings("settings"),
        kind="format",
    )
    fields.note_unknown()
    return warning


class _Fields:
    """Reads and checks the fields of one JSON object; errors name the path of the field.

    >>> fields = _Fields({"text": "one", "conf": 1}, "p.json", "lines[0]", notes := Notes("p.json"))
    >>> fields.required_string("text")
    'one'
    >>> fields.note_unknown(); print(*notes.warnings())
    p.json: lines[0].conf: unknown key was ignored
    """

    def __init__(self, document: Any, source: str, where: str, notes: Notes) -> None:  # noqa: ANN401
        self._source = source
        self._where = where
        self._notes = notes
        if not isinstance(document, dict):
            self._refuse("", f"must be an object, not {type_name(document)}")
        self._unread = dict(document)

    def required_string(self, key: str) -> str:
        """Return a string; it is an error if the field is missing."""
        value = self.string(key)
        if value is None:
            self._refuse(key, "is missing")
        return value

    def string(self, key: str) -> str | None:
        """Return a string, or None if the field is missing."""
        value = self._unread.pop(key, None)
        if value is not None and not isinstance(value, str):
            self._refuse(key, f"must be a string, not {type_name(value)}")
        return value

    def integer(self, key: str) -> int | None:
        """Return a whole number, or None if the field is missing."""
        value = self._unread.pop(key, None)
        if value is not None and (not isinstance(value, int) or isinstance(value, bool)):
            self._refuse(key, f"must be a whole number, not {type_name(value)}")
        if value is not None and abs(value) >= _INTEGER_LIMIT:
            self._refuse(key, "is too large for a page")
        return value

    def share(self, key: str) -> float | None:
        """Return a number from 0 to 1, or None if the field is missing."""
        value = self._unread.pop(key, None)
        if value is None:
            return None
        if not is_number(value) or not 0 <= value <= 1:
            self._refuse(key, "must be a number from 0 to 1")
        return float(value)

    def items(self, key: str, default: list[Any] | None = None) -> list[Any]:
        """Return a list, or the default if the field is missing."""
        value = self._unread.pop(key, default)
        if value is None:
            self._refuse(key, "missing, but must be a list")
        if not isinstance(value, list):
            self._refuse(key, f"must be a list, not {type_name(value)}")
        return value

    def cell(self, key: str) -> tuple[int, int] | None:
        """Return the row and column of a table cell, or None if the field is missing."""
        value = self._unread.pop(key, None)
        if value is None:
            return None
        if not isinstance(value, list) or [type(part) for part in value] != [int, int]:
            self._refuse(key, "must be a list of [row, column]")
        if not all(0 <= part < _INTEGER_LIMIT for part in value):
            self._refuse(key, f"must be at least 0 and below {_INTEGER_LIMIT:,}")
        return value[0], value[1]

    def points(self, key: str) -> Points | None:
        """Return a list of pairs of numbers as points, or None if the field is missing."""
        value = self._unread.pop(key, None)
        if value is None:
            return None
        if not isinstance(value, list) or not all(map(_is_point, value)):
            self._refuse(key, "must be a list of [x, y]")
        points = tuple((x, y) for x, y in value)
        if reason := range_error(points):
            self._refuse(key, reason)
        return points

    def settings(self, key: str) -> tuple[tuple[str, str], ...]:
        """Return a list of pairs of strings, which may be missing."""
        pairs = self.items(key, default=[])
        if not all(isinstance(pair, list) and [type(part) for part in pair] == [str, str] for pair in pairs):
            self._refuse(key, "must be a list of [name, value]")
        return tuple((name, value) for name, value in pairs)

    def expect(self, key: str, expected: object) -> None:
        """Check a field that has only one known value."""
        value = self._unread.pop(key, None)
        if value != expected:
            self._refuse(
                key,
                f"must be {expected!r}, not {_shown(value)}",
                "if a newer pagemeter wrote the file, update pagemeter",
            )

    def note_unknown(self) -> None:
        """Warn about the fields that were not read."""
        for key in self._unread:
            self._notes.add(f"{self._where}.{key}", "unknown key was ignored")

    def _refuse(self, key: str, detail: str, remedy: str = REPAIR) -> NoReturn:
        where = f"{self._where}.{key}" if key else self._where
        raise FormatError(detail, source=self._source, element=where, remedy=remedy)


def _shown(value: object) -> str:
    """Return a value for a message; a list, an object and a giant number are not shown."""
    if isinstance(value, str):
        return repr(value[:40])
    is_simple = isinstance(value, float | None) or (isinstance(value, int) and abs(value) < _INTEGER_LIMIT)
    return repr(value) if is_simple else type_name(value)


def _is_point(value: object) -> bool:
    return (
        isinstance(value, list)
        and len(value) == 2  # noqa: PLR2004  (x and y)
        and all(map(is_number, value))
    )
