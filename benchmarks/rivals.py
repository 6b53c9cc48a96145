"""Other tools on the same pages. They compare concatenated text; none solves a page-level problem."""

from __future__ import annotations

from collections.abc import Callable

from cases import Case
from rapidfuzz.distance import Levenshtein


def text(lines: list[str]) -> str:
    return "\n".join(lines)


def flat(case: Case) -> Callable[[], int]:
    """Return the distance by rapidfuzz on the concatenated text, the unit of all ratios."""
    gt, hyp = text(case.gt), text(case.hyp)
    return lambda: Levenshtein.distance(gt, hyp)


def edlib_distance(case: Case) -> Callable[[], int]:
    import edlib  # noqa: PLC0415  (rivals are installed by `make bench` only)

    gt, hyp = text(case.gt), text(case.hyp)
    return lambda: int(edlib.align(gt, hyp, task="distance")["editDistance"])


def jiwer_cer(case: Case) -> Callable[[], int]:
    import jiwer  # noqa: PLC0415

    gt, hyp = text(case.gt), text(case.hyp)

    def errors() -> int:
        found = jiwer.process_characters(gt, hyp)
        return int(found.substitutions + found.insertions + found.deletions)

    return errors


def dinglehopper_cer(case: Case) -> Callable[[], int]:
    from dinglehopper import distance  # noqa: PLC0415  (takes seconds to import)

    gt, hyp = text(case.gt), text(case.hyp)
    return lambda: int(distance(gt, hyp))


RIVALS = {"edlib": edlib_distance, "jiwer": jiwer_cer, "dinglehopper": dinglehopper_cer}
