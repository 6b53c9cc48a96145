"""What is measured: a page is a tuple of lines, a line is a text with a place."""

from __future__ import annotations

from dataclasses import dataclass

Point = tuple[float, float]
Points = tuple[Point, ...]


@dataclass(frozen=True, slots=True)
class Line:
    """One text line: what it says and, where known, where it stands.

    >>> Line("a line", baseline=((10, 90), (400, 92))).text
    'a line'
    """

    text: str
    baseline: Points | None = None
    polygon: Points | None = None
    id: str | None = None
    region: str | None = None

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

    @classmethod
    def from_text(cls, text: str, source: str = "") -> Page:
        """A page without geometry: one line a line, ended by a line feed, a carriage return or both."""
        lines = text.replace("\r\n", "\n").replace("\r", "\n").removesuffix("\n").split("\n") if text else []
        return cls(tuple(map(Line, lines)), source)

    @property
    def has_geometry(self) -> bool:
        """Whether any line has a place; a page without text needs none."""
        return any(line.has_place for line in self.lines) or not any(line.text.strip() for line in self.lines)
