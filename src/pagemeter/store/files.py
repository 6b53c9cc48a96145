"""The files of a store: numbered Parquet files, which are complete or absent and have known checksums."""

from __future__ import annotations

import fcntl
import re
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.parquet as pq

from pagemeter.atomic_io import write_temporary
from pagemeter.errors import StoreError
from pagemeter.inputs.arguments import STORE_MANIFEST
from pagemeter.store.manifest import (
    ABSENT,
    checksum,
    read_manifest,
    unreadable_file,
    unwritable_file,
    write_manifest,
)
from pagemeter.store.schema import LINE_SCHEMA

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

UNFINISHED = ".unfinished"
"""A file that is in a store from the beginning of a run to its end."""
LOCK = ".lock"
"""A file that is locked while a run writes to a store."""
KINDS = ("pages", "lines")
"""The folders of parts."""
_PART = re.compile(r"part-(\d+)\.parquet")
_EVALUATE_AGAIN = "run the command that wrote the store again: it evaluates the pages of this part"


def is_locked(folder: Path) -> bool:
    """Return whether a run is writing to a store now, as far as its file system can tell.

    >>> from pathlib import Path
    >>> is_locked(Path("nowhere"))
    False
    """
    try:
        with (folder / LOCK).open("rb") as file:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:
        return False
    return False


class PartFiles:
    """The parts of a store, each checked against the manifest when it is read.

    A part is named by its path in the store, such as `pages/part-000001.parquet`.

    Args:
        folder: The folder of the store.

    Raises:
        StoreError: The folder is not a store, or its manifest is damaged.

    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.manifest = read_manifest(folder)

    def numbers(self, kind: str) -> list[int]:
        """Return the numbers of the parts of a kind (pages or lines) that are listed or that exist."""
        return sorted({int(match[1]) for name in self._names(kind) if (match := _PART.fullmatch(name))})

    def read(self, name: str, columns: list[str] | None = None) -> pa.Table | None:
        """Return the rows of a part, or None if it does not exist and need not exist.

        Raises:
            StoreError: The part is damaged, missing, or not listed.

        """
        data, _ = self._checked(name)
        if data is None:
            return None
        try:
            file = pq.ParquetFile(pa.BufferReader(data), page_checksum_verification=True)
            return file.read(columns=columns)
        except (OSError, ValueError, KeyError, pa.ArrowException):
            raise self._refusal(name, data) from None

    def keys(self, name: str) -> set[str]:
        """Return the keys of the pairs in a part."""
        table = self.read(name, ["pair"])
        return set() if table is None else set(table["pair"].unique().to_pylist())

    def lines(self, number: int, keys: set[str]) -> pa.Table:
        """Return the lines of some pairs of a part."""
        table = self.read(part_name("lines", number))
        if table is None:
            return LINE_SCHEMA.empty_table()
        return table.filter(pa.array([key in keys for key in table["pair"].to_pylist()], pa.bool_()))

    @contextmanager
    def changing(self) -> Iterator[PartChanges]:
        """Collect changes of parts, and apply them when the block ends without an error."""
        changes = PartChanges(self)
        try:
            yield changes
            changes.commit()
        finally:
            changes.discard()

    def settle(self) -> set[int]:
        """Prepare the store for a run, and return the numbers of parts that a killed run was changing.

        Parts that were deleted are no longer listed, and neither are the pages of deleted lines and the
        lines of deleted pages: the run evaluates these pages again.

        Raises:
            StoreError: A part is not listed.

        """
        listed, unsettled, deleted = self.manifest.parts, set(), set()
        for kind in KINDS:
            for number in self.numbers(kind):
                name = part_name(kind, number)
                if name in listed and ABSENT not in listed[name] and not (self.folder / name).exists():
                    deleted.add(number)
                elif len(listed.get(name, ())) != 1:
                    listed[name] = (self._checked(name)[1],)
                    unsettled.add(number)
        for name in [part_name(kind, number) for kind in KINDS for number in deleted]:
            listed.pop(name, None)
            (self.folder / name).unlink(missing_ok=True)
        self.manifest.parts = {name: sums for name, sums in listed.items() if sums != (ABSENT,)}
        return unsettled

    def _names(self, kind: str) -> list[str]:
        listed = [name.rpartition("/")[2] for name in self.manifest.parts if name.startswith(f"{kind}/")]
        try:
            return [*listed, *(path.name for path in (self.folder / kind).iterdir())]
        except FileNotFoundError:
            return listed
        except OSError as error:
            raise unreadable_file(self.folder / kind, error) from None

    def _checked(self, name: str) -> tuple[bytes | None, str]:
        """Return the content and the checksum of a part; a run may be changing it and the manifest."""
        while True:
            try:
                data = (self.folder / name).read_bytes()
            except FileNotFoundError:
                data = None
            except OSError as error:
                raise unreadable_file(self.folder / name, error) from None
            found = checksum(data)
            if found in self.manifest.parts.get(name, (ABSENT,)):
                return data, found
            current = read_manifest(self.folder)
            if current == self.manifest:
                raise self._refusal(name, data)
            self.manifest = current

    def _refusal(self, name: str, data: bytes | None) -> StoreError:
        if data is None:
            detail, remedy = f"missing, but {STORE_MANIFEST} lists it", f"restore it, or {_EVALUATE_AGAIN}"
        elif name in self.manifest.parts:
            detail = f"damaged: it does not have the checksum in {STORE_MANIFEST}"
            remedy = f"delete it, and {_EVALUATE_AGAIN}"
        else:
            detail, remedy = f"not a part of this store: {STORE_MANIFEST} does not list it", "delete it"
        return StoreError(detail, source=str(self.folder / name), remedy=remedy)


class PartChanges:
    """Changes of parts: new content is written under temporary names, and `commit` applies all in order."""

    def __init__(self, files: PartFiles) -> None:
        self._files = files
        self._changes: list[tuple[str, Path | None, str]] = []

    def write(self, name: str, table: pa.Table) -> None:
        """Write a part under a temporary name."""
        buffer = pa.BufferOutputStream()
        pq.write_table(  # one row group, because parts are small
            table,
            buffer,
            compression="zstd",
            row_group_size=max(1, table.num_rows),
            write_page_checksum=True,
        )
        data, path = buffer.getvalue().to_pybytes(), self._files.folder / name
        try:
            self._changes.append((name, write_temporary(path, data), checksum(data)))
        except OSError as error:
            raise unwritable_file(path, error) from None

    def remove_pairs(self, name: str, keys: set[str]) -> None:
        """Rewrite a part without some pairs; a part without rows is deleted."""
        table = self._files.read(name)
        if table is None:
            return
        remaining = table.filter(pa.array([key not in keys for key in table["pair"].to_pylist()], pa.bool_()))
        if remaining.num_rows:
            self.write(name, remaining)
        else:
            self._changes.append((name, None, ABSENT))

    def commit(self) -> None:
        """Apply the changes, after the manifest lists the old and the new checksums."""
        if not self._changes:
            return
        parts = self._files.manifest.parts
        for name, _, new in self._changes:
            parts[name] = (*parts.get(name, (ABSENT,)), new)
        write_manifest(self._files.folder, self._files.manifest)
        for name, temporary, new in self._changes:
            path = self._files.folder / name
            try:
                if temporary is None:
                    path.unlink(missing_ok=True)
                else:
                    temporary.replace(path)
            except OSError as error:
                raise unwritable_file(path, error) from None
            if new == ABSENT:
                del parts[name]
            else:
                parts[name] = (new,)

    def discard(self) -> None:
        """Delete temporary files that did not get a name."""
        for _, temporary, _ in self._changes:
            if temporary is not None:
                temporary.unlink(missing_ok=True)


def part_name(kind: str, number: int) -> str:
    """Return the path of a part in its store.

    >>> part_name("pages", 7)
    'pages/part-000007.parquet'
    """
    return f"{kind}/part-{number:06}.parquet"


def remove_temporary_files(folder: Path) -> None:
    """Remove incomplete files of a run that was killed."""
    for path in folder.glob(".*.tmp"):
        path.unlink(missing_ok=True)
