"""The files of a store: parts that are whole or not there, and one clear line where they cannot be."""

from __future__ import annotations

import fcntl
import json
import os
import re
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as pq

from pagemeter.errors import StoreError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

UNFINISHED = ".unfinished"
"""A file that is in a store from the beginning of a run to its end."""
LOCK = ".lock"
"""A file that is locked as long as a run writes to a store."""
_PART = re.compile(r"part-(\d+)\.parquet")
_KEPT = "what was written before is kept, and the same command goes on from there"


def is_written(folder: Path) -> bool:
    """Whether a run is writing to a store now, as far as its file system can tell.

    >>> from pathlib import Path
    >>> is_written(Path("nowhere"))
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


def part_name(number: int) -> str:
    """The name of a part.

    >>> part_name(7)
    'part-000007.parquet'
    """
    return f"part-{number:06}.parquet"


def parts_in(folder: Path) -> dict[int, Path]:
    """The parts in a folder by their numbers."""
    try:
        found = {int(m[1]): path for path in folder.iterdir() if (m := _PART.fullmatch(path.name))}
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise StoreError(f"{folder}: {error.strerror or error}; change its rights (chmod)") from None
    return dict(sorted(found.items()))


def sweep(folder: Path) -> None:
    """Removes what a run that was killed left unfinished."""
    for path in folder.glob(".*.tmp"):
        path.unlink(missing_ok=True)


@contextmanager
def written(path: Path) -> Iterator[Path]:
    """A temporary name that becomes that of a file when all of it is on the disk."""
    beside = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        try:
            yield beside
            with beside.open("rb+") as file:
                os.fsync(file.fileno())
            beside.replace(path)
        finally:
            beside.unlink(missing_ok=True)
    except OSError as error:
        reason = os.strerror(error.errno) if error.errno else str(error)
        raise StoreError(f"{path}: cannot be written: {reason}; make room for it; {_KEPT}") from None


def write_table(path: Path, table: pa.Table) -> None:
    """Writes a part whole or not at all."""
    with written(path) as beside:
        write_rows(beside, table)


def write_rows(path: Path, table: pa.Table) -> None:
    """Writes a part; all its rows are one group, for parts are small."""
    pq.write_table(table, path, compression="zstd", row_group_size=max(1, table.num_rows))


def write_json(path: Path, value: Any) -> None:  # noqa: ANN401
    """Writes a small file for people and programs."""
    with written(path) as beside:
        beside.write_text(json.dumps(value, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


def read_table(path: Path, columns: list[str] | None = None) -> pa.Table:
    """The rows of a part."""
    try:
        return pq.ParquetFile(path).read(columns=columns)
    except (OSError, pa.ArrowException) as error:
        said = str(error).partition("\n")[0]
        raise StoreError(f"{path}: {said}; delete it, and its pages are evaluated again") from None


def pairs_in(path: Path) -> set[str]:
    """The keys of the pairs in a part."""
    return set(read_table(path, ["pair"])["pair"].unique().to_pylist())


def without_pairs(path: Path, keys: set[str]) -> None:
    """Writes a part anew without some pairs; nothing is left of a part without rows."""
    table = read_table(path)
    kept = table.filter(pa.array([key not in keys for key in table["pair"].to_pylist()], pa.bool_()))
    if kept.num_rows:
        write_table(path, kept)
    else:
        path.unlink()
