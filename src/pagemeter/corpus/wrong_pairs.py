"""Signs that a ground truth and a hypothesis do not belong together.

They name different images, or another hypothesis of the run fits the ground truth much better. For the second
sign, pages with many errors are compared by sketches: a fixed number of hashes of their letter sequences.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from typing import TYPE_CHECKING, NamedTuple
from zlib import crc32

from pagemeter.errors import Problem
from pagemeter.flags import letter_sequences

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from pagemeter.page import Page
    from pagemeter.score import Score

_SUFFIXES = re.compile(
    r"(?:\.(?:jpe?g|jp2|tiff?|png|gif|bmp|webp|pdf|xml|txt|html?|hocr|json)(?:_page_\d+)?)+$"
)
# The names of eScriptorium and of uploads, and those that are given to any image.
_SAYS_NOTHING = re.compile(
    r"\d+[0-9a-f]{5}default|(?:fromurl|tmp|temp|upload).*"
    r"|image|img|page|scan|input|output|picture|photo|document|file|untitled|default|unknown"
)
_MIN_PART = 4
_MAX_NAME = 255  # characters; file systems allow no more, and long names take quadratic time
_SEPARATORS = re.compile(r"[\W_]+")

_MIN_RATE = 0.4  # of all measures; a page with fewer errors is certainly a pair
_SKETCH = 128  # hashes
_FEWEST = 20  # hashes; shorter texts are not compared
_MAX_PAGES = 50  # a sequence on more pages than this does not distinguish them
# Two readings of a page share a fifth of their letter sequences if a fifth of the characters is wrong.
_FITS, _TIMES_BETTER = 0.1, 4


def image_warnings(gt: Page, hyp: Page, files: Iterable[str | None]) -> tuple[Problem, ...]:
    """Return a warning if both pages name an image, and the images differ.

    Folders, suffixes, case and separators do not matter. One name may contain the other, and the image of the
    hypothesis may have the name of one of the files, because images are often renamed with their page. Names
    that say nothing about the image are accepted, such as `input` or those of uploads.

    Args:
        gt: The ground truth.
        hyp: The hypothesis.
        files: The names of their files and of the page.

    >>> from pagemeter.page import Page
    >>> gt, hyp = Page(image="scans/0001.tif"), Page(image="0002.jpg", source="hyp/0001.xml")
    >>> str(image_warnings(gt, hyp, ["gt/0001.xml", "hyp/0001.xml"])[0])
    'hyp/0001.xml: image: the page is of the image 0002.jpg, but the ground truth is of 0001.tif. Check ...'

    """
    names = [_stem(page.image or "") for page in (gt, hyp)]
    if not all(names) or any(
        _alike(names[1], other) for other in (names[0], *map(_stem, filter(None, files)))
    ):
        return ()
    if any(map(_SAYS_NOTHING.fullmatch, names)):
        return ()
    shown = [_base_name(page.image or "")[:_MAX_NAME] for page in (hyp, gt)]
    detail = f"the page is of the image {shown[0]}, but the ground truth is of {shown[1]}"
    remedy = "check that the two files are a pair"
    return (Problem(detail, hyp.source or "hypothesis", "image", remedy),)


def _alike(first: str, second: str) -> bool:
    """Return True if two names are equal, or one that is not short is part of the other."""
    short, long = sorted((first, second), key=len)
    return first == second or (len(short) >= _MIN_PART and short in long)


def _base_name(path: str) -> str:
    return re.split(r"[/\\]", path)[-1]


def _stem(path: str) -> str:
    """Return the name of a file without folder, suffixes, case and separators; "" if it is too long."""
    name = _base_name(path.partition("#")[0])
    return _SEPARATORS.sub("", _SUFFIXES.sub("", name.casefold())) if len(name) <= _MAX_NAME else ""


class PairSketch(NamedTuple):
    """The sketches of a ground truth and of its hypothesis."""

    page: str
    hyp_file: str
    gt: tuple[int, ...]
    hyp: tuple[int, ...]


def sketch_pair(
    page: str, hyp_file: str, gt: Sequence[str], hyp: Sequence[str], scores: Iterable[Score]
) -> PairSketch | None:
    """Return the sketches of a page, or None if it has too few errors for a wrong pair, or too little text.

    Args:
        page: The name of the page.
        hyp_file: The file of the hypothesis.
        gt: The lines of the ground truth.
        hyp: The lines of the hypothesis.
        scores: The scores of the page.

    """
    if any(score.rate < _MIN_RATE for score in scores):
        return None
    sketches = _sketch(gt), _sketch(hyp)
    return PairSketch(page, hyp_file, *sketches) if min(map(len, sketches)) >= _FEWEST else None


def better_partners(pairs: Sequence[PairSketch]) -> Iterator[Problem]:
    """Yield a warning for each page whose ground truth fits another hypothesis much better than its own.

    >>> one, two = (tuple(range(start, start + 128)) for start in (0, 1000))
    >>> [str(problem) for problem in better_partners([PairSketch("1", "a.txt", one, two)])]
    []
    >>> swapped = [PairSketch("1", "a.txt", one, two), PairSketch("2", "b.txt", two, one)]
    >>> [problem.detail for problem in better_partners(swapped)]
    ['its ground truth fits b.txt much better', 'its ground truth fits a.txt much better']
    """
    pages = defaultdict(list)  # by hash, the pages whose hypothesis has it
    for index, pair in enumerate(pairs):
        for value in pair.hyp:
            pages[value].append(index)
    for index, pair in enumerate(pairs):
        shared = Counter(
            other for value in pair.gt if len(pages[value]) <= _MAX_PAGES for other in pages[value]
        )
        shared.pop(index, None)
        if not shared:
            continue
        best = min(shared, key=lambda other: (-shared[other], other))
        similarity = _similarity(pair.gt, pairs[best].hyp)
        if similarity >= _FITS and similarity >= _TIMES_BETTER * _similarity(pair.gt, pair.hyp):
            yield Problem(
                f"its ground truth fits {pairs[best].hyp_file} much better",
                pair.hyp_file,
                f"page {pair.page}",
                "check that the files are paired as intended",
            )


def _sketch(lines: Sequence[str]) -> tuple[int, ...]:
    """Return the smallest hashes of the letter sequences of a text."""
    hashes = {crc32(piece.encode("utf-8", "surrogatepass")) for piece in letter_sequences(" ".join(lines))}
    return tuple(sorted(hashes)[:_SKETCH])


def _similarity(first: Sequence[int], second: Sequence[int]) -> float:
    """Return an estimate of the share of all letter sequences of two texts that both have."""
    union = sorted({*first, *second})[:_SKETCH]
    return len({*first}.intersection(second, union)) / len(union)
