"""Files that are written whole or not at all."""

from __future__ import annotations

import os
import sys
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING, TextIO, cast

from pagemeter.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator

STDOUT = ("-", "/dev/stdout")
_IN_MEMORY = 1_000_000  # bytes


@contextmanager
def whole(path: str) -> Iterator[TextIO]:
    r"""A text file that gets its name when all is written, and vanishes if anything fails before.

    `-` is standard output. A device or pipe is written to directly, for it cannot be replaced.

    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp(), "out.txt")
    >>> with whole(str(path)) as file: _ = file.write("all") and path.exists()
    >>> path.read_text()
    'all'
    """
    if path in STDOUT:
        yield sys.stdout
        return
    try:
        with _opened(path) as file:
            yield file
    except OSError as error:
        raise InputError(
            f"{path}: cannot be written: {error.strerror or error}; choose another file"
        ) from None


@contextmanager
def spool() -> Iterator[TextIO]:
    """A temporary file for what has to wait until the totals are known."""
    with spooled() as file:
        yield cast("TextIO", file)


def spooled() -> tempfile.SpooledTemporaryFile[str]:
    """The same for whoever closes it: in memory while it is small."""
    return tempfile.SpooledTemporaryFile(
        _IN_MEMORY, "w+", encoding="utf-8", errors="backslashreplace", newline=""
    )


@contextmanager
def byte_spool() -> Iterator[IO[bytes]]:
    """A temporary file of bytes."""
    with tempfile.TemporaryFile("w+b") as file:
        yield file


@contextmanager
def _opened(path: str) -> Iterator[TextIO]:
    target = Path(os.path.realpath(path))
    # What /dev names may be a file that a shell has opened and others write to as well.
    if path.startswith("/dev/") or (target.exists() and not target.is_file()):
        with Path(path).open("a", encoding="utf-8", errors="backslashreplace", newline="") as file:
            yield file
        return
    beside = target.with_name(f".{target.name[:100]}.{os.getpid()}.tmp")
    try:
        with beside.open("w", encoding="utf-8", errors="backslashreplace", newline="") as file:
            yield file
        beside.replace(target)
    finally:
        beside.unlink(missing_ok=True)
