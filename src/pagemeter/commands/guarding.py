"""No report takes the place of a file that is read."""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from pagemeter.corpus.files.kinds import other_kind
from pagemeter.corpus.files.matched import Matched
from pagemeter.corpus.files.names import candidate, with_dot
from pagemeter.errors import UsageError

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable, Iterator, Sequence

    from pagemeter.corpus import Pair
    from pagemeter.corpus.urls import Location

File = tuple[int, int]
"""A file by its device and inode, whatever leads to it."""
Reports = Mapping[File | None, str]
_REPORTS = ("json", "csv", "markdown", "latex", "html", "alignments", "confusions")
_MANY = 50_000  # pairs, which are checked within a second


def check_inputs(parsed: argparse.Namespace, inputs: Sequence[Location]) -> None:
    """Raises an error if a report would replace an argument, a mapping, or a page file in a folder given."""
    named = [*inputs, *(Path(str(path)[1:]) for path in inputs if str(path).startswith("@"))]
    reports = _reports(parsed)
    for path in (*named, *map(Path, parsed.mapping or ())):
        _refuse(reports, path)
    suffixes = tuple(map(with_dot, (*(parsed.gt_suffix or ()), *(parsed.hyp_suffix or ()))))
    for folder in map(os.path.realpath, inputs):
        for option, path in _there(parsed):
            if Path(folder) in path.parents and candidate(path, (), suffixes) and not other_kind(path):
                raise _refused(option, path)
    store = getattr(parsed, "store", None)
    if store is not None and (there := _identity(store)) and there in map(_identity, inputs):
        raise UsageError(f"--store {store}: this is an input; give a folder of its own")


def guarded(parsed: argparse.Namespace, pairs: Collection[Pair]) -> Collection[Pair]:
    """The pairs, none of which has a file that a report would replace, wherever it lies, or an error.

    Of very many pairs each is checked when its turn comes, for nobody wants to wait for all; a report takes
    its place after the last.
    """
    reports = _reports(parsed)
    if not reports:
        return pairs
    if len(pairs) > _MANY:
        return _Guarded(pairs, reports)
    for file in pairs.files() if isinstance(pairs, Matched) else _files(pairs):
        _refuse(reports, file)
    return pairs


class _Guarded(Collection["Pair"]):
    """Pairs that are checked as they are asked for."""

    def __init__(self, pairs: Collection[Pair], reports: Reports) -> None:
        self._pairs, self._reports = pairs, reports

    def __len__(self) -> int:
        return len(self._pairs)

    def __contains__(self, made: object) -> bool:
        return made in self._pairs

    def __iter__(self) -> Iterator[Pair]:
        for made in self._pairs:
            for file in _files((made,)):
                _refuse(self._reports, file)
            yield made


def _files(pairs: Iterable[Pair]) -> Iterator[str]:
    return (os.fspath(path) for made in pairs for path in (made.gt, made.hyp) if path)


def _there(parsed: argparse.Namespace) -> list[tuple[str, Path]]:
    """The reports that would replace a file, by their option; what is not there yet replaces none."""
    given = ((name, getattr(parsed, name, None)) for name in _REPORTS)
    paths = [(f"--{name}", Path(os.path.realpath(path))) for name, path in given if path]
    return [(option, path) for option, path in paths if path.is_file()]


def _reports(parsed: argparse.Namespace) -> Reports:
    """The options of the reports that would replace a file, by that file."""
    there = ((_identity(path), option) for option, path in reversed(_there(parsed)))
    return {file: option for file, option in there if file}


def _refuse(reports: Reports, path: Location | str) -> None:
    if option := reports.get(_identity(path)):
        raise _refused(option, path)


def _identity(path: Location | str) -> File | None:
    """What a file is known by; None if it is not there, for then it is not replaced."""
    try:
        found = os.stat(path)  # noqa: PTH116  (half the time of Path.stat)
    except (OSError, ValueError):
        return None
    return found.st_dev, found.st_ino


def _refused(option: str, path: Location | str) -> UsageError:
    return UsageError(f"{option} {path}: this is an input, which the report would replace; name another file")
