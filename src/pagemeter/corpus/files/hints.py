"""What to say where names do not lead to pairs."""

from __future__ import annotations

import os
import re
from collections import Counter, defaultdict
from itertools import product
from typing import TYPE_CHECKING

from pagemeter.corpus.files.names import TAGS

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from pagemeter.corpus.files.names import Candidate, Side

_MARKS = re.compile(r"[_.-]")
_MOST_ENDINGS = 4  # of one beginning; more of them are numbers of pages
_MOST_BYTES = 1_000_000
_EXAMPLES = 3


def no_common_name(gts: Sequence[Candidate], hyps: Sequence[Candidate]) -> str:
    """That no name is on both sides, with examples, and the endings to leave out if that would help.

    >>> from pathlib import Path
    >>> from pagemeter.corpus.files.names import candidate
    >>> gts, hyps = ([candidate(Path(f"{i}_{side}.txt")) for i in (1, 2)] for side in ("gt", "ocr"))
    >>> print(no_common_name(gts, hyps).partition("; ")[2])
    add --gt-suffix _gt.txt --hyp-suffix _ocr.txt, or give a table of pairs
    """
    found = next(iter(endings(_names(gts), _names(hyps))), None)
    remedy = (
        f"add --gt-suffix {found[0]} --hyp-suffix {found[1]}"
        if found
        else "name the endings that differ with --gt-suffix and --hyp-suffix, rename the files"
    )
    sides = f"ground truths are {some(gts)}, hypotheses {some(hyps)}"
    return f"no name is on both sides: {sides}; {remedy}, or give a table of pairs"


def some(files: Sequence[Candidate]) -> str:
    """The first names of several, and how many there are besides."""
    more = f" and {len(files) - _EXAMPLES:,} more" if len(files) > _EXAMPLES else ""
    return f"{', '.join(_names(files[:_EXAMPLES]))}{more}"


def undivided(files: Sequence[Candidate]) -> str | None:
    """How to tell the sides of one folder apart, if the ends of its names do.

    >>> from pathlib import Path
    >>> from pagemeter.corpus.files.names import candidate
    >>> undivided([candidate(Path(name)) for name in ("1_gt.txt", "1_ocr.txt")])
    'both sides are in it; add --gt-suffix _gt.txt --hyp-suffix _ocr.txt'
    """
    names = _names(files)
    for gt, hyp in endings(names, names):
        sides = _side(gt), _side(hyp)
        if gt != hyp and sides in (("gt", "hyp"), ("gt", None), (None, "hyp")):
            return f"both sides are in it; add --gt-suffix {gt} --hyp-suffix {hyp}"
    return None


def endings(gts: Iterable[str], hyps: Iterable[str]) -> list[tuple[str, str]]:
    """The ends of names on both sides that leave the same beginnings, those of most files first.

    >>> endings(["1_gt.txt", "2_gt.txt"], ["1.txt", "2.txt", "3.txt"])
    [('_gt.txt', '.txt')]
    """
    by_gt, by_hyp = _by_beginning(gts), _by_beginning(hyps)
    counts = Counter(
        both
        for beginning in by_gt.keys() & by_hyp.keys()
        if max(len(by_gt[beginning]), len(by_hyp[beginning])) <= _MOST_ENDINGS
        for both in product(by_gt[beginning], by_hyp[beginning])
    )
    # One beginning alone may be chance, as in page_1.txt and page_2.txt.
    fitting = [both for both, count in counts.items() if count > 1 or not re.search(r"\d", "".join(both))]
    return sorted(fitting, key=lambda both: (-counts[both], len("".join(both)), both))


def names_files(path: Path) -> int:
    """How many files a text names, one a line, or 0 if any of its lines names none.

    >>> from pathlib import Path
    >>> names_files(Path(__file__))
    0
    """
    if not path.is_file():  # a pipe can be read once only
        return 0
    try:
        with path.open("rb") as file:
            lines = [line.strip() for line in file.read(_MOST_BYTES).split(b"\n") if line.strip()]
    except OSError:
        return 0
    folder = os.fsencode(path.parent)
    named = (os.path.isfile(os.path.join(folder, line)) or os.path.isfile(line) for line in lines)  # noqa: PTH113, PTH118
    return len(lines) if lines and all(named) else 0


def _by_beginning(names: Iterable[str]) -> dict[str, list[str]]:
    found = defaultdict(list)
    for name in names:
        for mark in _MARKS.finditer(name, 1):
            found[name[: mark.start()]].append(name[mark.start() :])
    return found


def _names(files: Iterable[Candidate]) -> list[str]:
    return [found.path.name for found in files]


def _side(ending: str) -> Side | None:
    return next((side for part in _MARKS.split(ending.lower()) if (side := TAGS.get(part))), None)
