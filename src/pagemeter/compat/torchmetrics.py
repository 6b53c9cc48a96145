"""A metric of torchmetrics: error rates of pages in training loops, also on several devices.

As in torchmetrics, predictions are the first argument. It needs the extra `torch`.
"""

from __future__ import annotations

from hashlib import blake2b
from typing import TYPE_CHECKING, Any

from pagemeter.errors import DependencyError, UsageError
from pagemeter.evaluation import evaluate
from pagemeter.measure import Measure
from pagemeter.score import Counts, Score
from pagemeter.settings import DEFAULT_SETTINGS, SETTING_NAMES

try:
    import torch
    from torchmetrics import Metric
except ImportError as error:
    raise DependencyError(
        f"this metric needs torchmetrics: {error}", remedy="run pip install 'pagemeter[torch]'"
    ) from None

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pagemeter.preparation import PageLike

__all__ = ["PageErrorRate"]


class PageErrorRate(Metric):  # type: ignore[misc]  # torchmetrics need not be installed
    """The rate of one measure over all pages.

    The states are counts in 64-bit integers, which processes of distributed training add up. They are named
    after the measure and its settings, because `MetricCollection` lets metrics share states that have equal
    names and, after the first batch, equal values.

    Args:
        measure: A measure, such as "CER:RS".
        **options: Single settings, such as ``case="fold"`` or ``preset="torchmetrics"``; other arguments
            are those of `torchmetrics.Metric`.

    Raises:
        UsageError: The measure or a setting is not valid, or the setting `average` is not "micro".

    >>> metric = PageErrorRate("CER:R")
    >>> metric.update(["one lime", "tow"], ["one line", "two"])
    >>> metric.compute(), metric.errors, metric.tokens
    (tensor(0.2727), 3, 11)

    """

    is_differentiable = False
    higher_is_better = False
    full_state_update = False
    plot_lower_bound = 0.0
    plot_upper_bound = 1.0

    def __init__(self, measure: str | Measure = "CER:R", **options: Any) -> None:  # noqa: ANN401
        chosen = {name: options.pop(name) for name in list(options) if name in SETTING_NAMES}
        super().__init__(**options)
        self.measure = Measure.parse(measure)
        self.settings = DEFAULT_SETTINGS.with_(**chosen)
        if self.settings.average != "micro":
            raise UsageError(
                "the metric adds up errors and tokens",
                setting=("average", self.settings.average),
                remedy="use micro, or pagemeter.Meter",
            )
        signature = self.settings.signature.partition("|version:")[0]
        key = blake2b(f"{self.measure}|{signature}".encode(), digest_size=8).hexdigest()
        self._states = tuple(f"{name}_{key}" for name in ("missing", "extra", "wrong", "right", "base"))
        for state in self._states:
            self.add_state(state, default=torch.tensor(0, dtype=torch.int64), dist_reduce_fx="sum")

    def update(self, preds: PageLike | Sequence[PageLike], target: PageLike | Sequence[PageLike]) -> None:
        """Add one page or a batch of pages.

        Args:
            preds: The text that a system recognised: a string or a page, or a list of them.
            target: The ground truth in the same form.

        Raises:
            UsageError: There are not as many predictions as targets.

        """
        hyps, gts = (list(side) if isinstance(side, list | tuple) else [side] for side in (preds, target))
        if len(hyps) != len(gts):
            raise UsageError(
                f"a batch of {len(hyps):,} predictions and {len(gts):,} targets",
                remedy="give lists of equal length",
            )
        for gt, hyp in zip(gts, hyps, strict=True):
            score = evaluate(gt, hyp, [self.measure], settings=self.settings)[self.measure]
            counts = score.counts
            base = score.base(self.settings.denominator)
            for state, number in zip(
                self._states, (counts.ins, counts.dels, counts.sub, counts.cor, base), strict=True
            ):
                getattr(self, state).add_(number)

    def compute(self) -> torch.Tensor:
        """Return the rate as a tensor."""
        return torch.tensor(self._rate, device=self.device)

    @property
    def errors(self) -> int:
        """The errors of all pages."""
        return self.counts.errors

    @property
    def tokens(self) -> int:
        """The tokens of the ground truth of all pages."""
        return self.counts.n_gt

    @property
    def counts(self) -> Counts:
        """Missing, extra, wrong and right tokens of all pages."""
        return Counts(*(int(getattr(self, state)) for state in self._states[:-1]))

    @property
    def _rate(self) -> float:
        longer = int(getattr(self, self._states[-1]))
        total = Score(self.measure, self.counts, 0, settings=self.settings, pages=0, longer=longer)
        return total.rate
