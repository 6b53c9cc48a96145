"""From two arguments to pairs of files."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from pagemeter.corpus.dividing import divide
from pagemeter.corpus.folders import Found, PassedOver, find
from pagemeter.corpus.lists import LISTS, TABLES, read_list, read_table
from pagemeter.corpus.matching import match
from pagemeter.corpus.names import Candidate, candidate, stem_of, with_dot
from pagemeter.corpus.pairs import Pair, Pairing
from pagemeter.errors import InputError, UsageError
from pagemeter.page import Warn

if TYPE_CHECKING:
    from collections.abc import Sequence

Kind = Literal["file", "folder", "list", "table"]


def pair(
    gt: Path,
    hyp: Path | None = None,
    *,
    gt_suffixes: Sequence[str] = (),
    hyp_suffixes: Sequence[str] = (),
) -> Pairing:
    """The pairs of two files, two folders or two lists of files, or of one table of pairs.

    Names are compared without their suffixes, the longest known one first, or without those given, in which
    case no other files are taken. `docs/cli.md` has the rules.

    >>> import tempfile
    >>> from pathlib import Path
    >>> gt, hyp = (Path(tempfile.mkdtemp()) for _ in range(2))
    >>> for path in (gt / "1.gt.txt", gt / "2.gt.txt", hyp / "1.xml"): path.touch()
    >>> [(made.name, made.hyp and made.hyp.name) for made in pair(gt, hyp).pairs]
    [('1', '1.xml'), ('2', None)]
    """
    if hyp is None:
        if _kind(gt) != "table":
            raise UsageError(
                f"{gt}: no hypothesis is given; add it, or give a table of pairs ({', '.join(TABLES)})"
            )
        return read_table(gt)
    kinds = _kind(gt), _kind(hyp)
    _check(gt, hyp, kinds)
    if kinds == ("file", "file"):
        return Pairing((_marked(Pair(stem_of(gt), gt, hyp)),))
    sides = tuple(tuple(map(with_dot, suffixes)) for suffixes in (gt_suffixes, hyp_suffixes))
    if kinds[0] == "file":
        return _look_up(gt, _found(hyp, kinds[1], sides[1]))
    return _match(gt, hyp, _found(gt, kinds[0], sides[0], hyp), _found(hyp, kinds[1], sides[1], gt), sides)


def _kind(path: Path) -> Kind:
    if path.is_dir():
        return "folder"
    if not os.path.lexists(path):
        if str(path).startswith("@"):
            return "list"
        raise InputError(f"{path}: no such file or folder; check the path")
    suffix = path.suffix.lower()
    return "list" if suffix in LISTS else "table" if suffix in TABLES else "file"


def _check(gt: Path, hyp: Path, kinds: tuple[Kind, Kind]) -> None:
    for path, kind in zip((gt, hyp), kinds, strict=True):
        if kind == "table":
            raise UsageError(f"{path}: a table of pairs names both sides; give it alone")
    if kinds[1] == "file" and kinds[0] != "file":
        raise UsageError(f"{gt} is a {kinds[0]} and {hyp} a file; give two files, two folders or two lists")


def _found(path: Path, kind: Kind, suffixes: Sequence[str], other: Path | None = None) -> Found:
    if kind == "list":
        return read_list(path if os.path.lexists(path) else Path(str(path)[1:]), suffixes)
    inside = other if other and other.is_dir() and not other.samefile(path) else None
    found = find(path, suffixes, without=inside)
    if not found.candidates and not found.problems:
        raise InputError(
            f"{path}: no page files in it{_others(found.passed_over)}; give another folder or a suffix"
        )
    return found


def _others(passed_over: Sequence[PassedOver]) -> str:
    if not passed_over:
        return ", it is empty"
    return f", only {len(passed_over)} of other kinds such as {passed_over[0].path.name}"


def _look_up(gt: Path, found: Found) -> Pairing:
    """The partner of one file, wherever in a folder it lies; the other files there were not asked for."""
    own = candidate(gt) or Candidate(gt, (), stem_of(gt), gt.suffix, None)
    matched = match([own], [replace(other, folders=()) for other in found.candidates])
    pairs = tuple(_marked(made) for made in matched.pairs if made.gt or made.error)
    return Pairing((*pairs, *_problems(found)))


def _match(gt: Path, hyp: Path, gts: Found, hyps: Found, sides: Sequence[Sequence[str]]) -> Pairing:
    if gt.is_dir() and hyp.is_dir() and gt.samefile(hyp):
        divide(gts, hyps, sides)
    matched = match(gts.candidates, hyps.candidates)
    pairs = tuple(map(_marked, matched.pairs))
    if (
        not gt.is_dir()
        and not hyp.is_dir()
        and not any((made.gt and made.hyp) or made.error for made in pairs)
    ):
        pairs = _line_by_line(gt, hyp, gts.candidates, hyps.candidates)
    passed_over = (*gts.passed_over, *hyps.passed_over, *matched.passed_over)
    return Pairing((*pairs, *_problems(gts), *_problems(hyps)), tuple(dict.fromkeys(passed_over)))


def _line_by_line(
    gt: Path, hyp: Path, gts: Sequence[Candidate], hyps: Sequence[Candidate]
) -> tuple[Pair, ...]:
    """The pairs of two lists in which no name agrees."""
    if len(gts) != len(hyps):
        raise InputError(
            f"{gt} and {hyp}: no name is in both, and {len(gts)} lines cannot be paired with {len(hyps)}; "
            "give a table of pairs"
        )
    return tuple(Pair(g.name, g.path, h.path) for g, h in zip(gts, hyps, strict=True))


def _problems(found: Found) -> list[Pair]:
    return [Pair(str(path), None, None, error=f"{path}: {problem}") for path, problem in found.problems]


def _marked(made: Pair) -> Pair:
    """The pair with a warning if both sides are one file."""
    if made.gt is None or made.hyp is None or os.path.realpath(made.gt) != os.path.realpath(made.hyp):
        return made
    reason = "ground truth and hypothesis are the same file"
    return replace(made, warnings=(*made.warnings, Warn(str(made.gt), "file", reason)))
