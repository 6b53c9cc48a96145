"""Open the requested report files, and check that they replace no input file."""

from __future__ import annotations

import os
import sys
from collections.abc import Collection, Mapping
from contextlib import closing
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pagemeter.atomic_io import STDOUT_NAMES, byte_spool, open_atomic, text_spool
from pagemeter.cli.console import print_message
from pagemeter.cli.setting_options import as_option
from pagemeter.errors import InputError, UsageError
from pagemeter.inputs.matching import why_not_a_page
from pagemeter.inputs.page_files import candidate, with_dot
from pagemeter.inputs.pairs import MatchedPairs
from pagemeter.report.alignments import (
    ALIGNMENTS,
    CONFUSIONS,
    AlignmentFile,
    ConfusionFile,
    LineCsvFile,
    LineTextFile,
    prepare_alignments,
    prepare_confusions,
)
from pagemeter.report.csv import CSV, CsvFile, prepare_csv
from pagemeter.report.json import JSON, JsonFile, prepare_json
from pagemeter.report.names import ShownPaths
from pagemeter.report.tables import TYPES, TypeTable, prepare_types
from pagemeter.report.text_reports import MarkdownFile, Terminal

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from contextlib import ExitStack

    from pagemeter.corpus import MeasureSelection, PageResult
    from pagemeter.corpus.run_config import Preparations
    from pagemeter.inputs.locations import Location
    from pagemeter.inputs.pairs import Pair
    from pagemeter.measure import Measure
    from pagemeter.report import Sink
    from pagemeter.report.html import HtmlFile, Images

_KINDS = ("json", "csv", "curve_csv", "curve_svg", "markdown", "latex", "html", "alignments", "confusions")
"""The options that name a report file."""


def report_paths(parsed: argparse.Namespace, kinds: Sequence[str] = _KINDS) -> dict[str, str]:
    """Return the report files by kind.

    Raises:
        UsageError: Two reports would be written to one file.

    """
    paths = {kind: path for kind in kinds if (path := getattr(parsed, kind, None))}
    targets: dict[str, str] = {}
    for kind, path in paths.items():
        target = "standard output" if path in STDOUT_NAMES else os.path.realpath(path)
        if target in targets:
            raise UsageError(
                f"two reports cannot both be written to {target}",
                remedy="give another file for {} or {}",
                settings=((targets[target], ""), (kind, "")),
            )
        targets[target] = kind
    return paths


def check_outputs(parsed: argparse.Namespace) -> None:
    """Check before anything is read that reports can be written, and that their packages are installed.

    Raises:
        UsageError: The folder of a report does not exist, or the report is a folder.
        InputError: The folder of a report cannot be written.
        DependencyError: A package is missing.

    """
    for kind, name in report_paths(parsed).items():
        folder = Path(os.path.realpath(name)).parent
        setting = kind, name
        if name in STDOUT_NAMES:
            continue
        if Path(name).is_dir():
            raise UsageError("this is a folder", setting=setting, remedy="give the name of a file")
        if not folder.is_dir():
            raise UsageError(f"there is no folder {folder}", setting=setting, remedy="create it")
        if not Path(name).exists() and not os.access(folder, os.W_OK):
            raise InputError(f"{folder} cannot be written", setting=setting, remedy="give another folder")
    if getattr(parsed, "embed_images", False) and parsed.html:
        from pagemeter.report.html.images import check_pillow  # noqa: PLC0415  (only if asked for)

        check_pillow()
    if getattr(parsed, "store", None) is not None:
        import_module("pagemeter.store")  # which raises an error if its package is missing


def on_standard_output(parsed: argparse.Namespace) -> bool:
    """Return True if a report is written to standard output; nothing else is printed there then."""
    return not set(STDOUT_NAMES).isdisjoint(report_paths(parsed).values())


def open_files(stack: ExitStack, parsed: argparse.Namespace, selection: MeasureSelection) -> list[Sink]:
    """Open the reports of an evaluation that go to files.

    The files get their names when the stack closes without an error.
    """
    paths = report_paths(parsed)
    per_line = per_line_measure(parsed, selection)
    files = {kind: stack.enter_context(open_atomic(path)) for kind, path in paths.items() if kind != "html"}
    sinks: list[Sink] = []
    if file := files.get("json"):
        sinks.append(stack.enter_context(closing(JsonFile(file, per_line, types=parsed.by == "type"))))
    if file := files.get("csv"):
        sinks.append(
            LineCsvFile(file, per_line, parsed.csv_formulas)
            if per_line
            else CsvFile(file, parsed.csv_formulas)
        )
    if file := files.get("markdown"):
        sinks.append(MarkdownFile(file, selection.measures, per_page=parsed.per_page))
    if "html" in paths:
        sinks.append(open_html(stack, parsed))
    if file := files.get("alignments"):
        sinks.append(AlignmentFile(file))
    if file := files.get("confusions"):
        sinks.append(ConfusionFile(file, parsed.csv_formulas))
    return sinks


def open_terminal(stack: ExitStack, parsed: argparse.Namespace, selection: MeasureSelection) -> list[Sink]:
    """Return the tables that are printed, none if a report is written to standard output."""
    if on_standard_output(parsed):
        return []
    sinks: list[Sink] = []
    per_line = per_line_measure(parsed, selection)
    if per_line and not (parsed.json or parsed.csv):
        sinks.append(LineTextFile(sys.stdout, stack.enter_context(text_spool()), per_line))
    if parsed.by == "type":
        sinks.append(TypeTable(sys.stdout))
    return [
        *sinks,
        Terminal(sys.stdout, selection.measures, per_page=parsed.per_page, show_setting=as_option),
    ]


def open_html(stack: ExitStack, parsed: argparse.Namespace, systems: int = 1) -> HtmlFile:
    """Open the HTML report of one or several systems."""
    from pagemeter.report.html import HtmlFile, SizeLimit  # noqa: PLC0415  (only if asked for)

    path = parsed.html
    limit, file = SizeLimit.of(parsed.html_size), stack.enter_context(open_atomic(path))
    spool = stack.enter_context(byte_spool())
    on_note = partial(_print_note, path)
    return HtmlFile(
        file,
        spool,
        _images(parsed),
        limit,
        systems=systems,
        on_note=on_note,
        show_setting=as_option,
        paths=_shown_paths(parsed),
    )


def _shown_paths(parsed: argparse.Namespace) -> ShownPaths:
    """Return how the HTML report shows paths: as `parsed.shown_paths`, or relative to the arguments."""
    known: ShownPaths | None = getattr(parsed, "shown_paths", None)
    if known is not None:
        return known
    given = [
        *(getattr(parsed, name, None) for name in ("gt", "hyp")),
        *(getattr(parsed, "systems", None) or ()),
    ]
    return ShownPaths(tuple(str(path) for path in given if path), full=parsed.full_paths)


def _print_note(path: str, note: str) -> None:
    print_message(f"{path}: {note}")


def _images(parsed: argparse.Namespace) -> Images:
    from pagemeter.report.html import Images  # noqa: PLC0415  (only if asked for)

    if parsed.images and not parsed.images.is_dir():
        raise UsageError(
            "no such folder", setting=("images", str(parsed.images)), remedy="give the folder of the images"
        )
    folder = Path() if parsed.html in STDOUT_NAMES else Path(parsed.html).parent
    return Images(
        folder,
        parsed.images,
        embed=parsed.embed_images,
        from_anywhere=parsed.images_from_anywhere,
        show_setting=as_option,
    )


# Data that reports need of a page


def per_line_measure(parsed: argparse.Namespace, selection: MeasureSelection) -> Measure | None:
    """Return the measure by which lines are reported, None if they are not."""
    return line_measure(selection, "per_line") if parsed.per_line else None


def line_measure(selection: MeasureSelection, setting: str) -> Measure:
    """Return the first measure that aligns lines; `setting` is named in the error if there is none."""
    for measure in selection.required:
        if measure.aligns_lines:
            return measure
    raise UsageError(
        "none of the measures aligns lines",
        setting=(setting, ""),
        remedy="add a measure of CER or WER with {}",
        settings=(("measures", ""),),
    )


def needs_texts(parsed: argparse.Namespace) -> bool:
    """Return True if a report needs the texts of pages, which a results store does not have."""
    return bool(parsed.per_line or parsed.alignments or parsed.confusions or parsed.html or parsed.by)


def preparations(parsed: argparse.Namespace) -> Preparations:
    """Return, by kind of report, the function that a worker applies to a page to send back less data."""
    functions: dict[str, Callable[[PageResult], Any]] = {}
    if parsed.json and not parsed.per_line:
        functions[JSON] = prepare_json
    if parsed.csv and not parsed.per_line:
        functions[CSV] = partial(prepare_csv, formulas=parsed.csv_formulas)
    if parsed.alignments:
        functions[ALIGNMENTS] = prepare_alignments
    if parsed.confusions:
        functions[CONFUSIONS] = prepare_confusions
    if parsed.by:
        functions[TYPES] = prepare_types
    return {**functions, **html_preparations(parsed)}


def html_preparations(parsed: argparse.Namespace) -> Preparations:
    """Return the function that packs a page for the HTML report, if one is written."""
    if not parsed.html:
        return {}
    from pagemeter.report.html import HTML, Packer  # noqa: PLC0415  (only if asked for)

    return {HTML: Packer(_images(parsed), _shown_paths(parsed))}


# Protection of input files

_FileId = tuple[int, int]
"""The device and inode of a file, which are the same for all names that lead to it."""
_Reports = Mapping[_FileId, tuple[str, str]]
"""The settings of reports that would replace an existing file, by that file."""
_MAX_CHECKED_FIRST = 50_000  # pairs; fewer are checked within a second


def protect_inputs(parsed: argparse.Namespace, inputs: Sequence[Location]) -> None:
    """Raise an error if a report would replace an argument, a mapping, or a page file in a given folder."""
    listed = [*inputs, *(Path(str(path)[1:]) for path in inputs if str(path).startswith("@"))]
    reports = _replaced_files(parsed)
    for path in (*listed, *map(Path, parsed.mapping or ())):
        _protect(reports, path)
    suffixes = tuple(map(with_dot, (*(parsed.gt_suffix or ()), *(parsed.hyp_suffix or ()))))
    for folder in map(os.path.realpath, inputs):
        for kind, given in reports.values():
            path = Path(os.path.realpath(given))
            if Path(folder) in path.parents and candidate(path, (), suffixes) and not why_not_a_page(path):
                raise _refusal(kind, given)
    store = getattr(parsed, "store", None)
    if store is not None and (store_id := _file_id(store)) and store_id in map(_file_id, inputs):
        raise UsageError("this is an input", setting=("store", str(store)), remedy="give another folder")


def protected_pairs(parsed: argparse.Namespace, pairs: Collection[Pair]) -> Collection[Pair]:
    """Return the pairs after a check that no report would replace one of their files.

    Very many pairs are checked while they are iterated, because checking them takes long. Reports get their
    names after the last pair.
    """
    reports = _replaced_files(parsed)
    if not reports:
        return pairs
    if len(pairs) > _MAX_CHECKED_FIRST:
        return _ProtectedPairs(pairs, reports)
    for file in pairs.files() if isinstance(pairs, MatchedPairs) else _files(pairs):
        _protect(reports, file)
    return pairs


class _ProtectedPairs(Collection["Pair"]):
    """Pairs that are checked while they are iterated."""

    def __init__(self, pairs: Collection[Pair], reports: _Reports) -> None:
        self._pairs, self._reports = pairs, reports

    def __len__(self) -> int:
        return len(self._pairs)

    def __contains__(self, pair: object) -> bool:
        return pair in self._pairs

    def __iter__(self) -> Iterator[Pair]:
        for pair in self._pairs:
            for file in _files((pair,)):
                _protect(self._reports, file)
            yield pair


def _files(pairs: Iterable[Pair]) -> Iterator[str]:
    return (os.fspath(path) for pair in pairs for path in (pair.gt, pair.hyp) if path)


def _replaced_files(parsed: argparse.Namespace) -> _Reports:
    """Return the existing files that reports would replace."""
    files: dict[_FileId, tuple[str, str]] = {}
    for kind in _KINDS:
        path = getattr(parsed, kind, None)
        if path and Path(path).is_file() and (file := _file_id(path)):
            files.setdefault(file, (kind, path))
    return files


def _protect(reports: _Reports, path: Location | str) -> None:
    if reports and (file := _file_id(path)) and (report := reports.get(file)):
        raise _refusal(report[0], path)


def _file_id(path: Location | str) -> _FileId | None:
    """Return the identity of a file, None if it does not exist."""
    try:
        status = os.stat(path)  # noqa: PTH116  (half the time of Path.stat)
    except (OSError, ValueError):
        return None
    return status.st_dev, status.st_ino


def _refusal(kind: str, path: Location | str) -> UsageError:
    return UsageError(
        "this is an input, which the report would replace",
        setting=(kind, str(path)),
        remedy="give another file",
    )
