"""Pairs of a ground truth file and a hypothesis file, stored compactly because there may be millions.

`pair_pages` pairs pages in memory: two lists or dictionaries of pages, or a list of pairs.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, overload

import numpy as np

from pagemeter.errors import Problem, UsageError
from pagemeter.inputs.locations import Location, Url, as_location
from pagemeter.inputs.page_files import CandidateList, page_name
from pagemeter.preparation import as_source

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Container, Iterator

    from numpy.typing import NDArray

    from pagemeter.inputs.locations import Fingerprints
    from pagemeter.inputs.page_files import Candidate, PassedOver, SideFiles
    from pagemeter.measure import Measure
    from pagemeter.page import Page
    from pagemeter.run_settings import Resampling

_BLOCK = 4096  # rows that are converted at once, which is quicker than one by one
ACCEPTED = "give two folders, two lists of pages, two dictionaries of pages by name, or a list of pairs"
"""The forms in which many pages are accepted."""

_Side = dict[Any, Any]
"""The pages of one side by their key: a name, or a position."""


@dataclass(frozen=True, slots=True)
class Pair:
    """The ground truth file and the hypothesis file of one page, or of several pages.

    Attributes:
        name: The name of the page.
        gt: The ground truth file, or None if there is none.
        hyp: The hypothesis file, or None if there is none.
        warnings: Warnings about the pair.
        errors: Why the pair cannot be evaluated; usually empty.
        document: The document that the page belongs to, if a table of pairs names it.
        seen: The fingerprints of both files from an earlier evaluation. If they still hold, that evaluation
            is used.
        unusable_hyp: Why the hypothesis is not read again, for example because it took too long.
        unprepared: Why the pair is evaluated again without preparing its pages for reports.
        pages: The page of each side that is not read, because it is in memory. The path only names it.
        known: The measures of the earlier evaluation, if only further ones are evaluated; None if it has all.

    >>> from pathlib import Path
    >>> Pair("0001", Path("gt/0001.xml"), None).hyp is None
    True

    """

    name: str
    gt: Location | None
    hyp: Location | None
    warnings: tuple[Problem, ...] = ()
    errors: tuple[Problem, ...] = ()
    document: str | None = None
    seen: Fingerprints | None = None
    unusable_hyp: Problem | None = None
    unprepared: Problem | None = None
    pages: tuple[Page | None, Page | None] = (None, None)
    known: frozenset[Measure] | None = None

    @property
    def error(self) -> str | None:
        """The messages of all errors, one per line; None if there are none."""
        return "\n".join(map(str, self.errors)) if self.errors else None

    def checked(self) -> Pair:
        """Return the pair, with a warning if both sides are the same file.

        >>> from pathlib import Path
        >>> [str(warning) for warning in Pair("1", Path("1.xml"), Path("1.xml")).checked().warnings]
        ['1.xml: ground truth and hypothesis are the same file']
        """
        if self.gt is None or self.hyp is None or not _is_same_file(self.gt, self.hyp):
            return self
        warning = Problem("ground truth and hypothesis are the same file", str(self.gt))
        return replace(self, warnings=(*self.warnings, warning))


@dataclass(frozen=True, slots=True)
class Pairing:
    """All pairs of two collections, and the files that were ignored.

    Files without a partner are pairs too. The pairs can be iterated over more than once; those of a table are
    created on each iteration.
    """

    pairs: Collection[Pair]
    passed_over: tuple[PassedOver, ...] = ()


@dataclass(frozen=True, slots=True)
class MatchedPairs(Sequence[Pair]):
    """Pairs of the files of two sides, created when they are accessed; each takes 12 bytes.

    Attributes:
        gts: The ground truth files.
        hyps: The hypothesis files.
        rows: One row per pair: the index in `gts`, the index in `hyps` (−1 for no file), and the index in
            `keys` of the function that names the page.
        keys: Functions that return the name of the page in a file.
        special: Pairs with warnings or errors, by the index of their ground truth.
        unread: Pairs at the end that represent folders or lines that could not be read.
        may_be_same: The ground truths that may be the same file as their hypothesis; None if all may be.

    >>> import numpy as np
    >>> from pathlib import Path
    >>> from pagemeter.inputs.page_files import candidate
    >>> gts, hyps = [candidate(Path("gt/1.xml"))], [candidate(Path("hyp/1.txt"))]
    >>> [str(pair.hyp) for pair in MatchedPairs(gts, hyps, np.zeros((1, 3), np.int32), [lambda gt: gt.stem])]
    ['hyp/1.txt']

    """

    gts: Sequence[Candidate]
    hyps: Sequence[Candidate]
    rows: NDArray[np.int32]
    keys: Sequence[Callable[[Candidate], str]]
    special: Mapping[int, Pair] = field(default_factory=dict)
    unread: tuple[Pair, ...] = ()
    may_be_same: Container[int] | None = None

    def __len__(self) -> int:
        return len(self.rows) + len(self.unread)

    @overload
    def __getitem__(self, index: int) -> Pair: ...
    @overload
    def __getitem__(self, index: slice) -> list[Pair]: ...
    def __getitem__(self, index: int | slice) -> Pair | list[Pair]:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        if index < 0:
            index += len(self)
        if index >= len(self.rows):
            return self.unread[index - len(self.rows)]
        gt, hyp, key = self.rows[index].tolist()
        return self._pair(gt, hyp, key)

    def __iter__(self) -> Iterator[Pair]:
        for row in self._iterate_rows():
            yield self._pair(*row)
        yield from self.unread

    def files(self) -> Iterator[str]:
        """Yield the paths of all files as text, which is quicker than creating the pairs."""
        for gt, hyp, _ in self._iterate_rows():
            if gt in self.special:
                yield from (os.fspath(path) for path in (self.special[gt].gt, self.special[gt].hyp) if path)
                continue
            if gt >= 0:
                yield _file(self.gts, gt)
            if hyp >= 0:
                yield _file(self.hyps, hyp)

    @property
    def has_pairs_or_errors(self) -> bool:
        """True if any files were paired, or if there are errors that explain why not."""
        paired = (self.rows[:, :2] >= 0).all(axis=1).any()
        return bool(paired or self.unread or any(pair.errors for pair in self.special.values()))

    def completed(self, gts: SideFiles, hyps: SideFiles) -> MatchedPairs:
        """Return the pairs with unreadable folders or lines, and with the files that may be the same."""
        problems = tuple(dict.fromkeys((*gts.problems, *hyps.problems)))  # both sides may be one folder
        return replace(self, unread=unread_pairs(problems), may_be_same=self._possibly_same(gts, hyps))

    def _possibly_same(self, gts: SideFiles, hyps: SideFiles) -> frozenset[int] | None:
        """Return the ground truths whose hypothesis has the same inode, or an unknown one; None for all.

        Folders list the inodes of their files, so no file has to be examined.
        """
        if gts.inodes is None or hyps.inodes is None:
            return None
        gt, hyp = self.rows[(self.rows[:, :2] >= 0).all(axis=1), :2].T
        gt_inodes = gts.candidates.values_of(np.array(gts.inodes))[gt]
        hyp_inodes = hyps.candidates.values_of(np.array(hyps.inodes))[hyp]
        return frozenset(gt[(gt_inodes == hyp_inodes) | (gt_inodes == 0) | (hyp_inodes == 0)].tolist())

    def _iterate_rows(self) -> Iterator[list[int]]:
        for begin in range(0, len(self.rows), _BLOCK):
            yield from self.rows[begin : begin + _BLOCK].tolist()

    def _pair(self, gt: int, hyp: int, key: int) -> Pair:
        if gt in self.special:
            return self.special[gt].checked()
        if gt < 0:
            file = self.hyps[hyp]
            return Pair(self.keys[key](file), None, file.path)
        file = self.gts[gt]
        pair = Pair(self.keys[key](file), file.path, None if hyp < 0 else as_location(_file(self.hyps, hyp)))
        return pair.checked() if self.may_be_same is None or gt in self.may_be_same else pair


def check_documents(pairs: Iterable[Pair], plan: Resampling) -> None:
    """Raise an error if pages are resampled within documents and a page has none."""
    for pair in pairs if plan.strata == "document" else ():
        if pair.gt is not None and pair.document is None:
            raise UsageError(
                "the page has no document",
                source=pair.name,
                remedy="give a table of pairs that names the document of every page, or use {}",
                settings=(("strata", "folder"),),
            )


def unread_pairs(problems: Sequence[Problem]) -> tuple[Pair, ...]:
    """Return pairs without files that represent folders, lines or records that could not be read.

    >>> [pair.error for pair in unread_pairs([Problem("permission denied", "gt/b")])]
    ['gt/b: permission denied']
    """
    return tuple(Pair(problem.source, None, None, errors=(problem,)) for problem in problems)


def _file(files: Sequence[Candidate], index: int) -> str:
    return files.file(index) if isinstance(files, CandidateList) else files[index].file


def _is_same_file(one: Location, other: Location) -> bool:
    """Return True if two paths lead to the same file, which need not exist."""
    if isinstance(one, Url) or isinstance(other, Url):
        return one == other
    try:
        return os.path.samefile(one, other)  # noqa: PTH121  (a third of the time of Path.samefile)
    except OSError:
        return one == other


def pair_pages(gt: Any, hyp: Any = None, *, start: int = 0) -> Pairing:  # noqa: ANN401
    """Pair pages that are given in Python.

    Args:
        gt: A list of pages or a dictionary of pages by name. A page is anything that `evaluate` takes, or
            None or a missing value of pandas if there is none. Without `hyp`, the items are pairs of pages.
        hyp: The hypotheses in the same form; lists are paired by position, and dictionaries by key. Keys are
            compared as strings.
        start: The number of the first page of a list.

    Returns:
        The pairs, in the order of the ground truths.

    Raises:
        UsageError: The two sides cannot be paired, or an item is not a page.

    >>> from pathlib import Path
    >>> [(pair.name, str(pair.gt)) for pair in pair_pages(["one", Path("gt/2.xml")], ["one", None]).pairs]
    [('0', 'gt[0]'), ('2', 'gt/2.xml')]

    """
    gts, hyps = _sides(gt, hyp, start)
    _check_positions(gts, hyps)
    names = _unique_names(gts, hyps)
    return Pairing(tuple(_pair(name, key, gts, hyps) for key, name in names.items()))


def _sides(gt: Any, hyp: Any, start: int) -> tuple[_Side, _Side]:  # noqa: ANN401
    if isinstance(gt, Mapping) != isinstance(hyp, Mapping) and hyp is not None:
        raise UsageError("one side is a dictionary and the other is not", remedy=ACCEPTED)
    if hyp is None:
        pairs = _pages(gt, "gt", start)
        for key, both in pairs.items():
            if not isinstance(both, tuple | list) or len(both) != 2:  # noqa: PLR2004
                raise UsageError(f"gt[{key!r}] is not a pair of pages, and hyp is not given", remedy=ACCEPTED)
        return tuple({key: _present(both[side]) for key, both in pairs.items()} for side in (0, 1))  # type: ignore[return-value]
    gts, hyps = _pages(gt, "gt", start), _pages(hyp, "hyp", start)
    if not isinstance(gt, Mapping) and len(gts) != len(hyps):
        raise UsageError(
            f"gt has {len(gts):,} pages, hyp has {len(hyps):,}",
            remedy="give None for a missing page, or dictionaries of pages by name",
        )
    return gts, hyps


def _pages(given: Any, side: str, start: int) -> _Side:  # noqa: ANN401
    if isinstance(given, Mapping):
        named = {str(key): _present(page) for key, page in given.items()}
        if len(named) < len(given):
            same = next(key for key in given if not isinstance(key, str) and str(key) in given)
            raise UsageError(
                f"{side} has the keys {same!r} and {str(same)!r}", remedy="give each page one key"
            )
        return named
    if not isinstance(given, Iterable) or isinstance(given, bytes) or len(getattr(given, "shape", (1,))) != 1:
        raise UsageError(f"{side} is of type {type(given).__name__}", remedy=ACCEPTED)
    return dict(enumerate(map(_present, given), start))


def _present(page: Any) -> Any:  # noqa: ANN401
    """Return a page, or None for the missing values of pandas: NaN and NA."""
    is_nan = isinstance(page, float) and page != page  # noqa: PLR0124  (only NaN differs from itself)
    return None if is_nan or type(page).__name__ == "NAType" else page


def _check_positions(gts: _Side, hyps: _Side) -> None:
    """Raise an error if files are given in different orders, which would compare wrong pages."""
    if not all(isinstance(page, Path) for side in (gts, hyps) for page in side.values()):
        return
    names = [{key: page_name(path) for key, path in side.items()} for side in (gts, hyps)]
    known = set(names[1].values())
    for key, name in names[0].items():
        if names[1].get(key, name) != name and name in known:
            raise UsageError(
                f"gt[{key!r}] is {gts[key]}, but hyp[{key!r}] is {hyps[key]}",
                remedy="sort both lists, or give dictionaries of pages by name",
            )


def _unique_names(gts: _Side, hyps: _Side) -> dict[Any, str]:
    """Return the name of each page by its key; pages with equal names also have their key."""
    names = {}
    for key in dict.fromkeys((*gts, *hyps)):
        files = (side.get(key) for side in (gts, hyps))
        file = next((page for page in files if isinstance(page, Path)), None)
        names[key] = page_name(file) if file and isinstance(key, int) else str(key)
    counts = Counter(names.values())
    return {key: f"{name} ({key})" if counts[name] > 1 else name for key, name in names.items()}


def _pair(name: str, key: object, gts: _Side, hyps: _Side) -> Pair:
    """Return one pair. A path is read later; other pages are labelled for messages, such as `gt[0]`."""
    paths, pages = [], []
    for side, given in (("gt", gts.get(key)), ("hyp", hyps.get(key))):
        label = f"{side}[{key!r}]"
        page = None if given is None or isinstance(given, Path) else as_source(given, label).page
        paths.append(Path(page.source or label) if page else given)
        pages.append(page)
    return Pair(name, paths[0], paths[1], pages=(pages[0], pages[1]))
