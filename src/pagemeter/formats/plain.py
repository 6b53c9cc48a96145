"""Plain text: one line a line; a form feed separates pages."""

from __future__ import annotations

import re

from pagemeter.errors import FormatError
from pagemeter.formats.base import Format, Head, Notes, ReadOptions
from pagemeter.formats.decoding import decode, marked_encoding
from pagemeter.page import Line, Page

_LINE_END = re.compile(r"\r\n?|\n")
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0e-\x1f\x7f]")
_PARTING = "\x0b\x1c\x1d\x1e\x1f"


def matches(head: Head) -> bool:
    """Whether it is text of any kind: the format of last resort.

    >>> matches(Head(".txt", None, "", "a line"))
    True
    """
    return "\0" not in head.text


def read(data: bytes, source: str, options: ReadOptions) -> list[Page]:
    r"""The pages of a text file.

    >>> [len(page.lines) for page in read(b"one\ntwo\n\fthree\n\f", "a.txt", ReadOptions())]
    [2, 1]
    """
    pages = text_of(data, source, options.encoding).split("\f")
    if len(pages) > 1 and not pages[-1].strip():  # Tesseract ends each page with a form feed
        del pages[-1]
    return [_page(text, source) for text in pages]


def text_of(data: bytes, source: str, encoding: str | None) -> str:
    """The text of a file: in UTF-8, in what its byte order mark says, or in the encoding named.

    >>> text_of("Straße".encode("utf-16"), "a.txt", None)
    'Straße'
    """
    if encoding is None:
        encoding = marked_encoding(data) or "utf-8"
        if encoding == "utf-8" and b"\0" in data[:1000]:
            raise FormatError(
                f"{source}: byte {data.index(0)}: a zero byte, which no text in UTF-8 has; "
                "name the real encoding with --encoding, for example --encoding utf-16-le"
            )
    return decode(data, source, encoding).removeprefix("\ufeff")


def lines_of(text: str) -> list[str]:
    r"""The lines of a text, which only LF, CR LF and CR end; the last line end begins no new line.

    >>> lines_of("one\r\n\u2028two\n")
    ['one', '\u2028two']
    """
    lines = _LINE_END.split(text)
    if not lines[-1]:
        del lines[-1]
    return lines


def without_controls(text: str, element: str, notes: Notes) -> str:
    r"""A text without control characters: those that part words become blanks, the others vanish.

    >>> without_controls("a\x0bb\x01c", "line 1", Notes("a.txt"))
    'a bc'
    """
    if not _CONTROL.search(text):
        return text
    for found in sorted(set(_CONTROL.findall(text))):
        done = "read as a blank" if found in _PARTING else "removed"
        notes.add(element, f"control character U+{ord(found):04X}: {done}")
    return _CONTROL.sub(lambda found: " " if found[0] in _PARTING else "", text)


def _page(text: str, source: str) -> Page:
    from pagemeter.formats.answers import note_answer, note_markdown  # noqa: PLC0415  (only for files)

    notes = Notes(source)
    texts = lines_of(text)
    if _CONTROL.search(text):
        texts = [without_controls(line, f"line {at}", notes) for at, line in enumerate(texts, 1)]
    note_answer(((f"line {at}", line) for at, line in enumerate(texts, 1)), notes)
    note_markdown(text, notes)
    return Page(tuple(map(Line, texts)), source, warnings=notes.warnings())


FORMAT = Format("text", "plain text, one line a line; a form feed separates pages", matches, read)
