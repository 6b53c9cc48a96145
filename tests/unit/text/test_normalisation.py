"""Normalisation: its steps, and their order."""

from __future__ import annotations

import sys

import pytest

from pagemeter.settings import Settings
from pagemeter.text import normalise
from pagemeter.text.normalisation import pipeline


def line(text: str, **settings) -> str:
    (found,) = normalise([text], Settings(**settings))
    return found


class TestUnicodeForm:
    @pytest.mark.parametrize(
        ("form", "expected"),
        [
            ("NFC", "äﬁ²"),
            ("NFD", "a\u0308ﬁ²"),
            ("NFKC", "äfi2"),
            ("NFKD", "a\u0308fi2"),
            ("none", "a\u0308ﬁ²"),
        ],
    )
    def test_each_form_is_the_one_unicode_defines(self, form, expected):
        assert line("a\u0308ﬁ²", normalise=form) == expected


class TestWhiteSpace:
    def test_it_is_collapsed_and_stripped_by_default(self):
        assert line(" \u00a0a\t\u2003 b\u3000\x1c") == "a b"

    @pytest.mark.parametrize(
        "blank", [chr(point) for point in range(sys.maxunicode + 1) if chr(point).isspace()]
    )
    def test_every_kind_is_collapsed_anywhere_on_a_page(self, blank):
        for odd in (f"c{blank}{blank}d", f" c{blank}d", f"c d{blank}", blank, ""):
            for page in (["a b", odd, "e"], [odd, "a b"], ["a b", odd], [odd]):
                assert normalise(page, Settings()) == tuple(" ".join(text.split()) for text in page)

    def test_it_can_be_kept(self):
        assert line("  a\t\u00a0b ", whitespace="keep") == "  a\t\u00a0b "


class TestCase:
    def test_case_is_folded_fully(self):
        assert line("ÄßSSſﬁΣς", case="fold") == "ässsssfiσσ"

    def test_folding_keeps_the_chosen_form(self):
        assert line("ǰÄ", case="fold", normalise="NFC") == "ǰä"
        assert line("ǰÄ", case="fold", normalise="NFD") == "j\u030ca\u0308"

    def test_equivalent_texts_fold_alike(self):
        assert line("\u1f88", case="fold") == line("\u0391\u0345\u0313", case="fold")

    def test_without_a_form_only_case_changes(self):
        assert line("A\u0308Ä", case="fold", normalise="none") == "a\u0308ä"


class TestStrip:
    @pytest.mark.parametrize(
        ("kind", "expected"),
        [
            ("punctuation", "a1€²+ß á"),
            ("symbols", "a1²ß-, á"),
            ("digits", "a€²+ß-, á"),
            ("diacritics", "a1€²+ß-, a"),
        ],
    )
    def test_each_class_is_removed_and_the_rest_stays(self, kind, expected):
        assert line("a1€²+ß-, á", strip=kind) == expected

    def test_several_classes_are_removed_together(self):
        assert line("a1€²+ß-, á", strip="punctuation,symbols,digits,diacritics") == "a²ß a"

    def test_removed_characters_are_not_replaced_by_spaces(self):
        assert line("end-of-line, a – b", strip="punctuation") == "endofline a b"
        assert line("a – b", strip="punctuation", whitespace="keep") == "a  b"

    def test_marks_are_removed_with_their_base_character(self):
        assert line("a1\u0308b", strip="digits") == "ab"

    def test_digits_of_every_script_are_digits(self):
        assert line("٣४3x", strip="digits") == "x"

    @pytest.mark.parametrize("form", ["NFC", "NFD", "NFKC", "NFKD", "none"])
    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            ("Ǟpfel", "Apfel"),
            ("ế e\u0302\u0301", "e e"),
            ("ᾷ", "α"),
            ("йё", "ие"),
            ("q\u0303", "q"),
            ("a\u0364", "a"),
            ("x\u0336\u20dd", "x"),
            ("øłđ", "øłđ"),
        ],
    )
    def test_diacritics_of_latin_greek_and_cyrillic_are_removed_in_every_form(self, form, text, expected):
        assert line(text, strip="diacritics", normalise=form) == expected

    @pytest.mark.parametrize(
        "text",
        ["שָׁלוֹם", "مُحَمَّد", "कि हिन्दी", "ที่นี่", "がぎ", "한국", "❤\ufe0f", "1\u0304"],
    )
    @pytest.mark.parametrize("form", ["NFC", "none"])
    def test_marks_of_other_scripts_stay(self, text, form):
        assert line(text, strip="diacritics", normalise=form) == line(text, normalise=form)


class TestOnly:
    def test_letters_numbers_marks_and_white_space_stay(self):
        assert line("§ 3b: „Nô!“ ½ Ⅳ कि q\u0303 \ueba6 😀_", only="letters-numbers") == (
            "3b Nô ½ Ⅳ कि q\u0303 \ueba6"
        )

    def test_kept_white_space_stays(self):
        assert line(" a\t- b", only="letters-numbers", whitespace="keep") == " a\t b"


class TestFilters:
    LINES = ("Kapitel 1", "  17 ", "Text", "", "[unleserlich]")

    def page(self, **settings) -> list[str]:
        return list(normalise(self.LINES, Settings(**settings)))

    def test_dropped_lines_become_empty_and_the_others_keep_their_index(self):
        assert self.page(drop_lines=r"^\d+$|^\[") == ["Kapitel 1", "", "Text", "", ""]

    def test_only_lines_in_which_the_expression_is_found_are_kept(self):
        assert self.page(keep_lines=r"\d") == ["Kapitel 1", "17", "", "", ""]

    def test_both_filters_work_together(self):
        assert self.page(keep_lines=r"\d", drop_lines="^K") == ["", "17", "", "", ""]

    def test_expressions_may_have_character_properties(self):
        assert self.page(keep_lines=r"^\p{Lu}\p{Ll}+$") == ["", "", "Text", "", ""]

    def test_expressions_do_not_see_white_space_at_the_ends(self):
        assert self.page(drop_lines=r"^\d+$", whitespace="keep")[1] == ""


class TestOrder:
    ALL = Settings(
        mapping="long-s",
        keep_lines=".",
        hyphens="join",
        case="fold",
        strip="diacritics,digits",
        only="letters-numbers",
    )

    def test_all_steps_run_in_the_documented_order(self):
        assert [name for name, _ in pipeline(self.ALL)] == [
            "mapping", "normalise", "lines", "hyphens", "case", "strip", "strip", "only", "normalise",
            "whitespace",
        ]  # fmt: skip

    def test_a_step_that_changes_nothing_is_left_out(self):
        assert [name for name, _ in pipeline(Settings())] == ["normalise", "whitespace"]
        assert pipeline(Settings(normalise="none", whitespace="keep")) == []
        assert [name for name, _ in pipeline(Settings(normalise="none", case="fold"))] == [
            "case",
            "whitespace",
        ]

    def test_a_mapping_sees_the_long_s_before_folding_and_nfkc(self):
        assert line("ſ", mapping={"ſ": "x"}, case="fold", normalise="NFKC") == "x"

    def test_a_mapping_is_case_sensitive(self):
        assert line("Vv", mapping={"v": "u"}, case="fold") == "vu"

    def test_filters_see_mapped_and_composed_text(self):
        assert line("a\u0308ſ", mapping="long-s", keep_lines="^äs$") == "äs"

    def test_filters_see_case_punctuation_and_hyphens(self):
        settings = {"case": "fold", "strip": "punctuation", "hyphens": "remove"}
        assert line("[Seite]⸗", drop_lines=r"^\[Seite\]⸗$", **settings) == ""

    def test_hyphens_are_treated_before_punctuation_is_removed(self):
        found = normalise(["Wör-", "ter"], Settings(hyphens="join", strip="punctuation"))
        assert found == ("Wörter", "")

    def test_the_dashes_of_a_mapping_are_hyphens(self):
        found = normalise(["Wör\u2010", "ter"], Settings(hyphens="join", mapping="dashes"))
        assert found == ("Wörter", "")

    def test_a_letter_and_a_mark_are_composed_after_a_removal(self):
        assert line("a-\u0308", strip="punctuation", normalise="NFC") == "a"
        assert line("a\u200b\u0308", only="letters-numbers") == "a"
        assert line("a\u00ad\u0308", hyphens="alike") == "ä"
