"""The report in the making: blocks go to a temporary file as pages come, numbers are kept."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import IO, TYPE_CHECKING, Any, TextIO

from pagemeter._version import __version__
from pagemeter.report.confusionfile import ConfusionCounter
from pagemeter.report.figures import no_intervals, notes
from pagemeter.report.html.assets import skeleton
from pagemeter.report.html.overview import (
    PageColumns,
    SystemTotals,
    budget_fields,
    confidence,
    confusion_fields,
    interval_fields,
)
from pagemeter.report.html.packing import HTML, PackedPage, Packer
from pagemeter.report.html.room import IMAGE, PAGE, READ, Blocks, Room, pack, write_block
from pagemeter.report.jsonfile import score_fields
from pagemeter.report.meanings import meaning
from pagemeter.report.spelling import portable
from pagemeter.report.summary import summary

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pagemeter.corpus import Outcome, PageResult
    from pagemeter.report.grid import Grid
    from pagemeter.report.html.images import Image, Images

TITLE = "pagemeter report"


@dataclass(frozen=True, slots=True)
class Findings:
    """What is said of all pages: the totals of each system, and whatever else a run or a comparison found."""

    systems: Sequence[SystemTotals]
    signature: str
    notes: Sequence[str]
    failed: Sequence[PageResult] = ()
    tables: dict[str, Grid] = field(default_factory=dict)


class HtmlFile:
    """One file for people: totals, pages, confusions, and each page line by line with its image."""

    def __init__(
        self,
        file: TextIO,
        spool: IO[bytes],
        images: Images,
        room: Room | None = None,
        *,
        systems: int = 1,
        tell: Callable[[str], object] = bool,
    ) -> None:
        """A report of so many systems; `tell` is called with what it had to leave out."""
        self._file, self._images, self._room = file, images, room or Room()
        self._blocks = Blocks(spool)
        self._pages = PageColumns(systems)
        self._confusions = [ConfusionCounter() for _ in range(systems)]
        self._pictured: set[int] = set()
        self._unpictured: dict[int, str] = {}
        self._tell = tell

    def add(self, result: PageResult, system: int = 0) -> None:
        """Takes one page as a system read it; a page without evaluation is passed by."""
        page: PackedPage | None = result.prepared.get(HTML) or Packer(self._images)(result)
        if page is None:
            return
        number, is_new = self._pages.add(result, page.lines, system)
        self._confusions[system].add(str(number), page.confusions)
        if is_new:
            self._blocks.add(PAGE, number, page.gt)
        self._blocks.add(READ, number, page.read, system)
        if page.image:
            self._add_image(number, page.image)

    def _add_image(self, number: int, image: Image) -> None:
        if image.note:
            self._unpictured.setdefault(number, image.note)
            return
        if image.content and number not in self._pictured:
            self._blocks.add(IMAGE, number, image.content)
        self._pictured.add(number)

    def finish(self, outcome: Outcome) -> None:
        """Writes the file of a run with one system."""
        scores = list(outcome.totals.scores.values())
        said = [*notes(scores), *no_intervals(outcome.intervals), *summary(outcome)]
        self.write(Findings([SystemTotals.of(outcome)], outcome.signature, said, outcome.totals.failed.first))

    def write(self, findings: Findings) -> None:
        """Writes the file from the top."""
        errors = self._pages.errors
        worst_first = sorted(range(len(errors)), key=lambda page: -errors[page])
        pages, images = self._blocks.choose(worst_first, self._room)
        before, between, after = skeleton(TITLE)
        self._file.write(before)
        details = [page in pages for page in range(len(errors))]
        left_out = [*self._without_image(), *self._blocks.without_room(pages, images)]
        for line in left_out:
            self._tell(line)
        said = replace(findings, notes=[*findings.notes, *left_out])
        write_block(self._file, "overview", pack(self._overview(said, details)))
        self._file.write(between)
        self._blocks.write(self._file, pages, images)
        self._file.write(after)

    def _without_image(self) -> list[str]:
        """How many pages should show an image and do not, and the first reason, which has its remedy."""
        found = [(page, why) for page, why in self._unpictured.items() if page not in self._pictured]
        if not found:
            return []
        (page, why), count = found[0], len(self._pages.name)
        first = f"{'first ' if len(found) > 1 else ''}{self._pages.name[page]}: {portable(why)}"
        return [f"{len(found):,} of {count:,} page{'s' * (count != 1)} without image, {first}"]

    def _overview(self, findings: Findings, details: Sequence[bool]) -> dict[str, Any]:
        systems = findings.systems
        measures = dict.fromkeys(measure for system in systems for measure in system.scores)
        return {
            "version": __version__,
            "signature": findings.signature,
            "systems": [portable(system.name) for system in systems],
            "measures": [{"id": str(m), "meaning": meaning(m)} for m in measures],
            "totals": [score_fields(system.scores) for system in systems],
            "budgets": [budget_fields(system.budgets) for system in systems],
            "intervals": [interval_fields(system.intervals) for system in systems],
            "confidence": confidence(systems[0].intervals),
            "notes": list(map(portable, findings.notes)),
            "tables": [[title, grid.headings, grid.rows] for title, grid in findings.tables.items()],
            "failed": [[portable(page.name), portable(page.error or "")] for page in findings.failed],
            "confusions": [confusion_fields(counter.found) for counter in self._confusions],
            **self._pages.fields(details),
        }
