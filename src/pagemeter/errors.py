"""Errors and warnings of pagemeter, and the structure of their messages.

    PagemeterError
    ├── InputError (ValueError)         a file or page that cannot be used
    │   ├── FormatError                 its content does not conform to its format
    │   │   └── TruncatedError          its end is missing
    │   └── GeometryError               a measure with G needs positions that the page lacks
    ├── ClusterError                    a cluster that was lost during a run
    ├── DependencyError (ImportError)   an optional package that is not installed
    ├── StoreError                      a results store that cannot be used
    └── UsageError (ValueError)         an invalid argument
        └── MeasureError                an unknown measure id
            └── NotEvaluatedError (KeyError) a measure that an evaluation does not have

    PagemeterWarning (UserWarning)
    ├── UnprovenWarning                 a rate that is an upper bound of the minimum
    ├── PathAsTextWarning               a text that is the path of a file, or looks like one
    ├── ScaleWarning                    a measure with G of pages that differ in size
    └── IncompleteWarning               pages that failed and are not in the totals

Each error has a `problem` with the parts of its message: what is wrong, where, and what to do about it.
"""

from __future__ import annotations

import difflib
import re
import sys
import warnings
from dataclasses import dataclass
from itertools import zip_longest
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable


# Characters that move the cursor or change the direction of text, and surrogates, which cannot be encoded.
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
_MAX_PART = 4096  # characters of a part of a message: the longest path of Linux


def as_keyword(name: str, value: str = "") -> str:
    """Return a setting as a Python keyword argument.

    >>> as_keyword("skip_missing"), as_keyword("encoding", "latin-1"), as_keyword("dpi", "300")
    ('skip_missing', "encoding='latin-1'", 'dpi=300')
    """
    is_number = value.lstrip("+-").replace(".", "", 1).isdecimal()
    return f"{name}={value if is_number else repr(value)}" if value else name


def _escaped(character: str) -> str:
    """Return the escape sequence of a character; a byte that is not UTF-8 has the escape of a byte."""
    is_byte = "\udc80" <= character <= "\udcff"
    return f"\\x{ord(character) - 0xDC00:02x}" if is_byte else repr(character)[1:-1]


def _shortened(part: str) -> str:
    """Return a part of a message; a part that quotes a long line of a file loses its middle."""
    half = _MAX_PART // 2
    return part if len(part) <= _MAX_PART else f"{part[:half]}…{part[-half:]}"


@dataclass(frozen=True, slots=True)
class Problem:
    """One error or warning: what is wrong, where, and what to do about it.

    Args:
        detail: What is wrong, without a full stop.
        source: The file or page.
        element: The element in the file, such as ``TextLine l17``.
        remedy: What to do about it, as an imperative without a full stop. Each ``{}`` is replaced by one of
            `settings`.
        settings: The settings that the remedy names, as pairs of a name and a value (or "").
        setting: The setting whose value is wrong, as a pair of its name and its value (or "").
        kind: The area of the problem: input, format, geometry, text, size, store, cluster, dependency, usage,
            or truncated for a file that ends too early.

    Settings are named as in Python. `render` takes a function that shows them in another way, for example
    as command-line options.

    >>> problem = Problem("bytes that are not UTF-8", "a.txt", remedy="give {}", settings=(("encoding", ""),))
    >>> str(problem)
    'a.txt: bytes that are not UTF-8. Give encoding.'
    >>> problem.render(lambda name, value: f"--{name} {value}".strip())
    'a.txt: bytes that are not UTF-8. Give --encoding.'

    """

    detail: str
    source: str = ""
    element: str = ""
    remedy: str = ""
    settings: tuple[tuple[str, str], ...] = ()
    setting: tuple[str, str] | None = None
    kind: str = "input"

    def __str__(self) -> str:
        return self.render(as_keyword)

    @property
    def reason(self) -> str:
        """The problem without its location; pages with the same reason are grouped in summaries."""
        return self._sentence(self.detail, as_keyword)

    def as_dict(self) -> dict[str, str]:
        """Return source, element and reason, the fields of a warning in files."""
        return {"source": self.source, "element": self.element, "reason": self.reason}

    def render(self, show_setting: Callable[[str, str], str]) -> str:
        """Return the message, with settings shown by a function of name and value."""
        at_fault = show_setting(*self.setting) if self.setting else ""
        parts = [part for part in (self.source, self.element, at_fault, self.detail) if part]
        text = self._sentence(": ".join(map(_shortened, parts)), show_setting)
        # A name in a file may contain control characters, which would move the cursor of a terminal.
        return _CONTROL.sub(lambda match: _escaped(match[0]), text)

    def _sentence(self, text: str, show_setting: Callable[[str, str], str]) -> str:
        if self.remedy:
            # Not str.format: a remedy may come from a file, where braces can be anything.
            remedy, *rest = self.remedy.split("{}")
            shown = [show_setting(*setting) for setting in self.settings]
            remedy += "".join(map("".join, zip_longest(shown[: len(rest)], rest, fillvalue="{}")))
            text = f"{text}. {remedy[0].upper()}{remedy[1:]}."
        return text


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Return the known name nearest to a misspelled one, as a question in brackets, or "".

    >>> did_you_mean("alt0", ["page", "alto"])
    ' (did you mean alto?)'
    >>> did_you_mean("cre:r", ["CER:R", "WER"])
    ' (did you mean CER:R?)'
    """
    folded = {item.casefold(): item for item in known}
    near = difflib.get_close_matches(name.casefold(), folded, n=1, cutoff=0.6)
    return f" (did you mean {folded[near[0]]}?)" if near else ""


class PagemeterError(Exception):
    """Base class of all errors raised by pagemeter; `problem` has the parts of the message.

    >>> error = InputError("is empty", source="a.xml", remedy="leave it out")
    >>> str(error), error.problem.source, error.problem.kind
    ('a.xml: is empty. Leave it out.', 'a.xml', 'input')
    """

    kind = "input"

    def __init__(
        self,
        detail: str | Problem,
        *,
        source: str = "",
        element: str = "",
        remedy: str = "",
        settings: tuple[tuple[str, str], ...] = (),
        setting: tuple[str, str] | None = None,
    ) -> None:
        if not isinstance(detail, Problem):
            detail = Problem(detail, source, element, remedy, settings, setting, self.kind)
        super().__init__(detail)

    @property
    def problem(self) -> Problem:
        """The parts of the message."""
        problem: Problem = self.args[0]
        return problem

    def __str__(self) -> str:
        return str(self.problem)


class InputError(PagemeterError, ValueError):
    """A file or page that cannot be used."""


class FormatError(InputError):
    """A file whose content does not conform to its format."""

    kind = "format"


class TruncatedError(FormatError):
    """A file that ends too early."""

    kind = "truncated"


class GeometryError(InputError):
    """A measure with G was requested for a page without positions."""

    kind = "geometry"


class ClusterError(PagemeterError):
    """A cluster that was lost during a run."""

    kind = "cluster"


class DependencyError(PagemeterError, ImportError):
    """An optional package that is not installed."""

    kind = "dependency"


class StoreError(PagemeterError):
    """A results store that cannot be read or written."""

    kind = "store"


class UsageError(PagemeterError, ValueError):
    """An invalid argument."""

    kind = "usage"


class MeasureError(UsageError):
    """An unknown measure id."""


class NotEvaluatedError(MeasureError, KeyError):
    """A measure that an evaluation does not have."""

    __str__ = PagemeterError.__str__  # KeyError would quote the message


class PagemeterWarning(UserWarning):
    """Base class of all warnings issued by pagemeter."""


class UnprovenWarning(PagemeterWarning):
    """A rate is an upper bound, because the time limit was reached before the minimum was proven."""


class PathAsTextWarning(PagemeterWarning):
    """A text that was measured as text is the path of a file, or looks like one."""


class ScaleWarning(PagemeterWarning):
    """A measure with G compares positions on page images of different sizes."""


class IncompleteWarning(PagemeterWarning):
    """Pages of a collection could not be evaluated and are not in its totals."""


def warn(message: str, category: type[PagemeterWarning]) -> None:
    """Issue a warning that points at the first caller outside pagemeter."""
    frame, level = sys._getframe(), 1  # noqa: SLF001  (skip_file_prefixes came with Python 3.12)
    while frame.f_back is not None and frame.f_globals.get("__name__", "").partition(".")[0] == "pagemeter":
        frame, level = frame.f_back, level + 1
    warnings.warn(message, category, stacklevel=level)
