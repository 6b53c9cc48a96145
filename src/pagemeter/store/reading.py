"""Read a store: its configuration, its pages part by part, single pairs, and the pages of several stores.

A run that continues looks up each pair of files. The index says which part each pair is in; it takes sixteen
bytes per pair.
"""

from __future__ import annotations

import hashlib
import os
from collections import Counter, OrderedDict
from dataclasses import dataclass, field, fields, replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypeVar

import numpy as np
import pyarrow.compute as pc

from pagemeter._version import __version__
from pagemeter.corpus import RunConfig, ScoreTable, Totals
from pagemeter.corpus.totals import MAX_LARGEST
from pagemeter.errors import Problem, StoreError, UsageError
from pagemeter.inputs.locations import Url
from pagemeter.settings import Settings
from pagemeter.stats.comparison import MissingScores, SystemPages
from pagemeter.store.files import UNFINISHED, PartFiles, is_locked, part_name
from pagemeter.store.schema import StoredPart, page_lines

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    from pagemeter.corpus import PageResult
    from pagemeter.corpus.page_result import PageLines
    from pagemeter.inputs.locations import Location
    from pagemeter.inputs.pairs import Pair
    from pagemeter.measure import Measure
    from pagemeter.store.files import PartChanges
    from pagemeter.store.schema import StoredPair


_T = TypeVar("_T")
_NAMED_OPTIONS = ("mapping:", "tokeniser:custom(")  # options whose values may not exist on this machine
_EVALUATED = ("evaluated", "missed")
_LEFT_OUT = MissingScores("left out")
_OTHER_GROUND_TRUTH = MissingScores("another ground truth")
_SETTINGS = tuple(f.name for f in fields(Settings))
_PAGE_DIGITS = 16  # the first digits of a key identify the page, whatever it is compared with
_CACHED_FOLDERS = 1024
_CACHED_PARTS = 12  # results may be this many parts behind the pairs that are looked up


@dataclass(frozen=True, slots=True)
class StoredSettings(Settings):
    """The settings of stored numbers, with the signature of the store.

    The mapping file and the tokeniser that it names need not exist where the store is read.
    """

    line: str = ""

    @property
    def signature(self) -> str:
        """The signature of the store."""
        return self.line


class StoredResults:
    """The results in a store, in the order in which they were written.

    Args:
        folder: The folder of the store.

    Raises:
        StoreError: The folder is not a store.

    >>> StoredResults("nowhere")
    Traceback (most recent call last):
    pagemeter.errors.StoreError: nowhere: not a results store: it has no store.json. Check the path.

    """

    def __init__(self, folder: str | Path) -> None:
        self.folder = Path(folder)
        self._files = PartFiles(self.folder)

    @property
    def config(self) -> RunConfig:
        """The configuration that the numbers depend on."""
        options = {
            name: f"{name}:{value}" for name, value in self._files.manifest.options.items() if name != "lines"
        }
        line = "|".join([*(options[name] for name in _SETTINGS if name in options), f"version:{__version__}"])
        restorable = (option for option in options.values() if not option.startswith(_NAMED_OPTIONS))
        try:
            config = RunConfig.from_signature("|".join(restorable))
        except UsageError as error:
            raise StoreError(str(error), source=str(self.folder)) from None
        values = {name: getattr(config.settings, name) for name in _SETTINGS}
        return replace(config, settings=StoredSettings(**values, line=line))

    @property
    def warnings(self) -> tuple[Problem, ...]:
        """Warnings about a store that may be incomplete."""
        if not (self.folder / UNFINISHED).exists():
            return ()
        if is_locked(self.folder):
            detail, remedy = "a run is writing to it now, so pages may be missing", "wait for its end"
        else:
            detail, remedy = (
                "its last run did not finish, so pages may be missing",
                "run the same command again",
            )
        return (Problem(detail, str(self.folder), remedy=remedy, kind="store"),)

    def parts(self) -> Iterator[StoredPart]:
        """Yield the parts, one after the other.

        Raises:
            StoreError: A part is damaged, missing, or does not belong to the store.

        """
        for number in self._files.numbers("pages"):
            table = self._files.read(part_name("pages", number))
            if table is not None:
                yield StoredPart(table, number)

    def lines(self, part: StoredPart) -> list[PageLines | None]:
        """Return the lines of each page of a part; None if they are not stored."""
        keys = list(zip(part.column("pair"), part.column("page"), strict=True))
        lines = page_lines(self._files.lines(part.number, {pair for pair, _ in keys}))
        return [lines.get(key) for key in keys]

    def results(self) -> Iterator[PageResult]:
        """Yield the results of all pages, without texts."""
        for part in self.parts():
            yield from part.results()

    def pages(self, matcher: PageMatcher, *, skip_missing: bool = False) -> tuple[Totals, SystemPages]:
        """Return the totals and pages of this store, with files named as in stores that were read before.

        With `skip_missing`, pages without hypothesis are left out, even if the store counts them as missing.
        """
        totals, table = Totals(), ScoreTable()
        keys, gaps, names, gts = list[PageKey](), list[MissingScores](), list[str](), list[str]()
        for part in self.parts():
            add_part(totals, part, skip_missing=skip_missing)
            scored = part.evaluated[~part.is_missing[part.evaluated]] if skip_missing else part.evaluated
            rows = zip(*map(part.column, ("gt", "page", "gt_sha256", "status", "error")), strict=True)
            for (gt, name, sha256, *gap), is_missing in zip(rows, part.is_missing, strict=True):
                if gt:
                    keys.append(PageKey(gt, name, sha256))
                    gaps.append(_LEFT_OUT if is_missing and skip_missing else MissingScores(*gap))
            table.extend(part.scores.select(scored))
            names += [part.column("page")[page] for page in scored]
            gts += [part.column("gt")[page] for page in scored]
        files = matcher.add(keys)
        order = [file or key.gt for file, key in zip(files, keys, strict=True)]
        reasons = (gap if file else _OTHER_GROUND_TRUTH for file, gap in zip(files, gaps, strict=True))
        missing = {gt: gap for gt, gap in zip(order, reasons, strict=True) if gap.reason not in _EVALUATED}
        by_gt = {key.gt: file for file, key in zip(files, keys, strict=True)}
        matched = [page for page, gt in enumerate(gts) if by_gt[gt]]
        return totals, SystemPages(
            table.select(matched),
            [names[page] for page in matched],
            [by_gt[gts[page]] or "" for page in matched],
            order,
            missing,
        )


def add_part(totals: Totals, part: StoredPart, *, skip_missing: bool = False) -> None:
    """Add all pages of a part to totals, as `Totals.add` does one by one; see `StoredResults.pages`."""
    skipped = part.is_missing if skip_missing else np.zeros(len(part), bool)
    counted = part.evaluated[~skipped[part.evaluated]]
    scores = part.scores.select(counted)
    totals.table.extend(scores)
    totals.pages += len(scores)
    status = part.array("status")
    totals.missed += int(np.count_nonzero((status == "missed") & ~skipped))
    failures = zip(part.column("failure"), status, strict=True)
    totals.failures.update(failure for failure, kind in failures if failure and kind == "missed")
    totals.empty_gt += int(np.count_nonzero((status == "left out") & part.array("empty_gt")))
    flagged = pc.list_value_length(part.table["flags"].take(part.starts))
    flagged_pages = np.intersect1d(np.flatnonzero(np.asarray(flagged)), counted)
    first = len(totals.table) - len(counted)
    numbers = first + np.searchsorted(counted, flagged_pages)
    for result, page in zip(part.results(flagged_pages), numbers.tolist(), strict=True):
        totals.add_flags(result, page)
    for result in largest_pages(part, counted):
        totals.add_large(result.name, result.scores, result.flags)
    totals.dropped_gt += int(part.array("dropped_gt_lines").sum())
    totals.dropped_hyp += int(part.array("dropped_hyp_lines").sum())
    totals.has_positions = totals.has_positions or bool(part.array("has_positions").any())
    warnings = pc.list_flatten(part.table["warnings"].take(part.starts)).to_pylist()
    totals.add_warnings(Problem(one["reason"], one["source"], one["element"]) for one in warnings)
    for result in part.results(np.flatnonzero(status != "evaluated")):
        totals.add_incomplete(result)
    sides = pc.list_value_length(part.table["without_positions"].take(part.starts))
    without_positions = np.flatnonzero(np.asarray(sides))
    totals.without_positions += len(without_positions)
    if len(without_positions) and totals.first_without_positions is None:
        (totals.first_without_positions,) = part.results(without_positions[:1])


def largest_pages(part: StoredPart, pages: NDArray[np.int64]) -> Iterator[PageResult]:
    """Yield those of some pages with the most errors of the first measure, in stored order."""
    measure = next(iter(part.scores.measures), None)
    if measure is None:
        return iter(())
    errors = part.scores.errors([measure])[:, 0]
    largest = np.argsort(-errors, kind="stable")
    return part.results(np.sort(largest[np.isin(largest, pages)][:MAX_LARGEST]))


def worst_pages(part: StoredPart, measure: Measure, count: int) -> Iterator[PageResult]:
    """Yield the pages with the highest rates of a measure, then with the most errors, in stored order."""
    page, rows = part.scores.rows_of(measure)
    rate, errors = np.full(len(part), -1.0), np.zeros(len(part), np.int64)
    errors[page] = rows["ins"] + rows["dels"] + rows["sub"]
    n_gt = rows["ins"] + rows["sub"] + rows["cor"]
    rate[page] = np.where(errors[page] > 0, np.inf, 0.0)  # without ground-truth text
    rate[page[n_gt > 0]] = errors[page[n_gt > 0]] / n_gt[n_gt > 0]
    worst_first = np.lexsort((np.arange(len(part)), -errors, -rate))
    chosen = worst_first[np.isin(worst_first, part.evaluated)][:count]
    return part.results(np.sort(chosen))


class PageKey(NamedTuple):
    """The identity of a page in a store: its ground-truth file, its name, and the digest of the file."""

    gt: str
    name: str
    sha256: str | None


_Key = tuple[str, str]
_FAILED, _ANY = "failed", "any"  # instead of a digest


@dataclass(slots=True)
class PageMatcher:
    """Matches the pages of several stores by their ground truth.

    Each page is named by its ground-truth file as in the first store that has it.

    >>> matcher = PageMatcher()
    >>> matcher.add([PageKey("gt/1.txt", "1", "ab"), PageKey("gt/2.txt", "2", "cd")])
    ['gt/1.txt', 'gt/2.txt']
    >>> matcher.add([PageKey("../gt/1.txt", "1", "ab"), PageKey("gt/2.txt", "2", "ef")])
    ['gt/1.txt', None]
    """

    _files: dict[tuple[str, str | None], str] = field(default_factory=dict)
    _seen: set[str] = field(default_factory=set)
    _stores: list[tuple[Sequence[PageKey], Sequence[str | None]]] = field(default_factory=list)

    def add(self, pages: Sequence[PageKey]) -> list[str | None]:
        """Return the files of the pages of another store; None for a page whose ground truth has changed."""
        files: list[str | None] = [self._files.get((page.gt, page.sha256)) for page in pages]
        unknown = [index for index, file in enumerate(files) if file is None]
        if unknown and self._stores:
            known = self._known_keys()
            unique = _UniqueKeys.of(pages)
            taken = set(files)
            # Pages that failed have no digest, and are matched last.
            for index in sorted(unknown, key=lambda index: pages[index].sha256 is None):
                candidates = (known[key] for key in unique.searched(pages[index]) if key in known)
                free = (file for file in candidates if file not in taken)
                files[index] = next(free, self._new(pages[index]))
                taken.add(files[index])
        elif unknown:
            files = [page.gt for page in pages]
        self._stores.append((pages, files))
        self._files |= {(page.gt, page.sha256): file for page, file in zip(pages, files, strict=True) if file}
        self._seen.update(file for file in files if file)
        return files

    def _new(self, page: PageKey) -> str | None:
        return None if page.sha256 is not None and page.gt in self._seen else page.gt

    def _known_keys(self) -> dict[_Key, str]:
        """Return the files of all stores by the other keys that they can be found by."""
        known: dict[_Key, str] = {}
        for pages, files in self._stores:
            unique = _UniqueKeys.of(pages)
            for page, file in zip(pages, files, strict=True):
                for key in unique.offered(page) if file else ():
                    known.setdefault(key, file or "")
        return known


@dataclass(frozen=True, slots=True)
class _UniqueKeys:
    """The digests and the names that only one page of a store has."""

    digests: set[str | None]
    names: set[str]

    @classmethod
    def of(cls, pages: Sequence[PageKey]) -> _UniqueKeys:
        return cls(_unique(page.sha256 for page in pages), _unique(page.name for page in pages))

    def searched(self, page: PageKey) -> Iterator[_Key]:
        """Yield the keys by which a page is searched for: digest and name, digest alone, or its name.

        Its name alone is used if it failed in one of the stores, because a digest is missing then.
        """
        has_unique_name = page.name in self.names
        if page.sha256 is not None:
            yield page.sha256, f"name {page.name}"
            if page.sha256 in self.digests:
                yield page.sha256, "alone"
            if has_unique_name:
                yield _FAILED, page.name
        elif has_unique_name:
            yield _ANY, page.name

    def offered(self, page: PageKey) -> Iterator[_Key]:
        """Yield the keys by which a page can be found."""
        yield from (key for key in self.searched(page) if key[0] not in (_ANY, _FAILED))
        if page.name in self.names:
            yield _ANY, page.name
            if page.sha256 is None:
                yield _FAILED, page.name


def _unique(values: Iterable[_T]) -> set[_T]:
    return {value for value, count in Counter(values).items() if count == 1}


# Looking up pairs, to continue a run


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
