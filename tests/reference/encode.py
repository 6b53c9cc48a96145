"""Lines as integers, the plain way: one character after the other, numbered as they come."""

from __future__ import annotations

import re

import numpy as np
import regex

from pagemeter.text import TokenPage, words_of

BLANK = re.compile(r"\s")


def pieces_of(line: str) -> tuple[list[str], list[str]]:
    """A line cut at each white-space character: the pieces, and the characters between them."""
    return (BLANK.split(line), BLANK.findall(line)) if line else ([], [])


def encode(lines, codes: dict[str, int], *, characterwise: bool, settings) -> TokenPage:
    """Normalised lines as integers; `codes` numbers the tokens and is extended by new ones."""
    tokens: list[str] = []
    ends: list[tuple[int, int]] = []
    words: list[tuple[int, int]] = []
    word_line: list[int] = []
    for number, text in enumerate(lines):
        pieces, gaps = pieces_of(text) if characterwise else (words_of(text, settings.tokeniser), [])
        if characterwise and pieces and words:
            tokens.append(" ")
        first = len(tokens)
        for i, piece in enumerate(pieces):
            if characterwise and i > 0:
                tokens.append(gaps[i - 1])
            begin = len(tokens)
            tokens += (
                regex.findall(r"\X", piece) if characterwise and settings.unit == "grapheme" else list(piece)
            )
            words.append((begin, len(tokens)))
            word_line.append(number)
        ends.append((first, len(tokens)))
    return TokenPage(
        np.array([codes.setdefault(token, len(codes)) for token in tokens], np.int32),
        np.array(ends, np.int32).reshape(-1, 2),
        np.array(words, np.int32).reshape(-1, 2),
        np.array(word_line, np.int32),
    )


def encode_pair(gt, hyp, *, characterwise: bool, settings):
    """Both pages, the number of different tokens, and the number of the joining blank."""
    codes: dict[str, int] = {}
    pages = [encode(lines, codes, characterwise=characterwise, settings=settings) for lines in (gt, hyp)]
    joiner = codes.setdefault(" ", len(codes)) if characterwise else None
    return *pages, len(codes), joiner
