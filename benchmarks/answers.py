"""Check an answer before it is timed."""

from __future__ import annotations

from cases import Case
from rapidfuzz.distance import Levenshtein

import pagemeter as pm


def check(case: Case, score: pm.Score) -> None:
    """Check the bound, and the errors of the matching with an independent edit distance."""
    assert score.lower_bound <= score.errors
    assert score.optimal or score.measure.segmentation, f"{case.name} {score.measure} is not proven"
    assert score.errors == rescored(case, score), f"{case.name} {score.measure}"


def rescored(case: Case, score: pm.Score) -> int:
    """Return the errors of the reported matching by rapidfuzz or, for a bag of words, by counting."""
    characterwise = score.measure.unit == "CER"
    cut = list if characterwise else str.split
    words = [word for line in case.hyp for word in line.split()]
    used = {w for match in score.matches for w in match.hyp_words}
    if score.measure.unit == "BOW":
        return max(sum(len(line.split()) for line in case.gt), len(words)) - len(used)
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
    """Check that an additional constraint (R, or no S) never lowers the errors."""
    for unit in ("CER", "WER"):
        for weak, strict in (("", ":R"), (":S", ":RS"), (":S", ""), (":RS", ":R")):
            if {unit + weak, unit + strict} <= errors.keys():
                assert errors[unit + weak] <= errors[unit + strict], (unit, weak, strict)
