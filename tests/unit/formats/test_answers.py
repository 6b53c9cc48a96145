"""Texts that a model wrote: what is no text of the page is measured, and a hint says so."""

from __future__ import annotations

import pytest

from pagemeter.formats import read_pages

PAGE = "The old mill\nby the river"


def reasons(text, name="a.txt"):
    (page,) = read_pages(text.encode(), name)
    return {warn.reason.partition(",")[0]: warn.element for warn in page.warnings}


SAID, MARKS = "reads like the words of a model about the page", "looks like Markdown"


@pytest.mark.parametrize("name", ["a.txt", "a.md"])
@pytest.mark.parametrize(
    "opening",
    [
        "Here is the transcription:",
        "Here's the extracted text from the image:",
        "**Here is a faithful transcription of the page:**",
        "Sure! Here you go.",
        "Certainly, the text reads",
        "Below is the OCR output.",
        "Transcription:",
        "The transcribed text is as follows:",
        "I'm sorry, but I can't read this.",
        "I cannot transcribe this image.",
        "As an AI I have no eyes.",
    ],
)
def test_an_opening_of_a_chat_is_a_hint_and_stays_text(opening, name):
    (page,) = read_pages(f"\n{opening}\n\n{PAGE}".encode(), name)
    assert reasons(f"\n{opening}\n\n{PAGE}", name)[SAID] == "line 2"
    assert opening.strip("*") in page.lines[0 if name == "a.md" else 1].text


@pytest.mark.parametrize("closing", ["Let me know if you need more!", "Note: the transcription is partial."])
def test_a_closing_of_a_chat_is_a_hint(closing):
    assert reasons(f"{PAGE}\n{closing}\n")[SAID] == "line 3"


@pytest.mark.parametrize(
    "text",
    [
        PAGE,
        "",
        "Here is where the river bends",
        "Sure of himself he went",
        "Transcription of deeds",
        "I am the king",
        "Note the price",
        "Okay",
        "the text\nHere is the transcription:\nof it",
        "a ** b\n5 # 6\n--- ---\n#1\n<b",
    ],
)
def test_texts_of_pages_are_no_answers(text):
    assert reasons(text) == {}


@pytest.mark.parametrize(
    "mark", ["```", "~~~text", "# Heading", "|---|---|", "--- | ---", "**bold**", "<table>", "a<br/>b"]
)
def test_marks_of_markdown_in_plain_text_are_a_hint(mark):
    assert reasons(f"{PAGE}\n{mark}\n")[MARKS] == "line 3"
    assert MARKS not in reasons(f"{PAGE}\n{mark}\n", "a.md")
