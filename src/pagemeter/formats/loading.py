"""Load pages from files: read the bytes, detect the format, and call its reader.

The format is detected by the content; the suffix matters only where the content is ambiguous.
"""

from __future__ import annotations

import codecs
import os
import re
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, get_args

from pagemeter.errors import FormatError, InputError, Problem, UsageError, did_you_mean
from pagemeter.formats.base import Format, Head, Level, Mathematics, Order, ReadingChoice, ReadOptions, Tables
from pagemeter.formats.plain import bom_encoding, check_encoding, is_known_encoding, verified_encoding
from pagemeter.formats.registry import find_format, iter_formats, markup_suffixes

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pagemeter.page import Page

# A page of a thousand lines, with a polygon point for every pixel, has 2 MB.
MAX_BYTES = 100_000_000

_CHOICES: dict[str, tuple[str | None, ...]] = {
    "level": (None, *get_args(Level)),
    "order": get_args(Order),
    "math": get_args(Mathematics),
    "tables": (None, *get_args(Tables)),
    "readings": get_args(ReadingChoice),
}
EDITORIAL_CHOICES = ("abbr", "expan", "orig", "reg", "sic", "corr")
"""The elements of TEI that `choice` chooses between."""
_MAX_DPI = 100_000  # no scanner has a higher resolution
_HEAD_SIZE = 16_384
_MAX_PROLOGUE = 1_000_000  # bytes before the root element, such as long comments; detection needs no more

# Atomic groups, because backtracking over a long run of comments would try all ways of dividing them.
_ROOT = re.compile(
    r"(?>\s*(?:<\?.*?\?>|<!--.*?-->|<!DOCTYPE(?:[^\[>\"']|\"[^\"]*\"|'[^']*')*(?:\[.*?\]\s*)?>))*+\s*"
    r"<(?:(?P<prefix>[\w.-]+):)?(?P<root>[^\W\d][\w.-]*)(?P<attributes>[^<>]*)",
    re.DOTALL,
)
# The root of the formats that are tried first, in a file that begins plainly.
_FIRST_FORMATS = re.compile(
    rb"(?:\xef\xbb\xbf)?[ \t\r\n]*+(?:<\?xml [^<>?]*+\?>[ \t\r\n]*+)?+<(?:[\w.-]++:)?+(PcGts|pcGts|alto)[\s>]"
)
_BINARY = {
    b"\x89PNG": "a PNG image",
    b"\xff\xd8\xff": "a JPEG image",
    b"II*\0": "a TIFF image",
    b"MM\0*": "a TIFF image",
    b"GIF8": "a GIF image",
    b"%PDF-": "a PDF",
}
_ARCHIVES = {(0, b"PK\x03\x04"): "zip", (0, b"\x1f\x8b"): "tar", (257, b"ustar"): "tar"}
_GIT_LFS = b"version https://git-lfs"
_GIVE_PAGE_FILE = "give the file with the text of the page"


def load(
    path: str | os.PathLike[str],
    *,
    format: str | None = None,  # noqa: A002  (the natural name for callers)
    level: Level | None = None,
    order: Order = "file",
    encoding: str | None = None,
    dpi: float | None = None,
    math: Mathematics = "text",
    tables: Tables | None = None,
    words: bool = False,
    choice: str | None = None,
    readings: ReadingChoice = "first",
    page: int | None = None,
) -> Page:
    r"""Load the page in a file.

    Args:
        path: The file.
        format: The name of its format; by default it is detected.
        level: The elements that the text is taken from: "line", "region" or "word". By default lines, and
            regions or words where the file has no text in its lines. "page" joins all of these to one line.
        order: "file" is the reading order that the file states, "document" the order of the elements in the
            file. "top-down" sorts regions, and the lines in each region, by position; "top-down-lines" only
            the lines in each region.
        encoding: The character encoding; by default that which the file declares, or UTF-8.
        dpi: The resolution of the image, for positions in millimetres or inches.
        math: "text" reads LaTeX as the characters that it prints, if it is simple; "canonical" reads it in
            a form that equal formulas share.
        tables: "cells", "rows" or "text" for one line per cell, per row or per table. By default the lines of
            the file, and rows in formats without lines.
        words: True to keep the words of lines with their confidences and positions in `Line.words`.
        choice: The readings of TEI that count instead of what is on the page, separated by commas: "expan",
            "reg", "corr".
        readings: "all" accepts all readings of a line that the file has; the cheapest counts.
        page: The number of the page, from 1. It is required if the file has several pages.

    Returns:
        The page. Its `warnings` list the parts that were skipped, repaired or guessed.

    Raises:
        InputError: The file cannot be read, or its content is not valid.
        UsageError: An argument has an unknown value, or the file has several pages and `page` is not given.

    >>> import tempfile, pathlib
    >>> path = pathlib.Path(tempfile.mkdtemp(), "page.txt")
    >>> _ = path.write_text("one\ntwo\n")
    >>> [line.text for line in load(path).lines]
    ['one', 'two']

    """
    pages = load_pages(
        path,
        format=format,
        level=level,
        order=order,
        encoding=encoding,
        dpi=dpi,
        math=math,
        tables=tables,
        words=words,
        choice=choice,
        readings=readings,
    )
    source = os.fspath(path)
    if page is not None:
        if not 1 <= page <= len(pages):
            raise UsageError(f"there is no page {page}: the file has pages 1 to {len(pages)}", source=source)
        return pages[page - 1]
    if len(pages) > 1:
        raise UsageError(
            f"the file has {len(pages)} pages",
            source=source,
            remedy="use pagemeter.formats.load_pages, or choose a page with page=1",
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
    math: Mathematics = "text",
    tables: Tables | None = None,
    words: bool = False,
    choice: str | None = None,
    readings: ReadingChoice = "first",
) -> tuple[Page, ...]:
    r"""Load all pages in a file; the arguments are those of `load`.

    >>> import tempfile, pathlib
    >>> path = pathlib.Path(tempfile.mkdtemp(), "two.txt")
    >>> _ = path.write_text("page one\fpage two")
    >>> len(load_pages(path))
    2
    """
    options = _checked_options(
        ReadOptions(level, order, encoding, dpi, math, tables, words, choice, readings)
    )
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
    math: Mathematics = "text",
    tables: Tables | None = None,
    words: bool = False,
    choice: str | None = None,
    readings: ReadingChoice = "first",
) -> tuple[Page, ...]:
    """Read all pages in the content of a file; `source` is the name of the file in messages.

    The other arguments are those of `load`.

    >>> read_pages(b'{"lines": [{"text": "one"}]}', "page.json")[0].lines[0].text
    'one'
    """
    options = _checked_options(
        ReadOptions(level, order, encoding, dpi, math, tables, words, choice, readings)
    )
    return read_content(data, source, format, options)


def read_content(data: bytes, source: str, name: str | None, options: ReadOptions) -> tuple[Page, ...]:
    """Read all pages in the content of a file, with options that are known to be valid.

    Args:
        data: The content of the file.
        source: The name of the file in messages.
        name: The name of its format; None to detect it.
        options: The options.

    >>> read_content(b"one", "page.txt", None, ReadOptions())[0].text
    'one'

    """
    check_size(len(data), source)
    return _read(data, source, name, options)


def _read(data: bytes, source: str, name: str | None, options: ReadOptions) -> tuple[Page, ...]:
    options, warnings = _choose_encoding(data, source, options)
    known = find_format(name) if name is not None else detect_format(data, source, options.encoding)
    head = data[:_MAX_PROLOGUE] if name is not None else b""
    content = [data]
    del data  # together with `pop`, this lets the reader free the bytes when it has parsed them
    try:
        if options.level == "page":
            from pagemeter.formats.lines import joined_page  # noqa: PLC0415  (numpy)

            pages = tuple(map(joined_page, known.read(content.pop(), source, replace(options, level=None))))
        else:
            pages = tuple(known.read(content.pop(), source, options))
    except RecursionError:
        raise FormatError(
            "nested too deeply for a page file", source=source, remedy="repair the file"
        ) from None
    except FormatError as error:
        detected = _detected_name(head, source, options.encoding) if name is not None else None
        if detected in (None, name):
            raise
        raise FormatError(
            replace(
                error.problem,
                remedy=f"its content looks like {detected}: use {{}}, or let the format be detected",
                settings=(("format", detected or ""),),
            )
        ) from None
    if not pages:
        raise InputError("the file contains no page", source=source, remedy="get a complete copy")
    if warnings:
        return replace(pages[0], warnings=(*warnings, *pages[0].warnings)), *pages[1:]
    return pages


def _detected_name(head: bytes, source: str, encoding: str | None) -> str | None:
    try:
        return detect_format(head, source, encoding).name
    except FormatError:
        return None


def _choose_encoding(
    data: bytes, source: str, options: ReadOptions
) -> tuple[ReadOptions, tuple[Problem, ...]]:
    """Return the options with the encoding that an XML file provably has, instead of the requested one."""
    if options.encoding is None:
        return options, ()
    if (actual := verified_encoding(data)) is None:
        return options, _utf8_warning(data, source, options.encoding)
    if data.isascii() or codecs.lookup(actual) == codecs.lookup(options.encoding):
        return replace(options, encoding=actual), ()
    detail = f"read as {actual}, which the file declares and is valid in, and not as {options.encoding}"
    return replace(options, encoding=actual), (Problem(detail, source, "encoding", kind="format"),)


def _utf8_warning(data: bytes, source: str, encoding: str) -> tuple[Problem, ...]:
    """Return a warning if another encoding was requested for bytes that are valid UTF-8."""
    if data.isascii() or codecs.lookup(encoding) in map(codecs.lookup, ("utf-8", "utf-8-sig")):
        return ()
    try:
        data.decode()
    except UnicodeError:
        return ()
    return (
        Problem(
            f"read as {encoding}, as requested, but all of it is valid UTF-8",
            source,
            "encoding",
            remedy="if it is UTF-8, leave out {}",
            settings=(("encoding", ""),),
            kind="format",
        ),
    )


def _checked_options(options: ReadOptions) -> ReadOptions:
    """Return the options, or raise UsageError for a value that is unknown or impossible."""
    for name, choices in _CHOICES.items():
        _check_choice(name, getattr(options, name), choices)
    dpi = options.dpi
    if dpi is not None and not (isinstance(dpi, int | float) and 1 <= dpi <= _MAX_DPI):
        raise UsageError(
            "not the resolution of an image",
            setting=("dpi", f"{dpi:g}" if isinstance(dpi, float) else str(dpi)),
            remedy=f"give a number of dots per inch between 1 and {_MAX_DPI}",
        )
    if options.encoding is not None:
        check_encoding(options.encoding)
    for name in (options.choice or "abbr").split(","):
        _check_choice("choice", name, EDITORIAL_CHOICES)
    return options


def _check_choice(name: str, value: str | None, known: tuple[str | None, ...]) -> None:
    if value in known:
        return
    names = [choice for choice in known if choice]
    raise UsageError(
        f"unknown {name}{did_you_mean(str(value), names)}",
        setting=(name, str(value)),
        remedy=f"use one of {', '.join(names)}",
    )


def read_bytes(path: str | os.PathLike[str]) -> bytes:
    """Return the content of a file.

    >>> read_bytes("no-such-file.xml")
    Traceback (most recent call last):
    pagemeter.errors.InputError: no-such-file.xml: no such file. Check the path.
    """
    name = os.fspath(path)
    try:
        with open(name, "rb", buffering=0) as file:  # noqa: PTH123  (three times faster than Path.open)
            size = os.fstat(file.fileno()).st_size
            check_size(size, name)
            data = file.read(size + 1) if size else file.read(MAX_BYTES + 1)
    except InputError:
        raise
    except (OSError, ValueError) as error:
        raise file_error(Path(name), error, source=name) from None
    check_size(len(data), name)
    return data


def check_size(size: int, source: str) -> None:
    """Raise InputError if a file is too large for a page file.

    >>> check_size(10**9, "book.xml")
    Traceback (most recent call last):
    pagemeter.errors.InputError: book.xml: has 1000 MB, but a page file may have at most 100 MB. Split ...
    """
    if size > MAX_BYTES:
        limit = MAX_BYTES // 1_000_000
        detail = f"has {size // 1_000_000} MB, but a page file may have at most {limit} MB"
        if size // 1_000_000 == limit:  # devices and pipes are not read any further
            detail = f"has more than {limit} MB, the limit for a page file"
        raise InputError(detail, source=source, remedy="split it into its pages")


def file_error(path: Path, error: OSError | ValueError, source: str = "") -> InputError:
    """Return the error for a file that could not be opened.

    Args:
        path: The file.
        error: The exception of the operating system or Python.
        source: The name of the file in the message, if it differs from `path`.

    """
    detail, remedy = str(error), "check the path"
    if isinstance(error, FileNotFoundError):
        if path.is_symlink():
            detail, remedy = f"a symbolic link to {path.readlink()}, which does not exist", "repair the link"
        else:
            detail = "no such file" if path.parent.is_dir() else "no such folder"
    elif isinstance(error, IsADirectoryError):
        detail, remedy = "a folder", "give the files in it"
    elif isinstance(error, PermissionError):
        detail, remedy = "permission denied", "change its permissions, or run as another user"
    elif isinstance(error, OSError):
        detail = error.strerror or str(error)
    return InputError(detail, source=source or str(path), remedy=remedy)


def detect_format(
    data: bytes, source: str, encoding: str | None = None, candidates: Iterable[Format] | None = None
) -> Format:
    """Return the first format that matches a file, of the candidates or of all known formats.

    >>> detect_format(b"<alto/>", "page.txt").name
    'alto'
    """
    if encoding is None and candidates is None and (match := _FIRST_FORMATS.match(data)):
        return find_format(match[1].decode().lower().replace("pcgts", "page"))
    _check_type(data, source)
    head = read_head(data, source, encoding)
    if not head.text and head.suffix in markup_suffixes():
        raise FormatError("the file is empty", source=source, remedy="get a complete copy")
    for known in iter_formats() if candidates is None else candidates:
        if known.matches(head) and not (known.name == "text" and _is_not_plain_text(head)):
            return known
    detail, remedy, *settings = _why_unknown(head)
    raise FormatError(detail, source=source, remedy=remedy, settings=tuple(settings))


def read_head(data: bytes, source: str, encoding: str | None = None) -> Head:
    """Return the parts of a file from which its format is detected.

    >>> read_head(b'<a:alto xmlns:a="urn:x"/>', "p.xml")
    Head(suffix='.xml', root='alto', namespace='urn:x', text='<a:alto xmlns:a="urn:x"/>')
    """
    text = _decode_beginning(data[:_HEAD_SIZE], encoding)
    suffix = os.path.splitext(source)[1].lower()  # noqa: PTH122  (five times faster than Path)
    if not text.startswith("<"):
        return Head(suffix, None, "", text)
    match = _ROOT.match(text) or _ROOT.match(_decode_beginning(data[:_MAX_PROLOGUE], encoding))
    if not match:
        return Head(suffix, None, "", text)
    namespace = _namespace_pattern(match["prefix"]).search(match["attributes"])
    return Head(suffix, match["root"], namespace[1] if namespace else "", text)


@lru_cache(maxsize=64)
def _namespace_pattern(prefix: str | None) -> re.Pattern[str]:
    """Return a pattern for the attribute that declares the namespace of a prefix."""
    attribute = re.escape(f"xmlns:{prefix}" if prefix else "xmlns")
    return re.compile(rf"""(?<!\S){attribute}\s*=\s*["']([^"']*)""")


def _check_type(data: bytes, source: str) -> None:
    """Raise FormatError for images, archives and Git LFS pointers."""
    if data.startswith(tuple(_BINARY)):
        kind = next(kind for magic, kind in _BINARY.items() if data.startswith(magic))
        raise FormatError(f"{kind}, not a page file", source=source, remedy=_GIVE_PAGE_FILE)
    for (offset, magic), protocol in _ARCHIVES.items():
        if data.startswith(magic, offset):
            raise FormatError(
                "an archive, not a page file",
                source=source,
                remedy=f"give the pages in it as {protocol}://::{source}, or unpack it",
            )
    if data.startswith(_GIT_LFS):
        raise FormatError(
            "a Git LFS pointer, not the file itself", source=source, remedy="fetch it with git lfs pull"
        )


def _decode_beginning(data: bytes, encoding: str | None) -> str:
    """Decode the beginning of a file, with replacement characters for invalid bytes."""
    if encoding is None:
        without_bom = "utf-16-le" if data[1:2] == b"\0" else "utf-16-be" if data[:1] == b"\0" else "utf-8"
        encoding = bom_encoding(data) or without_bom
    if not is_known_encoding(encoding):  # the reader reports it
        encoding = "utf-8"
    text = data.decode(encoding, "replace")
    return text.lstrip("\ufeff \t\r\n")


def _is_not_plain_text(head: Head) -> bool:
    return head.suffix in markup_suffixes() or head.text.startswith("<?xml")


def _why_unknown(head: Head) -> tuple[str, str] | tuple[str, str, tuple[str, str]]:
    """Return the detail and the remedy for a file of no known format, and the setting in the remedy."""
    if head.root == "mets":
        return (
            "METS, which lists files and contains no page",
            "give the folders of its files, or a table of pairs",
        )
    if head.root is not None:
        return (
            f"no known format has the root element {head.root!r}",
            "name its format, for example {}",
            ("format", "page"),
        )
    if "\0" in head.text:
        return "a binary file", _GIVE_PAGE_FILE
    if head.text.startswith("<"):
        return "begins like XML but has no root element", "get a complete copy"
    return _why_not_plain_text(head)


def _why_not_plain_text(head: Head) -> tuple[str, str] | tuple[str, str, tuple[str, str]]:
    if head.suffix == ".jsonl" and head.text.startswith("{"):
        return (
            "JSON lines of an unknown schema",
            "give it as one side of an evaluation, or convert it to JSON",
        )
    if "\n" not in head.text.strip() and "/" in head.text:
        text = head.text.strip()[:80]
        return (
            f"its only content is {text!r}, probably a symbolic link stored as text",
            "give the target of the link",
        )
    return (
        f"has the suffix {head.suffix}, but its content is plain text",
        "read it as plain text with {}",
        ("format", "text"),
    )
