"""Markdown as vision-language models write it, reduced to the text that a reader sees, line by line."""

from __future__ import annotations

import re
from functools import cached_property
from itertools import accumulate
from typing import TYPE_CHECKING, Any

from pagemeter.errors import FormatError
from pagemeter.formats.base import Notes, ReadOptions
from pagemeter.formats.html_text import HtmlReader, LineBuilder
from pagemeter.formats.latex import formula_text
from pagemeter.formats.markdown.parser import MAX_BLOCK_MARKS, MAX_NESTING, Limits, markdown_parser
from pagemeter.formats.plain import decode_text, note_chat_lines, split_pages, without_controls
from pagemeter.page import Line, Page

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from markdown_it.token import Token


# The tokens of a parser, converted to lines

MARKDOWN_LANGUAGES = frozenset(("markdown", "md", "html"))
"""Languages of code fences whose content is read as Markdown, which may contain HTML."""

_DEFAULT_OPTIONS = ReadOptions()
_TEXT_LANGUAGES = frozenset(("", "text", "txt", "plaintext", "plain", "ocr"))
_MAX_FENCE_DEPTH = 8
_WORDS = re.compile(r"[^\W_]++(?: [^\W_]++)*+")  # a line that needs no parser
_BLOCK_NAMES = {
    "paragraph_open": "paragraph",
    "heading_open": "heading",
    "row_open": "table",
    "fence": "code",
    "code_block": "code",
    "html_block": "HTML",
    "math_block": "formula",
}


def is_one_plain_line(text: str) -> bool:
    """Return True if a text is a line of words without any mark.

    >>> is_one_plain_line("two words"), is_one_plain_line("*two* words")
    (True, False)
    """
    return _WORDS.fullmatch(text) is not None


def read_lines(
    text: str,
    notes: Notes,
    first_line: int = 1,
    limits: Limits | None = None,
    options: ReadOptions = _DEFAULT_OPTIONS,
) -> list[Line]:
    r"""Return the lines of a Markdown text; `first_line` is the number of its first line in the file.

    >>> from pagemeter.formats.base import Notes
    >>> [line.text for line in read_lines("# *One*\n\n- two\n- three", Notes("a.md"))]
    ['One', 'two', 'three']
    """
    if is_one_plain_line(text):
        return [Line(text, id=f"L{first_line}", region=f"paragraph L{first_line}")]
    reader = _TokenReader(notes, limits or Limits(len(text)), options)
    reader.read(text, first_line)
    return reader.builder.lines


def read_formula(
    text: str, notes: Notes, limits: Limits | None = None, options: ReadOptions = _DEFAULT_OPTIONS
) -> list[Line]:
    r"""Return the lines of a formula in LaTeX, which may have delimiters.

    >>> from pagemeter.formats.base import Notes
    >>> [read_formula(text, Notes("a.md"))[0].text for text in (r"x^{2}", r"$$x^2$$", r"\[ x^2 \] (1)")]
    ['x2', 'x2', 'x2 (1)']
    """
    latex = text.strip()
    for opening, closing in (("$$", "$$"), (r"\[", r"\]"), ("$", "$"), (r"\(", r"\)")):
        inner = latex[len(opening) : -len(closing)]
        if latex.startswith(opening) and latex.endswith(closing) and inner and closing not in inner:
            latex = inner
            break
    else:
        if any(delimiter in latex for delimiter in ("$", r"\[", r"\(")):
            return read_lines(text, notes, limits=limits, options=options)
    reader = _TokenReader(notes, limits or Limits(len(latex)), options)
    reader.read_formula(latex.strip())
    return reader.builder.lines


class _TokenReader:
    """Passes the text of tokens to a `LineBuilder`."""

    def __init__(self, notes: Notes, limits: Limits, options: ReadOptions) -> None:
        self._limits = limits
        self.builder = LineBuilder(options.tables)
        self._notes = notes
        self._math = options.math
        self._html = HtmlReader(self.builder, notes, options.math)
        self._fence_depth = 0
        self._lines_before_item: list[int] = []

    @cached_property
    def _handlers(self) -> dict[str, Callable[[Token], None]]:
        return {
            "inline": self._inline,
            "paragraph_close": self._block_close,
            "heading_open": self._heading_open,
            "heading_close": self._block_close,
            "pipe_table_open": self._table_open,
            "pipe_table_close": self._table_close,
            "row_open": self._row_open,
            "row_close": self._row_close,
            "html_block": self._html_block,
            "math_block": self._math_block,
            "fence": self._code,
            "code_block": self._code,
            "hr": self._horizontal_rule,
            "list_item_open": self._item_open,
            "list_item_close": self._item_close,
        }

    def read(self, text: str, first_line: int) -> None:
        """Parse and read a text."""
        text, rest = self._limits.split(text)
        if text:
            self._read_blocks(text, first_line)
        if rest:
            self.builder.source_line = first_line + text.count("\n")
            self._note(self._limits.warning)
            self.builder.verbatim(rest)

    def _read_blocks(self, text: str, first_line: int) -> None:
        """Parse and read a text within the limits."""
        env: dict[str, Any] = {"limits": self._limits}
        tokens = markdown_parser().parse(text, env)
        if max((token.level for token in tokens), default=0) >= MAX_NESTING - 1:
            raise FormatError(
                f"lists or quotations are nested more than {MAX_NESTING // 2} deep",
                source=self._notes.source,
                remedy="read it as plain text with {}",
                settings=(("format", "text"),),
            )
        env.pop("ends", None)
        for label in env.get("references", ()):
            self._notes.add(f"[{label}]", "a link definition was skipped")
        tokens.reverse()
        while tokens:  # each token is freed after use, because tokens take more memory than the lines
            token = tokens.pop()
            if token.map is not None:
                self.builder.source_line = first_line + token.map[0]
            self._block(token)
        self._note_limits(env.get("large_blocks", []), first_line)

    def _note_limits(self, large_blocks: list[int], first_line: int) -> None:
        for number in large_blocks:
            detail = f"a block with more than {MAX_BLOCK_MARKS:,} marks is read as plain text"
            self._notes.add(f"line {first_line + number}", detail)
        if self._limits.links_were_skipped:
            self._notes.add("file", "has too many brackets for links, so some are read as plain text")

    def _block(self, token: Token) -> None:
        if token.type in _BLOCK_NAMES:
            self.builder.region = f"{_BLOCK_NAMES[token.type]} L{self.builder.source_line}"
        handler = self._handlers.get(token.type)
        if handler is not None:
            handler(token)

    def _heading_open(self, _: Token) -> None:
        self.builder.type = "heading"

    def _block_close(self, _: Token) -> None:
        self._html.close_elements()
        self.builder.type = "text"

    def _table_open(self, _: Token) -> None:
        self.builder.begin_table()

    def _table_close(self, _: Token) -> None:
        self.builder.end_table()

    def _row_open(self, _: Token) -> None:
        self.builder.begin_row()

    def _row_close(self, _: Token) -> None:
        self.builder.end_row()

    def _html_block(self, token: Token) -> None:
        self._html.read_block(token.content, self.builder.source_line)

    def _math_block(self, token: Token) -> None:
        self.read_formula(token.content)

    def read_formula(self, latex: str) -> None:
        """Read a formula on lines of its own."""
        self.builder.type = "formula"
        self._formula(latex)
        self.builder.end_line()
        self.builder.type = "text"

    def _horizontal_rule(self, _: Token) -> None:
        self._note("horizontal rule was skipped")

    def _inline(self, block: Token) -> None:
        if self.builder.in_row:
            self.builder.begin_cell()
        for token in block.children or ():
            match token.type:
                case "softbreak" | "hardbreak":
                    self.builder.end_source_line()
                case "html_inline":
                    self._html.read_inline(token.content)
                case "image":
                    self._note("image was skipped, because its description is not printed on the page")
                case _ if self._html.is_hidden:
                    continue
                case "text" | "code_inline":
                    self.builder.text(token.content.replace("\n", " "))
                case "footnote":
                    self.builder.type = "footnote"
                    self.builder.text(token.content)
                case "math":
                    self._formula(token.content)
        self._note_asterisks(block.children or ())

    def _note_asterisks(self, tokens: Sequence[Token]) -> None:
        if sum(token.content.count("**") for token in tokens if token.type == "text") > 1:
            self._note("`**` that is not emphasis in CommonMark is kept as text")

    def _formula(self, latex: str) -> None:
        text = formula_text(latex, self._math, f"line {self.builder.source_line}", self._notes)
        first, *others = text.split("\n")
        self.builder.text(first)
        for other in others:
            self.builder.end_source_line()
            self.builder.text(other)

    def _code(self, token: Token) -> None:
        is_fenced = token.type == "fence"
        self.builder.source_line += is_fenced
        language = token.info.strip().lower()
        if is_fenced and language in MARKDOWN_LANGUAGES and self._fence_depth < _MAX_FENCE_DEPTH:
            self._note(f"a code fence around {'HTML' if language == 'html' else 'Markdown'} was removed")
            self._fence_depth += 1
            self.read(token.content, self.builder.source_line)
            self._fence_depth -= 1
        else:
            if language not in _TEXT_LANGUAGES:
                self._note(f"the content of a code fence marked {language} is read as plain text")
            self.builder.verbatim(token.content)

    def _item_open(self, token: Token) -> None:
        self.builder.end_line()
        self._lines_before_item.append(len(self.builder.lines))
        if token.info:
            self.builder.prefix = f"{token.info}{token.markup}"

    def _item_close(self, _: Token) -> None:
        self.builder.end_item()
        if self._lines_before_item.pop() == len(self.builder.lines):
            self._note("a list item without text was skipped")

    def _note(self, detail: str) -> None:
        self._notes.add(f"line {self.builder.source_line}", detail)


# Files

_LINE_END = re.compile(r"\r\n?")
_FRONT_MATTER = re.compile(
    r"\A---[ \t]*\n(?=[ \t]*[A-Za-z_][\w .-]*:)(?:[^\n]*\n)*?(?:---|\.\.\.)[ \t]*(?:\n|\Z)"
)
_FENCE = re.compile(r"(?P<fence>`{3,}+|~{3,}+)(?P<info>[^`\n]*+)")


def read_markdown(data: bytes, source: str, options: ReadOptions) -> list[Page]:
    r"""Read the pages of a Markdown file, which form feeds separate.

    >>> pages = read_markdown(b"# Title\n\n*First* line\nsecond line", "a.md", ReadOptions())
    >>> [line.text for line in pages[0].lines]
    ['Title', 'First line', 'second line']
    """
    pages = split_pages(_LINE_END.sub("\n", decode_text(data, source, options.encoding)), source)
    limits = Limits(sum(map(len, pages)))
    lines_before = accumulate((text.count("\n") for text in pages[:-1]), initial=0)
    return [
        _page(text, 1 + before, source, options, limits)
        for text, before in zip(pages, lines_before, strict=True)
    ]


def _page(text: str, first_line: int, source: str, options: ReadOptions, limits: Limits) -> Page:
    notes = Notes(source)
    if options.level in ("region", "word"):
        notes.add("file", f"Markdown has no {options.level}s, so lines are read")
    text = without_controls(text, "text", notes)
    text = without_fence(_without_front_matter(text, notes, first_line), notes, first_line)
    lines = tuple(read_lines(text, notes, first_line, limits, options))
    texts = [line.text for line in lines]
    note_chat_lines(texts, lambda index: f"line {(lines[index].id or '').removeprefix('L')}", notes)
    return Page(lines, source, warnings=notes.warnings())


def _without_front_matter(text: str, notes: Notes, first_line: int) -> str:
    r"""Replace the YAML at the beginning of a text by blank lines.

    >>> _without_front_matter("---\ntitle: A\n---\nB", Notes("a.md"), 1)
    '\n\n\nB'
    """
    match = _FRONT_MATTER.match(text)
    if match is None:
        return text
    notes.add(f"line {first_line}", "YAML front matter was skipped")
    return "\n" * match[0].count("\n") + text[match.end() :]


def without_fence(text: str, notes: Notes, first_line: int = 1) -> str:
    r"""Remove a code fence around the whole text, which models often add.

    >>> without_fence("```markdown\n# A\n```", Notes("a.md"))
    '\n# A\n'
    """
    lines = text.split("\n")
    filled = [number for number, line in enumerate(lines) if line.strip()]
    opening = _FENCE.fullmatch(lines[filled[0]].strip()) if filled else None
    if opening is None or opening["info"].strip(" \t").lower() not in MARKDOWN_LANGUAGES | {""}:
        return text
    fence, last = opening["fence"], filled[-1]
    is_closed = last > filled[0] and _closes(lines[last], fence)
    content = lines[filled[0] + 1 : last if is_closed else None]
    inner_fences = [line for line in content if _FENCE.match(line.strip())]
    if not _are_balanced(inner_fences, fence) or not (is_closed or opening["info"].strip(" \t")):
        return text
    lines[filled[0]] = ""
    if is_closed:
        lines[last] = ""
    notes.add(
        f"line {first_line + filled[0]}",
        "the code fence around the whole text was removed" + ("" if is_closed else "; its end is missing"),
    )
    return "\n".join(lines)


def _closes(line: str, fence: str) -> bool:
    bare = line.strip()
    return len(bare) >= len(fence) and set(bare) == {fence[0]}


def _are_balanced(inner_fences: list[str], fence: str) -> bool:
    """Return True if inner fences come in pairs: one with the name of a language, and one without."""
    if not any(_closes(line, fence) for line in inner_fences):
        return True
    is_open = False
    for line in inner_fences:
        is_bare = set(line.strip()) == {line.strip()[0]}
        if is_bare != is_open:
            return False
        is_open = not is_open
    return not is_open
