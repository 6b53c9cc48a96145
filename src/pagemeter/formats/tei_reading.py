"""Which of the readings that a TEI file offers is what the page shows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pagemeter.formats.xml import LOCAL, Element

if TYPE_CHECKING:
    from pagemeter.formats.base import Notes

_SHOWN = frozenset(("orig", "sic", "abbr"))
_EDITED = frozenset(("reg", "corr", "expan"))
# Elements with several readings; blanks between these are indentation.
OFFERS = frozenset(("choice", "app", "subst"))
ADDED = {
    "supplied": "supplied text is not on the page: left out",
    "ex": "letters of an abbreviation that the editor wrote out: left out",
    "figDesc": "description of a figure: left out",
    "desc": "description: left out",
}
"""What an editor adds to what the page shows, with what a warning says of it."""

_NO_TEXT = frozenset(
    ("teiHeader", "facsimile", "standOff", "xenoData", "interp", "interpGrp", "certainty", "index")
)


def is_added(element: Element) -> bool:
    """Whether the text inside an element is an editor's and not on the page.

    >>> from pagemeter.formats.xml import parse
    >>> is_added(parse(b"<supplied>a</supplied>", "a.xml"))
    True
    """
    return LOCAL[element.tag] in ADDED


def is_shown(element: Element, name: str, notes: Notes) -> bool:
    """Whether the text inside an element is on the page.

    >>> from pagemeter.formats.base import Notes
    >>> from pagemeter.formats.xml import parse
    >>> choice = parse(b"<choice><orig>vnd</orig><reg>und</reg></choice>", "a.xml")
    >>> [is_shown(reading, "line", Notes("a.xml")) for reading in choice]
    [True, False]
    """
    kind = LOCAL[element.tag]
    parent = element.getparent()
    around = "" if parent is None else LOCAL[parent.tag]
    if around == "choice":
        return _is_chosen(element, parent, name, notes)
    if around == "app":
        return _is_lemma(element, parent, name, notes)
    if kind in _EDITED:
        notes.add(name, f"only the edited reading ({kind}) is given: taken")
    return kind not in _NO_TEXT


def _is_chosen(element: Element, choice: Element, name: str, notes: Notes) -> bool:
    """Of a choice the original reading; where no child is one, the first."""
    kinds = [LOCAL[child.tag] for child in choice]
    if not _SHOWN.isdisjoint(kinds):
        return LOCAL[element.tag] in _SHOWN
    first = element is choice[0]
    if first:
        notes.add(name, "choice without orig, sic or abbr: its first reading is taken")
    return first


def _is_lemma(element: Element, app: Element, name: str, notes: Notes) -> bool:
    """Of an apparatus the lemma; where it has none, the first reading."""
    lemma = next(app.iterchildren("{*}lem"), None)
    taken = app[0] if lemma is None else lemma
    if element is taken and lemma is None:
        notes.add(name, "apparatus without lem: its first reading is taken")
    elif element is not taken:
        notes.add(name, "other readings of an apparatus: left out")
    return element is taken
