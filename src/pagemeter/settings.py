"""Settings: everything that a number depends on, apart from the pages."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields, replace
from functools import partial, wraps
from typing import TYPE_CHECKING, Any, Literal, TypeVar

from pagemeter._version import __version__
from pagemeter.errors import UsageError, did_you_mean
from pagemeter.page import LINE_TYPES
from pagemeter.signature import (
    LINE_TYPE_SETTINGS,
    NOT_SET,
    OVERRIDDEN,
    PATTERN_SETTINGS,
    parse_signature,
    show_value,
    without_run_parts,
)

if TYPE_CHECKING:
    from pagemeter.text.mapping import TextMapping

Tokeniser = Callable[[str], Sequence[str]]
_T = TypeVar("_T")

SETTING_CHOICES: dict[str, tuple[str, ...]] = {
    "solver": ("exact", "paper"),
    "unit": ("grapheme", "codepoint"),
    "normalise": ("NFC", "NFD", "NFKC", "NFKD", "none"),
    "hyphens": ("keep", "alike", "remove", "join"),
    "case": ("keep", "fold"),
    "only": ("all", "letters-numbers"),
    "whitespace": ("collapse", "keep", "strip", "strip-page", "spaces"),
    "line_end": ("counted", "counted-last", "counted-given", "space"),
    "boundaries": ("scripts", "spaces"),
    "unclear": ("text", "wildcard", "gap", "omit"),
    "supplied": ("file", "text", "wildcard", "gap", "omit"),
    "line_pairs": ("any", "number", "id"),
    "counts": ("canonical", "rapidfuzz", "diagonal"),
    "denominator": ("gt", "max", "path", "both"),
    "average": ("micro", "macro", "median"),
    "empty": ("inf", "count", "zero"),
}
"""The values of the settings that have a fixed choice."""
EFFORTS = {"quick": 0.2, "default": 2.0, "thorough": 20.0, "exhaustive": 200.0}  # units of work
STRIPPABLE = ("diacritics", "digits", "punctuation", "symbols")
TOKENISERS = ("whitespace", "space", "uax29", "punctuation", "dinglehopper", "isri")

_LONGEST_GAP = 1_000_000
_YES_NO = {"yes": True, "no": False}
_AMERICAN = {"normalize": "normalise", "tokenizer": "tokeniser"}


def _accept_american_names(cls: type[_T]) -> type[_T]:
    """Let the constructor accept American spellings of its keywords, and presets."""
    initialise: Callable[..., None] = cls.__init__

    @wraps(initialise)
    def accept(self: _T, *values: object, **named: object) -> None:
        initialise(self, *values, **_with_preset(_british(named)))

    cls.__init__ = accept  # type: ignore[assignment]
    return cls


def _british(named: dict[str, Any]) -> dict[str, Any]:
    """Return keywords with American spellings replaced; both spellings of one setting are an error."""
    for name in named.keys() & _AMERICAN.keys():
        if _AMERICAN[name] in named:
            raise UsageError(f"{name} and {_AMERICAN[name]} are the same setting", remedy="give one of them")
    return {_AMERICAN.get(name, name): value for name, value in named.items()}


def _with_preset(named: dict[str, Any]) -> dict[str, Any]:
    """Return settings with those of their preset, if there is one; those that are given override it."""
    if not named.get("preset"):
        return named
    from pagemeter.presets import find_preset  # noqa: PLC0415  (rarely needed)

    preset = find_preset(named["preset"])
    return {**preset.settings, **named, "preset": preset.label}


@_accept_american_names
@dataclass(frozen=True, slots=True)
class Settings:
    """Settings of normalisation, in the order of its steps, of tokens and of the solver.

    The American spellings `normalize` and `tokenizer` are accepted as keywords too.

    Args:
        solver: "exact" for proven minima, "paper" for the algorithms as printed.
        unit: A character is a "grapheme" cluster or a "codepoint".
        mapping: Rules that replace characters: a bundled name, the path of a file, a dictionary, or a list.
        normalise: The Unicode form, or "none".
        keep_lines: A regular expression; only lines in which it is found are compared.
        drop_lines: A regular expression; lines in which it is found are not compared.
        hyphens: Hyphens at line ends: "keep", "alike" (all as `-`), "remove", or "join" the words.
        case: "keep", or "fold" to ignore case.
        strip: Characters to remove: diacritics, digits, punctuation, symbols; one name or several.
        only: "all", or "letters-numbers" to remove all other characters.
        whitespace: "collapse" to one space between words; "strip" at both ends of each line, or "strip-page"
            at both ends of the page; "spaces" to strip lines and make each white-space character a space; or
            "keep".
        line_end: Line ends in measures of the page as one text (T): "counted" between two lines,
            "counted-last" after each line, "counted-given" after the last line only if the text has it, or a
            "space". Blank lines count as well, unless white space is collapsed.
        boundaries: Where words end: "spaces" for white space and line ends only, or "scripts" for the places
            between characters of scripts without spaces, such as Chinese and Thai, as well. The paper knows
            only spaces, so the solver "paper" always uses them.
        tokeniser: "whitespace", "space" (U+0020 only), "uax29", "punctuation", "dinglehopper" and "isri" (the
            words of these tools), or a function from str to tokens.
        line_pairs: The lines that can be matched: "any", those with the same "number", or with the same "id".
        threshold: The share of a baseline that must be near another for lines to be neighbours (G).
        effort: The work of the search for a minimum with S and without R, per page and measure: "quick",
            "default", "thorough", "exhaustive", or a number of units of about a second; counted, not timed.
        time_limit: A time limit of the same search in seconds, for emergencies; None for no limit. A search
            that it ends is not reproducible, and its score is marked as `interrupted`.
        optional: Types of lines that cost nothing if they are not matched; see `pagemeter.page.LINE_TYPES`.
        gt_optional: The same for the ground truth only.
        hyp_optional: The same for the hypothesis only.
        ignore: Types of lines that are removed before anything is compared.
        gt_ignore: The same for the ground truth only.
        hyp_ignore: The same for the hypothesis only.
        partial: True if the ground truth covers only a part of the page: all lines of the hypothesis are
            optional.
        gap: The most characters of HYP text that a gap in the ground truth stands for; None ignores gaps.
        unclear: What unclear text of the ground truth is: its "text", a "wildcard" per character, a "gap", or
            nothing ("omit").
        supplied: The same for text that an editor added; "file" leaves it as the format of the file defines.
        wildcard: A regular expression; each match in the ground truth is one illegible character.
        gap_pattern: A regular expression; each match in the ground truth is a gap.
        counts: Which of several alignments with the fewest errors is counted: the "canonical" one, that of
            "rapidfuzz", which jiwer reports, or the one that pairs tokens from the end on ("diagonal"), as
            E2EHTREval does.
        denominator: What a rate is divided by: the tokens of the ground truth ("gt"), of the longer side
            ("max"), of the alignment ("path": right, wrong, missing and extra), or of "both" sides together.
        average: The rate of several pages: "micro" divides all errors by all tokens, "macro" is the mean of
            the rates of pages, "median" their median.
        empty: The rate if only the hypothesis has tokens: infinite ("inf"), the number of errors ("count") or
            "zero".
        preset: The preset that the settings are from, such as "dinglehopper" or "jiwer@4.0"; other settings
            that are given override it.

    Raises:
        UsageError: A value is not valid.
        InputError: A mapping file cannot be read.

    >>> print(Settings(unit="codepoint").signature.partition("|line_pairs")[0])
    solver:exact|unit:codepoint|mapping:none|normalise:NFC|keep_lines:none|drop_lines:none|hyphens:keep|case:keep|strip:none|only:all|whitespace:collapse|line_end:counted|boundaries:scripts|tokeniser:whitespace

    """

    solver: Literal["exact", "paper"] = "exact"
    unit: Literal["grapheme", "codepoint"] = "grapheme"
    mapping: TextMapping | None = None
    normalise: Literal["NFC", "NFD", "NFKC", "NFKD", "none"] = "NFC"
    keep_lines: str | None = None
    drop_lines: str | None = None
    hyphens: Literal["keep", "alike", "remove", "join"] = "keep"
    case: Literal["keep", "fold"] = "keep"
    strip: tuple[str, ...] = ()
    only: Literal["all", "letters-numbers"] = "all"
    whitespace: Literal["collapse", "keep", "strip", "strip-page", "spaces"] = "collapse"
    line_end: Literal["counted", "counted-last", "counted-given", "space"] = "counted"
    boundaries: Literal["scripts", "spaces"] = "scripts"
    tokeniser: Tokeniser | str = "whitespace"
    line_pairs: Literal["any", "number", "id"] = "any"
    threshold: float = 0.0
    effort: float | Literal["quick", "default", "thorough", "exhaustive"] = "default"
    time_limit: float | None = None
    optional: tuple[str, ...] = ()
    gt_optional: tuple[str, ...] = ()
    hyp_optional: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    gt_ignore: tuple[str, ...] = ()
    hyp_ignore: tuple[str, ...] = ()
    partial: bool = False
    gap: int | None = None
    unclear: Literal["text", "wildcard", "gap", "omit"] = "text"
    supplied: Literal["file", "text", "wildcard", "gap", "omit"] = "file"
    wildcard: str | None = None
    gap_pattern: str | None = None
    counts: Literal["canonical", "rapidfuzz", "diagonal"] = "canonical"
    denominator: Literal["gt", "max", "path", "both"] = "gt"
    average: Literal["micro", "macro", "median"] = "micro"
    empty: Literal["inf", "count", "zero"] = "inf"
    preset: str | None = None

    def __post_init__(self) -> None:
        for name, known in SETTING_CHOICES.items():
            object.__setattr__(self, name, _choice(name, getattr(self, name), known))
        if self.solver == "paper":
            object.__setattr__(self, "boundaries", "spaces")
        if not callable(self.tokeniser):
            more = "" if isinstance(self.tokeniser, str) else ", or a callable from str to tokens"
            choice = _choice("tokeniser", self.tokeniser, TOKENISERS, more)
            object.__setattr__(self, "tokeniser", choice)
        for name in PATTERN_SETTINGS:
            _check_pattern(name, getattr(self, name))
        for name, converter in _CONVERTERS.items():
            object.__setattr__(self, name, converter(getattr(self, name)))
        if self.solver == "paper" and (self.optional_types("gt") or self.optional_types("hyp")):
            raise UsageError(
                "the algorithms of the paper know no optional text",
                setting=("solver", "paper"),
                remedy="use the exact solver, or ignore these lines",
            )
        if self.gap is None:
            for name in ("gap_pattern", "unclear", "supplied"):
                value = getattr(self, name)
                if value == "gap" or (name == "gap_pattern" and value is not None):
                    raise UsageError(
                        "how much text a gap may stand for is not stated",
                        setting=(name, value),
                        remedy="give gap, a number of characters",
                    )

    def optional_types(self, side: Literal["gt", "hyp"]) -> frozenset[str]:
        """Return the types of lines that are optional on one side.

        >>> sorted(Settings(optional="header", hyp_optional="footer").optional_types("hyp"))
        ['footer', 'header']
        """
        if self.partial and side == "hyp":
            return frozenset(LINE_TYPES)
        return frozenset(self.optional + (self.gt_optional if side == "gt" else self.hyp_optional))

    def ignored_types(self, side: Literal["gt", "hyp"]) -> frozenset[str]:
        """Return the types of lines that are removed from one side."""
        return frozenset(self.ignore + (self.gt_ignore if side == "gt" else self.hyp_ignore))

    def with_(self, **overrides: Any) -> Settings:  # noqa: ANN401
        """Return these settings with some of them changed.

        Raises:
            UsageError: A name is unknown, or a value is not valid.

        """
        if not overrides:
            return self
        overrides = _british(overrides)
        known = [field.name for field in fields(self)]
        for name in overrides:
            if name not in known:
                raise UsageError(
                    f"unknown setting {name!r}{did_you_mean(name, known)}",
                    remedy=f"use one of {', '.join(known)}",
                )
        return replace(self, **_with_preset(overrides))

    @property
    def has_patterns(self) -> bool:
        """True if regular expressions find notations in the ground truth."""
        return self.wildcard is not None or self.gap_pattern is not None

    @property
    def work(self) -> float:
        """The effort as a number of units."""
        return EFFORTS[self.effort] if isinstance(self.effort, str) else self.effort

    @property
    def signature(self) -> str:
        """All settings in one line: `name:value`, separated by bars.

        A preset is the first, with a star if some of its settings were changed.
        """
        preset = [f"preset:{self.preset_label}"] if self.preset else []
        parts = [
            f"{field.name}:{show_value(field.name, getattr(self, field.name))}"
            for field in fields(self)
            if field.name != "preset"
        ]
        return "|".join([*preset, *parts, f"version:{__version__}"])

    @property
    def preset_label(self) -> str | None:
        """The name and version of the preset, with a star if some of its settings were changed.

        >>> Settings(preset="jiwer").preset_label, Settings(preset="jiwer", case="fold").preset_label
        ('jiwer@4.0', 'jiwer@4.0*')
        """
        return f"{self.preset}{OVERRIDDEN if self.changes_of_preset else ''}" if self.preset else None

    @property
    def changes_of_preset(self) -> tuple[str, ...]:
        """The names of the settings that differ from those of the preset; the limits of searches may differ.

        >>> Settings(preset="isri", case="fold", effort="quick").changes_of_preset
        ('case',)
        """
        if self.preset is None:
            return ()
        pure = Settings(preset=self.preset, effort=self.effort, time_limit=self.time_limit)
        return tuple(
            field.name for field in fields(self) if getattr(self, field.name) != getattr(pure, field.name)
        )

    @property
    def preset_measures(self) -> tuple[str, ...] | None:
        """The ids of the measures of the preset, or None without a preset."""
        if self.preset is None:
            return None
        from pagemeter.presets import find_preset  # noqa: PLC0415  (rarely needed)

        return find_preset(self.preset).all_measures

    @classmethod
    def from_signature(
        cls, line: str, *, tokeniser: Tokeniser | None = None, mapping: TextMapping | None = None
    ) -> Settings:
        """Return the settings of a signature; other parts of the signature of a run are ignored.

        Args:
            line: The signature.
            tokeniser: The tokeniser, if it was made in Python. It is checked against the signature.
            mapping: The mapping, if it was made in Python or its file was moved. It is checked too.

        Raises:
            UsageError: The line is not a signature, or has a preset that no longer has these settings.

        >>> Settings.from_signature(Settings(threshold=0.1).signature) == Settings(threshold=0.1)
        True

        """
        line = without_run_parts(line, [field.name for field in fields(cls)])
        given = {"tokeniser": tokeniser, "mapping": _convert_mapping(mapping)}
        given = {name: value for name, value in given.items() if value is not None}
        values = parse_signature(line, given)
        settings = DEFAULT_SETTINGS.with_(**values)
        changes = settings.changes_of_preset
        if changes and not str(values["preset"]).endswith(OVERRIDDEN):
            raise UsageError(
                f"signature: the preset {settings.preset} no longer has these settings: {', '.join(changes)}",
                remedy=f"to use them nevertheless, write preset:{settings.preset}{OVERRIDDEN}",
            )
        return settings


def _choice(name: str, value: object, known: Sequence[str], more: str = "") -> str:
    """Return the known value that equals a value, ignoring case."""
    for choice in known:
        if value == choice or (isinstance(value, str) and value.lower() == choice.lower()):
            return choice
    raise UsageError(
        f"unknown value{did_you_mean(str(value), known)}",
        setting=(name, str(value)),
        remedy=f"use one of {', '.join(known)}{more}",
    )


def _check_pattern(name: str, pattern: object) -> None:
    if pattern is None:
        return
    if not isinstance(pattern, str) or not pattern:
        raise UsageError("give a regular expression that is not empty, or None", setting=(name, str(pattern)))
    from pagemeter.text.normalisation import compile_filter  # noqa: PLC0415  (a layer above)

    compile_filter(pattern, name)


def _convert_threshold(given: Any) -> float:  # noqa: ANN401
    share = _number("threshold", given)
    if not 0 <= share < 1:
        raise UsageError("give a share from 0 to below 1", setting=("threshold", f"{share:g}"))
    return share


def _convert_effort(given: Any) -> float | str:  # noqa: ANN401
    """Return the name of an effort, or a number that has no name."""
    try:
        units = float(given)
    except (TypeError, ValueError, OverflowError):
        return _choice("effort", given, tuple(EFFORTS), ", or a number of units of about a second each")
    if math.isnan(units) or units < 0:
        raise UsageError("give a number, 0 or more", setting=("effort", f"{units:g}"))
    return next((name for name, named in EFFORTS.items() if named == units), units)


def _convert_time_limit(given: Any) -> float | None:  # noqa: ANN401
    seconds = math.inf if given in (None, NOT_SET) else _number("time_limit", given)
    if math.isnan(seconds) or seconds < 0:
        raise UsageError("give seconds, 0 or more", setting=("time_limit", f"{seconds:g}"))
    return None if math.isinf(seconds) else seconds


def _number(name: str, given: Any) -> float:  # noqa: ANN401
    try:
        return float(given)
    except (TypeError, ValueError, OverflowError):
        raise UsageError("not a number", setting=(name, str(given))) from None


def _convert_gap(given: Any) -> int | None:  # noqa: ANN401
    if given in (None, NOT_SET):
        return None
    characters = _number("gap", given)
    if not (characters.is_integer() and 0 < characters <= _LONGEST_GAP):
        raise UsageError(f"give a number of characters from 1 to {_LONGEST_GAP}", setting=("gap", str(given)))
    return int(characters)


def _convert_partial(given: Any) -> bool:  # noqa: ANN401
    if isinstance(given, bool):
        return given
    if given in _YES_NO:
        return _YES_NO[given]
    raise UsageError("give True or False", setting=("partial", str(given)))


def _convert_names(setting: str, known: Sequence[str], names: str | Sequence[str]) -> tuple[str, ...]:
    """Return the names sorted, because they are a set and equal sets have equal signatures."""
    try:
        given = [names] if isinstance(names, str) else list(names)
        parts = [name.strip() for several in given for name in several.split(",") if name.strip()]
    except (TypeError, AttributeError):
        raise UsageError(
            f"give one or several of {', '.join(known)}", setting=(setting, str(names))
        ) from None
    return tuple(sorted({_choice(setting, name, known) for name in parts}))


def _convert_mapping(given: Any) -> TextMapping | None:  # noqa: ANN401
    if given is None:
        return None
    from pagemeter.text.mapping import TextMapping  # noqa: PLC0415  (a layer above)

    sources = given if isinstance(given, list | tuple) else [given]
    mapping = TextMapping.of(*sources)
    return mapping if mapping.tables else None


# Settings that are accepted in several forms are converted to one, so that equal settings are equal.
_CONVERTERS: dict[str, Callable[[Any], object]] = {
    "mapping": _convert_mapping,
    "strip": partial(_convert_names, "strip", STRIPPABLE),
    **{name: partial(_convert_names, name, LINE_TYPES) for name in LINE_TYPE_SETTINGS},
    "partial": _convert_partial,
    "gap": _convert_gap,
    "threshold": _convert_threshold,
    "effort": _convert_effort,
    "time_limit": _convert_time_limit,
}

DEFAULT_SETTINGS = Settings()
SETTING_NAMES = frozenset((*(field.name for field in fields(Settings)), *_AMERICAN))
"""The names of all settings, in both spellings."""
