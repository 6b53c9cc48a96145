"""Texts that a model wrote: hints at what is no text of the page, which stays and is measured."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pagemeter.formats.base import Notes

_WHAT = r"\b(?:transcri\w+|ocr|text|contents?|markdown|output|page|image|document)\b"
_OPENING = re.compile(
    rf"""[\W_]*(?:
    (?:sure|certainly|absolutely|of\ course|okay|ok)\b[,.!]\s
    | here(?:['’]s|\ is|\ are)\ (?:the|your|an?|my)\b.*{_WHAT}
    | (?:below|the\ following)\ is\ (?:the|your|an?|my)\b.*{_WHAT}
    | (?:the\ )?(?:full\ |complete\ )?(?:transcription|(?:transcribed|extracted)\ text|ocr\ \w+)\b[^:]*:\W*\Z
    | i(?:['’]m|\ am)\ (?:sorry|unable|not\ able)\b | i\ (?:cannot|can['’]t)\b.*{_WHAT} | as\ an\ ai\b
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
_SAID = (
    "reads like the words of a model about the page, which count as text of it unless they are deleted, or "
    "left out with --drop-lines"
)
_MARKS = "looks like Markdown, whose marks are measured as text; read it as what it is with --format markdown"


def note_answer(lines: Iterable[tuple[str, str]], notes: Notes) -> None:
    """Notes a first or last line that is no text of the page; lines are told with their place.

    >>> from pagemeter.formats.base import Notes
    >>> notes = Notes("a.txt")
    >>> note_answer([("line 1", "Here is the transcription:"), ("line 2", "Chapter 1")], notes)
    >>> notes.warnings()[0].element
    'line 1'
    """
    filled = [(place, text) for place, text in lines if text.strip()]
    if filled and _OPENING.match(filled[0][1]):
        notes.add(filled[0][0], _SAID)
    if len(filled) > 1 and _CLOSING.match(filled[-1][1]):
        notes.add(filled[-1][0], _SAID)


def note_markdown(text: str, notes: Notes) -> None:
    r"""Notes the first mark of Markdown in a text that is read as it is.

    >>> from pagemeter.formats.base import Notes
    >>> notes = Notes("a.txt")
    >>> note_markdown("a\n```\nb\n```", notes)
    >>> notes.warnings()[0].element
    'line 2'
    """
    if found := _MARKDOWN.search(text):
        notes.add(f"line {text.count(chr(10), 0, found.start()) + 1}", _MARKS)
