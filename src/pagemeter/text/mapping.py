"""Mappings: lists of rules that replace characters before texts are compared."""

from __future__ import annotations

import difflib
import hashlib
import re
import unicodedata
from collections.abc import Callable, Iterable
from collections.abc import Mapping as Dict
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Literal

from pagemeter.errors import InputError, UsageError
from pagemeter.text.escape import escape, unescape
from pagemeter.text.mapping_file import Rule, parse_rules, unambiguous

_LABEL = re.compile(r"(.+)@([0-9a-f]{8})")
_FOLDER = Path(__file__).with_name("mappings")
BUNDLED = tuple(sorted(path.stem for path in _FOLDER.glob("*.tsv")))


@dataclass(frozen=True, slots=True)
class Table:
    """One list of rules: every place in a text is replaced at most once, by the longest rule that fits there.

    `name` is a bundled name, the path of a file, or what rules made in Python are called.
    """

    name: str
    kind: Literal["bundled", "file", "custom"]
    rules: tuple[Rule, ...]

    @property
    def digest(self) -> str:
        """Eight hexadecimal digits that change when a rule does, but not with comments and order."""
        listing = "".join(f"{before}\t{after}\n" for before, after in sorted(self.rules))
        return hashlib.sha256(listing.encode("utf-8", "surrogatepass")).hexdigest()[:8]

    @property
    def label(self) -> str:
        """What a signature says of the table: its name and digest."""
        name = escape(self.name)
        return f"{f'custom({name})' if self.kind == 'custom' else name}@{self.digest}"


@dataclass(frozen=True, slots=True)
class Mapping:
    """Tables of rules, each applied once to what the one before it made.

    >>> Mapping.of("ligatures", "long-s").apply("ﬅehen und laſſen")
    'stehen und lassen'
    """

    tables: tuple[Table, ...]

    @classmethod
    def of(cls, *sources: Mapping | Path | str | Dict[str, str]) -> Mapping:
        """The mapping of several sources in their order: bundled names, files, dictionaries or mappings.

        A str that is no bundled name is the path of a file.
        """
        return cls(tuple(table for source in sources for table in _tables(source)))

    @classmethod
    def load(cls, path: Path | str) -> Mapping:
        """The mapping of a file, see `parse_rules` for its format."""
        return cls((_load(str(Path(path)), "file"),))

    @classmethod
    def from_rules(cls, rules: Dict[str, str] | Iterable[Rule], name: str = "rules") -> Mapping:
        """The mapping of rules made in Python. A signature can name it but not restore it.

        >>> Mapping.from_rules({"ae": "æ"}).apply("aether")
        'æther'
        """
        pairs = tuple(rules.items() if isinstance(rules, Dict) else rules)
        if not all(isinstance(before, str) and before and isinstance(after, str) for before, after in pairs):
            raise UsageError(f"mapping {name!r}: a rule replaces a str that is not empty by a str")
        placed = ((f"mapping {name!r}, rule {i}", pair) for i, pair in enumerate(pairs, start=1))
        return cls((Table(name, "custom", unambiguous(placed)),))

    @property
    def label(self) -> str:
        """What a signature says of the mapping.

        >>> Mapping.of("ligatures", "long-s").label
        'ligatures@d63e8b56,long-s@8ff1119a'
        """
        return ",".join(table.label for table in self.tables)

    @classmethod
    def from_label(cls, label: str) -> Mapping:
        """The mapping that a signature names; an error where its rules are not what they were."""
        return cls(tuple(map(_restore, label.split(","))))

    def apply(self, text: str, form: Literal["NFC", "NFD", "none"] = "none") -> str:
        """The text with all tables applied.

        Text and left sides meet in `form`, so that it does not matter which of two equivalent spellings
        either has; with "none" code points are compared as they stand.
        """
        for table in self.tables:
            text = _replacer(table, form)(text if form == "none" else unicodedata.normalize(form, text))
        return text


def _tables(source: Mapping | Path | str | Dict[str, str]) -> tuple[Table, ...]:
    if isinstance(source, Mapping):
        return source.tables
    if isinstance(source, str) and source in BUNDLED:
        return (_load(source, "bundled"),)
    if isinstance(source, str | Path):
        return (_load(str(source), "file"),)
    if isinstance(source, Dict):
        return Mapping.from_rules(source).tables
    raise UsageError(
        f"cannot make a mapping of {type(source).__name__}; give a bundled name ({', '.join(BUNDLED)}), "
        "the path of a file, a dictionary or a Mapping"
    )


def _load(name: str, kind: Literal["bundled", "file"]) -> Table:
    """The table of a bundled name or a file; ./ tells a file from the bundled mapping of the same name."""
    path = _FOLDER / f"{name}.tsv" if kind == "bundled" else Path(name)
    if kind == "file":
        name = f"./{path}" if str(path) in BUNDLED else str(path)
    try:
        data = path.read_bytes()
    except OSError as error:
        near = difflib.get_close_matches(name, BUNDLED, n=1)
        hint = f"did you mean the bundled {near[0]}?" if near else f"bundled are: {', '.join(BUNDLED)}"
        raise InputError(f"{name}: cannot read the mapping ({error.strerror}); {hint}") from None
    return Table(name, kind, parse_rules(data, name))


def _restore(label: str) -> Table:
    found = _LABEL.fullmatch(label)
    if not found:
        raise UsageError(f"signature: mapping {label!r} is not of the form name@digest")
    if found[1].startswith("custom("):
        raise UsageError(
            f"signature: the mapping {label} was made in Python and cannot be restored from a line; "
            "pass it: Settings.from_signature(line, mapping=...)"
        )
    name = unescape(found[1])
    if name not in BUNDLED and not Path(name).is_file():
        raise InputError(
            f"{name}: the mapping of this signature is not there; put the file there, call the command where "
            "it is, or say where it is now with --mapping, or mapping=... in Python"
        )
    table = _load(name, "bundled" if name in BUNDLED else "file")
    if table.digest != found[2]:
        remedy = "use the version of pagemeter named there" if table.kind == "bundled" else "restore the file"
        raise InputError(
            f"{name}: the rules of this mapping are not those of the signature "
            f"(@{table.digest}, not @{found[2]}); {remedy}"
        )
    return table


@lru_cache(maxsize=64)
def _replacer(table: Table, form: Literal["NFC", "NFD", "none"]) -> Callable[[str], str]:
    rules = dict(table.rules)
    if form != "none":
        rules = {unicodedata.normalize(form, before): after for before, after in table.rules}
    if all(len(before) == 1 for before in rules):
        single = str.maketrans(rules)
        return lambda text: text.translate(single)
    # The class of first characters lets the search run over everything else at full speed.
    first = "".join(re.escape(c) for c in sorted({before[0] for before in rules}))
    longest_first = "|".join(map(re.escape, sorted(rules, key=len, reverse=True)))
    pattern = re.compile(f"(?=[{first}])(?:{longest_first})")
    return lambda text: pattern.sub(lambda found: rules[found[0]], text)
