"""Both pages as tokens with their texts, and the edits of the tokens that a match compares."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

from pagemeter import _kernel
from pagemeter.measure import UNITS
from pagemeter.score import Counts
from pagemeter.text import TokenPage, characters, encode_pair
from pagemeter.text.encode import words_of_characters, words_of_lines
from pagemeter.text.notations import SHOWN, encode_notations

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pagemeter.measure import Measure, UnitName
    from pagemeter.page import Page
    from pagemeter.score import Match
    from pagemeter.settings import Settings
    from pagemeter.text.encode import Sizes
    from pagemeter.text.notations import Notations, NotedTexts

_TextAndBounds = tuple[str, Sequence[int], Sequence[int]]
_WHITE_SPACE = re.compile(r"(\s)")
# Bytes of the table of one pair of lines; the kernel halves lines whose table is larger.
MAX_CELLS = 1 << 26

EditKind = Literal["equal", "substitute", "insert", "delete"]
EDIT_KINDS: tuple[EditKind, ...] = ("equal", "substitute", "insert", "delete")
"""The kinds of edits in the order of the kernel's numbers."""
IN_GAP, GAP_TOKEN = 4, 5
"""Further numbers of the kernel: HYP tokens in a gap, and the gap in front of them."""


class Operation(NamedTuple):
    """A run of tokens with the same edit.

    The kinds are named from the view of editing HYP into GT: the tokens of `insert` are missing in HYP, and
    those of `delete` are extra. Substitutions are runs of one token.

    Args:
        kind: The kind of the edit.
        size: The number of tokens.
        gt: The text in the ground truth; empty for `delete`.
        hyp: The text in the hypothesis; empty for `insert`.

    A `gap` of the ground truth has the text that it takes up as `hyp`, and counts nothing.

    """

    kind: EditKind | Literal["gap"]
    size: int
    gt: str
    hyp: str

    @property
    def counts(self) -> Counts:
        """The counts that the run adds to a score."""
        size = self.size
        match self.kind:
            case "equal":
                return Counts(cor=size)
            case "substitute":
                return Counts(sub=size)
            case "insert":
                return Counts(ins=size)
            case "delete":
                return Counts(dels=size)
            case _:
                return Counts()


EditRuns = list[list[int]]
"""Runs of equal edits: the number of the kind, and the number of tokens."""


@dataclass(frozen=True, slots=True)
class TokenText:
    """A page of tokens and the text in which they are; words and lines are joined by spaces.

    Args:
        source: The page.
        page: Its tokens.
        lines: The normalised lines.
        text: The text of all tokens; token i is ``text[starts[i]:ends[i]]``.
        starts: The start of each token.
        ends: The end of each token.
        optional: For each line, whether its text costs nothing if it is not matched.
        spans: The tokens of each line, as [begin, end].
        words: The tokens of each word, as [begin, end].
        word_line: The line of each word.
        line_words: The first word of each line, and the number of all words.

    """

    source: Page
    page: TokenPage
    lines: Sequence[str]
    text: str
    starts: Sequence[int]
    ends: Sequence[int]
    optional: Sequence[bool]
    spans: list[list[int]] = field(init=False)
    words: list[list[int]] = field(init=False)
    word_line: list[int] = field(init=False)
    line_words: list[int] = field(init=False)

    def __post_init__(self) -> None:
        line_words = np.searchsorted(self.page.word_line, np.arange(len(self.lines) + 1))
        object.__setattr__(self, "spans", self.page.lines.tolist())
        object.__setattr__(self, "words", self.page.words.tolist())
        object.__setattr__(self, "word_line", self.page.word_line.tolist())
        object.__setattr__(self, "line_words", line_words.tolist())

    def slice(self, begin: int, end: int) -> str:
        """Return the text of the tokens from `begin` to before `end`."""
        return self.text[self.starts[begin] : self.ends[end - 1]] if begin < end else ""

    def span(self, words: Sequence[int]) -> tuple[int, int]:
        """Return the tokens of a run of words, with the spaces between them."""
        return self.words[words[0]][0], self.words[words[-1]][1]

    def words_of(self, line: int) -> range:
        """Return the words of a line, as indices into those of the page."""
        return range(self.line_words[line], self.line_words[line + 1])

    def follows(self, word: int) -> bool:
        """Return True if a word follows the previous word of its line without a space."""
        if not word or self.word_line[word] != self.word_line[word - 1]:
            return False
        (begin, end), before = self.words[word], self.words[word - 1][1]
        return before > 0 and begin < end and self.starts[begin] == self.ends[before - 1]

    def word(self, word: int) -> str:
        """Return the text of a word."""
        return self.slice(*self.words[word])


def token_texts(
    pages: tuple[Page, Page],
    lines: tuple[Sequence[str], Sequence[str]],
    unit: UnitName,
    settings: Settings,
    *,
    breaks: bool = False,
    readings: NotedTexts | None = None,
) -> tuple[TokenText, TokenText, int, Notations | None]:
    r"""Return both pages as tokens with their texts, the number of different tokens, and the notations.

    Args:
        pages: The ground truth and the hypothesis.
        lines: The normalised lines of both.
        unit: The unit whose tokens are used.
        settings: The settings of the evaluation.
        breaks: True to join the lines of HYP by `\n` instead of a space, which shows where lines end.
        readings: The accepted readings of the ground truth, which are its lines then.

    """
    lines = (readings.rows, lines[1]) if readings else lines
    glues = (" ", "\n" if breaks else " ")
    if not UNITS[unit].of_characters and settings.tokeniser != "whitespace":
        encoded = encode_pair(*lines, characterwise=False, settings=settings)
        parts = [_word_bounds(texts, settings, glue) for texts, glue in zip(lines, glues, strict=True)]
    else:
        encoded = encode_pair(*lines, characterwise=True, settings=settings)
        parts = [
            _character_bounds(texts, page, settings, glue)
            for texts, page, glue in zip(lines, encoded[:2], glues, strict=True)
        ]
        if not UNITS[unit].of_characters:
            parts = [_joined(*part, page) for part, page in zip(parts, encoded[:2], strict=True)]
            encoded = words_of_characters(encoded)
    *token_pages, alphabet, _ = encoded
    notations = None
    if readings:
        notations = encode_notations(
            readings, lines[1], encoded, settings, characterwise=UNITS[unit].of_characters
        )
        parts[0] = (parts[0][0].translate(SHOWN), *parts[0][1:])
        lines = (tuple(line.translate(SHOWN) for line in lines[0]), lines[1])
    types = settings.optional_types("gt"), settings.optional_types("hyp")
    gt, hyp = (
        TokenText(page, tokens, texts, *part, [line.type in optional for line in page.lines])
        for page, tokens, texts, part, optional in zip(pages, token_pages, lines, parts, types, strict=True)
    )
    return gt, hyp, alphabet, notations


def _character_bounds(lines: Sequence[str], page: TokenPage, settings: Settings, glue: str) -> _TextAndBounds:
    """Return the text of a page of characters. Lines that meet without a space have at most a line break."""
    filled = [line for line in lines if line]
    spans = page.lines[page.lines[:, 0] < page.lines[:, 1]]
    spaced = (spans[1:, 0] > spans[:-1, 1]).tolist()
    if all(spaced) and sum(map(len, filled)) + len(spaced) == len(page.tokens):
        text = glue.join(filled)  # each character is one code point
        return text, range(len(text)), range(1, len(text) + 1)
    break_only = glue if glue == "\n" else ""
    text, sizes, offsets, offset = "", [], [], 0
    for line, space in zip(filled, [None, *spaced], strict=True):
        if space:
            text += glue
            sizes.append(1)
            offsets.append(offset)
        elif space is not None:
            text += break_only
            offset += len(break_only)
        # White space is always a character of its own, even before a combining mark.
        new = [len(c) for piece in _WHITE_SPACE.split(line) for c in characters(piece, settings.unit)]
        text += line
        sizes += new
        offsets += [offset] * len(new)
    return text, *_bounds(np.array(sizes, np.int64), np.array(offsets, np.int64))


def _joined(text: str, starts: Sequence[int], ends: Sequence[int], page: TokenPage) -> _TextAndBounds:
    """Return the bounds of words, given those of characters."""
    words = [(begin, end) for begin, end in page.words.tolist() if begin < end]
    return text, [starts[begin] for begin, _ in words], [ends[end - 1] for _, end in words]


def _word_bounds(lines: Sequence[str], settings: Settings, glue: str) -> _TextAndBounds:
    tokenised = words_of_lines(lines, settings)
    text = glue.join(" ".join(map("".join, line)) for line in tokenised if line)
    pieces = [word for line in tokenised for word in line]
    sizes = np.array([len(token) for word in pieces for token in word], np.int64)
    return text, *_bounds(sizes, np.repeat(np.arange(len(pieces)), [len(word) for word in pieces]))


def _bounds(sizes: Sizes, spaces: Sizes) -> tuple[Sequence[int], Sequence[int]]:
    """Return the start and the end of each token, given the number of spaces before each."""
    ends = np.cumsum(sizes) + spaces
    return (ends - sizes).tolist(), ends.tolist()


class MatchedSpan(NamedTuple):
    """A GT line (or its reading), and the HYP tokens from `begin` to before `end` matched with it."""

    gt: int
    begin: int
    end: int


class UnmatchedSpan(NamedTuple):
    """HYP tokens without a match: their start, end and words, and the number of tokens that count."""

    size: int
    begin: int
    end: int
    words: range


class TokenEdits:
    """Both pages as tokens of one unit, and the edits of all spans so far.

    Several measures often match the same spans; their edits are computed once.
    """

    def __init__(
        self, gt: TokenText, hyp: TokenText, alphabet: int, notations: Notations | None = None
    ) -> None:
        self.gt, self.hyp, self._alphabet, self.notations = gt, hyp, alphabet, notations
        if notations is not None:
            self._first = notations.first.tolist()
            self._shortest, self._sizes = notations.shortest.tolist(), notations.sizes.tolist()
            self._is_gap = notations.is_gap.tolist()
        self._runs: dict[MatchedSpan, EditRuns] = {}
        self._edits: dict[MatchedSpan, tuple[Operation, ...]] = {}

    def edits(self, measure: Measure, matches: Sequence[Match]) -> list[tuple[Operation, ...]]:
        """Return the edits of each match."""
        if measure.is_bag:
            return [self.bag_edits(match) for match in matches]
        spans = [self.span(match) for match in matches]
        for span, runs in self.runs(spans).items():
            if span not in self._edits:
                self._edits[span] = tuple(self._operations(span, runs))
        return [self._edits[span] for span in spans]

    def runs(self, spans: Iterable[MatchedSpan]) -> dict[MatchedSpan, EditRuns]:
        """Return the runs of equal edits of each span."""
        wanted = dict.fromkeys(spans)
        new = [span for span in wanted if span not in self._runs]
        if new:
            self._compute_runs(new)
        return {span: self._runs[span] for span in wanted}

    def unmatched(self, measure: Measure, matches: Sequence[Match]) -> Iterator[UnmatchedSpan]:
        """Yield the spans of HYP without a match, except those of optional lines, which are not errors."""
        if measure.is_bag:
            return _unmatched_tokens(self.hyp, matches)
        return self._unmatched_words(matches) if measure.segmentation else self._unmatched_lines(matches)

    def span(self, match: Match) -> MatchedSpan:
        """Return the tokens of a match."""
        if match.hyp_line is None:
            return MatchedSpan(self.row(match), *self.hyp.span(match.hyp_words))
        return MatchedSpan(self.row(match), *self.hyp.spans[match.hyp_line])

    def row(self, match: Match) -> int:
        """Return the reading of a match among the lines of `gt`."""
        return match.gt if self.notations is None else int(self._first[match.gt]) + match.reading

    def missing_row(self, x: int) -> int:
        """Return the reading of a line without a match."""
        return x if self.notations is None else int(self._shortest[x])

    def missing(self, x: int) -> int:
        """Return the number of tokens that a line without a match lacks; 0 for an optional line."""
        if self.gt.optional[x]:
            return 0
        if self.notations is not None:
            return int(self._sizes[self._shortest[x]])
        begin, end = self.gt.spans[x]
        return end - begin

    def bag_edits(self, match: Match) -> tuple[Operation, ...]:
        """Return the edits of a GT line in a bag of words: a token that HYP has anywhere is right."""
        gt = self.gt
        begin, end = gt.spans[self.row(match)]
        if len(match.tokens) == end - begin:
            text = gt.slice(begin, end)
            return (Operation("equal", end - begin, text, text),)
        matched = {token for token, _ in match.tokens}
        operations, position = [], begin
        for (is_matched, is_gap), group in groupby(
            range(begin, end), lambda token: (token in matched, self._in_gap(token))
        ):
            size = sum(1 for _ in group)
            text = gt.slice(position, position + size)
            if is_matched:
                operations.append(Operation("equal", size, text, text))
            elif not is_gap and not gt.optional[match.gt]:
                operations.append(Operation("insert", size, text, ""))
            position += size
        return tuple(operations)

    def _in_gap(self, token: int) -> bool:
        return self.notations is not None and bool(self._is_gap[token])

    def _compute_runs(self, new: list[MatchedSpan]) -> None:
        gt, hyp = self.gt.page, self.hyp.page
        table = np.array(new, np.int32)
        spans = np.ascontiguousarray(gt.lines[table[:, 0]]), np.ascontiguousarray(table[:, 1:])
        if self.notations is None:
            rows = _kernel.edits(gt.tokens, spans[0], hyp.tokens, spans[1], self._alphabet, MAX_CELLS)
        else:
            rows = self.notations.kernel().edits(np.ascontiguousarray(table[:, 0]), hyp.tokens, spans[1])
        ends = np.searchsorted(rows[:, 0], np.arange(len(new) + 1)).tolist()
        runs = rows[:, 1:].tolist()
        self._runs.update((span, runs[ends[i] : ends[i + 1]]) for i, span in enumerate(new))

    def _operations(self, span: MatchedSpan, runs: EditRuns) -> Iterator[Operation]:
        """Yield the runs with their texts."""
        gt, hyp = self.gt.slice, self.hyp.slice
        i, j = self.gt.spans[span.gt][0], span.begin
        for number, length in runs:
            if number == GAP_TOKEN:
                yield Operation("gap", 0, gt(i, i := i + length), "")
                continue
            if number == IN_GAP:
                yield Operation("gap", length, "", hyp(j, j := j + length))
                continue
            kind = EDIT_KINDS[number]
            if kind == "insert":
                yield Operation(kind, length, gt(i, i := i + length), "")
            elif kind == "delete":
                yield Operation(kind, length, "", hyp(j, j := j + length))
            elif kind == "equal":
                yield Operation(kind, length, gt(i, i := i + length), hyp(j, j := j + length))
            else:
                for _ in range(length):
                    yield Operation(kind, 1, gt(i, i := i + 1), hyp(j, j := j + 1))

    def _unmatched_lines(self, matches: Sequence[Match]) -> Iterator[UnmatchedSpan]:
        matched = {match.hyp_line for match in matches}
        for y, (begin, end) in enumerate(self.hyp.spans):
            if y not in matched and begin < end and not self.hyp.optional[y]:
                yield UnmatchedSpan(end - begin, begin, end, self.hyp.words_of(y))

    def _unmatched_words(self, matches: Sequence[Match]) -> Iterator[UnmatchedSpan]:
        """Yield runs of words without a match; the spaces that join them cost nothing and do not count."""
        ends = sorted((match.hyp_words[0], match.hyp_words[-1] + 1) for match in matches)
        free = 0
        for first, last in (*ends, (len(self.hyp.words),) * 2):
            for optional, group in groupby(range(free, first), self._is_optional):
                numbers = list(group)
                words = range(numbers[0], numbers[-1] + 1)
                size = sum(end - begin for begin, end in self.hyp.words[words.start : words.stop])
                if size and not optional:
                    yield UnmatchedSpan(size, *self.hyp.span(words), words)
            free = last

    def _is_optional(self, word: int) -> bool:
        """Return True if a word of HYP is in an optional line."""
        return self.hyp.optional[self.hyp.word_line[word]]


def _unmatched_tokens(hyp: TokenText, matches: Sequence[Match]) -> Iterator[UnmatchedSpan]:
    """Yield the runs of unmatched tokens of a bag of words; no run crosses a line end."""
    matched = {token for match in matches for _, token in match.tokens}
    sizes = np.diff(hyp.page.words, axis=1)[:, 0]
    word_of = np.repeat(np.arange(len(hyp.words)), sizes).tolist()
    free = [
        token
        for token, word in enumerate(word_of)
        if token not in matched and not hyp.optional[hyp.word_line[word]]
    ]
    for _, group in groupby(
        enumerate(free), lambda item: (item[1] - item[0], hyp.word_line[word_of[item[1]]])
    ):
        run = [token for _, token in group]
        words = range(word_of[run[0]], word_of[run[-1]] + 1)
        yield UnmatchedSpan(len(run), run[0], run[-1] + 1, words)
