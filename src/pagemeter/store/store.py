"""A results store that is open for a run: what it has, and what is added."""

from __future__ import annotations

import fcntl
import shutil
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic
from typing import IO, TYPE_CHECKING

from pagemeter._version import __version__
from pagemeter.corpus.files.kinds import is_store
from pagemeter.errors import StoreError
from pagemeter.store.encoding import Rows
from pagemeter.store.files import (
    LOCK,
    UNFINISHED,
    pairs_in,
    part_name,
    parts_in,
    sweep,
    without_pairs,
    write_rows,
    write_table,
    written,
)
from pagemeter.store.index import Index
from pagemeter.store.manifest import difference, parts_of, read_manifest, write_manifest

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Self

    from pagemeter.corpus import PageResult, Recipe
    from pagemeter.measure import Measure
    from pagemeter.store.index import Found

PART = 2000
"""Pages of a part."""
_SOON = 5.0  # seconds after which a part is written though it is small
_SHARE = 0.02  # of the time so far that may be lost when a run is killed


@dataclass(slots=True)
class _Unwritten:
    """What is not on the disk yet, and the pairs in older parts that it replaces."""

    rows: Rows = field(default_factory=Rows)
    replaced: dict[int, set[str]] = field(default_factory=dict)


class Store:
    """A folder of results that this process alone writes to until it is closed.

    `recipe` is what the numbers depend on: a store of another one is refused, or with `force` begun anew.

    >>> import tempfile
    >>> from pagemeter.corpus import Recipe, Wanted
    >>> folder = tempfile.mkdtemp()
    >>> with Store(folder, Recipe(Wanted.of(["CER"]))): pass
    >>> Store(folder, Recipe(Wanted.of(["WER"])))
    Traceback (most recent call last):
    pagemeter.errors.StoreError: ...: a store of other numbers: measures is CER there and WER here; ...
    """

    def __init__(
        self,
        folder: str | Path,
        recipe: Recipe,
        *,
        per_line: Measure | None = None,
        force: bool = False,
    ) -> None:
        self.folder, self.per_line = Path(folder), per_line
        self._signature = recipe.page_signature
        self._pages, self._lines = self.folder / "pages", self.folder / "lines"
        self._lock = _locked(self.folder)
        try:
            _prepare(self.folder, parts_of(recipe, per_line), force=force)
            self._tidy()
            parts = parts_in(self._pages)
            self.index = Index(parts, __version__)
        except BaseException:
            self._lock.close()
            raise
        self._next = max(parts, default=0) + 1
        self._new = _Unwritten()
        self._began = self._flushed = monotonic()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        self.close(finished=kind is None)

    def add(self, key: str, results: Sequence[PageResult], old: Found | None = None) -> None:
        """Adds the pages of a pair; `old` is where older ones stand."""
        for result in results:
            self._new.rows.add(key, result)
        if old is not None:
            self._new.replaced.setdefault(old.part, set()).add(old.key)
        now = monotonic()
        patience = max(_SOON, _SHARE * (now - self._began))
        if len(self._new.rows) >= PART or now - self._flushed > patience:
            self.flush()

    def flush(self) -> None:
        """Writes what was added. Older rows of the same pairs go when it is safe, before it gets its name."""
        new, self._new = self._new, _Unwritten()
        self._flushed = monotonic()
        if not new.rows:
            return
        name, self._next = part_name(self._next), self._next + 1
        if self.per_line:
            write_table(self._lines / name, new.rows.line_table())
        with written(self._pages / name) as beside:
            write_rows(beside, new.rows.table(self._signature, __version__))
            for part, keys in new.replaced.items():
                self._remove(part, keys)

    def close(self, *, finished: bool = True) -> None:
        """Writes what is left, marks that the run has come to its end if it has, and lets others write."""
        try:
            self.flush()
            if finished:
                (self.folder / UNFINISHED).unlink(missing_ok=True)
        finally:
            self._lock.close()

    def prune(self) -> None:
        """Takes out all pairs that this run has not asked for."""
        for part, keys in self.index.unasked():
            self._remove(part, keys)

    def _remove(self, part: int, keys: set[str]) -> None:
        """Takes pairs out of a part; the lines go last, so that a page that is there has its lines."""
        self.index.remove(part, keys)
        if self.per_line:
            without_pairs(self._lines / part_name(part), keys)

    def _tidy(self) -> None:
        """Makes the folders, and removes what a run that was killed left behind."""
        try:
            for folder in (self.folder, self._pages, *([self._lines] if self.per_line else [])):
                folder.mkdir(exist_ok=True)
                sweep(folder)
            (self.folder / UNFINISHED).touch()
        except OSError as error:
            raise _unwritable(self.folder, error) from None
        for number, path in parts_in(self._lines).items():
            page_part = self._pages / part_name(number)
            gone = pairs_in(path) - (pairs_in(page_part) if page_part.exists() else set())
            if gone:
                without_pairs(path, gone)


def _prepare(folder: Path, parts: dict[str, str], *, force: bool) -> None:
    """Makes a new store, or checks that one that is there holds such numbers."""
    if is_store(folder):
        differs = difference(read_manifest(folder), parts)
        if not differs:
            return
        if not force:
            raise StoreError(
                f"{folder}: a store of other numbers: {differs}; write to another store, or begin this one "
                "anew with --force"
            )
    for name in ("pages", "lines"):
        shutil.rmtree(folder / name, ignore_errors=True)
    write_manifest(folder, parts)


def _locked(folder: Path) -> IO[bytes]:
    """The file that holds the lock of a store, which is made if it is not there."""
    if folder.is_file():
        raise StoreError(f"{folder}: a file, and a store is a folder; give another name")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if not is_store(folder) and any(not path.name.startswith(".") for path in folder.iterdir()):
            raise StoreError(f"{folder}: no results store but a folder with other files; give a new folder")
        file = (folder / LOCK).open("ab")
    except OSError as error:
        raise _unwritable(folder, error) from None
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        file.close()
        raise StoreError(
            f"{folder}: another run is writing to it; wait for it, or use another store"
        ) from None
    except OSError:  # a file system without locks
        return file
    return file


def _unwritable(folder: Path, error: OSError) -> StoreError:
    reason = error.strerror or str(error)
    return StoreError(
        f"{folder}: cannot be written: {reason}; change its rights (chmod) or give another folder"
    )
