"""Lists of files and of texts, and what lists and tables share: numbered lines, and the files they name.

A list of files has one path per line. JSON lines have the text of one page per line. Neither lists
nor tables are held in memory as a whole. Only the position of each line of a list is kept.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import sys
import tempfile
import weakref
from array import array
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from functools import cached_property
from itertools import takewhile
from pathlib import Path
from typing import IO, TYPE_CHECKING

import numpy as np

from pagemeter.errors import InputError, UsageError
from pagemeter.formats.loading import file_error
from pagemeter.inputs.locations import Location, Url, as_location, open_url, parse_record, record_url
from pagemeter.inputs.page_files import (
    Candidate,
    CandidateList,
    NameList,
    PassedOver,
    SideFiles,
    candidate,
    without_image_suffix,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pagemeter.errors import Problem

LIST_SUFFIXES = (".lst", ".list")
"""The suffixes of lists; a text file with another suffix is a list if `@` precedes its name."""

_HASH_HAS_64_BITS = sys.hash_info.width == 64  # noqa: PLR2004
_MAX_LIST_BYTES = 1_000_000  # that are examined to find out whether a text is a list


def read_list(path: Location, suffixes: Sequence[str] = ()) -> SideFiles:
    r"""Read a list of files: one path per line; blank lines and lines that begin with # are ignored.

    >>> import tempfile
    >>> from pathlib import Path
    >>> path = Path(tempfile.mkdtemp(), "gt.lst")
    >>> _ = path.write_text("# two pages\na/1.xml\nb/1.xml\n")
    >>> [file.name for file in read_list(path).candidates]
    ['a/1', 'b/1']
    """
    return _FileList(path, suffixes).side_files()


class _FileList:
    """The files of a list by index, each read again from the list when it is accessed.

    The list is read once to find the position of each line, repeated files, and the folders that all files
    share.
    """

    def __init__(self, path: Location, suffixes: Sequence[str]) -> None:
        self._suffixes, self._lines, self._locator = suffixes, LineFile(path), Locator(path)
        self._positions = array("q")  # ~position for a file that is not relative to the folder of the list
        self._digests, self._have_suffix = array("q"), array("b")
        self._problems: list[Problem] = []
        self._shared_folders: Sequence[str] | None = None
        self._last: tuple[str, Sequence[str]] | None = None
        for number, position, line in self._lines.with_positions():
            try:
                is_beside = self._locator.is_beside(line)
            except InputError as error:
                self._problems.append(replace(error.problem, source=str(path), element=f"line {number}"))
            else:
                self._positions.append(position if is_beside else ~position)
                self._add(self._file(line, is_beside=is_beside))

    def __len__(self) -> int:
        return len(self._positions)

    def __getitem__(self, index: int) -> str:
        position = self._positions[index]
        is_beside = position >= 0
        return self._file(self._lines.at(position if is_beside else ~position), is_beside=is_beside)

    def _file(self, line: str, *, is_beside: bool) -> str:
        return self._locator.beside(line) if is_beside else normal_path(line)

    def side_files(self) -> SideFiles:
        """Return the files, each once, and the lines that name no file."""
        first = np.zeros(len(self._digests), bool)
        first[np.unique(np.array(self._digests), return_index=True)[1]] = True
        have_suffix = np.array(self._have_suffix, bool)
        self._digests, self._have_suffix = array("q"), array("b")  # frees their memory
        files = CandidateList(self, self._candidate, lambda file: file)
        other_suffix = f"does not end in {' or '.join(self._suffixes)}"
        passed_over = [PassedOver(file.path, "named twice in a list") for file in files.select(~first)]
        passed_over += [PassedOver(file.path, other_suffix) for file in files.select(first & ~have_suffix)]
        return SideFiles(files.select(first & have_suffix), passed_over, self._problems)

    def _add(self, file: str) -> None:
        self._digests.append(digest(file))
        self._have_suffix.append(not self._suffixes or candidate(file, (), self._suffixes) is not None)
        before, folders = self._last, self._folders(file)
        if self._last is not before:
            shared = self._shared_folders
            self._shared_folders = folders if shared is None else _common_beginning(shared, folders)

    def _candidate(self, file: str) -> Candidate:
        folders = tuple(self._folders(file)[len(self._shared_folders or ()) :])
        parsed = candidate(file, folders, self._suffixes)
        return parsed or Candidate(file, folders, (path := as_location(file)).stem, path.suffix, None)

    def _folders(self, file: str) -> Sequence[str]:
        """Return all folders of a file from the top; the last result is reused if it is equal."""
        parent = file.parent if isinstance(file, Url) else file[: file.rfind("/") + 1]
        if self._last is None or parent != self._last[0]:
            full = parent if isinstance(parent, Url) else os.path.abspath(parent)  # noqa: PTH100
            self._last = parent, full.split("/")
        return self._last[1]


def _common_beginning(one: Sequence[str], other: Sequence[str]) -> Sequence[str]:
    if other[: len(one)] == one:
        return one
    return [folder for folder, _ in takewhile(lambda both: both[0] == both[1], zip(one, other, strict=False))]


def count_listed_files(path: Path) -> int:
    """Return the number of files that a text names, one per line; 0 if any of its lines is not a file.

    >>> from pathlib import Path
    >>> count_listed_files(Path(__file__))
    0
    """
    if not path.is_file():  # a pipe can be read only once
        return 0
    try:
        with path.open("rb") as file:
            lines = [line.strip() for line in file.read(_MAX_LIST_BYTES).split(b"\n") if line.strip()]
    except OSError:
        return 0
    folder = os.fsencode(path.parent)
    are_files = (os.path.isfile(os.path.join(folder, line)) or os.path.isfile(line) for line in lines)  # noqa: PTH113, PTH118
    return len(lines) if lines and all(are_files) else 0


class LineFile:
    r"""The lines of a list or table, which can be read any number of times.

    A source that can be read only once, such as a pipe or a URL, is copied to a temporary file.

    >>> path = Path(tempfile.mkdtemp(), "some.lst")
    >>> _ = path.write_text("# two pages\n1.xml\n\n2.xml\n")
    >>> list(LineFile(path))
    [(2, '1.xml'), (4, '2.xml')]
    """

    def __init__(self, path: Location) -> None:
        self.path = path
        self._copy: IO[bytes] | None = None

    def __iter__(self) -> Iterator[tuple[int, str]]:
        """Yield the number and text of each line that is not blank and not a comment."""
        return ((number, text) for number, _, text in self.with_positions())

    def with_positions(self) -> Iterator[tuple[int, int, str]]:
        """Yield the number of each line, its position in the file in bytes, and its text."""
        with self._open() as file:
            position = 0
            for number, line in enumerate(file, 1):
                text = _decode(line, position)
                if text and text[0] != "#" and not text.isspace():
                    yield number, position, text
                position += len(line)

    def at(self, position: int) -> str:
        """Return the line that begins at a position."""
        self._shared.seek(position)
        return _decode(self._shared.readline(), position)

    @cached_property
    def _shared(self) -> IO[bytes]:
        stack = ExitStack()
        weakref.finalize(self, stack.close)
        return stack.enter_context(self._open())

    @contextmanager
    def _open(self) -> Iterator[IO[bytes]]:
        try:
            if isinstance(self.path, Path) and self.path.is_file():
                with self.path.open("rb") as file:
                    yield file
                return
            if self._copy is None:
                self._copy = self._copy_to_temporary_file()
        except OSError as error:
            raise file_error(Path(self.path), error, str(self.path)) from None
        self._copy.seek(0)
        yield self._copy

    def _copy_to_temporary_file(self) -> IO[bytes]:
        copy = tempfile.TemporaryFile()  # noqa: SIM115  (it lives as long as this object)
        weakref.finalize(self, copy.close)
        with open_url(self.path) if isinstance(self.path, Url) else self.path.open("rb") as file:
            shutil.copyfileobj(file, copy)
        return copy


def _decode(line: bytes, position: int) -> str:
    """Return a line without its line end; file names are bytes and need not be UTF-8."""
    return line.decode("utf-8" if position else "utf-8-sig", "surrogateescape").rstrip("\r\n")


class Locator:
    """Finds the files that a list or table names.

    A relative path refers to the folder of the list; if there is no such file, to the working folder.

    >>> from pathlib import Path
    >>> locator = Locator(Path("data/gt.lst"))
    >>> locator.file("a/./1.xml"), locator.file("/1.xml"), locator.file("s3://bucket/1.xml")
    ('data/a/1.xml', '/1.xml', 's3://bucket/1.xml')
    """

    def __init__(self, listed_in: Location) -> None:
        self._folder = listed_in.parent
        self._prefix = "" if isinstance(self._folder, Url) else os.fspath(self._folder / "x")[:-1]

    def file(self, name: str) -> str:
        """Return the path or URL of a file."""
        return self.beside(name) if self.is_beside(name) else normal_path(name)

    def is_beside(self, name: str) -> bool:
        """Return True if a name refers to the folder of the list."""
        check_name(name)
        path = normal_path(name)
        if isinstance(path, Url) or os.path.isabs(path):  # noqa: PTH117  (a path per line is slow)
            return False
        return (
            isinstance(self._folder, Url) or os.path.lexists(self.beside(path)) or not os.path.lexists(name)
        )

    def beside(self, name: str) -> str:
        """Return the path of a file in the folder of the list."""
        if isinstance(self._folder, Url):
            return self._folder / name
        path = normal_path(name)
        return os.fspath(self._folder) if path == "." else self._prefix + path


def normal_path(name: str) -> str:
    """Return a path as `pathlib` writes it; paths without double slashes and single dots stay as they are.

    >>> normal_path("a/1.xml"), normal_path("./a//1.xml")
    ('a/1.xml', 'a/1.xml')
    """
    if "//" in name or "/./" in name or name.startswith("./") or name[-1:] in "/.":
        return os.fspath(as_location(name))
    return name


def check_name(name: str) -> None:
    """Raise an error if a text cannot be the name of a file.

    >>> check_name("0001.xml")
    """
    if "\0" in name:
        raise InputError("a file name contains a zero byte", remedy="remove it from the list")


def digest(text: str) -> int:
    """Return a 64-bit digest of a text, which is the same throughout this process.

    Python's own hash (SipHash, PEP 456) takes a tenth of the time of any other, but it may have only 32 bits.

    >>> digest("a") == digest("b")
    False
    """
    if _HASH_HAS_64_BITS:
        return hash(text)
    data = text.encode("utf-8", "surrogatepass")
    return int.from_bytes(hashlib.blake2b(data, digest_size=8).digest(), "little", signed=True)


RECORD_SUFFIXES = (".jsonl", ".ndjson")


def read_records(path: Location, suffixes: Sequence[str] = ()) -> SideFiles:
    r"""Read the names of the pages in a JSON lines file.

    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp(), "model.jsonl")
    >>> _ = path.write_text('{"id": "0001.jpg", "text": "a line"}\n{"id": "0002", "text": null}\n')
    >>> files = read_records(path)
    >>> [file.name for file in files.candidates], [other.reason for other in files.passed_over]
    (['0001'], ['a record without text'])
    """
    if isinstance(path, Url):
        raise UsageError("JSON lines with texts must be a local file", source=path, remedy="copy it")
    records, lines = NameList(), dict[str, int]()
    files = SideFiles(
        CandidateList(
            records,
            lambda record: _candidate(record_url(record, path), record.partition("@")[2], suffixes),
            lambda record: record_url(record, path),
        )
    )
    for number, (position, line) in enumerate(_lines(path), 1):
        if not line.strip():
            continue
        try:
            name, text = parse_record(line)
            _check_first(name, number, lines.setdefault(name, number))
        except UsageError as error:
            raise UsageError(replace(error.problem, source=str(path))) from None
        except InputError as error:
            files.problems.append(replace(error.problem, source=str(path), element=f"line {number}"))
            continue
        record = f"{position}@{name}"
        if text is None:
            files.passed_over.append(PassedOver(record_url(record, path), "a record without text"))
        else:
            records.append(record)
    return files


def _lines(path: Path) -> Iterator[tuple[int, bytes]]:
    """Yield the position of each line in bytes, and the line."""
    position = 0
    try:
        with path.open("rb") as file:
            for line in file:
                yield position, line
                position += len(line)
    except OSError as error:
        raise file_error(path, error) from None


def _check_first(name: str, number: int, first: int) -> None:
    """Raise an error if a page has occurred in a line before."""
    if first < number:
        raise InputError(f"page {name!r} is already in line {first}", remedy="keep one of them")


def _candidate(url: Url, name: str, suffixes: Sequence[str]) -> Candidate:
    """Return a record as a page file of that name; the name of an image also names the page."""
    *folders, last = name.split("/")
    parsed = candidate(Path(last), (), suffixes)
    stem, side = (parsed.stem, parsed.side) if parsed else (without_image_suffix(last), None)
    return Candidate(url, tuple(folders), stem, "", side)
