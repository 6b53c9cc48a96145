"""What was read for what, how often, and where."""

from __future__ import annotations

from dataclasses import dataclass, field
from heapq import nsmallest
from itertools import groupby
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from pagemeter.alignment.result import Operation, PageAlignment
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


@dataclass(slots=True)
class Confusions:
    r"""The confusions of one measure, page by page.

    Errors that stand side by side are one confusion (`rn` read as `m`), unless they are all substitutions,
    which count one by one. Lines that got nothing and HYP text that no line got are not confused with
    anything: their tokens are `unmatched_gt` and `unmatched_hyp`.

    >>> from pagemeter import evaluate
    >>> from pagemeter.alignment import align
    >>> found = Confusions()
    >>> found.add("0001", align(evaluate("a barn\nno", "a bam", ["CER"]), "CER"))
    >>> [(one.gt, one.hyp, one.count) for one in found.top("substitution")], found.unmatched_gt
    ([('rn', 'm', 1)], 2)
    """

    unmatched_gt: int = 0
    unmatched_hyp: int = 0
    _found: dict[tuple[str, str], tuple[list[int], list[Example]]] = field(default_factory=dict)

    def add(self, page: str, alignment: PageAlignment) -> None:
        """Counts the confusions of a page."""
        glue = "" if alignment.measure.unit == "CER" else " "
        self.unmatched_hyp += sum(rest.size for rest in alignment.left_over)
        for line in alignment.lines:
            if line.hyp is None:
                self.unmatched_gt += sum(operation.size for operation in line.operations)
                continue
            for gt, hyp in _confused(line.operations, glue):
                self._count((gt, hyp), page, line.gt)

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
