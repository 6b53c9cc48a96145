"""A comparison of systems on a terminal, and as JSON, CSV, Markdown and LaTeX."""

from __future__ import annotations

import csv
import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TextIO

from pagemeter.measure import Measure
from pagemeter.report.comparison_tables import (
    comparison_notes,
    difference_grid,
    every_page_grid,
    page_grid,
    rate_grid,
    title_of_pages,
)
from pagemeter.report.csvfile import cell
from pagemeter.report.jsonfile import budget_fields, score_fields
from pagemeter.report.latex import preamble, tabular
from pagemeter.report.markdown import MARK
from pagemeter.report.screen import Screen
from pagemeter.report.spelling import portable, shown
from pagemeter.score import Counts, Score

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from pagemeter.corpus import PageResult
    from pagemeter.report.grid import Grid
    from pagemeter.report.html import Findings
    from pagemeter.stats.comparison import Comparison, Difference
    from pagemeter.stats.systems import LeftOut, System


@dataclass(frozen=True, slots=True)
class Compared:
    """What is reported of a comparison: its numbers, what happened besides, and the signature.

    `per_page` says whether the tables have every page, or those that differ most; `failed` are systems of
    which nothing could be used, by name with the reason.
    """

    comparison: Comparison
    summary: list[str]
    signature: str
    per_page: bool = False
    failed: Mapping[str, str] = field(default_factory=dict)

    def pages(self) -> tuple[Grid, str] | None:
        """The table of pages and its title; None if there is nothing to show."""
        found = self.comparison
        grid = every_page_grid(found) if self.per_page and found.measures else page_grid(found)
        return (grid, title_of_pages(found, every=self.per_page)) if grid else None


def show(file: TextIO, compared: Compared) -> None:
    """Prints the tables and what they mean."""
    found, screen = compared.comparison, Screen(file)
    if not found.measures:
        screen.say(compared.summary)
        return
    screen.draw(rate_grid(found))
    for system in found.systems:
        screen.budgets(system.budgets, shown(system.name))
    screen.draw(difference_grid(found))
    if pages := compared.pages():
        screen.draw(*pages)
    screen.say([*comparison_notes(found), *compared.summary, compared.signature])


def write_markdown(file: TextIO, compared: Compared) -> None:
    """Writes the tables in Markdown."""
    found = compared.comparison
    blocks = [MARK, rate_grid(found).markdown(), difference_grid(found).markdown()]
    if pages := compared.pages():
        blocks += [pages[1], pages[0].markdown()]
    blocks += [*comparison_notes(found), *compared.summary, f"`{compared.signature}`"]
    file.write(portable("\n\n".join(blocks)) + "\n")


def write_latex(file: TextIO, compared: Compared) -> None:
    """Writes two tables for a paper, with what they mean as comments; they need the package booktabs."""
    found = compared.comparison
    said = [*comparison_notes(found), *compared.summary, compared.signature]
    tables = [tabular(rate_grid(found)), tabular(difference_grid(found))]
    comments = "\n".join(f"% {shown(line)}" for line in said)
    file.write(portable("\n\n".join((preamble(*tables), *tables, comments))) + "\n")


def write_json(file: TextIO, compared: Compared) -> None:
    """Writes all numbers: totals, differences, and the counts of every page for every system."""
    found = compared.comparison
    made = {
        "signature": compared.signature,
        "systems": [_system_fields(system) for system in found.systems],
        "differences": [_difference_fields(one, found) for one in found.differences],
        "pages": [_page_fields(place, found) for place in range(len(found.pages))],
        "left_out": [_left_out_fields(gap) for gap in found.left_out],
        "failed": [{"system": portable(n), "error": portable(why)} for n, why in compared.failed.items()],
    }
    members = (f"{_dump(name)}: {_rows(value)}" for name, value in made.items())
    file.write("{" + ",\n".join(members) + "}\n")


def write_csv(file: TextIO, compared: Compared) -> None:
    """Writes a row a system, page and measure, then one a system and measure for the totals."""
    found = compared.comparison
    fields = tuple(Score(Measure("CER"), Counts(), 0).as_dict())
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(("kind", "system", "page", "measure", *fields))
    for system in found.systems:
        pages = zip(found.pages, system.pages, strict=True)
        for kind, page, scores in (*(("page", *one) for one in pages), ("total", "", system.total)):
            for measure, score in scores.items():
                names = kind, portable(system.name), portable(page), str(measure)
                writer.writerow((*names, *map(cell, score.as_dict().values())))


def findings(compared: Compared, failed: Sequence[PageResult]) -> Findings:
    """What the report to look at says of all systems."""
    from pagemeter.report.html import Findings, SystemTotals  # noqa: PLC0415  (only where asked for)

    found = compared.comparison
    systems = [SystemTotals(one.name, one.total, one.budgets, one.intervals) for one in found.systems]
    tables = {"All systems": rate_grid(found), "Differences": difference_grid(found)}
    return Findings(
        systems,
        compared.signature,
        [*comparison_notes(found), *compared.summary],
        failed,
        tables if found.measures else {},
    )


WRITERS: dict[str, Callable[[TextIO, Compared], None]] = {
    "json": write_json,
    "csv": write_csv,
    "markdown": write_markdown,
    "latex": write_latex,
}
"""The files that can be written, by the name of their option."""


def _rows(value: object) -> str:
    """A list with one member a line, anything else as it is."""
    if not isinstance(value, list):
        return _dump(value)
    return "[" + ",".join(f"\n {_dump(member)}" for member in value) + "]"


def _dump(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)


def _system_fields(system: System) -> dict[str, Any]:
    return {
        "name": portable(system.name),
        "total": score_fields(system.total),
        "intervals": {str(measure): found.as_dict() for measure, found in system.intervals.items()},
        "budgets": budget_fields(system.budgets),
    }


def _difference_fields(one: Difference, found: Comparison) -> dict[str, Any]:
    return {
        "measure": str(one.measure),
        "first": portable(one.first),
        "second": portable(one.second),
        "difference": one.rate,
        "interval": one.interval.as_dict(),
        "p_permutation": one.p,
        "p_permutation_exact": one.exact,
        "p_permutation_holm": one.holm,
        "p_bootstrap": one.p_bootstrap,
        "p_bootstrap_holm": one.holm_bootstrap,
        "fewer": one.fewer,
        "same": one.same,
        "more": one.more,
        "most_different": [portable(found.pages[place]) for place in one.most],
    }


def _left_out_fields(gap: LeftOut) -> dict[str, str]:
    return {name: portable(value) for name, value in gap._asdict().items() if value is not None}


def _page_fields(place: int, found: Comparison) -> dict[str, Any]:
    systems = {portable(system.name): score_fields(system.pages[place]) for system in found.systems}
    return {"page": portable(found.pages[place]), "systems": systems}
