"""The options that change settings: one row a field of `Settings`."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pagemeter.settings import CHOICES, STRIPPABLE, TOKENISERS, Settings

if TYPE_CHECKING:
    import argparse

    from pagemeter.text.mapping import Mapping


@dataclass(frozen=True, slots=True)
class Row:
    """A field of `Settings` as an option; what it may be is taken from the settings where they say so."""

    field: str
    help: str
    metavar: str = ""
    repeated: bool = False

    @property
    def flag(self) -> str:
        """The option as it is typed."""
        return "--" + self.field.replace("_", "-")

    @property
    def arguments(self) -> dict[str, Any]:
        """What argparse wants to know. The settings check the values, for they suggest the nearest."""
        metavar = self.metavar or f"{{{','.join(CHOICES[self.field])}}}"
        kind = float if isinstance(self.default, float) else str
        action = "append" if self.repeated else "store"
        return {
            "metavar": metavar,
            "type": kind,
            "action": action,
            "help": f"{self.help}{self._default_text}.",
        }

    @property
    def default(self) -> Any:  # noqa: ANN401
        """What holds if the option is not given."""
        return getattr(Settings(), self.field)

    @property
    def _default_text(self) -> str:
        if self.default is None or self.default == ():
            return ""
        shown = f"{self.default:g}" if isinstance(self.default, float) else self.default
        return f" (default: {shown})"

    def value(self, given: Any) -> Any:  # noqa: ANN401
        """What was given as the settings want it; several may be separated by commas, as in a signature."""
        if self.field == "mapping":
            return [
                name for names in given for name in ([names] if Path(names).exists() else names.split(","))
            ]
        return ",".join(given) if self.default == () else given


ROWS = (
    Row("solver", "Find the exact minimum, or run the paper's own algorithms"),
    Row("unit", "Count grapheme clusters or code points as characters"),
    Row("normalise", "Bring both texts into this Unicode normalisation form"),
    Row(
        "mapping",
        "Replace characters by the rules of bundled lists or files, such as long-s,ligatures; repeatable",
        "NAME",
        repeated=True,
    ),
    Row("keep_lines", "Compare only lines in which this regular expression is found", "REGEX"),
    Row("drop_lines", "Leave out lines in which this regular expression is found", "REGEX"),
    Row("hyphens", "Keep hyphens at line ends, make them alike, remove them, or join the words"),
    Row("case", "Tell capital from small letters, or fold them"),
    Row(
        "strip",
        "Leave out characters of these kinds; repeatable",
        f"{{{','.join(STRIPPABLE)}}}",
        repeated=True,
    ),
    Row("only", "Compare all characters, or letters and numbers only"),
    Row("whitespace", "Collapse and strip white space, or keep it"),
    Row("tokeniser", "Cut words for WER and BOW this way", f"{{{','.join(TOKENISERS)}}}"),
    Row("threshold", "With G, a line is near if more than this share of its baseline is covered", "SHARE"),
    Row("time_limit", "Seek the minimum of one measure of one page for at most so long", "SECONDS"),
)


def add_settings(parser: argparse.ArgumentParser) -> None:
    """Adds the options to a parser."""
    group = parser.add_argument_group("what the numbers depend on")
    for row in ROWS:
        group.add_argument(row.flag, **row.arguments)


def settings_of(parsed: argparse.Namespace, base: Settings | None = None) -> Settings:
    """The settings that were asked for, on top of those of a signature.

    >>> import argparse
    >>> parser = argparse.ArgumentParser()
    >>> add_settings(parser)
    >>> settings_of(parser.parse_args(["--unit", "codepoint"])).unit
    'codepoint'
    """
    return (base or Settings()).with_(**_given(parsed))


def mapping_of(parsed: argparse.Namespace) -> Mapping | None:
    """The mapping that was given, if any was."""
    return Settings(mapping=_given(parsed).get("mapping")).mapping


def _given(parsed: argparse.Namespace) -> dict[str, Any]:
    given = {row: getattr(parsed, row.field) for row in ROWS}
    return {row.field: row.value(value) for row, value in given.items() if value is not None}
