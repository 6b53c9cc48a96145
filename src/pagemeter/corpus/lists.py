"""Files that name files: a list of paths, and a table of pairs as TSV or JSON lines."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from pagemeter.corpus.folders import Found, PassedOver
from pagemeter.corpus.names import Candidate, candidate, stem_of
from pagemeter.corpus.pairs import Pair, Pairing
from pagemeter.errors import InputError
from pagemeter.formats.files import read_bytes
from pagemeter.page import Warn

if TYPE_CHECKING:
    from collections.abc import Iterator

LISTS = (".lst", ".list")
TABLES = (".tsv", ".jsonl", ".ndjson")

Row = Sequence[str | None]
_COLUMNS = ("gt", "hyp", "page", "document")


def read_list(path: Path, suffixes: Sequence[str] = ()) -> Found:
    r"""The files that a list names, one a line; blank lines and lines that begin with # are left out.

    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp(), "gt.lst")
    >>> _ = path.write_text("# two pages\na/1.xml\nb/1.xml\n")
    >>> [found.name for found in read_list(path).candidates]
    ['a/1', 'b/1']
    """
    found = Found()
    paths = []
    for number, line in _lines(path):
        try:
            paths.append(_located(line, path))
        except ValueError as error:
            found.problems.append((path, f"line {number}: {error}"))
    top = os.path.commonpath([os.path.abspath(p.parent) for p in paths]) if paths else ""  # noqa: PTH100
    found.passed_over += [PassedOver(listed, "named twice in a list") for listed in _repeated(paths)]
    for listed in dict.fromkeys(paths):
        folders = Path(os.path.relpath(listed.parent, top)).parts
        taken = candidate(listed, folders, suffixes)
        if taken or not suffixes:
            found.candidates.append(taken or Candidate(listed, folders, listed.stem, listed.suffix, None))
        else:
            found.passed_over.append(PassedOver(listed, f"does not end in {' or '.join(suffixes)}"))
    return found


def _repeated(paths: Sequence[Path]) -> list[Path]:
    return [listed for listed, count in Counter(paths).items() for _ in range(count - 1)]


def read_table(path: Path) -> Pairing:
    r"""The pairs of a TSV, or of JSON lines: ground truth, hypothesis and, if wanted, name and document.

    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp(), "pairs.tsv")
    >>> _ = path.write_text("gt\thyp\n1.gt.txt\t1.txt\n2.gt.txt\t\n")
    >>> [(pair.name, pair.hyp is None) for pair in read_table(path).pairs]
    [('1', False), ('2', True)]
    """
    parse = _tsv if path.suffix.lower() == ".tsv" else _json
    pairs = []
    for number, line in _lines(path):
        if parse is _tsv and line.lower().split("\t")[:2] == ["gt", "hyp"]:
            continue
        try:
            pairs.append(_pair(parse(line), path))
        except ValueError as error:
            pairs.append(Pair(f"{path.name}:{number}", None, None, error=f"{path}: line {number}: {error}"))
    if not pairs:
        raise InputError(f"{path}: names no pair; write ground truth and hypothesis of a page in a line")
    return Pairing(_distinct(_warned(pairs)))


def _lines(path: Path) -> Iterator[tuple[int, str]]:
    """The lines that say something, numbered; names are bytes and need not be UTF-8."""
    text = read_bytes(path).decode("utf-8-sig", "surrogateescape")
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip() and not line.startswith("#"):
            yield number, line.rstrip("\r")


def _located(name: str, listed_in: Path) -> Path:
    """A relative path is that of the list's folder, or else, if it exists there, of the working folder."""
    if "\0" in name:
        raise ValueError("a zero byte in a name; mend the list")
    beside = listed_in.parent / name
    return Path(name) if not os.path.lexists(beside) and os.path.lexists(name) else beside


def _pair(row: Row, path: Path) -> Pair:
    gt, hyp = (_located(name, path) if name else None for name in row[:2])
    first = gt or hyp
    if first is None:
        raise ValueError("names neither a ground truth nor a hypothesis; give at least one")
    return Pair(row[2] or stem_of(first), gt, hyp, document=row[3])


def _warned(pairs: Sequence[Pair]) -> list[Pair]:
    """The pairs, with a warning where a ground truth has been named before, for it counts each time."""
    seen: set[Path] = set()
    made = []
    for one in pairs:
        if one.gt in seen:
            one = replace(one, warnings=(Warn(str(one.gt), "file", "named before, and counted each time"),))  # noqa: PLW2901
        seen |= {one.gt} if one.gt else set()
        made.append(one)
    return made


def _distinct(pairs: Sequence[Pair]) -> tuple[Pair, ...]:
    """The pairs, those that share a name renamed by the folders of their files, or else numbered."""
    counts = Counter(made.name for made in pairs)
    named = [
        replace(made, name=f"{(made.gt or made.hyp or Path()).parent}/{made.name}")
        if counts[made.name] > 1
        else made
        for made in pairs
    ]
    counts, so_far = Counter(made.name for made in named), Counter[str]()
    for at, made in enumerate(named):
        if counts[made.name] > 1:
            so_far[made.name] += 1
            named[at] = replace(made, name=f"{made.name} ({so_far[made.name]})")
    return tuple(named)


def _tsv(line: str) -> Row:
    cells = [cell.strip() or None for cell in line.split("\t")]
    if not 2 <= len(cells) <= len(_COLUMNS):  # noqa: PLR2004
        raise ValueError(
            f"{len(cells)} columns; give ground truth, hypothesis and, if wanted, name and document, "
            "with tabs between them"
        )
    return [*cells, None, None]


def _json(line: str) -> Row:
    try:
        fields = json.loads(line)
    except ValueError as error:
        raise ValueError(f"{error}; mend the JSON") from None
    if not isinstance(fields, dict) or "gt" not in fields:
        raise ValueError('no object with "gt"; give {"gt": path, "hyp": path or null, "page": name}')
    values = [fields.get(key) for key in _COLUMNS]
    if not all(value is None or isinstance(value, str) for value in values):
        raise ValueError('"gt", "hyp", "page" and "document" have to be text; put them in quotation marks')
    return values
