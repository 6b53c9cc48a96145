"""Everything a number depends on besides the pages, and the line that says so."""

from __future__ import annotations

import difflib
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, Literal

from pagemeter._version import __version__
from pagemeter.errors import UsageError

Tokeniser = Callable[[str], Sequence[str]]

CHOICES: dict[str, tuple[str, ...]] = {
    "solver": ("exact", "paper"),
    "unit": ("grapheme", "codepoint"),
    "normalise": ("NFC", "NFD", "NFKC", "NFKD", "none"),
    "whitespace": ("collapse", "keep"),
}


@dataclass(frozen=True, slots=True)
class Settings:
    """How text becomes tokens and how the minimum is sought.

    >>> print(Settings(unit="codepoint").signature.partition("|version")[0])
    solver:exact|unit:codepoint|normalise:NFC|whitespace:collapse|tokeniser:whitespace|threshold:0|time_limit:60
    """

    solver: Literal["exact", "paper"] = "exact"
    unit: Literal["grapheme", "codepoint"] = "grapheme"
    normalise: Literal["NFC", "NFD", "NFKC", "NFKD", "none"] = "NFC"
    whitespace: Literal["collapse", "keep"] = "collapse"
    tokeniser: Tokeniser | Literal["whitespace"] = "whitespace"
    threshold: float = 0.0
    time_limit: float = 60.0

    def __post_init__(self) -> None:
        for name, known in CHOICES.items():
            value = getattr(self, name)
            if value not in known:
                raise UsageError(f"{name}={value!r}{_nearest(str(value), known)}; known are: {', '.join(known)}")
        if not (callable(self.tokeniser) or self.tokeniser == "whitespace"):
            raise UsageError(f"tokeniser={self.tokeniser!r}: give a callable from str to words, or 'whitespace'")
        if not 0 <= self.threshold < 1:
            raise UsageError(f"threshold={self.threshold}: coverage lies between 0 and 1; give 0 <= threshold < 1")
        if math.isnan(self.time_limit) or self.time_limit < 0:
            raise UsageError(f"time_limit={self.time_limit}: give seconds, 0 or more")

    def with_(self, **overrides: Any) -> Settings:  # noqa: ANN401
        """These settings with some changed; an unknown name is an error that suggests the nearest."""
        known = [f.name for f in fields(self)]
        for name in overrides:
            if name not in known:
                raise UsageError(f"unknown setting {name!r}{_nearest(name, known)}; known are: {', '.join(known)}")
        return replace(self, **overrides) if overrides else self

    @property
    def signature(self) -> str:
        """One line that reproduces a number, `name:value` separated by bars."""
        parts = [f"{f.name}:{_show(getattr(self, f.name))}" for f in fields(self)]
        return "|".join([*parts, f"version:{__version__}"])

    @classmethod
    def from_signature(cls, line: str) -> Settings:
        """The settings that a signature names. A tokeniser that is a callable cannot be found by its name.

        >>> Settings.from_signature(Settings(threshold=0.1).signature) == Settings(threshold=0.1)
        True
        """
        values: dict[str, Any] = {}
        for part in line.strip().split("|"):
            name, colon, value = part.partition(":")
            if not colon:
                raise UsageError(f"signature part {part!r} is not of the form name:value")
            values[name] = value
        values.pop("version", None)
        for name in ("threshold", "time_limit"):
            if name in values:
                values[name] = _number(name, values[name])
        return cls().with_(**values)


def _show(value: object) -> str:
    if isinstance(value, float):
        return f"{value:.17g}" if float(f"{value:g}") != value else f"{value:g}"
    if callable(value):
        return f"custom({getattr(value, '__qualname__', type(value).__name__)})"
    return str(value)


def _number(name: str, text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise UsageError(f"signature: {name}:{text} is not a number") from None


def _nearest(name: str, known: Sequence[str]) -> str:
    near = difflib.get_close_matches(name, known, n=1, cutoff=0.4)
    return f" (did you mean {near[0]}?)" if near else ""
