"""The pages in two files, or why they could not be had."""

from __future__ import annotations

import re
from dataclasses import fields, replace
from typing import TYPE_CHECKING, NamedTuple

from pagemeter.corpus.contents import Input, Inputs, fetch
from pagemeter.corpus.page_pairs import PagePair, page_pairs
from pagemeter.corpus.reading import Reader, Reading
from pagemeter.corpus.result import PageResult
from pagemeter.errors import InputError
from pagemeter.page import Warn

if TYPE_CHECKING:
    from pagemeter.corpus.files.names import Side
    from pagemeter.corpus.pairs import Pair
    from pagemeter.corpus.urls import Location
    from pagemeter.page import Page

_OPTION = re.compile(rf"(?<!\S)--({'|'.join(field.name for field in fields(Reader))})\b")


class Opened(NamedTuple):
    """The pages in two files, and what the files hold, if that was asked for."""

    pages: tuple[PagePair, ...]
    inputs: Inputs


def open_pair(
    pair: Pair, reading: Reading, folder: str = "", *, inputs: bool = False, failed_as_missing: bool = False
) -> PageResult | Opened:
    """The pages in two files, the first with the first and so on, or the result that there are none.

    Relative paths are those of the folder, or of the working one. With `failed_as_missing` a hypothesis that
    cannot be read is as one that is not there, with a warning; but not for want of memory, which is ours.

    >>> from pathlib import Path
    >>> from pagemeter.corpus import Pair, Reading
    >>> open_pair(Pair("1", Path("nowhere.xml"), None), Reading()).error
    'nowhere.xml: no such file; check the path'
    """
    gt_file, hyp_file = (None if path is None else str(path) for path in (pair.gt, pair.hyp))
    if pair.error is not None or pair.gt is None:
        return PageResult(pair.name, gt_file, hyp_file, None, pair.warnings, pair.error)
    gt = _load(reading.gt, pair.gt, "gt", folder, inputs=inputs)
    hyp = _load(reading.hyp, pair.hyp, "hyp", folder, inputs=inputs)
    if failed_as_missing and hyp.error and not (gt.error or hyp.lacks_memory):
        warning = Warn(hyp_file or pair.name, "file", f"counted as missed: {_reason(hyp.error, hyp_file)}")
        pair = replace(pair, hyp=None, warnings=(*pair.warnings, warning))
    elif gt.error or hyp.error:
        error = "\n".join(filter(None, (gt.error, hyp.error)))
        return PageResult(pair.name, gt_file, hyp_file, None, pair.warnings, error)
    return Opened(tuple(page_pairs(pair, gt.pages, hyp.pages)), (gt.input, hyp.input))


def _reason(error: str, file: str | None) -> str:
    return error.removeprefix(f"{file}: ")


class _Loaded(NamedTuple):
    pages: tuple[Page, ...] = ()
    input: Input | None = None
    error: str | None = None
    lacks_memory: bool = False


def _load(reader: Reader, path: Location | None, side: Side, folder: str, *, inputs: bool) -> _Loaded:
    if path is None:
        return _Loaded()
    try:
        content = fetch(path, folder)
        pages = tuple(_with_options_of(page, side) for page in reader.pages(path, content))
        return _Loaded(pages, content.input if inputs else None)
    except InputError as error:
        return _Loaded(error=_options_of(str(error), side))
    except MemoryError:
        said = f"{path}: not enough memory to read it; split it into its pages, or raise --page-memory"
        return _Loaded(error=said, lacks_memory=True)


def _with_options_of(page: Page, side: Side) -> Page:
    if not any("--" in warn.reason for warn in page.warnings):
        return page
    warnings = (replace(warn, reason=_options_of(warn.reason, side)) for warn in page.warnings)
    return replace(page, warnings=tuple(warnings))


def _options_of(message: str, side: Side) -> str:
    """A message that names options of one side, for the other side may be read well as it is."""
    return _OPTION.sub(rf"--{side}-\1", message)
