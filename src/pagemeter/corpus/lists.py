"""Lists of files: one path a line."""

from __future__ import annotations

import os
from collections import Counter
from typing import TYPE_CHECKING

from pagemeter.corpus.folders import Found, PassedOver
from pagemeter.corpus.line_file import LineFile
from pagemeter.corpus.names import Candidate, candidate
from pagemeter.corpus.urls import Location, Url, location

if TYPE_CHECKING:
    from collections.abc import Sequence

LISTS = (".lst", ".list")


def read_list(path: Location, suffixes: Sequence[str] = ()) -> Found:
    r"""The files that a list names, one a line; blank lines and lines that begin with # are left out.

    >>> import tempfile
    >>> from pathlib import Path
    >>> path = Path(tempfile.mkdtemp(), "gt.lst")
    >>> _ = path.write_text("# two pages\na/1.xml\nb/1.xml\n")
    >>> [found.name for found in read_list(path).candidates]
    ['a/1', 'b/1']
    """
    found = Found()
    paths = []
    for number, line in LineFile(path):
        try:
            paths.append(located(line, path))
        except ValueError as error:
            found.problems.append((path, f"line {number}: {error}"))
    above = [_folders(listed) for listed in paths]
    common = _shared(above)
    found.passed_over += [PassedOver(listed, "named twice in a list") for listed in _repeated(paths)]
    for listed, all_folders in dict(zip(paths, above, strict=True)).items():
        folders = tuple(all_folders[common:])
        taken = candidate(listed, folders, suffixes)
        if taken or not suffixes:
            found.candidates.append(taken or Candidate(listed, folders, listed.stem, listed.suffix, None))
        else:
            found.passed_over.append(PassedOver(listed, f"does not end in {' or '.join(suffixes)}"))
    return found


def _folders(listed: Location) -> list[str]:
    """All folders that a file is in, from the top."""
    return (listed.parent if isinstance(listed, Url) else os.path.abspath(listed.parent)).split("/")  # noqa: PTH100


def _shared(above: Sequence[Sequence[str]]) -> int:
    """How many of the first folders are the same for all."""
    shortest = min(map(len, above), default=0)
    return next((n for n in range(shortest) if len({folders[n] for folders in above}) > 1), shortest)


def _repeated(paths: Sequence[Location]) -> list[Location]:
    return [listed for listed, count in Counter(paths).items() for _ in range(count - 1)]


def check_name(name: str) -> None:
    """Raises an error for what cannot be the name of a file.

    >>> check_name("0001.xml")
    """
    if "\0" in name:
        raise ValueError("a zero byte in a name; mend the list")


def located(name: str, listed_in: Location) -> Location:
    """A relative path is that of the list's folder, or else, if it exists there, of the working folder."""
    check_name(name)
    given = location(name)
    if isinstance(given, Url):
        return given
    beside = listed_in.parent / name
    if isinstance(beside, Url):
        return given if given.is_absolute() else beside
    return given if not os.path.lexists(beside) and os.path.lexists(name) else beside
