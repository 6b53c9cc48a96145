"""The example pages, and hypotheses with each kind of error.

`examples/draw_page.py` draws the images of the pages.
"""

from __future__ import annotations

from pathlib import Path

FOLDER = Path(__file__).parent
GT, HYP = FOLDER / "gt", FOLDER / "hyp"

PAGES = {
    "columns": "two columns; the hypothesis has the right column first, merges a line of both columns, "
    "splits another line, and places the last line of the left column too low",
    "book": "a page with a margin note; the hypothesis has the note partly before and partly inside the "
    "text, splits a line, misses the page number, and reads a speck of dirt as text",
    "letter": "a letter; the hypothesis leaves out lines, has other text instead of one line, cuts a line "
    "off, and repeats a line",
}
"""The content of each page and the errors of its hypothesis, apart from a few wrong characters."""
