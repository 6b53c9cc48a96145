"""What a measurement found: counts, the bound that certifies them, and the matching behind them."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pagemeter.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pagemeter.measure import Measure


@dataclass(frozen=True, slots=True)
class Counts:
    """Edit operations that turn HYP into GT, named from the view of editing HYP (the paper's view).

    `ins`: GT has the token, HYP lacks it. `dels`: HYP has it, GT lacks it. Speech tools such as jiwer and
    sclite name these two the other way round. `+` is the only way to combine counts, so that rates are
    never averaged.

    >>> (Counts(ins=1, cor=3) + Counts(sub=2)).n_gt
    6
    """

    ins: int = 0
    dels: int = 0
    sub: int = 0
    cor: int = 0

    def __post_init__(self) -> None:
        if min(self.ins, self.dels, self.sub, self.cor) < 0:
            raise UsageError(f"counts cannot be negative: {self}")

    @classmethod
    def solve(cls, *, errors: int, cor: int, sub: int, n_gt: int) -> Counts:
        """The counts that a distance, its correct and substituted tokens and |GT| determine."""
        ins = n_gt - cor - sub
        return cls(ins=ins, dels=errors - sub - ins, sub=sub, cor=cor)

    def __add__(self, other: Counts) -> Counts:
        if not isinstance(other, Counts):
            return NotImplemented
        return Counts(
            self.ins + other.ins, self.dels + other.dels, self.sub + other.sub, self.cor + other.cor
        )

    def __radd__(self, other: int) -> Counts:
        """0 + counts, with which `sum` begins."""
        return self if other == 0 else NotImplemented

    @property
    def errors(self) -> int:
        """INS + DEL + SUB."""
        return self.ins + self.dels + self.sub

    @property
    def n_gt(self) -> int:
        """|GT|: COR + SUB + INS."""
        return self.cor + self.sub + self.ins

    @property
    def n_hyp(self) -> int:
        """|HYP|: COR + SUB + DEL; with S, of the chosen segmentation."""
        return self.cor + self.sub + self.dels


@dataclass(frozen=True, slots=True)
class Match:
    """What one GT line got.

    `hyp_words` are indices into the HYP page's words in reading order; `hyp_line` is the HYP line that was
    matched as a whole, or None where words were (measures with S, and BOW). For BOW, `tokens` are the pairs
    of equal tokens, as indices into the tokens of the GT and of the HYP page.
    """

    gt: int
    hyp_line: int | None
    hyp_words: Sequence[int]
    distance: int
    cor: int
    sub: int
    tokens: Sequence[tuple[int, int]] = ()


@dataclass(frozen=True, slots=True)
class Score:
    """One measure of one page, or the sum over pages.

    `lower_bound` is proven: no solution has fewer errors. `canonical` says whether COR and SUB are proven to
    be the canonical ones (fewest COR, then most SUB, among all solutions with that many errors).
    """

    measure: Measure
    counts: Counts
    lower_bound: int
    canonical: bool = True
    matches: Sequence[Match] = field(default=(), compare=False, repr=False)

    def __add__(self, other: Score) -> Score:
        """The score of both together; matches belong to one page and are not carried along.

        Scores of different measures are refused. Settings are not part of a score, so whether both were made
        with the same ones is not checked here: compare `Evaluation.signature`.

        >>> from pagemeter import evaluate
        >>> pages = evaluate("a line", "a lime", "CER, WER"), evaluate("another", "another", "CER, WER")
        >>> sum(page["CER"] for page in pages).n_gt
        13
        >>> pages[0]["CER"] + pages[1]["WER"]
        Traceback (most recent call last):
        pagemeter.errors.UsageError: cannot add CER and WER: they measure different things
        """
        if not isinstance(other, Score):
            return NotImplemented
        if self.measure != other.measure:
            raise UsageError(f"cannot add {self.measure} and {other.measure}: they measure different things")
        return Score(
            self.measure,
            self.counts + other.counts,
            self.lower_bound + other.lower_bound,
            self.canonical and other.canonical,
        )

    def __radd__(self, other: int) -> Score:
        """0 + score, with which `sum` begins."""
        return self if other == 0 else NotImplemented

    @property
    def alone(self) -> Score:
        """The score without its matching, which takes the most memory and belongs to one page."""
        return Score(self.measure, self.counts, self.lower_bound, self.canonical)

    @property
    def errors(self) -> int:
        """INS + DEL + SUB, the minimum where `optimal`."""
        return self.counts.errors

    @property
    def ins(self) -> int:
        """Tokens that GT has and HYP lacks."""
        return self.counts.ins

    @property
    def dels(self) -> int:
        """Tokens that HYP has and GT lacks."""
        return self.counts.dels

    @property
    def sub(self) -> int:
        """Tokens read as another token."""
        return self.counts.sub

    @property
    def cor(self) -> int:
        """Tokens read correctly."""
        return self.counts.cor

    @property
    def n_gt(self) -> int:
        """Tokens in GT."""
        return self.counts.n_gt

    @property
    def n_hyp(self) -> int:
        """Tokens in HYP; with S, in its chosen segmentation."""
        return self.counts.n_hyp

    @property
    def optimal(self) -> bool:
        """Whether the errors are proven to be the minimum."""
        return self.errors == self.lower_bound

    @property
    def rate(self) -> float:
        """Errors by |GT|; 0/0 is 0.0 and n/0 is infinite."""
        return ratio(self.errors, self.n_gt)

    @property
    def precision(self) -> float:
        """E:Prec: COR by |HYP|."""
        return ratio(self.cor, self.n_hyp)

    @property
    def recall(self) -> float:
        """E:Rec: COR by |GT|."""
        return ratio(self.cor, self.n_gt)

    @property
    def f1(self) -> float:
        """The harmonic mean of precision and recall."""
        return ratio(2 * self.cor, self.n_gt + self.n_hyp)

    def as_dict(self) -> dict[str, int | float | bool | None]:
        """The fields for JSON, where an infinite rate is null."""
        return {
            "rate": self.rate if math.isfinite(self.rate) else None,
            "errors": self.errors,
            "ins": self.ins,
            "dels": self.dels,
            "sub": self.sub,
            "cor": self.cor,
            "n_gt": self.n_gt,
            "n_hyp": self.n_hyp,
            "precision": self.precision,
            "recall": self.recall,
            "f1": self.f1,
            "lower_bound": self.lower_bound,
            "optimal": self.optimal,
            "canonical": self.canonical,
        }


def ratio(part: int, whole: int) -> float:
    """A part by the whole; 0/0 is 0.0 and n/0 is infinite.

    >>> ratio(1, 4), ratio(0, 0), ratio(1, 0)
    (0.25, 0.0, inf)
    """
    if whole:
        return part / whole
    return math.inf if part else 0.0
