"""A CommonMark parser with tables, HTML tables, LaTeX and footnotes, and its limits.

The parser takes tens of microseconds per line and mark, and quadratic time for some constructs. Text beyond
the limits is read as plain text. A page is far below them; a file that reaches them is damaged, or was made
to block a program.
"""

from __future__ import annotations

import re
import sys
from bisect import bisect_left
from functools import cache
from typing import TYPE_CHECKING, Any

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock, reference
from markdown_it.rules_inline import image, link
from markdown_it.token import Token

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from markdown_it.ruler import RuleOptionsType, Ruler
    from markdown_it.rules_core import StateCore
    from markdown_it.rules_inline import StateInline

MAX_BLOCK_MARKS = 20_000
"""Marks of one paragraph, heading or cell."""

_FILE_MARKS = 50_000
_CHARACTERS_PER_MARK = 6  # prose has one mark in about eight characters
_BRACKET_STEPS = 3_000_000  # about a second
# The time that marks cost, in units of about 3 microseconds.
_COSTS = dict.fromkeys("!#$%&*+-<=@\\]^_`{}~:", 1)
_COSTS |= {"\n": 4, ">": 4, "- ": 5, "-\t": 5, "+ ": 5, "+\t": 5, "# ": 3, "[": 3, "|": 3}
_MARK = re.compile(f"[{re.escape(''.join(mark for mark in _COSTS if len(mark) == 1))}]")
_TEXT_COST = 16  # of each text that is parsed, such as a block of a page
_ITEM = re.compile(r"[0-9][.)]\s|^[ \t>]*+\*[ \t]", re.MULTILINE)
_ITEM_COST = 5  # besides that of the mark
MAX_NESTING = 60
_CHARACTERS_AT_ONCE = 1000
_SHALLOW = 4  # quotations inside each other that cost little
_PREFIX = re.compile(r"(?:[ \t]*+(?:[>*+-]|[0-9]{1,9}+[.)]))*+")
_DEEP_QUOTATION = re.compile(rf"^(?:[^>\n]*+>){{{_SHALLOW + 1}}}", re.MULTILINE)

_DELIMITERS = re.compile(r"\|?[ \t]*+:?-++:?[ \t]*+(?:\|[ \t]*+:?-++:?[ \t]*+)*+\|?")
_CELL_END = re.compile(r"(?<!\\)\|")
_TABLE_TAG = re.compile(r"<(/?)table(?=[\s>/])", re.IGNORECASE)
_HTML_TABLE = re.compile(r"<table(?=[\s>]|$)", re.IGNORECASE)
_LINK_DEFINITION = re.compile(r"\[(?!\^)[^\]]+\]:\s*<?(?:[A-Za-z][\w+.-]*:|www\.|\.{0,2}/|#)\S")
_MODEL_TAG = re.compile(r"</?[A-Za-z][A-Za-z0-9]*_\w*\s*/?>")
_FOOTNOTE = re.compile(r"\[\^([^\]\s]{1,99})\](?!\()")
_DOLLARS = re.compile(
    r"\$\$(?P<many>[^$]+)\$\$|\$(?![\s$])(?P<one>(?:\\[^\n]|[^\\$\n])+?)(?<!\s)\$(?![\d$])"
    r"|\$ (?P<spaced>(?:\\[^\n]|[^\\$\n])+?) \$(?![\d$])"
)
_BRACKETS = {r"\(": r"\)", r"\[": r"\]"}
_MAX_BRACKETED = 999  # characters of a formula in brackets
_LATEX = re.compile(r"[\\^_{}=]")
# Signs of formulas: operators, relations, arrows, and single Greek letters.
_SIGNS = re.compile(r"[+<>±×÷·−\u2190-\u21ff\u2200-\u22ff]|(?<![^\W\d_])[Α-Ωα-ωϕϵ](?![^\W\d_])")
_WORD = re.compile(r"[^\W\d_]{3}")

# The characters that rules of the parser begin with. Other rules apply to any character, "text" to no mark.
_RULE_STARTS = {
    "html_table": "<", "math_block": "$\\", "fence": "`~", "blockquote": ">", "hr": "*-_",
    "list": "*+-0123456789", "reference": "[", "html_block": "<", "heading": "#",
    "text": "", "newline": "\n", "escape": "\\", "math": "$\\", "backticks": "`", "strikethrough": "~",
    "emphasis": "*_", "footnote": "[", "link": "[", "image": "!", "autolink": "<", "model_tag": "<",
    "html_inline": "<", "entity": "&",
}  # fmt: skip


def count_marks(text: str) -> int:
    r"""Return the number of marks in a text; those that take more time count several times.

    >>> count_marks("plain text"), count_marks("*a*"), count_marks("- a\n- b")
    (0, 2, 16)
    """
    if not _MARK.search(text):
        return 0
    marks = sum(text.count(mark) * cost for mark, cost in _COSTS.items())
    return marks + _ITEM_COST * len(_ITEM.findall(text))


class Limits:
    """The marks and steps that the parser may still use for a file.

    >>> limits = Limits(1000)
    >>> limits.split("# a")
    ('# a', '')
    """

    def __init__(self, characters: int) -> None:
        marks = _FILE_MARKS + characters // _CHARACTERS_PER_MARK
        self.warning = (
            f"the file has more than {marks:,} marks, and the rest of the page is read as plain text"
        )
        self.links_were_skipped = False  # true if brackets of the last text were read as text
        self._marks = marks
        self._bracket_steps = _BRACKET_STEPS + characters
        self._may_link: dict[int, bool] = {}
        self._states: list[object] = []

    @property
    def are_spent(self) -> bool:
        """True if no other text is parsed."""
        return self._marks < _TEXT_COST

    def split(self, text: str) -> tuple[str, str]:
        """Return the part of the next text that is parsed, and the rest, which begins at a line start."""
        self.links_were_skipped = False
        self._may_link.clear()
        self._states.clear()
        if self.are_spent:
            return "", text
        is_deep = _DEEP_QUOTATION.search(text) is not None
        if not is_deep and (marks := _TEXT_COST + count_marks(text)) <= self._marks:
            self._marks -= marks
            return text, ""
        self._marks -= _TEXT_COST
        begin = depth = 0
        step = 0 if is_deep else _CHARACTERS_AT_ONCE
        while begin < len(text):
            end = text.find("\n", begin + step) + 1 or len(text)
            piece = text[begin:end]
            if is_deep:
                # A line of a paragraph needs no marks of quotation, but is scanned once per level.
                depth = max(depth, _PREFIX.match(piece)[0].count(">")) if piece.strip() else 0  # type: ignore[index]
            marks = count_marks(piece) * max(depth, _SHALLOW) // _SHALLOW
            if marks <= self._marks:
                self._marks -= marks
                begin = end
            elif step:
                step = 0
            else:
                self._marks = 0
                break
        return text[:begin], text[begin:]

    def may_link(self, state: object, text: str) -> bool:
        """Return True if brackets may be parsed: the parser may scan the text once per bracket."""
        allowed = self._may_link.get(id(state))
        if allowed is None:
            steps = text.count("[") * (count_marks(text) + len(text) // 10)
            allowed = steps <= self._bracket_steps
            self._bracket_steps -= steps if allowed else 0
            self._may_link[id(state)] = allowed
            self.links_were_skipped = self.links_were_skipped or not allowed
            self._states.append(state)  # an id is unique while the object exists
        return allowed


@cache
def markdown_parser() -> MarkdownIt:
    """Return the parser, which is created once.

    >>> [token.type for token in markdown_parser().parse("# a")]
    ['heading_open', 'inline', 'heading_close']
    """
    markdown = MarkdownIt("commonmark", {"maxNesting": MAX_NESTING}).enable("strikethrough")
    interrupts: RuleOptionsType = {"alt": ["paragraph", "reference", "blockquote"]}
    markdown.block.ruler.before("table", "html_table", _html_table, interrupts)
    markdown.block.ruler.before("table", "math_block", _math_block, interrupts)
    markdown.block.ruler.before("table", "loose_table", _table, {"alt": ["paragraph", "reference"]})
    markdown.block.ruler.at("reference", _reference)
    for name, rule in (("link", link), ("image", image)):
        markdown.inline.ruler.at(name, _limited(rule))
    markdown.core.ruler.at("inline", _parse_inline)
    markdown.inline.ruler.before("escape", "math", _math)
    markdown.inline.ruler.before("link", "footnote", _footnote)
    markdown.inline.ruler.before("html_inline", "model_tag", _model_tag)
    _try_rules_by_character(markdown.block.ruler, _line_start, ("", *interrupts["alt"], "list"))
    _try_rules_by_character(markdown.inline.ruler, _character, ("",))
    return markdown


def _line_start(state: StateBlock, line: int, *_: object) -> str:
    position = state.bMarks[line] + state.tShift[line]
    return state.src[position : position + 1]


def _character(state: StateInline, *_: object) -> str:
    return state.src[state.pos]


def _try_rules_by_character(
    ruler: Ruler[Any], character_of: Callable[..., str], chains: Sequence[str]
) -> None:
    """Replace the rules of a parser by one per chain, which tries those that the next character may begin.

    The parser tries all rules on each line and mark otherwise, which takes up to four times as long.
    """
    names = dict(zip(ruler.getRules(), ruler.get_active_rules(), strict=True))

    def combined(rules: Sequence[Callable[..., bool]]) -> Callable[..., bool]:
        starts = [(rule, _RULE_STARTS.get(names[rule])) for rule in rules]
        others = [rule for rule, characters in starts if not characters]
        by_character = {
            character: [rule for rule, characters in starts if characters is None or character in characters]
            for character in "".join(characters or "" for _, characters in starts)
        }

        def rule(state: object, *arguments: object) -> bool:
            for one in by_character.get(character_of(state, *arguments), others):
                if one(state, *arguments):
                    return True
            return False

        return rule

    rules = {chain: [combined(ruler.getRules(chain))] for chain in chains}
    ruler.getRules = lambda chainName="": rules.get(chainName, [])  # type: ignore[method-assign]  # noqa: N803


def _parse_inline(state: StateCore) -> None:
    """Parse the text of all blocks; a block with too many marks becomes plain text."""
    state.env["large_blocks"] = []
    for token in state.tokens:
        if token.type != "inline":
            continue
        token.children = []
        if len(token.content) > MAX_BLOCK_MARKS // 4 and count_marks(token.content) > MAX_BLOCK_MARKS:
            state.env["large_blocks"].append((token.map or [0])[0])
            for line in token.content.split("\n"):
                token.children += [Token("text", "", 0, content=line), Token("softbreak", "br", 0)]
            token.children.pop()
        elif not _MARK.search(token.content):
            token.children = [Token("text", "", 0, content=token.content)]
        else:
            state.md.inline.parse(token.content, state.md, state.env, token.children)


def _limited(rule: Callable[[StateInline, bool], bool]) -> Callable[[StateInline, bool], bool]:
    """Wrap the rule of links or images: it is not applied to text with too many brackets."""

    def limited(state: StateInline, silent: bool) -> bool:  # noqa: FBT001  (the parser's signature)
        if state.src[state.pos] not in "[!":
            return False
        limits: Limits | None = state.env.get("limits")
        return (limits is None or limits.may_link(state, state.src)) and rule(state, silent)

    return limited


def _line_text(state: StateBlock, number: int) -> str:
    return state.src[state.bMarks[number] + state.tShift[number] : state.eMarks[number]].strip()


def _is_in_block(state: StateBlock, number: int) -> bool:
    return state.sCount[number] >= state.blkIndent or state.isEmpty(number)


def _html_table(state: StateBlock, start: int, end: int, silent: bool) -> bool:  # noqa: FBT001  (the parser's signature)
    """Parse an HTML table up to its end tag; it may contain blank lines and indentation."""
    if state.is_code_block(start) or not _HTML_TABLE.match(_line_text(state, start)):
        return False
    last = _ends(state).table_ends[start]
    if not last < end or not _ends(state).are_in_block(state, start, last):
        return False
    return silent or _push(state, "html_block", start, last + 1)


def _math_block(state: StateBlock, start: int, end: int, silent: bool) -> bool:  # noqa: FBT001  (the parser's signature)
    r"""Parse a formula in `$$ … $$` or `\[ … \]` that begins and ends a line."""
    first = _line_text(state, start)
    if state.is_code_block(start) or not first.startswith(("$$", r"\[")):
        return False
    closing = "$$" if first.startswith("$$") else r"\]"
    last = start
    if closing not in first[2:]:
        # The next line with the closing sign must end with it, because a formula does not contain it.
        last = _ends(state).next_line(closing, start + 1)
        if not last < end or not _ends_formula(_line_text(state, last), closing):
            return False
        if not _ends(state).are_in_block(state, start, last):
            return False
    content = "\n".join(_line_text(state, line) for line in range(start, last + 1))
    if not content.endswith(closing) or len(content) <= len(closing) + 1:
        return False
    content = content[2:-2]
    if closing in content or (closing == r"\]" and not _has_latex(content)):
        return False
    return silent or _push(state, "math_block", start, last + 1, content)


def _ends_formula(line: str, closing: str) -> bool:
    """Return True if a line ends with a closing sign and has no other one."""
    return line.endswith(closing) and closing not in line[: -len(closing)]


class _BlockEnds:
    """The lines of a text at which tables and formulas may end, each found once."""

    def __init__(self, state: StateBlock) -> None:
        # Between blocks and nested ones, only the beginnings of lines change, and only by their markers.
        lines = [state.src[begin:end] for begin, end in zip(state.bMarks, state.eMarks, strict=True)]
        self._closings = {
            closing: [number for number, line in enumerate(lines) if closing in line]
            for closing in ("$$", r"\]")
        }
        self.table_ends = _table_ends(lines)
        self._outside: dict[int, tuple[int, int]] = {}

    def next_line(self, closing: str, start: int) -> int:
        """Return the number of the next line with a closing sign, or a number after the last line."""
        numbers = self._closings[closing]
        index = bisect_left(numbers, start)
        return numbers[index] if index < len(numbers) else sys.maxsize

    def are_in_block(self, state: StateBlock, start: int, last: int) -> bool:
        """Return True if all lines from `start` to `last` are in the current block."""
        searched_from, outside = self._outside.get(state.blkIndent, (0, -1))
        if searched_from <= start <= outside <= last:
            return False
        for number in range(start, last + 1):
            if not _is_in_block(state, number):
                self._outside[state.blkIndent] = start, number
                return False
        return True


def _ends(state: StateBlock) -> _BlockEnds:
    if "ends" not in state.env:
        state.env["ends"] = _BlockEnds(state)
    ends: _BlockEnds = state.env["ends"]
    return ends


def _table_ends(lines: list[str]) -> list[int]:
    """Return for each line the line at which a table that starts there ends; sys.maxsize if it does not end.

    >>> _table_ends(["<table>", "<table></table>", "</table>", "<table>"])[0]
    2
    """
    ends = [sys.maxsize] * len(lines)
    depth, open_lines = 0, list[tuple[int, int]]()  # the depth before each line that has not ended
    for number, line in enumerate(lines):
        open_lines.append((depth, number))
        if "<" in line:
            depth += sum(-1 if slash else 1 for slash in _TABLE_TAG.findall(line))
        while open_lines and depth <= open_lines[-1][0]:
            ends[open_lines.pop()[1]] = number
    return ends


def _push(state: StateBlock, kind: str, start: int, end: int, content: str | None = None) -> bool:
    token = state.push(kind, "", 0)
    token.map = [start, end]
    token.content = (
        state.getLines(start, end, state.blkIndent, keepLastLF=True) if content is None else content
    )
    state.line = end
    return True


def _table(state: StateBlock, start: int, end: int, silent: bool) -> bool:  # noqa: FBT001  (the parser's signature)
    """Parse a table with pipes; rows may have more or fewer cells than the head, and all are kept."""
    if start + 1 >= end or state.sCount[start + 1] < state.blkIndent:
        return False
    if state.is_code_block(start) or state.is_code_block(start + 1) or "|" not in _line_text(state, start):
        return False
    if "|" not in _line_text(state, start + 1) or not _DELIMITERS.fullmatch(_line_text(state, start + 1)):
        return False
    if silent:
        return True
    stop = _table_end(state, start + 2, end)
    state.push("pipe_table_open", "table", 1).map = [start, stop]
    for number in range(start, stop):
        if not _DELIMITERS.fullmatch(_line_text(state, number)):
            _push_row(state, number)
    state.push("pipe_table_close", "table", -1)
    state.line = stop
    return True


def _table_end(state: StateBlock, start: int, end: int) -> int:
    terminators = state.md.block.ruler.getRules("blockquote")
    for number in range(start, end):
        if state.isEmpty(number) or state.sCount[number] < state.blkIndent or state.is_code_block(number):
            return number
        if any(rule(state, number, end, True) for rule in terminators):  # noqa: FBT003  (the parser's signature)
            return number
    return end


def _push_row(state: StateBlock, number: int) -> None:
    state.push("row_open", "tr", 1).map = [number, number + 1]
    cells = _CELL_END.split(_line_text(state, number).strip())
    first, last = not cells[0], len(cells) - (len(cells) > 1 and not cells[-1])  # without the outer pipes
    for cell in cells[first:last]:
        token = state.push("inline", "", 0)
        token.map = [number, number + 1]
        token.content = cell.replace(r"\|", "|").strip()
        token.children = []
    state.push("row_close", "tr", -1)


def _reference(state: StateBlock, start: int, end: int, silent: bool) -> bool:  # noqa: FBT001  (the parser's signature)
    """Parse a link definition, if its target looks like one: `[1]: Ibid.` is a printed footnote."""
    return bool(_LINK_DEFINITION.match(_line_text(state, start))) and reference(state, start, end, silent)


def _footnote(state: StateInline, silent: bool) -> bool:  # noqa: FBT001  (the parser's signature)
    """Parse a footnote mark such as `[^1]`, whose label is the text that a reader sees."""
    match = _FOOTNOTE.match(state.src, state.pos)
    if match is None:
        return False
    at_line_start = state.pos == 0 or state.src[state.pos - 1] == "\n"
    has_colon = at_line_start and state.src.startswith(":", match.end())
    if not silent:
        state.push("footnote" if has_colon else "text", "", 0).content = match[1]
    state.pos = match.end() + has_colon
    return True


def _model_tag(state: StateInline, silent: bool) -> bool:  # noqa: FBT001  (the parser's signature)
    """Parse a tag such as `<page_number>`, which CommonMark reads as text because of its `_`."""
    match = _MODEL_TAG.match(state.src, state.pos)
    if match is None:
        return False
    if not silent:
        state.push("html_inline", "", 0).content = match[0]
    state.pos = match.end()
    return True


def _math(state: StateInline, silent: bool) -> bool:  # noqa: FBT001  (the parser's signature)
    """Parse LaTeX inside a paragraph, before it is read as emphasis or escapes."""
    match = _DOLLARS.match(state.src, state.pos)
    if match is not None:
        content = match["many"] or match["one"] or match["spaced"].strip()
        looks_like_math = _looks_like_math if match["spaced"] is None else _has_formula
        is_math = match["many"] is not None or looks_like_math(content)
        end = match.end()
    else:
        content = _bracketed(state.src, state.pos)
        is_math = _has_latex(content)
        end = state.pos + len(content) + 4
    if not is_math or end > state.posMax:
        return False
    if not silent:
        state.push("math", "", 0).content = content
    state.pos = end
    return True


def _bracketed(text: str, start: int) -> str:
    r"""Return the text between `\(` and `\)` on one line, or between `\[` and `\]`, or "".

    >>> _bracketed(r"a \(x^2\) b", 2)
    'x^2'
    """
    closing = _BRACKETS.get(text[start : start + 2])
    if closing is None:
        return ""
    end = text.find(closing, start + 3, start + 4 + _MAX_BRACKETED)
    content = text[start + 2 : end] if end >= 0 else ""
    return "" if closing == r"\)" and "\n" in content else content


def _looks_like_math(text: str) -> bool:
    r"""Return True if text between dollar signs is LaTeX rather than text between two prices.

    >>> _looks_like_math("x_1"), _looks_like_math("5 and 10")
    (True, False)
    """
    return " " not in text or bool(_LATEX.search(text) or _SIGNS.search(text))


def _has_formula(text: str) -> bool:
    r"""Return True if text between dollar signs and spaces is LaTeX: one letter, or with signs of a formula.

    >>> [_has_formula(text) for text in ("x", "x^2", "5", "and")]
    [True, True, False, False]
    """
    return (len(text) == 1 and text.isalpha()) or bool(_LATEX.search(text) or _SIGNS.search(text))


def _has_latex(text: str) -> bool:
    r"""Return True if a text has a character that only LaTeX uses, or signs of a formula but no words.

    >>> [_has_latex(text) for text in ("sic", "x^2", "a+b", "letter + seal")]
    [False, True, True, False]
    """
    return bool(_LATEX.search(text) or (_SIGNS.search(text) and not _WORD.search(text)))
