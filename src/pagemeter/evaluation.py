"""Measures of one page: the door to everything below."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pagemeter.errors import GeometryError, MeasureError, NotEvaluatedError, UsageError
from pagemeter.measure import DEFAULT, DEFAULT_GEOMETRY, Measure
from pagemeter.page import Line, Page
from pagemeter.score import Score
from pagemeter.settings import Settings
from pagemeter.solve import Problem, score
from pagemeter.text import encode_pair, normalise

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

PageLike = Page | Path | Sequence[str] | str


@dataclass(frozen=True, slots=True)
class Evaluation(Mapping[str, Score]):
    """The scores of one page, by measure id.

    >>> evaluate("one two", "one too", ["CER", "WER"])["WER"].errors
    1
    """

    gt: Page
    hyp: Page
    settings: Settings
    scores: Mapping[Measure, Score] = field(repr=False)

    def __getitem__(self, name: str | Measure) -> Score:
        measure = Measure.parse(name)
        if measure not in self.scores:
            raise NotEvaluatedError(
                f"{measure} was not evaluated; add it to measures={[str(m) for m in self.scores]}"
            )
        return self.scores[measure]

    def __contains__(self, name: object) -> bool:
        try:
            return isinstance(name, str | Measure) and Measure.parse(name) in self.scores
        except MeasureError:
            return False

    def __iter__(self) -> Iterator[str]:
        return map(str, self.scores)

    def __len__(self) -> int:
        return len(self.scores)

    @property
    def signature(self) -> str:
        """The line that reproduces these numbers."""
        return self.settings.signature


def evaluate(
    gt: PageLike,
    hyp: PageLike,
    measures: Iterable[str | Measure] | None = None,
    solver: str | None = None,
    *,
    settings: Settings | None = None,
    **overrides: Any,  # noqa: ANN401
) -> Evaluation:
    """The scores of a hypothesis against its ground truth.

    `gt` and `hyp` are each a Page, a pathlib.Path to a file, a list of line strings, or one string whose
    lines are its lines. Without `measures`: CER:R, CER:RS, CER:S, WER:R, WER:S, BOW and, where both pages
    have geometry, these with G as well. Further keywords change single `Settings`.

    >>> evaluate(["left", "right"], ["right", "left"], ["CER:R", "CER"])["CER:R"].errors
    8
    """
    if solver is not None:
        overrides["solver"] = solver
    settings = (settings or Settings()).with_(**overrides)
    pages = as_page(gt), as_page(hyp)
    chosen = _default(*pages) if measures is None else tuple(map(Measure.parse, measures))
    workbench = _Workbench(*pages, settings)
    return Evaluation(
        *pages, settings, {measure: workbench.score(measure) for measure in dict.fromkeys(chosen)}
    )


def cer(gt: PageLike, hyp: PageLike, letters: str = "", **overrides: Any) -> float:  # noqa: ANN401
    r"""The character error rate with the letters of the measure: any of R, S, G.

    >>> cer("abcd\nef", "ef\nabcx")
    0.16666666666666666
    """
    return _rate("CER", gt, hyp, letters, overrides)


def wer(gt: PageLike, hyp: PageLike, letters: str = "", **overrides: Any) -> float:  # noqa: ANN401
    r"""The word error rate with the letters of the measure: any of R, S, G.

    >>> wer("one two three", "one\ntwo three", "S")
    0.0
    """
    return _rate("WER", gt, hyp, letters, overrides)


def as_page(source: PageLike) -> Page:
    """A page of whatever is accepted as one; a str is always text, never a path."""
    if isinstance(source, Page):
        return source
    if isinstance(source, Path):
        from pagemeter.formats import load  # noqa: PLC0415  (XML readers load only where a file is read)

        return load(source)
    if isinstance(source, str):
        return Page.from_text(source)
    if isinstance(source, Sequence) and all(isinstance(line, str) for line in source):
        return Page(tuple(map(Line, source)))
    raise UsageError(
        f"cannot make a page of {type(source).__name__}; "
        "give a Page, a pathlib.Path, a list of line strings or a str"
    )


def _rate(unit: str, gt: PageLike, hyp: PageLike, letters: str, overrides: dict[str, Any]) -> float:
    name = f"{unit}:{letters}" if letters else unit
    return evaluate(gt, hyp, [name], **overrides)[name].rate


def _default(gt: Page, hyp: Page) -> tuple[Measure, ...]:
    if not (gt.has_geometry and hyp.has_geometry):
        return DEFAULT
    from pagemeter.geometry import is_placed  # noqa: PLC0415  (only pages with positions)

    return DEFAULT + DEFAULT_GEOMETRY if is_placed(gt) and is_placed(hyp) else DEFAULT


class _Workbench:
    """Both pages in the shapes that measures share: token pages by unit, neighbours once."""

    def __init__(self, gt: Page, hyp: Page, settings: Settings) -> None:
        self.gt, self.hyp, self.settings = gt, hyp, settings
        self._lines = [normalise([line.text for line in page.lines], settings) for page in (gt, hyp)]
        self._problems: dict[bool, Problem] = {}
        self._mask: NDArray[np.bool_] | None = None

    def score(self, measure: Measure) -> Score:
        problem = self._problem(
            characterwise=measure.unit == "CER", mask=self._neighbours() if measure.geometry else None
        )
        return score(measure, problem, self.settings.solver)

    def _problem(self, *, characterwise: bool, mask: NDArray[np.bool_] | None) -> Problem:
        if characterwise not in self._problems:
            encoded = encode_pair(*self._lines, characterwise=characterwise, settings=self.settings)
            self._problems[characterwise] = Problem(*encoded, time_limit=self.settings.time_limit)
        return replace(self._problems[characterwise], mask=mask)

    def _neighbours(self) -> NDArray[np.bool_]:
        if self._mask is None:
            from pagemeter.geometry import neighbours  # noqa: PLC0415  (only measures with G)

            for page, side in ((self.gt, "ground truth"), (self.hyp, "hypothesis")):
                if not page.has_geometry:
                    raise GeometryError(
                        f"{page.source or side}: a measure with G needs positions, but no line of the "
                        f"{side} has a baseline or polygon; choose measures without G"
                    )
            self._mask = neighbours(self.gt, self.hyp, self.settings.threshold)
        return self._mask
