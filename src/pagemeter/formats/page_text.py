"""The text of PAGE elements: which TextEquiv counts, and what stands in where there is none."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING

from pagemeter.formats.page_names import NAMES
from pagemeter.formats.xml import LOCAL, Element

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pagemeter.formats.base import Level, Notes

_LINE_END = re.compile(r"\r\n?|\n")


def name_of(element: Element) -> str:
    """What a warning calls an element: its name and id.

    >>> from pagemeter.formats.xml import parse
    >>> name_of(parse(b'<TextLine id="l1"/>', "p.xml"))
    'TextLine l1'
    """
    name, ident = LOCAL[element.tag], element.get("id") or element.get("ID")
    return f"{name} {ident}" if ident else name


def one_line(text: str, element: Element, notes: Notes) -> str:
    """A line's text without line ends: one at its end is dropped, one inside is read as a blank."""
    if "\n" not in text and "\r" not in text:
        return text
    text, ends = _LINE_END.subn(" ", text.rstrip("\r\n"))
    if ends:
        notes.add(name_of(element), "line end inside the text of a line: read as a blank")
    return text


def equiv_text(equivs: Sequence[Element], element: Element, notes: Notes) -> str | None:
    """The text of the TextEquiv with the lowest index, or None where there is none.

    A TextEquiv without an index comes last: LAREX leaves an empty one beside the ground truth at index 0.
    """
    if len(equivs) == 1:
        return _content(equivs[0], element, notes)
    if not equivs:
        return None
    equiv = min(equivs, key=_index)
    if sum(_index(other) == _index(equiv) for other in equivs) > 1:
        notes.add(name_of(element), "several TextEquiv with the lowest index: the first is taken")
    return _content(equiv, element, notes)


def line_text(
    line: Element, equivs: Sequence[Element], words: Sequence[Element], level: Level | None, notes: Notes
) -> str:
    """The text of a line: its own, or where it has none (or level is "word") that of its words."""
    text = equiv_text(equivs, line, notes) or ""
    if level != "word" and (not words or text.strip()):
        return one_line(text, line, notes)
    joined = " ".join(filter(None, [_word_text(word, notes) for word in words]))
    if level == "word" and text.strip() and not joined:
        notes.add(name_of(line), "has text but no word with text: left out as asked")
    elif level == "line" and joined:
        notes.add(name_of(line), "has words with text but no text of its own: left out as asked")
    elif level is None and joined:
        notes.add(name_of(line), "has no text of its own: the text of its words is taken")
    return one_line(text if level == "line" else joined, line, notes)


def region_lines(text: str) -> list[str]:
    r"""The lines of a region's text; blank ones say nothing and are not lines.

    >>> region_lines("one\r\ntwo\n\n")
    ['one', 'two']
    """
    return [line for line in _LINE_END.split(text) if line.strip()]


def _index(equiv: Element) -> float:
    try:
        return int(equiv.get("index"))
    except (TypeError, ValueError):
        return math.inf


def _content(equiv: Element, element: Element, notes: Notes) -> str | None:
    """What Unicode says; PlainText only where Unicode says nothing."""
    text = plain = None
    for child in equiv[:]:
        name = NAMES[child.tag]
        if name == "Unicode":
            text = child.text or ""
            if len(child):
                text = "".join(child.itertext())
                notes.add(name_of(element), "markup inside Unicode: only its text is taken")
        elif name == "PlainText":
            plain = child.text
    if plain and not text:
        notes.add(name_of(element), "Unicode is empty or missing: PlainText is taken")
        return str(plain)
    return text


def _word_text(word: Element, notes: Notes) -> str:
    """The text of a word, or of its glyphs where it has none."""
    equivs = [child for child in word if NAMES[child.tag] == "TextEquiv"]
    text = equiv_text(equivs, word, notes)
    if text:
        return text.strip()
    glyphs = [child for child in word if NAMES[child.tag] == "Glyph"]
    return "".join(_word_text(glyph, notes) for glyph in glyphs)
