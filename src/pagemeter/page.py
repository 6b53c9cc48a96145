"""What is measured: a page is a tuple of lines, a line is a text with a place."""

from __future__ import annotations

from dataclasses import dataclass
from numbers import Real
from typing import Any

from pagemeter.errors import UsageError

Point = tuple[float, float]
Points = tuple[Point, ...]


@dataclass(frozen=True, slots=True)
class Line:
    """One text line: what it says and, where known, where it stands.

    Baseline and polygon are points (x, y); lists and numpy arrays of them are kept as tuples.

    >>> Line("a line", baseline=[[10, 90], [400, 92]]).baseline
    ((10, 90), (400, 92))
    """

    text: str
    baseline: Points | None = None
    polygon: Points | None = None
    id: str | None = None
    region: str | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.text, str):
            raise UsageError(f"Line: text={self.text!r} is of type {type(self.text).__name__}; give a str")
        if self.baseline is not None:
            object.__setattr__(self, "baseline", _points("baseline", self.baseline))
        if self.polygon is not None:
            object.__setattr__(self, "polygon", _points("polygon", self.polygon))

    @property
    def has_place(self) -> bool:
        """Whether a baseline is given or can be derived from the polygon."""
        return bool(self.baseline) or bool(self.polygon)


@dataclass(frozen=True, slots=True)
class Warn:
    """Something in a file that was skipped, repaired or guessed."""

    source: str
    element: str
    reason: str

    def __str__(self) -> str:
        return f"{self.source}: {self.element}: {self.reason}"


@dataclass(frozen=True, slots=True)
class Page:
    r"""The lines of one page in reading order.

    >>> Page.from_text("one\ntwo").lines[1].text
    'two'
    """

    lines: tuple[Line, ...] = ()
    source: str = ""
    image: str | None = None
    width: int | None = None
    height: int | None = None
    warnings: tuple[Warn, ...] = ()

    def __post_init__(self) -> None:
        if type(self.lines) is not tuple:
            object.__setattr__(self, "lines", _lines(self.lines))
        if not all(issubclass(kind, Line) for kind in set(map(type, self.lines))):
            index, wrong = next((i, line) for i, line in enumerate(self.lines) if not isinstance(line, Line))
            raise UsageError(
                f"Page: lines[{index}]={wrong!r} is of type {type(wrong).__name__}; give Line objects, "
                "Line('text'), or make the page of a text by Page.from_text"
            )
        for name in ("width", "height"):
            if not isinstance(getattr(self, name), Real | None):
                raise UsageError(
                    f"Page: {name}={getattr(self, name)!r:.40}; give a number of pixels, or None"
                )

    @classmethod
    def from_text(cls, text: str, source: str = "") -> Page:
        """A page without geometry: one line a line, ended by a line feed, a carriage return or both."""
        if not isinstance(text, str):
            kind = type(text).__name__
            raise UsageError(f"Page.from_text: text={text!r:.40} is of type {kind}; give a str")
        return cls(tuple(map(Line, split_lines(text))), source)

    @property
    def has_geometry(self) -> bool:
        """Whether any line has a place; a page without text needs none."""
        return any(line.has_place for line in self.lines) or not any(line.text.strip() for line in self.lines)


def split_lines(text: str) -> list[str]:
    r"""The lines of a text; the end of the last one may be marked or not.

    >>> split_lines("one\r\ntwo\n")
    ['one', 'two']
    """
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    return text.removesuffix("\n").split("\n") if text else []


def _lines(given: Any) -> tuple[Line, ...]:  # noqa: ANN401
    if isinstance(given, str | bytes):
        raise UsageError(f"Page: lines={given!r:.40} is a text; make the page by Page.from_text(text)")
    try:
        return tuple(given)
    except TypeError:
        raise UsageError(
            f"Page: lines={given!r:.40} is of type {type(given).__name__}; give a list of Line objects"
        ) from None


def _points(name: str, given: Any) -> Points:  # noqa: ANN401
    """Points in whatever sequence they are given, as tuples of numbers."""
    numbers = given.tolist() if hasattr(given, "tolist") else given
    try:
        return tuple((_number(x), _number(y)) for x, y in numbers)
    except (TypeError, ValueError):
        raise UsageError(
            f"Line: {name}={given!r:.40} is no sequence of points; give pairs of numbers, "
            "such as ((10, 90), (400, 92))"
        ) from None


def _number(value: object) -> float:
    if isinstance(value, int | float):
        return value
    if isinstance(value, Real):
        return float(value)
    raise TypeError
