"""Settings of keyword spotting, the presets of other tools, and the signature."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import Any, Literal, get_args

from pagemeter._version import __version__
from pagemeter.errors import UsageError, did_you_mean

Ties = Literal["mean", "one-point", "best", "worst", "listed", "document"]
Repeats = Literal["fp", "ignore"]
Unanswerable = Literal["skip", "zero", "silence"]
Gain = Literal["linear", "exponential", "signed"]
Area = Literal["hyp", "gt", "union"]
Target = Literal["word", "line"]
Case = Literal["keep", "fold"]

_CHOICES: dict[str, tuple[str, ...]] = {
    "ties": get_args(Ties),
    "repeats": get_args(Repeats),
    "unanswerable": get_args(Unanswerable),
    "gain": get_args(Gain),
    "area": get_args(Area),
    "position": get_args(Target),
    "case": get_args(Case),
}
_MAX_RANK = 1_000_000
_MAX_RANKS = 20


@dataclass(frozen=True, slots=True)
class SpottingSettings:
    """Everything that the numbers of keyword spotting depend on, besides the files.

    Args:
        preset: The preset of which these are the settings; a name that ends in * if some were changed.
        ties: The order of hits with equal scores. "mean" is the exact mean over all orders, "one-point" makes
            them one point of the curve, "best" and "worst" put right hits first or last, "listed" keeps the
            order of the file, and "document" is the order of trec_eval: by document id, from high to low.
            None is "one-point" for an interpolated or trapezoid curve, and otherwise "mean".
        interpolate: Replace each precision by the largest precision at the same or a higher recall.
        trapezoid: Integrate the curve by the trapezoid rule instead of steps.
        repeats: Whether a further hit on a reference that is taken is a false positive ("fp") or left out
            ("ignore").
        unanswerable: Queries without references: "skip" leaves them out of means, "zero" counts 0, and
            "silence" counts 1 if there is no hit and else 0.
        gain: The gains of NDCG: "linear", "exponential" (2^relevance - 1), or "signed", the non-standard
            measure of the Java tool, in which a false positive and a reference without hit have the gain -1.
        area: The area by which the overlap of two boxes is divided: that of the hit ("hyp"), of the reference
            ("gt") or of both together ("union").
        overlap: A hit matches if this share of its box, or more than this share of its baseline, lies on the
            reference.
        position: Whether a hit must lie on the baseline of the reference's word, or of its line.
        case: "fold" ignores case in the words of pages and in queries.
        ranks: The numbers k of the measures P@k.

    Raises:
        UsageError: A value is not valid, or two values contradict each other.

    >>> SpottingSettings(interpolate=True).ties
    'one-point'

    """

    preset: str = "none"
    ties: Ties | None = None
    interpolate: bool = False
    trapezoid: bool = False
    repeats: Repeats = "fp"
    unanswerable: Unanswerable = "skip"
    gain: Gain = "linear"
    area: Area = "hyp"
    overlap: float = 0.5
    position: Target = "word"
    case: Case = "keep"
    ranks: tuple[int, ...] = (1, 5, 10)

    def __post_init__(self) -> None:
        curved = self.interpolate or self.trapezoid
        if self.ties is None:
            object.__setattr__(self, "ties", "one-point" if curved else "mean")
        for name, known in _CHOICES.items():
            value = getattr(self, name)
            if value not in known:
                raise UsageError(
                    f"unknown value{did_you_mean(str(value), known)}",
                    setting=(name, str(value)),
                    remedy=f"use one of {', '.join(known)}",
                )
        if self.ties == "mean" and curved:
            raise UsageError(
                "an interpolated or trapezoid curve needs one order of the hits",
                setting=("ties", "mean"),
                remedy="use {} or another order",
                settings=(("ties", "one-point"),),
            )
        if not 0 <= self.overlap < 1:
            raise UsageError("give a share from 0 to below 1", setting=("overlap", f"{self.overlap:g}"))
        ranks = tuple(self.ranks)
        if len(ranks) > _MAX_RANKS or any(not 1 <= rank <= _MAX_RANK for rank in ranks):
            raise UsageError(
                f"give up to {_MAX_RANKS} whole numbers from 1 to {_MAX_RANK:,}",
                setting=("ranks", ",".join(map(str, ranks))),
            )
        object.__setattr__(self, "ranks", tuple(dict.fromkeys(ranks)))

    @classmethod
    def of(cls, preset: str | None = None, **changes: Any) -> SpottingSettings:  # noqa: ANN401
        """Return the settings of a preset with some changes; a change marks the preset with a star.

        >>> SpottingSettings.of("prhlt").interpolate, SpottingSettings.of("trec", ties="mean").preset
        (True, 'trec*')
        """
        known = {field.name for field in fields(cls)} - {"preset"}
        for name in changes.keys() - known:
            raise UsageError(
                f"unknown option {name!r}{did_you_mean(name, known)}",
                remedy=f"use one of {', '.join(sorted(known))}",
            )
        if preset is None:
            return cls(**changes)
        if preset not in PRESETS:
            raise UsageError(
                f"unknown preset{did_you_mean(preset, PRESETS)}",
                setting=("preset", preset),
                remedy=f"use one of {', '.join(PRESETS)}",
            )
        base = PRESETS[preset]
        changed = replace(base, **changes)
        return changed if changed == base else replace(changed, preset=f"{preset}*")

    @property
    def signature(self) -> str:
        """All settings as one line, with the version of pagemeter.

        >>> SpottingSettings().signature[:47]
        'kws|preset:none|ties:mean|interpolate:no|trapez'
        """
        parts = [f"{field.name}:{_shown(getattr(self, field.name))}" for field in fields(self)]
        return "|".join(["kws", *parts, f"version:{__version__}"])


def _shown(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        return ",".join(map(str, value)) or "none"
    return f"{value:g}" if isinstance(value, float) else str(value)


PRESETS = {
    "trec": SpottingSettings("trec", ties="document", unanswerable="zero"),
    "icdar2017": SpottingSettings(
        "icdar2017",
        ties="one-point",
        interpolate=True,
        trapezoid=True,
        repeats="ignore",
        unanswerable="zero",
        gain="exponential",
    ),
    "prhlt": SpottingSettings("prhlt", ties="one-point", interpolate=True),
    "citlab": SpottingSettings(
        "citlab", ties="listed", unanswerable="silence", gain="signed", position="line"
    ),
}
"""The settings that reproduce other tools: trec_eval, kws-eval, KwsEvalTool and CITlabErrorRate."""
