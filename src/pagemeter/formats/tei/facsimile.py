"""The facsimile of a TEI file: surfaces are page images, zones are positions on them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pagemeter.formats.coordinates import parse_points, parse_rectangle
from pagemeter.formats.xml import LOCAL_NAMES, Element

if TYPE_CHECKING:
    from pagemeter.formats.base import Notes
    from pagemeter.page import Points

_EDGES = ("ulx", "uly", "lrx", "lry")
_PIXELS = re.compile(r"(\d{1,7})(?:\.\d+)?(?:px)?")
_XML_ID = "{http://www.w3.org/XML/1998/namespace}id"


@dataclass(frozen=True, slots=True)
class Position:
    """The baseline and the polygon of a zone; each may be missing."""

    baseline: Points | None = None
    polygon: Points | None = None


@dataclass(frozen=True, slots=True)
class Surface:
    """The image of a page and its size."""

    image: str | None = None
    width: int | None = None
    height: int | None = None


class Facsimile:
    """The zones and surfaces of a file by their ids."""

    def __init__(self, root: Element) -> None:
        self._zones: dict[str, Element] = {}
        self._surfaces: dict[str, Element] = {}
        self._zones_by_start: dict[str, Element] = {}
        # Many elements may refer to the same zone or surface, which is read once.
        self._positions: dict[Element, tuple[Position, tuple[str, ...]]] = {}
        self._read_surfaces: dict[Element, Surface] = {}
        for element in root.iter("{*}zone", "{*}surface", "{*}graphic"):
            name, element_id = LOCAL_NAMES[element.tag], get_id(element)
            if name == "zone":
                self._zones_by_start.setdefault((element.get("start") or "").lstrip("#"), element)
            if element_id is not None:
                (self._zones if name == "zone" else self._surfaces).setdefault(element_id, element)
        self._zones_by_start.pop("", None)

    def find_position(self, element: Element, label: str, notes: Notes) -> Position | None:
        """Return the position of the zone that an element is linked with, in either direction."""
        for target in (element.get("facs") or "").split():
            zone = self._zones.get(target.removeprefix("#"))
            if zone is not None:
                return self._zone_position(zone, label, notes)
            if target.startswith("#") and target[1:] not in self._surfaces:
                notes.add(label, "facs refers to no zone of this file, so there is no position")
        zone = self._zones_by_start.get(get_id(element) or "")
        return None if zone is None else self._zone_position(zone, label, notes)

    def _zone_position(self, zone: Element, label: str, notes: Notes) -> Position:
        if zone not in self._positions:
            self._positions[zone] = _read_position(zone)
        position, problems = self._positions[zone]
        for problem in problems:
            notes.add(label, problem)
        return position

    def find_surface(self, element: Element) -> Surface:
        """Return the page image that a page beginning is linked with."""
        links = (element.get("facs") or "").split()
        for target in links:
            linked = self._surfaces.get(target.removeprefix("#"))
            if linked is not None:
                if linked not in self._read_surfaces:
                    is_surface = LOCAL_NAMES[linked.tag] == "surface"
                    self._read_surfaces[linked] = read_surface(linked if is_surface else linked.getparent())
                return self._read_surfaces[linked]
        image = next((target for target in links if not target.startswith("#")), None)
        return Surface(image)


def get_id(element: Element) -> str | None:
    """Return the id of an element: `xml:id`, or `id` before TEI P5."""
    value = element.get(_XML_ID) or element.get("id")
    return str(value) if value else None


def read_position(zone: Element, label: str, notes: Notes) -> Position:
    """Return the position of a zone: its points or corners, and a baseline inside it.

    >>> from pagemeter.formats.base import Notes
    >>> from pagemeter.formats.xml import parse_xml
    >>> zone = parse_xml(b'<zone points="0,0 9,0 9,5"><path points="0,4 9,4"/></zone>', "a.xml")
    >>> read_position(zone, "lb", Notes("a.xml"))
    Position(baseline=((0, 4), (9, 4)), polygon=((0, 0), (9, 0), (9, 5)))
    """
    position, problems = _read_position(zone)
    for problem in problems:
        notes.add(label, problem)
    return position


def _read_position(zone: Element) -> tuple[Position, tuple[str, ...]]:
    """Return the position of a zone, and a description of its fault."""
    problems: list[str] = []
    points = _points(zone, problems)
    if _is_baseline(zone):
        return Position(points, None), tuple(problems)
    baseline = next((child for child in zone if _is_baseline(child)), None)
    line = None if baseline is None else _points(baseline, problems)
    return Position(line, points), tuple(problems)


def read_surface(surface: Element) -> Surface:
    """Return the image and the size of a surface."""
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
    if LOCAL_NAMES[zone.tag] == "path":
        return "baseline" in kinds or kinds == {""}
    return LOCAL_NAMES[zone.tag] == "zone" and "baseline" in kinds


def _points(zone: Element, problems: list[str]) -> Points | None:
    text = zone.get("points")
    edges = [zone.get(edge) for edge in _EDGES]
    try:
        if text:
            return parse_points(text) or None
        if None not in edges:
            return parse_rectangle(edges)[0].corners
    except ValueError as error:
        problems.append(f"the position was ignored: {error}")
    return None


def _size(element: Element | None, name: str) -> int | None:
    match = None if element is None else _PIXELS.fullmatch(element.get(name) or "")
    return int(match[1]) or None if match else None
