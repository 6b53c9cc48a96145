"""A results store that is open for a run: look up pages that it has, and add new ones."""

from __future__ import annotations

import fcntl
import shutil
from dataclasses import dataclass, field, replace
from pathlib import Path
from time import monotonic
from typing import IO, TYPE_CHECKING

import pyarrow as pa

from pagemeter._version import __version__
from pagemeter.errors import StoreError
from pagemeter.inputs.arguments import is_store
from pagemeter.measure import Measure
from pagemeter.store.files import (
    KINDS,
    LOCK,
    UNFINISHED,
    PartChanges,
    PartFiles,
    part_name,
    remove_temporary_files,
)
from pagemeter.store.manifest import (
    EXTENSIBLE,
    NOT_NUMBERS,
    Manifest,
    describe_difference,
    store_options,
    stored_selection,
    write_manifest,
)
from pagemeter.store.resume import PairIndex
from pagemeter.store.schema import UnwrittenPages

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Self

    from pagemeter.corpus import PageResult, RunConfig
    from pagemeter.store.resume import PairLocation

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
        self._lock = _lock(self.folder)
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
            raise _write_error(self.folder, error) from None
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


def _lock(folder: Path) -> IO[bytes]:
    """Create a store if it does not exist, and return its locked file."""
    source = str(folder)
    if folder.is_file():
        raise StoreError("this is a file, and a store is a folder", source=source, remedy="give another name")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        # The folder is listed first, because another run may create the store between the two checks.
        if any(not path.name.startswith(".") for path in folder.iterdir()) and not is_store(folder):
            raise StoreError(
                "not a results store, but a folder with other files",
                source=source,
                remedy="give a new folder",
            )
        file = (folder / LOCK).open("ab")
    except OSError as error:
        raise _write_error(folder, error) from None
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        file.close()
        raise StoreError(
            "another run is writing to it", source=source, remedy="wait for its end, or use another store"
        ) from None
    except OSError:  # a file system without locks
        return file
    return file


def _write_error(folder: Path, error: OSError) -> StoreError:
    return StoreError(
        f"cannot be written: {error.strerror or error}",
        source=str(folder),
        remedy="change its permissions (chmod), or give another folder",
    )
