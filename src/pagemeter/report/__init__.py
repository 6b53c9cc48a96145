"""Reports of a run: on a terminal, and as JSON, CSV, Markdown, LaTeX, SVG and HTML.

Every report is a `Sink`: it receives the pages one by one, and then the totals. Reports format results and
compute nothing. All of them take the columns of a score from `pagemeter.report.columns`.

Notes may name a setting, as in "use json to list all". They are rendered with a function
`show_setting(name, value)`, which shows Python keywords by default. The command line shows its options.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable

    from pagemeter.corpus import Outcome, PageResult

    ShowSetting = Callable[[str, str], str]


class Sink(Protocol):
    """A report that is written while pages are evaluated; it keeps only the data that it needs."""

    def add(self, result: PageResult) -> None:
        """Add one page."""

    def finish(self, outcome: Outcome) -> None:
        """Write the report; called once, after the last page."""
