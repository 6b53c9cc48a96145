"""Evaluation of one page: `evaluate`, `cer` and `wer`, and `Evaluation` with the scores."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from time import perf_counter
from typing import TYPE_CHECKING, Any

from pagemeter.errors import (
    MeasureError,
    NotEvaluatedError,
    Problem,
    ScaleWarning,
    UnprovenWarning,
    UsageError,
    did_you_mean,
    warn,
)
from pagemeter.measure import DEFAULT, UNITS, Measure, budget_measures, parse_measures
from pagemeter.preparation import PageLike, PreparedPair, Source, as_source, suggest_partial
from pagemeter.score import Score
from pagemeter.settings import DEFAULT_SETTINGS, Settings

if TYPE_CHECKING:
    from pagemeter.alignment import ErrorKinds, EvaluationKinds
    from pagemeter.flags import Flag
    from pagemeter.measure import UnitName
    from pagemeter.page import Page
    from pagemeter.stats.budget import Budget

_SHOWN_SCORES = 6  # scores in the short form of an evaluation


def evaluate(
    gt: PageLike,
    hyp: PageLike,
    measures: str | Measure | Iterable[str | Measure] | None = None,
    solver: str | None = None,
    *,
    settings: Settings | None = None,
    **overrides: Any,  # noqa: ANN401
) -> Evaluation:
    """Evaluate a hypothesis against its ground truth.

    Args:
        gt: The ground truth: a Page, a pathlib.Path of a file, a list, numpy array or pandas Series of
            strings, a list of `Line` objects, or one string with one line of the page per line. A string is
            never read as a path.
        hyp: The hypothesis, in the same forms.
        measures: Ids in a list or in one string, such as "CER:R, WER" or "all". The default is CER:R, CER:RS,
            CER:S, WER:R, WER:S and BOW, as for the command.
        solver: "exact" or "paper".
        settings: Settings of normalisation, tokens and solver.
        **overrides: Single settings, such as ``case="fold"``. With ``preset="dinglehopper"``, the default
            measures are those of the preset, and CER:RS and WER:S.

    Returns:
        The scores by measure id.

    Raises:
        UsageError: A page, measure or setting is not valid.
        InputError: A file cannot be read, or a page is too large.
        GeometryError: A measure with G is requested, but a page has no positions.

    >>> evaluate(["left", "right"], ["right", "left"], "CER:R, CER")["CER:R"].errors
    8

    """
    if solver is not None:
        overrides["solver"] = solver
    settings = (DEFAULT_SETTINGS if settings is None else checked_settings(settings)).with_(**overrides)
    pair = PreparedPair(as_source(gt, "ground truth"), as_source(hyp, "hypothesis"), settings)
    if measures is None:
        chosen = default_measures(pair)
    else:
        chosen = parse_measures(measures, lambda: pair.has_positions)
    evaluation = evaluate_prepared(pair, chosen)
    for warning in pair.warnings:
        warn(str(warning), ScaleWarning)
    return evaluation


def default_measures(pair: PreparedPair) -> tuple[Measure, ...]:
    """Return the measures of the preset, or else the default ones."""
    ids = pair.settings.preset_measures
    if ids is None:
        return DEFAULT
    chosen = (name.removesuffix("?") for name in ids if not name.endswith("?") or pair.has_positions)
    return tuple(dict.fromkeys(map(Measure.parse, chosen)))


def evaluate_prepared(
    pair: PreparedPair, measures: Sequence[Measure], on_measure: Callable[[Measure], object] | None = None
) -> Evaluation:
    """Evaluate several measures; warnings are in the evaluation and are not issued.

    Args:
        pair: Two pages.
        measures: The measures.
        on_measure: A function that is called before each measure is computed, to report progress.

    >>> pair = PreparedPair(Source(["a"]), Source(["b"]), DEFAULT_SETTINGS)
    >>> evaluate_prepared(pair, [Measure("CER")])["CER"].wrong
    1

    """
    began = perf_counter()
    scores, seconds = {}, {}
    # Measures with few constraints first, because their minima may be those of stricter measures too.
    for measure in sorted(measures, key=lambda measure: len(measure.constraints)):
        if on_measure:
            on_measure(measure)
        score = pair.score(measure)
        scores[measure] = score if score.settings else replace(score, settings=pair.settings)
        now = perf_counter()
        seconds[measure], began = now - began, now
    scores = {measure: scores[measure] for measure in measures}
    seconds = {measure: seconds[measure] for measure in measures}
    evaluation = Evaluation((pair.gt, pair.hyp), pair.settings, scores, pair.warnings, seconds)
    suggestions = suggest_partial(pair, scores.values())
    if suggestions and "loop" not in evaluation.flags:  # repeated text is no other part of the page
        evaluation = replace(evaluation, warnings=(*pair.warnings, *suggestions))
    return evaluation


def cer(gt: PageLike, hyp: PageLike, letters: str = "R", **overrides: Any) -> float:  # noqa: ANN401
    r"""Return the character error rate; by default in reading order, the rate that most tools report.

    If the time limit is reached before the minimum is proven, the rate is that of the best solution, and a
    warning of category `pagemeter.errors.UnprovenWarning` has the range.

    Args:
        gt: The ground truth, see `evaluate`.
        hyp: The hypothesis, see `evaluate`.
        letters: The letters of the measure, any of R, S and G. The default "R" counts a wrong order of lines
            as errors; "" is the order-free rate of the paper.
        **overrides: Single settings, see `Settings`.

    >>> cer("one line", "one lime")
    0.125
    >>> cer("abcd\nef", "ef\nabcx"), cer("abcd\nef", "ef\nabcx", "")
    (0.8333333333333334, 0.16666666666666666)

    """
    return _rate("CER", gt, hyp, letters, overrides)


def wer(gt: PageLike, hyp: PageLike, letters: str = "R", **overrides: Any) -> float:  # noqa: ANN401
    r"""Return the word error rate; the arguments are those of `cer`.

    >>> wer("one two three", "one too three"), wer("one two three", "one\ntwo three", "S")
    (0.3333333333333333, 0.0)
    """
    return _rate("WER", gt, hyp, letters, overrides)


def _rate(unit: UnitName, gt: PageLike, hyp: PageLike, letters: str, overrides: dict[str, Any]) -> float:
    measure = _with_letters(unit, str(letters))
    evaluation = evaluate(gt, hyp, (measure,), **overrides)
    score = evaluation.scores[measure]
    if not score.optimal:
        _warn_unproven(evaluation.settings, score)
    return score.rate


def _warn_unproven(settings: Settings, score: Score) -> None:
    from pagemeter.report.columns import format_errors, format_rate  # noqa: PLC0415  (rare)

    exact = settings.solver == "exact"
    remedy = f"raise effort={settings.effort!r}" if exact else "use solver='exact'"
    problem = Problem(
        f"the minimum is not proven; it lies in {format_rate(score)} ({format_errors(score)} errors), and "
        "the upper end is returned",
        str(score.measure),
        remedy=f"{remedy}, or take the range from evaluate()",
    )
    warn(str(problem), UnprovenWarning)


@lru_cache
def _with_letters(unit: UnitName, letters: str) -> Measure:
    """Return the measure of a unit with some letters; a whole id is accepted too."""
    text = letters.strip()
    measure = Measure.parse(text if text[:3].upper() in UNITS else f"{unit}:{text}")
    if measure.unit != unit:
        raise MeasureError(
            f"{unit.lower()}() takes letters of R, S and G, not {letters!r}",
            remedy=f"for {measure} use {'evaluate' if measure.is_bag else measure.unit.lower()}()",
        )
    return measure


def checked_settings(settings: Settings) -> Settings:
    """Return the settings, or raise an error if they are not a `Settings` object."""
    if not isinstance(settings, Settings):
        raise UsageError(
            f"settings={settings!r:.40} is of type {type(settings).__name__}",
            remedy="give pagemeter.Settings(...), Settings.from_signature(line), or settings as keywords",
        )
    return settings


def find_score(scores: Mapping[Measure, Score], name: str | Measure, settings: Settings) -> Score:
    """Return the score of a measure, whose id may be written in any way.

    Raises:
        NotEvaluatedError: There is no such measure, or it was not evaluated.

    >>> find_score(evaluate("a", "b", "CER:R").scores, "cer^{R}", DEFAULT_SETTINGS).errors
    1

    """
    try:
        measure = Measure.parse(name)
    except MeasureError as error:
        raise NotEvaluatedError(f"{error.problem.detail}; evaluated are: {', '.join(scores)}") from None
    if measure not in scores:
        raise NotEvaluatedError(
            f"{measure} was not evaluated{did_you_mean(str(measure), scores)}; evaluated are: "
            f"{', '.join(scores)}",
            remedy="add it to measures",
        )
    score = scores[measure]
    return score if score.settings else replace(score, settings=settings)


def has_score(scores: Mapping[Measure, Score], name: object) -> bool:
    """Return True if there is a score of a measure, whose id may be written in any way."""
    try:
        return isinstance(name, str) and Measure.parse(name) in scores
    except MeasureError:
        return False


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class Evaluation(Mapping[str, Score]):
    """The scores of one page by measure id; `print` shows them as a table.

    Args:
        sources: The ground truth and the hypothesis.
        settings: The settings of the evaluation.
        scores: The scores by measure; as a `Measure` is a str, keys are ids such as "CER:R".
        warnings: Problems of the pages that may explain the scores.
        seconds: The time that each measure took; work shared by several measures counts for the first.
        known_kinds: The kinds of errors that were computed already.
        known_flags: The flags of the page, if they were computed already.

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
    warnings: tuple[Problem, ...] = ()
    seconds: Mapping[Measure, float] = field(default_factory=dict)
    known_kinds: Mapping[Measure, ErrorKinds] = field(default_factory=dict)
    known_flags: frozenset[Flag] | None = None

    @property
    def gt(self) -> Page:
        """The ground truth."""
        return self.sources[0].page

    @property
    def hyp(self) -> Page:
        """The hypothesis."""
        return self.sources[1].page

    @property
    def lines(self) -> tuple[Sequence[str], Sequence[str]]:
        """The normalised lines of both pages, as they were compared."""
        gt, hyp = (source.normalised(self.settings).lines for source in self.sources)
        return gt, hyp

    def __getitem__(self, name: str | Measure) -> Score:
        return find_score(self.scores, name, self.settings)

    if not TYPE_CHECKING:  # type checkers know the attributes

        def __getattr__(self, name: str) -> Any:  # noqa: ANN401
            hint = f"; it belongs to a score: ev['CER:R'].{name}" if hasattr(Score, name) else ""
            raise AttributeError(f"an Evaluation has no attribute {name!r}{hint}")

    def __contains__(self, name: object) -> bool:
        return has_score(self.scores, name)

    def __iter__(self) -> Iterator[str]:
        return map(str, self.scores)

    def __len__(self) -> int:
        return len(self.scores)

    def budget(self, unit: UnitName = "CER") -> Budget:
        """Return the errors of the strictest measure divided by cause.

        Measures that the budget needs and the evaluation lacks are evaluated now.

        Args:
            unit: CER or WER.

        >>> budget = evaluate(["left", "right"], ["right", "lift"], ["CER:R"]).budget()
        >>> [(share.cause, int(share.errors)) for share in budget.shares]
        [('recognition', 1), ('segmentation', 0), ('order', 6)]

        """
        from pagemeter.stats.budget import budget  # noqa: PLC0415  (a layer above)

        pair = PreparedPair(*self.sources, self.settings)
        measures = budget_measures(unit, geometry=pair.has_positions)
        missing = [measure for measure in measures if measure not in self.scores]
        more = evaluate_prepared(pair, missing).scores if missing else {}
        whole = replace(self, scores={**self.scores, **more})
        return budget(whole.scores, unit, kinds={measures[0]: whole.kinds[str(measures[0])]})

    @property
    def peer(self) -> dict[str, float | int]:
        """The numbers in the terms of the tool that the preset is of; empty without a preset.

        >>> evaluate("one line", "one lime", preset="dinglehopper").peer
        {'cer': 0.125, 'n_characters': 8, 'wer': 0.5, 'n_words': 2}
        """
        from pagemeter.presets import peer_terms  # noqa: PLC0415  (rarely needed)

        return peer_terms(self.settings.preset, self.scores) if self.settings else {}

    @property
    def flags(self) -> frozenset[Flag]:
        """Signs that the hypothesis is not a reading of the page: empty, refusal, loop, length, unlike.

        >>> sorted(evaluate("one line", "and so on " * 20, ["CER:R"]).flags)
        ['length', 'loop']
        """
        if self.known_flags is not None:
            return self.known_flags
        from pagemeter.flags import flags_of_pages  # noqa: PLC0415  (a layer above)

        return flags_of_pages(self.gt, self.hyp, self.settings)

    @property
    def kinds(self) -> EvaluationKinds:
        """The errors by kind and measure id; `repeated` is a part of `invented`.

        >>> ev = evaluate(["one line", "two"], ["one lime"], ["CER:S"])
        >>> ev.kinds["CER:S"].misread, ev.kinds["CER:S"].missed
        (1, 3)
        """
        from pagemeter.alignment import EvaluationKinds  # noqa: PLC0415  (a layer above)

        return EvaluationKinds(self)

    def to_dict(self) -> dict[str, dict[str, int | float | bool | None]]:
        """Return the fields of all scores by measure id, ready for JSON.

        >>> evaluate("a line", "a lime", ["CER"]).to_dict()["CER"]["errors"]
        1
        """
        return {name: score.as_dict() for name, score in self.items()}

    @property
    def signature(self) -> str:
        """The settings as one line, with which the numbers can be reproduced."""
        return self.settings.signature

    def __repr__(self) -> str:
        from pagemeter.report.columns import format_rate  # noqa: PLC0415  (a layer above)

        shown = [f"{name} {format_rate(score)}" for name, score in list(self.items())[:_SHOWN_SCORES]]
        if len(self) > _SHOWN_SCORES:
            shown.append(f"and {len(self) - _SHOWN_SCORES} more")
        gt, hyp = (len(source.texts) for source in self.sources)
        return f"<Evaluation of {gt} GT and {hyp} HYP lines: {', '.join(shown)}>"

    def __str__(self) -> str:
        from pagemeter.report.tables import proof_grid  # noqa: PLC0415

        return proof_grid(self.scores.values()).plain()

    def _repr_html_(self) -> str:
        from pagemeter.report.plots import evaluation_html  # noqa: PLC0415

        return evaluation_html(self)

    def to_pandas(self) -> Any:  # noqa: ANN401  (pandas is optional)
        """Return the scores as a pandas data frame, one row per measure."""
        from pagemeter.report.csv import evaluation_frame  # noqa: PLC0415

        return evaluation_frame(self)
