"""An accumulator of scores for training loops: `Meter`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pagemeter.collection import CorpusEvaluation, corpus_evaluation, run_config
from pagemeter.errors import UsageError
from pagemeter.inputs.pairs import pair_pages
from pagemeter.page import Page
from pagemeter.runners.in_process import InProcess
from pagemeter.signature import check_same_signature

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pagemeter.corpus import PageResult
    from pagemeter.preparation import PageLike
    from pagemeter.settings import Settings


class Meter:
    r"""Scores that are collected page by page or batch by batch.

    `update` adds pages, `compute` returns the result of all pages so far, and `reset` removes them. `+` adds
    the pages of two meters, and a meter can be pickled, so each process can have its own.

    Args:
        measures: The measures, as for `evaluate`.
        solver: "exact" or "paper".
        settings: Settings of normalisation, tokens and solver.
        budget: The units of error budgets, as for `evaluate_corpus`.
        details: Keep texts and alignments of all pages, which `CorpusEvaluation.to_html` needs.
        **options: Single settings and options, as for `evaluate_corpus`.

    Raises:
        UsageError: A measure, setting or option is not valid.

    >>> meter = Meter(["CER:R", "WER:R"])
    >>> meter.update("one page", "one pace")
    >>> meter.update(["a batch", "of pages"], ["a batch", "of pares"])
    >>> meter
    <Meter of 3 pages>
    >>> meter.compute()["CER:R"]
    <Score CER:R 8.70 %: 2 errors, 23 characters>

    """

    def __init__(
        self,
        measures: str | Iterable[str] | None = None,
        solver: str | None = None,
        *,
        settings: Settings | None = None,
        budget: str | None = None,
        details: bool = False,
        **options: Any,  # noqa: ANN401
    ) -> None:
        if solver is not None:
            options["solver"] = solver
        self._named = measures is not None
        self._config = run_config(measures, settings, budget, options, details=details)
        self._pages: list[PageResult] = []

    def update(
        self,
        gt: PageLike | Iterable[PageLike] | Mapping[str, PageLike],
        hyp: PageLike | Iterable[PageLike | None] | Mapping[str, PageLike] | None,
    ) -> None:
        """Evaluate one page or a batch of pages, and add the results.

        If either argument is a str, Page or pathlib.Path, both are one page. Otherwise both are a batch:
        lists of pages in the same order, or dictionaries of pages by name. A list of strings is therefore a
        batch of pages with one string each, as in torchmetrics and jiwer. A page as a list of its lines is a
        batch of one page: ``update([lines], [lines])``.

        Args:
            gt: The ground truth of one page or of a batch; it is the first argument, as everywhere.
            hyp: The hypotheses. None is a missing page, all of whose text counts as missing.

        Raises:
            UsageError: The batches have different lengths, or an item is not a page.

        """
        pairs = pair_pages(*_batch(gt, hyp), start=len(self)).pairs
        self._pages += (page for _, results in InProcess().map(self._config, pairs) for page in results)

    def compute(self) -> CorpusEvaluation:
        """Return the totals, intervals and pages so far; `compute()["CER:R"].rate` is a rate."""
        return corpus_evaluation(self._config, self._pages, named=self._named)

    def reset(self) -> None:
        """Remove all pages."""
        self._pages = []

    def __len__(self) -> int:
        return len(self._pages)

    def __bool__(self) -> bool:
        """Return True, even if the meter has no pages."""
        return True

    def __add__(self, other: Meter) -> Meter:
        """Return a meter with the pages of both; page numbers of the second continue those of the first.

        Raises:
            UsageError: The measures or the settings differ.

        """
        if not isinstance(other, Meter):
            return NotImplemented
        check_same_signature("meters", self._config.signature, other._config.signature)
        total = Meter.__new__(type(self))
        total._named, total._config = self._named, self._config
        total._pages = [*self._pages, *_renumbered(other._pages, len(self))]
        return total

    def __radd__(self, other: int) -> Meter:
        """Add to 0, the start value of `sum`."""
        return self if other == 0 else NotImplemented

    def __repr__(self) -> str:
        return f"<Meter of {len(self):,} page{'s' * (len(self) != 1)}>"


def _batch(gt: Any, hyp: Any) -> tuple[Any, Any]:  # noqa: ANN401
    """Return both sides as dictionaries by name or as lists of equal length."""
    if any(isinstance(side, str | Page | Path) for side in (gt, hyp)):
        gt, hyp = [gt], [hyp]
    if hyp is None:
        raise UsageError("hyp is None, but gt is a batch", remedy="give a list with one None per page")
    if isinstance(gt, Mapping) or isinstance(hyp, Mapping):
        return gt, hyp
    gts, hyps = list(gt), list(hyp)
    if len(gts) != len(hyps):
        raise UsageError(
            f"a batch of {len(gts):,} ground truths and {len(hyps):,} hypotheses",
            remedy="give lists of equal length; one page as a list of its lines is update([lines], [lines])",
        )
    return gts, hyps


def _renumbered(pages: Iterable[PageResult], start: int) -> Iterable[PageResult]:
    for number, page in enumerate(pages):
        yield replace(page, name=str(start + number)) if page.name == str(number) else page
