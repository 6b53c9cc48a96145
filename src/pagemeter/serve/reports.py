"""The reports of the local page: write that of a run or of a results store, and find those in a folder."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from pagemeter.atomic_io import byte_spool, open_atomic
from pagemeter.corpus import MeasureSelection, Outcome, Totals
from pagemeter.corpus.page_result import evaluation_from_lines
from pagemeter.errors import InputError, as_keyword
from pagemeter.inputs import pair as pair_files
from pagemeter.inputs.arguments import is_store
from pagemeter.inputs.lists import RECORD_SUFFIXES
from pagemeter.inputs.locations import Url
from pagemeter.inputs.page_files import find_files, natural_sort
from pagemeter.report.html import (
    HTML,
    HtmlFile,
    Images,
    Packer,
    ShownPaths,
    report_policy,
)
from pagemeter.report.summary import messages
from pagemeter.stats import table_intervals

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from pagemeter.corpus import PageResult, RunConfig
    from pagemeter.inputs import Pair
    from pagemeter.inputs.locations import Location
    from pagemeter.report import ShowSetting
    from pagemeter.runners.in_process import Runner

OnPage = Callable[[int, int], None]
"""A function that is called with the number of finished pages and of all pages, 0 if it is not known yet."""

_HEAD = 2_000  # bytes of a report, which contain its content security policy
_POLICY = re.compile(r'http-equiv="Content-Security-Policy" content="([^"]*)"')
_ARCHIVES = (".zip",)
_MOST_FOUND = 1_000  # reports and stores of a folder
_SIDES = ("gt", "hyp")
_HIDDEN = "."


@dataclass(frozen=True, slots=True)
class WrittenReport:
    """What a written report says in short: the number of pages, and messages about them."""

    pages: int
    messages: tuple[str, ...]


# Runs


def write_run(
    sides: tuple[Path, Path],
    config: RunConfig,
    runner: Runner,
    target: Path,
    *,
    on_page: OnPage,
    show_setting: ShowSetting = as_keyword,
) -> WrittenReport:
    """Evaluate the files of two folders, and write the report.

    Args:
        sides: The folders of the ground truth and of the hypotheses.
        config: The measures and settings.
        runner: Evaluates the pages.
        target: The report.
        on_page: Called after each page; an exception that it raises ends the run.
        show_setting: Shows the settings that messages name.

    Raises:
        InputError: The files cannot be paired, or no hypothesis can be read.

    """
    gt, hyp = _arguments(*sides)
    pairing = pair_files(gt, hyp)
    images = Images(target.parent, embed=True, show_setting=show_setting)
    paths = ShownPaths((str(gt), str(hyp)))
    config = replace(config, details=False, prepare={HTML: Packer(images, paths)})
    results = _evaluated(runner, config, pairing.pairs, on_page)
    totals = Totals(settings=config.settings)
    with open_atomic(target) as file, byte_spool() as spool:
        report = HtmlFile(file, spool, images, show_setting=show_setting, paths=paths)
        for result in results:
            totals.add(result)
            report.add(result)
        if not totals.scores:
            raise InputError(
                "\n".join(_messages(totals, paths, show_setting)) or "there is no page to evaluate"
            )
        if totals.missed == totals.pages:
            reasons = (*_messages(totals, paths, show_setting), "no recognised page could be read")
            raise InputError("\n".join(reasons), remedy="check that the files are on the right side")
        report.finish(_outcome(totals, config))
    return WrittenReport(totals.pages, _messages(totals, paths, show_setting))


def _evaluated(
    runner: Runner, config: RunConfig, pairs: Collection[Pair], on_page: OnPage
) -> Iterator[PageResult]:
    count = len(pairs)
    on_page(0, count)
    for done, (_, results) in enumerate(runner.map(config, pairs), 1):
        on_page(done, count)
        yield from results


def _outcome(totals: Totals, config: RunConfig) -> Outcome:
    return Outcome(
        totals,
        config.with_evaluated_measures(totals).signature,
        intervals=table_intervals(totals.table, config.resampling),
        named=config.measures != MeasureSelection.of(None),
    )


def _messages(totals: Totals, paths: ShownPaths, show_setting: ShowSetting) -> tuple[str, ...]:
    return tuple(paths.text(line) for line in messages(totals, show_setting))


def _arguments(gt: Path, hyp: Path) -> tuple[Location, Location]:
    """Return what to evaluate on both sides: two single pages with any names, or else two collections."""
    gt, hyp = _inner(gt), _inner(hyp)
    gts, hyps = find_files(gt).candidates, find_files(hyp).candidates
    if len(gts) == len(hyps) == 1 and not any(one.suffix in RECORD_SUFFIXES for one in (gts[0], hyps[0])):
        return Path(gts.file(0)), Path(hyps.file(0))
    return _collection(gt), _collection(hyp)


def _inner(folder: Path) -> Path:
    """Return the first folder below that has more than one entry, because folders are dropped as a whole.

    >>> import tempfile
    >>> top = Path(tempfile.mkdtemp())
    >>> (top / "run 1" / "page").mkdir(parents=True)
    >>> for name in ("a.xml", "b.xml"): (top / "run 1" / "page" / name).touch()
    >>> _inner(top).relative_to(top)
    PosixPath('run 1/page')
    """
    entries = [one for one in folder.iterdir() if not one.name.startswith(_HIDDEN)] if folder.is_dir() else []
    return _inner(entries[0]) if len(entries) == 1 and entries[0].is_dir() else folder


def _collection(folder: Path) -> Location:
    """Return the folder, or its only file if that is an archive or a file of texts."""
    files = [one for one in folder.iterdir() if not one.name.startswith(_HIDDEN)]
    if len(files) == 1 and files[0].suffix.lower() in _ARCHIVES:
        return Url(f"zip://::{files[0]}")
    return files[0] if len(files) == 1 and files[0].suffix.lower() in RECORD_SUFFIXES else folder


# Results stores


def write_stored(
    folder: Path, target: Path, *, on_page: OnPage, show_setting: ShowSetting = as_keyword
) -> WrittenReport:
    """Write the report of a results store, with the lines of the pages if the store has them.

    Raises:
        StoreError: The store cannot be used.
        DependencyError: pyarrow is not installed.

    """
    from pagemeter.store.reading import StoredResults, add_part  # noqa: PLC0415  (needs pyarrow)

    stored = StoredResults(folder)
    totals, images, done = Totals(settings=stored.config.settings), Images(target.parent, embed=True), 0
    packer, without_lines = Packer(images), 0
    with open_atomic(target) as file, byte_spool() as spool:
        report = HtmlFile(file, spool, images, show_setting=show_setting)
        for part in stored.parts():
            add_part(totals, part)
            for result, lines in zip(part.results(), stored.lines(part), strict=True):
                done += 1
                on_page(done, 0)
                if result.evaluation is None or lines is None:
                    without_lines += result.evaluation is not None
                    report.add(replace(result, prepared={HTML: None}))
                    continue
                page = replace(result, evaluation=evaluation_from_lines(lines, stored.config.settings))
                report.add(replace(result, prepared={HTML: packer(page)}))
        report.finish(_outcome(totals, stored.config))
    notes = [warning.render(show_setting) for warning in stored.warnings]
    if without_lines:
        notes.append(
            f"{without_lines:,} of {done:,} pages are shown without lines, which the store does not have"
        )
    return WrittenReport(totals.pages, (*notes, *_messages(totals, ShownPaths(), show_setting)))


# Folders of results


@dataclass(frozen=True, slots=True)
class Results:
    """The results in a folder: results stores, reports, and folders of pages that are not evaluated yet.

    Args:
        folder: The folder; also that of the reports' images.
        stores: The folders of results stores.
        reports: The names of reports, relative to the folder.
        pages: The folders of the ground truth and of the hypotheses, if there are any.

    """

    folder: Path
    stores: tuple[Path, ...] = ()
    reports: tuple[str, ...] = ()
    pages: tuple[Path, Path] | None = None


def find_results(path: Path) -> Results:
    """Return the results in a folder and its subfolders, or that of a store or report.

    Raises:
        InputError: There is nothing to show.

    >>> find_results(Path("nowhere"))
    Traceback (most recent call last):
    pagemeter.errors.InputError: nowhere: no such file or folder. Check the path.

    """
    if not path.exists():
        raise InputError("no such file or folder", source=str(path), remedy="check the path")
    if is_store(path):
        return Results(path.parent, (path,))
    if path.is_file():
        if not is_report(path):
            remedy = "give a results store, a report, or a folder of them"
            raise InputError("not a report of this version of pagemeter", source=str(path), remedy=remedy)
        return Results(path.parent, reports=(path.name,))
    return _below(path)


def _below(folder: Path) -> Results:
    stores: list[Path] = []
    reports: list[str] = []
    for current, folders, names in os.walk(folder):
        here = Path(current)
        folders[:] = natural_sort(name for name in folders if not name.startswith(_HIDDEN))
        if is_store(here):
            stores.append(here)
            folders.clear()
            continue
        html = (here / name for name in natural_sort(names) if name.lower().endswith((".html", ".htm")))
        reports += [str(path.relative_to(folder)) for path in html if is_report(path)]
        if len(stores) + len(reports) >= _MOST_FOUND:
            break
    gt, hyp = (folder / side for side in _SIDES)
    pages = (gt, hyp) if gt.is_dir() and hyp.is_dir() else None
    if not stores and not reports and not pages:
        remedy = "give a results store, a folder with reports, or a folder with the folders gt and hyp"
        raise InputError("no results in this folder", source=str(folder), remedy=remedy)
    return Results(folder, tuple(stores), tuple(reports), pages)


def is_report(path: Path) -> bool:
    """Return True for a report of this version: only its scripts are allowed to run on the local page.

    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp(), "a.html")
    >>> _ = path.write_text("<!doctype html><title>pagemeter report</title>")
    >>> is_report(path)
    False
    """
    try:
        with path.open("rb") as file:
            head = file.read(_HEAD).decode("utf-8", "replace")
    except OSError:
        return False
    policy = _POLICY.search(head)
    return policy is not None and policy[1] == report_policy()
