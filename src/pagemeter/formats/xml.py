"""Well-formed XML as a tree: nothing fetched, nothing expanded, one clear line where it cannot be read."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Any

from pagemeter.errors import FormatError
from pagemeter.formats.decoding import DECLARED, decode, marked_encoding

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pagemeter.formats.base import Notes

Element = Any
"""An element of lxml, which is imported only when a file is read."""

_WIDE = ("utf-16", "utf-32", "utf16", "utf32", "ucs", "iso-10646")

# How libxml2 numbers its errors, and what a reader can do about them.
_NO_ENTITIES = "entities are never expanded, for they can be bombs or read other files; write the characters"
_NO_MEMORY = 2
_REMEDIES = {
    4: "it holds no XML; get a complete copy",
    9: "a control character that XML forbids; remove it, or name the real encoding with --encoding",
    32: "an encoding that is not known; name the real one with --encoding",
    77: "the file is cut off; get a complete copy",
    81: "bytes that do not fit its encoding; name the real one with --encoding, such as --encoding latin-1",
    114: "it is nested too deeply or one value is too long for a page file",
}


class LocalNames(dict[str, str]):
    """Names without their namespace, each worked out once.

    >>> LocalNames()["{http://schema.primaresearch.org/PAGE}TextLine"]
    'TextLine'
    """

    def __missing__(self, tag: str) -> str:
        name = self[tag] = tag.rpartition("}")[2]
        return name


LOCAL = LocalNames()


@cache
def lxml() -> Any:  # noqa: ANN401  (a module)
    """The module `lxml.etree`, imported when it is first asked for.

    >>> lxml().fromstring("<a/>").tag
    'a'
    """
    from lxml import etree  # noqa: PLC0415  (only where a file is read)

    return etree


def parse(
    data: bytes,
    source: str,
    encoding: str | None = None,
    notes: Notes | None = None,
    *,
    mixed: bool = True,
) -> Element:
    """The root element of an XML file.

    Comments and processing instructions are left out. External files are never fetched and entities never
    expanded: a file that declares or uses its own is refused. Where text stands only in elements without
    children (`mixed` is false), the blanks between elements are left out too, which saves time.

    >>> parse(b"<a><b/></a>", "a.xml")[0].tag
    'b'
    """
    etree = lxml()
    data, encoding = _decoded(data, source, encoding, notes)
    parser = etree.XMLParser(
        encoding=encoding,
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        huge_tree=False,
        remove_comments=True,
        remove_blank_text=not mixed,
        remove_pis=True,  # collect_ids stays at its default: without it lxml loads external DTDs
    )
    try:
        root = etree.fromstring(data, parser)
    except etree.XMLSyntaxError as error:
        check_memory(error.error_log)
        raise FormatError(_explain(error, data, source)) from None
    if root.getroottree().docinfo.internalDTD is not None:
        _refuse_entities(root, source, etree)
    return root


def check_memory(error_log: Iterable[Any]) -> None:
    """Raises MemoryError where a parser stopped for want of memory: such a file may be well-formed.

    >>> check_memory(())
    """
    if any(entry.type == _NO_MEMORY for entry in error_log):
        raise MemoryError from None


def _decoded(data: bytes, source: str, encoding: str | None, notes: Notes | None) -> tuple[bytes, str | None]:
    """The bytes to parse and the encoding that overrules their declaration."""
    if encoding is not None:
        return decode(data, source, encoding).lstrip("\ufeff \t\r\n").encode(), "utf-8"
    if data[:1].isspace():
        data = data.lstrip()
        if notes is not None:
            notes.add("beginning", "blanks before the XML were skipped")
    declared = DECLARED.match(data[:200])
    name = declared[1].decode().lower() if declared else "utf-8"
    if name.startswith(_WIDE) and declared:
        raise FormatError(
            f"{source}: it declares {name} but is not written in it; name the real encoding with "
            "--encoding, for example --encoding utf-8"
        )
    if notes is not None and name not in ("utf-8", "utf8", "us-ascii", "ascii") and _looks_utf8(data):
        notes.add("XML declaration", f"declares {name}, but the bytes are also UTF-8: try --encoding utf-8")
    return data, None


def _looks_utf8(data: bytes) -> bool:
    if data.isascii() or marked_encoding(data):
        return False
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _refuse_entities(root: Element, source: str, etree: Any) -> None:  # noqa: ANN401  (a module)
    declared = next(root.getroottree().docinfo.internalDTD.iterentities(), None)
    used = next(root.iter(etree.Entity), None)
    name = declared.name if declared is not None else used.name if used is not None else None
    if name is not None:
        raise FormatError(f"{source}: entity {name!r}: {_NO_ENTITIES}")


def _explain(error: Any, data: bytes, source: str) -> str:  # noqa: ANN401  (lxml's error)
    """What lxml says of a file that is no XML, in one line with a remedy."""
    line, column = error.position
    said = re.sub(r",? ?line \d+, column \d+$", "", " ".join(str(error.msg).split()))[:120]
    if "entity" in said.lower():
        remedy = _NO_ENTITIES
    elif error.code in _REMEDIES:
        remedy = _REMEDIES[error.code]
    elif not data.rstrip(b"\0 \t\r\n").endswith(b">"):
        remedy = _REMEDIES[77]
    else:
        remedy = "it is not well-formed XML; mend it"
    return f"{source}: line {line}, column {column}: {said}: {remedy}"
