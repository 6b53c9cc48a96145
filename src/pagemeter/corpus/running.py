"""From pairs of files to results, one page after the other."""

from __future__ import annotations

import re
from dataclasses import fields, replace
from typing import TYPE_CHECKING

from pagemeter.corpus.measures import Wanted
from pagemeter.corpus.page_pairs import PagePair, page_pairs
from pagemeter.corpus.reading import Reader, Reading
from pagemeter.corpus.result import PageResult
from pagemeter.errors import InputError
from pagemeter.evaluation import evaluate_pages
from pagemeter.page import Page
from pagemeter.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from pagemeter.corpus.names import Side
    from pagemeter.corpus.pairs import Pair
    from pagemeter.evaluation import Evaluation
    from pagemeter.measure import Measure

_OPTION = re.compile(rf"(?<!\S)--({'|'.join(field.name for field in fields(Reader))})\b")


def run(
    pairs: Iterable[Pair],
    measures: Iterable[str | Measure] | Wanted | None = None,
    settings: Settings | None = None,
    *,
    reading: Reading | None = None,
    skip_missing: bool = False,
) -> Iterator[PageResult]:
    """The results of all pages, each as soon as it is there; none is kept.

    `measures` are those of `Wanted.of`. A GT page without HYP is evaluated against an empty page, so that all
    of it is missing, unless `skip_missing`. A file that cannot be read, and a page that lacks the positions
    that a G measure needs, give a result with an error and touch no other page; a G measure that is wanted
    only where there are positions (`CER:G?`, and those of the default) is left out of that page instead.

    >>> import tempfile
    >>> from pathlib import Path
    >>> from pagemeter.corpus import Pair
    >>> from pagemeter.measure import Measure
    >>> path = Path(tempfile.mkdtemp(), "page.txt")
    >>> _ = path.write_text("a line")
    >>> [result.scores[Measure("CER")].errors for result in run([Pair("page", path, None)], ["CER"])]
    [6]
    """
    wanted = Wanted.of(measures)
    for pair in pairs:
        yield from evaluate_pair(
            pair, wanted, settings or Settings(), reading or Reading(), skip_missing=skip_missing
        )


def evaluate_pair(
    pair: Pair,
    wanted: Wanted,
    settings: Settings,
    reading: Reading,
    *,
    skip_missing: bool = False,
) -> tuple[PageResult, ...]:
    """The results of the pages in two files: usually one. It depends on nothing else, wherever it runs."""
    opened = open_pair(pair, reading)
    if isinstance(opened, PageResult):
        return (opened,)
    made = (_evaluate(page, wanted, settings, skip_missing=skip_missing) for page in opened)
    return tuple(replace(result, document=pair.document) for result in made)


def open_pair(pair: Pair, reading: Reading) -> PageResult | tuple[PagePair, ...]:
    """The pages in two files, the first with the first and so on, or the result that there are none."""
    gt_file, hyp_file = (None if path is None else str(path) for path in (pair.gt, pair.hyp))
    if pair.error is not None or pair.gt is None:
        return PageResult(pair.name, gt_file, hyp_file, None, pair.warnings, pair.error)
    gts, gt_error = _load(reading.gt, pair.gt, "gt")
    hyps, hyp_error = _load(reading.hyp, pair.hyp, "hyp")
    if gt_error or hyp_error:
        error = "\n".join(filter(None, (gt_error, hyp_error)))
        return PageResult(pair.name, gt_file, hyp_file, None, pair.warnings, error)
    return tuple(page_pairs(pair, gts, hyps))


def _load(reader: Reader, path: Path | None, side: Side) -> tuple[tuple[Page, ...], str | None]:
    if path is None:
        return (), None
    try:
        return tuple(_with_options_of(page, side) for page in reader.pages(path)), None
    except InputError as error:
        return (), _options_of(str(error), side)


def _with_options_of(page: Page, side: Side) -> Page:
    if not any("--" in warn.reason for warn in page.warnings):
        return page
    warnings = (replace(warn, reason=_options_of(warn.reason, side)) for warn in page.warnings)
    return replace(page, warnings=tuple(warnings))


def _options_of(message: str, side: Side) -> str:
    """A message that names options of one side, for the other side may be read well as it is."""
    return _OPTION.sub(rf"--{side}-\1", message)


def _evaluate(page: PagePair, wanted: Wanted, settings: Settings, *, skip_missing: bool) -> PageResult:
    result = PageResult(page.name, page.gt_file, page.hyp_file, None, page.warnings)
    if page.gt is None or (page.hyp is None and skip_missing):
        return result
    unplaced = _unplaced(page) if wanted.where_placed or wanted.budget else ()
    measures = wanted.evaluated(placed=not unplaced)
    try:
        evaluation = evaluate_pages(page.gt, page.hyp or Page(), measures, settings)
    except InputError as error:
        return replace(result, error=_named(str(error), page))
    warnings = result.warnings + evaluation.warnings
    made = replace(result, warnings=warnings, unplaced=unplaced if wanted.where_placed else ())
    return _divided(made, evaluation, wanted)


def _divided(result: PageResult, evaluation: Evaluation, wanted: Wanted) -> PageResult:
    """The result with the measures that were asked for, and apart from them those for the budget."""
    shown = {measure: score for measure, score in evaluation.scores.items() if measure in wanted.measures}
    extra = {measure: score for measure, score in evaluation.scores.items() if measure not in shown}
    return replace(result, evaluation=replace(evaluation, scores=shown) if extra else evaluation, extra=extra)


def _unplaced(page: PagePair) -> tuple[Side, ...]:
    """The sides on which the measures with G have no value."""
    from pagemeter.geometry import is_placed  # noqa: PLC0415  (not where no positions are asked for)

    sides: tuple[tuple[Side, Page | None], ...] = (("gt", page.gt), ("hyp", page.hyp))
    return tuple(side for side, found in sides if found is not None and not is_placed(found))


def _named(error: str, page: PagePair) -> str:
    """The error with the file it is about, which a solver does not know."""
    files = [file for file in (page.gt_file, page.hyp_file) if file]
    return (
        error if any(error.startswith(file.partition("#")[0]) for file in files) else f"{files[0]}: {error}"
    )
