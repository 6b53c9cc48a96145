"""The lines of pages: names of their types, their words, and all lines of a page joined to one.

The names that PAGE XML, Transkribus, SegmOnto, ALTO, hOCR, FineReader and models use for regions, zones,
blocks and lines are in one table. A name that is not in it does not change the type: a line then has the type
of the element around it, and the type `text` if no element around it has a type.
"""

from __future__ import annotations

import math
import re
from bisect import bisect_left
from dataclasses import replace
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any

from pagemeter.formats.coordinates import range_error, text_to_points
from pagemeter.page import Line, Page, Word

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pagemeter.formats.base import Notes
    from pagemeter.formats.coordinates import RawPoints
    from pagemeter.page import LineType, Note, Points

# Types

# Names in lower case and without all characters that are not letters: `page-number2` is `pagenumber`.
_NAMES: dict[LineType, str] = {
    "heading": """
        heading head headline headingline title subtitle sectionheader sectiontitle sectionheading
        paragraphtitle doctitle documenttitle chaptertitle chapterheading pagetitle pagetitlezone
        textheading
    """,
    "header": """
        header headers pageheader runningtitle runningtitlezone runninghead runningheader topmargin rt
    """,
    "footer": "footer footers pagefooter runningfooter bottommargin",
    "page-number": """
        pagenumber pagenumbers pagenum pageno numpage folionumber numbering numberingzone foliation folio
        pagination
    """,
    "footnote": """
        footnote footnotes footnotetext footnotecontinued footnoteline footnotezone pagefootnote
        figurefootnote imagefootnote tablefootnote chartfootnote visionfootnote endnote endnotes
    """,
    "marginalia": """
        marginalia marginal margin marginnote marginalnote marginalnotes margintext margintextzone leftmargin
        rightmargin aside asidetext
    """,
    "caption": """
        caption captions captionzone figurecaption figuretitle imagecaption picturecaption tablecaption
        tabletitle chartcaption charttitle formulacaption equationcaption codecaption codetxtcaption
        algorithmcaption figuretabletitle figuretablecharttitle figcaption figdesc legend
    """,
    "table": """
        table tables tableregion tablezone tablebody tablecell tabletext tableheading tablegroup
        documentindex
    """,
    "formula": """
        formula formulas formulablock formulazone equation equations equationisolated equationblock
        isolatedformula displayformula interlineequation display displaymath math maths mathblock
        mathsregion chem chemregion
    """,
    "figure": """
        figure figures figurezone figuregroup picture pictures picturegroup rasterpicture vectorpicture
        image images imagebody imageblock imageregion illustration graphic graphicregion graphiczone
        linedrawing linedrawingregion chart chartregion diagram drawing flowchart mapregion photo
        textimage
    """,
    "catchword": "catchword catchwords signaturemark quiremark quiremarks quiremarkszone",
    "other": """
        other others abandon barcode customzone damagezone digitizationartefactzone garb musicline
        musicregion musiczone needmask noise noiseregion seal sealzone stamp stampzone watermark
    """,
}
_TYPES: dict[str, LineType] = {name: kind for kind, names in _NAMES.items() for name in names.split()}
_MAX_NAME = 100  # characters
# A zone of SegmOnto may have a subtype and a number: `MarginTextZone:footnote#1`, `MainZone-Head`.
_SUBTYPE = re.compile(r"(?P<zone>[^:]*?)(?::|(?<=Zone)-)(?P<subtype>.*)", re.DOTALL)


def line_type(name: str | None, outer: LineType = "text") -> LineType:
    """Return the type that a name means, or `outer`, the type of the surrounding element, if it means none.

    >>> line_type("page-number"), line_type("MarginTextZone:note#1"), line_type("paragraph", "table")
    ('page-number', 'marginalia', 'table')
    """
    return (name and find_type(name)) or outer


def find_type(name: str) -> LineType | None:
    """Return the type that a name means, or None for running text and for unknown names.

    >>> find_type("Page-header"), find_type("MainZone-Head"), find_type("DefaultLine")
    ('header', 'heading', None)
    """
    return _find_type(name) if len(name) <= _MAX_NAME else None


@lru_cache(maxsize=4096)
def _find_type(name: str) -> LineType | None:
    if (found := _TYPES.get(_letters(name))) is not None:
        return found
    if (match := _SUBTYPE.fullmatch(name)) is None:
        return None
    return _TYPES.get(_letters(match["subtype"])) or _TYPES.get(_letters(match["zone"]))


def _letters(name: str) -> str:
    return "".join(filter(str.isalpha, name.casefold()))


# Words, for readers that are asked for them


def share(value: object, full: float = 1.0) -> float | None:
    """Return a confidence as a share; None if it is missing, not a number or out of range.

    Args:
        value: A number, or its text.
        full: The value of full confidence. A larger value than 1 is a number of per cent in any case.

    >>> share("0.5"), share("93", 100), share(97.5), share(1, 100), share("-1"), share("?"), share(None)
    (0.5, 0.93, 0.975, 0.01, None, None, None)

    """
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return None
    try:
        number = float(value)
    except (ValueError, OverflowError):
        return None
    if not math.isfinite(number):
        return None
    if number > 1:
        full = 100.0
    found = number / full
    return found if 0 <= found <= 1 else None


def shares(text: str) -> float | None:
    """Return the mean of confidences, which are shares if all are at most 1, and otherwise per cent.

    >>> shares("100 50"), shares("0.5 1.0"), shares("90 x"), shares("")
    (0.75, 0.75, 0.9, None)
    """
    numbers = text.split()
    small = all(share(number) == _parsed(number) for number in numbers if _parsed(number) is not None)
    full = 1.0 if small else 100.0
    return mean(share(number, full) for number in numbers)


def _parsed(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def mean(values: Iterable[float | None]) -> float | None:
    """Return the mean of the values that are known, None if none is.

    >>> mean([0.5, None, 1.0]), mean([None])
    (0.75, None)
    """
    known = [value for value in values if value is not None]
    return math.fsum(known) / len(known) if known else None


def word(text: str, confidence: float | None, polygon: RawPoints, baseline: RawPoints = None) -> Word:
    """Return a word; points that cannot be used are left out, because those of lines matter.

    >>> word("a", None, "0,0 9,0 9,9", "0,9 x")
    Word(text='a', confidence=None, polygon=((0, 0), (9, 0), (9, 9)), baseline=None)
    """
    return Word(text, confidence, _usable_points(polygon), _usable_points(baseline))


def _usable_points(raw: RawPoints) -> Points | None:
    try:
        points = text_to_points(raw) if isinstance(raw, str) else raw
    except ValueError:
        return None
    return None if not points or range_error(points) else points


def words_of_text(text: str, confidence: float | None) -> tuple[Word, ...]:
    """Return the words of a line whose confidence is known only as a whole, none if it is not known.

    >>> words_of_text("a line", 0.5)
    (Word(text='a', ...), Word(text='line', confidence=0.5, polygon=None, baseline=None))
    """
    return () if confidence is None else tuple(Word(part, confidence) for part in text.split())


def scaled(words: Sequence[Word], factors: tuple[float, float] | None) -> tuple[Word, ...]:
    """Return words with their positions multiplied; None removes the positions.

    >>> scaled([Word("a", None, ((0, 0), (1, 0.5)))], (10, 20))[0].polygon
    ((0, 0), (10, 10.0))
    """
    return tuple(
        Word(
            one.text,
            one.confidence,
            *(_multiplied(points, factors) for points in (one.polygon, one.baseline)),
        )
        for one in words
    )


def _multiplied(points: Points | None, factors: tuple[float, float] | None) -> Points | None:
    if points is None or factors is None:
        return None
    return tuple((x * factors[0], y * factors[1]) for x, y in points)


# Further readings


class ReadingBudget:
    """The readings that the lines of a file may have; many combinations of a long line would fill the memory.

    >>> budget = ReadingBudget(1000)
    >>> budget.most_readings(60), budget.most_readings(1_000_000)
    (64, 2)
    """

    def __init__(self, file_size: int) -> None:
        self._left = _BASE_BUDGET + file_size

    def most_readings(self, characters: int) -> int:
        """Return how many readings a line with this number of characters may have; at least one."""
        return max(1, min(_MOST_READINGS, self._left // (characters + _READING_COST)))

    def spend(self, readings: int, characters: int) -> None:
        """Record the readings of a line."""
        self._left -= readings * (characters + _READING_COST)

    @staticmethod
    def note_limit(most: int, label: str, notes: Notes) -> None:
        """Warn that a line has more readings than it may have."""
        reason = f"more than {most}" if most == _MOST_READINGS else "too many long"
        notes.add(label, f"has {reason} readings, and only some of them are accepted")


_MOST_READINGS = 64  # of one line
_BASE_BUDGET = 2_000_000  # characters, which are read in less than a second
_READING_COST = 50  # of an empty reading, in characters


# One line per page, for numbers that are comparable with those of page-level tools

_BREAK = "\n"


def joined_page(page: Page) -> Page:
    """Return a page whose lines are one line of the type text, without a position.

    Lines are joined by a space, and by nothing between two characters of scripts without spaces. Remarks on
    parts of a line are kept; further readings of lines are not.

    >>> joined_page(Page((Line("one"), Line("two")))).text
    'one two'
    >>> joined_page(Page((Line("東京，"), Line("大阪"), Line("Bay")))).text
    '東京，大阪 Bay'
    """
    lines = [line for line in page.lines if line.text.strip() or line.notes]
    if not lines:
        return replace(page, lines=())
    first = next((index for index, line in enumerate(lines) if line.text), len(lines))
    text = _BREAK.join(line.text.replace(_BREAK, " ") for line in lines[first:])
    removed = [] if text.isascii() else [match.start() for match in _unspaced_break().finditer(text)]
    joined = (_unspaced_break().sub("", text) if removed else text).replace(_BREAK, " ")
    notes: list[Note] = []
    begin = 0
    for index, line in enumerate(lines):
        for note in line.notes:
            edges = (begin + edge for edge in (note.begin, note.end))
            note_begin, note_end = (edge - bisect_left(removed, edge) for edge in edges)
            notes.append(replace(note, begin=note_begin, end=note_end))
        begin += len(line.text) + (index >= first)
    return replace(page, lines=(Line(joined, notes=tuple(notes)),))


@cache
def _unspaced_break() -> Any:  # noqa: ANN401
    import regex  # noqa: PLC0415  (15 ms, rarely needed)

    from pagemeter.text.characters import UNSPACED  # noqa: PLC0415  (imports numpy)

    return regex.compile(rf"(?<=[{UNSPACED}][\p{{M}}\p{{P}}]*)\n(?=\p{{P}}*[{UNSPACED}])")
