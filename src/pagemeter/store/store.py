"""A results store that is open for a run: `Store` adds pages, and `StoringRunner` evaluates only new ones."""

from __future__ import annotations

import shutil
from collections import deque
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, NamedTuple

import pyarrow as pa

from pagemeter._version import __version__
from pagemeter.atomic_io import encodable
from pagemeter.corpus.page_result import evaluation_from_rows
from pagemeter.corpus.score_table import BudgetScores, arrange_rows
from pagemeter.errors import StoreError
from pagemeter.inputs.arguments import is_store
from pagemeter.measure import EVERY, Measure
from pagemeter.runners.in_process import as_runner
from pagemeter.store.files import (
    EXTENSIBLE,
    KINDS,
    NOT_NUMBERS,
    UNFINISHED,
    Manifest,
    PartChanges,
    PartFiles,
    describe_difference,
    folder_error,
    lock_folder,
    part_name,
    remove_temporary_files,
    store_options,
    stored_selection,
    write_manifest,
)
from pagemeter.store.reading import PairIndex, PairKeys
from pagemeter.store.schema import UnwrittenPages

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from concurrent.futures import Executor
    from typing import Self

    from pagemeter.corpus import MeasureSelection, PageResult, RunConfig
    from pagemeter.errors import Problem
    from pagemeter.inputs.locations import Location
    from pagemeter.inputs.pairs import Pair
    from pagemeter.runners.in_process import Runner
    from pagemeter.store.files import PartChanges
    from pagemeter.store.reading import PairLocation
    from pagemeter.store.schema import StoredPair

PART_PAGES = 2000
"""The number of pages of a part."""
_FLUSH_SECONDS = 5.0  # a part is written after this time even if it is small
_FLUSH_SHARE = 0.02  # of the time so far that may be lost if a run is killed


@dataclass(slots=True)
class _Unwritten:
    """Pages that are not yet on disk, and the pairs in older parts that they replace or take lines from."""

    pages: UnwrittenPages = field(default_factory=UnwrittenPages)
    replaced: dict[int, set[str]] = field(default_factory=dict)
    kept_lines: dict[int, set[str]] = field(default_factory=dict)


class Store:
    """A folder of results that is locked for this process until it is closed.

    Pages of a store may have different measures, because a later run may add some.

    Args:
        folder: The folder; it is created if it does not exist.
        config: The configuration that the numbers depend on.
        per_line: The measure by which lines are stored; None for no lines. A store with lines continues with
            its own measure, if that is among the measures of the configuration.
        force: Delete the pages of a store with other settings or measures.

    Attributes:
        per_line: The measure by which lines are stored, or None.
        selection: All measures of the store, including those of this configuration.

    Raises:
        StoreError: The folder cannot be written or is in use, or the store has other settings.

    >>> import tempfile
    >>> from pagemeter.corpus import MeasureSelection, RunConfig
    >>> folder = tempfile.mkdtemp()
    >>> with Store(folder, RunConfig(MeasureSelection.of(["CER"]))): pass
    >>> with Store(folder, RunConfig(MeasureSelection.of(["WER"]))) as store: store.selection.ids
    ('CER', 'WER')
    >>> Store(folder, RunConfig(MeasureSelection.of(["CER"]), skip_missing=True))
    Traceback (most recent call last):
    pagemeter.errors.StoreError: ...: the store has other settings: no missing instead of missing:skip...

    """

    def __init__(
        self,
        folder: str | Path,
        config: RunConfig,
        *,
        per_line: Measure | None = None,
        force: bool = False,
    ) -> None:
        self.folder = Path(folder)
        self._signature = config.page_signature
        self._lock = lock_folder(self.folder)
        try:
            options = _extend_options(self.folder, config, per_line, force=force)
            self.selection = stored_selection(options)
            self.per_line = _line_measure(options, config, per_line)
            self._files = PartFiles(self.folder)
            self._clean_up()
            self.index = PairIndex(self._files, __version__)
        except BaseException:
            self._lock.close()
            raise
        self._next = max((number for kind in KINDS for number in self._files.numbers(kind)), default=0) + 1
        self._new = _Unwritten()
        self._began = self._flushed = monotonic()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        self.close(finished=kind is None)

    def add(
        self,
        key: str,
        results: Sequence[PageResult],
        old: PairLocation | None = None,
        lines: str | None = None,
    ) -> None:
        """Add the pages of a pair.

        Args:
            key: The key of the pair.
            results: The pages.
            old: Where older results of these pages are; they are removed.
            lines: The measure of the older lines if these are kept, otherwise None.

        """
        for result in results:
            self._new.pages.add(key, result, lines)
        if old is not None and lines:
            self._new.kept_lines.setdefault(old.part, set()).add(old.key)
        if old is not None:
            self._new.replaced.setdefault(old.part, set()).add(old.key)
        now = monotonic()
        patience = max(_FLUSH_SECONDS, _FLUSH_SHARE * (now - self._began))
        if len(self._new.pages) >= PART_PAGES or now - self._flushed > patience:
            self.flush()

    def flush(self) -> None:
        """Write the pages that were added.

        Older rows of the same pairs are removed when the new part is on disk, and before it gets its name.

        Raises:
            StoreError: The store cannot be written, or a part of it is damaged.

        """
        new, self._new = self._new, _Unwritten()
        self._flushed = monotonic()
        if not new.pages:
            return
        number, self._next = self._next, self._next + 1
        with self._files.changing() as changes:
            if self.per_line or new.kept_lines:
                kept = [self._files.lines(part, keys) for part, keys in new.kept_lines.items()]
                lines = pa.concat_tables([new.pages.line_table(), *kept])
                changes.write(part_name("lines", number), lines)
            for part, keys in new.replaced.items():
                self._remove(changes, part, keys)
            table = new.pages.page_table(self._signature, __version__)
            changes.write(part_name("pages", number), table)

    def close(self, *, finished: bool = True) -> None:
        """Write the remaining pages, mark the run as finished if it is, and unlock the store."""
        try:
            self.flush()
            if finished:
                write_manifest(self.folder, self._files.manifest)
                (self.folder / UNFINISHED).unlink(missing_ok=True)
        finally:
            self._lock.close()

    def prune(self) -> None:
        """Remove all pairs that were not looked up in this run."""
        with self._files.changing() as changes:
            for part, keys in self.index.unused_keys():
                self._remove(changes, part, keys)

    def _remove(self, changes: PartChanges, part: int, keys: set[str]) -> None:
        """Remove pairs from a part. Lines are removed last, so that every page has its lines."""
        self.index.remove(changes, part, keys)
        changes.remove_pairs(part_name("lines", part), keys)

    def _clean_up(self) -> None:
        """Create the folders, and remove the remains of a run that was killed."""
        try:
            has_lines = self.per_line or (self.folder / "lines").is_dir()
            kinds = KINDS if has_lines else ("pages",)
            for folder in (self.folder, *(self.folder / kind for kind in kinds)):
                folder.mkdir(exist_ok=True)
                remove_temporary_files(folder)
            (self.folder / UNFINISHED).touch()
        except OSError as error:
            raise folder_error(self.folder, error) from None
        with self._files.changing() as changes:
            for number in self._files.settle():
                lines = part_name("lines", number)
                orphans = self._files.keys(lines) - self._files.keys(part_name("pages", number))
                if orphans:
                    changes.remove_pairs(lines, orphans)


def _extend_options(
    folder: Path, config: RunConfig, per_line: Measure | None, *, force: bool
) -> dict[str, str]:
    """Create a new store, or add the measures of a configuration to an existing one; return its options."""
    options = store_options(config, per_line)
    if is_store(folder):
        manifest = PartFiles(folder).manifest
        ignored = NOT_NUMBERS if force else NOT_NUMBERS | EXTENSIBLE
        difference = describe_difference(manifest.options, options, ignored)
        if not difference:
            measures = stored_selection(manifest.options) | config.selection
            lines = {name: manifest.options[name] for name in ("lines",) if name in manifest.options}
            extended = store_options(replace(config, measures=measures), per_line) | lines
            if extended != manifest.options:
                write_manifest(folder, replace(manifest, options=extended))
            return extended
        if not force:
            raise StoreError(
                f"the store has other settings: {difference}",
                source=str(folder),
                remedy="write to another store, or replace all pages of this one with {}",
                settings=(("force", ""),),
            )
    for name in KINDS:
        shutil.rmtree(folder / name, ignore_errors=True)
    write_manifest(folder, Manifest(options))
    return options


def _line_measure(options: dict[str, str], config: RunConfig, asked: Measure | None) -> Measure | None:
    """Return the measure by which a run stores lines: that of the store, if the run evaluates it."""
    stored = Measure.parse(options["lines"]) if "lines" in options else None
    return stored if stored in config.selection.required else asked


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
        except GeneratorExit:
            with suppress(StoreError):  # the caller has ended, and reports why
                self._store.flush()
            raise
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
