"""Check a reported matching: whether the measure allows it, and which counts it has."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from pagemeter.settings import Settings
from pages import tokens_of
from reference import readable
from reference.encode import words_of_page

if TYPE_CHECKING:
    from pagemeter.score import Match, Score


def rescored(found: Score, gt: list[str], hyp: list[str], near=None) -> tuple[int, int, int]:
    """Return (errors, COR, SUB) of a valid matching of a score, by an independent distance."""
    measure = found.measure
    words, joins = words_of_page(hyp, Settings(unit="codepoint"))
    lines = tokens_of(gt, measure)
    _check(found, words, near if measure.geometry else None)
    total = [0, 0, 0]
    for match in found.matches:
        run = [words[w][0] for w in match.hyp_words]
        if measure.unit == "CER":
            run = list("".join(joins[w] * (i > 0) + words[w][0] for i, w in enumerate(match.hyp_words)))
        key = (_bag if measure.unit == "BOW" else readable.pair)(run, lines[match.gt])
        assert key == (match.distance, match.cor, -match.sub), match
        total = [a + b for a, b in zip(total, key, strict=True)]
    left = set(range(len(gt))) - {match.gt for match in found.matches}
    lost = sum(len(lines[x]) for x in left) + _unmatched(found, hyp, words)
    if measure.unit == "BOW":
        unequal = _unequal_pairs(found, lines, words, near if measure.geometry else None)
        return total[0] + lost - unequal, total[1], unequal
    return total[0] + lost, total[1], -total[2]


def _bag(run: list[str], gt: tuple[str, ...]) -> tuple[int, int, int]:
    """Return the unmatched words of a GT line; assert that matched words are equal."""
    need, have = Counter(gt), Counter(run)
    assert have <= need
    return (need - have).total(), have.total(), 0


def _unequal_pairs(found: Score, gt: list[tuple[str, ...]], words: list[tuple[str, int]], near) -> int:
    """Return how many pairs the words without an equal word can form at most, by augmenting paths."""
    cor = {match.gt: match.cor for match in found.matches}
    free = [x for x, line in enumerate(gt) for _ in range(len(line) - cor.get(x, 0))]
    used = {w for match in found.matches for w in match.hyp_words}
    left = [y for w, (_, y) in enumerate(words) if w not in used]
    if near is None:
        return min(len(free), len(left))
    owner: dict[int, int] = {}

    def augment(i: int, seen: set[int]) -> bool:
        for k, y in enumerate(left):
            if near[free[i]][y] and k not in seen:
                seen.add(k)
                if k not in owner or augment(owner[k], seen):
                    owner[k] = i
                    return True
        return False

    return sum(augment(i, set()) for i in range(len(free)))


def _check(found: Score, words: list[tuple[str, int]], near) -> None:
    """Assert that lines and words are used once, runs are contiguous, and order and neighbours hold."""
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
    """Return the unmatched tokens of HYP: whole lines without S, words without spaces with S."""
    characterwise = found.measure.unit == "CER"
    if found.measure.segmentation or not characterwise:
        used = {w for match in found.matches for w in match.hyp_words}
        return sum(len(word) if characterwise else 1 for w, (word, _) in enumerate(words) if w not in used)
    matched = {match.hyp_line for match in found.matches}
    return sum(len(line) for y, line in enumerate(hyp) if y not in matched)
