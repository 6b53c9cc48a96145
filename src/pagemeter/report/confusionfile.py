"""What was read for what, as a table for spreadsheets and data frames."""

from __future__ import annotations

import csv
from typing import TYPE_CHECKING, TextIO, get_args

from pagemeter.alignment import Aligner, Confusion, Confusions, PageConfusions
from pagemeter.alignment.confusions import Fault, clearest
from pagemeter.report.glyphs import named, visible
from pagemeter.report.spelling import portable

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pagemeter.corpus import Outcome, PageResult
    from pagemeter.measure import Measure

FAULTS: tuple[Fault, ...] = get_args(Fault)
_COLUMNS = ("measure", "fault", "count", "gt", "hyp", "shown", "names", "examples")
_MOST = 1000
CONFUSIONS = "confusions"
"""The name of what is prepared for this report."""


class ConfusionCounter:
    """Confusions of characters and of words, each by the measure that shows them best."""

    def __init__(self) -> None:
        self.found: dict[Measure, Confusions] = {}

    def add(self, name: str, found: Mapping[Measure, PageConfusions]) -> None:
        """Counts those of a page."""
        for measure, confusions in found.items():
            self.found.setdefault(measure, Confusions()).add(name, confusions)


def page_confusions(aligner: Aligner) -> dict[Measure, PageConfusions]:
    """The confusions of a page by the measures that show them best."""
    return {m: PageConfusions.of(aligner, m) for m in clearest(aligner.evaluation.scores)}


def prepare_confusions(result: PageResult) -> dict[Measure, PageConfusions]:
    """What `ConfusionFile` needs of a page."""
    return page_confusions(Aligner(result.evaluation)) if result.evaluation else {}


class ConfusionFile:
    """One row a confusion, the most frequent first, at most a thousand of each kind and measure."""

    def __init__(self, file: TextIO) -> None:
        self._writer = csv.DictWriter(file, _COLUMNS, lineterminator="\n")
        self._counter = ConfusionCounter()

    def add(self, result: PageResult) -> None:
        """Counts the confusions of one page."""
        found = result.prepared.get(CONFUSIONS)
        self._counter.add(portable(result.name), prepare_confusions(result) if found is None else found)

    def finish(self, outcome: Outcome) -> None:  # noqa: ARG002
        """Writes the table."""
        self._writer.writeheader()
        for measure, confusions in self._counter.found.items():
            for fault in FAULTS:
                self._writer.writerows(_row(measure, one) for one in confusions.top(fault, _MOST))


def _row(measure: Measure, one: Confusion) -> dict[str, object]:
    return {
        "measure": str(measure),
        "fault": one.fault,
        "count": one.count,
        "gt": one.gt,
        "hyp": one.hyp,
        "shown": f"{visible(one.gt)} → {visible(one.hyp)}",
        "names": " → ".join(filter(None, (named(one.gt), named(one.hyp)))),
        "examples": "; ".join(f"{example.page}:{example.line + 1}" for example in one.examples),
    }
