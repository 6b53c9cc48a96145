"""The scores of one page: the door to everything below."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from time import perf_counter
from typing import TYPE_CHECKING, Any

from pagemeter.errors import MeasureError, NotEvaluatedError, ScaleWarning, UsageError, warn
from pagemeter.measure import DEFAULT, DEFAULT_GEOMETRY, Measure, named, suggest
from pagemeter.score import Score
from pagemeter.settings import Settings
from pagemeter.sources import PageLike, Source, as_source

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pagemeter.measure import Unit
    from pagemeter.page import Page, Warn
    from pagemeter.stats.budget import Budget

DEFAULT_SETTINGS = Settings()
_FEW = 6  # scores that the short form of an evaluation shows


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class Evaluation(Mapping[str, Score]):
    """The scores of one page, by measure id; `print` shows them as a table.

    `seconds` is how long each measure took; what measures share is counted with the first of them.

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

    sources: tuple[Source, Source]
    settings: Settings
    scores: Mapping[Measure, Score]
    warnings: tuple[Warn, ...] = ()
    seconds: Mapping[Measure, float] = field(default_factory=dict)

    @property
    def gt(self) -> Page:
        """The ground truth."""
        return self.sources[0].page

    @property
    def hyp(self) -> Page:
        """The hypothesis."""
        return self.sources[1].page

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

        wanted = needed(unit, geometry=_placed(*self.sources))
        missing = [measure for measure in wanted if measure not in self.scores]
        more = _evaluate(self.sources, missing, self.settings).scores if missing else {}
        return budget({**self.scores, **more}, unit)

    def to_dict(self) -> dict[str, dict[str, int | float | bool | None]]:
        """The fields of all scores by measure id, as JSON takes them.

        >>> evaluate("a line", "a lime", ["CER"]).to_dict()["CER"]["errors"]
        1
        """
        return {name: score.as_dict() for name, score in self.items()}

    @property
    def signature(self) -> str:
        """The line that reproduces these numbers."""
        return self.settings.signature

    def __repr__(self) -> str:
        from pagemeter.report.figures import rate  # noqa: PLC0415  (only where numbers are shown)

        shown = [f"{name} {rate(score)}" for name, score in list(self.items())[:_FEW]]
        if len(self) > _FEW:
            shown.append(f"and {len(self) - _FEW} more")
        gt, hyp = (len(source.texts) for source in self.sources)
        sizes = f"{gt} GT and {hyp} HYP lines"
        return f"<Evaluation of {sizes}: {', '.join(shown)}>"

    def __str__(self) -> str:
        from pagemeter.report.tables import proof_grid  # noqa: PLC0415

        return proof_grid(self.scores.values()).plain()

    def _repr_html_(self) -> str:
        from pagemeter.report.notebook import html_of  # noqa: PLC0415

        return html_of(self)

    def to_pandas(self) -> Any:  # noqa: ANN401  (pandas is optional)
        """The scores as a pandas data frame, a row a measure."""
        from pagemeter.report.notebook import frame_of  # noqa: PLC0415

        return frame_of(self)


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

    `gt` and `hyp` are each a Page, a pathlib.Path to a file, a list of line strings or of `Line`s, or one
    string whose lines are its lines. `measures` are ids in a list or one string, "CER:R, WER" or "all".
    Without them: CER:R, CER:RS, CER:S, WER:R, WER:S, BOW and, where both pages have geometry, these with G
    as well. Further keywords change single `Settings`.

    >>> evaluate(["left", "right"], ["right", "left"], "CER:R, CER")["CER:R"].errors
    8
    """
    if solver is not None:
        overrides["solver"] = solver
    settings = (DEFAULT_SETTINGS if settings is None else _checked(settings)).with_(**overrides)
    sources = as_source(gt, "ground truth"), as_source(hyp, "hypothesis")
    chosen = _default(*sources) if measures is None else named(measures, lambda: _placed(*sources))
    found = _evaluate(sources, chosen, settings)
    for warning in found.warnings:
        warn(str(warning), ScaleWarning)
    return found


def evaluate_pages(gt: Page, hyp: Page, measures: Sequence[Measure], settings: Settings) -> Evaluation:
    """The scores of two pages; what there is to say of them stands in `warnings` and is not issued.

    >>> from pagemeter.page import Page
    >>> evaluate_pages(Page.from_text("a"), Page.from_text("b"), [Measure("CER")], Settings())["CER"].sub
    1
    """
    return _evaluate((Source.of(gt), Source.of(hyp)), measures, settings)


def _evaluate(sources: tuple[Source, Source], measures: Sequence[Measure], settings: Settings) -> Evaluation:
    began = perf_counter()
    from pagemeter.workbench import Workbench  # noqa: PLC0415  (numpy takes half the time of an import)

    workbench = Workbench(*sources, settings)
    found, seconds = {}, {}
    # Measures without G first: their minima may be those with G too.
    for measure in sorted(measures, key=lambda m: m.geometry):
        found[measure] = workbench.score(measure)
        now = perf_counter()
        seconds[measure], began = now - began, now
    scores = {measure: found[measure] for measure in measures}
    return Evaluation(sources, settings, scores, workbench.warnings, seconds)


def _checked(settings: Settings) -> Settings:
    if not isinstance(settings, Settings):
        raise UsageError(
            f"settings={settings!r:.40} is of type {type(settings).__name__}; give pagemeter.Settings(...), "
            "Settings.from_signature(line), or single settings as keywords"
        )
    return settings


def _default(gt: Source, hyp: Source) -> tuple[Measure, ...]:
    return DEFAULT + DEFAULT_GEOMETRY if _placed(gt, hyp) else DEFAULT


def _placed(gt: Source, hyp: Source) -> bool:
    """Whether the measures with G have a value for these pages."""
    if not (gt.has_geometry and hyp.has_geometry):
        return False
    from pagemeter.geometry import is_placed  # noqa: PLC0415  (only pages with positions)

    return is_placed(gt.page) and is_placed(hyp.page)
