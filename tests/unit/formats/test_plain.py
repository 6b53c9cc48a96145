"""Plain text: lines, pages, encodings and control characters."""

from __future__ import annotations

import pytest

from pagemeter.errors import FormatError, UsageError
from pagemeter.formats import load, read_pages


def read(data, **options):
    if isinstance(data, str):
        data = data.encode()
    return [[found.text for found in page.lines] for page in read_pages(data, "p.txt", **options)]


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("one\ntwo", ["one", "two"]),
        ("one\ntwo\n", ["one", "two"]),
        ("one\r\ntwo\r\n", ["one", "two"]),
        ("one\rtwo\r", ["one", "two"]),
        ("one\r\n\rtwo", ["one", "", "two"]),
        ("\n\none\n\n", ["", "", "one", ""]),
        ("", []),
        ("\n", [""]),
        ("  one \t", ["  one \t"]),
        ("a\u2028b\u2029c\x85d", ["a\u2028b\u2029c\x85d"]),
    ],
)
def test_only_line_feed_and_carriage_return_end_a_line(text, lines):
    assert read(text) == [lines]


@pytest.mark.parametrize(
    ("text", "pages"),
    [
        ("one\n\ftwo\n", [["one"], ["two"]]),
        ("one\ftwo", [["one"], ["two"]]),
        ("one\n\f", [["one"]]),
        ("one\n\f\n", [["one"]]),
        ("one\n\f\f two", [["one"], [], [" two"]]),
        ("\f", [[]]),
        ("\fone", [[], ["one"]]),
    ],
)
def test_form_feeds_separate_pages_except_at_the_end(text, pages):
    """Tesseract writes one after each page."""
    assert read(text) == pages


def test_load_of_several_pages_says_how_to_choose_one(tmp_path):
    path = tmp_path / "p.txt"
    path.write_text("one\ftwo")
    with pytest.raises(
        UsageError, match=r"the file has 2 pages\. Use pagemeter\.formats\.load_pages, or choose a page"
    ):
        load(path)
    assert load(path, page=2).lines[0].text == "two"
    assert load(path, page=2).source == str(path)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32"])
def test_unicode_is_read_with_or_without_byte_order_mark(encoding):
    assert read("Boͤten\n𐬀".encode(encoding)) == [["Boͤten", "𐬀"]]


def test_a_byte_order_mark_of_big_endian_utf_16():
    assert read(b"\xfe\xff" + "ä".encode("utf-16-be")) == [["ä"]]


def test_a_byte_order_mark_inside_the_text_is_kept():
    assert read("a\ufeffb") == [["a\ufeffb"]]


def test_a_requested_encoding_is_used_without_its_byte_order_mark():
    assert read("ä".encode("latin-1"), encoding="latin-1") == [["ä"]]
    assert read("\ufeffä".encode("utf-16-le"), encoding="utf-16-le") == [["ä"]]
    assert read("ä".encode("utf-8-sig"), encoding="utf-8") == [["ä"]]


@pytest.mark.parametrize(
    ("data", "options", "message"),
    [
        (
            b"abc\xe4def",
            {},
            r"p\.txt: byte 3: not valid utf-8\. Name the real encoding, for example encoding='latin-1'",
        ),
        (b"abc\xff", {"encoding": "ascii"}, r"p\.txt: byte 3: not valid ascii"),
        (b"\xff\xfea", {}, "byte 2: not valid utf-16"),
        ("äb\n".encode("utf-16-le"), {}, "byte 1: a zero byte.* encoding='utf-16-le'"),
    ],
)
def test_invalid_bytes_are_named_with_their_offset(data, options, message):
    with pytest.raises(FormatError, match=message):
        read(data, **options)


def test_control_characters_are_removed_or_become_spaces_with_a_warning():
    (page,) = read_pages(b"one\na\x01b\x0bc\x1fd\x7f\x1b[1m\te", "p.txt")
    assert page.lines[1].text == "ab c d[1m\te"
    assert [str(warn) for warn in page.warnings] == [
        "p.txt: line 2: control character U+0001 was removed",
        "p.txt: line 2: control character U+000B was replaced by a space",
        "p.txt: line 2: control character U+001B was removed",
        "p.txt: line 2: control character U+001F was replaced by a space",
        "p.txt: line 2: control character U+007F was removed",
    ]


def test_text_has_no_positions():
    (page,) = read_pages(b"one", "p.txt")
    assert not page.has_geometry
    assert (page.image, page.width, page.warnings) == (None, None, ())
