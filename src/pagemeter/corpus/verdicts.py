"""Verdicts of a reader: ground-truth lines and pages that an evaluation ignores.

The HTML report exports them. A verdict is "gt wrong", "ignore" or "interesting"; the first two are ignored. A
line is found by its text, and its id and number decide between equal texts, so verdicts remain valid when
lines are added or renumbered. A line whose text was changed is not ignored any more.

An ignored line leaves the evaluation with its reading: the words that `CER:S` matches with it are removed
from the hypothesis, so they are not extra text.
"""

from __future__ import annotations

import hashlib
import json
import unicodedata
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, NamedTuple

from pagemeter.alignment import Aligner
from pagemeter.errors import InputError
from pagemeter.evaluation import evaluate_prepared
from pagemeter.measure import Measure
from pagemeter.preparation import PreparedPair, Source

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pagemeter.alignment.token_edits import TokenText
    from pagemeter.page import Line, Page
    from pagemeter.settings import Settings

_FORMAT = "pagemeter-verdicts"
_IGNORED = frozenset(("gt wrong", "ignore"))
_READING = Measure.parse("CER:S")


class Marked(NamedTuple):
    """A line to ignore: its page, number (from 1), id and text. A whole page has no text."""

    page: str
    line: int | None
    id: str | None
    text: str | None


@dataclass(frozen=True, slots=True)
class Verdicts:
    """The lines and pages to ignore.

    Args:
        digest: Twelve hexadecimal digits that depend on the lines and pages.
        marked: The lines and pages by page name; empty if only the digest is known, from a signature.

    """

    digest: str
    marked: dict[str, tuple[Marked, ...]] = field(default_factory=dict, compare=False, repr=False)

    @classmethod
    def parse(cls, data: bytes, source: str) -> Verdicts:
        """Return the verdicts of a file that the report exported.

        Args:
            data: The content of the file.
            source: The name of the file, for messages.

        Raises:
            InputError: This is not a file of verdicts.

        >>> one = b'{"page": "1", "line": 2, "id": null, "text": "ab", "verdict": "ignore"}'
        >>> Verdicts.parse(b'{"format": "pagemeter-verdicts", "version": 1, "verdicts": [' + one + b"]}", "v")
        Verdicts(digest='d732dc1eb543')

        """
        try:
            content = json.loads(data)
            if content["format"] != _FORMAT or content["version"] != 1:
                raise ValueError  # noqa: TRY301
            marked = [_marked(one) for one in content["verdicts"] if one["verdict"] in _IGNORED]
        except (ValueError, KeyError, TypeError, RecursionError):
            raise InputError(
                "this is not a file of verdicts", source=source, remedy="export it from the HTML report"
            ) from None
        listing = json.dumps(sorted(marked, key=repr))
        by_page: dict[str, tuple[Marked, ...]] = {}
        for one in dict.fromkeys(marked):
            by_page[one.page] = (*by_page.get(one.page, ()), one)
        return cls(hashlib.sha256(listing.encode()).hexdigest()[:12], by_page)


def _marked(fields: dict[str, Any]) -> Marked:
    one = Marked(fields["page"], fields.get("line"), fields.get("id"), fields.get("text"))
    is_text = all(isinstance(value, str | None) for value in (one.id, one.text))
    if not (isinstance(one.page, str) and isinstance(one.line, int | None) and is_text):
        raise TypeError
    return one


class Remaining(NamedTuple):
    """What remains of a page: both sides, the number of ignored lines, and of verdicts that fit no line.

    The ground truth is None if the whole page is ignored.
    """

    gt: Page | None
    hyp: Page | None
    ignored: int
    lost: int


def without_marked(gt: Page, hyp: Page | None, marked: Sequence[Marked], settings: Settings) -> Remaining:
    r"""Return a page without the marked lines, and without the text that was recognised for them.

    >>> from pagemeter import Page
    >>> from pagemeter.settings import DEFAULT_SETTINGS
    >>> gt, hyp = Page.from_text("first line\nsecond line"), Page.from_text("fist line\nsecomd line")
    >>> rest = without_marked(gt, hyp, [Marked("1", 2, None, "second line")], DEFAULT_SETTINGS)
    >>> rest.gt.text, rest.hyp.text, rest.ignored, rest.lost
    ('first line', 'fist line', 1, 0)
    """
    if any(one.text is None for one in marked):
        return Remaining(None, hyp, len(gt), 0)
    lines: set[int] = set()
    for one in marked:
        if (found := _find(one, gt.lines, lines)) is not None:
            lines.add(found)
    lost = len(marked) - len(lines)
    if not lines:
        return Remaining(gt, hyp, 0, lost)
    if hyp is not None:
        hyp = _without_readings(gt, hyp, lines, settings)
    rest = tuple(line for number, line in enumerate(gt.lines) if number not in lines)
    has_text = any(line.text.strip() for line in rest)
    return Remaining(replace(gt, lines=rest) if has_text else None, hyp, len(lines), lost)


def _find(one: Marked, lines: Sequence[Line], taken: set[int]) -> int | None:
    """Return the line with the text of a verdict, the one with its id first, then the nearest."""
    text, place = _letters(one.text or ""), (one.line or 1) - 1
    same = [i for i, line in enumerate(lines) if i not in taken and _letters(line.text) == text]
    return min(same, key=lambda i: (one.id is None or lines[i].id != one.id, abs(i - place)), default=None)


def _letters(text: str) -> str:
    """Return what identifies a text, whatever its normalisation: its letters and digits, or else all."""
    folded = unicodedata.normalize("NFKD", text).casefold()
    return "".join(filter(str.isalnum, folded)) or "".join(folded.split())


def _without_readings(gt: Page, hyp: Page, lines: set[int], settings: Settings) -> Page:
    """Return the hypothesis without the words that are matched with these lines of the ground truth."""
    exact = settings.with_(solver="exact")
    evaluation = evaluate_prepared(PreparedPair(Source.of(gt), Source.of(hyp), exact), (_READING,))
    matches = evaluation[_READING].matches
    # Lines of ignored types are not in the evaluation.
    numbers = {number: at for at, number in enumerate(_compared(gt, exact.ignored_types("gt")))}
    removed = {numbers[line] for line in lines if line in numbers}
    words = {word for match in matches if match.gt in removed for word in match.hyp_words}
    text = Aligner(evaluation).unit(_READING.unit).hyp
    rest: list[Line] = []
    compared = {number: at for at, number in enumerate(_compared(hyp, exact.ignored_types("hyp")))}
    for number, line in enumerate(hyp.lines):
        of = text.words_of(compared[number]) if number in compared else range(0)
        kept = [word for word in of if word not in words]
        if len(kept) == len(of):
            rest.append(line)
        elif kept:
            rest.append(replace(line, text=_text_of(line.text, text, of, kept)))
    return replace(hyp, lines=tuple(rest))


def _compared(page: Page, ignored: frozenset[str]) -> list[int]:
    return [number for number, line in enumerate(page.lines) if line.type not in ignored]


def _text_of(raw: str, text: TokenText, of: range, kept: Sequence[int]) -> str:
    """Return the kept words of a line as they were, or as they are compared if they cannot be told apart."""
    parts = raw.split()
    if len(parts) == len(of):
        return " ".join(parts[word - of.start] for word in kept)
    return "".join(("" if text.follows(word) else " ") + text.word(word) for word in kept).strip()
