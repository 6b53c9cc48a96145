"""Confusions: ground-truth text that was read as other text, with its frequency and examples."""

from __future__ import annotations

from dataclasses import dataclass, field
from heapq import nsmallest
from itertools import groupby
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from pagemeter.alignment.aligner import Aligner
    from pagemeter.alignment.page_alignment import Operation
    from pagemeter.measure import Measure

Fault = Literal["substitution", "insertion", "deletion"]

MAX_EXAMPLES = 5
"""The number of examples that are kept of each confusion."""

# Recognition errors are seen best if layout costs nothing.
_BY_CLARITY = ("S", "RS", "", "R", "SG", "RSG", "G", "RG")


@dataclass(frozen=True, slots=True)
class Example:
    """A line with a confusion: its page, and the index of the GT line."""

    page: str
    line: int


@dataclass(frozen=True, slots=True)
class Confusion:
    """GT text that was read as HYP text; `hyp` is empty if text is missing, `gt` if text is extra."""

    gt: str
    hyp: str
    count: int
    examples: tuple[Example, ...]

    @property
    def fault(self) -> Fault:
        """The kind of error: an insertion is missing text, a deletion is extra text (the paper's terms)."""
        return fault_of(self.gt, self.hyp)


@dataclass(frozen=True, slots=True)
class PageConfusions:
    r"""The confusions of one page.

    Adjacent errors are one confusion (`rn` read as `m`), unless they are all substitutions, which count one
    by one. Lines and texts without a match are not confusions; only their tokens are counted.

    Args:
        occurrences: GT text, HYP text and index of the line of each confusion, in their order.
        unmatched_gt: The tokens of GT lines without a match.
        unmatched_hyp: The tokens of HYP text without a match.

    >>> from pagemeter import Measure, evaluate
    >>> from pagemeter.alignment import Aligner
    >>> page = PageConfusions.of(Aligner(evaluate("a barn\nno", "a bam", ["CER"])), Measure("CER"))
    >>> page.occurrences, page.unmatched_gt
    ((('rn', 'm', 0),), 2)

    """

    occurrences: tuple[tuple[str, str, int], ...]
    unmatched_gt: int = 0
    unmatched_hyp: int = 0

    @classmethod
    def of(cls, aligner: Aligner, measure: Measure) -> PageConfusions:
        """Return the confusions by a measure that was evaluated."""
        unit, matches = aligner.unit(measure.unit), aligner.evaluation[measure].matches
        occurrences = [
            (gt, hyp, match.gt)
            for match, edits in zip(matches, unit.edits(measure, matches), strict=True)
            if match.distance
            for gt, hyp in _confused(edits, measure.separator)
        ]
        matched = {match.gt for match in matches}
        missing = sum(
            end - begin
            for x, (begin, end) in enumerate(unit.gt.spans)
            if x not in matched and not unit.gt.optional[x]
        )
        return cls(tuple(occurrences), missing, sum(span.size for span in unit.unmatched(measure, matches)))


@dataclass(slots=True)
class Confusions:
    """The confusions of one measure on all pages.

    >>> confusions = Confusions()
    >>> confusions.add("0001", PageConfusions((("rn", "m", 0),)))
    >>> [(one.gt, one.hyp, one.count, one.examples[0].line) for one in confusions.top("substitution")]
    [('rn', 'm', 1, 0)]
    """

    unmatched_gt: int = 0
    unmatched_hyp: int = 0
    _counts: dict[tuple[str, str], tuple[list[int], list[Example]]] = field(default_factory=dict)

    def add(self, page: str, confusions: PageConfusions) -> None:
        """Count the confusions of a page."""
        self.unmatched_gt += confusions.unmatched_gt
        self.unmatched_hyp += confusions.unmatched_hyp
        for gt, hyp, line in confusions.occurrences:
            self._count((gt, hyp), page, line)

    def top(self, fault: Fault, most: int = 20) -> tuple[Confusion, ...]:
        """Return the most frequent confusions of a kind, at equal counts in the order of their texts."""
        pairs = (pair for pair in self._counts if fault_of(*pair) == fault)
        return tuple(
            map(self._confusion, nsmallest(most, pairs, lambda pair: (-self._counts[pair][0][0], pair)))
        )

    def total(self, fault: Fault) -> int:
        """Return the number of confusions of a kind."""
        return sum(count[0] for pair, (count, _) in self._counts.items() if fault_of(*pair) == fault)

    def _count(self, pair: tuple[str, str], page: str, line: int) -> None:
        count, examples = self._counts.setdefault(pair, ([0], []))
        count[0] += 1
        if len(examples) < MAX_EXAMPLES:
            examples.append(Example(page, line))

    def _confusion(self, pair: tuple[str, str]) -> Confusion:
        count, examples = self._counts[pair]
        return Confusion(*pair, count[0], tuple(dict.fromkeys(examples)))


def fault_of(gt: str, hyp: str) -> Fault:
    """Return the kind of error if GT text is read as HYP text.

    >>> fault_of("e", ""), fault_of("", "e"), fault_of("e", "c")
    ('insertion', 'deletion', 'substitution')
    """
    if not hyp:
        return "insertion"
    return "substitution" if gt else "deletion"


def clearest_measures(measures: Iterable[Measure]) -> tuple[Measure, ...]:
    """Return the measure with the fewest constraints of each unit that has lines: it shows recognition best.

    >>> from pagemeter.measure import DEFAULT
    >>> list(map(str, clearest_measures(DEFAULT)))
    ['CER:S', 'WER:S']
    """
    best: dict[str, Measure] = {}
    aligned = [measure for measure in measures if measure.aligns_lines]
    for measure in sorted(aligned, key=lambda measure: _BY_CLARITY.index(measure.letters)):
        best.setdefault(measure.unit, measure)
    return tuple(best[unit] for unit in sorted(best))


def _confused(operations: Sequence[Operation], separator: str) -> Iterator[tuple[str, str]]:
    for equal, group in groupby(operations, lambda operation: operation.kind in ("equal", "gap")):
        if equal:
            continue
        errors = list(group)
        if all(error.kind == "substitute" for error in errors):
            yield from ((error.gt, error.hyp) for error in errors)
        else:
            gts, hyps = (error.gt for error in errors), (error.hyp for error in errors)
            yield separator.join(filter(None, gts)), separator.join(filter(None, hyps))
