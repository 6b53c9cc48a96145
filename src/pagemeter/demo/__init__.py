"""The example pages, and recognitions of them that get each kind of thing wrong.

`examples/draw_page.py` drew their images.
"""

from __future__ import annotations

from pathlib import Path

FOLDER = Path(__file__).parent
GT, HYP = FOLDER / "gt", FOLDER / "hyp"

PAGES = {
    "columns": "two columns, the right one read first; a line of both columns merged, another split, and the "
    "last line of the left column placed too low",
    "book": "a page with a note in its margin, read partly before and partly in the middle of the text; a "
    "line split, the page number missed, and a speck of dirt read as text",
}
"""What is on each page and what went wrong there, besides a few characters that were misread."""
