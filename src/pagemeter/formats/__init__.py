"""Read page files of all formats, and write pages as JSON.

>>> from pagemeter.formats import formats
>>> "page" in [known.name for known in formats()]
True
"""

from pagemeter.formats.base import Format, Head, Notes, ReadOptions
from pagemeter.formats.json_page import save
from pagemeter.formats.loading import load, load_pages, read_pages
from pagemeter.formats.registry import formats

__all__ = [
    "Format",
    "Head",
    "Notes",
    "ReadOptions",
    "formats",
    "load",
    "load_pages",
    "read_pages",
    "save",
]
