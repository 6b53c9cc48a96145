"""The columns of the tables."""

from __future__ import annotations

import pyarrow as pa

LAYOUT = 2
"""The number of this layout, by which a later version knows how to read it."""

_WARNING = pa.struct([(name, pa.string()) for name in ("source", "element", "reason")])

OF_PAGE = pa.schema(
    [
        ("pair", pa.string()),
        ("page", pa.string()),
        ("document", pa.string()),
        ("gt", pa.string()),
        ("hyp", pa.string()),
        ("status", pa.string()),
        ("error", pa.string()),
        ("warnings", pa.list_(_WARNING)),
        ("without_positions", pa.list_(pa.string())),
        ("has_positions", pa.bool_()),
        ("dropped_gt_lines", pa.int64()),
        ("dropped_hyp_lines", pa.int64()),
        ("page_seconds", pa.float64()),
        ("gt_sha256", pa.string()),
        ("hyp_sha256", pa.string()),
        ("gt_stamp", pa.string()),
        ("hyp_stamp", pa.string()),
    ]
)
"""What is the same in all rows of a page. `pair` is a digest that tells two files from all others."""

COUNTS = ("ins", "dels", "sub", "cor", "lower_bound")
_DERIVED = ("errors", "n_gt", "n_hyp")
_RATIOS = ("rate", "precision", "recall", "f1")

OF_MEASURE = pa.schema(
    [
        ("measure", pa.string()),
        ("for_budget", pa.bool_()),
        *((name, pa.int64()) for name in (*COUNTS, *_DERIVED)),
        *((name, pa.float64()) for name in _RATIOS),
        ("optimal", pa.bool_()),
        ("canonical", pa.bool_()),
        ("seconds", pa.float64()),
    ]
)
"""What belongs to one measure of a page; it is missing where a page has none, as is an infinite rate."""

PAGES = pa.schema([*OF_PAGE, *OF_MEASURE, ("signature", pa.string()), ("version", pa.string())])
"""One row a page and measure."""

LINES = pa.schema(
    [
        ("pair", pa.string()),
        ("page", pa.string()),
        ("measure", pa.string()),
        ("number", pa.int64()),
        ("id", pa.string()),
        ("gt", pa.string()),
        ("hyp", pa.string()),
        ("hyp_line", pa.int64()),
        ("distance", pa.int64()),
        ("cor", pa.int64()),
        ("sub", pa.int64()),
        ("n_gt", pa.int64()),
    ]
)
"""One row a GT line; HYP text that no line got is a row without `number` and `gt`."""
