"""Which hypothesis file belongs to which ground truth file, by their names.

First by folder and stem, both in Unicode's composed form, for some file systems take letters and accents
apart. What is left is compared once more without the folders that only say whose files they hold: a level of
folders that has one name throughout a side, which the other side does not know, as the file groups of a METS
workspace (`GT-PAGE/0001.xml` and `OCR/0001.xml`); a stem that repeats the name of its folder
(`GT-PAGE/GT-PAGE_0001.xml`) is compared without it.

Names are compared by digests of eight bytes; two of ten million are taken for one with a chance of 10⁻⁵.
"""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING

import numpy as np

from pagemeter.corpus.files.choice import Choice
from pagemeter.corpus.files.folders import PassedOver
from pagemeter.corpus.files.groups import Groups
from pagemeter.corpus.files.kinds import other_kind
from pagemeter.corpus.files.matched import Matched
from pagemeter.corpus.pairs import Pair
from pagemeter.page import Warn

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from pagemeter.corpus.files.names import Candidate, Side

    Key = Callable[[Candidate], str]


def match(gts: Sequence[Candidate], hyps: Sequence[Candidate]) -> tuple[Matched, tuple[PassedOver, ...]]:
    """The pairs of two collections of files, by name, and the files that turn out to be none of a page.

    They are in the order of the ground truths; those without a partner have None for it, and hypotheses
    without ground truth follow.

    >>> from pathlib import Path
    >>> from pagemeter.corpus.files.names import candidate
    >>> gt, hyp = candidate(Path("1.gt.txt")), candidate(Path("1.xml"))
    >>> [(pair.name, pair.hyp) for pair in match([gt], [hyp])[0]]
    [('1', PosixPath('1.xml'))]
    """
    matcher = _Matcher(gts, hyps)
    matcher.stage(exact, exact)
    if matcher.left_on_both_sides:
        matcher.stage(_without_groups(gts, hyps), _without_groups(hyps, gts))
    matcher.without_partner()
    return matcher.matched()


def exact(found: Candidate) -> str:
    """The name of a file in composed form.

    >>> from pathlib import Path
    >>> from pagemeter.corpus.files.names import candidate
    >>> exact(candidate(Path("gt/1.gt.txt"), ("book",)))
    'book/1'
    """
    return _composed(found.name)


def _composed(name: str) -> str:
    return unicodedata.normalize("NFC", name)


def _without_groups(side: Sequence[Candidate], other: Sequence[Candidate]) -> Key:
    """The name of a file without the folders and parts of its name that say whose files they are."""
    groups = {level: _composed(name) for level, name in enumerate(side[0].folders)}
    for found in side:
        if any(found.folders[level : level + 1] != (name,) for level, name in groups.items()):
            names = map(_composed, found.folders)
            groups = {level: name for level, name in enumerate(names) if groups.get(level) == name}
    wanted = set(groups.values())
    known = {name for found in other for name in map(_composed, found.folders) if name in wanted}
    levels = {level for level, name in groups.items() if name not in known}

    def key(found: Candidate) -> str:
        kept = (name for level, name in enumerate(found.folders) if level not in levels)
        return _composed("/".join((*kept, without_folder(found))))

    return key


def without_folder(found: Candidate) -> str:
    """The stem of a file without the name of its folder.

    >>> from pathlib import Path
    >>> from pagemeter.corpus.files.names import candidate
    >>> without_folder(candidate(Path("OCR/OCR_0001.xml")))
    '0001'
    """
    folder = found.path.parent.name
    for mark in "_-" if folder else "":
        stem = found.stem.removeprefix(folder + mark).removesuffix(mark + folder)
        if stem and stem != found.stem:
            return stem
    return found.stem


def caseless(stem: str) -> str:
    """A stem for comparison with others in whatever case.

    >>> caseless("Page_A") == caseless("page_a")
    True
    """
    return _composed(stem).casefold()


class _Matcher:
    def __init__(self, gts: Sequence[Candidate], hyps: Sequence[Candidate]) -> None:
        self._gts, self._hyps = gts, hyps
        self._gts_left, self._hyps_left = _all(gts), _all(hyps)
        self._places: list[NDArray[np.int32]] = []
        self._keys: list[Key] = []
        self._special: dict[int, Pair] = {}
        self._passed_over: list[PassedOver] = []

    @property
    def left_on_both_sides(self) -> bool:
        """Whether there may be more pairs."""
        return bool(len(self._gts_left) and len(self._hyps_left))

    def stage(self, gt_key: Key, hyp_key: Key) -> None:
        """Pairs the files whose keys are equal."""
        gts = Groups(self._gts, self._gts_left, gt_key)
        hyps = Groups(self._hyps, self._hyps_left, hyp_key)
        in_gts, in_hyps = gts.common(hyps)
        alone = (gts.sizes[in_gts] == 1) & (hyps.sizes[in_hyps] == 1)
        self._add(gts.firsts[in_gts[alone]], hyps.firsts[in_hyps[alone]], gt_key)
        for gt, hyp in zip(in_gts[~alone], in_hyps[~alone], strict=True):
            self._choose(gt_key, gts[gt], hyps[hyp])
        self._gts_left, self._hyps_left = gts.without(in_gts), hyps.without(in_hyps)

    def without_partner(self) -> None:
        """Keeps what found no partner, unless it is none of a page after all."""
        gts, hyps = self._pages(self._gts, self._gts_left), self._pages(self._hyps, self._hyps_left)
        namesakes = Groups(self._hyps, hyps, lambda found: caseless(found.stem))
        groups = Groups(self._gts, gts, exact)
        self._add(groups.firsts, _nothing(groups.firsts), exact)
        for group, (place, size) in enumerate(zip(groups.firsts, groups.sizes, strict=True)):
            found = self._gts[place]
            hint = _hint(found, [self._hyps[one] for one in namesakes.of(caseless(found.stem))])
            if hint or size > 1:
                gt = self._one([self._gts[one] for one in groups[group]], "gt")
                self._special[int(place)] = Pair(found.name, gt.path, None, hint, gt.error)
        self._add(_nothing(hyps), hyps, exact)

    def matched(self) -> tuple[Matched, tuple[PassedOver, ...]]:
        """All pairs, in the order of the ground truths, and what is none of a page."""
        places = np.concatenate([np.zeros((0, 3), np.int32), *self._places])
        gt, hyp, _ = places.T
        made = Matched(
            self._gts, self._hyps, places[np.lexsort((hyp, gt, gt < 0))], self._keys, self._special
        )
        return made, tuple(self._passed_over)

    def _add(self, gts: NDArray[np.int32], hyps: NDArray[np.int32], key: Key) -> None:
        number = np.full(len(gts), len(self._keys), np.int32)
        self._places.append(np.stack((gts, hyps, number), axis=1))
        self._keys.append(key)

    def _choose(self, key: Key, gts: NDArray[np.int32], hyps: NDArray[np.int32]) -> None:
        """Pairs one of several files of a name with one of several."""
        gt = self._one([self._gts[place] for place in gts], "gt")
        hyp = self._one([self._hyps[place] for place in hyps], "hyp")
        error = "\n".join(choice.error for choice in (gt, hyp) if choice.error)
        self._add(gts[:1], hyps[:1], key)
        self._special[int(gts[0])] = Pair(key(self._gts[gts[0]]), gt.path, hyp.path, error=error or None)

    def _one(self, files: Sequence[Candidate], side: Side) -> Choice:
        choice = Choice.of(files, side)
        self._passed_over += choice.passed_over
        return choice

    def _pages(self, files: Sequence[Candidate], left: NDArray[np.int32]) -> NDArray[np.int32]:
        others = np.zeros(len(left), bool)
        for number, place in enumerate(left):
            path = files[place].path
            if reason := other_kind(path):
                others[number] = True
                self._passed_over.append(PassedOver(path, reason))
        return left[~others]


def _all(files: Sequence[Candidate]) -> NDArray[np.int32]:
    return np.arange(len(files), dtype=np.int32)


def _nothing(places: NDArray[np.int32]) -> NDArray[np.int32]:
    return np.full(len(places), -1, np.int32)


def _hint(gt: Candidate, namesakes: Sequence[Candidate]) -> tuple[Warn, ...]:
    if not namesakes:
        return ()
    found = next((one for one in namesakes if one.stem == gt.stem), namesakes[0])
    if _composed(found.stem) == _composed(gt.stem):
        reason = f"no hypothesis in a folder like its own, though {found.path} has its name; give that folder"
    else:
        reason = f"no hypothesis of its name, and {found.path} is written in other letter case; rename one"
    return (Warn(str(gt.path), "file name", reason),)
