"""One folder for both sides: which of its files are ground truth and which hypotheses."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pagemeter.corpus.folders import Found
    from pagemeter.corpus.names import Candidate, Side


def divide(gts: Found, hyps: Found, suffixes: Sequence[Sequence[str]]) -> None:
    """Takes from each side the files that are the other's.

    The suffixes given say whose a file is, the longer one if both fit; without any, tags do: `.gt.txt` is
    ground truth and the others are not, or `.pred.txt` a hypothesis and the others are not. Where nothing
    tells the sides apart, each file stays on both.

    >>> from pathlib import Path
    >>> from pagemeter.corpus.folders import Found
    >>> from pagemeter.corpus.names import candidate
    >>> files = [candidate(Path(name)) for name in ("1.gt.txt", "1.txt")]
    >>> gts, hyps = Found(list(files)), Found(list(files))
    >>> divide(gts, hyps, ((), ()))
    >>> gts.candidates == files[:1], hyps.candidates == files[1:]
    (True, True)
    """
    as_hyp = {found.path: found for found in hyps.candidates}
    both = {found.path: (found, as_hyp[found.path]) for found in gts.candidates if found.path in as_hyp}
    tags = {found.side for found, _ in both.values()}
    owners = {
        path: _by_suffix(*found, suffixes) if any(suffixes) else _by_tag(found[0], tags)
        for path, found in both.items()
    }
    gts.candidates = [found for found in gts.candidates if owners.get(found.path) != "hyp"]
    hyps.candidates = [found for found in hyps.candidates if owners.get(found.path) != "gt"]


def _by_suffix(as_gt: Candidate, as_hyp: Candidate, suffixes: Sequence[Sequence[str]]) -> Side | None:
    if not all(suffixes):
        return "gt" if suffixes[0] else "hyp"
    longer = len(as_gt.suffix) - len(as_hyp.suffix)
    return None if longer == 0 else "gt" if longer > 0 else "hyp"


def _by_tag(found: Candidate, tags: set[Side | None]) -> Side | None:
    if "gt" in tags:
        return "gt" if found.side == "gt" else "hyp"
    if "hyp" in tags:
        return "hyp" if found.side == "hyp" else "gt"
    return None
