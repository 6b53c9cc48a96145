"""The text of PAGE elements: the TextEquiv that counts, its substitute, and the tags of Transkribus.

Element and attribute names are read in the present spelling and in that of 2009, such as `text_line`.
"""

from __future__ import annotations

import math
import re
from bisect import bisect_right
from dataclasses import replace
from functools import cache
from itertools import accumulate, product
from typing import TYPE_CHECKING, NamedTuple

from pagemeter._kernel import XmlElement
from pagemeter.formats.base import Notes
from pagemeter.formats.lines import ReadingBudget, mean, share, word, words_of_text
from pagemeter.formats.xml import Element, LocalNames, element_label, single_line
from pagemeter.page import NOTE_KINDS, Note, Reading, split_lines

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

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


def line_parts(line: Element) -> tuple[str | None, str, str | None, str, str, str] | None:
    """Return the id, custom, type, polygon, baseline and text of a line as most files write it.

    Such a line has Coords and Baseline with points, then one TextEquiv with nothing but Unicode, and was
    parsed by the kernel. None is returned for all others.
    """
    return line.line_parts() if isinstance(line, XmlElement) else None


def line_text(
    line: Element, equivs: Sequence[Element], words: Sequence[Element], level: Level | None, notes: Notes
) -> str:
    """Return the text of a line, or the text of its words if it has none or `level` is "word"."""
    text = (_content(equivs[0], line, notes) if len(equivs) == 1 else equiv_text(equivs, line, notes)) or ""
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
    label = element_label(element)
    texts = (_content(equiv, element, notes, label) for equiv in sorted(equivs, key=_index)[1:])
    return [single_line(text, element, notes) for text in texts if text and text.strip()]


def _index(equiv: Element) -> float:
    try:
        return int(equiv.get("index"))
    except (TypeError, ValueError):
        return math.inf


def _content(equiv: Element, element: Element, notes: Notes, label: str = "") -> str | None:
    """Return the content of Unicode, or of PlainText if Unicode is empty or missing."""
    text = plain = None
    children = equiv[:]
    if len(children) == 1 and PAGE_NAMES[children[0].tag] == "Unicode" and not len(children[0]):
        return children[0].text or ""
    for child in children:
        name = PAGE_NAMES[child.tag]
        if name == "Unicode":
            text = child.text or ""
            if len(child):
                text = "".join(child.itertext())
                notes.add(
                    label or element_label(element), "markup inside Unicode was removed, its text is kept"
                )
        elif name == "PlainText":
            plain = child.text
    if plain and not text:
        notes.add(label or element_label(element), "Unicode is empty or missing, so PlainText is used")
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


# Tags of Transkribus in the attribute `custom` of a line: remarks on parts of its text, and their readings.
#
#     unclear {offset:4; length:3;} gap {offset:9; length:0;} abbrev {offset:12; length:3; expansion:domino;}
#
# `unclear`, `gap` and `supplied` become notes. `abbrev` and `sic` have an edited reading, `expansion` and
# `correction`, which the option `choice` prefers and the option `readings` accepts.

_TAG = re.compile(r"(?<![\w-])([A-Za-z][\w-]*+)\s*+\{([^{}]*+)\}")
_ESCAPE = re.compile(r"\\u([0-9A-Fa-f]{4})")
_EDITED = {"abbrev": ("expan", "expansion"), "sic": ("corr", "correction")}
"""The tags with an edited reading: the name of the option, and the property with the reading."""
_NOTE_COST = 20  # characters, in which the size of a reading is counted


class _Change(NamedTuple):
    """A part of a line, and the text that the editor has for it."""

    begin: int
    end: int
    text: str


def tagged_line(  # noqa: PLR0917  (private to the package)
    text: str,
    custom: str,
    choice: str | None,
    label: str,
    notes: Notes,
    budget: ReadingBudget | None = None,
) -> tuple[Reading, tuple[Reading, ...]]:
    """Return the text of a line with its notes, and its further readings.

    Args:
        text: The text.
        custom: The attribute `custom` of the line.
        choice: The edited readings to prefer, separated by commas: "expan" and "corr".
        label: The name of the line in warnings.
        notes: Collects warnings.
        budget: Limits the readings of the tags that are not chosen; None to return no readings.

    >>> from pagemeter.formats.base import Notes
    >>> custom = "abbrev {offset:0; length:3; expansion:domino;} unclear {offset:4; length:2;}"
    >>> line, _ = tagged_line("dno ab", custom, "expan", "line", Notes("a.xml"))
    >>> line.text, line.notes[0].begin
    ('domino ab', 7)

    """
    remarks, chosen, others = _remarks_and_changes(text, custom, choice, label, notes)
    main = _changed(text, chosen, remarks)
    if budget is None or not (others or chosen):
        return main, ()
    changes = _apart(sorted([*chosen, *others]))
    size = len(text) + sum(len(change.text) + _NOTE_COST for change in changes) + _NOTE_COST * len(remarks)
    most = budget.most_readings(size)
    if 2 ** min(len(changes), 10) > most:
        budget.note_limit(most, label, notes)
        picks: list[tuple[bool, ...]] = [(False,) * len(changes), (True,) * len(changes)][:most]
    else:
        picks = list(product((False, True), repeat=len(changes)))
    budget.spend(len(picks), size)
    readings = (
        _changed(text, [change for change, is_used in zip(changes, pick, strict=True) if is_used], remarks)
        for pick in picks
    )
    return main, tuple(dict.fromkeys(reading for reading in readings if reading != main))


def _remarks_and_changes(
    text: str, custom: str, choice: str | None, label: str, notes: Notes
) -> tuple[list[Note], list[_Change], list[_Change]]:
    """Return what the tags of a line say: remarks, changes that are preferred, and other changes."""
    remarks: list[Note] = []
    chosen: list[_Change] = []
    others: list[_Change] = []
    places = _utf16_places(text)
    wanted = frozenset((choice or "").split(","))
    for name, properties in _tags(custom):
        try:
            begin = _offset(properties.get("offset", ""))
            end = places[begin + _offset(properties.get("length", "0"))]
            begin = places[begin]
        except (ValueError, IndexError):
            if name in _EDITED or name in NOTE_KINDS:
                notes.add(label, f"the tag {name} was ignored, because it is not within the text")
            continue
        remarks += [
            Note(kind, begin, end) for kind in NOTE_KINDS if kind == name and (begin < end or kind == "gap")
        ]
        option, key = _EDITED.get(name, ("", ""))
        if properties.get(key) and begin < end:
            (chosen if option in wanted else others).append(_Change(begin, end, properties[key]))
    return remarks, chosen, others


def _offset(digits: str) -> int:
    """Return a number of characters; ValueError if it is negative or not a number."""
    number = int(digits)
    if number < 0:
        raise ValueError("negative")
    return number


def _tags(custom: str) -> Iterator[tuple[str, dict[str, str]]]:
    for name, body in _TAG.findall(custom):
        pairs = (part.partition(":") for part in body.split(";") if ":" in part)
        yield (
            name,
            {
                key.strip(): _ESCAPE.sub(lambda code: chr(int(code[1], 16)), value.strip())
                for key, _, value in pairs
            },
        )


def _utf16_places(text: str) -> Sequence[int]:
    """Return the character at each offset of Transkribus, which counts UTF-16 code units."""
    if text.isascii() or all(ord(c) <= 0xFFFF for c in text):  # noqa: PLR2004
        return range(len(text) + 1)
    return [*(i for i, c in enumerate(text) for _ in range(1 + (ord(c) > 0xFFFF))), len(text)]  # noqa: PLR2004


def _apart(changes: Sequence[_Change]) -> list[_Change]:
    """Return the changes that do not overlap an earlier one."""
    apart: list[_Change] = []
    for change in changes:
        if not apart or change.begin >= apart[-1].end:
            apart.append(change)
    return apart


def _changed(text: str, changes: Sequence[_Change], remarks: Sequence[Note]) -> Reading:
    """Return a text with changes, and the notes moved with it."""
    apart = _apart(sorted(changes))

    ends = [change.end for change in apart]
    shifts = [0, *accumulate(len(other) - (end - begin) for begin, end, other in apart)]

    def moved(position: int) -> int:
        index = bisect_right(ends, position)  # the changes before it end at or before the position
        inside = position - apart[index].begin if index < len(apart) else 0
        if inside > 0:
            return apart[index].begin + shifts[index] + min(inside, len(apart[index].text))
        return position + shifts[index]

    parts, position = [], 0
    for begin, end, other in apart:
        parts += [text[position:begin], other]
        position = end
    notes = [replace(note, begin=moved(note.begin), end=moved(note.end)) for note in remarks]
    return Reading("".join((*parts, text[position:])), tuple(sorted(notes, key=lambda note: note.begin)))
