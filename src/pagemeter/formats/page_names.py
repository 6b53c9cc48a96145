"""The names of PAGE elements and attributes, which the oldest files spell otherwise."""

from __future__ import annotations

import re
from functools import cache

from pagemeter.formats.xml import Element, LocalNames


class PageNames(LocalNames):
    """Names without their namespace; files of 2009 write `text_region` for TextRegion.

    >>> PageNames()["{urn:page}text_equiv"], PageNames()["{urn:page}TextEquiv"]
    ('TextEquiv', 'TextEquiv')
    """

    def __missing__(self, tag: str) -> str:
        words = tag.rpartition("}")[2].split("_")
        name = self[tag] = "".join(word[:1].upper() + word[1:] for word in words)
        return name


NAMES = PageNames()


def attribute(element: Element, name: str) -> str | None:
    """An attribute in the spelling of today, or in that of 2009.

    >>> attribute({"image_width": "100"}, "imageWidth")
    '100'
    """
    found: str | None = element.get(name)
    return element.get(_spelling_of_2009(name)) if found is None else found


@cache
def _spelling_of_2009(name: str) -> str:
    return re.sub("[A-Z]", lambda letter: f"_{letter[0].lower()}", name)
