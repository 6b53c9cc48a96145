"""Elements and text of a tree in document order, without recursion, so that no depth is too deep."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from pagemeter.formats.xml import lxml

if TYPE_CHECKING:
    from pagemeter.formats.xml import Element


class Visitor(Protocol):
    """What is told of a tree, piece by piece."""

    def begin(self, element: Element) -> bool:
        """An element begins; the answer says whether to look inside."""

    def text(self, text: str, inside: Element) -> None:
        """Text directly inside an element."""

    def end(self, element: Element) -> None:
        """An element ends that was looked into."""


def names(listed: str) -> frozenset[str]:
    """Names of elements, listed with blanks between them.

    >>> sorted(names("p lb"))
    ['lb', 'p']
    """
    return frozenset(listed.split())


def walk(root: Element, visitor: Visitor) -> None:
    """Show a visitor what is inside `root`, in document order.

    >>> from pagemeter.formats.xml import parse
    >>> class Printer:
    ...     def begin(self, element):
    ...         return element.tag != "b"
    ...     def text(self, text, inside):
    ...         print(inside.tag, text)
    ...     def end(self, element):
    ...         print("end of", element.tag)
    >>> walk(parse(b"<a>1<b>2</b>3<c>4</c></a>", "a.xml"), Printer())
    a 1
    a 3
    c 4
    end of c
    """
    walker = lxml().iterwalk(root, events=("start", "end"))
    passed = root
    for event, element in walker:
        if event == "start":
            if element is not root and not visitor.begin(element):
                walker.skip_subtree()
                passed = element
            elif text := element.text:
                visitor.text(text, element)
        elif element is not root:
            if element is not passed:
                visitor.end(element)
            if text := element.tail:
                visitor.text(text, element.getparent())
