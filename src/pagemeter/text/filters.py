"""Which lines count: filters by regular expression."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

from pagemeter.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

SECONDS = 2
"""How long an expression may search in one line; what is longer is likely to take for ever."""


@lru_cache(maxsize=64)
def compiled(pattern: str, name: str) -> Any:  # noqa: ANN401
    """The compiled expression of a setting; a bad one is an error that names the setting and the place."""
    import regex  # noqa: PLC0415  (15 ms that only filters and rarer texts need)

    try:
        return regex.compile(pattern)
    except regex.error as error:
        raise UsageError(f"{name}={pattern!r}: {error}; correct the regular expression") from None


def _found(pattern: Any, text: str, name: str) -> bool:  # noqa: ANN401
    try:
        return pattern.search(text, timeout=SECONDS) is not None
    except TimeoutError:
        raise UsageError(
            f"{name}={pattern.pattern!r}: more than {SECONDS} s for one line, {text[:40]!r}; write an "
            "expression with fewer ways to match, such as one without a repetition inside a repetition"
        ) from None


def filter_lines(lines: Sequence[str], keep: str | None, drop: str | None) -> list[str]:
    r"""The lines in which `keep` is found and `drop` is not; every other line becomes empty.

    It stays as an empty line so that the indices of the others remain those of the page. An empty line costs
    nothing in any measure. White space at the ends of a line is not seen by the expressions.

    >>> filter_lines(["Chapter 1", " 17 ", "text"], None, r"^\d+$")
    ['Chapter 1', '', 'text']
    """
    kept = None if keep is None else compiled(keep, "keep_lines")
    dropped = None if drop is None else compiled(drop, "drop_lines")

    def counts(text: str) -> bool:
        return (kept is None or _found(kept, text, "keep_lines")) and not (
            dropped is not None and _found(dropped, text, "drop_lines")
        )

    return [line if counts(line.strip()) else "" for line in lines]
