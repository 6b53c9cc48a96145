"""A file format in a package of its own.

A file begins with the line `TOY`. Each other line has the height of a baseline and the text, for example
`90|a line`. The package registers FORMAT in its pyproject.toml:

    [project.entry-points."pagemeter.formats"]
    toy = "toy_format:FORMAT"
"""

from __future__ import annotations

from pagemeter import Line, Page
from pagemeter.formats import Format, Head, Notes, ReadOptions


def matches(head: Head) -> bool:
    """Return True if a file with this beginning is in the toy format."""
    return head.text.startswith("TOY\n")


def read(data: bytes, source: str, options: ReadOptions) -> list[Page]:
    """Return the pages of a file: here always one."""
    notes = Notes(source)
    lines = []
    for number, row in enumerate(data.decode(options.encoding or "utf-8").split("\n")[1:], 2):
        height, separator, text = row.partition("|")
        if separator:
            lines.append(Line(text, baseline=((0, int(height)), (1000, int(height)))))
        elif row:
            notes.add(f"line {number}", "has no | and was skipped")
    return [Page(tuple(lines), source, warnings=notes.warnings())]


FORMAT = Format("toy", "toy format: heights and texts", matches, read, suffixes=(".toy",))
