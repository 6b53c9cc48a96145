"""What the kernel accepts as plain XML is well-formed, and means the same to lxml."""

from __future__ import annotations

import random

import pytest
from lxml import etree

from fuzz.mutation import mutated
from fuzz.seeds import seeds_of
from pagemeter._kernel import parse_plain_xml

PARSER = etree.XMLParser(
    resolve_entities=False, no_network=True, remove_comments=True, remove_pis=True, remove_blank_text=True
)
NAMES = [
    *"ab",
    "p:a",
    "q:b",
    "_x-1.y",
    "xmlns",
    "xmlns:p",
    "xmlns:q",
    "xml:id",
    "xml:space",
    "1a",
    "a:b:c",
    "é",
]
VALUES = ["", "u", "u/p", "1,2 3,4", "&amp;&#65;&#x1F600;", "a\tb\r\nc\rd\n"]
TEXTS = ["", " ", "\n  ", "one", "&lt;&gt;&quot;&apos;&amp;", "a\r\nb\rc"]
ODD_VALUES = [
    *VALUES,
    "v w",
    "&#13;&#10;",
    "<",
    "&no;",
    "'",
    "é",
    ":",
    "a#b#",
    "http://a:b",
    "http://a/b?c=d",
]
ODD_TEXTS = [*TEXTS, " \r\na", "\r", "&#xD800;", "]]>", "é\U0001f600", "\x85"]
ODD = ("<!-- c -->", "<?p i?>", "<![CDATA[x]]>", "&#0;", "\0", "\x1f", "\ufffe", "<", "&", " " * 300)
HEADS = (
    "",
    "\ufeff",
    '<?xml version="1.0"?>',
    "<?xml version='1.0' encoding='utf-8' standalone='no' ?>\n",
    '<?xml version="1.0" encoding="latin-1"?>',
    '<?xml version="1.1"?>',
    '<?xml encoding="UTF-8"?>',
    "<!DOCTYPE a>",
)


def shape(element):
    """Return what a reader can see of an element and of those inside it."""
    attributes = {
        name: element.get(name) for name in ("id", "points", "a", "b", "{u}a", "{u/p}b", "q:b", "_x-1.y")
    }
    text = None if len(element) else element.text
    return element.tag, attributes, text, [shape(child) for child in element]


def compare(data: bytes) -> bool:
    """Return True if the kernel accepts a file, after comparing its elements with those of lxml."""
    plain = parse_plain_xml(data)
    if plain is None:
        return False
    known = etree.fromstring(data, PARSER)
    assert known.getroottree().docinfo.internalDTD is None
    assert shape(plain) == shape(known)
    assert [*plain.itertext()] == [*known.itertext()]
    return True


def seeds(few: int, many: int) -> list:
    return [*range(few), *(pytest.param(seed, marks=pytest.mark.exhaustive) for seed in range(few, many))]


def random_element(rng: random.Random, depth: int, oddity: float) -> str:
    def odd(usual, unusual):
        return rng.choice(unusual) if rng.random() < oddity else rng.choice(usual)

    name = odd(NAMES[:2], NAMES)
    attributes = ""
    for usual in rng.sample(("a", "b", "id", "points"), rng.choice((0, 1, 1, 3))):
        quote = rng.choice("'\"")
        attributes += (
            f"{odd(' ', ('', '  ', chr(10)))}{odd((usual,), NAMES)}={quote}{odd(VALUES, ODD_VALUES)}{quote}"
        )
    if rng.random() < 0.2:
        return f"<{name}{attributes}{rng.choice(('', ' '))}/>"
    if depth == 0 or rng.random() < 0.3:
        inside = odd(TEXTS, (*ODD_TEXTS, *ODD))
    else:
        parts = [random_element(rng, depth - 1, oddity) for _ in range(rng.randint(1, 3))]
        inside = "".join(odd(("", "\n "), (*ODD_TEXTS, *ODD)) + part for part in (*parts, ""))
    return f"<{name}{attributes}>{inside}</{odd((name,), NAMES)}{rng.choice(('', ' '))}>"


@pytest.mark.parametrize("oddity", [0.0, 0.02, 0.1])
@pytest.mark.parametrize("seed", seeds(4, 60))
def test_random_files_mean_the_same_to_both_parsers(oddity, seed):
    rng = random.Random(f"{seed} {oddity}")
    accepted = 0
    for _ in range(500):
        head = rng.choice(HEADS[:4]) if rng.random() < 0.9 else rng.choice(HEADS)
        namespaces = rng.choice(("", ' xmlns="u"', ' xmlns:p="u" xmlns:q="u/p"'))
        inside = "".join(random_element(rng, rng.randint(0, 4), oddity) for _ in range(2))
        accepted += compare(f"{head}<root{namespaces}>{inside}</root>\n".encode())
    assert accepted > (350 if oddity == 0 else 30)


@pytest.mark.parametrize("seed", seeds(2, 30))
def test_damaged_files_mean_the_same_to_both_parsers(seed):
    rng = random.Random(seed)
    samples = [data for name in ("page", "alto") for _, data in seeds_of(name)]
    accepted = 0
    for _ in range(500):
        data = rng.choice(samples)
        accepted += compare(data) + compare(mutated(rng, data, rng.choice(samples)))
    assert accepted > 100


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"<a",
        b"<a>",
        b"<a></b>",
        b"<a/><b/>",
        b"<a/>text",
        b" <?xml version='1.0'?><a/>",
        b"<a b='1' b='2'/>",
        b"<a b='1'c='2'/>",
        b"<a b=1/>",
        b"<a b='<'/>",
        b"<p:a/>",
        b"<a p:b='1'/>",
        b"<a xmlns:p=''/>",
        b"<a xmlns:p='u' xmlns:q='u' p:b='1' q:b='2'/>",
        b"<a>&copy;</a>",
        b"<a>&#0;</a>",
        b"<a>&#xFFFFFFFF;</a>",
        b"<a>&#;</a>",
        b"<a>]]></a>",
        b"<a>\xc3</a>",
        b"<a>\xed\xa0\x80</a>",
        b"<a>\xef\xbf\xbe</a>",
        b"<a>\xf4\x90\x80\x80</a>",
        b"<a>\xc0\x80</a>",
        b"<a>\x01</a>",
        b"<a>one<b/></a>",
        b"<a> \r\nb</a>",
        b"<a xmlns=':'/>",
        b"<a xmlns='http://b:c'/>",
        b"<a xmlns='http://'/>",
        b"<a xmlns='http://https://b'/>",
        b"<a xmlns:p='" + b"u" * 300 + b"'>" + b"<b p:c='' p:d=''/>" * 100 + b"</a>",
        b"<a><!-- c --></a>",
        b"<a" + b" b='1'" * 100 + b"/>",
        b"<a>" * 300 + b"</a>" * 300,
        b"<a>" + b"x" * 8_000_000 + b"</a>",
    ],
    ids=lambda data: repr(data[:40]),
)
def test_files_that_are_left_to_the_complete_parser(data):
    assert parse_plain_xml(data) is None


def test_the_interface_of_an_element():
    element = parse_plain_xml(b'<a xmlns="u" x="1"><b>one</b><c><b>two</b></c></a>')
    assert element.tag == "{u}a"
    assert (element.get("x"), element.get("y"), element.get("y", "2")) == ("1", None, "2")
    assert [child.tag for child in element[:]] == ["{u}b", "{u}c"]
    assert [child.text for child in element[::2]] == ["one"]
    assert element[-1].itertext() == ["two"]
    assert len(element) == 2
    with pytest.raises(IndexError):
        element[2]
    with pytest.raises(TypeError):
        element.get("\ud800")
