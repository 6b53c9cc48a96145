"""Remarks of editors in TEI, and the choice between the readings of a text.

A reader puts codes around the parts of a line. The codes are noncharacters of Unicode, which no file may
contain. `parse_marked` returns the text without them, its notes, and the further readings of the line.

By default the original reading counts (`abbr`, `orig`, `sic`), and text that an editor added is not read. The
options choose the edited one of each pair instead, or accept all of them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import chain, product, repeat
from typing import TYPE_CHECKING, NamedTuple

from pagemeter.formats.base import split_names
from pagemeter.formats.xml import LOCAL_NAMES, Element
from pagemeter.page import Note, Reading

if TYPE_CHECKING:
    from pagemeter.formats.base import Notes, ReadOptions
    from pagemeter.formats.lines import ReadingBudget
    from pagemeter.page import NoteKind

# Codes in the text of a line

GAP_BEGIN, GAP_END = "\ufdd0", "\ufdd1"
"""Around the number of characters in a gap, which may be empty."""
UNCLEAR, UNCLEAR_END = "\ufdd2", "\ufdd3"
SUPPLIED, SUPPLIED_END = "\ufdd4", "\ufdd5"
"""Around text that is not part of the line."""
CHOICE, MAIN, OTHER, CHOICE_END = "\ufdd6", "\ufdd7", "\ufdd8", "\ufdd9"
"""Around several readings; each begins with `MAIN` or `OTHER`."""

_CODES = re.compile("[\ufdd0-\ufdef]")
_CHOICE_CODES = re.compile(f"([{CHOICE}{MAIN}{OTHER}{CHOICE_END}])")
_CODE_COST = 20  # characters, in which the size of a reading is counted
_ELLIPSIS = "…"


def has_codes(text: str) -> bool:
    """Return True if a text has codes."""
    return not text.isascii() and _CODES.search(text) is not None


def without_codes(text: str) -> str:
    """Return a text without noncharacters that a file has by mistake."""
    return _CODES.sub("", text) if has_codes(text) else text


def parse_marked(
    text: str, label: str, notes: Notes, budget: ReadingBudget
) -> tuple[Reading, tuple[Reading, ...]]:
    r"""Return the text of a line and its further readings; runs of white space become one space.

    >>> from pagemeter.formats.base import Notes
    >>> from pagemeter.formats.lines import ReadingBudget
    >>> notes, budget = Notes("a.xml"), ReadingBudget(0)
    >>> parse_marked("two \ufdd0\ufdd1 dots", "line", notes, budget)[0]
    Reading(text='two dots', notes=(Note(kind='gap', begin=3, end=3, characters=None, text=' …'),))
    >>> parts = "\ufdd6\ufdd7vnd\ufdd8und\ufdd9 so"
    >>> [reading.text for reading in parse_marked(parts, "line", notes, budget)[1]]
    ['und so']
    """
    main, *others = map(_parse, _readings(text, label, notes, budget))
    return main, tuple(dict.fromkeys(other for other in others if other != main))


class _Parts(NamedTuple):
    """A text as its last part and the parts before it, so that many texts share their beginnings."""

    before: _Parts | None
    last: _Parts | str | None

    def text(self) -> str:
        """Return the parts as one string."""
        parts: list[str] = []
        stack: list[_Parts | str | None] = [self]
        while stack:
            part = stack.pop()
            if isinstance(part, str):
                parts.append(part)
            elif part is not None:
                stack += part
        return "".join(reversed(parts))


def _readings(text: str, label: str, notes: Notes, budget: ReadingBudget) -> list[str]:
    """Return the text once per combination of its alternatives; the first has all main readings."""
    if CHOICE not in text:
        return [text]
    size = len(text) + _CODE_COST * len(_CODES.findall(text))
    most = budget.most_readings(size)
    # For each open choice, its options: whether an option is the main one, and its texts.
    stack: list[list[tuple[bool, list[_Parts | None]]]] = [[(True, [None])]]
    ends = repeat(CHOICE_END, text.count(CHOICE))  # of choices that are not closed in this line
    for part in chain(_CHOICE_CODES.split(text), ends):
        if part == CHOICE:
            stack.append([])
        elif part in (MAIN, OTHER):
            if len(stack) > 1:
                stack[-1].append((part == MAIN, [None]))
        elif part == CHOICE_END:
            if len(stack) > 1 and not _close(stack, most):
                budget.note_limit(most, label, notes)
        elif part and stack[-1]:
            texts = stack[-1][-1][1]
            texts[:] = [_Parts(one, part) for one in texts]
    readings = [_Parts(one, None).text() for one in stack[0][0][1]]
    budget.spend(len(readings), size)
    return readings


def _close(stack: list[list[tuple[bool, list[_Parts | None]]]], most: int) -> bool:
    """Append the alternatives of the innermost choice to the text around it; return False if too many."""
    choice = sorted(stack.pop(), key=lambda option: not option[0])
    alternatives = [text for _, texts in choice for text in texts] or [None]
    outer = stack[-1]
    if not outer:
        return True
    texts = outer[-1][1]
    if len(texts) * len(alternatives) > most:
        others = (_Parts(text, alternatives[-1]) for text in texts[1:])
        texts[:] = [_Parts(texts[0], alternatives[0]), *others]
        return False
    texts[:] = [_Parts(before, one) for before, one in product(texts, alternatives)]
    return True


@dataclass(slots=True)
class _Insertion:
    """Something that is not part of the text: a gap or supplied text."""

    kind: NoteKind
    position: int
    core: str
    characters: int | None = None
    before: bool = False  # whether a space is before it
    after: bool = False

    def note(self) -> Note:
        """Return the note; a gap without spaces around it needs no text."""
        spaced = " " * self.before + self.core + " " * self.after
        text = "" if self.kind == "gap" and spaced == _ELLIPSIS else spaced
        return Note(self.kind, self.position, self.position, self.characters, text)


def _parse(text: str) -> Reading:
    return _Parser(text).read()


class _Parser:
    """Reads one reading character by character."""

    def __init__(self, text: str) -> None:
        self._text, self._position = text, 0
        self._out: list[str] = []
        self._notes: list[Note] = []
        self._insertions: list[_Insertion] = []
        self._waiting: _Insertion | None = None  # the last insertion, if no character has followed
        self._pending = False  # white space after the last character or insertion
        self._unclear: int | None = None

    def read(self) -> Reading:
        """Return the reading without its codes."""
        while self._position < len(self._text):
            c = self._text[self._position]
            self._position += 1
            if c.isspace():
                self._pending = True
            elif c in (GAP_BEGIN, SUPPLIED):
                self._insert(c)
            elif c == UNCLEAR:
                begin = len(self._out) + (self._pending and bool(self._out))
                self._unclear = begin if self._unclear is None else self._unclear
            elif c == UNCLEAR_END:
                self._end_unclear()
            elif not _CODES.match(c):
                self._add(c)
        self._end_unclear()
        notes = [*self._notes, *(insertion.note() for insertion in self._insertions)]
        return Reading("".join(self._out), tuple(sorted(notes, key=lambda note: (note.begin, note.end))))

    def _insert(self, code: str) -> None:
        end = self._text.find(GAP_END if code == GAP_BEGIN else SUPPLIED_END, self._position)
        end = len(self._text) if end < 0 else end
        inner = self._text[self._position : end]
        self._position = end + 1
        is_gap = code == GAP_BEGIN
        core = _ELLIPSIS if is_gap else " ".join(without_codes(inner).split())
        if not core:
            self._pending = self._pending or bool(inner)
            return
        self._waiting = _Insertion("gap" if is_gap else "supplied", len(self._out), core)
        self._waiting.characters = int(inner) if is_gap and inner.isdigit() else None
        spaced = self._pending or (not is_gap and inner[0].isspace())
        self._waiting.before = spaced and bool(self._out or self._insertions)
        self._pending = not is_gap and inner[-1].isspace()
        self._insertions.append(self._waiting)

    def _end_unclear(self) -> None:
        if self._unclear is not None and self._unclear < len(self._out):
            self._notes.append(Note("unclear", self._unclear, len(self._out)))
        self._unclear = None

    def _add(self, c: str) -> None:
        waiting = self._waiting
        if self._out and (self._pending or (waiting and waiting.before)):
            self._out.append(" ")
            if waiting and not self._pending:  # the space is before the insertion only
                waiting.before, waiting.position = False, len(self._out)
        elif waiting and self._pending:  # at the beginning of the line
            waiting.after = True
        self._waiting, self._pending = None, False
        self._out.append(c)


# Elements

_EDITED = {"abbr": "expan", "am": "ex", "orig": "reg", "sic": "corr"}
_ORIGINAL = {edited: original for original, edited in _EDITED.items()}
READINGS = frozenset((*_EDITED, *_ORIGINAL, "lem", "rdg", "unclear", "choice", "seg"))
"""Elements that are readings in `choice` and `app`."""
_WITHOUT_TEXT = split_names("teiHeader facsimile standOff xenoData interp interpGrp certainty index")
EDITORIAL_TEXT = {
    "supplied": "supplied text is not on the page, and was skipped",
    "ex": "letters of an abbreviation that the editor expanded were skipped",
    "am": "signs of an abbreviation were skipped, because expansions were asked for",
    "figDesc": "the description of a figure was skipped",
    "desc": "a description was skipped",
}
"""Elements whose text is not read, with the warning for each."""


class Choices:
    """Which readings count.

    >>> from pagemeter.formats.base import Notes, ReadOptions
    >>> from pagemeter.formats.xml import parse_xml
    >>> choice = parse_xml(b"<choice><orig>vnd</orig><reg>und</reg></choice>", "a.xml")
    >>> for options in (ReadOptions(), ReadOptions(choice="reg")):
    ...     print([Choices(options).is_on_page(one, "line", Notes("a.xml"), {}) for one in choice])
    [True, False]
    [False, True]
    """

    def __init__(self, options: ReadOptions) -> None:
        chosen = frozenset((options.choice or "").split(","))
        self.all_readings = options.readings == "all"
        self._wanted = {
            name
            for original, edited in _EDITED.items()
            for name in [edited if {edited, {"ex": "expan"}.get(edited)} & chosen else original]
        }

    def is_hidden(self, element: Element) -> bool:
        """Return True if the text of an element is not read, but milestones in it are."""
        name = LOCAL_NAMES[element.tag]
        if name not in ("ex", "am"):
            return name in EDITORIAL_TEXT
        return name not in self._wanted and not (self.all_readings and _is_in_choice(element))

    def is_on_page(
        self, element: Element, label: str, notes: Notes, readings: dict[Element, Element | None]
    ) -> bool:
        """Return True if the text of an element is the reading that counts.

        `readings` stores the reading of each choice and apparatus.
        """
        name = LOCAL_NAMES[element.tag]
        parent = element.getparent()
        parent_name = "" if parent is None else LOCAL_NAMES[parent.tag]
        if parent is not None and parent_name == "choice":
            if parent not in readings:
                readings[parent] = self._of_choice(parent)
            chosen = readings[parent]
            if chosen is not None and not self.all_readings and LOCAL_NAMES[chosen.tag] in self._wanted:
                return name in self._wanted
            return _is_chosen(element, parent, chosen, label, notes, "choice has no orig, sic or abbr")
        if parent is not None and parent_name == "app":
            if parent not in readings:
                readings[parent] = next(parent.iterchildren("{*}lem"), None)
            is_chosen = _is_chosen(
                element, parent, readings[parent], label, notes, "the apparatus has no lem"
            )
            if not is_chosen and not self.all_readings:
                notes.add(label, "other readings of an apparatus were skipped")
            return is_chosen
        if name in _ORIGINAL and name != "ex" and name not in self._wanted:
            notes.add(label, f"only the edited reading ({name}) is in the file, and is used")
        return name not in _WITHOUT_TEXT

    def _of_choice(self, choice: Element) -> Element | None:
        """Return the first wanted reading, or else the first original one."""
        for names in (self._wanted, _EDITED):
            for child in choice:
                if LOCAL_NAMES[child.tag] in names:
                    return child
        return None


def _is_in_choice(element: Element) -> bool:
    parent = element.getparent()
    return parent is not None and LOCAL_NAMES[parent.tag] == "choice"


def _is_chosen(  # noqa: PLR0917  (private)
    element: Element, parent: Element, chosen: Element | None, label: str, notes: Notes, reason: str
) -> bool:
    """Return True for the chosen reading, or for the first one if none is."""
    if chosen is not None:
        return element is chosen
    is_first = element is parent[0]
    if is_first:
        notes.add(label, f"{reason}, so its first reading is used")
    return is_first
