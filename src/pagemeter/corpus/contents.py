"""What files hold: their bytes, what tells whether they have changed, and standard input among them."""

from __future__ import annotations

import hashlib
import os
import sys
import time
from functools import cache
from pathlib import Path
from typing import NamedTuple

from pagemeter.corpus.files.records import file_of, read_record
from pagemeter.corpus.urls import Location, Url, read_url, stamp_of
from pagemeter.errors import InputError
from pagemeter.formats.files import MAX_BYTES, read_bytes

STDIN = Path("-")
"""Standard input in the place of a file."""

_SETTLED = 2_000_000_000  # nanoseconds after which another change would be seen in the times of a file


class Input(NamedTuple):
    """What is remembered of a file: a digest of its bytes, and a stamp that changes whenever they do.

    The stamp is empty where there is none, or where the file was so new that it could have changed unseen.
    """

    sha256: str
    stamp: str


Inputs = tuple[Input | None, Input | None]
"""Both files of a pair; None for a side that there is not."""


class Content(NamedTuple):
    """The bytes of a file, and its stamp from just before they were read."""

    data: bytes
    stamp: str

    @property
    def input(self) -> Input:
        """What is remembered of it."""
        return Input(hashlib.sha256(self.data).hexdigest(), self.stamp)


def fetch(path: Location, folder: str = "") -> Content:
    """The content of a file or of standard input; relative paths are those of the folder if one is given.

    >>> fetch(Path("nowhere.xml"))
    Traceback (most recent call last):
    pagemeter.errors.InputError: nowhere.xml: no such file; check the path
    """
    if isinstance(path, Url):
        return _record(path, folder) or Content(*read_url(path))
    if path == STDIN:
        return Content(_standard_input(), "")
    found = Path(folder, path) if folder else path
    stamp = _stamp(found)
    return Content(read_bytes(found), stamp)


def is_same(path: Location | None, seen: Input | None, folder: str = "") -> bool:
    """Whether a file still holds what it did; one that cannot be read does not.

    >>> is_same(None, None), is_same(Path("nowhere.xml"), Input("", ""))
    (True, False)
    """
    if path is None or seen is None:
        return path is None and seen is None
    file = path if isinstance(path, Path) else file_of(path)
    stamp = _stamp(Path(folder, file)) if file else stamp_of(Url(path))
    if seen.stamp and stamp == seen.stamp:
        return True
    try:
        return fetch(path, folder).input.sha256 == seen.sha256
    except InputError:
        return False


def _record(url: Url, folder: str) -> Content | None:
    """A text in a file of many; the file tells whether it may have changed."""
    if (file := file_of(url)) is None:
        return None
    stamp = _stamp(path := Path(folder, file))
    return Content(read_record(url, path), stamp)


def _stamp(path: Path) -> str:
    """Size, times and number of a file, unless it has been changed just now."""
    try:
        found = os.stat(path)  # noqa: PTH116  (half the time of Path.stat)
    except (OSError, ValueError):
        return ""
    if time.time_ns() - max(found.st_mtime_ns, found.st_ctime_ns) < _SETTLED:
        return ""
    return f"{found.st_size}:{found.st_mtime_ns}:{found.st_ctime_ns}:{found.st_ino}"


@cache
def _standard_input() -> bytes:
    """All of it, kept because it cannot be read twice, and several systems may be compared with it."""
    if sys.stdin is None:
        raise InputError("standard input is closed; give a file")
    return sys.stdin.buffer.read(MAX_BYTES + 1)
