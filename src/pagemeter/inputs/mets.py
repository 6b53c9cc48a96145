"""METS files: the pages of a document, and the files of each page in groups.

A file group (`fileGrp`) has the files of one kind, such as the ground truth or the result of one OCR
workflow. The physical structure (`structMap`) lists the pages and the files of each page. It is read as OCR-D
and digital libraries write it. Page files are not read here.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urlsplit

from pagemeter.errors import InputError, Problem, UsageError, did_you_mean
from pagemeter.formats.loading import read_head
from pagemeter.formats.xml import parse_xml
from pagemeter.inputs.lists import Locator
from pagemeter.inputs.locations import Location, Url, as_location, fetch
from pagemeter.inputs.page_files import PassedOver
from pagemeter.inputs.pairs import Pair, Pairing

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

METS_NAME = "mets.xml"
"""The name of the METS file in a workspace of OCR-D."""

_NAMESPACE = "{http://www.loc.gov/METS/}"
_HREF = "{http://www.w3.org/1999/xlink}href"
_PREFERRED = (
    "application/vnd.prima.page+xml",
    "application/alto+xml",
    "text/vnd.hocr+html",
    "application/vnd.hocr+html",
    "application/tei+xml",
    "application/xml",
    "text/xml",
    "text/html",
    "application/xhtml+xml",
    "application/json",
    "text/markdown",
    "text/plain",
)
"""The media types of page files; of several files of a page, those of the first type are used."""
_NO_TEXT = ("image/", "audio/", "video/", "application/pdf")
_LOCAL = ("FILE", "OTHER")
_NO_PAGES = ("physsequence",)
_SHOWN = 20  # groups in a message
_HEAD_BYTES = 1 << 16  # in which the root element is


@dataclass(frozen=True, slots=True)
class _File:
    """A file of a group: its id, its media type and where it is; the path may be relative."""

    id: str
    type: str
    places: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Mets:
    """A METS file.

    Attributes:
        path: The file.
        groups: The files of each group by id.
        pages: The ids of the files of each page, by the name of the page in the order of the document.

    """

    path: Location
    groups: Mapping[str, Mapping[str, _File]]
    pages: Mapping[str, Sequence[str]]
    _locator: Locator = field(repr=False)

    def files(self, group: str, setting: str) -> tuple[dict[str, list[_File]], list[PassedOver]]:
        """Return the page files of a group by page, and its other files with the reason.

        Args:
            group: The name of the group.
            setting: The setting that names the group, for messages.

        Raises:
            UsageError: There is no such group.
            InputError: The group has no page files.

        """
        if group not in self.groups:
            raise UsageError(
                f"no file group {group!r}{did_you_mean(group, self.groups)}; there are: {self.group_names}",
                source=str(self.path),
                setting=(setting, group),
                remedy="name one of these groups",
            )
        files = self.groups[group]
        if not files:
            remedy = "name another group, or run the workflow step that fills it"
            raise InputError(f"the file group {group} is empty", source=str(self.path), remedy=remedy)
        of_pages = {
            page: _best([files[name] for name in names if name in files])
            for page, names in self.pages.items()
        }
        used = {file.id for some in of_pages.values() for file in some}
        others = (file for file in files.values() if file.id not in used)
        passed_over = [PassedOver(self._place(file), self._reason(file)) for file in others]
        if not used:
            raise InputError(self._nothing(group, files.values()))
        return of_pages, passed_over

    def location(self, file: _File) -> Location:
        """Return where a file is: the first local place with a file, or else the first place.

        Raises:
            InputError: The METS file does not say where it is.

        """
        if not file.places:
            raise InputError(
                f"the file {file.id} has no FLocat with a path or URL",
                source=str(self.path),
                remedy="add it, for example with ocrd workspace add",
            )
        located = [self._locate(place) for place in file.places]
        present = (path for path in located if isinstance(path, Path) and path.exists())
        remote = (path for path in located if isinstance(path, Url))
        return next(present, None) or next(remote, None) or located[0]

    def _place(self, file: _File) -> Location:
        return self.location(file) if file.places else Path(file.id)

    def _locate(self, place: str) -> Location:
        if place.lower().startswith("file:"):
            return Path(unquote(urlsplit(place).path))
        path = as_location(self._locator.file(place))
        decoded = unquote(place)
        if isinstance(path, Path) and decoded != place and not path.exists():
            return as_location(self._locator.file(decoded))
        return path

    def _reason(self, file: _File) -> str:
        if file.type.startswith(_NO_TEXT):
            return f"{file.type} has no text"
        if not any(file.id in names for names in self.pages.values()):
            return "the METS file assigns it to no page"
        return "another file of this page is preferred"

    def _nothing(self, group: str, files: Any) -> Problem:  # noqa: ANN401
        types = sorted({file.type or "no media type" for file in files})
        if all(file.type.startswith(_NO_TEXT) for file in files):
            return Problem(
                f"the file group {group} has no page files, only {', '.join(types)}",
                str(self.path),
                remedy=f"name another group of {self.group_names}",
            )
        return Problem(
            f"no page of the physical structMap has a file of the group {group}",
            str(self.path),
            remedy="add an fptr per file, or compare the folders of the groups",
        )

    @property
    def group_names(self) -> str:
        """The names of all groups, for messages."""
        names = list(self.groups)
        more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
        return ", ".join(names[:_SHOWN]) + more if names else "none"


def is_mets(path: Location) -> bool:
    """Return True if a local file is a METS file.

    >>> from pathlib import Path
    >>> is_mets(Path(__file__))
    False
    """
    if not isinstance(path, Path) or not path.is_file():
        return False
    try:
        with path.open("rb") as file:
            head = read_head(file.read(_HEAD_BYTES), path.name)
    except OSError:
        return False
    return head.root == "mets"


def mets_file(path: Location) -> Location:
    """Return the METS file of a workspace, which may be given as its folder."""
    return path / METS_NAME if isinstance(path, Path) and path.is_dir() else path


def read_mets(path: Location) -> Mets:
    """Read a METS file.

    Raises:
        InputError: The file cannot be read, or is not METS.

    """
    root = parse_xml(fetch(path).data, str(path), mixed=False)
    if root.tag.rpartition("}")[2] != "mets":
        raise InputError(
            f"this is not a METS file; its root element is {root.tag.rpartition('}')[2]}",
            source=str(path),
            remedy="give a METS file, or leave out {} and {}",
            settings=(("gt_group", ""), ("hyp_group", "")),
        )
    return Mets(path, _groups(root), _pages(root), Locator(path))


def pair_mets(gt: Location, gt_group: str, hyp: Location | None, hyp_group: str) -> Pairing:
    """Pair the files of two groups by page.

    Args:
        gt: The METS file, or the folder that has it.
        gt_group: The group of the ground truth.
        hyp: The METS file of the hypotheses; None if it is the same.
        hyp_group: The group of the hypotheses.

    Returns:
        One pair per page that has a file in either group, named by the id of the page.

    """
    gt_mets = read_mets(mets_file(gt))
    hyp_mets = gt_mets if hyp is None or hyp == gt else read_mets(mets_file(hyp))
    gts, gt_others = gt_mets.files(gt_group, "gt_group")
    hyps, hyp_others = hyp_mets.files(hyp_group, "hyp_group")
    pages = [page for page in dict.fromkeys((*gts, *hyps)) if gts.get(page) or hyps.get(page)]
    sides = (_Side(gt_mets, gt_group, gts), _Side(hyp_mets, hyp_group, hyps))
    pairs = tuple(_pair(page, *sides) for page in pages)
    if not any(pair.errors or (pair.gt and pair.hyp) for pair in pairs):
        raise InputError(
            f"no page has files in both groups, {gt_group} and {hyp_group}",
            source=str(gt_mets.path) if hyp_mets is gt_mets else f"{gt_mets.path} and {hyp_mets.path}",
            remedy="name groups of the same pages",
        )
    return Pairing(pairs, tuple(dict.fromkeys((*gt_others, *hyp_others))))


def missing_groups(path: Location) -> UsageError:
    """Return the error that a METS file is given without its groups, which it lists."""
    return UsageError(
        f"a METS file needs the file groups to compare; it has: {read_mets(path).group_names}",
        source=str(path),
        remedy="add {} and {}",
        settings=(("gt_group", "GROUP"), ("hyp_group", "GROUP")),
    )


@dataclass(frozen=True, slots=True)
class _Side:
    """The files of one group by page."""

    mets: Mets
    group: str
    files: Mapping[str, Sequence[_File]]

    def location(self, page: str) -> Location | None:
        """Return where the only file of a page is; None if there is none."""
        files = self.files.get(page, ())
        if len(files) > 1:
            names = ", ".join(file.id for file in files)
            raise InputError(
                f"the group {self.group} has {len(files)} files of the same type for the page: {names}",
                source=str(self.mets.path),
                remedy="keep one of them in the group",
            )
        return self.mets.location(files[0]) if files else None


def _pair(page: str, gt: _Side, hyp: _Side) -> Pair:
    try:
        return Pair(page, gt.location(page), hyp.location(page)).checked()
    except InputError as error:
        return Pair(page, None, None, errors=(error.problem,))


def _best(files: Sequence[_File]) -> list[_File]:
    """Return the files of the preferred media type; unknown types come last."""
    usable = [file for file in files if not file.type.startswith(_NO_TEXT)]
    best = min(map(_rank, usable), default=0)
    return [file for file in usable if _rank(file) == best]


def _rank(file: _File) -> int:
    return _PREFERRED.index(file.type) if file.type in _PREFERRED else len(_PREFERRED)


def _named(root: Any, name: str) -> Iterator[Any]:  # noqa: ANN401
    """Yield the elements of METS, which may be without a namespace."""
    yield from root.iter(f"{_NAMESPACE}{name}", name)


def _groups(root: Any) -> dict[str, dict[str, _File]]:  # noqa: ANN401
    """Return the files of each group; a group inside a group belongs to both."""
    groups: dict[str, dict[str, _File]] = {}
    for group in _named(root, "fileGrp"):
        name = group.get("USE") or group.get("ID")
        if name:
            files = groups.setdefault(name, {})
            files.update({file.id: file for file in map(_file, _named(group, "file"))})
    return groups


def _file(element: Any) -> _File:  # noqa: ANN401
    places = [
        (location.get(_HREF) or "", location.get("OTHERLOCTYPE") or location.get("LOCTYPE") or "")
        for location in _named(element, "FLocat")
    ]
    places.sort(key=lambda place: place[1].upper() not in _LOCAL)
    media_type = (element.get("MIMETYPE") or "").partition(";")[0].strip().lower()
    paths = tuple(path.strip() for path, _ in places if path.strip())
    return _File(element.get("ID") or "", media_type, paths)


def _pages(root: Any) -> dict[str, list[str]]:  # noqa: ANN401
    """Return the ids of the files of each page.

    Pages are the divisions of the type page in the physical structure. If there are none, they are all
    divisions with files.
    """
    maps = list(_named(root, "structMap"))
    physical = [one for one in maps if (one.get("TYPE") or "").lower() == "physical"]
    divisions = [division for one in physical or maps for division in _named(one, "div")]
    typed = [division for division in divisions if (division.get("TYPE") or "").lower() == "page"]
    pages: dict[str, list[str]] = {}
    for number, division in enumerate(typed or divisions, 1):
        if (division.get("TYPE") or "").lower() in _NO_PAGES:
            continue
        pointers = _named(division, "fptr") if typed else _own_pointers(division)
        areas = [part for pointer in pointers for part in (pointer, *_named(pointer, "area"))]
        names = [name for part in areas if (name := part.get("FILEID"))]
        if names:
            labels = (division.get(key) for key in ("ID", "ORDERLABEL", "LABEL", "ORDER"))
            page = next(filter(None, labels), str(number))
            pages.setdefault(page, []).extend(names)
    return {page: list(dict.fromkeys(names)) for page, names in pages.items()}


def _own_pointers(division: Any) -> Iterator[Any]:  # noqa: ANN401
    return (child for child in division if os.fspath(child.tag).rpartition("}")[2] == "fptr")
