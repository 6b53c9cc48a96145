"""How the files of a collection are read: the same for all pages of a side."""

from __future__ import annotations

import codecs
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pagemeter.errors import UsageError
from pagemeter.formats import load_pages, read_pages
from pagemeter.formats.registry import named

if TYPE_CHECKING:
    from pathlib import Path

    from pagemeter.formats.base import Level, Order
    from pagemeter.page import Page


@dataclass(frozen=True, slots=True)
class Reading:
    """The formats of both sides, None to detect them, and what is taken from the files.

    >>> Reading(level="lines")
    Traceback (most recent call last):
    pagemeter.errors.UsageError: unknown level 'lines' (did you mean line?); known are: line, region, word
    """

    gt_format: str | None = None
    hyp_format: str | None = None
    level: Level | None = None
    order: Order = "file"
    encoding: str | None = None
    dpi: float | None = None

    def __post_init__(self) -> None:
        for name in (self.gt_format, self.hyp_format):
            if name is not None:
                named(name)
        if self.encoding is not None:
            _check_encoding(self.encoding)
        # An empty page is read, so that a wrong option is said once and not of every file.
        read_pages(b"", "", format="text", level=self.level, order=self.order, dpi=self.dpi)

    def gt_pages(self, path: Path) -> tuple[Page, ...]:
        """The pages of a ground truth file."""
        return self._pages(path, self.gt_format)

    def hyp_pages(self, path: Path) -> tuple[Page, ...]:
        """The pages of a hypothesis file."""
        return self._pages(path, self.hyp_format)

    def _pages(self, path: Path, name: str | None) -> tuple[Page, ...]:
        return load_pages(
            path, format=name, level=self.level, order=self.order, encoding=self.encoding, dpi=self.dpi
        )


def _check_encoding(name: str) -> None:
    try:
        text = codecs.lookup(name)._is_text_encoding  # noqa: SLF001  (codecs such as hex turn bytes into bytes)
    except LookupError:
        text = False
    if not text:
        raise UsageError(
            f"unknown encoding {name!r}; name one that Python knows, such as utf-8, latin-1 or utf-16-le"
        )
