"""Readable encoder: characters are numbered in the order of their first occurrence."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import replace

import numpy as np
import regex

from pagemeter.text import TokenPage, words_of

BLANK = re.compile(r"\s")
MARK = regex.compile(r"[\p{GCB=Extend}\p{GCB=SpacingMark}\p{GCB=ZWJ}]")
SCRIPTS = ("CJK UNIFIED", "CJK COMPAT", "HIRAGANA", "KATAKANA", "BOPOMOFO", "THAI", "LAO", "KHMER", "MYANMAR")


def unspaced(lines: list[list[str]], y: int, i: int) -> bool:
    """Return True if character i of line y is of a script without spaces, or punctuation beside one."""
    base = _base(lines[y], i)
    if base is None:
        return False
    c = lines[y][base][0]
    if unicodedata.category(c).startswith("P"):
        return _punctuation_is_unspaced(lines, y, base)
    return _of_script(c)


def _base(line: list[str], i: int) -> int | None:
    """Return the character itself, or the one that a mark belongs to; None for a blank and a loose mark."""
    while i >= 0 and MARK.match(line[i]):
        i -= 1
    return None if i < 0 or BLANK.fullmatch(line[i]) else i


def _of_script(c: str) -> bool:
    return any(name in unicodedata.name(c, "") for name in SCRIPTS) and not unicodedata.category(
        c
    ).startswith("M")


def _punctuation_is_unspaced(lines: list[list[str]], y: int, i: int) -> bool:
    sides = []
    for step in (-1, 1):
        line, at, crossed = y, i, False
        found = None
        while found is None:
            at += step
            while not 0 <= at < len(lines[line]):  # past the end of the line
                line, crossed = line + step, True
                if not 0 <= line < len(lines):
                    found = (False, crossed)
                    break
                at = 0 if step > 0 else len(lines[line]) - 1
            if found is None:
                base = _base(lines[line], at)
                if base is None:
                    found = (False, crossed)
                elif not unicodedata.category(c := lines[line][base][0]).startswith("P"):
                    found = (_of_script(c), crossed)
        sides.append(found)
    return any(of and not crossed for of, crossed in sides) or all(of for of, _ in sides)


def characters_of(line: str, unit: str) -> list[str]:
    if unit == "codepoint":
        return list(line)
    return [c for piece in re.split(r"(\s)", line) for c in regex.findall(r"\X", piece)]


def words_and_gaps(lines: list[str], settings) -> tuple[list[list[list[str]]], list[list[str]], list[str]]:
    """Return the words of each line, what is between them, and what is before each line."""
    cut = [characters_of(line, settings.unit) for line in lines]
    scripts = settings.boundaries == "scripts"
    words: list[list[list[str]]] = []
    gaps: list[list[str]] = []
    before: list[str] = []
    last = None
    for y, line in enumerate(cut):
        words.append([[]] if line else [])
        gaps.append([])
        loose = [scripts and unspaced(cut, y, i) for i in range(len(line))]
        for i, c in enumerate(line):
            if BLANK.fullmatch(c):
                words[y].append([])
                gaps[y].append(c)
                continue
            if (
                (loose[i] or (i and loose[i - 1]))
                and not MARK.match(c)
                and i
                and _base(line, i - 1) is not None
            ):
                words[y].append([])
                gaps[y].append("")
            words[y][-1].append(c)
        before.append("" if last is None or not line or (last and loose[0]) else " ")
        last = loose[-1] if line else last
    return words, gaps, before


def words_of_page(lines: list[str], settings) -> tuple[list[tuple[str, int]], list[str]]:
    """Return the words of a page with their lines, and what is before each word in a run."""
    words, gaps, before = words_and_gaps(lines, settings)
    found = [("".join(word), y) for y, line in enumerate(words) for word in line]
    joins = [join for y, line in enumerate(words) if line for join in (before[y], *gaps[y])]
    return found, joins


def encode(lines, codes: dict[str, int], *, characterwise: bool, settings) -> TokenPage:
    """Return normalised lines as integers; new tokens are added to `codes`."""
    tokens: list[str] = []
    ends: list[tuple[int, int]] = []
    words: list[tuple[int, int]] = []
    word_line: list[int] = []
    pieces, gaps, before = words_and_gaps(lines, settings)
    if not characterwise:
        gaps, before = [[""] * len(line) for line in pieces], [""] * len(lines)
        if settings.tokeniser == "whitespace":
            pieces = [[["".join(word)] for word in line if word] for line in pieces]
        else:
            pieces = [
                words_of(line, settings.tokeniser, places)
                for line, places in zip(lines, _cuts(lines, settings), strict=True)
            ]
    for number, line in enumerate(pieces):
        tokens += before[number]
        first = len(tokens)
        for i, piece in enumerate(line):
            if i > 0:
                tokens += gaps[number][i - 1]
            begin = len(tokens)
            tokens += piece
            words.append((begin, len(tokens)))
            word_line.append(number)
        ends.append((first, len(tokens)))
    return TokenPage(
        np.array([codes.setdefault(token, len(codes)) for token in tokens], np.int32),
        np.array(ends, np.int32).reshape(-1, 2),
        np.array(words, np.int32).reshape(-1, 2),
        np.array(word_line, np.int32),
    )


def _cuts(lines, settings) -> list[list[int]]:
    """Return the places in each line where a word begins directly after another."""
    words, gaps, _ = words_and_gaps(lines, replace(settings, unit="codepoint"))
    out = []
    for line, between in zip(words, gaps, strict=True):
        at, cuts = 0, []
        for i, word in enumerate(line):
            if i:
                cuts += [] if between[i - 1] else [at]
                at += len(between[i - 1])
            at += len(word)
        out.append(cuts)
    return out


def encode_pair(gt, hyp, *, characterwise: bool, settings):
    """Return both pages, the number of different tokens, and the number of the joining space."""
    codes: dict[str, int] = {}
    pages = [encode(lines, codes, characterwise=characterwise, settings=settings) for lines in (gt, hyp)]
    joiner = codes.setdefault(" ", len(codes)) if characterwise else None
    return *pages, len(codes), joiner
