"""The page as one text: line ends, blank lines, white space and tokens."""

from __future__ import annotations

from pathlib import Path

import pytest

import pagemeter as pm
from helpers import score
from pagemeter.settings import Settings
from pagemeter.text import normalise
from pagemeter.text.whole import WholeText


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
