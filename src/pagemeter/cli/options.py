"""The options of all commands.

Each `add_…` function of a command adds its description, arguments and options to a parser. This module
imports nothing that is slow to load, because `--help` needs it.
"""

from __future__ import annotations

import argparse
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING

from pagemeter.cli.setting_options import AMERICAN_NAMES, SETTING_OPTIONS
from pagemeter.run_settings import EMPTY_GT, FAILED, REFUSALS, STRATA, Resampling

if TYPE_CHECKING:
    from pagemeter.inputs.locations import Location

_EVAL = """\
Measure how well a system read pages: compare what it recognised (HYP) with
the ground truth (GT).

GT and HYP are one of these:
  two files           of any supported format; - is standard input
  two folders         whose files are paired by name
  two lists of files  (.lst, or any text file written as @FILE)
  two files of texts  in JSON Lines, one {"page": name, "text": text} per line
A table of pairs (.tsv, .csv, .jsonl) is given as GT alone, without HYP, and so
is a METS file with --gt-group and --hyp-group."""

_COMPARE = """\
Compare several systems on the same pages: a ranking by one measure with
confidence intervals and significance tests, the rates of all measures, and
the pages on which the systems differ most.

GT and each SYSTEM are given like GT and HYP of pagemeter eval. Instead of
SYSTEM, a METS file can have --hyp-group for each system. If all arguments are
results stores, the stored results are compared."""

_REPORT = """\
Report the content of a results store, which pagemeter eval --store writes,
in the same form as pagemeter eval."""

DEMO_REPORT = "pagemeter-demo.html"
_STDOUT = "FILE may be - for standard output."
_MEASURES = """\
A measure ID is CER (characters), WER (words) or BOW (bag of words), with
letters after a colon: with R the reading order counts, with S the division
into lines does not count, with G only lines that are close on the page match."""


def add_eval(parser: argparse.ArgumentParser) -> None:
    """Add the arguments and options of `pagemeter eval`."""
    parser.description = _EVAL
    parser.add_argument("gt", type=_location, metavar="GT", help="The ground truth.")
    parser.add_argument("hyp", type=_location, nargs="?", metavar="HYP", help="The recognised pages.")
    _add_settings(parser)
    group = parser.add_argument_group("Output", _STDOUT)
    _add_result_files(group)
    group.add_argument(
        "--html", metavar="FILE",
        help="Write an HTML report with totals, pages, lines, images and confusions.",
    )  # fmt: skip
    group.add_argument(
        "--confidences", action="store_true",
        help="Report how well the confidences of words agree with their errors, in JSON and HTML.",
    )  # fmt: skip
    group.add_argument("--alignments", metavar="FILE", help="Write the alignment of each line as JSON Lines.")
    group.add_argument(
        "--confusions", metavar="FILE", help="Write the confusions and how often they occur as CSV."
    )
    _add_html_options(group)
    _add_printed(group)
    group.add_argument(
        "--per-line", action="store_true", help="Report each line, by the first measure that is not BOW."
    )
    group.add_argument("--by", choices=("type",), help="Print the rates of each type of line.")
    _add_strict(group)
    _add_files(parser)
    _add_statistics(parser)
    _add_store(parser)
    _add_execution(parser)


def add_compare(parser: argparse.ArgumentParser) -> None:
    """Add the arguments and options of `pagemeter compare`."""
    parser.description = _COMPARE
    parser.add_argument("gt", type=_location, metavar="GT", help="The ground truth.")
    parser.add_argument(
        "systems",
        type=_location,
        nargs="*",
        metavar="SYSTEM",
        help="The pages as one system recognised them.",
    )
    parser.add_argument(
        "--baseline", action="store_true", help="Compare each system with the first one only."
    )
    parser.add_argument(
        "--primary", metavar="ID",
        help="Rank and test the systems by this measure (default: CER:RS, or else the first measure).",
    )  # fmt: skip
    parser.add_argument(
        "--all-tests", action="store_true", help="Show the tests and budgets of all measures."
    )
    parser.add_argument(
        "--name", action="append", metavar="NAME",
        help="Name the next system in the order of the arguments; repeatable (default: its folder).",
    )  # fmt: skip
    _add_settings(parser)
    group = parser.add_argument_group("Output", _STDOUT)
    for flag, text in (
        ("--json", "Write all results of all pages and systems as JSON"),
        ("--csv", "Write one row per system, page and measure as CSV"),
        ("--markdown", "Write the tables as Markdown"),
        ("--latex", "Write the tables as LaTeX for the package booktabs"),
        ("--html", "Write an HTML report that shows the systems side by side"),
    ):
        group.add_argument(flag, metavar="FILE", help=f"{text}.")
    _add_csv_formulas(group)
    _add_html_options(group)
    group.add_argument(
        "--per-page", action="store_true",
        help="Show all pages by the primary measure, instead of those that differ most.",
    )  # fmt: skip
    _add_strict(group)
    _add_files(parser, several=True)
    _add_statistics(parser)
    _add_execution(parser)


def add_report(parser: argparse.ArgumentParser) -> None:
    """Add the arguments and options of `pagemeter report`."""
    parser.description = _REPORT
    parser.add_argument("stored", type=Path, metavar="STORE", help="The folder of the results store.")
    group = parser.add_argument_group("Output", _STDOUT)
    _add_result_files(group)
    group.add_argument(
        "--html", metavar="FILE",
        help="Write an HTML report, with the lines of a store that was written with --store-lines.",
    )  # fmt: skip
    _add_html_size(group)
    _add_printed(group)
    _add_statistics(parser)
    parser.set_defaults(alignments=None, confusions=None, per_line=False, by=None)
    parser.set_defaults(images=None, embed_images=False, images_from_anywhere=False)


def add_demo(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `pagemeter demo`."""
    parser.description = "Evaluate the bundled example pages, and write an HTML report with all measures."
    parser.add_argument(
        "html", nargs="?", default=DEMO_REPORT, metavar="FILE",
        help=f"Write the report to this file (default: {DEMO_REPORT}).",
    )  # fmt: skip
    parser.add_argument(
        "--pages", type=Path, metavar="DIR",
        help="Copy the example pages to this new folder and exit, to try other commands with them.",
    )  # fmt: skip


def _location(text: str) -> Location:
    from pagemeter.inputs.locations import as_location  # noqa: PLC0415  (slow to load)

    return as_location(text)


_READING_OPTIONS = (
    ("format", "NAME", "Read files in this format; see pagemeter formats (default: detect it)"),
    (
        "level",
        "{line,region,word,page}",
        "Take the text from this level, or join it to one line (default: lines, or else regions or words)",
    ),
    (
        "order",
        "{file,document,top-down,top-down-lines}",
        "Order lines by the reading order in the file, as they occur in it, or by position (default: file)",
    ),
    ("encoding", "NAME", "Decode files with this encoding (default: what the file declares, or UTF-8)"),
    (
        "dpi",
        "DPI",
        "Convert millimetres and inches to pixels with this resolution (default: that of the file)",
    ),
    (
        "math",
        "{text,canonical}",
        "Read LaTeX as characters if it is simple, or in a form that equal formulas share (default: text)",
    ),
    (
        "tables",
        "{cells,rows,text}",
        "Read one line per cell, per row or per table (default: the lines of the file, or else rows)",
    ),
    (
        "choice",
        "NAMES",
        "Read these elements of TEI instead of what is on the page, such as expan,reg,corr",
    ),
    (
        "readings",
        "{first,all}",
        "Accept the first reading of a line, or all that the file has (default: first)",
    ),
)
"""The options for reading files; each exists for both sides and for a single side."""


# Groups of options that several commands have


def _add_result_files(group: argparse._ArgumentGroup) -> None:
    """Add the reports that need the counts of pages only."""
    group.add_argument("--json", metavar="FILE", help="Write all results of all pages as JSON.")
    group.add_argument("--csv", metavar="FILE", help="Write one row per page and measure as CSV.")
    _add_csv_formulas(group)
    group.add_argument("--markdown", metavar="FILE", help="Write the tables as Markdown.")


def _add_csv_formulas(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "--csv-formulas", choices=("escape", "keep"), default="escape",
        help="Put ' before CSV texts that spreadsheets take for formulas, or keep them (default: escape).",
    )  # fmt: skip


def _add_printed(group: argparse._ArgumentGroup) -> None:
    group.add_argument("--per-page", action="store_true", help="Show all pages instead of the five worst.")
    group.add_argument(
        "--fail-above", action="append", metavar="ID=RATE",
        help="Exit with code 1 if a rate is above this limit, such as CER:RS=0.05; repeatable.",
    )  # fmt: skip


def _add_html_options(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "--images", type=Path, metavar="DIR", help="Look for page images in this folder first, for --html."
    )
    group.add_argument(
        "--embed-images",
        action="store_true",
        help="Embed reduced images in the HTML report instead of links.",
    )
    group.add_argument(
        "--images-from-anywhere",
        action="store_true",
        help="Take images from any path that a page's file names, even outside its folder.",
    )
    _add_html_size(group)


def _add_html_size(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "--full-paths",
        action="store_true",
        help="Show full paths in the HTML report instead of paths relative to the arguments.",
    )
    group.add_argument(
        "--html-size", type=float, metavar="MB", default=100,
        help="Limit the size of the HTML report by leaving out details of the best pages (default: 100).",
    )  # fmt: skip


def _add_strict(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "--strict", action="store_true", help="Stop at the first warning, unreadable file or missing page."
    )


def _add_settings(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("Text and measures", _MEASURES)
    group.add_argument(
        "-m", "--measure", action="append", metavar="ID",
        help="Evaluate these measures, such as CER:RS,WER or all; repeatable (default: CER:R, CER:RS, CER:S, "
        "WER:R, WER:S and BOW).",
    )  # fmt: skip
    group.add_argument(
        "--budget", metavar="{CER,WER,none}",
        help="Divide the errors by cause, from recognition to position (default: CER, or none with -m).",
    )  # fmt: skip
    group.add_argument(
        "--from-signature", metavar="SIGNATURE", help="Use the measures and settings of an earlier result."
    )
    for option in SETTING_OPTIONS:
        group.add_argument(option.flag, **option.arguments)
        if option.field in AMERICAN_NAMES:
            hidden = {"dest": option.field, "help": argparse.SUPPRESS}
            group.add_argument(f"--{AMERICAN_NAMES[option.field]}", **option.arguments | hidden)


def _add_files(parser: argparse.ArgumentParser, *, several: bool = False) -> None:
    group = parser.add_argument_group("Pairing of files")
    for side, name, example in (("gt", "ground truth", ".gt.txt"), ("hyp", "hypothesis", ".pred.txt")):
        group.add_argument(
            f"--{side}-suffix", action="append", metavar="SUFFIX",
            help=f"Use only {name} files with this suffix, such as {example}; repeatable.",
        )  # fmt: skip
    group.add_argument(
        "--gt-group", metavar="GROUP", help="Use this file group of a METS file as the ground truth."
    )
    group.add_argument(
        "--hyp-group", metavar="GROUP", action="append" if several else "store",
        help=f"Use this file group as {'the next system; repeatable' if several else 'the hypothesis'}.",
    )  # fmt: skip
    group.add_argument(
        "--verdicts", type=Path, metavar="FILE",
        help="Ignore the lines and pages that were marked as wrong or to be ignored in an HTML report.",
    )  # fmt: skip
    group.add_argument(
        "--skip-missing", action="store_true",
        help="Leave out pages with a missing file, instead of counting their text as missing.",
    )  # fmt: skip
    group.add_argument(
        "--failed", metavar=f"{{{','.join(FAILED)}}}",
        help="Count a hypothesis that is unreadable or has no text as missing, or exclude the page (default: "
        "missing).",
    )  # fmt: skip
    group.add_argument(
        "--refusals", metavar=f"{{{','.join(REFUSALS)}}}",
        help="Count a model's refusal to read a page as text, or as missing (default: keep).",
    )  # fmt: skip
    group.add_argument(
        "--empty-gt", metavar=f"{{{','.join(EMPTY_GT)}}}",
        help="Count text on pages without ground-truth text as errors, or exclude them (default: keep).",
    )  # fmt: skip
    group = parser.add_argument_group("Reading files")
    group.add_argument(
        "--gt-lines", dest="gt_level", action="store_const", const="line",
        help="Read the lines of ground truth that also has paragraphs; the same as --gt-level line.",
    )  # fmt: skip
    for name, metavar, text in _READING_OPTIONS:
        kind = float if name == "dpi" else str
        group.add_argument(f"--{name}", metavar=metavar, type=kind, help=f"{text}.")
        for side, whose in (("gt", "ground truth"), ("hyp", "hypothesis")):
            group.add_argument(
                f"--{side}-{name}", metavar=name.upper(), type=kind,
                help=f"Set --{name} for the {whose} only.",
            )  # fmt: skip


def _add_statistics(parser: argparse.ArgumentParser) -> None:
    default = {field.name: field.default for field in fields(Resampling)}
    group = parser.add_argument_group("Statistics")
    group.add_argument(
        "--confidence", metavar="SHARE", type=float,
        help=f"Set the confidence level of intervals (default: {default['confidence']}).",
    )  # fmt: skip
    group.add_argument(
        "--strata", metavar=f"{{{','.join(STRATA)}}}",
        help="Resample pages within folders, or within the documents that a table of pairs names (default: "
        f"{default['strata']}).",
    )  # fmt: skip
    group.add_argument(
        "--resamples", metavar="NUMBER", type=int,
        help=f"Set the number of random resamples (default: {default['resamples']}).",
    )  # fmt: skip
    group.add_argument(
        "--seed", metavar="NUMBER", type=int,
        help=f"Set the seed of the random numbers (default: {default['seed']}).",
    )  # fmt: skip


def _add_store(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("Results store")
    group.add_argument(
        "--store", type=_location, metavar="DIR",
        help="Keep all results in DIR as Parquet files, and reuse those of unchanged pages.",
    )  # fmt: skip
    group.add_argument(
        "--store-lines", action="store_true", help="Keep the alignment of each line in the store as well."
    )
    group.add_argument(
        "--force", action="store_true", help="Evaluate all pages again, even if they are in the store."
    )
    group.add_argument(
        "--prune", action="store_true", help="Remove pages that are not among the inputs from the store."
    )


def _add_execution(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("Execution")
    group.add_argument(
        "--scheduler", metavar="ADDRESS",
        help="Use the Dask cluster at this address, such as tcp://host:8786, or start one here: local.",
    )  # fmt: skip
    add_limits(group)


def add_limits(group: argparse._ArgumentGroup) -> None:
    """Add the number of processes, and the limits of a page."""
    group.add_argument(
        "--jobs", type=int, metavar="NUMBER", help="Use this number of processes (default: one per core)."
    )
    group.add_argument(
        "--page-seconds", type=float, metavar="SECONDS",
        help="Give up a page that takes longer than this (default: 120, plus 10 per search and unit "
        "of effort).",
    )  # fmt: skip
    group.add_argument(
        "--page-memory", type=float, metavar="MB",
        help="Give up a page that needs more memory than this (default: 4000, on Linux).",
    )  # fmt: skip


_DESCRIPTION = """\
Evaluate keyword spotting: hits of queries with scores, against the places of the queries.

GT and HYP are one of
  TREC         qrels and a run
  KwsEvalTool  tables with line, query, relevance and score; GT alone has both
  ICDAR 2017   boxes of queries, and of hits with scores
  CITlab       JSON of keywords with baselines
  pages        files, folders or lists, as for pagemeter eval; the queries are the words of GT"""


def add_kws(parser: argparse.ArgumentParser) -> None:
    """Add the arguments and options of `pagemeter kws`."""
    parser.description = _DESCRIPTION
    parser.add_argument("gt", metavar="GT", help="The references.")
    parser.add_argument("hyp", nargs="?", metavar="HYP", help="The hits.")
    group = parser.add_argument_group("Input")
    group.add_argument(
        "--format", metavar="NAME",
        help="Read this format: trec, prhlt, icdar2017, citlab or pages (default: detected).",
    )  # fmt: skip
    group.add_argument(
        "--queries", type=Path, metavar="FILE", help="Evaluate only these queries, one per line."
    )  # fmt: skip
    group.add_argument(
        "--case", metavar="HOW", help="Keep case (keep, default), or ignore it on pages (fold)."
    )  # fmt: skip
    _add_measures(parser)
    group = parser.add_argument_group("Matching")
    group.add_argument(
        "--overlap", type=float, metavar="SHARE",
        help="Accept hits with this share of their box or baseline on the reference (default: 0.5).",
    )  # fmt: skip
    group.add_argument(
        "--area", metavar="OF", help="Divide the overlap by the area of hyp (default), gt or union."
    )  # fmt: skip
    group.add_argument(
        "--position", metavar="OF", help="Compare with the baseline of the word (default) or of the line."
    )  # fmt: skip
    group.add_argument(
        "--repeats", metavar="HOW",
        help="Count further hits on a reference as false positives (fp, default), or ignore them.",
    )  # fmt: skip
    _add_output(parser)
    parser.set_defaults(mapping=None, gt_suffix=None, hyp_suffix=None)


def _add_measures(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("Measures")
    group.add_argument(
        "--preset", metavar="NAME", help="Use the settings of a tool: trec, icdar2017, prhlt or citlab."
    )  # fmt: skip
    group.add_argument(
        "--ties", metavar="HOW",
        help="Order hits of equal score: mean over all orders (default), one-point, best, worst, listed, or "
        "document.",
    )  # fmt: skip
    group.add_argument(
        "--interpolate", action=argparse.BooleanOptionalAction, help="Interpolate the precision."
    )  # fmt: skip
    group.add_argument(
        "--trapezoid", action=argparse.BooleanOptionalAction, help="Integrate by the trapezoid rule."
    )  # fmt: skip
    group.add_argument(
        "--unanswerable", metavar="HOW",
        help="Count queries without references: skip (default), zero, or silence (1 without hits, else 0).",
    )  # fmt: skip
    group.add_argument(
        "--gain", metavar="KIND", help="Use this gain in NDCG: linear (default), exponential or signed."
    )  # fmt: skip
    group.add_argument(
        "--ranks", metavar="K,K", help="Report P@k and NDCG@k for these k (default: 1,5,10)."
    )  # fmt: skip


def _add_output(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("Output", _STDOUT)
    group.add_argument("--json", metavar="FILE", help="Write totals and queries as JSON.")
    group.add_argument("--csv", metavar="FILE", help="Write one row per query as CSV.")
    group.add_argument("--curve-csv", metavar="FILE", help="Write the curve of precision and recall as CSV.")
    group.add_argument("--curve-svg", metavar="FILE", help="Draw the curve of precision and recall as SVG.")
    group.add_argument("--html", metavar="FILE", help="Write the report as HTML.")
    group.add_argument(
        "--csv-formulas", choices=("escape", "keep"), default="escape",
        help="Put ' before CSV texts that spreadsheets take for formulas, or keep them (default: escape).",
    )  # fmt: skip
    group = parser.add_argument_group("Intervals")
    group.add_argument(
        "--confidence", type=float, metavar="SHARE", help="Set the confidence level (default: 0.95)."
    )  # fmt: skip
    group.add_argument(
        "--resamples", type=int, metavar="N", help="Set the number of resamples (default: 1000)."
    )  # fmt: skip
    group.add_argument("--seed", type=int, metavar="N", help="Set the seed (default: 1).")
