"""Measures of one page: the door to everything below."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from pagemeter.errors import MeasureError, NotEvaluatedError, ScaleWarning, UnprovenWarning, warn
from pagemeter.measure import DEFAULT, DEFAULT_GEOMETRY, Measure, named, suggest
from pagemeter.score import Score
from pagemeter.settings import Settings
from pagemeter.sources import PageLike, as_page
from pagemeter.workbench import Workbench

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pagemeter.measure import Unit
    from pagemeter.page import Page, Warn
    from pagemeter.stats.budget import Budget

_FEW = 6  # scores that the short form of an evaluation shows


@dataclass(frozen=True, slots=True, repr=False)
class Evaluation(Mapping[str, Score]):
    """The scores of one page, by measure id; `print` shows them as a table.

    >>> ev = evaluate("one two", "one too", ["CER", "WER"])
    >>> ev["WER"].errors
    1
    >>> ev
    <Evaluation of 1 GT and 1 HYP lines: CER 14.29 %, WER 50.00 %>
    >>> print(ev)
    measure     rate  errors  proven
    CER      14.29 %       1     yes
    WER      50.00 %       1     yes
    """

    gt: Page
    hyp: Page
    settings: Settings
    scores: Mapping[Measure, Score]
    warnings: tuple[Warn, ...] = field(default=(), compare=False)

    def __getitem__(self, name: str | Measure) -> Score:
        try:
            measure = Measure.parse(name)
        except MeasureError as error:
            raise NotEvaluatedError(f"{error}; evaluated are: {', '.join(self)}") from None
        if measure not in self.scores:
            raise NotEvaluatedError(
                f"{measure} was not evaluated{suggest(str(measure), self)}; evaluated are: "
                f"{', '.join(self)}; add it to measures="
            )
        return self.scores[measure]

    if not TYPE_CHECKING:  # type checkers know which attributes there are

        def __getattr__(self, name: str) -> Any:  # noqa: ANN401
            hint = f"; it belongs to a score: ev['CER:R'].{name}" if hasattr(Score, name) else ""
            raise AttributeError(f"an Evaluation has no attribute {name!r}{hint}")

    def __contains__(self, name: object) -> bool:
        try:
            return isinstance(name, str | Measure) and Measure.parse(name) in self.scores
        except MeasureError:
            return False

    def __iter__(self) -> Iterator[str]:
        return map(str, self.scores)

    def __len__(self) -> int:
        return len(self.scores)

    def budget(self, unit: Unit = "CER") -> Budget:
        """The errors of the strictest measure divided by cause; measures that it lacks are evaluated now.

        >>> found = evaluate(["left", "right"], ["right", "lift"], ["CER:R"]).budget()
        >>> [(share.cause, int(share.errors)) for share in found.shares]
        [('recognition', 1), ('segmentation', 0), ('order', 6)]
        """
        from pagemeter.stats.budget import budget, needed  # noqa: PLC0415  (only where it is asked for)

        wanted = needed(unit, geometry=_placed(self.gt, self.hyp))
        missing = [measure for measure in wanted if measure not in self.scores]
        more = evaluate_pages(self.gt, self.hyp, missing, self.settings).scores if missing else {}
        return budget({**self.scores, **more}, unit)

    @property
    def signature(self) -> str:
        """The line that reproduces these numbers."""
        return self.settings.signature

    def __repr__(self) -> str:
        from pagemeter.report.figures import rate  # noqa: PLC0415  (only where numbers are shown)

        shown = [f"{name} {rate(score)}" for name, score in list(self.items())[:_FEW]]
        if len(self) > _FEW:
            shown.append(f"and {len(self) - _FEW} more")
        sizes = f"{len(self.gt.lines)} GT and {len(self.hyp.lines)} HYP lines"
        return f"<Evaluation of {sizes}: {', '.join(shown)}>"

    def __str__(self) -> str:
        from pagemeter.report.tables import proof_grid  # noqa: PLC0415

        return proof_grid(self.scores.values()).plain()


def evaluate(
    gt: PageLike,
    hyp: PageLike,
    measures: str | Measure | Iterable[str | Measure] | None = None,
    solver: str | None = None,
    *,
    settings: Settings | None = None,
    **overrides: Any,  # noqa: ANN401
) -> Evaluation:
    """The scores of a hypothesis against its ground truth.

    `gt` and `hyp` are each a Page, a pathlib.Path to a file, a list of line strings, or one string whose
    lines are its lines. `measures` are ids in a list or one string, "CER:R, WER" or "all". Without them:
    CER:R, CER:RS, CER:S, WER:R, WER:S, BOW and, where both pages have geometry, these with G as well.
    Further keywords change single `Settings`.

    >>> evaluate(["left", "right"], ["right", "left"], "CER:R, CER")["CER:R"].errors
    8
    """
    if solver is not None:
        overrides["solver"] = solver
    settings = (settings or Settings()).with_(**overrides)
    pages = as_page(gt, "ground truth"), as_page(hyp, "hypothesis")
    chosen = _default(*pages) if measures is None else named(measures, lambda: _placed(*pages))
    found = evaluate_pages(*pages, chosen, settings)
    for warning in found.warnings:
        warn(str(warning), ScaleWarning)
    return found


def evaluate_pages(gt: Page, hyp: Page, measures: Sequence[Measure], settings: Settings) -> Evaluation:
    """The scores of two pages; what there is to say of them stands in `warnings` and is not issued.

    >>> from pagemeter.page import Page
    >>> evaluate_pages(Page.from_text("a"), Page.from_text("b"), [Measure("CER")], Settings())["CER"].sub
    1
    """
    workbench = Workbench(gt, hyp, settings)
    scores = {measure: workbench.score(measure) for measure in measures}
    return Evaluation(gt, hyp, settings, scores, workbench.warnings)


def cer(gt: PageLike, hyp: PageLike, letters: str = "", **overrides: Any) -> float:  # noqa: ANN401
    r"""The character error rate with the letters of the measure: any of R, S, G.

    Where time runs out before the minimum is proven, the rate is the best one found, and a warning of
    category `pagemeter.errors.UnprovenWarning` states the range.

    >>> cer("abcd\nef", "ef\nabcx")
    0.16666666666666666
    """
    return _rate("CER", gt, hyp, letters, overrides)


def wer(gt: PageLike, hyp: PageLike, letters: str = "", **overrides: Any) -> float:  # noqa: ANN401
    r"""The word error rate with the letters of the measure: any of R, S, G; see `cer`.

    >>> wer("one two three", "one\ntwo three", "S")
    0.0
    """
    return _rate("WER", gt, hyp, letters, overrides)


def _rate(unit: str, gt: PageLike, hyp: PageLike, letters: str, overrides: dict[str, Any]) -> float:
    measure = _with_letters(unit, letters)
    found = evaluate(gt, hyp, (measure,), **overrides)
    score = found.scores[measure]
    if not score.optimal:
        from pagemeter.report.figures import errors, rate  # noqa: PLC0415  (only where there is a range)

        exact = found.settings.solver == "exact"
        remedy = f"raise time_limit={found.settings.time_limit:g}" if exact else "use solver='exact'"
        warn(
            f"{measure}: the minimum is not proven; it lies in {rate(score)} ({errors(score)} errors), and "
            f"the upper end is returned; {remedy}, or take the range from evaluate()",
            UnprovenWarning,
        )
    return score.rate


def _with_letters(unit: str, letters: str) -> Measure:
    """The measure of one unit with some letters; the whole id is understood too."""
    text = str(letters).strip()
    whole = text[:3].upper() in ("CER", "WER", "BOW")
    measure = Measure.parse(text if whole else f"{unit}:{text}")
    if measure.unit != unit:
        raise MeasureError(
            f"{unit.lower()}() takes letters of R, S and G, not {letters!r}; for {measure} use "
            f"{'evaluate' if measure.unit == 'BOW' else measure.unit.lower()}()"
        )
    return measure


def _default(gt: Page, hyp: Page) -> tuple[Measure, ...]:
    return DEFAULT + DEFAULT_GEOMETRY if _placed(gt, hyp) else DEFAULT


def _placed(gt: Page, hyp: Page) -> bool:
    """Whether the measures with G have a value for these pages."""
    if not (gt.has_geometry and hyp.has_geometry):
        return False
    from pagemeter.geometry import is_placed  # noqa: PLC0415  (only pages with positions)

    return is_placed(gt) and is_placed(hyp)
