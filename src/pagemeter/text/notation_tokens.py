"""The accepted readings of a ground truth as tokens, with tokens that match several others and gaps."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from pagemeter import _kernel
from pagemeter.text.characters import characters
from pagemeter.text.encode import words_of_lines
from pagemeter.text.notations import GAP_MARK, WILDCARDS, has_marks

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from pagemeter.settings import Settings
    from pagemeter.text.encode import Encoded, Ints, TokenPage
    from pagemeter.text.notations import NotedTexts

NO_GAP = -1
_WHITE_SPACE = re.compile(r"(\s)")


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
    # A gap between words takes up words of so many characters, with the spaces between them.
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
