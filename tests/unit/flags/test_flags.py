"""The flags of pages: made-up answers, and the rules at their limits."""

from __future__ import annotations

import random
import sys

import pytest

import model_answers as answers
from pagemeter import Line, Page, _kernel, evaluate, evaluate_corpus
from pagemeter.flags import _only_letters, has_loop, letters, page_flags

LINE = "and the wheel of the mill turned again "
HAN = "天地玄黃宇宙洪荒日月盈昃"


@pytest.mark.parametrize(
    ("hyp", "flags"),
    [
        (answers.GT, set()),
        (answers.MISREAD, set()),
        (answers.DROPPED, set()),
        (answers.HALLUCINATED, set()),
        (answers.REPLACED, set()),
        (answers.LOOP, {"loop", "length"}),
        (answers.LOOP_IN_ONE_LINE, {"loop", "length"}),
        ([], {"empty"}),
        (["", "  "], {"empty"}),
        (answers.GT[:5], {"length"}),
        (answers.GT * 3, {"length"}),
        ([*answers.INVENTED, *(line[::-1] for line in answers.INVENTED * 2)], {"unlike"}),
    ],
)
def test_an_answer_has_the_flags_of_its_fault(hyp, flags):
    assert evaluate(answers.GT, hyp, ["CER:R"]).flags == flags


@pytest.mark.parametrize(
    "text",
    [
        LINE * 6,
        "an introduction of a few words, " + LINE * 8,
        "of " * 200,
        "ab" * 300,
        "." * 100,
        HAN * 6,
        "序文也有幾個字" + HAN[:3] * 30,
        "\n".join(["one", "another"] * 40),
        "".join(answers.GT) + LINE * 100,
        " ".join(" ".join(answers.GT[:3]) for _ in range(7)),
    ],
)
def test_text_that_is_repeated_six_times_is_a_loop(text):
    assert has_loop(text)


@pytest.mark.parametrize(
    "lines",
    [
        [f"{number}. the wheel turned again" for number in range(1, 60)],
        [f"In {1700 + number} the miller paid his debts." for number in range(60)],
        [f"({letter}) the mill of the abbey was sold" for letter in "abcdefghijklmnopqrstuvwxyz"],
        [f"the mill was {word} and the river ran" for word in ["big", "old", "small", "red"] * 10],
        ["and the wheel turned again" + ",.;! "[number % 5] for number in range(40)],
        [answers.GT[(7 * number) ** 2 % 11 % 3] for number in range(40)],
        ["".join(answers.GT[2:5]).replace("abcdefgh"[number], "x") for number in range(8)] * 2,
        [f"第{number}條日月盈昃辰宿列張" for number in range(40)],
    ],
)
def test_a_loop_with_small_changes_is_a_loop(lines):
    assert has_loop("\n".join(lines))
    assert "loop" in page_flags(answers.GT, answers.GT[:2] + lines)


REPETITIVE = {
    "litany": [f"Sancte {name}, ora pro nobis." for name in ["Petre", "Paule", "Thoma", "Luca", "Marce"] * 4],
    "dittos": [f"{number} do. do. do. {7 * number % 13} {3 * number % 11}" for number in range(40)],
    "contents": [
        f"Chapter {number} .................................. {7 * number}" for number in range(1, 30)
    ],
    "timetable": [f"{hour:02}.10 ab Wien an Linz {hour + 3:02}.40" for hour in range(5, 21)],
    "psalm": ["quoniam in aeternum misericordia eius"] * 26,
    "refrain": [line for start in answers.GT for line in (start, "Sing heigh ho, the wind and the rain")],
}


@pytest.mark.parametrize("page", REPETITIVE.values(), ids=REPETITIVE)
def test_a_page_that_repeats_itself_has_a_loop_only_if_the_hypothesis_repeats_more(page):
    misread = [line.replace("e", "c") if number % 4 else line for number, line in enumerate(page)]
    assert not page_flags(page, page)
    assert not page_flags(page, misread)
    assert "loop" in page_flags(page, [*misread, *page[-1:] * 200])


@pytest.mark.parametrize(
    "text", ["", "a", "no no no", " ".join(answers.GT), HAN, LINE * 5, "12 13 14 15 16 17 18 19"]
)
def test_other_text_is_no_loop(text):
    assert not has_loop(text)


def test_a_loop_that_is_less_than_half_of_the_text_is_none():
    text = " ".join(answers.GT)
    assert not has_loop(text + " " + "and so on " * 40)
    assert has_loop(text + " " + "and so on " * 100)


def test_a_page_that_repeats_itself_is_read_correctly():
    page = ["ditto ditto ditto ditto"] * 20
    assert not page_flags(page, page)


@pytest.mark.parametrize(("characters", "flagged"), [(50, False), (49, True), (200, False), (201, True)])
def test_the_length_may_be_half_and_twice(characters, flagged):
    text = "".join(chr(0x4E00 + 7 * number) for number in range(300))
    assert ("length" in page_flags([text[:100]], [text[:characters]])) == flagged


def test_an_empty_page_that_was_read_as_empty_has_no_flag():
    assert not page_flags([], [])
    assert not page_flags(["", " "], ["\t"])
    assert page_flags([], [LINE * 20]) == {"loop"}


def test_optional_text_gives_no_flag_of_length():
    header = [Line("The weekly newspaper of the town, number twelve", type="header")] * 3
    body = [Line("a short report about the mill and the miller")]
    long, short = Page((*header, *body)), Page(tuple(body))
    for gt, hyp, settings in (
        (long, short, {"optional": "header"}),
        (long, short, {"gt_ignore": "header"}),
        (short, long, {"hyp_optional": "header"}),
        (short, long, {"ignore": "header"}),
        (short, long, {"partial": True}),
    ):
        assert evaluate(gt, hyp, ["CER:R"]).flags == {"length"}
        assert not evaluate(gt, hyp, ["CER:R"], **settings).flags
        assert not evaluate_corpus([(gt, hyp)], measures="CER:R", **settings).flags
    assert evaluate(long, short, ["CER:R"], partial=True).flags == {"length"}
    assert evaluate(short, long, ["CER:R"], gt_optional="header").flags == {"length"}


def test_letters_and_digits_are_those_that_python_knows():
    for code in (*range(128), *range(128, 0x30000, 7)):
        for text in (f"a_{chr(code)} 9b", f"a_{chr(code)} ½{chr(code)}9b"):
            assert letters(text) == "".join(filter(str.isalnum, text)).casefold()
            assert _only_letters(text) == "".join(filter(str.isalpha, text))


def encoded(text):
    return text.encode(f"utf-32-{sys.byteorder[0]}e")


@pytest.mark.parametrize("length", [1, 4, 5, 12])
def test_sequences_are_counted_as_strings_are(length):
    rng = random.Random(length)
    for size in (0, 3, 12, 13, 50, 400):
        first, second = ("".join(rng.choices("abä漢", k=size)) for _ in range(2))
        sequences = [first[i : i + length] for i in range(size - length + 1)]
        shared = {*sequences}.intersection(second[i : i + length] for i in range(size - length + 1))
        found = _kernel.shared_sequences(encoded(first), encoded(second), length)
        assert found == (len({*sequences}), len(shared))
        assert _kernel.repeated_sequences(encoded(first), length) == len(sequences) - len({*sequences})
        for times in (1, 2, 6):
            covered = {
                position
                for start, sequence in enumerate(sequences)
                if sequences.count(sequence) >= times
                for position in range(start, start + length)
            }
            assert _kernel.letters_in_repeated(encoded(first), length, times) == len(covered)


def test_text_that_is_not_utf_32_is_refused():
    with pytest.raises(ValueError, match="UTF-32"):
        _kernel.repeated_sequences(b"abc", 1)
