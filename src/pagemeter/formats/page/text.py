"""The text of PAGE elements: the choice of a TextEquiv, and the substitute if there is none.

Element and attribute names are read in the present spelling and in that of 2009, such as `text_line`.
"""

from __future__ import annotations

import math
import re
from functools import cache
from typing import TYPE_CHECKING

from pagemeter.formats.base import Notes
from pagemeter.formats.words import mean, share, word, words_of_text
from pagemeter.formats.xml import Element, LocalNames, element_label, single_line
from pagemeter.page import split_lines

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pagemeter.formats.base import Level
    from pagemeter.page import Word


class _PageNames(LocalNames):
    """Names of elements without the namespace, in the present spelling."""

    def compute(self, key: str) -> str:
        return "".join(word[:1].upper() + word[1:] for word in super().compute(key).split("_"))


PAGE_NAMES = _PageNames()
"""Names of elements by their tags: `text_line` of 2009 is TextLine as well."""


def get_attribute(element: Element, name: str) -> str | None:
    """Return an attribute in the present spelling or in that of 2009, or None.

    >>> get_attribute({"image_width": "100"}, "imageWidth")
    '100'
    """
    value: str | None = element.get(name)
    return element.get(_spelling_of_2009(name)) if value is None else value


@cache
def _spelling_of_2009(name: str) -> str:
    return re.sub("[A-Z]", lambda letter: f"_{letter[0].lower()}", name)


def line_text(
    line: Element, equivs: Sequence[Element], words: Sequence[Element], level: Level | None, notes: Notes
) -> str:
    """Return the text of a line, or the text of its words if it has none or `level` is "word"."""
    text = equiv_text(equivs, line, notes) or ""
    if level != "word" and (not words or text.strip()):
        return single_line(text, line, notes)
    joined = " ".join(filter(None, [_word_text(word, notes) for word in words]))
    if level == "word" and text.strip() and not joined:
        notes.add(element_label(line), "has text but no word with text, and was skipped as requested")
    elif level == "line" and joined:
        notes.add(
            element_label(line),
            "has words with text but no text of its own: words are not read, as requested",
        )
    elif level is None and joined:
        notes.add(element_label(line), "has no text of its own, so the text of its words is used")
    return single_line(text if level == "line" else joined, line, notes)


def region_lines(text: str) -> list[str]:
    r"""Split the text of a region into lines, without the blank ones.

    >>> region_lines("one\r\ntwo\n\n")
    ['one', 'two']
    """
    return [line for line in split_lines(text) if line.strip()]


def equiv_text(equivs: Sequence[Element], element: Element, notes: Notes) -> str | None:
    """Return the text of the TextEquiv with the lowest index, or None if there is none.

    A TextEquiv without an index comes last: LAREX writes an empty one next to the ground truth at index 0.
    """
    if len(equivs) == 1:
        return _content(equivs[0], element, notes)
    if not equivs:
        return None
    equiv = first_equiv(equivs)
    if sum(_index(other) == _index(equiv) for other in equivs) > 1:
        notes.add(element_label(element), "several TextEquiv have the lowest index, so the first is used")
    return _content(equiv, element, notes)


def first_equiv(equivs: Sequence[Element]) -> Element:
    """Return the TextEquiv with the lowest index."""
    return min(equivs, key=_index)


def other_texts(equivs: Sequence[Element], element: Element, notes: Notes) -> list[str]:
    """Return the texts of all TextEquiv but the one that counts, in the order of their indices."""
    texts = (_content(equiv, element, notes) for equiv in sorted(equivs, key=_index)[1:])
    return [single_line(text, element, notes) for text in texts if text and text.strip()]


def _index(equiv: Element) -> float:
    try:
        return int(equiv.get("index"))
    except (TypeError, ValueError):
        return math.inf


def _content(equiv: Element, element: Element, notes: Notes) -> str | None:
    """Return the content of Unicode, or of PlainText if Unicode is empty or missing."""
    text = plain = None
    for child in equiv[:]:
        name = PAGE_NAMES[child.tag]
        if name == "Unicode":
            text = child.text or ""
            if len(child):
                text = "".join(child.itertext())
                notes.add(element_label(element), "markup inside Unicode was removed, its text is kept")
        elif name == "PlainText":
            plain = child.text
    if plain and not text:
        notes.add(element_label(element), "Unicode is empty or missing, so PlainText is used")
        return str(plain)
    return text


def read_words(line: str, equivs: Sequence[Element], words: Sequence[Element]) -> tuple[Word, ...]:
    """Return the words of a line with their confidences.

    A word without a confidence has the mean of its glyphs. If a line has no words with text, each word of its
    text has the confidence of the line.

    Args:
        line: The text of the line.
        equivs: The TextEquiv elements of the line.
        words: Its Word elements.

    """
    scratch = Notes("")  # the reader of the line reports what it finds
    read = [one for element in words if (one := _read_word(element, scratch)).text]
    return tuple(read) or words_of_text(line, share(first_equiv(equivs).get("conf")) if equivs else None)


def _read_word(element: Element, notes: Notes) -> Word:
    polygon = baseline = None
    confidences: list[float | None] = []
    equivs: list[Element] = []
    for child in element:
        name = PAGE_NAMES[child.tag]
        if name == "TextEquiv":
            equivs.append(child)
        elif name == "Coords":
            polygon = points_text(child)
        elif name == "Baseline":
            baseline = points_text(child)
        elif name == "Glyph":
            confidences.append(_own_confidence(child))
    own = share(first_equiv(equivs).get("conf")) if equivs else None
    return word(_word_text(element, notes), mean(confidences) if own is None else own, polygon, baseline)


def _own_confidence(element: Element) -> float | None:
    equivs = [child for child in element if PAGE_NAMES[child.tag] == "TextEquiv"]
    return share(first_equiv(equivs).get("conf")) if equivs else None


def points_text(element: Element) -> str:
    """Return the points of Coords or Baseline: an attribute, or Point elements in files of 2009 and 2010."""
    text: str | None = element.get("points")
    if text is None:
        return " ".join([f"{point.get('x')},{point.get('y')}" for point in element])
    return text


def _word_text(word: Element, notes: Notes) -> str:
    """Return the text of a word, or of its glyphs if it has none."""
    equivs = [child for child in word if PAGE_NAMES[child.tag] == "TextEquiv"]
    text = equiv_text(equivs, word, notes)
    if text:
        return text.strip()
    glyphs = [child for child in word if PAGE_NAMES[child.tag] == "Glyph"]
    return "".join(_word_text(glyph, notes) for glyph in glyphs)
