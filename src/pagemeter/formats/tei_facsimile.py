"""The facsimile of a TEI file: surfaces, which are page images, and zones, which are places on them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pagemeter.formats.boxes import parse_box
from pagemeter.formats.points import parse_points
from pagemeter.formats.xml import LOCAL, Element

if TYPE_CHECKING:
    from pagemeter.formats.base import Notes
    from pagemeter.page import Points

_CORNERS = ("ulx", "uly", "lrx", "lry")
_PIXELS = re.compile(r"(\d{1,7})(?:\.\d+)?(?:px)?")
XML_ID = "{http://www.w3.org/XML/1998/namespace}id"


@dataclass(frozen=True, slots=True)
class Place:
    """What a zone says: the outline of a line, its baseline, or both."""

    baseline: Points | None = None
    polygon: Points | None = None


@dataclass(frozen=True, slots=True)
class Surface:
    """What a surface says of its page image."""

    image: str | None = None
    width: int | None = None
    height: int | None = None


def ident(element: Element) -> str | None:
    """The id of an element, as TEI has it since version 5 or before."""
    found = element.get(XML_ID) or element.get("id")
    return str(found) if found else None


class Facsimile:
    """The zones and surfaces of a file by their ids."""

    def __init__(self, root: Element) -> None:
        self._zones: dict[str, Element] = {}
        self._surfaces: dict[str, Element] = {}
        self._started: dict[str, Element] = {}
        for element in root.iter("{*}zone", "{*}surface", "{*}graphic"):
            kind, name = LOCAL[element.tag], ident(element)
            if kind == "zone":
                self._started.setdefault((element.get("start") or "").lstrip("#"), element)
            if name is not None:
                (self._zones if kind == "zone" else self._surfaces).setdefault(name, element)
        self._started.pop("", None)

    def place(self, element: Element, name: str, notes: Notes) -> Place | None:
        """Where the zone stands that an element of the text is linked with, in either direction."""
        for target in (element.get("facs") or "").split():
            zone = self._zones.get(target.removeprefix("#"))
            if zone is not None:
                return place_of(zone, name, notes)
            if target.startswith("#") and target[1:] not in self._surfaces:
                notes.add(name, "facs leads to no zone of this file: no place")
        started = self._started.get(ident(element) or "")
        return None if started is None else place_of(started, name, notes)

    def surface(self, element: Element) -> Surface:
        """The page image that a page beginning is linked with."""
        links = (element.get("facs") or "").split()
        for target in links:
            found = self._surfaces.get(target.removeprefix("#"))
            if found is not None:
                return surface_of(found if LOCAL[found.tag] == "surface" else found.getparent())
        image = next((target for target in links if not target.startswith("#")), None)
        return Surface(image)


def place_of(zone: Element, name: str, notes: Notes) -> Place:
    """The place of a zone: its own points or corners, and a baseline inside it.

    >>> from pagemeter.formats.base import Notes
    >>> from pagemeter.formats.xml import parse
    >>> zone = parse(b'<zone points="0,0 9,0 9,5"><path points="0,4 9,4"/></zone>', "a.xml")
    >>> place_of(zone, "lb", Notes("a.xml"))
    Place(baseline=((0, 4), (9, 4)), polygon=((0, 0), (9, 0), (9, 5)))
    """
    points = _points(zone, name, notes)
    if _is_baseline(zone):
        return Place(points, None)
    inside = next((child for child in zone if _is_baseline(child)), None)
    return Place(None if inside is None else _points(inside, name, notes), points)


def surface_of(surface: Element) -> Surface:
    """The image and the size of a surface."""
    graphic = next(surface.iterchildren("{*}graphic"), None)
    image = None if graphic is None else graphic.get("url") or None
    sizes = [
        _size(surface, name) or _size(graphic, other) for name, other in (("lrx", "width"), ("lry", "height"))
    ]
    return Surface(image, *sizes)


def _is_baseline(zone: Element) -> bool:
    if not isinstance(zone.tag, str):
        return False
    kinds = {(zone.get(name) or "").lower() for name in ("type", "subtype", "rendition")}
    if LOCAL[zone.tag] == "path":
        return "baseline" in kinds or kinds == {""}
    return LOCAL[zone.tag] == "zone" and "baseline" in kinds


def _points(zone: Element, name: str, notes: Notes) -> Points | None:
    spelling = zone.get("points")
    corners = [zone.get(corner) for corner in _CORNERS]
    try:
        if spelling:
            return parse_points(spelling) or None
        if None not in corners:
            return parse_box(corners)[0].corners
    except ValueError as error:
        notes.add(name, f"place left out: {error}")
    return None


def _size(element: Element | None, name: str) -> int | None:
    found = None if element is None else _PIXELS.fullmatch(element.get(name) or "")
    return int(found[1]) or None if found else None
