"""The files of a folder and of all folders in it."""

from __future__ import annotations

import os
from array import array
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, cast

from pagemeter.corpus.files.listing import Listing, Names
from pagemeter.corpus.files.names import about_pages, candidate
from pagemeter.corpus.urls import Url, files_in

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from pagemeter.corpus.files.names import Candidate
    from pagemeter.corpus.urls import Location


@dataclass(frozen=True, slots=True)
class PassedOver:
    """A file that was found but is none of a page, and why."""

    path: Location
    reason: str


@dataclass(slots=True)
class Found:
    """What was found on one side: page files, other files, and what could not be looked into.

    `inodes` are those of all page files if they come from a folder, 0 for what is no file itself but a link.
    """

    candidates: Listing
    passed_over: list[PassedOver] = field(default_factory=list)
    problems: list[tuple[Location, str]] = field(default_factory=list)
    inodes: array[int] | None = None


def find(top: Path, suffixes: Sequence[str] = (), without: Path | None = None) -> Found:
    """The page files in a folder and its sub-folders, in the order of their names.

    Hidden files, files of other kinds by their suffix (`suffixes` are those to take; none takes all known
    ones), and the folder `without` are left out. Links to folders are followed, unless in a circle.

    >>> import tempfile
    >>> from pathlib import Path
    >>> top = Path(tempfile.mkdtemp())
    >>> for name in ("0001.xml", "0001.jpg", ".hidden.xml"): (top / name).touch()
    >>> found = find(top)
    >>> [c.stem for c in found.candidates], [p.path.name for p in found.passed_over]
    (['0001'], ['.hidden.xml', '0001.jpg'])
    """
    names, inodes = Names(), array("Q")
    found = Found(_listing(top, names, suffixes), inodes=inodes)
    for name, inode in _walk(top, "", os.path.realpath(without) if without else None, (), found):
        if candidate(name, (), suffixes) is None:
            found.passed_over.append(PassedOver(top / name, _why(top / name, suffixes)))
        elif not inode and not _holds_bytes(top / name):
            found.passed_over.append(PassedOver(top / name, "no file but a device, pipe or socket"))
        else:
            names.append(name)
            inodes.append(inode)
    return found


def find_elsewhere(top: Url, suffixes: Sequence[str] = ()) -> Found:
    """The same for a folder that is elsewhere."""
    names = Names()
    found = Found(_listing(top, names, suffixes))
    for name in files_in(top):
        hidden = any(folder.startswith(".") for folder in PurePosixPath(name).parts[:-1])
        if not hidden and candidate(top / name, (), suffixes):
            names.append(name)
        else:
            found.passed_over.append(PassedOver(top / name, _why(top / name, suffixes)))
    return found


def _listing(top: Location, names: Names, suffixes: Sequence[str]) -> Listing:
    """The files of a folder by their names in it, which are those of page files."""
    before = None if isinstance(top, Url) else os.fspath(top / "x")[:-1]

    def located(name: str) -> str:
        return os.fspath(top / name) if before is None else before + name

    def made(name: str) -> Candidate:
        folders = name.split("/")[:-1] if "/" in name else ()
        return cast("Candidate", candidate(located(name), folders, suffixes))

    return Listing(names, made, located)


def _walk(
    folder: Path, below: str, without: str | None, above: tuple[str, ...], found: Found
) -> Iterator[tuple[str, int]]:
    """The names of all that is no folder, each with its inode, 0 if it may be other than a file."""
    real = os.path.realpath(folder)
    if real in above:
        found.problems.append((folder, "a link to a folder above it; remove the link"))
        return
    try:
        inside = _inside(folder)
    except OSError as error:
        found.problems.append((folder, f"{error.strerror or error}; change the rights of the folder (chmod)"))
        return
    for name in sorted(inside):
        if inode := inside[name]:
            yield below + name, inode
        elif not os.path.isdir(path := folder / name):  # noqa: PTH112  (Path.is_dir raises without rights)
            yield below + name, 0
        elif name.startswith("."):
            found.passed_over.append(PassedOver(path, "a hidden folder"))
        elif os.path.realpath(path) != without:
            yield from _walk(path, f"{below}{name}/", without, (*above, real), found)


def _inside(folder: Path) -> dict[str, int]:
    """The inodes of the files in a folder by their names, 0 for what is no file itself: folders, links, …

    The folder knows all that; no file is looked at.
    """
    with os.scandir(folder) as entries:
        return {entry.name: entry.inode() if _is_file(entry) else 0 for entry in entries}


def _is_file(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_file(follow_symlinks=False)
    except OSError:  # a file system whose folders do not know, and no right to look
        return False


def _holds_bytes(path: Path) -> bool:
    """Whether reading ends: a pipe would wait for ever. What is not there is kept: reading says why."""
    return os.path.isfile(path) or not os.path.exists(path)  # noqa: PTH110, PTH113  (they never raise)


def _why(path: Location, suffixes: Sequence[str]) -> str:
    if path.name.startswith("."):
        return "a hidden file"
    if suffixes:
        return f"does not end in {' or '.join(suffixes)}"
    if about_pages(path.name):
        return "the name of a file about pages, not of a page"
    return f"{path.suffix.lower() or 'no suffix'}: none of a page file"
