"""Lines as numbers of characters: code points, or grapheme clusters where a text has any."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from pagemeter.text.tokens import Ints, pairs

if TYPE_CHECKING:
    from collections.abc import Sequence

Starts = NDArray[np.bool_]

# No white space has a higher code point; a test holds Python to it.
LAST_BLANK = 0x3000
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


def joined(lines: Sequence[str], unit: str, clusters: dict[str, int]) -> tuple[Ints, Starts | None]:
    r"""The lines that are not empty, joined by blanks, as one number a character.

    Also which code points begin a character, None where each does. `clusters` numbers the characters of
    several code points and is extended by new ones. White space is always a character of its own.

    >>> joined(["e\u0301", "", "x"], "grapheme", {})[0].tolist() == [0x110000, ord(" "), ord("x")]
    True
    """
    text = " ".join(filter(None, lines))
    points = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), "<u4").astype(np.int32)
    if unit == "codepoint" or text.isascii():
        return points, None
    composed = _composed(text, clusters)
    if composed is None:
        return points, None
    begins, codes, inner = composed
    starts = np.ones(len(points), np.bool_)
    starts[inner] = False
    points[begins] = codes
    return points[starts], starts


def slices(lines: Sequence[str], points: Ints, starts: Starts | None) -> tuple[Ints, Ints, Ints]:
    """Where the lines and words of joined characters begin and end, and the line of each word."""
    lengths = np.fromiter(map(len, lines), np.int64, len(lines))
    filled = lengths > 0
    after = np.cumsum(lengths + filled)
    end = np.maximum(after - 1, 0)
    begin = np.where(filled, after - filled - lengths, end)
    if starts is not None:
        index = np.concatenate([[0], np.cumsum(starts)])
        begin, end = index[begin], index[end]
    blanks = np.flatnonzero(_blanks()[np.minimum(points, LAST_BLANK + 1)])
    ends = np.concatenate([blanks, [len(points)]]) if filled.any() else blanks
    begins = np.concatenate([[0], blanks + 1])[: len(ends)]
    line_of_word = np.searchsorted(begin[filled], begins, side="right") - 1
    return pairs(begin, end), pairs(begins, ends), np.flatnonzero(filled)[line_of_word].astype(np.int32)


def number(points: NDArray[np.integer[Any]]) -> tuple[Ints, int]:
    """The characters numbered densely as they first appear, and how many there are.

    >>> tokens, different = number(np.array([98, 97, 98]))
    >>> tokens.tolist(), different
    ([0, 1, 0], 2)
    """
    first = np.full(int(points.max(initial=0)) + 1, len(points))
    np.minimum.at(first, points, np.arange(len(points)))
    found = np.flatnonzero(first < len(points))
    codes = np.zeros(len(first), np.int32)
    codes[found[np.argsort(first[found])]] = np.arange(len(found), dtype=np.int32)
    return codes[points], len(found)


def _composed(text: str, clusters: dict[str, int]) -> tuple[list[int], list[int], list[int]] | None:
    """Characters of several code points: where they begin, their numbers, and where their other points are.

    Only pieces of text that hold something that can join its neighbour are looked at; None where none does.
    """
    joining = "".join(filter(_joins, set(text)))
    if not joining:
        return None
    begins: list[int] = []
    codes: list[int] = []
    inner: list[int] = []
    for found in re.finditer(rf"(?<!\S)[^\s{joining}]*+[{joining}]\S*+", text):
        at = found.start()
        for character in characters(found[0], "grapheme"):
            if len(character) > 1:
                begins.append(at)
                codes.append(clusters.setdefault(character, _FIRST_CLUSTER + len(clusters)))
                inner.extend(range(at + 1, at + len(character)))
            at += len(character)
    return begins, codes, inner


@lru_cache(maxsize=1 << 14)
def _joins(point: str) -> bool:
    """Whether a code point can make a cluster longer."""
    if point < "\u0300":
        return False
    import regex  # noqa: PLC0415  (15 ms that plain text need not pay)

    return regex.match(JOINING, point) is not None


@cache
def _clusters() -> Any:  # noqa: ANN401
    import regex  # noqa: PLC0415

    return regex.compile(r"\X")


@cache
def _blanks() -> NDArray[np.bool_]:
    """Which code points are white space, and no for all above."""
    return np.array([chr(point).isspace() for point in range(LAST_BLANK + 2)])
