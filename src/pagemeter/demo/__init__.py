"""The example pages, and recognitions of them that get each kind of thing wrong.

`columns`: two columns, of which the right one was read first; a line of both columns was merged, another
split, and the last line of the left column placed too low. `book`: a page with a note in its margin, which
was read partly before and partly in the middle of the text; a line was split, the page number missed, and a
speck of dirt read as text. A few characters are misread on both. `examples/draw_page.py` drew the images.
"""

from __future__ import annotations

from pathlib import Path

FOLDER = Path(__file__).parent
GT, HYP = FOLDER / "gt", FOLDER / "hyp"
