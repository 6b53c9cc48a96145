"""The columns of a score, the formats of their numbers, and the error budget as a bar of characters.

`SCORE_COLUMNS` is the only list of columns: tables on terminals and in notebooks, Markdown, LaTeX, HTML,
JSON, CSV and data frames follow it. To add a column, add a property to `Score` and an entry here.

The parts of a budget bar can be distinguished without colour. If the kinds of errors are known, the part of
recognition is replaced by them.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from operator import attrgetter
from typing import TYPE_CHECKING, Literal, NamedTuple

from pagemeter.report.names import wrapped
from pagemeter.report.terminal import styled

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from pagemeter.measure import Measure
    from pagemeter.score import Score
    from pagemeter.stats.bootstrap import Interval
    from pagemeter.stats.budget import Budget, Cause, Share

NO_VALUE = "–"
"""The cell of a number that is not known."""
FieldValue = int | float | bool | None
"""A value of JSON and CSV."""


def format_percent(rate: float) -> str:
    """Return a rate in per cent with two decimals.

    >>> format_percent(0.05413), format_percent(float("inf"))
    ('5.41 %', '∞')
    """
    return f"{100 * rate:.2f} %" if math.isfinite(rate) else "∞"


def format_rate(score: Score) -> str:
    """Return the rate of a score, or the range that is proven to contain it.

    >>> from pagemeter.measure import Measure
    >>> from pagemeter.score import Counts, Score
    >>> format_rate(Score(Measure("CER"), Counts(sub=5, cor=95), 4))
    '4.00 … 5.00 %'
    """
    base = score.base(score.settings.denominator if score.settings else "gt")
    if score.optimal or not base or score.summed_rate is not None or score.median_rate is not None:
        return format_percent(score.rate)
    return f"{100 * score.lower_bound / base:.2f} … {format_percent(score.rate)}"


def format_errors(score: Score) -> str:
    """Return the number of errors, or the range that is proven to contain it.

    >>> from pagemeter.measure import Measure
    >>> from pagemeter.score import Counts, Score
    >>> format_errors(Score(Measure("CER"), Counts(sub=1200), 1200))
    '1,200'
    """
    return f"{score.errors:,}" if score.optimal else f"{score.lower_bound:,} … {score.errors:,}"


def format_measure(score: Score) -> str:
    """Return the id of the measure, with a star if the counts are not proven to be the canonical ones."""
    return str(score.measure) if score.canonical else f"{score.measure} *"


def format_interval(interval: Interval | None) -> str:
    """Return the bounds of an interval, a remark if there are too few pages, or a dash if there is none.

    >>> from pagemeter.stats import Interval
    >>> format_interval(Interval((0.0213, 0.034), 0.95, "bootstrap")), format_interval(None)
    ('2.13–3.40 %', '–')
    """
    if interval is None:
        return "–"
    if not interval.shown_bounds:
        from pagemeter.stats.bootstrap import TOO_FEW  # noqa: PLC0415  (loads numpy)

        return TOO_FEW if interval.reason.startswith(TOO_FEW) else "–"
    low, high = interval.shown_bounds
    return f"{100 * low:.2f}–{100 * high:.2f} %"


def format_points(difference: float | None) -> str:
    """Return a difference between two rates in percentage points, with its sign.

    >>> format_points(-0.0123), format_points(0.5), format_points(None)
    ('−1.23', '+50.00', '–')
    """
    return NO_VALUE if difference is None else signed(f"{100 * abs(difference):.2f}", difference)


def signed(number: str, value: float) -> str:
    """Return a formatted number with the sign of its value; zero has none."""
    return number if not value else f"{'−' if value < 0 else '+'}{number}"


@dataclass(frozen=True, slots=True)
class ScoreColumn:
    """One column of a score.

    Args:
        name: The attribute of `Score`, which is also the field in JSON, CSV and data frames.
        heading: The heading in tables.
        meaning: What the column contains, for notes and tooltips.
        tables: The tables that have the column: all of them, or only wide ones. None means JSON and CSV only.
        kind: A number of tokens, or a share that is shown in per cent.
        formatter: A function that formats the column of a score in tables, if not as its kind.

    """

    name: str
    heading: str
    meaning: str
    tables: Literal["all", "wide"] | None = "all"
    kind: Literal["count", "share"] = "count"
    formatter: Callable[[Score], str] | None = None

    def text(self, score: Score) -> str:
        """Return the column of a score as it is shown in a table."""
        if self.formatter:
            return self.formatter(score)
        value = getattr(score, self.name)
        return format_percent(value) if self.kind == "share" else f"{value:,}"


SCORE_COLUMNS = (
    ScoreColumn("rate", "rate", "errors divided by GT", kind="share", formatter=format_rate),
    ScoreColumn("errors", "errors", "missing + extra + wrong", formatter=format_errors),
    ScoreColumn("ins", "missing", "in the ground truth only"),
    ScoreColumn("dels", "extra", "in the hypothesis only"),
    ScoreColumn("sub", "wrong", "substituted"),
    ScoreColumn("cor", "right", "equal in both"),
    ScoreColumn("n_gt", "GT", "characters or words in the ground truth"),
    ScoreColumn("n_hyp", "HYP", "characters or words in the hypothesis"),
    ScoreColumn("precision", "precision", "right divided by HYP", "wide", "share"),
    ScoreColumn("recall", "recall", "right divided by GT", "wide", "share"),
    ScoreColumn("f1", "F1", "harmonic mean of precision and recall", kind="share"),
    ScoreColumn("ned", "NED", "errors divided by the longer of GT and HYP, page mean", None, "share"),
    ScoreColumn("mer", "MER", "errors divided by the length of the alignment (jiwer)", None, "share"),
    ScoreColumn("wip", "WIP", "recall times precision", None, "share"),
    ScoreColumn("wil", "WIL", "1 - WIP", None, "share"),
    ScoreColumn("path_rate", "path rate", "errors divided by the length of the alignment", None, "share"),
    ScoreColumn("bwe", "BWE", "tokens of one side only, divided by those of both", None, "share"),
    ScoreColumn("accuracy", "accuracy", "1 - rate", None, "share"),
    ScoreColumn("lower_bound", "lower bound", "no solution has fewer errors", None),
    ScoreColumn("optimal", "optimal", "the errors are proven to be the minimum", None),
    ScoreColumn("canonical", "canonical", "missing, extra, wrong and right are proven to be canonical", None),
    ScoreColumn("interrupted", "interrupted", "the time limit ended the search", None),
)
"""All columns of a score, in their order."""

SCORE_FIELDS = tuple(column.name for column in SCORE_COLUMNS)
"""The fields of a score in JSON, CSV and data frames."""

_values = attrgetter(*SCORE_FIELDS)


def score_fields(score: Score) -> dict[str, FieldValue]:
    """Return the fields of a score; an infinite value is None.

    >>> from pagemeter.measure import Measure
    >>> from pagemeter.score import Counts, Score
    >>> fields = score_fields(Score(Measure("CER"), Counts(dels=2), 2))
    >>> fields["rate"], fields["errors"]
    (None, 2)
    """
    fields = dict(zip(SCORE_FIELDS, _values(score), strict=True))
    if score.n_gt and score.pages == 1:  # then nothing is divided by 0
        return fields
    return {name: value if math.isfinite(value) else None for name, value in fields.items()}


CAUSE_NAMES: dict[Cause, str] = {
    "recognition": "recognition",
    "segmentation": "segmentation",
    "order": "reading order",
    "position": "position",
}
"""The names of the causes in reports."""
_NAMES: dict[str, str] = {str(cause): name for cause, name in CAUSE_NAMES.items()}
_KINDS = ("misread", "missed", "invented", "replaced")

_CELLS: dict[str, tuple[str, str]] = {
    "recognition": ("█", "red"),
    "misread": ("█", "red"),
    "missed": ("▄", "blue"),
    "invented": ("▀", "green"),
    "replaced": ("▚", "bright_red"),
    "segmentation": ("▓", "yellow"),
    "order": ("▒", "cyan"),
    "position": ("░", "magenta"),
}
_WIDTH = 60


class BudgetPart(NamedTuple):
    """One part of the bar.

    Args:
        key: The cause, or the kind of errors of recognition.
        name: Its name in reports.
        number: Its share in per cent with two decimals.
        errors: Its errors.
        remark: A remark on it: how much of the invented text is repeated.

    """

    key: str
    name: str
    number: str
    errors: Fraction
    remark: str = ""

    @property
    def text(self) -> str:
        """The number, the name and the remark."""
        return f"{self.number} {self.name}{self.remark and f' ({self.remark})'}"


def budgets_to_show(budgets: Mapping[Measure, Budget]) -> tuple[Budget, ...]:
    """Return one budget per unit that has errors, the one with position if there is one.

    >>> budgets_to_show({})
    ()
    """
    by_unit: dict[str, Budget] = {}
    for measure, budget in budgets.items():
        if measure.unit not in by_unit or measure.geometry:
            by_unit[measure.unit] = budget
    return tuple(budget for budget in by_unit.values() if budget.errors and budget.n_gt)


def apportion(weights: Sequence[Fraction | int], total: int) -> tuple[int, ...]:
    """Return integers in proportion to the weights that sum to the total, by the largest-remainder method.

    >>> apportion([1, 1, 1], 100)
    (34, 33, 33)
    """
    weight_sum = sum(weights)
    exact = [Fraction(weight * total) / weight_sum if weight_sum else Fraction(0) for weight in weights]
    parts = [int(share) for share in exact]
    by_remainder = sorted(range(len(parts)), key=lambda i: parts[i] - exact[i])
    for index in by_remainder[: total - sum(parts) if weight_sum else 0]:
        parts[index] += 1
    return tuple(parts)


@dataclass(frozen=True, slots=True)
class BudgetBar:
    r"""A budget drawn in characters; the printed numbers sum exactly to the printed rate.

    >>> import pagemeter as pm
    >>> evaluation = pm.evaluate(["the old mill", "by the river"], ["by the riuer the", "old mill"])
    >>> print("\n".join(BudgetBar(evaluation.budget()).lines(40)))
    CER:R 91.67 % = 4.17 misread █ + 20.83 segmentation ▓ + 66.67 reading order ▒
    ██▓▓▓▓▓▓▓▓▓▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒
    """

    budget: Budget

    @property
    def parts(self) -> tuple[BudgetPart, ...]:
        """The parts with their numbers. Kinds of errors that do not occur are left out, except misread."""
        errors = self._errors
        return tuple(
            BudgetPart(key, _NAMES.get(key, key), number, errors[key], self._remark(key))
            for key, number in zip(errors, self._numbers([*errors.values()]), strict=True)
        )

    @property
    def cause_numbers(self) -> tuple[str, ...]:
        """The share of each cause in per cent with two decimals; recognition is not divided into kinds."""
        return self._numbers([share.errors for share in self.budget.shares])

    @property
    def sentence(self) -> str:
        """The rate as the sum of its parts."""
        parts = " + ".join(f"{part.text} {_CELLS[part.key][0]}" for part in self.parts)
        return f"{self.budget.measure} {format_percent(self.budget.rate)} = {parts}"

    @property
    def note(self) -> str:
        """The proven ranges of the shares that are not exact; empty if all are."""
        ranges = [
            f"{CAUSE_NAMES[share.cause]} {self._range(share)}"
            for share in self.budget.shares
            if not share.proven
        ]
        return f"proven ranges: {', '.join(ranges)}" if ranges else ""

    def cells(self, columns: int | None = None) -> Iterable[tuple[str, str]]:
        """Yield the parts of the bar, each with its colour."""
        width = min(_WIDTH, columns or _WIDTH)
        for key, count in zip(self._errors, apportion([*self._errors.values()], width), strict=True):
            cell, colour = _CELLS[key]
            yield cell * count, colour

    def lines(self, columns: int | None = None) -> list[str]:
        """Return the budget as plain text."""
        return [self.sentence, "".join(cell for cell, _ in self.cells(columns)), *filter(None, [self.note])]

    def drawn(self, columns: int, prefix: str = "") -> str:
        """Return the budget for a terminal of this width, with this text before it."""
        bar = "".join(styled(cells, colour) for cells, colour in self.cells(columns))
        sentence, note = (wrapped(text, columns) for text in (f"{prefix}{self.sentence}", self.note))
        return "\n".join([sentence, bar, *filter(None, [note])])

    @property
    def _errors(self) -> dict[str, Fraction]:
        """The errors of each part. Kinds are scaled to the share of recognition if that is smaller."""
        errors: dict[str, Fraction] = {}
        kinds = self.budget.kinds
        for share in self.budget.shares:
            if share.cause == "recognition" and kinds is not None and kinds.errors:
                scale = share.errors / kinds.errors
                errors |= {name: scale * kinds[name] for name in _KINDS if kinds[name] or name == "misread"}
            else:
                errors[share.cause] = share.errors
        return errors

    def _numbers(self, errors: Sequence[Fraction]) -> tuple[str, ...]:
        """Return errors in per cent with two decimals that sum to the printed rate."""
        hundredths = apportion(errors, round(self._per_cent(self.budget.errors) * 100))
        return tuple(f"{number // 100}.{number % 100:02}" for number in hundredths)

    def _remark(self, key: str) -> str:
        kinds = self.budget.kinds
        if key != "invented" or kinds is None or not kinds.repeated:
            return ""
        return f"{float(self._per_cent(self._errors[key] * kinds.repeated / kinds.invented)):.2f} repeated"

    def _per_cent(self, errors: Fraction | int) -> Fraction:
        return Fraction(100 * errors) / self.budget.n_gt

    def _range(self, share: Share) -> str:
        low, high = (float(self._per_cent(Fraction(bound, 6))) for bound in (share.low, share.high))
        return f"{low:.2f} … {high:.2f} %"
