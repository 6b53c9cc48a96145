"""Locations of input files, their content, and the fingerprint that shows whether it has changed.

A location is the path of a file on this machine, a URL, or standard input. A URL is anything that fsspec can
open. It may be a chain, as in fsspec: `zip://0001.xml::s3://bucket/pages.zip` is a member of an archive.

A record in a JSON lines file is addressed by its position: `text://0001@4711::model.jsonl` is page 0001,
whose record begins at byte 4711. The output of models is often stored in such files.

Archives stay open between pages, because finding one member means reading the directory of the whole archive.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
import time
from collections import OrderedDict
from contextlib import contextmanager
from functools import cache
from pathlib import Path, PurePosixPath
from threading import Lock
from time import monotonic
from typing import IO, TYPE_CHECKING, Any, NamedTuple

import fsspec
from fsspec.archive import AbstractArchiveFileSystem
from fsspec.implementations.local import LocalFileSystem
from fsspec.implementations.tar import TarFileSystem

from pagemeter.errors import DependencyError, InputError, PagemeterError, UsageError
from pagemeter.formats.loading import MAX_BYTES, file_error, read_bytes

if TYPE_CHECKING:
    from collections.abc import Iterator

STDIN = Path("-")
"""The path that means standard input."""
RECORD_EXAMPLE = '{"page": "0001", "text": "…"}'
_NAME_KEYS = ("page", "id", "image")  # the first one in a record names its page

_AFTER_PROTOCOL = "://"
_CHAIN = "::"
_RECORD_PROTOCOL = "text://"

_STAMP_FIELDS = ("ETag", "LastModified", "last_modified", "mtime", "CRC", "chksum", "sha256", "md5Hash")
"""The fields of a file's metadata that change when the file does; each file system has its own."""

HTTP_SECONDS = 30.0
"""How long a web server may take to connect, and to send the next bytes."""
_MAX_OPEN_ARCHIVES = 16
_RECHECK_SECONDS = 10  # how long a remote archive is assumed to be unchanged
_REMOTE_ARCHIVE: dict[str, Any] = {
    "cache_type": "blockcache",
    "block_size": 1 << 22,
    "cache_options": {"maxblocks": 16},
}
"""How a remote archive is read: in cached blocks of 4 MB, because its members may be read in any order."""


class Url(str):
    """The URL of a file or folder, with the attributes of a path.

    >>> url = Url("zip://a/0001.xml::s3://bucket/pages.zip")
    >>> url.name, url.suffix, url.parent
    ('0001.xml', '.xml', 'zip://a::s3://bucket/pages.zip')
    """

    __slots__ = ()

    @property
    def name(self) -> str:
        """The last component of the path."""
        return self._path.name

    @property
    def stem(self) -> str:
        """The last component without its suffix."""
        return self._path.stem

    @property
    def suffix(self) -> str:
        """The suffix of the last component."""
        return self._path.suffix

    @property
    def parts(self) -> tuple[str, ...]:
        """The components of the path in the first link of the chain, without the protocol."""
        return self._path.parts

    @property
    def parent(self) -> Url:
        """The folder that contains the file."""
        protocol, _, rest = self.partition(_AFTER_PROTOCOL)
        path, chain, others = rest.partition(_CHAIN)
        return Url(f"{protocol}{_AFTER_PROTOCOL}{path.rstrip('/').rpartition('/')[0]}{chain}{others}")

    def __truediv__(self, name: str) -> Url:
        first, chain, others = self.partition(_CHAIN)
        joined = f"{first}{name}" if first.endswith("/") else f"{first}/{name}"
        return Url(f"{joined}{chain}{others}")

    @property
    def _path(self) -> PurePosixPath:
        return PurePosixPath(self.partition(_AFTER_PROTOCOL)[2].partition(_CHAIN)[0])


Location = Path | Url
"""Where a file or folder is."""


def as_location(text: str | Location) -> Location:
    """Return a URL if the text has a protocol, otherwise a path. One letter is a drive and no protocol.

    >>> as_location("gt/1.xml"), as_location("s3://bucket/1.xml")
    (PosixPath('gt/1.xml'), 's3://bucket/1.xml')
    """
    return Url(text) if isinstance(text, str) and _AFTER_PROTOCOL in text[2:] else Path(text)


def read_url(url: Url) -> tuple[bytes, str]:
    """Return the bytes of a file and its stamp, which changes when the file does ("" if it has none)."""
    with _filesystem(url) as (files, path):
        stamp = _stamp(files, path)
        with files.open(path, "rb") as file:
            return file.read(MAX_BYTES + 1), stamp


@contextmanager
def open_url(url: Url) -> Iterator[IO[bytes]]:
    """Open a file for reading."""
    with _filesystem(url) as (files, path), files.open(path, "rb") as file:
        yield file


def url_stamp(url: Url) -> str:
    """Return the stamp of a file, or "" if the file cannot be reached; reading it reports the reason."""
    try:
        with _filesystem(url) as (files, path):
            return _stamp(files, path)
    except PagemeterError:
        return ""


def is_url_folder(url: Url) -> bool:
    """Return True for a folder and False for a file; raise an error if there is neither."""
    with _filesystem(url) as (files, path):
        if files.isdir(path):
            return True
        files.info(path)
    return False


def files_below(url: Url) -> Iterator[str]:
    """Yield the paths of all files in a folder and its subfolders, relative to the folder."""
    with _filesystem(url) as (files, top):
        paths = sorted(files.find(top))
    for path in paths:
        yield path.removeprefix(top).lstrip("/").removeprefix("./")


@contextmanager
def _filesystem(url: Url) -> Iterator[tuple[Any, str]]:
    """Yield the file system of a URL and the path in it; turn its errors into errors of pagemeter.

    Every file system raises different exceptions.
    """
    try:
        with _open_filesystem(str(url)) as opened:
            yield opened
    except ImportError as error:
        is_s3 = url.partition(_AFTER_PROTOCOL)[0] == "s3"
        remedy = "for S3, run pip install 'pagemeter[s3]'" if is_s3 else ""
        raise DependencyError(str(error), source=url, remedy=remedy) from None
    except MemoryError:
        raise
    except Exception as error:  # noqa: BLE001
        if isinstance(error, TimeoutError) or isinstance(error.__cause__, TimeoutError):
            remedy = "check the connection, and run again"
            raise InputError("the server does not answer", source=url, remedy=remedy) from None
        if isinstance(error, FileNotFoundError | KeyError):
            raise InputError("no such file or folder", source=url, remedy="check the address") from None
        detail = str(error).partition("\n")[0] or type(error).__name__
        remedy = "check the address and your permission to read it"
        raise InputError(detail, source=url, remedy=remedy) from None


@contextmanager
def _open_filesystem(url: str) -> Iterator[tuple[Any, str]]:
    """Yield the file system of a URL and the path in it; an archive is locked for other threads meanwhile.

    >>> with _open_filesystem("file:///tmp") as (files, path):
    ...     path, files.isdir(path)
    ('/tmp', True)
    """
    protocol, _, rest = url.partition(_AFTER_PROTOCOL)
    member, chained, container = rest.partition(_CHAIN)
    kind = fsspec.get_filesystem_class(protocol) if chained else None
    if kind is None or not issubclass(kind, AbstractArchiveFileSystem):
        yield _url_to_fs(url)
        return
    archive = _open_archive(kind, container)
    with archive.lock:
        yield archive.files, archive.member_path(member)


def _url_to_fs(url: str) -> Any:  # noqa: ANN401
    """Return the file system of a URL and the path in it, with time limits for HTTP."""
    protocols = {link.partition(_AFTER_PROTOCOL)[0] for link in url.split(_CHAIN)} & {"http", "https"}
    options = {protocol: _http_options() for protocol in protocols}
    # A file system that could not be created may print a traceback when it is finalised.
    hook, sys.unraisablehook = sys.unraisablehook, lambda _: None
    try:
        return fsspec.core.url_to_fs(url, **options)
    except Exception as error:
        cause: BaseException | None = error
        while cause is not None:
            cause.__traceback__ = None  # which has references to the file system
            cause = cause.__cause__ or cause.__context__
        raise
    finally:
        sys.unraisablehook = hook


def _http_options() -> dict[str, Any]:
    try:
        from aiohttp import ClientTimeout  # noqa: PLC0415  (optional)
    except ImportError:  # fsspec reports that it is missing
        return {}
    timeout = ClientTimeout(total=None, sock_connect=HTTP_SECONDS, sock_read=HTTP_SECONDS)
    return {"client_kwargs": {"timeout": timeout}}


def _stamp(files: Any, path: str) -> str:  # noqa: ANN401
    """Return a text that changes when the file does; "" if the file system has no such metadata."""
    info = files.info(path)
    values = [str(info[name]) for name in _STAMP_FIELDS if info.get(name) is not None]
    return ":".join([str(info.get("size")), *values]) if values else ""


class _Archive:
    """An open archive; fsspec closes its file when the last reference is dropped."""

    def __init__(self, kind: Any, container: str) -> None:  # noqa: ANN401
        self.lock = Lock()
        self._file = container.rpartition(_CHAIN)[2]
        self._stamp = self._current_stamp()
        self._outer, path = _url_to_fs(container)
        options = {} if isinstance(self._outer, LocalFileSystem) else _REMOTE_ARCHIVE
        self.files: Any = kind(fo=self._outer.open(path, "rb", **options))
        if isinstance(self.files, TarFileSystem):  # tarfile searches all members for each name
            members = {member.name: member for member in self.files.tar.getmembers()}
            self.files.tar.getmember = members.__getitem__

    def is_current(self) -> bool:
        """Return False if the file of the archive was replaced since it was opened."""
        remote = fsspec.core.split_protocol(self._file)[0] not in (None, *LocalFileSystem.protocol)
        if remote and monotonic() - self._checked_at < _RECHECK_SECONDS:
            return True
        return self._current_stamp() == self._stamp

    def member_path(self, member: str) -> str:
        """Return the path of a member in the archive: `./page` if a tar was made from the folder `.`"""
        path: str = self.files._strip_protocol(member)  # noqa: SLF001  (as fsspec itself does with a URL)
        dotted = f"./{path}"
        return dotted if path and not self.files.exists(path) and self.files.exists(dotted) else path

    def _current_stamp(self) -> object:
        self._checked_at = monotonic()
        files, path = _url_to_fs(self._file)
        if isinstance(files, LocalFileSystem):
            status = os.stat(path)  # noqa: PTH116
            return status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns
        files.invalidate_cache(path)
        return _stamp(files, path)


_archives: OrderedDict[tuple[Any, str], _Archive] = OrderedDict()
_archives_lock = Lock()


def _open_archive(kind: Any, container: str) -> _Archive:  # noqa: ANN401
    """Return an archive that is open already, or open it; the least recently used ones are closed."""
    with _archives_lock:
        archive = _archives.pop((kind, container), None)
        if archive is None or not archive.is_current():
            archive = _Archive(kind, container)
        _archives[kind, container] = archive
        while len(_archives) > _MAX_OPEN_ARCHIVES:
            _archives.popitem(last=False)
        return archive


def _forget_archives() -> None:
    """Drop the archives of the parent process: a forked process shares its file positions and locks."""
    global _archives_lock  # noqa: PLW0603
    _archives_lock = Lock()
    _archives.clear()


os.register_at_fork(after_in_child=_forget_archives)


_SETTLED = 2_000_000_000  # nanoseconds; a second change within this time may leave the file times as they are


class Fingerprint(NamedTuple):
    """The identity of a file's content: a digest of its bytes, and a stamp that changes when the file does.

    The stamp is cheap to compare. It is empty if there is none, or if the file was so new that it could
    change again without a change of its times.
    """

    sha256: str
    stamp: str


Fingerprints = tuple[Fingerprint | None, Fingerprint | None]
"""The fingerprints of both files of a pair; None for a side without a file."""


class Content(NamedTuple):
    """The bytes of a file, and its stamp from just before they were read."""

    data: bytes
    stamp: str

    @property
    def fingerprint(self) -> Fingerprint:
        """The digest of the bytes and the stamp."""
        return Fingerprint(hashlib.sha256(self.data).hexdigest(), self.stamp)


def fetch(path: Location, folder: str = "") -> Content:
    """Read a file or standard input; relative paths refer to `folder` (default: the working folder).

    >>> fetch(Path("nowhere.xml"))
    Traceback (most recent call last):
    pagemeter.errors.InputError: nowhere.xml: no such file. Check the path.
    """
    if isinstance(path, Url):
        return _fetch_record(path, folder) or Content(*read_url(path))
    if path == STDIN:
        return Content(_standard_input(), "")
    file = Path(folder, path) if folder else path
    stamp = _file_stamp(file)
    return Content(read_bytes(file), stamp)


def is_unchanged(path: Location | None, known: Fingerprint | None, folder: str = "") -> bool:
    """Return True if a file still has the content with this fingerprint; False if it cannot be read.

    >>> is_unchanged(None, None), is_unchanged(Path("nowhere.xml"), Fingerprint("", ""))
    (True, False)
    """
    if path is None or known is None:
        return path is None and known is None
    file = path if isinstance(path, Path) else record_file(path)
    stamp = _file_stamp(Path(folder, file)) if file else url_stamp(Url(path))
    if known.stamp and stamp == known.stamp:
        return True
    try:
        return fetch(path, folder).fingerprint.sha256 == known.sha256
    except (InputError, DependencyError):
        return False


def _fetch_record(url: Url, folder: str) -> Content | None:
    """Read a record, with the stamp of the file that contains it; None if the URL is not a record."""
    if (file := record_file(url)) is None:
        return None
    stamp = _file_stamp(path := Path(folder, file))
    return Content(read_record(url, path), stamp)


def _file_stamp(path: Path) -> str:
    """Return size, times and inode of a file; "" if it was changed just now."""
    try:
        status = os.stat(path)  # noqa: PTH116  (half the time of Path.stat)
    except (OSError, ValueError):
        return ""
    if time.time_ns() - max(status.st_mtime_ns, status.st_ctime_ns) < _SETTLED:
        return ""
    return f"{status.st_size}:{status.st_mtime_ns}:{status.st_ctime_ns}:{status.st_ino}"


@cache
def _standard_input() -> bytes:
    """Read standard input once; several systems may be compared with it."""
    if sys.stdin is None:
        raise InputError("standard input is closed", remedy="give a file")
    return sys.stdin.buffer.read(MAX_BYTES + 1)


# Records: the texts of many pages in one JSON lines file, one record per page
def record_url(record: str, path: Path) -> Url:
    """Return the URL of a record, given as `position@name`."""
    position, _, name = record.partition("@")
    return Url(f"{_RECORD_PROTOCOL}{name.replace('::', ':')}@{position}::{path}")


def record_file(location: Location) -> Path | None:
    """Return the file that contains a record; None if the location is not a record.

    >>> record_file(Url("text://0001@4711::model.jsonl"))
    PosixPath('model.jsonl')
    """
    if isinstance(location, Url) and location.startswith(_RECORD_PROTOCOL):
        return Path(location.partition("::")[2])
    return None


def read_record(url: Url, path: Path) -> bytes:
    """Return the text of a record in a file."""
    try:
        with path.open("rb") as file:
            file.seek(int(url.partition("::")[0].rpartition("@")[2]))
            text = parse_record(file.readline())[1]
    except OSError as error:
        raise file_error(path, error) from None
    except ValueError:
        text = None
    if text is None:
        raise InputError("the record is no longer there", source=url, remedy="start the evaluation again")
    return text.encode("utf-8", "surrogatepass")


def parse_record(line: bytes) -> tuple[str, str | None]:
    """Return the name and the text of a record."""
    try:
        text = line.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(str(error), remedy="write the file in UTF-8") from None
    fields = parse_json_line(text)
    if not isinstance(fields, dict):
        fields = {}
    name = next((fields[key] for key in _NAME_KEYS if fields.get(key) is not None), None)
    if "text" not in fields and {"gt", "hyp"} <= fields.keys():
        raise UsageError("a table of pairs names both sides", remedy="give it as the only argument")
    if name is None or "text" not in fields:
        keys = ", ".join(map(repr, fields))
        detail = f"the record has only {keys}" if keys else "the record has no keys"
        raise InputError(detail, remedy=f"write records such as {RECORD_EXAMPLE}")
    text = fields["text"]
    if isinstance(name, str | int) and isinstance(text, str | None):
        return str(name), text
    raise InputError("name and text must be strings", remedy=f"write records such as {RECORD_EXAMPLE}")


def parse_json_line(line: str) -> Any:  # noqa: ANN401  (any JSON)
    """Return the value of a line of a JSON lines file, or raise InputError.

    >>> parse_json_line('{"page": 1}')
    {'page': 1}
    """
    try:
        return json.loads(line)
    except json.JSONDecodeError as error:
        raise InputError(f"column {error.colno}: {error.msg}", remedy="correct the JSON") from None
    except RecursionError:
        raise InputError("the record is nested too deeply", remedy="correct the JSON") from None
    except ValueError:  # Python refuses numbers of more than 4,300 digits
        raise InputError("a number of thousands of digits", remedy="correct the JSON") from None
