"""E:f: a page as one sequence of letters with line breaks before, between and after its lines."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from itertools import pairwise, zip_longest
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Sequence


class Mark(Enum):
    """A letter outside the alphabet Σ; it equals no token."""

    PAD = "the position 0 that no sequence has, since the paper counts from 1"
    BREAK = "↵"
    GAP = "the place between two words of a line where no letter stands (words as tokens)"


@dataclass(frozen=True, slots=True)
class Flat:
    """A flattened page.

    `letters[i]` is h_i, counted from 1 as in the paper. `cuts` are the positions where the page may be cut:
    l_h (the line breaks) or, with segmentation, l̄_h (the spaces as well). What stands between two
    subsequent cuts is a *slot*: a line or, with segmentation, a word. `slot_of[i]` is the slot whose letters
    or whose closing cut stand at i, `cut_index[i]` is index(l_h; i) counted from 0, or -1 where no cut is.
    """

    letters: tuple[Hashable, ...]
    cuts: tuple[int, ...]
    slot_of: tuple[int, ...]
    cut_index: tuple[int, ...]

    @property
    def last(self) -> int:
        """|h|, the position of the last line break."""
        return len(self.letters) - 1

    @property
    def slots(self) -> range:
        """The lines or words of the page."""
        return range(len(self.cuts) - 1)

    def length(self, slot: int) -> int:
        """The letters of a line, |H_y|, or of a word, l̄_h^y - l̄_h^{y-1} - 1 in E:D_phi."""
        return self.cuts[slot + 1] - self.cuts[slot] - 1

    def read(self, slots: range, space: Hashable) -> tuple[Hashable, ...]:
        """The text of subsequent slots, h' in Alg. 2: a line break inside it is replaced by a space."""
        letters = self.letters[self.cuts[slots.start] + 1 : self.cuts[slots.stop]]
        replaced = (space if letter is Mark.BREAK else letter for letter in letters)
        return tuple(letter for letter in replaced if letter is not Mark.GAP)


def flatten(lines: Sequence[Sequence[Hashable]]) -> Flat:
    """E:f: the lines with a line break before, between and after them; every line is a slot.

    >>> flat = flatten(["ab", "cd", "ef"])
    >>> "".join("↵" if letter is Mark.BREAK else letter for letter in flat.letters[1:])
    '↵ab↵cd↵ef↵'
    >>> flat.cuts
    (1, 4, 7, 10)
    """
    return _flat((line, Mark.BREAK) for line in lines)


def flatten_words(
    lines: Sequence[Sequence[Sequence[Hashable]]], blanks: Sequence[Sequence[Hashable]]
) -> Flat:
    """E:f with l̄_h: the same, but every word is a slot; a line without words is not there.

    `blanks` are the letters between the words of each line.

    >>> flatten_words([["ab", "c"], [], ["d"]], [[" "], [], []]).cuts
    (1, 4, 6, 8)
    """
    return _flat(
        pair
        for line, between in zip(lines, blanks, strict=True)
        if line
        for pair in zip(line, (*between, Mark.BREAK), strict=True)
    )


def join(words: Sequence[Sequence[Hashable]], blanks: Sequence[Hashable]) -> tuple[Hashable, ...]:
    """A line's own tokens: its words with the blanks between them, or with nothing where there are none.

    >>> join(["ab", "c"], " ")
    ('a', 'b', ' ', 'c')
    """
    parts = zip_longest(words, ((blank,) for blank in blanks), fillvalue=())
    return tuple(token for word, blank in parts for token in (*word, *blank))


def _flat(slots: Iterable[tuple[Sequence[Hashable], Hashable]]) -> Flat:
    letters: list[Hashable] = [Mark.PAD, Mark.BREAK]
    cuts = [1]
    for slot, closing in slots:
        letters += (*slot, closing)
        cuts.append(len(letters) - 1)
    slot_of, cut_index = [-1, -1], [-1, 0]
    for slot_index, (opening, end) in enumerate(pairwise(cuts)):
        slot_of += [slot_index] * (end - opening)
        cut_index += [-1] * (end - opening - 1) + [slot_index + 1]
    return Flat(tuple(letters), tuple(cuts), tuple(slot_of), tuple(cut_index))
