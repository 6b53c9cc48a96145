"""The pages of two files: the first with the first, the second with the second, and what is left over."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import zip_longest
from typing import TYPE_CHECKING

from pagemeter.page import Page, Warn

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pagemeter.corpus.pairs import Pair
    from pagemeter.corpus.urls import Location


@dataclass(frozen=True, slots=True)
class PagePair:
    """A GT page and its HYP page, None on the side that lacks it, and the files they are from."""

    name: str
    gt: Page | None
    hyp: Page | None
    gt_file: str | None
    hyp_file: str | None
    warnings: tuple[Warn, ...]


def page_pairs(pair: Pair, gts: Sequence[Page], hyps: Sequence[Page]) -> Iterator[PagePair]:
    """The pages of two files by their order; of several, each name ends in its number.

    >>> from pathlib import Path
    >>> from pagemeter.corpus import Pair
    >>> from pagemeter.page import Page
    >>> pair = Pair("book", Path("gt.txt"), Path("hyp.txt"))
    >>> [(page.name, page.gt_file, page.hyp_file) for page in page_pairs(pair, [Page(), Page()], [Page()])]
    [('book#1', 'gt.txt#1', 'hyp.txt'), ('book#2', 'gt.txt#2', None)]
    """
    several = max(len(gts), len(hyps)) > 1
    for number, (gt, hyp) in enumerate(zip_longest(gts, hyps), 1):
        warnings = pair.warnings if number == 1 else ()
        for page in (gt, hyp):
            warnings += page.warnings if page else ()
        yield PagePair(
            f"{pair.name}#{number}" if several else pair.name,
            gt,
            hyp,
            _file(pair.gt, gt, number, gts),
            _file(pair.hyp, hyp, number, hyps),
            warnings + _surplus(pair, number, len(gts), len(hyps)),
        )


def _file(path: Location | None, page: Page | None, number: int, pages: Sequence[Page]) -> str | None:
    if path is None or page is None:
        return None
    return f"{path}#{number}" if len(pages) > 1 else str(path)


def _surplus(pair: Pair, number: int, n_gt: int, n_hyp: int) -> tuple[Warn, ...]:
    if pair.hyp is None or number <= min(n_gt, n_hyp):
        return ()
    reason = f"the ground truth file has {n_gt} pages, the hypothesis file {n_hyp}: this one has no partner"
    return (Warn(str(pair.gt if n_gt > n_hyp else pair.hyp), f"page {number}", reason),)
