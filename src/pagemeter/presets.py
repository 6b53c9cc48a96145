"""Presets: the settings and measures with which pagemeter gives the numbers of another tool.

A preset expands to settings, all of which are in the signature. Its numbers are also given in the terms of
the tool. What each tool computes, and what it reads differently, is in docs/migrating.md.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping  # noqa: TC003  (types of the fields of a dataclass)
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from pagemeter.errors import UsageError, did_you_mean
from pagemeter.signature import OVERRIDDEN

if TYPE_CHECKING:
    from pagemeter.score import Score

    Scores = Mapping[Any, Score]

Terms = dict[str, float | int]
"""Numbers by the names that a tool has for them."""

_OWN = ("CER:RS", "WER:S")
_LINE_ENDS = (
    "CER:RS and WER:S ignore line ends and how text is divided into lines, and WER:S also ignores the order "
    "of lines"
)


@dataclass(frozen=True, slots=True)
class Preset:
    """The settings of one version of a tool.

    Args:
        name: The name of the preset.
        version: The version of the tool.
        tool: What the tool is.
        measures: The measures that the tool has.
        settings: The settings that differ from the default.
        terms: Returns the numbers in the terms of the tool, given the scores of a page or the totals.
        own: Measures of pagemeter that are evaluated as well, for comparison.
        why: One sentence on why these differ from the measures of the tool.
        spread: True if the tool reports the mean and the standard deviation over pages.

    """

    name: str
    version: str
    tool: str
    measures: tuple[str, ...]
    settings: Mapping[str, Any]
    terms: Callable[[Scores], Terms] = field(repr=False)
    own: tuple[str, ...] = _OWN
    why: str = _LINE_ENDS
    spread: bool = False

    @property
    def label(self) -> str:
        """The name and the version, as in a signature."""
        return f"{self.name}@{self.version}"

    @property
    def all_measures(self) -> tuple[str, ...]:
        """The ids of the measures that are evaluated by default; `?` means only with positions."""
        return (*self.measures, *self.own)


def find_preset(name: object) -> Preset:
    """Return the preset with this name, which may be followed by @ and a version or the beginning of one.

    Raises:
        UsageError: There is no preset with this name and version.

    >>> [find_preset(name).label for name in ("dinglehopper", "jiwer@4.0.0", "jiwer@4")]
    ['dinglehopper@0.11', 'jiwer@4.0', 'jiwer@4.0']

    """
    text = str(name).strip().removesuffix(OVERRIDDEN)
    tool, _, version = text.lower().partition("@")
    preset = TOOL_PRESETS.get(tool)
    if preset is None:
        raise UsageError(
            f"unknown preset{did_you_mean(tool, TOOL_PRESETS)}",
            setting=("preset", text),
            remedy=f"use one of {', '.join(TOOL_PRESETS)}",
        )
    shared = min(len(version), len(preset.version)) + 1
    if version and f"{version}."[:shared] != f"{preset.version}."[:shared]:
        raise UsageError(
            f"the preset is that of version {preset.version}",
            setting=("preset", text),
            remedy=f"use {preset.label}, or the settings one by one",
        )
    return preset


def peer_terms(preset: str | None, scores: Scores) -> Terms:
    """Return scores in the terms of a tool; empty without a preset, or if its measures were not evaluated.

    >>> from pagemeter import evaluate
    >>> peer_terms("isri", evaluate("one line", "one lime", preset="isri").scores)["accuracy"]
    87.5
    """
    if preset is None:
        return {}
    found = find_preset(preset)
    evaluated = set(map(str, scores))
    needed = {measure for measure in found.measures if not measure.endswith("?")}
    return found.terms(scores) if needed <= evaluated else {}


# Terms of the tools. Their insertions are extra tokens, and their deletions missing ones.


def _dinglehopper(scores: Scores) -> Terms:
    cer, wer = scores["CER:T"], scores["WER:T"]
    return {"cer": cer.rate, "n_characters": cer.n_gt, "wer": wer.rate, "n_words": wer.n_gt}


def _ocrd(scores: Scores) -> Terms:
    return {
        "cer": scores["CER:T"].path_rate,
        "wer": scores["WER:T"].path_rate,
        "bwe": scores["BOW"].bwe,
    }


def _jiwer(scores: Scores) -> Terms:
    cer, wer = scores["CER:T"], scores["WER:T"]
    terms: Terms = {"cer": cer.rate, "wer": wer.rate, "mer": wer.mer, "wil": wer.wil, "wip": wer.wip}
    for prefix, score in (("", wer), ("character ", cer)):
        terms |= {
            f"{prefix}hits": score.cor,
            f"{prefix}substitutions": score.sub,
            f"{prefix}deletions": score.ins,
            f"{prefix}insertions": score.dels,
        }
    return terms


def _hf(scores: Scores) -> Terms:
    return {"cer": scores["CER:T"].rate, "wer": scores["WER:T"].rate}


def _torchmetrics(scores: Scores) -> Terms:
    cer, wer = scores["CER:T"], scores["WER:T"]
    longer = wer.base("max")
    hits = longer - wer.errors
    preserved = hits / wer.n_gt * hits / wer.n_hyp if wer.n_gt and wer.n_hyp else math.nan
    return {
        "CharErrorRate": cer.rate,
        "WordErrorRate": wer.rate,
        "MatchErrorRate": wer.errors / longer if longer else 0.0,
        "WordInfoPreserved": preserved,
        "WordInfoLost": 1 - preserved,
    }


def _ketos(scores: Scores) -> Terms:
    cer, wer = scores["CER"], scores["WER"]
    return {
        "characters": cer.n_gt,
        "errors": cer.errors,
        "character accuracy": 100 * cer.accuracy,
        "word accuracy": 100 * wer.accuracy,
    }


def _isri(scores: Scores) -> Terms:
    characters, words = scores["CER:T"], scores["LCS"]
    return {
        "characters": characters.n_gt,
        "errors": characters.errors,
        "accuracy": 100 * characters.accuracy,
        "words": words.n_gt,
        "misrecognized": words.ins,
        "word accuracy": 100 * words.recall,
    }


def _e2e(scores: Scores) -> Terms:
    words = scores["WER:T"]
    return {
        "CER": 100 * scores["CER:T"].rate,
        "WER": 100 * words.rate,
        "S": words.sub,
        "I": words.dels,
        "D": words.ins,
        "C": words.cor,
        "bWER": 100 * scores["BOW"].rate,
        "hWER": 100 * scores["HWER"].rate,
    }


def _digital_eval(scores: Scores) -> Terms:
    bag = scores["BOW"]
    return {
        "Cs": 100 * scores["CER:T"].accuracy,
        "Ws": 100 * scores["WER:T"].accuracy,
        "BoWs": 100 * (1 - bag.bwe),
    }


def _spacer(scores: Scores) -> Terms:
    return {"SpACER char": scores["BOC"].rate, "SpACER word": scores["BOW"].rate}


def _citlab(scores: Scores) -> Terms:
    terms: Terms = {}
    for measure in (measure for measure in scores if not measure.segmentation):
        score = scores[measure]
        terms[f"{measure} ERR"] = score.rate
        terms |= {
            f"{measure} {name}": value
            for name, value in (
                ("COR", score.cor), ("SUB", score.sub), ("INS", score.ins), ("DEL", score.dels),
            )
        }  # fmt: skip
    return terms


_RAW = {"unit": "codepoint", "normalise": "none", "boundaries": "spaces"}
_DINGLEHOPPER = {
    "mapping": "sbb",
    "whitespace": "strip",
    "boundaries": "spaces",
    "tokeniser": "dinglehopper",
}
_JIWER = _RAW | {
    "whitespace": "strip-page",
    "tokeniser": "space",
    "counts": "rapidfuzz",
}

TOOL_PRESETS: dict[str, Preset] = {
    preset.name: preset
    for preset in (
        Preset(
            "dinglehopper",
            "0.11",
            "dinglehopper and dinglehopper-summarize",
            ("CER:T", "WER:T"),
            _DINGLEHOPPER | {"average": "macro"},
            _dinglehopper,
        ),
        Preset(
            "ocrd",
            "3.28",
            "the evaluation of the OCR-D specification, on the tokens of dinglehopper",
            ("CER:T", "WER:T", "BOW"),
            _DINGLEHOPPER | {"counts": "rapidfuzz", "denominator": "path"},
            _ocrd,
        ),
        Preset(
            "jiwer",
            "4.0",
            "jiwer, with a page as one string",
            ("CER:T", "WER:T"),
            _JIWER | {"empty": "count"},
            _jiwer,
        ),
        Preset(
            "hf", "0.4", "the metrics cer and wer of Hugging Face evaluate", ("CER:T", "WER:T"), _JIWER, _hf
        ),
        Preset(
            "torchmetrics",
            "1.9",
            "the text metrics of torchmetrics, with a page as one string",
            ("CER:T", "WER:T"),
            _RAW | {"whitespace": "keep", "line_end": "counted-given"},
            _torchmetrics,
        ),
        Preset(
            "ketos",
            "5.2",
            "ketos test of kraken, line by line",
            ("CER", "WER"),
            _RAW | {"whitespace": "spaces", "line_pairs": "number"},
            _ketos,
            why="CER and WER compare lines with the same number only, CER:RS and WER:S find the lines",
        ),
        Preset(
            "isri",
            "7.0",
            "accuracy and wordacc of the ISRI tools (ocreval)",
            ("CER:T", "LCS"),
            _RAW | {"mapping": "isri-marks", "line_end": "counted-given", "tokeniser": "isri"},
            _isri,
        ),
        Preset(
            "e2e",
            "2023",
            "E2EHTREval",
            ("CER:T", "WER:T", "BOW", "HWER"),
            _RAW | {"normalise": "NFC", "line_end": "space", "counts": "diagonal"},
            _e2e,
        ),
        Preset(
            "digital-eval",
            "1.10",
            "digital-eval",
            ("CER:T", "WER:T", "BOW"),
            _RAW
            | {
                "normalise": "NFC",
                "whitespace": "strip",
                "line_end": "space",
                "denominator": "max",
                "average": "macro",
            },
            _digital_eval,
            spread=True,
        ),
        Preset(
            "spacer",
            "0.1",
            "SpACER (mote_error)",
            ("BOC", "BOW"),
            _RAW | {"whitespace": "keep", "line_end": "counted-given", "empty": "zero"},
            _spacer,
            why="BOC and BOW do not count where characters and words are, CER:RS and WER:S do",
        ),
        Preset(
            "citlab",
            "2019",
            "the end-to-end error rates of CITlabErrorRate",
            ("CER:R", "CER:RG?", "WER:R", "WER:RG?"),
            _RAW | {"whitespace": "keep"},
            _citlab,
            own=("CER:RS", "CER:S"),
            why="with S, CITlabErrorRate solves another problem than CER:RS and CER:S",
        ),
    )
}
"""All presets by name."""
