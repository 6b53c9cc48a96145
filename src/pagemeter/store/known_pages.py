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

    _files: dict[tuple[str | None, ...], str] = field(default_factory=dict)
    _seen: set[str] = field(default_factory=set)

    def add(self, pages: Sequence[Known]) -> list[str | None]:
        """The files of the pages of one more store; None for one that had another ground truth before."""
        times = Counter(page.sha256 for page in pages)
        found: list[str | None] = []
        for page in pages:
            ways = list(_ways(page, alone=times[page.sha256] == 1))
            found.append(next((self._files[way] for way in ways if way in self._files), self._new(page)))
        for page, file in zip(pages, found, strict=True):
            if file is not None:
                self._seen.add(file)
                for way in _ways(page, alone=times[page.sha256] == 1):
                    self._files.setdefault(way, file)
        return found

    def _new(self, page: Known) -> str | None:
        return None if page.sha256 is not None and page.gt in self._seen else page.gt


def _ways(page: Known, *, alone: bool) -> Iterator[tuple[str | None, ...]]:
    """What a page may be found by, the surest first; by content alone if no page beside it has that."""
    if page.sha256 is not None:
        yield page.sha256, "file", page.gt
        yield page.sha256, "name", page.name
        if alone:
            yield (page.sha256,)
