"""A store as it is read: its pages part by part, and what they depend on."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING

from pagemeter._version import __version__
from pagemeter.corpus import Recipe, Totals
from pagemeter.errors import StoreError, UsageError
from pagemeter.settings import Settings
from pagemeter.stats.columns import PageColumns
from pagemeter.stats.systems import Gap, SystemPages
from pagemeter.store.files import UNFINISHED, is_written, parts_in, read_table
from pagemeter.store.known_pages import Known
from pagemeter.store.manifest import read_manifest
from pagemeter.store.part import Part, add_part

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from pagemeter.corpus import PageResult
    from pagemeter.store.known_pages import KnownPages


_BY_NAME = ("mapping:", "tokeniser:custom(")
_COUNTED = ("evaluated", "missed")
_OTHER = Gap("another ground truth")
_NAMES = tuple(field.name for field in fields(Settings))


@dataclass(frozen=True, slots=True)
class MadeWith(Settings):
    """Settings of numbers that are made already: of mapping and tokeniser only the signature is known.

    So a store can be reported where the file of its mapping is not.
    """

    line: str = ""

    @property
    def signature(self) -> str:
        """What the store says of its settings."""
        return self.line


class StoredResults:
    """The results in a store, in the order in which they were written.

    >>> StoredResults("nowhere")
    Traceback (most recent call last):
    pagemeter.errors.StoreError: nowhere: no results store, for it has no store.json; check the path
    """

    def __init__(self, folder: str | Path) -> None:
        self.folder = Path(folder)
        self._recipe = read_manifest(self.folder)

    @property
    def recipe(self) -> Recipe:
        """What the numbers depend on."""
        parts = {name: f"{name}:{value}" for name, value in self._recipe.items() if name != "lines"}
        line = "|".join([*(parts[name] for name in _NAMES if name in parts), f"version:{__version__}"])
        restored = (part for part in parts.values() if not part.startswith(_BY_NAME))
        try:
            known = Recipe.from_signature("|".join(restored))
        except UsageError as error:
            raise StoreError(f"{self.folder}: {error}") from None
        values = {name: getattr(known.settings, name) for name in _NAMES}
        return replace(known, settings=MadeWith(**values, line=line))

    @property
    def remarks(self) -> tuple[str, ...]:
        """What whoever takes these numbers for those of a collection has to know."""
        if not (self.folder / UNFINISHED).exists():
            return ()
        if is_written(self.folder):
            said = "a run is writing to it now, so pages may be lacking; wait for its end"
        else:
            said = "its last run has not come to its end, so pages may be lacking; run the same command again"
        return (f"warning: {self.folder}: {said}",)

    def parts(self) -> Iterator[Part]:
        """The parts, one after the other."""
        for path in parts_in(self.folder / "pages").values():
            yield Part.of(read_table(path))

    def pages(self, known: KnownPages) -> tuple[Totals, SystemPages]:
        """All pages as columns of numbers, called as in stores that are known, and their totals."""
        totals, columns, pages, gaps = Totals(), list[PageColumns](), list[Known](), list[Gap]()
        for part in self.parts():
            add_part(totals, part)
            columns.append(part.columns())
            rows = zip(*map(part.column, ("gt", "page", "gt_sha256", "status", "error")), strict=True)
            for gt, name, sha256, *gap in rows:
                if gt:
                    pages.append(Known(gt, name, sha256))
                    gaps.append(Gap(*gap))
        files = known.add(pages)
        order = [file or page.gt for file, page in zip(files, pages, strict=True)]
        reasons = (gap if file else _OTHER for file, gap in zip(files, gaps, strict=True))
        lacking = {gt: gap for gt, gap in zip(order, reasons, strict=True) if gap.reason not in _COUNTED}
        called = {page.gt: file for file, page in zip(files, pages, strict=True)}
        return totals, SystemPages(_called(PageColumns.together(columns), called), order, lacking)

    def results(self) -> Iterator[PageResult]:
        """The results of all pages, one by one, without texts."""
        for part in self.parts():
            yield from part.results()


def _called(columns: PageColumns, files: Mapping[str, str | None]) -> PageColumns:
    """The pages by the files that they are known by, without those that are known by none."""
    kept = [place for place, gt in enumerate(columns.gts) if files[gt]]
    taken = columns if len(kept) == len(columns) else columns.take(kept)
    return replace(taken, gts=[files[gt] or gt for gt in taken.gts])
