"""From pairs of files to results, one page after the other."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from pagemeter.corpus.measures import Wanted
from pagemeter.corpus.opening import open_pair
from pagemeter.corpus.reading import Reading
from pagemeter.corpus.remarks import dropped, named, too_long, unplaced, warnings_of
from pagemeter.corpus.result import PageResult
from pagemeter.errors import InputError
from pagemeter.evaluation import evaluate_pages
from pagemeter.page import Page
from pagemeter.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pagemeter.corpus.page_pairs import PagePair
    from pagemeter.corpus.pairs import Pair
    from pagemeter.evaluation import Evaluation
    from pagemeter.measure import Measure


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


def _evaluate(page: PagePair, wanted: Wanted, settings: Settings, *, skip_missing: bool) -> PageResult:
    result = PageResult(page.name, page.gt_file, page.hyp_file, None, page.warnings)
    if page.gt is None or (page.hyp is None and skip_missing):
        return result
    lacking = unplaced(page) if wanted.where_placed or wanted.budget else ()
    measures = wanted.evaluated(placed=not lacking)
    if refusal := too_long(page, measures):
        return replace(result, error=refusal)
    try:
        evaluation = evaluate_pages(page.gt, page.hyp or Page(), measures, settings)
    except (InputError, MemoryError) as error:
        return replace(result, error=named(error, page))
    left_out = dropped(page.gt, settings), dropped(page.hyp, settings)
    warnings = (*result.warnings, *evaluation.warnings, *warnings_of(page, evaluation, left_out))
    made = replace(
        result, warnings=warnings, unplaced=lacking if wanted.where_placed else (), dropped=left_out
    )
    return _divided(made, evaluation, wanted)


def _divided(result: PageResult, evaluation: Evaluation, wanted: Wanted) -> PageResult:
    """The result with the measures that were asked for, and apart from them those for the budget."""
    shown = {measure: score for measure, score in evaluation.scores.items() if measure in wanted.measures}
    extra = {measure: score for measure, score in evaluation.scores.items() if measure not in shown}
    return replace(result, evaluation=replace(evaluation, scores=shown) if extra else evaluation, extra=extra)
