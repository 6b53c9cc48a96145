"""Our own JSON: what `load` gives, `save` writes, and reading it back gives the same page.

    {"format": "pagemeter-page", "version": 1, "pages": [
      {"source": "…", "image": "…", "width": 1, "height": 1, "warnings": [{"source", "element", "reason"}],
       "lines": [{"text": "…", "baseline": [[x, y], …], "polygon": [[x, y], …], "id": "…", "region": "…"}]}]}

Only "lines" and "text" are required. One page without the frame, `{"lines": […]}`, and a bare list of strings
are read as well.
"""

from __future__ import annotations

import json
import os
import re
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from pagemeter.errors import FormatError, InputError, UsageError
from pagemeter.formats.base import Format, Head, Notes, ReadOptions
from pagemeter.formats.files import write_bytes
from pagemeter.formats.json_fields import Fields
from pagemeter.formats.order import arrange
from pagemeter.formats.plain import text_of
from pagemeter.formats.points import beyond
from pagemeter.page import Line, Page, Points, Warn

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pagemeter.formats.base import Order

NAME = "pagemeter-page"
VERSION = 1

_FIRST_KEY = re.compile(r'\{\s*"(format|version|pages|lines|source|image|width|height|warnings)"\s*:')


def matches(head: Head) -> bool:
    """Whether it is a JSON object that begins like ours, or any JSON object or list in a .json file.

    >>> matches(Head(".txt", None, "", '{"lines": ["one"]}')), matches(Head(".txt", None, "", '["one"]'))
    (True, False)
    """
    return bool(_FIRST_KEY.match(head.text)) or (head.suffix == ".json" and head.text.startswith(("{", "[")))


def read(data: bytes, source: str, options: ReadOptions) -> list[Page]:
    """The pages of a JSON file.

    >>> read(b'["one", "two"]', "p.json", ReadOptions())[0].lines[1].text
    'two'
    """
    try:
        document = json.loads(text_of(data, source, options.encoding), parse_constant=_refuse)
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        raise FormatError(f"{source}: {where}: {error.msg}; mend the JSON") from None
    except ValueError as error:
        if isinstance(error, FormatError):
            raise
        giant = "integer string conversion" in str(error)
        reason = "a number of thousands of digits, which no page has" if giant else error
        raise FormatError(f"{source}: {reason}; mend the JSON") from None
    if isinstance(document, dict) and ("pages" in document or "format" in document):
        frame = Fields(document, source, "document", Notes(source))
        frame.expect("format", NAME)
        frame.expect("version", VERSION)
        pages = enumerate(frame.items("pages"))
        return [_page(page, source, f"pages[{at}]", options.order) for at, page in pages]
    return [_page(document, source, "page", options.order)]


_OTHERS = frozenset((".xml", ".alto", ".hocr", ".html", ".htm", ".txt", ".text", ".tei", ".md", ".tsv"))


def save(pages: Page | Iterable[Page], path: str | os.PathLike[str]) -> None:
    """Write a page, or several, as JSON; a file of that name is replaced only when all is written.

    >>> import tempfile, pathlib
    >>> path = pathlib.Path(tempfile.mkdtemp(), "page.json")
    >>> page = Page((Line("one", baseline=((1, 9), (40, 9))),), source="p.xml")
    >>> save(page, path)
    >>> read(path.read_bytes(), "page.json", ReadOptions()) == [page]
    True
    """
    if (suffix := Path(path).suffix.lower()) in _OTHERS:
        raise UsageError(f"save: {os.fspath(path)}: pages are saved as JSON, and {suffix} is not; use .json")
    several = (pages,) if isinstance(pages, Page) else tuple(pages)
    for page in several:
        if not isinstance(page, Page):
            raise UsageError(f"save: {page!r:.40} is of type {type(page).__name__}; give a Page, or several")
    document = {"format": NAME, "version": VERSION, "pages": [_page_fields(page) for page in several]}
    text = json.dumps(document, ensure_ascii=False, allow_nan=False, indent=1)
    try:
        data = text.encode()
    except UnicodeEncodeError:  # half of a surrogate pair, which only an escape can spell
        data = json.dumps(document, allow_nan=False, indent=1).encode()
    write_bytes(path, data + b"\n")


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is no number of JSON")


def _page(document: Any, source: str, where: str, order: Order) -> Page:  # noqa: ANN401  (JSON of a stranger)
    notes = Notes(source)
    if isinstance(document, list):
        document = {"lines": [{"text": line} for line in document]}
    page = Fields(document, source, where, notes)
    lines = [
        _line(line, source, f"{where}.lines[{at}]", notes) for at, line in enumerate(page.items("lines"))
    ]
    ordered = arrange([list(group) for _, group in groupby(lines, key=lambda line: line.region)], order)
    known = tuple(
        _warn(warn, source, f"{where}.warnings[{at}]", notes)
        for at, warn in enumerate(page.items("warnings", missing=[]))
    )
    name = page.string("source")
    image, width, height = page.string("image"), page.whole("width"), page.whole("height")
    page.ignore_others()
    return Page(ordered, source if name is None else name, image, width, height, known + notes.warnings())


def _line(document: Any, source: str, where: str, notes: Notes) -> Line:  # noqa: ANN401
    if isinstance(document, str):
        document = {"text": document}
    line = Fields(document, source, where, notes)
    found = Line(
        line.text("text"),
        line.points("baseline"),
        line.points("polygon"),
        line.string("id"),
        line.string("region"),
    )
    line.ignore_others()
    return found


def _warn(document: Any, source: str, where: str, notes: Notes) -> Warn:  # noqa: ANN401
    warn = Fields(document, source, where, notes)
    found = Warn(warn.text("source"), warn.text("element"), warn.text("reason"))
    warn.ignore_others()
    return found


def _page_fields(page: Page) -> dict[str, Any]:
    fields: dict[str, Any] = {"source": page.source, "image": page.image, "width": page.width}
    fields["height"] = page.height
    if page.warnings:
        fields["warnings"] = [
            {"source": warn.source, "element": warn.element, "reason": warn.reason} for warn in page.warnings
        ]
    fields["lines"] = [_line_fields(line, page.source) for line in page.lines]
    return {key: value for key, value in fields.items() if value is not None}


def _line_fields(line: Line, source: str) -> dict[str, Any]:
    fields = {
        "text": line.text,
        "baseline": _checked(line.baseline, line, source),
        "polygon": _checked(line.polygon, line, source),
        "id": line.id,
        "region": line.region,
    }
    return {key: value for key, value in fields.items() if value is not None}


def _checked(points: Points | None, line: Line, source: str) -> Points | None:
    if points is not None and (reason := beyond(points)):
        raise InputError(
            f"{source or 'save'}: line {line.id or line.text!r}: {reason}; mend it before it is saved"
        )
    return points


FORMAT = Format("json", "pagemeter's own JSON of pages", matches, read)
