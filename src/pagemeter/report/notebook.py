"""Evaluations of one page and of many in a notebook: as a table in HTML, and as a data frame."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any

from pagemeter.errors import DependencyError
from pagemeter.measure import DEFAULT_BUDGET_UNIT, budget_measures
from pagemeter.report.columns import score_fields
from pagemeter.report.plots import budget_bar
from pagemeter.report.summary import summary
from pagemeter.report.tables import score_grid, score_notes

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pagemeter.corpus import Outcome, PageResult
    from pagemeter.evaluation import Evaluation
    from pagemeter.report.grid import Grid


def evaluation_html(evaluation: Evaluation) -> str:
    """Return the scores as a table, the error budget of CER if it is cheap, and the signature.

    >>> import pagemeter as pm
    >>> evaluation_html(pm.evaluate("a", "b", "WER"))[:29]
    '<div class="pagemeter"><table'
    """
    scores = list(evaluation.scores.values())
    parts = [_table(score_grid(scores))]
    if _has_cheap_budget(evaluation):
        parts.append(str(budget_bar(evaluation.budget())))
    return _framed(parts, score_notes(scores), evaluation.signature)


def corpus_html(outcome: Outcome) -> str:
    """Return the totals of a run as a table, its error budgets, notes, and the signature.

    >>> from pagemeter.corpus import Outcome, Totals
    >>> corpus_html(Outcome(Totals(), "measures:CER"))[:29]
    '<div class="pagemeter"><table'
    """
    scores = list(outcome.totals.scores.values())
    parts = [_table(score_grid(scores, outcome.intervals))]
    parts += (str(budget_bar(budget)) for budget in outcome.totals.budgets.values())
    return _framed(parts, [*score_notes(scores, outcome.intervals), *summary(outcome)], outcome.signature)


def _framed(parts: Iterable[str], notes: Iterable[str], signature: str) -> str:
    small = [*map(escape, notes), f'<code style="overflow-wrap:anywhere">{escape(signature)}</code>']
    notes = (f"<p><small>{note}</small></p>" for note in small)
    return f'<div class="pagemeter">{"".join((*parts, *notes))}</div>'


def corpus_frame(pages: Iterable[PageResult]) -> Any:  # noqa: ANN401
    """Return the scores of pages as a pandas data frame with one row per page and measure."""
    rows = [
        {
            "page": page.name,
            "measure": str(measure),
            "status": page.status,
            "flags": ",".join(page.flags),
            **score_fields(score),
        }
        for page in pages
        for measure, score in page.scores.items()
    ]
    return _frame(rows, ["page", "measure"])


def evaluation_frame(evaluation: Evaluation) -> Any:  # noqa: ANN401  (pandas is optional, and so is its type)
    """Return the scores as a pandas data frame with one row per measure."""
    rows = [{"measure": name, **score_fields(score)} for name, score in evaluation.items()]
    return _frame(rows, ["measure"])


def _frame(rows: list[dict[str, Any]], index: list[str]) -> Any:  # noqa: ANN401
    try:
        import pandas as pd  # noqa: PLC0415  (optional)
    except ImportError:
        raise DependencyError(
            "to_pandas() needs pandas, which is not installed", remedy="run pip install pandas"
        ) from None
    return pd.DataFrame(rows).set_index(index) if rows else pd.DataFrame()


def _has_cheap_budget(evaluation: Evaluation) -> bool:
    """Return True if all scores for the budget are there, or can be evaluated quickly.

    Measures with neither S nor R match whole lines and are quick.
    """
    geometry = any(measure.geometry for measure in evaluation.scores)
    return all(
        measure in evaluation.scores or not (measure.segmentation or measure.order)
        for measure in budget_measures(DEFAULT_BUDGET_UNIT, geometry=geometry)
    )


def _table(grid: Grid) -> str:
    """Return a table in HTML that takes its colours from the notebook."""
    head, rows = _row(grid.headings, "th"), "".join(_row(row, "td") for row in grid.rows)
    # Without a doctype, tables do not inherit the colour of the text around them.
    return f'<table style="color:inherit"><thead>{head}</thead><tbody>{rows}</tbody></table>'


def _row(cells: tuple[str, ...], tag: str) -> str:
    sides = ("left", *("right" for _ in cells[1:]))
    columns = (
        f'<{tag} style="text-align:{side}">{escape(cell)}</{tag}>'
        for side, cell in zip(sides, cells, strict=True)
    )
    return f"<tr>{''.join(columns)}</tr>"
