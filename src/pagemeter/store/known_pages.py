"""Which pages of several stores are the same: those with the same ground truth, wherever it was read from."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


class Known(NamedTuple):
    """What a page of a store is known by: its ground truth file, its name, and what that file held."""

    gt: str
    name: str
    sha256: str | None


@dataclass(slots=True)
class KnownPages:
    """The pages of stores, each by its ground truth file as the first store that has it spells it.

    >>> pages = KnownPages()
    >>> pages.add([Known("gt/1.txt", "1", "ab"), Known("gt/2.txt", "2", "cd")])
    ['gt/1.txt', 'gt/2.txt']
    >>> pages.add([Known("../gt/1.txt", "1", "ab"), Known("gt/2.txt", "2", "ef")])
    ['gt/1.txt', None]
    """

    _files: dict[tuple[str, str | None], str] = field(default_factory=dict)
    _seen: set[str] = field(default_factory=set)
    _stores: list[tuple[Sequence[Known], Sequence[str | None]]] = field(default_factory=list)

    def add(self, pages: Sequence[Known]) -> list[str | None]:
        """The files of the pages of one more store; None for one that had another ground truth before."""
        found: list[str | None] = [self._files.get(page[::2]) for page in pages]
        others = [place for place, file in enumerate(found) if file is None]
        if others and self._stores:
            ways = self._ways()
            alone = _alone(pages)
            for place in others:
                known = (ways[way] for way in _unsure(pages[place], alone) if way in ways)
                found[place] = next(known, self._new(pages[place]))
        elif others:
            found = [page.gt for page in pages]
        self._stores.append((pages, found))
        self._files |= {page[::2]: file for page, file in zip(pages, found, strict=True) if file}
        self._seen.update(file for file in found if file)
        return found

    def _new(self, page: Known) -> str | None:
        return None if page.sha256 is not None and page.gt in self._seen else page.gt

    def _ways(self) -> dict[tuple[str, str], str]:
        """The files by what else they may be known by."""
        made: dict[tuple[str, str], str] = {}
        for pages, files in self._stores:
            alone = _alone(pages)
            for page, file in zip(pages, files, strict=True):
                for way in _unsure(page, alone) if file else ():
                    made.setdefault(way, file or "")
        return made


def _alone(pages: Sequence[Known]) -> set[str | None]:
    """What only one page of a store holds."""
    return {sha256 for sha256, times in Counter(page.sha256 for page in pages).items() if times == 1}


def _unsure(page: Known, alone: set[str | None]) -> Iterator[tuple[str, str]]:
    """What a page may be known by if its file is called otherwise: name and content, or content alone."""
    if page.sha256 is not None:
        yield page.sha256, f"name {page.name}"
        if page.sha256 in alone:
            yield page.sha256, "alone"
