"""The flags of pages: made-up answers, and the rules at their limits."""

from __future__ import annotations

import pytest

import model_answers as answers
from pagemeter import evaluate
from pagemeter.flags import has_loop, page_flags

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
