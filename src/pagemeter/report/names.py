"""Names of files and pages, and texts of pages, in a form that can be displayed and written anywhere.

Names may contain bytes that are not UTF-8, or control characters that move the cursor of a terminal. Confused
characters may be invisible, or combine with their neighbours.
"""

from __future__ import annotations

import os
import re
import unicodedata
from dataclasses import dataclass, field
from pathlib import PurePath
from typing import TYPE_CHECKING, Self

from pagemeter.atomic_io import encodable

if TYPE_CHECKING:
    from collections.abc import Iterable

# Invisible marks, embeddings, overrides and isolates, which change the direction of the text after them.
_DIRECTIONS = "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"

_WRAP_POINT = re.compile(" (?![%·])")


def printable(text: str) -> str:
    r"""Return a text for one line of a terminal: control and direction characters become escapes.

    >>> printable("a\nb\x1b[31m")
    'a\\nb\\x1b[31m'
    >>> printable("gt/\u202efdp.xml")
    'gt/\\u202efdp.xml'
    """
    if text.isprintable():
        return text
    return "".join(repr(c)[1:-1] if _is_control(c) else c for c in encodable(text))


def display_width(text: str) -> int:
    r"""Return the number of columns that a text takes on a terminal.

    >>> display_width("a\u0308"), display_width("漢字")
    (1, 4)
    """
    if text.isascii():
        return len(text)
    return sum(_columns(c) for c in text)


def shorten(text: str, columns: int) -> str:
    """Return a text of at most this width; a longer one loses its middle.

    >>> shorten("a-very-long-name", 9)
    'a-ve…name'
    """
    if display_width(text) <= columns:
        return text
    head, tail = text[: columns // 2], text[-((columns - 1) // 2) :]
    while display_width(head) + display_width(tail) >= columns:
        head, tail = (head[:-1], tail) if display_width(head) >= display_width(tail) else (head, tail[1:])
    return f"{head}…{tail}"


def wrapped(text: str, columns: int, indent: str = "") -> str:
    r"""Return a text as lines of at most this width, those after the first one indented.

    A line ends at a space, but not before a per cent sign or a middle dot. A wider word stays whole.

    >>> wrapped("a rate of 5.00 % · more", 16, "  ")
    'a rate of\n  5.00 % · more'
    """
    first, *words = _WRAP_POINT.split(text)
    lines = [first]
    for word in words:
        if display_width(longer := f"{lines[-1]} {word}") <= columns:
            lines[-1] = longer
        else:
            lines.append(f"{indent}{word}")
    return "\n".join(lines)


def _is_control(c: str) -> bool:
    return c in _DIRECTIONS or unicodedata.category(c) in ("Cc", "Zl", "Zp")


def _columns(c: str) -> int:
    if unicodedata.combining(c) or unicodedata.category(c) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(c) in "WF" else 1


_DOTTED_CIRCLE = "\u25cc"
_SIGNS = {" ": "␣", "\n": "⏎"}
_MOST_NAMED = 4  # characters; longer texts are not spelled out


def make_visible(text: str) -> str:
    r"""Return a text in which every character can be seen.

    A space becomes an open box and a line break an arrow, a combining mark without a letter is placed on a
    dotted circle, and other characters without a shape become their code points.

    >>> make_visible("\u0301 \u200b")
    '◌́␣[U+200B]'
    """
    return "".join(_make_visible(c, text[at - 1] if at else "") for at, c in enumerate(text))


def character_names(text: str) -> str:
    r"""Return the Unicode names of the characters of a short text; empty for printable ASCII.

    >>> character_names("ſ"), character_names("e\u0301"), character_names("the")
    ('LATIN SMALL LETTER LONG S', 'e + COMBINING ACUTE ACCENT', '')
    """
    if text.isascii() and text.isprintable() and " " not in text:
        return ""
    return " + ".join(map(character_name, text)) if len(text) <= _MOST_NAMED else ""


def character_name(character: str) -> str:
    r"""Return the Unicode name of a character, or its code point; an ASCII letter or digit is its own name.

    >>> character_name(" "), character_name("\x07"), character_name("\ue000"), character_name("x")
    ('SPACE', 'U+0007', 'U+E000', 'x')
    """
    if character.isascii() and character.isalnum():
        return character
    return unicodedata.name(character, f"U+{ord(character):04X}")


def _make_visible(character: str, before: str) -> str:
    category = unicodedata.category(character)
    if character in _SIGNS:
        return _SIGNS[character]
    if category.startswith("M"):
        return character if before and not before.isspace() else _DOTTED_CIRCLE + character
    if category in ("Cc", "Cf", "Cs", "Cn", "Zs", "Zl", "Zp"):
        return f"[U+{ord(character):04X}]"
    return character


@dataclass(frozen=True, slots=True)
class ShownPaths:
    """How a report shows paths, and texts that contain them: relative to the arguments of the run.

    The full path of a file names folders of the machine, and often its user. A report that is shared contains
    full paths only if they are asked for.

    Args:
        arguments: The files and folders that the run was given.
        full: Show paths as they are.

    >>> paths = ShownPaths(("/home/ada/run/gt", "hyp"))
    >>> paths.text("/home/ada/run/gt/0001.xml: line l17 has no baseline"), paths.text("hyp/0001.xml")
    ('gt/0001.xml: line l17 has no baseline', 'hyp/0001.xml')

    """

    arguments: tuple[str, ...] = ()
    full: bool = False
    _prefixes: tuple[str, ...] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        folders = {os.path.dirname(one.rstrip("/")) for one in self.arguments if _is_path(one)}  # noqa: PTH120
        folders |= {os.path.realpath(folder) for folder in folders}
        outside = [folder for folder in folders if folder.startswith((os.sep, "..", "~"))]
        prefixes = sorted((f"{folder.rstrip(os.sep)}{os.sep}" for folder in outside), key=len, reverse=True)
        object.__setattr__(self, "_prefixes", tuple(prefixes))

    @classmethod
    def of_files(cls, gts: Iterable[str | None], hyps: Iterable[str | None], *, full: bool = False) -> Self:
        """Return how paths are shown if only the files of the pages are known: relative to their folders.

        >>> paths = ShownPaths.of_files(["/home/ada/gt/a/1.xml", "/home/ada/gt/b/2.xml"], ["hyp/1.xml"])
        >>> paths.names, paths.text("/home/ada/gt/a/1.xml")
        (('gt', 'hyp'), 'gt/a/1.xml')
        """
        folders = _common_folder(gts), _common_folder(hyps)
        return cls(folders if all(folders) else (), full)

    @property
    def names(self) -> tuple[str, ...]:
        """The arguments as they are shown; equal names get the folder above.

        >>> ShownPaths(("/home/ada/gt/txt", "/home/ada/hyp/txt")).names
        ('gt/txt', 'hyp/txt')
        """
        names = tuple(self.text(one.rstrip("/"), one) for one in self.arguments)
        if len(set(names)) == len(names):
            return names
        ends = ("/".join(PurePath(one).parts[-2:]) if _is_path(one) else one for one in self.arguments)
        return tuple(map(printable, ends))

    def text(self, text: str, *files: str | None) -> str:
        """Return a printable text without the folders above the arguments.

        Args:
            text: The text.
            *files: Paths that it may contain and that may be outside the arguments.

        """
        if not self.full:
            for prefix in self._prefixes:
                text = text.replace(prefix, "")
            for file in files:
                if file and os.path.isabs(file) and _is_path(file):  # noqa: PTH117
                    text = text.replace(file, PurePath(file).name)
        return printable(text)


def _is_path(name: str) -> bool:
    return "://" not in name and not name.startswith("@")


def _common_folder(files: Iterable[str | None]) -> str:
    """Return the folder that contains all files; empty if there is none."""
    common: str | None = None
    for file in files:
        if not file:
            continue
        if not _is_path(file):
            return ""
        folder = os.path.dirname(file)  # noqa: PTH120  (a path is a text in a result)
        try:
            common = folder if common is None else os.path.commonpath((common, folder))
        except ValueError:  # relative and absolute paths
            return ""
    return common or ""
