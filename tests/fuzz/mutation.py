"""Changes to files: of bytes, of lines, and of the structure of XML, HTML and JSON."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import islice
from typing import Any

from lxml import etree

TOKENS = (
    b"<", b">", b"&", b"&#0;", b"&shy;", b"]]>", b"<!--", b"<![CDATA[", b"<?x", b"\x00", b"\xff\xfe", b"\xc3",
    b"\xef\xbb\xbf", b"NaN", b"-1", b"1e999", b"9" * 20, b'points=""', b'index="-3"', b"\x0c", b"{", b"[",
    b"<TextLine/>", b"</TextLine>", b"<Unicode/>", b'CONTENT=""', b'title="bbox"', b'xmlns=""', b"|", b"```",
    b"9" * 400, b"9" * 5000, b"[" * 3000, b"\x7f", b"&#" + b"9" * 5000 + b";", b' encoding="punycode"',
    b"$$", b"\\[", b"\r", b"\n\n---\n", b'<!DOCTYPE a [<!ENTITY b "c">]>', b"&b;",
)  # fmt: skip
NUMBERS = (
    "0", "-0", "-1", "1.5", "-1e9", "1e308", "1e999", "-1e-999", "NaN", "inf", "-Infinity", "0x10", "1_0", "٣",
    "²", "½", "2147483648", "9223372036854775808", "9" * 20, "9" * 400, "9" * 5000, "0." + "9" * 400,
    "1e" + "9" * 30, "+7", " 7 ",
)  # fmt: skip
TEXTS = (
    "", " ", "a", "\u00ad", "-", "\u0301", "\u200b", "\u202e", "\ufeff", "\ufffe", "\x7f", "\x85", "\u2028", "𝔄",
    "😀", "\t\n\r", "a" * 3000, " " * 3000, "\n" * 500, "1,2 3,4", "1,2", "1 2 3", "0,0 0,0", ",", ";", "#a",
    "#a #b", "/", "../../a.png", "bbox 0 0 9 9", "bbox 9 9 0 0", "poly 1 2", "textangle 91", "baseline 1e9 -5",
    "x_bboxes", "readingOrder {index:-1;}", "readingOrder {index:9" + "9" * 400 + ";}", "vertical-rl", "ocr_line",
    "ocr_page", "Text", "HypPart1", "baseline", "true", "null",
)  # fmt: skip
BEGINNINGS = (b" ", b"    ", b"> ", b"- ", b"1. ", b"# ", b"\t", b"| ", b"$$ ")
JSON_VALUES = (
    None, True, False, 0, -1, 10**400, 1e308, "", "a", [], {}, [[]], [None], {"text": None}, {"": ""}, "@number",
)  # fmt: skip
MAX_TREE = 400_000  # bytes that a change of structure may produce

Mutation = Callable[[random.Random, bytes, bytes], bytes | None]


def mutated(rng: random.Random, data: bytes, other: bytes) -> bytes:
    """Return data after changes of its structure, of its bytes, or of both; `other` is spliced in."""
    if rng.random() < 0.6:
        data = structure_mutated(rng, data, other)
        if rng.random() < 0.8:
            return data
    return bytes_mutated(rng, data, other)


def bytes_mutated(rng: random.Random, data: bytes, other: bytes) -> bytes:
    """Return data after one to four changes: cut, delete, repeat, flip, insert or splice."""
    out = bytearray(data)
    for _ in range(rng.randint(1, 4)):
        a, b = sorted(rng.randrange(len(out) + 1) for _ in range(2))
        b = min(b, a + rng.choice((1, 8, 200, 5000)))
        kind = rng.randrange(6)
        if kind == 0:
            del out[b:]
        elif kind == 1:
            del out[a:b]
        elif kind == 2:
            out[a:a] = out[a:b]
        elif kind == 3 and a < len(out):
            out[a] = rng.randrange(256)
        elif kind == 4:
            out[a:a] = rng.choice(TOKENS)
        else:
            out[a:b] = other[a:b]
    return bytes(out)


def structure_mutated(rng: random.Random, data: bytes, other: bytes) -> bytes:
    """Return data after one to four changes of its elements, values or lines."""
    begin = data[:200].lstrip(b"\xef\xbb\xbf \t\r\n")[:1]
    mutations: dict[bytes, Mutation] = {b"<": xml_mutated, b"{": json_mutated, b"[": json_mutated}
    out = mutations.get(begin, lines_mutated)(rng, data, other)
    return lines_mutated(rng, data, other) if out is None or len(out) > MAX_TREE else out


def lines_mutated(rng: random.Random, data: bytes, other: bytes) -> bytes:
    """Repeat, move, delete, indent and splice lines."""
    lines = data.split(b"\n")
    for _ in range(rng.randint(1, 4)):
        at, to = rng.randrange(len(lines) + 1), rng.randrange(len(lines) + 1)
        some = lines[at : at + rng.choice((1, 1, 3, 20))]
        kind = rng.randrange(6)
        if kind == 0:
            lines[to:to] = some * rng.choice((1, 2, 50))
        elif kind == 1:
            del lines[at : at + len(some)]
            lines[to:to] = some
        elif kind == 2:
            lines[at : at + len(some)] = []
        elif kind == 3:
            begin = rng.choice(BEGINNINGS) * rng.choice((1, 3, 30))
            lines[at : at + len(some)] = [begin + line for line in some]
        elif kind == 4:
            lines.insert(to, rng.choice((*TEXTS, *NUMBERS)).encode("utf-8", "surrogatepass"))
        else:
            lines[to:to] = rng.choices(other.split(b"\n"), k=rng.choice((1, 5)))
    return b"\n".join(lines)


def xml_mutated(rng: random.Random, data: bytes, other: bytes) -> bytes | None:
    """Change the elements of an XML or HTML file; None if it cannot be parsed."""
    root = _parsed(data)
    if root is None:
        return None
    elements = [element for element in root.iter() if isinstance(element.tag, str)]
    for _ in range(rng.randint(1, 4)):
        with suppress(ValueError):  # a damaged file may have names that lxml does not write
            rng.choice(_XML_CHANGES)(rng, elements, other)
    encoding = rng.choice(("utf-8",) * 8 + ("utf-16", "ascii"))
    try:
        return etree.tostring(root, encoding=encoding, xml_declaration=rng.random() < 0.5, with_tail=False)
    except (ValueError, RecursionError, etree.SerialisationError):  # the parser keeps invalid characters
        return None


def _parsed(data: bytes) -> Any:
    for parser in (
        etree.XMLParser(resolve_entities=False, no_network=True, recover=True),
        etree.HTMLParser(no_network=True),
    ):
        try:
            root = etree.fromstring(data, parser)
        except (etree.XMLSyntaxError, ValueError):
            continue
        if root is not None:
            return root
    return None


def _is_small(element: Any) -> bool:
    return sum(1 for _ in islice(element.iter(), 300)) < 300


def _repeat(rng: random.Random, elements: list, _: bytes) -> None:
    element = rng.choice(elements)
    parent = rng.choice((element.getparent(), rng.choice(elements)))
    if parent is not None and _is_small(element):
        model = copy.deepcopy(element)  # the parent may be inside the element
        for _ in range(rng.choice((1, 1, 2, 30))):
            parent.insert(rng.randint(0, len(parent)), copy.deepcopy(model))


def _move(rng: random.Random, elements: list, _: bytes) -> None:
    element, parent = rng.choice(elements), rng.choice(elements)
    if element.getparent() is not None and element not in (parent, *parent.iterancestors()):
        parent.insert(rng.randint(0, len(parent)), element)


def _delete(rng: random.Random, elements: list, _: bytes) -> None:
    element = rng.choice(elements)
    if element.getparent() is not None:
        element.getparent().remove(element)


def _nest(rng: random.Random, elements: list, _: bytes) -> None:
    """Put an element into copies of itself or of another one, as deep as the parser allows and deeper."""
    element, like = rng.choice(elements), rng.choice(elements)
    parent = element.getparent()
    if parent is None:
        return
    at = parent.index(element)
    for _ in range(rng.choice((1, 2, 5, 60, 300))):
        around = etree.Element(like.tag, dict(like.attrib))
        around.append(element)
        element = around
    parent.insert(at, element)


def _set_attribute(rng: random.Random, elements: list, _: bytes) -> None:
    with_attributes = [element for element in elements if element.attrib]
    if not with_attributes:
        return
    model = rng.choice(with_attributes)
    element = rng.choice((model, model, rng.choice(elements)))
    name = rng.choice(list(model.attrib))
    element.set(name, _other_value(rng, model.get(name) or ""))


def _delete_attribute(rng: random.Random, elements: list, _: bytes) -> None:
    element = rng.choice(elements)
    if element.attrib:
        del element.attrib[rng.choice(list(element.attrib))]


def _exchange_attributes(rng: random.Random, elements: list, _: bytes) -> None:
    """Give an element the attributes of another one, so that ids are equal and references point to others."""
    one, other = rng.choice(elements), rng.choice(elements)
    for name, value in other.attrib.items():
        one.set(name, value)


def _set_text(rng: random.Random, elements: list, _: bytes) -> None:
    element = rng.choice(elements)
    value = _other_value(rng, element.text or "")
    if rng.random() < 0.7:
        element.text = value
    else:
        element.tail = value


def _rename(rng: random.Random, elements: list, _: bytes) -> None:
    element, other = rng.choice(elements), rng.choice(elements)
    element.tag = rng.choice((other.tag, other.tag.rpartition("}")[2], "{urn:x}a"))


def _splice(rng: random.Random, elements: list, other: bytes) -> None:
    """Insert an element of another file."""
    root = _parsed(other)
    if root is not None:
        parts = [part for part in root.iter() if isinstance(part.tag, str) and _is_small(part)]
        if parts:
            parent = rng.choice(elements)
            parent.insert(rng.randint(0, len(parent)), rng.choice(parts))


def _add_comment(rng: random.Random, elements: list, _: bytes) -> None:
    """Insert a comment or an instruction, which are elements without a name."""
    parent = rng.choice(elements)
    part = rng.choice((etree.Comment("a"), etree.ProcessingInstruction("a", "b")))
    part.tail = rng.choice((None, "a", "\n"))
    parent.insert(rng.randint(0, len(parent)), part)


_XML_CHANGES = (
    _repeat, _move, _delete, _nest, _set_attribute, _set_attribute, _set_attribute, _delete_attribute,
    _exchange_attributes, _set_text, _rename, _splice, _add_comment,
)  # fmt: skip


def _other_value(rng: random.Random, value: str) -> str:
    """Return an extreme or a small change of a text: each of its numbers may change."""
    parts = value.replace(",", " , ").split(" ")
    numbers = [at for at, part in enumerate(parts) if part.strip("-.;")[:1].isdigit()]
    if numbers and rng.random() < 0.6:
        for at in rng.sample(numbers, rng.randint(1, min(3, len(numbers)))):
            parts[at] = rng.choice(NUMBERS)
        return " ".join(parts).replace(" , ", ",")
    kind = rng.randrange(4)
    if kind == 0:
        return (value * rng.choice((2, 50)))[:20_000]
    if kind == 1:
        return value[: rng.randint(0, len(value))]
    return rng.choice(NUMBERS if kind == 2 else TEXTS)


def json_mutated(rng: random.Random, data: bytes, other: bytes) -> bytes | None:
    """Change the values of a JSON file; None if it cannot be parsed, or is too deep to be written."""
    try:
        value = json.loads(data)
        for _ in range(rng.randint(1, 4)):
            value = _changed_json(rng, value, other)
        text = json.dumps(value, ensure_ascii=rng.random() < 0.7)
    except (ValueError, RecursionError):
        return None
    return text.replace('"@number"', rng.choice(NUMBERS)).encode("utf-8", "surrogatepass")


def _changed_json(rng: random.Random, value: Any, other: bytes) -> Any:
    places = list(_places(value))
    if not places:
        return _other_json(rng, value)
    _change_member(rng, *rng.choice(places), [container[key] for container, key in places], other)
    return value


def _places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Yield each container and key of a value."""
    queue = [value]
    while queue:
        container = queue.pop()
        keys: Any = range(len(container)) if isinstance(container, list) else container
        for key in keys if isinstance(container, list | dict) else ():
            yield container, key
            queue.append(container[key])


def _change_member(rng: random.Random, container: Any, key: Any, values: list, other: bytes) -> None:
    kind = rng.randrange(7)
    if kind == 0:
        del container[key]
    elif kind == 1 and isinstance(container, list):
        container[key:key] = [copy.deepcopy(container[key]) for _ in range(rng.choice((1, 2, 50)))]
    elif kind == 1:
        container[rng.choice(("lines", "pages", "text", "id", "", "x"))] = copy.deepcopy(container[key])
    elif kind == 2:
        container[key] = copy.deepcopy(rng.choice(values))
    elif kind == 3:
        for _ in range(rng.choice((1, 2, 200))):
            container[key] = rng.choice(([container[key]], {"lines": container[key]}))
    elif kind == 4:
        container[key] = other[: rng.randint(0, 3000)].decode("utf-8", "replace")
    else:
        container[key] = _other_json(rng, container[key])


def _other_json(rng: random.Random, value: Any) -> Any:
    """Return a value of another type, or an extreme of the same type."""
    if isinstance(value, str) and rng.random() < 0.5:
        return rng.choice((*TEXTS, "\ud800", "\x00", value * 50))
    if isinstance(value, int | float) and rng.random() < 0.6:
        return "@number"
    return copy.deepcopy(rng.choice(JSON_VALUES))
