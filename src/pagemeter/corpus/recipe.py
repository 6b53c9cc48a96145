"""Everything the numbers of a run depend on besides the files, and the line that says so."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Any

from pagemeter.corpus.reading import Reading
from pagemeter.errors import UsageError
from pagemeter.measure import Measure
from pagemeter.settings import Settings


@dataclass(frozen=True, slots=True)
class Recipe:
    """Measures, settings, how files are read and what a missing page counts.

    `measures` is None where the collection is still to decide.

    >>> recipe = Recipe((Measure("CER"),), skip_missing=True)
    >>> recipe.signature.partition("|solver")[0]
    'measures:CER|missing:skip'
    >>> Recipe.from_signature(recipe.signature) == recipe
    True
    """

    measures: tuple[Measure, ...] | None = None
    settings: Settings = field(default_factory=Settings)
    reading: Reading = field(default_factory=Reading)
    skip_missing: bool = False

    @property
    def signature(self) -> str:
        """One line that reproduces the numbers: the measures, what differs from the default, the settings."""
        parts = [f"measures:{','.join(map(str, self.measures))}"] if self.measures else []
        default = Reading()
        for name in _READING:
            value = getattr(self.reading, name)
            if value != getattr(default, name):
                parts.append(f"{name}:{value:.17g}" if isinstance(value, float) else f"{name}:{value}")
        if self.skip_missing:
            parts.append("missing:skip")
        return "|".join([*parts, self.settings.signature])

    @classmethod
    def from_signature(cls, line: str) -> Recipe:
        """The recipe that a signature names; one of settings alone leaves the rest at its default."""
        found: dict[str, str] = {}
        rest = line.strip()
        # Ours come first, and values of settings may hold bars.
        while rest.partition(":")[0] in _OWN:
            part, _, rest = rest.partition("|")
            name, _, found[name] = part.partition(":")
        measures = tuple(map(Measure.parse, found["measures"].split(","))) if "measures" in found else None
        settings = Settings.from_signature(rest) if rest else Settings()
        return cls(measures, settings, _reading(found), _skips(found.get("missing")))


def version_of(line: str) -> str | None:
    """The version that a signature names.

    >>> version_of("case:fold|version:0.1.0")
    '0.1.0'
    """
    found = [part for part in line.strip().split("|") if part.startswith("version:")]
    return found[-1].partition(":")[2] if found else None


_READING = tuple(f.name for f in fields(Reading))
_OWN = frozenset(("measures", "missing", *_READING))


def _reading(found: dict[str, str]) -> Reading:
    values: dict[str, Any] = {name: found[name] for name in _READING if name in found}
    if "dpi" in values:
        try:
            values["dpi"] = float(values["dpi"])
        except ValueError:
            raise UsageError(f"signature: dpi:{values['dpi']} is not a number") from None
    return Reading(**values)


def _skips(missing: str | None) -> bool:
    if missing not in (None, "skip"):
        raise UsageError(f"signature: missing:{missing}; only missing:skip has a meaning")
    return missing == "skip"
