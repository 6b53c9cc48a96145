"""Which pages of several stores are the same: those with the same ground truth, wherever it was read from."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence


_T = TypeVar("_T")
_FAILED, _ANY = "failed", "any"  # in the place of a content: no digest is such a word


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
            alone = _Alone.among(pages)
            taken = set(found)
            for place in sorted(others, key=lambda place: pages[place].sha256 is None):  # the sure ones first
                known = (ways[way] for way in alone.ways(pages[place]) if way in ways)
                free = (file for file in known if file not in taken)
                found[place] = next(free, self._new(pages[place]))
                taken.add(found[place])
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
            alone = _Alone.among(pages)
            for page, file in zip(pages, files, strict=True):
                for way in alone.offered(page) if file else ():
                    made.setdefault(way, file or "")
        return made


@dataclass(frozen=True, slots=True)
class _Alone:
    """What only one page of a store holds, and the names that only one has."""

    contents: set[str | None]
    names: set[str]

    @classmethod
    def among(cls, pages: Sequence[Known]) -> _Alone:
        return cls(_once(page.sha256 for page in pages), _once(page.name for page in pages))

    def ways(self, page: Known) -> Iterator[tuple[str, str]]:
        """What a page may be known by: name and content, content alone, or its name.

        By its name alone a page is known if it failed there or failed here, for then a content is lacking.
        """
        named = page.name in self.names
        if page.sha256 is not None:
            yield page.sha256, f"name {page.name}"
            if page.sha256 in self.contents:
                yield page.sha256, "alone"
            if named:
                yield _FAILED, page.name
        elif named:
            yield _ANY, page.name

    def offered(self, page: Known) -> Iterator[tuple[str, str]]:
        """What others find a page by."""
        yield from (way for way in self.ways(page) if way[0] not in (_ANY, _FAILED))
        if page.name in self.names:
            yield _ANY, page.name
            if page.sha256 is None:
                yield _FAILED, page.name


def _once(values: Iterable[_T]) -> set[_T]:
    return {value for value, times in Counter(values).items() if times == 1}
