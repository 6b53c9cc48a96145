"""The type of a line from the names that formats and systems use for regions, zones, blocks and lines.

The names of PAGE XML, Transkribus, SegmOnto, ALTO, hOCR, FineReader and of the models that write blocks are
in one table. A name that is not in it does not change the type: a line then has the type of what is around
it, and the type `text` if nothing around it has a type.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pagemeter.page import LineType

# Names in lower case and without all characters that are not letters: `page-number2` is `pagenumber`.
_NAMES: dict[LineType, str] = {
    "heading": """
        heading head headline headingline title subtitle sectionheader sectiontitle sectionheading
        paragraphtitle doctitle documenttitle chaptertitle chapterheading pagetitle pagetitlezone
        textheading
    """,
    "header": """
        header headers pageheader runningtitle runningtitlezone runninghead runningheader topmargin rt
    """,
    "footer": "footer footers pagefooter runningfooter bottommargin",
    "page-number": """
        pagenumber pagenumbers pagenum pageno numpage folionumber numbering numberingzone foliation folio
        pagination
    """,
    "footnote": """
        footnote footnotes footnotetext footnotecontinued footnoteline footnotezone pagefootnote
        figurefootnote imagefootnote tablefootnote chartfootnote visionfootnote endnote endnotes
    """,
    "marginalia": """
        marginalia marginal margin marginnote marginalnote marginalnotes margintext margintextzone leftmargin
        rightmargin aside asidetext
    """,
    "caption": """
        caption captions captionzone figurecaption figuretitle imagecaption picturecaption tablecaption
        tabletitle chartcaption charttitle formulacaption equationcaption codecaption codetxtcaption
        algorithmcaption figuretabletitle figuretablecharttitle figcaption figdesc legend
    """,
    "table": """
        table tables tableregion tablezone tablebody tablecell tabletext tableheading tablegroup
        documentindex
    """,
    "formula": """
        formula formulas formulablock formulazone equation equations equationisolated equationblock
        isolatedformula displayformula interlineequation display displaymath math maths mathblock
        mathsregion chem chemregion
    """,
    "figure": """
        figure figures figurezone figuregroup picture pictures picturegroup rasterpicture vectorpicture
        image images imagebody imageblock imageregion illustration graphic graphicregion graphiczone
        linedrawing linedrawingregion chart chartregion diagram drawing flowchart mapregion photo
        textimage
    """,
    "catchword": "catchword catchwords signaturemark quiremark quiremarks quiremarkszone",
    "other": """
        other others abandon barcode customzone damagezone digitizationartefactzone garb musicline
        musicregion musiczone needmask noise noiseregion seal sealzone stamp stampzone watermark
    """,
}
_TYPES: dict[str, LineType] = {name: kind for kind, names in _NAMES.items() for name in names.split()}
_MAX_NAME = 100  # characters
# A zone of SegmOnto may have a subtype and a number: `MarginTextZone:footnote#1`, `MainZone-Head`.
_SUBTYPE = re.compile(r"(?P<zone>[^:]*?)(?::|(?<=Zone)-)(?P<subtype>.*)", re.DOTALL)


def line_type(name: str | None, outer: LineType = "text") -> LineType:
    """Return the type that a name means, or `outer`, the type of the surrounding element, if it means none.

    >>> line_type("page-number"), line_type("MarginTextZone:note#1"), line_type("paragraph", "table")
    ('page-number', 'marginalia', 'table')
    """
    return (name and find_type(name)) or outer


def find_type(name: str) -> LineType | None:
    """Return the type that a name means, or None for running text and for unknown names.

    >>> find_type("Page-header"), find_type("MainZone-Head"), find_type("DefaultLine")
    ('header', 'heading', None)
    """
    return _find_type(name) if len(name) <= _MAX_NAME else None


@lru_cache(maxsize=4096)
def _find_type(name: str) -> LineType | None:
    if (found := _TYPES.get(_letters(name))) is not None:
        return found
    if (match := _SUBTYPE.fullmatch(name)) is None:
        return None
    return _TYPES.get(_letters(match["subtype"])) or _TYPES.get(_letters(match["zone"]))


def _letters(name: str) -> str:
    return "".join(filter(str.isalpha, name.casefold()))
