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
def test_a_form_feed_separates_pages_and_a_last_one_ends_the_file(text, pages):
    """Tesseract writes one after each page."""
    assert read(text) == pages


def test_load_of_several_pages_says_how_to_pick_one(tmp_path):
    path = tmp_path / "p.txt"
    path.write_text("one\ftwo")
    with pytest.raises(UsageError, match=r"2 pages; use pagemeter\.formats\.load_pages, or pick one"):
        load(path)
    assert load(path, page=2).lines[0].text == "two"
    assert load(path, page=2).source == str(path)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32"])
def test_unicode_with_or_without_mark_is_read(encoding):
    assert read("Boͤten\n𐬀".encode(encoding)) == [["Boͤten", "𐬀"]]


def test_a_mark_of_big_endian_utf_16():
    assert read(b"\xfe\xff" + "ä".encode("utf-16-be")) == [["ä"]]


def test_a_mark_inside_the_text_is_kept():
    assert read("a\ufeffb") == [["a\ufeffb"]]


def test_a_named_encoding_overrules_and_its_mark_is_no_text():
    assert read("ä".encode("latin-1"), encoding="latin-1") == [["ä"]]
    assert read("\ufeffä".encode("utf-16-le"), encoding="utf-16-le") == [["ä"]]
    assert read("ä".encode("utf-8-sig"), encoding="utf-8") == [["ä"]]


@pytest.mark.parametrize(
    ("data", "options", "message"),
    [
        (b"abc\xe4def", {}, r"p\.txt: byte 3: not utf-8; name the real encoding with --encoding"),
        (b"abc\xff", {"encoding": "ascii"}, r"p\.txt: byte 3: not ascii"),
        (b"\xff\xfea", {}, "byte 2: not utf-16"),
        ("äb\n".encode("utf-16-le"), {}, "byte 1: a zero byte.* --encoding utf-16-le"),
    ],
)
def test_bytes_that_do_not_fit_are_named_with_their_offset(data, options, message):
    with pytest.raises(FormatError, match=message):
        read(data, **options)


def test_control_characters_vanish_or_become_blanks_with_a_warning():
    (page,) = read_pages(b"one\na\x01b\x0bc\x1fd\x7f\x1b[1m\te", "p.txt")
    assert page.lines[1].text == "ab c d[1m\te"
    assert [str(warn) for warn in page.warnings] == [
        "p.txt: line 2: control character U+0001: removed",
        "p.txt: line 2: control character U+000B: read as a blank",
        "p.txt: line 2: control character U+001B: removed",
        "p.txt: line 2: control character U+001F: read as a blank",
        "p.txt: line 2: control character U+007F: removed",
    ]


def test_text_has_no_places():
    (page,) = read_pages(b"one", "p.txt")
    assert not page.has_geometry
    assert (page.image, page.width, page.warnings) == (None, None, ())
