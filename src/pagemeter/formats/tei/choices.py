"""The choice between the readings of a text in TEI: what is on the page, or what the editor made of it.

By default the original reading counts (`abbr`, `orig`, `sic`), and text that an editor added is not read. The
options choose the edited one of each pair instead, or accept all of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pagemeter.formats.base import split_names
from pagemeter.formats.xml import LOCAL_NAMES, Element

if TYPE_CHECKING:
    from pagemeter.formats.base import Notes, ReadOptions

_EDITED = {"abbr": "expan", "am": "ex", "orig": "reg", "sic": "corr"}
_ORIGINAL = {edited: original for original, edited in _EDITED.items()}
READINGS = frozenset((*_EDITED, *_ORIGINAL, "lem", "rdg", "unclear", "choice", "seg"))
"""Elements that are readings in `choice` and `app`."""
_WITHOUT_TEXT = split_names("teiHeader facsimile standOff xenoData interp interpGrp certainty index")
EDITORIAL_TEXT = {
    "supplied": "supplied text is not on the page, and was skipped",
    "ex": "letters of an abbreviation that the editor expanded were skipped",
    "am": "signs of an abbreviation were skipped, because expansions were asked for",
    "figDesc": "the description of a figure was skipped",
    "desc": "a description was skipped",
}
"""Elements whose text is not read, with the warning for each."""


class Choices:
    """Which readings count.

    >>> from pagemeter.formats.base import Notes, ReadOptions
    >>> from pagemeter.formats.xml import parse_xml
    >>> choice = parse_xml(b"<choice><orig>vnd</orig><reg>und</reg></choice>", "a.xml")
    >>> for options in (ReadOptions(), ReadOptions(choice="reg")):
    ...     print([Choices(options).is_on_page(one, "line", Notes("a.xml"), {}) for one in choice])
    [True, False]
    [False, True]
    """

    def __init__(self, options: ReadOptions) -> None:
        chosen = frozenset((options.choice or "").split(","))
        self.all_readings = options.readings == "all"
        self._wanted = {
            name
            for original, edited in _EDITED.items()
            for name in [edited if {edited, {"ex": "expan"}.get(edited)} & chosen else original]
        }

    def is_hidden(self, element: Element) -> bool:
        """Return True if the text of an element is not read, but milestones in it are."""
        name = LOCAL_NAMES[element.tag]
        if name not in ("ex", "am"):
            return name in EDITORIAL_TEXT
        return name not in self._wanted and not (self.all_readings and _is_in_choice(element))

    def is_on_page(
        self, element: Element, label: str, notes: Notes, readings: dict[Element, Element | None]
    ) -> bool:
        """Return True if the text of an element is the reading that counts.

        `readings` stores the reading of each choice and apparatus.
        """
        name = LOCAL_NAMES[element.tag]
        parent = element.getparent()
        parent_name = "" if parent is None else LOCAL_NAMES[parent.tag]
        if parent is not None and parent_name == "choice":
            if parent not in readings:
                readings[parent] = self._of_choice(parent)
            chosen = readings[parent]
            if chosen is not None and not self.all_readings and LOCAL_NAMES[chosen.tag] in self._wanted:
                return name in self._wanted
            return _is_chosen(element, parent, chosen, label, notes, "choice has no orig, sic or abbr")
        if parent is not None and parent_name == "app":
            if parent not in readings:
                readings[parent] = next(parent.iterchildren("{*}lem"), None)
            is_chosen = _is_chosen(
                element, parent, readings[parent], label, notes, "the apparatus has no lem"
            )
            if not is_chosen and not self.all_readings:
                notes.add(label, "other readings of an apparatus were skipped")
            return is_chosen
        if name in _ORIGINAL and name != "ex" and name not in self._wanted:
            notes.add(label, f"only the edited reading ({name}) is in the file, and is used")
        return name not in _WITHOUT_TEXT

    def _of_choice(self, choice: Element) -> Element | None:
        """Return the first wanted reading, or else the first original one."""
        for names in (self._wanted, _EDITED):
            for child in choice:
                if LOCAL_NAMES[child.tag] in names:
                    return child
        return None


def _is_in_choice(element: Element) -> bool:
    parent = element.getparent()
    return parent is not None and LOCAL_NAMES[parent.tag] == "choice"


def _is_chosen(  # noqa: PLR0917  (private)
    element: Element, parent: Element, chosen: Element | None, label: str, notes: Notes, reason: str
) -> bool:
    """Return True for the chosen reading, or for the first one if none is."""
    if chosen is not None:
        return element is chosen
    is_first = element is parent[0]
    if is_first:
        notes.add(label, f"{reason}, so its first reading is used")
    return is_first
