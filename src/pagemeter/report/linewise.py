"""The lines that were not read well, for people."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING, TextIO

from pagemeter.report.spelling import shown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pagemeter.corpus import Outcome, PageResult
    from pagemeter.measure import Measure


class LineText:
    """Every line with errors: what it says and what was read; in `spool` until the pages are done."""

    def __init__(self, file: TextIO, spool: TextIO, measure: Measure) -> None:
        self._file, self._lines, self._measure = file, spool, measure

    def add(self, result: PageResult) -> None:
        """Keeps the lines of one page that have errors."""
        self._lines.writelines(f"{line}\n" for line in line_texts(result, self._measure))

    def finish(self, outcome: Outcome) -> None:  # noqa: ARG002
        """Prints the lines."""
        self._lines.seek(0)
        shutil.copyfileobj(self._lines, self._file)
        self._file.write("\n")


def line_texts(result: PageResult, measure: Measure) -> Iterator[str]:
    r"""The lines of a page that have errors, three lines of text each.

    >>> from pagemeter import Measure, evaluate
    >>> from pagemeter.corpus import PageResult
    >>> done = PageResult("0001", "gt", "hyp", evaluate("a line", "a lime", ["CER"]))
    >>> print(*line_texts(done, Measure("CER")), sep="\n")
    0001, line 1: CER 1 of 6
      GT   a line
      HYP  a lime
    """
    if result.evaluation is None:
        return
    from pagemeter.corpus import lines_of  # noqa: PLC0415  (only where asked for)

    page = shown(result.name)
    lines, left_over = lines_of(result.evaluation, measure)
    for line in lines:
        if line.distance:
            yield f"{page}, line {_place(line.number, line.id)}: {measure} {line.distance} of {line.n_gt}"
            yield f"  GT   {shown(line.gt)}"
            yield f"  HYP  {shown(line.hyp)}" if line.hyp is not None else "  HYP  nothing"
    for rest in left_over:
        places = ", ".join(map(_place, rest.hyp_lines, rest.ids))
        yield f"{page}, in the hypothesis only, line {places}: {rest.n_hyp}"
        yield f"  HYP  {shown(rest.hyp)}"


def _place(number: int, name: str | None) -> str:
    return f"{number} ({shown(name)})" if name else str(number)
