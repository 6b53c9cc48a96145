"""Turn two arguments into pairs of files: determine what each argument is, collect its files, match them."""

from __future__ import annotations

import os
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import numpy as np

from pagemeter.errors import InputError, Problem, UsageError
from pagemeter.formats.loading import file_error, read_head
from pagemeter.formats.registry import find_format
from pagemeter.inputs.lists import (
    LIST_SUFFIXES,
    RECORD_SUFFIXES,
    count_listed_files,
    read_list,
    read_records,
)
from pagemeter.inputs.locations import RECORD_EXAMPLE, STDIN, Location, Url, as_location, is_url_folder
from pagemeter.inputs.matching import composed_name, match_files, names_to_look_up
from pagemeter.inputs.mets import is_mets, mets_file, missing_groups, pair_mets
from pagemeter.inputs.page_files import (
    Candidate,
    PassedOver,
    SideFiles,
    candidate,
    find_files,
    find_url_files,
    page_name,
    suffix_side,
    suggest_suffixes,
    with_dot,
)
from pagemeter.inputs.pairs import MatchedPairs, Pair, Pairing, unread_pairs
from pagemeter.inputs.tables import TABLE_SUFFIXES, read_pair_table

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pagemeter.inputs.page_files import Side

STORE_MANIFEST = "store.json"
"""The file that makes a folder a results store."""

_Kind = Literal["file", "folder", "list", "table", "file of texts"]
_EXAMPLES = 3  # file names in a message


def pair(
    gt: Location | str,
    hyp: Location | str | None = None,
    *,
    gt_suffixes: Sequence[str] = (),
    hyp_suffixes: Sequence[str] = (),
    gt_group: str | None = None,
    hyp_group: str | None = None,
) -> Pairing:
    """Pair ground truth files with hypothesis files.

    Names are compared without their suffixes. `docs/cli.md` has the rules.

    Args:
        gt: A file, a folder, a list of files, JSON lines with texts, a table of pairs, or a METS file.
        hyp: The same for the hypotheses; None if `gt` is a table of pairs, or a METS file that has both
            groups. One of two files may be `-`, which is standard input.
        gt_suffixes: The suffixes of ground truth files (default: all known ones). Others are ignored.
        hyp_suffixes: The suffixes of hypothesis files.
        gt_group: The file group of a METS file that has the ground truth.
        hyp_group: The file group that has the hypotheses.

    Returns:
        All pairs, including those with only one side, and the files that were ignored.

    Raises:
        InputError: An argument does not exist or has no page files, or no names are equal.
        UsageError: The two arguments cannot be combined.

    >>> import tempfile
    >>> from pathlib import Path
    >>> gt, hyp = (Path(tempfile.mkdtemp()) for _ in range(2))
    >>> for path in (gt / "1.gt.txt", gt / "2.gt.txt", hyp / "1.xml"): path.touch()
    >>> [(pair.name, pair.hyp and pair.hyp.name) for pair in pair(gt, hyp).pairs]
    [('1', '1.xml'), ('2', None)]

    """
    gt, hyp = as_location(gt), None if hyp is None else as_location(hyp)
    if gt_group is not None or hyp_group is not None:
        _check_groups(gt_group, hyp_group, (*gt_suffixes, *hyp_suffixes))
        return pair_mets(gt, gt_group or "", hyp, hyp_group or "")
    if hyp is None:
        return _pairs_of_table(gt)
    kinds = _kind_of_side(gt), _kind_of_side(hyp)
    _check(gt, hyp, kinds)
    for path, kind in zip((gt, hyp), kinds, strict=True):
        if kind == "file" and is_mets(path):
            raise missing_groups(path)
    if kinds == ("file", "file") or (kinds == ("file", "file of texts") and _is_one_document(hyp)):
        only = Pair(page_name(hyp if gt == STDIN else gt), gt, hyp)
        return Pairing((_with_list_warning(only).checked(),))
    suffixes = tuple(tuple(map(with_dot, given)) for given in (gt_suffixes, hyp_suffixes))
    if kinds[0] == "file":
        return _look_up(gt, hyp, _collect(hyp, kinds[1], "hyp", suffixes[1]))
    gts = _collect(gt, kinds[0], "gt", suffixes[0], hyp)
    hyps = _collect(hyp, kinds[1], "hyp", suffixes[1], gt)
    if _is_same_folder(gt, hyp):
        _divide(gt, gts, hyps, suffixes)
    return _match(gt, hyp, gts, hyps, are_lists=kinds == ("list", "list"))


def _pairs_of_table(table: Location) -> Pairing:
    """Read the pairs of a table, which is the only argument."""
    if _kind(table) == "table":
        return read_pair_table(table)
    if is_mets(mets_file(table)):
        raise missing_groups(mets_file(table))
    remedy = f"add it, or give a table of pairs ({', '.join(TABLE_SUFFIXES)})"
    raise UsageError("no hypothesis is given", source=str(table), remedy=remedy)


def _check_groups(gt_group: str | None, hyp_group: str | None, suffixes: Sequence[str]) -> None:
    """Raise an error if only one file group is given, or suffixes as well."""
    for name, group, other in (("gt_group", gt_group, hyp_group), ("hyp_group", hyp_group, gt_group)):
        if not group:
            detail = f"the file group {other} of a METS file is compared with no other"
            raise UsageError(detail, remedy="add {}", settings=((name, "GROUP"),))
    if suffixes:
        remedy = "leave out the suffixes or the file groups"
        raise UsageError("the files of a METS file have no suffixes to choose", remedy=remedy)


def is_store(path: Location) -> bool:
    """Return True if a folder is a results store.

    >>> from pathlib import Path
    >>> is_store(Path("nowhere"))
    False
    """
    return isinstance(path, Path) and (path / STORE_MANIFEST).is_file()


def _kind(path: Location) -> _Kind:
    if path == STDIN:
        return "file"
    if is_url_folder(path) if isinstance(path, Url) else path.is_dir():
        return "folder"
    if isinstance(path, Path) and not os.path.lexists(path):
        if str(path).startswith("@"):
            return "list"
        raise InputError("no such file or folder", source=str(path), remedy="check the path")
    suffix = path.suffix.lower()
    return "list" if suffix in LIST_SUFFIXES else "table" if suffix in TABLE_SUFFIXES else "file"


def _kind_of_side(path: Location) -> _Kind:
    """Return the kind of one of two arguments; JSON lines are a table of pairs only as the only argument."""
    kind = _kind(path)
    return "file of texts" if kind == "table" and path.suffix.lower() in RECORD_SUFFIXES else kind


def _is_one_document(path: Location) -> bool:
    """Return True if JSON lines are one document of olmOCR, which is a page file."""
    if not isinstance(path, Path):
        return False
    try:
        with path.open("rb") as file:
            lines = [line for line in islice(file, 3) if line.strip()]
    except OSError as error:
        raise file_error(path, error) from None
    return len(lines) == 1 and find_format("olmocr").matches(read_head(lines[0], path.name))


def _check(gt: Location, hyp: Location, kinds: tuple[_Kind, _Kind]) -> None:
    """Raise an error if two arguments cannot be combined."""
    for path, kind in zip((gt, hyp), kinds, strict=True):
        if kind == "table":
            remedy = "give it as the only argument"
            raise UsageError("a table of pairs names both sides", source=str(path), remedy=remedy)
    if STDIN in (gt, hyp) and (gt == hyp or kinds != ("file", "file")):
        detail = "standard input can be only one side of one page"
        raise UsageError(detail, source="-", remedy="give a file for the other side")
    if kinds[1] == "file" and kinds[0] != "file":
        raise UsageError(
            f"{gt} is a {kinds[0]}, but {hyp} is a file",
            remedy="give the ground truth of that file, or the folder or list of all hypotheses (write "
            f"@{hyp} for a list whose suffix is not {' or '.join(LIST_SUFFIXES)})",
        )


def _with_list_warning(only: Pair) -> Pair:
    """Return the pair of two files, with a warning if both look like lists of files."""
    paths = [path for path in (only.gt, only.hyp) if isinstance(path, Path) and path != STDIN]
    if len(paths) < 2 or not all(map(count_listed_files, paths)):  # noqa: PLR2004
        return only
    warning = Problem(
        "the files are compared as text, but each line names a file",
        str(only.gt),
        remedy=f"to compare these files, write @{only.gt} @{only.hyp}",
    )
    return replace(only, warnings=(*only.warnings, warning))


def _collect(
    path: Location, kind: _Kind, side: Side, suffixes: Sequence[str], other: Location | None = None
) -> SideFiles:
    """Return the files of one side; a folder of the other side inside it is not searched."""
    if kind == "list":
        exists = isinstance(path, Url) or os.path.lexists(path)
        files = read_list(path if exists else Path(str(path)[1:]), suffixes)
    elif kind == "file of texts":
        files = read_records(path, suffixes)
    elif isinstance(path, Url):
        files = find_url_files(path, suffixes)
    else:
        inside = other if isinstance(other, Path) and other.is_dir() and not other.samefile(path) else None
        files = find_files(path, suffixes, without=inside)
    if not files.candidates and not files.problems:
        raise InputError(_no_files(str(path), kind, side, suffixes, files.passed_over))
    return files


def _no_files(
    source: str, kind: _Kind, side: Side, suffixes: Sequence[str], passed_over: Sequence[PassedOver]
) -> Problem:
    """Return the reason why one side has no page files."""
    if kind == "file of texts":
        return Problem("no text in it", source, remedy=f"write one record per line, such as {RECORD_EXAMPLE}")
    if not passed_over and kind == "list":
        return Problem("the list names no file", source, remedy="write one path per line")
    if not passed_over:
        return Problem("the folder is empty", source, remedy="give another folder")
    others = f"only {len(passed_over):,} other, such as {passed_over[0].path.name}"
    setting = (f"{side}_suffix", "")
    if suffixes:
        detail = f"no file with the suffix {' or '.join(suffixes)}, {others}"
        return Problem(detail, source, remedy="change {}", settings=(setting,))
    remedy = "give another folder, or the suffix of its files with {}"
    return Problem(f"no page file, {others}", source, remedy=remedy, settings=(setting,))


def _look_up(gt: Location, hyp: Location, hyps: SideFiles) -> Pairing:
    """Pair a single file with its partner in any subfolder; other files there are not reported."""
    own = candidate(gt) or Candidate(os.fspath(gt), (), page_name(gt), gt.suffix, None)
    names = names_to_look_up(own)
    same_name = [file._replace(folders=()) for file in hyps.candidates if names_to_look_up(file) & names]
    pairs = tuple(pair for pair in match_files([own], same_name)[0] if pair.gt or pair.errors)
    if not hyps.problems and not any(pair.hyp or pair.errors for pair in pairs):
        available = f"only {_examples(hyps.candidates)}" if hyps.candidates else "no pages"
        remedy = (
            f"if it is a list of files, write @{gt}"
            if isinstance(gt, Path) and count_listed_files(gt)
            else "give the hypothesis file itself"
        )
        raise InputError(f"no file of this name in {hyp}, {available}", source=str(gt), remedy=remedy)
    return Pairing((*pairs, *unread_pairs(hyps.problems)))


def _is_same_folder(gt: Location, hyp: Location) -> bool:
    if isinstance(gt, Url) or isinstance(hyp, Url):
        return gt == hyp
    return gt.is_dir() and hyp.is_dir() and gt.samefile(hyp)


def _divide(folder: Location, gts: SideFiles, hyps: SideFiles, suffixes: Sequence[Sequence[str]]) -> None:
    """Divide the files of one folder that is given for both sides.

    If suffixes are given, they decide, the longer one if both fit. Otherwise tags decide: if there are files
    such as `1.gt.txt`, they are the ground truth and the others are not; else if there are files such as
    `1.pred.txt`, they are the hypotheses. Otherwise each file is compared with itself.

    >>> import tempfile
    >>> from pathlib import Path
    >>> top = Path(tempfile.mkdtemp())
    >>> for name in ("1.gt.txt", "1.txt"): (top / name).touch()
    >>> gts, hyps = find_files(top), find_files(top)
    >>> _divide(top, gts, hyps, ((), ()))
    >>> [file.path.name for file in (*gts.candidates, *hyps.candidates)]
    ['1.gt.txt', '1.txt']
    """
    if any(suffixes):
        gts.candidates = gts.candidates.filter(lambda file: _side_by_suffix(file, suffixes) != "hyp")
        hyps.candidates = hyps.candidates.filter(lambda file: _side_by_suffix(file, suffixes) != "gt")
    elif len(sides := {file.side for file in gts.candidates}) > 1:
        gts.candidates = gts.candidates.filter(lambda file: _side_by_tag(file, sides) != "hyp")
        hyps.candidates = hyps.candidates.filter(lambda file: _side_by_tag(file, sides) != "gt")
    same = gts.candidates and _are_equal(gts.candidates, hyps.candidates)
    if same and (problem := _undivided(str(folder), gts.candidates)):
        raise InputError(problem)


def _side_by_suffix(file: Candidate, suffixes: Sequence[Sequence[str]]) -> Side | None:
    """Return the side of a file by the given suffixes; None if they do not determine it."""
    as_gt, as_hyp = (candidate(file.path, (), own) for own in suffixes)
    if as_gt is None or as_hyp is None:
        return None
    if not all(suffixes):
        return "gt" if suffixes[0] else "hyp"
    longer = len(as_gt.suffix) - len(as_hyp.suffix)
    return None if longer == 0 else "gt" if longer > 0 else "hyp"


def _side_by_tag(file: Candidate, sides: set[Side | None]) -> Side | None:
    if "gt" in sides:
        return "gt" if file.side == "gt" else "hyp"
    if "hyp" in sides:
        return "hyp" if file.side == "hyp" else "gt"
    return None


def _are_equal(gts: Sequence[Candidate], hyps: Sequence[Candidate]) -> bool:
    return len(gts) == len(hyps) and all(gt == hyp for gt, hyp in zip(gts, hyps, strict=True))


def _undivided(source: str, files: Sequence[Candidate]) -> Problem | None:
    """Return the problem of a folder that has the files of both sides, with suffixes that divide them.

    There is none if the names do not look like two sides: each file is then compared with itself.

    >>> from pathlib import Path
    >>> print(_undivided("d", [candidate(Path(name)) for name in ("1_gt.txt", "1_ocr.txt")]))
    d: the folder has the files of both sides. Add gt_suffix='_gt.txt' hyp_suffix='_ocr.txt'.
    """
    names = _names(files)
    for gt, hyp in suggest_suffixes(names, names):
        sides = suffix_side(gt), suffix_side(hyp)
        if gt != hyp and sides in (("gt", "hyp"), ("gt", None), (None, "hyp")):
            settings = ("gt_suffix", gt), ("hyp_suffix", hyp)
            detail = "the folder has the files of both sides"
            return Problem(detail, source, remedy="add {} {}", settings=settings)
    return None


def _match(gt: Location, hyp: Location, gts: SideFiles, hyps: SideFiles, *, are_lists: bool) -> Pairing:
    """Pair the files of two sides by name, or line by line if two lists have no name in common."""
    pairs, not_used = match_files(gts.candidates, hyps.candidates)
    pairs = pairs.completed(gts, hyps)
    if not pairs.has_pairs_or_errors:
        if not are_lists:
            raise InputError(_nothing_paired(f"{gt} and {hyp}", pairs))
        pairs = _line_by_line(gt, hyp, pairs)
    passed_over = (*gts.passed_over, *hyps.passed_over, *not_used)
    return Pairing(pairs, tuple(dict.fromkeys(passed_over)))


def _line_by_line(gt: Location, hyp: Location, pairs: MatchedPairs) -> MatchedPairs:
    """Pair the files of two lists by their line, with a warning."""
    count = len(pairs.gts)
    if count != len(pairs.hyps):
        detail = f"no name is in both, and {count} files cannot be paired with {len(pairs.hyps)} line by line"
        raise InputError(detail, source=f"{gt} and {hyp}", remedy="give a table of pairs")
    lines = np.arange(count, dtype=np.int32)
    pairs = MatchedPairs(pairs.gts, pairs.hyps, np.stack((lines, lines, 0 * lines), axis=1), [composed_name])
    first = pairs[0]
    detail = f"no name is in {hyp} too; the lists are paired line by line, {first.gt} with {first.hyp} first"
    return replace(pairs, special={0: replace(first, warnings=(Problem(detail, str(gt)),))})


def _nothing_paired(source: str, pairs: MatchedPairs) -> Problem:
    """Return the reason why no files were paired: the warning of one file, or that no names are equal.

    >>> from pathlib import Path
    >>> gts, hyps = ([candidate(Path(f"{i}_{side}.txt")) for i in (1, 2)] for side in ("gt", "ocr"))
    >>> print(_nothing_paired("gt and hyp", MatchedPairs(gts, hyps, np.zeros((0, 3), np.int32), [])).remedy)
    add {} {}, or give a table of pairs
    """
    warning = next((warning for pair in pairs for warning in pair.warnings), None)
    if warning:
        return replace(warning, detail=f"no files to pair; {warning.source}: {warning.detail}", source=source)
    suggested = next(iter(suggest_suffixes(_names(pairs.gts), _names(pairs.hyps))), ("", ""))
    names = f"the ground truth has {_examples(pairs.gts)}, the hypothesis {_examples(pairs.hyps)}"
    return Problem(
        f"no name is on both sides; {names}",
        source,
        remedy="add {} {}, or give a table of pairs"
        if any(suggested)
        else "give the suffixes of both sides with {} and {}, rename the files, or give a table of pairs",
        settings=(("gt_suffix", suggested[0]), ("hyp_suffix", suggested[1])),
    )


def _examples(files: Sequence[Candidate]) -> str:
    """Return the first names, and the number of the others."""
    more = f" and {len(files) - _EXAMPLES:,} more" if len(files) > _EXAMPLES else ""
    return f"{', '.join(_names(files[:_EXAMPLES]))}{more}"


def _names(files: Iterable[Candidate]) -> list[str]:
    return [file.path.name for file in files]
