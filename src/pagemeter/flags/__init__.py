"""Flags of pages whose hypothesis is probably not a reading of the page; each has a stated rule.

- empty: the hypothesis has no text, but the ground truth has some
- refusal: a short answer with the phrases of a refusal, which shares almost nothing with the ground truth
- loop: text that is repeated six times or more, apart from numbers and small changes, makes up at least half
  of the hypothesis, and is more than twice as long as such text of the ground truth
- length: the hypothesis has more than twice or less than half as many characters as the ground truth, even if
  optional text that could explain the difference is left out
- unlike: almost nothing in common, so the two probably do not belong together

Flags use the texts as they are in the files. They never change a number by themselves.

Here are also the signs that a ground truth and a hypothesis do not belong together: they name different
images, or another hypothesis of the run fits the ground truth much better. For the second sign, pages with
many errors are compared by sketches: a fixed number of hashes of their letter sequences.
"""

from __future__ import annotations

import re
import sys
from collections import Counter, defaultdict
from typing import TYPE_CHECKING, Literal, NamedTuple, get_args
from zlib import crc32

from pagemeter.errors import Problem
from pagemeter.flags.refusals import is_refusal

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from pagemeter.page import Page
    from pagemeter.score import Score
    from pagemeter.settings import Settings

Flag = Literal["empty", "refusal", "loop", "length", "unlike"]
FLAGS: tuple[Flag, ...] = get_args(Flag)

_GRAM = 5  # letters whose sequence is compared
_SHARED_BY_REFUSAL = 0.3
# Of 196 pairs of real pages none shares from 3.5 to 12 %. Three quarters of 847 wrong pairs share less.
_UNLIKE = 0.1
_MIN_LETTERS = 20  # of both texts, for `unlike`
_SHORT_GRAM = 3  # letters, for two short texts with many errors
_REPEATS = 6
_LOOP = 0.5
_PIECE = 12  # letters
_UTF_32 = f"utf-32-{sys.byteorder[0]}e"
_MIN_LOOP = 24  # characters
_CANDIDATES = 12  # periods that are checked
# In Python, \w matches what `str.isalnum` accepts, and the underscore.
_ALPHANUMERIC = re.compile(r"[^\W_]+")
_NO_DIGITS = re.compile(r"[^\W\d_]+")
_NOT_ALPHANUMERIC, _NOT_LETTERS = (
    {code: None for code in range(128) if not chosen(chr(code))} for chosen in (str.isalnum, str.isalpha)
)


def flags_of_pages(gt: Page, hyp: Page, settings: Settings) -> frozenset[Flag]:
    r"""Return the flags of a hypothesis; optional and ignored text may be there or not.

    >>> from pagemeter.page import Page
    >>> from pagemeter.settings import Settings
    >>> pages = Page.from_text("one line"), Page.from_text("one line\nand then\nanother column")
    >>> [sorted(flags_of_pages(*pages, Settings(partial=partial))) for partial in (False, True)]
    [['length'], []]

    """
    gt_free = settings.optional_types("gt") | settings.ignored_types("gt")
    hyp_free = settings.optional_types("hyp") | settings.ignored_types("hyp")
    required = (
        [line.text for line in page.lines if line.type not in free] if free else None
        for page, free in ((gt, gt_free), (hyp, hyp_free))
    )
    return page_flags([line.text for line in gt.lines], [line.text for line in hyp.lines], *required)


def page_flags(
    gt: Sequence[str],
    hyp: Sequence[str],
    gt_required: Sequence[str] | None = None,
    hyp_required: Sequence[str] | None = None,
) -> frozenset[Flag]:
    """Return the flags of a hypothesis.

    Args:
        gt: The lines of the ground truth.
        hyp: The lines of the hypothesis.
        gt_required: The lines of the ground truth that are not optional; all by default.
        hyp_required: The same for the hypothesis.

    >>> sorted(page_flags(["a page of text"], ["As an AI model, I cannot read this image."]))
    ['length', 'refusal']

    """
    gt_text, hyp_text = map(_joined, (gt, hyp))
    if not hyp_text:
        return frozenset(["empty"]) if gt_text else frozenset()
    flags: set[Flag] = set()
    if not gt_text:
        signs: dict[Flag, bool] = {"refusal": is_refusal(hyp_text), "loop": has_loop(hyp_text)}
        return frozenset(flag for flag, given in signs.items() if given)
    least_gt = len(gt_text if gt_required is None else _joined(gt_required))
    least_hyp = len(hyp_text if hyp_required is None else _joined(hyp_required))
    if 2 * len(hyp_text) < least_gt or least_hyp > 2 * len(gt_text):
        flags.add("length")
    shared = shared_grams(gt_text, hyp_text)
    if shared < _SHARED_BY_REFUSAL and is_refusal(hyp_text) and not _reads_an_apology(gt_text, hyp_text):
        flags.add("refusal")
    elif shared < _UNLIKE and min(len(letters(gt_text)), len(letters(hyp_text))) >= _MIN_LETTERS:
        flags.add("unlike")
    loop = _loop_share(hyp_text)
    if loop >= _LOOP and loop * len(hyp_text) > 2 * _loop_share(gt_text) * len(gt_text):
        flags.add("loop")
    return frozenset(flags)


def _joined(lines: Sequence[str]) -> str:
    """Return the words of all lines, with a space between them; most texts are so already."""
    text = " ".join(lines)
    if text.isprintable() and "  " not in text and text[:1] != " " != text[-1:]:
        return text
    return " ".join(text.split())


def sorted_flags(flags: Iterable[str]) -> tuple[Flag, ...]:
    """Return flags in the order of `FLAGS`.

    >>> sorted_flags({"unlike", "loop"})
    ('loop', 'unlike')
    """
    given = set(flags)
    return tuple(flag for flag in FLAGS if flag in given)


def letters(text: str) -> str:
    """Return the letters and digits of a text, without case.

    >>> letters("Am 3. Mai")
    'am3mai'
    """
    return _only_alphanumeric(text).casefold()


def _only_alphanumeric(text: str) -> str:
    """Return the letters and digits of a text; the same as filtering by `str.isalnum`, but faster."""
    if text.isascii():
        return text.translate(_NOT_ALPHANUMERIC)
    return "".join(_ALPHANUMERIC.findall("".join(text.split())))  # without spaces there are fewer matches


def _only_letters(text: str) -> str:
    """Return the letters of a text; the same as filtering by `str.isalpha`, but faster."""
    if text.isascii():
        return text.translate(_NOT_LETTERS)
    found = "".join(_NO_DIGITS.findall("".join(text.split())))
    return found if found.isalpha() else "".join(filter(str.isalpha, found))  # numbers such as ½ are left


def shared_grams(first: str, second: str) -> float:
    """Return the share of the sequences of five letters of the shorter text that the other text has too.

    >>> shared_grams("the old mill", "The old mill by the river"), shared_grams("the old mill", "le moulin")
    (1.0, 0.0)
    """
    texts = sorted(map(letters, (first, second)), key=len)
    if len(texts[0]) < _GRAM:
        return float(texts[0] in texts[1])
    from pagemeter import _kernel  # noqa: PLC0415  (an import of pagemeter does not need it)

    different, shared = _kernel.shared_sequences(_utf_32(texts[0]), _utf_32(texts[1]), _GRAM)
    return shared / different


def letter_sequences(text: str) -> set[str]:
    """Return all sequences of five letters of a text.

    >>> sorted(letter_sequences("The mill"))
    ['emill', 'hemil', 'themi']
    """
    return _sequences(letters(text))


def _sequences(text: str, length: int = _GRAM) -> set[str]:
    return {text[i : i + length] for i in range(len(text) - length + 1)}


def has_loop(text: str) -> bool:
    """Return True if text that is repeated six times or more makes up at least half of a text.

    >>> has_loop("one line of the page. " + "and so on " * 6), has_loop("no, no, no")
    (True, False)
    """
    return _loop_share(text) >= _LOOP


def _reads_an_apology(gt: str, hyp: str) -> bool:
    """Return True if the page itself is worded like a refusal, and the hypothesis is a poor reading of it."""
    if not is_refusal(gt):
        return False
    first, second = (_sequences(letters(text), _SHORT_GRAM) for text in (gt, hyp))
    return 2 * len(first & second) >= _SHARED_BY_REFUSAL * (len(first) + len(second))


def _loop_share(text: str) -> float:
    """Return the share of a text that is repeated six times or more: one after the other, or as pieces."""
    text = _joined([text.casefold()])
    return max(_periodic_share(text), _repeated_share(_only_letters(text)))


def _repeated_share(text: str) -> float:
    """Return the share of letters in pieces that occur six times or more, wherever they are."""
    if len(text) < _REPEATS * _PIECE:
        return 0.0
    from pagemeter import _kernel  # noqa: PLC0415  (an import of pagemeter does not need it)

    return _kernel.letters_in_repeated(_utf_32(text), _PIECE, _REPEATS) / len(text)


def _periodic_share(text: str) -> float:
    """Return the share of a text that is in sequences of six repeats or more."""
    periods = _frequent_distances(text)
    if not periods:
        return 0.0
    import numpy as np  # noqa: PLC0415  (few pages need it)

    points = np.frombuffer(_utf_32(text), np.uint32)
    periodic = np.zeros(len(points) + 1, np.int64)
    for period in periods:
        same = np.concatenate([[False], points[period:] == points[:-period], [False]])
        begins, ends = np.flatnonzero(np.diff(same.astype(np.int8))).reshape(-1, 2).T
        # White space is lost at the end of a text, so the last repeat may be one character short.
        long = ends - begins + 1 >= (_REPEATS - 1) * period
        long &= ends - begins + period >= _MIN_LOOP
        np.add.at(periodic, begins[long], 1)
        np.add.at(periodic, ends[long] + period, -1)
    return int(np.count_nonzero(np.cumsum(periodic)[:-1])) / len(points)


def _frequent_distances(text: str) -> list[int]:
    """Return the most frequent distances between equal pieces of a text; none if too few pieces are equal."""
    size = _PIECE if len(text) >= 200 else 4  # noqa: PLR2004  (short texts have short loops)
    # In a loop of half the text, five of six pieces occurred before.
    if 4 * _count_repeated(text, size) < len(text) - size:
        return []
    last: dict[str, int] = {}
    distances: dict[int, int] = {}
    for i in range(len(text) - size + 1):
        piece = text[i : i + size]
        if piece in last:
            distance = i - last[piece]
            distances[distance] = distances.get(distance, 0) + 1
        last[piece] = i
    return sorted(distances, key=lambda distance: (-distances[distance], distance))[:_CANDIDATES]


def _count_repeated(text: str, size: int) -> int:
    """Return how many pieces of a text occurred before."""
    from pagemeter import _kernel  # noqa: PLC0415  (an import of pagemeter does not need it)

    return _kernel.repeated_sequences(_utf_32(text), size)


def _utf_32(text: str) -> bytes:
    return text.encode(_UTF_32, "surrogatepass")


_SUFFIXES = re.compile(
    r"(?:\.(?:jpe?g|jp2|tiff?|png|gif|bmp|webp|pdf|xml|txt|html?|hocr|json)(?:_page_\d+)?)+$"
)
# The names of eScriptorium and of uploads, and those that are given to any image.
_SAYS_NOTHING = re.compile(
    r"\d+[0-9a-f]{5}default|(?:fromurl|tmp|temp|upload).*"
    r"|image|img|page|scan|input|output|picture|photo|document|file|untitled|default|unknown"
    r"|full|native|original|large|preview|thumbnail"  # sizes of image servers
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
