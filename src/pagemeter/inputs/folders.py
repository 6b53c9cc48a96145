"""The page files of one side: a compact list of them, and the search for them in a folder.

All sources of files (folders, lists, JSON lines) produce a `SideFiles`.
"""

from __future__ import annotations

import os
from array import array
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Protocol, cast, overload

import numpy as np

from pagemeter.errors import Problem
from pagemeter.inputs.names import Candidate, candidate, is_about_pages, natural_sort
from pagemeter.inputs.urls import Url, files_below

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from numpy.typing import NDArray

    from pagemeter.inputs.urls import Location


@dataclass(frozen=True, slots=True)
class PassedOver:
    """A file that is not used as a page, and the reason."""

    path: Location
    reason: str


@dataclass(slots=True)
class SideFiles:
    """The files of one side: page files, other files, and folders or lines that could not be read.

    `inodes` are those of all page files if they come from a local folder; 0 for symbolic links.
    """

    candidates: CandidateList
    passed_over: list[PassedOver] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    inodes: array[int] | None = None


class NameList:
    """The names of many files, stored as bytes; each takes 8 bytes more than its characters.

    >>> names = NameList()
    >>> for name in ("a/1.xml", "b/1.xml"): names.append(name)
    >>> names[1], len(names)
    ('b/1.xml', 2)
    """

    __slots__ = ("_bytes", "_ends")

    def __init__(self) -> None:
        self._bytes, self._ends = bytearray(), array("q", [0])

    def append(self, name: str) -> None:
        """Add a name."""
        self._bytes += name.encode("utf-8", "surrogatepass")  # names need not be UTF-8
        self._ends.append(len(self._bytes))

    def __getitem__(self, index: int) -> str:
        return self._bytes[self._ends[index] : self._ends[index + 1]].decode("utf-8", "surrogatepass")

    def __len__(self) -> int:
        return len(self._ends) - 1


class _Names(Protocol):
    """Names by index."""

    def __len__(self) -> int: ...
    def __getitem__(self, index: int, /) -> str: ...


class CandidateList(Sequence[Candidate]):
    """Files that may contain pages; a `Candidate` is created from the name each time it is accessed.

    >>> from pagemeter.inputs.names import candidate
    >>> files = CandidateList(("0001.xml", "0002.xml"), candidate, str)
    >>> [file.stem for file in files], files.file(1)
    (['0001', '0002'], '0002.xml')
    """

    def __init__(
        self,
        names: _Names,
        to_candidate: Callable[[str], Candidate],
        to_file: Callable[[str], str],
        indices: NDArray[np.int32] | None = None,
    ) -> None:
        self._names, self._to_candidate, self._to_file, self._indices = names, to_candidate, to_file, indices

    def __len__(self) -> int:
        return len(self._names if self._indices is None else self._indices)

    @overload
    def __getitem__(self, index: int) -> Candidate: ...
    @overload
    def __getitem__(self, index: slice) -> list[Candidate]: ...
    def __getitem__(self, index: int | slice) -> Candidate | list[Candidate]:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        if not 0 <= index < len(self):
            raise IndexError(index)
        return self._to_candidate(self._name(index))

    def file(self, index: int) -> str:
        """Return the path of a file as text, which is quicker than creating its `Candidate`."""
        return self._to_file(self._name(index))

    def select(self, mask: NDArray[np.bool_]) -> CandidateList:
        """Return the files for which the mask is True."""
        if mask.all():
            return self
        indices = np.arange(len(self._names), dtype=np.int32) if self._indices is None else self._indices
        return CandidateList(self._names, self._to_candidate, self._to_file, indices[mask])

    def filter(self, condition: Callable[[Candidate], bool]) -> CandidateList:
        """Return the files for which the condition is True."""
        return self.select(np.fromiter((condition(file) for file in self), bool, len(self)))

    def values_of(self, values: NDArray[np.uint64]) -> NDArray[np.uint64]:
        """Return the values of these files, given those of all names."""
        return values if self._indices is None else values[self._indices]

    def _name(self, index: int) -> str:
        return self._names[index if self._indices is None else int(self._indices[index])]


def find_files(top: Path, suffixes: Sequence[str] = (), without: Path | None = None) -> SideFiles:
    """Find the page files in a folder and its subfolders, in the order of their names.

    Hidden files and files with other suffixes are ignored. Links to folders are followed, unless they
    lead back to a folder above. A second link to the same folder is ignored, because the number of ways
    through links can be exponential in the number of links.

    Args:
        top: The folder.
        suffixes: The suffixes of page files; empty for all known ones.
        without: A folder inside that is not searched.

    >>> import tempfile
    >>> from pathlib import Path
    >>> top = Path(tempfile.mkdtemp())
    >>> for name in ("0001.xml", "0001.jpg", ".hidden.xml"): (top / name).touch()
    >>> files = find_files(top)
    >>> [file.stem for file in files.candidates], [other.path.name for other in files.passed_over]
    (['0001'], ['.hidden.xml', '0001.jpg'])

    """
    names, inodes = NameList(), array("Q")
    files = SideFiles(_candidates(top, names, suffixes), inodes=inodes)
    walk = _Walk(files, os.path.realpath(without) if without else None)
    for name, inode in walk.entries(top):
        if candidate(name, (), suffixes) is None:
            files.passed_over.append(PassedOver(top / name, _why_not_a_page(top / name, suffixes)))
        elif not inode and not _is_readable(top / name):
            files.passed_over.append(PassedOver(top / name, "a device, pipe or socket, not a file"))
        else:
            names.append(name)
            inodes.append(inode)
    return files


def find_url_files(top: Url, suffixes: Sequence[str] = ()) -> SideFiles:
    """Find the page files in a folder behind a URL, or in an archive."""
    names = NameList()
    files = SideFiles(_candidates(top, names, suffixes))
    for name in natural_sort(files_below(top)):
        hidden = any(folder.startswith(".") for folder in PurePosixPath(name).parts[:-1])
        if not hidden and candidate(top / name, (), suffixes):
            names.append(name)
        else:
            files.passed_over.append(PassedOver(top / name, _why_not_a_page(top / name, suffixes)))
    return files


def _candidates(top: Location, names: NameList, suffixes: Sequence[str]) -> CandidateList:
    """Return the page files of a folder by their names, which are relative to the folder."""
    prefix = None if isinstance(top, Url) else os.fspath(top / "x")[:-1]

    def to_file(name: str) -> str:
        return os.fspath(top / name) if prefix is None else prefix + name

    def to_candidate(name: str) -> Candidate:
        folders = name.split("/")[:-1] if "/" in name else ()
        return cast("Candidate", candidate(to_file(name), folders, suffixes))

    return CandidateList(names, to_candidate, to_file)


class _Walk:
    """A search in a folder and its subfolders, except one; problems are added to `files`."""

    def __init__(self, files: SideFiles, without: str | None) -> None:
        self._files, self._without = files, without
        self._linked: set[str] = set()  # folders that were reached through a link

    def entries(
        self, folder: Path, prefix: str = "", above: tuple[str, ...] = (), *, linked: bool = False
    ) -> Iterator[tuple[str, int]]:
        """Yield the names of all entries that are not folders, with inodes (0 if not a regular file)."""
        real = os.path.realpath(folder)
        if real in above:
            problem = Problem("a link to a folder above it", str(folder), remedy="remove the link")
            self._files.problems.append(problem)
            return
        if linked and real in self._linked:
            self._files.passed_over.append(PassedOver(folder, "a second link to the same folder"))
            return
        if linked:
            self._linked.add(real)
        try:
            entries = _entries(folder)
        except OSError as error:
            remedy = "change the permissions of the folder (chmod)"
            self._files.problems.append(Problem(str(error.strerror or error), str(folder), remedy=remedy))
            return
        for name in natural_sort(entries):
            if inode := entries[name]:
                yield prefix + name, inode
            elif not os.path.isdir(path := folder / name):  # noqa: PTH112  (Path.is_dir may raise)
                yield prefix + name, 0
            elif name.startswith("."):
                self._files.passed_over.append(PassedOver(path, "a hidden folder"))
            elif os.path.realpath(path) != self._without:
                is_linked = linked or os.path.islink(path)  # noqa: PTH114  (Path.is_link may raise)
                yield from self.entries(path, f"{prefix}{name}/", (*above, real), linked=is_linked)


def _entries(folder: Path) -> dict[str, int]:
    """Return the names in a folder with the inodes of regular files, 0 for folders, links and others.

    The folder itself has this information; no file is opened or examined.
    """
    with os.scandir(folder) as entries:
        return {entry.name: entry.inode() if _is_regular(entry) else 0 for entry in entries}


def _is_regular(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_file(follow_symlinks=False)
    except OSError:  # the file system does not know the type, and there is no permission to find out
        return False


def _is_readable(path: Path) -> bool:
    """Return False for a pipe or device, which may block. A missing file is readable: reading reports it."""
    return os.path.isfile(path) or not os.path.exists(path)  # noqa: PTH110, PTH113  (they never raise)


def _why_not_a_page(path: Location, suffixes: Sequence[str]) -> str:
    if path.name.startswith("."):
        return "a hidden file"
    if suffixes:
        return f"does not end in {' or '.join(suffixes)}"
    if is_about_pages(path.name):
        return "the name of a file about pages, not of a page"
    return f"{path.suffix.lower() or 'no suffix'}: not a page file"
