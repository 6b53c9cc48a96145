"""Texts of many pages in one JSON lines file, one record per page, as the output of models is often stored.

A record is addressed by its position: `text://0001@4711::model.jsonl` is page 0001, whose record begins at
byte 4711.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from pagemeter.errors import InputError, UsageError
from pagemeter.formats.loading import file_error
from pagemeter.inputs.folders import CandidateList, NameList, PassedOver, SideFiles
from pagemeter.inputs.lists import parse_json_line
from pagemeter.inputs.names import Candidate, candidate, without_image_suffix
from pagemeter.inputs.urls import Location, Url

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

RECORD_SUFFIXES = (".jsonl", ".ndjson")
RECORD_EXAMPLE = '{"page": "0001", "text": "…"}'
_NAME_KEYS = ("page", "id", "image")  # the first one in a record names its page
_PROTOCOL = "text://"


def read_records(path: Location, suffixes: Sequence[str] = ()) -> SideFiles:
    r"""Read the names of the pages in a JSON lines file.

    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp(), "model.jsonl")
    >>> _ = path.write_text('{"id": "0001.jpg", "text": "a line"}\n{"id": "0002", "text": null}\n')
    >>> files = read_records(path)
    >>> [file.name for file in files.candidates], [other.reason for other in files.passed_over]
    (['0001'], ['a record without text'])
    """
    if isinstance(path, Url):
        raise UsageError("JSON lines with texts must be a local file", source=path, remedy="copy it")
    records, lines = NameList(), dict[str, int]()
    files = SideFiles(
        CandidateList(
            records,
            lambda record: _candidate(_url(record, path), record.partition("@")[2], suffixes),
            lambda record: _url(record, path),
        )
    )
    for number, (position, line) in enumerate(_lines(path), 1):
        if not line.strip():
            continue
        try:
            name, text = _parse(line)
            _check_first(name, number, lines.setdefault(name, number))
        except UsageError as error:
            raise UsageError(replace(error.problem, source=str(path))) from None
        except InputError as error:
            files.problems.append(replace(error.problem, source=str(path), element=f"line {number}"))
            continue
        record = f"{position}@{name}"
        if text is None:
            files.passed_over.append(PassedOver(_url(record, path), "a record without text"))
        else:
            records.append(record)
    return files


def record_file(location: Location) -> Path | None:
    """Return the file that contains a record; None if the location is not a record.

    >>> record_file(Url("text://0001@4711::model.jsonl"))
    PosixPath('model.jsonl')
    """
    if isinstance(location, Url) and location.startswith(_PROTOCOL):
        return Path(location.partition("::")[2])
    return None


def read_record(url: Url, path: Path) -> bytes:
    """Return the text of a record in a file."""
    try:
        with path.open("rb") as file:
            file.seek(int(url.partition("::")[0].rpartition("@")[2]))
            text = _parse(file.readline())[1]
    except OSError as error:
        raise file_error(path, error) from None
    except ValueError:
        text = None
    if text is None:
        raise InputError("the record is no longer there", source=url, remedy="start the evaluation again")
    return text.encode("utf-8", "surrogatepass")


def _url(record: str, path: Path) -> Url:
    """Return the URL of a record, given as `position@name`."""
    position, _, name = record.partition("@")
    return Url(f"{_PROTOCOL}{name.replace('::', ':')}@{position}::{path}")


def _lines(path: Path) -> Iterator[tuple[int, bytes]]:
    """Yield the position of each line in bytes, and the line."""
    position = 0
    try:
        with path.open("rb") as file:
            for line in file:
                yield position, line
                position += len(line)
    except OSError as error:
        raise file_error(path, error) from None


def _parse(line: bytes) -> tuple[str, str | None]:
    """Return the name and the text of a record."""
    try:
        text = line.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(str(error), remedy="write the file in UTF-8") from None
    fields = parse_json_line(text)
    if not isinstance(fields, dict):
        fields = {}
    name = next((fields[key] for key in _NAME_KEYS if fields.get(key) is not None), None)
    if "text" not in fields and {"gt", "hyp"} <= fields.keys():
        raise UsageError("a table of pairs names both sides", remedy="give it as the only argument")
    if name is None or "text" not in fields:
        keys = ", ".join(map(repr, fields))
        detail = f"the record has only {keys}" if keys else "the record has no keys"
        raise InputError(detail, remedy=f"write records such as {RECORD_EXAMPLE}")
    text = fields["text"]
    if isinstance(name, str | int) and isinstance(text, str | None):
        return str(name), text
    raise InputError("name and text must be strings", remedy=f"write records such as {RECORD_EXAMPLE}")


def _check_first(name: str, number: int, first: int) -> None:
    """Raise an error if a page has occurred in a line before."""
    if first < number:
        raise InputError(f"page {name!r} is already in line {first}", remedy="keep one of them")


def _candidate(url: Url, name: str, suffixes: Sequence[str]) -> Candidate:
    """Return a record as a page file of that name; the name of an image also names the page."""
    *folders, last = name.split("/")
    parsed = candidate(Path(last), (), suffixes)
    stem, side = (parsed.stem, parsed.side) if parsed else (without_image_suffix(last), None)
    return Candidate(url, tuple(folders), stem, "", side)
