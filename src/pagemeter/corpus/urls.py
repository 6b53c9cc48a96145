"""Files that are elsewhere: on S3, in archives, wherever fsspec reaches.

A URL may be a chain, as fsspec has it: `zip://0001.xml::s3://bucket/pages.zip` is a member of an archive.
"""

from __future__ import annotations

from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from typing import IO, TYPE_CHECKING, Any

from pagemeter.errors import DependencyError, InputError, PagemeterError
from pagemeter.formats.files import MAX_BYTES

if TYPE_CHECKING:
    from collections.abc import Iterator

_MARK = "://"
_CHAIN = "::"
_STAMPS = ("ETag", "LastModified", "last_modified", "mtime", "CRC", "chksum", "sha256", "md5Hash")
"""What file systems say of a file that changes when it does."""


class Url(str):
    """Where a file is; its parts are named as those of a path.

    >>> url = Url("zip://a/0001.xml::s3://bucket/pages.zip")
    >>> url.name, url.suffix, url.parent
    ('0001.xml', '.xml', 'zip://a::s3://bucket/pages.zip')
    """

    __slots__ = ()

    @property
    def name(self) -> str:
        """The last part."""
        return self._path.name

    @property
    def stem(self) -> str:
        """The last part without its suffix."""
        return self._path.stem

    @property
    def suffix(self) -> str:
        """The end of the last part."""
        return self._path.suffix

    @property
    def parts(self) -> tuple[str, ...]:
        """The parts of the first link of the chain, without the protocol."""
        return self._path.parts

    @property
    def parent(self) -> Url:
        """The folder it is in."""
        protocol, _, rest = self.partition(_MARK)
        path, chain, others = rest.partition(_CHAIN)
        return Url(f"{protocol}{_MARK}{path.rstrip('/').rpartition('/')[0]}{chain}{others}")

    def __truediv__(self, name: str) -> Url:
        first, chain, others = self.partition(_CHAIN)
        joined = f"{first}{name}" if first.endswith("/") else f"{first}/{name}"
        return Url(f"{joined}{chain}{others}")

    @property
    def _path(self) -> PurePosixPath:
        return PurePosixPath(self.partition(_MARK)[2].partition(_CHAIN)[0])


Location = Path | Url
"""A file, here or elsewhere."""


def location(given: str | Location) -> Location:
    """A URL if a text has a protocol, else a path.

    >>> location("gt/1.xml"), location("s3://bucket/1.xml")
    (PosixPath('gt/1.xml'), 's3://bucket/1.xml')
    """
    return Url(given) if isinstance(given, str) and _MARK in given else Path(given)


def read_url(url: Url) -> tuple[bytes, str]:
    """The bytes of a file, and a stamp that changes when they do, empty if there is none."""
    with _reached(url) as (files, path):
        stamp = stamp_in(files, path)
        with files.open(path, "rb") as file:
            return file.read(MAX_BYTES + 1), stamp


@contextmanager
def open_url(url: Url) -> Iterator[IO[bytes]]:
    """A file to be read from its beginning."""
    with _reached(url) as (files, path), files.open(path, "rb") as file:
        yield file


def stamp_of(url: Url) -> str:
    """The stamp alone; empty if the file cannot be had."""
    try:
        with _reached(url) as (files, path):
            return stamp_in(files, path)
    except PagemeterError:  # reading it says why
        return ""


def is_folder(url: Url) -> bool:
    """Whether a URL names a folder; an error if it names nothing."""
    with _reached(url) as (files, path):
        if files.isdir(path):
            return True
        files.info(path)
    return False


def files_in(url: Url) -> Iterator[str]:
    """The names of all files in a folder and its sub-folders, each with the folders between."""
    with _reached(url) as (files, top):
        found = sorted(files.find(top))
    for path in found:
        yield path.removeprefix(top).lstrip("/").removeprefix("./")


def stamp_in(files: Any, path: str) -> str:  # noqa: ANN401
    """What changes when a file of a file system does; empty if nothing is said of it."""
    said = files.info(path)
    marks = [f"{said[name]}" for name in _STAMPS if said.get(name) is not None]
    return ":".join([str(said.get("size")), *marks]) if marks else ""


@contextmanager
def _reached(url: Url) -> Iterator[tuple[Any, str]]:
    """The file system of a URL and the path in it; every file system has errors of its own."""
    from pagemeter.corpus.archives import reached  # noqa: PLC0415  (fsspec only where a URL is)

    try:
        with reached(str(url)) as found:
            yield found
    except ImportError as error:
        extra = "; for S3: pip install 'pagemeter[s3]'" if url.partition(_MARK)[0] == "s3" else ""
        raise DependencyError(f"{url}: {error}{extra}") from None
    except Exception as error:  # noqa: BLE001
        raise _unreadable(url, error) from None


def _unreadable(url: Url, error: Exception) -> InputError:
    if isinstance(error, MemoryError):
        raise error
    if isinstance(error, FileNotFoundError | KeyError):
        return InputError(f"{url}: no such file or folder; check the address")
    said = str(error).partition("\n")[0] or type(error).__name__
    return InputError(f"{url}: {said}; check the address and the rights to read it")
