"""Whether a file without partner holds a page at all, and whether a folder holds results."""

from __future__ import annotations

import re
from pathlib import Path

from pagemeter.corpus.contents import fetch
from pagemeter.corpus.urls import Location, Url
from pagemeter.errors import InputError
from pagemeter.formats import formats, read_pages
from pagemeter.formats.detect import head_of

MANIFEST = "store.json"
"""The file by which a results store is known."""
_ENOUGH = 65_536
_REPORT = re.compile(rb'<meta name="generator" content="pagemeter report">|\A<!-- pagemeter report -->')


def is_store(path: Location) -> bool:
    """Whether a folder is a results store.

    >>> from pathlib import Path
    >>> is_store(Path("nowhere"))
    False
    """
    return isinstance(path, Path) and (path / MANIFEST).is_file()


def other_kind(path: Location) -> str | None:
    """Why a file is none of a page: other XML, JSON without a page, a report of ours; None if it may be one.

    A damaged page is not of another kind; reading it says what is wrong.

    >>> import tempfile
    >>> from pathlib import Path
    >>> path = Path(tempfile.mkdtemp(), "files.xml")
    >>> _ = path.write_text("<mets xmlns='http://www.loc.gov/METS/'/>")
    >>> other_kind(path)
    "root element 'mets' is of no page format"
    """
    if path.suffix.lower() == ".json":
        return _no_page(path)
    try:
        data = _beginning(path)
    except (OSError, InputError):
        return None
    if _REPORT.search(data[:500]):
        return "a report of pagemeter"
    head = head_of(data, str(path))
    if head.root is None or any(known.matches(head) for known in formats() if known.name != "text"):
        return None
    return f"root element {head.root!r} is of no page format"


def _beginning(path: Location) -> bytes:
    if isinstance(path, Url):
        return fetch(path).data[:_ENOUGH]
    with path.open("rb") as file:
        return file.read(_ENOUGH)


def _no_page(path: Location) -> str | None:
    try:
        data = fetch(path).data
    except InputError:
        return None
    try:
        read_pages(data, str(path))
    except InputError:
        return "JSON that holds no page"
    return None
