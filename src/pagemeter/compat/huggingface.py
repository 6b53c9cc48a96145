"""Metrics in the manner of Hugging Face evaluate: `compute`, `add` and `add_batch`.

`PageMetric("cer")` and `PageMetric("wer")` give the numbers of `evaluate.load` with these names. Other names
are measures of pagemeter. A string is a page, and its lines are the lines of the page.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pagemeter.errors import UsageError
from pagemeter.meter import Meter

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pagemeter.collection import CorpusEvaluation
    from pagemeter.preparation import PageLike

__all__ = ["PageMetric"]

_SAME_AS = {"cer": "CER:T", "wer": "WER:T"}
"""The measures that have the numbers of the metrics of evaluate, with the preset `hf`."""


class PageMetric:
    r"""A metric that collects predictions and references.

    Args:
        measures: "cer" or "wer" for the metric of this name of evaluate; otherwise measures of pagemeter.
        **settings: Single settings and options, as for `pagemeter.Meter`; for example ``case="fold"``.

    Attributes:
        name: The measures.

    Raises:
        UsageError: A measure or setting is not valid.

    >>> PageMetric("cer").compute(predictions=["one lime"], references=["one line"])
    0.125
    >>> metric = PageMetric("CER:R, CER")
    >>> metric.add(prediction="two\none", reference="one\ntwo")
    >>> metric.compute()
    {'CER:R': 1.0, 'CER': 0.0}

    """

    def __init__(self, measures: str | Iterable[str] = "cer", **settings: Any) -> None:  # noqa: ANN401
        single = measures if isinstance(measures, str) else ""
        self._single = _SAME_AS.get(single)
        if self._single:
            settings = {"preset": "hf", **settings}
        self._meter = Meter(self._single or measures, **settings)
        self.name = single or ", ".join(measures)

    def compute(
        self,
        *,
        predictions: Sequence[PageLike | None] | None = None,
        references: Sequence[PageLike] | None = None,
        concatenate_texts: bool = False,
    ) -> float | dict[str, float]:
        """Return the rate of all pages, and forget them.

        Args:
            predictions: Further pages that a system recognised.
            references: Their ground truth, in the same order.
            concatenate_texts: Accepted because evaluate has it. With jiwer 4 it makes no difference there.

        Returns:
            The rate for "cer" and "wer"; otherwise the rates of the measures by name.

        Raises:
            UsageError: There is no page, or not as many predictions as references.

        """
        del concatenate_texts
        if predictions is not None or references is not None:
            self.add_batch(predictions=predictions, references=references)
        evaluation = self.evaluation
        self._meter.reset()
        if self._single:
            return evaluation[self._single].rate
        return {str(measure): score.rate for measure, score in evaluation.totals.items()}

    def add(self, *, prediction: PageLike | None = None, reference: PageLike | None = None) -> None:
        """Add one page; a prediction of None is a missing page."""
        self.add_batch(predictions=[prediction], references=None if reference is None else [reference])

    def add_batch(
        self,
        *,
        predictions: Sequence[PageLike | None] | None = None,
        references: Sequence[PageLike] | None = None,
    ) -> None:
        """Add a batch of pages."""
        if predictions is None or references is None or any(page is None for page in references):
            raise UsageError("references or predictions are missing", remedy="give both, in the same order")
        if isinstance(predictions, str) or isinstance(references, str):
            raise UsageError("a batch is one text", remedy="give lists of texts, or use add")
        self._meter.update(list(references), list(predictions))

    @property
    def evaluation(self) -> CorpusEvaluation:
        """The scores, intervals and pages so far, as `evaluate_corpus` returns them."""
        if not len(self._meter):
            raise UsageError("there is no page", remedy="add predictions and references first")
        return self._meter.compute()

    def __len__(self) -> int:
        return len(self._meter)

    def __bool__(self) -> bool:
        """Return True, even if there is no page."""
        return True
