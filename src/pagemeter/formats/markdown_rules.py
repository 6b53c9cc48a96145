"""A CommonMark parser that also knows tables, HTML tables, LaTeX and footnotes."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock, reference

from pagemeter.formats.markdown_math import has_latex, looks_like_math

if TYPE_CHECKING:
    from markdown_it.ruler import RuleOptionsType
    from markdown_it.rules_inline import StateInline

MAX_NESTING = 60

_DELIMITERS = re.compile(r"\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?")
_CELL_END = re.compile(r"(?<!\\)\|")
_TABLE_TAG = re.compile(r"<(/?)table(?=[\s>/])", re.IGNORECASE)
_HTML_TABLE = re.compile(r"<table(?=[\s>]|$)", re.IGNORECASE)
_LINK_DEFINITION = re.compile(r"\[(?!\^)[^\]]+\]:\s*<?(?:[A-Za-z][\w+.-]*:|www\.|\.{0,2}/|#)\S")
_MODEL_TAG = re.compile(r"</?[A-Za-z][A-Za-z0-9]*_\w*\s*/?>")
_FOOTNOTE = re.compile(r"\[\^([^\]\s]{1,99})\](?!\()")
_DOLLARS = re.compile(r"\$\$(?P<many>[^$]+)\$\$|\$(?![\s$])(?P<one>(?:\\[^\n]|[^\\$\n])+?)(?<!\s)\$(?![\d$])")
_BRACKETS = re.compile(r"\\\((?P<round>[^\n]{1,999}?)\\\)|\\\[(?P<square>.{1,999}?)\\\]", re.DOTALL)


@cache
def parser() -> MarkdownIt:
    """The parser, made once.

    >>> [token.type for token in parser().parse("# a")]
    ['heading_open', 'inline', 'heading_close']
    """
    markdown = MarkdownIt("commonmark", {"maxNesting": MAX_NESTING}).enable("strikethrough")
    interrupts: RuleOptionsType = {"alt": ["paragraph", "reference", "blockquote"]}
    markdown.block.ruler.before("table", "html_table", _html_table, interrupts)
    markdown.block.ruler.before("table", "math_block", _math_block, interrupts)
    markdown.block.ruler.before("table", "loose_table", _table, {"alt": ["paragraph", "reference"]})
    markdown.block.ruler.at("reference", _reference)
    markdown.inline.ruler.before("escape", "math", _math)
    markdown.inline.ruler.before("link", "footnote", _footnote)
    markdown.inline.ruler.before("html_inline", "model_tag", _model_tag)
    return markdown


def _line(state: StateBlock, number: int) -> str:
    return state.src[state.bMarks[number] + state.tShift[number] : state.eMarks[number]].strip()


def _belongs(state: StateBlock, number: int) -> bool:
    return state.sCount[number] >= state.blkIndent or state.isEmpty(number)


def _html_table(state: StateBlock, start: int, end: int, silent: bool) -> bool:  # noqa: FBT001 - the parser's
    """An HTML table up to its end tag: the blank lines and indents inside it do not end it."""
    if state.is_code_block(start) or not _HTML_TABLE.match(_line(state, start)):
        return False
    depth = 0
    for number in range(start, end):
        if not _belongs(state, number):
            return False
        tags = _TABLE_TAG.findall(state.src[state.bMarks[number] : state.eMarks[number]])
        depth += sum(-1 if slash else 1 for slash in tags)
        if depth <= 0:
            return silent or _push(state, "html_block", start, number + 1)
    return False


def _math_block(state: StateBlock, start: int, end: int, silent: bool) -> bool:  # noqa: FBT001 - the parser's
    r"""Display mathematics in `$$ … $$` or `\[ … \]` that begins a line and ends one."""
    first = _line(state, start)
    if state.is_code_block(start) or not first.startswith(("$$", r"\[")):
        return False
    closing = "$$" if first.startswith("$$") else r"\]"
    for number in range(start, end):
        text = _line(state, number)
        if not _belongs(state, number):
            return False
        if text.endswith(closing) and (number > start or len(text) > len(closing) + 1):
            content = "\n".join(_line(state, line) for line in range(start, number + 1))[2:-2]
            if closing in content or (closing == r"\]" and not has_latex(content)):
                return False
            return silent or _push(state, "math_block", start, number + 1, content)
    return False


def _push(state: StateBlock, kind: str, start: int, end: int, content: str | None = None) -> bool:
    token = state.push(kind, "", 0)
    token.map = [start, end]
    token.content = (
        state.getLines(start, end, state.blkIndent, keepLastLF=True) if content is None else content
    )
    state.line = end
    return True


def _table(state: StateBlock, start: int, end: int, silent: bool) -> bool:  # noqa: FBT001 - the parser's
    """A table with pipes; rows may have more or fewer cells than the head, and none is lost."""
    if start + 1 >= end or state.sCount[start + 1] < state.blkIndent:
        return False
    if state.is_code_block(start) or state.is_code_block(start + 1) or "|" not in _line(state, start):
        return False
    if "|" not in _line(state, start + 1) or not _DELIMITERS.fullmatch(_line(state, start + 1)):
        return False
    if silent:
        return True
    stop = _table_end(state, start + 2, end)
    for number in range(start, stop):
        if not _DELIMITERS.fullmatch(_line(state, number)):
            _push_row(state, number)
    state.line = stop
    return True


def _table_end(state: StateBlock, start: int, end: int) -> int:
    terminators = state.md.block.ruler.getRules("blockquote")
    for number in range(start, end):
        if state.isEmpty(number) or state.sCount[number] < state.blkIndent or state.is_code_block(number):
            return number
        if any(rule(state, number, end, True) for rule in terminators):  # noqa: FBT003 - the parser's
            return number
    return end


def _push_row(state: StateBlock, number: int) -> None:
    state.push("row_open", "tr", 1).map = [number, number + 1]
    for cell in _CELL_END.split(_line(state, number)):
        token = state.push("inline", "", 0)
        token.map = [number, number + 1]
        token.content = cell.replace(r"\|", "|").strip()
        token.children = []
    state.push("row_close", "tr", -1)


def _reference(state: StateBlock, start: int, end: int, silent: bool) -> bool:  # noqa: FBT001 - the parser's
    """A link definition, if its target looks like one: `[1]: Ibid.` is a printed footnote."""
    return bool(_LINK_DEFINITION.match(_line(state, start))) and reference(state, start, end, silent)


def _footnote(state: StateInline, silent: bool) -> bool:  # noqa: FBT001 - the parser's signature
    """A footnote mark `[^1]`, of which a reader sees its label."""
    match = _FOOTNOTE.match(state.src, state.pos)
    if match is None:
        return False
    begins_line = state.pos == 0 or state.src[state.pos - 1] == "\n"
    colon = begins_line and state.src.startswith(":", match.end())
    if not silent:
        state.push("text", "", 0).content = match[1]
    state.pos = match.end() + colon
    return True


def _model_tag(state: StateInline, silent: bool) -> bool:  # noqa: FBT001 - the parser's signature
    """A tag such as `<page_number>`, which models write and CommonMark takes for text because of its `_`."""
    match = _MODEL_TAG.match(state.src, state.pos)
    if match is None:
        return False
    if not silent:
        state.push("html_inline", "", 0).content = match[0]
    state.pos = match.end()
    return True


def _math(state: StateInline, silent: bool) -> bool:  # noqa: FBT001 - the parser's signature
    """LaTeX inside a paragraph, kept from being read as emphasis or escapes."""
    match = _DOLLARS.match(state.src, state.pos)
    if match is not None:
        content = match["many"] or match["one"]
        wanted = match["many"] is not None or looks_like_math(content)
    elif (match := _BRACKETS.match(state.src, state.pos)) is not None:
        content = match["round"] or match["square"]
        wanted = has_latex(content)
    if match is None or match.end() > state.posMax or not wanted:
        return False
    if not silent:
        state.push("math", "", 0).content = content
    state.pos = match.end()
    return True
