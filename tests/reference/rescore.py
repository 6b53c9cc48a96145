"""What a reported matching is worth: whether the measure allows it, and the counts that it makes."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from reference import readable

if TYPE_CHECKING:
    from pagemeter.score import Match, Score


def rescored(found: Score, gt: list[str], hyp: list[str], near=None) -> tuple[int, int, int]:
    """(errors, COR, SUB) of the matching of a score, by an independent distance; it must be a valid one."""
    measure = found.measure
    cut = list if measure.unit == "CER" else str.split
    words = [(word, y) for y, line in enumerate(hyp) for word in line.split()]
    _check(found, words, near if measure.geometry else None)
    total = [0, 0, 0]
    for match in found.matches:
        run = " ".join(words[w][0] for w in match.hyp_words)
        key = _bag(gt[match.gt], run) if measure.unit == "BOW" else readable.pair(cut(run), cut(gt[match.gt]))
        assert key == (match.distance, match.cor, -match.sub), match
        total = [a + b for a, b in zip(total, key, strict=True)]
    left = set(range(len(gt))) - {match.gt for match in found.matches}
    lost = sum(len(cut(gt[x])) for x in left) + _unmatched(found, hyp, words)
    return total[0] + lost, total[1], -total[2]


def _bag(gt: str, run: str) -> tuple[int, int, int]:
    """The words of a GT line that got nothing; those that got something must have got their like."""
    need, have = Counter(gt.split()), Counter(run.split())
    assert have <= need
    return (need - have).total(), have.total(), 0


def _check(found: Score, words: list[tuple[str, int]], near) -> None:
    """Each line and word is used once, runs are unbroken, order and neighbours are as the letters say."""
    measure, matches = found.measure, found.matches
    used = [w for match in matches for w in match.hyp_words]
    assert len(used) == len(set(used))
    assert len({match.gt for match in matches}) == len(matches)
    if measure.order:
        by_gt = sorted(matches, key=lambda match: match.gt)
        assert [w for match in by_gt for w in match.hyp_words] == sorted(used)
    for match in matches:
        if measure.unit != "BOW":
            assert list(match.hyp_words) == list(range(match.hyp_words[0], match.hyp_words[-1] + 1))
        assert near is None or all(near[match.gt][words[w][1]] for w in match.hyp_words)
        assert match.hyp_line is None or _is_line(match, words)


def _is_line(match: Match, words: list[tuple[str, int]]) -> bool:
    return list(match.hyp_words) == [w for w, (_, y) in enumerate(words) if y == match.hyp_line]


def _unmatched(found: Score, hyp: list[str], words: list[tuple[str, int]]) -> int:
    """The tokens of HYP that nothing got: whole lines without S, words with S, where blanks are free."""
    characterwise = found.measure.unit == "CER"
    if found.measure.segmentation or not characterwise:
        used = {w for match in found.matches for w in match.hyp_words}
        return sum(len(word) if characterwise else 1 for w, (word, _) in enumerate(words) if w not in used)
    matched = {match.hyp_line for match in found.matches}
    return sum(len(line) for y, line in enumerate(hyp) if y not in matched)
