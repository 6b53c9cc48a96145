"""Where the files are that a list or table names."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from pagemeter.corpus.urls import Url, location

if TYPE_CHECKING:
    from pagemeter.corpus.urls import Location


class Locator:
    """Finds the files that a list or table names.

    A relative path is that of the list's folder, or else, if it exists there, of the working folder.

    >>> from pathlib import Path
    >>> locator = Locator(Path("data/gt.lst"))
    >>> locator.file("a/./1.xml"), locator.file("/1.xml"), locator.file("s3://bucket/1.xml")
    ('data/a/1.xml', '/1.xml', 's3://bucket/1.xml')
    """

    def __init__(self, listed_in: Location) -> None:
        self._folder = listed_in.parent
        self._before = "" if isinstance(self._folder, Url) else os.fspath(self._folder / "x")[:-1]

    def file(self, name: str) -> str:
        """The text of the path, or the URL."""
        return self.beside(name) if self.is_beside(name) else plain(name)

    def is_beside(self, name: str) -> bool:
        """Whether a name is that of a file in the folder of the list, as far as anybody can tell."""
        check_name(name)
        given = plain(name)
        if isinstance(given, Url) or given.startswith("/"):
            return False
        return (
            isinstance(self._folder, Url) or os.path.lexists(self.beside(given)) or not os.path.lexists(name)
        )

    def beside(self, name: str) -> str:
        """The path of a file in the folder of the list."""
        if isinstance(self._folder, Url):
            return self._folder / name
        given = plain(name)
        return os.fspath(self._folder) if given == "." else self._before + given


def plain(name: str) -> str:
    """A name as paths are written; only those that look odd are rewritten.

    >>> plain("a/1.xml"), plain("./a//1.xml")
    ('a/1.xml', 'a/1.xml')
    """
    if "//" in name or "/./" in name or name.startswith("./") or name[-1:] in "/.":
        return os.fspath(location(name))
    return name


def check_name(name: str) -> None:
    """Raises an error for what cannot be the name of a file.

    >>> check_name("0001.xml")
    """
    if "\0" in name:
        raise ValueError("a zero byte in a name; mend the list")
