"""Encoding of pages as integers, and pages as one text."""

from __future__ import annotations

import random
import sys
from pathlib import Path

import numpy as np
import pytest
import regex

import pagemeter as pm
from helpers import score
from pagemeter.settings import Settings
from pagemeter.text import encode_pair, normalise
from pagemeter.text.characters import FIRST_JOINING, JOINING, LAST_WHITE_SPACE, characters
from pagemeter.text.encode import WholeText
from reference import encode as reference


def pair(gt, hyp, unit: str = "CER", **settings):
    return encode_pair(gt, hyp, characterwise=unit == "CER", settings=Settings(**settings))


def same(gt, hyp, unit: str = "CER", **settings) -> bool:
    """Return True if both pages are encoded as by the reference."""
    chosen = {"characterwise": unit == "CER", "settings": Settings(**settings)}
    found, expected = encode_pair(gt, hyp, **chosen), reference.encode_pair(gt, hyp, **chosen)
    arrays = [
        (getattr(a, name), getattr(b, name))
        for a, b in zip(found[:2], expected[:2], strict=True)
        for name in ("tokens", "lines", "words", "word_line")
    ]
    return found[2:] == expected[2:] and all(
        a.dtype == b.dtype == np.int32 and a.shape == b.shape and (a == b).all() for a, b in arrays
    )


def test_characters_have_a_space_between_words_and_lines():
    gt, _, alphabet, joiner = pair(["ab c", "", "d"], [])
    assert gt.tokens.tolist() == [0, 1, 2, 3, 2, 4]
    assert gt.lines.tolist() == [[0, 4], [4, 4], [5, 6]]
    assert gt.words.tolist() == [[0, 2], [3, 4], [5, 6]]
    assert gt.word_line.tolist() == [0, 0, 2]
    assert (alphabet, joiner) == (5, 2)


def test_words_have_nothing_between_them():
    gt, hyp, alphabet, joiner = pair(["b a", "", "b"], ["a c"], "WER")
    assert (gt.tokens.tolist(), hyp.tokens.tolist()) == ([0, 1, 0], [1, 2])
    assert gt.lines.tolist() == [[0, 2], [2, 2], [2, 3]]
    assert (alphabet, joiner) == (3, None)


def test_each_kept_white_space_character_is_a_boundary_and_empty_pieces_stay():
    gt, *_ = pair(["a  b", " ", "\tc "], [], whitespace="keep")
    assert gt.words.tolist() == [[0, 1], [2, 2], [3, 4], [5, 5], [6, 6], [7, 7], [8, 9], [10, 10]]
    assert gt.word_line.tolist() == [0, 0, 0, 1, 1, 2, 2, 2]


def test_a_cluster_is_one_character_and_a_code_point_is_one_of_several():
    text = ["q\u0303a", "q\u0303"]
    assert pair(text, [])[0].tokens.tolist() == [0, 1, 2, 0]
    assert pair(text, [], unit="CER")[0].line_tokens == 3
    assert encode_pair(text, [], characterwise=True, settings=Settings(unit="codepoint"))[0].line_tokens == 5


def test_a_mark_after_white_space_is_a_character():
    assert same([" \u0308a"], ["\u0308"], whitespace="keep")
    assert pair(["b \u0308a"], [])[0].word_tokens == 3


PAGES = [
    [],
    [""],
    ["", ""],
    ["", "a", "", "b", ""],
    [" ", "  "],
    ["a b", "ä ö", "日本"],
    ["e\u0301 x", "", "क्षि", "👩‍👩‍👧🇩🇪🇫🇷", "한국 한"],
    ["\u0308", "a \u0308", "\u0600 1", "\u0600"],
    ["a\x1cb\x85c\u2028d\u3000e"],
    ["\ud800a\udfff", "😀"],
    ["\u0300" * 5, "\u200d", "\r\n"],
]


@pytest.mark.parametrize("unit", ["grapheme", "codepoint"])
@pytest.mark.parametrize("gt", PAGES)
@pytest.mark.parametrize("hyp", PAGES)
def test_characters_are_encoded_as_by_the_reference(gt, hyp, unit):
    chosen = {"characterwise": True, "settings": Settings(unit=unit)}
    found, expected = encode_pair(gt, hyp, **chosen), reference.encode_pair(gt, hyp, **chosen)
    assert found[2:] == expected[2:]
    for a, b in zip(found[:2], expected[:2], strict=True):
        for name in ("tokens", "lines", "words", "word_line"):
            assert getattr(a, name).tolist() == getattr(b, name).tolist()


@pytest.mark.parametrize("tokeniser", ["whitespace", "uax29", "punctuation", str.split])
@pytest.mark.parametrize("gt", PAGES)
def test_words_are_encoded_as_by_the_reference(gt, tokeniser):
    assert same(gt, PAGES[5], "WER", tokeniser=tokeniser)


def test_the_table_has_all_white_space():
    assert max(point for point in range(sys.maxunicode + 1) if chr(point).isspace()) == LAST_WHITE_SPACE


def test_no_code_point_below_the_first_mark_joins_another():
    assert not regex.search(JOINING, "".join(map(chr, range(FIRST_JOINING))))
    assert regex.match(JOINING, chr(FIRST_JOINING))


def test_a_longer_cluster_has_a_code_point_that_joins():
    """All other code points, in order and shuffled, are clusters of their own."""
    every = "".join(map(chr, range(sys.maxunicode + 1)))
    others = list("".join(regex.sub(JOINING, "", every).split()))
    assert len(others) > 1_000_000
    for _ in range(2):
        assert len(characters("".join(others), "grapheme")) == len(others)
        random.Random(1).shuffle(others)


def test_characters_of_ascii_are_code_points_in_both_units():
    assert characters("abc", "grapheme") == characters("abc", "codepoint") == "abc"


def whole(lines, **settings) -> str:
    made = Settings(**settings)
    return "".join(WholeText.of(lines, normalise(lines, made), made).characters("codepoint"))


@pytest.mark.parametrize(
    ("settings", "text"),
    [
        ({}, "a b\nc"),
        ({"line_end": "space"}, "a b c"),
        ({"line_end": "counted-last"}, "a b\nc\n"),
        ({"line_end": "counted-given"}, "a b\nc\n"),
        ({"whitespace": "keep"}, "\n a  b \n\nc\t\n"),
        ({"whitespace": "strip"}, "\na  b\n\nc\n"),
        ({"whitespace": "strip-page"}, "a  b \n\nc"),
        ({"whitespace": "spaces"}, "\na  b\n\nc\n"),
        ({"whitespace": "strip", "line_end": "space"}, " a  b  c "),
        ({"whitespace": "strip", "drop_lines": "^$"}, "a  b\nc"),
        ({"whitespace": "strip", "drop_lines": "^c$"}, "\na  b\n\n"),
        ({"whitespace": "keep", "strip": "punctuation"}, "\n a  b \n\nc\t\n"),
    ],
)
def test_line_ends_and_white_space(settings, text):
    assert whole(["", " a  b ", "", "c\t", ""], **settings) == text


def test_a_line_that_normalisation_empties_is_no_blank_line():
    assert whole(["a", "--", "b"], whitespace="strip", strip="punctuation") == "a\nb"
    assert whole(["Wör-", "ter", "x"], whitespace="strip", hyphens="join") == "Wörter\nx"


@pytest.mark.parametrize(("text", "n_gt"), [("ab\ncd", 5), ("ab\ncd\n", 6), ("", 0), ("\n", 0)])
def test_the_last_line_end_counts_if_it_is_given(tmp_path, text, n_gt):
    file = tmp_path / "page.txt"
    file.write_text(text, encoding="utf-8", newline="")
    for given in (text, pm.Page.from_text(text), *([Path(file)] if text.strip() else [])):
        assert score(given, "x", "CER:T", line_end="counted-given").n_gt == n_gt


def test_a_page_without_a_text_has_a_line_end_after_each_line():
    assert score(["ab", "cd"], ["ab", "cd"], "CER:T", line_end="counted-given").n_gt == 6
    assert score("ab\ncd", "x", "CER:T", line_end="counted-last").n_gt == 6


def test_a_mark_at_the_begin_of_a_line_does_not_join_the_line_end():
    text = ["a", "\u0301b", "c \u0301d"]
    assert WholeText(text).characters("grapheme") == ["a", "\n", "\u0301", "b", "\n", "c", " \u0301", "d"]


@pytest.mark.parametrize(
    ("tokeniser", "words"),
    [
        ("whitespace", ["a", "b,", "c", "d\u202fe", "3.5", "f"]),
        ("space", ["a\tb,\nc", "d\u202fe", "3.5\nf"]),
        ("uax29", ["a", "b", "c", "d\u202fe", "3.5", "f"]),
        ("punctuation", ["a", "b", ",", "c", "d", "e", "3", ".", "5", "f"]),
    ],
)
def test_words_of_the_whole_text(tokeniser, words):
    lines = ["a\tb,", "c d\u202fe  3.5", "f"]
    expected = words if tokeniser != "whitespace" else ["a", "b,", "c", "d", "e", "3.5", "f"]
    assert WholeText(lines).words(Settings(tokeniser=tokeniser)) == expected


def test_a_callable_gets_the_lines():
    settings = Settings(tokeniser=lambda line: line.split("|"))
    assert WholeText(["a|b c", "d"]).words(settings) == ["a", "b c", "d"]


def test_words_of_scripts_without_spaces_are_characters():
    assert WholeText(["漢字 ab", "字"]).words(Settings()) == ["漢", "字", "ab", "字"]
