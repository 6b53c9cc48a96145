"""The files of a store: its manifest, and numbered Parquet files that are complete or absent.

The manifest has the options that the numbers depend on, and the checksums of the parts. It is written before
a part is created, changed or deleted. Until the next manifest it lists both checksums of such a part, the old
and the new one, so a store is valid at every moment of a run. Its own checksum detects changes to the
manifest itself.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as pq

from pagemeter.atomic_io import lock_file, write_temporary
from pagemeter.corpus import MeasureSelection
from pagemeter.errors import StoreError
from pagemeter.inputs.arguments import STORE_MANIFEST, is_store
from pagemeter.measure import Measure
from pagemeter.store.schema import LAYOUT, LINE_SCHEMA

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator
    from pathlib import Path

    from pagemeter.corpus import RunConfig
    from pagemeter.measure import Measure

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
            lock_file(file, shared=True)
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
        """Return the numbers of the parts of a kind (pages or lines) that are listed or that exist.

        Raises:
            StoreError: There is another Parquet file, such as a copy of a part. Other readers would count it.

        """
        numbers = set()
        for name in self._names(kind):
            if match := _PART.fullmatch(name):
                numbers.add(int(match[1]))
            elif name.endswith(".parquet"):
                raise self._refusal(f"{kind}/{name}", b"")
        return sorted(numbers)

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


ABSENT = ""
"""The checksum of a part that does not exist."""


@dataclass(slots=True)
class Manifest:
    """The options and the checksums of a store.

    Attributes:
        options: The options that the numbers depend on, by name.
        parts: The checksums that each part may have, by its path in the store.

    """

    options: dict[str, str]
    parts: dict[str, tuple[str, ...]] = field(default_factory=dict)


def checksum(data: bytes | None) -> str:
    """Return the checksum of a file; None is a file that does not exist.

    >>> checksum(b"all"), checksum(None)
    ('757dd64017070556678d5febb7649493', '')
    """
    return ABSENT if data is None else hashlib.blake2b(data, digest_size=16).hexdigest()


def write_manifest(folder: Path, manifest: Manifest) -> None:
    """Write the manifest of a store."""
    path = folder / STORE_MANIFEST
    members = {"layout": LAYOUT, "options": manifest.options, "parts": manifest.parts}
    text = json.dumps(members | {"checksum": _members_checksum(members)}, ensure_ascii=False, indent=1)
    try:
        write_temporary(path, f"{text}\n".encode()).replace(path)
        _sync_folder(folder)
    except OSError as error:
        raise unwritable_file(path, error) from None


def read_manifest(folder: Path) -> Manifest:
    """Return the manifest of a store.

    Raises:
        StoreError: The folder is not a store, its manifest is damaged, or it has another layout.

    """
    path = folder / STORE_MANIFEST
    try:
        members: Any = json.loads(path.read_bytes().decode())
        layout = members["layout"]
    except FileNotFoundError:
        raise StoreError(
            f"not a results store: it has no {STORE_MANIFEST}", source=str(folder), remedy="check the path"
        ) from None
    except OSError as error:
        raise unreadable_file(path, error) from None
    except (ValueError, LookupError, TypeError, RecursionError):
        raise _damaged(path) from None
    if layout != LAYOUT:
        raise StoreError(
            f"the store has layout {str(layout)[:20]}, and this version reads layout {LAYOUT}",
            source=str(path),
            remedy="use the version of pagemeter that wrote it, or another store",
        )
    try:
        expected = members.pop("checksum")
        if expected != _members_checksum(members):
            raise _damaged(path)
        parts = {name: tuple(checksums) for name, checksums in members["parts"].items()}
        return Manifest(dict(members["options"]), parts)
    except (ValueError, LookupError, TypeError, AttributeError):
        raise _damaged(path) from None


def unwritable_file(path: Path, error: OSError) -> StoreError:
    """Return the error for a file of a store that cannot be written."""
    return StoreError(
        f"cannot be written: {os.strerror(error.errno) if error.errno else error}",
        source=str(path),
        remedy="free some space, and run the same command again to continue from what was written",
    )


def unreadable_file(path: Path, error: OSError) -> StoreError:
    """Return the error for a file of a store that cannot be read."""
    return StoreError(
        f"cannot be read: {error.strerror or error}",
        source=str(path),
        remedy="check its permissions and its disk",
    )


def _damaged(path: Path) -> StoreError:
    return StoreError(
        "damaged or edited: its content does not have its checksum",
        source=str(path),
        remedy="restore it, or write to another store",
    )


def _members_checksum(members: dict[str, Any]) -> str:
    return checksum(json.dumps(members, sort_keys=True).encode())


def _sync_folder(folder: Path) -> None:
    """Flush a folder to disk, so that the manifest precedes the parts even after a power failure."""
    if os.name == "nt":  # Windows cannot open a folder
        return
    descriptor = os.open(folder, os.O_RDONLY)  # not inherited by other processes
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


# The options of a store


def store_options(config: RunConfig, per_line: Measure | None) -> dict[str, str]:
    """Return all options that the rows of a store depend on, by name; each row has the version itself.

    >>> from pagemeter.corpus import MeasureSelection, RunConfig
    >>> store_options(RunConfig(MeasureSelection.of(["CER"])), None)["measures"]
    'CER'
    """
    options = dict(part.split(":", 1) for part in config.page_signature.split("|"))
    del options["version"]
    return options | ({"lines": str(per_line)} if per_line else {})


NOT_NUMBERS = frozenset(("lines", "time_limit"))
"""Options that change no number of a page. A search that the time limit ended is repeated by the next run."""
EXTENSIBLE = frozenset(("measures", "budget"))
"""Options that a later run may extend."""


def stored_selection(options: dict[str, str]) -> MeasureSelection:
    """Return the measures of a store with these options.

    >>> stored_selection({"measures": "CER,WER", "budget": "CER"}).ids
    ('CER', 'WER')
    """
    if "measures" not in options:
        return MeasureSelection.of(None)
    return MeasureSelection.of([options["measures"]]).with_budget(options.get("budget", "none"))


def describe_difference(
    first: dict[str, str], second: dict[str, str], ignored: Collection[str] = NOT_NUMBERS
) -> str:
    """Describe how the options of a store differ from others, or return "".

    >>> describe_difference({"case": "fold", "unit": "grapheme"}, {"case": "keep", "unit": "grapheme"})
    'case:fold instead of case:keep'
    """
    names = dict.fromkeys((*first, *second))
    return ", ".join(
        f"{_show_option(first, name)} instead of {_show_option(second, name)}"
        for name in names
        if name not in ignored and first.get(name) != second.get(name)
    )


def _show_option(options: dict[str, str], name: str) -> str:
    return f"{name}:{options[name]}" if name in options else f"no {name}"


def lock_folder(folder: Path) -> IO[bytes]:
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
        raise folder_error(folder, error) from None
    try:
        lock_file(file)
    except BlockingIOError:
        file.close()
        raise StoreError(
            "another run is writing to it", source=source, remedy="wait for its end, or use another store"
        ) from None
    except OSError:  # a file system without locks
        return file
    return file


def folder_error(folder: Path, error: OSError) -> StoreError:
    """Return the error for a folder of a store that cannot be written."""
    return StoreError(
        f"cannot be written: {error.strerror or error}",
        source=str(folder),
        remedy="change its permissions (chmod), or give another folder",
    )
