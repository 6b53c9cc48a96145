"""A run that goes on with a store: pages whose files are the same are taken from there."""

from __future__ import annotations

from collections import deque
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from pagemeter.corpus.runners.run import runner_of
from pagemeter.store.index import Keys
from pagemeter.store.respelling import respelled

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from concurrent.futures import Executor

    from pagemeter.corpus import PageResult, Pair, Work
    from pagemeter.corpus.runners.work import Runner
    from pagemeter.store.decoding import StoredPair
    from pagemeter.store.index import Found, Index
    from pagemeter.store.store import Store


class _Known(NamedTuple):
    """What a store knows of a pair: its key, where the page stands, and what is there if it can be used."""

    key: str
    old: Found | None
    stored: StoredPair | None


class Stored:
    """Does work on another runner, or in this process, and keeps its results in a store.

    `reused` counts the pairs that were there already, `evaluated` the others; `failed` of them failed, and
    `unpaired` had nothing to be compared with. With `force`, nothing that is there is used. What failed is
    always tried again.
    """

    def __init__(self, store: Store, on: Runner | Executor | None = None, *, force: bool = False) -> None:
        self._store, self._runner, self._force = store, runner_of(on), force
        self.reused = self.evaluated = self.failed = self.unpaired = 0

    def map(self, work: Work, pairs: Iterable[Pair]) -> Iterator[tuple[Pair, tuple[PageResult, ...]]]:
        """Every pair with the results of its pages."""
        work = replace(work, inputs=True, per_line=self._store.per_line)
        asked: deque[_Known] = deque()
        try:
            for pair, results in self._runner.map(work, self._marked(pairs, asked)):
                known = asked.popleft()
                if results or known.stored is None:
                    self._store.add(known.key, results, known.old)
                    self._count({result.status for result in results})
                else:
                    results = respelled(known.stored.results(work.settings), pair)  # noqa: PLW2901
                    self.reused += 1
                yield pair, results
        finally:
            self._store.flush()

    def _count(self, status: set[str]) -> None:
        self.evaluated += 1
        self.failed += "failed" in status
        self.unpaired += status <= {"no ground truth", "left out"}

    def _marked(self, pairs: Iterable[Pair], asked: deque[_Known]) -> Iterator[Pair]:
        """The pairs, each with what its files held when its results were stored."""
        keys, index = Keys(self._store.folder), self._store.index
        for pair in pairs:
            key = keys.of(pair)
            old = None if index.is_empty else index.find(key) or _older(index, keys.older(pair))
            stored = old.stored if old and old.key == key else None
            usable = stored if stored and not stored.failed and not self._force else None
            asked.append(_Known(key, old, usable))
            yield replace(pair, seen=usable.inputs) if usable else pair


def _older(index: Index, keys: Iterable[str]) -> Found | None:
    """Where a page stands under a key that it had before."""
    return next(filter(None, map(index.find, keys)), None)
