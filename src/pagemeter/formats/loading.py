"""From files to pages."""

from __future__ import annotations

import codecs
import difflib
import os
from dataclasses import replace
from typing import TYPE_CHECKING, get_args

from pagemeter.errors import FormatError, InputError, UsageError
from pagemeter.formats.base import Format, Level, Order, ReadOptions
from pagemeter.formats.decoding import check_encoding, shown_encoding
from pagemeter.formats.detect import detect
from pagemeter.formats.files import check_size, read_bytes
from pagemeter.formats.registry import foreign, last, named, own
from pagemeter.page import Page, Warn

if TYPE_CHECKING:
    from collections.abc import Iterator

_HEAD = 1_000_000  # bytes that detection may look at
_LEVELS = (None, *get_args(Level))
_ORDERS = get_args(Order)


def load(
    path: str | os.PathLike[str],
    *,
    format: str | None = None,  # noqa: A002  (what a reader would call it)
    level: Level | None = None,
    order: Order = "file",
    encoding: str | None = None,
    dpi: float | None = None,
    page: int | None = None,
) -> Page:
    r"""The page in a file; of a file with several pages `page` picks one, counted from 1.

    >>> import tempfile, pathlib
    >>> path = pathlib.Path(tempfile.mkdtemp(), "page.txt")
    >>> _ = path.write_text("one\ntwo\n")
    >>> [line.text for line in load(path).lines]
    ['one', 'two']
    """
    pages = load_pages(path, format=format, level=level, order=order, encoding=encoding, dpi=dpi)
    name = os.fspath(path)
    if page is not None:
        if not 1 <= page <= len(pages):
            raise UsageError(f"{name}: page {page}: the file has pages 1 to {len(pages)}")
        return pages[page - 1]
    if len(pages) > 1:
        raise UsageError(
            f"{name}: {len(pages)} pages; use pagemeter.formats.load_pages, or pick one with page=1"
        )
    return pages[0]


def load_pages(
    path: str | os.PathLike[str],
    *,
    format: str | None = None,  # noqa: A002
    level: Level | None = None,
    order: Order = "file",
    encoding: str | None = None,
    dpi: float | None = None,
) -> tuple[Page, ...]:
    r"""All pages in a file.

    >>> import tempfile, pathlib
    >>> path = pathlib.Path(tempfile.mkdtemp(), "two.txt")
    >>> _ = path.write_text("page one\fpage two")
    >>> len(load_pages(path))
    2
    """
    options = _options(level, order, encoding, dpi)
    return _read(read_bytes(path), os.fspath(path), format, options)


def read_pages(
    data: bytes,
    source: str,
    *,
    format: str | None = None,  # noqa: A002
    level: Level | None = None,
    order: Order = "file",
    encoding: str | None = None,
    dpi: float | None = None,
) -> tuple[Page, ...]:
    """All pages in the content of a file, wherever it came from; `source` names it in messages.

    >>> read_pages(b'{"lines": [{"text": "one"}]}', "page.json")[0].lines[0].text
    'one'
    """
    check_size(len(data), source)
    return _read(data, source, format, _options(level, order, encoding, dpi))


def _read(data: bytes, source: str, name: str | None, options: ReadOptions) -> tuple[Page, ...]:
    options, warnings = _own_encoding(data, source, options)
    known = named(name) if name is not None else detect(data, source, _candidates(), options.encoding)
    held, head = [data], data[:_HEAD] if name is not None else b""
    del data
    try:
        pages = tuple(known.read(held.pop(), source, options))
    except RecursionError:
        raise FormatError(f"{source}: nested too deeply for a page file; mend it") from None
    except FormatError as error:
        if name is not None and (real := _real(head, source, options.encoding)) not in (None, name):
            remedy = f"by its content it is {real}: give --format {real}, or leave it out"
            raise FormatError(f"{error}; {remedy}") from None
        raise
    if not pages:
        raise InputError(f"{source}: no page in it; get a complete copy")
    return (replace(pages[0], warnings=(*warnings, *pages[0].warnings)), *pages[1:]) if warnings else pages


def _real(head: bytes, source: str, encoding: str | None) -> str | None:
    """The format that a file is of by its content, if it is of any."""
    try:
        return detect(head, source, _candidates(), encoding).name
    except FormatError:
        return None


def _own_encoding(data: bytes, source: str, options: ReadOptions) -> tuple[ReadOptions, tuple[Warn, ...]]:
    """The options with the encoding that a file shows to be its own, rather than the one that was named."""
    if options.encoding is None:
        return options, ()
    if (own := shown_encoding(data)) is None:
        return options, _looks_like_utf8(data, source, options.encoding)
    reason = f"read as {own}, which it says and shows to be in, and not as {options.encoding}"
    differs = not data.isascii() and codecs.lookup(own) != codecs.lookup(options.encoding)
    return replace(options, encoding=own), (Warn(source, "encoding", reason),) if differs else ()


def _looks_like_utf8(data: bytes, source: str, encoding: str) -> tuple[Warn, ...]:
    """A warning where an encoding was named and the bytes are UTF-8, which they hardly are by chance."""
    if data.isascii() or codecs.lookup(encoding) in map(codecs.lookup, ("utf-8", "utf-8-sig")):
        return ()
    try:
        data.decode()
    except UnicodeError:
        return ()
    reason = f"read as {encoding}, as was asked, but all of it is valid UTF-8; leave --encoding out if it is"
    return (Warn(source, "encoding", reason),)


def _candidates() -> Iterator[Format]:
    """The formats in the order of detection; other packages are asked only if none of ours fits."""
    return (known for later in (own, foreign, last) for known in later())


def _options(level: str | None, order: str, encoding: str | None, dpi: float | None) -> ReadOptions:
    _check("level", level, _LEVELS)
    _check("order", order, _ORDERS)
    if dpi is not None and not 1 <= dpi <= 100_000:  # noqa: PLR2004  (no scanner is outside)
        raise UsageError(f"dpi {dpi}: the resolution of an image is between 1 and 100000 dots an inch")
    if encoding is not None:
        check_encoding(encoding)
    return ReadOptions(level, order, encoding, dpi)  # type: ignore[arg-type]  # checked above


def _check(option: str, value: str | None, known: tuple[str | None, ...]) -> None:
    if value in known:
        return
    names = [name for name in known if name]
    near = difflib.get_close_matches(str(value), names, n=1, cutoff=0.5)
    hint = f" (did you mean {near[0]}?)" if near else ""
    raise UsageError(f"unknown {option} {value!r}{hint}; known are: {', '.join(names)}")
