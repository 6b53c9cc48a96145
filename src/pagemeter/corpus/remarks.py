"""What is to be said of a page that was evaluated, or could not be."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pagemeter.errors import GeometryError
from pagemeter.page import Page, Warn
from pagemeter.solve.problem import MOST_TOKENS
from pagemeter.text.normalise import pipeline

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pagemeter.corpus.files.names import Side
    from pagemeter.corpus.page_pairs import PagePair
    from pagemeter.evaluation import Evaluation
    from pagemeter.measure import Measure
    from pagemeter.settings import Settings

# Of a text of so many characters for every token that may be, no combining marks make few enough tokens.
_CHARACTERS = 4


def unplaced(page: PagePair) -> tuple[Side, ...]:
    """The sides on which the measures with G have no value."""
    from pagemeter.geometry import is_placed  # noqa: PLC0415  (not where no positions are asked for)

    sides: tuple[tuple[Side, Page | None], ...] = (("gt", page.gt), ("hyp", page.hyp))
    return tuple(side for side, found in sides if found is not None and not is_placed(found))


def too_long(page: PagePair, measures: Iterable[Measure]) -> str | None:
    """Why a page is refused before any work is done on it: it has too many characters."""
    size = max(_size(page.gt), _size(page.hyp))
    if size <= _CHARACTERS * MOST_TOKENS or not any(measure.unit == "CER" for measure in measures):
        return None
    return (
        f"{_longer(page)}: a page of {size:,} characters, and two pages may have {MOST_TOKENS:,} together; "
        "split it into its pages"
    )


def named(error: Exception, page: PagePair) -> str:
    """The error with the file it is about, which a solver does not know."""
    if isinstance(error, MemoryError):
        return (
            f"{_longer(page)}: not enough memory to evaluate this page; split it, ask for fewer measures, or "
            "raise --page-memory"
        )
    text = str(error)
    files = [file for file in (page.gt_file, page.hyp_file) if file]
    if any(text.startswith(file.partition("#")[0]) for file in files):
        return text
    lacking = unplaced(page) if isinstance(error, GeometryError) else ()
    return f"{page.hyp_file if lacking == ('hyp',) else page.gt_file if lacking else _longer(page)}: {text}"


def dropped(page: Page | None, settings: Settings) -> int:
    r"""How many lines with text the line filters of the settings leave out.

    >>> from pagemeter.settings import Settings
    >>> dropped(Page.from_text("a line\n17\n\n"), Settings(drop_lines="^[0-9]*$"))
    1
    """
    if page is None or (settings.keep_lines is None and settings.drop_lines is None):
        return 0
    lines: Sequence[str] = [line.text for line in page.lines]
    for name, step in pipeline(settings):
        after = step(lines)
        if name == "lines":
            return sum(bool(was.strip()) and not left for was, left in zip(lines, after, strict=True))
        lines = after
    return 0


def warnings_of(page: PagePair, evaluation: Evaluation, left_out: Sequence[int]) -> tuple[Warn, ...]:
    """Warnings of pages without text: where filters have left nothing, and where nothing can be right."""
    found = []
    sides = ((page.gt_file, evaluation.gt), (page.hyp_file, evaluation.hyp))
    for (file, side), count in zip(sides, left_out, strict=True):
        if count and count == sum(bool(line.text.strip()) for line in side.lines):
            found.append(Warn(file or page.name, "text", "no line is left by --keep-lines and --drop-lines"))
    if any(score.n_gt == 0 and score.errors for score in evaluation.scores.values()):
        reason = "the ground truth has no text, so all that was read counts as errors"
        found.append(Warn(page.gt_file or page.name, "text", reason))
    return tuple(found)


def _size(page: Page | None) -> int:
    return sum(len(line.text) for line in page.lines) if page else 0


def _longer(page: PagePair) -> str:
    return (page.hyp_file if _size(page.hyp) > _size(page.gt) else page.gt_file) or page.name
