"""What is done with every pair of files, wherever it is done."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from time import perf_counter
from typing import TYPE_CHECKING, Any, Protocol

from pagemeter.corpus.contents import is_same
from pagemeter.corpus.lines import PageLines, lines_of
from pagemeter.corpus.opening import open_pair
from pagemeter.corpus.remarks import dropped, named, too_long, unplaced, warnings_of
from pagemeter.corpus.result import PageResult
from pagemeter.errors import InputError
from pagemeter.evaluation import evaluate_pages
from pagemeter.page import Page

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pagemeter.corpus.measures import Wanted
    from pagemeter.corpus.page_pairs import PagePair
    from pagemeter.corpus.pairs import Pair
    from pagemeter.corpus.reading import Reading
    from pagemeter.evaluation import Evaluation
    from pagemeter.measure import Measure
    from pagemeter.settings import Settings


Preparations = Mapping[str, Callable[[PageResult], Any]]
"""What reports make of a page where it is evaluated, by the name they know it by."""


@dataclass(frozen=True, slots=True)
class Work:
    """How a pair of files is read and evaluated; called with the pair, it gives the results of its pages.

    Without `details` results have numbers only, no texts and no matchings; with `inputs` they say what the
    files held, with `per_line` what each line got by that measure, with `prepare` what reports made of them.
    Relative paths are those of `folder`, or of the working folder.

    >>> from pathlib import Path
    >>> from pagemeter.corpus import Pair, Reading, Wanted
    >>> from pagemeter.settings import Settings
    >>> work = Work(Wanted.of(["CER"]), Settings(), Reading())
    >>> [result.error for result in work(Pair("1", Path("nowhere.xml"), None))]
    ['nowhere.xml: no such file; check the path']
    """

    wanted: Wanted
    settings: Settings
    reading: Reading
    skip_missing: bool = False
    details: bool = True
    inputs: bool = False
    per_line: Measure | None = None
    prepare: Preparations = field(default_factory=dict)
    failed_as_missing: bool = False
    folder: str = ""

    def __call__(self, pair: Pair) -> tuple[PageResult, ...]:
        """The results of the pages in two files: usually one; none if the files are what has been seen."""
        if self._has_seen(pair):
            return ()
        began = perf_counter()
        opened = open_pair(
            pair, self.reading, self.folder, inputs=self.inputs, failed_as_missing=self.failed_as_missing
        )
        if isinstance(opened, PageResult):
            return (opened,)
        made = []
        for page in opened.pages:
            result, now = self._evaluate(page), perf_counter()
            result = replace(result, document=pair.document, seconds=now - began, inputs=opened.inputs)
            began = now
            if self.per_line and result.evaluation:
                lines = PageLines(self.per_line, *lines_of(result.evaluation, self.per_line))
                result = replace(result, lines=lines)
            if result.evaluation and self.prepare:
                result = replace(result, prepared={name: of(result) for name, of in self.prepare.items()})
            made.append(result if self.details else result.numbers)
        return tuple(made)

    def _has_seen(self, pair: Pair) -> bool:
        paths = (pair.gt, pair.hyp) if pair.gt else (None, None)  # without ground truth nothing is read
        return pair.seen is not None and all(
            is_same(path, seen, self.folder) for path, seen in zip(paths, pair.seen, strict=True)
        )

    def _evaluate(self, page: PagePair) -> PageResult:
        result = PageResult(page.name, page.gt_file, page.hyp_file, None, page.warnings)
        if page.gt is None or (page.hyp is None and self.skip_missing):
            return result
        wanted = self.wanted
        lacking = unplaced(page) if wanted.where_placed or wanted.budget else ()
        measures = wanted.evaluated(placed=not lacking)
        if refusal := too_long(page, measures):
            return replace(result, error=refusal)
        try:
            evaluation = evaluate_pages(page.gt, page.hyp or Page(), measures, self.settings)
        except (InputError, MemoryError) as error:
            return replace(result, error=named(error, page))
        left_out = dropped(page.gt, self.settings), dropped(page.hyp, self.settings)
        warnings = (*result.warnings, *evaluation.warnings, *warnings_of(page, evaluation, left_out))
        made = replace(
            result,
            warnings=warnings,
            unplaced=lacking if wanted.where_placed else (),
            dropped=left_out,
            has_places=any(line.has_place for side in (page.gt, page.hyp) if side for line in side.lines),
        )
        return _divided(made, evaluation, wanted)


class Runner(Protocol):
    """Something that does the work of many pairs and gives their results in the order of the pairs."""

    def map(self, work: Work, pairs: Iterable[Pair]) -> Iterator[tuple[Pair, tuple[PageResult, ...]]]:
        """Every pair with the results of its pages."""


class InProcess:
    """Does the work in this process, one pair after the other.

    >>> from pagemeter.corpus import Reading, Wanted
    >>> from pagemeter.settings import Settings
    >>> list(InProcess().map(Work(Wanted.of(["CER"]), Settings(), Reading()), []))
    []
    """

    def map(self, work: Work, pairs: Iterable[Pair]) -> Iterator[tuple[Pair, tuple[PageResult, ...]]]:
        """Every pair with the results of its pages."""
        for pair in pairs:
            yield pair, work(pair)


def _divided(result: PageResult, evaluation: Evaluation, wanted: Wanted) -> PageResult:
    """The result with the measures that were asked for, and apart from them those for the budget."""
    shown = {measure: score for measure, score in evaluation.scores.items() if measure in wanted.measures}
    extra = {measure: score for measure, score in evaluation.scores.items() if measure not in shown}
    return replace(result, evaluation=replace(evaluation, scores=shown) if extra else evaluation, extra=extra)
