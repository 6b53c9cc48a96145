"""What a file name says: the stem that names its page, and the suffix that names its kind."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pagemeter.corpus.urls import Location

Side = Literal["gt", "hyp"]

ENDS = (
    "xml", "alto", "hocr", "html", "htm", "xhtml", "txt", "text", "json",
    "tei", "md", "markdown", "mdown", "mkd",
)  # fmt: skip
"""What page files end in."""

TAGS: dict[str, Side | None] = {
    "gt": "gt", "ref": "gt", "pred": "hyp", "hyp": "hyp", "ocr": "hyp",
    "page": None, "alto": None, "hocr": None, "tei": None, "abbyy": None,
}  # fmt: skip
"""What may stand before the end, as in `0001.gt.txt`, and the side that it tells."""

IMAGES = ("tif", "tiff", "jpg", "jpeg", "png", "jp2", "gif", "bmp", "webp", "pdf")
"""What may be left of the name of an image, as in `00000133.tif.xml`."""

_NO_PAGES = frozenset(("readme", "source", "sources", "license", "licence", "notice", "changelog", "mets"))

_SUFFIX = re.compile(rf"(?:\.(?:{'|'.join(TAGS)}))*\.(?:{'|'.join(ENDS)})\Z", re.IGNORECASE)
_IMAGE = re.compile(rf"(?<=.)\.(?:{'|'.join(IMAGES)})\Z", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Candidate:
    """A file that may hold a page: its place below the folder that was given, and what its name says."""

    path: Location
    folders: tuple[str, ...]
    stem: str
    suffix: str
    side: Side | None

    @property
    def name(self) -> str:
        """The stem with the folders before it."""
        return "/".join((*self.folders, self.stem))


def candidate(path: Location, folders: Sequence[str] = (), suffixes: Sequence[str] = ()) -> Candidate | None:
    """What the name of a page file says; None if it is none of a page file.

    >>> from pathlib import Path
    >>> found = candidate(Path("gt/00000133.tif.gt.xml"))
    >>> found.stem, found.suffix, found.side
    ('00000133', '.tif.gt.xml', 'gt')
    >>> candidate(Path("image.jpg")), candidate(Path("README.md"))
    (None, None)
    """
    name = path.name
    suffix = _given(name, suffixes) if suffixes else _known(name)
    if suffix is None or name.startswith("."):
        return None
    stem = name[: -len(suffix)]
    if image := _IMAGE.search(stem):
        stem, suffix = stem[: image.start()], image[0] + suffix
    side = None if suffixes else _side(suffix)
    return Candidate(path, tuple(folders), stem, suffix, side)


def without_image(name: str) -> str:
    """A name without what is left of that of an image.

    >>> without_image("0001.jpg"), without_image("Plut._53.08_102r")
    ('0001', 'Plut._53.08_102r')
    """
    return _IMAGE.sub("", name)


def about_pages(name: str) -> bool:
    """Whether a file of that name tells about pages rather than holding one.

    >>> about_pages("README.md"), about_pages("mets.xml"), about_pages("0001.xml")
    (True, True, False)
    """
    return name.partition(".")[0].lower() in _NO_PAGES


def stem_of(path: Location) -> str:
    """The name of a page by its file, whatever its suffix.

    >>> from pathlib import Path
    >>> stem_of(Path("Plut._53.08_102r.xml")), stem_of(Path("page.unknown"))
    ('Plut._53.08_102r', 'page')
    """
    found = candidate(path)
    return found.stem if found else path.stem or os.fspath(path)


def with_dot(suffix: str) -> str:
    """A suffix as it stands in names: `gt.txt` means `.gt.txt`, `_gt.txt` means itself.

    >>> with_dot("gt.txt"), with_dot("_gt.txt")
    ('.gt.txt', '_gt.txt')
    """
    return f".{suffix}" if suffix[:1].isalnum() else suffix


def _given(name: str, suffixes: Sequence[str]) -> str | None:
    """The longest of the given suffixes that leaves a stem."""
    fitting = [s for s in suffixes if name.lower().endswith(s.lower()) and len(name) > len(s)]
    return name[-len(max(fitting, key=len)) :] if fitting else None


def _known(name: str) -> str | None:
    found = _SUFFIX.search(name)
    return found[0] if found and found.start() and not about_pages(name) else None


def _side(suffix: str) -> Side | None:
    sides = (TAGS.get(tag) for tag in suffix.lower().split("."))
    return next((side for side in sides if side), None)
