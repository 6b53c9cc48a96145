"""Draw the image of a page from its file, with every text on its baseline.

    python examples/draw_page.py src/pagemeter/demo/gt/book.xml book.svg

The images of `pagemeter demo` were made with this script. They have half the size of the coordinates, like
scans that were scaled down.
"""

from __future__ import annotations

import sys
from html import escape
from pathlib import Path

import pagemeter as pm

PAPER, INK = "#f4ecd8", "#2b2118"


def draw(page: pm.Page) -> str:
    """Return the page as SVG."""
    width, height = page.width or 1000, page.height or 1000
    size = f'width="{width // 2}" height="{height // 2}" viewBox="0 0 {width} {height}"'
    start = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size}>',
        f'<rect width="{width}" height="{height}" fill="{PAPER}"/>',
        f'<g fill="{INK}" font-family="serif">',
    ]
    return "\n".join([*start, *map(_text, page.lines), "</g>", "</svg>\n"])


def _text(line: pm.Line) -> str:
    (x, y), (end, _) = line.baseline[0], line.baseline[-1]
    size = y - min(point[1] for point in line.polygon)
    return (
        f'<text x="{x:g}" y="{y:g}" font-size="{size:g}" textLength="{end - x:g}" '
        f'lengthAdjust="spacingAndGlyphs">{escape(line.text)}</text>'
    )


if __name__ == "__main__":
    Path(sys.argv[2]).write_text(draw(pm.load(Path(sys.argv[1]))), encoding="utf-8")
