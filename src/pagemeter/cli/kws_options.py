"""The arguments and options of `pagemeter kws`."""

from __future__ import annotations

import argparse
from pathlib import Path

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
        "--area", metavar="OF", help="Divide the overlap by the area of the hyp (default), gt or union."
    )  # fmt: skip
    group.add_argument(
        "--position", metavar="OF", help="Compare with the baseline of the word (default) or line."
    )  # fmt: skip
    group.add_argument(
        "--repeats", metavar="HOW", help="Count further hits on a reference as fp (default), or ignore them."
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
        "--gain", metavar="KIND", help="The gain of NDCG: linear (default), exponential or signed."
    )  # fmt: skip
    group.add_argument(
        "--ranks", metavar="K,K", help="The numbers k of the measures P@k (default: 1,5,10)."
    )  # fmt: skip


def _add_output(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("Output", "FILE can be - for standard output.")
    group.add_argument("--json", metavar="FILE", help="Write totals and queries as JSON.")
    group.add_argument("--csv", metavar="FILE", help="Write one row per query as CSV.")
    group.add_argument("--curve-csv", metavar="FILE", help="Write the curve of precision and recall as CSV.")
    group.add_argument("--curve-svg", metavar="FILE", help="Draw the curve of precision and recall as SVG.")
    group.add_argument("--html", metavar="FILE", help="Write the report as HTML.")
    group.add_argument(
        "--csv-formulas", choices=("escape", "keep"), default="escape",
        help="Escape texts that a spreadsheet takes for formulas, or keep them (default: escape).",
    )  # fmt: skip
    group = parser.add_argument_group("Intervals")
    group.add_argument(
        "--confidence", type=float, metavar="SHARE", help="The confidence (default: 0.95)."
    )  # fmt: skip
    group.add_argument(
        "--resamples", type=int, metavar="N", help="The number of resamples (default: 1000)."
    )  # fmt: skip
    group.add_argument("--seed", type=int, metavar="N", help="The seed (default: 1).")
