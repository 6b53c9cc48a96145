"""A report from results, in one call."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from pagemeter.corpus import Outcome, Totals
from pagemeter.report.html.htmlfile import HtmlFile
from pagemeter.report.html.images import Images
from pagemeter.report.html.room import Room
from pagemeter.report.output import byte_spool, whole

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pagemeter.corpus import PageResult


def write_report(
    path: Path | str,
    results: Iterable[PageResult],
    signature: str = "",
    *,
    images: Path | None = None,
    embed: bool = False,
    megabytes: float = 100,
) -> Totals:
    """Writes the report of one system's results, which may come one by one; returns their totals.

    >>> import tempfile
    >>> from pagemeter import evaluate
    >>> from pagemeter.corpus import PageResult
    >>> path = Path(tempfile.mkdtemp(), "report.html")
    >>> page = PageResult("0001", "gt", "hyp", evaluate("a line", "a lime", ["CER"]))
    >>> write_report(path, [page], page.evaluation.signature).pages, path.exists()
    (1, True)
    """
    totals = Totals()
    with whole(str(path)) as file, byte_spool() as spool:
        report = HtmlFile(file, spool, Images(Path(path).parent, images, embed=embed), Room.of(megabytes))
        for result in results:
            totals.add(result)
            report.add(result)
        report.finish(Outcome(totals, signature))
    return totals
