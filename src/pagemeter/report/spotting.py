"""Reports of keyword spotting: on a terminal, as JSON, CSV, SVG and HTML."""

from __future__ import annotations

import math
from dataclasses import asdict
from html import escape
from typing import TYPE_CHECKING, Any, TextIO

from pagemeter.report.columns import format_percent
from pagemeter.report.csv import CsvTable
from pagemeter.report.grid import Grid
from pagemeter.report.json import dump_json
from pagemeter.report.names import printable, shorten
from pagemeter.report.plots import Axes, Picture, element, ticks

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from pagemeter.report.csv import CsvFormulas
    from pagemeter.spotting import QueryResult, SpottingResult

COUNTS = ("queries", "references", "hits", "true_positives")
"""The entries of a result that are numbers of things."""
TITLES = {
    "mAP": "mean average precision",
    "gAP": "average precision of all hits together",
    "wmAP": "mAP weighted by references",
    "mRP": "R-precision, mean",
    "gRP": "R-precision, all hits together",
    "precision": "right hits of all hits",
    "recall": "found references of all references",
    "mNDCG": "NDCG, mean",
    "gNDCG": "NDCG, all hits together",
    "F1": "F1 at the best threshold",
    "threshold": "the threshold of the best F1",
}
"""The measures in words."""
_WORST = 20
_MOST_NAME = 40  # columns of a query on a terminal
_CURVE_FIELDS = ("threshold", "hits", "true_positives", "recall", "precision", "interpolated", "f1")
_QUERY_COUNTS = ("references", "hits", "true_positives", "repeated")
_STYLE = """\
:root{color-scheme:light dark}
body{font:15px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}
table{border-collapse:collapse;margin:1rem 0}
th,td{padding:.2rem .8rem;text-align:right;border-bottom:1px solid #8884}
th:first-child,td:first-child{text-align:left}
code{overflow-wrap:anywhere}
"""


def json_text(result: SpottingResult) -> str:
    """Return the JSON of a result: signature, total, intervals, queries and warnings.

    >>> import json, pagemeter as pm
    >>> text = json_text(pm.kws({"q": {"a": 1}}, {"q": {"a": 0.5}}))
    >>> json.loads(text)["total"]["mAP"], json.loads(text)["queries"][0]["query"]
    (1.0, 'q')
    """
    parts: dict[str, Any] = {
        "signature": result.signature,
        "total": _finite(result),
        "intervals": {name: list(bounds) for name, bounds in result.intervals.items()},
    }
    lines = [f"{dump_json(name)}: {dump_json(value)}" for name, value in parts.items()]
    queries = ",\n ".join(dump_json(_finite(one.as_dict())) for one in result.queries)
    lines.append(f'"queries": [\n {queries}]' if queries else '"queries": []')
    lines.append(f'"warnings": {dump_json([warning.as_dict() for warning in result.warnings])}')
    return "{" + ",\n".join(lines) + "}\n"


def _finite(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return values for JSON, which has no infinite numbers."""
    return {
        name: None if isinstance(value, float) and not math.isfinite(value) else value
        for name, value in values.items()
    }


def write_queries(result: SpottingResult, file: TextIO, formulas: CsvFormulas = "escape") -> None:
    """Write one row per query as CSV."""
    names = result.queries[0].as_dict() if result.queries else ("query", *_QUERY_COUNTS)
    table = CsvTable(file, names, formulas)
    table.write_header()
    table.write(one.as_dict() for one in result.queries)


def write_curve(result: SpottingResult, file: TextIO) -> None:
    """Write the curve of precision and recall as CSV, one row per distinct score.

    >>> import sys, pagemeter as pm
    >>> write_curve(pm.kws({"q": {"a": 1}}, {"q": {"b": 0.9, "a": 0.5}}), sys.stdout)
    threshold,hits,true_positives,recall,precision,interpolated,f1
    0.9,1,0,0.0,0.0,0.5,0.0
    0.5,2,1,1.0,0.5,0.5,0.6666666666666666
    """
    table = CsvTable(file, _CURVE_FIELDS)
    table.write_header()
    table.write(
        {**asdict(point), "interpolated": highest}
        for point, highest in zip(result.curve, result.interpolated, strict=True)
    )


def curve_plot(result: SpottingResult) -> Picture:
    """Return the curve of precision by recall as SVG, and as a thin line the interpolated one."""
    axes = Axes((0.0, 1.0), (0.0, 1.0))
    values = [f"{100 * tick:g} %" for tick in ticks(0.0, 1.0)]
    frame = [*axes.vertical("precision", values), *axes.horizontal("recall", values)]
    measured = [(point.recall, point.precision) for point in result.curve]
    highest = [(point.recall, value) for point, value in zip(result.curve, result.interpolated, strict=True)]
    lines = [
        _polyline(axes, points, width, opacity)
        for points, width, opacity in ((highest, 1, 0.5), (measured, 2, 1))
        if points
    ]
    count = len(result.queries)
    title = f"precision by recall, {count:,} quer{'y' if count == 1 else 'ies'}"
    return Picture(title, 640, 320, (*frame, *lines))


def _polyline(axes: Axes, points: Iterable[tuple[float, float]], width: float, opacity: float) -> str:
    # Many points share a tenth of a pixel.
    pairs = " ".join(dict.fromkeys(f"{axes.at_x(x):.1f},{axes.at_y(y):.1f}" for x, y in points))
    return element(
        "polyline", points=pairs, fill="none", stroke="#3b82c4", stroke_width=width, stroke_opacity=opacity
    )


def _counts(result: SpottingResult) -> str:
    """Return the counts as text, such as "1 query, 2 references, 3 hits, 1 true positive"."""
    plural = {1: lambda name: name.replace("queries", "query").removesuffix("s")}
    counts = ((int(result[name]), name.replace("_", " ")) for name in COUNTS)
    return ", ".join(f"{count:,} {plural.get(count, str)(name)}" for count, name in counts)


def total_grid(result: SpottingResult) -> Grid:
    """Return the table of the measures, with their intervals if there are any."""
    headings: tuple[str, ...] = ("measure", "value")
    headings += ("interval",) if result.intervals else ()
    rows = [
        (name, _number(name, value), *([_interval(result, name)] if result.intervals else []))
        for name, value in result.items()
        if name not in COUNTS
    ]
    return Grid(headings, tuple(rows))


def _number(name: str, value: float) -> str:
    if math.isnan(value):
        return "–"
    return f"{value:.6g}" if name == "threshold" else format_percent(value)


def _interval(result: SpottingResult, name: str) -> str:
    if name not in result.intervals:
        return ""
    low, high = result.intervals[name]
    return f"{format_percent(low)} to {format_percent(high)}"


def query_grid(queries: Iterable[QueryResult]) -> Grid:
    """Return a table of queries."""
    rows = (
        (
            shorten(printable(one.query), _MOST_NAME),
            format_percent(one.values["AP"]),
            format_percent(one.values["RP"]),
            f"{one.ranking.references:,}",
            f"{one.ranking.hits:,}",
            f"{one.ranking.true_positives:,}",
        )
        for one in queries
    )
    return Grid(("query", "AP", "R-precision", "references", "hits", "right"), tuple(rows))


def print_result(result: SpottingResult, file: TextIO) -> None:
    """Write the totals and the worst queries as tables of text."""
    worst = result.worst(_WORST)
    parts = [_counts(result), total_grid(result).plain()]
    if worst:
        parts += [f"queries with the lowest average precision ({len(worst):,} of {len(result.queries):,})"]
        parts += [query_grid(worst).plain()]
    parts.append(result.signature)
    file.write("\n\n".join(parts) + "\n")


def html_page(result: SpottingResult) -> str:
    """Return the report as one HTML file without scripts: totals, curve, and the worst queries."""
    worst = result.worst(_WORST)
    titles = {name: f"{name}: {title}" for name, title in TITLES.items()}
    sections = [
        "<h1>Keyword spotting</h1>",
        f"<p>{_counts(result)}</p>",
        _table(total_grid(result), titles),
        "<h2>Precision and recall</h2>",
        str(curve_plot(result)),
        f"<h2>Queries with the lowest average precision ({len(worst):,} of {len(result.queries):,})</h2>",
        _table(query_grid(worst), {}),
        *(f"<p>{escape(str(warning))}</p>" for warning in result.warnings),
        f"<p><code>{escape(result.signature)}</code></p>",
    ]
    policy = "default-src 'none'; style-src 'unsafe-inline'"
    head = (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        f"<title>Keyword spotting</title>\n<style>\n{_STYLE}</style>\n</head>\n<body>\n"
    )
    return head + "\n".join(sections) + "\n</body>\n</html>\n"


def _table(grid: Grid, titles: Mapping[str, str]) -> str:
    """Return a table as HTML; names have explanations as tooltips."""
    head = "".join(f"<th>{escape(cell)}</th>" for cell in grid.headings)
    rows = "\n".join(
        f'<tr title="{escape(titles.get(row[0], ""), quote=True)}">'
        + "".join(f"<td>{escape(cell)}</td>" for cell in row)
        + "</tr>"
        for row in grid.rows
    )
    return f"<table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{rows}\n</tbody>\n</table>"
