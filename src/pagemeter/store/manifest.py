"""The manifest of a store: the options that its numbers depend on, and the checksums of its parts.

The manifest is written before a part is created, changed or deleted. Until the next manifest it lists both
checksums of such a part, the old and the new one, so a store is valid at every moment of a run. Its own
checksum detects changes to the manifest itself.
"""

from __future__ import annotations

import hashlib
import json
import os
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from pagemeter.atomic_io import write_temporary
from pagemeter.corpus import MeasureSelection
from pagemeter.errors import StoreError
from pagemeter.inputs.arguments import STORE_MANIFEST
from pagemeter.store.schema import LAYOUT

if TYPE_CHECKING:
    from collections.abc import Collection
    from pathlib import Path

    from pagemeter.corpus import RunConfig
    from pagemeter.measure import Measure

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
    descriptor = os.open(folder, os.O_RDONLY | os.O_CLOEXEC)
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
