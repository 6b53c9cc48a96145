"""Lines as numbers of characters: code points, or grapheme clusters where a text has any."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from pagemeter.text.tokens import Ints

# No white space has a higher code point; a test holds Python to it.
LAST_BLANK = 0x3000
# No code point below makes a cluster longer; a test holds the regex module to it.
FIRST_JOINING = 0x0300
# Clusters of several code points are numbered from here, above all code points.
_FIRST_CLUSTER = 0x110000
# A cluster of several code points has one of these in it (UAX #29, GB6 to GB13).
JOINING = (
    "["
    + "".join(
        rf"\p{{GCB={name}}}"
        for name in ("Extend", "ZWJ", "SpacingMark", "Prepend", "L", "V", "T", "Regional_Indicator")
    )
    + "]"
)


def characters(text: str, unit: str) -> Sequence[str]:
    r"""The characters of a text: extended grapheme clusters, or code points.

    >>> [len(characters("e\u0301", unit)) for unit in ("grapheme", "codepoint")]
    [1, 2]
    """
    if unit == "codepoint" or text.isascii():
        return text
    found: list[str] = _clusters().findall(text)
    return found


def joined(lines: Sequence[str], unit: str, clusters: dict[str, int]) -> tuple[Ints, Ints]:
    r"""The lines that are not empty, joined by blanks, as one number a character, and the lengths of all.

    `clusters` numbers the characters of several code points and is extended by new ones. White space is
    always a character of its own.

    >>> points, lengths = joined(["e\u0301", "", "x"], "grapheme", {})
    >>> points.tolist() == [0x110000, ord(" "), ord("x")], lengths.tolist()
    (True, [1, 0, 1])
    """
    text = " ".join(filter(None, lines))
    points = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), "<i4").astype(np.int32, copy=False)
    lengths = np.fromiter(map(len, lines), np.int32, len(lines))
    composed = None if unit == "codepoint" or text.isascii() else _composed(text, points, clusters)
    if composed is None:
        return points, lengths
    begins, codes, inner = composed
    starts = np.ones(len(points), np.bool_)
    starts[inner] = False
    changed = points.copy()
    changed[begins] = codes
    return changed[starts], _lengths(lengths, starts)


@cache
def blanks() -> NDArray[np.bool_]:
    """Which code points are white space; above the last of the table none is."""
    return np.array([chr(point).isspace() for point in range(LAST_BLANK + 1)])


def _lengths(lengths: Ints, starts: NDArray[np.bool_]) -> Ints:
    """The lengths of joined lines in characters, where `starts` says which code points begin one."""
    filled = lengths > 0
    size = lengths[filled]
    end = np.cumsum(size + 1) - 1
    index = np.concatenate([[0], np.cumsum(starts, dtype=np.int32)])
    made = np.zeros_like(lengths)
    made[filled] = index[end] - index[end - size]
    return made


def _composed(
    text: str, points: Ints, clusters: dict[str, int]
) -> tuple[list[int], list[int], list[int]] | None:
    """Characters of several code points: where they begin, their numbers, and where their other points are.

    Only pieces of text that hold something that can join its neighbour are looked at; None where none does.
    """
    joining = "".join(filter(_joins, map(chr, np.unique(points[points >= FIRST_JOINING]).tolist())))
    if not joining:
        return None
    begins: list[int] = []
    codes: list[int] = []
    inner: list[int] = []
    for start, piece in _pieces(text, points, joining):
        at = start
        for character in _split(piece):
            if len(character) > 1:
                begins.append(at)
                codes.append(clusters.setdefault(character, _FIRST_CLUSTER + len(clusters)))
                inner.extend(range(at + 1, at + len(character)))
            at += len(character)
    return begins, codes, inner


def _pieces(text: str, points: Ints, joining: str) -> Iterator[tuple[int, str]]:
    """Parts of a text, and where they begin, outside which no two code points are joined.

    Marks join what stands before them and nothing else; for the rest it takes the text between white space.
    """
    if not all(map(_extends, joining)):
        for found in re.finditer(rf"(?<!\S)[^\s{joining}]*+[{joining}]\S*+", text):
            yield found.start(), found[0]
        return
    marks = np.flatnonzero(np.isin(points, list(map(ord, joining))))
    begins = marks[np.diff(marks, prepend=-2) > 1].tolist()
    ends = marks[np.diff(marks, append=len(points) + 1) > 1].tolist()
    for begin, end in zip(begins, ends, strict=True):
        at = begin - (begin > 0 and not text[begin - 1].isspace())
        yield at, text[at : end + 1]


@lru_cache(maxsize=1 << 14)
def _joins(point: str) -> bool:
    """Whether a code point can make a cluster longer."""
    import regex  # noqa: PLC0415  (15 ms that plain text need not pay)

    return regex.match(JOINING, point) is not None


@lru_cache(maxsize=1 << 14)
def _extends(point: str) -> bool:
    """Whether a code point can join nothing but what stands before it."""
    import regex  # noqa: PLC0415

    return regex.match(r"\p{GCB=Extend}", point) is not None


@lru_cache(maxsize=1 << 14)
def _split(piece: str) -> Sequence[str]:
    """The characters of a piece of text; on a page the same pieces come again."""
    return characters(piece, "grapheme")


@cache
def _clusters() -> Any:  # noqa: ANN401
    import regex  # noqa: PLC0415

    return regex.compile(r"\X")
