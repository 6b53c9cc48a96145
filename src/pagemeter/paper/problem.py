"""What is to be solved: GT lines, the flattened HYP, and which of its parts are near which GT line."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pagemeter.errors import UsageError
from pagemeter.paper.flatten import Flat, Mark, flatten, flatten_words, join
from pagemeter.paper.split import Split, split_best_path, split_best_path_with_segmentation

if TYPE_CHECKING:
    from pagemeter.paper.best_path import Path

Tokens = Sequence[Hashable]
Mask = Sequence[Sequence[bool]]
Pair = tuple[range, int]


@dataclass(frozen=True, slots=True)
class Problem:
    """A page pair and its configuration.

    `space` is None without segmentation; with it, it is the letter of Σ that a line break may stand for, or
    Mark.GAP where words are tokens and no such letter exists. `near[x][slot]` says whether a line or word may
    be given to GT line x (None: always).
    """

    gt: Sequence[Tokens]
    hyp: Flat
    space: Hashable | None
    near: Mask | None

    @classmethod
    def of(
        cls,
        gt: Sequence[Tokens],
        hyp: Sequence[Sequence[Tokens]],
        *,
        joiner: Hashable | None,
        segmentation: bool,
        neighbours: Mask | None,
        blanks: Sequence[Tokens] | None = None,
    ) -> Problem:
        """The problem of HYP lines of words of tokens and GT lines of tokens.

        `blanks` are the letters between the words of each HYP line, the joiner where nothing is said.
        """
        _check_shape(neighbours, len(gt), len(hyp))
        lines = range(len(hyp))
        line_of_slot = [y for y in lines for _ in hyp[y]] if segmentation else lines
        near = None if neighbours is None else [[bool(row[y]) for y in line_of_slot] for row in neighbours]
        space = Mark.GAP if joiner is None else joiner
        blanks = blanks or [[space] * (len(line) - 1) for line in hyp]
        if not segmentation:
            between = [()] * len(hyp) if joiner is None else blanks
            return cls(gt, flatten(list(map(join, hyp, between))), None, near)
        return cls(gt, flatten_words(hyp, blanks), space, near)

    def split(self, path: Path, gt: Flat) -> Split:
        """What a path matches: Alg. 1 or, with segmentation, Alg. 2."""
        if self.space is None:
            return split_best_path(path, self.hyp, gt)
        return split_best_path_with_segmentation(path, self.hyp, gt)


def _check_shape(neighbours: Mask | None, n_gt: int, n_hyp: int) -> None:
    if neighbours is None:
        return
    if len(neighbours) != n_gt or any(len(row) != n_hyp for row in neighbours):
        raise UsageError(
            f"neighbours: expected a row for each of {n_gt} GT lines with an entry for each of {n_hyp} "
            "HYP lines; give a mask of that shape, or None to leave geometry out"
        )
