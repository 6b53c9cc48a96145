"""The pipeline: what is done to the lines of a page before they are compared, and in which order.

First the encoding is made uniform (mapping, Unicode form), then it is settled which lines count (filters),
then words that lines divide are treated (hyphens), and last what is not to be compared goes (case,
diacritics, punctuation, white space).
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Literal

from pagemeter.text import hyphens, reduce
from pagemeter.text.filters import filter_lines

if TYPE_CHECKING:
    from pagemeter.settings import Settings

Step = Callable[[Sequence[str]], Sequence[str]]

_CANONICAL: dict[str, Literal["NFC", "NFD", "none"]] = {
    "NFC": "NFC", "NFKC": "NFC", "NFD": "NFD", "NFKD": "NFD", "none": "none",
}  # fmt: skip
_HYPHENS: dict[str, Step] = {"alike": hyphens.alike, "remove": hyphens.remove, "join": hyphens.join}


def normalise(lines: Sequence[str], settings: Settings) -> tuple[str, ...]:
    r"""The lines of a page as they are compared, one for each line given.

    >>> from pagemeter.settings import Settings
    >>> normalise(["  a\u0308 \t b "], Settings())
    ('ä b',)
    >>> normalise(["Wör⸗", "ter, viele"], Settings(hyphens="join", strip="punctuation", case="fold"))
    ('wörter', 'viele')
    """
    for _, step in pipeline(settings):
        lines = step(lines)
    return tuple(lines)


def pipeline(settings: Settings) -> list[tuple[str, Step]]:
    """The steps that change anything, by the name of their setting and in their order.

    >>> from pagemeter.settings import Settings
    >>> [name for name, _ in pipeline(Settings(case="fold", mapping="long-s"))]
    ['mapping', 'normalise', 'case', 'normalise', 'whitespace']
    """
    form = _unicode_form(settings)
    changing = [*_lines(settings), *_characters(settings)]
    # What was removed may have stood between a letter and a mark that belong together now: form once more.
    return [*_mapping(settings), *form, *changing, *(form if changing else ()), *_white_space(settings)]


def _mapping(settings: Settings) -> list[tuple[str, Step]]:
    """The mapping, on text composed or decomposed as the chosen form is, with all that NFKC would merge."""
    mapping, canonical = settings.mapping, _CANONICAL[settings.normalise]
    return [] if mapping is None else [("mapping", _each(lambda text: mapping.apply(text, canonical)))]


def _unicode_form(settings: Settings) -> list[tuple[str, Step]]:
    form = settings.normalise
    if form == "none":
        return []
    return [("normalise", lambda lines: _in_form(lines, form))]


def _lines(settings: Settings) -> list[tuple[str, Step]]:
    """The steps that see the whole page."""
    steps: list[tuple[str, Step]] = []
    keep, drop = settings.keep_lines, settings.drop_lines
    if keep is not None or drop is not None:
        steps.append(("lines", lambda lines: filter_lines(lines, keep, drop)))
    if settings.hyphens != "keep":
        steps.append(("hyphens", _HYPHENS[settings.hyphens]))
    return steps


def _characters(settings: Settings) -> list[tuple[str, Step]]:
    """The steps that see one line at a time."""
    steps: list[tuple[str, Step]] = []
    if settings.case == "fold":
        steps.append(("case", _each(reduce.fold_as_is if settings.normalise == "none" else reduce.fold)))
    if "diacritics" in settings.strip:
        steps.append(("strip", _each(reduce.without_diacritics)))
    if kinds := set(settings.strip) - {"diacritics"}:
        steps.append(("strip", _each(reduce.without(kinds))))
    if settings.only == "letters-numbers":
        steps.append(("only", _each(reduce.letters_and_numbers)))
    return steps


def _white_space(settings: Settings) -> list[tuple[str, Step]]:
    if settings.whitespace == "keep":
        return []
    return [("whitespace", _collapsed)]


def _in_form(lines: Sequence[str], form: Literal["NFC", "NFD", "NFKC", "NFKD"]) -> Sequence[str]:
    if all(map(str.isascii, lines)):
        return lines
    return [line if line.isascii() else unicodedata.normalize(form, line) for line in lines]


def _collapsed(lines: Sequence[str]) -> Sequence[str]:
    """Lines with one blank between words. Most pages have it so, and a look at their whole text shows it:
    of all white space only the blank is printable.
    """
    text = " ".join(lines)
    if text.isprintable() and "  " not in text and text[:1] != " " != text[-1:]:
        return lines
    return [" ".join(line.split()) for line in lines]


def _each(change: Callable[[str], str]) -> Step:
    return lambda lines: [change(line) for line in lines]
