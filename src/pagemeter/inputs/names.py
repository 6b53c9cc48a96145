"""Parse file names: the name of the page, the suffix, and the side (ground truth or hypothesis).

`00000133.tif.gt.xml` is page `00000133`. The tag `gt` in its suffix `.tif.gt.xml` means ground truth.
"""

from __future__ import annotations

import os
import re
from collections import Counter, defaultdict
from functools import cache, lru_cache
from itertools import product
from typing import TYPE_CHECKING, Literal, NamedTuple

from pagemeter.formats.registry import known_suffixes, xml_format_names
from pagemeter.inputs.urls import Location, Url, as_location

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

Side = Literal["gt", "hyp"]

_SIDES: dict[str, Side] = {"gt": "gt", "ref": "gt", "pred": "hyp", "hyp": "hyp", "ocr": "hyp"}
"""The tags that may precede the suffix, as in `0001.gt.txt`, and the side that each one means."""

_IMAGE_SUFFIXES = ("tif", "tiff", "jpg", "jpeg", "png", "jp2", "gif", "bmp", "webp", "pdf")
"""The suffixes of images, which often remain in the names of page files, as in `00000133.tif.xml`."""

_NOT_PAGES = frozenset(("readme", "source", "sources", "license", "licence", "notice", "changelog", "mets"))

_IMAGE = re.compile(rf"(?<=.)\.(?:{'|'.join(_IMAGE_SUFFIXES)})\Z", re.IGNORECASE)
_SEPARATOR = re.compile(r"[_.-]")
_NUMBER = re.compile(r"[0-9]+")
_SAME_DIGIT = dict.fromkeys(map(ord, "123456789"), "0")
_MOST_DIGITS = 24  # of a number by whose value names are sorted; longer ones are compared as text
_MAX_NAME = 255  # characters of a name that is cut at all of its separators; file systems allow no more bytes
_MAX_ENDINGS = 4  # of one beginning; if there are more, they are page numbers


def natural_sort(names: Iterable[str]) -> list[str]:
    """Sort names as people do: numbers by their value, and folder by folder.

    >>> natural_sort(["page10", "page9", "a-1", "a/2"])
    ['a/2', 'a-1', 'page9', 'page10']
    """
    # Names that differ only in digits are in this order already; keys of a million names take 100 MB.
    ordered = sorted(names)
    shapes = {name.translate(_SAME_DIGIT) for name in ordered}
    return ordered if len(shapes) == 1 else sorted(ordered, key=_natural_key)


def _natural_key(name: str) -> str:
    # The separator of folders precedes all other characters, so that the files of a folder are together.
    return _NUMBER.sub(lambda number: number[0].zfill(_MOST_DIGITS), name).replace("/", "\0")


class Candidate(NamedTuple):
    """A file that may contain a page, and the parts of its name.

    `file` is the path as text, because creating millions of `Path` objects would take longer than all the
    rest. `folders` are the folders between the given folder and the file.
    """

    file: str
    folders: tuple[str, ...]
    stem: str
    suffix: str
    side: Side | None

    @property
    def name(self) -> str:
        """The name of the page: the stem after the folders."""
        return "/".join((*self.folders, self.stem)) if self.folders else self.stem

    @property
    def path(self) -> Location:
        """The location of the file."""
        return as_location(self.file)


def candidate(
    path: Location | str, folders: Sequence[str] = (), suffixes: Sequence[str] = ()
) -> Candidate | None:
    """Parse the name of a page file; return None if the name is not that of a page file.

    If `suffixes` are given, exactly the files with one of them are page files.

    >>> from pathlib import Path
    >>> page = candidate(Path("gt/00000133.tif.gt.xml"))
    >>> page.stem, page.suffix, page.side
    ('00000133', '.tif.gt.xml', 'gt')
    >>> candidate(Path("image.jpg")), candidate(Path("README.md"))
    (None, None)
    """
    file = os.fspath(path)
    name = _last_component(file)
    parsed = _given_suffix(name, suffixes) if suffixes else _known_suffix(name)
    if parsed is None:
        return None
    suffix, side = parsed
    return Candidate(file, tuple(folders), name[: -len(suffix)], suffix, side)


def page_name(path: Location | str) -> str:
    """Return the name of the page in a file with any suffix.

    >>> from pathlib import Path
    >>> page_name(Path("Plut._53.08_102r.xml")), page_name("page.unknown")
    ('Plut._53.08_102r', 'page')
    """
    name = _last_component(os.fspath(path))
    parsed = _known_suffix(name)
    return name[: -len(parsed[0])] if parsed else as_location(path).stem or os.fspath(path)


def without_image_suffix(name: str) -> str:
    """Remove the suffix of an image from a name.

    >>> without_image_suffix("0001.jpg"), without_image_suffix("Plut._53.08_102r")
    ('0001', 'Plut._53.08_102r')
    """
    return _IMAGE.sub("", name)


def is_about_pages(name: str) -> bool:
    """Return True if a file with this name describes pages and does not contain one.

    >>> is_about_pages("README.md"), is_about_pages("mets.xml"), is_about_pages("0001.xml")
    (True, True, False)
    """
    return name.partition(".")[0].lower() in _NOT_PAGES


def with_dot(suffix: str) -> str:
    """Return a suffix as it appears in names: `gt.txt` means `.gt.txt`, but `_gt.txt` has no dot.

    >>> with_dot("gt.txt"), with_dot("_gt.txt")
    ('.gt.txt', '_gt.txt')
    """
    return f".{suffix}" if suffix[:1].isalnum() else suffix


def suggest_suffixes(gts: Iterable[str], hyps: Iterable[str]) -> list[tuple[str, str]]:
    """Return pairs of suffixes without which names of both sides are equal, those of most files first.

    >>> suggest_suffixes(["1_gt.txt", "2_gt.txt"], ["1.txt", "2.txt", "3.txt"])
    [('_gt.txt', '.txt')]
    """
    by_gt, by_hyp = _endings_by_beginning(gts), _endings_by_beginning(hyps)
    counts = Counter(
        both
        for beginning in by_gt.keys() & by_hyp.keys()
        if max(len(by_gt[beginning]), len(by_hyp[beginning])) <= _MAX_ENDINGS
        for both in product(by_gt[beginning], by_hyp[beginning])
    )
    # A single beginning may be equal by chance, as in page_1.txt and page_2.txt.
    plausible = [both for both, count in counts.items() if count > 1 or not re.search(r"\d", "".join(both))]
    return sorted(plausible, key=lambda both: (-counts[both], len("".join(both)), both))


def suffix_side(suffix: str) -> Side | None:
    """Return the side that a tag in a suffix means.

    >>> suffix_side("_gt.txt"), suffix_side(".pred.txt"), suffix_side(".page.xml")
    ('gt', 'hyp', None)
    """
    sides = (_SIDES.get(part) for part in _SEPARATOR.split(suffix.lower()))
    return next((side for side in sides if side), None)


def _last_component(file: str) -> str:
    return file.name if isinstance(file, Url) else file[file.rfind("/") + 1 :]


def _given_suffix(name: str, suffixes: Sequence[str]) -> tuple[str, None] | None:
    """Return the longest of the given suffixes that leaves a stem; None if hidden or without one of them."""
    if name.startswith("."):
        return None
    fitting = [s for s in suffixes if name.lower().endswith(s.lower()) and len(name) > len(s)]
    return (_with_image_suffix(name, len(max(fitting, key=len))), None) if fitting else None


def _known_suffix(name: str) -> tuple[str, Side | None] | None:
    """Return the suffix of a name and the side it means; None if the file is hidden or not a page file."""
    begin = name.find(".")
    return None if begin < 1 or name[:begin].lower() in _NOT_PAGES else _parse_ending(name[begin - 1 :])


@lru_cache(maxsize=1024)  # most collections have only a few different endings
def _parse_ending(ending: str) -> tuple[str, Side | None] | None:
    """Parse a name from the character before its first dot."""
    length = _suffix_length(ending, installed=False) or _suffix_length(ending, installed=True)
    if not length:
        return None
    sides = (_SIDES.get(tag) for tag in ending[-length:].lower().split("."))
    return _with_image_suffix(ending, length), next((side for side in sides if side), None)


def _suffix_length(ending: str, *, installed: bool) -> int:
    """Return the length of the suffix of a page file, with the tags that precede it; 0 if there is none.

    Formats of other packages take time to load, and are only considered with `installed`. A pattern would
    try each of many tags as the first one.
    """
    tags, suffixes = _tags_and_suffixes(installed=installed)
    name, longest = ending.lower(), 0
    for suffix in suffixes:
        if name.endswith(suffix):
            begin = len(name) - len(suffix)
            while (dot := name.rfind(".", 0, begin)) >= 0 and name[dot + 1 : begin] in tags:
                begin = dot
            longest = max(longest, len(name) - begin)
    return longest


@cache
def _tags_and_suffixes(*, installed: bool) -> tuple[frozenset[str], tuple[str, ...]]:
    tags = frozenset((*_SIDES, *xml_format_names(installed=installed)))
    return tags, tuple(suffix.lower() for suffix in known_suffixes(installed=installed))


def _with_image_suffix(name: str, length: int) -> str:
    """Return the last `length` characters of a name, with the image suffix before them if there is one."""
    image = _IMAGE.search(name[:-length])
    return name[-length - len(image[0] if image else "") :]


def _endings_by_beginning(names: Iterable[str]) -> dict[str, list[str]]:
    """Cut each name at each of its separators."""
    endings = defaultdict(list)
    for name in names:
        if len(name) > _MAX_NAME:
            continue
        for separator in _SEPARATOR.finditer(name, 1):
            endings[name[: separator.start()]].append(name[separator.start() :])
    return endings
