"""Atomic file writing, and temporary files.

Everything that pagemeter writes goes through this module. A file is written under a temporary name in the
folder of its target and renamed when it is complete: no reader ever sees half a file, and after a failure the
old file is still there. Errors name the file that could not be written, never another one that failed.
"""

from __future__ import annotations

import errno
import importlib
import io
import os
import re
import sys
import tempfile
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, TextIO, cast

from pagemeter.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator

STDOUT_NAMES = ("-", "/dev/stdout")
"""The names of standard output, which is written directly."""

_SPOOL_BYTES = 1_000_000  # a temporary file stays in memory up to this size
_SURROGATE = re.compile("[\ud800-\udfff]")
_SURROGATE_BYTE = 0xDC00  # a byte of a file name that is not UTF-8 becomes this plus the byte
_NAME_BYTES = 100  # of the target's name in a temporary name, because names may have 255 bytes
# Those that the system has: the first two are not on Windows, and the last one is only there.
_CREATION_FLAGS = sum(getattr(os, name, 0) for name in ("O_NOFOLLOW", "O_CLOEXEC", "O_BINARY"))
_NO_SPACE = (errno.ENOSPC, errno.EDQUOT)


@contextmanager
def open_atomic(path: str | os.PathLike[str]) -> Iterator[TextIO]:
    """Open a UTF-8 text file that gets its name when the block ends without an error.

    `-` is standard output. A device or pipe is opened directly, because it cannot be replaced.

    Raises:
        InputError: The file cannot be written.

    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp(), "out.txt")
    >>> with open_atomic(path) as file: _ = file.write("all") and path.exists()
    >>> path.read_text()
    'all'

    """
    name = os.fspath(path)
    if name in STDOUT_NAMES:
        yield sys.stdout
        return
    target = Path(os.path.realpath(name))
    # A name in /dev may lead to a file that a shell has opened and that others write to as well.
    if name.startswith("/dev/") or (target.exists() and not target.is_file()):
        with _text_file(name, "a", name) as file:
            yield file
        return
    temporary, is_foreign = _temporary_name(target), False
    try:  # before the file exists, because a signal may arrive as soon as it does
        with _named_errors(name):
            try:
                descriptor = _create(temporary)
            except FileExistsError:
                is_foreign = True
                raise
        with _text_file(descriptor, "w", name) as file:
            yield file
        with _named_errors(name):
            temporary.replace(target)
    finally:
        if not is_foreign:
            temporary.unlink(missing_ok=True)


def write_temporary(path: Path, data: bytes, *, sync: bool = True) -> Path:
    """Write bytes under a temporary name beside `path`, and return that name for `Path.replace`.

    With `sync` the bytes are on the disk when the function returns, so a power failure cannot lose them.

    Errors are the `OSError` of the operating system; the temporary file is deleted then.

    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp(), "out.bin")
    >>> _ = write_temporary(path, b"all").replace(path)
    >>> path.read_bytes()
    b'all'
    """
    temporary = _temporary_name(path)
    try:
        descriptor = _create(temporary)
        with open(descriptor, "wb") as file:  # noqa: PTH123  (a descriptor)
            file.write(data)
            file.flush()
            if sync:
                os.fsync(descriptor)
    except FileExistsError:  # the file of someone else
        raise
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    return temporary


def write_atomic(path: str | os.PathLike[str], data: bytes) -> None:
    """Write a file of bytes.

    Raises:
        InputError: The file cannot be written.

    """
    target = Path(path)
    with _named_errors(str(target)):
        if target.is_dir():
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        temporary = write_temporary(target, data, sync=False)
        try:
            temporary.replace(target)
        finally:
            temporary.unlink(missing_ok=True)


def text_spool() -> TextIO:
    """Return a temporary text file that is in memory while it is small; closing it deletes it."""
    return cast("TextIO", _Spool("w+", encoding="utf-8", errors="backslashreplace", newline=""))


def byte_spool() -> IO[bytes]:
    """Return a temporary file of bytes that is in memory while it is small; closing it deletes it."""
    return cast("IO[bytes]", _Spool("w+b"))


def lock_file(file: IO[bytes], *, shared: bool = False) -> None:
    """Lock an open file until it is closed, on Unix by `flock` and on Windows by its first byte.

    Args:
        file: The file.
        shared: Allow other shared locks. Windows has none, so the lock is given up at once there.

    Raises:
        BlockingIOError: Another process has the lock.
        OSError: The system or the file system has no locks.

    """
    try:
        import fcntl  # noqa: PLC0415  (not on Windows)
    except ImportError:
        _lock_first_byte(file, shared=shared)
    else:
        fcntl.flock(file, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)


def _lock_first_byte(file: IO[bytes], *, shared: bool) -> None:
    try:
        msvcrt = importlib.import_module("msvcrt")
    except ImportError:
        raise OSError(errno.ENOLCK, "this system has no file locks") from None
    file.seek(0)
    try:
        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
    except PermissionError as error:  # how Windows says that the byte is locked
        raise BlockingIOError(*error.args) from None
    if shared:
        msvcrt.locking(file.fileno(), msvcrt.LK_UNLCK, 1)


def write_error(name: str, error: OSError | ValueError) -> InputError:
    """Return the error for a file that cannot be written.

    >>> print(write_error("out.csv", OSError(errno.ENOSPC, "No space left on device")))
    out.csv: cannot be written: No space left on device. Free some space, or choose another file.
    """
    reason = getattr(error, "strerror", None) or str(error)
    is_full = getattr(error, "errno", None) in _NO_SPACE
    remedy = "free some space, or choose another file" if is_full else "choose another file"
    return InputError(f"cannot be written: {reason}", source=name, remedy=remedy)


def encodable(text: str) -> str:
    r"""Return a text that can be encoded as UTF-8: bytes of a file name that are not UTF-8 become \xhh.

    >>> encodable("gt/\udce4.xml")
    'gt/\\xe4.xml'
    """
    return _SURROGATE.sub(lambda match: _escape_surrogate(match[0]), text)


def _temporary_name(target: Path) -> Path:
    """Return a name beside a file that cannot be predicted."""
    stem = os.fsdecode(os.fsencode(target.name)[:_NAME_BYTES])
    return target.with_name(f".{stem}.{os.urandom(8).hex()}.tmp")


def _create(path: Path) -> int:
    """Create a file and return its descriptor; an existing file or link is never opened.

    Others who can write to the folder therefore cannot direct the output elsewhere.
    """
    return os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _CREATION_FLAGS, 0o666)


@contextmanager
def _named_errors(name: str) -> Iterator[None]:
    try:
        yield
    except (OSError, ValueError) as error:  # ValueError: a null character in the name
        raise write_error(name, error) from None


def _text_file(path: str | int, mode: str, name: str) -> TextIO:
    """Open a text file that is called `name` in error messages."""
    with _named_errors(name):
        raw = _NamedFile(path, mode, name)
    return io.TextIOWrapper(io.BufferedWriter(raw), encoding="utf-8", errors="backslashreplace", newline="")


class _NamedFile(io.FileIO):
    """A file whose errors name it, because the code that writes it also reads and writes others."""

    def __init__(self, path: str | int, mode: str, name: str) -> None:
        self._shown = name
        super().__init__(path, mode)

    def write(self, data: Any, /) -> int:  # noqa: ANN401
        with _named_errors(self._shown):
            return super().write(data)

    def close(self) -> None:
        with _named_errors(self._shown):
            super().close()


class _Spool(tempfile.SpooledTemporaryFile[Any]):
    """A temporary file whose errors name the folder that is full."""

    def __init__(self, mode: str, **options: Any) -> None:  # noqa: ANN401
        super().__init__(_SPOOL_BYTES, mode, **options)

    def write(self, text: Any) -> int:  # noqa: ANN401
        with _named_spool_errors():
            return super().write(text)

    def seek(self, *arguments: int) -> int:
        with _named_spool_errors():
            return super().seek(*arguments)

    def read(self, *arguments: int) -> Any:  # noqa: ANN401
        with _named_spool_errors():
            return super().read(*arguments)

    def flush(self) -> None:
        with _named_spool_errors():
            super().flush()

    def close(self) -> None:
        with suppress(OSError):  # the rest of the buffer does not matter, because the file is deleted
            super().close()

    def __exit__(self, *_: object) -> None:
        self.close()


@contextmanager
def _named_spool_errors() -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise _spool_error(error) from None


def _spool_error(error: OSError) -> InputError:
    return InputError(
        f"temporary files cannot be written: {error.strerror or error}",
        source=tempfile.gettempdir(),
        remedy="free some space, or name another folder in the environment variable TMPDIR",
    )


def _escape_surrogate(surrogate: str) -> str:
    code = ord(surrogate)
    is_byte = _SURROGATE_BYTE + 0x80 <= code <= _SURROGATE_BYTE + 0xFF
    return f"\\x{code - _SURROGATE_BYTE:02x}" if is_byte else f"\\u{code:04x}"
