"""Counts of edit operations, and the score of a measure: counts, a proven lower bound and the matching."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from pagemeter.errors import UsageError
from pagemeter.signature import check_same_signature

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from pagemeter.measure import Measure
    from pagemeter.settings import Settings


@dataclass(frozen=True, slots=True)
class Counts:
    """Counts of the edit operations that turn the hypothesis into the ground truth.

    The field names are the paper's. Speech tools such as jiwer and sclite use "insertion" and "deletion" the
    other way round. `+` is the only way to combine counts, so rates cannot be averaged by mistake.

    Args:
        ins: Missing tokens: in the ground truth only. Also `missing`.
        dels: Extra tokens: in the hypothesis only. Also `extra`.
        sub: Wrong tokens: read as another token. Also `wrong`.
        cor: Right tokens. Also `right`.

    >>> counts = Counts(ins=1, cor=3) + Counts(sub=2)
    >>> counts.n_gt, counts.missing, counts.wrong
    (6, 1, 2)

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
        """Return the counts with these errors, right and wrong tokens and ground-truth tokens."""
        ins = n_gt - cor - sub
        return cls(ins=ins, dels=errors - sub - ins, sub=sub, cor=cor)

    def __add__(self, other: Counts) -> Counts:
        if not isinstance(other, Counts):
            return NotImplemented
        return Counts(
            self.ins + other.ins, self.dels + other.dels, self.sub + other.sub, self.cor + other.cor
        )

    def __radd__(self, other: int) -> Counts:
        """Add to 0, the start value of `sum`."""
        return self if other == 0 else NotImplemented

    @property
    def missing(self) -> int:
        """Tokens in the ground truth only; the same as `ins`."""
        return self.ins

    @property
    def extra(self) -> int:
        """Tokens in the hypothesis only; the same as `dels`."""
        return self.dels

    @property
    def wrong(self) -> int:
        """Tokens read as another token; the same as `sub`."""
        return self.sub

    @property
    def right(self) -> int:
        """Tokens read correctly; the same as `cor`."""
        return self.cor

    @property
    def errors(self) -> int:
        """Missing, extra and wrong tokens."""
        return self.ins + self.dels + self.sub

    @property
    def n_gt(self) -> int:
        """Tokens of the ground truth: right, wrong and missing."""
        return self.cor + self.sub + self.ins

    @property
    def n_hyp(self) -> int:
        """Tokens of the hypothesis: right, wrong and extra; with S, in the chosen segmentation."""
        return self.cor + self.sub + self.dels


@dataclass(frozen=True, slots=True)
class Match:
    """The part of the hypothesis that is matched with one ground-truth line.

    Args:
        gt: The index of the ground-truth line.
        hyp_line: The index of the hypothesis line, or None if words are matched (measures with S, and BOW).
        hyp_words: Indices into the words of the hypothesis page, in reading order.
        distance: The errors.
        cor: The right tokens.
        sub: The wrong tokens.
        tokens: Only for BOW: pairs of equal tokens, as indices into the tokens of both pages.
        reading: The accepted reading of the line that is matched; 0 is its text.

    """

    gt: int
    hyp_line: int | None
    hyp_words: Sequence[int]
    distance: int
    cor: int
    sub: int
    tokens: Sequence[tuple[int, int]] = ()
    reading: int = 0


@dataclass(frozen=True, slots=True, repr=False)
class Score:
    """The result of one measure for one page, or the sum over several pages.

    Args:
        measure: The measure.
        counts: Missing, extra, wrong and right tokens.
        lower_bound: A proven bound: no solution has fewer errors.
        canonical: True if the counts are proven to be the canonical ones: among all solutions with as many
            errors, those with the fewest right tokens (BOW: the most) and then the most wrong tokens.
        matches: The matched lines or words; empty for a sum.
        settings: The settings with which the score was made, or None if they are not known.
        optional: The counts of the optional ground-truth lines that are matched. Their tokens are not in
            `counts`. Their errors are, as extra tokens.
        interrupted: True if the time limit ended the search, so that another run may find other numbers.
        pages: The number of pages.
        summed_ned: The sum of `ned` over the pages; None for one page.
        longer: The sum over the pages of the tokens of the longer side; None for one page.
        summed_rate: The sum of the rates of the pages, if the rate of several pages is their mean.
        median_rate: The median of the rates of the pages, if that is the rate of several pages.

    >>> from pagemeter import evaluate
    >>> evaluate("one line", "one lime", "CER:R")["CER:R"]
    <Score CER:R 12.50 %: 1 error, 8 characters>

    """

    measure: Measure
    counts: Counts
    lower_bound: int
    canonical: bool = True
    matches: Sequence[Match] = field(default=(), compare=False)
    settings: Settings | None = field(default=None, compare=False)
    optional: Counts = field(default=Counts(), compare=False)
    interrupted: bool = False
    pages: int = field(default=1, compare=False)
    summed_ned: float | None = field(default=None, compare=False)
    longer: int | None = field(default=None, compare=False)
    summed_rate: float | None = field(default=None, compare=False)
    median_rate: float | None = field(default=None, compare=False)

    def __add__(self, other: Score) -> Score:
        """Return the score of both pages together, without matches, because they belong to one page.

        Raises:
            UsageError: The measures differ, or the settings with which the scores were made, or the rate of
                several pages is their median, for which scores do not suffice.

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
        settings = common_settings(self.settings, other.settings)
        average = settings.average if settings else "micro"
        if average == "median":
            raise UsageError(
                "the median of several pages cannot be computed from their sums",
                setting=("average", "median"),
                remedy="use evaluate_corpus or Meter",
            )
        return Score(
            self.measure,
            self.counts + other.counts,
            self.lower_bound + other.lower_bound,
            self.canonical and other.canonical,
            settings=settings,
            optional=self.optional + other.optional,
            interrupted=self.interrupted or other.interrupted,
            pages=self.pages + other.pages,
            summed_ned=self._ned_of_pages + other._ned_of_pages,
            longer=self.base("max") + other.base("max"),
            summed_rate=self._rate_of_pages + other._rate_of_pages if average == "macro" else None,
        )

    def __radd__(self, other: int) -> Score:
        """Add to 0, the start value of `sum`."""
        return self if other == 0 else NotImplemented

    def __repr__(self) -> str:
        from pagemeter.report.columns import format_errors, format_rate  # noqa: PLC0415  (a layer above)

        errors = f"{format_errors(self)} error{'s' * (self.errors != 1)}"
        label = self.measure.label.lower()
        tokens = f"{self.n_gt:,} {label if self.n_gt != 1 else label.removesuffix('s')}"
        return f"<Score {self.measure} {format_rate(self)}: {errors}, {tokens}>"

    @property
    def errors(self) -> int:
        """Missing, extra and wrong tokens; the minimum if `optimal`."""
        return self.counts.errors

    @property
    def ins(self) -> int:
        """Tokens in the ground truth only."""
        return self.counts.ins

    @property
    def dels(self) -> int:
        """Tokens in the hypothesis only."""
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
    def missing(self) -> int:
        """Tokens in the ground truth only; the same as `ins`."""
        return self.counts.ins

    @property
    def extra(self) -> int:
        """Tokens in the hypothesis only; the same as `dels`."""
        return self.counts.dels

    @property
    def wrong(self) -> int:
        """Tokens read as another token; the same as `sub`."""
        return self.counts.sub

    @property
    def right(self) -> int:
        """Tokens read correctly; the same as `cor`."""
        return self.counts.cor

    @property
    def n_gt(self) -> int:
        """Tokens of the ground truth."""
        return self.counts.n_gt

    @property
    def n_hyp(self) -> int:
        """Tokens of the hypothesis; with S, in the chosen segmentation."""
        return self.counts.n_hyp

    @property
    def optimal(self) -> bool:
        """True if the number of errors is proven to be the minimum."""
        return self.errors == self.lower_bound

    @property
    def rate(self) -> float:
        """Errors divided by the tokens of the ground truth; 0/0 is 0.0, and n/0 is infinite.

        The settings `denominator`, `empty` and, for several pages, `average` change this.
        """
        if self.median_rate is not None:
            return self.median_rate
        return self._rate_of_pages / self.pages if self.summed_rate is not None else self._rate_of_pages

    @property
    def _rate_of_pages(self) -> float:
        if self.summed_rate is not None:
            return self.summed_rate
        if self.settings is None:
            return ratio(self.errors, self.n_gt)
        base = self.base(self.settings.denominator)
        if not base and self.errors and self.settings.empty != "inf":
            return float(self.errors) if self.settings.empty == "count" else 0.0
        return ratio(self.errors, base)

    def base(self, denominator: str = "gt") -> int:
        """Return the number of tokens that errors are divided by, for a value of the setting `denominator`.

        >>> from pagemeter import evaluate
        >>> score = evaluate("four", "for", "CER")["CER"]
        >>> [score.base(name) for name in ("gt", "max", "path", "both")]
        [4, 4, 4, 7]
        """
        match denominator:
            case "max":
                return max(self.n_gt, self.n_hyp) if self.longer is None else self.longer
            case "path":
                return self.n_gt + self.dels
            case "both":
                return self.n_gt + self.n_hyp
            case _:
                return self.n_gt

    @property
    def accuracy(self) -> float:
        """One minus the rate, as in the ISRI tools; it may be negative."""
        return 1 - self.rate

    @property
    def path_rate(self) -> float:
        """Errors divided by the length of the alignment, the error rate of OCR-D; it is at most 1."""
        return ratio(self.errors, self.base("path"))

    @property
    def mer(self) -> float:
        """The match error rate of jiwer, which is `path_rate`."""
        return self.path_rate

    @property
    def wip(self) -> float:
        """The information preserved: recall times precision; 1 if neither side has tokens."""
        return self.recall * self.precision if self.n_gt or self.n_hyp else 1.0

    @property
    def wil(self) -> float:
        """The information lost: one minus `wip`."""
        return 1 - self.wip

    @property
    def bwe(self) -> float:
        """The bag-of-words error of OCR-D, for BOW: tokens of one side only, divided by all tokens."""
        return ratio(self.ins + self.dels + 2 * self.sub, self.base("both"))

    @property
    def precision(self) -> float:
        """Right tokens divided by the tokens of the hypothesis."""
        return ratio(self.cor, self.n_hyp)

    @property
    def recall(self) -> float:
        """Right tokens divided by the tokens of the ground truth."""
        return ratio(self.cor, self.n_gt)

    @property
    def f1(self) -> float:
        """The harmonic mean of precision and recall."""
        return ratio(2 * self.cor, self.n_gt + self.n_hyp)

    @property
    def ned(self) -> float:
        """The normalised edit distance: errors divided by the longer side, as a mean over pages.

        >>> from pagemeter import evaluate
        >>> pages = evaluate("four", "for", "CER"), evaluate("six", "seven", "CER")
        >>> [page["CER"].ned for page in pages], sum(page["CER"] for page in pages).ned
        ([0.25, 0.8], 0.525)
        """
        return self._ned_of_pages / self.pages if self.pages else 0.0

    @property
    def _ned_of_pages(self) -> float:
        if self.summed_ned is not None:
            return self.summed_ned
        return ratio(self.errors, max(self.n_gt, self.n_hyp))

    def as_dict(self) -> dict[str, int | float | bool | None]:
        """Return the fields of the score in JSON and CSV files; an infinite rate is None."""
        from pagemeter.report.columns import score_fields  # noqa: PLC0415  (the list of columns of all reports)

        return score_fields(self)


def common_settings(one: Settings | None, other: Settings | None) -> Settings | None:
    """Return the settings of two results that are added, or None if those of one are not known.

    Raises:
        UsageError: The settings differ.

    >>> from pagemeter.settings import Settings
    >>> common_settings(Settings(case="fold"), Settings())
    Traceback (most recent call last):
    pagemeter.errors.UsageError: cannot add scores with different settings: case:fold and case:keep

    """
    if one is None or other is None:
        return None
    if one is other or one == other:
        return one
    # Settings with equal functions that were created twice differ, but have equal signatures.
    check_same_signature("scores", one.signature, other.signature)
    return one


def ratio(part: int, whole: int) -> float:
    """Divide a part by the whole; 0/0 is 0.0, and n/0 is infinite.

    >>> ratio(1, 4), ratio(0, 0), ratio(1, 0)
    (0.25, 0.0, inf)
    """
    if whole:
        return part / whole
    return math.inf if part else 0.0


# Rows of a `ScoreTable`

_COUNTS = ("ins", "dels", "sub", "cor")


def row_bases(
    denominator: str,
    ins: NDArray[Any],
    dels: NDArray[Any],
    sub: NDArray[Any],
    cor: NDArray[Any],
) -> NDArray[Any]:
    """Return what the errors of each row are divided by, as `Score.base` does."""
    import numpy as np  # noqa: PLC0415  (slow to load)

    both = cor + sub
    bases: dict[str, NDArray[Any]] = {
        "gt": both + ins,
        "max": both + np.maximum(ins, dels),
        "path": both + ins + dels,
        "both": 2 * both + ins + dels,
    }
    return bases[denominator]


def row_rates(rows: NDArray[Any], settings: Settings | None) -> NDArray[np.float64]:
    """Return the rate of each row, as `Score.rate` does."""
    import numpy as np  # noqa: PLC0415  (slow to load)

    parts = [rows[name].astype(np.float64) for name in _COUNTS]
    bases = row_bases(settings.denominator if settings else "gt", *parts)
    errors = parts[0] + parts[1] + parts[2]
    empty = {"inf": np.where(errors > 0, np.inf, 0.0), "count": errors, "zero": np.zeros(len(rows))}
    without = empty[settings.empty if settings else "inf"]
    return np.where(bases > 0, errors / np.maximum(bases, 1), without)


def sum_rows(measure: Measure, rows: NDArray[Any], settings: Settings | None = None) -> Score:
    """Return the sum of the rows of a measure."""
    import numpy as np  # noqa: PLC0415  (slow to load)

    *counts, bound = (int(rows[name].sum(dtype=np.int64)) for name in (*_COUNTS, "lower_bound"))
    ins, dels, sub, cor = (rows[name].astype(np.float64) for name in _COUNTS)
    longer = cor + sub + np.maximum(ins, dels)
    summed_ned = float(((ins + dels + sub) / np.maximum(longer, 1)).sum())
    canonical, interrupted = bool(rows["canonical"].all()), bool(rows["interrupted"].any())
    average = settings.average if settings and len(rows) else "micro"
    return Score(
        measure,
        Counts(*counts),
        bound,
        canonical,
        settings=settings,
        interrupted=interrupted,
        pages=len(rows),
        summed_ned=summed_ned,
        longer=int(longer.sum()),
        summed_rate=float(row_rates(rows, settings).sum()) if average == "macro" else None,
        median_rate=float(np.median(row_rates(rows, settings))) if average == "median" else None,
    )
