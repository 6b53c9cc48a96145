"""The formats that are known: our own, and those of installed packages."""

from __future__ import annotations

import difflib
import warnings
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING

from pagemeter.errors import FormatError, PagemeterError, UsageError
from pagemeter.formats.base import Format
from pagemeter.page import Page

if TYPE_CHECKING:
    from collections.abc import Callable
    from importlib.metadata import EntryPoint

    from pagemeter.formats.base import Head, ReadOptions

GROUP = "pagemeter.formats"
"""The entry point group in which a package offers its `Format` objects."""


@cache
def own() -> tuple[Format, ...]:
    """Our formats in the order of detection, without plain text.

    >>> [known.name for known in own()]
    ['page', 'alto', 'hocr', 'abbyy', 'tei', 'json', 'markdown']
    """
    # Half the time to import pagemeter, and not needed where texts are compared.
    from pagemeter.formats import abbyy, alto, hocr, json_page, markdown, page_xml, tei  # noqa: PLC0415

    return tuple(module.FORMAT for module in (page_xml, alto, hocr, abbyy, tei, json_page, markdown))


def last() -> tuple[Format, ...]:
    """Plain text, which takes all that is left, after the formats of other packages."""
    from pagemeter.formats import plain  # noqa: PLC0415

    return (plain.FORMAT,)


def formats() -> tuple[Format, ...]:
    """All known formats in the order of detection.

    >>> [known.name for known in formats()][:2]
    ['page', 'alto']
    """
    return own() + foreign() + last()


@cache
def foreign() -> tuple[Format, ...]:
    """The formats that other installed packages offer; one that cannot be used is named in a warning.

    >>> all(isinstance(known, Format) for known in foreign())
    True
    """
    from importlib.metadata import entry_points  # noqa: PLC0415  (a third of the time to import this module)

    taken = {known.name for known in own() + last()}
    found = []
    for entry in entry_points(group=GROUP):
        offered = _offered(entry)
        if offered is not None and offered.name in taken:
            _warn(entry, f"the name {offered.name!r} is taken")
        elif offered is not None:
            taken.add(offered.name)
            found.append(offered)
    return tuple(found)


def named(name: str) -> Format:
    """The format of a name; an unknown one suggests the nearest.

    >>> named("alt0")
    Traceback (most recent call last):
    pagemeter.errors.UsageError: unknown format 'alt0' (did you mean alto?); known are: page, alto, ...
    """
    known = {known.name: known for known in formats()}
    if name in known:
        return known[name]
    near = difflib.get_close_matches(name.lower(), known, n=1, cutoff=0.5)
    hint = f" (did you mean {near[0]}?)" if near else ""
    raise UsageError(f"unknown format {name!r}{hint}; known are: {', '.join(known)}")


def _offered(entry: EntryPoint) -> Format | None:
    try:
        offered = entry.load()
    except Exception as error:  # noqa: BLE001  (whatever a stranger's module raises)
        _warn(entry, f"{type(error).__name__}: {error}")
        return None
    if isinstance(offered, Format):
        return replace(offered, matches=_guarded_test(offered, entry), read=_guarded_reader(offered))
    _warn(entry, f"{entry.value} is no pagemeter.formats.Format object")
    return None


def _guarded_test(offered: Format, entry: EntryPoint) -> Callable[[Head], bool]:
    """The test of a stranger's format; one that fails is named in a warning, and the file is not of it."""

    def matches(head: Head) -> bool:
        try:
            return bool(offered.matches(head))
        except MemoryError:
            raise
        except Exception as error:  # noqa: BLE001
            _warn(entry, f"{type(error).__name__}: {error}")
            return False

    return matches


def _guarded_reader(offered: Format) -> Callable[[bytes, str, ReadOptions], list[Page]]:
    """The reader of a stranger's format; whatever it raises, or gives that is no page, is a `FormatError`."""

    def read(data: bytes, source: str, options: ReadOptions) -> list[Page]:
        try:
            pages = list(offered.read(data, source, options))
        except (PagemeterError, MemoryError):
            raise
        except Exception as error:
            raise FormatError(_failed(offered, source, f"{type(error).__name__}: {error}")) from error
        for page in pages:
            if not isinstance(page, Page):
                raise FormatError(_failed(offered, source, f"it gave {type(page).__name__}, not Page"))
        return pages

    return read


def _failed(offered: Format, source: str, reason: str) -> str:
    return f"{source}: the format {offered.name!r} of another package failed: {reason}; tell its authors"


def _warn(entry: EntryPoint, reason: str) -> None:
    package = entry.dist.name if entry.dist else "a package"
    warnings.warn(f"format {entry.name!r} of {package} cannot be used: {reason}", stacklevel=4)
