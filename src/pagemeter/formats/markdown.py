"""Markdown as vision-language models write it, reduced to the text a reader sees, line by line."""

from __future__ import annotations

import re
from itertools import accumulate

from pagemeter.formats.answers import note_answer
from pagemeter.formats.base import Format, Head, Notes, ReadOptions
from pagemeter.formats.plain import text_of, without_controls
from pagemeter.page import Page

_SUFFIXES = frozenset((".md", ".markdown", ".mdown", ".mkd"))
_LINE_END = re.compile(r"\r\n?")
_FRONT_MATTER = re.compile(
    r"\A---[ \t]*\n(?=[ \t]*[A-Za-z_][\w .-]*:)(?:[^\n]*\n)*?(?:---|\.\.\.)[ \t]*(?:\n|\Z)"
)
_FENCE = re.compile(r"(?P<fence>`{3,}|~{3,})[ \t]*(?P<info>[^`\n]*?)[ \t]*")
READ_AS_MARKDOWN = frozenset(("markdown", "md", "html"))
"""What is in fences of these languages is read; Markdown may hold HTML."""


def matches(head: Head) -> bool:
    """Whether the suffix says so; nothing in a text tells Markdown from plain text.

    >>> matches(Head(".md", None, "", "# Title"))
    True
    """
    return head.suffix in _SUFFIXES


def read(data: bytes, source: str, options: ReadOptions) -> list[Page]:
    r"""The pages of a Markdown file, which form feeds separate.

    >>> pages = read(b"# Title\n\n*First* line\nsecond line", "a.md", ReadOptions())
    >>> [line.text for line in pages[0].lines]
    ['Title', 'First line', 'second line']
    """
    pages = _LINE_END.sub("\n", text_of(data, source, options.encoding)).split("\f")
    if len(pages) > 1 and not pages[-1].strip():
        del pages[-1]
    lines_before = accumulate((text.count("\n") for text in pages[:-1]), initial=0)
    return [
        _page(text, 1 + before, source, options) for text, before in zip(pages, lines_before, strict=True)
    ]


def _page(text: str, first: int, source: str, options: ReadOptions) -> Page:
    from pagemeter.formats.markdown_tokens import lines_of  # noqa: PLC0415  (only where a file is read)

    notes = Notes(source)
    if options.level in ("region", "word"):
        notes.add("file", f"Markdown has no {options.level}s: lines are read")
    text = without_controls(text, "text", notes)
    text = unfenced(without_front_matter(text, notes, first), notes, first)
    lines = tuple(lines_of(text, notes, first))
    note_answer(((f"line {(line.id or '').removeprefix('L')}", line.text) for line in lines), notes)
    return Page(lines, source, warnings=notes.warnings())


def without_front_matter(text: str, notes: Notes, first: int = 1) -> str:
    r"""The text without the YAML at its beginning, in whose place blank lines stay.

    >>> without_front_matter("---\ntitle: A\n---\nB", Notes("a.md"))
    '\n\n\nB'
    """
    found = _FRONT_MATTER.match(text)
    if found is None:
        return text
    notes.add(f"line {first}", "YAML front matter skipped")
    return "\n" * found[0].count("\n") + text[found.end() :]


def unfenced(text: str, notes: Notes, first: int = 1) -> str:
    r"""The text without a code fence around all of it, which models like to put there.

    >>> unfenced("```markdown\n# A\n```", Notes("a.md"))
    '\n# A\n'
    """
    lines = text.split("\n")
    filled = [number for number, line in enumerate(lines) if line.strip()]
    opening = _FENCE.fullmatch(lines[filled[0]].strip()) if filled else None
    if opening is None or opening["info"].lower() not in READ_AS_MARKDOWN | {""}:
        return text
    fence, last = opening["fence"], filled[-1]
    closed = last > filled[0] and _closes(lines[last], fence)
    inner = [line for line in lines[filled[0] + 1 : last if closed else None] if _FENCE.match(line.strip())]
    if not _balanced(inner, fence) or not (closed or opening["info"]):
        return text
    lines[filled[0]] = ""
    if closed:
        lines[last] = ""
    notes.add(
        f"line {first + filled[0]}",
        "code fence around the whole text removed" + ("" if closed else ": its end is missing"),
    )
    return "\n".join(lines)


def _closes(line: str, fence: str) -> bool:
    bare = line.strip()
    return len(bare) >= len(fence) and set(bare) == {fence[0]}


def _balanced(inner: list[str], fence: str) -> bool:
    """Whether the fences inside come in pairs, each opened with the name of a language and closed without."""
    if not any(_closes(line, fence) for line in inner):
        return True
    opened = False
    for line in inner:
        bare = set(line.strip()) == {line.strip()[0]}
        if bare != opened:
            return False
        opened = not opened
    return not opened


FORMAT = Format("markdown", "Markdown, as vision-language models write it (.md, .markdown)", matches, read)
