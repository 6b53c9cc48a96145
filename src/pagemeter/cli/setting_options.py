"""The fields of `Settings` as options of the command, and the names of settings as options."""

from __future__ import annotations

import shlex
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from pagemeter.settings import EFFORTS, SETTING_CHOICES, STRIPPABLE, TOKENISERS, Settings


@dataclass(frozen=True, slots=True)
class SettingOption:
    """A field of `Settings` as an option; its default and choices are those of the field."""

    field: str
    help: str
    metavar: str = ""
    repeated: bool = False

    @property
    def flag(self) -> str:
        """The option as it is typed."""
        return as_option(self.field)

    @property
    def arguments(self) -> dict[str, Any]:
        """The arguments of `add_argument`; `Settings` checks the values, because it suggests the nearest."""
        default = _DEFAULTS[self.field]
        if default is False:
            return {"action": "store_const", "const": True, "help": f"{self.help}."}
        is_number = isinstance(default, float)
        text = f"{default:g}" if is_number else default
        return {
            "metavar": self.metavar or f"{{{','.join(SETTING_CHOICES[self.field])}}}",
            "type": float if is_number else str,
            "action": "append" if self.repeated else "store",
            "help": f"{self.help}." if default in (None, ()) else f"{self.help} (default: {text}).",
        }

    def value(self, given: Any) -> Any:  # noqa: ANN401
        """Return the parsed value as `Settings` takes it; several values may be separated by commas."""
        if self.field == "mapping":
            return [
                name for names in given for name in ([names] if Path(names).exists() else names.split(","))
            ]
        return ",".join(given) if self.repeated else given


_DEFAULTS = {field.name: field.default for field in fields(Settings)}

_SIDES = (("", ""), ("gt_", " of the ground truth"), ("hyp_", " of the hypothesis"))

SETTING_OPTIONS = (
    SettingOption(
        "preset",
        "Give the numbers of another tool, such as dinglehopper or jiwer; see pagemeter presets",
        "NAME[@VERSION]",
    ),
    SettingOption("solver", "Compute the exact minimum, or use the algorithms of the paper"),
    SettingOption("unit", "Count grapheme clusters or code points as characters"),
    SettingOption("normalise", "Apply this Unicode normalisation form to both texts"),
    SettingOption(
        "mapping",
        "Replace characters with the rules of a bundled list or a file, such as long-s,ligatures; repeatable",
        "NAME",
        repeated=True,
    ),
    SettingOption(
        "keep_lines", "Compare only lines that contain a match of this regular expression", "REGEX"
    ),
    SettingOption("drop_lines", "Leave out lines that contain a match of this regular expression", "REGEX"),
    SettingOption(
        "hyphens", "Keep hyphens at line ends, make all the same, remove them, or join the divided words"
    ),
    SettingOption("case", "Keep upper and lower case, or ignore the difference"),
    SettingOption(
        "strip",
        "Remove characters of these kinds; repeatable",
        f"{{{','.join(STRIPPABLE)}}}",
        repeated=True,
    ),
    SettingOption("only", "Compare all characters, or only letters and numbers"),
    SettingOption(
        "whitespace", "Collapse white space, keep it, strip lines or the page, or read it as spaces"
    ),
    SettingOption(
        "line_end",
        "With T, count line ends between lines, after each line, or as given, or read them as spaces",
    ),
    SettingOption(
        "boundaries",
        "Let words end at spaces and between characters of scripts without spaces, or only at spaces",
    ),
    SettingOption("tokeniser", "Split words with this method", f"{{{','.join(TOKENISERS)}}}"),
    SettingOption("line_pairs", "Match any lines, or only those with the same number or id"),
    SettingOption(
        "threshold",
        "Match lines only if more than this share of a baseline is covered, for measures with G",
        "SHARE",
    ),
    SettingOption(
        "effort",
        "Limit the search for one minimum with S to this work, the same on every machine: "
        f"{', '.join(EFFORTS)}, or a number of units of about a second",
        "EFFORT",
    ),
    SettingOption(
        "time_limit",
        "Stop such a search after this time in an emergency; its result is then not reproducible",
        "SECONDS",
    ),
    *(
        SettingOption(
            prefix + "optional",
            f"Do not count lines of these types{where} as errors if they have no match; repeatable",
            "TYPE",
            repeated=True,
        )
        for prefix, where in _SIDES
    ),
    *(
        SettingOption(
            prefix + "ignore",
            f"Remove lines of these types{where} before anything is compared; repeatable",
            "TYPE",
            repeated=True,
        )
        for prefix, where in _SIDES
    ),
    SettingOption(
        "partial",
        "Count text of the hypothesis as extra only inside matched lines, for a partial ground truth",
    ),
    SettingOption(
        "gap", "Let a gap in the ground truth stand for up to this much text of the hypothesis", "CHARACTERS"
    ),
    SettingOption("unclear", "Compare unclear ground truth as text, wildcards or a gap, or leave it out"),
    SettingOption(
        "supplied",
        "Compare text that an editor supplied in one of these ways, or as the format of the file defines",
    ),
    SettingOption(
        "wildcard", "Let each match in the ground truth stand for one illegible character", "REGEX"
    ),
    SettingOption("gap_pattern", "Let each match in the ground truth be a gap", "REGEX"),
    SettingOption(
        "counts", "Count the canonical alignment, that of RapidFuzz, or the diagonal one of E2EHTREval"
    ),
    SettingOption(
        "denominator",
        "Divide errors by the tokens of the ground truth, the longer side, the alignment, or both sides",
    ),
    SettingOption("average", "Divide all errors by all tokens, or take the mean or median of pages"),
    SettingOption(
        "empty", "Set the rate without ground-truth text to infinite, to the number of errors, or to zero"
    ),
)

AMERICAN_NAMES = {"normalise": "normalize", "tokeniser": "tokenizer"}
"""The American spellings of settings, which are accepted but not listed."""

_OTHER_NAMES = {"measures": "measure"}
"""Settings of Python whose option has another name."""


def as_option(name: str, value: str = "") -> str:
    """Return a setting as a command-line option.

    >>> as_option("gt_suffix", ".txt"), as_option("skip_missing"), as_option("drop_lines", "a b")
    ('--gt-suffix .txt', '--skip-missing', "--drop-lines 'a b'")
    """
    option = f"--{_OTHER_NAMES.get(name, name.replace('_', '-'))}"
    return f"{option} {shlex.quote(value)}" if value else option
