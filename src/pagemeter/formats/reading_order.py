"""The order in which a PAGE file wants its regions read."""

from __future__ import annotations

import re
from collections import defaultdict, deque
from typing import TYPE_CHECKING

from pagemeter.formats.page_names import NAMES, attribute
from pagemeter.formats.page_region import Region
from pagemeter.page import Line

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pagemeter.formats.base import Notes
    from pagemeter.formats.xml import Element

_CUSTOM = re.compile(r"readingOrder\s*\{[^}]*?\bindex\s*:\s*(\d+)")


def in_reading_order(page: Element, root: Region, notes: Notes) -> list[list[Line]]:
    """The lines of each region, by ReadingOrder, else by the `custom` indices, else in document order.

    A region that the order names is read at its place together with the regions inside it that the order does
    not name. What the order forgets is appended in document order, with a warning.
    """
    orders = [child for child in page if NAMES[child.tag] == "ReadingOrder"]
    references = list(_references(orders, notes))
    if not references:
        _sort_by_custom(root, notes)
        return list(groups(root, frozenset()))
    placed = _resolve(references, root, notes)
    named = frozenset(map(id, placed))
    ordered = [group for region in placed for group in groups(region, named)]
    return ordered + _forgotten(root, named, notes)


def groups(region: Region, elsewhere: frozenset[int]) -> Iterator[list[Line]]:
    """The lines of a region and of those inside it, in document order, but for those read elsewhere."""
    own: list[Line] = []
    for part in region.parts:
        if isinstance(part, Line):
            own.append(part)
        elif id(part) not in elsewhere:
            if own:
                yield own
                own = []
            yield from groups(part, elsewhere)
    if own:
        yield own


def _references(members: Iterable[Element], notes: Notes) -> Iterator[str]:
    """The region ids that members name; a group that is a region itself comes before its own members."""
    for member in members:
        reference = attribute(member, "regionRef")
        if reference:
            yield reference
        if len(member):
            yield from _references(_members(member, notes), notes)


def _members(group: Element, notes: Notes) -> list[Element]:
    """The members of a group in their order."""
    members = list(group)
    kind = NAMES[group.tag]
    if kind.startswith("Ordered"):
        indices = [_index(member) for member in members]
        if len(set(indices)) < len(indices):
            notes.add(f"{kind} {group.get('id')}", "members with the same or no index: read as they stand")
        members = [members[at] for at in sorted(range(len(members)), key=indices.__getitem__)]
    elif kind.startswith("Unordered") and len(members) > 1:
        notes.add(f"{kind} {group.get('id')}", "its members have no order: read as they stand")
    return members


def _index(member: Element) -> int:
    """The index of a member; those without one come last."""
    try:
        return int(member.get("index"))
    except (TypeError, ValueError):
        return 1 << 62


def _resolve(references: list[str], root: Region, notes: Notes) -> list[Region]:
    """The regions that references name; ids may be used twice, in the order and by regions."""
    known: dict[str, deque[Region]] = defaultdict(deque)
    for region in root.descendants():
        if region.id is not None:
            known[region.id].append(region)
    placed: list[Region] = []
    for reference in references:
        if reference not in known:
            notes.add(f"ReadingOrder {reference}", "refers to a region that is missing: skipped")
        elif not known[reference]:
            notes.add(f"ReadingOrder {reference}", "refers to a region again: its first place counts")
        else:
            placed.append(known[reference].popleft())
    return placed


def _forgotten(root: Region, named: frozenset[int], notes: Notes) -> list[list[Line]]:
    reason = "is missing from the reading order: appended in document order"
    left = []
    for part in root.parts:
        if isinstance(part, Line):
            notes.add(f"line {part.id}", reason)
            left.append([part])
        elif id(part) not in named and (found := list(groups(part, named))):
            notes.add(f"region {part.id}", reason)
            left += found
    return left


def _sort_by_custom(root: Region, notes: Notes) -> None:
    """Sort the regions of a page by the index in their `custom` attribute, where any has one."""
    indices = [_custom_index(part) for part in root.parts]
    if all(index is None for index in indices):
        return
    for part, index in zip(root.parts, indices, strict=True):
        if index is None and isinstance(part, Region) and part.has_lines():
            notes.add(f"region {part.id}", "has no index in its custom attribute, as others have: read last")
    last = 1 << 62
    keys = [last if index is None else index for index in indices]
    root.parts = [root.parts[at] for at in sorted(range(len(keys)), key=keys.__getitem__)]


def _custom_index(part: Region | Line) -> int | None:
    found = _CUSTOM.search(part.custom) if isinstance(part, Region) else None
    return int(found[1]) if found else None
