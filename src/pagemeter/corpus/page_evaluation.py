"""Open one pair of files, check its pages and evaluate them: `evaluate_pair`.

A problem with a file or a page becomes an error or a warning of its result and affects no other page.
A hypothesis that cannot be used counts as missing by default, so a damaged file does not improve a rate.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from itertools import zip_longest
from time import perf_counter
from typing import TYPE_CHECKING, Any, NamedTuple

from pagemeter.alignment import error_kinds, word_confidences
from pagemeter.corpus.page_result import PageResult, line_results
from pagemeter.corpus.run_config import Reader
from pagemeter.corpus.verdicts import without_marked
from pagemeter.errors import DependencyError, GeometryError, InputError, PagemeterError, Problem
from pagemeter.evaluation import evaluate_prepared
from pagemeter.flags import flags_of_pages, image_warnings, sketch_pair, sorted_flags
from pagemeter.inputs.locations import Fingerprint, Fingerprints, fetch, is_unchanged
from pagemeter.page import Page
from pagemeter.preparation import PreparedPair, Source
from pagemeter.solve.instance import MOST_TOKENS

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

    from pagemeter.corpus.page_result import Failure
    from pagemeter.corpus.run_config import Preparations, RunConfig
    from pagemeter.evaluation import Evaluation
    from pagemeter.flags import Flag
    from pagemeter.inputs.locations import Location
    from pagemeter.inputs.page_files import Side
    from pagemeter.inputs.pairs import Pair
    from pagemeter.measure import Measure

    OnMeasure = Callable[[Measure], object]

_READER = frozenset(f.name for f in fields(Reader))
# A page with this many characters for each permitted token has too many tokens, whatever marks combine in it.
_PARAGRAPH = 200  # characters; the longest of 14,258 lines of real pages has 168
_LINES_PER_PARAGRAPH = 3
_CHARACTERS_PER_TOKEN = 4


def evaluate_pair(
    config: RunConfig, pair: Pair, on_measure: OnMeasure | None = None
) -> tuple[PageResult, ...]:
    """Evaluate the pages of a pair of files.

    Args:
        config: How files are read and evaluated, and what is kept of each page.
        pair: The files. If `pair.seen` is given and both files are unchanged since then, only the measures
            other than `pair.known` are evaluated, or nothing is done if that is None.
        on_measure: A function that is called before each measure of a page is computed, to report progress.

    Returns:
        The results of the pages, usually one; none if the files are unchanged.

    >>> from pathlib import Path
    >>> from pagemeter.corpus import RunConfig
    >>> from pagemeter.inputs.pairs import Pair
    >>> [result.status for result in evaluate_pair(RunConfig(), Pair("1", Path("nowhere.xml"), None))]
    ['failed']

    """
    if _is_unchanged(pair, config.folder):
        if pair.known is None:
            return ()
        selection = replace(config.selection, known=pair.known)
        results = _evaluate_files(
            replace(config, measures=selection, per_line=None, prepare={}), pair, on_measure
        )
        # A page that cannot be evaluated by further measures fails, or is missed, by all of them.
        if not any(result.errors or result.unusable_hyp for result in results):
            return results
    return _evaluate_files(config, pair, on_measure)


def _evaluate_files(config: RunConfig, pair: Pair, on_measure: OnMeasure | None) -> tuple[PageResult, ...]:
    began = perf_counter()
    opened = _open(pair, config)
    if isinstance(opened, PageResult):
        return (opened,)
    results = []
    for page in opened.pages:
        result, now = _evaluate(page, config, on_measure), perf_counter()
        result = replace(result, document=pair.document, seconds=now - began, inputs=opened.inputs)
        began = now
        if (measure := config.confidence_measure) and result.evaluation:
            result = replace(result, confidences=word_confidences(result.evaluation, measure))
        if config.per_line and result.evaluation:
            result = replace(result, lines=line_results(result.evaluation, config.per_line))
        if config.prepare and result.evaluation:
            result = _prepared(result, config.prepare, pair)
        results.append(result if config.details else result.without_details)
    return tuple(results)


def _prepared(result: PageResult, preparations: Preparations, pair: Pair) -> PageResult:
    """Return a result with the data for reports, or without them if an earlier attempt took too long."""
    if pair.unprepared is None:
        return prepare_reports(result, preparations)
    result = replace(result, prepared=dict.fromkeys(preparations))
    if pair.unusable_hyp:  # its warning has the reason
        return result
    warning = _unprepared_warning(result, pair.unprepared.detail, "report")
    return replace(result, warnings=(*result.warnings, warning))


def _unprepared_warning(result: PageResult, reason: str, report: str) -> Problem:
    return Problem(f"cannot be prepared for the report: {reason}", result.name, report, kind="report")


def prepare_reports(result: PageResult, preparations: Preparations) -> PageResult:
    """Return a result with the data that reports need of it.

    A report never changes a result. Whatever goes wrong here is a warning, and the data of that report are
    None.

    >>> result = PageResult("0001", "gt", "hyp")
    >>> result = prepare_reports(result, {"names": lambda page: page.name, "html": lambda page: 1 / 0})
    >>> result.prepared, str(result.warnings[0])
    ({'names': '0001', 'html': None}, '0001: html: cannot be prepared for the report: division by zero')
    """
    prepared: dict[str, Any] = {}
    problems = []
    for name, prepare in preparations.items():
        try:
            prepared[name] = prepare(result)
        except Exception as error:  # noqa: BLE001  (a report may fail in any way)
            prepared[name] = None
            reason = str(error) or type(error).__name__
            problems.append(_unprepared_warning(result, reason, name))
    if problems:  # the other reports show the new warnings
        failed = {problem.element for problem in problems}
        others = {name: prepare for name, prepare in preparations.items() if name not in failed}
        result = prepare_reports(replace(result, warnings=(*result.warnings, *problems)), others)
        prepared |= result.prepared
    return replace(result, prepared=prepared)


def _is_unchanged(pair: Pair, folder: str) -> bool:
    if pair.seen is None:
        return False
    paths = (pair.gt, pair.hyp) if pair.gt else (None, None)  # without ground truth nothing is read
    return all(is_unchanged(path, seen, folder) for path, seen in zip(paths, pair.seen, strict=True))


# Opening


@dataclass(frozen=True, slots=True)
class PagePair:
    """A ground-truth page and its hypothesis page, None if there is none, and the files they are from."""

    name: str
    gt: Page | None
    hyp: Page | None
    gt_file: str | None
    hyp_file: str | None
    warnings: tuple[Problem, ...]
    failure: Failure | None = None

    def without_hyp(self, problem: Problem, failure: Failure = "unreadable") -> PagePair:
        """Return the pair without its failed hypothesis, and with a warning that has the reason."""
        warning = _missed_warning(problem, self.hyp_file or self.name)
        return replace(self, hyp=None, warnings=(*self.warnings, warning), failure=failure)

    @property
    def longer_file(self) -> str:
        """The file of the page with more text."""
        file = self.hyp_file if _length(self.hyp) > _length(self.gt) else self.gt_file
        return file or self.name


class _Opened(NamedTuple):
    pages: tuple[PagePair, ...]
    inputs: Fingerprints


def _open(pair: Pair, config: RunConfig) -> PageResult | _Opened:
    """Read both files, and return their pages, or the result of a pair that has none."""
    gt_file, hyp_file = (None if path is None else str(path) for path in (pair.gt, pair.hyp))
    failed = PageResult(pair.name, gt_file, hyp_file, None, pair.warnings)
    excluded = config.failed == "exclude"
    if pair.gt is None or (pair.errors and excluded):
        return replace(failed, errors=pair.errors)
    in_memory = tuple(None if page is None else _Loaded((page,)) for page in pair.pages)
    gt = in_memory[0] or _load(config.readers.gt, pair.gt, "gt", config)
    if pair.errors or pair.unusable_hyp:  # there is one ground truth, so the errors are about hypotheses
        hyp = _Loaded(error=pair.unusable_hyp or pair.errors[0])
    else:
        hyp = in_memory[1] or _load(config.readers.hyp, pair.hyp, "hyp", config)
    if gt.error or (hyp.error and excluded):
        return replace(failed, errors=tuple(error for error in (gt.error, hyp.error) if error))
    inputs = gt.fingerprint, hyp.fingerprint
    if hyp.error is None:
        return _Opened(tuple(page_pairs(pair, gt.pages, hyp.pages)), inputs)
    warning = _missed_warning(hyp.error, hyp_file or pair.name)
    pages = page_pairs(replace(pair, hyp=None, warnings=(*pair.warnings, warning)), gt.pages, ())
    failure: Failure = "truncated" if hyp.error.kind == "truncated" else "unreadable"
    failure = "empty" if hyp.is_blank else failure
    return _Opened(tuple(replace(page, hyp_file=hyp_file, failure=failure) for page in pages), inputs)


def _missed_warning(problem: Problem, source: str) -> Problem:
    detail = f"{problem.detail}; all text of the page counts as missing"
    return replace(problem, detail=detail, source=source)


class _Loaded(NamedTuple):
    pages: tuple[Page, ...] = ()
    fingerprint: Fingerprint | None = None
    error: Problem | None = None
    is_blank: bool = False


def _load(reader: Reader, path: Location | None, side: Side, config: RunConfig) -> _Loaded:
    if path is None:
        return _Loaded()
    is_blank = False
    try:
        content = fetch(path, config.folder)
        is_blank = not content.data or content.data.isspace()
        read = reader.pages(path, content, words=config.confidences and side == "hyp")
        pages = tuple(_with_side(page, side) for page in read)
        return _Loaded(pages, content.fingerprint if config.inputs else None)
    except InputError as error:
        return _Loaded(error=_with_side_settings(error.problem, side), is_blank=is_blank)
    except DependencyError as error:  # the driver of a URL, which other files may not need
        return _Loaded(error=_with_side_settings(error.problem, side))
    except PagemeterError:
        raise
    except MemoryError:
        remedy, settings = "split it into its pages, or raise {}", (("page_memory", ""),)
        problem = Problem("not enough memory to read it", str(path), "", remedy, settings, kind="size")
        return _Loaded(error=problem)
    except Exception as error:  # noqa: BLE001  (a bug in a reader must not end a run over a million pages)
        problem = Problem(
            f"{type(error).__name__}: {error}", str(path), remedy="please report this with the file"
        )
        return _Loaded(error=problem)


def _with_side(page: Page, side: Side) -> Page:
    if not any(warning.settings for warning in page.warnings):
        return page
    return replace(page, warnings=tuple(_with_side_settings(warning, side) for warning in page.warnings))


def _with_side_settings(problem: Problem, side: Side) -> Problem:
    """Name the settings of one side, such as `gt_encoding`, because the other side may need none."""
    settings = ((f"{side}_{name}" if name in _READER else name, value) for name, value in problem.settings)
    return replace(problem, settings=tuple(settings))


def page_pairs(pair: Pair, gts: Sequence[Page], hyps: Sequence[Page]) -> Iterator[PagePair]:
    """Pair the pages of two files in their order; if there are several, names end in their number.

    >>> from pathlib import Path
    >>> from pagemeter.inputs.pairs import Pair
    >>> pair = Pair("book", Path("gt.txt"), Path("hyp.txt"))
    >>> [(page.name, page.gt_file, page.hyp_file) for page in page_pairs(pair, [Page(), Page()], [Page()])]
    [('book#1', 'gt.txt#1', 'hyp.txt'), ('book#2', 'gt.txt#2', None)]
    """
    several = max(len(gts), len(hyps)) > 1
    for number, (gt, hyp) in enumerate(zip_longest(gts, hyps), 1):
        warnings = pair.warnings if number == 1 else ()
        for page in (gt, hyp):
            warnings += page.warnings if page else ()
        yield PagePair(
            f"{pair.name}#{number}" if several else pair.name,
            gt,
            hyp,
            _file_name(pair.gt, gt, number, gts),
            _file_name(pair.hyp, hyp, number, hyps),
            warnings + _surplus_warning(pair, number, len(gts), len(hyps)),
        )


def _file_name(path: Location | None, page: Page | None, number: int, pages: Sequence[Page]) -> str | None:
    if path is None or page is None:
        return None
    return f"{path}#{number}" if len(pages) > 1 else str(path)


def _surplus_warning(pair: Pair, number: int, n_gt: int, n_hyp: int) -> tuple[Problem, ...]:
    if pair.hyp is None or number <= min(n_gt, n_hyp):
        return ()
    pages = f"{n_gt} page{'s' * (n_gt != 1)}"
    detail = f"the ground truth file has {pages}, the hypothesis file {n_hyp}: this one has no partner"
    return (Problem(detail, str(pair.gt if n_gt > n_hyp else pair.hyp), f"page {number}"),)


# Evaluating


def _evaluate(page: PagePair, config: RunConfig, on_measure: OnMeasure | None) -> PageResult:
    """Evaluate a page without the lines that verdicts mark."""
    marked = config.verdicts.marked.get(page.name) if config.verdicts else None
    if not marked or page.gt is None:
        return _evaluate_page(page, config, on_measure)
    rest = without_marked(page.gt, page.hyp, marked, config.settings)
    lost = (_lost_verdicts(page, rest.lost),) if rest.lost else ()
    page = replace(page, gt=rest.gt or page.gt, hyp=rest.hyp, warnings=(*page.warnings, *lost))
    if rest.gt is None:
        return PageResult(page.name, page.gt_file, page.hyp_file, None, page.warnings, ignored=rest.ignored)
    return replace(_evaluate_page(page, config, on_measure), ignored=rest.ignored)


def _evaluate_page(page: PagePair, config: RunConfig, on_measure: OnMeasure | None) -> PageResult:
    result = PageResult(page.name, page.gt_file, page.hyp_file, None, page.warnings)
    is_missing = page.hyp is None and not page.failure
    if page.gt is None or (is_missing and config.skip_missing):
        return result
    empty_gt = not _has_text(page.gt)
    if empty_gt and config.empty_gt == "exclude":
        return replace(result, empty_gt=True)
    is_read = page.hyp is not None or page.failure == "empty"
    flags = flags_of_pages(page.gt, page.hyp or Page(), config.settings) if is_read else frozenset()
    if page.hyp:
        files = (page.name, page.gt_file, page.hyp_file)
        if different := image_warnings(page.gt, page.hyp, files):
            page = replace(page, warnings=(*page.warnings, *different))
    if problem := _no_reading(page, flags, config):
        failure, reason = problem
        if config.failed == "exclude" and failure != "refusal":
            return replace(result, errors=(replace(reason, source=page.hyp_file or page.name),))
        # Blank lines and spaces are tokens unless white space is collapsed.
        is_blank = failure == "empty" and config.settings.whitespace != "collapse"
        page = replace(page.without_hyp(reason, failure), hyp=page.hyp if is_blank else None)
    result = _evaluate_texts(page, page.gt or Page(), flags, config, on_measure)
    if result.errors and page.hyp is not None and config.failed == "missing":
        without = page.without_hyp(result.errors[0])
        missed = _evaluate_texts(without, page.gt or Page(), flags, config, on_measure)
        result = result if missed.errors else missed  # the ground truth may be at fault
    evaluation, sketch = result.evaluation, None
    is_reading = flags.isdisjoint(("empty", "refusal"))  # without one, any other hypothesis fits better
    if evaluation and is_reading and page.gt and page.hyp and page.hyp_file:
        texts = _texts(page.gt), _texts(page.hyp)
        sketch = sketch_pair(page.name, page.hyp_file, *texts, evaluation.scores.values())
    return replace(result, flags=sorted_flags(flags), empty_gt=empty_gt, sketch=sketch)


def _lost_verdicts(page: PagePair, count: int) -> Problem:
    lines = "1 marked line is" if count == 1 else f"{count:,} marked lines are"
    detail = f"{lines} not on this page, or the text has changed; nothing is ignored for it"
    return Problem(detail, page.gt_file or page.name, remedy="export the verdicts again", kind="text")


def _no_reading(page: PagePair, flags: Collection[Flag], config: RunConfig) -> tuple[Failure, Problem] | None:
    """Return why a hypothesis that could be read counts as missing, if it does."""
    if "empty" in flags and page.hyp:
        if any(line.has_position or line.id for line in page.hyp.lines):
            return "textless", Problem(
                "the lines of the hypothesis have no text", element="text", kind="text"
            )
        return "empty", Problem("the hypothesis is empty", element="text", kind="text")
    if "refusal" in flags and config.refusals == "missing":
        return "refusal", Problem("the hypothesis is a refusal to read the page", element="text", kind="text")
    return None


def _texts(page: Page) -> list[str]:
    return [line.text for line in page.lines]


def _has_text(page: Page) -> bool:
    return any(line.text.strip() for line in page.lines)


def _evaluate_texts(
    page: PagePair, gt: Page, flags: frozenset[Flag], config: RunConfig, on_measure: OnMeasure | None
) -> PageResult:
    result = PageResult(page.name, page.gt_file, page.hyp_file, None, page.warnings, failure=page.failure)
    selection = config.selection
    prepared = PreparedPair(Source.of(gt), Source.of(page.hyp or Page()), config.settings)
    lacking = prepared.without_positions if selection.optional or selection.budget else ()
    measures = selection.evaluated(has_positions=not lacking)
    divided = selection.divided(has_positions=not lacking)
    if problem := _too_long(page, measures):
        return replace(result, errors=(problem,))
    try:
        evaluation = evaluate_prepared(prepared, measures, on_measure)
        kinds = {measure: error_kinds(evaluation, measure, prepared) for measure in divided}
    except (InputError, MemoryError) as error:
        return replace(result, errors=(_page_problem(error, page, prepared),))
    # The scores that were asked for, and those that only an error budget needs.
    scores = {m: score for m, score in evaluation.scores.items() if m in selection.measures}
    extra = {m: score for m, score in evaluation.scores.items() if m not in scores}
    return replace(
        result,
        evaluation=replace(evaluation, scores=scores, known_kinds=kinds, known_flags=flags),
        extra=extra,
        warnings=(
            *result.warnings,
            *evaluation.warnings,
            *_text_warnings(page, evaluation, prepared.dropped),
        ),
        without_positions=lacking,
        dropped=prepared.dropped,
        has_positions=any(line.has_position for side in (page.gt, page.hyp) if side for line in side.lines),
    )


def _too_long(page: PagePair, measures: Iterable[Measure]) -> Problem | None:
    """Return the reason if a page has too many characters to be evaluated."""
    size = max(_length(page.gt), _length(page.hyp))
    limit = _CHARACTERS_PER_TOKEN * MOST_TOKENS
    if size <= limit or not any(measure.of_characters for measure in measures):
        return None
    detail = f"the page has {size:,} characters; both sides together may have {MOST_TOKENS:,}"
    return Problem(detail, page.longer_file, remedy="split it into its pages", kind="size")


def _length(page: Page | None) -> int:
    return sum(len(line.text) for line in page.lines) if page else 0


def _page_problem(error: InputError | MemoryError, page: PagePair, prepared: PreparedPair) -> Problem:
    """Return the problem of an error with the file it is about, which a solver does not know."""
    if isinstance(error, MemoryError):
        return Problem(
            "not enough memory to evaluate this page",
            page.longer_file,
            remedy="split it, use fewer measures, or raise {}",
            settings=(("page_memory", ""),),
            kind="size",
        )
    problem = error.problem
    files = [file for file in (page.gt_file, page.hyp_file) if file]
    if any(str(problem).startswith(file.partition("#")[0]) for file in files):
        return problem
    lacking = prepared.without_positions if isinstance(error, GeometryError) else ()
    file = page.hyp_file if lacking == ("hyp",) else page.gt_file if lacking else page.longer_file
    element = ": ".join(filter(None, (problem.source, problem.element)))
    return replace(problem, source=file or page.name, element=element)


def _text_warnings(page: PagePair, evaluation: Evaluation, dropped: Sequence[int]) -> tuple[Problem, ...]:
    """Return warnings about pages without text: all lines were filtered out, or the ground truth is empty."""
    warnings = []
    sides = ((page.gt_file, evaluation.gt), (page.hyp_file, evaluation.hyp))
    for (file, side), count in zip(sides, dropped, strict=True):
        if count and count == sum(bool(line.text.strip()) for line in side.lines):
            warnings.append(
                Problem(
                    "the line filters leave no line",
                    file or page.name,
                    "text",
                    "check {} and {}",
                    (("keep_lines", ""), ("drop_lines", "")),
                    kind="text",
                )
            )
    if any(score.n_gt == 0 and score.errors for score in evaluation.scores.values()):
        detail = "the ground truth has no text, so all recognised text counts as errors"
        warnings.append(Problem(detail, page.gt_file or page.name, "text", kind="text"))
    if _has_paragraphs(evaluation.gt, evaluation.hyp):
        warnings.append(
            Problem(
                "the lines of the ground truth are paragraphs, and those of the hypothesis are shorter: "
                "measures without S count missing and extra lines as errors, and S joins consecutive lines "
                "of the hypothesis but never cuts the ground truth",
                page.gt_file or page.name,
                "text",
                "use measures with S or, if the file also has lines, read them with {}",
                (("gt_level", "line"),),
                kind="text",
            )
        )
    return tuple(warnings)


def _has_paragraphs(gt: Page, hyp: Page) -> bool:
    """Return True if most text of the ground truth is in long lines, and the hypothesis has many more."""
    lengths = [len(line.text) for line in gt.lines if line.text.strip()]
    in_paragraphs = sum(length for length in lengths if length >= _PARAGRAPH)
    n_hyp = sum(bool(line.text.strip()) for line in hyp.lines)
    return 2 * in_paragraphs > sum(lengths) and n_hyp >= _LINES_PER_PARAGRAPH * len(lengths)
