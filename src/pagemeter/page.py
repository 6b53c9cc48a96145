"""The data model: a page has lines, and a line has a text and may have a position."""

from __future__ import annotations

from dataclasses import dataclass, field
from numbers import Real
from typing import Any, Literal, get_args

from pagemeter.errors import Problem, UsageError, did_you_mean

Point = tuple[float, float]
Points = tuple[Point, ...]
LineType = Literal[
    "text",
    "heading",
    "header",
    "footer",
    "page-number",
    "footnote",
    "marginalia",
    "caption",
    "table",
    "formula",
    "figure",
    "catchword",
    "other",
]
LINE_TYPES: tuple[LineType, ...] = get_args(LineType)
"""The types of lines; `text` is the running text of the page, and the default."""

_LINE_TYPES = frozenset(LINE_TYPES)
_SIZE = (int, type(None), Real)  # of a page; an int is found before the slow check of Real
_SHOWN_TEXT = 40  # characters in the short form of a page


NoteKind = Literal["gap", "unclear", "supplied"]
NOTE_KINDS: tuple[NoteKind, ...] = get_args(NoteKind)


@dataclass(frozen=True, slots=True)
class Note:
    """A remark of the editor on a part of a text, from character `begin` to before `end`.

    Args:
        kind: "gap" for text that is lost or illegible, "unclear" for an uncertain reading, "supplied" for
            text that the editor added.
        begin: The first character.
        end: The character after the last one; `begin` if the text has nothing for it.
        characters: The number of characters in a gap, if it is known.
        text: The text that belongs to the remark but is not in the text of the line, such as supplied text
            that a reader leaves out; for a gap, `…` with the spaces that set it apart.

    Raises:
        UsageError: The kind is unknown, or the characters are not a range.

    >>> Note("gap", 3, 3, characters=2).kind
    'gap'

    """

    kind: NoteKind
    begin: int
    end: int
    characters: int | None = None
    text: str = ""

    def __post_init__(self) -> None:
        if self.kind not in NOTE_KINDS:
            raise UsageError(
                f"Note: kind={self.kind!r} is unknown{did_you_mean(str(self.kind), NOTE_KINDS)}",
                remedy=f"use one of {', '.join(NOTE_KINDS)}",
            )
        if not 0 <= self.begin <= self.end or (self.characters is not None and self.characters < 0):
            raise UsageError(f"Note: {self.begin} to {self.end} is not a range of characters")


@dataclass(frozen=True, slots=True)
class Reading:
    """A text that is accepted for a line besides its own, with remarks on its parts."""

    text: str
    notes: tuple[Note, ...] = ()


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a line as a recogniser wrote it, with its confidence and position if they are known.

    Args:
        text: The text of the word.
        confidence: The certainty of the recogniser, from 0 to 1.
        polygon: The outline as points; a box has four.
        baseline: The baseline as points.

    Raises:
        UsageError: The text is not a str, the confidence is not a share, or the points are not pairs of
            numbers.

    >>> Word("word", 0.75, [[0, 0], [40, 0], [40, 20], [0, 20]]).polygon[2]
    (40, 20)

    """

    text: str
    confidence: float | None = None
    polygon: Points | None = None
    baseline: Points | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.text, str):
            raise UsageError(
                f"Word: text={self.text!r} is of type {type(self.text).__name__}", remedy="give a str"
            )
        confidence = self.confidence
        if confidence is not None and not (isinstance(confidence, Real) and 0 <= confidence <= 1):
            raise UsageError(
                f"Word: confidence={confidence!r:.40} is not a share", remedy="give a number from 0 to 1"
            )
        for name in ("polygon", "baseline"):
            if (points := getattr(self, name)) is not None:
                object.__setattr__(self, name, _points("Word", name, points))


@dataclass(frozen=True, slots=True)
class Line:
    """One text line, with its position if it is known.

    Args:
        text: The text of the line.
        baseline: The baseline as points (x, y). Lists and numpy arrays of points are converted to tuples.
        polygon: The outline as points, in the same forms.
        id: The id of the line in its file.
        region: The id of the region of the line.
        type: What the line is on its page, one of `LINE_TYPES`.
        words: The words of the line, if they were asked for; the text does not depend on them.
        notes: Remarks on parts of the text. The settings decide what they mean.
        readings: Further texts that are accepted, as str or `Reading`. The cheapest counts, if the line is
            part of a ground truth.
        cell: The row and column of its table cell, if the file has them. Reports show them; no number
            depends on them.

    Raises:
        UsageError: The text is not a str, the points are not pairs of numbers, the type is unknown, or the
            words are not `Word` objects.

    >>> Line("a line", baseline=[[10, 90], [400, 92]]).baseline
    ((10, 90), (400, 92))

    """

    text: str
    baseline: Points | None = None
    polygon: Points | None = None
    id: str | None = None
    region: str | None = None
    type: LineType = "text"
    words: tuple[Word, ...] = ()
    notes: tuple[Note, ...] = ()
    readings: tuple[Reading, ...] = ()
    cell: tuple[int, int] | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.text, str):
            raise UsageError(
                f"Line: text={self.text!r} is of type {type(self.text).__name__}", remedy="give a str"
            )
        if self.type not in _LINE_TYPES:
            raise UsageError(
                f"Line: type={self.type!r} is unknown{did_you_mean(str(self.type), LINE_TYPES)}",
                remedy=f"use one of {', '.join(LINE_TYPES)}",
            )
        if self.baseline is not None:
            object.__setattr__(self, "baseline", _points("Line", "baseline", self.baseline))
        if self.polygon is not None:
            object.__setattr__(self, "polygon", _points("Line", "polygon", self.polygon))
        if self.words != ():
            object.__setattr__(self, "words", _words(self.words))
        if self.notes or self.readings:
            object.__setattr__(self, "notes", _notes(self.notes, self.text))
            object.__setattr__(self, "readings", _readings(self.readings))

    @property
    def has_position(self) -> bool:
        """True if the line has a baseline or a polygon."""
        return bool(self.baseline) or bool(self.polygon)


@dataclass(frozen=True, slots=True, repr=False)
class Page:
    r"""The lines of one page in reading order; `len` is their number.

    Args:
        lines: The lines.
        source: The name of the file, for messages.
        image: The name of the image file.
        width: The width of the image in pixels.
        height: The height of the image in pixels.
        warnings: The parts of the file that were skipped, repaired or guessed.
        open_end: True if the last line of a text has no line end.

    Raises:
        UsageError: The lines are not `Line` objects, or the size is not a number.

    >>> page = Page.from_text("one\ntwo", "0001.txt")
    >>> page
    <Page 0001.txt: 2 lines, 'one …'>
    >>> page.lines[1].text, page.text, len(page)
    ('two', 'one\ntwo', 2)

    """

    lines: tuple[Line, ...] = ()
    source: str = ""
    image: str | None = None
    width: int | None = None
    height: int | None = None
    warnings: tuple[Problem, ...] = ()
    open_end: bool = field(default=False, compare=False)

    def __post_init__(self) -> None:
        if type(self.lines) is not tuple:
            object.__setattr__(self, "lines", _lines(self.lines))
        if not all(issubclass(kind, Line) for kind in set(map(type, self.lines))):
            index, wrong = next((i, line) for i, line in enumerate(self.lines) if not isinstance(line, Line))
            raise UsageError(
                f"Page: lines[{index}]={wrong!r} is of type {type(wrong).__name__}",
                remedy="give Line objects, or create the page with Page.from_text(text)",
            )
        for name in ("width", "height"):
            if not isinstance(getattr(self, name), _SIZE):
                raise UsageError(
                    f"Page: {name}={getattr(self, name)!r:.40} is not a number",
                    remedy="give a number of pixels, or None",
                )

    @classmethod
    def from_text(cls, text: str, source: str = "") -> Page:
        """Return a page without positions.

        Args:
            text: The text of the page. Lines end with a line feed, a carriage return or both.
            source: The name of the page, for messages.

        """
        if not isinstance(text, str):
            kind = type(text).__name__
            raise UsageError(f"Page.from_text: text={text!r:.40} is of type {kind}", remedy="give a str")
        return cls(tuple(map(Line, split_lines(text))), source, open_end=has_open_end(text))

    @property
    def text(self) -> str:
        """The texts of all lines, separated by line feeds."""
        return "\n".join(line.text for line in self.lines)

    def __len__(self) -> int:
        return len(self.lines)

    def __bool__(self) -> bool:
        """Return True, even if the page has no lines."""
        return True

    def __repr__(self) -> str:
        count = f"{len(self):,} line{'s' * (len(self) != 1)}"
        name = f" {self.source}:" if self.source else ""
        text = next((line.text for line in self.lines if line.text.strip()), "")
        shown = text if len(text) <= _SHOWN_TEXT else text[:_SHOWN_TEXT].rstrip() + " …"
        if len(self) > 1 and shown == text:
            shown += " …"
        return f"<Page{name} {count}{f', {shown!r}' if text else ''}>"

    @property
    def has_geometry(self) -> bool:
        """True if any line has a position, or if the page has no text."""
        return any(line.has_position for line in self.lines) or not any(
            line.text.strip() for line in self.lines
        )


def split_lines(text: str) -> list[str]:
    r"""Split a text into lines; a line break at the end of the text is ignored.

    >>> split_lines("one\r\ntwo\n")
    ['one', 'two']
    """
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    return text.removesuffix("\n").split("\n") if text else []


def has_open_end(text: str) -> bool:
    """Return True if a text does not end with a line end."""
    return not text.endswith(("\n", "\r"))


def _lines(given: Any) -> tuple[Line, ...]:  # noqa: ANN401
    if isinstance(given, str | bytes):
        raise UsageError(
            f"Page: lines={given!r:.40} is a text", remedy="create the page with Page.from_text(text)"
        )
    try:
        return tuple(given)
    except TypeError:
        raise UsageError(
            f"Page: lines={given!r:.40} is of type {type(given).__name__}",
            remedy="give a list of Line objects",
        ) from None


def _words(given: Any) -> tuple[Word, ...]:  # noqa: ANN401
    words = (given,) if isinstance(given, str) else tuple(given)
    for word in words:
        if not isinstance(word, Word):
            raise UsageError(f"Line: words has {word!r:.40}", remedy="give Word objects")
    return words


def _points(owner: str, name: str, given: Any) -> Points:  # noqa: ANN401
    numbers = given.tolist() if hasattr(given, "tolist") else given
    try:
        return tuple((_number(x), _number(y)) for x, y in numbers)
    except (TypeError, ValueError):
        raise UsageError(
            f"{owner}: {name}={given!r:.40} is not a sequence of points",
            remedy="give pairs of numbers, such as ((10, 90), (400, 92))",
        ) from None


def _notes(given: Any, text: str) -> tuple[Note, ...]:  # noqa: ANN401
    notes = tuple(given)
    if any(not isinstance(note, Note) or note.end > len(text) for note in notes):
        raise UsageError(f"Line: notes={given!r:.80} do not fit its text", remedy="give Note objects")
    return notes


def _readings(given: Any) -> tuple[Reading, ...]:  # noqa: ANN401
    readings = [Reading(one) if isinstance(one, str) else one for one in given]
    if isinstance(given, str) or not all(isinstance(one, Reading) for one in readings):
        raise UsageError(f"Line: readings={given!r:.80} are not texts", remedy="give a list of str")
    return tuple(Reading(one.text, _notes(one.notes, one.text)) for one in readings)


def _number(value: object) -> float:
    if isinstance(value, int | float):
        return value
    if isinstance(value, Real):
        return float(value)
    raise TypeError
