"""Normalisation: the changes to the lines of a page before they are compared.

The steps run in this order:

1. The encoding is made uniform: mapping, Unicode form.
2. Lines are filtered by regular expressions.
3. Hyphens at line ends are changed, and soft hyphens everywhere.
4. Differences that do not count are removed: case, diacritics, punctuation, symbols, digits.
5. White space is collapsed, or removed at the ends of lines or of the page.

A hyphen at a line end is `¬`, `⸗` or the soft hyphen, or a `-` directly after a letter or number, or a `=`
directly after a letter. White space after it is ignored. A dash and an equation are therefore not hyphens.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Collection, Sequence
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from pagemeter.errors import UsageError

if TYPE_CHECKING:
    from pagemeter.settings import Settings

LineChange = Callable[[str], str]
PageChange = Callable[[Sequence[str]], Sequence[str]]

SEARCH_SECONDS = 2
"""Time limit of a regular expression for one line; an expression that takes longer may never end."""

_CANONICAL: dict[str, Literal["NFC", "NFD", "none"]] = {
    "NFC": "NFC", "NFKC": "NFC", "NFD": "NFD", "NFKD": "NFD", "none": "none",
}  # fmt: skip


class NormalisedLines(NamedTuple):
    """The normalised lines of a page, and the number of lines with text that the filters left out."""

    lines: tuple[str, ...]
    dropped: int


def normalise(lines: Sequence[str], settings: Settings) -> tuple[str, ...]:
    r"""Return the lines of a page as they are compared, one for each given line.

    >>> from pagemeter.settings import Settings
    >>> normalise(["  a\u0308 \t b "], Settings())
    ('ä b',)
    >>> normalise(["Wör⸗", "ter, viele"], Settings(hyphens="join", strip="punctuation", case="fold"))
    ('wörter', 'viele')
    """
    return normalise_page(lines, settings).lines


def normalise_page(lines: Sequence[str], settings: Settings) -> NormalisedLines:
    r"""Normalise the lines of a page, and count the lines that the filters leave out.

    >>> from pagemeter.settings import Settings
    >>> normalise_page(["a line", "17", ""], Settings(drop_lines="^[0-9]*$"))
    NormalisedLines(lines=('a line', '', ''), dropped=1)
    """
    dropped = 0
    for name, change in pipeline(settings):
        after = change(lines)
        if name == "lines":
            dropped = sum(bool(was.strip()) and not left for was, left in zip(lines, after, strict=True))
        lines = after
    return NormalisedLines(tuple(lines), dropped)


def pipeline(settings: Settings) -> list[tuple[str, PageChange]]:
    """Return the steps that change anything, in their order, with the names of their settings.

    >>> from pagemeter.settings import Settings
    >>> [name for name, _ in pipeline(Settings(case="fold", mapping="long-s"))]
    ['mapping', 'normalise', 'case', 'normalise', 'whitespace']
    """
    form = _unicode_form(settings)
    changes = [*_page_changes(settings), *_line_changes(settings)]
    # A letter and a mark may have become neighbours, so the Unicode form is restored after changes.
    return [*_mapping(settings), *form, *changes, *(form if changes else ()), *_white_space(settings)]


def _mapping(settings: Settings) -> list[tuple[str, PageChange]]:
    """Return the mapping step; it runs before compatibility characters are merged (NFKC, NFKD)."""
    mapping, canonical = settings.mapping, _CANONICAL[settings.normalise]
    return [] if mapping is None else [("mapping", _each(lambda text: mapping.apply(text, canonical)))]


def _unicode_form(settings: Settings) -> list[tuple[str, PageChange]]:
    form = settings.normalise
    if form == "none":
        return []
    return [("normalise", lambda lines: _in_form(lines, form))]


def _page_changes(settings: Settings) -> list[tuple[str, PageChange]]:
    steps: list[tuple[str, PageChange]] = []
    keep, drop = settings.keep_lines, settings.drop_lines
    if keep is not None or drop is not None:
        steps.append(("lines", lambda lines: _filter_lines(lines, keep, drop)))
    if settings.hyphens != "keep":
        steps.append(("hyphens", _HYPHEN_CHANGES[settings.hyphens]))
    return steps


def _line_changes(settings: Settings) -> list[tuple[str, PageChange]]:
    steps: list[tuple[str, PageChange]] = []
    if settings.case == "fold":
        steps.append(("case", _each(str.casefold if settings.normalise == "none" else fold_case)))
    if "diacritics" in settings.strip:
        steps.append(("strip", _each(remove_diacritics)))
    if classes := set(settings.strip) - {"diacritics"}:
        steps.append(("strip", _each(_class_remover(classes))))
    if settings.only == "letters-numbers":
        steps.append(("only", _each(_remover(f"[^{_LETTERS_NUMBERS}]"))))
    return steps


def _white_space(settings: Settings) -> list[tuple[str, PageChange]]:
    change = _WHITE_SPACE_CHANGES.get(settings.whitespace)
    return [("whitespace", change)] if change else []


def _each(change: LineChange) -> PageChange:
    return lambda lines: [change(line) for line in lines]


def _in_form(lines: Sequence[str], form: Literal["NFC", "NFD", "NFKC", "NFKD"]) -> Sequence[str]:
    if all(map(str.isascii, lines)):
        return lines
    return [line if line.isascii() else unicodedata.normalize(form, line) for line in lines]


def _collapse_white_space(lines: Sequence[str]) -> Sequence[str]:
    """Leave one space between words and none at the ends of a line.

    Most pages need no change. One test of the whole text detects this, because the space is the only
    printable white space.
    """
    text = " ".join(lines)
    if text.isprintable() and "  " not in text and text[:1] != " " != text[-1:]:
        return lines
    return [" ".join(line.split()) for line in lines]


def strip_page(lines: Sequence[str]) -> list[str]:
    """Remove white space at both ends of the page; blank lines there become empty.

    >>> strip_page([" ", " one ", "", " two ", " "])
    ['', 'one ', '', ' two', '']
    """
    filled = [number for number, line in enumerate(lines) if line.strip()]
    first, last = (filled[0], filled[-1]) if filled else (len(lines), -1)
    stripped = [line if first <= number <= last else "" for number, line in enumerate(lines)]
    if filled:
        stripped[first] = stripped[first].lstrip()
        stripped[last] = stripped[last].rstrip()
    return stripped


_WHITE_SPACE_CHANGES: dict[str, PageChange] = {
    "collapse": _collapse_white_space,
    "strip": _each(str.strip),
    "strip-page": strip_page,
    "spaces": _each(lambda line: re.sub(r"\s", " ", line).strip()),
}


# Line filters.


@lru_cache(maxsize=64)
def compile_filter(pattern: str, name: str) -> Any:  # noqa: ANN401
    """Compile the regular expression of the setting `name`.

    Raises:
        UsageError: The expression is wrong; the error has the setting and the position.

    """
    import regex  # noqa: PLC0415  (15 ms, rarely needed)

    try:
        return regex.compile(pattern)
    except regex.error as error:
        raise UsageError(
            str(error), setting=(name, pattern), remedy="correct the regular expression"
        ) from None


def _filter_lines(lines: Sequence[str], keep: str | None, drop: str | None) -> list[str]:
    """Empty the lines in which `keep` is not found or `drop` is found.

    They stay as empty lines, so the indices of the other lines do not change. An empty line costs nothing in
    any measure. White space at the ends of a line is removed before the search.
    """
    return [line if passes_filters(line.strip(), keep, drop) else "" for line in lines]


def passes_filters(text: str, keep: str | None, drop: str | None) -> bool:
    """Return True if a line is compared, by the settings `keep_lines` and `drop_lines`.

    >>> passes_filters("12", None, "^[0-9]*$"), passes_filters("", "[a-z]", None)
    (False, False)
    """
    return (keep is None or _is_found(compile_filter(keep, "keep_lines"), text, "keep_lines")) and not (
        drop is not None and _is_found(compile_filter(drop, "drop_lines"), text, "drop_lines")
    )


def _is_found(pattern: Any, text: str, name: str) -> bool:  # noqa: ANN401
    try:
        return pattern.search(text, timeout=SEARCH_SECONDS) is not None
    except TimeoutError:
        raise UsageError(
            f"more than {SEARCH_SECONDS} s for one line, {text[:40]!r}",
            setting=(name, pattern.pattern),
            remedy="write an expression with fewer ways to match, for example without a repetition inside a "
            "repetition",
        ) from None


# Hyphens at line ends, and soft hyphens anywhere.

_SOFT_HYPHEN = "\u00ad"
_HYPHENS = frozenset("-=¬⸗" + _SOFT_HYPHEN)


def _unify_hyphens(lines: Sequence[str]) -> list[str]:
    """Replace each hyphen at a line end by `-`, and remove soft hyphens inside lines."""
    return [_replace_hyphen(line, "-") for line in lines]


def _remove_hyphens(lines: Sequence[str]) -> list[str]:
    """Remove hyphens at line ends and all soft hyphens; the parts of a word stay on their lines."""
    return [_replace_hyphen(line, "") for line in lines]


def join_hyphenated(lines: Sequence[str]) -> list[str]:
    """Join words that are divided at a line end: the rest of the word moves up, the hyphen is removed.

    The rest is the first word of the next line that is not empty, if that line begins with a letter.
    Otherwise, only the hyphen is removed. A line whose only word moves up becomes empty.

    >>> join_hyphenated(["Donau-", "dampf-", "schiffe, zwei", "und so weiter-"])
    ['Donaudampfschiffe,', '', 'zwei', 'und so weiter']
    """
    page = [_remove_inner_soft_hyphens(line) for line in lines]
    after = 0  # the next line that is not empty
    for i in range(len(page)):
        parts, end = [], page[i]
        # A word that moves up begins with a letter, so it alone decides whether a hyphen is at its end.
        while (hyphen := _find_hyphen(end)) is not None:
            after = max(after, i + 1)
            while after < len(page) and not page[after].strip():
                after += 1
            word, left = _split_first_word(page[after]) if after < len(page) else ("", "")
            if not word:
                end = _replace_hyphen(end, "")
                break
            parts.append(end[: hyphen.start()].rstrip())
            end, page[after] = word, left
            if left:
                break
        page[i] = "".join((*parts, end))
    return page


_HYPHEN_CHANGES: dict[str, PageChange] = {
    "alike": _unify_hyphens,
    "remove": _remove_hyphens,
    "join": join_hyphenated,
}


@cache
def _hyphen_patterns() -> tuple[Any, Any]:
    """Return patterns for a hyphen at a line end, and for a letter.

    Private-use characters are treated as letters, because transcriptions of old prints use them as letters.
    The white space of the regex module lacks four control characters that str.split knows.
    """
    import regex  # noqa: PLC0415  (15 ms, rarely needed)

    letter, end, soft = r"[\p{L}\p{Co}]", r"[\s\x1c-\x1f]*\Z", _SOFT_HYPHEN
    return (
        regex.compile(rf"(?:(?<={letter}\p{{M}}*)[-=]|(?<=\p{{N}}\p{{M}}*)-|[¬⸗{soft}]){soft}*(?={end})"),
        regex.compile(letter),
    )


def _remove_inner_soft_hyphens(line: str) -> str:
    if _SOFT_HYPHEN not in line:
        return line
    inner = line.rstrip().rstrip(_SOFT_HYPHEN)
    return inner.replace(_SOFT_HYPHEN, "") + line[len(inner) :]


def _find_hyphen(line: str) -> Any:  # noqa: ANN401
    return _hyphen_patterns()[0].search(line) if line.rstrip()[-1:] in _HYPHENS else None


def _replace_hyphen(line: str, replacement: str) -> str:
    line = _remove_inner_soft_hyphens(line)
    hyphen = _find_hyphen(line)
    return line if hyphen is None else line[: hyphen.start()] + replacement + line[hyphen.end() :]


def _split_first_word(line: str) -> tuple[str, str]:
    """Return the first word and the rest, or two empty texts if the line does not begin with a letter."""
    word, *rest = line.split(maxsplit=1)
    return (word, "".join(rest)) if _hyphen_patterns()[1].match(word) else ("", "")


# Case, diacritics and classes of characters.

_CLASSES = {"punctuation": r"\p{P}", "symbols": r"\p{S}", "digits": r"\p{Nd}"}
# Letters and numbers with their marks. Private-use characters are letters in old prints. The white space of
# the regex module lacks four control characters that str.split knows.
_LETTERS_NUMBERS = r"\p{L}\p{M}\p{N}\p{Co}\s\x1c-\x1f"
_ALPHABETS = r"[\p{Latin}\p{Greek}\p{Cyrillic}]"


def fold_case(text: str) -> str:
    """Remove differences of case by Unicode's full case folding.

    The text is decomposed first, as canonical caseless matching requires (definition D145 of the standard).

    >>> fold_case("Straße ΌΣΟΣ") == fold_case("STRASSE όσος")
    True
    """
    return text.lower() if text.isascii() else unicodedata.normalize("NFD", text).casefold()


def remove_diacritics(text: str) -> str:
    r"""Remove the marks of Latin, Greek and Cyrillic letters.

    Marks of other scripts stay, because they are vowels and signs that belong to the text. Letters with a
    stroke (ø, ł, đ) have no mark that could be removed.

    >>> remove_diacritics("Äpfel, a\u0308, ΐ, й, שָׁלוֹם, कि")
    'Apfel, a, ι, и, שָׁלוֹם, कि'
    """
    if text.isascii():
        return text
    return str(_marks().sub("", text.translate(_BASE_LETTERS)))


class _BaseLetters(dict[int, str]):
    """The base letters of precomposed letters, computed when they are first needed."""

    def __missing__(self, point: int) -> str:
        letter = chr(point)
        decomposed = unicodedata.normalize("NFD", letter)
        self[point] = decomposed[0] if len(decomposed) > 1 and _alphabet().match(letter) else letter
        return self[point]


_BASE_LETTERS = _BaseLetters()


@cache
def _alphabet() -> Any:  # noqa: ANN401
    import regex  # noqa: PLC0415  (15 ms, rarely needed)

    return regex.compile(_ALPHABETS)


@cache
def _marks() -> Any:  # noqa: ANN401
    """Return the pattern of marks after a letter, without variation selectors, which choose a glyph."""
    import regex  # noqa: PLC0415

    mark = r"[[\p{Mn}\p{Me}]--[\uFE00-\uFE0F\U000E0100-\U000E01EF]]"
    return regex.compile(rf"(?V1)(?<=[{_ALPHABETS}&&\p{{L}}]){mark}++")


def _class_remover(classes: Collection[str]) -> LineChange:
    """Return a function that removes punctuation, symbols or digits, with the marks on them."""
    return _remover("[" + "".join(_CLASSES[name] for name in sorted(classes)) + "]")


@cache
def _remover(characters: str) -> LineChange:
    import regex  # noqa: PLC0415

    pattern = regex.compile(rf"{characters}\p{{M}}*+")
    return lambda text: str(pattern.sub("", text))
