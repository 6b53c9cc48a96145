"""The page as one text, for measures with T: its lines joined, and its tokens as integers."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from pagemeter.text.characters import characters
from pagemeter.text.encode import words_of_lines
from pagemeter.text.normalisation import passes_filters
from pagemeter.text.tokenisers import SEES_WHITE_SPACE, words_of_whole

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pagemeter.settings import Settings
    from pagemeter.text.encode import Ints


@dataclass(frozen=True, slots=True)
class WholeText:
    r"""A page as one text.

    Args:
        lines: The normalised lines.
        glue: The character between two lines.
        end: The line end after the last line, or nothing.

    >>> from pagemeter.settings import Settings
    >>> whole = WholeText.of(["one", " ", "two"], ["one", "", "two"], Settings(whitespace="strip"))
    >>> "".join(whole.characters("grapheme"))
    'one\n\ntwo'

    """

    lines: Sequence[str]
    glue: str = "\n"
    end: str = ""

    @classmethod
    def of(
        cls, texts: Sequence[str], lines: Sequence[str], settings: Settings, *, open_end: bool = False
    ) -> WholeText:
        """Return the text of a page.

        Blank lines are part of it, unless white space is collapsed. Lines that normalisation has emptied,
        such as those that a filter leaves out, are not.

        Args:
            texts: The lines of the page.
            lines: The normalised lines.
            settings: How white space and line ends count.
            open_end: True if there is no line end after the last line.

        """
        blank_lines = settings.whitespace != "collapse" and passes_filters(
            "", settings.keep_lines, settings.drop_lines
        )
        if not blank_lines:
            kept = [line for line in lines if line]
        else:
            pairs = zip(texts, lines, strict=True)
            kept = [line for text, line in pairs if line or not text.strip()]
        if settings.whitespace == "strip-page":
            first = next((number for number, line in enumerate(kept) if line), len(kept))
            last = next((number for number in range(len(kept), 0, -1) if kept[number - 1]), 0)
            kept = kept[first:last]
        glue = " " if settings.line_end == "space" else "\n"
        has_end = settings.line_end == "counted-last" or (
            settings.line_end == "counted-given" and not open_end
        )
        return cls(kept, glue, "\n" if has_end and kept else "")

    def characters(self, unit: str) -> list[str]:
        """Return the characters; a line end is one, and no character extends over it."""
        tokens: list[str] = []
        for number, line in enumerate(self.lines):
            if number:
                tokens.append(self.glue)
            tokens += characters(line, unit)
        return tokens + list(self.end)

    def words(self, settings: Settings) -> list[str]:
        """Return the words."""
        if isinstance(settings.tokeniser, str) and settings.tokeniser in SEES_WHITE_SPACE:
            return words_of_whole(self.lines, self.glue, settings.tokeniser)
        return [token for line in words_of_lines(self.lines, settings) for word in line for token in word]


class TextPair(NamedTuple):
    """The tokens of both pages, and the number of different ones."""

    gt: Ints
    hyp: Ints
    alphabet: int


def encode_texts(gt: Sequence[str], hyp: Sequence[str]) -> TextPair:
    """Number the tokens of both pages; equal tokens have equal numbers.

    >>> pair = encode_texts(["a", "b", "a"], ["c", "a"])
    >>> pair.gt.tolist(), pair.hyp.tolist(), pair.alphabet
    ([0, 1, 0], [2, 0], 3)
    """
    codes = {token: code for code, token in enumerate(dict.fromkeys(chain(gt, hyp)))}
    first, second = (np.fromiter(map(codes.__getitem__, side), np.int32, len(side)) for side in (gt, hyp))
    return TextPair(first, second, len(codes))


class SpelledWords(NamedTuple):
    """The characters of the words of both pages as numbers, and where each word begins and ends."""

    characters: TextPair
    gt: Ints
    hyp: Ints


def encode_spelled(gt: Sequence[str], hyp: Sequence[str], unit: str) -> SpelledWords:
    """Number the characters of words.

    >>> spelled = encode_spelled(["ab", "c"], ["b"], "codepoint")
    >>> spelled.characters.gt.tolist(), spelled.gt.tolist(), spelled.hyp.tolist()
    ([0, 1, 2], [[0, 2], [2, 3]], [[0, 1]])
    """
    sides = [[characters(word, unit) for word in side] for side in (gt, hyp)]
    pair = encode_texts(*(list(chain.from_iterable(side)) for side in sides))
    return SpelledWords(pair, *map(_spans, sides))


def _spans(words: Sequence[Sequence[str]]) -> Ints:
    ends = np.cumsum([0, *map(len, words)], dtype=np.int32)
    return np.ascontiguousarray(np.stack([ends[:-1], ends[1:]], axis=1))
