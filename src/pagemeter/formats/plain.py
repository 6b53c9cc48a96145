"""Plain text: one text line per line; a form feed separates pages.

Texts are often the output of language models. A remark of a model about the page, and Markdown in plain text,
give a warning. The text is left unchanged and is measured.
"""

from __future__ import annotations

import re
from collections import deque
from typing import TYPE_CHECKING

from pagemeter.formats.base import Notes, ReadOptions, check_page_count
from pagemeter.formats.decoding import decode_text, has_controls, without_controls
from pagemeter.page import Line, Page, has_open_end, split_lines

if TYPE_CHECKING:
    from collections.abc import Iterable

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
    note_chat_lines(((f"line {number}", line) for number, line in enumerate(texts, 1)), notes)
    note_markdown(text, notes)
    return Page(tuple(map(Line, texts)), source, warnings=notes.warnings(), open_end=has_open_end(text))


def note_chat_lines(lines: Iterable[tuple[str, str]], notes: Notes) -> None:
    """Warn if the first or last line is a model's remark on the page; lines are pairs of label and text.

    >>> from pagemeter.formats.base import Notes
    >>> notes = Notes("a.txt")
    >>> note_chat_lines([("line 1", "Here is the transcription:"), ("line 2", "Chapter 1")], notes)
    >>> notes.warnings()[0].element
    'line 1'
    """
    filled = ((label, text) for label, text in lines if text and not text.isspace())
    first = next(filled, None)
    last = deque(filled, maxlen=1)
    if first is not None and _OPENING.match(first[1]):
        _note_chat(first[0], notes)
    if last and _CLOSING.match(last[0][1]):
        _note_chat(last[0][0], notes)


def _note_chat(label: str, notes: Notes) -> None:
    notes.add(
        label,
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
