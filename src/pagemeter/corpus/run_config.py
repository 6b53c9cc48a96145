"""The configuration of a run, and the signature line that reproduces its numbers.

`MeasureSelection` says which measures are evaluated, `Readers` how files are read, and `RunConfig` combines
both with everything else that a run depends on, except the files.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, replace
from typing import TYPE_CHECKING, Any, cast

from pagemeter.corpus.verdicts import Verdicts
from pagemeter.errors import MeasureError, UsageError, did_you_mean
from pagemeter.formats import read_pages
from pagemeter.formats.base import ReadOptions
from pagemeter.formats.loading import read_content
from pagemeter.formats.registry import find_format
from pagemeter.inputs.locations import STDIN, fetch, record_file
from pagemeter.measure import (
    ALL,
    BUDGET_UNITS,
    DEFAULT,
    DEFAULT_BUDGET_UNIT,
    UNITS,
    Measure,
    budget_measures,
    split_ids,
)
from pagemeter.run_settings import EMPTY_GT, FAILED, REFUSALS, EmptyGt, Failed, Refusals, Resampling
from pagemeter.settings import DEFAULT_SETTINGS, Settings

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from pagemeter.corpus.page_result import PageResult
    from pagemeter.corpus.totals import Totals
    from pagemeter.formats.base import Level, Mathematics, Order, ReadingChoice, Tables
    from pagemeter.inputs.locations import Content, Location
    from pagemeter.measure import UnitName
    from pagemeter.page import Page
    from pagemeter.text.mapping import TextMapping


OPTIONAL_MARK = "?"
"""Suffix of the id of a measure that is left out on pages without positions, as in `CER:G?`."""

Preparations = Mapping[str, Callable[["PageResult"], Any]]
"""Functions that prepare data for reports from the result of a page, by the name of the data."""


@dataclass(frozen=True, slots=True)
class MeasureSelection:
    """The measures of a run.

    Args:
        measures: All measures, in the order in which they are reported.
        optional: Those of them that are evaluated only on pages with positions on both sides.
        budget: The units whose error budget is reported. Further measures are evaluated for it.
        known: Measures that are not evaluated, because their scores are known.

    >>> MeasureSelection.of(["CER,WER:SG?"]).ids
    ('CER', 'WER:SG?')

    """

    measures: tuple[Measure, ...]
    optional: frozenset[Measure] = frozenset()
    budget: tuple[UnitName, ...] = ()
    known: frozenset[Measure] = frozenset()

    @classmethod
    def of(cls, names: Iterable[str | Measure] | MeasureSelection | None) -> MeasureSelection:
        """Return the measures with these ids.

        Args:
            names: Ids or measures; an id may be a list separated by commas. `all` means all measures,
                None for the default measures and the error budget of CER. Measures with G from `all` are
                optional, and so is `CER:G?`, unless `CER:G` is named as well.

        Returns:
            The selection; each measure is in it once.

        Raises:
            MeasureError: An id is unknown.

        >>> [str(measure) for measure in MeasureSelection.of(["wer", "WER", "CER:SR"]).measures]
        ['WER', 'CER:RS']

        """
        if isinstance(names, MeasureSelection):
            return names
        if names is None:
            return _DEFAULT_SELECTION
        parsed = [*_parse_measures(names)]
        required = {measure for measure, optional in parsed if not optional}
        measures = tuple(dict.fromkeys(measure for measure, _ in parsed))
        return cls(measures, frozenset(measures) - required)

    def with_budget(self, units: str) -> MeasureSelection:
        """Return this selection with the error budgets of these units, separated by commas, or `none`.

        >>> MeasureSelection.of(["WER"]).with_budget("wer").budget
        ('WER',)
        """
        known: dict[str, tuple[UnitName, ...]] = {"NONE": ()} | {unit: (unit,) for unit in BUDGET_UNITS}
        chosen: tuple[UnitName, ...] = ()
        for name in units.split(","):
            if name.strip().upper() not in known:
                raise MeasureError(
                    "unknown value",
                    setting=("budget", name.strip()),
                    remedy=f"use {', '.join(BUDGET_UNITS)} or none",
                )
            chosen += known[name.strip().upper()]
        return replace(self, budget=tuple(dict.fromkeys(chosen)))

    @property
    def ids(self) -> tuple[str, ...]:
        """The ids as `of` takes them."""
        return tuple(f"{m}{OPTIONAL_MARK if m in self.optional else ''}" for m in self.measures)

    @property
    def required(self) -> tuple[Measure, ...]:
        """The measures that every page is evaluated by."""
        return tuple(measure for measure in self.measures if measure not in self.optional)

    def evaluated(self, *, has_positions: bool) -> tuple[Measure, ...]:
        """Return the measures that a page is evaluated by, including those that only a budget needs.

        >>> [str(measure) for measure in MeasureSelection.of(None).evaluated(has_positions=False)]
        ['CER:R', 'CER:RS', 'CER:S', 'WER:R', 'WER:S', 'BOW', 'CER']
        """
        return tuple(m for m in self._needed(has_positions=has_positions) if m not in self.known)

    def divided(self, *, has_positions: bool) -> tuple[Measure, ...]:
        """Return those of the evaluated measures whose errors are divided by kind.

        >>> selection = replace(MeasureSelection.of(["CER", "WER"]), known=frozenset([Measure("CER")]))
        >>> selection.divided(has_positions=False)
        ()
        """
        needed = divided_measures(self._needed(has_positions=has_positions))
        return tuple(measure for measure in needed if measure not in self.known)

    def _needed(self, *, has_positions: bool) -> tuple[Measure, ...]:
        own = self.measures if has_positions else self.required
        extra = (m for unit in self.budget for m in budget_measures(unit, geometry=has_positions))
        return tuple(dict.fromkeys((*own, *extra)))

    def __or__(self, other: MeasureSelection) -> MeasureSelection:
        """Return the measures and error budgets of both selections; one that either requires is required."""
        both = MeasureSelection.of((*self.ids, *other.ids))
        return replace(both, budget=tuple(dict.fromkeys((*self.budget, *other.budget))))


def divided_measures(evaluated: Sequence[Measure]) -> tuple[Measure, ...]:
    """Return the measures whose errors are divided by kind, which needs their alignment.

    These are the measures with S alone of each error budget. Without a budget it is CER:S, or else the
    first measure that aligns lines.

    >>> list(map(str, divided_measures(ALL))), list(map(str, divided_measures(ALL[2:4])))
    (['CER:S', 'WER:S'], ['CER:RS'])
    """
    budgets = [budget_measures(unit, geometry=False) for unit in BUDGET_UNITS]
    if divided := tuple(needed[0] for needed in budgets if set(needed) <= set(evaluated)):
        return divided
    aligned = [measure for measure in evaluated if measure.aligns_lines]
    clearest = budget_measures(DEFAULT_BUDGET_UNIT, geometry=False)[0]
    return (clearest,) if clearest in aligned else tuple(aligned[:1])


_DEFAULT_SELECTION = MeasureSelection(DEFAULT, budget=(DEFAULT_BUDGET_UNIT,))


def _parse_measures(names: Iterable[str | Measure]) -> Iterator[tuple[Measure, bool]]:
    """Yield each measure, and whether it is optional."""
    for several in names:
        for name in [several] if isinstance(several, Measure) else split_ids(several):
            if isinstance(name, str) and name.strip().lower() == "all":
                yield from ((measure, measure.geometry) for measure in ALL)
            else:
                yield _parse_measure(name)


def _parse_measure(name: str | Measure) -> tuple[Measure, bool]:
    if isinstance(name, Measure) or not name.strip().endswith(OPTIONAL_MARK):
        return Measure.parse(name), False
    measure = Measure.parse(name.strip().removesuffix(OPTIONAL_MARK))
    if not measure.geometry:
        raise MeasureError(
            f"measure {name!r}: only measures with G depend on positions", remedy=f"write {measure}"
        )
    return measure, True


@dataclass(frozen=True, slots=True)
class Reader:
    """Options for reading the files of one side, as for `pagemeter.load`; `format` None detects it.

    >>> Reader(level="lines")
    Traceback (most recent call last):
    pagemeter.errors.UsageError: level='lines': unknown level (did you mean line?). Use one of line, ...page.
    """

    format: str | None = None
    level: Level | None = None
    order: Order = "file"
    encoding: str | None = None
    dpi: float | None = None
    math: Mathematics = "text"
    tables: Tables | None = None
    choice: str | None = None
    readings: ReadingChoice = "first"

    def __post_init__(self) -> None:
        if self.format is not None:
            find_format(self.format)
        # Reading an empty page checks the options once, before any file is read.
        options = {one.name: getattr(self, one.name) for one in fields(self) if one.name != "format"}
        read_pages(b"", "", format="text", **options)

    def pages(
        self, path: Location, content: Content | None = None, *, words: bool = False
    ) -> tuple[Page, ...]:
        """Return the pages of a file; standard input and records are text unless a format is named."""
        piped = path == STDIN
        is_text = piped or record_file(path) is not None
        source = "standard input" if piped else str(path)
        known_format = self.format or ("text" if is_text else None)
        kinds = self.level, self.order, self.encoding, self.dpi, self.math, self.tables
        options = ReadOptions(*kinds, words, self.choice, self.readings)
        return read_content((content or fetch(path)).data, source, known_format, options)


_DEFAULT_READER = Reader()


@dataclass(frozen=True, slots=True)
class Readers:
    """Options for reading the files of both sides.

    >>> Readers.same(encoding="latin-1").hyp.encoding
    'latin-1'
    """

    gt: Reader = _DEFAULT_READER
    hyp: Reader = _DEFAULT_READER

    @classmethod
    def same(cls, **options: Any) -> Readers:  # noqa: ANN401
        """Read both sides with the same options."""
        reader = Reader(**options)
        return cls(reader, reader)


@dataclass(frozen=True, slots=True)
class RunConfig:
    """Everything that the results of a run depend on, except the files.

    The first nine fields determine the numbers, and are in the signature. The others determine what is kept
    of a page.

    Args:
        measures: The measures; None for the default.
        settings: How text becomes tokens, and how the minimum is searched for.
        readers: How files are read.
        skip_missing: Leave out ground-truth pages without hypothesis instead of counting them as missed.
        resampling: How intervals and p-values are computed.
        failed: What happens if a hypothesis cannot be used: all of its page counts as missing, or the page is
            excluded from the totals.
        refusals: "missing" if a refusal of a model to read the page counts as no text at all.
        empty_gt: "exclude" to leave out pages whose ground truth has no text.
        confidences: Compare the confidences of the words of hypotheses with whether they are right.
        verdicts: Lines and pages to ignore.
        details: Keep texts and alignments. Without them, results have numbers only.
        inputs: Keep digests of the files, as a store needs them.
        per_line: The measure by which the results of lines are kept; None for no lines.
        prepare: Functions that prepare data for reports in the process that evaluates a page.
        folder: The folder of relative paths; empty for the working folder.

    >>> config = RunConfig(MeasureSelection.of(["CER"]), skip_missing=True)
    >>> config.signature.partition("|solver")[0]
    'measures:CER|missing:skip|confidence:0.95|resamples:10000|seed:1|strata:none'
    >>> RunConfig.from_signature(config.signature) == config
    True

    """

    measures: MeasureSelection | None = None
    settings: Settings = DEFAULT_SETTINGS
    readers: Readers = Readers()
    skip_missing: bool = False
    resampling: Resampling = field(default_factory=Resampling)
    failed: Failed = "missing"
    refusals: Refusals = "keep"
    empty_gt: EmptyGt = "keep"
    verdicts: Verdicts | None = None
    confidences: bool = False
    details: bool = True
    inputs: bool = False
    per_line: Measure | None = None
    prepare: Preparations = field(default_factory=dict)
    folder: str = ""

    def __post_init__(self) -> None:
        for name, known in _CHOICES.items():
            value = str(getattr(self, name))
            if value not in known:
                raise UsageError(
                    f"unknown value{did_you_mean(value, known)}",
                    setting=(name, value),
                    remedy=f"use {' or '.join(known)}",
                )

    @property
    def confidence_measure(self) -> Measure | None:
        """The measure that decides which words are right: the first of words; None if not asked for.

        Raises:
            UsageError: There is no measure of words.

        """
        if not self.confidences:
            return None
        for measure in self.selection.required:
            if not UNITS[measure.unit].of_characters:
                return measure
        raise UsageError(
            "a measure of words decides which words are right",
            setting=("confidences", ""),
            remedy="add one with {}",
            settings=(("measures", "WER:R"),),
        )

    @property
    def selection(self) -> MeasureSelection:
        """The measures, or those of the preset, or the default ones."""
        return MeasureSelection.of(self.measures or self.settings.preset_measures)

    @property
    def page_seconds(self) -> float:
        """The default time limit of a page: 120 seconds, plus ten times the expected time of each search."""
        measures = self.selection.evaluated(has_positions=True)
        searches = sum(measure.segmentation and not measure.order for measure in measures)
        return _PAGE_SECONDS + searches * _SEARCH_SECONDS * self.settings.work

    @property
    def signature(self) -> str:
        """The line that reproduces the numbers: measures, options that are not the default, settings."""
        resampling = (f"{name}:{getattr(self.resampling, name)}" for name in _RESAMPLING)
        return "|".join([*self._options, *resampling, self.settings.signature])

    @property
    def page_signature(self) -> str:
        """The signature without the options of intervals, on which the numbers of a page do not depend."""
        return "|".join([*self._options, self.settings.signature])

    @property
    def _options(self) -> list[str]:
        parts = [f"measures:{','.join(self.measures.ids)}"] if self.measures else []
        parts += _reader_options(self.readers)
        if self.skip_missing:
            parts.append("missing:skip")
        if self.verdicts:
            parts.append(f"verdicts:{self.verdicts.digest}")
        for name, known in _CHOICES.items():
            if getattr(self, name) != known[0]:
                parts.append(f"{name}:{getattr(self, name)}")
        if self.measures and self.measures.budget:
            parts.append(f"budget:{','.join(self.measures.budget)}")
        return parts

    def with_evaluated_measures(self, totals: Totals) -> RunConfig:
        """Return the configuration with the measures by which pages were evaluated.

        A measure with G that only some pages have is optional in it. Any other measure that only some pages
        have, because it was added to a store later, is left out.
        """
        if self.measures is None or not totals.pages:
            return self
        partial = frozenset(measure for measure in totals.partial if measure.geometry)
        evaluated = tuple(m for m in self.measures.measures if m in totals.scores or m in partial)
        selection = MeasureSelection(evaluated, partial, self.measures.budget)
        return replace(self, measures=selection)

    @classmethod
    def from_signature(cls, line: str, *, mapping: TextMapping | None = None) -> RunConfig:
        """Return the configuration that a signature names.

        Args:
            line: The signature of a run, or one of settings alone, which leaves the rest at its default.
            mapping: The mapping that the signature names, as for `Settings.from_signature`.

        Raises:
            UsageError: The line is not a signature.

        """
        values: dict[str, str] = {}
        rest = line.strip()
        # Options of the run come first, because values of settings may contain bars.
        while rest.partition(":")[0] in _OPTIONS:
            part, _, rest = rest.partition("|")
            name, _, values[name] = part.partition(":")
        measures = MeasureSelection.of([values["measures"]]) if "measures" in values else None
        if measures and "budget" in values:
            measures = measures.with_budget(values["budget"])
        settings = Settings.from_signature(rest, mapping=mapping) if rest else DEFAULT_SETTINGS
        return cls(
            measures,
            settings,
            _parse_readers(values),
            _parse_flag(values, "missing", "skip"),
            _parse_resampling(values),
            verdicts=Verdicts(values["verdicts"]) if "verdicts" in values else None,
            **cast("Any", {name: values[name] for name in _CHOICES if name in values}),
        )


def signature_version(line: str) -> str | None:
    """Return the version of pagemeter that a signature names.

    >>> signature_version("case:fold|version:0.1.0")
    '0.1.0'
    """
    versions = [part for part in line.strip().split("|") if part.startswith("version:")]
    return versions[-1].partition(":")[2] if versions else None


_PAGE_SECONDS = 120.0
_SEARCH_SECONDS = 10.0  # per unit of effort, which takes about a second on an idle machine
_SIDES = ("gt", "hyp")
_CHOICES: dict[str, tuple[str, ...]] = {"failed": FAILED, "refusals": REFUSALS, "empty_gt": EMPTY_GT}
"""The values of options that determine which text counts; the first is the default."""
_READER = tuple(f.name for f in fields(Reader))
_RESAMPLING = tuple(f.name for f in fields(Resampling))
_OPTIONS = frozenset(
    (
        *("measures", "missing", "verdicts", "budget", *_CHOICES, *_RESAMPLING),
        *(f"{side}{name}" for side in ("", "gt_", "hyp_") for name in _READER),
    )
)


def _reader_options(readers: Readers) -> Iterator[str]:
    """Yield the options that are not the default; an option that both sides share occurs once."""
    for name in _READER:
        values = {side: getattr(getattr(readers, side), name) for side in _SIDES}
        options = (
            {name: values["gt"]}
            if values["gt"] == values["hyp"]
            else {f"{side}_{name}": value for side, value in values.items()}
        )
        for key, value in options.items():
            if value != getattr(_DEFAULT_READER, name):
                yield f"{key}:{value:.17g}" if isinstance(value, float) else f"{key}:{value}"


def _parse_readers(values: dict[str, str]) -> Readers:
    sides = ({name: values.get(f"{side}_{name}", values.get(name)) for name in _READER} for side in _SIDES)
    return Readers(
        *(
            Reader(**{name: _parse_option(name, text) for name, text in side.items() if text})
            for side in sides
        )
    )


def _parse_option(name: str, text: str) -> Any:  # noqa: ANN401
    try:
        return float(text) if name == "dpi" else text
    except ValueError:
        raise UsageError(f"{name}:{text} is not a number", source="signature") from None


def _parse_resampling(values: dict[str, str]) -> Resampling:
    options: dict[str, Any] = {name: values[name] for name in _RESAMPLING if name in values}
    default = Resampling()
    for name in options.keys() - {"strata"}:
        kind = type(getattr(default, name))
        try:
            options[name] = kind(options[name])
        except ValueError:
            wanted = "a whole number" if kind is int else "a number"
            raise UsageError(f"{name}:{options[name]} is not {wanted}", source="signature") from None
    return Resampling(**options)


def _parse_flag(values: dict[str, str], name: str, value: str) -> bool:
    if values.get(name) not in (None, value):
        raise UsageError(
            f"unknown value {name}:{values[name]}; the only value is: {name}:{value}", source="signature"
        )
    return name in values
