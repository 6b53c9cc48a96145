"""The content of an input file, and the fingerprint by which a later run knows whether it has changed.

A file is a local file, a file behind a URL, a record in a JSON lines file, or standard input.
"""

from __future__ import annotations

import hashlib
import os
import sys
import time
from functools import cache
from pathlib import Path
from typing import NamedTuple

from pagemeter.errors import DependencyError, InputError
from pagemeter.formats.loading import MAX_BYTES, read_bytes
from pagemeter.inputs.records import read_record, record_file
from pagemeter.inputs.urls import Location, Url, read_url, url_stamp

STDIN = Path("-")
"""The path that means standard input."""

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
    stamp = _stamp(file)
    return Content(read_bytes(file), stamp)


def is_unchanged(path: Location | None, known: Fingerprint | None, folder: str = "") -> bool:
    """Return True if a file still has the content with this fingerprint; False if it cannot be read.

    >>> is_unchanged(None, None), is_unchanged(Path("nowhere.xml"), Fingerprint("", ""))
    (True, False)
    """
    if path is None or known is None:
        return path is None and known is None
    file = path if isinstance(path, Path) else record_file(path)
    stamp = _stamp(Path(folder, file)) if file else url_stamp(Url(path))
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
    stamp = _stamp(path := Path(folder, file))
    return Content(read_record(url, path), stamp)


def _stamp(path: Path) -> str:
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
