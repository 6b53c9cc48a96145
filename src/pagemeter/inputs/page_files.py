"""Page files: the parts of their names, compact lists of them, and the search for them in a folder.

A file name has the name of the page, a suffix, and sometimes the side: `00000133.tif.gt.xml` is page
`00000133`, and the tag `gt` in its suffix `.tif.gt.xml` means ground truth. All sources of files (folders,
lists, JSON lines) produce a `SideFiles`.
"""

from __future__ import annotations

import os
import re
from array import array
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from itertools import product
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Literal, NamedTuple, Protocol, cast, overload

import numpy as np

from pagemeter.errors import Problem
from pagemeter.formats.registry import known_suffixes, xml_format_names
from pagemeter.inputs.locations import Location, Url, as_location, files_below

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

    from numpy.typing import NDArray

    from pagemeter.inputs.locations import Location

Side = Literal["gt", "hyp"]

_SIDES: dict[str, Side] = {"gt": "gt", "ref": "gt", "pred": "hyp", "hyp": "hyp", "ocr": "hyp"}
"""The tags that may precede the suffix, as in `0001.gt.txt`, and the side that each one means."""

_IMAGE_SUFFIXES = ("tif", "tiff", "jpg", "jpeg", "png", "jp2", "gif", "bmp", "webp", "pdf")
"""The suffixes of images, which often remain in the names of page files, as in `00000133.tif.xml`."""

_NOT_PAGES = frozenset(("readme", "source", "sources", "license", "licence", "notice", "changelog", "mets"))

_IMAGE = re.compile(rf"(?<=.)\.(?:{'|'.join(_IMAGE_SUFFIXES)})\Z", re.IGNORECASE)
_SEPARATOR = re.compile(r"[_.-]")
_NUMBER = re.compile(r"[0-9]+")
_SAME_DIGIT = dict.fromkeys(map(ord, "123456789"), "0")
_MOST_DIGITS = 24  # of a number by whose value names are sorted; longer ones are compared as text
_MAX_NAME = 255  # characters of a name that is cut at all of its separators; file systems allow no more bytes
_MAX_ENDINGS = 4  # of one beginning; if there are more, they are page numbers


def natural_sort(names: Iterable[str]) -> list[str]:
    """Sort names as people do: numbers by their value, and folder by folder.

    >>> natural_sort(["page10", "page9", "a-1", "a/2"])
    ['a/2', 'a-1', 'page9', 'page10']
    """
    # Names that differ only in digits are in this order already; keys of a million names take 100 MB.
    ordered = sorted(names)
    shapes = {name.translate(_SAME_DIGIT) for name in ordered}
    return ordered if len(shapes) == 1 else sorted(ordered, key=_natural_key)


def _natural_key(name: str) -> str:
    # The separator of folders precedes all other characters, so that the files of a folder are together.
    return _NUMBER.sub(lambda number: number[0].zfill(_MOST_DIGITS), name).replace("/", "\0")


class Candidate(NamedTuple):
    """A file that may contain a page, and the parts of its name.

    `file` is the path as text, because creating millions of `Path` objects would take longer than all the
    rest. `folders` are the folders between the given folder and the file.
    """

    file: str
    folders: tuple[str, ...]
    stem: str
    suffix: str
    side: Side | None

    @property
    def name(self) -> str:
        """The name of the page: the stem after the folders."""
        return "/".join((*self.folders, self.stem)) if self.folders else self.stem

    @property
    def path(self) -> Location:
        """The location of the file."""
        return as_location(self.file)


def candidate(
    path: Location | str, folders: Sequence[str] = (), suffixes: Sequence[str] = ()
) -> Candidate | None:
    """Parse the name of a page file; return None if the name is not that of a page file.

    If `suffixes` are given, exactly the files with one of them are page files.

    >>> from pathlib import Path
    >>> page = candidate(Path("gt/00000133.tif.gt.xml"))
    >>> page.stem, page.suffix, page.side
    ('00000133', '.tif.gt.xml', 'gt')
    >>> candidate(Path("image.jpg")), candidate(Path("README.md"))
    (None, None)
    """
    file = os.fspath(path)
    name = _last_component(file)
    parsed = _given_suffix(name, suffixes) if suffixes else _known_suffix(name)
    if parsed is None:
        return None
    suffix, side = parsed
    return Candidate(file, tuple(folders), name[: -len(suffix)], suffix, side)


def page_name(path: Location | str) -> str:
    """Return the name of the page in a file with any suffix.

    >>> from pathlib import Path
    >>> page_name(Path("Plut._53.08_102r.xml")), page_name("page.unknown")
    ('Plut._53.08_102r', 'page')
    """
    name = _last_component(os.fspath(path))
    parsed = _known_suffix(name)
    return name[: -len(parsed[0])] if parsed else as_location(path).stem or os.fspath(path)


def without_image_suffix(name: str) -> str:
    """Remove the suffix of an image from a name.

    >>> without_image_suffix("0001.jpg"), without_image_suffix("Plut._53.08_102r")
    ('0001', 'Plut._53.08_102r')
    """
    return _IMAGE.sub("", name)


def is_about_pages(name: str) -> bool:
    """Return True if a file with this name describes pages and does not contain one.

    >>> is_about_pages("README.md"), is_about_pages("mets.xml"), is_about_pages("0001.xml")
    (True, True, False)
    """
    return name.partition(".")[0].lower() in _NOT_PAGES


def with_dot(suffix: str) -> str:
    """Return a suffix as it appears in names: `gt.txt` means `.gt.txt`, but `_gt.txt` has no dot.

    >>> with_dot("gt.txt"), with_dot("_gt.txt")
    ('.gt.txt', '_gt.txt')
    """
    return f".{suffix}" if suffix[:1].isalnum() else suffix


def suggest_suffixes(gts: Iterable[str], hyps: Iterable[str]) -> list[tuple[str, str]]:
    """Return pairs of suffixes without which names of both sides are equal, those of most files first.

    >>> suggest_suffixes(["1_gt.txt", "2_gt.txt"], ["1.txt", "2.txt", "3.txt"])
    [('_gt.txt', '.txt')]
    """
    by_gt, by_hyp = _endings_by_beginning(gts), _endings_by_beginning(hyps)
    counts = Counter(
        both
        for beginning in by_gt.keys() & by_hyp.keys()
        if max(len(by_gt[beginning]), len(by_hyp[beginning])) <= _MAX_ENDINGS
        for both in product(by_gt[beginning], by_hyp[beginning])
    )
    # A single beginning may be equal by chance, as in page_1.txt and page_2.txt.
    plausible = [both for both, count in counts.items() if count > 1 or not re.search(r"\d", "".join(both))]
    return sorted(plausible, key=lambda both: (-counts[both], len("".join(both)), both))


def suffix_side(suffix: str) -> Side | None:
    """Return the side that a tag in a suffix means.

    >>> suffix_side("_gt.txt"), suffix_side(".pred.txt"), suffix_side(".page.xml")
    ('gt', 'hyp', None)
    """
    sides = (_SIDES.get(part) for part in _SEPARATOR.split(suffix.lower()))
    return next((side for side in sides if side), None)


def _last_component(file: str) -> str:
    return file.name if isinstance(file, Url) else file[file.rfind("/") + 1 :]


def _given_suffix(name: str, suffixes: Sequence[str]) -> tuple[str, None] | None:
    """Return the longest of the given suffixes that leaves a stem; None if hidden or without one of them."""
    if name.startswith("."):
        return None
    fitting = [s for s in suffixes if name.lower().endswith(s.lower()) and len(name) > len(s)]
    return (_with_image_suffix(name, len(max(fitting, key=len))), None) if fitting else None


def _known_suffix(name: str) -> tuple[str, Side | None] | None:
    """Return the suffix of a name and the side it means; None if the file is hidden or not a page file."""
    begin = name.find(".")
    return None if begin < 1 or name[:begin].lower() in _NOT_PAGES else _parse_ending(name[begin - 1 :])


@lru_cache(maxsize=1024)  # most collections have only a few different endings
def _parse_ending(ending: str) -> tuple[str, Side | None] | None:
    """Parse a name from the character before its first dot."""
    length = _suffix_length(ending, installed=False) or _suffix_length(ending, installed=True)
    if not length:
        return None
    sides = (_SIDES.get(tag) for tag in ending[-length:].lower().split("."))
    return _with_image_suffix(ending, length), next((side for side in sides if side), None)


def _suffix_length(ending: str, *, installed: bool) -> int:
    """Return the length of the suffix of a page file, with the tags that precede it; 0 if there is none.

    Formats of other packages take time to load, and are only considered with `installed`. A pattern would
    try each of many tags as the first one.
    """
    tags, suffixes = _tags_and_suffixes(installed=installed)
    name, longest = ending.lower(), 0
    for suffix in suffixes:
        if name.endswith(suffix):
            begin = len(name) - len(suffix)
            while (dot := name.rfind(".", 0, begin)) >= 0 and name[dot + 1 : begin] in tags:
                begin = dot
            longest = max(longest, len(name) - begin)
    return longest


@cache
def _tags_and_suffixes(*, installed: bool) -> tuple[frozenset[str], tuple[str, ...]]:
    tags = frozenset((*_SIDES, *xml_format_names(installed=installed)))
    return tags, tuple(suffix.lower() for suffix in known_suffixes(installed=installed))


def _with_image_suffix(name: str, length: int) -> str:
    """Return the last `length` characters of a name, with the image suffix before them if there is one."""
    image = _IMAGE.search(name[:-length])
    return name[-length - len(image[0] if image else "") :]


def _endings_by_beginning(names: Iterable[str]) -> dict[str, list[str]]:
    """Cut each name at each of its separators."""
    endings = defaultdict(list)
    for name in names:
        if len(name) > _MAX_NAME:
            continue
        for separator in _SEPARATOR.finditer(name, 1):
            endings[name[: separator.start()]].append(name[separator.start() :])
    return endings


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

    >>> from pagemeter.inputs.page_files import candidate
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
