"""Texts in JSON lines: one record per page, on either side."""

from __future__ import annotations

import json
import pickle
from pathlib import Path

import pytest

from pagemeter.cli import main
from pagemeter.corpus import MeasureSelection
from pagemeter.errors import InputError, UsageError
from pagemeter.inputs import pair
from pagemeter.inputs.locations import Url, fetch, is_unchanged
from pagemeter.runners import evaluate_pairs

TEXTS = {"0001": "the old mill", "0002": "by the riuer"}


def write(path, records):
    path.write_text("".join(json.dumps(one, ensure_ascii=False) + "\n" for one in records), encoding="utf-8")
    return path


@pytest.fixture
def top(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "gt").mkdir()
    for name, text in {"0001": "the old mill", "0002": "by the river"}.items():
        (tmp_path / f"gt/{name}.txt").write_text(text)
    return tmp_path


def errors(gt, hyp):
    results = evaluate_pairs(pair(Path(gt), Path(hyp)).pairs, MeasureSelection.of(["CER:R"]))
    return {
        one.name: one.error or one.scores[MeasureSelection.of(["CER:R"]).measures[0]].errors
        for one in results
    }


@pytest.mark.parametrize("key", ["page", "id", "image"])
@pytest.mark.parametrize("name", ["{}", "{}.jpg", "{}.md", "scans/{}.tif", "/data/scans/{}.png"])
def test_records_are_paired_with_files_by_their_names(top, key, name):
    write(top / "m.jsonl", [{key: name.format(n), "text": text, "model": "x"} for n, text in TEXTS.items()])
    assert errors("gt", "m.jsonl") == {"0001": 0, "0002": 1}


def test_both_sides_may_be_records(top):
    for name in ("a.ndjson", "b.jsonl"):
        write(top / name, [{"id": n, "text": text} for n, text in TEXTS.items()])
    assert errors("a.ndjson", "b.jsonl") == {"0001": 0, "0002": 0}


def test_a_record_without_text_is_a_page_without_hypothesis(top, capsys):
    write(top / "m.jsonl", [{"id": "0001", "text": None}, {"id": "0002", "text": TEXTS["0002"]}])
    assert main(["eval", "gt", "m.jsonl", "-m", "CER:R"]) == 1
    printed = capsys.readouterr().out
    assert "1 of them without a hypothesis, counted as missing" in printed
    assert "1 other file ignored: 1 × a record without text" in printed


def test_an_empty_text_is_read_as_empty(top):
    write(top / "m.jsonl", [{"id": n, "text": ""} for n in TEXTS])
    assert errors("gt", "m.jsonl") == {"0001": 12, "0002": 12}


def test_a_text_is_plain_text_unless_a_format_is_named(top, capsys):
    write(top / "m.jsonl", [{"id": n, "text": f"**{text}**"} for n, text in TEXTS.items()])
    assert main(["eval", "gt", "m.jsonl", "-m", "CER:R"]) == 0
    assert "text://0001@0::m.jsonl: line 1: looks like Markdown" in capsys.readouterr().err
    assert main(["eval", "gt", "m.jsonl", "-m", "CER:R", "--hyp-format", "markdown"]) == 0
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{", "Correct the JSON"),
        ("[]", "the record has no keys. Write"),
        ('{"id": "0001"}', "the record has only 'id'. Write"),
        ('{"text": "a"}', "the record has only 'text'. Write"),
        ('{"id": ["a"], "text": "a"}', "must be strings"),
        ('{"id": "0001", "text": 5}', "must be strings"),
        ('{"id": "0002", "text": "twice"}', "page '0002' is already in line 1. Keep one of them"),
    ],
)
def test_a_bad_record_is_an_error_and_the_others_are_evaluated(top, line, message):
    path = write(top / "m.jsonl", [{"id": "0002", "text": TEXTS["0002"]}])
    path.write_text(f"{path.read_text()}\n{line}\n")
    results = errors("gt", "m.jsonl")
    assert results["0002"] == 1
    assert results["m.jsonl"].startswith("m.jsonl: line 3: ")
    assert message in results["m.jsonl"]


def test_records_without_a_common_name_are_not_paired_line_by_line(top):
    write(top / "m.jsonl", [{"id": n, "text": "a"} for n in ("x", "y")])
    with pytest.raises(InputError, match="no name is on both sides"):
        pair(Path("gt"), Path("m.jsonl"))


def test_a_file_without_records_is_an_error_with_an_example(top):
    (top / "m.jsonl").touch()
    with pytest.raises(InputError, match=r"no text in it. Write one record per line"):
        pair(Path("gt"), Path("m.jsonl"))


def test_a_table_of_pairs_must_be_the_only_argument(top):
    write(top / "pairs.jsonl", [{"gt": "gt/0001.txt", "hyp": "gt/0001.txt"}])
    assert len(pair(Path("pairs.jsonl")).pairs) == 1
    with pytest.raises(UsageError, match=r"pairs\.jsonl: a table of pairs names both sides. Give it"):
        pair(Path("gt"), Path("pairs.jsonl"))


def test_a_record_is_read_from_its_folder_and_its_changes_are_noticed(top, monkeypatch):
    write(top / "m.jsonl", [{"id": n, "text": text} for n, text in TEXTS.items()])
    hyp = pickle.loads(pickle.dumps(pair(Path("gt"), Path("m.jsonl")).pairs[1].hyp))  # noqa: S301
    monkeypatch.chdir("/")
    content = fetch(hyp, str(top))
    assert content.data.decode() == TEXTS["0002"]
    assert is_unchanged(hyp, content.fingerprint, str(top))
    write(top / "m.jsonl", [{"id": n, "text": text.upper()} for n, text in TEXTS.items()])
    assert not is_unchanged(hyp, content.fingerprint, str(top))
    (top / "m.jsonl").write_text("")
    with pytest.raises(InputError, match="the record is no longer there"):
        fetch(hyp, str(top))


def test_systems_in_files_of_records_are_compared_and_stored(top, capsys):
    for name in ("a.jsonl", "b.jsonl"):
        write(top / name, [{"id": n, "text": text} for n, text in TEXTS.items()])
    assert main(["compare", "gt", "a.jsonl", "b.jsonl", "-m", "CER:R"]) == 0
    capsys.readouterr()
    for counts in ("2 evaluated, 0 reused", "0 evaluated, 2 reused"):
        assert main(["eval", "gt", "a.jsonl", "-m", "CER:R", "--store", "kept"]) == 0
        assert counts in capsys.readouterr().err


def test_records_behind_a_url_are_refused(top):
    (top / "m.jsonl").touch()
    with pytest.raises(UsageError, match="Copy it"):
        pair(Path("gt"), Url(f"file://{top}/m.jsonl"))
