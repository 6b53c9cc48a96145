"""The report as one HTML file that needs no other files.

The numbers of all pages are at the start of the file, compressed. The details of each page are a compressed
block, which is unpacked when the page is opened. docs/report.md describes the contents and the size. Blocks
of pages are spooled as pages arrive, and the file is written at the end.

`overview` and `pages` have the data. The folder `assets` has the template, the styles and the scripts. The
scripts are ES modules, so an editor, a type checker and the tests can work with them. A report is one file,
and the content security policy allows scripts by their hashes. Therefore the modules are joined into one
scope: dependencies first, without `import` and `export`. They are compressed, and a small loader runs them.
No name is defined twice at the top level of modules; a test checks this.
"""

from __future__ import annotations

import base64
import hashlib
import re
from dataclasses import replace
from functools import cache
from html import escape
from importlib.resources import files
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, TextIO

from pagemeter.atomic_io import byte_spool, encodable, open_atomic
from pagemeter.corpus import Outcome, Totals
from pagemeter.errors import as_keyword
from pagemeter.report.alignments import ConfusionCounter
from pagemeter.report.html.images import Images
from pagemeter.report.html.overview import (
    Curve,
    Overview,
    OverviewPages,
    Section,
    SystemTotals,
    confusion_fields,
    story_fields,
)
from pagemeter.report.html.pages import (
    GT_BLOCK,
    HTML,
    HYP_BLOCK,
    IMAGE_BLOCK,
    Blocks,
    PackedPage,
    Packer,
    SizeLimit,
    pack,
    pack_text,
    write_block,
)
from pagemeter.report.names import ShownPaths
from pagemeter.report.summary import dominant_pages, summary, tell, tell_comparison
from pagemeter.report.tables import EMPTY_GT_TITLE, confidence_tables, empty_gt_grid, peer_lines, score_notes

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

    from pagemeter.corpus import PageResult
    from pagemeter.report import ShowSetting
    from pagemeter.report.html.images import Image

__all__ = [
    "HTML",
    "Curve",
    "HtmlFile",
    "Images",
    "Overview",
    "Packer",
    "Section",
    "ShownPaths",
    "SizeLimit",
    "SystemTotals",
    "write_report",
]

STYLES = ("base.css", "story.css", "overview.css", "page.css")
_ENTRY, _LOADER = "main.js", "loader.js"
_IMPORT = re.compile(r'^import [^;]* from "\./(\w+\.js)";\n', re.MULTILINE)
_COMMENT = re.compile(r"^ *//[^\n]*\n|^ */\*\*.*?\*/ *\n", re.MULTILINE | re.DOTALL)
_EXPORT = re.compile(r"^export (?=(?:async )?(?:function|class|const|let) )", re.MULTILINE)
_TITLE = "pagemeter report"
_MOST_WORST = 6
"""The number of pages with most errors that the first screen shows."""


class HtmlFile:
    """A report in one file: totals, pages, confusions, and each page line by line with its image.

    Args:
        file: The file to write.
        spool: A temporary file for the blocks of pages.
        images: Where the images of pages are, and whether they are embedded.
        size_limit: The size that the details of pages may have.
        systems: The number of systems.
        on_note: Called with each note about details or images that are not in the report.
        show_setting: Shows the settings that notes name.
        paths: How paths are shown.

    """

    def __init__(
        self,
        file: TextIO,
        spool: IO[bytes],
        images: Images,
        size_limit: SizeLimit | None = None,
        *,
        systems: int = 1,
        on_note: Callable[[str], object] = bool,
        show_setting: ShowSetting = as_keyword,
        paths: ShownPaths | None = None,
    ) -> None:
        self._paths = paths or ShownPaths()
        self._file, self._images, self._size_limit = file, images, size_limit or SizeLimit()
        self._on_note, self._show_setting = on_note, show_setting
        self._blocks = Blocks(spool)
        self._pages = OverviewPages(systems)
        self._confusions = [ConfusionCounter() for _ in range(systems)]
        self._with_gt: set[int] = set()
        self._with_image: set[int] = set()
        self._image_notes: dict[int, str] = {}

    def add(self, result: PageResult, system: int = 0) -> None:
        """Add one page of a system; a page that was not evaluated is ignored."""
        if result.evaluation is None:
            return
        prepared = result.prepared
        pack_page = Packer(self._images, self._paths)
        page: PackedPage | None = prepared[HTML] if HTML in prepared else pack_page(result)
        number = self._pages.add(result, page.lines if page else 0, system)
        if page is None:  # it could not be prepared, which is a warning of the page
            return
        self._confusions[system].add(str(number), page.confusions)
        if number not in self._with_gt:
            self._with_gt.add(number)
            self._blocks.add(GT_BLOCK, number, page.gt)
        self._blocks.add(HYP_BLOCK, number, page.hyp, system)
        if page.image:
            self._add_image(number, page.image)

    def _add_image(self, number: int, image: Image) -> None:
        if image.note:
            self._image_notes.setdefault(number, image.note)
            return
        if image.content and number not in self._with_image:
            self._blocks.add(IMAGE_BLOCK, number, image.content)
        self._with_image.add(number)

    def finish(self, outcome: Outcome) -> None:
        """Write the file of a run with one system."""
        totals = outcome.totals
        notes = [*filter(None, peer_lines(totals))]
        notes += [*score_notes(list(totals.scores.values()), outcome.intervals), *summary(outcome)]
        empty_gt = empty_gt_grid(totals)
        tables = {EMPTY_GT_TITLE: empty_gt} if empty_gt else {}
        tables |= confidence_tables(totals.confidences) if totals.confidences else {}
        self.write(
            Overview(
                [SystemTotals.of(outcome)],
                outcome.signature,
                [*dominant_pages(totals), *notes],
                totals.failed.items,
                tables,
            )
        )

    def write(self, overview: Overview) -> None:
        """Write the file."""
        errors = self._pages.errors
        worst_first = sorted(range(len(errors)), key=lambda page: -errors[page])
        pages, images = self._blocks.choose(worst_first, self._size_limit)
        notes = self._missing_images() + self._blocks.omission_notes(pages, images, self._show_setting)
        for note in notes:
            self._on_note(note)
        overview = replace(overview, notes=[*overview.notes, *notes])
        confusions = self._confusions[: len(overview.systems)]  # without systems that were left out
        compared = self._pages.compared(len(overview.systems))
        worst = [page for page in worst_first if page in compared]
        data = {
            **overview.fields(self._show_setting, self._paths),
            **self._stories(overview, confusions, compared),
            "lines": self._pages.n_lines(compared),
            "worst": [page for page in worst[:_MOST_WORST] if errors[page]],
            "confusions": [confusion_fields(counter.by_measure) for counter in confusions],
            **self._pages.fields([page in pages for page in range(len(errors))]),
        }
        before, between, after = page_template(_TITLE)
        self._file.write(before)
        write_block(self._file, "overview", pack(data))
        self._file.write(between)
        self._blocks.write(self._file, pages, images)
        self._file.write(after)

    def _stories(
        self, overview: Overview, confusions: Sequence[ConfusionCounter], pages: Collection[int]
    ) -> dict[str, Any]:
        """Return the story of each system and, of a comparison, that of all, on the compared pages."""
        scores_of = self._pages.scores_of
        stories = [
            tell(one.scores, one.budgets, one.intervals, scores_of(system, pages), counter.by_measure)
            for system, (one, counter) in enumerate(zip(overview.systems, confusions, strict=True))
        ]
        several = tell_comparison(overview.ranking, overview.primary, len(pages))
        return {
            "stories": list(map(story_fields, stories)),
            "story": story_fields(several) if overview.ranking else None,
        }

    def _missing_images(self) -> list[str]:
        """Return how many pages lack their image, with the first reason and its remedy."""
        missing = [(page, note) for page, note in self._image_notes.items() if page not in self._with_image]
        if not missing:
            return []
        (page, note), count = missing[0], len(self._pages.names)
        pages = f"{len(missing):,} of {count:,} page{'s' * (count != 1)}"
        first = f"{'first ' if len(missing) > 1 else ''}{self._pages.names[page]}: {encodable(note)}"
        return [f"{pages} without image, {first}"]


def write_report(
    path: Path | str,
    results: Iterable[PageResult],
    signature: str = "",
    *,
    images: Path | None = None,
    embed_images: bool = False,
    images_from_anywhere: bool = False,
    html_size: float = 100,
    show_setting: ShowSetting = as_keyword,
    outcome: Outcome | None = None,
    paths: ShownPaths | None = None,
) -> Totals:
    """Write the report of one system.

    Args:
        path: The file to write.
        results: The results of the pages; an iterator is consumed page by page.
        signature: The line that reproduces the numbers.
        images: A folder that is searched for images first.
        embed_images: Put images into the report instead of links.
        images_from_anywhere: Take images from any folder that a page's file names.
        html_size: The size in megabytes that the details of pages may have.
        show_setting: Shows the settings that notes name.
        outcome: The outcome of the run, if it is known; otherwise it has the totals and the signature.
        paths: How paths are shown; by default only the names of files whose paths are absolute.

    Returns:
        The totals of the results.

    >>> import tempfile
    >>> from pagemeter import evaluate
    >>> from pagemeter.corpus import PageResult
    >>> path = Path(tempfile.mkdtemp(), "report.html")
    >>> page = PageResult("0001", "gt", "hyp", evaluate("a line", "a lime", ["CER"]))
    >>> write_report(path, [page], page.evaluation.signature).pages, path.exists()
    (1, True)

    """
    totals = Totals()
    with open_atomic(path) as file, byte_spool() as spool:
        source = Images(
            Path(path).parent,
            images,
            embed=embed_images,
            from_anywhere=images_from_anywhere,
            show_setting=show_setting,
        )
        limit = SizeLimit.of(html_size)
        report = HtmlFile(file, spool, source, limit, show_setting=show_setting, paths=paths)
        for result in results:
            totals.add(result)
            report.add(result)
        report.finish(outcome or Outcome(totals, signature))
    return totals


# The template, the styles and the scripts


@cache
def asset(name: str) -> str:
    """Return the text of an asset."""
    return (files(__package__) / "assets" / name).read_text(encoding="utf-8")


@cache
def modules(entry: str = _ENTRY, read: Callable[[str], str] = asset) -> tuple[str, ...]:
    """Return the names of a script and of those that it imports, each after those that it imports itself.

    Args:
        entry: The name of the script.
        read: Returns the text of a script.

    """
    order: dict[str, None] = {}
    entered: set[str] = set()

    def visit(name: str) -> None:
        if name not in entered:
            entered.add(name)
            for imported in _IMPORT.findall(read(name)):
                visit(imported)
            order[name] = None

    visit(entry)
    return tuple(order)


@cache
def script(entry: str = _ENTRY, read: Callable[[str], str] = asset) -> str:
    """Return a script and its imports as one function, without comments; it defines no global names."""
    parts = (_EXPORT.sub("", _IMPORT.sub("", _COMMENT.sub("", read(name)))) for name in modules(entry, read))
    return '(() => {\n"use strict";\n' + "\n".join(parts) + "})();\n"


@cache
def content_security_policy(*codes: str) -> str:
    """Return the policy of a page on which only these scripts may run, and only local images are loaded."""
    digests = (base64.b64encode(hashlib.sha256(code.encode()).digest()).decode() for code in codes)
    hashes = " ".join(f"'sha256-{digest}'" for digest in digests)
    return (
        "default-src 'none'; img-src 'self' file: data:; style-src 'unsafe-inline'; "
        f"script-src {hashes}; base-uri 'none'; form-action 'none'"
    )


def report_policy() -> str:
    """Return the policy of a report: only its loader and its script may run."""
    return content_security_policy(_loader(), script())


@cache
def _loader() -> str:
    """Return the script that unpacks and runs the others, which are compressed to keep reports small."""
    return _COMMENT.sub("", asset(_LOADER))


def fill_template(template: str, values: Mapping[str, str]) -> str:
    """Return a template in which each name in double brackets is replaced by its value.

    >>> fill_template("<title>[[title]]</title>", {"title": "pages"})
    '<title>pages</title>'
    """
    return re.sub(r"\[\[(\w+)\]\]", lambda match: values[match[1]], template)


def page_template(title: str) -> tuple[str, str, str]:
    r"""Return the HTML before the overview's data, between it and the data of pages, and after these.

    A text of a page is never executed, because of the content security policy.

    >>> before, _, after = page_template("a < b")
    >>> "<title>a &lt; b</title>" in before, after
    (True, '</body>\n</html>\n')
    """
    values = {
        "title": escape(title),
        "policy": report_policy(),
        "style": "\n".join(map(asset, STYLES)),
        "loader": _loader(),
        "code": pack_text(script()).decode(),
    }
    parts = re.split(r"\[\[(overview|pages)\]\]", asset("report.html"))
    before, between, after = (fill_template(part, values) for part in parts[::2])
    return before, between, after
