"""What hOCR elements are to a reader of lines, told by their classes and names.

The kind of an element is a number with a bit for each class that matters, so that the kinds of many elements
are put together with `|` and asked for with `&`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pagemeter.formats.walk import names

if TYPE_CHECKING:
    from pagemeter.formats.xml import Element

PAGE, LINE, FLOAT, AREA, PARAGRAPH, WORD, CHARACTER = (1 << bit for bit in range(7))
_SYMBOL, _ALT, _DEL, _BLOCK, _BREAK, UNSEEN, TOUCHING = (1 << bit for bit in range(7, 14))
# Elements that begin and end a line where text stands in them without one.
ENDS_LINE = _BLOCK | _BREAK | AREA | PARAGRAPH | FLOAT | LINE

_BY_CLASS = {
    "ocr_page": PAGE,
    **dict.fromkeys(names("ocr_line ocrx_line"), LINE),
    # Kinds of text that Tesseract puts in the place of ocr_line; elsewhere they are blocks with lines inside.
    **dict.fromkeys(names("ocr_header ocr_footer ocr_caption ocr_textfloat ocr_pageno ocr_footnote"), FLOAT),
    **dict.fromkeys(names("ocr_carea ocrx_block ocr_block ocr_column"), AREA),
    "ocr_par": PARAGRAPH,
    **dict.fromkeys(names("ocrx_word ocr_word"), WORD),
    **dict.fromkeys(names("ocrx_cinfo ocr_cinfo"), CHARACTER),
    "ocr_symbol": _SYMBOL,
    "alt": _ALT,
}
_BY_NAME = {
    **dict.fromkeys(names("blockquote dd div dl dt h1 h2 h3 h4 h5 h6 li ol p pre table td th tr ul"), _BLOCK),
    **dict.fromkeys(names("head script style"), UNSEEN),
    "br": _BREAK,
    "del": _DEL,
}


class _ClassKinds(dict[str | None, int]):
    """What class attributes say, each worked out once."""

    def __missing__(self, attribute: str | None) -> int:
        kind = 0
        for name in (attribute or "").split():
            kind |= _BY_CLASS.get(name, 0)
        self[attribute] = kind
        return kind


class _NameKinds(dict[str, int]):
    """What the names of elements say, each worked out once."""

    def __missing__(self, tag: str) -> int:
        kind = self[tag] = _BY_NAME.get(tag.rpartition("}")[2].lower(), 0)
        return kind


OF_CLASS = _ClassKinds()
OF_NAME = _NameKinds()


def kind_of(element: Element) -> int:
    """The kind of an element.

    >>> from pagemeter.formats.xml import parse
    >>> kind_of(parse(b"<i class='ocr_par b'/>", "a.hocr")) == PARAGRAPH
    True
    """
    return OF_CLASS[element.get("class")] | OF_NAME[element.tag]


def kinds_inside(element: Element) -> int:
    """The kinds of all elements inside, and TOUCHING if a word without text behind it is not the last word.

    >>> from pagemeter.formats.xml import parse
    >>> kinds_inside(parse(b"<p><i class='ocr_word'>a</i> <i class='ocr_word'>b</i></p>", "a.hocr")) == WORD
    True
    """
    found = 0
    bare = False
    for inner in element.iterdescendants("*"):
        kind = OF_CLASS[inner.get("class")]
        found |= kind | (0 if kind == WORD else OF_NAME[inner.tag])  # to a word its name means nothing
        if kind & WORD:
            if bare:
                found |= TOUCHING
            bare = not inner.tail
    return found


def is_line(kind: int, inside: int) -> bool:
    """Whether an element of a kind, with kinds inside, is one text line, not a block of lines.

    >>> is_line(FLOAT, WORD), is_line(FLOAT, LINE | WORD)
    (True, False)
    """
    if kind & LINE:
        return not inside & LINE
    return bool(kind & FLOAT) and not inside & (LINE | AREA | PARAGRAPH | FLOAT)


def is_region(kind: int, inside: int) -> bool:
    """Whether an element of a kind, with kinds inside, is a paragraph, or a block without any.

    >>> is_region(AREA, LINE), is_region(AREA, PARAGRAPH | LINE)
    (True, False)
    """
    if kind & PARAGRAPH:
        return not inside & PARAGRAPH
    return bool(kind & (AREA | FLOAT)) and not inside & (PARAGRAPH | AREA | FLOAT)


def is_alternative(element: Element, kind: int) -> bool:
    """Whether an element lists other readings of characters or words that are given beside it."""
    if kind & _SYMBOL or (kind & _DEL and kind & _ALT):
        return True
    return bool(kind & CHARACTER and kinds_inside(element) & CHARACTER)
