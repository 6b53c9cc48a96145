"""Plain text: encodings and control characters of files, and the format `text`.

In the format `text`, each line of the file is a line, and a form feed separates pages. Texts are often the
output of language models. A remark of a model about the page, and Markdown in plain text, give a warning. The
text is left unchanged and is measured.
"""

from __future__ import annotations

import codecs
import re
from functools import cache
from typing import TYPE_CHECKING

from pagemeter.errors import FormatError, UsageError
from pagemeter.formats.base import Notes, ReadOptions, check_page_count
from pagemeter.page import Line, Page, has_open_end, split_lines

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


# Encodings, byte order marks and control characters

# The longest come first, because the mark of UTF-32 begins with that of UTF-16.
_BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
# Unicode, and the encodings of scanned text on old systems.
_ENCODING_NAMES = """ascii utf-8 utf-8-sig utf-16 utf-16-le utf-16-be utf-32 utf-32-le utf-32-be
iso8859-1 iso8859-2 iso8859-3 iso8859-4 iso8859-5 iso8859-6 iso8859-7 iso8859-8 iso8859-9 iso8859-10
iso8859-11 iso8859-13 iso8859-14 iso8859-15 iso8859-16
cp1250 cp1251 cp1252 cp1253 cp1254 cp1255 cp1256 cp1257 cp1258 cp437 cp720 cp737 cp775 cp850 cp852 cp855
cp857 cp858 cp860 cp861 cp862 cp863 cp864 cp865 cp866 cp869 cp874 cp932 cp949 cp950
koi8-r koi8-u koi8-t kz1048 ptcp154 tis-620 mac-roman mac-latin2 mac-cyrillic mac-greek mac-iceland
mac-turkish mac-croatian mac-romanian
gb2312 gbk gb18030 big5 big5hkscs euc-jp euc-jis-2004 euc-jisx0213 shift-jis shift-jis-2004
shift-jisx0213 iso2022-jp iso2022-jp-1 iso2022-jp-2 iso2022-jp-3 iso2022-jp-2004 iso2022-jp-ext euc-kr
johab iso2022-kr cp037 cp273 cp424 cp500 cp875 cp1026 cp1140"""
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0e-\x1f\x7f]")
_SEPARATORS = "\x0b\x1c\x1d\x1e\x1f"
_WITHOUT_CONTROLS = {code: "" for code in range(0x80) if _CONTROL.match(chr(code))} | {
    ord(separator): " " for separator in _SEPARATORS
}

XML_DECLARATION = re.compile(rb"""\s*<\?xml[^>]*?\sencoding\s*=\s*["']([A-Za-z0-9._-]+)["']""")
"""An XML declaration; its group is the name of the encoding."""


def check_encoding(name: str) -> None:
    """Raise UsageError if a name is not that of a text encoding.

    >>> check_encoding("hex")
    Traceback (most recent call last):
    pagemeter.errors.UsageError: encoding='hex': unknown encoding. Use Unicode or a well-known ...
    """
    if not is_known_encoding(name):
        raise UsageError(
            "unknown encoding",
            setting=("encoding", name[:40]),
            remedy="use Unicode or a well-known older encoding, such as utf-8, latin-1, cp1252 or koi8-r",
        )


def is_known_encoding(name: str) -> bool:
    """Return True for Unicode and well-known older encodings, under any of their names.

    Python also has codecs that are not text encodings, such as hex, or that take quadratic time, such as
    punycode.

    >>> is_known_encoding("ISO-8859-1"), is_known_encoding("punycode")
    (True, False)
    """
    try:
        return codecs.lookup(name).name in _known_encodings()
    except (LookupError, ValueError):  # ValueError: a zero byte in the name
        return False


@cache
def _known_encodings() -> frozenset[str]:
    return frozenset(codecs.lookup(name).name for name in _ENCODING_NAMES.split())


def bom_encoding(data: bytes) -> str | None:
    """Return the encoding of the byte order mark at the beginning of a file, or None.

    >>> bom_encoding("a".encode("utf-16"))
    'utf-16'
    """
    return next((name for mark, name in _BYTE_ORDER_MARKS if data.startswith(mark)), None)


def verified_encoding(data: bytes) -> str | None:
    """Return the Unicode encoding that an XML file declares, if all its bytes are valid in it.

    The encoding is declared by a byte order mark, by the XML declaration, or by default. A declaration of a
    single-byte encoding proves nothing, because any bytes are valid in it.

    >>> verified_encoding("<a>é</a>".encode()), verified_encoding("<a>é</a>".encode("latin-1"))
    ('utf-8', None)
    """
    name = bom_encoding(data)
    if name is None and data.lstrip().startswith(b"<"):
        declared = XML_DECLARATION.match(data[:200])
        name = "utf-8" if not declared or declared[1].lower() in (b"utf-8", b"utf8") else None
    try:
        text = data.decode(name) if name else ""
    except UnicodeError:
        return None
    return name if text.lstrip("\ufeff \t\r\n").startswith("<") else None


def decode(data: bytes, source: str, encoding: str) -> str:
    r"""Decode bytes; the error names the first byte that is not valid in the encoding.

    >>> decode(b"caf\xe9", "a.txt", "latin-1")
    'café'
    """
    check_encoding(encoding)
    try:
        return data.decode(encoding)
    except UnicodeError as error:
        raise FormatError(
            f"not valid {encoding}",
            source=source,
            element=f"byte {error.start}" if isinstance(error, UnicodeDecodeError) else "",
            remedy="name the real encoding, for example {}",
            settings=(("encoding", "latin-1"),),
        ) from None


def decode_text(data: bytes, source: str, encoding: str | None) -> str:
    """Decode a text file in the given encoding, that of its byte order mark, or UTF-8.

    >>> decode_text("Straße".encode("utf-16"), "a.txt", None)
    'Straße'
    """
    if encoding is None:
        encoding = bom_encoding(data) or "utf-8"
        if encoding == "utf-8" and b"\0" in data[:1000]:
            raise FormatError(
                "a zero byte, which does not occur in UTF-8 text",
                source=source,
                element=f"byte {data.index(0)}",
                remedy="name the real encoding, for example {}",
                settings=(("encoding", "utf-16-le"),),
            )
    return decode(data, source, encoding).removeprefix("\ufeff")


def has_controls(text: str) -> bool:
    r"""Return True if a text has control characters other than tab, line feed, carriage return and form feed.

    >>> has_controls("a\tb"), has_controls("a\x01b")
    (False, True)
    """
    return _CONTROL.search(text) is not None


def without_controls(text: str, element: str, notes: Notes) -> str:
    r"""Remove the control characters from a text; those that separate words become spaces.

    >>> from pagemeter.formats.base import Notes
    >>> without_controls("a\x0bb\x01c", "line 1", Notes("a.txt"))
    'a bc'
    """
    if not has_controls(text):
        return text
    for control in sorted(set(_CONTROL.findall(text))):
        action = "replaced by a space" if control in _SEPARATORS else "removed"
        notes.add(element, f"control character U+{ord(control):04X} was {action}")
    return text.translate(_WITHOUT_CONTROLS)


# The format `text`

_TRANSCRIPT = r"\b(?:transcri\w+|ocr|text|contents?|markdown|output|page|image|document)\b"
_OPENING = re.compile(
    rf"""[\W_]*(?:
    (?:sure|certainly|absolutely|of\ course|okay|ok)\b[,.!]\s
    | here(?:['’]s|\ is|\ are)\ (?:the|your|an?|my)\b.*{_TRANSCRIPT}
    | (?:below|the\ following)\ is\ (?:the|your|an?|my)\b.*{_TRANSCRIPT}
    | (?:the\ )?(?:full\ |complete\ )?(?:transcription|(?:transcribed|extracted)\ text|ocr\ \w+)\b[^:]*:\W*\Z
    | i(?:['’]m|\ am)\ (?:sorry|unable|not\ able)\b | i\ (?:cannot|can['’]t)\b.*{_TRANSCRIPT} | as\ an\ ai\b
    )""",
    re.IGNORECASE | re.VERBOSE,
)
_CLOSING = re.compile(
    r"""[\W_]*(?:(?:please\ )?let\ me\ know\ if\b | i\ hope\ this\ helps\b | feel\ free\ to\ ask\b
    | (?:please\ )?note(?:\ that|:)\ .*\btranscri)""",
    re.IGNORECASE | re.VERBOSE,
)
_MARKDOWN = re.compile(
    r"^[ ]{0,3}(?:`{3}|~{3}|\#{1,6}[ ]\S|\|?[ ]*:?-{3,}:?[ ]*\|)|\*\*[^\s*][^*\n]*\*\*|<(?:table|br)\b",
    re.MULTILINE,
)


def read_text(data: bytes, source: str, options: ReadOptions) -> list[Page]:
    r"""Read the pages of a text file.

    >>> [len(page.lines) for page in read_text(b"one\ntwo\n\fthree\n\f", "a.txt", ReadOptions())]
    [2, 1]
    """
    return [_page(text, source) for text in split_pages(decode_text(data, source, options.encoding), source)]


def split_pages(text: str, source: str) -> list[str]:
    r"""Split a text at its form feeds; Tesseract writes one at the end of each page.

    >>> split_pages("one\n\ftwo\n\f", "a.txt")
    ['one\n', 'two\n']
    """
    check_page_count(text.count("\f"), source)
    pages = text.split("\f")
    if len(pages) > 1 and not pages[-1].strip():
        del pages[-1]
    return pages


def _page(text: str, source: str) -> Page:
    notes = Notes(source)
    texts = split_lines(text)
    if has_controls(text):
        numbers = [number for number, line in enumerate(texts) if has_controls(line)]
        for number in numbers:
            texts[number] = without_controls(texts[number], f"line {number + 1}", notes)
    note_chat_lines(texts, lambda index: f"line {index + 1}", notes)
    note_markdown(text, notes)
    blank = Line("")  # the same object for all, because a file may have a million blank lines
    lines = tuple([Line(line) if line else blank for line in texts])
    return Page(lines, source, warnings=notes.warnings(), open_end=has_open_end(text))


def note_chat_lines(texts: Sequence[str], label: Callable[[int], str], notes: Notes) -> None:
    """Warn if the first or last line is a model's remark on the page; `label` names the line at an index.

    >>> from pagemeter.formats.base import Notes
    >>> notes = Notes("a.txt")
    >>> note_chat_lines(["Here is the transcription:", "Chapter 1"], "line {}".format, notes)
    >>> notes.warnings()[0].element
    'line 0'
    """
    for pattern, indexes in ((_OPENING, range(len(texts))), (_CLOSING, range(len(texts) - 1, -1, -1))):
        filled = next((index for index in indexes if texts[index] and not texts[index].isspace()), None)
        if filled is not None and pattern.match(texts[filled]):
            notes.add(
                label(filled),
                "looks like a remark of a model about the page, but is counted as text of the page",
                "delete the line, or exclude it with {}",
                (("drop_lines", ""),),
            )


def note_markdown(text: str, notes: Notes) -> None:
    r"""Warn at the first Markdown markup in a text that is read as plain text.

    >>> from pagemeter.formats.base import Notes
    >>> notes = Notes("a.txt")
    >>> note_markdown("a\n```\nb\n```", notes)
    >>> notes.warnings()[0].element
    'line 2'
    """
    if match := _MARKDOWN.search(text):
        notes.add(
            f"line {text.count(chr(10), 0, match.start()) + 1}",
            "looks like Markdown, but its markup is counted as text",
            "read it as Markdown with {}",
            (("format", "markdown"),),
        )
