"""The options of `pagemeter eval`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from pagemeter.commands.parsing import location
from pagemeter.commands.settings import add_settings
from pagemeter.commands.statistics import add_statistics
from pagemeter.commands.working_options import add_store, add_working

if TYPE_CHECKING:
    import argparse


DESCRIPTION = """\
Measures a hypothesis against its ground truth, one page or many. GT and HYP are two files (or - for standard
input), two folders whose files are paired by their names, two lists of files (.lst, or any text file as
@FILE), or texts in JSON lines (.jsonl: {"page": name, "text": text} a line); or GT
is a table of pairs (.tsv, .csv, .jsonl, .ndjson) and HYP is left out."""

_NUMBERS = (
    ("--json", "Write all numbers of all pages"),
    ("--csv", "Write one row a page and measure"),
    ("--markdown", "Write the table to paste into a paper or an issue"),
)

_DETAILS = (
    ("--html", "Write a report to look at: totals, pages, lines, images, confusions,"),
    ("--alignments", "Write what each line got, edit by edit, as JSON Lines"),
    ("--confusions", "Write what was read for what, as CSV,"),
)

_READING = (
    ("format", "NAME", "Read files as this format, see pagemeter formats"),
    ("level", "{line,region,word}", "Take the text from this level of a file"),
    (
        "order",
        "{file,document,top-down,top-down-lines}",
        "Take lines as the file orders them, as they stand in it, or sorted by place (default: file)",
    ),
    ("encoding", "NAME", "Read files in this encoding, except XML that is in the Unicode encoding it names"),
    ("dpi", "DPI", "Turn millimetres and inches into pixels by this resolution"),
)
"""The options that say how files are read: the fields of `Reader`."""


def add_eval(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments and options to a parser."""
    parser.description = DESCRIPTION
    parser.add_argument("gt", type=location, metavar="GT", help="The ground truth.")
    parser.add_argument("hyp", type=location, nargs="?", metavar="HYP", help="What was recognised.")
    add_measures(parser)
    _add_reports(parser.add_argument_group("what is reported (FILE may be - for standard output)"))
    add_html(parser.add_argument_group("what the report of --html has"))
    add_files(parser)
    add_settings(parser)
    add_statistics(parser)
    add_store(parser)
    add_working(parser)


def add_measures(parser: argparse.ArgumentParser) -> None:
    """Adds the options that say what is measured."""
    parser.add_argument(
        "-m", "--measure", action="append", metavar="ID",
        help="Evaluate these measures, such as CER:RS,WER, or all; repeatable (default: six, and six with G "
        "where pages have positions).",
    )  # fmt: skip
    parser.add_argument(
        "--budget", metavar="{CER,WER,none}",
        help="Divide the errors by cause, and evaluate what this needs (default: CER, unless -m is given).",
    )  # fmt: skip
    parser.add_argument(
        "--from-signature", metavar="LINE", help="Take measures and settings from the signature of a result."
    )


def add_files(parser: argparse.ArgumentParser) -> None:
    """Adds the options that say which files belong together and how they are read."""
    _add_pairing(parser.add_argument_group("which files belong together"))
    _add_reading(parser.add_argument_group("how files are read"))


def add_numbers(group: argparse._ArgumentGroup) -> None:
    """Adds the options of reports that show numbers only."""
    for flag, text in _NUMBERS:
        group.add_argument(flag, metavar="FILE", help=f"{text} to FILE.")
    group.add_argument("--per-page", action="store_true", help="Show every page instead of the worst ones.")
    group.add_argument(
        "--fail-above", action="append", metavar="ID=RATE",
        help="Exit with 1 if a rate is higher, such as CER:RS=0.05; repeatable.",
    )  # fmt: skip


def _add_reports(group: argparse._ArgumentGroup) -> None:
    add_numbers(group)
    for flag, text in _DETAILS:
        group.add_argument(flag, metavar="FILE", help=f"{text} to FILE.")
    group.add_argument(
        "--per-line",
        action="store_true",
        help="Show what each line got by the first measure that is not BOW.",
    )
    group.add_argument(
        "--strict", action="store_true", help="Stop at the first warning, bad file or missing page."
    )


def add_html(group: argparse._ArgumentGroup) -> None:
    """Adds the options of the report to look at."""
    group.add_argument(
        "--images",
        type=Path,
        metavar="DIR",
        help="Look for page images here before the places that files name.",
    )
    group.add_argument(
        "--embed-images",
        action="store_true",
        help="Put images into the report, made smaller, instead of links.",
    )
    group.add_argument(
        "--html-size", type=float, metavar="MB", default=100,
        help="Leave out the details of the best pages where the report would get larger (default: 100).",
    )  # fmt: skip


def _add_pairing(group: argparse._ArgumentGroup) -> None:
    for side, example in (("gt", ".gt.txt"), ("hyp", ".pred.txt")):
        group.add_argument(
            f"--{side}-suffix", action="append", metavar="SUFFIX",
            help=f"Take only {side.upper()} files that end so, such as {example}; repeatable.",
        )  # fmt: skip
    group.add_argument(
        "--skip-missing", action="store_true",
        help="Leave out pages of which one side is missing, instead of counting them as missed.",
    )  # fmt: skip
    group.add_argument(
        "--failed-as-missing", action="store_true",
        help="Count a page whose hypothesis cannot be read as missed, instead of leaving it out.",
    )  # fmt: skip


def _add_reading(group: argparse._ArgumentGroup) -> None:
    for name, metavar, text in _READING:
        kind = float if name == "dpi" else str
        group.add_argument(f"--{name}", metavar=metavar, type=kind, help=f"{text}.")
        for side, whose in (("gt", "the ground truth"), ("hyp", "the hypothesis")):
            group.add_argument(
                f"--{side}-{name}", metavar=name.upper(), type=kind, help=f"The same for {whose} only."
            )
