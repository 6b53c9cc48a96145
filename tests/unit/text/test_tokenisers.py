"""Tokenisers: tokens, and the positions where a line can be split."""

from __future__ import annotations

import pytest

from pagemeter import evaluate
from pagemeter.errors import UsageError
from pagemeter.text import words_of
from pagemeter.text.tokenisers import function_label, segments, uax29_words


def flat(text: str, tokeniser) -> list[str]:
    return [token for word in words_of(text, tokeniser) for token in word]


class TestWhiteSpace:
    def test_every_white_space_character_separates_words_and_no_word_is_empty(self):
        assert words_of(" a\u00a0b\u3000\tc,  ", "whitespace") == [("a",), ("b",), ("c,",)]


class TestPunctuation:
    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            ("its,", ["its", ","]),
            ("...", [".", ".", "."]),
            ("can't", ["can", "'", "t"]),
            ("3b 1st", ["3", "b", "1", "st"]),
            ("12½", ["12½"]),
            ("e\u0301te\u0301", ["e\u0301te\u0301"]),
            ("\ueba6a", ["\ueba6a"]),
            ("Wör\u00ad", ["Wör", "\u00ad"]),
            ("a+b=€5", ["a", "+", "b", "=", "€", "5"]),
            ("日本。", ["日本", "。"]),
            ("", []),
        ],
    )
    def test_runs_of_letters_and_numbers_are_tokens_and_other_characters_are_single(self, text, expected):
        assert flat(text, "punctuation") == expected

    def test_there_is_no_boundary_between_a_word_and_its_comma(self):
        assert words_of("its, own", "punctuation") == [("its", ","), ("own",)]
        found = evaluate(["its", ", own"], ["its, own"], ["WER:S"], tokeniser="punctuation")["WER:S"]
        assert found.errors == 2, "the comma can go to neither line alone: one is deleted, one inserted"


class TestUax29:
    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            ("can't don’t l'homme", ["can't", "don’t", "l'homme"]),
            ("'quoted' dogs'", ["quoted", "dogs"]),
            ("3.14 1,000.5 10:30 v2.0", ["3.14", "1,000.5", "10", "30", "v2.0"]),
            ("e.g. U.S.A.", ["e.g", "U.S.A"]),
            ("snake_case _x_ __", ["snake_case", "_x_"]),
            ("end-of-line", ["end", "of", "line"]),
            ("a – b ... § ©", ["a", "b"]),
            ("½ x² Ⅳ", ["½", "x", "²", "Ⅳ"]),
            ("e\u0301te\u0301 Wör\u00adter", ["e\u0301te\u0301", "Wör\u00adter"]),
            ("ש\"ס צ'", ['ש"ס', "צ'"]),
            ("👍🏽👍 👩‍👩‍👧 🇩🇪🇫🇷 ❤\ufe0f ❤", ["👍🏽", "👍", "👩‍👩‍👧", "🇩🇪", "🇫🇷", "❤\ufe0f"]),
            ("한국어 텍스트", ["한국어", "텍스트"]),
            ("カタカナ ひら 日本語", ["カタカナ", "ひ", "ら", "日", "本", "語"]),
            ("ง่าย", ["ง่", "า", "ย"]),
            ("हिन्दी भाषा", ["हिन्दी", "भाषा"]),
            ("", []),
        ],
    )
    def test_words_are_the_segments_with_a_letter_a_number_or_an_emoji(self, text, expected):
        assert flat(text, "uax29") == expected

    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            ("🇩2b", "🇩|2b"),
            ("\u00adb", "\u00ad|b"),
            ("🇩🇫🇩", "🇩🇫|🇩"),
            ("_\u200d👍", "_\u200d👍"),
            (";\u200dℹa", ";\u200dℹa"),
            ("א'_b", "א'|_b"),
            ("a'\u200db", "a'\u200db"),
            ("a..b 1,a".replace(" ", "|"), "a|.|.|b|||1|,|a"),
            ("カ_ア1", "カ_ア|1"),
        ],
    )
    def test_difficult_boundaries_are_those_of_the_annex(self, text, expected):
        assert "|".join(segments(text)) == expected

    @pytest.mark.parametrize("text", ["a" * 50_000, "_" * 50_000, "a'" * 25_000, "👍\u200d" * 25_000])
    def test_long_texts_are_split_in_linear_time(self, text):
        assert "".join(segments(text)) == text

    def test_a_narrow_space_separates_a_number(self):
        assert uax29_words("10\u202f000") == ["10\u202f000"]
        assert words_of("10\u202f000", "uax29") == [("10",), ("000",)]

    def test_punctuation_alone_is_no_word(self):
        assert words_of("a – b", "uax29") == [("a",), ("b",)]


class TestCallables:
    def test_tokens_are_grouped_by_the_white_space_between_them(self):
        assert words_of("New York, its", lambda _: ["New York", ",", "its"]) == [["New York", ","], ["its"]]

    def test_a_tokeniser_that_changes_words_must_do_so_piece_by_piece(self):
        assert words_of("One Two", lambda text: text.lower().split()) == [["one"], ["two"]]
        with pytest.raises(UsageError, match="it is unknown where the line may be split"):
            words_of("One Two", lambda text: ["x"] * len(text))

    @pytest.mark.parametrize("tokens", [[""], [None], [b"a"], [1, 2], range(3)])
    def test_a_token_must_be_text(self, tokens):
        with pytest.raises(UsageError, match="Return tokens that are str and not empty"):
            words_of("a", lambda _: tokens)

    @pytest.mark.parametrize(("given", "kind"), [(3, "int"), (None, "NoneType")])
    def test_a_tokeniser_must_return_a_list(self, given, kind):
        with pytest.raises(
            UsageError, match=rf"returned {given} for 'a', of type {kind}. Return a list of str"
        ):
            words_of("a", lambda _: given)

    def test_a_text_is_a_sequence_of_its_characters(self):
        assert words_of("ab c", lambda text: text.replace(" ", "")) == [["a", "b"], ["c"]]

    def test_evaluate_accepts_a_callable(self):
        found = evaluate("a-b c", "a-x c", ["WER:R"], tokeniser=lambda text: text.replace("-", " ").split())
        assert (found["WER:R"].errors, found["WER:R"].n_gt) == (1, 3)


def test_the_label_of_a_function_changes_with_its_source():
    def function(text):
        return text.split()

    first = function_label(function)

    def function(text):
        return text.split(",")

    assert first.partition("@")[0] == function_label(function).partition("@")[0]
    assert first != function_label(function)
    assert len(first.partition("@")[2]) == len(function_label(str.split).partition("@")[2]) == 8
