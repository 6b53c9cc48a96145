"""Mapping files: one rule a line, `from<TAB>to`, in UTF-8."""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING

from pagemeter.errors import FormatError

if TYPE_CHECKING:
    from collections.abc import Iterable

Rule = tuple[str, str]

_CODE = re.compile(r"U\+([0-9A-Fa-f]{4,6})")
_LAST = 0x10FFFF
_SURROGATES = range(0xD800, 0xE000)


def parse_rules(data: bytes, source: str) -> tuple[Rule, ...]:
    r"""The rules of a mapping file.

    A line that begins with `#` is a comment, and so is a third column that does. A side is either text as it
    stands or codes such as `U+0061 U+0364`; the right side may be empty. `source` is named in errors.

    >>> parse_rules(b"# a rule\nU+017F\ts\t# long s\n", "map.tsv")
    (('ſ', 's'),)
    """
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise FormatError(
            f"{source}:{line}: is not UTF-8 ({error.reason}); save the mapping as UTF-8"
        ) from None
    lines = enumerate((line.rstrip("\r") for line in text.split("\n")), start=1)
    return unambiguous(
        (f"{source}:{number}", _rule(line, f"{source}:{number}"))
        for number, line in lines
        if line.strip() and not line.startswith("#")
    )


def unambiguous(placed: Iterable[tuple[str, Rule]]) -> tuple[Rule, ...]:
    """The rules, each with the place it stands at, once it is clear that no two say different things.

    Canonically equivalent left sides are the same text, so they may not differ on the right.

    >>> unambiguous([("1", ("ä", "ae")), ("2", ("a", "b"))])
    (('ä', 'ae'), ('a', 'b'))
    """
    seen: dict[str, tuple[str, str]] = {}
    rules: list[Rule] = []
    for place, (before, after) in placed:
        at, other = seen.setdefault(unicodedata.normalize("NFC", before), (place, after))
        if unicodedata.normalize("NFC", other) != unicodedata.normalize("NFC", after):
            raise FormatError(
                f"{place}: {before!r} is mapped to {after!r}, but at {at} to {other!r}; keep one of the two"
            )
        rules.append((before, after))
    return tuple(dict.fromkeys(rules))


def _rule(line: str, place: str) -> Rule:
    before, tab, rest = line.partition("\t")
    after, _, comment = rest.partition("\t")
    if not tab:
        raise FormatError(
            f"{place}: {line!r} has no TAB; write a rule as from<TAB>to, a comment with # in front"
        )
    if comment and not comment.startswith("#"):
        raise FormatError(
            f"{place}: {comment!r} stands in a third column; only a comment, # in front, may be there"
        )
    if not before:
        raise FormatError(f"{place}: nothing stands before the TAB; write what is to be replaced there")
    return _side(before, place), _side(after, place)


def _side(field: str, place: str) -> str:
    """The text of one side of a rule; codes and text are not mixed, so that no code can swallow a letter."""
    parts = field.split()
    codes = [_CODE.fullmatch(part) for part in parts]
    if parts and all(codes):
        return "".join(_character(int(code[1], 16), code[0], place) for code in codes if code)
    if _CODE.search(field):
        raise FormatError(f"{place}: {field!r} mixes codes and text; write only codes, separated by blanks")
    if field != field.strip():
        raise FormatError(f"{place}: {field!r} begins or ends with white space; write U+0020 for a blank")
    return field


def _character(value: int, code: str, place: str) -> str:
    if value > _LAST or value in _SURROGATES:
        raise FormatError(f"{place}: {code} is no character; give a code up to U+10FFFF that is no surrogate")
    return chr(value)
