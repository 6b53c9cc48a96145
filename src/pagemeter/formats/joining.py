"""The text of a page as one line, for numbers that are comparable with those of page-level tools."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Any

from pagemeter.page import Line, Page
from pagemeter.text.characters import UNSPACED

if TYPE_CHECKING:
    from pagemeter.page import Note

_BREAK = "\n"


def joined_page(page: Page) -> Page:
    """Return a page whose lines are one line of the type text, without a position.

    Lines are joined by a space, and by nothing between two characters of scripts without spaces. Remarks on
    parts of a line are kept; further readings of lines are not.

    >>> joined_page(Page((Line("one"), Line("two")))).text
    'one two'
    >>> joined_page(Page((Line("東京，"), Line("大阪"), Line("Bay")))).text
    '東京，大阪 Bay'
    """
    lines = [line for line in page.lines if line.text.strip() or line.notes]
    if not lines:
        return replace(page, lines=())
    text = ""
    notes: list[Note] = []
    for line in lines:
        text += _BREAK * bool(text)
        notes += [
            replace(note, begin=note.begin + len(text), end=note.end + len(text)) for note in line.notes
        ]
        text += line.text.replace(_BREAK, " ")
    removed = [match.start() for match in _unspaced_break().finditer(text)]
    joined = _unspaced_break().sub("", text).replace(_BREAK, " ")
    moved = tuple(
        replace(note, begin=_moved(note.begin, removed), end=_moved(note.end, removed)) for note in notes
    )
    return replace(page, lines=(Line(joined, notes=moved),))


def _moved(position: int, removed: list[int]) -> int:
    return position - sum(place < position for place in removed)


@cache
def _unspaced_break() -> Any:  # noqa: ANN401
    import regex  # noqa: PLC0415  (15 ms, rarely needed)

    return regex.compile(rf"(?<=[{UNSPACED}][\p{{M}}\p{{P}}]*)\n(?=\p{{P}}*[{UNSPACED}])")
