"""Boundaries in scripts without spaces."""

from __future__ import annotations

import sys

import numpy as np
import pytest

import pagemeter as pm
from pagemeter import _kernel
from pagemeter.alignment import align
from pagemeter.settings import Settings
from pagemeter.text import encode_pair
from pagemeter.text.characters import FIRST_JOINING, FIRST_UNSPACED, _kind, cuts_of

ARTICLE = ["人生而自由，", "在尊严和权利上", "一律平等。"]


def words(lines: list[str], **settings) -> tuple[list[str], list[bool]]:
    """Return the words of a page, and for each whether it follows the previous one without a space."""
    page, *_ = encode_pair(lines, [], characterwise=True, settings=Settings(unit="codepoint", **settings))
    text = {code: c for c, code in zip(_text(lines, page), page.tokens.tolist(), strict=True)}
    bounds = page.words.tolist()
    found = ["".join(text[code] for code in page.tokens[begin:end].tolist()) for begin, end in bounds]
    return found, [i > 0 and bounds[i][0] == bounds[i - 1][1] for i in range(len(bounds))]


def _text(lines: list[str], page) -> str:
    """Return the characters of the tokens: lines with a space between them where the page has one."""
    text, at = "", 0
    for line, (begin, _) in zip(lines, page.lines.tolist(), strict=True):
        text += " " * (begin - at) + line
        at = begin + len(line)
    return text


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (["漢字 かな"], ["漢", "字", " か", "な"]),
        (["用Python写 2024年"], ["用", "Python", "写", " 2024", "年"]),
        (["「漢」。", "字"], ["「", "漢", "」", "。", "字"]),
        (["漢", "Latin", "字"], ["漢", " Latin", " 字"]),
        (["漢", "……", "字"], ["漢", "…", "…", "字"]),
        (["word.", "漢"], ["word.", " 漢"]),
        (["漢.", "word"], ["漢", ".", " word"]),
        (["他说“hi”吧"], ["他", "说", "“", "hi", "”", "吧"]),
        (["コーヒー"], ["コ", "ー", "ヒ", "ー"]),
        (["ภาษาไทย"], ["ภ", "า", "ษ", "า", "ไ", "ท", "ย"]),
        (["ที่นี่"], ["ที่", "นี่"]),
        (["ប្រទេស"], ["ប្", "រ", "ទេ", "ស"]),
        (["한국어。 한글"], ["한국어。", " 한글"]),
        (["Grüße, «x»…"], ["Grüße,", " «x»…"]),
        (["a·b"], ["a·b"]),
    ],
)
def test_words_of_a_page(lines, expected):
    found, close = words(lines)
    shown = [
        word if joined or i == 0 else f" {word}"
        for i, (word, joined) in enumerate(zip(found, close, strict=True))
    ]
    assert shown == expected


def test_spaces_only_is_the_rule_of_the_paper():
    assert words(["漢字 かな", "字"], boundaries="spaces") == (["漢字", "かな", "字"], [False] * 3)
    assert Settings(solver="paper").boundaries == "spaces"


def test_the_first_unspaced_code_point_is_the_lowest():
    unspaced = 1
    points = [point for point in range(sys.maxunicode + 1) if not 0xD800 <= point < 0xE000]
    lowest = next(point for point in points if _kind(point) == unspaced)
    assert FIRST_UNSPACED <= lowest <= FIRST_UNSPACED + 1


def test_positions_of_cuts_skip_empty_lines_and_marks():
    assert cuts_of(["", "漢字", "", "か\u3099な"]) == [[], [1], [], [2]]


@pytest.mark.parametrize("measure", ["CER:S", "CER:RS", "WER:S", "WER:RS", "BOW"])
@pytest.mark.parametrize(
    "lines",
    [
        ARTICLE,
        ["日本国憲法は、", "一九四六年に", "「公布」された。"],
        ["มนุษย์ทั้งหลายเกิดมา", "มีอิสระและเสมอภาค", "กัน"],
        ["我们用Python", "写了3.5万行", "代码（code）。"],
    ],
)
def test_perfect_text_in_other_lines_has_no_errors(lines, measure):
    text = "".join(lines)
    for hyp in ([text], [text[:1], text[1:]], [lines[0] + lines[1], lines[2]]):
        assert pm.evaluate(lines, hyp, [measure])[measure].errors == 0


def test_a_line_end_inside_chinese_text_is_no_space():
    assert pm.evaluate(["漢字仮名"], ["漢字", "仮名"], ["CER:RS"])["CER:RS"].errors == 0
    assert pm.evaluate(["ab漢"], ["ab", "漢"], ["CER:RS"])["CER:RS"].errors == 1


def test_a_tokeniser_decides_about_words_and_s_may_cut_between_them():
    def tokens(text: str) -> list[str]:
        return [text[i : i + 2] for i in range(0, len(text), 2)]

    score = pm.evaluate(["漢字", "仮名"], ["漢字仮名"], ["WER:S"], tokeniser=tokens)["WER:S"]
    assert (score.errors, score.n_gt) == (0, 2)
    for name, count in (("uax29", 3), ("punctuation", 5)):
        score = pm.evaluate(["漢字", "カナ。"], ["漢字カナ。"], ["WER:S"], tokeniser=name)["WER:S"]
        assert (score.errors, score.n_gt) == (0, count)


def test_alignments_show_the_text_as_it_is_written():
    page = pm.evaluate(["漢字仮名", "ab c"], ["漢字", "仮名 ab c"], ["CER:S", "WER:S"])
    for measure in ("CER:S", "WER:S"):
        assert [line.hyp for line in align(page, measure).lines] == ["漢字仮名", "ab c"]


def test_an_array_of_another_length_is_refused():
    points, lengths = np.array([97], np.int32), np.array([1], np.int32)
    with pytest.raises(ValueError, match="needs a flag"):
        _kernel.number_characters(
            points, lengths, np.zeros(2, bool), points, lengths, None, np.zeros(1, bool), 32
        )


def test_the_lowest_joining_code_point_joins():
    score = pm.evaluate(f"x{chr(FIRST_JOINING)}y", "xy", "CER:R")["CER:R"]
    assert (score.sub, score.n_gt) == (1, 2)
