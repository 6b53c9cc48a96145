"""How the files of a collection are read: the same for all pages of a side."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from pagemeter.corpus.contents import STDIN, fetch
from pagemeter.corpus.files.records import file_of
from pagemeter.formats import read_pages
from pagemeter.formats.registry import named

if TYPE_CHECKING:
    from pagemeter.corpus.contents import Content
    from pagemeter.corpus.urls import Location
    from pagemeter.formats.base import Level, Order
    from pagemeter.page import Page


@dataclass(frozen=True, slots=True)
class Reader:
    """How the files of one side are read: `format` None to detect it, and what is taken from them.

    >>> Reader(level="lines")
    Traceback (most recent call last):
    pagemeter.errors.UsageError: unknown level 'lines' (did you mean line?); known are: line, region, word
    """

    format: str | None = None
    level: Level | None = None
    order: Order = "file"
    encoding: str | None = None
    dpi: float | None = None

    def __post_init__(self) -> None:
        if self.format is not None:
            named(self.format)
        # An empty page is read, so that a wrong option is said once and not of every file.
        read_pages(
            b"", "", format="text", level=self.level, order=self.order, encoding=self.encoding, dpi=self.dpi
        )

    def pages(self, path: Location, content: Content | None = None) -> tuple[Page, ...]:
        """The pages of a file, or of standard input or a record, which are text unless a format is named."""
        piped = path == STDIN
        is_text = piped or file_of(path) is not None
        return read_pages(
            (content or fetch(path)).data,
            "standard input" if piped else str(path),
            format=self.format or ("text" if is_text else None),
            level=self.level,
            order=self.order,
            encoding=self.encoding,
            dpi=self.dpi,
        )


@dataclass(frozen=True, slots=True)
class Reading:
    """How the files of both sides are read."""

    gt: Reader = field(default_factory=Reader)
    hyp: Reader = field(default_factory=Reader)

    @classmethod
    def alike(cls, **options: Any) -> Reading:  # noqa: ANN401
        """Both sides read in one way.

        >>> Reading.alike(encoding="latin-1").hyp.encoding
        'latin-1'
        """
        return cls(Reader(**options), Reader(**options))
