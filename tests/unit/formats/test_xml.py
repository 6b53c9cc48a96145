"""Malicious XML, and XML in another encoding than it declares."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagemeter.errors import FormatError, PagemeterError
from pagemeter.formats import read_pages

PAGE = b"<PcGts><Page/></PcGts>"


@pytest.mark.parametrize(
    "declaration",
    [
        '<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;"><!ENTITY x "&b;&b;&b;&b;&b;&b;">',
        "".join(f'<!ENTITY e{n} "{f"&e{n - 1};" * 10 if n else "ha"}">' for n in range(30))
        + '<!ENTITY x "&e29;">',
        f'<!ENTITY x "{"a" * 100_000}">',
        '<!ENTITY x SYSTEM "file:///etc/hostname">',
        '<!ENTITY x SYSTEM "http://127.0.0.1:9/x">',
        '<!ENTITY % p SYSTEM "file:///etc/hostname">%p;<!ENTITY x "x">',
    ],
)
@pytest.mark.parametrize(
    "use", ["<TextLine><TextEquiv><Unicode>&x;</Unicode></TextEquiv></TextLine>", '<TextLine id="&x;"/>']
)
def test_entities_are_refused(declaration, use):
    data = f"<!DOCTYPE PcGts [{declaration}]><PcGts><Page>{use}</Page></PcGts>".encode()
    with pytest.raises(FormatError, match=r"p\.xml: .*[Ee]ntit.*Write the characters"):
        read_pages(data, "p.xml")


def test_an_external_dtd_is_not_fetched(tmp_path):
    """Otherwise the default attribute of the DTD would be the image."""
    dtd = tmp_path / "page.dtd"
    dtd.write_text('<!ATTLIST Page imageFilename CDATA "fetched"><!ENTITY x "fetched">')
    head = f'<!DOCTYPE PcGts SYSTEM "{dtd.as_uri()}">'.encode()
    (page,) = read_pages(head + PAGE, "p.xml")
    assert page.image is None
    with pytest.raises(FormatError, match="entity 'x'"):
        read_pages(head + PAGE.replace(b"<Page/>", b"<Page>&x;</Page>"), "p.xml")


@pytest.mark.parametrize("address", ["http://127.0.0.1:9/page.dtd", "//127.0.0.1:9/page.dtd", "gone.dtd"])
def test_a_dtd_that_cannot_be_fetched_is_ignored(address):
    assert read_pages(f'<!DOCTYPE PcGts PUBLIC "x" "{address}">'.encode() + PAGE, "p.xml")


def test_deep_nesting_is_refused():
    deep = b"<PcGts><Page>" + b"<TextRegion>" * 100_000
    with pytest.raises(FormatError, match=r"nested too deeply|cut off"):
        read_pages(deep, "p.xml")
    with pytest.raises(FormatError, match="nested too deeply"):
        read_pages(b'{"lines": ' + b"[" * 100_000, "p.json")


@pytest.mark.parametrize(
    ("declared", "written", "remedy"),
    [
        ("UTF-8", "latin-1", "encoding='latin-1'"),
        ("UTF-16", "utf-8", "encoding='utf-8'"),
        ("klingon", "utf-8", "encoding='utf-8'"),
    ],
)
def test_the_remedy_for_a_wrong_encoding_helps(declared, written, remedy):
    text = "<Page imageFilename='ä.jpg'/>"
    data = f'<?xml version="1.0" encoding="{declared}"?><PcGts>{text}</PcGts>'.encode(written)
    with pytest.raises(FormatError, match=remedy):
        read_pages(data, "p.xml")
    assert read_pages(data, "p.xml", encoding=written)[0].image == "ä.jpg"


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"])
def test_encodings_are_read_from_byte_order_mark_or_declaration(encoding):
    declared = encoding.removesuffix("-sig")
    data = f'<?xml version="1.0" encoding="{declared}"?><PcGts><Page imageFilename="ä"/></PcGts>'
    assert read_pages(data.encode(encoding), "p.xml")[0].image == "ä"


@pytest.mark.parametrize("declared", [' encoding="UTF-8"', ""])
@pytest.mark.parametrize("written", ["utf-8", "utf-8-sig"])
def test_a_valid_declared_unicode_encoding_precedes_the_requested_one(declared, written):
    """The two sides of a collection may have different encodings."""
    data = f'<?xml version="1.0"{declared}?><PcGts><Page imageFilename="ä.jpg"/></PcGts>'.encode(written)
    (page,) = read_pages(data, "p.xml", encoding="latin-1")
    assert page.image == "ä.jpg"
    assert "read as utf-8, which the file declares and is valid in, and not as latin-1" in str(
        page.warnings[0]
    )
    assert read_pages(data, "p.xml", encoding="UTF8")[0].warnings == ()
    assert read_pages(data.replace("ä".encode(), b"a"), "p.xml", encoding="cp500")[0].image == "a.jpg"


def test_the_requested_encoding_precedes_a_declared_single_byte_encoding():
    data = '<?xml version="1.0" encoding="latin-1"?><PcGts><Page imageFilename="ä.jpg"/></PcGts>'.encode()
    (page,) = read_pages(data, "p.xml", encoding="utf-8")
    assert (page.image, page.warnings) == ("ä.jpg", ())


def test_white_space_before_the_declaration_is_skipped_with_a_warning():
    (page,) = read_pages(b'\n<?xml version="1.0"?>' + PAGE, "p.xml")
    assert [str(warn) for warn in page.warnings] == [
        "p.xml: beginning: white space before the XML was skipped"
    ]


SMALL_PAGE = (
    b'<PcGts><Page imageWidth="9"><ReadingOrder><OrderedGroup><RegionRefIndexed index="0" regionRef="r"/>'
    b'</OrderedGroup></ReadingOrder><TextRegion id="r"><TextLine><Coords points="1,2 3,4"/>'
    b'<TextEquiv index="0"><Unicode>a</Unicode></TextEquiv></TextLine></TextRegion></Page></PcGts>'
)
SMALL_ALTO = (
    b"<alto><Description><MeasurementUnit>pixel</MeasurementUnit></Description>"
    b'<Layout><Page WIDTH="9"><TextBlock>'
    b'<TextLine HPOS="1" VPOS="2" WIDTH="3" HEIGHT="4" BASELINE="1 2 3 4"><String CONTENT="a"/><SP/>'
    b'<HYP CONTENT="-"/></TextLine></TextBlock></Page></Layout></alto>'
)
PIECES = st.sampled_from(
    [b"", b"nan", b"-9", b"9" * 30, b"1e400", b",", b" ", b"<", b"&x;", b'"', b"\0", b"\xff"]
)


@given(
    st.sampled_from([SMALL_PAGE, SMALL_ALTO]),
    st.lists(st.tuples(st.integers(0, 500), st.integers(0, 9), PIECES), max_size=3),
)
def test_any_damage_gives_a_page_or_an_error_of_one_line(data, damages):
    for at, length, piece in damages:
        data = data[:at] + piece + data[at + length :]
    message = "p.xml: read"
    try:
        for page in read_pages(data, "p.xml", order="top-down"):
            hash(page)  # which reads every point
    except PagemeterError as error:
        message = str(error)
    assert message.startswith("p.xml: ")
    assert "\n" not in message
