"""No report takes the place of a file that is read."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from pagemeter.corpus.files.kinds import other_kind
from pagemeter.corpus.files.matched import Matched
from pagemeter.corpus.files.names import candidate, with_dot
from pagemeter.corpus.files.tables import TablePairs
from pagemeter.errors import UsageError

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable, Sequence

    from pagemeter.corpus import Pair
    from pagemeter.corpus.urls import Location

_REPORTS = ("json", "csv", "markdown", "latex", "html", "alignments", "confusions")


def check_inputs(parsed: argparse.Namespace, inputs: Sequence[Location]) -> None:
    """Raises an error if a report would replace an argument, a mapping, or a page file in a folder given."""
    named = [*inputs, *(Path(str(path)[1:]) for path in inputs if str(path).startswith("@"))]
    _refuse(parsed, [*named, *map(Path, parsed.mapping or ())])
    suffixes = tuple(map(with_dot, (*(parsed.gt_suffix or ()), *(parsed.hyp_suffix or ()))))
    for folder in map(os.path.realpath, inputs):
        for option, path in _there(parsed):
            if Path(folder) in path.parents and candidate(path, (), suffixes) and not other_kind(path):
                raise _refused(option, path)
    store = getattr(parsed, "store", None)
    if store is not None and (there := _identity(store)) and there in map(_identity, inputs):
        raise UsageError(f"--store {store}: this is an input; give a folder of its own")


def check_pairs(parsed: argparse.Namespace, pairs: Iterable[Pair]) -> None:
    """Raises an error if a report would replace a file of any pair, wherever it lies."""
    _refuse(parsed, _files(pairs))


def _files(pairs: Iterable[Pair]) -> Iterable[str]:
    if isinstance(pairs, Matched | TablePairs):
        return pairs.files()
    return (os.fspath(path) for made in pairs for path in (made.gt, made.hyp) if path)


def _there(parsed: argparse.Namespace) -> list[tuple[str, Path]]:
    """The reports that would replace a file, by their option; what is not there yet replaces none."""
    given = ((name, getattr(parsed, name, None)) for name in _REPORTS)
    paths = [(f"--{name}", Path(os.path.realpath(path))) for name, path in given if path]
    return [(option, path) for option, path in paths if path.is_file()]


def _refuse(parsed: argparse.Namespace, inputs: Iterable[Location | str]) -> None:
    reports = {_identity(path): option for option, path in reversed(_there(parsed))}
    reports.pop(None, None)
    for path in inputs if reports else ():
        if option := reports.get(_identity(path)):
            raise _refused(option, path)


def _identity(path: Location | str) -> tuple[int, int] | None:
    """What a file is known by, whatever leads to it; None if it is not there, for then it is not replaced."""
    try:
        found = os.stat(path)  # noqa: PTH116  (half the time of Path.stat)
    except (OSError, ValueError):
        return None
    return found.st_dev, found.st_ino


def _refused(option: str, path: Location | str) -> UsageError:
    return UsageError(f"{option} {path}: this is an input, which the report would replace; name another file")
