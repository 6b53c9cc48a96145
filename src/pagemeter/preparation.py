"""Preparation of two pages: the work that several measures share is done once.

`Source` is one page in whatever form it is given. `PreparedPair` has two of them with their normalised lines,
their tokens as integers, and the neighbours of each line.

This module is imported by `import pagemeter`. Modules that need numpy are therefore imported in functions.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, cast

from pagemeter.errors import GeometryError, InputError, PathAsTextWarning, Problem, UsageError, warn
from pagemeter.lazy_imports import importing
from pagemeter.measure import Measure, looser_measures
from pagemeter.page import Line, Page, has_open_end, split_lines

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from pagemeter.geometry import PagePixels
    from pagemeter.score import Score
    from pagemeter.settings import Settings
    from pagemeter.solve import Instance, Solution
    from pagemeter.text import NormalisedLines
    from pagemeter.text.encode import Encoded
    from pagemeter.text.notations import Notations, NotedTexts

PageLike = Page | Path | Iterable[str] | Sequence[Line] | str
_FILE_NAME = re.compile(r".{0,1000}[^\s./\\]\.[A-Za-z]{2,8}")
_ACCEPTED = (
    "give a Page, a pathlib.Path, a list, array or Series of line strings, a list of Line objects, or a str"
)
_MUCH_MORE, _MOST_FOUND = 1.5, 0.5  # shares of the ground truth
_LEAST_CHARACTERS, _LEAST_WORDS = 50, 10  # of a ground truth that is long enough for such a comparison
_SAME_SIZE = 0.01  # images whose sizes differ by a smaller share are one image, rounded or trimmed


class Source:
    """One page of a pair: the texts of its lines, and the results that are computed once per page.

    The `Page` of a page that is given as text is created only when it is needed.

    >>> Source(["one", "two"]).page.lines[1].text
    'two'
    """

    __slots__ = ("_normalised", "_page", "_pixels", "noted", "open_end", "texts")

    def __init__(
        self,
        texts: Sequence[str],
        page: Page | None = None,
        noted: NotedTexts | None = None,
        *,
        open_end: bool = False,
    ) -> None:
        self.texts, self._page, self.noted = texts, page, noted
        self.open_end = page.open_end if page else open_end  # True if the last line has no line end
        self._normalised: tuple[Settings, NormalisedLines] | None = None
        self._pixels: PagePixels | GeometryError | None = None

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the page without the results, which can be computed again."""
        return partial(Source, open_end=self.open_end), (self.texts, self._page, self.noted)

    @classmethod
    def of(cls, page: Page) -> Source:
        """Return the source of a page."""
        return cls([line.text for line in page.lines], page)

    @property
    def page(self) -> Page:
        """The page."""
        if self._page is None:
            self._page = Page(tuple(map(Line, self.texts)), open_end=self.open_end)
        return self._page

    @property
    def has_geometry(self) -> bool:
        """True if any line has a position, or if the page has no text."""
        return not any(map(str.strip, self.texts)) if self._page is None else self._page.has_geometry

    @property
    def has_all_positions(self) -> bool:
        """True if measures with G can be computed: every line with text has a usable position."""
        if not self.has_geometry:
            return False
        try:
            return self.pixels is not None
        except GeometryError:
            return False

    @property
    def pixels(self) -> PagePixels:
        """The pixels of all baselines; a `GeometryError` if a line has no usable position."""
        if self._pixels is None:
            from pagemeter.geometry import page_pixels  # noqa: PLC0415  (numpy)

            try:
                self._pixels = page_pixels(self.page)
            except GeometryError as error:
                self._pixels = error
        if isinstance(self._pixels, GeometryError):
            raise GeometryError(self._pixels.problem)
        return self._pixels

    def types(self) -> list[str]:
        """Return the type of each line."""
        return ["text"] * len(self.texts) if self._page is None else [line.type for line in self._page.lines]

    def without(self, types: frozenset[str]) -> Source:
        """Return the page without the lines of some types."""
        if not types or not types.intersection(self.types()):
            return self
        return Source.of(replace(self.page, lines=tuple(x for x in self.page.lines if x.type not in types)))

    def with_notations(self, settings: Settings) -> Source:
        """Return the ground truth with the marks of its notations in its texts."""
        if self._page is None and not settings.has_patterns:
            return self
        lines = self.page.lines
        if not settings.has_patterns and not any(line.notes or line.readings for line in lines):
            return self
        from pagemeter.text.notations import noted_texts  # noqa: PLC0415  (rarely needed)

        noted = noted_texts(lines, settings)
        if noted is None:
            return self
        return Source(noted.main, self.page, noted if noted.has_notations else None)

    def normalised(self, settings: Settings) -> NormalisedLines:
        """Return the lines as they are compared; the result for the last settings is kept."""
        if self._normalised is None or self._normalised[0] is not settings:
            from pagemeter.text import normalise_page  # noqa: PLC0415  (numpy)

            self._normalised = settings, normalise_page(self.texts, settings)
        return self._normalised[1]


class PreparedPair:
    """Two pages, and the work on them that several measures share.

    >>> from pagemeter.settings import DEFAULT_SETTINGS
    >>> pair = PreparedPair(Source(["a"]), Source(["b"]), DEFAULT_SETTINGS)
    >>> pair.score(Measure("CER")).wrong
    1
    """

    def __init__(self, gt: Source, hyp: Source, settings: Settings) -> None:
        if not _first_use.is_over:
            _first_use.end()
        self._gt_text = gt.without(settings.ignored_types("gt"))
        self.gt = self._gt_text.with_notations(settings)
        self.hyp = hyp.without(settings.ignored_types("hyp"))
        self.settings = settings
        self.warnings: tuple[Problem, ...] = ()
        self._tokens: dict[bool, Encoded] = {}
        self._texts: dict[bool, tuple[Sequence[str], Sequence[str]]] = {}
        self._minima: dict[Measure, Solution] = {}
        self._instances: dict[tuple[bool, bool], Instance] = {}
        self._mask: NDArray[np.bool_] | None = None
        self._rows = self.gt.noted and self.gt.noted.normalised(settings)
        if self._rows and settings.solver == "paper":
            raise UsageError(
                "the algorithms of the paper know no notations of editors",
                setting=("solver", "paper"),
                remedy="use the exact solver",
            )
        self._pairs: NDArray[np.bool_] | None = None

    @property
    def has_positions(self) -> bool:
        """True if measures with G can be computed."""
        return self.gt.has_all_positions and self.hyp.has_all_positions

    @property
    def without_positions(self) -> tuple[Literal["gt", "hyp"], ...]:
        """The sides for which measures with G cannot be computed."""
        sides: tuple[tuple[Literal["gt", "hyp"], Source], ...] = (("gt", self.gt), ("hyp", self.hyp))
        return tuple(name for name, source in sides if not source.has_all_positions)

    @property
    def dropped(self) -> tuple[int, int]:
        """The number of lines with text that the line filters left out, of either page."""
        gt, hyp = (source.normalised(self.settings).dropped for source in (self.gt, self.hyp))
        return gt, hyp

    def score(self, measure: Measure) -> Score:
        """Return the score of one measure."""
        from pagemeter import solve  # noqa: PLC0415  (numpy)

        if measure.whole:
            return self._score_text(measure)
        instance = self._instance(measure)
        solution = self._minimum_of_looser(measure, instance) or solve.solve(
            measure, instance, self.settings.solver
        )
        if self.settings.counts != "canonical" and measure.aligns_lines and instance.notations is None:
            solution = solve.recounted(instance, solution, self.settings.counts)
        score = solve.add_up(measure, instance, solution, self.settings)
        if score.optimal and score.canonical:
            self._minima[measure] = solution
        return score

    def _instance(self, measure: Measure) -> Instance:
        """Return what the solvers get, which only depends on the tokens of a measure and on G."""
        key = measure.of_characters, measure.geometry
        if (known := self._instances.get(key)) is not None:
            return known
        from pagemeter.solve import Instance  # noqa: PLC0415  (numpy)

        instance = self._instances[key] = Instance(
            *self.encoded(characterwise=measure.of_characters),
            self._mask_of(measure),
            self.settings.work,
            self.settings.time_limit,
            self._optional(self.gt, "gt"),
            self._optional(self.hyp, "hyp"),
            self._notations(characterwise=measure.of_characters),
        )
        return instance

    def encoded(self, *, characterwise: bool) -> Encoded:
        """Return the tokens of both pages: characters, or words."""
        if characterwise not in self._tokens:
            from pagemeter.text.encode import encode_pair, words_of_characters  # noqa: PLC0415  (numpy)

            if characterwise or self.settings.tokeniser != "whitespace":
                gt, hyp = (source.normalised(self.settings).lines for source in (self.gt, self.hyp))
                gt = self._rows.rows if self._rows else gt
                tokens = encode_pair(gt, hyp, characterwise=characterwise, settings=self.settings)
            else:
                tokens = words_of_characters(self.encoded(characterwise=True))
            self._tokens[characterwise] = tokens
        return self._tokens[characterwise]

    def _minimum_of_looser(self, measure: Measure, instance: Instance) -> Solution | None:
        """Return the known minimum of a measure with fewer constraints, if it keeps those of this measure.

        Constraints only exclude solutions, so no solution of this measure can be better.
        """
        if self.settings.solver != "exact":
            return None
        from pagemeter.solve import with_constraints  # noqa: PLC0415  (numpy)

        for looser in looser_measures(measure):
            known = self._minima.get(looser)
            if known and (kept := with_constraints(instance, known, looser, measure)):
                return kept
        return None

    def _score_text(self, measure: Measure) -> Score:
        """Return the score of a measure that compares the page as one text; it knows no notations."""
        from pagemeter import solve  # noqa: PLC0415  (numpy)
        from pagemeter.text.encode import WholeText, encode_spelled, encode_texts  # noqa: PLC0415

        settings = self.settings
        tokens = self._texts.get(measure.of_characters)
        if tokens is None:
            gt, hyp = (
                WholeText.of(
                    source.texts, source.normalised(settings).lines, settings, open_end=source.open_end
                )
                for source in (self._gt_text if self.gt.noted else self.gt, self.hyp)
            )
            if measure.of_characters:
                tokens = gt.characters(settings.unit), hyp.characters(settings.unit)
            else:
                tokens = gt.words(settings), hyp.words(settings)
            self._texts[measure.of_characters] = tokens
        if measure.method == "assignment":
            return solve.score_spelled(measure, encode_spelled(*tokens, settings.unit))
        pair = encode_texts(*tokens)
        return solve.score_text(measure, pair, settings.counts)

    def _mask_of(self, measure: Measure) -> NDArray[np.bool_] | None:
        """Return which lines can be matched, or None if any can."""
        mask = self._neighbours() if measure.geometry else None
        if self.settings.line_pairs == "any":
            return mask
        if self._pairs is None:
            self._pairs = self._line_pairs()
        return self._pairs if mask is None else mask & self._pairs

    def _line_pairs(self) -> NDArray[np.bool_]:
        """Return which lines have the same number or id."""
        import numpy as np  # noqa: PLC0415

        if self.settings.line_pairs == "number":
            return np.eye(len(self.gt.texts), len(self.hyp.texts), dtype=np.bool_)
        mask = np.zeros((len(self.gt.texts), len(self.hyp.texts)), np.bool_)
        numbers: dict[str, list[int]] = {}
        for number, line in enumerate(self.hyp.page.lines):
            if line.id:
                numbers.setdefault(line.id, []).append(number)
        for number, line in enumerate(self.gt.page.lines):
            if line.id:
                mask[number, numbers.get(line.id, [])] = True
        for source, side in ((self.gt, "ground truth"), (self.hyp, "hypothesis")):
            if source.texts and not any(line.id for line in source.page.lines):
                raise InputError(
                    f"no line of the {side} has an id, but lines are matched by id",
                    source=source.page.source or side,
                    remedy="use {}",
                    settings=(("line_pairs", "number"),),
                )
        if mask.size and not mask.any():
            raise InputError(
                "no line of the hypothesis has the id of a line of the ground truth",
                source=self.hyp.page.source or "hypothesis",
                remedy="use {}",
                settings=(("line_pairs", "number"),),
            )
        return mask

    def _optional(self, source: Source, side: Literal["gt", "hyp"]) -> NDArray[np.bool_] | None:
        """Return which lines are optional, or None if no line with text is."""
        types = self.settings.optional_types(side)
        if not types:
            return None
        import numpy as np  # noqa: PLC0415

        lines = source.normalised(self.settings).lines
        flags = [bool(line) and kind in types for line, kind in zip(lines, source.types(), strict=True)]
        return np.array(flags, np.bool_) if any(flags) else None

    def _notations(self, *, characterwise: bool) -> Notations | None:
        if self._rows is None:
            return None
        from pagemeter.text.notations import encode_notations  # noqa: PLC0415  (rarely needed)

        return encode_notations(
            self._rows,
            self.hyp.normalised(self.settings).lines,
            self.encoded(characterwise=characterwise),
            self.settings,
            characterwise=characterwise,
        )

    def _neighbours(self) -> NDArray[np.bool_]:
        if self._mask is None:
            from pagemeter.geometry import neighbours_of_pixels  # noqa: PLC0415  (numpy)

            for source, side in ((self.gt, "ground truth"), (self.hyp, "hypothesis")):
                if not source.has_geometry:
                    raise GeometryError(
                        f"no line of the {side} has a baseline or polygon, but G measures need positions",
                        source=source.page.source or side,
                        remedy="use measures without G, or add baselines",
                    )
            self._mask = neighbours_of_pixels(self.gt.pixels, self.hyp.pixels, self.settings.threshold)
            self.warnings = _different_sizes(self.gt.page, self.hyp.page)
        return self._mask


class _FirstUse:
    """The imports of the first evaluation. A very small one makes all of them."""

    is_over = False
    _has_begun = False

    def end(self) -> None:
        """Import everything while this process cannot fork."""
        with importing:
            if self._has_begun:
                return
            self._has_begun = True
            import_module("pagemeter.geometry")
            from pagemeter.settings import DEFAULT_SETTINGS  # noqa: PLC0415  (only here)

            pair = PreparedPair(Source(["a"]), Source(["b"]), DEFAULT_SETTINGS)
            for name in ("CER:R", "WER:S"):
                pair.score(Measure.parse(name))
            self.is_over = True


_first_use = _FirstUse()


def suggest_partial(pair: PreparedPair, scores: Iterable[Score]) -> tuple[Problem, ...]:
    """Return a warning if the ground truth seems to cover only a part of the page.

    That is so if a score finds most of the ground truth, and the hypothesis has much more text.
    """
    if pair.settings.partial:
        return ()
    for score in scores:
        least = _LEAST_CHARACTERS if score.measure.of_characters else _LEAST_WORDS
        if score.n_gt >= least and score.n_hyp > _MUCH_MORE * score.n_gt and score.recall > _MOST_FOUND:
            times = f"{score.n_hyp / score.n_gt:.1f} times as much text as the ground truth"
            return (
                Problem(
                    f"it has {times}, and most of the ground truth was found in it",
                    pair.hyp.page.source or "hypothesis",
                    remedy="if the ground truth covers only a part of the page, use {}",
                    settings=(("partial", ""),),
                    kind="text",
                ),
            )
    return ()


def _different_sizes(gt: Page, hyp: Page) -> tuple[Problem, ...]:
    sizes = ((gt.width, hyp.width), (gt.height, hyp.height))
    if all(not g or not h or abs(g - h) <= _SAME_SIZE * max(g, h) for g, h in sizes):
        return ()
    detail = (
        f"{hyp.width} × {hyp.height} px, but the ground truth has {gt.width} × {gt.height}: positions may be "
        "on different scales, which measures with G count as errors"
    )
    remedy = "give both in pixels of one image"
    return (Problem(detail, hyp.source or "hypothesis", "size of the page", remedy, kind="geometry"),)


def as_source(given: PageLike, side: str = "page") -> Source:
    r"""Return the source of anything that is accepted as a page; `side` names it in messages.

    >>> as_source("one\ntwo").texts
    ['one', 'two']
    """
    if isinstance(given, Page):
        return Source.of(given)
    if isinstance(given, Path):
        from pagemeter.formats import load  # noqa: PLC0415  (XML readers)

        return Source.of(load(given))
    if isinstance(given, str):
        _warn_if_path(given, side)
        return Source(split_lines(given), open_end=has_open_end(given))
    if isinstance(given, Iterator):
        given = tuple(given)
    elif len(getattr(given, "shape", ())) == 1:  # numpy, pandas and polars
        given = tuple(cast("Iterable[str]", given))
    if isinstance(given, list | tuple) and given and all(isinstance(line, Line) for line in given):
        return Source.of(Page(tuple(given)))
    return Source(tuple(_checked_lines(given, side)))


def _warn_if_path(text: str, side: str) -> None:
    """Warn if a text of one line is the path of an existing file, or looks like the name of a page file."""
    if "\n" in text:
        return
    exists = os.path.isfile(text)  # noqa: PTH113  (false for a text that cannot be a path)
    if exists or _looks_like_file(text):
        what = "is the path of a file" if exists else "looks like the name of a file, which does not exist"
        problem = Problem(
            f"the {side} {text!r:.300} is measured as text, but it {what}",
            remedy=f"to read a file, give pathlib.Path({text!r:.300})",
        )
        warn(str(problem), PathAsTextWarning)


def _looks_like_file(text: str) -> bool:
    """Return True if a text of one line looks like the name of a page file.

    A name has the suffix of a page format and no white space. Only the path of a file in a folder that exists
    may have white space, because a line of text may end with a file name.
    """
    if not _FILE_NAME.fullmatch(text):
        return False
    from pagemeter.formats.registry import known_suffixes  # noqa: PLC0415  (not needed for most texts)

    folder, name = os.path.split(text)
    if os.path.splitext(name)[1].lower() not in known_suffixes(installed=False):  # noqa: PTH122
        return False
    return not any(map(str.isspace, text)) or (bool(folder) and os.path.isdir(folder))  # noqa: PTH112


def _checked_lines(lines: object, side: str) -> Sequence[str]:
    if not isinstance(lines, Sequence) or isinstance(lines, bytes | bytearray | memoryview):
        raise UsageError(f"cannot make a page of {type(lines).__name__} ({side})", remedy=_ACCEPTED)
    for kind in set(map(type, lines)):
        if not issubclass(kind, str):
            index = next(i for i, line in enumerate(lines) if type(line) is kind)
            raise UsageError(
                f"cannot make a page of this list ({side}): the item with index {index} is of type "
                f"{kind.__name__}, not str",
                remedy=_ACCEPTED,
            )
    return lines
