"""Continue a run with a store: pages whose files are unchanged are taken from the store.

The index says which part of the store each pair of files is in. It takes sixteen bytes per pair.
"""

from __future__ import annotations

import hashlib
import os
from collections import OrderedDict, deque
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from pagemeter.atomic_io import encodable
from pagemeter.corpus.page_result import evaluation_from_rows
from pagemeter.corpus.score_table import BudgetScores, arrange_rows
from pagemeter.inputs.urls import Url
from pagemeter.measure import EVERY
from pagemeter.runners.in_process import as_runner
from pagemeter.store.files import part_name
from pagemeter.store.schema import StoredPart

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from concurrent.futures import Executor
    from pathlib import Path

    from numpy.typing import NDArray

    from pagemeter.corpus import MeasureSelection, PageResult, RunConfig
    from pagemeter.errors import Problem
    from pagemeter.inputs.pairs import Pair
    from pagemeter.inputs.urls import Location
    from pagemeter.runners.in_process import Runner
    from pagemeter.store.files import PartChanges, PartFiles
    from pagemeter.store.schema import StoredPair
    from pagemeter.store.store import Store

_PAGE_DIGITS = 16  # the first digits of a key identify the page, whatever it is compared with
_CACHED_FOLDERS = 1024
_CACHED_PARTS = 12  # results may be this many parts behind the pairs that are looked up


class PairKeys:
    """Computes the keys of pairs: a digest of the page (name and ground-truth file), and one of all fields.

    Files are identified by their paths relative to the store, with symbolic links to folders resolved. Keys
    do not depend on the working folder, and stores can be moved together with their files.

    >>> from pathlib import Path
    >>> from pagemeter.inputs.pairs import Pair
    >>> keys, paths = PairKeys(Path("store")), (Path("gt/1.xml"), Path("gt/1.xml").resolve())
    >>> one, other = (keys.of(Pair("1", path, None)) for path in paths)
    >>> one == other
    True
    """

    def __init__(self, folder: Path) -> None:
        self._folder = os.path.realpath(folder)
        self._relative_folder = lru_cache(_CACHED_FOLDERS)(self._relative_folder_of)

    def of(self, pair: Pair) -> str:
        """Return the key of a pair."""
        gt, hyp = self._relative(pair.gt), self._relative(pair.hyp)
        warnings = [(warning.element, warning.reason) for warning in pair.warnings]
        file = gt or hyp
        page = _digest((pair.name, file, pair.gt is None, pair.error if file is None else None))
        return page + _digest(((pair.name, gt, hyp, pair.document, pair.error), warnings))

    def without_gt(self, pair: Pair) -> str | None:
        """Return the key that a pair had before its ground truth was added."""
        if pair.gt is None or pair.hyp is None:
            return None
        return self.of(replace(pair, gt=None))

    def _relative(self, path: Location | None) -> str | None:
        if path is None:
            return None
        links, chain, last = (
            os.fspath(path).rpartition("::") if isinstance(path, Url) else ("", "", str(path))
        )
        if "://" in last:
            return str(path)
        folder, slash, name = last.rpartition("/")
        if name == "..":
            folder, name = last, ""
        return f"{links}{chain}{self._relative_folder(folder or slash)}{name}"

    def _relative_folder_of(self, folder: str) -> str:
        path = os.path.relpath(os.path.realpath(folder), self._folder)
        return "" if path == "." else f"{path}/"


def _digest(value: object) -> str:
    text = repr(value).encode("utf-8", "surrogatepass")
    return hashlib.blake2b(text, digest_size=_PAGE_DIGITS // 2).hexdigest()


class PairLocation(NamedTuple):
    """Where a page is in a store: its part, its key there, and the pair if it can be used."""

    part: int
    key: str
    stored: StoredPair | None


class PairIndex:
    """The pairs of all parts. Those of parts that another version wrote are known but not used."""

    def __init__(self, files: PartFiles, version: str) -> None:
        self._files = files
        self._cache: OrderedDict[int, dict[str, StoredPair]] = OrderedDict()
        self._outdated = set[int]()
        by_part: list[tuple[int, NDArray[np.uint64]]] = []
        for number in files.numbers("pages"):
            table = files.read(part_name("pages", number), ["pair", "version"])
            if table is not None:
                by_part.append((number, _page_hashes(table["pair"].unique().to_pylist())))
                if table["version"].unique().to_pylist() != [version]:
                    self._outdated.add(number)
        hashes = np.concatenate([np.zeros(0, np.uint64), *(own for _, own in by_part)])
        numbers = np.repeat([number for number, _ in by_part], [len(own) for _, own in by_part])
        order = np.argsort(hashes, kind="stable")
        self._hashes, self._numbers = hashes[order], numbers.astype(np.int32)[order]
        self._used = np.zeros(len(order), bool)

    def find(self, key: str) -> PairLocation | None:
        """Return where a pair is, or else another pair of the same page."""
        page = np.uint64(int(key[:_PAGE_DIGITS], 16))
        start, end = (int(np.searchsorted(self._hashes, page, side)) for side in ("left", "right"))
        for index in range(start, end):
            number = int(self._numbers[index])
            stored = self._pairs(number).get(key)
            if stored is not None:
                self._used[index] = True
                return PairLocation(number, key, None if number in self._outdated else stored)
        if start == end:
            return None
        self._used[start] = True
        number = int(self._numbers[start])
        other = next(own for own in self._pairs(number) if own.startswith(key[:_PAGE_DIGITS]))
        return PairLocation(number, other, None)

    def remove(self, changes: PartChanges, number: int, keys: set[str]) -> None:
        """Remove pairs from a part."""
        changes.remove_pairs(part_name("pages", number), keys)
        self._cache.pop(number, None)

    @property
    def is_empty(self) -> bool:
        """True if the store had no pairs when it was opened."""
        return not len(self._hashes)

    @property
    def unused(self) -> int:
        """The number of pairs that were not looked up."""
        return int(np.count_nonzero(~self._used))

    def unused_keys(self) -> Iterator[tuple[int, set[str]]]:
        """Yield the keys of the pairs that were not looked up, part by part."""
        for number in np.unique(self._numbers[~self._used]).tolist():
            pages = {int(value) for value in self._hashes[~self._used & (self._numbers == number)]}
            yield number, {key for key in self._pairs(number) if int(key[:_PAGE_DIGITS], 16) in pages}

    def _pairs(self, number: int) -> dict[str, StoredPair]:
        if number not in self._cache:
            table = self._files.read(part_name("pages", number))
            self._cache[number] = {} if table is None else StoredPart(table).pairs()
            while len(self._cache) > _CACHED_PARTS:
                self._cache.popitem(last=False)
        self._cache.move_to_end(number)
        return self._cache[number]


def _page_hashes(keys: list[str]) -> NDArray[np.uint64]:
    return np.array([int(key[:_PAGE_DIGITS], 16) for key in keys], np.uint64)


class _Lookup(NamedTuple):
    """The entry of a pair in a store: its key, the location of its page, and the pair if it can be reused.

    `former` is the pair of the same files, whether it can be reused or not.
    """

    key: str
    old: PairLocation | None
    former: StoredPair | None
    stored: StoredPair | None


class StoringRunner:
    """A runner that evaluates pairs with another runner and writes their results to a store.

    Pairs whose files are unchanged since they were stored are not evaluated again, unless they failed. If a
    page lacks some measures, it is evaluated by these, and the store then has all of them.

    Args:
        store: The store.
        on: Where pages are evaluated, as for `evaluate_pairs`.
        force: Evaluate all pairs.

    Attributes:
        reused: The number of pairs that were taken from the store.
        extended: The number of pairs to which further measures were added.
        evaluated: The number of other pairs.
        failed: How many of those failed.
        unpaired: How many of those lack a side.

    """

    def __init__(self, store: Store, on: Runner | Executor | None = None, *, force: bool = False) -> None:
        self._store, self._runner, self._force = store, as_runner(on), force
        self.reused = self.extended = self.evaluated = self.failed = self.unpaired = 0

    def map(self, config: RunConfig, pairs: Iterable[Pair]) -> Iterator[tuple[Pair, tuple[PageResult, ...]]]:
        """Yield each pair with the results of its pages."""
        config = replace(config, inputs=True, per_line=self._store.per_line)
        lookups: deque[_Lookup] = deque()
        try:
            seen = self._with_seen(pairs, lookups, config.selection)
            for pair, results in self._runner.map(config, seen):
                lookup = lookups.popleft()
                known = lookup.stored or lookup.former
                former = with_current_files(known.results(config.settings), pair) if known else ()
                yield pair, self._add(lookup, results, former, config.selection)
        finally:
            self._store.flush()

    def _add(
        self,
        lookup: _Lookup,
        results: tuple[PageResult, ...],
        former: tuple[PageResult, ...],
        selection: MeasureSelection,
    ) -> tuple[PageResult, ...]:
        """Store the results of a pair with those of other measures, and return those of this run."""
        if lookup.stored and not results:
            self.reused += 1
            arranged = tuple(_arranged(page, self._store.selection) for page in former)
            if any(page.rows != old.rows for page, old in zip(arranged, former, strict=True)):
                self._store.add(lookup.key, arranged, lookup.old, lookup.stored.lines)
            return tuple(_of_run(page, selection) for page in former)
        is_same = _same_contents(results, former)
        merged = tuple(map(_merged, results, former)) if is_same else results
        stored = tuple(_arranged(page, self._store.selection) for page in merged)
        is_new = any(page.lines for page in results)
        kept_lines = lookup.former.lines if lookup.former and is_same and not is_new else None
        self._store.add(lookup.key, stored, lookup.old, kept_lines)
        if lookup.stored and is_same:
            self.extended += 1
            return tuple(_of_run(page, selection) for page in merged)
        self._count({result.status for result in results})
        return results

    def _count(self, status: set[str]) -> None:
        self.evaluated += 1
        self.failed += "failed" in status
        self.unpaired += status <= {"no ground truth", "left out"}

    def _with_seen(
        self, pairs: Iterable[Pair], lookups: deque[_Lookup], selection: MeasureSelection
    ) -> Iterator[Pair]:
        """Yield the pairs, each with the digests of its files and its measures when it was stored."""
        every = frozenset(EVERY)
        keys, index = PairKeys(self._store.folder), self._store.index
        for pair in pairs:
            key = keys.of(pair)
            old = None if index.is_empty else index.find(key)
            if old is None and not index.is_empty and (without_gt := keys.without_gt(pair)):
                old = index.find(without_gt)
            stored = old.stored if old and old.key == key else None
            former = stored if stored and not stored.failed else None
            lacks_lines = former and self._store.per_line and former.lacks_lines
            usable = None if self._force or lacks_lines else former
            lookups.append(_Lookup(key, old, former, usable))
            if usable:
                missing = usable.missing(selection)
                yield replace(pair, seen=usable.inputs, known=every - missing if missing else None)
            else:
                yield pair


def _same_contents(results: Sequence[PageResult], former: Sequence[PageResult]) -> bool:
    """Return True if results are of the same pages with the same contents and the same failures."""
    return [_contents(page) for page in results] == [_contents(page) for page in former]


def _contents(page: PageResult) -> tuple[object, ...]:
    digests = (file and file.sha256 for file in page.inputs)
    return (encodable(page.name), page.status, page.failure, *digests)


def _merged(new: PageResult, former: PageResult) -> PageResult:
    """Return the result of a page with the scores of its former result that it lacks."""
    if new.evaluation is None:
        return new
    known = {(warning.element, warning.reason) for warning in new.warnings}
    others = (w for w in former.warnings if (encodable(w.element), encodable(w.reason)) not in known)
    return replace(
        _with_rows(new, former.rows + new.rows),
        warnings=(*new.warnings, *others),
        without_positions=new.without_positions or former.without_positions,
        seconds=former.seconds + new.seconds,
    )


def _arranged(page: PageResult, selection: MeasureSelection) -> PageResult:
    """Return the result of a page as a store with these measures has it."""
    if page.evaluation is None:
        return page
    extra = selection.evaluated(has_positions=True)
    return _with_rows(page, arrange_rows(page.rows, selection.measures, extra))


def _of_run(page: PageResult, selection: MeasureSelection) -> PageResult:
    """Return the result of a page without the scores that a run with these measures would not have."""
    if page.evaluation is None:
        return page
    divided = selection.divided(has_positions=not page.without_positions)
    extra = selection.evaluated(has_positions=True)
    rows = arrange_rows(page.rows, selection.measures, extra, divided)
    needs_positions = selection.optional or selection.budget
    return replace(
        _with_rows(page, rows), without_positions=page.without_positions if needs_positions else ()
    )


def _with_rows(page: PageResult, rows: bytes) -> PageResult:
    if page.evaluation is None or rows == page.rows:
        return page
    evaluation = evaluation_from_rows(rows, page.evaluation.settings, page.flags)
    return replace(page, evaluation=evaluation, extra=BudgetScores(rows))


def with_current_files(results: Sequence[PageResult], pair: Pair) -> tuple[PageResult, ...]:
    """Return the stored results of a pair with its files and warnings as this run names them.

    >>> from pathlib import Path
    >>> from pagemeter.corpus import PageResult
    >>> from pagemeter.inputs.pairs import Pair
    >>> stored = PageResult("1#2", "gt/1.txt#2", "hyp/1.txt", None)
    >>> (result,) = with_current_files([stored], Pair("1", Path("/data/gt/1.txt"), Path("../hyp/1.txt")))
    >>> result.gt, result.hyp
    ('/data/gt/1.txt#2', '../hyp/1.txt')
    """
    return tuple(
        _with_current_files(result, pair, () if index else pair.warnings)
        for index, result in enumerate(results)
    )


def _with_current_files(result: PageResult, pair: Pair, own: tuple[Problem, ...]) -> PageResult:
    names = dict(_renamed(result.gt, pair.gt) + _renamed(result.hyp, pair.hyp))
    if not names and result.warnings[: len(own)] == own:
        return result
    others = (replace(w, source=_current(w.source, names) or "") for w in result.warnings[len(own) :])
    gt, hyp = (_current(file, names) for file in (result.gt, result.hyp))
    return replace(result, gt=gt, hyp=hyp, warnings=(*own, *others))


def _renamed(stored: str | None, path: Location | None) -> list[tuple[str, str]]:
    """Return the stored name of a file and its current name, if they differ."""
    if stored is None or path is None:
        return []
    name = encodable(str(path))
    number = _last_part(stored)[len(_last_part(name)) :]  # of a page in a file of several
    former = stored.removesuffix(number)
    return [(former, str(path))] if former != name else []


def _last_part(file: str) -> str:
    return file.rpartition("::")[2].rpartition("/")[2]


def _current(file: str | None, names: dict[str, str]) -> str | None:
    former = next((name for name in names if file and file.startswith(name)), None)
    return file if former is None or file is None else names[former] + file.removeprefix(former)
