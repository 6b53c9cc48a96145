"""Elements and text of a tree in document order, without recursion, so that no depth is too deep."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pagemeter.formats.xml import Element


class Begin(NamedTuple):
    """An element begins."""

    element: Element


class End(NamedTuple):
    """An element ends."""

    element: Element


class Text(NamedTuple):
    """Text directly inside an element."""

    element: Element
    text: str


Event = Begin | End | Text


def names(listed: str) -> frozenset[str]:
    """Names of elements, listed with blanks between them.

    >>> sorted(names("p lb"))
    ['lb', 'p']
    """
    return frozenset(listed.split())


def walk(root: Element, enter: Callable[[Element], bool]) -> Iterator[Event]:
    """What is inside `root`, in document order; an element that is not to be entered begins and ends at once.

    >>> from pagemeter.formats.xml import parse
    >>> tree = parse(b"<a>1<b>2</b>3</a>", "a.xml")
    >>> [event.text for event in walk(tree, lambda element: element.tag != "b") if isinstance(event, Text)]
    ['1', '3']
    """
    if root.text:
        yield Text(root, root.text)
    stack = [(root, iter(root))]
    while stack:
        parent, children = stack[-1]
        child = next(children, None)
        if child is None:
            stack.pop()
            if stack:
                yield from _leave(parent)
        elif not isinstance(child.tag, str):
            if child.tail:
                yield Text(parent, child.tail)
        else:
            yield Begin(child)
            if not enter(child):
                yield from _leave(child)
                continue
            if child.text:
                yield Text(child, child.text)
            stack.append((child, iter(child)))


def _leave(element: Element) -> Iterator[Event]:
    yield End(element)
    if element.tail:
        yield Text(element.getparent(), element.tail)
