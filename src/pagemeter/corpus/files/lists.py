"""Lists of files: one path a line."""

from __future__ import annotations

import os
from array import array
from itertools import takewhile
from typing import TYPE_CHECKING

import numpy as np

from pagemeter.corpus.files.folders import Found, PassedOver
from pagemeter.corpus.files.line_file import LineFile
from pagemeter.corpus.files.listing import Listing
from pagemeter.corpus.files.locating import Locator, plain
from pagemeter.corpus.files.names import Candidate, candidate
from pagemeter.corpus.files.repeated import digest
from pagemeter.corpus.urls import Location, Url, location

if TYPE_CHECKING:
    from collections.abc import Sequence

LISTS = (".lst", ".list")


def read_list(path: Location, suffixes: Sequence[str] = ()) -> Found:
    r"""The files that a list names, one a line; blank lines and lines that begin with # are left out.

    >>> import tempfile
    >>> from pathlib import Path
    >>> path = Path(tempfile.mkdtemp(), "gt.lst")
    >>> _ = path.write_text("# two pages\na/1.xml\nb/1.xml\n")
    >>> [found.name for found in read_list(path).candidates]
    ['a/1', 'b/1']
    """
    return _FileList(path, suffixes).found()


class _FileList:
    """A list that has been read once: where its lines begin, which name a file again, and what all share."""

    def __init__(self, path: Location, suffixes: Sequence[str]) -> None:
        self._suffixes, self._lines, self._locator = suffixes, LineFile(path), Locator(path)
        self._begins = array("q")  # of lines that name a file in another folder than that of the list: ~begin
        self._digests, self._fit = array("q"), array("b")
        self._problems: list[tuple[Location, str]] = []
        self._shared: Sequence[str] | None = None
        self._last: tuple[str, Sequence[str]] | None = None
        for number, begin, line in self._lines.placed():
            try:
                is_beside = self._locator.is_beside(line)
            except ValueError as error:
                self._problems.append((path, f"line {number}: {error}"))
            else:
                self._begins.append(begin if is_beside else ~begin)
                self._add(self._file(line, is_beside=is_beside))

    def __len__(self) -> int:
        return len(self._begins)

    def __getitem__(self, place: int) -> str:
        begin = self._begins[place]
        is_beside = begin >= 0
        return self._file(self._lines.at(begin if is_beside else ~begin), is_beside=is_beside)

    def _file(self, line: str, *, is_beside: bool) -> str:
        return self._locator.beside(line) if is_beside else plain(line)

    def found(self) -> Found:
        """The files, each once, and the lines that name none."""
        first = np.zeros(len(self._digests), bool)
        first[np.unique(np.array(self._digests), return_index=True)[1]] = True
        fit = np.array(self._fit, bool)
        self._digests, self._fit = array("q"), array("b")  # nobody asks for them again
        lines = Listing(self, self._made, lambda file: file)
        again, others = lines.among(~first), lines.among(first & ~fit)
        unfit = f"does not end in {' or '.join(self._suffixes)}"
        passed_over = [PassedOver(one.path, "named twice in a list") for one in again]
        passed_over += [PassedOver(one.path, unfit) for one in others]
        return Found(lines.among(first & fit), passed_over, self._problems)

    def _add(self, file: str) -> None:
        self._digests.append(digest(file))
        self._fit.append(not self._suffixes or candidate(file, (), self._suffixes) is not None)
        before, folders = self._last, self._folders(file)
        if self._last is not before:
            self._shared = folders if self._shared is None else _common(self._shared, folders)

    def _made(self, file: str) -> Candidate:
        folders = tuple(self._folders(file)[len(self._shared or ()) :])
        taken = candidate(file, folders, self._suffixes)
        return taken or Candidate(file, folders, (path := location(file)).stem, path.suffix, None)

    def _folders(self, file: str) -> Sequence[str]:
        """All folders that a file is in, from the top; it is mostly that of the file before."""
        above = file.parent if isinstance(file, Url) else file[: file.rfind("/") + 1]
        if self._last is None or above != self._last[0]:
            here = above if isinstance(above, Url) else os.path.abspath(above)  # noqa: PTH100
            self._last = above, here.split("/")
        return self._last[1]


def _common(one: Sequence[str], other: Sequence[str]) -> Sequence[str]:
    """The first folders that are the same."""
    if other[: len(one)] == one:
        return one
    return [here for here, _ in takewhile(lambda both: both[0] == both[1], zip(one, other, strict=False))]
