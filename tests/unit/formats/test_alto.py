"""ALTO: namespaces, blocks, units and positions; test_lines and test_reading_order have the rest."""

from __future__ import annotations

import pytest

from documents.alto import UNIT, block, line, read, texts, warned
from pagemeter.errors import FormatError, UsageError
from pagemeter.formats import load, read_pages


@pytest.mark.parametrize(
    "namespace",
    [
        *(f"http://www.loc.gov/standards/alto/ns-v{version}#" for version in (2, 3, 4)),
        "http://schema.ccs-gmbh.com/ALTO",
        "http://bibnum.bnf.fr/ns/alto_prod",
        "",
    ],
)
def test_every_namespace_is_read_with_and_without_prefix(namespace):
    body = (
        f"<alto>{UNIT}<Layout><Page><PrintSpace>{block('b', line('one'))}</PrintSpace></Page></Layout></alto>"
    )
    plain = body.replace("<alto>", f'<alto xmlns="{namespace}">')
    assert texts(read_pages(plain.encode(), "a.xml")[0]) == "one"
    if namespace:
        prefixed = (
            body.replace("<", "<a:")
            .replace("<a:/", "</a:")
            .replace("<a:alto>", f'<a:alto xmlns:a="{namespace}">')
        )
        assert texts(read_pages(prefixed.encode(), "a.xml")[0]) == "one"


def test_lines_keep_their_id_and_block():
    found = read(f"<PrintSpace>{block('b1', line('l1'))}</PrintSpace>").lines[0]
    assert (found.id, found.region) == ("l1", "b1")


def test_blocks_are_found_at_any_depth():
    """In margins, in nested composed blocks, directly in the page, and in unknown elements."""
    body = (
        f"<TopMargin>{block('b1', line('top'))}</TopMargin>"
        f"<PrintSpace><ComposedBlock ID='c'><ComposedBlock>{block('b2', line('deep'))}</ComposedBlock>"
        f"<TextLine ID='l'><String CONTENT='bare'/></TextLine></ComposedBlock></PrintSpace>"
        f"{block('b3', line('page'))}<Unforeseen>{block('b4', line('odd'))}</Unforeseen>"
    )
    page = read(body)
    assert sorted(texts(page).split()) == ["bare", "deep", "odd", "page", "top"]
    assert {found.text: found.region for found in page.lines}["bare"] == "c"
    assert not page.warnings


def test_margins_are_read_in_document_order():
    foot, body = block("b1", line("foot")), block("b2", line("body"))
    page = read(f"<BottomMargin>{foot}</BottomMargin><PrintSpace>{body}</PrintSpace>")
    assert texts(page) == "foot body"


def test_a_string_outside_a_line_is_skipped_with_a_warning():
    page = read(block("b", '<String ID="s" CONTENT="lost"/>', line("one")))
    assert texts(page) == "one"
    assert warned(page) == ["String s: is outside any TextLine, and was skipped"]


def test_several_pages_are_read_and_load_says_how_to_choose_one(tmp_path):
    path = tmp_path / "two.xml"
    pages = "".join(f"<Page>{block('b', line(text))}</Page>" for text in ("one", "two"))
    path.write_text(f"<alto>{UNIT}<Layout>{pages}</Layout></alto>")
    with pytest.raises(UsageError, match=r"Use pagemeter\.formats\.load_pages"):
        load(path)
    assert texts(load(path, page=2)) == "two"


def test_a_file_without_page_is_refused():
    with pytest.raises(FormatError, match="no Page element"):
        read_pages(b"<alto><Layout/></alto>", "a.xml")


def test_image_and_size():
    head = UNIT.replace(
        "</Desc", "<sourceImageInformation><fileName> a\\b.jpg </fileName></sourceImageInformation></Desc"
    )
    page = read("", head, 'WIDTH="100" HEIGHT="200.0"')
    assert (page.image, page.width, page.height) == ("a\\b.jpg", 100, 200)
    page = read("", UNIT, 'WIDTH="foo" HEIGHT="0"')
    assert (page.image, page.width, page.height) == (None, None, None)
    assert warned(page) == [
        "Page WIDTH: 'foo' is not a size and was ignored",
        "Page HEIGHT: '0' is not a size and was ignored",
    ]


def position(attributes, inside="", head=UNIT, **options):
    page = read(block("b", line("l1", attributes, inside)), head, **options)
    return page.lines[0].baseline, page.lines[0].polygon, warned(page)


BOX = 'HPOS="10" VPOS="20" WIDTH="100" HEIGHT="30"'
CORNERS = ((10, 20), (110, 20), (110, 50), (10, 50))


@pytest.mark.parametrize("points", ["10 48 110 49", "10,48 110,49"])
def test_baselines_and_polygons_in_both_notations(points):
    shape = f'<Shape><Polygon POINTS="{points}"/></Shape>'
    baseline, polygon, warnings = position(f'BASELINE="{points}" {BOX}', shape)
    assert baseline == polygon == ((10, 48), (110, 49))
    assert not warnings


def test_one_number_is_the_height_of_a_horizontal_baseline():
    assert position(f'BASELINE="48" {BOX}') == (((10, 48), (110, 48)), CORNERS, [])
    assert position('BASELINE="48"') == (
        None,
        None,
        ["TextLine l1: the baseline '48' was ignored: the line has no box"],
    )


def test_the_box_is_the_polygon_of_a_line_without_shape():
    assert position(BOX) == (None, CORNERS, [])
    assert position('HPOS="1.5" VPOS="2" WIDTH="10" HEIGHT="4"')[1] == (
        (1.5, 2),
        (11.5, 2),
        (11.5, 6),
        (1.5, 6),
    )
    assert position(BOX, "<Shape><Circle HPOS='1' VPOS='1' RADIUS='1'/></Shape>")[1] == CORNERS


def test_the_box_of_the_words_replaces_a_box_with_negative_height():
    word = '<String CONTENT="w" HPOS="1" VPOS="2" WIDTH="3" HEIGHT="4"/>'
    _, polygon, warnings = position('HPOS="10" VPOS="20" WIDTH="100" HEIGHT="-19"', word)
    assert polygon == ((1, 2), (4, 2), (4, 6), (1, 6))
    assert warnings == [
        "TextLine l1: the box was ignored: its width or height is negative",
        "TextLine l1: has no position of its own, so the box around its words is used",
    ]


def test_a_line_without_position_is_read():
    assert position("") == (None, None, [])


@pytest.mark.parametrize(
    ("attributes", "reason"),
    [
        (f'BASELINE="" {BOX}', "the baseline '' was ignored: it is not a number"),
        (f'BASELINE="x" {BOX}', "the baseline 'x' was ignored: it is not a number"),
        (f'BASELINE="1 2 3" {BOX}', "the baseline was ignored: an odd number of coordinates"),
        (f'BASELINE="1 2 nan 4" {BOX}', "the baseline was ignored: a coordinate that is not a finite number"),
        (BOX.replace("10", "1e9", 1), "the polygon was ignored: a coordinate beyond 1,000,000 pixels"),
        (BOX.replace("10", "foo", 1), "the polygon was ignored: a coordinate that is not a number"),
        (BOX.replace("10", "10,20 30", 1), "the polygon was ignored: a box that is not four numbers"),
        (BOX.replace("10", "", 1), "the polygon was ignored: an odd number of coordinates"),
    ],
)
def test_unusable_positions_are_ignored_with_a_warning(attributes, reason):
    assert position(attributes)[2] == [f"TextLine l1: {reason}"]


def unit(name):
    return UNIT.replace("pixel", name)


@pytest.mark.parametrize("name", ["mm10", "inch1200"])
def test_other_units_need_a_resolution(name):
    """The text is read, and positions in another unit are ignored with a warning."""
    page = read(block("b", line("l1", BOX)), unit(name), 'WIDTH="1000"')
    assert texts(page) == "l1"
    assert not page.lines[0].has_position
    assert page.width is None
    (warnings,) = warned(page)
    assert warnings == (
        f"MeasurementUnit {name}: positions were ignored, because {name} cannot be converted to pixels. "
        "Give the resolution of the image with dpi."
    )


@pytest.mark.parametrize(
    ("name", "dpi", "factor"), [("mm10", 254, 1.0), ("mm10", 508, 2.0), ("inch1200", 300, 0.25)]
)
def test_a_resolution_converts_units_to_pixels(name, dpi, factor):
    page = read(block("b", line("l1", f'BASELINE="10 20 30 20" {BOX}')), unit(name), 'WIDTH="1000"', dpi=dpi)
    assert page.lines[0].baseline == ((10 * factor, 20 * factor), (30 * factor, 20 * factor))
    assert page.lines[0].polygon[2] == (110 * factor, 50 * factor)
    assert page.width == 1000 * factor
    assert not page.warnings


def test_an_unknown_unit_is_named_in_a_warning():
    page = read(block("b", line("l1", BOX)), unit("mm"), dpi=300)
    assert page.lines[0].polygon is None
    (warnings,) = warned(page)
    assert warnings == (
        "MeasurementUnit mm: positions were ignored, because mm cannot be converted to pixels "
        "(known units: pixel, mm10, inch1200)"
    )


def test_a_missing_unit_is_assumed_to_be_pixel():
    page = read(block("b", line("l1", BOX)), "")
    assert page.lines[0].polygon == CORNERS
    assert warned(page) == ["MeasurementUnit: is missing, so pixel is assumed"]


@pytest.mark.parametrize("dpi", [0, -300, float("nan")])
def test_an_impossible_resolution_is_refused(dpi):
    with pytest.raises(UsageError, match="resolution"):
        read("", dpi=dpi)


def test_unusable_points_in_another_unit_give_a_warning():
    assert position(f'BASELINE="1 2 3" {BOX}', head=unit("mm10"), dpi=254)[2] == [
        "TextLine l1: the baseline was ignored: an odd number of coordinates"
    ]


def test_level_region_reads_lines_with_a_warning():
    page = read(block("b", line("l1"), line("l2")), level="region")
    assert texts(page) == "l1 l2"
    assert warned(page) == ["TextBlock: ALTO blocks have no text of their own, so lines are read"]


LATIN = (
    f'<?xml version="1.0" encoding="ISO-8859-1"?><alto>{UNIT}<Layout><Page>{line("é")}</Page></Layout></alto>'
)


def test_iso_8859_1_is_read_as_declared_or_as_requested():
    (page,) = read_pages(LATIN.encode("latin-1"), "a.xml")
    assert texts(page) == "é"
    (page,) = read_pages(LATIN.encode(), "a.xml", encoding="utf-8")
    assert texts(page) == "é"
    assert not page.warnings


def test_a_doubtful_declaration_gives_a_warning():
    (page,) = read_pages(LATIN.encode(), "a.xml")
    assert warned(page) == [
        (
            "XML declaration: declares the encoding iso-8859-1, but the bytes are also valid UTF-8. "
            "If characters look wrong, try encoding='utf-8'."
        )
    ]
