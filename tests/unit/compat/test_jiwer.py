"""The interface of jiwer; tests/property/test_jiwer.py compares it with jiwer itself."""

from __future__ import annotations

import pytest

from pagemeter.compat import jiwer
from pagemeter.errors import UsageError


def test_insertions_and_deletions_are_those_of_jiwer():
    output = jiwer.process_words("one two three four", "one three four five")
    assert (output.hits, output.substitutions, output.deletions, output.insertions) == (3, 0, 1, 1)
    assert output.references == [["one", "two", "three", "four"]]
    assert [(chunk.type, chunk.ref_start_idx, chunk.hyp_end_idx) for chunk in output.alignments[0]] == [
        ("equal", 0, 1),
        ("delete", 1, 1),
        ("equal", 2, 3),
        ("insert", 4, 4),
    ]


def test_rates_are_those_of_the_output():
    texts = ["the old mill", "by the river"], ["the old mil", "the river side"]
    output = jiwer.process_words(*texts)
    assert (output.wer, output.mer, output.wil, output.wip) == (
        jiwer.wer(*texts), jiwer.mer(*texts), jiwer.wil(*texts), jiwer.wip(*texts),
    )  # fmt: skip
    assert jiwer.process_characters(*texts).cer == jiwer.cer(*texts)


@pytest.mark.parametrize(("hyp", "expected"), [("", (0, 0, 0, 1)), ("a b", (2, 1, 1, 0))])
def test_an_empty_reference_has_the_rates_of_jiwer(hyp, expected):
    output = jiwer.process_words("", hyp)
    assert (output.wer, output.mer, output.wil, output.wip) == expected
    assert jiwer.wer("", hyp) == expected[0]


def test_nothing_was_recognised():
    output = jiwer.process_words("a b", "")
    assert (output.wer, output.mer, output.wip, output.deletions) == (1, 1, 0, 2)


def test_no_pairs():
    assert jiwer.wer([], []) == 0
    assert jiwer.process_words([], []).alignments == [[]]


def test_lists_of_different_lengths_are_refused_or_joined():
    with pytest.raises(UsageError, match="1 references and 2 hypotheses"):
        jiwer.wer(["one two"], ["one", "two"])
    joined = jiwer.wer_contiguous
    assert jiwer.wer(["one two"], ["one", "two"], joined, joined) == 0


def test_a_transform_that_returns_no_tokens_is_refused():
    with pytest.raises(UsageError, match="transform of the hypothesis"):
        jiwer.wer("one", "one", hypothesis_transform=jiwer.Strip())


def test_transforms_are_applied():
    transform = jiwer.Compose([jiwer.ToLowerCase(), jiwer.RemovePunctuation(), jiwer.wer_default])
    assert jiwer.wer("One, two!", "one two", transform, transform) == 0
    with pytest.raises(UsageError, match="cannot transform 3"):
        transform(3)


@pytest.mark.parametrize("arguments", [("other", 0, 1, 0, 1), ("equal", 1, 0, 0, 1), ("equal", 0, 1, 2, 1)])
def test_chunks_are_checked(arguments):
    with pytest.raises(UsageError):
        jiwer.AlignmentChunk(*arguments)


def test_summary_of_characters():
    shown = jiwer.visualize_alignment(jiwer.process_characters("abc", "abd"))
    assert shown == (
        "=== SENTENCE 1 ===\n\nREF: abc\nHYP: abd\n       S\n\n=== SUMMARY ===\nnumber of sentences: 1\n"
        "substitutions=1 deletions=0 insertions=0 hits=2\n\ncer=33.33%\n"
    )


def test_errors_are_listed_with_their_counts():
    output = jiwer.process_words(["a b c", "b q"], ["a x c", "x q d"])
    assert jiwer.visualize_error_counts(output, top_k=1) == (
        "=== SUBSTITUTIONS ===\nb --> x = 2x\n\n=== INSERTIONS ===\nd = 1x\n\n=== DELETIONS ===\nnone"
    )
