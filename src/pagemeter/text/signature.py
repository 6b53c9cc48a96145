"""The values of settings as they stand in a signature, and back."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any

from pagemeter.errors import UsageError
from pagemeter.text.escape import PATTERN, escape, unescape

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

NOTHING = "none"
_PATTERNS = ("keep_lines", "drop_lines")


def show(name: str, value: Any) -> str:  # noqa: ANN401
    """The value of a setting as a signature has it: without bars, colons, blanks and quotes.

    >>> show("drop_lines", "^a|b: c$")
    '^a%7Cb%3A%20c$'
    """
    if value is None or value == ():
        return NOTHING
    if name == "mapping":
        return str(value.label)
    if name in _PATTERNS:
        return _show_pattern(value)
    if isinstance(value, tuple):
        return ",".join(value)
    if isinstance(value, float):
        return f"{value:.17g}" if float(f"{value:g}") != value else f"{value:g}"
    return f"custom({escape(_name(value))})@{_digest(value)}" if callable(value) else str(value)


def read(line: str, given: Mapping[str, Any]) -> dict[str, Any]:
    """The values that a signature names; `given` holds those that no line can restore.

    >>> read("case:fold|strip:digits,symbols|version:1", {})
    {'case': 'fold', 'strip': ('digits', 'symbols')}
    """
    texts: dict[str, str] = {}
    for part in line.strip().split("|"):
        name, colon, text = part.partition(":")
        if not colon:
            raise UsageError(f"signature part {part!r} is not of the form name:value")
        if name in texts:
            raise UsageError(f"signature: {name} stands there twice")
        texts[name] = text
    texts.pop("version", None)
    for name, value in given.items():
        there, here = texts.get(name, NOTHING), show(name, value)
        if there != here and (name != "mapping" or _digests(there) != _digests(here)):
            raise UsageError(
                f"signature: it has {name}:{there}, but the {name} given is {here}; "
                "give the one that the signature was made with"
            )
    return {name: given[name] if name in given else _value(name, text) for name, text in texts.items()}


def _digests(label: str) -> list[str]:
    """What a mapping does, whatever its files are called."""
    return [part.rpartition("@")[2] for part in label.split(",")]


def without_run(line: str, names: Sequence[str]) -> str:
    """A signature without what a run says before its settings, which begin with the first of their names.

    >>> without_run("measures:CER|solver:exact|case:fold", ["solver", "case"])
    'solver:exact|case:fold'
    """
    before, bar, after = line.strip().partition(f"|{names[0]}:")
    if not bar:
        return line
    kept = [part for part in before.split("|") if part.partition(":")[0] in names]
    return "|".join([*kept, f"{names[0]}:{after}"])


def _value(name: str, text: str) -> Any:  # noqa: ANN401
    if name == "strip":
        return () if text == NOTHING else tuple(text.split(","))
    if name in _PATTERNS:
        return None if text == NOTHING else unescape(text)
    if name == "mapping":
        from pagemeter.text.mapping import Mapping as Rules  # noqa: PLC0415  (only where there is one)

        return None if text == NOTHING else Rules.from_label(text)
    if name == "tokeniser" and text.startswith("custom("):
        raise UsageError(
            f"signature: the tokeniser {text} was made in Python and cannot be restored from a line; "
            "pass it: Settings.from_signature(line, tokeniser=...)"
        )
    return text


def _show_pattern(pattern: str) -> str:
    text = escape(pattern, PATTERN)
    return text if text != NOTHING else "%6Eone"


def _name(function: Callable[..., object]) -> str:
    named: Any = function if hasattr(function, "__qualname__") else type(function)
    module = getattr(named, "__module__", None)
    return f"{module}.{named.__qualname__}" if module else str(named.__qualname__)


def _digest(function: Callable[..., object]) -> str:
    """Eight digits of the source where Python knows it, else of the byte code, else of the name."""
    import inspect  # noqa: PLC0415  (only for callables)

    named: Any = function if hasattr(function, "__qualname__") else type(function)
    code = getattr(named, "__code__", None)
    try:
        content = inspect.getsource(named)
    except (OSError, TypeError):
        content = (
            _name(function) if code is None else f"{code.co_code.hex()} {code.co_names} {code.co_varnames}"
        )
    return hashlib.sha256(content.encode("utf-8", "surrogatepass")).hexdigest()[:8]
