"""Mapping files: the bundled mappings, and files with rules that replace characters."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Literal

from pagemeter.errors import InputError, UsageError, did_you_mean
from pagemeter.signature import unescape
from pagemeter.text.mapping import RuleTable, parse_rules

_LABEL = re.compile(r"(.+)@([0-9a-f]{8})")
_FOLDER = Path(__file__).parents[1] / "text" / "mappings"
BUNDLED_MAPPINGS = tuple(sorted(path.stem for path in _FOLDER.glob("*.tsv")))


def load_table(source: Path | str) -> RuleTable:
    """Load the mapping of a bundled name or a path.

    >>> load_table("long-s").label
    'long-s@8ff1119a'
    """
    if isinstance(source, str) and source in BUNDLED_MAPPINGS:
        return _read(source, "bundled")
    if isinstance(source, str | Path):
        return read_table(source)
    raise UsageError(
        f"cannot make a mapping of {type(source).__name__}",
        remedy=f"give a bundled name ({', '.join(BUNDLED_MAPPINGS)}), the path of a file, a dictionary or a "
        "TextMapping",
    )


def read_table(path: Path | str) -> RuleTable:
    """Read a mapping file; its name begins with ./ if it is also the name of a bundled mapping."""
    return _read(str(Path(path)), "file")


def restore_table(label: str) -> RuleTable:
    """Load the mapping of a signature, and check that its rules have not changed."""
    match = _LABEL.fullmatch(label)
    if not match:
        raise UsageError(f"signature: mapping {label!r} is not of the form name@digest")
    if match[1].startswith("custom("):
        raise UsageError(
            f"signature: the mapping {label} was made in Python and cannot be restored from a line",
            remedy="pass it: Settings.from_signature(line, mapping=...)",
        )
    name = unescape(match[1])
    if name not in BUNDLED_MAPPINGS and not Path(name).is_file():
        raise InputError(
            "the mapping of this signature does not exist",
            source=name,
            remedy="put the file there, change to its folder, or give its present path with {}",
            settings=(("mapping", ""),),
        )
    table = _read(name, "bundled" if name in BUNDLED_MAPPINGS else "file")
    if table.digest != match[2]:
        bundled = table.kind == "bundled"
        raise InputError(
            f"the rules of this mapping are not those of the signature (@{table.digest}, not @{match[2]})",
            source=name,
            remedy="use the version of pagemeter named there" if bundled else "restore the file",
        )
    return table


def _read(name: str, kind: Literal["bundled", "file"]) -> RuleTable:
    path = _FOLDER / f"{name}.tsv" if kind == "bundled" else Path(name)
    if kind == "file":
        name = f"./{path}" if str(path) in BUNDLED_MAPPINGS else str(path)
    try:
        data = path.read_bytes()
    except OSError as error:
        raise InputError(
            f"cannot read the mapping: {error.strerror}{did_you_mean(name, BUNDLED_MAPPINGS)}",
            source=name,
            remedy=f"give a file, or a bundled mapping: {', '.join(BUNDLED_MAPPINGS)}",
        ) from None
    return RuleTable(name, kind, parse_rules(data, name))
