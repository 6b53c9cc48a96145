"""Tags of Transkribus in the attribute `custom` of a line: remarks on parts of its text, and their readings.

    unclear {offset:4; length:3;} gap {offset:9; length:0;} abbrev {offset:12; length:3; expansion:domino;}

`unclear`, `gap` and `supplied` become notes. `abbrev` and `sic` have an edited reading, `expansion` and
`correction`, which the option `choice` prefers and the option `readings` accepts.
"""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import product
from typing import TYPE_CHECKING, NamedTuple

from pagemeter.page import NOTE_KINDS, Note, Reading

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pagemeter.formats.base import Notes

_TAG = re.compile(r"([A-Za-z][\w-]*+)\s*+\{([^{}]*+)\}")
_ESCAPE = re.compile(r"\\u([0-9A-Fa-f]{4})")
_EDITED = {"abbrev": ("expan", "expansion"), "sic": ("corr", "correction")}
"""The tags with an edited reading: the name of the option, and the property with the reading."""
_MOST_READINGS = 64


class _Change(NamedTuple):
    """A part of a line, and the text that the editor has for it."""

    begin: int
    end: int
    text: str


def tagged_line(
    text: str, custom: str, choice: str | None, label: str, notes: Notes, *, all_readings: bool
) -> tuple[Reading, tuple[Reading, ...]]:
    """Return the text of a line with its notes, and its further readings.

    Args:
        text: The text.
        custom: The attribute `custom` of the line.
        choice: The edited readings to prefer, separated by commas: "expan" and "corr".
        label: The name of the line in warnings.
        notes: Collects warnings.
        all_readings: True to return the readings of tags that are not chosen.

    >>> from pagemeter.formats.base import Notes
    >>> custom = "abbrev {offset:0; length:3; expansion:domino;} unclear {offset:4; length:2;}"
    >>> line, _ = tagged_line("dno ab", custom, "expan", "line", Notes("a.xml"), all_readings=False)
    >>> line.text, line.notes[0].begin
    ('domino ab', 7)

    """
    remarks: list[Note] = []
    chosen: list[_Change] = []
    others: list[_Change] = []
    places = _utf16_places(text)
    wanted = frozenset((choice or "").split(","))
    for name, properties in _tags(custom):
        try:
            begin = int(properties.get("offset", ""))
            end = places[begin + int(properties.get("length", "0"))]
            begin = places[begin]
        except (ValueError, IndexError):
            if name in _EDITED or name in NOTE_KINDS:
                notes.add(label, f"the tag {name} was ignored, because it is not within the text")
            continue
        if end < begin:
            continue
        remarks += [
            Note(kind, begin, end) for kind in NOTE_KINDS if kind == name and (begin < end or kind == "gap")
        ]
        option, key = _EDITED.get(name, ("", ""))
        if properties.get(key) and begin < end:
            (chosen if option in wanted else others).append(_Change(begin, end, properties[key]))
    main = _changed(text, chosen, remarks)
    if not all_readings or not (others or chosen):
        return main, ()
    changes = _apart(sorted([*chosen, *others]))
    if 2 ** len(changes) > _MOST_READINGS:
        notes.add(label, f"has more than {_MOST_READINGS} readings, and only some of them are accepted")
        picks: list[tuple[bool, ...]] = [(False,) * len(changes), (True,) * len(changes)]
    else:
        picks = list(product((False, True), repeat=len(changes)))
    readings = (
        _changed(text, [change for change, is_used in zip(changes, pick, strict=True) if is_used], remarks)
        for pick in picks
    )
    return main, tuple(dict.fromkeys(reading for reading in readings if reading != main))


def _tags(custom: str) -> Iterator[tuple[str, dict[str, str]]]:
    for name, body in _TAG.findall(custom):
        pairs = (part.partition(":") for part in body.split(";") if ":" in part)
        yield (
            name,
            {
                key.strip(): _ESCAPE.sub(lambda code: chr(int(code[1], 16)), value.strip())
                for key, _, value in pairs
            },
        )


def _utf16_places(text: str) -> Sequence[int]:
    """Return the character at each offset of Transkribus, which counts UTF-16 code units."""
    if text.isascii() or all(ord(c) <= 0xFFFF for c in text):  # noqa: PLR2004
        return range(len(text) + 1)
    return [*(i for i, c in enumerate(text) for _ in range(1 + (ord(c) > 0xFFFF))), len(text)]  # noqa: PLR2004


def _apart(changes: Sequence[_Change]) -> list[_Change]:
    """Return the changes that do not overlap an earlier one."""
    apart: list[_Change] = []
    for change in changes:
        if not apart or change.begin >= apart[-1].end:
            apart.append(change)
    return apart


def _changed(text: str, changes: Sequence[_Change], remarks: Sequence[Note]) -> Reading:
    """Return a text with changes, and the notes moved with it."""
    apart = _apart(sorted(changes))

    def moved(position: int) -> int:
        shift = 0
        for begin, end, other in apart:
            if position >= end:
                shift += len(other) - (end - begin)
            elif position > begin:
                return begin + shift + min(position - begin, len(other))
        return position + shift

    parts, position = [], 0
    for begin, end, other in apart:
        parts += [text[position:begin], other]
        position = end
    notes = [replace(note, begin=moved(note.begin), end=moved(note.end)) for note in remarks]
    return Reading("".join((*parts, text[position:])), tuple(sorted(notes, key=lambda note: note.begin)))
