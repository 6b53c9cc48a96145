"""The lines of a file that may be larger than memory, as often as they are wanted."""

from __future__ import annotations

import shutil
import tempfile
import weakref
from contextlib import ExitStack, contextmanager
from functools import cached_property
from pathlib import Path
from typing import IO, TYPE_CHECKING

from pagemeter.corpus.urls import Location, Url, open_url
from pagemeter.errors import InputError
from pagemeter.formats.files import reason_of

if TYPE_CHECKING:
    from collections.abc import Iterator


class LineFile:
    r"""A file that names files; what can be read only once is copied to a temporary file.

    >>> path = Path(tempfile.mkdtemp(), "some.lst")
    >>> _ = path.write_text("# two pages\n1.xml\n\n2.xml\n")
    >>> list(LineFile(path))
    [(2, '1.xml'), (4, '2.xml')]
    """

    def __init__(self, path: Location) -> None:
        self.path = path
        self._copy: IO[bytes] | None = None

    def __iter__(self) -> Iterator[tuple[int, str]]:
        """The lines that say something, numbered."""
        return ((number, text) for number, _, text in self.placed())

    def placed(self) -> Iterator[tuple[int, int, str]]:
        """The same with the place in the file where each begins."""
        with self._opened() as file:
            begin = 0
            for number, line in enumerate(file, 1):
                text = _text(line, begin)
                if text and text[0] != "#" and not text.isspace():
                    yield number, begin, text
                begin += len(line)

    @cached_property
    def _shared(self) -> IO[bytes]:
        stack = ExitStack()
        weakref.finalize(self, stack.close)
        return stack.enter_context(self._opened())

    def at(self, begin: int) -> str:
        """The line that begins at a place."""
        self._shared.seek(begin)
        return _text(self._shared.readline(), begin)

    @contextmanager
    def _opened(self) -> Iterator[IO[bytes]]:
        try:
            if isinstance(self.path, Path) and self.path.is_file():
                with self.path.open("rb") as file:
                    yield file
                return
            if self._copy is None:
                self._copy = self._copied()
        except OSError as error:
            raise InputError(f"{self.path}: {reason_of(Path(self.path), error)}") from None
        self._copy.seek(0)
        yield self._copy

    def _copied(self) -> IO[bytes]:
        copy = tempfile.TemporaryFile()  # noqa: SIM115  (it lives as long as this object)
        weakref.finalize(self, copy.close)
        with open_url(self.path) if isinstance(self.path, Url) else self.path.open("rb") as file:
            shutil.copyfileobj(file, copy)
        return copy


def _text(line: bytes, begin: int) -> str:
    """A line without its end; names are bytes and need not be UTF-8."""
    return line.decode("utf-8" if begin else "utf-8-sig", "surrogateescape").rstrip("\r\n")
