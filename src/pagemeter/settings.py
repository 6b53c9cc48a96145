"""Everything a number depends on besides the pages, and the line that says so."""

from __future__ import annotations

import difflib
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any, Literal

from pagemeter._version import __version__
from pagemeter.errors import UsageError

if TYPE_CHECKING:
    from pagemeter.text.mapping import Mapping

Tokeniser = Callable[[str], Sequence[str]]

CHOICES: dict[str, tuple[str, ...]] = {
    "solver": ("exact", "paper"),
    "unit": ("grapheme", "codepoint"),
    "normalise": ("NFC", "NFD", "NFKC", "NFKD", "none"),
    "hyphens": ("keep", "alike", "remove", "join"),
    "case": ("keep", "fold"),
    "only": ("all", "letters-numbers"),
    "whitespace": ("collapse", "keep"),
}
STRIPPABLE = ("diacritics", "digits", "punctuation", "symbols")
TOKENISERS = ("whitespace", "uax29", "punctuation")


@dataclass(frozen=True, slots=True)
class Settings:
    """How text becomes tokens, in the order in which it is done, and how the minimum is sought.

    `mapping` may be given as a bundled name, the path of a file, a dictionary or a list of these, `strip` as
    one name or several.

    >>> print(Settings(unit="codepoint").signature.partition("|threshold")[0])
    solver:exact|unit:codepoint|mapping:none|normalise:NFC|keep_lines:none|drop_lines:none|hyphens:keep|case:keep|strip:none|only:all|whitespace:collapse|tokeniser:whitespace
    """

    solver: Literal["exact", "paper"] = "exact"
    unit: Literal["grapheme", "codepoint"] = "grapheme"
    mapping: Mapping | None = None
    normalise: Literal["NFC", "NFD", "NFKC", "NFKD", "none"] = "NFC"
    keep_lines: str | None = None
    drop_lines: str | None = None
    hyphens: Literal["keep", "alike", "remove", "join"] = "keep"
    case: Literal["keep", "fold"] = "keep"
    strip: tuple[str, ...] = ()
    only: Literal["all", "letters-numbers"] = "all"
    whitespace: Literal["collapse", "keep"] = "collapse"
    tokeniser: Tokeniser | Literal["whitespace", "uax29", "punctuation"] = "whitespace"
    threshold: float = 0.0
    time_limit: float = 60.0

    def __post_init__(self) -> None:
        for name, known in CHOICES.items():
            object.__setattr__(self, name, _choice(name, getattr(self, name), known))
        if not callable(self.tokeniser):
            chosen = _choice("tokeniser", self.tokeniser, TOKENISERS, " or a callable from str to tokens")
            object.__setattr__(self, "tokeniser", chosen)
        for name in ("keep_lines", "drop_lines"):
            _check_pattern(name, getattr(self, name))
        for name, reading in _READINGS.items():
            object.__setattr__(self, name, reading(getattr(self, name)))

    def with_(self, **overrides: Any) -> Settings:  # noqa: ANN401
        """These settings with some changed; an unknown name is an error that suggests the nearest."""
        if not overrides:
            return self
        known = [f.name for f in fields(self)]
        for name in overrides:
            if name not in known:
                raise UsageError(
                    f"unknown setting {name!r}{_nearest(name, known)}; known are: {', '.join(known)}"
                )
        return replace(self, **overrides)

    @property
    def signature(self) -> str:
        """One line that reproduces a number, `name:value` separated by bars."""
        from pagemeter.text.signature import show  # noqa: PLC0415  (the text room knows what a setting means)

        parts = [f"{f.name}:{show(f.name, getattr(self, f.name))}" for f in fields(self)]
        return "|".join([*parts, f"version:{__version__}"])

    @classmethod
    def from_signature(
        cls, line: str, *, tokeniser: Tokeniser | None = None, mapping: Mapping | None = None
    ) -> Settings:
        """The settings that a signature names; of the line that a run prints, the part that is settings.

        A tokeniser or mapping made in Python cannot be found by its name, nor can a mapping whose file has
        moved: pass it, and it is checked against the digest in the signature.

        >>> Settings.from_signature(Settings(threshold=0.1).signature) == Settings(threshold=0.1)
        True
        """
        from pagemeter.text.signature import read, without_run  # noqa: PLC0415

        line = without_run(line, [f.name for f in fields(cls)])
        given = {"tokeniser": tokeniser, "mapping": _mapping(mapping)}
        return cls().with_(**read(line, {name: value for name, value in given.items() if value is not None}))


def _choice(name: str, value: object, known: Sequence[str], more: str = "") -> str:
    """One of the known values as it is written, in whatever case it is given."""
    for choice in known:
        if value == choice or (isinstance(value, str) and value.lower() == choice.lower()):
            return choice
    raise UsageError(f"{name}={value!r}{_nearest(str(value), known)}; known are: {', '.join(known)}{more}")


def _threshold(given: Any) -> float:  # noqa: ANN401
    share = _number("threshold", given)
    if not 0 <= share < 1:
        raise UsageError(f"threshold={given}: coverage lies between 0 and 1; give 0 <= threshold < 1")
    return share


def _time_limit(given: Any) -> float:  # noqa: ANN401
    seconds = _number("time_limit", given)
    if math.isnan(seconds) or seconds < 0:
        raise UsageError(f"time_limit={given}: give seconds, 0 or more")
    return seconds


def _number(name: str, given: Any) -> float:  # noqa: ANN401
    try:
        return float(given)
    except (TypeError, ValueError, OverflowError):
        raise UsageError(f"{name}={given!r} is not a number") from None


def _check_pattern(name: str, pattern: object) -> None:
    if pattern is None:
        return
    if not isinstance(pattern, str) or not pattern:
        raise UsageError(f"{name}={pattern!r}: give a regular expression that is not empty, or None")
    from pagemeter.text.filters import compiled  # noqa: PLC0415

    compiled(pattern, name)


def _strip(kinds: str | Sequence[str]) -> tuple[str, ...]:
    """The kinds of characters in the order of the alphabet: they are a set, and equal sets print alike."""
    try:
        given = [kinds] if isinstance(kinds, str) else list(kinds)
        chosen = [kind.strip() for several in given for kind in several.split(",") if kind.strip()]
    except (TypeError, AttributeError):
        raise UsageError(f"strip={kinds!r}: give one or several of {', '.join(STRIPPABLE)}") from None
    return tuple(sorted({_choice("strip", kind, STRIPPABLE) for kind in chosen}))


def _mapping(given: Any) -> Mapping | None:  # noqa: ANN401
    if given is None:
        return None
    from pagemeter.text.mapping import Mapping  # noqa: PLC0415

    sources = given if isinstance(given, list | tuple) else [given]
    mapping = Mapping.of(*sources)
    return mapping if mapping.tables else None


# What may be given in several ways is kept in one, so that equal settings are equal and print alike.
_READINGS: dict[str, Callable[[Any], object]] = {
    "mapping": _mapping,
    "strip": _strip,
    "threshold": _threshold,
    "time_limit": _time_limit,
}


def _nearest(name: str, known: Sequence[str]) -> str:
    spelled = {choice.lower(): choice for choice in known}
    near = difflib.get_close_matches(name.lower(), spelled, n=1, cutoff=0.4)
    return f" (did you mean {spelled[near[0]]}?)" if near else ""
