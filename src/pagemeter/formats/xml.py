"""Parse XML safely, and the helpers that all XML formats share.

Files are never fetched from elsewhere and entities never expanded. Trees are traversed without recursion.
"""

from __future__ import annotations

import re
from html.entities import html5
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

from lxml import etree

from pagemeter._kernel import count_bytes, parse_plain_xml
from pagemeter.errors import FormatError, TruncatedError
from pagemeter.formats.base import MAX_LABEL, check_page_count
from pagemeter.formats.coordinates import MAX_COORDINATE
from pagemeter.formats.plain import XML_DECLARATION, bom_encoding, decode, is_known_encoding

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pagemeter.formats.base import Notes

Element = Any
"""An element of lxml, or an `XmlElement` of the kernel, which has a part of its interface."""

_WIDE_ENCODINGS = ("utf-16", "utf-32", "utf16", "utf32", "ucs", "iso-10646")
_HTML_ENTITY = re.compile(rb"&([A-Za-z][A-Za-z0-9]{1,31});")
_XML_ENTITIES = frozenset((b"amp", b"lt", b"gt", b"quot", b"apos"))
_XML_ID = re.compile(rb"\sxml:id\s*=(?=\s*[\"'])")
_BEGINS_LIKE_ASCII = re.compile(rb"(?:\xef\xbb\xbf)?<[^\0]")
_LINE_END = re.compile(r"\r\n?|\n")

_MAX_NAMESPACE = 1_000  # characters

# Error numbers of libxml2.
_OUT_OF_MEMORY = 2
_CUT_OFF = 77
_DUPLICATE_ID = 513
# By the error number of libxml2: what is wrong, the remedy, and the setting in the remedy.
_EXPLANATIONS: dict[int, tuple[str, str, tuple[tuple[str, str], ...]]] = {
    4: ("the file contains no XML", "get a complete copy", ()),
    9: (
        "a control character that XML does not allow",
        "remove it, or name the real encoding, for example {}",
        (("encoding", "latin-1"),),
    ),
    32: ("unknown encoding", "name the real encoding, for example {}", (("encoding", "utf-8"),)),
    _CUT_OFF: ("the file is cut off", "get a complete copy", ()),
    81: (
        "bytes that are not valid in its encoding",
        "name the real encoding, for example {}",
        (("encoding", "latin-1"),),
    ),
    114: ("nested too deeply, or a value is too long for a page file", "repair the file", ()),
}
_NO_ENTITIES = "entities are never expanded, because they can exhaust the memory or read other files"


def parse_xml(
    data: bytes,
    source: str,
    encoding: str | None = None,
    notes: Notes | None = None,
    *,
    mixed: bool = True,
    duplicate_ids: bool = False,
    plain: bool = False,
) -> Element:
    """Parse an XML file and return its root element.

    Comments and processing instructions are dropped. A file that declares or uses its own entities is
    refused. If `mixed` is False, elements have either text or children, and the white space between elements
    is dropped as well, which saves time. If `duplicate_ids` is True, several elements may have the same
    xml:id, which then becomes an attribute id. If `plain` is True, the kernel parses a file that is written
    plainly, in a quarter of the time; elements are then of the type `XmlElement`.

    >>> parse_xml(b"<a><b/></a>", "a.xml")[0].tag
    'b'
    """
    checked, forced_encoding = _check_encoding(data, source, encoding, notes)
    if plain and (element := parse_plain_xml(checked)) is not None:
        return element
    parser = etree.XMLParser(
        encoding=forced_encoding,
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        huge_tree=False,
        remove_comments=True,
        remove_blank_text=not mixed,
        remove_pis=True,  # collect_ids stays at its default: without it lxml loads external DTDs
    )
    try:
        root = etree.fromstring(checked, parser)
    except etree.XMLSyntaxError as error:
        check_memory(error.error_log)
        if error.code != _DUPLICATE_ID or not duplicate_ids:
            raise _syntax_error(error, checked, source) from None
        if notes is not None:
            notes.add("xml:id", "several elements have the same id, and links refer to the first")
        return parse_xml(_XML_ID.sub(b" id=", data), source, encoding, notes, mixed=mixed)
    if root.getroottree().docinfo.internalDTD is not None:
        _refuse_entities(root, source)
    _refuse_long_namespaces(root, checked, source)
    return root


def check_memory(error_log: Iterable[Any]) -> None:
    """Raise MemoryError if the parser ran out of memory, because the file may be well-formed.

    >>> check_memory(())
    """
    if any(entry.type == _OUT_OF_MEMORY for entry in error_log):
        raise MemoryError from None


def _check_encoding(
    data: bytes, source: str, encoding: str | None, notes: Notes | None
) -> tuple[bytes, str | None]:
    """Return the bytes to parse, and the encoding that replaces the declared one."""
    if encoding is not None:
        return decode(data, source, encoding).lstrip("\ufeff \t\r\n").encode(), "utf-8"
    if data[:1].isspace():
        data = data.lstrip()
        if notes is not None:
            notes.add("beginning", "white space before the XML was skipped")
    declared = XML_DECLARATION.match(data[:200])
    name = declared[1].decode().lower() if declared else "utf-8"
    if name.startswith(_WIDE_ENCODINGS) and declared:
        raise FormatError(
            f"declares the encoding {name}, but is not written in it",
            source=source,
            remedy="name the real encoding, for example {}",
            settings=(("encoding", "utf-8"),),
        )
    if not is_known_encoding(name):
        raise FormatError(
            f"declares the encoding {name[:40]!r}, which is not known",
            source=source,
            element="XML declaration",
            remedy="name the real encoding, for example {}",
            settings=(("encoding", "utf-8"),),
        )
    if notes is not None and name not in ("utf-8", "utf8", "us-ascii", "ascii") and _is_utf8(data):
        notes.add(
            "XML declaration",
            f"declares the encoding {name}, but the bytes are also valid UTF-8",
            "if characters look wrong, try {}",
            (("encoding", "utf-8"),),
        )
    return data, None


def _is_utf8(data: bytes) -> bool:
    if data.isascii() or bom_encoding(data):
        return False
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _refuse_entities(root: Element, source: str) -> None:
    declared = next(root.getroottree().docinfo.internalDTD.iterentities(), None)
    used = next(root.iter(etree.Entity), None)
    name = declared.name if declared is not None else used.name if used is not None else None
    if name is not None:
        raise FormatError(
            _NO_ENTITIES, source=source, element=f"entity {name!r}", remedy="write the characters themselves"
        )


def _refuse_long_namespaces(root: Element, data: bytes, source: str) -> None:
    """Raise FormatError for a namespace of thousands of characters, which the tag of each element repeats."""
    for namespace in _declared_namespaces(root, data):
        if len(namespace) > _MAX_NAMESPACE:
            raise FormatError(
                f"a namespace with more than {_MAX_NAMESPACE:,} characters",
                source=source,
                element=f"namespace {namespace[:40]!r}",
                remedy="repair the file",
            )


def _declared_namespaces(root: Element, data: bytes) -> Iterable[str]:
    """Return the namespaces that the elements of a document declare."""
    is_utf8 = _BEGINS_LIKE_ASCII.match(data) and root.getroottree().docinfo.encoding.upper() == "UTF-8"
    # Every declaration in UTF-8 contains these bytes. Counting them takes a tenth of the time of a walk.
    if is_utf8 and count_bytes(data, b"xmlns") == len(root.nsmap):
        namespaces: dict[str | None, str] = root.nsmap
        return namespaces.values()
    return (namespace for _, (_, namespace) in etree.iterwalk(root, events=("start-ns",)))


def _syntax_error(error: Any, data: bytes, source: str) -> FormatError:  # noqa: ANN401  (from lxml)
    """Return the error for a file that is not well-formed, with the parser's message and a remedy."""
    line, column = error.position
    message = re.sub(r",? ?line \d+, column \d+$", "", " ".join(str(error.msg).split()))[:120]
    settings: tuple[tuple[str, str], ...] = ()
    if "entity" in message.lower():
        detail, remedy = _NO_ENTITIES, "write the characters themselves"
    elif error.code in _EXPLANATIONS:
        detail, remedy, settings = _EXPLANATIONS[error.code]
    elif not data.rstrip(b"\0 \t\r\n").endswith(b">"):
        detail, remedy, settings = _EXPLANATIONS[_CUT_OFF]
    else:
        detail, remedy = "not well-formed XML", "repair the file"
    is_cut_off = detail == _EXPLANATIONS[_CUT_OFF][0]
    return (TruncatedError if is_cut_off else FormatError)(
        f"{detail} ({message})" if message else detail,
        source=source,
        element=f"line {line}, column {column}",
        remedy=remedy,
        settings=settings,
    )


def replace_html_entities(data: bytes) -> bytes:
    """Replace the named characters of HTML, such as `&shy;`, by their numbers; XML knows only five names.

    Other names are left unchanged, and so are files in UTF-16, which contain no such bytes.

    >>> replace_html_entities(b"Still&shy; &amp; &own;")
    b'Still&#173; &amp; &own;'
    """
    return _HTML_ENTITY.sub(_numbered_entity, data) if b"&" in data else data


def _numbered_entity(match: re.Match[bytes]) -> bytes:
    name = match[1]
    characters = None if name in _XML_ENTITIES else html5.get(f"{name.decode('ascii')};")
    return match[0] if characters is None else "".join(f"&#{ord(sign)};" for sign in characters).encode()


_Key = TypeVar("_Key", str, str | None)
_Value = TypeVar("_Value")
_MAX_CACHED = 10_000  # values; only damaged files have as many tags or classes
_MAX_CACHED_KEY = 1_000  # characters


class ValueCache(dict[_Key, _Value], Generic[_Key, _Value]):
    """Values that are computed once for each tag or attribute; the number of values is limited."""

    def compute(self, key: _Key) -> _Value:
        """Return the value of a key."""
        raise NotImplementedError

    def __missing__(self, key: _Key) -> _Value:
        value = self.compute(key)
        if len(self) >= _MAX_CACHED:
            self.clear()
        if key is None or len(key) <= _MAX_CACHED_KEY:
            self[key] = value
        return value


class LocalNames(ValueCache[str, str]):
    """Local names of tags, without the namespace.

    >>> LocalNames()["{http://schema.primaresearch.org/PAGE}TextLine"]
    'TextLine'
    """

    def compute(self, key: str) -> str:
        """Return the local name of a tag."""
        return key.rpartition("}")[2]


LOCAL_NAMES = LocalNames()


class Visitor(Protocol):
    """The callbacks of `walk`."""

    def begin(self, element: Element) -> bool:
        """Handle the start of an element; return False to skip its content."""

    def text(self, text: str, inside: Element) -> None:
        """Handle text that is directly inside an element."""

    def end(self, element: Element) -> None:
        """Handle the end of an element whose content was not skipped."""


def walk(root: Element, visitor: Visitor) -> None:
    """Call a visitor for the elements and text inside `root`, in document order.

    >>> class Printer:
    ...     def begin(self, element):
    ...         return element.tag != "b"
    ...     def text(self, text, inside):
    ...         print(inside.tag, text)
    ...     def end(self, element):
    ...         print("end of", element.tag)
    >>> walk(parse_xml(b"<a>1<b>2</b>3<c>4</c></a>", "a.xml"), Printer())
    a 1
    a 3
    c 4
    end of c
    """
    walker = etree.iterwalk(root, events=("start", "end"))
    skipped = root
    for event, element in walker:
        if event == "start":
            if element is not root and not visitor.begin(element):
                walker.skip_subtree()
                skipped = element
            elif text := element.text:
                visitor.text(text, element)
        elif element is not root:
            if element is not skipped:
                visitor.end(element)
            if text := element.tail:
                visitor.text(text, element.getparent())


def check_pages(pages: Sequence[Element], name: str, root: Element, source: str) -> None:
    """Raise FormatError if a file has no page elements, which are called `name`, or too many."""
    if not pages:
        raise FormatError(
            f"has no {name} element",
            source=source,
            element=LOCAL_NAMES[root.tag],
            remedy="export the page again",
        )
    check_page_count(len(pages), source)


def element_label(element: Element) -> str:
    """Return the name and id of an element, for messages.

    >>> element_label(parse_xml(b'<TextLine id="l1"/>', "p.xml"))
    'TextLine l1'
    """
    name, element_id = LOCAL_NAMES[element.tag], element.get("id") or element.get("ID")
    return f"{name} {element_id[:MAX_LABEL]}" if element_id else name


def single_line(text: str, element: Element, notes: Notes) -> str:
    r"""Return the text of a line without line breaks: one at the end is removed, others become spaces.

    >>> single_line("one\n", None, None)
    'one'
    """
    if "\n" not in text and "\r" not in text:
        return text
    text, breaks = _LINE_END.subn(" ", text.rstrip("\r\n"))
    if breaks:
        notes.add(element_label(element), "line break inside the text of a line was replaced by a space")
    return text


def parse_size(size: str | None, element: Element, name: str, notes: Notes) -> int | None:
    """Return the width or height of a page in pixels, or None if it is missing or not positive.

    >>> parse_size("99.6", None, "imageWidth", None)
    100
    """
    if size is None:
        return None
    try:
        pixels = round(float(size))
    except (ValueError, OverflowError):
        pixels = 0
    if not 0 < pixels < MAX_COORDINATE:
        notes.add(f"{LOCAL_NAMES[element.tag]} {name}", f"{size[:40]!r} is not a size and was ignored")
        return None
    return pixels
