"""What keyword spotting compares: references in the ground truth, and hits of a system, with their places."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from pagemeter.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from pagemeter.errors import Problem
    from pagemeter.formats.coordinates import Rectangle
    from pagemeter.page import Points


@dataclass(frozen=True, slots=True)
class Place:
    """The position of a word in a document.

    Args:
        box: The box of the word.
        baseline: The baseline of the word.
        line: The baseline of the line that the word is in.

    """

    box: Rectangle | None = None
    baseline: Points | None = None
    line: Points | None = None

    @property
    def is_unknown(self) -> bool:
        """True if the place has no position, so that the document is all that is known."""
        return self.box is None and not self.baseline and not self.line


@dataclass(frozen=True, slots=True)
class Reference:
    """An occurrence of a query in the ground truth.

    Args:
        query: The query.
        document: The page, line or other document that it is in.
        place: Its position in the document; None if documents are retrieved as a whole.
        gain: The relevance, which is 1 unless judgements are graded.

    """

    query: str
    document: str
    place: Place | None = None
    gain: float = 1.0


@dataclass(frozen=True, slots=True)
class Hit:
    """An occurrence of a query that a system found, and its score: higher is more certain."""

    query: str
    document: str
    score: float
    place: Place | None = None


@dataclass(frozen=True, slots=True)
class Spots:
    """The references and hits of all queries.

    Args:
        references: The references.
        hits: The hits, in the order of the file.
        queries: The queries that are evaluated. Hits and references of others are left out. None stands for
            all queries that have a reference or a hit.
        lines: The baselines of all ground-truth lines by document, on which the tolerance of positions
            depends.
        warnings: What was skipped or guessed.
        failed: The files that could not be read.

    """

    references: tuple[Reference, ...]
    hits: tuple[Hit, ...]
    queries: tuple[str, ...] | None = None
    lines: Mapping[str, tuple[Points, ...]] = field(default_factory=dict)
    warnings: tuple[Problem, ...] = ()
    failed: tuple[Problem, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """The queries: those that are asked for, or those of the references and then of the hits.

        >>> Spots((Reference("a", "1"),), (Hit("b", "1", 0.5), Hit("a", "2", 0.4))).names
        ('a', 'b')
        """
        if self.queries is not None:
            return self.queries
        return tuple(
            dict.fromkeys([*(one.query for one in self.references), *(one.query for one in self.hits)])
        )

    def restricted(self, queries: Collection[str] | None) -> Spots:
        """Return the references and hits of some queries; None keeps those of `queries`.

        >>> Spots((Reference("a", "1"),), (Hit("b", "1", 0.5),)).restricted(["b"]).references
        ()
        """
        kept = self.queries if queries is None else tuple(dict.fromkeys(queries))
        if kept is None:
            return self
        if not kept:
            raise UsageError("there are no queries", remedy="give at least one")
        known = frozenset(kept)
        return replace(
            self,
            references=tuple(one for one in self.references if one.query in known),
            hits=tuple(one for one in self.hits if one.query in known),
            queries=kept,
        )
