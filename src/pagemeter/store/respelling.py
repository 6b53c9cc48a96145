"""Results of a store with their files called as this run calls them, whichever way a former run did."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from pagemeter.report.spelling import portable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pagemeter.corpus import PageResult, Pair
    from pagemeter.corpus.urls import Location
    from pagemeter.page import Warn


def respelled(results: Sequence[PageResult], pair: Pair) -> tuple[PageResult, ...]:
    """The results of a pair that are in a store, with the files and warnings of the pair as it is now.

    >>> from pathlib import Path
    >>> from pagemeter.corpus import PageResult, Pair
    >>> stored = PageResult("1#2", "gt/1.txt#2", "hyp/1.txt", None)
    >>> (found,) = respelled([stored], Pair("1", Path("/data/gt/1.txt"), Path("../hyp/1.txt")))
    >>> found.gt, found.hyp
    ('/data/gt/1.txt#2', '../hyp/1.txt')
    """
    return tuple(_respelled(result, pair, () if at else pair.warnings) for at, result in enumerate(results))


def _respelled(result: PageResult, pair: Pair, own: tuple[Warn, ...]) -> PageResult:
    files = dict(_files(result.gt, pair.gt) + _files(result.hyp, pair.hyp))
    if not files and result.warnings[: len(own)] == own:
        return result
    others = (_warn(warn, files) for warn in result.warnings[len(own) :])
    gt, hyp = (_called(file, files) for file in (result.gt, result.hyp))
    return replace(result, gt=gt, hyp=hyp, warnings=(*own, *others))


def _files(stored: str | None, path: Location | None) -> list[tuple[str, str]]:
    """A file as the store calls it, and as it is called now, if that differs."""
    if stored is None or path is None:
        return []
    name = portable(str(path))
    number = _last(stored)[len(_last(name)) :]  # of a page in a file of several
    was = stored.removesuffix(number)
    return [(was, str(path))] if was != name else []


def _last(file: str) -> str:
    return file.rpartition("::")[2].rpartition("/")[2]


def _warn(warn: Warn, files: dict[str, str]) -> Warn:
    return replace(warn, source=_called(warn.source, files) or "")


def _called(file: str | None, files: dict[str, str]) -> str | None:
    was = next((was for was in files if file and file.startswith(was)), None)
    return file if was is None or file is None else files[was] + file.removeprefix(was)
