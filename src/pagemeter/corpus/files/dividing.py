"""One folder for both sides: which of its files are ground truth and which hypotheses."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pagemeter.corpus.files.names import candidate

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pagemeter.corpus.files.folders import Found
    from pagemeter.corpus.files.names import Candidate, Side


def divide(gts: Found, hyps: Found, suffixes: Sequence[Sequence[str]]) -> None:
    """Takes from each side the files that are the other's.

    The suffixes given say whose a file is, the longer one if both fit; without any, tags do: `.gt.txt` is
    ground truth and the others are not, or `.pred.txt` a hypothesis and the others are not. Where nothing
    tells the sides apart, each file stays on both.

    >>> import tempfile
    >>> from pathlib import Path
    >>> from pagemeter.corpus.files.folders import find
    >>> top = Path(tempfile.mkdtemp())
    >>> for name in ("1.gt.txt", "1.txt"): (top / name).touch()
    >>> gts, hyps = find(top), find(top)
    >>> divide(gts, hyps, ((), ()))
    >>> [found.path.name for found in (*gts.candidates, *hyps.candidates)]
    ['1.gt.txt', '1.txt']
    """
    if any(suffixes):
        gts.candidates = gts.candidates.only(lambda found: _by_suffix(found, suffixes) != "hyp")
        hyps.candidates = hyps.candidates.only(lambda found: _by_suffix(found, suffixes) != "gt")
        return
    tags = {found.side for found in gts.candidates}
    gts.candidates = gts.candidates.only(lambda found: _by_tag(found, tags) != "hyp")
    hyps.candidates = hyps.candidates.only(lambda found: _by_tag(found, tags) != "gt")


def _by_suffix(found: Candidate, suffixes: Sequence[Sequence[str]]) -> Side | None:
    """Whose a file is; None if both sides take it alike, or only its own takes it."""
    as_gt, as_hyp = (candidate(found.path, (), own) for own in suffixes)
    if as_gt is None or as_hyp is None:
        return None
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
