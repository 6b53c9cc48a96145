"""Texts in JSON lines, one record a page, as people keep what models answered.

A record is found by where it begins: `text://0001@4711::model.jsonl` is the one of page 0001 at byte 4711.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from pagemeter.corpus.files.folders import Found, PassedOver
from pagemeter.corpus.files.listing import Listing, Names
from pagemeter.corpus.files.names import Candidate, candidate, without_image
from pagemeter.corpus.urls import Location, Url
from pagemeter.errors import InputError, UsageError
from pagemeter.formats.files import reason_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

RECORDS = (".jsonl", ".ndjson")
NAMES = ("page", "id", "image")
"""The keys that may name a page; the first that is there counts."""
EXAMPLE = '{"page": "0001", "text": "…"}'
_PROTOCOL = "text://"


def read_records(path: Location, suffixes: Sequence[str] = ()) -> Found:
    r"""The pages in a file of JSON lines, by the names that the records give them.

    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp(), "model.jsonl")
    >>> _ = path.write_text('{"id": "0001.jpg", "text": "a line"}\n{"id": "0002", "text": null}\n')
    >>> found = read_records(path)
    >>> [one.name for one in found.candidates], [one.reason for one in found.passed_over]
    (['0001'], ['a record without text'])
    """
    if isinstance(path, Url):
        raise UsageError(f"{path}: texts in JSON lines are read from files here only; copy it")
    names, lines = Names(), dict[str, int]()
    found = Found(
        Listing(
            names,
            lambda name: _candidate(_url(name, path), name.partition("@")[2], suffixes),
            lambda name: _url(name, path),
        )
    )
    for number, (at, line) in enumerate(_lines(path), 1):
        if not line.strip():
            continue
        try:
            name, text = _page(line)
        except UsageError as error:
            raise UsageError(f"{path}: {error}") from None
        except ValueError as error:
            found.problems.append((path, f"line {number}: {error}"))
            continue
        if lines.setdefault(name, number) < number:
            again = f"page {name!r} is in line {lines[name]} already; keep one of them"
            found.problems.append((path, f"line {number}: {again}"))
            continue
        placed = f"{at}@{name}"
        if text is None:
            found.passed_over.append(PassedOver(_url(placed, path), "a record without text"))
        else:
            names.append(placed)
    return found


def _url(placed: str, path: Path) -> Url:
    """Where the record is that begins at a byte and has a name."""
    at, _, name = placed.partition("@")
    return Url(f"{_PROTOCOL}{name.replace('::', ':')}@{at}::{path}")


def file_of(location: Location) -> Path | None:
    """The file that a record is in; None of what is no record.

    >>> file_of(Url("text://0001@4711::model.jsonl"))
    PosixPath('model.jsonl')
    """
    if isinstance(location, Url) and location.startswith(_PROTOCOL):
        return Path(location.partition("::")[2])
    return None


def read_record(url: Url, path: Path) -> bytes:
    """The text of a record in a file."""
    try:
        with path.open("rb") as file:
            file.seek(int(url.partition("::")[0].rpartition("@")[2]))
            text = _page(file.readline())[1]
    except OSError as error:
        raise InputError(f"{path}: {reason_of(path, error)}") from None
    except ValueError:
        text = None
    if text is None:
        raise InputError(f"{url}: there is no such record any more; run the command again")
    return text.encode("utf-8", "surrogatepass")


def _lines(path: Path) -> Iterator[tuple[int, bytes]]:
    """All lines, each with the byte at which it begins."""
    try:
        with path.open("rb") as file:
            yield from _placed(file)
    except OSError as error:
        raise InputError(f"{path}: {reason_of(path, error)}") from None


def _placed(file: IO[bytes]) -> Iterator[tuple[int, bytes]]:
    at = 0
    for line in file:
        yield at, line
        at += len(line)


def _page(line: bytes) -> tuple[str, str | None]:
    """The name and the text of a record."""
    try:
        fields: Any = json.loads(line.decode("utf-8-sig"))
    except ValueError as error:
        raise ValueError(f"{error}; mend the JSON, or write it in UTF-8") from None
    keys = fields if isinstance(fields, dict) else {}
    name = next((keys[key] for key in NAMES if keys.get(key) is not None), None)
    if "text" not in keys and {"gt", "hyp"} <= keys.keys():
        raise UsageError("a table of pairs names both sides; give it alone")
    if name is None or "text" not in keys:
        raise ValueError(f"has {', '.join(map(repr, keys)) or 'no keys'}; give {EXAMPLE}")
    text = keys["text"]
    if isinstance(name, str | int) and isinstance(text, str | None):
        return str(name), text
    raise ValueError(f"the name and the text have to be text; give {EXAMPLE}")


def _candidate(url: Url, name: str, suffixes: Sequence[str]) -> Candidate:
    """The record as a file of that name would be; an image's name is as good as the page's."""
    *folders, last = name.split("/")
    known = candidate(Path(last), (), suffixes)
    stem, side = (known.stem, known.side) if known else (without_image(last), None)
    return Candidate(url, tuple(folders), stem, "", side)
