"""Notations of editors in ground truth: illegible characters, gaps, and several accepted readings of a line.

A line with notations is compared as one text per accepted reading. In these texts, a mark stands for one
illegible character, and another one for a gap. Marks are letters of a shorthand that is not in page files,
so normalisation and tokenisers leave them where they are. An illegible character beside Han, kana or another
script without spaces is marked by a rare Han character, which is cut like its neighbours. As tokens, marks
are numbers that match several other tokens.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from pagemeter import _kernel
from pagemeter.errors import InputError, UsageError
from pagemeter.text.characters import UNSPACED, characters
from pagemeter.text.encode import words_of_lines
from pagemeter.text.normalisation import SEARCH_SECONDS, compile_filter, normalise_page

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from pagemeter.page import Line, Note
    from pagemeter.settings import Settings
    from pagemeter.text.encode import Encoded, Ints, TokenPage

WILDCARD = "\U0001bc20"
UNSPACED_WILDCARD = "\U00031f4a"
GAP_MARK = "\U0001bc21"
WILDCARDS = WILDCARD + UNSPACED_WILDCARD
MARKS = WILDCARDS + GAP_MARK
SHOWN = str.maketrans(dict.fromkeys(WILDCARDS, "�") | {GAP_MARK: "…"})
"""How marks are shown."""
NO_GAP = -1
_MAX_READINGS = 64  # of one line
_WHITE_SPACE = re.compile(r"(\s)")


@dataclass(frozen=True, slots=True)
class NotedTexts:
    """The accepted readings of all lines of a page.

    Args:
        rows: The texts, with marks. The readings of a line are adjacent.
        first: The first row of each line, and the number of all rows.

    """

    rows: tuple[str, ...]
    first: tuple[int, ...]

    @property
    def has_notations(self) -> bool:
        """True if any line has a mark or several readings."""
        return len(self.rows) > len(self.first) - 1 or any(map(has_marks, self.rows))

    @property
    def main(self) -> tuple[str, ...]:
        """The first reading of each line."""
        return tuple(self.rows[row] for row in self.first[:-1])

    def normalised(self, settings: Settings) -> NotedTexts:
        """Return the texts as they are compared; line filters look at the first reading of a line.

        Raises:
            UsageError: Words are joined across lines, which several readings of a line do not allow.

        """
        main = normalise_page(self.main, settings).lines
        several = [len(group) > 1 for group in self._groups()]
        if any(several) and settings.hyphens == "join":
            raise UsageError(
                "words cannot be joined across lines if a line has several readings",
                setting=("hyphens", "join"),
                remedy="use hyphens='remove', or one reading per line",
            )
        if not any(several):
            return NotedTexts(main, self.first)
        unfiltered = settings.with_(keep_lines=None, drop_lines=None)
        rows: list[str] = []
        first = [0]
        for text, group in zip(main, self._groups(), strict=True):
            is_dropped = unfiltered is not settings and not text and bool(group[0].strip())
            others = () if is_dropped else normalise_page(group[1:], unfiltered).lines
            rows += dict.fromkeys((text, *others))
            first.append(len(rows))
        return NotedTexts(tuple(rows), tuple(first))

    def _groups(self) -> Iterator[tuple[str, ...]]:
        for x in range(len(self.first) - 1):
            yield self.rows[self.first[x] : self.first[x + 1]]


def has_marks(text: str) -> bool:
    """Return True if a text has a mark."""
    return not text.isascii() and any(mark in text for mark in MARKS)


def noted_texts(lines: Sequence[Line], settings: Settings) -> NotedTexts | None:
    r"""Return the readings of lines, or None if notations change nothing.

    >>> from pagemeter.page import Line, Note
    >>> from pagemeter.settings import Settings
    >>> line = Line("abc", notes=(Note("unclear", 1, 2),), readings=("abd",))
    >>> noted_texts([line], Settings(unclear="wildcard")).rows == (f"a{WILDCARD}c", "abd")
    True
    >>> noted_texts([Line("abc")], Settings()) is None
    True
    """
    if not settings.has_patterns and not any(line.notes or line.readings for line in lines):
        return None
    rows: list[str] = []
    first = [0]
    for line in lines:
        given = [(line.text, line.notes), *((one.text, one.notes) for one in line.readings)]
        if len(given) > _MAX_READINGS:
            raise InputError(
                f"a line has {len(given)} readings, but at most {_MAX_READINGS} can be compared",
                source=f"line {line.id}" if line.id else repr(line.text[:40]),
                remedy="give fewer readings",
            )
        rows += dict.fromkeys(_render(text, notes, settings) for text, notes in given)
        first.append(len(rows))
    if tuple(rows) == tuple(line.text for line in lines):
        return None
    return NotedTexts(tuple(rows), tuple(first))


def _render(text: str, notes: Sequence[Note], settings: Settings) -> str:
    """Return one reading with marks."""
    if has_marks(text):
        raise InputError(
            "a line has a character that marks notations (U+1BC20, U+1BC21 or U+31F4A)",
            source=repr(text[:40]),
            remedy="replace the character, or do not use notations",
        )
    parts, position = [], 0
    for note in sorted(notes, key=lambda note: (note.begin, note.end)):
        if note.begin < position:  # inside another remark
            continue
        parts += [text[position : note.begin], _replacement(text[note.begin : note.end], note, settings)]
        position = note.end
    marked = "".join((*parts, text[position:]))
    for name, mark in (("gap_pattern", GAP_MARK), ("wildcard", WILDCARD)):
        pattern = getattr(settings, name)
        if pattern is not None:
            marked = _substitute(pattern, mark, marked, name)
    return str(_beside_unspaced().sub(lambda run: UNSPACED_WILDCARD * len(run[0]), marked))


def _replacement(text: str, note: Note, settings: Settings) -> str:
    """Return the text that replaces an annotated part of a line."""
    if note.kind == "gap":
        if settings.gap is None:
            return text
        mark = GAP_MARK if note.characters is None else WILDCARD * note.characters
        return note.text.replace("…", mark) or mark
    way = settings.unclear if note.kind == "unclear" else settings.supplied
    whole = text or note.text
    if way == "wildcard":
        pieces = (piece for word in _runs().split(whole) for piece in characters(word, settings.unit))
        return "".join(piece if piece.isspace() else WILDCARD for piece in pieces)
    if way == "gap":
        stripped = whole.strip()
        return whole.replace(stripped, GAP_MARK) if stripped else whole
    return text if way == "file" else whole if way == "text" else ""


def _substitute(pattern: str, mark: str, text: str, name: str) -> str:
    try:
        return str(
            compile_filter(pattern, name).sub(
                lambda match: mark if match[0] else "", text, timeout=SEARCH_SECONDS
            )
        )
    except TimeoutError:
        raise UsageError(
            f"more than {SEARCH_SECONDS} s for one line, {text[:40]!r}",
            setting=(name, pattern),
            remedy="write an expression with fewer ways to match",
        ) from None


@cache
def _runs() -> Any:  # noqa: ANN401
    import regex  # noqa: PLC0415  (15 ms, rarely needed)

    return regex.compile(r"(\s)")


@cache
def _beside_unspaced() -> Any:  # noqa: ANN401
    """Return the pattern of illegible characters beside a character of a script without spaces."""
    import regex  # noqa: PLC0415

    return regex.compile(rf"(?<=[{UNSPACED}]\p{{M}}*){WILDCARD}+|{WILDCARD}+(?=[{UNSPACED}])")


@dataclass(frozen=True, slots=True)
class Notations:
    """The readings of the lines of a ground truth as tokens. Tokens from `alphabet` are special.

    Attributes:
        rows: The readings; the lines of this page.
        first: The first row of each line, and the number of rows.
        alphabet: The number of ordinary tokens.
        matches: For each special token, which ordinary tokens it matches.
        gap: For each special token, the weight of the HYP tokens that a gap takes up, or `NO_GAP`.
        weight: The weight of each ordinary token in a gap.

    """

    rows: TokenPage
    first: Ints
    alphabet: int
    matches: NDArray[np.bool_]
    gap: Ints
    weight: Ints

    @property
    def line_of(self) -> Ints:
        """The line of each row."""
        return np.repeat(np.arange(len(self.first) - 1, dtype=np.int32), np.diff(self.first))

    @property
    def is_gap(self) -> NDArray[np.bool_]:
        """For each token of the rows, whether it is a gap."""
        flags = np.zeros(self.alphabet + len(self.gap), np.bool_)
        flags[self.alphabet :] = self.gap != NO_GAP
        return np.asarray(flags[self.rows.tokens])

    @property
    def sizes(self) -> NDArray[np.int64]:
        """The number of tokens of each row that count."""
        counted = np.append(0, np.cumsum(~self.is_gap))
        return np.asarray(counted[self.rows.lines[:, 1]] - counted[self.rows.lines[:, 0]])

    @property
    def shortest(self) -> Ints:
        """The row of the shortest reading of each line, the first of several."""
        sizes = self.sizes.tolist()
        rows = (range(begin, end) for begin, end in zip(self.first[:-1], self.first[1:], strict=True))
        return np.array([min(group, key=sizes.__getitem__) for group in rows], np.int32)

    def kernel(self) -> _kernel.NotedGroundTruth:
        """Return the ground truth of the kernel."""
        return _kernel.NotedGroundTruth(
            self.rows.tokens, self.rows.lines, self.first, self.alphabet, self.matches, self.gap, self.weight
        )


def encode_notations(
    texts: NotedTexts, hyp: Sequence[str], pages: Encoded, settings: Settings, *, characterwise: bool
) -> Notations:
    """Return the readings with their special tokens.

    Args:
        texts: The normalised readings.
        hyp: The normalised lines of the hypothesis.
        pages: The encoded readings and the encoded hypothesis.
        settings: The settings.
        characterwise: True if tokens are characters.

    """
    gt, _, alphabet, _ = pages
    most = settings.gap or 0
    specials: dict[str, int] = {}
    tokens = gt.tokens.copy()
    for text, (begin, end) in zip(texts.rows, gt.lines.tolist(), strict=True):
        if has_marks(text):
            parts = list(_tokens(text, settings, characterwise=characterwise))
            for position, token in zip(range(begin, end), parts, strict=True):
                if has_marks(token) or (characterwise and _is_beside_gap(parts, position - begin)):
                    tokens[position] = alphabet + specials.setdefault(token, len(specials))
    weight = np.ones(alphabet, np.int32)
    matches = np.zeros((len(specials), alphabet), np.bool_)
    gap = np.full(len(specials), NO_GAP, np.int32)
    # The limit of a gap between words counts the characters of the words in it and the spaces between them.
    own_space = 0 if characterwise else 1
    known = {} if characterwise else _known_tokens(hyp, pages, settings)
    for code, word in known.items():
        weight[code] = len(word) + own_space
    for token, number in specials.items():
        if token.isspace():
            gap[number] = 1
        elif not token.strip(GAP_MARK):
            gap[number] = len(token) * most + own_space
        elif characterwise:
            matches[number] = True
        else:
            pattern = characters(token, settings.unit)
            matches[number, [code for code, word in known.items() if _is_like(pattern, word, most)]] = True
    first = np.array(texts.first, np.int32)
    return Notations(replace(gt, tokens=tokens), first, alphabet, matches, gap, weight)


def _is_beside_gap(parts: Sequence[str], index: int) -> bool:
    """Return True for a space beside a gap. It may be missing, as what is in the gap may be."""
    return parts[index].isspace() and GAP_MARK in (
        parts[max(index - 1, 0)],
        parts[min(index + 1, len(parts) - 1)],
    )


def _tokens(text: str, settings: Settings, *, characterwise: bool) -> Iterator[str]:
    """Yield the tokens of a line as texts."""
    if characterwise:
        for piece in _WHITE_SPACE.split(text):
            yield from characters(piece, settings.unit)
    else:
        (words,) = words_of_lines([text], settings)
        for word in words:
            yield from word


def _known_tokens(hyp: Sequence[str], pages: Encoded, settings: Settings) -> dict[int, Sequence[str]]:
    """Return the characters of each word of the hypothesis by its number."""
    texts = (token for line in words_of_lines(hyp, settings) for word in line for token in word)
    codes = pages[1].tokens.tolist()
    return {
        code: characters(text, settings.unit) for code, text in dict(zip(codes, texts, strict=True)).items()
    }


def _is_like(pattern: Sequence[str], word: Sequence[str], most: int) -> bool:
    """Return True if a word with marks matches a word; a gap inside it is up to `most` characters."""
    ends = {0}
    for part in pattern:
        if part == GAP_MARK:
            ends = {end + more for end in ends for more in range(most + 1) if end + more <= len(word)}
        else:
            is_wildcard = part[0] in WILDCARDS
            ends = {end + 1 for end in ends if end < len(word) and (is_wildcard or word[end] == part)}
    return len(word) in ends
