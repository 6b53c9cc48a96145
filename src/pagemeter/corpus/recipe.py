"""Everything the numbers of a run depend on besides the files, and the line that says so."""

from __future__ import annotations

from dataclasses import dataclass, field, fields, replace
from typing import TYPE_CHECKING, Any

from pagemeter.corpus.measures import Wanted
from pagemeter.corpus.reading import Reader, Reading
from pagemeter.errors import UsageError
from pagemeter.plan import Resampling
from pagemeter.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pagemeter.corpus.totals import Totals
    from pagemeter.text.mapping import Mapping


@dataclass(frozen=True, slots=True)
class Recipe:
    """Measures, settings, how files are read, what a missing page counts and how intervals are made.

    `measures` is None where nothing is said of them.

    >>> recipe = Recipe(Wanted.of(["CER"]), skip_missing=True)
    >>> recipe.signature.partition("|solver")[0]
    'measures:CER|missing:skip|confidence:0.95|resamples:10000|seed:1|strata:none'
    >>> Recipe.from_signature(recipe.signature) == recipe
    True
    """

    measures: Wanted | None = None
    settings: Settings = field(default_factory=Settings)
    reading: Reading = field(default_factory=Reading)
    skip_missing: bool = False
    plan: Resampling = field(default_factory=Resampling)
    failed_as_missing: bool = False

    def __post_init__(self) -> None:
        if self.skip_missing and self.failed_as_missing:
            raise UsageError("--skip-missing and --failed-as-missing contradict each other; leave one out")

    @property
    def signature(self) -> str:
        """One line that reproduces the numbers: the measures, what differs from the default, the settings."""
        plan = (f"{name}:{getattr(self.plan, name)}" for name in _PLAN)
        return "|".join([*self._own_parts, *plan, self.settings.signature])

    @property
    def page_signature(self) -> str:
        """The same without what only intervals depend on: all that the numbers of a page depend on."""
        return "|".join([*self._own_parts, self.settings.signature])

    @property
    def _own_parts(self) -> list[str]:
        parts = [f"measures:{','.join(self.measures.names)}"] if self.measures else []
        parts += _shown(self.reading)
        if self.skip_missing:
            parts.append("missing:skip")
        if self.failed_as_missing:
            parts.append("failed:missing")
        if self.measures and self.measures.budget:
            parts.append(f"budget:{','.join(self.measures.budget)}")
        return parts

    def done(self, totals: Totals) -> Recipe:
        """The recipe that gives just the measures that pages turned out to have.

        A measure that only some pages have is marked as wanted where there are positions.
        """
        if self.measures is None or not totals.pages:
            return self
        found = tuple(m for m in self.measures.measures if m in totals.scores or m in totals.partial)
        return replace(self, measures=Wanted(found, frozenset(totals.partial), self.measures.budget))

    @classmethod
    def from_signature(cls, line: str, *, mapping: Mapping | None = None) -> Recipe:
        """The recipe that a signature names; one of settings alone leaves the rest at its default.

        `mapping` is for `Settings.from_signature`.
        """
        found: dict[str, str] = {}
        rest = line.strip()
        # Ours come first, and values of settings may hold bars.
        while rest.partition(":")[0] in _OWN:
            part, _, rest = rest.partition("|")
            name, _, found[name] = part.partition(":")
        measures = Wanted.of([found["measures"]]) if "measures" in found else None
        if measures and "budget" in found:
            measures = measures.with_budget(found["budget"])
        settings = Settings.from_signature(rest, mapping=mapping) if rest else Settings()
        skips, counts = (_said(found, *part) for part in (("missing", "skip"), ("failed", "missing")))
        return cls(measures, settings, _reading(found), skips, _plan(found), counts)


def version_of(line: str) -> str | None:
    """The version that a signature names.

    >>> version_of("case:fold|version:0.1.0")
    '0.1.0'
    """
    found = [part for part in line.strip().split("|") if part.startswith("version:")]
    return found[-1].partition(":")[2] if found else None


_SIDES = ("gt", "hyp")
_READER = tuple(f.name for f in fields(Reader))
_PLAN = tuple(f.name for f in fields(Resampling))
_OWN = frozenset(
    (
        "measures",
        "missing",
        "failed",
        "budget",
        *_PLAN,
        *(f"{side}{name}" for side in ("", "gt_", "hyp_") for name in _READER),
    )
)


def _shown(reading: Reading) -> Iterator[str]:
    """What differs from the default, said once where it is the same on both sides."""
    default = Reader()
    for name in _READER:
        values = {side: getattr(getattr(reading, side), name) for side in _SIDES}
        named = (
            {name: values["gt"]}
            if values["gt"] == values["hyp"]
            else {f"{side}_{name}": value for side, value in values.items()}
        )
        for key, value in named.items():
            if value != getattr(default, name):
                yield f"{key}:{value:.17g}" if isinstance(value, float) else f"{key}:{value}"


def _reading(found: dict[str, str]) -> Reading:
    sides = ({name: found.get(f"{side}_{name}", found.get(name)) for name in _READER} for side in _SIDES)
    return Reading(
        *(Reader(**{name: _value(name, text) for name, text in side.items() if text}) for side in sides)
    )


def _value(name: str, text: str) -> Any:  # noqa: ANN401
    try:
        return float(text) if name == "dpi" else text
    except ValueError:
        raise UsageError(f"signature: {name}:{text} is not a number") from None


def _plan(found: dict[str, str]) -> Resampling:
    values: dict[str, Any] = {name: found[name] for name in _PLAN if name in found}
    for name in values.keys() - {"strata"}:
        try:
            values[name] = type(getattr(Resampling(), name))(values[name])
        except ValueError:
            raise UsageError(f"signature: {name}:{values[name]} is not such a number") from None
    return Resampling(**values)


def _said(found: dict[str, str], name: str, value: str) -> bool:
    if found.get(name) not in (None, value):
        raise UsageError(f"signature: {name}:{found[name]}; only {name}:{value} has a meaning")
    return name in found
