"""The reading order of the regions of a PAGE file."""

from __future__ import annotations

import re
from collections import defaultdict, deque
from typing import TYPE_CHECKING

from pagemeter.formats.page.regions import Region
from pagemeter.formats.page.text import PAGE_NAMES, get_attribute
from pagemeter.page import Line

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pagemeter.formats.base import Notes
    from pagemeter.formats.xml import Element

_CUSTOM_INDEX = re.compile(r"readingOrder\s*+\{[^{}]*?\bindex\s*+:\s*+(\d{1,18})(?!\d)")
_LAST = 1 << 62


def order_regions(page: Element, root: Region, notes: Notes) -> list[list[Line]]:
    """Return the lines of each region in reading order.

    The order is that of ReadingOrder, or of the indices in the attribute `custom`, or of the document. A
    region in ReadingOrder includes its inner regions that are not in ReadingOrder. Regions that are missing
    in ReadingOrder follow in document order, with a warning.
    """
    orders = [child for child in page if PAGE_NAMES[child.tag] == "ReadingOrder"]
    references = list(_references(orders, notes))
    if not references:
        _sort_by_custom_index(root, notes)
        return list(split_regions(root, frozenset()))
    listed = _resolve(references, root, notes)
    listed_ids = frozenset(map(id, listed))
    ordered = [lines for region in listed for lines in split_regions(region, listed_ids)]
    return ordered + _unlisted(root, listed_ids, notes)


def split_regions(region: Region, excluded: frozenset[int]) -> Iterator[list[Line]]:
    """Iterate over the lines of a region and of its inner regions, in document order.

    `excluded` has the Python ids of inner regions to leave out.
    """
    lines: list[Line] = []
    for part in region.parts:
        if isinstance(part, Line):
            lines.append(part)
        elif id(part) not in excluded:
            if lines:
                yield lines
                lines = []
            yield from split_regions(part, excluded)
    if lines:
        yield lines


def _references(members: Iterable[Element], notes: Notes) -> Iterator[str]:
    """Iterate over the region ids of members; a group that is a region itself precedes its members."""
    for member in members:
        reference = get_attribute(member, "regionRef")
        if reference:
            yield reference
        if len(member):
            yield from _references(_members(member, notes), notes)


def _members(group: Element, notes: Notes) -> list[Element]:
    """Return the members of a group in their order."""
    members = list(group)
    kind = PAGE_NAMES[group.tag]
    if kind.startswith("Ordered"):
        indices = [_index(member) for member in members]
        if len(set(indices)) < len(indices):
            notes.add(
                f"{kind} {group.get('id')}", "members have equal or no indices, so document order is used"
            )
        members = [members[at] for at in sorted(range(len(members)), key=indices.__getitem__)]
    elif kind.startswith("Unordered") and len(members) > 1:
        notes.add(f"{kind} {group.get('id')}", "its members have no order, so document order is used")
    return members


def _index(member: Element) -> int:
    """Return the index of a member; members without one come last."""
    try:
        return int(member.get("index"))
    except (TypeError, ValueError):
        return _LAST


def _resolve(references: list[str], root: Region, notes: Notes) -> list[Region]:
    """Return the regions with the given ids; several references and several regions may have the same id."""
    known: dict[str, deque[Region]] = defaultdict(deque)
    for region in root.descendants():
        if region.id is not None:
            known[region.id].append(region)
    regions: list[Region] = []
    for reference in references:
        if reference not in known:
            notes.add(f"ReadingOrder {reference}", "there is no region with this id")
        elif not known[reference]:
            notes.add(
                f"ReadingOrder {reference}", "the region is listed again, and its first position is used"
            )
        else:
            regions.append(known[reference].popleft())
    return regions


def _unlisted(root: Region, listed_ids: frozenset[int], notes: Notes) -> list[list[Line]]:
    detail = "not in the reading order, placed after the others in document order"
    unlisted = []
    for part in root.parts:
        if isinstance(part, Line):
            notes.add(f"line {part.id}", detail)
            unlisted.append([part])
        elif id(part) not in listed_ids and (regions := list(split_regions(part, listed_ids))):
            notes.add(f"region {part.id}", detail)
            unlisted += regions
    return unlisted


def _sort_by_custom_index(root: Region, notes: Notes) -> None:
    """Sort the regions of a page by the index in their attribute `custom`, if any region has one."""
    indices = [_custom_index(part) for part in root.parts]
    if all(index is None for index in indices):
        return
    for part, index in zip(root.parts, indices, strict=True):
        if index is None and isinstance(part, Region) and part.has_lines:
            notes.add(
                f"region {part.id}", "has no index in its attribute custom, unlike others, and is read last"
            )
    keys = [_LAST if index is None else index for index in indices]
    root.parts = [root.parts[at] for at in sorted(range(len(keys)), key=keys.__getitem__)]


def _custom_index(part: Region | Line) -> int | None:
    match = _CUSTOM_INDEX.search(part.custom) if isinstance(part, Region) else None
    return int(match[1]) if match else None
