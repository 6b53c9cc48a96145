"""The pages in two files, or why they could not be had."""

from __future__ import annotations

import re
from dataclasses import fields, replace
from typing import TYPE_CHECKING

from pagemeter.corpus.page_pairs import PagePair, page_pairs
from pagemeter.corpus.reading import Reader, Reading
from pagemeter.corpus.result import PageResult
from pagemeter.errors import InputError

if TYPE_CHECKING:
    from pathlib import Path

    from pagemeter.corpus.names import Side
    from pagemeter.corpus.pairs import Pair
    from pagemeter.page import Page

_OPTION = re.compile(rf"(?<!\S)--({'|'.join(field.name for field in fields(Reader))})\b")


def open_pair(pair: Pair, reading: Reading) -> PageResult | tuple[PagePair, ...]:
    """The pages in two files, the first with the first and so on, or the result that there are none.

    >>> from pathlib import Path
    >>> from pagemeter.corpus import Pair, Reading
    >>> open_pair(Pair("1", Path("nowhere.xml"), None), Reading()).error
    'nowhere.xml: no such file; check the path'
    """
    gt_file, hyp_file = (None if path is None else str(path) for path in (pair.gt, pair.hyp))
    if pair.error is not None or pair.gt is None:
        return PageResult(pair.name, gt_file, hyp_file, None, pair.warnings, pair.error)
    gts, gt_error = _load(reading.gt, pair.gt, "gt")
    hyps, hyp_error = _load(reading.hyp, pair.hyp, "hyp")
    if gt_error or hyp_error:
        error = "\n".join(filter(None, (gt_error, hyp_error)))
        return PageResult(pair.name, gt_file, hyp_file, None, pair.warnings, error)
    return tuple(page_pairs(pair, gts, hyps))


def _load(reader: Reader, path: Path | None, side: Side) -> tuple[tuple[Page, ...], str | None]:
    if path is None:
        return (), None
    try:
        return tuple(_with_options_of(page, side) for page in reader.pages(path)), None
    except InputError as error:
        return (), _options_of(str(error), side)
    except MemoryError:
        return (), f"{path}: not enough memory to read it; split it into its pages"


def _with_options_of(page: Page, side: Side) -> Page:
    if not any("--" in warn.reason for warn in page.warnings):
        return page
    warnings = (replace(warn, reason=_options_of(warn.reason, side)) for warn in page.warnings)
    return replace(page, warnings=tuple(warnings))


def _options_of(message: str, side: Side) -> str:
    """A message that names options of one side, for the other side may be read well as it is."""
    return _OPTION.sub(rf"--{side}-\1", message)
