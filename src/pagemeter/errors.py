"""Every error that pagemeter raises on purpose, and every warning.

    PagemeterError
    ├── InputError (ValueError)         a file or page that cannot be used
    │   ├── FormatError                 its content is not what its format demands
    │   └── GeometryError               a G measure needs positions that the page lacks
    ├── ClusterError                    a cluster that is gone in the middle of a run
    ├── DependencyError (ImportError)   an optional package that is not installed
    ├── StoreError                      a results store that cannot be used
    └── UsageError (ValueError)         an argument that has no meaning
        └── MeasureError                an unknown measure id
            └── NotEvaluatedError (KeyError) a measure that an evaluation does not have

    PagemeterWarning (UserWarning)
    ├── UnprovenWarning                 a rate that is an upper bound of the minimum
    ├── PathAsTextWarning               a text that is the path of a file
    └── ScaleWarning                    a G measure of pages that differ in size

Each message says what is wrong, where, and what to do about it.
"""

from __future__ import annotations

import sys
import warnings


class PagemeterError(Exception):
    """The root of all errors raised by pagemeter."""


class InputError(PagemeterError, ValueError):
    """A file or page that cannot be used."""


class FormatError(InputError):
    """A file whose content is not what its format demands."""


class GeometryError(InputError):
    """A measure with G was asked of a page that has no positions."""


class ClusterError(PagemeterError):
    """A cluster that is gone in the middle of a run."""


class DependencyError(PagemeterError, ImportError):
    """An optional package that is not installed."""


class StoreError(PagemeterError):
    """A results store that cannot be read or written."""


class UsageError(PagemeterError, ValueError):
    """An argument that has no meaning."""


class MeasureError(UsageError):
    """An unknown measure id."""


class NotEvaluatedError(MeasureError, KeyError):
    """A measure that was asked of an evaluation that does not have it."""

    __str__ = Exception.__str__  # KeyError would quote the message


class PagemeterWarning(UserWarning):
    """The root of all warnings issued by pagemeter."""


class UnprovenWarning(PagemeterWarning):
    """A rate is an upper bound: time ran out before the minimum was proven."""


class PathAsTextWarning(PagemeterWarning):
    """A text that was measured as such is the path of an existing file."""


class ScaleWarning(PagemeterWarning):
    """A measure with G compares positions on page images of different size."""


def warn(message: str, category: type[PagemeterWarning]) -> None:
    """A warning that points at the first caller outside pagemeter."""
    frame, level = sys._getframe(), 1  # noqa: SLF001  (skip_file_prefixes came with Python 3.12)
    while frame.f_back is not None and frame.f_globals.get("__name__", "").partition(".")[0] == "pagemeter":
        frame, level = frame.f_back, level + 1
    warnings.warn(message, category, stacklevel=level)
