"""The lines of text a reader sees in HTML that stands inside Markdown."""

from __future__ import annotations

from html.parser import HTMLParser
from typing import TYPE_CHECKING

from pagemeter.formats.html_names import BLOCKS, IMAGES, LISTS, NAMES, UNSEEN

if TYPE_CHECKING:
    from pagemeter.formats.base import Notes
    from pagemeter.formats.flow import Flow

_MOST_DIGITS = 9


class HtmlReader(HTMLParser):
    """Feeds the text of HTML into a flow; tags are dropped, what they stand for is kept.

    >>> from pagemeter.formats.base import Notes
    >>> from pagemeter.formats.flow import Flow
    >>> flow = Flow()
    >>> HtmlReader(flow, Notes("a.md")).block("<table><tr><td>a<td>b</tr></table>", 1)
    >>> flow.lines[0].text
    'a b'
    """

    def __init__(self, flow: Flow, notes: Notes) -> None:
        super().__init__(convert_charrefs=True)
        self._flow = flow
        self._notes = notes
        self._unseen: list[str] = []
        self._lists: list[int | None] = []
        self._base: int | None = None

    @property
    def hides(self) -> bool:
        """Whether text that comes now is inside an element that is not shown."""
        return bool(self._unseen)

    def block(self, html: str, at: int) -> None:
        """Read a block of HTML that begins on line `at` of the source."""
        self._flow.end_line()
        self._flow.at = self._base = at
        self._read(html)
        self._base = None
        self.forget()

    def inline(self, html: str) -> None:
        """Read one tag, comment or declaration inside a paragraph."""
        self._read(html)

    def forget(self) -> None:
        """Forget elements left open, so that one missing end tag spoils one block only."""
        self._unseen.clear()
        self._lists.clear()
        self._flow.end_row()

    def _read(self, html: str) -> None:
        self.reset()
        # The parser raises on unknown marked sections; browsers take them for comments that end at ">".
        self.feed(html.replace("<![", "<!x["))
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Begin a line, a row, a cell or something unseen."""
        self._follow()
        if tag in UNSEEN:
            self._unseen.append(tag)
            self._note(f"<{tag}> skipped: a reader does not see it")
        elif tag in IMAGES:
            self._note("image skipped: its description is not printed on the page")
        elif tag == "br":
            self._flow.break_line()
        elif tag == "hr":
            self._flow.end_line()
            self._note("horizontal rule skipped")
        elif tag in ("td", "th"):
            self._flow.text(" ")
        elif tag == "tr":
            self._flow.begin_row()
        elif tag in BLOCKS:
            self._begin_block(tag, dict(attrs))
        elif tag not in NAMES:
            self._note(f"<{tag}> is no element of HTML: tag dropped, its text kept")

    def handle_endtag(self, tag: str) -> None:
        """End what the start tag began."""
        self._follow()
        if tag in self._unseen:
            del self._unseen[self._unseen.index(tag) :]
        elif tag == "tr":
            self._flow.end_row()
        elif tag == "li":
            self._flow.end_item()
        elif tag in BLOCKS:
            self._flow.break_line()
            if tag in LISTS and self._lists:
                self._lists.pop()

    def handle_data(self, data: str) -> None:
        """Text: a line end in it is one of the page, as in a Markdown paragraph."""
        if self._unseen:
            return
        self._follow()
        first, *others = data.split("\n")
        self._flow.text(first)
        for other in others:
            self._flow.source_line_end()
            self._flow.text(other)

    def handle_comment(self, data: str) -> None:
        """A comment is not printed on the page."""
        self._follow()
        if data.strip():
            self._note("HTML comment skipped")

    def handle_decl(self, decl: str) -> None:  # noqa: ARG002 - the parser's signature
        """A document type says nothing a reader sees."""
        self._follow()
        self._note("document type skipped")

    def handle_pi(self, data: str) -> None:  # noqa: ARG002 - the parser's signature
        """A processing instruction is not printed on the page."""
        self._follow()
        self._note("processing instruction skipped")

    def _begin_block(self, tag: str, attrs: dict[str, str | None]) -> None:
        self._flow.break_line()
        if tag in LISTS:
            self._lists.append(_first_number(attrs) if tag == "ol" else None)
        elif tag == "li" and self._lists and (number := self._lists[-1]) is not None:
            self._flow.prefix = f"{number}."
            self._lists[-1] = number + 1
            self._note("number of an HTML list item counted: the file does not write it")

    def _follow(self) -> None:
        if self._base is not None:
            self._flow.at = self._base + self.getpos()[0] - 1

    def _note(self, reason: str) -> None:
        self._notes.add(f"line {self._flow.at}", reason)


def _first_number(attrs: dict[str, str | None]) -> int:
    start = attrs.get("start") or "1"
    return int(start) if start.isascii() and start.isdigit() and len(start) <= _MOST_DIGITS else 1
