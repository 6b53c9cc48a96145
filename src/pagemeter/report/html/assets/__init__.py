"""The template, the styles and the scripts of the report, put together into one page.

The scripts share one scope and are joined in the order of `SCRIPTS`; no name is defined twice.
"""

from __future__ import annotations

import base64
import hashlib
import re
from functools import cache
from html import escape
from importlib.resources import files

STYLES = ("base.css", "overview.css", "page.css")
SCRIPTS = (
    "dom.js",
    "figures.js",
    "store.js",
    "state.js",
    "totals.js",
    "charts.js",
    "pages.js",
    "confusions.js",
    "matching.js",
    "marks.js",
    "rows.js",
    "order.js",
    "geometry.js",
    "view.js",
    "page.js",
    "keys.js",
    "main.js",
)


@cache
def read(name: str) -> str:
    """The text of an asset."""
    return (files(__package__) / name).read_text(encoding="utf-8")


@cache
def script() -> str:
    """All scripts as one that leaves no name behind."""
    return '(() => {\n"use strict";\n' + "\n".join(map(read, SCRIPTS)) + "})();\n"


def skeleton(title: str) -> tuple[str, str, str]:
    r"""The page before the overview's data, between it and the data of pages, and after these.

    Only this very script may run, and nothing may be fetched but images beside the file: whatever a text on
    a page says, it stays text.

    >>> before, _, after = skeleton("a < b")
    >>> "<title>a &lt; b</title>" in before, after
    (True, '</body>\n</html>\n')
    """
    digest = base64.b64encode(hashlib.sha256(script().encode()).digest()).decode()
    styles = "\n".join(map(read, STYLES))
    values = {"title": escape(title), "digest": digest, "style": styles, "script": script()}
    parts = re.split(r"\[\[(overview|pages)\]\]", read("report.html"))
    before, between, after = (
        re.sub(r"\[\[(\w+)\]\]", lambda found: values[found[1]], part) for part in parts[::2]
    )
    return before, between, after
