"""From two arguments to pairs of files."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import numpy as np

from pagemeter.corpus.contents import STDIN
from pagemeter.corpus.files.dividing import divide
from pagemeter.corpus.files.folders import Found, PassedOver, find, find_elsewhere
from pagemeter.corpus.files.hints import names_files, no_common_name, some, undivided
from pagemeter.corpus.files.lists import LISTS, read_list
from pagemeter.corpus.files.matched import Matched, marked, may_be_same
from pagemeter.corpus.files.matching import caseless, exact, match, without_folder
from pagemeter.corpus.files.names import Candidate, candidate, stem_of, with_dot
from pagemeter.corpus.files.records import EXAMPLE, RECORDS, read_records
from pagemeter.corpus.files.tables import TABLES, read_table
from pagemeter.corpus.pairs import Pair, Pairing
from pagemeter.corpus.urls import Location, Url, is_folder, location
from pagemeter.errors import InputError, UsageError
from pagemeter.page import Warn

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pagemeter.corpus.files.names import Side

Kind = Literal["file", "folder", "list", "table", "file of texts"]


def pair(
    gt: Location | str,
    hyp: Location | str | None = None,
    *,
    gt_suffixes: Sequence[str] = (),
    hyp_suffixes: Sequence[str] = (),
) -> Pairing:
    """The pairs of two files, two collections (folders, lists of files, files of texts), or of one table.

    One of two files may be `-`, which is standard input.

    Names are compared without their suffixes, the longest known one first, or without those given, in which
    case no other files are taken. `docs/cli.md` has the rules.

    >>> import tempfile
    >>> from pathlib import Path
    >>> gt, hyp = (Path(tempfile.mkdtemp()) for _ in range(2))
    >>> for path in (gt / "1.gt.txt", gt / "2.gt.txt", hyp / "1.xml"): path.touch()
    >>> [(made.name, made.hyp and made.hyp.name) for made in pair(gt, hyp).pairs]
    [('1', '1.xml'), ('2', None)]
    """
    gt, hyp = location(gt), None if hyp is None else location(hyp)
    if hyp is None:
        if _kind(gt) != "table":
            raise UsageError(
                f"{gt}: no hypothesis is given; add it, or give a table of pairs ({', '.join(TABLES)})"
            )
        return read_table(gt)
    kinds = _side(gt), _side(hyp)
    _check(gt, hyp, kinds)
    if kinds == ("file", "file"):
        return Pairing((marked(_listed(Pair(stem_of(hyp if gt == STDIN else gt), gt, hyp))),))
    sides = tuple(tuple(map(with_dot, suffixes)) for suffixes in (gt_suffixes, hyp_suffixes))
    if kinds[0] == "file":
        return _look_up(gt, hyp, _found(hyp, kinds[1], "hyp", sides[1]))
    gts, hyps = _found(gt, kinds[0], "gt", sides[0], hyp), _found(hyp, kinds[1], "hyp", sides[1], gt)
    return _match(gt, hyp, gts, hyps, sides)


def _kind(path: Location) -> Kind:
    if path == STDIN:
        return "file"
    if _is_folder(path):
        return "folder"
    if isinstance(path, Path) and not os.path.lexists(path):
        if str(path).startswith("@"):
            return "list"
        raise InputError(f"{path}: no such file or folder; check the path")
    suffix = path.suffix.lower()
    return "list" if suffix in LISTS else "table" if suffix in TABLES else "file"


def _side(path: Location) -> Kind:
    """The kind of one side of two; JSON lines are a table of pairs only if they are alone."""
    kind = _kind(path)
    return "file of texts" if kind == "table" and path.suffix.lower() in RECORDS else kind


def _is_folder(path: Location) -> bool:
    return is_folder(path) if isinstance(path, Url) else path.is_dir()


def _is_one_folder(gt: Location, hyp: Location) -> bool:
    if isinstance(gt, Url) or isinstance(hyp, Url):
        return gt == hyp
    return gt.is_dir() and hyp.is_dir() and gt.samefile(hyp)


def _check(gt: Location, hyp: Location, kinds: tuple[Kind, Kind]) -> None:
    for path, kind in zip((gt, hyp), kinds, strict=True):
        if kind == "table":
            raise UsageError(f"{path}: a table of pairs names both sides; give it alone")
    if STDIN in (gt, hyp) and (gt == hyp or kinds != ("file", "file")):
        raise UsageError("- is standard input and holds one side of one page; give a file for the other side")
    if kinds[1] == "file" and kinds[0] != "file":
        raise UsageError(
            f"{gt} is a {kinds[0]} and {hyp} a file; give the ground truth of that file, or the folder or "
            f"list of all hypotheses (a list that does not end in {' or '.join(LISTS)} as @{hyp})"
        )


def _found(
    path: Location, kind: Kind, side: Side, suffixes: Sequence[str], other: Location | None = None
) -> Found:
    if kind == "list":
        is_there = isinstance(path, Url) or os.path.lexists(path)
        found = read_list(path if is_there else Path(str(path)[1:]), suffixes)
    elif kind == "file of texts":
        found = read_records(path, suffixes)
    elif isinstance(path, Url):
        found = find_elsewhere(path, suffixes)
    else:
        within = other if isinstance(other, Path) and other.is_dir() and not other.samefile(path) else None
        found = find(path, suffixes, without=within)
    if not found.candidates and not found.problems:
        raise InputError(f"{path}: {_nothing(kind, side, suffixes, found.passed_over)}")
    return found


def _nothing(kind: Kind, side: Side, suffixes: Sequence[str], passed_over: Sequence[PassedOver]) -> str:
    """Why a folder or list holds no page files, and what to do."""
    if kind == "file of texts":
        return f"no text in it; write one record a line, such as {EXAMPLE}"
    if not passed_over and kind == "list":
        return "names no file; write one path a line"
    if not passed_over:
        return "no page files in it, it is empty; give another folder"
    others = f"{len(passed_over)} of other kinds such as {passed_over[0].path.name}"
    if suffixes:
        return f"no name in it ends in {' or '.join(suffixes)}, only {others}; change --{side}-suffix"
    return (
        f"no page files in it, only {others}; give another folder, or name their ending with --{side}-suffix"
    )


def _look_up(gt: Location, hyp: Location, found: Found) -> Pairing:
    """The partner of one file, wherever in a folder it lies; the other files there were not asked for."""
    own = candidate(gt) or Candidate(os.fspath(gt), (), stem_of(gt), gt.suffix, None)
    namesakes = [one._replace(folders=()) for one in found.candidates if _alike(one) & _alike(own)]
    pairs = tuple(made for made in match([own], namesakes)[0] if made.gt or made.error)
    if not found.problems and not any(made.hyp or made.error for made in pairs):
        has = f"only {some(found.candidates)}" if found.candidates else "no pages"
        remedy = (
            f"to take the files it lists write @{gt}"
            if isinstance(gt, Path) and names_files(gt)
            else "give the hypothesis file itself"
        )
        raise InputError(f"{gt}: no file of its name in {hyp}, {has}; {remedy}")
    return Pairing((*pairs, *_problems(found)))


def _alike(found: Candidate) -> set[str]:
    """What a file may be known by."""
    return {caseless(found.stem), caseless(without_folder(found))}


def _match(gt: Location, hyp: Location, gts: Found, hyps: Found, sides: Sequence[Sequence[str]]) -> Pairing:
    if _is_one_folder(gt, hyp):
        divide(gts, hyps, sides)
        if gts.candidates and _are_equal(gts.candidates, hyps.candidates):
            alike = "given for both sides, and no name tells them apart; give two folders, or --gt-suffix"
            raise InputError(f"{gt}: {undivided(gts.candidates) or alike}")
    pairs, others = match(gts.candidates, hyps.candidates)
    problems = *_problems(gts), *_problems(hyps)
    pairs = replace(pairs, problems=problems, may_be_same=may_be_same(pairs.places, gts, hyps))
    if not pairs.is_any:
        if any(_side(side) != "list" for side in (gt, hyp)):
            raise InputError(f"{gt} and {hyp}: {_apart(pairs, gts.candidates, hyps.candidates)}")
        pairs = _line_by_line(gt, hyp, pairs)
    passed_over = (*gts.passed_over, *hyps.passed_over, *others)
    return Pairing(pairs, tuple(dict.fromkeys(passed_over)))


def _are_equal(gts: Sequence[Candidate], hyps: Sequence[Candidate]) -> bool:
    return len(gts) == len(hyps) and all(gt == hyp for gt, hyp in zip(gts, hyps, strict=True))


def _line_by_line(gt: Location, hyp: Location, pairs: Matched) -> Matched:
    """The pairs of two lists in which no name agrees."""
    count = len(pairs.gts)
    if count != len(pairs.hyps):
        raise InputError(
            f"{gt} and {hyp}: no name is in both, and {count} lines cannot be paired with {len(pairs.hyps)}; "
            "give a table of pairs"
        )
    lines = np.arange(count, dtype=np.int32)
    made = Matched(pairs.gts, pairs.hyps, np.stack((lines, lines, 0 * lines), axis=1), [exact])
    reason = f"no name is in {hyp} as well: paired line by line, so {made[0].gt} with {made[0].hyp}"
    warned = replace(made[0], warnings=(Warn(str(gt), "list", reason),))
    return replace(made, special={0: warned})


def _apart(pairs: Sequence[Pair], gts: Sequence[Candidate], hyps: Sequence[Candidate]) -> str:
    """Why nothing could be paired: what is known of a single file, or else of all."""
    warning = next((warn for made in pairs for warn in made.warnings), None)
    return f"nothing to pair; {warning}" if warning else no_common_name(gts, hyps)


def _problems(found: Found) -> list[Pair]:
    return [Pair(str(path), None, None, error=f"{path}: {problem}") for path, problem in found.problems]


def _listed(made: Pair) -> Pair:
    """The pair with a warning if its files look like lists of files."""
    paths = [path for path in (made.gt, made.hyp) if isinstance(path, Path) and path != STDIN]
    counts = [len(paths) > 1, *map(names_files, paths)]
    if not all(counts):
        return made
    reason = f"compared as text, but each line names a file; to compare these write @{made.gt} @{made.hyp}"
    return replace(made, warnings=(*made.warnings, Warn(str(made.gt), "file", reason)))
