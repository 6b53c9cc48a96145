"""Lists of files: one path a line."""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from pagemeter.corpus.folders import Found, PassedOver
from pagemeter.corpus.names import Candidate, candidate
from pagemeter.formats.files import read_bytes

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

LISTS = (".lst", ".list")


def read_list(path: Path, suffixes: Sequence[str] = ()) -> Found:
    r"""The files that a list names, one a line; blank lines and lines that begin with # are left out.

    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp(), "gt.lst")
    >>> _ = path.write_text("# two pages\na/1.xml\nb/1.xml\n")
    >>> [found.name for found in read_list(path).candidates]
    ['a/1', 'b/1']
    """
    found = Found()
    paths = []
    for number, line in lines_in(path):
        try:
            paths.append(located(line, path))
        except ValueError as error:
            found.problems.append((path, f"line {number}: {error}"))
    top = os.path.commonpath([os.path.abspath(p.parent) for p in paths]) if paths else ""  # noqa: PTH100
    found.passed_over += [PassedOver(listed, "named twice in a list") for listed in _repeated(paths)]
    for listed in dict.fromkeys(paths):
        folders = Path(os.path.relpath(listed.parent, top)).parts
        taken = candidate(listed, folders, suffixes)
        if taken or not suffixes:
            found.candidates.append(taken or Candidate(listed, folders, listed.stem, listed.suffix, None))
        else:
            found.passed_over.append(PassedOver(listed, f"does not end in {' or '.join(suffixes)}"))
    return found


def _repeated(paths: Sequence[Path]) -> list[Path]:
    return [listed for listed, count in Counter(paths).items() for _ in range(count - 1)]


def lines_in(path: Path) -> Iterator[tuple[int, str]]:
    """The lines that say something, numbered; names are bytes and need not be UTF-8."""
    text = read_bytes(path).decode("utf-8-sig", "surrogateescape")
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip() and not line.startswith("#"):
            yield number, line.rstrip("\r")


def located(name: str, listed_in: Path) -> Path:
    """A relative path is that of the list's folder, or else, if it exists there, of the working folder."""
    if "\0" in name:
        raise ValueError("a zero byte in a name; mend the list")
    beside = listed_in.parent / name
    return Path(name) if not os.path.lexists(beside) and os.path.lexists(name) else beside
