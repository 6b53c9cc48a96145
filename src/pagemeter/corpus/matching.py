"""Which hypothesis file belongs to which ground truth file, by their names.

First by folder and stem, both in Unicode's composed form, for some file systems take letters and accents
apart. What is left is compared once more without the folders that only say whose files they hold: a level of
folders that has one name throughout a side, which the other side does not know, as the file groups of a METS
workspace (`GT-PAGE/0001.xml` and `OCR/0001.xml`); a stem that repeats the name of its folder
(`GT-PAGE/GT-PAGE_0001.xml`) is compared without it.
"""

from __future__ import annotations

import unicodedata
from collections import defaultdict
from typing import TYPE_CHECKING

from pagemeter.corpus.choice import Choice
from pagemeter.corpus.folders import PassedOver
from pagemeter.corpus.kinds import other_kind
from pagemeter.corpus.names import Candidate
from pagemeter.corpus.pairs import Pair, Pairing
from pagemeter.page import Warn

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

Key = tuple[tuple[str, ...], str]
Groups = dict[Key, list[Candidate]]


def match(gts: Sequence[Candidate], hyps: Sequence[Candidate]) -> Pairing:
    """The pairs of two collections of files, by name; those without a partner follow with None for it.

    >>> from pathlib import Path
    >>> from pagemeter.corpus.names import candidate
    >>> gt, hyp = candidate(Path("1.gt.txt")), candidate(Path("1.xml"))
    >>> [(pair.name, pair.hyp) for pair in match([gt], [hyp]).pairs]
    [('1', PosixPath('1.xml'))]
    """
    matcher = _Matcher()
    left = matcher.stage(gts, hyps, _exact, _exact)
    left = matcher.stage(*left, _without_groups(gts, hyps), _without_groups(hyps, gts))
    matcher.without_partner(*left)
    return Pairing(tuple(sorted(matcher.pairs, key=lambda pair: pair.name)), tuple(matcher.passed_over))


def _exact(found: Candidate) -> Key:
    return tuple(map(_composed, found.folders)), _composed(found.stem)


def _composed(name: str) -> str:
    return unicodedata.normalize("NFC", name)


def _without_groups(side: Sequence[Candidate], other: Sequence[Candidate]) -> Callable[[Candidate], Key]:
    """The key of a file without the folders and parts of its name that say whose files they are."""
    known = {_composed(folder) for found in other for folder in found.folders}
    levels: dict[int, set[str | None]] = defaultdict(set)
    for level in range(max((len(found.folders) for found in side), default=0)):
        for found in side:
            levels[level].add(_composed(found.folders[level]) if level < len(found.folders) else None)
    groups = {level for level, names in levels.items() if len(names) == 1 and not names & known}

    def key(found: Candidate) -> Key:
        kept = tuple(_composed(name) for level, name in enumerate(found.folders) if level not in groups)
        return kept, _composed(_without_folder(found))

    return key


def _without_folder(found: Candidate) -> str:
    folder = found.path.parent.name
    for mark in "_-" if folder else "":
        stem = found.stem.removeprefix(folder + mark).removesuffix(mark + folder)
        if stem and stem != found.stem:
            return stem
    return found.stem


class _Matcher:
    def __init__(self) -> None:
        self.pairs: list[Pair] = []
        self.passed_over: list[PassedOver] = []

    def stage(
        self,
        gts: Sequence[Candidate],
        hyps: Sequence[Candidate],
        gt_key: Callable[[Candidate], Key],
        hyp_key: Callable[[Candidate], Key],
    ) -> tuple[list[Candidate], list[Candidate]]:
        """Pairs the files whose keys are equal and gives back the others."""
        gt_groups, hyp_groups = _grouped(gts, gt_key), _grouped(hyps, hyp_key)
        for key in gt_groups.keys() & hyp_groups.keys():
            gt = self._one(Choice.of(gt_groups.pop(key), "gt"))
            hyp = self._one(Choice.of(hyp_groups.pop(key), "hyp"))
            name = "/".join((*key[0], key[1]))
            error = "\n".join(choice.error for choice in (gt, hyp) if choice.error)
            self.pairs.append(Pair(name, gt.path, hyp.path, error=error or None))
        return _flat(gt_groups), _flat(hyp_groups)

    def without_partner(self, gts: Sequence[Candidate], hyps: Sequence[Candidate]) -> None:
        """Keeps what found no partner, unless it is none of a page after all."""
        gts, hyps = self._pages(gts), self._pages(hyps)
        elsewhere = _grouped(hyps, _caseless)
        for files in _grouped(gts, _exact).values():
            gt = self._one(Choice.of(files, "gt"))
            hint = _hint(files[0], elsewhere.get(_caseless(files[0]), ()))
            self.pairs.append(Pair(files[0].name, gt.path, None, hint, gt.error))
        self.pairs += [Pair(found.name, None, found.path) for found in hyps]

    def _one(self, choice: Choice) -> Choice:
        self.passed_over += choice.passed_over
        return choice

    def _pages(self, files: Sequence[Candidate]) -> list[Candidate]:
        pages = []
        for found in files:
            if reason := other_kind(found.path):
                self.passed_over.append(PassedOver(found.path, reason))
            else:
                pages.append(found)
        return pages


def _grouped(files: Sequence[Candidate], key: Callable[[Candidate], Key]) -> Groups:
    groups: Groups = defaultdict(list)
    for found in files:
        groups[key(found)].append(found)
    return groups


def _flat(groups: Groups) -> list[Candidate]:
    return [found for files in groups.values() for found in files]


def _caseless(found: Candidate) -> Key:
    return (), _composed(found.stem).casefold()


def _hint(gt: Candidate, namesakes: Sequence[Candidate]) -> tuple[Warn, ...]:
    if not namesakes:
        return ()
    found = next((one for one in namesakes if one.stem == gt.stem), namesakes[0])
    if _composed(found.stem) == _composed(gt.stem):
        reason = f"no hypothesis in a folder like its own, though {found.path} has its name; give that folder"
    else:
        reason = f"no hypothesis of its name, and {found.path} is written in other letter case; rename one"
    return (Warn(str(gt.path), "file name", reason),)
