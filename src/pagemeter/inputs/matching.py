"""Match the files of two sides by name.

1. Files with equal folders and stems are pairs. Names are compared in Unicode's composed form, because some
   file systems decompose letters with accents.
2. The remaining files are compared without the folders that only name the side of the files: a level
   of folders that has the same name throughout one side and does not occur on the other, as the file groups
   of a METS workspace (`GT-PAGE/0001.xml` and `OCR/0001.xml`). A stem that repeats the name of its folder
   (`GT-PAGE/GT-PAGE_0001.xml`) is compared without that name.
3. If several files of one side have the same name, one is chosen by the tag in its suffix, or the page has an
   error.
4. Files without a partner remain as pairs with one side, unless their content shows that they are not pages.

Names are compared by digests of 8 bytes. Among ten million names, two different ones collide with a
probability of 10⁻⁵.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from pagemeter.errors import InputError, Problem
from pagemeter.formats import formats, read_pages
from pagemeter.formats.loading import read_head
from pagemeter.inputs.lists import digest
from pagemeter.inputs.locations import Location, Url, fetch
from pagemeter.inputs.page_files import PassedOver
from pagemeter.inputs.pairs import MatchedPairs, Pair

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from pagemeter.inputs.page_files import Candidate, Side

_SINGULAR = {"gt": "ground truth", "hyp": "hypothesis"}
_PLURAL = {"gt": "ground truths", "hyp": "hypotheses"}
_HEAD_BYTES = 65_536
_REPORT = re.compile(rb'<meta name="generator" content="pagemeter report">|\A<!-- pagemeter report -->')


def match_files(
    gts: Sequence[Candidate], hyps: Sequence[Candidate]
) -> tuple[MatchedPairs, tuple[PassedOver, ...]]:
    """Return the pairs of two collections of files, and the files that are not used.

    The pairs are in the order of the ground truths. Those without a hypothesis have None for it. Hypotheses
    without a ground truth follow at the end.

    >>> from pathlib import Path
    >>> from pagemeter.inputs.page_files import candidate
    >>> gt, hyp = candidate(Path("1.gt.txt")), candidate(Path("1.xml"))
    >>> [(pair.name, pair.hyp) for pair in match_files([gt], [hyp])[0]]
    [('1', PosixPath('1.xml'))]
    """
    matcher = _Matcher(gts, hyps)
    matcher.match_by(composed_name, composed_name)
    if matcher.both_sides_remain:
        matcher.match_by(_name_without_groups(gts, hyps), _name_without_groups(hyps, gts))
    matcher.add_unmatched()
    return matcher.result()


def composed_name(file: Candidate) -> str:
    """Return the name of a page in Unicode's composed form.

    >>> from pathlib import Path
    >>> from pagemeter.inputs.page_files import candidate
    >>> composed_name(candidate(Path("gt/1.gt.txt"), ("book",)))
    'book/1'
    """
    return _composed(file.name)


def names_to_look_up(file: Candidate) -> set[str]:
    """Return the names by which the partner of a single file is looked up, without regard to case or folders.

    >>> from pathlib import Path
    >>> from pagemeter.inputs.page_files import candidate
    >>> sorted(names_to_look_up(candidate(Path("OCR/OCR_A1.xml"))))
    ['a1', 'ocr_a1']
    """
    return {_caseless(file.stem), _caseless(_stem_without_folder(file))}


def _composed(name: str) -> str:
    return unicodedata.normalize("NFC", name)


def _caseless(stem: str) -> str:
    return _composed(stem).casefold()


def _name_without_groups(side: Sequence[Candidate], other: Sequence[Candidate]) -> Callable[[Candidate], str]:
    """Return a function that names a page without the folders that only name the side of a file."""
    groups = {level: _composed(name) for level, name in enumerate(side[0].folders)}
    for file in side:
        if any(file.folders[level : level + 1] != (name,) for level, name in groups.items()):
            names = map(_composed, file.folders)
            groups = {level: name for level, name in enumerate(names) if groups.get(level) == name}
    group_names = set(groups.values())
    of_other = {name for file in other for name in map(_composed, file.folders) if name in group_names}
    levels = {level for level, name in groups.items() if name not in of_other}

    def key(file: Candidate) -> str:
        folders = (name for level, name in enumerate(file.folders) if level not in levels)
        return _composed("/".join((*folders, _stem_without_folder(file))))

    return key


def _stem_without_folder(file: Candidate) -> str:
    """Return the stem of a file without the name of its folder at its beginning or end.

    >>> from pathlib import Path
    >>> from pagemeter.inputs.page_files import candidate
    >>> _stem_without_folder(candidate(Path("OCR/OCR_0001.xml")))
    '0001'
    """
    folder = file.path.parent.name
    for separator in "_-" if folder else "":
        stem = file.stem.removeprefix(folder + separator).removesuffix(separator + folder)
        if stem and stem != file.stem:
            return stem
    return file.stem


class _Matcher:
    """The files of both sides that have no partner yet, and the pairs so far as rows of `MatchedPairs`."""

    def __init__(self, gts: Sequence[Candidate], hyps: Sequence[Candidate]) -> None:
        self._gts, self._hyps = gts, hyps
        self._remaining_gts = np.arange(len(gts), dtype=np.int32)
        self._remaining_hyps = np.arange(len(hyps), dtype=np.int32)
        self._rows: list[NDArray[np.int32]] = []
        self._keys: list[Callable[[Candidate], str]] = []
        self._special: dict[int, Pair] = {}
        self._passed_over: list[PassedOver] = []

    @property
    def both_sides_remain(self) -> bool:
        """True if there may be more pairs."""
        return bool(len(self._remaining_gts) and len(self._remaining_hyps))

    def match_by(self, gt_key: Callable[[Candidate], str], hyp_key: Callable[[Candidate], str]) -> None:
        """Pair the files with equal keys."""
        gts = Groups(self._gts, self._remaining_gts, gt_key)
        hyps = Groups(self._hyps, self._remaining_hyps, hyp_key)
        in_gts, in_hyps = gts.common(hyps)
        unique = (gts.sizes[in_gts] == 1) & (hyps.sizes[in_hyps] == 1)
        self._add(gts.firsts[in_gts[unique]], hyps.firsts[in_hyps[unique]], gt_key)
        for gt, hyp in zip(in_gts[~unique], in_hyps[~unique], strict=True):
            self._choose(gt_key, gts[gt], hyps[hyp])
        self._remaining_gts, self._remaining_hyps = gts.without(in_gts), hyps.without(in_hyps)

    def add_unmatched(self) -> None:
        """Add the files without a partner, unless their content shows that they are not pages."""
        gts = self._only_pages(self._gts, self._remaining_gts)
        hyps = self._only_pages(self._hyps, self._remaining_hyps)
        by_stem = Groups(self._hyps, hyps, lambda file: _caseless(file.stem))
        groups = Groups(self._gts, gts, composed_name)
        self._add(groups.firsts, np.full_like(groups.firsts, -1), composed_name)
        for group, (index, size) in enumerate(zip(groups.firsts, groups.sizes, strict=True)):
            file = self._gts[index]
            similar = [self._hyps[i] for i in by_stem.of(_caseless(file.stem))]
            if similar or size > 1:
                choice = self._choose_one([self._gts[i] for i in groups[group]], "gt")
                warnings = (_similar_name_warning(file, similar),) if similar else ()
                self._special[int(index)] = Pair(file.name, choice.path, None, warnings, choice.errors)
        self._add(np.full_like(hyps, -1), hyps, composed_name)

    def result(self) -> tuple[MatchedPairs, tuple[PassedOver, ...]]:
        """Return all pairs in the order of the ground truths, and the files that are not used."""
        rows = np.concatenate([np.zeros((0, 3), np.int32), *self._rows])
        gt, hyp, _ = rows.T
        rows = rows[np.lexsort((hyp, gt, gt < 0))]
        return MatchedPairs(self._gts, self._hyps, rows, self._keys, self._special), tuple(self._passed_over)

    def _add(self, gts: NDArray[np.int32], hyps: NDArray[np.int32], key: Callable[[Candidate], str]) -> None:
        self._rows.append(np.stack((gts, hyps, np.full_like(gts, len(self._keys))), axis=1))
        self._keys.append(key)

    def _choose(
        self, key: Callable[[Candidate], str], gts: NDArray[np.int32], hyps: NDArray[np.int32]
    ) -> None:
        """Pair one of several ground truths with one of several hypotheses that have the same name."""
        gt = self._choose_one([self._gts[index] for index in gts], "gt")
        hyp = self._choose_one([self._hyps[index] for index in hyps], "hyp")
        self._add(gts[:1], hyps[:1], key)
        name = key(self._gts[gts[0]])
        self._special[int(gts[0])] = Pair(name, gt.path, hyp.path, errors=gt.errors + hyp.errors)

    def _choose_one(self, files: Sequence[Candidate], side: Side) -> Choice:
        choice = Choice.among(files, side)
        self._passed_over += choice.passed_over
        return choice

    def _only_pages(self, files: Sequence[Candidate], indices: NDArray[np.int32]) -> NDArray[np.int32]:
        is_page = np.ones(len(indices), bool)
        for number, index in enumerate(indices):
            path = files[index].path
            if reason := why_not_a_page(path):
                is_page[number] = False
                self._passed_over.append(PassedOver(path, reason))
        return indices[is_page]


def _similar_name_warning(gt: Candidate, similar: Sequence[Candidate]) -> Problem:
    hyp = next((file for file in similar if file.stem == gt.stem), similar[0])
    if _composed(hyp.stem) == _composed(gt.stem):
        detail = f"no hypothesis in the same folder, but {hyp.path} has the same name"
        return Problem(detail, str(gt.path), remedy="give the folder of that file")
    detail = f"no hypothesis of this name, but {hyp.path} differs only in letter case"
    return Problem(detail, str(gt.path), remedy="rename one of them")


class Groups:
    """Files grouped by a key, as indices in arrays.

    `digests` are those of the keys, and `sizes` the numbers of files in each group.

    >>> from pathlib import Path
    >>> from pagemeter.inputs.page_files import candidate
    >>> files = [candidate(Path(name)) for name in ("b.xml", "a.xml", "b.txt")]
    >>> groups = Groups(files, np.arange(3), lambda file: file.stem)
    >>> groups.of("b").tolist(), groups.of("c").tolist()
    ([0, 2], [])
    """

    def __init__(
        self, files: Sequence[Candidate], indices: NDArray[np.int32], key: Callable[[Candidate], str]
    ) -> None:
        digests = np.fromiter((digest(key(files[i])) for i in indices.tolist()), np.int64, len(indices))
        order = np.argsort(digests, kind="stable").astype(np.int32)
        digests = digests[order]
        self._indices = indices[order]
        self._starts = np.flatnonzero(np.append(True, digests[1:] != digests[:-1])[: len(digests)])
        self.digests = digests[self._starts]
        self.sizes = np.diff(self._starts, append=len(digests))

    @property
    def firsts(self) -> NDArray[np.int32]:
        """The first file of each group."""
        return self._indices[self._starts]

    def __getitem__(self, group: int) -> NDArray[np.int32]:
        """Return the files of a group."""
        return self._indices[self._starts[group] :][: self.sizes[group]]

    def of(self, key: str) -> NDArray[np.int32]:
        """Return the files with a key."""
        group = int(np.searchsorted(self.digests, wanted := digest(key)))
        exists = group < len(self.digests) and self.digests[group] == wanted
        return self[group] if exists else self._indices[:0]

    def common(self, others: Groups) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the groups whose keys occur in both: their indices here, and their indices in `others`."""
        there = np.searchsorted(others.digests, self.digests)
        here = np.flatnonzero(there < len(others.digests))
        here = here[others.digests[there[here]] == self.digests[here]]
        return here, there[here]

    def without(self, groups: NDArray[np.int64]) -> NDArray[np.int32]:
        """Return the files that are not in these groups, in their original order."""
        remain = np.ones(len(self.digests), bool)
        remain[groups] = False
        return np.sort(self._indices[np.repeat(remain, self.sizes)])


@dataclass(frozen=True, slots=True)
class Choice:
    """One file chosen among several with the same name, or an error; and the files that were not chosen."""

    path: Location | None
    passed_over: tuple[PassedOver, ...] = ()
    errors: tuple[Problem, ...] = ()

    @classmethod
    def among(cls, files: Sequence[Candidate], side: Side) -> Choice:
        """Choose the file with the tag of its side (`.gt.txt` for ground truth), then one without a tag.

        A file whose content is not a page is not chosen if there is another one.

        >>> from pathlib import Path
        >>> from pagemeter.inputs.page_files import candidate
        >>> Choice.among([candidate(Path("1.gt.txt")), candidate(Path("1.txt"))], "gt").path
        PosixPath('1.gt.txt')
        >>> print(*Choice.among([candidate(Path("1.hocr")), candidate(Path("1.txt"))], "hyp").errors)
        1: two hypotheses in .: .hocr and .txt. Choose with hyp_suffix='.hocr' or hyp_suffix='.txt'.
        """
        if len(files) == 1:
            return cls(files[0].path)
        best = [file for tag in (side, None) for file in files if file.side == tag]
        best = [file for file in best if file.side == best[0].side] or list(files)
        if len(best) > 1:
            best = [file for file in best if not why_not_a_page(file.path)] or best
        if len(best) > 1:
            return cls(None, errors=(_ambiguous(best, side),))
        reason = f"another file is the {_SINGULAR[side]} of that name"
        others = tuple(PassedOver(file.path, reason) for file in files if file is not best[0])
        return cls(best[0].path, others)


def _ambiguous(files: Sequence[Candidate], side: Side) -> Problem:
    folder = files[0].path.parent
    together = all(file.path.parent == folder for file in files)
    names = [file.path.name if together else str(file.path) for file in files]
    stems = {file.path.name.removesuffix(file.suffix) for file in files}
    if together and len(stems) == 1:
        names = [file.suffix for file in files]  # so the message is the same for all pages
    *most, last = names
    count = "two" if len(files) == 2 else str(len(files))  # noqa: PLR2004
    detail = f"{count} {_PLURAL[side]}{f' in {folder}' if together else ''}: {', '.join(most)} and {last}"
    suffixes = [file.suffix.lower() for file in files]
    unique = sorted(s for s in suffixes if sum(other.endswith(s) for other in suffixes) == 1)
    remedy = " or ".join(["{}"] * len(unique))
    return Problem(
        detail,
        files[0].name,
        remedy=f"choose with {remedy}" if unique else "give a folder with one of them, or a table of pairs",
        settings=tuple((f"{side}_suffix", suffix) for suffix in unique),
    )


def why_not_a_page(path: Location) -> str | None:
    """Return the reason why the content of a file is not a page; None if it may be one.

    Such files are other XML, JSON without a page, and reports of pagemeter. A damaged page may be a page;
    reading it reports the error.

    >>> import tempfile
    >>> from pathlib import Path
    >>> path = Path(tempfile.mkdtemp(), "files.xml")
    >>> _ = path.write_text("<mets xmlns='http://www.loc.gov/METS/'/>")
    >>> why_not_a_page(path)
    "root element 'mets' is of no page format"
    """
    if path.suffix.lower() == ".json":
        return _why_not_a_json_page(path)
    try:
        data = _head(path)
    except (OSError, InputError):
        return None
    if _REPORT.search(data[:500]):
        return "a report of pagemeter"
    head = read_head(data, str(path))
    if head.root is None or any(known.matches(head) for known in formats() if known.name != "text"):
        return None
    return f"root element {head.root!r} is of no page format"


def _head(path: Location) -> bytes:
    if isinstance(path, Url):
        return fetch(path).data[:_HEAD_BYTES]
    with path.open("rb") as file:
        return file.read(_HEAD_BYTES)


def _why_not_a_json_page(path: Location) -> str | None:
    try:
        data = fetch(path).data
    except InputError:
        return None
    try:
        read_pages(data, str(path))
    except InputError:
        return "JSON without a page"
    return None
