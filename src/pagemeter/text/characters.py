"""Characters of a text as numbers, and boundaries between words in scripts that are written without spaces.

A character is a code point or a grapheme cluster. Most texts have few clusters of several code points. Only
the parts of a text that can have one are searched.

A boundary is a place where measures with S may cut the hypothesis. White space and line ends are boundaries
in every script. In Chinese, Japanese, Thai, Lao, Khmer and Myanmar text, every place between two characters
is one as well. Nothing joins the two sides of such a boundary, even across a line end. The rule, with
`boundaries` set to "scripts":

1. A character of the scripts Han, Hiragana, Katakana, Bopomofo, Thai, Lao, Khmer or Myanmar is *unspaced*.
2. Sequences of punctuation are unspaced if they are beside an unspaced character of their line, or between
   two unspaced characters of the page. Line ends may be between these, but white space may not.
3. Inside a line, there is a boundary on both sides of an unspaced character. A Latin word or a number beside
   it is therefore a word of its own.
4. A line end is joined by nothing if both of its neighbours are unspaced, and by a space otherwise.

A combining mark belongs to the character before it, even if characters are code points.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from pagemeter.text.encode import Ints

LAST_WHITE_SPACE = 0x3000
"""The highest code point that is white space; a test checks this for Python."""
FIRST_JOINING = 0x0300
"""The lowest code point that can extend a cluster; a test checks this for the regex module."""
_MAX_CACHED = 100  # characters; longer texts hardly recur
_FIRST_CLUSTER = 0x110000  # the number of the first cluster of several code points, above all code points
# Each cluster of several code points has one of these (UAX #29, rules GB6 to GB13).
JOINING = (
    "["
    + "".join(
        rf"\p{{GCB={name}}}"
        for name in ("Extend", "ZWJ", "SpacingMark", "Prepend", "L", "V", "T", "Regional_Indicator")
    )
    + "]"
)
FIRST_UNSPACED = 0x0E00
"""The lowest unspaced code point. Two tone marks of Bopomofo are lower and not unspaced."""

_SCRIPTS = ("Han", "Hiragana", "Katakana", "Bopomofo", "Thai", "Lao", "Khmer", "Myanmar")
UNSPACED = "".join(rf"\p{{Script={name}}}" for name in _SCRIPTS)
"""The characters of these scripts, for a set in a regular expression."""
_OTHER, _UNSPACED, _PUNCTUATION, _MARK, _BLANK, _LINE_END = range(6)


def characters(text: str, unit: str) -> Sequence[str]:
    r"""Split a text into extended grapheme clusters or code points.

    >>> [len(characters("e\u0301", unit)) for unit in ("grapheme", "codepoint")]
    [1, 2]
    """
    if unit == "codepoint" or text.isascii():
        return text
    clusters: list[str] = _cluster().findall(text)
    return clusters


def code_points(lines: Sequence[str], unit: str, clusters: dict[str, int]) -> tuple[Ints, Ints]:
    r"""Return one number per character of all lines, joined by spaces, and the length of each line.

    Empty lines are not joined. White space is always a character of its own.

    Args:
        lines: The lines of a page.
        unit: "grapheme" or "codepoint".
        clusters: The numbers of clusters of several code points; new ones are added.

    >>> points, lengths = code_points(["e\u0301", "", "x"], "grapheme", {})
    >>> points.tolist() == [0x110000, ord(" "), ord("x")], lengths.tolist()
    (True, [1, 0, 1])

    """
    text = " ".join(filter(None, lines))
    points = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), "<i4").astype(np.int32, copy=False)
    lengths = np.fromiter(map(len, lines), np.int32, len(lines))
    composed = None if unit == "codepoint" or text.isascii() else _long_clusters(text, points, clusters)
    if composed is None:
        return points, lengths
    begins, codes, inner = composed
    starts = np.ones(len(points), np.bool_)
    starts[inner] = False
    changed = points.copy()
    changed[begins] = codes
    return changed[starts], _lengths_in_characters(lengths, starts)


@cache
def white_space_table() -> NDArray[np.bool_]:
    """Return for each code point whether it is white space, up to the last white space character."""
    return np.array([chr(point).isspace() for point in range(LAST_WHITE_SPACE + 1)])


def _lengths_in_characters(lengths: Ints, starts: NDArray[np.bool_]) -> Ints:
    """Convert lengths of lines from code points to characters; `starts` marks the first points of those."""
    filled = lengths > 0
    size = lengths[filled]
    end = np.cumsum(size + 1) - 1
    index = np.concatenate([[0], np.cumsum(starts, dtype=np.int32)])
    result = np.zeros_like(lengths)
    result[filled] = index[end] - index[end - size]
    return result


def _long_clusters(
    text: str, points: Ints, clusters: dict[str, int]
) -> tuple[list[int], list[int], list[int]] | None:
    """Return the clusters of several code points: their starts, their numbers, and the points inside them.

    The result is None if no code point of the text can join another.
    """
    joining = "".join(filter(_joins, map(chr, _distinct(points[points >= FIRST_JOINING]))))
    if not joining:
        return None
    begins: list[int] = []
    codes: list[int] = []
    inner: list[int] = []
    for start, piece in _pieces(text, points, joining):
        position = start
        for character in _split(piece):
            if len(character) > 1:
                begins.append(position)
                codes.append(clusters.setdefault(character, _FIRST_CLUSTER + len(clusters)))
                inner.extend(range(position + 1, position + len(character)))
            position += len(character)
    return begins, codes, inner


def _distinct(points: Ints) -> list[int]:
    """Return each number once, in ascending order; `np.unique` would load `numpy.ma`, which takes 30 ms."""
    return sorted(set(points.tolist()))


def _pieces(text: str, points: Ints, joining: str) -> Iterator[tuple[int, str]]:
    """Yield the parts of a text that can have long clusters, with their positions.

    Marks join only the character before them. Other joining characters need all text between white space.
    """
    if not all(map(_extends, joining)):
        for match in re.finditer(rf"(?<!\S)[^\s{joining}]*+[{joining}]\S*+", text):
            yield match.start(), match[0]
        return
    marks = np.flatnonzero(np.isin(points, list(map(ord, joining))))
    begins = marks[np.diff(marks, prepend=-2) > 1].tolist()
    ends = marks[np.diff(marks, append=len(points) + 1) > 1].tolist()
    for begin, end in zip(begins, ends, strict=True):
        start = begin - (begin > 0 and not text[begin - 1].isspace())
        yield start, text[start : end + 1]


@lru_cache(maxsize=1 << 14)
def _joins(point: str) -> bool:
    """Return True if a code point can make a cluster longer."""
    import regex  # noqa: PLC0415  (15 ms that plain text does not need)

    return regex.match(JOINING, point) is not None


@lru_cache(maxsize=1 << 14)
def _extends(point: str) -> bool:
    """Return True if a code point can only join the character before it."""
    import regex  # noqa: PLC0415

    return regex.match(r"\p{GCB=Extend}", point) is not None


def _split(piece: str) -> Sequence[str]:
    """Split a piece of text into characters; pieces recur on a page, so results are cached."""
    return _split_short(piece) if len(piece) <= _MAX_CACHED else characters(piece, "grapheme")


@lru_cache(maxsize=1 << 14)
def _split_short(piece: str) -> Sequence[str]:
    return characters(piece, "grapheme")


@cache
def _cluster() -> Any:  # noqa: ANN401
    import regex  # noqa: PLC0415

    return regex.compile(r"\X")


def zero_joins(points: Ints, lengths: Ints, clusters: dict[str, int]) -> NDArray[np.bool_] | None:
    r"""Return where words meet without a space: before each character, and at each line end.

    Args:
        points: One number per character of all lines, joined by spaces.
        lengths: The length of each line.
        clusters: The numbers of clusters of several code points.

    Returns:
        For each character of a line, whether a word begins there directly after another word. For the space
        between two lines, whether nothing joins the two lines. None if no character is unspaced.

    >>> text = "ab漢字 c\n漢".replace("\n", " ")
    >>> points = np.array(list(map(ord, text)), np.int32)
    >>> zero_joins(points, np.array([6, 1], np.int32), {}).nonzero()[0].tolist()
    [2, 3]

    """
    firsts = _first_points(points, clusters)
    if not any(_kind(point) == _UNSPACED for point in _distinct(firsts[firsts >= FIRST_UNSPACED])):
        return None
    values, places = np.unique(firsts, return_inverse=True)
    kinds = np.array([_kind(point) for point in values.tolist()], np.int8)[places]
    kinds[_line_ends(lengths)] = _LINE_END
    marks = kinds == _MARK
    kinds = kinds[_last_index(~marks)]
    kinds[marks & ((kinds == _MARK) | (kinds == _LINE_END))] = _BLANK  # a mark that belongs to no character
    unspaced = _unspaced(kinds)
    gap = (kinds == _BLANK) | (kinds == _LINE_END)
    before = np.concatenate([[False], unspaced[:-1]])
    after_gap = np.concatenate([[True], gap[:-1]])
    inside = (unspaced | before) & ~(gap | after_gap | marks)
    between: NDArray[np.bool_] = before & np.concatenate([unspaced[1:], [False]])
    return np.where(kinds == _LINE_END, between, inside)


def cuts_of(lines: Sequence[str]) -> list[list[int]]:
    """Return for each line the positions at which a word begins directly after another word.

    >>> cuts_of(["ab漢字 c", "漢。", "word."])
    [[2, 3], [1], []]
    """
    points, lengths = code_points(lines, "codepoint", {})
    joins = zero_joins(points, lengths, {})
    if joins is None:
        return [[] for _ in lines]
    begin = 0
    cuts = []
    for length in lengths.tolist():
        cuts.append(np.flatnonzero(joins[begin : begin + length]).tolist())
        begin += length + (length > 0)
    return cuts


def _unspaced(kinds: NDArray[np.int8]) -> NDArray[np.bool_]:
    """Return which characters are unspaced, given the kinds of all characters (rules 1 and 2)."""
    letters, punctuation = kinds == _UNSPACED, kinds == _PUNCTUATION
    in_line, on_page = ~punctuation, ~(punctuation | (kinds == _LINE_END))
    beside = letters[_last_index(in_line)] | letters[_next_index(in_line)]
    between = letters[_last_index(on_page)] & letters[_next_index(on_page)]
    result: NDArray[np.bool_] = letters | (punctuation & (beside | between))
    return result


def _last_index(chosen: NDArray[np.bool_]) -> NDArray[np.intp]:
    """Return for each place the last chosen place up to it, or 0."""
    return np.maximum.accumulate(np.where(chosen, np.arange(len(chosen)), 0))


def _next_index(chosen: NDArray[np.bool_]) -> NDArray[np.intp]:
    """Return for each position the first chosen position at or after it, or the last position."""
    last: NDArray[np.intp] = len(chosen) - 1 - _last_index(chosen[::-1])[::-1]
    return last


def _line_ends(lengths: Ints) -> NDArray[np.intp]:
    """Return the places of the spaces between lines."""
    ends: NDArray[np.intp] = np.cumsum(lengths[lengths > 0] + 1, dtype=np.intp)
    return ends[:-1] - 1


def _first_points(points: Ints, clusters: dict[str, int]) -> Ints:
    """Return the first code point of each character."""
    if not clusters:
        return points
    first_cluster = min(clusters.values())
    of_cluster = np.zeros(len(clusters), np.int32)
    for text, number in clusters.items():
        of_cluster[number - first_cluster] = ord(text[0])
    firsts = points.copy()
    long = points >= first_cluster
    firsts[long] = of_cluster[points[long] - first_cluster]
    return firsts


@lru_cache(maxsize=1 << 14)
def _kind(point: int) -> int:
    character = chr(point)
    if character.isspace():
        return _BLANK
    match = _kinds().match(character)
    return _OTHER if match is None else int(match.lastindex)


@cache
def _kinds() -> Any:  # noqa: ANN401
    """Return a pattern whose group is the kind of a character."""
    import regex  # noqa: PLC0415  (15 ms that most pages do not need)

    script = "".join(rf"\p{{Script={name}}}" for name in _SCRIPTS)
    # Characters such as the prolonged sound mark are shared by scripts. Those of Korean text are left out.
    shared = "".join(rf"\p{{Script_Extensions={name}}}" for name in _SCRIPTS)
    several = rf"(?!\p{{Script_Extensions=Hangul}})(?=[\u2FF0-\U0010FFFF])[{shared}]"
    mark = r"[\p{GCB=Extend}\p{GCB=SpacingMark}\p{GCB=ZWJ}]"
    # The order of the groups is that of the kinds; a lookahead gives marks and punctuation precedence.
    unspaced = rf"(?=[{chr(FIRST_UNSPACED)}-\U0010FFFF])(?:[{script}]|(?!\p{{P}}){several})"
    return regex.compile(rf"(?!{mark})({unspaced})|(?!{mark})(\p{{P}})|({mark})")
