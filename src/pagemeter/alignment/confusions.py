"""What was read for what, how often, and where."""

from __future__ import annotations

from dataclasses import dataclass, field
from heapq import nsmallest
from itertools import groupby
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from pagemeter.alignment.aligning import Aligner
    from pagemeter.alignment.result import Operation
    from pagemeter.measure import Measure

Fault = Literal["substitution", "insertion", "deletion"]

EXAMPLES = 5
"""How many places are kept of each confusion."""

# Recognition is seen most clearly where layout costs nothing.
_CLEAREST = ("S", "RS", "", "R", "SG", "RSG", "G", "RG")


@dataclass(frozen=True, slots=True)
class Example:
    """Where a confusion happened: the page, and the index of the GT line."""

    page: str
    line: int


@dataclass(frozen=True, slots=True)
class Confusion:
    """GT text that was read as HYP text; one of them is empty where something is missing or too much."""

    gt: str
    hyp: str
    count: int
    examples: tuple[Example, ...]

    @property
    def fault(self) -> Fault:
        """An insertion is text that HYP lacks, a deletion text that it has too much (the paper's view)."""
        return fault_of(self.gt, self.hyp)


@dataclass(frozen=True, slots=True)
class PageConfusions:
    r"""What was read for what on one page: GT text, HYP text and the index of the line, in their order.

    Errors that stand side by side are one confusion (`rn` read as `m`), unless they are all substitutions,
    which count one by one. Lines that got nothing and HYP text that no line got are not confused with
    anything: their tokens are `unmatched_gt` and `unmatched_hyp`.

    >>> from pagemeter import Measure, evaluate
    >>> from pagemeter.alignment import Aligner
    >>> found = PageConfusions.of(Aligner(evaluate("a barn\nno", "a bam", ["CER"])), Measure("CER"))
    >>> found.places, found.unmatched_gt
    ((('rn', 'm', 0),), 2)
    """

    places: tuple[tuple[str, str, int], ...]
    unmatched_gt: int = 0
    unmatched_hyp: int = 0

    @classmethod
    def of(cls, aligner: Aligner, measure: Measure) -> PageConfusions:
        """The confusions by a measure that was evaluated."""
        unit, matches = aligner.unit(measure.unit), aligner.evaluation[measure].matches
        glue = "" if measure.unit == "CER" else " "
        places = [
            (gt, hyp, match.gt)
            for match, edits in zip(matches, unit.edits(measure, matches), strict=True)
            if match.distance
            for gt, hyp in _confused(edits, glue)
        ]
        got = {match.gt for match in matches}
        missing = sum(end - begin for x, (begin, end) in enumerate(unit.gt.spans) if x not in got)
        return cls(tuple(places), missing, sum(rest.size for rest in unit.left(measure, matches)))


@dataclass(slots=True)
class Confusions:
    """The confusions of one measure, page by page.

    >>> found = Confusions()
    >>> found.add("0001", PageConfusions((("rn", "m", 0),)))
    >>> [(one.gt, one.hyp, one.count, one.examples[0].line) for one in found.top("substitution")]
    [('rn', 'm', 1, 0)]
    """

    unmatched_gt: int = 0
    unmatched_hyp: int = 0
    _found: dict[tuple[str, str], tuple[list[int], list[Example]]] = field(default_factory=dict)

    def add(self, page: str, found: PageConfusions) -> None:
        """Counts the confusions of a page."""
        self.unmatched_gt += found.unmatched_gt
        self.unmatched_hyp += found.unmatched_hyp
        for gt, hyp, line in found.places:
            self._count((gt, hyp), page, line)

    def top(self, fault: Fault, most: int = 20) -> tuple[Confusion, ...]:
        """The most frequent confusions of a kind; among equals in the order of their texts."""
        there = (pair for pair in self._found if fault_of(*pair) == fault)
        return tuple(
            map(self._confusion, nsmallest(most, there, lambda pair: (-self._found[pair][0][0], pair)))
        )

    def total(self, fault: Fault) -> int:
        """How often there was a confusion of a kind."""
        return sum(count[0] for pair, (count, _) in self._found.items() if fault_of(*pair) == fault)

    def _count(self, pair: tuple[str, str], page: str, line: int) -> None:
        count, examples = self._found.setdefault(pair, ([0], []))
        count[0] += 1
        if len(examples) < EXAMPLES:
            examples.append(Example(page, line))

    def _confusion(self, pair: tuple[str, str]) -> Confusion:
        count, examples = self._found[pair]
        return Confusion(*pair, count[0], tuple(dict.fromkeys(examples)))


def fault_of(gt: str, hyp: str) -> Fault:
    """What kind of error it is to read HYP text for GT text.

    >>> fault_of("e", ""), fault_of("", "e"), fault_of("e", "c")
    ('insertion', 'deletion', 'substitution')
    """
    if not hyp:
        return "insertion"
    return "substitution" if gt else "deletion"


def clearest(measures: Iterable[Measure]) -> tuple[Measure, ...]:
    """Of each unit with lines the measure that shows reading errors best: the fewest constraints.

    >>> from pagemeter.measure import DEFAULT
    >>> list(map(str, clearest(DEFAULT)))
    ['CER:S', 'WER:S']
    """
    best: dict[str, Measure] = {}
    for measure in sorted(measures, key=lambda measure: _CLEAREST.index(measure.letters)):
        if measure.unit != "BOW":
            best.setdefault(measure.unit, measure)
    return tuple(best[unit] for unit in sorted(best))


def _confused(operations: Sequence[Operation], glue: str) -> Iterator[tuple[str, str]]:
    for equal, group in groupby(operations, lambda operation: operation.kind == "equal"):
        if equal:
            continue
        errors = list(group)
        if all(error.kind == "substitute" for error in errors):
            yield from ((error.gt, error.hyp) for error in errors)
        else:
            gts, hyps = (error.gt for error in errors), (error.hyp for error in errors)
            yield glue.join(filter(None, gts)), glue.join(filter(None, hyps))
