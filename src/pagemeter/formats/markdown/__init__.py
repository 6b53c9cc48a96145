"""Markdown as vision-language models write it, reduced to the text that a reader sees, line by line."""

from __future__ import annotations

import re
from itertools import accumulate

from pagemeter.formats.base import Notes, ReadOptions
from pagemeter.formats.decoding import decode_text, without_controls
from pagemeter.formats.markdown.lines import MARKDOWN_LANGUAGES, read_lines
from pagemeter.formats.markdown.parser import Limits
from pagemeter.formats.plain import note_chat_lines, split_pages
from pagemeter.page import Page

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
    note_chat_lines(((f"line {(line.id or '').removeprefix('L')}", line.text) for line in lines), notes)
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
