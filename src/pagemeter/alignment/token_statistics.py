"""Statistics of tokens: text that was read as other text, and how often a recogniser's confidence is right.

A confusion is ground-truth text that was read as other text, with its frequency and examples.

Confidences show whether words are as often right as a recogniser claims. A word of the hypothesis is right
if the alignment of a measure of words matches it with an equal word. Words without a match are wrong. Text
that is optional and has no match is left out.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from heapq import nsmallest
from itertools import accumulate, groupby
from typing import TYPE_CHECKING, Literal, NamedTuple

from pagemeter.alignment.aligner import Aligner
from pagemeter.alignment.token_edits import EDIT_KINDS
from pagemeter.measure import Measure
from pagemeter.text import normalise
from pagemeter.text.encode import words_of_lines

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from pagemeter.alignment.token_edits import Operation
    from pagemeter.evaluation import Evaluation
    from pagemeter.page import Line
    from pagemeter.score import Match
    from pagemeter.settings import Settings

Fault = Literal["substitution", "insertion", "deletion"]

MAX_EXAMPLES = 5
"""The number of examples that are kept of each confusion."""

# Recognition errors are seen best if layout costs nothing.
_BY_CLARITY = ("S", "RS", "", "R", "SG", "RSG", "G", "RG")


@dataclass(frozen=True, slots=True)
class Example:
    """A line with a confusion: its page, and the index of the GT line."""

    page: str
    line: int


@dataclass(frozen=True, slots=True)
class Confusion:
    """GT text that was read as HYP text; `hyp` is empty if text is missing, `gt` if text is extra."""

    gt: str
    hyp: str
    count: int
    examples: tuple[Example, ...]

    @property
    def fault(self) -> Fault:
        """The kind of error: an insertion is missing text, a deletion is extra text (the paper's terms)."""
        return fault_of(self.gt, self.hyp)


@dataclass(frozen=True, slots=True)
class PageConfusions:
    r"""The confusions of one page.

    Adjacent errors are one confusion (`rn` read as `m`), unless they are all substitutions, which count one
    by one. Lines and texts without a match are not confusions; only their tokens are counted.

    Args:
        occurrences: GT text, HYP text and index of the line of each confusion, in their order.
        unmatched_gt: The tokens of GT lines without a match.
        unmatched_hyp: The tokens of HYP text without a match.

    >>> from pagemeter import Measure, evaluate
    >>> from pagemeter.alignment import Aligner
    >>> page = PageConfusions.of(Aligner(evaluate("a barn\nno", "a bam", ["CER"])), Measure("CER"))
    >>> page.occurrences, page.unmatched_gt
    ((('rn', 'm', 0),), 2)

    """

    occurrences: tuple[tuple[str, str, int], ...]
    unmatched_gt: int = 0
    unmatched_hyp: int = 0

    @classmethod
    def of(cls, aligner: Aligner, measure: Measure) -> PageConfusions:
        """Return the confusions by a measure that was evaluated."""
        unit, matches = aligner.unit(measure.unit), aligner.evaluation[measure].matches
        occurrences = [
            (gt, hyp, match.gt)
            for match, edits in zip(matches, unit.edits(measure, matches), strict=True)
            if match.distance
            for gt, hyp in _confused(edits, measure.separator)
        ]
        matched = {match.gt for match in matches}
        lines = range(len(aligner.evaluation.gt.lines))
        missing = sum(unit.missing(x) for x in lines if x not in matched)
        return cls(tuple(occurrences), missing, sum(span.size for span in unit.unmatched(measure, matches)))


@dataclass(slots=True)
class Confusions:
    """The confusions of one measure on all pages.

    >>> confusions = Confusions()
    >>> confusions.add("0001", PageConfusions((("rn", "m", 0),)))
    >>> [(one.gt, one.hyp, one.count, one.examples[0].line) for one in confusions.top("substitution")]
    [('rn', 'm', 1, 0)]
    """

    unmatched_gt: int = 0
    unmatched_hyp: int = 0
    _counts: dict[tuple[str, str], tuple[list[int], list[Example]]] = field(default_factory=dict)

    def add(self, page: str, confusions: PageConfusions) -> None:
        """Count the confusions of a page."""
        self.unmatched_gt += confusions.unmatched_gt
        self.unmatched_hyp += confusions.unmatched_hyp
        for gt, hyp, line in confusions.occurrences:
            self._count((gt, hyp), page, line)

    def top(self, fault: Fault, most: int = 20) -> tuple[Confusion, ...]:
        """Return the most frequent confusions of a kind, at equal counts in the order of their texts."""
        pairs = (pair for pair in self._counts if fault_of(*pair) == fault)
        return tuple(
            map(self._confusion, nsmallest(most, pairs, lambda pair: (-self._counts[pair][0][0], pair)))
        )

    def total(self, fault: Fault) -> int:
        """Return the number of confusions of a kind."""
        return sum(count[0] for pair, (count, _) in self._counts.items() if fault_of(*pair) == fault)

    def _count(self, pair: tuple[str, str], page: str, line: int) -> None:
        count, examples = self._counts.setdefault(pair, ([0], []))
        count[0] += 1
        if len(examples) < MAX_EXAMPLES:
            examples.append(Example(page, line))

    def _confusion(self, pair: tuple[str, str]) -> Confusion:
        count, examples = self._counts[pair]
        return Confusion(*pair, count[0], tuple(dict.fromkeys(examples)))


def fault_of(gt: str, hyp: str) -> Fault:
    """Return the kind of error if GT text is read as HYP text.

    >>> fault_of("e", ""), fault_of("", "e"), fault_of("e", "c")
    ('insertion', 'deletion', 'substitution')
    """
    if not hyp:
        return "insertion"
    return "substitution" if gt else "deletion"


def clearest_measures(measures: Iterable[Measure]) -> tuple[Measure, ...]:
    """Return the measure with the fewest constraints of each unit that has lines: it shows recognition best.

    >>> from pagemeter.measure import DEFAULT
    >>> list(map(str, clearest_measures(DEFAULT)))
    ['CER:S', 'WER:S']
    """
    best: dict[str, Measure] = {}
    aligned = [measure for measure in measures if measure.aligns_lines]
    for measure in sorted(aligned, key=lambda measure: _BY_CLARITY.index(measure.letters)):
        best.setdefault(measure.unit, measure)
    return tuple(best[unit] for unit in sorted(best))


def _confused(operations: Sequence[Operation], separator: str) -> Iterator[tuple[str, str]]:
    for equal, group in groupby(operations, lambda operation: operation.kind in ("equal", "gap")):
        if equal:
            continue
        errors = list(group)
        if all(error.kind == "substitute" for error in errors):
            yield from ((error.gt, error.hyp) for error in errors)
        else:
            gts, hyps = (error.gt for error in errors), (error.hyp for error in errors)
            yield separator.join(filter(None, gts)), separator.join(filter(None, hyps))


_EQUAL, _INSERT = map(EDIT_KINDS.index, ("equal", "insert"))  # inserted tokens are not in HYP
DIGITS = 4
"""Confidences are rounded to this number of digits, so that a million pages need little memory."""
BINS = 10
"""The number of rows of a calibration table."""


class ConfidenceBin(NamedTuple):
    """The words whose confidences are in a range: their number, mean confidence and share of right words."""

    low: float
    high: float
    words: int
    confidence: float
    right: float


class Rejection(NamedTuple):
    """The words that remain if all words below a confidence are rejected."""

    threshold: float
    words: int
    kept: float
    errors: int
    error_rate: float


@dataclass(frozen=True, slots=True)
class WordConfidences:
    """The numbers of right and wrong words by confidence.

    Args:
        right: The number of right words by confidence.
        wrong: The number of wrong words by confidence.
        unknown: The number of words without a confidence.

    >>> words = WordConfidences({0.9: 9}, {0.9: 1, 0.5: 2}, unknown=1)
    >>> words.words, words.confidence, words.share_right, round(words.calibration_error, 6)
    (12, 0.8333333333333334, 0.75, 0.083333)
    >>> [(point.threshold, point.kept, point.error_rate) for point in words.rejection]
    [(0.9, 0.8333333333333334, 0.1), (0.5, 1.0, 0.25)]

    """

    right: Mapping[float, int] = field(default_factory=dict)
    wrong: Mapping[float, int] = field(default_factory=dict)
    unknown: int = 0

    @property
    def words(self) -> int:
        """The number of words with a confidence."""
        return sum(self.right.values()) + sum(self.wrong.values())

    @property
    def confidence(self) -> float:
        """The mean confidence."""
        total = sum(value * count for part in (self.right, self.wrong) for value, count in part.items())
        return total / self.words if self.words else 0.0

    @property
    def share_right(self) -> float:
        """The share of right words."""
        return sum(self.right.values()) / self.words if self.words else 0.0

    @property
    def calibration_error(self) -> float:
        """The expected calibration error: the mean over words of the gap between confidence and share right.

        The gap is that of the bin of a word in `calibration`.
        """
        gaps = (one.words * abs(one.confidence - one.right) for one in self.calibration)
        return sum(gaps) / self.words if self.words else 0.0

    @property
    def calibration(self) -> tuple[ConfidenceBin, ...]:
        """The calibration table: bins of equal width; empty bins are left out."""
        bins: list[list[float]] = [[0, 0.0, 0] for _ in range(BINS)]
        for part, is_right in ((self.right, True), (self.wrong, False)):
            for value, count in part.items():
                one = bins[min(BINS - 1, int(round(value * BINS, DIGITS)))]
                one[0] += count
                one[1] += value * count
                one[2] += count * is_right
        return tuple(
            ConfidenceBin(number / BINS, (number + 1) / BINS, int(words), total / words, right / words)
            for number, (words, total, right) in enumerate(bins)
            if words
        )

    @property
    def rejection(self) -> tuple[Rejection, ...]:
        """The rejection curve: the error rate of words with at least each confidence, from the highest."""
        levels = sorted({*self.right, *self.wrong}, reverse=True)
        right = accumulate(self.right.get(level, 0) for level in levels)
        wrong = accumulate(self.wrong.get(level, 0) for level in levels)
        total = self.words
        return tuple(
            Rejection(level, good + bad, (good + bad) / total, bad, bad / (good + bad))
            for level, good, bad in zip(levels, right, wrong, strict=True)
        )

    def kept(self, share: float) -> Rejection | None:
        """Return the first point of the rejection curve that keeps at least this share of the words."""
        return next((point for point in self.rejection if point.kept >= share), None)


@dataclass(slots=True)
class ConfidenceSums:
    """The sums of the confidences of many pages, which are added in place."""

    right: Counter[float] = field(default_factory=Counter)
    wrong: Counter[float] = field(default_factory=Counter)
    unknown: int = 0
    pages: int = 0

    def add(self, words: WordConfidences) -> None:
        """Add the words of a page."""
        self.right.update(words.right)
        self.wrong.update(words.wrong)
        self.unknown += words.unknown
        self.pages += 1

    @property
    def total(self) -> WordConfidences | None:
        """The confidences of all pages, None if no page was added."""
        return WordConfidences(self.right, self.wrong, self.unknown) if self.pages else None


def word_confidences(evaluation: Evaluation, measure: str | Measure) -> WordConfidences:
    """Return the confidences of the words of a hypothesis, which must have been read with its words.

    Args:
        evaluation: The evaluation of a page.
        measure: One of its measures of words.

    Raises:
        NotEvaluatedError: The evaluation does not have the measure.

    >>> from pagemeter import Line, Page, Word, evaluate
    >>> hyp = Page([Line("a lime", words=[Word("a", 0.9), Word("lime", 0.4)])])
    >>> word_confidences(evaluate("a line", hyp, "WER:R"), "WER:R")
    WordConfidences(right={0.9: 1}, wrong={0.4: 1}, unknown=0)

    """
    measure = Measure.parse(measure)
    aligner = Aligner(evaluation)
    hyp = aligner.unit(measure.unit).hyp
    right = _right_tokens(aligner, measure, evaluation[measure].matches)
    counts: tuple[Counter[float], Counter[float]] = Counter(), Counter()
    unknown = 0
    for number, (begin, end) in enumerate(hyp.spans):
        tokens = [hyp.slice(token, token + 1) for token in range(begin, end)]
        confidences = _token_confidences(hyp.source.lines[number], tokens, evaluation.settings)
        for token, confidence in zip(range(begin, end), confidences, strict=True):
            if hyp.optional[number] and token not in right:
                continue
            if confidence is None:
                unknown += 1
            else:
                counts[token not in right][round(confidence, DIGITS)] += 1
    return WordConfidences(dict(counts[0]), dict(counts[1]), unknown)


def _right_tokens(aligner: Aligner, measure: Measure, matches: Sequence[Match]) -> set[int]:
    """Return the tokens of HYP that are matched with equal ones."""
    if measure.is_bag:
        return {token for match in matches for _, token in match.tokens}
    unit = aligner.unit(measure.unit)
    right: set[int] = set()
    for span, runs in unit.runs(map(unit.span, matches)).items():
        position = span.begin
        for kind, length in runs:
            if kind == _EQUAL:
                right.update(range(position, position + length))
            position += 0 if kind == _INSERT else length
    return right


def _token_confidences(line: Line, tokens: Sequence[str], settings: Settings) -> list[float | None]:
    """Return the confidence of each token of a line, None if it is unknown.

    A token that was put together from several words has the lowest of their confidences.
    """
    if not line.words or not tokens:
        return [None] * len(tokens)
    texts = normalise([word.text for word in line.words], settings)
    of_words = [
        (token, word.confidence)
        for word, groups in zip(line.words, words_of_lines(texts, settings), strict=True)
        for group in groups
        for token in group
    ]
    pieces = [text for text, _ in of_words]
    if pieces == list(tokens):
        return [confidence for _, confidence in of_words]
    if "".join(pieces) == "".join(tokens):
        return _by_characters(tokens, of_words)
    found: list[float | None] = [None] * len(tokens)
    for first, second, size in SequenceMatcher(None, pieces, tokens, autojunk=False).get_matching_blocks():
        for offset in range(size):
            found[second + offset] = of_words[first + offset][1]
    return found


def _by_characters(tokens: Sequence[str], of_words: Iterable[tuple[str, float | None]]) -> list[float | None]:
    of_characters = [confidence for text, confidence in of_words for _ in text]
    ends = list(accumulate(map(len, tokens)))
    parts = [of_characters[end - len(token) : end] for token, end in zip(tokens, ends, strict=True)]
    return [min((value for value in part if value is not None), default=None) for part in parts]
