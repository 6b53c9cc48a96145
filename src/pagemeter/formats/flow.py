"""Running text that becomes lines: the common ground of Markdown and the HTML inside it."""

from __future__ import annotations

import re

from pagemeter.page import Line

_BLANKS = re.compile(r"[ \t\r\n\f]+")
_BLANK = " \t\r\n\f"


class Flow:
    """Lines as they come out of running text, each with the line of the source it began on.

    >>> flow = Flow()
    >>> flow.text("two ")
    >>> flow.text("words")
    >>> flow.end_line()
    >>> [(line.text, line.id) for line in flow.lines]
    [('two words', 'L1')]
    """

    def __init__(self) -> None:
        self.lines: list[Line] = []
        self.at = 1
        self.block = "text"
        self.prefix = ""
        self.in_row = False
        self._parts: list[str] = []
        self._began: int | None = None

    def text(self, text: str) -> None:
        """Add running text, which holds no line end."""
        if self._began is None and text.strip(_BLANK):
            self._began = self.at
        self._parts.append(text)

    def source_line_end(self) -> None:
        """A line end of the source: one of the page too, except inside a table row."""
        self.break_line()
        self.at += 1

    def break_line(self) -> None:
        """A line end, which inside a table row is a blank, for a row is one line."""
        if self.in_row:
            self._parts.append(" ")
        else:
            self.end_line()

    def end_line(self) -> None:
        """Close the current line, if it holds anything to see; a renderer shows runs of blanks as one."""
        text = _BLANKS.sub(" ", "".join(self._parts)).strip(" ")
        if text:
            self._add(text, self.at if self._began is None else self._began)
        self._parts.clear()
        self._began = None

    def begin_row(self) -> None:
        """Begin a table row."""
        self.end_row()
        self.in_row = True

    def end_row(self) -> None:
        """End a table row, which is one line."""
        self.in_row = False
        self.end_line()

    def verbatim(self, text: str) -> None:
        """Add lines exactly as written; blank ones are none."""
        self.end_line()
        for number, line in enumerate(text.split("\n")):
            if line.strip():
                self._add(line.rstrip("\r"), self.at + number)

    def end_item(self) -> None:
        """Close a list item; its number becomes a line of its own if nothing followed it."""
        self.end_line()
        if self.prefix:
            self._add("", self.at)

    def _add(self, text: str, at: int) -> None:
        whole = f"{self.prefix} {text}".rstrip(" ") if self.prefix else text
        self.prefix = ""
        self.lines.append(Line(whole, id=f"L{at}", region=self.block))
