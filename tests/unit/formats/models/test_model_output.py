"""Output of language models: chat and markup give a warning and are measured as text."""

from __future__ import annotations

import pytest

from pagemeter.formats import read_pages

PAGE = "The old mill\nby the river"


def reasons(text, name="a.txt"):
    (page,) = read_pages(text.encode(), name)
    return {warn.reason.partition(",")[0]: warn.element for warn in page.warnings}


CHAT, MARKUP = "looks like a remark of a model about the page", "looks like Markdown"


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
def test_a_chat_opening_gives_a_warning_and_remains_text(opening, name):
    (page,) = read_pages(f"\n{opening}\n\n{PAGE}".encode(), name)
    assert reasons(f"\n{opening}\n\n{PAGE}", name)[CHAT] == "line 2"
    assert opening.strip("*") in page.lines[0 if name == "a.md" else 1].text


@pytest.mark.parametrize("closing", ["Let me know if you need more!", "Note: the transcription is partial."])
def test_a_chat_closing_gives_a_warning(closing):
    assert reasons(f"{PAGE}\n{closing}\n")[CHAT] == "line 3"


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
def test_texts_of_pages_give_no_warning(text):
    assert reasons(text) == {}


@pytest.mark.parametrize(
    "mark", ["```", "~~~text", "# Heading", "|---|---|", "--- | ---", "**bold**", "<table>", "a<br/>b"]
)
def test_markdown_in_plain_text_gives_a_warning(mark):
    assert reasons(f"{PAGE}\n{mark}\n")[MARKUP] == "line 3"
    assert MARKUP not in reasons(f"{PAGE}\n{mark}\n", "a.md")
