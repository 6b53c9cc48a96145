"""Read Markdown texts for tests."""

from __future__ import annotations

from pagemeter.formats import markdown
from pagemeter.formats.base import ReadOptions


def read(text: str | bytes, **options):
    data = text if isinstance(text, bytes) else text.encode()
    return markdown.read_markdown(data, "a.md", ReadOptions(**options))


def texts(text: str | bytes) -> list[str]:
    (page,) = read(text)
    return [line.text for line in page.lines]


def reasons(text: str) -> list[str]:
    (page,) = read(text)
    return [warn.reason for warn in page.warnings]
