"""The report in the making: blocks go to a temporary file as pages come, numbers are kept."""

from __future__ import annotations

from typing import IO, TYPE_CHECKING, Any, TextIO

from pagemeter._version import __version__
from pagemeter.alignment import Aligner
from pagemeter.report.confusionfile import ConfusionCounter
from pagemeter.report.figures import no_intervals, notes
from pagemeter.report.html.assets import skeleton
from pagemeter.report.html.overview import (
    PageColumns,
    budget_fields,
    confidence,
    confusion_fields,
    interval_fields,
)
from pagemeter.report.html.pageblock import page_block
from pagemeter.report.html.room import IMAGE, PAGE, Blocks, Room, pack, write_block
from pagemeter.report.jsonfile import score_fields
from pagemeter.report.meanings import meaning
from pagemeter.report.spelling import portable
from pagemeter.report.summary import summary

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pagemeter.corpus import Outcome, PageResult
    from pagemeter.report.html.images import Image, Images

TITLE = "pagemeter report"


class HtmlFile:
    """One file for people: totals, pages, confusions, and each page line by line with its image."""

    def __init__(
        self,
        file: TextIO,
        spool: IO[bytes],
        images: Images,
        room: Room | None = None,
        systems: Sequence[str] = ("",),
    ) -> None:
        self._file, self._images, self._room = file, images, room or Room()
        self._blocks = Blocks(spool)
        self._systems = systems
        self._pages = PageColumns(len(systems))
        self._confusions = [ConfusionCounter() for _ in systems]

    def add(self, result: PageResult) -> None:
        """Takes one page of a single system."""
        self.add_page((result,))

    def add_page(self, results: Sequence[PageResult]) -> None:
        """Takes one page as each system read it; a page that no system has an evaluation of is passed by."""
        aligners = [Aligner(r.evaluation, breaks=True) if r.evaluation else None for r in results]
        if not any(aligners):
            return
        number = self._pages.add(results)
        for aligner, counter in zip(aligners, self._confusions, strict=True):
            if aligner:
                counter.add(str(number), aligner)
        image = next((found for result in results if (found := self._images.of(result))), None)
        block = page_block(results, aligners) | {"image": image and _image_fields(image)}
        self._blocks.add(PAGE, number, pack(block))
        if image and image.content:
            self._blocks.add(IMAGE, number, image.content)

    def finish(self, outcome: Outcome) -> None:
        """Writes the file of a single system."""
        self.write([outcome])

    def write(self, outcomes: Sequence[Outcome], more: dict[str, Any] | None = None) -> None:
        """Writes the file from the top; `more` are further fields for the scripts."""
        errors = self._pages.errors
        worst_first = sorted(range(len(errors)), key=lambda page: -errors[page])
        chosen = self._blocks.choose(worst_first, self._room)
        details = [f"{PAGE}{page}" in chosen for page in range(len(errors))]
        before, between, after = skeleton(TITLE)
        self._file.write(before)
        write_block(self._file, "overview", pack(self._overview(outcomes, details) | (more or {})))
        self._file.write(between)
        self._blocks.write(self._file, chosen)
        self._file.write(after)

    def _overview(self, outcomes: Sequence[Outcome], details: Sequence[bool]) -> dict[str, Any]:
        totals = [outcome.totals for outcome in outcomes]
        measures = dict.fromkeys(measure for total in totals for measure in total.scores)
        scores = [score for total in totals for score in total.scores.values()]
        return {
            "version": __version__,
            "signature": outcomes[0].signature,
            "systems": list(map(portable, self._systems)),
            "measures": [{"id": str(m), "unit": m.unit, "meaning": meaning(m)} for m in measures],
            "totals": [score_fields(total.scores) for total in totals],
            "budgets": [budget_fields(total) for total in totals],
            "intervals": [interval_fields(outcome) for outcome in outcomes],
            "confidence": confidence(outcomes[0]),
            "notes": [*notes(scores), *no_intervals(outcomes[0].intervals), *summary(outcomes[0])],
            "failed": [
                [portable(page.name), portable(page.error or "")] for total in totals for page in total.failed
            ],
            "pages": self._pages.fields(details),
            "counts": self._pages.counts,
            "confusions": [confusion_fields(counter.found) for counter in self._confusions],
        }


def _image_fields(image: Image) -> dict[str, Any]:
    return {"href": image.href, "embedded": bool(image.content), "note": image.note}
