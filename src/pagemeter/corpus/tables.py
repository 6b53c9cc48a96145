"""Tables of pairs: TSV, or JSON lines."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from pagemeter.corpus.lists import lines_in, located
from pagemeter.corpus.names import stem_of
from pagemeter.corpus.pairs import Pair, Pairing
from pagemeter.errors import InputError
from pagemeter.page import Warn

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from pagemeter.corpus.urls import Location

TABLES = (".tsv", ".jsonl", ".ndjson")

Row = Mapping[str, str | None]
_COLUMNS = ("gt", "hyp", "page", "document")
_KNOWN = f"known are: {', '.join(_COLUMNS)}"


def read_table(path: Location) -> Pairing:
    r"""The pairs of a TSV, or of JSON lines: ground truth, hypothesis and, if wanted, name and document.

    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp(), "pairs.tsv")
    >>> _ = path.write_text("hyp\tgt\n1.txt\t1.gt.txt\n\t2.gt.txt\n")
    >>> [(pair.name, pair.hyp is None) for pair in read_table(path).pairs]
    [('1', False), ('2', True)]
    """
    lines = [*lines_in(path)]
    parse: Callable[[str], Row] = _json
    if path.suffix.lower() == ".tsv":
        headings = _headings(lines[0][1] if lines else "", path)
        columns, lines = headings or _COLUMNS, lines[1:] if headings else lines
        parse = lambda line: _tsv(line, columns)  # noqa: E731
    pairs = []
    for number, line in lines:
        try:
            pairs.append(_pair(parse(line), path, number))
        except ValueError as error:
            pairs.append(Pair(f"{path.name}:{number}", None, None, error=f"{path}: line {number}: {error}"))
    if not pairs:
        raise InputError(f"{path}: names no pair; write ground truth and hypothesis of a page in a line")
    return Pairing(_distinct(_warned(pairs)))


def _pair(row: Row, path: Location, number: int) -> Pair:
    gt, hyp = (located(name, path) if (name := row.get(side)) else None for side in ("gt", "hyp"))
    first = gt or hyp
    if first is None:
        raise ValueError("names neither a ground truth nor a hypothesis; give at least one")
    warnings = tuple(
        Warn(str(path), f"line {number}", f"key {key!r} is not known and was not read; {_KNOWN}")
        for key in _unknown(row)
    )
    return Pair(row.get("page") or stem_of(first), gt, hyp, warnings, document=row.get("document"))


def _unknown(names: Iterable[str]) -> list[str]:
    return [name for name in names if name not in _COLUMNS]


def _warned(pairs: Sequence[Pair]) -> list[Pair]:
    """The pairs, with a warning where a ground truth has been named before, for it counts each time."""
    seen: set[Location] = set()
    made = []
    for one in pairs:
        if one.gt in seen:
            again = Warn(str(one.gt), "file", "named before, and counted each time")
            one = replace(one, warnings=(*one.warnings, again))  # noqa: PLW2901
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


def _headings(line: str, path: Location) -> tuple[str, ...] | None:
    """The columns, if the first line names them by gt or hyp; what it does not name may follow."""
    cells = tuple(cell.strip().lower() for cell in line.split("\t"))
    if not {"gt", "hyp"} & set(cells):
        return None
    if unknown := _unknown(cells):
        raise InputError(f"{path}: line 1: unknown heading {unknown[0]!r}; {_KNOWN}")
    if len(set(cells)) < len(cells) or not {"gt", "hyp"} <= set(cells):
        raise InputError(f"{path}: line 1: headings {', '.join(cells)}; give gt and hyp, and each once")
    return cells + tuple(name for name in _COLUMNS if name not in cells)


def _tsv(line: str, columns: Sequence[str]) -> Row:
    cells = [cell.strip() or None for cell in line.split("\t")]
    if not 2 <= len(cells) <= len(columns):  # noqa: PLR2004
        raise ValueError(f"{len(cells)} columns; give {', '.join(columns)}, with tabs between them")
    return dict(zip(columns, cells, strict=False))


def _json(line: str) -> Row:
    try:
        fields = json.loads(line)
    except ValueError as error:
        raise ValueError(f"{error}; mend the JSON") from None
    if not isinstance(fields, dict) or "gt" not in fields:
        raise ValueError('no object with "gt"; give {"gt": path, "hyp": path or null, "page": name}')
    if "hyp" not in fields:
        has = f", but {', '.join(map(repr, unknown))}" if (unknown := _unknown(fields)) else ""
        raise ValueError(f'no "hyp"{has}; give "hyp": path, or null where there is none; {_KNOWN}')
    if not all(value is None or isinstance(value, str) for value in map(fields.get, _COLUMNS)):
        raise ValueError('"gt", "hyp", "page" and "document" have to be text; put them in quotation marks')
    return fields
