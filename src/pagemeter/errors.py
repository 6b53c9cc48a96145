"""Every error that pagemeter raises on purpose.

    PagemeterError
    ├── InputError (ValueError)         a file or page that cannot be used
    │   ├── FormatError                 its content is not what its format demands
    │   └── GeometryError               a G measure needs positions that the page lacks
    └── UsageError (ValueError)         an argument that has no meaning
        ├── MeasureError                an unknown measure id
        └── NotEvaluatedError (KeyError) a measure that an evaluation does not have

Each message says what is wrong, where, and what to do about it.
"""

from __future__ import annotations


class PagemeterError(Exception):
    """The root of all errors raised by pagemeter."""


class InputError(PagemeterError, ValueError):
    """A file or page that cannot be used."""


class FormatError(InputError):
    """A file whose content is not what its format demands."""


class GeometryError(InputError):
    """A measure with G was asked of a page that has no positions."""


class UsageError(PagemeterError, ValueError):
    """An argument that has no meaning."""


class MeasureError(UsageError):
    """An unknown measure id."""


class NotEvaluatedError(UsageError, KeyError):
    """A measure that was asked of an evaluation that does not have it."""

    __str__ = Exception.__str__  # KeyError would quote the message
