"""Which format a file is of: its content decides, not its suffix."""

from __future__ import annotations

import os.path
import re
from typing import TYPE_CHECKING

from pagemeter.errors import FormatError
from pagemeter.formats.base import Format, Head
from pagemeter.formats.decoding import marked_encoding

if TYPE_CHECKING:
    from collections.abc import Iterable

_SOME = 16_384
_MUCH = 1_000_000
_XML_SUFFIXES = frozenset((".xml", ".alto", ".hocr", ".html", ".xhtml", ".htm"))
_MARKED = _XML_SUFFIXES | {".json"}

# Atomic, so that a long run of comments cannot make it try all the ways of dividing them.
_ROOT = re.compile(
    r"(?>\s*(?:<\?.*?\?>|<!--.*?-->|<!DOCTYPE(?:[^\[>\"']|\"[^\"]*\"|'[^']*')*(?:\[.*?\]\s*)?>))*+\s*"
    r"<(?:(?P<prefix>[\w.-]+):)?(?P<root>[^\W\d][\w.-]*)(?P<attributes>[^<>]*)",
    re.DOTALL,
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
_LFS = b"version https://git-lfs"


def head_of(data: bytes, source: str, encoding: str | None = None) -> Head:
    """What detection looks at.

    >>> head_of(b'<a:alto xmlns:a="urn:x"/>', "p.xml")
    Head(suffix='.xml', root='alto', namespace='urn:x', text='<a:alto xmlns:a="urn:x"/>')
    """
    text = _beginning(data[:_SOME], encoding)
    suffix = os.path.splitext(source)[1].lower()  # noqa: PTH122  (a fifth of the time of a path)
    if not text.startswith("<"):
        return Head(suffix, None, "", text)
    found = _ROOT.match(text) or _ROOT.match(_beginning(data[:_MUCH], encoding))
    if not found:
        return Head(suffix, None, "", text)
    attribute = f"xmlns:{found['prefix']}" if found["prefix"] else "xmlns"
    spelled = re.search(rf"""(?<!\S){re.escape(attribute)}\s*=\s*["']([^"']*)""", found["attributes"])
    return Head(suffix, found["root"], spelled[1] if spelled else "", text)


def detect(data: bytes, source: str, formats: Iterable[Format], encoding: str | None = None) -> Format:
    """The first of the formats that a file is of.

    >>> from pagemeter.formats import formats
    >>> detect(b"<alto/>", "page.txt", formats()).name
    'alto'
    """
    if data.startswith(tuple(_BINARY)):
        what = next(what for magic, what in _BINARY.items() if data.startswith(magic))
        raise FormatError(f"{source}: {what}, not a page file; give the file with the text of the page")
    for (place, magic), protocol in _ARCHIVES.items():
        if data.startswith(magic, place):
            raise FormatError(
                f"{source}: an archive, not a page file; give the pages in it as {protocol}://::{source}, "
                "or unpack it"
            )
    if data.startswith(_LFS):
        raise FormatError(f"{source}: a Git LFS pointer, not the file itself; fetch it with git lfs pull")
    head = head_of(data, source, encoding)
    if not head.text and head.suffix in _MARKED:
        raise FormatError(f"{source}: the file is empty; get a complete copy")
    for known in formats:
        if known.matches(head) and not (known.name == "text" and _pretends(head)):
            return known
    raise FormatError(f"{source}: {_unknown(head)}")


def _beginning(data: bytes, encoding: str | None) -> str:
    """The text that bytes begin with, however damaged, without blanks before it."""
    if encoding is None:
        unmarked = "utf-16-le" if data[1:2] == b"\0" else "utf-16-be" if data[:1] == b"\0" else "utf-8"
        encoding = marked_encoding(data) or unmarked
    try:
        text = data.decode(encoding, "replace")
    except LookupError:  # the reader names the remedy
        text = data.decode("utf-8", "replace")
    return text.lstrip("\ufeff \t\r\n")


def _pretends(head: Head) -> bool:
    """Whether text stands in a file that must not hold plain text."""
    return head.suffix in _MARKED or head.text.startswith("<?xml")


def _unknown(head: Head) -> str:
    if head.root == "mets":
        return "METS, which names files and holds no page; give the folders of its files, or a table of pairs"
    if head.root is not None:
        return (
            f"root element {head.root!r} is of no known format; `pagemeter formats` lists them, or name one "
            "with --format"
        )
    if "\0" in head.text:
        return "a binary file; give the file with the text of the page"
    if head.text.startswith("<"):
        return "begins like XML but has no root element; get a complete copy"
    if "\n" not in head.text.strip() and "/" in head.text:
        text = head.text.strip()[:80]
        return f"text that reads {text!r}, likely a symbolic link kept as text; give its target"
    return f"the suffix {head.suffix} but no such content; read it as text with --format text"
