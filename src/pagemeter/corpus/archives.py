"""Archives stay open from page to page, for to find one member the whole directory of an archive is read."""

from __future__ import annotations

import os
from collections import OrderedDict
from contextlib import contextmanager
from threading import Lock
from time import monotonic
from typing import TYPE_CHECKING, Any

import fsspec
from fsspec.archive import AbstractArchiveFileSystem
from fsspec.implementations.local import LocalFileSystem
from fsspec.implementations.tar import TarFileSystem

from pagemeter.corpus.urls import stamp_in

if TYPE_CHECKING:
    from collections.abc import Iterator

_CHAIN = "::"
_MOST = 16  # archives that are open at once
_GLANCE = 10  # seconds after which it is looked again whether an archive on another machine is the same
_BLOCKS: dict[str, Any] = {
    "cache_type": "blockcache",
    "block_size": 1 << 22,
    "cache_options": {"maxblocks": 16},
}
"""What is fetched at once and kept of an archive on another machine, whatever the order of its members."""


@contextmanager
def reached(url: str) -> Iterator[tuple[Any, str]]:
    """The file system of a URL and the path in it; of an archive no other thread has it meanwhile.

    >>> with reached("file:///tmp") as (files, path):
    ...     path, files.isdir(path)
    ('/tmp', True)
    """
    protocol, _, rest = url.partition("://")
    member, chained, container = rest.partition(_CHAIN)
    kind = fsspec.get_filesystem_class(protocol) if chained else None
    if kind is None or not issubclass(kind, AbstractArchiveFileSystem):
        yield fsspec.core.url_to_fs(url)
        return
    archive = _kept(kind, container)
    with archive.lock:
        yield archive.files, archive.name_of(member)


class _Archive:
    """An archive that is open; fsspec closes it when nobody has it any more."""

    def __init__(self, kind: Any, container: str) -> None:  # noqa: ANN401
        self.lock = Lock()
        self._file = container.rpartition(_CHAIN)[2]
        self._stamp = self._stamp_now()
        self._outer, path = fsspec.core.url_to_fs(container)
        options = {} if isinstance(self._outer, LocalFileSystem) else _BLOCKS
        self.files: Any = kind(fo=self._outer.open(path, "rb", **options))
        if isinstance(self.files, TarFileSystem):  # which would look for a member among all of them
            members = {member.name: member for member in self.files.tar.getmembers()}
            self.files.tar.getmember = members.__getitem__

    def is_same(self) -> bool:
        """Whether the file that it is in has not been replaced since it was opened."""
        far = fsspec.core.split_protocol(self._file)[0] not in (None, *LocalFileSystem.protocol)
        return (far and monotonic() - self._looked < _GLANCE) or self._stamp_now() == self._stamp

    def name_of(self, member: str) -> str:
        """A member as it is called there: `./page` in a tar archive that was made of a folder `.`"""
        path: str = self.files._strip_protocol(member)  # noqa: SLF001  (as fsspec itself does with a URL)
        dotted = f"./{path}"
        return dotted if path and not self.files.exists(path) and self.files.exists(dotted) else path

    def _stamp_now(self) -> object:
        self._looked = monotonic()
        files, path = fsspec.core.url_to_fs(self._file)
        if isinstance(files, LocalFileSystem):
            found = os.stat(path)  # noqa: PTH116
            return found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns
        files.invalidate_cache(path)
        return stamp_in(files, path)


_archives: OrderedDict[tuple[Any, str], _Archive] = OrderedDict()
_lock = Lock()


def _kept(kind: Any, container: str) -> _Archive:  # noqa: ANN401
    with _lock:
        archive = _archives.pop((kind, container), None)
        if archive is None or not archive.is_same():
            archive = _Archive(kind, container)
        _archives[kind, container] = archive
        while len(_archives) > _MOST:
            _archives.popitem(last=False)
        return archive


def _forget() -> None:
    """A process that was forked has the place in every open file in common with the other, and its locks."""
    global _lock  # noqa: PLW0603
    _lock = Lock()
    _archives.clear()


os.register_at_fork(after_in_child=_forget)
