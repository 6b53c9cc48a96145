"""What must be true of an answer before its time counts."""

from __future__ import annotations

from cases import Case
from rapidfuzz.distance import Levenshtein

import pagemeter as pm


def check(case: Case, score: pm.Score) -> None:
    """The bound holds, without S it is met, and the matching makes the errors by an independent distance."""
    assert score.lower_bound <= score.errors
    assert score.optimal or score.measure.segmentation, f"{case.name} {score.measure} is not proven"
    assert score.errors == rescored(case, score), f"{case.name} {score.measure}"


def rescored(case: Case, score: pm.Score) -> int:
    """The errors of the reported matching, by rapidfuzz; of a bag of words, by what is left on both sides."""
    characterwise = score.measure.unit == "CER"
    cut = list if characterwise else str.split
    words = [word for line in case.hyp for word in line.split()]
    used = {w for match in score.matches for w in match.hyp_words}
    if score.measure.unit == "BOW":
        return sum(len(line.split()) for line in case.gt) + len(words) - 2 * len(used)
    total = sum(
        Levenshtein.distance(cut(" ".join(words[w] for w in match.hyp_words)), cut(case.gt[match.gt]))
        for match in score.matches
    )
    got = {match.gt for match in score.matches}
    total += sum(len(cut(line)) for x, line in enumerate(case.gt) if x not in got)
    if score.measure.segmentation or not characterwise:
        return total + sum(len(word) if characterwise else 1 for w, word in enumerate(words) if w not in used)
    matched = {match.hyp_line for match in score.matches}
    return total + sum(len(line) for y, line in enumerate(case.hyp) if y not in matched)


def check_relations(errors: dict[str, int]) -> None:
    """A constraint more never means fewer errors; R and the lack of S are constraints."""
    for unit in ("CER", "WER"):
        for weak, strict in (("", ":R"), (":S", ":RS"), (":S", ""), (":RS", ":R")):
            if {unit + weak, unit + strict} <= errors.keys():
                assert errors[unit + weak] <= errors[unit + strict], (unit, weak, strict)
