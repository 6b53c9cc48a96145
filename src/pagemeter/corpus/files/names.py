"""What a file name says: the stem that names its page, and the suffix that names its kind."""

from __future__ import annotations

import os
import re
from functools import lru_cache
from typing import TYPE_CHECKING, Literal, NamedTuple

from pagemeter.corpus.urls import Location, Url, location

if TYPE_CHECKING:
    from collections.abc import Sequence

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


class Candidate(NamedTuple):
    """A file that may hold a page: its place below the folder that was given, and what its name says.

    `file` is the text of its path, from which a path is made where one is needed: millions of files are
    looked at, and a path takes longer than all the rest.
    """

    file: str
    folders: tuple[str, ...]
    stem: str
    suffix: str
    side: Side | None

    @property
    def name(self) -> str:
        """The stem with the folders before it."""
        return "/".join((*self.folders, self.stem)) if self.folders else self.stem

    @property
    def path(self) -> Location:
        """Where it is."""
        return location(self.file)


def candidate(
    path: Location | str, folders: Sequence[str] = (), suffixes: Sequence[str] = ()
) -> Candidate | None:
    """What the name of a page file says; None if it is none of a page file.

    >>> from pathlib import Path
    >>> found = candidate(Path("gt/00000133.tif.gt.xml"))
    >>> found.stem, found.suffix, found.side
    ('00000133', '.tif.gt.xml', 'gt')
    >>> candidate(Path("image.jpg")), candidate(Path("README.md"))
    (None, None)
    """
    file = os.fspath(path)
    name = _last(file)
    found = _given(name, suffixes) if suffixes else _known(name)
    if found is None:
        return None
    suffix, side = found
    return Candidate(file, tuple(folders), name[: -len(suffix)], suffix, side)


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


def stem_of(path: Location | str) -> str:
    """The name of a page by its file, whatever its suffix.

    >>> from pathlib import Path
    >>> stem_of(Path("Plut._53.08_102r.xml")), stem_of("page.unknown")
    ('Plut._53.08_102r', 'page')
    """
    name = _last(os.fspath(path))
    found = _known(name)
    return name[: -len(found[0])] if found else location(path).stem or os.fspath(path)


def with_dot(suffix: str) -> str:
    """A suffix as it stands in names: `gt.txt` means `.gt.txt`, `_gt.txt` means itself.

    >>> with_dot("gt.txt"), with_dot("_gt.txt")
    ('.gt.txt', '_gt.txt')
    """
    return f".{suffix}" if suffix[:1].isalnum() else suffix


def _last(file: str) -> str:
    return file.name if isinstance(file, Url) else file[file.rfind("/") + 1 :]


def _given(name: str, suffixes: Sequence[str]) -> tuple[str, None] | None:
    """The longest of the given suffixes that leaves a stem, of what is not hidden."""
    if name.startswith("."):
        return None
    fitting = [s for s in suffixes if name.lower().endswith(s.lower()) and len(name) > len(s)]
    return (_with_image(name, len(max(fitting, key=len))), None) if fitting else None


def _known(name: str) -> tuple[str, Side | None] | None:
    """The suffix of a name and the side that it tells; None if it is hidden, or none of a page."""
    begin = name.find(".")
    return None if begin < 1 or name[:begin].lower() in _NO_PAGES else _end(name[begin - 1 :])


@lru_cache(maxsize=1024)  # in most collections, all names end alike
def _end(end: str) -> tuple[str, Side | None] | None:
    """The same by the end of a name from the letter before its first dot."""
    found = _SUFFIX.search(end)
    return (_with_image(end, len(found[0])), _side(found[0])) if found else None


def _with_image(name: str, length: int) -> str:
    """The suffix of that length, with what is left of the name of an image before it."""
    image = _IMAGE.search(name[:-length])
    return name[-length - len(image[0] if image else "") :]


def _side(suffix: str) -> Side | None:
    sides = (TAGS.get(tag) for tag in suffix.lower().split("."))
    return next((side for side in sides if side), None)
