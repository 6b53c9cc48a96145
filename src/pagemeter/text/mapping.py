"""Mappings: lists of rules that replace characters before texts are compared.

The format of mapping files is described at `parse_rules`; `formats.mapping_files` reads them.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Callable, Iterable
from collections.abc import Mapping as Dict
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Literal, NamedTuple

from pagemeter.errors import FormatError, UsageError
from pagemeter.signature import escape

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

Rule = tuple[str, str]
"""A text, and the text that replaces it."""

_CODE = re.compile(r"U\+([0-9A-Fa-f]{4,6})")
_LAST_CODE = 0x10FFFF
_SURROGATES = range(0xD800, 0xE000)
_MAX_ALTERNATIVES = (
    500  # of a regular expression, which tries one after another; more are found by their length
)


@dataclass(frozen=True, slots=True)
class RuleTable:
    """One list of rules: each position in a text is replaced at most once, by the longest rule that fits.

    Args:
        name: The bundled name, the path of the file, or the name given in Python.
        kind: Where the rules come from.
        rules: The rules.

    """

    name: str
    kind: Literal["bundled", "file", "custom"]
    rules: tuple[Rule, ...]

    @property
    def digest(self) -> str:
        """Eight hexadecimal digits that depend on the rules, but not on comments and order."""
        listing = "".join(f"{before}\t{after}\n" for before, after in sorted(self.rules))
        return hashlib.sha256(listing.encode("utf-8", "surrogatepass")).hexdigest()[:8]

    @property
    def label(self) -> str:
        """The name and the digest, as in a signature."""
        name = escape(self.name)
        return f"{f'custom({name})' if self.kind == 'custom' else name}@{self.digest}"


@dataclass(frozen=True, slots=True)
class TextMapping:
    """Tables of rules that are applied one after another.

    >>> TextMapping.of("ligatures", "long-s").apply("ﬅehen und laſſen")
    'stehen und lassen'
    """

    tables: tuple[RuleTable, ...]

    @classmethod
    def of(cls, *sources: TextMapping | Path | str | Dict[str, str]) -> TextMapping:
        """Return the mapping of several sources, in their order.

        Args:
            *sources: Bundled names, paths of files, dictionaries or mappings. A str that is not a bundled
                name is the path of a file.

        Raises:
            InputError: A file cannot be read, or has a wrong rule.

        """
        from pagemeter.formats.mapping_files import load_table  # noqa: PLC0415  (reads files)

        tables: list[RuleTable] = []
        for source in sources:
            if isinstance(source, TextMapping):
                tables += source.tables
            elif isinstance(source, Dict):
                tables += cls.from_rules(source).tables
            else:
                tables.append(load_table(source))
        return cls(tuple(tables))

    @classmethod
    def load(cls, path: Path | str) -> TextMapping:
        """Read a mapping file; see `parse_rules` for its format."""
        from pagemeter.formats.mapping_files import read_table  # noqa: PLC0415  (reads files)

        return cls((read_table(path),))

    @classmethod
    def from_rules(cls, rules: Dict[str, str] | Iterable[Rule], name: str = "rules") -> TextMapping:
        """Return the mapping of rules made in Python; a signature can name it, but not restore it.

        >>> TextMapping.from_rules({"ae": "æ"}).apply("aether")
        'æther'
        """
        pairs = tuple(rules.items() if isinstance(rules, Dict) else rules)
        source = f"mapping {name!r}"
        if not all(isinstance(before, str) and before and isinstance(after, str) for before, after in pairs):
            raise UsageError("a rule must replace a str that is not empty by a str", source=source)
        numbered = ((_RuleLocation(source, f"rule {i}"), pair) for i, pair in enumerate(pairs, start=1))
        return cls((RuleTable(name, "custom", _without_contradictions(numbered)),))

    @property
    def label(self) -> str:
        """The names and digests of the tables, as in a signature.

        >>> TextMapping.of("ligatures", "long-s").label
        'ligatures@d63e8b56,long-s@8ff1119a'
        """
        return ",".join(table.label for table in self.tables)

    @classmethod
    def from_label(cls, label: str) -> TextMapping:
        """Return the mapping that a signature names.

        Raises:
            InputError: A file is missing, or its rules have changed.
            UsageError: The mapping was made in Python.

        """
        from pagemeter.formats.mapping_files import restore_table  # noqa: PLC0415  (reads files)

        return cls(tuple(map(restore_table, label.split(","))))

    def apply(self, text: str, form: Literal["NFC", "NFD", "none"] = "none") -> str:
        """Apply all tables to a text.

        Args:
            text: The text.
            form: The Unicode form in which the text and the left sides of rules are compared; with "none"
                code points are compared as they are.

        """
        for table in self.tables:
            text = _replacer(table, form)(text if form == "none" else unicodedata.normalize(form, text))
        return text


@lru_cache(maxsize=64)
def _replacer(table: RuleTable, form: Literal["NFC", "NFD", "none"]) -> Callable[[str], str]:
    rules = dict(table.rules)
    if form != "none":
        rules = {unicodedata.normalize(form, before): after for before, after in table.rules}
    if all(len(before) == 1 for before in rules):
        single = str.maketrans(rules)
        return lambda text: text.translate(single)
    if len(rules) > _MAX_ALTERNATIVES:
        return partial(_replace_by_lengths, rules, _lengths_by_character(rules))
    # With the class of first characters, the search skips all other text quickly.
    first = "".join(re.escape(c) for c in sorted({before[0] for before in rules}))
    longest_first = "|".join(map(re.escape, sorted(rules, key=len, reverse=True)))
    pattern = re.compile(f"(?=[{first}])(?:{longest_first})")
    return lambda text: pattern.sub(lambda match: rules[match[0]], text)


def _lengths_by_character(rules: Dict[str, str]) -> dict[str, list[int]]:
    """Return for each first character the lengths of its rules, from long to short."""
    lengths: dict[str, set[int]] = {}
    for before in rules:
        lengths.setdefault(before[0], set()).add(len(before))
    return {first: sorted(found, reverse=True) for first, found in lengths.items()}


def _replace_by_lengths(rules: Dict[str, str], lengths: Dict[str, Sequence[int]], text: str) -> str:
    """Replace the longest left side at each position; the time does not depend on the number of rules."""
    parts: list[str] = []
    copied = at = 0
    while at < len(text):
        for length in lengths.get(text[at], ()):
            after = rules.get(text[at : at + length])
            if after is not None:
                parts += (text[copied:at], after)
                at = copied = at + length
                break
        else:
            at += 1
    return "".join((*parts, text[copied:]))


class _RuleLocation(NamedTuple):
    """The location of a rule: a file and a line in it, or a mapping and a rule."""

    source: str
    element: str


def parse_rules(data: bytes, source: str) -> tuple[Rule, ...]:
    r"""Parse the content of a mapping file.

    A mapping file is UTF-8 and has one rule per line, `from<TAB>to`. A line or a third column that begins
    with `#` is a comment. A side is text, or codes such as `U+0061 U+0364`. The right side may be empty.

    Args:
        data: The content of the file.
        source: The name of the file, for messages.

    Raises:
        FormatError: A rule is wrong, or two rules contradict each other.

    >>> parse_rules(b"# a rule\nU+017F\ts\t# long s\n", "map.tsv")
    (('ſ', 's'),)

    """
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise FormatError(
            f"not UTF-8 ({error.reason})",
            source=source,
            element=f"line {line}",
            remedy="save the mapping as UTF-8",
        ) from None
    lines = enumerate((line.rstrip("\r") for line in text.split("\n")), start=1)
    return _without_contradictions(
        (location := _RuleLocation(source, f"line {number}"), _parse_rule(line, location))
        for number, line in lines
        if line.strip() and not line.startswith("#")
    )


def _without_contradictions(rules: Iterable[tuple[_RuleLocation, Rule]]) -> tuple[Rule, ...]:
    """Return each rule once, after checking that no two replace the same text differently.

    Canonically equivalent left sides are the same text.
    """
    seen: dict[str, tuple[_RuleLocation, str]] = {}
    checked: list[Rule] = []
    for location, (before, after) in rules:
        first, other = seen.setdefault(unicodedata.normalize("NFC", before), (location, after))
        if unicodedata.normalize("NFC", other) != unicodedata.normalize("NFC", after):
            raise FormatError(
                f"{before!r} is mapped to {after!r}, but in {first.element} to {other!r}",
                source=location.source,
                element=location.element,
                remedy="keep one of the two rules",
            )
        checked.append((before, after))
    return tuple(dict.fromkeys(checked))


def _parse_rule(line: str, location: _RuleLocation) -> Rule:
    before, tab, rest = line.partition("\t")
    after, _, comment = rest.partition("\t")
    if not tab:
        raise _wrong(location, f"{line!r} has no TAB", "write a rule as from<TAB>to, and # before a comment")
    if comment and not comment.startswith("#"):
        raise _wrong(location, f"{comment!r} is in a third column", "write # before a comment")
    if not before:
        raise _wrong(location, "no text before the TAB", "write the text that is replaced before the TAB")
    return _parse_side(before, location), _parse_side(after, location)


def _parse_side(field: str, location: _RuleLocation) -> str:
    """Return the text of one side of a rule; it is either text or codes, never both."""
    parts = field.split()
    codes = [_CODE.fullmatch(part) for part in parts]
    if parts and all(codes):
        return "".join(_character(int(code[1], 16), code[0], location) for code in codes if code)
    if _CODE.search(field):
        raise _wrong(location, f"{field!r} mixes codes and text", "write only codes, separated by spaces")
    if field != field.strip():
        raise _wrong(location, f"{field!r} begins or ends with white space", "write U+0020 for a space")
    return field


def _character(value: int, code: str, location: _RuleLocation) -> str:
    if value > _LAST_CODE or value in _SURROGATES:
        raise _wrong(location, f"{code} is not a character", "write a code up to U+10FFFF, not a surrogate")
    return chr(value)


def _wrong(location: _RuleLocation, detail: str, remedy: str) -> FormatError:
    return FormatError(detail, source=location.source, element=location.element, remedy=remedy)
