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
        self._path, self._suffixes, self._lines = path, suffixes, LineFile(path)
        self._begins, self._digests, self._fit = array("q"), array("Q"), array("b")
        self._problems: list[tuple[Location, str]] = []
        self._shared: Sequence[str] | None = None
        for number, begin, line in self._lines.placed():
            try:
                self._add(begin, located(line, path))
            except ValueError as error:
                self._problems.append((path, f"line {number}: {error}"))

    def __len__(self) -> int:
        return len(self._begins)

    def __getitem__(self, place: int) -> str:
        return self._lines.at(self._begins[place])

    def found(self) -> Found:
        """The files, each once, and the lines that name none."""
        first = np.zeros(len(self._digests), bool)
        first[np.unique(np.array(self._digests), return_index=True)[1]] = True
        fit = np.array(self._fit, bool)
        self._digests, self._fit = array("Q"), array("b")  # nobody asks for them again
        lines = Listing(self, self._made, lambda line: os.fspath(located(line, self._path)))
        again, others = lines.among(~first), lines.among(first & ~fit)
        unfit = f"does not end in {' or '.join(self._suffixes)}"
        passed_over = [PassedOver(one.path, "named twice in a list") for one in again]
        passed_over += [PassedOver(one.path, unfit) for one in others]
        return Found(lines.among(first & fit), passed_over, self._problems)

    def _add(self, begin: int, listed: Location) -> None:
        self._begins.append(begin)
        self._digests.append(digest(str(listed)))
        self._fit.append(not self._suffixes or candidate(listed, (), self._suffixes) is not None)
        folders = _folders(listed)
        self._shared = folders if self._shared is None else _common(self._shared, folders)

    def _made(self, line: str) -> Candidate:
        listed = located(line, self._path)
        folders = _folders(listed)[len(self._shared or ()) :]
        taken = candidate(listed, folders, self._suffixes)
        return taken or Candidate(os.fspath(listed), tuple(folders), listed.stem, listed.suffix, None)


def _folders(listed: Location) -> list[str]:
    """All folders that a file is in, from the top."""
    return (listed.parent if isinstance(listed, Url) else os.path.abspath(listed.parent)).split("/")  # noqa: PTH100


def _common(one: Sequence[str], other: Sequence[str]) -> Sequence[str]:
    """The first folders that are the same."""
    if other[: len(one)] == one:
        return one
    return [here for here, _ in takewhile(lambda both: both[0] == both[1], zip(one, other, strict=False))]


def check_name(name: str) -> None:
    """Raises an error for what cannot be the name of a file.

    >>> check_name("0001.xml")
    """
    if "\0" in name:
        raise ValueError("a zero byte in a name; mend the list")


def located(name: str, listed_in: Location) -> Location:
    """A relative path is that of the list's folder, or else, if it exists there, of the working folder."""
    check_name(name)
    given = location(name)
    if isinstance(given, Url) or given.is_absolute():
        return given
    beside = listed_in.parent / name
    if isinstance(beside, Url):
        return beside
    return given if not os.path.lexists(beside) and os.path.lexists(name) else beside
