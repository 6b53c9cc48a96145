"""Keyword spotting on pages: queries are words of the ground truth, and hits are words of the hypothesis."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from pagemeter.errors import Problem
from pagemeter.geometry import baseline_of
from pagemeter.page import Line, Page
from pagemeter.settings import Settings
from pagemeter.spotting.data import Hit, Place, Reference, Spots
from pagemeter.text import normalise, words_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from pagemeter.page import Points, Word
    from pagemeter.spotting.settings import Case

_Query = tuple[str, ...]
_TOKENISER = "uax29"  # words without punctuation


class _Token(NamedTuple):
    """A word of a page without punctuation, its confidence and its baseline, None if they are unknown."""

    text: str
    confidence: float | None = None
    baseline: Points | None = None


class _TokenLine(NamedTuple):
    """The words of a line, and the baseline of the line."""

    tokens: tuple[_Token, ...]
    baseline: Points | None


class _PageTokens(NamedTuple):
    """The lines of a page."""

    name: str
    gt: tuple[_TokenLine, ...]
    hyp: tuple[_TokenLine, ...]


@dataclass(slots=True)
class PageSpots:
    """Collects the words of pages, and finds queries in them.

    Args:
        case: "fold" to ignore case.
        queries: The queries; None for all words of the ground truth. A query of several words is found where
            the words follow each other in one line.

    >>> pages = PageSpots()
    >>> pages.add("1", Page.from_text("the cat, the dog"), Page.from_text("the cat"))
    >>> spots = pages.spots()
    >>> spots.queries, len(spots.references), [hit.query for hit in spots.hits]
    (('the', 'cat', 'dog'), 4, ['the', 'cat'])

    """

    case: Case = "keep"
    queries: Sequence[str] | None = None
    _pages: list[_PageTokens] = field(default_factory=list)

    def add(self, name: str, gt: Page, hyp: Page | None) -> None:
        """Add a page; without a hypothesis, nothing is found on it."""
        lines = [tuple(map(self._tokens, page.lines)) for page in (gt, hyp or Page())]
        self._pages.append(_PageTokens(name, *lines))

    def spots(self) -> Spots:
        """Return the references and hits of all queries."""
        queries = self._wanted()
        references = [
            Reference(query, page.name, place)
            for page in self._pages
            for query, place, _ in _occurrences(page.gt, queries)
        ]
        found = [(page.name, one) for page in self._pages for one in _occurrences(page.hyp, queries)]
        hits = tuple(
            Hit(query, name, 0.0 if confidence is None else confidence, place)
            for name, (query, place, confidence) in found
        )
        unknown = sum(confidence is None for _, (_, _, confidence) in found)
        lines = {page.name: tuple(line.baseline for line in page.gt if line.baseline) for page in self._pages}
        names = tuple(dict.fromkeys(queries.values()))
        return Spots(tuple(references), hits, names, lines, _warnings(unknown, len(hits)))

    def _wanted(self) -> dict[_Query, str]:
        """Return the name of each query by its words."""
        if self.queries is None:
            return {
                (token.text,): token.text for page in self._pages for line in page.gt for token in line.tokens
            }
        words = (tuple(token.text for token in self._tokens(Line(query)).tokens) for query in self.queries)
        return {query: " ".join(query) for query in words if query}

    def _tokens(self, line: Line) -> _TokenLine:
        parts: list[tuple[str, Word | None]] = [(word.text, word) for word in line.words]
        parts = parts or [(line.text, None)]
        texts = normalise([text for text, _ in parts], Settings(case=self.case))
        tokens = [
            _token(text, word)
            for normalised, (_, word) in zip(texts, parts, strict=True)
            for group in words_of(normalised, _TOKENISER)
            for text in group
        ]
        return _TokenLine(tuple(tokens), baseline_of(line))


def _token(text: str, word: Word | None) -> _Token:
    if word is None:
        return _Token(text)
    return _Token(text, word.confidence, baseline_of(Line(word.text, word.baseline, word.polygon)))


def _occurrences(
    lines: Sequence[_TokenLine], queries: Mapping[_Query, str]
) -> Iterator[tuple[str, Place | None, float | None]]:
    """Yield the occurrences of queries: the query, its place, and the lowest confidence of its words."""
    lengths = sorted({len(query) for query in queries})
    for line in lines:
        words = [token.text for token in line.tokens]
        for length in lengths:
            for begin in range(len(words) - length + 1):
                query = queries.get(tuple(words[begin : begin + length]))
                if query is not None:
                    tokens = line.tokens[begin : begin + length]
                    known = [token.confidence for token in tokens if token.confidence is not None]
                    yield query, _place(tokens, line.baseline), min(known, default=None)


def _place(tokens: Sequence[_Token], line: Points | None) -> Place | None:
    points = tuple(point for token in tokens for point in token.baseline or ())
    if not points and line is None:
        return None
    own = points if all(token.baseline for token in tokens) else None
    return Place(None, own, line)


def _warnings(unknown: int, hits: int) -> tuple[Problem, ...]:
    if not unknown:
        return ()
    which = "no hit has" if unknown == hits else f"{unknown:,} of {hits:,} hits have no"
    detail = f"{which} {'a ' if unknown == hits else ''}confidence, so their scores are 0"
    return (Problem(detail, remedy="without scores, only precision and recall are informative", kind="text"),)
