"""The errors of a page by the types of its lines.

Right, wrong and missing tokens belong to the type of their ground-truth line, and so do extra tokens inside
its match. Extra text without a match belongs to the type of its hypothesis line. The errors of all types sum
to those of the measure.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pagemeter.measure import Measure
from pagemeter.score import Counts, ratio

if TYPE_CHECKING:
    from pagemeter.alignment.aligner import Aligner


_NOTHING = Counts()


@dataclass(frozen=True, slots=True)
class TypeCounts:
    """The counts of the lines of one type; `+` adds those of several pages.

    Args:
        lines: The number of ground-truth lines with text.
        counts: The counts of these lines, and of text of the hypothesis without a match.

    """

    lines: int = 0
    counts: Counts = _NOTHING

    def __add__(self, other: TypeCounts) -> TypeCounts:
        if not isinstance(other, TypeCounts):
            return NotImplemented
        return TypeCounts(self.lines + other.lines, self.counts + other.counts)

    @property
    def rate(self) -> float:
        """Errors divided by the tokens of the ground truth; 0/0 is 0.0, and n/0 is infinite."""
        return ratio(self.counts.errors, self.counts.n_gt)


def counts_by_type(aligner: Aligner, measure: str | Measure) -> dict[str, TypeCounts]:
    """Return the counts of each type of line by a measure that was evaluated and aligns lines.

    >>> from pagemeter import Line, Page, evaluate
    >>> from pagemeter.alignment import Aligner
    >>> gt = Page([Line("Title", type="heading"), Line("the text")])
    >>> found = counts_by_type(Aligner(evaluate(gt, ["Titel", "the text"], ["CER"])), "CER")
    >>> {name: (one.lines, one.counts.errors) for name, one in found.items()}
    {'heading': (1, 2), 'text': (1, 0)}

    """
    measure = Measure.parse(measure)
    evaluation = aligner.evaluation
    found: dict[str, TypeCounts] = {}

    def add(name: str, lines: int, counts: Counts) -> None:
        found[name] = found.get(name, TypeCounts()) + TypeCounts(lines, counts)

    page = aligner.align(measure)
    for line, source in zip(page.lines, evaluation.gt.lines, strict=True):
        if line.text.strip() or line.hyp is not None:
            add(source.type, bool(line.text.strip()), line.counts)
    unit = aligner.unit(measure.unit)
    for rest in unit.unmatched(measure, evaluation[measure].matches):
        if not measure.segmentation:
            add(evaluation.hyp.lines[unit.hyp.word_line[rest.words[0]]].type, 0, Counts(dels=rest.size))
            continue
        for word in rest.words:
            begin, end = unit.hyp.words[word]
            add(evaluation.hyp.lines[unit.hyp.word_line[word]].type, 0, Counts(dels=end - begin))
    return found
