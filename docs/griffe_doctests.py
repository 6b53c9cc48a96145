"""An extension of griffe: examples of docstrings become blocks of code."""

from __future__ import annotations

import re
from typing import Any

import griffe

_EXAMPLE = re.compile(r"^( *)>>> (?:.*\n?(?!\s*\n))*.*", re.MULTILINE)


class Doctests(griffe.Extension):
    """Put interactive sessions of docstrings into fences, because Markdown would take them for text."""

    def on_instance(self, *, obj: griffe.Object, **_: Any) -> None:  # noqa: ANN401
        """Change the docstring of an object."""
        if obj.docstring is not None:
            obj.docstring.value = _EXAMPLE.sub(_fenced, obj.docstring.value)


def _fenced(example: re.Match[str]) -> str:
    indent = example[1]
    return f"\n{indent}```pycon\n{example[0].rstrip()}\n{indent}```\n"
