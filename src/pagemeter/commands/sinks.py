"""The reports that were asked for."""

from __future__ import annotations

import os
import sys
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pagemeter.commands.saying import say
from pagemeter.errors import UsageError
from pagemeter.report.alignmentfile import ALIGNMENTS, AlignmentFile, prepare_alignments
from pagemeter.report.confusionfile import CONFUSIONS, ConfusionFile, prepare_confusions
from pagemeter.report.csvfile import CSV, CsvFile, LineCsvFile, prepare_csv
from pagemeter.report.jsonfile import JSON, JsonFile, prepare_json
from pagemeter.report.linewise import LineText
from pagemeter.report.markdown import MarkdownFile
from pagemeter.report.output import STDOUT, byte_spool, spool, whole
from pagemeter.report.terminal import Terminal

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Iterator, Sequence
    from contextlib import ExitStack

    from pagemeter.corpus import PageResult, Wanted
    from pagemeter.corpus.runners.work import Preparations
    from pagemeter.measure import Measure
    from pagemeter.report.html import HtmlFile, Images
    from pagemeter.report.sink import Sink


def per_line_measure(parsed: argparse.Namespace, wanted: Wanted) -> Measure | None:
    """The measure by which lines are shown, if they are."""
    return line_measure(wanted, "--per-line") if parsed.per_line else None


def line_measure(wanted: Wanted, option: str) -> Measure:
    """The first measure that has lines."""
    for measure in wanted.required:
        if measure.unit != "BOW":
            return measure
    raise UsageError(f"{option}: a bag of words has no lines; add a measure of CER or WER with -m")


def needs_details(parsed: argparse.Namespace) -> bool:
    """Whether any report needs more of a page than its numbers and what was prepared."""
    return bool(parsed.per_line)


def needs_texts(parsed: argparse.Namespace) -> bool:
    """Whether any report needs more of a page than its numbers, wherever it makes something of it."""
    return needs_details(parsed) or bool(_prepared_details(parsed))


def preparations(parsed: argparse.Namespace) -> Preparations:
    """What reports make of a page wherever it is evaluated, so that the processes share that work too."""
    numbers = {JSON: (parsed.json, prepare_json), CSV: (parsed.csv, prepare_csv)}
    made = {name: of for name, (asked, of) in numbers.items() if asked and not parsed.per_line}
    return {**made, **_prepared_details(parsed)}


def _prepared_details(parsed: argparse.Namespace) -> Preparations:
    """What the reports that show what went wrong make of a page."""
    made: dict[str, Callable[[PageResult], Any]] = {}
    if parsed.alignments:
        made[ALIGNMENTS] = prepare_alignments
    if parsed.confusions:
        made[CONFUSIONS] = prepare_confusions
    return {**made, **prepared_html(parsed)}


def prepared_html(parsed: argparse.Namespace) -> Preparations:
    """What the report to look at makes of a page, if there is one."""
    if not parsed.html:
        return {}
    from pagemeter.report.html import HTML, Packer  # noqa: PLC0415  (only where asked for)

    return {HTML: Packer(_images(parsed))}


def open_files(stack: ExitStack, parsed: argparse.Namespace, wanted: Wanted) -> list[Sink]:
    """The reports that go to files, which are written when the stack closes without an error."""
    check_paths(_paths(parsed))
    per_line = per_line_measure(parsed, wanted)
    sinks: list[Sink] = []
    if parsed.json:
        file = stack.enter_context(whole(parsed.json))
        sinks.append(stack.enter_context(closing(JsonFile(file, per_line))))
    if parsed.csv:
        file = stack.enter_context(whole(parsed.csv))
        sinks.append(LineCsvFile(file, per_line) if per_line else CsvFile(file))
    if parsed.markdown:
        file = stack.enter_context(whole(parsed.markdown))
        sinks.append(MarkdownFile(file, wanted.measures, per_page=parsed.per_page))
    return [*sinks, *_open_details(stack, parsed)]


def _open_details(stack: ExitStack, parsed: argparse.Namespace) -> Iterator[Sink]:
    """The reports that show what went wrong."""
    if parsed.html:
        yield open_html(stack, parsed)
    if parsed.alignments:
        yield AlignmentFile(stack.enter_context(whole(parsed.alignments)))
    if parsed.confusions:
        yield ConfusionFile(stack.enter_context(whole(parsed.confusions)))


def open_html(stack: ExitStack, parsed: argparse.Namespace, systems: int = 1) -> HtmlFile:
    """The report to look at, of one system or several."""
    from pagemeter.report.html import HtmlFile, Room  # noqa: PLC0415

    room, file = Room.of(parsed.html_size), stack.enter_context(whole(parsed.html))
    spool = stack.enter_context(byte_spool())
    return HtmlFile(file, spool, _images(parsed), room, systems=systems, tell=partial(_tell, parsed.html))


def _tell(path: str, line: str) -> None:
    say(f"{path}: {line}")


def _images(parsed: argparse.Namespace) -> Images:
    from pagemeter.report.html import Images  # noqa: PLC0415

    if parsed.images and not parsed.images.is_dir():
        raise UsageError(f"--images {parsed.images}: no such folder; give the folder that holds the images")
    folder = Path() if parsed.html in STDOUT else Path(parsed.html).parent
    return Images(folder, parsed.images, embed=parsed.embed_images)


def open_terminal(stack: ExitStack, parsed: argparse.Namespace, wanted: Wanted) -> list[Sink]:
    """What is shown on standard output, unless a file is written there."""
    if set(STDOUT) & set(_paths(parsed)):
        return []
    sinks: list[Sink] = []
    per_line = per_line_measure(parsed, wanted)
    if per_line and not (parsed.json or parsed.csv):
        sinks.append(LineText(sys.stdout, stack.enter_context(spool()), per_line))
    return [*sinks, Terminal(sys.stdout, wanted.measures, per_page=parsed.per_page)]


def _paths(parsed: argparse.Namespace) -> list[str]:
    given = (parsed.json, parsed.csv, parsed.markdown, parsed.html, parsed.alignments, parsed.confusions)
    return [path for path in given if path]


def check_paths(given: Sequence[str]) -> None:
    """Raises an error if two reports would be written to one place.

    >>> check_paths(["out.json", "out.md", "-"])
    """
    paths = [STDOUT[0] if path in STDOUT else os.path.realpath(path) for path in given]
    for path in paths:
        if paths.count(path) > 1:
            where = "standard output" if path in STDOUT else path
            raise UsageError(f"two reports cannot both be written to {where}; name another file for one")
