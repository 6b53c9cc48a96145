"""PAGE XML: the order of regions and lines."""

from __future__ import annotations

import pickle

import pytest

from pagemeter.formats import read_pages


def region(ident, *inside, name="TextRegion", attributes="", y=None):
    """Return a region with the given content and one line whose text is the id."""
    coords = "" if y is None else f'<Coords points="0,{y} 9,{y} 9,{y + 5}"/>'
    text = f"<TextEquiv><Unicode>{ident}</Unicode></TextEquiv>"
    own = f"<TextLine>{coords}{text}</TextLine>" if name == "TextRegion" else ""
    return f'<{name} id="{ident}" {attributes}>{"".join(inside)}{own}</{name}>'


def ref(ident, index=None):
    return (
        f'<RegionRef regionRef="{ident}"/>'
        if index is None
        else f'<RegionRefIndexed regionRef="{ident}" index="{index}"/>'
    )


def group(kind, *inside, attributes=""):
    return f'<{kind} id="g" {attributes}>{"".join(inside)}</{kind}>'


def read(*regions, order=None, **options):
    reading = f"<ReadingOrder>{order}</ReadingOrder>" if order is not None else ""
    data = f"<PcGts><Page>{reading}{''.join(regions)}</Page></PcGts>"
    (page,) = read_pages(data.encode(), "p.xml", **options)
    return "".join(found.text for found in page.lines), [str(warn)[7:] for warn in page.warnings]


ABC = (region("a"), region("b"), region("c"))


def test_document_order_is_used_without_a_reading_order():
    assert read(*ABC) == ("abc", [])
    assert read(*ABC, order="") == ("abc", [])


def test_indices_are_sorted_and_may_have_gaps():
    """Tesseract begins at 1 or 4 and leaves gaps."""
    assert read(*ABC, order=group("OrderedGroup", ref("a", 9), ref("b", 40), ref("c", 4))) == ("cab", [])


def test_indices_are_numbers_not_text():
    assert read(*ABC, order=group("OrderedGroup", ref("a", 10), ref("b", 9), ref("c", 11)))[0] == "bac"


def test_groups_may_be_nested_and_unordered():
    order = group(
        "UnorderedGroup",
        group("OrderedGroup", ref("c", 1), ref("b", 0)),
        group("OrderedGroup", ref("a", 0)),
    )
    assert read(*ABC, order=order) == (
        "bca",
        ["UnorderedGroup g: its members have no order, so document order is used"],
    )


def test_indexed_groups_are_sorted_among_references():
    order = group(
        "OrderedGroup",
        ref("a", 2),
        group("UnorderedGroupIndexed", ref("c"), attributes='index="0"'),
        group("OrderedGroupIndexed", ref("b", 0), attributes='index="1"'),
    )
    assert read(*ABC, order=order) == ("cba", [])


def test_a_group_that_is_a_region_is_read_before_its_members():
    regions = (region("a", region("b"), region("c")), region("d"))
    members = group("OrderedGroupIndexed", ref("c", 0), ref("b", 1), attributes='index="1" regionRef="a"')
    assert read(*regions, order=group("OrderedGroup", ref("d", 0), members)) == ("dacb", [])


def test_regions_inside_a_listed_region_follow_in_document_order():
    regions = (region("x"), region("a", region("b"), region("c")))
    assert read(*regions, order=group("OrderedGroup", ref("a", 0), ref("x", 1))) == ("bcax", [])


def test_a_table_that_is_a_group_is_read_in_the_order_of_its_members():
    table = region("t", region("a"), region("b"), name="TableRegion")
    members = group("OrderedGroupIndexed", ref("b", 0), ref("a", 1), attributes='index="0" regionRef="t"')
    assert read(table, order=group("OrderedGroup", members)) == ("ba", [])


def test_unlisted_regions_are_appended_with_a_warning():
    order = group("OrderedGroup", ref("c", 0))
    assert read(*ABC, order=order) == (
        "cab",
        ["region a and 1 more: not in the reading order, placed after the others in document order"],
    )


def test_unlisted_regions_without_text_give_no_warning():
    image = region("i", name="ImageRegion")
    assert read(image, *ABC, order=group("OrderedGroup", ref("b", 0), ref("a", 1), ref("c", 2))) == (
        "bac",
        [],
    )


def test_an_unlisted_line_outside_any_region_is_appended():
    stray = '<TextLine id="l"><TextEquiv><Unicode>s</Unicode></TextEquiv></TextLine>'
    text, warned = read(stray, region("a"), order=group("OrderedGroup", ref("a", 0)))
    assert text == "as"
    assert warned == ["line l: not in the reading order, placed after the others in document order"]


def test_missing_regions_are_skipped_with_a_warning():
    order = group("OrderedGroup", ref("gone", 0), ref("b", 1), ref("a", 2), ref("c", 3))
    assert read(*ABC, order=order) == (
        "bac",
        ["ReadingOrder gone: there is no region with this id"],
    )


def test_images_may_be_in_the_order():
    order = group("OrderedGroup", ref("i", 0), ref("b", 1), ref("a", 2), ref("c", 3))
    assert read(*ABC, region("i", name="ImageRegion"), order=order) == ("bac", [])


def test_a_region_listed_twice_is_read_once():
    order = group("OrderedGroup", ref("b", 0), ref("a", 1), ref("b", 2), ref("c", 3))
    assert read(*ABC, order=order) == (
        "bac",
        ["ReadingOrder b: the region is listed again, and its first position is used"],
    )


def test_two_regions_with_the_same_id_are_both_read():
    regions = (region("a"), region("a"), region("b"))
    assert read(*regions, order=group("OrderedGroup", ref("b", 0), ref("a", 1), ref("a", 2))) == ("baa", [])
    assert read(*regions, order=group("OrderedGroup", ref("b", 0), ref("a", 1)))[0] == "baa"


def test_members_without_index_are_read_in_document_order():
    text, warned = read(*ABC, order=group("OrderedGroup", ref("b"), ref("a"), ref("c")))
    assert text == "bac"
    assert warned == ["OrderedGroup g: members have equal or no indices, so document order is used"]


def custom(index):
    return f'custom="structure {{type:heading;}} readingOrder {{index:{index};}}"'


def test_custom_indices_are_used_without_a_reading_order():
    regions = (region("a", attributes=custom(7)), region("b", attributes=custom(3)), region("c"))
    assert read(*regions) == (
        "bac",
        ["region c: has no index in its attribute custom, unlike others, and is read last"],
    )


def test_reading_order_precedes_custom_indices():
    regions = (region("a", attributes=custom(1)), region("b", attributes=custom(0)))
    assert read(*regions, order=group("OrderedGroup", ref("a", 0), ref("b", 1))) == ("ab", [])


def test_custom_indices_of_lines_do_not_reorder_them():
    lines = "".join(
        f"<TextLine {custom(0)}><TextEquiv><Unicode>{text}</Unicode></TextEquiv></TextLine>" for text in "xyz"
    )
    assert read(f"<TextRegion>{lines}</TextRegion>") == ("xyz", [])


def test_order_document_ignores_the_reading_order():
    regions = region("a", attributes=custom(7)) + region("b", attributes=custom(3))
    reading = f"<ReadingOrder>{group('OrderedGroup', ref('b', 0))}</ReadingOrder>"
    data = f"<PcGts><Page>{reading}{regions}</Page></PcGts>".encode()
    (page,) = read_pages(data, "p.xml", order="document")
    assert "".join(found.text for found in page.lines) == "ab"
    assert not page.warnings


def lines(*places):
    inside = ""
    for text, y in places:
        coords = "" if y is None else f'<Coords points="0,{y} 9,{y} 9,{y + 5}"/>'
        inside += f"<TextLine>{coords}<TextEquiv><Unicode>{text}</Unicode></TextEquiv></TextLine>"
    return f"<TextRegion>{inside}</TextRegion>"


def ordered(order, *regions):
    (page,) = read_pages(f"<PcGts><Page>{''.join(regions)}</Page></PcGts>".encode(), "p.xml", order=order)
    return "".join(found.text for found in page.lines)


@pytest.mark.parametrize(
    ("order", "expected"),
    [("file", "zyxba"), ("document", "zyxba"), ("top-down", "abxyz"), ("top-down-lines", "xyzab")],
)
def test_lines_in_a_region_are_sorted_only_on_request(order, expected):
    assert ordered(order, lines(("z", 90), ("y", 80), ("x", 70)), lines(("b", 60), ("a", 50))) == expected


def test_a_line_without_position_follows_the_line_before_it():
    assert ordered("top-down", lines(("b", 90), ("c", None), ("a", 10))) == "abc"
    assert ordered("top-down", lines(("b", None), ("c", 20), ("a", 10))) == "bac"


def cell(row, column, text):
    own = f"<TextLine><TextEquiv><Unicode>{text}</Unicode></TextEquiv></TextLine>"
    return f'<TableCell row="{row}" col="{column}">{own}</TableCell>'


def test_table_cells_are_read_row_by_row():
    cells = cell(1, 0, "c") + cell(0, 1, "b") + cell(10, 0, "d") + cell(0, 0, "a")
    assert read(f"<TableRegion>{cells}</TableRegion>") == ("abcd", [])


def test_cells_of_ocr_d_are_read_row_by_row():
    def role(row, column):
        return f'<Roles><TableCellRole rowIndex="{row}" columnIndex="{column}"/></Roles>'

    cells = region("c", role(1, 0)) + region("b", role(0, 1)) + region("a", role(0, 0))
    assert read(f"<TableRegion>{cells}</TableRegion>") == ("abc", [])


def test_lines_have_the_row_and_column_of_their_cell():
    role = '<Roles><TableCellRole rowIndex="3" columnIndex="4"/></Roles>'
    data = f"<PcGts><Page>{region('a', role)}{cell(1, 2, 'b')}{region('c')}</Page></PcGts>"
    (page,) = read_pages(data.encode(), "p.xml")
    assert [line.cell for line in page.lines] == [(3, 4), (1, 2), None]
    assert [line.cell for line in pickle.loads(pickle.dumps(page)).lines] == [(3, 4), (1, 2), None]  # noqa: S301


def test_text_of_a_table_outside_its_cells_is_read_after_them_with_a_warning():
    table = f'<TableRegion id="t">{region("x")}{cell(0, 1, "b")}{cell(0, 0, "a")}</TableRegion>'
    text, warned = read(table)
    assert text == "abx"
    assert warned == ["TableRegion t: text without a row and a column is read after the cells of the table"]


def test_text_inside_images_and_graphics_is_read():
    inside = region("g", region("a"), name="GraphicRegion") + region("i", region("b"), name="ImageRegion")
    assert read(inside) == ("ab", [])


def test_a_last_region_without_coordinates_is_read_last():
    """eScriptorium writes lines without a region there."""
    assert read(region("a"), region("eSc_dummyblock_")) == ("aeSc_dummyblock_", [])
