"""Refusals are recognised in many languages and phrasings, and texts of pages are not mistaken for them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import model_answers
from no_refusals import NO_REFUSALS
from pagemeter import evaluate
from pagemeter.flags.refusals import is_refusal

REFUSALS: dict[str, list[str]] = json.loads(Path(__file__).with_name("refusals.json").read_text("utf-8"))
"""Refusals of models by language."""
ALL = [text for texts in REFUSALS.values() for text in texts]


@pytest.mark.parametrize("text", ALL)
def test_a_refusal_is_flagged(text):
    assert "refusal" in evaluate(model_answers.GT, text, ["CER:R"]).flags


@pytest.mark.parametrize("text", NO_REFUSALS)
def test_the_text_of_a_page_is_no_refusal(text):
    assert not is_refusal(text)
    assert "refusal" not in evaluate(model_answers.GT, text, ["CER:R"]).flags


@pytest.mark.parametrize("text", ALL)
def test_a_page_with_the_same_phrase_is_read_and_not_refused(text):
    """Real text may contain such a sentence: then the ground truth has it as well."""
    page = [*model_answers.GT[:4], text]
    assert not evaluate(page, page, ["CER:R"]).flags
    assert "refusal" not in evaluate([text], [text.replace("t", "l")], ["CER:R"]).flags


def test_a_long_answer_with_an_apology_is_no_refusal():
    text = ["I'm sorry, I cannot read all of the image, but this is what I see:", *model_answers.GT]
    assert not evaluate(model_answers.GT, text, ["CER:R"]).flags
    assert not is_refusal(" ".join([*text, *model_answers.INVENTED]))


def test_a_refusal_on_a_page_without_text_is_flagged():
    assert evaluate([], "The page is blank; I cannot see any text.", ["CER:R"]).flags == {"refusal"}
    assert not evaluate([], "dirt", ["CER:R"]).flags


APOLOGY = [
    "Dear Sir, I regret that I am unable to read your letter",
    "of Tuesday, for the page is wet. I am sorry. J. Smith",
]


def test_a_page_with_an_apology_is_read_poorly_or_refused():
    misread = [line.replace("e", "c").replace("a", "o").replace("r", "n") for line in APOLOGY]
    assert "refusal" not in evaluate(APOLOGY, misread, ["CER:R"]).flags
    assert "refusal" not in evaluate(APOLOGY, APOLOGY, ["CER:R"]).flags
    assert "refusal" in evaluate(APOLOGY, "I'm sorry, but I can't help with that.", ["CER:R"]).flags
    assert "refusal" in evaluate(APOLOGY, "Es tut mir leid, ich kann das Bild nicht lesen.", ["CER:R"]).flags


@pytest.mark.parametrize(
    "form", ["**{}**", "> {}", "```\n{}\n```", '"{}"', "# {}", "_{}_", "\u200b{}", "{}\n\n---", "Answer: {}"]
)
def test_markup_does_not_hide_a_refusal(form):
    for text in ("I'm sorry, but I can't read this image.", "Die Handschrift ist leider unleserlich."):
        assert is_refusal(form.format(text))
