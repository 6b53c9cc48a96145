"""Mapping files, and mappings applied to texts."""

from __future__ import annotations

import random
import unicodedata
from pathlib import Path

import pytest

from pagemeter.errors import FormatError, InputError, UsageError
from pagemeter.formats.mapping_files import BUNDLED_MAPPINGS as BUNDLED
from pagemeter.settings import Settings
from pagemeter.text import TextMapping, normalise
from pagemeter.text.mapping import parse_rules


def rules(text: str):
    return parse_rules(text.encode(), "map.tsv")


def mapped(text: str, mapping, form: str = "NFC") -> str:
    return normalise([text], Settings(mapping=mapping, normalise=form))[0]


class TestFiles:
    def test_rules_comments_codes_and_empty_lines_are_read(self):
        text = "\ufeff# comment\r\n\r\nſ\ts\r\nU+0061 U+0364\tä\t# a with e above\r\nU+0020 u+0020\t\r\n"
        with pytest.raises(FormatError, match=r"map\.tsv: line 5"):
            rules(text)
        assert rules(text.replace(" u+0020", " U+0020")) == (("ſ", "s"), ("a\u0364", "ä"), ("  ", ""))

    def test_a_rule_may_delete(self):
        assert rules("¶\t") == (("¶", ""),)

    def test_text_with_inner_spaces_is_not_changed(self):
        assert rules("a b\tc d") == (("a b", "c d"),)

    def test_the_same_rule_may_be_given_twice(self):
        assert rules("a\tb\na\tb") == (("a", "b"),)

    @pytest.mark.parametrize(
        ("text", "message"),
        [
            ("ſ s", "map.tsv: line 1: 'ſ s' has no TAB. Write a rule as from<TAB>to"),
            ("a\tb\n\ts", "map.tsv: line 2: no text before the TAB"),
            ("a\t\tb", "map.tsv: line 1: 'b' is in a third column"),
            ("a\tb\tc\t# d", "third column"),
            ("aU+0364\tä", "'aU.0364' mixes codes and text. Write only codes"),
            ("a \tb", "'a ' begins or ends with white space. Write U.0020"),
            ("a\tb ", "'b ' begins or ends with white space"),
            ("U+D800\tx", "U.D800 is not a character"),
            ("U+110000\tx", "U.110000 is not a character"),
            ("a\tb\na\tc", "map.tsv: line 2: 'a' is mapped to 'c', but in line 1 to 'b'"),
            ("ä\tae\na\u0308\ta", "map.tsv: line 2: .* but in line 1 to 'ae'"),
        ],
    )
    def test_a_bad_rule_is_named_with_file_line_and_remedy(self, text, message):
        with pytest.raises(FormatError, match=message):
            rules(text)

    def test_a_file_that_is_not_utf_8_is_named_with_its_line(self):
        with pytest.raises(FormatError, match=r"map\.tsv: line 2: not UTF-8"):
            parse_rules("a\tb\nä\tb".encode("latin-1"), "map.tsv")

    def test_a_missing_file_suggests_the_bundled_mappings(self):
        with pytest.raises(InputError, match=r"long_s: cannot read the mapping: .*did you mean long-s\?"):
            TextMapping.of("long_s")
        with pytest.raises(InputError, match=r"nowhere/x.tsv: .*a bundled mapping: .*quotes"):
            TextMapping.load(Path("nowhere/x.tsv"))

    def test_a_folder_is_no_mapping(self, tmp_path):
        with pytest.raises(InputError, match="cannot read the mapping"):
            TextMapping.load(tmp_path)


class TestRules:
    def test_the_longest_rule_wins(self):
        assert TextMapping.from_rules({"s": "1", "ss": "2", "sss": "3"}).apply("sssss") == "32"

    def test_replaced_text_is_not_replaced_again(self):
        assert TextMapping.from_rules({"a": "b", "b": "a"}).apply("abba") == "baab"
        assert TextMapping.from_rules({"ab": "b", "b": "ab"}).apply("abb") == "bab"

    def test_special_characters_of_regular_expressions_are_literal(self):
        found = TextMapping.from_rules({"]": "1", "^": "2", "-a": "3", "\\": "4", ".*": "5"})
        assert found.apply("]^-a\\.*.x") == "12345.x"

    def test_a_later_mapping_sees_the_result_of_an_earlier_one(self):
        assert TextMapping.of("ligatures", "long-s").apply("ﬅ") == "st"
        assert TextMapping.of("long-s", "ligatures").apply("ﬅ") == "ſt"

    def test_mappings_can_be_combined(self):
        both = TextMapping.of(TextMapping.of("u-v"), {"uu": "w"})
        assert both.apply("vvas") == "was"

    @pytest.mark.parametrize("bad", [{"": "a"}, {"a": 1}, {1: "a"}])
    def test_rules_from_python_must_replace_text_by_text(self, bad):
        with pytest.raises(UsageError, match="mapping 'rules': a rule must replace a str"):
            TextMapping.from_rules(bad)

    def test_contradicting_rules_from_python_are_named(self):
        with pytest.raises(FormatError, match="mapping 'mine': rule 2: 'a' is mapped to 'c'"):
            TextMapping.from_rules([("a", "b"), ("a", "c")], name="mine")

    def test_a_mapping_without_rules_changes_nothing(self):
        assert TextMapping.from_rules({}).apply("abc") == "abc"

    def test_many_rules_are_applied_as_few_rules_are(self, monkeypatch):
        rng = random.Random(1)
        rules = {"".join(rng.choices("abc", k=rng.randint(1, 6))): rng.choice("xyz") for _ in range(100)}
        texts = ["".join(rng.choices("abcd", k=rng.randint(0, 80))) for _ in range(50)]
        few = [TextMapping.from_rules(rules, "few").apply(text) for text in texts]
        monkeypatch.setattr("pagemeter.text.mapping._MAX_ALTERNATIVES", 0)
        assert [TextMapping.from_rules(rules, "many").apply(text) for text in texts] == few


class TestUnicodeForms:
    """Rules are applied in the composed or decomposed form, before compatibility characters are merged."""

    @pytest.mark.parametrize("form", ["NFC", "NFD", "NFKC", "NFKD"])
    @pytest.mark.parametrize("spelling", ["NFC", "NFD"])
    @pytest.mark.parametrize("text", ["NFC", "NFD"])
    def test_it_does_not_matter_how_rule_and_text_are_spelled(self, form, spelling, text):
        mapping = TextMapping.from_rules({unicodedata.normalize(spelling, "ä"): "ae"})
        assert mapped(unicodedata.normalize(text, "Bär"), mapping, form) == "Baer"

    def test_without_a_form_code_points_are_compared_unchanged(self):
        assert mapped("Ba\u0308r", {"ä": "ae"}, "none") == "Ba\u0308r"

    @pytest.mark.parametrize("form", ["NFKC", "NFKD"])
    def test_a_rule_comes_before_compatibility_characters_are_merged(self, form):
        assert mapped("m²", {"²": "^2"}, form) == "m^2"

    def test_a_mark_can_be_mapped_in_decomposed_text(self):
        assert mapped("ä", {"\u0308": "e"}, "NFD") == "ae"
        assert mapped("ä", {"\u0308": "e"}, "NFC") == "ä"

    def test_the_result_of_a_rule_is_brought_into_the_form(self):
        assert mapped("q", {"q": "a\u0308"}) == "ä"

    def test_a_second_mapping_sees_the_normalised_result_of_the_first(self):
        assert mapped("q", [{"q": "a\u0308"}, {"ä": "x"}]) == "x"


class TestBundled:
    def test_these_are_bundled(self):
        assert BUNDLED == (
            "dashes", "i-j", "isri-marks", "latin-abbreviations", "ligatures", "long-s", "mufi", "quotes",
            "sbb", "superscript-e", "u-v",
        )  # fmt: skip

    @pytest.mark.parametrize(
        ("name", "before", "after"),
        [
            ("dashes", "1914–18 — ‐", "1914-18 - -"),
            ("i-j", "Jahr jeder", "Iahr ieder"),
            ("latin-abbreviations", "⁊ ꝑꝓꝯꝰ", "et perproconus"),
            ("ligatures", "ﬁnﬄæœĳ", "finfflæœij"),
            ("long-s", "daſs ẛ", "dass ṡ"),
            ("mufi", "\ueba6\ue42c\uf1ac\uf50f", "ſſa\u0364;q\u0303"),
            ("quotes", "„a“ »b« ‚c‘ d’e", '"a" "b" \'c\' d\'e'),
            ("superscript-e", "fu\u0364r O\u0364l", "für Öl"),
            ("u-v", "vnd Vrteil", "und Urteil"),
        ],
    )
    def test_each_does_what_its_name_says(self, name, before, after):
        assert mapped(before, name) == after

    @pytest.mark.parametrize("name", BUNDLED)
    def test_applying_a_mapping_twice_changes_nothing_more(self, name):
        mapping = TextMapping.of(name)
        for before, after in mapping.tables[0].rules:
            once = mapping.apply(before)
            assert once == after
            assert mapping.apply(once) == once
