"""The errors of a page by kind (misread, missed, invented, replaced), and by the types of its lines.

A poor recogniser, a model that repeats itself and a model that leaves out paragraphs can have the same error
rate. The alignment distinguishes them. A matched pair of a GT line and HYP text is *alike* if at least half
of the longer text is right.

- missed: GT lines without a match, long runs of missing tokens, missing tokens in pairs that are not alike
- invented: HYP text without a match, long runs of extra tokens, extra tokens in pairs that are not alike
- repeated: the part of the invented text that is also elsewhere on the page
- replaced: wrong tokens in pairs that are not alike
- misread: all other errors

A long run has at least 20 characters or 3 words.

By types, right, wrong and missing tokens belong to the type of their ground-truth line, and so do extra
tokens inside its match. Extra text without a match belongs to the type of its hypothesis line. The errors of
all kinds sum to those of the measure, and so do those of all types.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from pagemeter import _kernel
from pagemeter.alignment.aligner import Aligner
from pagemeter.alignment.token_edits import EDIT_KINDS, GAP_TOKEN, IN_GAP, MAX_CELLS
from pagemeter.errors import NotEvaluatedError
from pagemeter.measure import Measure
from pagemeter.score import Counts, ratio
from pagemeter.solve.instance import Matches
from pagemeter.text import encode_pair

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from pagemeter.alignment.token_edits import EditRuns, MatchedSpan, TokenEdits, TokenText
    from pagemeter.evaluation import Evaluation
    from pagemeter.page import Page
    from pagemeter.preparation import PreparedPair
    from pagemeter.score import Match
    from pagemeter.text.encode import Encoded, Ints

    Flags = NDArray[np.bool_]

_LONG_RUN = {True: 20, False: 3}  # tokens, if they are characters or words
_EQUAL, _SUBSTITUTE, _INSERT, _DELETE = map(EDIT_KINDS.index, ("equal", "substitute", "insert", "delete"))

# Repetition is looked for in windows of five words, or of twenty characters of a script without spaces.
_WINDOW, _WORD_WEIGHT, _CHARACTER_WEIGHT = 20, 4, 1
_UNSPACED = (  # Thai, Lao, Myanmar, Khmer, Kana, Bopomofo and Han
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3040-\u312f\u3400-\u9fff\uf900-\ufaff"
    "\U00020000-\U0003ffff"
)
_LETTER = rf"[^\s{_UNSPACED}]"
# A word of at most 20 letters is a group; otherwise the parts are single characters.
_WINDOW_PART = re.compile(rf"(?<!{_LETTER})({_LETTER}{{1,{_WINDOW}}})(?!{_LETTER})|\S")


@dataclass(frozen=True, slots=True, eq=False)
class ErrorKinds(Mapping[str, int]):
    """The errors of a measure by kind, as attributes and as a mapping; `+` adds those of several pages.

    Args:
        misread: Errors in lines that were read, well or poorly.
        missed: Missing text: whole lines, or long parts of them.
        invented: Extra text: whole lines, or long parts of them.
        repeated: The part of `invented` that also occurs elsewhere on the page. It is not a separate kind.
        replaced: Wrong tokens in lines where other text was recognised.

    >>> kinds = ErrorKinds(misread=1, invented=30, repeated=20) + ErrorKinds(missed=2)
    >>> kinds.errors, kinds["invented"], dict(kinds)["missed"]
    (33, 30, 2)

    """

    misread: int = 0
    missed: int = 0
    invented: int = 0
    repeated: int = 0
    replaced: int = 0

    @property
    def errors(self) -> int:
        """The errors of the measure: the sum without `repeated`."""
        return self.misread + self.missed + self.invented + self.replaced

    def __add__(self, other: ErrorKinds) -> ErrorKinds:
        if not isinstance(other, ErrorKinds):
            return NotImplemented
        return ErrorKinds(*(a + b for a, b in zip(self.values(), other.values(), strict=True)))

    def __radd__(self, other: int) -> ErrorKinds:
        """Add to 0, the start value of `sum`."""
        return self if other == 0 else NotImplemented

    def __getitem__(self, name: str) -> int:
        if name not in _NAMES:
            raise KeyError(name)
        return int(getattr(self, name))

    def __iter__(self) -> Iterator[str]:
        return iter(_NAMES)

    def __len__(self) -> int:
        return len(_NAMES)


_NAMES = tuple(field.name for field in fields(ErrorKinds))


def error_kinds(
    evaluation: Evaluation, measure: str | Measure, prepared: PreparedPair | None = None
) -> ErrorKinds:
    """Return the errors by kind, from the alignment of a measure that was evaluated.

    Args:
        evaluation: The evaluation of a page.
        measure: One of its measures that aligns lines: not a bag, and not one of the page as one text.
        prepared: The pair that was evaluated, whose tokens are used if it is given.

    Raises:
        NotEvaluatedError: The evaluation does not have the measure, or the measure has no alignment of lines.

    >>> from pagemeter import evaluate
    >>> page = evaluate(["one line", "another one"], ["one lime", "three blind mice"], ["CER:R"])
    >>> dict(error_kinds(page, "CER:R"))
    {'misread': 1, 'missed': 3, 'invented': 8, 'repeated': 0, 'replaced': 2}

    """
    measure = Measure.parse(measure)
    score = evaluation[measure]
    if not measure.aligns_lines:
        raise NotEvaluatedError(
            f"{measure} does not align lines, so its errors have no kinds",
            remedy="use a measure of characters or words, such as CER:S",
        )
    if not score.errors:
        return ErrorKinds()
    if not any(source.texts for source in evaluation.sources):
        raise NotEvaluatedError(f"neither the kinds of errors of {measure} nor the texts were kept")
    if evaluation.sources[0].noted:
        return _PageErrors(Aligner(evaluation).unit(measure.unit), measure).kinds(score.matches)
    if prepared:
        tokens = prepared.encoded(characterwise=measure.of_characters)
    else:
        tokens = encode_pair(
            *evaluation.lines, characterwise=measure.of_characters, settings=evaluation.settings
        )
    return _count_kinds(evaluation, measure, score.matches, tokens)


class EvaluationKinds(Mapping[str, ErrorKinds]):
    """The kinds of errors of an evaluation by measure id, computed when they are asked for.

    >>> from pagemeter import evaluate
    >>> evaluate("one line", "one lime", ["CER:S", "BOW"]).kinds
    {'CER:S': ErrorKinds(misread=1, missed=0, invented=0, repeated=0, replaced=0)}
    """

    def __init__(self, evaluation: Evaluation) -> None:
        self._evaluation = evaluation

    def __getitem__(self, name: str | Measure) -> ErrorKinds:
        score = self._evaluation[name]
        known = self._evaluation.known_kinds.get(score.measure)
        return error_kinds(self._evaluation, score.measure) if known is None else known

    def __iter__(self) -> Iterator[str]:
        evaluation = self._evaluation
        has_texts = any(source.texts for source in evaluation.sources)
        for measure, score in evaluation.scores.items():
            if measure.aligns_lines and (has_texts or not score.errors or measure in evaluation.known_kinds):
                yield str(measure)

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __contains__(self, name: object) -> bool:
        return (
            isinstance(name, str | Measure)
            and name in self._evaluation
            and str(Measure.parse(name)) in [*self]
        )

    def __repr__(self) -> str:
        return repr(dict(self))


class _PageErrors:
    """Counts the errors of one page by kind, match by match."""

    def __init__(self, unit: TokenEdits, measure: Measure) -> None:
        self._unit, self._measure = unit, measure
        self._misread = self._missed = self._replaced = 0
        self._invented: list[tuple[int, int]] = []  # HYP tokens, as start and end

    def kinds(self, matches: Sequence[Match]) -> ErrorKinds:
        """Return the errors by kind."""
        unit = self._unit
        spans = [unit.span(match) for match in matches if match.distance]
        for span, runs in unit.runs(spans).items():
            self._add_pair(span, runs)
        matched = {match.gt for match in matches}
        self._missed += sum(unit.missing(x) for x in range(len(unit.gt.optional)) if x not in matched)
        for rest in unit.unmatched(self._measure, matches):
            if self._measure.segmentation:  # the spaces between the words cost nothing
                words = unit.hyp.words[rest.words.start : rest.words.stop]
                self._invented += [(begin, end) for begin, end in words if begin < end]
            else:
                self._invented.append((rest.begin, rest.end))
        invented = sum(end - begin for begin, end in self._invented)
        repeated = _count_repeated(unit.hyp, self._invented) if invented else 0
        return ErrorKinds(self._misread, self._missed, invented, repeated, self._replaced)

    def _add_pair(self, span: MatchedSpan, runs: EditRuns) -> None:
        """Count the errors of a matched pair, given its runs of equal edits."""
        kinds = pair_kinds(self._measure, span, runs)
        self._misread += kinds.misread
        self._missed += kinds.missed
        self._replaced += kinds.replaced
        self._invented += kinds.invented


def _count_kinds(
    evaluation: Evaluation, measure: Measure, matches: Sequence[Match], tokens: Encoded
) -> ErrorKinds:
    """Return the kinds of the errors of a page without notations, as `_PageErrors` counts them.

    The kernel counts all pairs together, and texts are compared only if some text is invented.
    """
    gt, hyp, alphabet, _ = tokens
    settings = evaluation.settings
    is_optional = _is_optional(evaluation.hyp, settings.optional_types("hyp"))
    misread, missed, replaced, invented = _kernel.error_kinds(
        gt.tokens, gt.lines, hyp.tokens, hyp.words if measure.segmentation else hyp.lines,
        _match_table(matches, measure), alphabet,
        _is_optional(evaluation.gt, settings.optional_types("gt")),
        is_optional[hyp.word_line] if is_optional is not None and measure.segmentation else is_optional,
        _LONG_RUN[measure.of_characters], MAX_CELLS,
    )  # fmt: skip
    if not len(invented):
        return ErrorKinds(misread, missed, 0, 0, replaced)
    spans = invented.tolist()
    repeated = _count_repeated(Aligner(evaluation).unit(measure.unit).hyp, spans)
    return ErrorKinds(misread, missed, sum(end - begin for begin, end in spans), repeated, replaced)


def _match_table(matches: Sequence[Match], measure: Measure) -> Ints:
    """Return the matches as the rows of a kernel.

    The columns are the GT line, the HYP line, the distance, COR and SUB. With S, the first HYP word and the
    end of the words are in the place of the HYP line.
    """
    if isinstance(matches, Matches) and matches.rows is not None:
        return matches.rows
    if measure.segmentation:
        table = [(m.gt, m.hyp_words[0], m.hyp_words[-1] + 1, m.distance, m.cor, m.sub) for m in matches]
        return np.array(table, np.int32).reshape(-1, 6)
    pairs = [(m.gt, m.hyp_line, m.distance, m.cor, m.sub) for m in matches if m.hyp_line is not None]
    return np.array(pairs, np.int32).reshape(-1, 5)


def _is_optional(page: Page, types: frozenset[str]) -> Flags | None:
    if not types:
        return None
    return np.array([line.type in types for line in page.lines], np.bool_)


class PairKinds(NamedTuple):
    """The errors of a GT line and the HYP text that it was matched with, by kind.

    Args:
        alike: True if at least half of the longer text is right.
        misread: The number of misread tokens.
        missed: The number of missed tokens.
        replaced: The number of replaced tokens.
        invented: The invented HYP tokens, as begin and end.

    """

    alike: bool
    misread: int
    missed: int
    replaced: int
    invented: tuple[tuple[int, int], ...]


def pair_kinds(measure: Measure, span: MatchedSpan, runs: EditRuns) -> PairKinds:
    """Return the errors of a matched pair by kind.

    Text in the place of a gap of the ground truth is not an error.

    Args:
        measure: The measure, which aligns lines.
        span: The GT line and the HYP tokens that are matched.
        runs: Their runs of equal edits.

    """
    lengths = [0] * (GAP_TOKEN + 1)
    for number, length in runs:
        lengths[number] += length
    alike = lengths[_EQUAL] >= lengths[_SUBSTITUTE] + max(lengths[_INSERT], lengths[_DELETE])
    long_run = _LONG_RUN[measure.of_characters]
    misread = missed = replaced = 0
    invented = []
    position = span.begin
    for number, length in runs:
        is_misread = alike and (number == _SUBSTITUTE or length < long_run)
        if number == GAP_TOKEN:
            continue
        if number in (_EQUAL, IN_GAP):
            pass
        elif is_misread:
            misread += length
        elif number == _SUBSTITUTE:
            replaced += length
        elif number == _INSERT:
            missed += length
        else:
            invented.append((position, position + length))
        position += length if number != _INSERT else 0
    return PairKinds(alike, misread, missed, replaced, tuple(invented))


def _count_repeated(hyp: TokenText, invented: Sequence[tuple[int, int]]) -> int:
    """Return how many invented tokens are in a window of text that is also elsewhere on the page.

    One occurrence of each window is the original: the first one without invented text, or else the first.
    """
    text, starts = hyp.text, np.asarray(hyp.starts, np.int64)
    counts_as_invented = _covered(
        [(hyp.starts[begin], hyp.ends[end - 1]) for begin, end in invented], len(text)
    )
    invented_before = np.append(0, np.cumsum(counts_as_invented)).tolist()
    windows = sorted(
        _windows(text), key=lambda window: invented_before[window[0]] < invented_before[window[1]]
    )
    originals: set[str] = set()
    repeated = []
    for begin, end in windows:
        content = text[begin:end]
        if content in originals:
            repeated.append((begin, end))
        originals.add(content)
    in_repetition = np.append(0, np.cumsum(_covered(repeated, len(text))[starts]))
    return int(sum(in_repetition[end] - in_repetition[begin] for begin, end in invented))


def _windows(text: str) -> Iterator[tuple[int, int]]:
    """Yield the start and the end of each window of a text."""
    matches = list(_WINDOW_PART.finditer(text))
    parts = [part.span() for part in matches]
    weights = [_WORD_WEIGHT if part[1] else _CHARACTER_WEIGHT for part in matches]
    last, weight = 0, 0
    for first, (begin, _) in enumerate(parts):
        while weight < _WINDOW and last < len(parts):
            weight += weights[last]
            last += 1
        if weight < _WINDOW:
            return
        yield begin, parts[last - 1][1]
        weight -= weights[first]


def _covered(spans: Sequence[tuple[int, int]], size: int) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """Return for each position whether any span covers it."""
    changes = np.zeros(size + 1, np.int64)
    if spans:
        begins, ends = zip(*spans, strict=True)
        np.add.at(changes, np.array(begins), 1)
        np.add.at(changes, np.array(ends), -1)
    return np.cumsum(changes)[:size] > 0


_NOTHING = Counts()


@dataclass(frozen=True, slots=True)
class TypeCounts:
    """The counts of the lines of one type; `+` adds those of several pages.

    Args:
        lines: The number of ground-truth lines with text.
        counts: The counts of these lines, and of text of the hypothesis without a match.

    """

    lines: int = 0
    counts: Counts = _NOTHING

    def __add__(self, other: TypeCounts) -> TypeCounts:
        if not isinstance(other, TypeCounts):
            return NotImplemented
        return TypeCounts(self.lines + other.lines, self.counts + other.counts)

    @property
    def rate(self) -> float:
        """Errors divided by the tokens of the ground truth; 0/0 is 0.0, and n/0 is infinite."""
        return ratio(self.counts.errors, self.counts.n_gt)


def counts_by_type(aligner: Aligner, measure: str | Measure) -> dict[str, TypeCounts]:
    """Return the counts of each type of line by a measure that was evaluated and aligns lines.

    >>> from pagemeter import Line, Page, evaluate
    >>> from pagemeter.alignment import Aligner
    >>> gt = Page([Line("Title", type="heading"), Line("the text")])
    >>> found = counts_by_type(Aligner(evaluate(gt, ["Titel", "the text"], ["CER"])), "CER")
    >>> {name: (one.lines, one.counts.errors) for name, one in found.items()}
    {'heading': (1, 2), 'text': (1, 0)}

    """
    measure = Measure.parse(measure)
    evaluation = aligner.evaluation
    found: dict[str, TypeCounts] = {}

    def add(name: str, lines: int, counts: Counts) -> None:
        found[name] = found.get(name, TypeCounts()) + TypeCounts(lines, counts)

    page = aligner.align(measure)
    for line, source in zip(page.lines, evaluation.gt.lines, strict=True):
        if line.text.strip() or line.hyp is not None:
            add(source.type, bool(line.text.strip()), line.counts)
    unit = aligner.unit(measure.unit)
    for rest in unit.unmatched(measure, evaluation[measure].matches):
        if not measure.segmentation:
            add(evaluation.hyp.lines[unit.hyp.word_line[rest.words[0]]].type, 0, Counts(dels=rest.size))
            continue
        for word in rest.words:
            begin, end = unit.hyp.words[word]
            add(evaluation.hyp.lines[unit.hyp.word_line[word]].type, 0, Counts(dels=end - begin))
    return found
