"""What became of one page."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal

from pagemeter.plain_scores import PlainScores
from pagemeter.sources import Source
from pagemeter.stats.budget import budgets

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pagemeter.corpus.contents import Inputs
    from pagemeter.corpus.files.names import Side
    from pagemeter.corpus.lines import PageLines
    from pagemeter.evaluation import Evaluation
    from pagemeter.measure import Measure
    from pagemeter.page import Warn
    from pagemeter.score import Score
    from pagemeter.stats.budget import Budget

Status = Literal["evaluated", "missed", "left out", "no ground truth", "failed"]


@dataclass(frozen=True, slots=True)
class PageResult:
    """The evaluation of one page, or why there is none.

    `gt` and `hyp` are the files, None where a side has none; `evaluation` is None where nothing was done.
    `unplaced` are the sides that lack the positions that measures with G need, if any was wanted for pages
    that have them. `dropped` counts the lines of either side that line filters left out. `document` is what a
    table of pairs says the page belongs to. `extra` are scores that only the error budget needs. `has_places`
    says whether any line of either page has a position, and `seconds` how long the page took. `inputs` are
    the contents of both files, and `lines` what each line got, if they were asked for.
    `prepared` is what reports made of the page where it was evaluated.

    >>> PageResult("0001", "gt/0001.xml", None).status
    'left out'
    """

    name: str
    gt: str | None
    hyp: str | None
    evaluation: Evaluation | None = field(default=None, repr=False)
    warnings: tuple[Warn, ...] = ()
    error: str | None = None
    unplaced: tuple[Side, ...] = ()
    dropped: tuple[int, int] = (0, 0)
    document: str | None = None
    extra: Mapping[Measure, Score] = field(default_factory=dict, repr=False)
    has_places: bool = False
    seconds: float = field(default=0.0, compare=False, repr=False)
    inputs: Inputs = field(default=(None, None), repr=False)
    lines: PageLines | None = field(default=None, repr=False)
    prepared: Mapping[str, Any] = field(default_factory=dict, compare=False, repr=False)

    @property
    def status(self) -> Status:
        """What became of the page: a GT page without HYP is missed, or left out if that was asked for."""
        if self.error is not None:
            return "failed"
        if self.gt is None:
            return "no ground truth"
        if self.evaluation is None:
            return "left out"
        return "evaluated" if self.hyp is not None else "missed"

    @property
    def scores(self) -> Mapping[Measure, Score]:
        """The scores by measure; empty where nothing was evaluated."""
        return self.evaluation.scores if self.evaluation else {}

    @property
    def numbers(self) -> PageResult:
        """The same without texts and matchings, which take the most memory."""
        if self.evaluation is None:
            return self
        scores = {measure: score.alone for measure, score in self.scores.items()}
        extra = {measure: score.alone for measure, score in self.extra.items()}
        bare = replace(self.evaluation, sources=(Source(()), Source(())), scores=scores)
        return replace(self, evaluation=bare, extra=extra)

    @property
    def plain(self) -> tuple[PlainScores, PlainScores]:
        """The scores, and those that only the budget needs, as plain numbers with how long each took."""
        seconds = self.evaluation.seconds if self.evaluation else {}
        return PlainScores.of(self.scores, seconds), PlainScores.of(self.extra, seconds)

    @property
    def budgets(self) -> Mapping[Measure, Budget]:
        """The error budgets that the scores suffice for, by the measure that is divided."""
        return budgets({**self.scores, **self.extra})
