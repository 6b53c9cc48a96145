"""The bytes of a file, or one clear line on why there are none."""

from __future__ import annotations

import os
from pathlib import Path

from pagemeter.errors import InputError

# A page of a thousand lines with every polygon drawn point by point has 2 MB.
MAX_BYTES = 100_000_000


def read_bytes(path: str | os.PathLike[str]) -> bytes:
    """The content of a file.

    >>> read_bytes("no-such-file.xml")
    Traceback (most recent call last):
    pagemeter.errors.InputError: no-such-file.xml: no such file; check the path
    """
    name = os.fspath(path)
    try:
        with open(name, "rb", buffering=0) as file:  # noqa: PTH123  (a third of Path.open's time)
            size = os.fstat(file.fileno()).st_size
            check_size(size, name)
            data = file.read(size + 1) if size else file.read(MAX_BYTES + 1)
    except InputError:
        raise
    except (OSError, ValueError) as error:
        raise InputError(f"{name}: {reason_of(Path(name), error)}") from None
    check_size(len(data), name)
    return data


def check_size(size: int, source: str) -> None:
    """Refuse what is too large to be a page file.

    >>> check_size(10**9, "book.xml")
    Traceback (most recent call last):
    pagemeter.errors.InputError: book.xml: 1000 MB, and a page file may have 100 MB; split it into its pages
    """
    if size > MAX_BYTES:
        most = MAX_BYTES // 1_000_000
        found = f"{size // 1_000_000} MB, and a page file may have {most} MB"
        if size // 1_000_000 == most:  # of a device or pipe no more was read
            found = f"more than {most} MB, which no page file has"
        raise InputError(f"{source}: {found}; split it into its pages")


def write_bytes(path: str | os.PathLike[str], data: bytes) -> None:
    """Write a file under a temporary name first, so that no reader ever sees half of it."""
    target = Path(path)
    beside = target.with_name(f".{target.name}.{os.getpid()}.tmp")
    try:
        if target.is_dir():
            raise IsADirectoryError
        try:
            beside.write_bytes(data)
            beside.replace(target)
        finally:
            beside.unlink(missing_ok=True)
    except (OSError, ValueError) as error:
        raise InputError(f"{target}: cannot be written: {reason_of(target, error)}") from None


def reason_of(path: Path, error: OSError | ValueError) -> str:
    """Why a file could not be opened, and what to do."""
    if isinstance(error, FileNotFoundError):
        if path.is_symlink():
            return f"a symbolic link to {path.readlink()}, which does not exist; mend the link"
        return "no such file; check the path" if path.parent.is_dir() else "no such folder; check the path"
    if isinstance(error, IsADirectoryError):
        return "a folder; give the files in it"
    if isinstance(error, PermissionError):
        return "no permission; change its rights (chmod) or the user"
    if isinstance(error, OSError):
        return f"{error.strerror or error}; check the path"
    return f"{error}; check the path"
