"""The totals of a run: sums of scores, their distribution over pages, and everything unusual."""

from __future__ import annotations

import math
from array import array
from collections import Counter
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar

import numpy as np

from pagemeter.alignment import ConfidenceSums
from pagemeter.corpus.score_table import ScoreTable
from pagemeter.flags import better_partners
from pagemeter.score import Score, row_rates

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from pagemeter.alignment import ErrorKinds, WordConfidences
    from pagemeter.corpus.page_result import Failure, PageResult
    from pagemeter.errors import Problem
    from pagemeter.flags import Flag, PairSketch
    from pagemeter.inputs.page_files import PassedOver
    from pagemeter.measure import Measure
    from pagemeter.presets import Terms
    from pagemeter.settings import Settings
    from pagemeter.stats.bootstrap import Interval
    from pagemeter.stats.budget import Budget

MAX_LISTED = 10_000
"""How many failed and unpaired pages and kinds of warnings are kept; reports list all as they come."""
MAX_LARGEST = 5
"""How many pages with the most errors are kept."""
_T = TypeVar("_T")
_WORST = 0.05
"""The share of the pages that are called the worst."""


@dataclass(slots=True)
class CappedList(Generic[_T]):
    """The first items of a list, and the number of all of them; the memory is bounded.

    >>> names = CappedList(["a"])
    >>> names.add("b")
    >>> names.count, names.items
    (2, ['a', 'b'])
    """

    items: list[_T] = field(default_factory=list)
    count: int = -1

    def __post_init__(self) -> None:
        self.count = len(self.items) if self.count < 0 else self.count

    def add(self, item: _T) -> None:
        """Count one more item, and keep it if it is among the first."""
        self.count += 1
        if self.count <= MAX_LISTED:
            self.items.append(item)

    def __bool__(self) -> bool:
        return self.count > 0


@dataclass(slots=True)
class WarningGroup:
    """Warnings with the same reason: the first, and their number."""

    first: Problem
    count: int = 1


class LargePage(NamedTuple):
    """A page with many errors: its name, its score of the first measure, and its flags."""

    name: str
    score: Score
    flags: tuple[Flag, ...]


@dataclass(frozen=True, slots=True)
class _Sums:
    """Sums of a table of scores; they are outdated when the table has more than `pages` pages."""

    pages: int
    scores: dict[Measure, Score]
    budgets: dict[Measure, Budget]
    kinds: dict[Measure, ErrorKinds]
    without_text: dict[Measure, Score]

    @classmethod
    def of(cls, table: ScoreTable) -> _Sums:
        from pagemeter.stats.budget import table_budgets  # noqa: PLC0415  (statistics are a layer above)

        scores = {measure: table.total(measure) for measure in table.common_measures}
        without_text = {measure: table.total_without_text(measure) for measure in table.measures}
        kinds = {measure: table.kinds(measure) for measure in table.measures_by_kind}
        known = {measure: one for measure, one in kinds.items() if one is not None}
        return cls(len(table), scores, table_budgets(table), known, without_text)


@dataclass(slots=True)
class Totals:
    """The scores of all pages, added up, and the pages that a report mentions.

    All sums are over the same pages: measures and error budgets that only some pages have are left out.

    Args:
        table: The scores of all evaluated pages; its settings say how rates are computed.
        pages: The number of evaluated pages.
        missed: The number of them whose text counts as missing: there is no usable hypothesis.
        failures: The number of those whose hypothesis failed, by the reason.
        flags: The number of pages by flag.
        flagged: The numbers of the pages with a flag, as in `table`.
        largest: The pages with the most errors of their first measure, the worst first.
        empty_gt: The number of pages whose ground truth has no text, and that were left out for it.
        warnings: The number of all warnings.
        warning_groups: The warnings by their reason.
        without_hyp: Ground-truth files without hypothesis.
        without_gt: Hypothesis files without ground truth.
        failed: The results of pages that failed.
        without_positions: The number of pages that lack positions for optional measures with G.
        first_without_positions: The first of these.
        has_positions: True if any line of any page has a position.
        dropped_gt: The number of ground-truth lines that line filters left out.
        dropped_hyp: The number of hypothesis lines that line filters left out.
        ignored: The number of ground-truth lines that verdicts left out.
        sketches: The sketches of pages that may be wrong pairs.
        confidence_sums: The confidences of the words of hypotheses.
        settings: The settings that say how rates are computed; None for the default.

    >>> from pagemeter.corpus import PageResult
    >>> totals = Totals()
    >>> totals.add(PageResult("0001", "gt/0001.xml", None))
    >>> totals.pages, totals.without_hyp.items
    (0, ['gt/0001.xml'])

    """

    table: ScoreTable = field(default_factory=ScoreTable, repr=False)
    pages: int = 0
    missed: int = 0
    failures: Counter[Failure] = field(default_factory=Counter)
    flags: Counter[Flag] = field(default_factory=Counter)
    flagged: array[int] = field(default_factory=lambda: array("q"), repr=False)
    largest: list[LargePage] = field(default_factory=list, repr=False)
    empty_gt: int = 0
    warnings: int = 0
    warning_groups: dict[str, WarningGroup] = field(default_factory=dict)
    without_hyp: CappedList[str] = field(default_factory=CappedList)
    without_gt: CappedList[str] = field(default_factory=CappedList)
    failed: CappedList[PageResult] = field(default_factory=CappedList)
    without_positions: int = 0
    first_without_positions: PageResult | None = field(default=None, repr=False)
    has_positions: bool = False
    dropped_gt: int = 0
    dropped_hyp: int = 0
    ignored: int = 0
    sketches: CappedList[PairSketch] = field(default_factory=CappedList, repr=False)
    confidence_sums: ConfidenceSums = field(default_factory=ConfidenceSums, repr=False)
    settings: Settings | None = field(default=None, repr=False)
    _known_sums: _Sums | None = field(default=None, repr=False, compare=False)
    _known_wrong_pairs: tuple[int, tuple[Problem, ...]] | None = field(
        default=None, repr=False, compare=False
    )  # with the number of sketches that were compared

    def __post_init__(self) -> None:
        self.table.settings = self.settings

    @property
    def unusable_hyp(self) -> int:
        """The number of pages whose hypothesis could not be read or evaluated."""
        return self.failures["unreadable"] + self.failures["truncated"]

    @property
    def confidences(self) -> WordConfidences | None:
        """The confidences of the words of all hypotheses, None if they were not asked for."""
        return self.confidence_sums.total

    @property
    def scores(self) -> dict[Measure, Score]:
        """The sums of the measures that every page has."""
        return self._sums.scores

    @property
    def partial(self) -> set[Measure]:
        """The measures that only some pages have."""
        return set(self.table.measures) - self._sums.scores.keys()

    @property
    def budgets(self) -> dict[Measure, Budget]:
        """The sums of the error budgets that every page has, by the measure that is divided."""
        return self._sums.budgets

    @property
    def kinds(self) -> dict[Measure, ErrorKinds]:
        """The sums of the errors by kind that every page has."""
        return self._sums.kinds

    @property
    def errors_without_text(self) -> Counter[Measure]:
        """The errors on pages whose ground truth has no text."""
        return Counter({measure: score.errors for measure, score in self._sums.without_text.items()})

    @property
    def scores_without_flagged(self) -> dict[Measure, Score]:
        """The sums over the pages without a flag; empty if no page or every page has one."""
        if not 0 < len(self.flagged) < self.pages or self._has_medians:
            return {}
        return {measure: self.table.total(measure, without=self.flagged) for measure in self.scores}

    @property
    def scores_with_text(self) -> dict[Measure, Score]:
        """The sums over the pages with ground-truth text; empty if errors on other pages do not matter."""
        if self._has_medians:
            return {}
        return {m: self.table.total_with_text(m) for m in self.scores if self._sums.without_text[m].errors}

    @property
    def peer(self) -> Terms:
        """The numbers in the terms of the tool whose preset is used; empty without a preset."""
        preset = self.settings.preset if self.settings else None
        if preset is None:
            return {}
        from pagemeter.presets import find_preset, peer_terms  # noqa: PLC0415  (rarely needed)

        terms = peer_terms(preset, self.scores)
        if not (terms and find_preset(preset).spread):
            return terms
        pages = [peer_terms(preset, page) for page in self.table]
        spread: Terms = {}
        for name in terms:
            values = [page[name] for page in pages]
            deviation = float(np.std(values)) if len(set(values)) > 1 else 0.0  # numpy rounds
            spread |= {name: float(np.mean(values)), f"{name} σ": deviation}
        return spread

    @property
    def _has_medians(self) -> bool:
        """True if rates are medians; those of some of the pages are not reported."""
        return self.settings is not None and self.settings.average == "median"

    @property
    def wrong_pairs(self) -> tuple[Problem, ...]:
        """Warnings of pages whose ground truth fits another hypothesis of the run much better."""
        if self._known_wrong_pairs is None or self._known_wrong_pairs[0] != self.sketches.count:
            self._known_wrong_pairs = self.sketches.count, tuple(better_partners(self.sketches.items))
        return self._known_wrong_pairs[1]

    @property
    def _sums(self) -> _Sums:
        if self._known_sums is None or self._known_sums.pages != len(self.table):
            self._known_sums = _Sums.of(self.table)
        return self._known_sums

    def add(self, result: PageResult) -> None:
        """Add one page."""
        if result.evaluation is not None:
            self.table.append(result.rows, result.name.rpartition("/")[0], result.document)
            self.pages += 1
            self.add_flags(result, self.pages - 1)
            self.add_large(result.name, result.scores, result.flags)
            self.has_positions = self.has_positions or result.has_positions
            if result.without_positions:
                self.without_positions += 1
                self.first_without_positions = self.first_without_positions or result
        self.missed += result.status == "missed"
        if result.failure and result.status == "missed":
            self.failures[result.failure] += 1
        self.empty_gt += result.empty_gt and result.evaluation is None
        self.dropped_gt += result.dropped[0]
        self.dropped_hyp += result.dropped[1]
        self.ignored += result.ignored
        if result.confidences:
            self.confidence_sums.add(result.confidences)
        if result.sketch:
            self.sketches.add(result.sketch)
        self.add_warnings(result.warnings)
        self.add_incomplete(result)

    def add_flags(self, result: PageResult, page: int) -> None:
        """Count the flags of an evaluated page; `page` is its number in the table."""
        if result.flags:
            self.flags.update(result.flags)
            self.flagged.append(page)

    def add_large(self, name: str, scores: Mapping[Measure, Score], flags: Sequence[Flag]) -> None:
        """Keep a page if it is among those with the most errors of their first measure."""
        score = next(iter(scores.values()), None)
        if score is None or (
            len(self.largest) == MAX_LARGEST and score.errors <= self.largest[-1].score.errors
        ):
            return
        self.largest.append(LargePage(name, score, tuple(flags)))
        self.largest.sort(key=lambda page: -page.score.errors)
        del self.largest[MAX_LARGEST:]

    def add_incomplete(self, result: PageResult) -> None:
        """Count a page if it failed or lacks a side."""
        if result.errors:
            self.failed.add(result)
        elif result.gt is not None and result.hyp is None and not result.unusable_hyp:
            self.without_hyp.add(result.gt)
        elif result.gt is None and result.hyp is not None:
            self.without_gt.add(result.hyp)

    def add_warnings(self, warnings: Iterable[Problem]) -> None:
        """Count warnings, and keep the first of each reason."""
        for warning in warnings:
            self.warnings += 1
            reason = warning.reason
            if reason in self.warning_groups:
                self.warning_groups[reason].count += 1
            elif len(self.warning_groups) < MAX_LISTED:
                self.warning_groups[reason] = WarningGroup(warning)


@dataclass(frozen=True, slots=True)
class Outcome:
    """The outcome of a run.

    Args:
        totals: The totals of all pages.
        signature: The line that reproduces them.
        passed_over: The files that are not pages.
        intervals: The confidence intervals of the totals.
        named: True if measures were named by the user; one without total is then explained.

    >>> from pagemeter.corpus import Totals
    >>> Outcome(Totals(pages=2), "measures:CER|version:0.1.0").totals.pages
    2

    """

    totals: Totals
    signature: str
    passed_over: tuple[PassedOver, ...] = ()
    intervals: Mapping[Measure, Interval] = field(default_factory=dict)
    named: bool = False


@dataclass(frozen=True, slots=True)
class PageDistribution:
    """How the errors of a measure are distributed over pages.

    Args:
        median_rate: The median of the rates of pages with ground-truth text; None if there are none.
        worst_pages: The number of the worst pages: 5 % of all pages, and at least one.
        worst_share: The share of all errors on the pages with the most errors, as many as `worst_pages`.

    """

    median_rate: float | None
    worst_pages: int
    worst_share: float

    def as_dict(self) -> dict[str, Any]:
        """Return the fields for JSON."""
        return asdict(self)


def page_distribution(table: ScoreTable, measure: Measure) -> PageDistribution:
    """Return how the errors of a measure are distributed over the pages that have it.

    >>> from pagemeter import Measure, evaluate
    >>> from pagemeter.corpus.score_table import pack_scores
    >>> table = ScoreTable()
    >>> for hyp in ("one", "ore", "xyz" * 9):
    ...     table.append(pack_scores(evaluate("one", hyp, "CER").scores, {}, {}))
    >>> found = page_distribution(table, Measure("CER"))
    >>> round(found.median_rate, 2), found.worst_pages, round(found.worst_share, 2)
    (0.33, 1, 0.96)
    """
    _, rows = table.rows_of(measure)
    errors = rows["ins"].astype(np.int64) + rows["dels"] + rows["sub"]
    n_gt = rows["ins"].astype(np.int64) + rows["sub"] + rows["cor"]
    rates = row_rates(rows, table.settings)[n_gt > 0]
    worst = math.ceil(_WORST * len(errors))
    total = int(errors.sum())
    share = int(np.sort(errors)[::-1][:worst].sum()) / total if total else 0.0
    return PageDistribution(float(np.median(rates)) if len(rates) else None, worst, share)


class FewestPages(NamedTuple):
    """The smallest number of pages that have a share of the errors, and the share that they have."""

    pages: int
    share: float


def fewest_pages(table: ScoreTable, measure: Measure, share: float) -> FewestPages:
    """Return how few pages have at least a share of the errors of a measure.

    Args:
        table: The scores of the pages.
        measure: One of its measures.
        share: The share of all errors, above 0 and at most 1.

    >>> from pagemeter import Measure, evaluate
    >>> from pagemeter.corpus.score_table import pack_scores
    >>> table = ScoreTable()
    >>> for hyp in ("one", "ore", "xyz" * 9):
    ...     table.append(pack_scores(evaluate("one", hyp, "CER").scores, {}, {}))
    >>> fewest_pages(table, Measure("CER"), 0.5)
    FewestPages(pages=1, share=0.9642857142857143)

    """
    _, rows = table.rows_of(measure)
    errors = np.sort(rows["ins"].astype(np.int64) + rows["dels"] + rows["sub"])[::-1]
    total = int(errors.sum())
    if not total:
        return FewestPages(0, 0.0)
    sums = np.cumsum(errors)
    pages = int(np.searchsorted(sums, share * total)) + 1
    return FewestPages(pages, int(sums[pages - 1]) / total)
