"""Parse JSON files, and read their values with errors that name the path of a value."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, NoReturn

from pagemeter.errors import FormatError, TruncatedError
from pagemeter.formats.coordinates import Rectangle, range_error
from pagemeter.formats.plain import decode_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pagemeter.formats.base import Notes
    from pagemeter.page import Points

REPAIR = "repair the JSON"
_CUT_OFF = "the JSON is cut off"
_COMPLETE = "get a complete copy; if the model reached its limit of tokens, raise the limit"
_SEPARATOR = re.compile(r"[\s,]*+")
_BOX, _QUADRILATERAL = 4, 8  # numbers


def parse_json(text: str, source: str, *, constants: bool = False) -> Any:  # noqa: ANN401  (any JSON)
    """Parse JSON; `constants` says whether NaN and Infinity are allowed, which are then read as None.

    >>> parse_json('[{"text": "a li', "p.json")
    Traceback (most recent call last):
    pagemeter.errors.TruncatedError: p.json: line 1, column 11: the JSON is cut off. Get a complete copy; ...
    """
    try:
        return json.loads(text, parse_constant=_as_none if constants else _refuse_constant)
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        if error.msg.startswith("Unterminated string") or not text[error.pos :].strip():
            raise TruncatedError(_CUT_OFF, source=source, element=where, remedy=_COMPLETE) from None
        raise FormatError(error.msg, source=source, element=where, remedy=REPAIR) from None
    except ValueError as error:
        is_giant = "integer string conversion" in str(error)
        detail = "a number of thousands of digits, which no page has" if is_giant else str(error)
        raise FormatError(detail, source=source, remedy=REPAIR) from None


def _refuse_constant(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is not a number in JSON")


def _as_none(_: str) -> None:
    return None


def read_document(data: bytes, source: str, encoding: str | None) -> JsonNode:
    """Parse a JSON file of another program.

    >>> read_document(b'{"a": [1]}', "p.json", None)["a"].value
    [1]
    """
    return JsonNode(parse_json(decode_text(data, source, encoding), source, constants=True), source)


def read_model_list(data: bytes, source: str, encoding: str | None, notes: Notes) -> JsonNode:
    """Parse a JSON list of objects that a model wrote, without the code fence around it.

    If the list is cut off, its complete objects are used, with a warning.

    >>> from pagemeter.formats.base import Notes
    >>> notes = Notes("p.json")
    >>> read_model_list(b'[{"text": "a"}, {"text": "b', "p.json", None, notes).value
    [{'text': 'a'}]
    >>> print(notes.warnings()[0].reason)
    the JSON is cut off, and only its complete blocks are read: 1. Get a complete copy; ...
    """
    text = decode_text(data, source, encoding).strip()
    if text.startswith("```"):
        text = text.partition("\n")[2].removesuffix("```")
    try:
        return JsonNode(parse_json(text, source, constants=True), source)
    except FormatError as error:
        objects = list(_complete_objects(text)) if error.problem.detail == _CUT_OFF else []
        if not objects:
            raise
        detail = f"{_CUT_OFF}, and only its complete blocks are read: {len(objects)}"
        notes.add(error.problem.element, detail, _COMPLETE)
        return JsonNode(objects, source)


def _complete_objects(text: str) -> Iterator[Any]:
    """Iterate over the objects of a list that is cut off."""
    decoder = json.JSONDecoder(parse_constant=_as_none)
    if not text.startswith("["):
        return
    position = 1
    while True:
        begin = _SEPARATOR.match(text, position).end()  # type: ignore[union-attr]  # it may match nothing
        try:
            value, position = decoder.raw_decode(text, begin)
        except ValueError:
            return
        yield value


class JsonNode:
    """A value of a JSON document, with its path for messages.

    >>> node = JsonNode({"pages": [{"text": 1}]}, "p.json")["pages"].items()[0]["text"]
    >>> node.text()
    Traceback (most recent call last):
    pagemeter.errors.FormatError: p.json: pages[0].text: must be a string, not a number. Repair the JSON.
    """

    __slots__ = ("_key", "_parent", "source", "value")

    def __init__(
        self,
        value: Any,  # noqa: ANN401  (any JSON)
        source: str,
        parent: JsonNode | None = None,
        key: str | int = "",
    ) -> None:
        self.value = value
        self.source = source
        self._parent = parent
        self._key = key

    def __getitem__(self, key: str) -> JsonNode:
        """Return the value of a key of an object; a value that is missing or null is None."""
        if self.value is None:
            return JsonNode(None, self.source, self, key)
        if not isinstance(self.value, dict):
            self.refuse(f"must be an object, not {type_name(self.value)}")
        return JsonNode(self.value.get(key), self.source, self, key)

    def first(self, *keys: str) -> JsonNode:
        """Return the value of the first key that has a value, or else of the last key."""
        for key in keys:
            if self[key].value is not None:
                break
        return self[key]

    def __bool__(self) -> bool:
        """Return True if there is a value other than null."""
        return self.value is not None

    def items(self) -> list[JsonNode]:
        """Return the values of a list, which may be missing."""
        if self.value is None:
            return []
        if not isinstance(self.value, list):
            self.refuse(f"must be a list, not {type_name(self.value)}")
        return [JsonNode(value, self.source, self, index) for index, value in enumerate(self.value)]

    def keys(self) -> list[str]:
        """Return the keys of an object, which may be missing."""
        if self.value is None:
            return []
        if not isinstance(self.value, dict):
            self.refuse(f"must be an object, not {type_name(self.value)}")
        return list(self.value)

    def text(self) -> str:
        """Return a string, or "" if it is missing."""
        if self.value is None:
            return ""
        if not isinstance(self.value, str):
            self.refuse(f"must be a string, not {type_name(self.value)}")
        return self.value

    def number(self) -> float | None:
        """Return a number, or None if it is missing."""
        if self.value is None:
            return None
        if not is_number(self.value):
            self.refuse(f"must be a number, not {type_name(self.value)}")
        return self.value  # type: ignore[no-any-return]  # checked above

    def integer(self) -> int | None:
        """Return a whole number, which may also be written as a string, or None if it is missing."""
        value = self.value
        if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) < _MAX_DIGITS:
            return int(value)
        if value is not None and (not isinstance(value, int) or isinstance(value, bool)):
            self.refuse(f"must be a whole number, not {type_name(value)}")
        if value is not None and abs(value) >= _INTEGER_LIMIT:
            self.refuse("is too large for a page")
        return value

    def size(self, factor: float | None = 1) -> int | None:
        """Return the width or height of a page in pixels, or None if it is missing or not possible.

        `factor` is the number of pixels per unit of the file, or None if it is unknown.
        """
        value = self.value
        if factor is None or not is_number(value) or range_error(((value, 0),)) or value * factor < 1:
            return None
        pixels: int = round(value * factor)
        return pixels

    def points(self, label: str | None, notes: Notes) -> Points | None:
        """Return a polygon; if it is not one, return None and warn with the label, or else with the path.

        The polygon is a list of four numbers (left, top, right, bottom), of more numbers (x, y, x, y, …), of
        pairs of numbers, or of objects with x and y, where 0 may be missing.
        """
        if self.value is None:
            return None
        points = _points(self.value)
        reason = "not a list of coordinates" if not points else range_error(points)
        if reason:
            notes.add(self.path if label is None else label, f"the position was ignored: {reason}")
            return None
        return points

    def refuse(self, detail: str, remedy: str = REPAIR) -> NoReturn:
        """Raise FormatError for this value."""
        raise FormatError(detail, source=self.source, element=self.path, remedy=remedy)

    @property
    def path(self) -> str:
        """The path of the value in the document, such as `pages[0].text`."""
        keys: list[str] = []
        node: JsonNode | None = self
        while node is not None and node._parent is not None:  # noqa: SLF001  (of the same class)
            keys.append(f"[{node._key}]" if isinstance(node._key, int) else f".{node._key}")  # noqa: SLF001
            node = node._parent  # noqa: SLF001
        return "".join(reversed(keys)).removeprefix(".") or "document"


_MAX_DIGITS = 18
_INTEGER_LIMIT = 10**_MAX_DIGITS


def _points(value: Any) -> Points | None:  # noqa: ANN401
    """Return the points of a polygon in one of the notations of `JsonNode.points`."""
    if not isinstance(value, list) or not value:
        return None
    if all(map(is_number, value)):
        if len(value) == _BOX:
            left, top, right, bottom = value
            return Rectangle(min(left, right), min(top, bottom), max(left, right), max(top, bottom)).corners
        return tuple(zip(value[::2], value[1::2], strict=True)) if len(value) % 2 == 0 else None
    points = [_point(one) for one in value]
    return None if None in points else tuple(point for point in points if point)


def _point(value: Any) -> tuple[float, float] | None:  # noqa: ANN401
    if isinstance(value, dict):
        value = [_coordinate(value, "x"), _coordinate(value, "y")]
    is_pair = isinstance(value, list) and len(value) == 2 and all(map(is_number, value))  # noqa: PLR2004
    return (value[0], value[1]) if is_pair else None


def _coordinate(point: dict[str, Any], name: str) -> Any:  # noqa: ANN401
    value = point.get(name, point.get(name.upper()))
    return 0 if value is None else value


def is_number(value: object) -> bool:
    """Return True for a JSON number; true and false are not numbers.

    >>> is_number(1.5), is_number(True)
    (True, False)
    """
    return isinstance(value, int | float) and not isinstance(value, bool)


def type_name(value: object) -> str:
    """Return the name of the type of a JSON value, for messages.

    >>> type_name([])
    'a list'
    """
    names = {dict: "an object", list: "a list", str: "a string", bool: "true or false", type(None): "null"}
    return names.get(type(value), "a number")
