"""The signature: all settings in one line, from which they can be restored."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pagemeter.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

LINE_TYPE_SETTINGS = ("optional", "gt_optional", "hyp_optional", "ignore", "gt_ignore", "hyp_ignore")
"""The settings that are sets of types of lines."""
PATTERN_SETTINGS = ("keep_lines", "drop_lines", "wildcard", "gap_pattern")
"""The settings that are regular expressions."""
NOT_SET = "none"
"""The value of a setting that is not used."""
OVERRIDDEN = "*"
"""Mark of a preset some of whose settings were changed."""

# Characters in signatures that are not escaped, besides letters, digits and _.-~. Bar, colon and comma
# separate the parts of a signature, and brackets mark objects made in Python, so paths must not have them.
_SAFE_IN_PATHS = "/+=@"
_SAFE_IN_PATTERNS = "/+=@^$*?()[]{}\\<>!#&;"


def escape(text: str, safe: str = _SAFE_IN_PATHS) -> str:
    """Replace all but safe characters by the percent-escapes of their UTF-8 bytes.

    >>> escape("a|b: ä.tsv")
    'a%7Cb%3A%20%C3%A4.tsv'
    """
    from urllib.parse import quote  # noqa: PLC0415  (8 ms, rarely needed)

    return quote(text, safe=safe, errors="surrogatepass")


def unescape(text: str) -> str:
    """Return the text that was escaped.

    >>> unescape("a%7Cb%3A%20%C3%A4.tsv")
    'a|b: ä.tsv'
    """
    from urllib.parse import unquote  # noqa: PLC0415

    return unquote(text, errors="surrogatepass")


def check_same_signature(what: str, one: str, other: str) -> None:
    """Raise an error if two results cannot be added, because their settings differ.

    >>> from pagemeter.settings import Settings
    >>> check_same_signature("scores", Settings().signature, Settings(case="fold").signature)
    Traceback (most recent call last):
    pagemeter.errors.UsageError: cannot add scores with different settings: case:keep and case:fold
    """
    left, right = one.split("|"), other.split("|")
    if left != right:
        only = (", ".join(part for part in a if part not in b) for a, b in ((left, right), (right, left)))
        raise UsageError(f"cannot add {what} with different settings: {' and '.join(filter(None, only))}")


def show_value(name: str, value: Any) -> str:  # noqa: ANN401, PLR0911
    """Return the value of a setting for a signature: without bars, colons, spaces and quotes."""
    if value is None or value == ():
        return NOT_SET
    if name in PATTERN_SETTINGS:
        text = escape(value, _SAFE_IN_PATTERNS)
        return text if text != NOT_SET else "%6Eone"
    if isinstance(value, tuple):
        return ",".join(value)
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.17g}" if float(f"{value:g}") != value else f"{value:g}"
    if callable(value):
        from pagemeter.text.tokenisers import function_label  # noqa: PLC0415  (a layer above)

        return function_label(value)
    return str(value.label if name == "mapping" else value)


def parse_signature(line: str, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values of a signature; `given` has those that cannot be restored from a line."""
    texts: dict[str, str] = {}
    for part in line.strip().split("|"):
        name, colon, text = part.partition(":")
        if not colon:
            raise UsageError(
                f"signature: the part {part!r:.80} is not of the form name:value",
                remedy="copy the whole line of an earlier result",
            )
        if name in texts:
            raise UsageError(f"signature: {name} is given twice")
        texts[name] = text
    texts.pop("version", None)
    for name, value in given.items():
        there, here = texts.get(name, NOT_SET), show_value(name, value)
        if there != here and (name != "mapping" or _digests(there) != _digests(here)):
            raise UsageError(
                f"signature: it has {name}:{there}, but the {name} given is {here}",
                remedy=f"give the {name} with which the signature was made",
            )
    return {name: given[name] if name in given else _parse_value(name, text) for name, text in texts.items()}


def _parse_value(name: str, text: str) -> Any:  # noqa: ANN401
    if name == "strip" or name in LINE_TYPE_SETTINGS:
        return () if text == NOT_SET else tuple(text.split(","))
    if name in PATTERN_SETTINGS:
        return None if text == NOT_SET else unescape(text)
    if name == "mapping":
        from pagemeter.text.mapping import TextMapping  # noqa: PLC0415  (a layer above)

        return None if text == NOT_SET else TextMapping.from_label(text)
    if name == "tokeniser" and text.startswith("custom("):
        raise UsageError(
            f"signature: the tokeniser {text} was made in Python and cannot be restored from a line",
            remedy="pass it: Settings.from_signature(line, tokeniser=...)",
        )
    return text


def without_run_parts(line: str, names: Sequence[str]) -> str:
    """Return a signature without the parts of a run, which are before the first of the settings."""
    before, bar, after = line.strip().partition(f"|{names[0]}:")
    if not bar:
        return line
    settings = [part for part in before.split("|") if part.partition(":")[0] in names]
    return "|".join([*settings, f"{names[0]}:{after}"])


def _digests(label: str) -> list[str]:
    """Return the digests of the tables of a mapping, without their names."""
    return [part.rpartition("@")[2] for part in label.split(",")]
