"""PAGE XML: namespaces, pages, sizes and positions; test_text and test_reading_order have the rest."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from helpers import reasons
from pagemeter.errors import FormatError, InputError, UsageError
from pagemeter.formats import load, read_pages

NAMESPACE = "http://schema.primaresearch.org/PAGE/gts/pagecontent/2019-07-15"


def document(body, page="", namespace=NAMESPACE):
    return f'<PcGts xmlns="{namespace}"><Page {page}>{body}</Page></PcGts>'.encode()


def line(text="text", ident="l1", inside=""):
    return f'<TextLine id="{ident}">{inside}<TextEquiv><Unicode>{text}</Unicode></TextEquiv></TextLine>'


def region(*lines, ident="r1", name="TextRegion"):
    return f'<{name} id="{ident}">{"".join(lines)}</{name}>'


def read(body, page="", **options):
    (found,) = read_pages(document(body, page), "p.xml", **options)
    return found


PARTS = (
    '<Coords points="0,0 9,9"/>',
    '<Baseline points="0,5 9,5"/>',
    '<Baseline><Point x="0" y="6"/><Point x="9" y="6"/></Baseline>',
    "<TextEquiv><Unicode>one</Unicode></TextEquiv>",
    "<TextEquiv><Unicode>a<b>b</b></Unicode></TextEquiv>",
    "<TextEquiv><PlainText>two</PlainText></TextEquiv>",
    "<TextEquiv/>",
    "<text_equiv><unicode>of 2009</unicode></text_equiv>",
    "<Word><TextEquiv><Unicode>word</Unicode></TextEquiv></Word>",
    "<TextStyle/>",
)


@given(st.lists(st.lists(st.sampled_from(PARTS), max_size=4) | st.just([PARTS[0], PARTS[1], PARTS[3]])))
def test_a_line_is_read_alike_after_any_other_line(lines):
    """The tags of a usual line are remembered for the next one."""
    bodies = [f'<TextLine id="l1">{"".join(parts)}</TextLine>' for parts in lines]
    alone = [read(region(body)).lines[0] for body in bodies]
    assert list(read(region(*bodies)).lines) == alone


@pytest.mark.parametrize(
    "namespace",
    [
        *(
            f"http://schema.primaresearch.org/PAGE/gts/pagecontent/{date}"
            for date in (
                "2009-03-16",
                "2010-01-12",
                "2010-03-19",
                "2013-07-15",
                "2016-07-15",
                "2017-07-15",
                "2018-07-15",
                "2019-07-15",
                "2024-07-15",
            )
        ),
        "https://schema.primaresearch.org/PAGE/gts/pagecontent/2013-07-15",
        "",
    ],
)
def test_every_namespace_is_read(namespace):
    (page,) = read_pages(document(region(line("one")), namespace=namespace), "p.xml")
    assert [found.text for found in page.lines] == ["one"]
    assert not page.warnings


def test_a_prefix_changes_nothing():
    """OCR-D writes pc:PcGts."""
    data = document(region(line("one"))).decode()
    data = data.replace("<", "<pc:").replace("<pc:/", "</pc:").replace("xmlns=", "xmlns:pc=")
    (page,) = read_pages(data.encode(), "p.xml")
    assert page.lines[0].text == "one"


def test_the_root_of_2009_begins_with_a_lower_case_letter():
    data = document(region(line("one"))).replace(b"PcGts", b"pcGts")
    assert read_pages(data, "p.xml")[0].lines[0].text == "one"


def test_names_of_2009_are_read():
    """The files of the page segmentation competition of 2009 write text_region and image_width."""
    points = '<coords><point x="1" y="2"/><point x="3" y="4"/></coords>'
    text = "<text_equiv><plain_text>no</plain_text><unicode>{}</unicode></text_equiv>"
    data = (
        '<pcGts xmlns="http://schema.primaresearch.org/PAGE/gts/pagecontent/2009-03-16"><pcMetadata/>'
        '<page image_filename="a.tif" image_width="10" image_height="20">'
        '<reading_order><ordered_group><region_ref_indexed index="1" region_ref="r1"/>'
        '<region_ref_indexed index="0" region_ref="r2"/></ordered_group></reading_order>'
        f'<text_region id="r1">{text.format("region")}{points}</text_region><noise_region id="r3"/>'
        f'<text_region id="r2"><text_line id="l1">{points}{text.format("line")}</text_line></text_region>'
        "</page></pcGts>"
    )
    (page,) = read_pages(data.encode(), "p.xml")
    assert (page.image, page.width, page.height) == ("a.tif", 10, 20)
    assert [(found.text, found.id) for found in page.lines] == [("line", "l1"), ("region", None)]
    assert page.lines[0].polygon == page.lines[1].polygon == ((1, 2), (3, 4))


def test_lines_keep_their_id_and_region():
    page = read(region(line("one", "l1"), line("two", "l2"), ident="r7"))
    assert [(found.id, found.region) for found in page.lines] == [("l1", "r7"), ("l2", "r7")]


def test_a_line_break_in_an_id_becomes_a_space():
    assert read(region(line(ident="page\n _0"))).lines[0].id == "page  _0"


def test_lines_with_the_same_id_are_all_kept():
    page = read(region(line("one", "l1"), line("two", "l1")))
    assert [found.text for found in page.lines] == ["one", "two"]


def test_lines_outside_any_region_are_kept():
    """Elements in unexpected places are read."""
    page = read(line("stray") + f"<Unforeseen>{region(line('deep'))}</Unforeseen>")
    assert [found.text for found in page.lines] == ["stray", "deep"]


def test_several_pages_are_read_and_load_says_how_to_choose_one(tmp_path):
    path = tmp_path / "two.xml"
    one = document(region(line("one"))).decode()
    path.write_text(one.replace("</PcGts>", f"<Page>{region(line('two'))}</Page></PcGts>"))
    with pytest.raises(
        UsageError, match=r"two\.xml: the file has 2 pages\. Use pagemeter\.formats\.load_pages"
    ):
        load(path)
    assert load(path, page=2).lines[0].text == "two"
    with pytest.raises(UsageError, match="pages 1 to 2"):
        load(path, page=3)
    with pytest.raises(UsageError, match="pages 1 to 2"):
        load(path, page=0)


def test_a_file_without_page_is_refused():
    with pytest.raises(FormatError, match=r"p\.xml: PcGts: has no Page element"):
        read_pages(b"<PcGts/>", "p.xml")


def test_a_page_without_lines_is_a_page():
    assert read("").lines == ()


@pytest.mark.parametrize(
    ("attributes", "expected"),
    [
        ('imageFilename="GT-PAGE/x.jpg" imageWidth="100" imageHeight="200"', ("GT-PAGE/x.jpg", 100, 200)),
        (r'imageFilename="C:\tomcat\x.tif" imageWidth="100.0"', (r"C:\tomcat\x.tif", 100, None)),
        ('imageFilename=""', (None, None, None)),
        ("", (None, None, None)),
    ],
)
def test_image_and_size_are_read(attributes, expected):
    page = read("", attributes)
    assert (page.image, page.width, page.height) == expected
    assert not page.warnings


@pytest.mark.parametrize("size", ["0", "foo", "-5", "nan", "inf", ""])
def test_an_invalid_size_is_ignored_with_a_warning(size):
    page = read("", f'imageWidth="{size}"')
    assert page.width is None
    assert reasons(page) == [f"{size!r} is not a size and was ignored"]


def position(inside):
    page = read(region(line(inside=inside)))
    return page.lines[0].baseline, page.lines[0].polygon, reasons(page)


def test_whole_numbers_are_read_as_int():
    baseline, polygon, warned = position('<Coords points="1,2 30,4 5,60"/><Baseline points="7,8 9,10"/>')
    assert baseline == ((7, 8), (9, 10))
    assert polygon == ((1, 2), (30, 4), (5, 60))
    assert all(isinstance(value, int) for point in polygon for value in point)
    assert not warned


def test_point_children_of_2009_and_2010_are_read():
    children = '<Point x="1" y="2"/><Point x="3" y="4"/>'
    baseline, polygon, warned = position(f"<Coords>{children}</Coords><Baseline>{children}</Baseline>")
    assert baseline == polygon == ((1, 2), (3, 4))
    assert not warned


@pytest.mark.parametrize(
    ("points", "expected"),
    [
        ("1.5,2 3,4.25", ((1.5, 2), (3, 4.25))),
        ("-1,2 3,-4", ((-1, 2), (3, -4))),
        (" 1,2  3,4 ", ((1, 2), (3, 4))),
        ("1,2\n3,4", ((1, 2), (3, 4))),
        ("1,2", ((1, 2),)),
        ("0,0 1,1 1,0 0,1 0,0", ((0, 0), (1, 1), (1, 0), (0, 1), (0, 0))),
        ("1e2,2 3,4", ((100.0, 2), (3, 4))),
    ],
)
def test_unusual_points_are_read(points, expected):
    """Fractions, points outside the page, white space, single points and closed polygons all occur."""
    _, polygon, warned = position(f'<Coords points="{points}"/>')
    assert polygon == expected
    assert not warned


@pytest.mark.parametrize(
    ("points", "reason"),
    [
        ("", "no points"),
        (", , , ,", "no points"),
        ("1,2 3", "an odd number of coordinates"),
        ("1,2 nan,4", "a coordinate that is not a finite number"),
        ("1,2 -inf,4", "a coordinate that is not a finite number"),
        ("1,2 99999999999999,4", "a coordinate beyond 1,000,000 pixels"),
        ("1,2 1e300,4", "a coordinate beyond 1,000,000 pixels"),
        ("1,2 x,4", "a coordinate that is not a number"),
        ("1,2 3,", "an odd number of coordinates"),
    ],
)
def test_unusable_points_are_ignored_with_a_warning(points, reason):
    baseline, polygon, warned = position(f'<Coords points="1,2 3,4"/><Baseline points="{points}"/>')
    assert baseline is None
    assert polygon == ((1, 2), (3, 4))
    assert warned == [f"the baseline was ignored: {reason}"]


def test_one_unusable_polygon_does_not_affect_the_others():
    bad, good = '<Coords points="nan,1"/>', '<Coords points="1,2 3,4"/>'
    page = read(region(line(ident="l1", inside=good), line(ident="l2", inside=bad), line(inside="<Coords/>")))
    assert [found.polygon for found in page.lines] == [((1, 2), (3, 4)), None, None]
    assert [warn.element for warn in page.warnings] == ["TextLine l2", "TextLine l1"]


def test_coordinates_may_be_missing_on_line_and_region():
    page = read(region(line("one"), ident="eSc_dummyblock_"))
    assert page.lines[0].polygon is None
    assert not page.lines[0].has_position
    assert not page.warnings


def test_baselines_keep_their_direction():
    """Right to left, upwards, downwards and back and forth."""
    for points in ("90,5 10,5", "5,90 5,10", "5,10 5,90", "10,5 50,5 30,6 90,5"):
        baseline, _, warned = position(f'<Baseline points="{points}"/>')
        assert " ".join(f"{x},{y}" for x, y in baseline) == points
        assert not warned


def test_rotation_does_not_change_the_text():
    page = read(
        '<TextRegion orientation="90" custom="orientation {3;}">' + line("one") + "</TextRegion>",
        'orientation="45"',
    )
    assert page.lines[0].text == "one"


def test_a_polygon_with_many_points_is_read():
    points = " ".join(f"{x},{x % 97}" for x in range(100_000))
    _, polygon, _ = position(f'<Coords points="{points}"/>')
    assert len(polygon) == 100_000
    assert polygon[-1] == (99_999, 99_999 % 97)


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda data: data[: len(data) // 2], "cut off"),
        (lambda data: data[:-1], "cut off|[Rr]epair the file"),
        (lambda data: data.replace(b"text", b"te\x01xt"), "control character"),
        (lambda data: data.replace(b"text", b"t\xe4xt"), "encoding='latin-1'"),
        (lambda data: data.replace(b"text", b"&nbsp;"), "entities are never expanded"),
        (lambda data: data.replace(b"</TextRegion>", b"</Region>"), "not well-formed"),
    ],
)
def test_a_damaged_file_gives_one_line_with_file_and_remedy(damage, message):
    with pytest.raises(InputError, match=message) as caught:
        read_pages(damage(document(region(line()))), "p.xml")
    assert str(caught.value).startswith("p.xml: ")
    assert "\n" not in str(caught.value)
