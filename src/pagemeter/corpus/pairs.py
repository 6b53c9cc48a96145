"""A ground truth file and the hypothesis file that belongs to it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection

    from pagemeter.corpus.contents import Inputs
    from pagemeter.corpus.files.folders import PassedOver
    from pagemeter.corpus.urls import Location
    from pagemeter.page import Warn


@dataclass(frozen=True, slots=True)
class Pair:
    """The two files of a page, or of several.

    `hyp` is None where no hypothesis was found, `gt` where no ground truth was. `error` says why a pair could
    not be made; `document` is what the page belongs to, if a table of pairs says so. `seen` are the contents
    of the files when they were evaluated before; as long as they are the same there is nothing to do.

    >>> from pathlib import Path
    >>> Pair("0001", Path("gt/0001.xml"), None).hyp is None
    True
    """

    name: str
    gt: Location | None
    hyp: Location | None
    warnings: tuple[Warn, ...] = ()
    error: str | None = None
    document: str | None = None
    seen: Inputs | None = None


@dataclass(frozen=True, slots=True)
class Pairing:
    """All pairs of two collections, those without partner among them, and the files that are no pages.

    The pairs can be gone through more than once; those of a table are made as they are asked for.
    """

    pairs: Collection[Pair]
    passed_over: tuple[PassedOver, ...] = ()
