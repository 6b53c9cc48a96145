"""Files by a key: which of very many share it, in little memory."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from pagemeter.corpus.files.repeated import digest

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from pagemeter.corpus.files.names import Candidate


class Groups:
    """The places of some files, together where their keys are equal.

    `digests` are those of the keys, and `sizes` how many places each group has.

    >>> from pathlib import Path
    >>> from pagemeter.corpus.files.names import candidate
    >>> files = [candidate(Path(name)) for name in ("b.xml", "a.xml", "b.txt")]
    >>> groups = Groups(files, np.arange(3), lambda found: found.stem)
    >>> groups.of("b").tolist(), groups.of("c").tolist()
    ([0, 2], [])
    """

    def __init__(
        self, files: Sequence[Candidate], places: NDArray[np.int32], key: Callable[[Candidate], str]
    ) -> None:
        digests = np.fromiter((digest(key(files[place])) for place in places.tolist()), np.int64, len(places))
        order = np.argsort(digests, kind="stable").astype(np.int32)
        digests = digests[order]
        self._places = places[order]
        self._starts = np.flatnonzero(np.append(True, digests[1:] != digests[:-1])[: len(digests)])
        self.digests = digests[self._starts]
        self.sizes = np.diff(self._starts, append=len(digests))

    @property
    def firsts(self) -> NDArray[np.int32]:
        """The first place of every group."""
        return self._places[self._starts]

    def __getitem__(self, group: int) -> NDArray[np.int32]:
        """The places of a group."""
        return self._places[self._starts[group] :][: self.sizes[group]]

    def of(self, key: str) -> NDArray[np.int32]:
        """The places of the files with a key."""
        group = int(np.searchsorted(self.digests, wanted := digest(key)))
        there = group < len(self.digests) and self.digests[group] == wanted
        return self[group] if there else self._places[:0]

    def common(self, others: Groups) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The groups that both have, here and there."""
        there = np.searchsorted(others.digests, self.digests)
        here = np.flatnonzero(there < len(others.digests))
        here = here[others.digests[there[here]] == self.digests[here]]
        return here, there[here]

    def without(self, groups: NDArray[np.int64]) -> NDArray[np.int32]:
        """All places but those of some groups, in their order."""
        left = np.ones(len(self.digests), bool)
        left[groups] = False
        return np.sort(self._places[np.repeat(left, self.sizes)])
