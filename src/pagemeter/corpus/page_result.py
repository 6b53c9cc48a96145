"""The result of one page: its scores or errors, its warnings and, if asked for, its lines."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, get_args

from pagemeter.alignment import Aligner, align
from pagemeter.corpus.score_table import BudgetScores, PageKinds, PageScores, PageSeconds, pack_scores
from pagemeter.evaluation import Evaluation
from pagemeter.page import Line, Page
from pagemeter.preparation import Source, as_source
from pagemeter.score import Counts, Match, Score
from pagemeter.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from pagemeter.alignment import ErrorKinds, LineAlignment, WordConfidences
    from pagemeter.errors import Problem
    from pagemeter.flags import Flag, PairSketch
    from pagemeter.inputs.locations import Fingerprints
    from pagemeter.inputs.page_files import Side
    from pagemeter.measure import Measure
    from pagemeter.stats.budget import Budget

Status = Literal["evaluated", "missed", "left out", "no ground truth", "failed"]
Failure = Literal["unreadable", "truncated", "empty", "textless", "refusal"]
"""Why all text of a page counts as missing although there is a hypothesis.

`empty` is a hypothesis without lines, and `textless` one with lines that have no text.
"""
FAILURES: tuple[Failure, ...] = get_args(Failure)
_NO_SOURCES = (Source(()), Source(()))


@dataclass(frozen=True, slots=True)
class PageResult:
    """The evaluation of one page, or the reason why there is none.

    Args:
        name: The name of the page.
        gt: The ground-truth file, or None.
        hyp: The hypothesis file, or None.
        evaluation: The scores, or None if the page was not evaluated.
        warnings: Warnings about the files and the page.
        errors: Why the page failed; each file may have an error.
        without_positions: The sides that lack the positions that optional measures with G need.
        dropped: The numbers of lines of both sides that line filters left out.
        document: The document that the page belongs to, if a table of pairs names it.
        extra: Scores that only the error budget needs.
        has_positions: True if any line of either side has a position.
        seconds: How long the page took.
        inputs: Digests of both files, if `RunConfig.inputs`.
        lines: The results of its lines, if `RunConfig.per_line`.
        prepared: Data for reports, by the names in `RunConfig.prepare`.
        failure: Why the hypothesis counts as missing, None if it does not. A warning has the reason.
        flags: The flags of the page in the order of `pagemeter.flags.FLAGS`.
        empty_gt: True if the ground truth has no text.
        ignored: The number of lines of the ground truth that verdicts left out.
        sketch: The sketches of a page that may be a wrong pair, or None.
        confidences: The confidences of the words of the hypothesis, if `RunConfig.confidences`.

    >>> PageResult("0001", "gt/0001.xml", None).status
    'left out'

    """

    name: str
    gt: str | None
    hyp: str | None
    evaluation: Evaluation | None = field(default=None, repr=False)
    warnings: tuple[Problem, ...] = ()
    errors: tuple[Problem, ...] = ()
    without_positions: tuple[Side, ...] = ()
    dropped: tuple[int, int] = (0, 0)
    document: str | None = None
    extra: Mapping[Measure, Score] = field(default_factory=dict, repr=False)
    has_positions: bool = False
    seconds: float = field(default=0.0, compare=False, repr=False)
    inputs: Fingerprints = field(default=(None, None), repr=False)
    lines: PageLines | None = field(default=None, repr=False)
    prepared: Mapping[str, Any] = field(default_factory=dict, compare=False, repr=False)
    failure: Failure | None = None
    flags: tuple[Flag, ...] = ()
    empty_gt: bool = False
    ignored: int = 0
    sketch: PairSketch | None = field(default=None, compare=False, repr=False)
    confidences: WordConfidences | None = field(default=None, repr=False)

    @property
    def unusable_hyp(self) -> bool:
        """True if the hypothesis could not be read or evaluated, so all of its page counts as missing."""
        return self.failure in ("unreadable", "truncated")

    @property
    def status(self) -> Status:
        """The status of the page.

        A page without hypothesis is missed, or left out if that was asked for. A page whose hypothesis
        failed is missed too. A page without ground-truth text can be left out.
        """
        if self.errors:
            return "failed"
        if self.gt is None:
            return "no ground truth"
        if self.evaluation is None:
            return "left out"
        return "missed" if self.hyp is None or self.failure else "evaluated"

    @property
    def error(self) -> str | None:
        """The messages of all errors, one per line, or None."""
        return "\n".join(map(str, self.errors)) if self.errors else None

    @property
    def scores(self) -> Mapping[Measure, Score]:
        """The scores by measure; empty if the page was not evaluated."""
        return self.evaluation.scores if self.evaluation else {}

    @property
    def budgets(self) -> Mapping[Measure, Budget]:
        """The error budgets for which there are enough scores, by the measure that is divided."""
        from pagemeter.stats.budget import budgets  # noqa: PLC0415  (statistics are a layer above)

        return budgets({**self.scores, **self.extra}, self.kinds)

    @property
    def kinds(self) -> Mapping[Measure, ErrorKinds]:
        """The errors by kind of the measures for which they were computed."""
        return self.evaluation.known_kinds if self.evaluation else {}

    @property
    def rows(self) -> bytes:
        """The scores as rows of a `ScoreTable`."""
        if self.evaluation is None:
            return b""
        scores = self.evaluation.scores
        if isinstance(scores, PageScores):
            return scores.rows
        return pack_scores(scores, self.extra, self.evaluation.seconds, self.kinds)

    @property
    def without_details(self) -> PageResult:
        """The same result without texts and alignments, which take the most memory."""
        if self.evaluation is None:
            return self
        rows = self.rows
        evaluation = evaluation_from_rows(rows, self.evaluation.settings, self.flags)
        return replace(self, evaluation=evaluation, extra=BudgetScores(rows))


def evaluation_from_rows(rows: bytes, settings: Any, flags: Iterable[Flag] = ()) -> Evaluation:  # noqa: ANN401
    """Return the evaluation of a page from its rows in a `ScoreTable`.

    >>> from pagemeter import evaluate
    >>> page = PageResult("1", "gt", "hyp", evaluate("one", "ore", "CER"))
    >>> evaluation_from_rows(page.rows, None)["CER"].errors
    1
    """
    scores = PageScores(rows, settings)
    return Evaluation(_NO_SOURCES, settings, scores, (), PageSeconds(rows), PageKinds(rows), frozenset(flags))


@dataclass(frozen=True, slots=True)
class LineResult:
    """One ground-truth line as it was compared, and the hypothesis text that it was matched with.

    `number` counts ground-truth lines from 1. `hyp` is None if nothing was matched. `hyp_line` is the number
    of the hypothesis line that was matched as a whole, None if words were matched (measures with S).
    `distance` and `n_gt` are numbers of tokens.
    """

    number: int
    id: str | None
    gt: str
    hyp: str | None
    hyp_line: int | None
    distance: int
    cor: int
    sub: int
    n_gt: int


@dataclass(frozen=True, slots=True)
class UnmatchedText:
    """Hypothesis text that matches no ground-truth line; all its tokens are extra.

    `hyp_lines` are the numbers, counted from 1, of the hypothesis lines that contain it, and `ids` their ids.
    """

    hyp: str
    n_hyp: int
    hyp_lines: tuple[int, ...]
    ids: tuple[str | None, ...]


class PageLines(NamedTuple):
    """The results of all lines of a page by one measure, and the unmatched hypothesis text."""

    measure: Measure
    lines: tuple[LineResult, ...]
    unmatched: tuple[UnmatchedText, ...]


def line_results(evaluation: Evaluation, measure: Measure) -> PageLines:
    """Return the results of all lines of a page; their errors sum to those of the score.

    >>> from pagemeter import Measure, evaluate
    >>> evaluation = evaluate(["one", "right side"], ["rght side", "two"], ["CER:R"])
    >>> page = line_results(evaluation, Measure("CER", order=True))
    >>> [(line.gt, line.hyp, line.distance) for line in page.lines]
    [('one', None, 3), ('right side', 'rght side', 1)]
    >>> page.unmatched
    (UnmatchedText(hyp='two', n_hyp=3, hyp_lines=(2,), ids=(None,)),)
    """
    alignment = align(evaluation, measure)
    unmatched = (
        UnmatchedText(
            rest.hyp,
            rest.size,
            tuple(part.line + 1 for part in rest.parts),
            tuple(part.id for part in rest.parts),
        )
        for rest in alignment.unmatched
    )
    return PageLines(measure, tuple(map(_line_result, alignment.lines)), tuple(unmatched))


def _line_result(line: LineAlignment) -> LineResult:
    counts = line.counts
    return LineResult(
        line.gt + 1,
        line.id,
        line.text,
        line.hyp,
        None if line.hyp_line is None else line.hyp_line + 1,
        counts.errors,
        counts.cor,
        counts.sub,
        counts.n_gt,
    )


def evaluation_from_lines(page: PageLines, settings: Settings) -> Evaluation:
    """Return an evaluation whose alignment has the results of the lines of a page, for reports.

    Each text of the hypothesis is one of its lines, in the order of the ground truth, and unmatched text
    follows. `settings` are those with which the lines were compared.

    >>> from pagemeter import evaluate
    >>> evaluation = evaluate(["one", "right side"], ["rght side", "two"], ["CER:R"])
    >>> lines = line_results(evaluation, *evaluation.scores)
    >>> again = evaluation_from_lines(lines, Settings())
    >>> [line.text for line in again.hyp.lines], again["CER:R"].errors
    (['rght side', 'two'], 7)
    """
    matched = [(number, line) for number, line in enumerate(page.lines) if line.hyp is not None]
    gt = tuple(Line(line.gt, id=line.id) for line in page.lines)
    texts = (*(line.hyp or "" for _, line in matched), *(rest.hyp for rest in page.unmatched))
    sources = as_source(Page(gt)), as_source(Page(tuple(map(Line, texts))))
    compared = Settings(  # the texts are normalised already
        normalise="none",
        whitespace="keep",
        unit=settings.unit,
        boundaries=settings.boundaries,
        tokeniser=settings.tokeniser,
    )
    empty = Evaluation(sources, compared, {})
    words = Aligner(empty).unit(page.measure.unit).hyp.words_of
    matches = [
        Match(number, index, words(index), line.distance, line.cor, line.sub)
        for index, (number, line) in enumerate(matched)
    ]
    cor, sub = (sum(getattr(line, name) for line in page.lines) for name in ("cor", "sub"))
    ins = sum(line.n_gt for line in page.lines) - cor - sub
    errors = sum(line.distance for line in page.lines) + sum(rest.n_hyp for rest in page.unmatched)
    counts = Counts(ins=ins, dels=errors - ins - sub, sub=sub, cor=cor)
    return replace(empty, scores={page.measure: Score(page.measure, counts, errors, matches=matches)})
