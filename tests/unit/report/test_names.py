"""Names and characters in a form that can be displayed anywhere."""

from __future__ import annotations

import os

import pytest

from pagemeter.atomic_io import encodable
from pagemeter.report.names import (
    character_name,
    character_names,
    display_width,
    make_visible,
    printable,
    shorten,
    wrapped,
)


def test_bytes_of_names_that_are_not_utf8_are_written_as_escapes():
    assert encodable(os.fsdecode(b"gt/\xe4.xml")) == "gt/\\xe4.xml"
    assert encodable("\ud800") == "\\ud800"
    assert encodable("gt/ä.xml") == "gt/ä.xml"


@pytest.mark.parametrize("text", ["a\nb", "a\x1b[31mb", "a\rb", "a\u2028b", "a\x07b"])
def test_control_characters_are_shown_as_escapes(text):
    assert printable(text).isprintable()
    assert printable(text)[0] == "a"


def test_letters_of_all_scripts_are_shown_unchanged():
    for text in ("Boͤten", "漢字", "العربية", "e\u0301", "a\u200cb"):
        assert printable(text) == text


def test_wide_characters_take_two_columns_and_combining_ones_none():
    assert (display_width("abc"), display_width("漢字"), display_width("Boͤten"), display_width("")) == (
        3,
        4,
        5,
        0,
    )


@pytest.mark.parametrize("columns", [5, 8, 9, 30])
@pytest.mark.parametrize("text", ["a-very-long-name-of-a-page", "漢字漢字漢字漢字", "short"])
def test_long_names_lose_their_middle(text, columns):
    assert display_width(shorten(text, columns)) <= columns
    assert (shorten(text, columns) == text) == (display_width(text) <= columns)


@pytest.mark.parametrize(
    ("text", "shown", "name"),
    [
        (" ", "␣", "SPACE"),
        ("\u0364", "◌\u0364", "COMBINING LATIN SMALL LETTER E"),
        ("a\u0364", "a\u0364", "a + COMBINING LATIN SMALL LETTER E"),
        ("\u00ad", "[U+00AD]", "SOFT HYPHEN"),
        ("\u00a0", "[U+00A0]", "NO-BREAK SPACE"),
        ("\t", "[U+0009]", "U+0009"),
        ("\n", "⏎", "U+000A"),
        ("\ue8bf", "\ue8bf", "U+E8BF"),
        ("ſ", "ſ", "LATIN SMALL LETTER LONG S"),
        ("plain", "plain", ""),
        ("läng⸗", "läng⸗", ""),
        ("", "", ""),
    ],
)
def test_invisible_characters_are_made_visible_and_named(text, shown, name):
    assert (make_visible(text), character_names(text)) == (shown, name)


def test_a_digit_is_its_own_name():
    assert character_name("7") == "7"


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("", [""]),
        ("one two", ["one two"]),
        ("one two three", ["one two", "  three"]),
        ("漢字 漢字 漢字", ["漢字", "  漢字", "  漢字"]),
        ("a 12.5 % · b", ["a", "  12.5 % ·", "  b"]),
        ("CER:R|BOW|seed:1 a", ["CER:R|BOW|seed:1", "  a"]),
        ("  hint", ["  hint"]),
    ],
)
def test_a_text_is_wrapped_at_words(text, lines):
    assert wrapped(text, 8, "  ").split("\n") == lines
