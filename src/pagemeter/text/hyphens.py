"""Hyphens at line ends, and soft hyphens anywhere.

A line ends in a hyphen where its last character, white space aside, is `¬`, `⸗` or the soft hyphen, or a `-`
directly after a letter or number, or a `=` directly after a letter; so a dash and an equation stay.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

SOFT = "\u00ad"
HYPHENS = frozenset("-=¬⸗" + SOFT)


def alike(lines: Sequence[str]) -> list[str]:
    """Every hyphen at a line end as `-`, soft hyphens inside lines removed.

    >>> alike(["Wör⸗", "ter= ", "a ="])
    ['Wör-', 'ter- ', 'a =']
    """
    return [_at_end(line, "-") for line in lines]


def remove(lines: Sequence[str]) -> list[str]:
    """Hyphens at line ends and all soft hyphens removed; the parts of a word stay on their lines.

    >>> remove(["Wör¬", "ter"])
    ['Wör', 'ter']
    """
    return [_at_end(line, "") for line in lines]


def join(lines: Sequence[str]) -> list[str]:
    """Words divided at a line end made whole: the rest of the word moves up, the hyphen goes.

    The rest is what stands before the first white space of the next line that is not empty, if that line
    begins with a letter; otherwise the hyphen is just removed. A line that has given all becomes empty.

    >>> join(["Donau-", "dampf-", "schiffe, zwei", "und so weiter-"])
    ['Donaudampfschiffe,', '', 'zwei', 'und so weiter']
    """
    page = [_without_soft(line) for line in lines]
    for i in range(len(page)):
        while (found := _find(page[i])) is not None:
            after = next((j for j in range(i + 1, len(page)) if page[j].strip()), None)
            word, left = ("", "") if after is None else _first_word(page[after])
            if after is None or not word:
                page[i] = _at_end(page[i], "")
                break
            page[i], page[after] = page[i][: found.start()].rstrip() + word, left
            if left:
                break
    return page


@cache
def _patterns() -> tuple[Any, Any, Any]:
    """A hyphen at the end of a line, a soft hyphen elsewhere, a letter at the beginning.

    Private-use characters are letters in all but name: transcriptions of old prints use them so. The regex
    module's white space lacks four control characters that str.split knows.
    """
    import regex  # noqa: PLC0415  (15 ms that only some settings need)

    letter, end = r"[\p{L}\p{Co}]", r"[\s\x1c-\x1f]*\Z"
    return (
        regex.compile(rf"(?:(?<={letter}\p{{M}}*)[-=]|(?<=\p{{N}}\p{{M}}*)-|[¬⸗{SOFT}]){SOFT}*(?={end})"),
        regex.compile(rf"{SOFT}(?!{SOFT}*{end})"),
        regex.compile(letter),
    )


def _without_soft(line: str) -> str:
    """The line without its soft hyphens, save those at its end."""
    return str(_patterns()[1].sub("", line)) if SOFT in line else line


def _find(line: str) -> Any:  # noqa: ANN401
    return _patterns()[0].search(line) if line.rstrip()[-1:] in HYPHENS else None


def _at_end(line: str, replacement: str) -> str:
    line = _without_soft(line)
    found = _find(line)
    return line if found is None else line[: found.start()] + replacement + line[found.end() :]


def _first_word(line: str) -> tuple[str, str]:
    """The first word and what follows it; nothing where the line does not begin with a letter."""
    word, *rest = line.split(maxsplit=1)
    return (word, "".join(rest)) if _patterns()[2].match(word) else ("", "")
