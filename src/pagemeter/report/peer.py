"""The numbers of a run in the terms of the tool whose preset was used."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pagemeter.presets import find_preset

if TYPE_CHECKING:
    from pagemeter.corpus import Totals
    from pagemeter.presets import Preset


def peer_lines(totals: Totals) -> list[str]:
    """Return the numbers in the terms of the tool, and why the measures of pagemeter differ.

    >>> from pagemeter import evaluate_corpus
    >>> result = evaluate_corpus(["one line"], ["one lime"], preset="isri")
    >>> peer_lines(result.outcome.totals)[0]
    'isri@7.0: characters 8 · errors 1 · accuracy 87.5 · words 2 · misrecognized 1 · word accuracy 50'
    """
    preset, terms = _preset(totals), totals.peer
    if preset is None or not terms:
        return []
    numbers = " · ".join(f"{name} {_number(value)}" for name, value in terms.items())
    return [f"{preset.label}: {numbers}", "", *filter(None, (peer_note(totals),))]


def peer_note(totals: Totals) -> str:
    """Return why the measures of pagemeter differ from those of the tool, if they were evaluated."""
    preset = _preset(totals)
    return preset.why if preset and set(preset.own) & set(map(str, totals.scores)) else ""


def _preset(totals: Totals) -> Preset | None:
    label = totals.settings.preset if totals.settings else None
    return None if label is None else find_preset(label)


def _number(value: float) -> str:
    return str(value) if isinstance(value, int) else f"{value:.6g}"
