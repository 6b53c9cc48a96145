"""An evaluation in a notebook: as a table that it shows, and as a data frame."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any

from pagemeter.errors import DependencyError
from pagemeter.report.figures import notes
from pagemeter.report.plots import budget_bar
from pagemeter.report.tables import score_grid
from pagemeter.stats.budget import needed

if TYPE_CHECKING:
    from pagemeter.evaluation import Evaluation
    from pagemeter.report.grid import Grid


def html_of(evaluation: Evaluation) -> str:
    """The scores as a table, the error budget of CER where it costs little, and the signature.

    >>> import pagemeter as pm
    >>> html_of(pm.evaluate("a", "b", "WER"))[:29]
    '<div class="pagemeter"><table'
    """
    scores = list(evaluation.scores.values())
    parts = [_table(score_grid(scores))]
    if _cheap(evaluation):
        parts.append(str(budget_bar(evaluation.budget())))
    parts += (f"<p><small>{escape(note)}</small></p>" for note in notes(scores))
    parts.append(
        f'<p><small><code style="overflow-wrap:anywhere">{escape(evaluation.signature)}</code></small></p>'
    )
    return f'<div class="pagemeter">{"".join(parts)}</div>'


def frame_of(evaluation: Evaluation) -> Any:  # noqa: ANN401  (pandas may not be there to name its type)
    """The scores as a data frame, a row a measure."""
    try:
        import pandas as pd  # noqa: PLC0415  (optional)
    except ImportError:
        raise DependencyError(
            "to_pandas() needs pandas, which is not installed: pip install pandas"
        ) from None
    rows = [{"measure": name, **score.as_dict()} for name, score in evaluation.items()]
    return pd.DataFrame(rows).set_index("measure") if rows else pd.DataFrame()


def _cheap(evaluation: Evaluation) -> bool:
    """Whether the budget needs nothing, or only lines that are matched whole, besides what is there."""
    placed = any(measure.geometry for measure in evaluation.scores)
    wanted = needed("CER", geometry=placed)
    return all(
        measure in evaluation.scores or not (measure.segmentation or measure.order) for measure in wanted
    )


def _table(grid: Grid) -> str:
    """A table that takes its colours from the notebook."""
    head, rows = _row(grid.headings, "th"), "".join(_row(row, "td") for row in grid.rows)
    # Without a doctype, tables do not take the colour of their surroundings.
    return f'<table style="color:inherit"><thead>{head}</thead><tbody>{rows}</tbody></table>'


def _row(cells: tuple[str, ...], tag: str) -> str:
    sides = ("left", *("right" for _ in cells[1:]))
    made = (
        f'<{tag} style="text-align:{side}">{escape(cell)}</{tag}>'
        for side, cell in zip(sides, cells, strict=True)
    )
    return f"<tr>{''.join(made)}</tr>"
