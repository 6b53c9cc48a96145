"""What a store says of itself: what its numbers depend on."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from pagemeter.corpus.files.kinds import MANIFEST
from pagemeter.errors import StoreError
from pagemeter.store.files import write_json
from pagemeter.store.schema import LAYOUT

if TYPE_CHECKING:
    from pathlib import Path

    from pagemeter.corpus import Recipe
    from pagemeter.measure import Measure

_UNSAID = "not said"


def parts_of(recipe: Recipe, per_line: Measure | None) -> dict[str, str]:
    """All that the rows depend on, by name; the version stands in the rows themselves.

    >>> from pagemeter.corpus import Recipe, Wanted
    >>> parts_of(Recipe(Wanted.of(["CER"])), None)["measures"]
    'CER'
    """
    found = dict(part.split(":", 1) for part in recipe.page_signature.split("|"))
    del found["version"]
    return found | ({"lines": str(per_line)} if per_line else {})


def write_manifest(folder: Path, parts: dict[str, str]) -> None:
    """Writes what a new store depends on."""
    write_json(folder / MANIFEST, {"layout": LAYOUT, "recipe": parts})


def read_manifest(folder: Path) -> dict[str, str]:
    """What a store depends on."""
    path = folder / MANIFEST
    try:
        found: Any = json.loads(path.read_text(encoding="utf-8"))
        layout, parts = found["layout"], dict(found["recipe"])
    except FileNotFoundError:
        raise StoreError(f"{folder}: no results store, for it has no {MANIFEST}; check the path") from None
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise StoreError(f"{path}: {error}; restore it, or write to another store") from None
    if layout != LAYOUT:
        raise StoreError(
            f"{path}: layout {layout}, and this version reads {LAYOUT}; use the version that wrote it, or "
            "another store"
        )
    return parts


def difference(there: dict[str, str], here: dict[str, str]) -> str:
    """What differs between two recipes, in words; empty if nothing does.

    >>> difference({"case": "fold", "unit": "grapheme"}, {"case": "keep", "unit": "grapheme"})
    'case is fold there and keep here'
    """
    names = dict.fromkeys((*there, *here))
    said = (
        f"{name} is {there.get(name, _UNSAID)} there and {here.get(name, _UNSAID)} here"
        for name in names
        if there.get(name) != here.get(name)
    )
    return ", ".join(said)
