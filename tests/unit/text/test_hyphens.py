"""Hyphens at line ends: kept, unified, removed, or words joined."""

from __future__ import annotations

import random

import pytest
import regex

from pagemeter import evaluate
from pagemeter.settings import Settings
from pagemeter.text import normalisation, normalise
from pagemeter.text.normalisation import join_hyphenated

ALL = ("-", "¬", "⸗", "=", "\u00ad")


def page(lines: list[str], hyphens: str, **settings) -> list[str]:
    return list(normalise(lines, Settings(hyphens=hyphens, **settings)))


@pytest.mark.parametrize("hyphen", ALL)
class TestEachCharacter:
    def test_is_kept_by_default(self, hyphen):
        assert normalise([f"Wör{hyphen}"], Settings()) == (f"Wör{hyphen}",)

    def test_is_made_a_plain_hyphen(self, hyphen):
        assert page([f"Wör{hyphen}", "ter"], "alike") == ["Wör-", "ter"]

    def test_is_removed(self, hyphen):
        assert page([f"Wör{hyphen}", "ter"], "remove") == ["Wör", "ter"]

    def test_joins_the_two_parts_of_the_word(self, hyphen):
        assert page([f"viele Wör{hyphen}", "ter, hier"], "join") == ["viele Wörter,", "hier"]

    def test_is_found_before_white_space(self, hyphen):
        assert page([f"Wör{hyphen} \t", " ter hier"], "join") == ["Wörter", "hier"]

    def test_is_found_after_a_decomposed_letter_and_a_private_use_letter(self, hyphen):
        assert page([f"e\u0301{hyphen}", f"\ue42c{hyphen}"], "remove", normalise="NFD") == [
            "e\u0301",
            "\ue42c",
        ]

    def test_texts_that_differ_only_in_it_are_equal(self, hyphen):
        for hyphens in ("alike", "remove", "join"):
            found = evaluate([f"Wör{hyphen}", "ter"], ["Wör-", "ter"], ["CER:R"], hyphens=hyphens)
            assert found["CER:R"].errors == 0


class TestWhatIsNoHyphen:
    @pytest.mark.parametrize("line", ["a -", "a --", "-", "1 =", "2=", "x² =", "=", "!-", ")="])
    def test_a_dash_or_an_equation_stays(self, line):
        for hyphens in ("alike", "remove", "join"):
            assert page([line, "weiter"], hyphens) == [line, "weiter"]

    def test_a_hyphen_after_a_number_counts_and_an_equals_sign_there_does_not(self):
        assert page(["1914-", "1914="], "remove") == ["1914", "1914="]

    def test_hyphens_inside_a_line_stay(self):
        assert page(["a-b ¬ c⸗d e=f"], "remove") == ["a-b ¬ c⸗d e=f"]


class TestSoftHyphens:
    @pytest.mark.parametrize("hyphens", ["alike", "remove", "join"])
    def test_inside_a_line_they_are_removed(self, hyphens):
        assert page(["Wör\u00adter\u00ad\u00adbuch"], hyphens) == ["Wörterbuch"]

    @pytest.mark.parametrize("end", ["\u00ad-", "-\u00ad", "\u00ad\u00ad", "⸗\u00ad", "\u00ad="])
    def test_with_another_hyphen_they_are_one(self, end):
        assert page([f"Wör{end}", "ter"], "alike") == ["Wör-", "ter"]
        assert page([f"Wör{end}", "ter"], "join") == ["Wörter", ""]

    def test_a_letter_and_a_mark_separated_by_them_are_composed(self):
        assert page(["a\u00ad\u0308"], "remove") == ["ä"]

    def test_a_line_of_nothing_else_becomes_empty(self):
        assert page(["\u00ad", "¬"], "remove") == ["", ""]


class TestJoining:
    def test_a_word_over_three_lines_is_joined(self):
        assert page(["Donau-", "dampf-", "schiff fährt"], "join") == ["Donaudampfschiff", "", "fährt"]

    def test_a_line_can_lose_its_first_word_and_gain_one_at_its_end(self):
        assert page(["ein Wör-", "ter, viele Wör-", "ter"], "join") == ["ein Wörter,", "viele Wörter", ""]

    def test_the_last_line_loses_its_hyphen(self):
        assert page(["Ende Wör⸗"], "join") == ["Ende Wör"]

    @pytest.mark.parametrize("after", ["12 Uhr", "„Zitat“", "— weiter", "-ter"])
    def test_nothing_moves_from_a_line_that_does_not_begin_with_a_letter(self, after):
        assert page(["Wör-", after], "join") == ["Wör", after]

    def test_empty_lines_between_are_skipped(self):
        assert page(["Wör-", "", "  ", "ter hier"], "join") == ["Wörter", "", "", "hier"]

    def test_lines_that_a_filter_dropped_are_skipped(self):
        assert page(["Wör-", "17", "ter hier"], "join", drop_lines=r"^\d+$") == ["Wörter", "", "hier"]

    def test_a_hyphen_inside_the_next_line_is_not_at_its_end(self):
        assert page(["Donau-", "dampf- schiff", "fahrt"], "join") == ["Donaudampf-", "schiff", "fahrt"]

    def test_a_space_before_the_hyphen_is_removed(self):
        assert page(["Wör ¬", "ter"], "join") == ["Wörter", ""]

    def test_kept_white_space_inside_lines_stays(self):
        assert page(["a  Wör-", "ter  b "], "join", whitespace="keep") == ["a  Wörter", "b "]

    def test_the_number_of_lines_stays(self):
        for lines in ([], ["-"], ["a-", "b-", "c-"], ["a-"] * 5):
            assert len(page(lines, "join")) == len(lines)


SOFT = "\u00ad"


def test_words_are_joined_as_by_the_definition():
    """The simple version joins the lines one by one, which takes quadratic time."""
    rng = random.Random(1)
    for _ in range(3000):
        lines = [
            "".join(rng.choices(f"aé1 -=¬{SOFT}\u0301", k=rng.randrange(5))) for _ in range(rng.randrange(6))
        ]
        assert join_hyphenated(lines) == joined_one_by_one(lines)


def joined_one_by_one(lines):
    page = [regex.sub(rf"{SOFT}(?!{SOFT}*\s*\Z)", "", line) for line in lines]
    for i in range(len(page)):
        while (hyphen := normalisation._find_hyphen(page[i])) is not None:
            after = next((j for j in range(i + 1, len(page)) if page[j].strip()), None)
            word, left = ("", "") if after is None else normalisation._split_first_word(page[after])
            if after is None or not word:
                page[i] = normalisation._replace_hyphen(page[i], "")
                break
            page[i], page[after] = page[i][: hyphen.start()].rstrip() + word, left
            if left:
                break
    return page
