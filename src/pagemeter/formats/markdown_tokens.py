"""From the tokens of Markdown to the lines a reader sees."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pagemeter.errors import FormatError
from pagemeter.formats.flow import Flow
from pagemeter.formats.html_text import HtmlReader
from pagemeter.formats.markdown import READ_AS_MARKDOWN
from pagemeter.formats.markdown_math import plain
from pagemeter.formats.markdown_rules import MAX_NESTING, parser

if TYPE_CHECKING:
    from collections.abc import Callable

    from markdown_it.token import Token

    from pagemeter.formats.base import Notes
    from pagemeter.page import Line

_PLAIN = frozenset(("", "text", "txt", "plaintext", "plain", "ocr"))
_MOST_FENCES = 8
_BLOCKS = {
    "paragraph_open": "paragraph",
    "heading_open": "heading",
    "row_open": "table",
    "fence": "code",
    "code_block": "code",
    "html_block": "HTML",
    "math_block": "formula",
}


def lines_of(text: str, notes: Notes, first: int = 1) -> list[Line]:
    r"""The lines of a Markdown text whose first line is line `first` of its file.

    >>> from pagemeter.formats.base import Notes
    >>> [line.text for line in lines_of("# *One*\n\n- two\n- three", Notes("a.md"))]
    ['One', 'two', 'three']
    """
    walker = _Walker(notes)
    walker.read(text, first)
    return walker.flow.lines


class _Walker:
    """Walks the tokens and feeds what they show into a flow."""

    def __init__(self, notes: Notes) -> None:
        self.flow = Flow()
        self._notes = notes
        self._html = HtmlReader(self.flow, notes)
        self._fences = 0
        self._item_began: list[int] = []
        self._handlers: dict[str, Callable[[Token], None]] = {
            "inline": self._inline,
            "paragraph_close": self._block_end,
            "heading_close": self._block_end,
            "row_open": self._row_open,
            "row_close": self._row_close,
            "html_block": self._html_block,
            "math_block": self._math_block,
            "fence": self._code,
            "code_block": self._code,
            "hr": self._rule,
            "list_item_open": self._item_open,
            "list_item_close": self._item_close,
        }

    def read(self, text: str, first: int) -> None:
        """Parse and walk a text whose first line is line `first` of the file."""
        env: dict[str, dict[str, object]] = {}
        tokens = parser().parse(text, env)
        if max((token.level for token in tokens), default=0) >= MAX_NESTING - 1:
            raise FormatError(
                f"{self._notes.source}: lists or quotations nested more than {MAX_NESTING // 2} deep; "
                "use --format text to read it as plain text"
            )
        for label in env.get("references", ()):
            self._notes.add(f"[{label}]", "link definition skipped")
        for token in tokens:
            if token.map is not None:
                self.flow.at = first + token.map[0]
            self._block(token)

    def _block(self, token: Token) -> None:
        if token.type in _BLOCKS:
            self.flow.block = f"{_BLOCKS[token.type]} L{self.flow.at}"
        handler = self._handlers.get(token.type)
        if handler is not None:
            handler(token)

    def _block_end(self, _: Token) -> None:
        self._html.forget()

    def _row_open(self, _: Token) -> None:
        self.flow.begin_row()

    def _row_close(self, _: Token) -> None:
        self.flow.end_row()

    def _html_block(self, token: Token) -> None:
        self._html.block(token.content, self.flow.at)

    def _math_block(self, token: Token) -> None:
        self._formula(token.content)
        self.flow.end_line()

    def _rule(self, _: Token) -> None:
        self._note("horizontal rule skipped")

    def _inline(self, block: Token) -> None:
        for token in block.children or ():
            match token.type:
                case "softbreak" | "hardbreak":
                    self.flow.source_line_end()
                case "html_inline":
                    self._html.inline(token.content)
                case "image":
                    self._note("image skipped: its description is not printed on the page")
                case _ if self._html.hides:
                    continue
                case "text" | "code_inline":
                    self.flow.text(token.content.replace("\n", " "))
                case "math":
                    self._formula(token.content)
        if self.flow.in_row:
            self.flow.text(" ")
        left = sum(token.content.count("**") for token in block.children or () if token.type == "text")
        if left > 1:
            self._note("`**` that CommonMark does not take for emphasis: kept as text")

    def _formula(self, latex: str) -> None:
        text = plain(latex)
        if text is None:
            self._note("LaTeX kept as written: it has commands without a character")
            text = latex
        first, *others = text.split("\n")
        self.flow.text(first)
        for other in others:
            self.flow.source_line_end()
            self.flow.text(other)

    def _code(self, token: Token) -> None:
        fenced = token.type == "fence"
        self.flow.at += fenced
        language = token.info.strip().lower()
        if fenced and language in READ_AS_MARKDOWN and self._fences < _MOST_FENCES:
            self._note(f"code fence around {'HTML' if language == 'html' else 'Markdown'} removed")
            self._fences += 1
            self.read(token.content, self.flow.at)
            self._fences -= 1
        else:
            if language not in _PLAIN:
                self._note(f"code fence marked {language}: what is in it is read as it is written")
            self.flow.verbatim(token.content)

    def _item_open(self, token: Token) -> None:
        self.flow.end_line()
        self._item_began.append(len(self.flow.lines))
        if token.info:
            self.flow.prefix = f"{token.info}{token.markup}"

    def _item_close(self, _: Token) -> None:
        self.flow.end_item()
        if self._item_began.pop() == len(self.flow.lines):
            self._note("list item without text skipped")

    def _note(self, reason: str) -> None:
        self._notes.add(f"line {self.flow.at}", reason)
