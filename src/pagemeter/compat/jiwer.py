"""The interface of jiwer 4: replace `import jiwer` by `from pagemeter.compat import jiwer`.

Functions, fields and numbers are those of jiwer. As there, the reference is the first argument, deletions are
tokens of the reference only, and insertions are tokens of the hypothesis only. Of several alignments with the
fewest errors, the one that RapidFuzz returns is counted and shown, because jiwer uses RapidFuzz.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import accumulate, chain, pairwise
from typing import Any

import numpy as np

from pagemeter import _kernel
from pagemeter.compat import transforms
from pagemeter.compat.opcodes import opcodes
from pagemeter.compat.transforms import *  # noqa: F403  (the transforms of jiwer are part of its interface)
from pagemeter.compat.transforms import cer_default, wer_default
from pagemeter.errors import UsageError
from pagemeter.solve.instance import check_token_count
from pagemeter.text.encode import encode_texts

__all__ = [
    "AlignmentChunk",
    "CharacterOutput",
    "WordOutput",
    "cer",
    "collect_error_counts",
    "mer",
    "process_characters",
    "process_words",
    "visualize_alignment",
    "visualize_error_counts",
    "wer",
    "wil",
    "wip",
]
__all__ += transforms.__all__

Sentences = str | list[str]
Tokens = list[list[str]]
Transform = Callable[[Any], Any]

_KINDS = ("equal", "substitute", "insert", "delete")


@dataclass
class AlignmentChunk:
    """A run of equal operations between a part of the reference and a part of the hypothesis.

    Args:
        type: "equal", "substitute", "insert" or "delete".
        ref_start_idx: The index of the first token of the reference.
        ref_end_idx: The index after its last token.
        hyp_start_idx: The index of the first token of the hypothesis.
        hyp_end_idx: The index after its last token.

    """

    type: str
    ref_start_idx: int
    ref_end_idx: int
    hyp_start_idx: int
    hyp_end_idx: int

    def __post_init__(self) -> None:
        self.type = "substitute" if self.type == "replace" else self.type
        if self.type not in _KINDS:
            raise UsageError(f"unknown type {self.type!r}", remedy=f"use one of {', '.join(_KINDS)}")
        if self.ref_start_idx > self.ref_end_idx or self.hyp_start_idx > self.hyp_end_idx:
            raise UsageError(f"a chunk begins after its end: {self}")


@dataclass
class WordOutput:
    """The alignment of words, and the numbers that follow from it.

    Args:
        references: The words of each reference.
        hypotheses: The words of each hypothesis.
        alignments: The chunks of each pair.
        wer: The word error rate.
        mer: The match error rate.
        wil: The word information lost.
        wip: The word information preserved.
        hits: Right words.
        substitutions: Wrong words.
        insertions: Extra words, in the hypothesis only.
        deletions: Missing words, in the reference only.

    """

    references: Tokens
    hypotheses: Tokens
    alignments: list[list[AlignmentChunk]]
    wer: float
    mer: float
    wil: float
    wip: float
    hits: int
    substitutions: int
    insertions: int
    deletions: int


@dataclass
class CharacterOutput:
    """The alignment of characters, and the numbers that follow from it; see `WordOutput`."""

    references: Tokens
    hypotheses: Tokens
    alignments: list[list[AlignmentChunk]]
    cer: float
    hits: int
    substitutions: int
    insertions: int
    deletions: int


@dataclass(frozen=True)
class _Operations:
    """The number of operations of each kind, and the rates of jiwer."""

    hits: int
    substitutions: int
    insertions: int
    deletions: int

    @property
    def wer(self) -> float:
        references = self.hits + self.substitutions + self.deletions
        return self._errors / references if references else self.insertions

    @property
    def mer(self) -> float:
        longest = self.hits + self._errors
        return self._errors / longest if longest else 0

    @property
    def wip(self) -> float:
        references = self.hits + self.substitutions + self.deletions
        hypotheses = self.hits + self.substitutions + self.insertions
        if not references and not hypotheses:
            return 1
        return self.hits / references * (self.hits / hypotheses) if references and hypotheses else 0

    @property
    def _errors(self) -> int:
        return self.substitutions + self.deletions + self.insertions


def wer(
    reference: Sentences,
    hypothesis: Sentences,
    reference_transform: Transform = wer_default,
    hypothesis_transform: Transform = wer_default,
) -> float:
    """Return the word error rate of one or several pairs of texts.

    >>> wer(["one line", "two"], ["one lime", "two"])
    0.3333333333333333
    """
    return _operations(*_tokens(reference, hypothesis, reference_transform, hypothesis_transform)).wer


def mer(
    reference: Sentences,
    hypothesis: Sentences,
    reference_transform: Transform = wer_default,
    hypothesis_transform: Transform = wer_default,
) -> float:
    """Return the match error rate: errors divided by all operations."""
    return _operations(*_tokens(reference, hypothesis, reference_transform, hypothesis_transform)).mer


def wip(
    reference: Sentences,
    hypothesis: Sentences,
    reference_transform: Transform = wer_default,
    hypothesis_transform: Transform = wer_default,
) -> float:
    """Return the word information preserved: the shares of right words on both sides, multiplied."""
    return _operations(*_tokens(reference, hypothesis, reference_transform, hypothesis_transform)).wip


def wil(
    reference: Sentences,
    hypothesis: Sentences,
    reference_transform: Transform = wer_default,
    hypothesis_transform: Transform = wer_default,
) -> float:
    """Return the word information lost: one minus `wip`."""
    return 1 - wip(reference, hypothesis, reference_transform, hypothesis_transform)


def cer(
    reference: Sentences,
    hypothesis: Sentences,
    reference_transform: Transform = cer_default,
    hypothesis_transform: Transform = cer_default,
) -> float:
    """Return the character error rate of one or several pairs of texts.

    >>> cer("one line", "one lime")
    0.125
    """
    return _operations(*_tokens(reference, hypothesis, reference_transform, hypothesis_transform)).wer


def process_words(
    reference: Sentences,
    hypothesis: Sentences,
    reference_transform: Transform = wer_default,
    hypothesis_transform: Transform = wer_default,
) -> WordOutput:
    """Align the words of one or several pairs of texts.

    Raises:
        UsageError: The transforms do not return lists of lists of strings, or not as many for both sides.

    >>> output = process_words("the old mill", "old mill stone")
    >>> output.hits, output.deletions, output.insertions, output.alignments[0][0].type
    (2, 1, 1, 'delete')

    """
    references, hypotheses = _tokens(reference, hypothesis, reference_transform, hypothesis_transform)
    alignments = [
        [AlignmentChunk(*opcode) for opcode in opcodes(*pair)]
        for pair in zip(references, hypotheses, strict=True)
    ]
    counts = Counter[str]()
    for chunk in chain.from_iterable(alignments):
        counts[chunk.type] += max(
            chunk.ref_end_idx - chunk.ref_start_idx, chunk.hyp_end_idx - chunk.hyp_start_idx
        )
    found = _Operations(*(counts[kind] for kind in _KINDS))
    return WordOutput(
        references,
        hypotheses,
        alignments,
        wer=found.wer,
        mer=found.mer,
        wil=1 - found.wip,
        wip=found.wip,
        hits=found.hits,
        substitutions=found.substitutions,
        insertions=found.insertions,
        deletions=found.deletions,
    )


def process_characters(
    reference: Sentences,
    hypothesis: Sentences,
    reference_transform: Transform = cer_default,
    hypothesis_transform: Transform = cer_default,
) -> CharacterOutput:
    """Align the characters of one or several pairs of texts; spaces are characters.

    >>> process_characters("one line", "one lime").substitutions
    1
    """
    words = process_words(reference, hypothesis, reference_transform, hypothesis_transform)
    return CharacterOutput(
        words.references,
        words.hypotheses,
        words.alignments,
        cer=words.wer,
        hits=words.hits,
        substitutions=words.substitutions,
        insertions=words.insertions,
        deletions=words.deletions,
    )


def _tokens(
    reference: Sentences,
    hypothesis: Sentences,
    reference_transform: Transform,
    hypothesis_transform: Transform,
) -> tuple[Tokens, Tokens]:
    """Return the tokens of both sides."""
    references = _transformed("reference", reference, reference_transform)
    hypotheses = _transformed("hypothesis", hypothesis, hypothesis_transform)
    if len(references) != len(hypotheses):
        raise UsageError(
            f"{len(references):,} references and {len(hypotheses):,} hypotheses after the transforms",
            remedy="give lists of equal length, or join them with wer_contiguous or cer_contiguous",
        )
    return references, hypotheses


def _transformed(side: str, sentences: Sentences, transform: Transform) -> Tokens:
    tokens = transform([sentences] if isinstance(sentences, str) else sentences)
    if not isinstance(tokens, list) or not all(
        isinstance(some, list) and all(isinstance(token, str) for token in some) for some in tokens
    ):
        raise UsageError(
            f"the transform of the {side} does not return a list of lists of strings",
            remedy="end it with ReduceToListOfListOfWords or ReduceToListOfListOfChars",
        )
    return tokens


def _operations(references: Tokens, hypotheses: Tokens) -> _Operations:
    """Return the counts of all pairs from the kernel, without alignments."""
    pair = encode_texts(list(chain.from_iterable(references)), list(chain.from_iterable(hypotheses)))
    check_token_count(len(pair.gt) + len(pair.hyp))
    spans = (
        np.array(list(pairwise(accumulate(map(len, side), initial=0))), np.int32).reshape(-1, 2)
        for side in (references, hypotheses)
    )
    reference_spans, hypothesis_spans = spans
    rows = _kernel.pair_counts(
        pair.gt, reference_spans, pair.hyp, hypothesis_spans, pair.alphabet, "rapidfuzz"
    )
    errors, hits, substitutions = rows.sum(axis=0, dtype=np.int64).tolist()
    deletions = len(pair.gt) - hits - substitutions
    return _Operations(hits, substitutions, errors - substitutions - deletions, deletions)


# Text output


def visualize_alignment(
    output: WordOutput | CharacterOutput,
    show_measures: bool = True,  # noqa: FBT001, FBT002  (as in jiwer)
    skip_correct: bool = True,  # noqa: FBT001, FBT002
    line_width: int | None = None,
) -> str:
    """Return the alignment of each pair as text.

    Args:
        output: What `process_words` or `process_characters` returned.
        show_measures: Add the counts and rates.
        skip_correct: Leave out pairs without errors.
        line_width: Break lines that would be longer.

    >>> print(visualize_alignment(process_words("the old mill", "old mill stone"), show_measures=False))
    === SENTENCE 1 ===
    <BLANKLINE>
    REF: the old mill *****
    HYP: *** old mill stone
           D              I
    <BLANKLINE>

    """
    is_words = isinstance(output, WordOutput)
    parts = []
    for number, chunks in enumerate(output.alignments):
        if skip_correct and all(chunk.type == "equal" for chunk in chunks):
            continue
        cells = _cells(output.references[number], output.hypotheses[number], chunks)
        drawn = _drawn(cells, " " if is_words else "", line_width)
        parts.append(f"=== SENTENCE {number + 1} ===\n\n{drawn}\n")
    text = "".join(parts)
    return text + _summary(output) if show_measures else text[:-1]


def _cells(reference: list[str], hypothesis: list[str], chunks: list[AlignmentChunk]) -> Iterator[list[str]]:
    """Return columns of equal width: the tokens and the letter of the operation."""
    for chunk in chunks:
        left = reference[chunk.ref_start_idx : chunk.ref_end_idx]
        right = hypothesis[chunk.hyp_start_idx : chunk.hyp_end_idx]
        letter = " " if chunk.type == "equal" else chunk.type[0].upper()
        for one, other in zip(left or ["*"] * len(right), right or ["*"] * len(left), strict=True):
            width = max(len(one), len(other), 1)
            # A token that is a star itself is widened as well, as in jiwer.
            first, second = (one, "*" * width) if other == "*" and one != "*" else (one, other)
            yield [
                f"{'*' * width if one == '*' else first:>{width}}",
                f"{second:>{width}}",
                f"{letter:>{width}}",
            ]


def _drawn(cells: Iterator[list[str]], separator: str, line_width: int | None) -> str:
    labels = ["REF: ", "HYP: ", "     "]
    rows, done = list(labels), ""
    cut = -len(separator) or None
    for cell in cells:
        if line_width is not None and len(rows[0]) + len(cell[0]) > line_width:
            done += "\n".join(row[:cut] for row in rows) + "\n\n"
            rows = list(labels)
        rows = [row + part + separator for row, part in zip(rows, cell, strict=True)]
    return done + "\n".join(row[:cut] for row in rows) + "\n"


def _summary(output: WordOutput | CharacterOutput) -> str:
    names = ("mer", "wil", "wip", "wer") if isinstance(output, WordOutput) else ("cer",)
    rates = "".join(f"\n{name}={getattr(output, name) * 100:.2f}%" for name in names)
    return (
        f"=== SUMMARY ===\nnumber of sentences: {len(output.alignments)}\n"
        f"substitutions={output.substitutions} deletions={output.deletions} "
        f"insertions={output.insertions} hits={output.hits}\n{rates}\n"
    )


def collect_error_counts(
    output: WordOutput | CharacterOutput,
) -> tuple[dict[tuple[str, str], int], dict[str, int], dict[str, int]]:
    """Return how often each chunk was substituted, inserted and deleted.

    >>> collect_error_counts(process_words("the old mill", "old mill stone"))
    (Counter(), Counter({'stone': 1}), Counter({'the': 1}))
    """
    separator = " " if isinstance(output, WordOutput) else ""
    substitutions = Counter[tuple[str, str]]()
    others = {"insert": Counter[str](), "delete": Counter[str]()}
    for number, chunks in enumerate(output.alignments):
        for chunk in chunks:
            left = separator.join(output.references[number][chunk.ref_start_idx : chunk.ref_end_idx])
            right = separator.join(output.hypotheses[number][chunk.hyp_start_idx : chunk.hyp_end_idx])
            if chunk.type == "substitute":
                substitutions[left, right] += 1
            elif chunk.type != "equal":
                others[chunk.type][left or right] += 1
    return substitutions, others["insert"], others["delete"]


def visualize_error_counts(
    output: WordOutput | CharacterOutput,
    show_substitutions: bool = True,  # noqa: FBT001, FBT002  (as in jiwer)
    show_insertions: bool = True,  # noqa: FBT001, FBT002
    show_deletions: bool = True,  # noqa: FBT001, FBT002
    top_k: int | None = None,
) -> str:
    """Return the numbers of `collect_error_counts` as text, the most frequent ones first."""
    titles = ("SUBSTITUTIONS", "INSERTIONS", "DELETIONS")
    shown = (show_substitutions, show_insertions, show_deletions)
    parts = [
        f"=== {title} ===\n{_error_list(errors, top_k)}"
        for title, errors, is_shown in zip(titles, collect_error_counts(output), shown, strict=True)
        if is_shown
    ]
    return "\n".join(parts).removesuffix("\n")


def _error_list(errors: Any, top_k: int | None) -> str:  # noqa: ANN401  (counts of strings or of pairs)
    if not errors:
        return "none"
    rows = sorted(errors.items(), key=lambda row: row[1], reverse=True)[:top_k]
    parts = [((key,) if isinstance(key, str) else key, count) for key, count in rows]
    width = max((len(part) for key, _ in parts for part in key), default=0)
    return "".join(f"{' --> '.join(f'{part:<{width}}' for part in key)} = {count}x\n" for key, count in parts)
