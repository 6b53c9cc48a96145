"""The fields of a JSON object, checked one by one; a wrong one is named with its path."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NoReturn

from pagemeter.errors import FormatError
from pagemeter.formats.points import beyond

if TYPE_CHECKING:
    from pagemeter.formats.base import Notes
    from pagemeter.page import Points


class Fields:
    """Reads the fields of one object and remembers which, so that the others can be named.

    >>> from pagemeter.formats.base import Notes
    >>> fields = Fields({"text": "one", "conf": 1}, "p.json", "lines[0]", notes := Notes("p.json"))
    >>> fields.text("text")
    'one'
    >>> fields.ignore_others(); print(*notes.warnings())
    p.json: lines[0].conf: unknown key: ignored
    """

    def __init__(self, document: Any, source: str, where: str, notes: Notes) -> None:  # noqa: ANN401  (JSON)
        self._source = source
        self._where = where
        self._notes = notes
        if not isinstance(document, dict):
            self._refuse("", f"must be an object, not {_kind(document)}")
        self._left = dict(document)

    def text(self, key: str) -> str:
        """A string that must be there."""
        found = self.string(key)
        if found is None:
            self._refuse(key, "is missing")
        return found

    def string(self, key: str) -> str | None:
        """A string, or None where it is missing."""
        found = self._left.pop(key, None)
        if found is not None and not isinstance(found, str):
            self._refuse(key, f"must be a string, not {_kind(found)}")
        return found

    def whole(self, key: str) -> int | None:
        """A whole number, or None where it is missing."""
        found = self._left.pop(key, None)
        if found is not None and (not isinstance(found, int) or isinstance(found, bool)):
            self._refuse(key, f"must be a whole number, not {_kind(found)}")
        return found

    def items(self, key: str, missing: list[Any] | None = None) -> list[Any]:
        """A list; `missing` is what it is where it is missing."""
        found = self._left.pop(key, missing)
        if not isinstance(found, list):
            self._refuse(key, f"must be a list, not {_kind(found)}")
        return found

    def points(self, key: str) -> Points | None:
        """A list of pairs of numbers, or None where it is missing."""
        found = self._left.pop(key, None)
        if found is None:
            return None
        if not isinstance(found, list) or not all(map(_is_point, found)):
            self._refuse(key, "must be a list of [x, y]")
        points = tuple((x, y) for x, y in found)
        if reason := beyond(points):
            self._refuse(key, reason)
        return points

    def expect(self, key: str, value: object) -> None:
        """A field that must have one value, because no other is known."""
        found = self._left.pop(key, None)
        if found != value:
            self._refuse(key, f"must be {value!r}, not {found!r}; a newer pagemeter may have written it")

    def ignore_others(self) -> None:
        """Say which fields nobody asked for."""
        for key in self._left:
            self._notes.add(f"{self._where}.{key}", "unknown key: ignored")

    def _refuse(self, key: str, reason: str) -> NoReturn:
        where = f"{self._where}.{key}" if key else self._where
        raise FormatError(f"{self._source}: {where}: {reason}; mend the JSON")


def _is_point(found: object) -> bool:
    return (
        isinstance(found, list)
        and len(found) == 2  # noqa: PLR2004  (x and y)
        and all(isinstance(value, (int, float)) and not isinstance(value, bool) for value in found)
    )


def _kind(found: object) -> str:
    names = {dict: "an object", list: "a list", str: "a string", bool: "true or false", type(None): "nothing"}
    return names.get(type(found), "a number")
