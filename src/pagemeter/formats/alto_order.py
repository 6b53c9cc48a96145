"""The order in which an ALTO file wants its lines read."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pagemeter.formats.xml import LOCAL, Element

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pagemeter.formats.base import Notes
    from pagemeter.page import Line


@dataclass(slots=True)
class Block:
    """A text block: its lines, and the block that its IDNEXT says comes next."""

    id: str | None
    next: str | None = None
    lines: list[Line] = field(default_factory=list)


def in_reading_order(root: Element, page: Element, blocks: list[Block], notes: Notes) -> list[list[Line]]:
    """The lines by ReadingOrder (ALTO 4.3), else by the IDNEXT chains of blocks, else in document order."""
    references = [
        reference for child in root if LOCAL[child.tag] == "ReadingOrder" for reference in _references(child)
    ]
    if references:
        return _by_references(references, page, blocks, notes)
    return [block.lines for block in _chained(blocks, notes)]


def _references(group: Element) -> Iterator[str]:
    """What the groups refer to, as it stands: the order of ALTO has no index."""
    for member in group:
        if member.get("REF"):
            yield member.get("REF")
        yield from _references(member)


def _by_references(
    references: list[str], page: Element, blocks: list[Block], notes: Notes
) -> list[list[Line]]:
    """References name blocks, lines or words; a line is read where it, its block or a word is named first."""
    targets = _targets(page, blocks)
    left = {id(line) for block in blocks for line in block.lines}
    ordered: list[list[Line]] = []
    for reference in references:
        if reference not in targets:
            notes.add(f"ElementRef {reference}", "refers to an element that is missing: skipped")
            continue
        lines = [line for line in targets[reference] if id(line) in left]
        left -= {id(line) for line in lines}
        ordered.append(lines)
    for block in blocks:
        forgotten = [line for line in block.lines if id(line) in left]
        for line in forgotten:
            notes.add(f"TextLine {line.id}", "is missing from the reading order: appended in document order")
        ordered.append(forgotten)
    return _joined(ordered)


def _targets(page: Element, blocks: list[Block]) -> dict[str, list[Line]]:
    """The lines that an id stands for: of a block, a line, or the line around a word."""
    targets: dict[str, list[Line]] = {element.get("ID"): [] for element in page.iter() if element.get("ID")}
    for block in blocks:
        for line in block.lines:
            if line.id:
                targets[line.id].append(line)
            if block.id:
                targets[block.id].append(line)
    for element in page.iter("{*}TextLine"):
        around = targets.get(element.get("ID") or "", [])
        targets.update((word.get("ID"), around) for word in element if word.get("ID"))
    return targets


def _joined(groups: list[list[Line]]) -> list[list[Line]]:
    """Neighbouring groups of one block as one, so that lines named one by one stay lines of a region."""
    joined: list[list[Line]] = []
    for group in filter(None, groups):
        if joined and joined[-1][-1].region == group[0].region:
            joined[-1] += group
        else:
            joined.append(list(group))
    return joined


def _chained(blocks: list[Block], notes: Notes) -> Iterator[Block]:
    """The blocks in document order, but each followed by the one its IDNEXT names."""
    followers = {block.next for block in blocks if block.next}
    if not followers:
        yield from blocks
        return
    known = {block.id: block for block in reversed(blocks) if block.id}
    for reference in followers - known.keys():
        notes.add(f"IDNEXT {reference}", "refers to a block that is missing or has no text: skipped")
    seen: set[int] = set()
    heads = [block for block in blocks if block.id not in followers]
    for head in heads + blocks:  # a ring of blocks has no head and is entered at its first
        block: Block | None = head
        while block is not None and id(block) not in seen:
            seen.add(id(block))
            yield block
            block = known.get(block.next or "")
