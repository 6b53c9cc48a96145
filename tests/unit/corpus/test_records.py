"""Texts in JSON lines: one record a page, on either side."""

from __future__ import annotations

import json
import pickle
from pathlib import Path

import pytest

from pagemeter.cli import main
from pagemeter.corpus import Wanted, pair, run
from pagemeter.corpus.contents import fetch, is_same
from pagemeter.corpus.urls import Url
from pagemeter.errors import InputError, UsageError

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
    results = run(pair(Path(gt), Path(hyp)).pairs, Wanted.of(["CER:R"]))
    return {one.name: one.error or one.scores[Wanted.of(["CER:R"]).measures[0]].errors for one in results}


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
    said = capsys.readouterr()
    assert "1 of them without hypothesis, counted as missed" in said.out
    assert "1 other file passed over: 1 × a record without text" in said.out


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
    ("line", "said"),
    [
        ("{", "mend the JSON"),
        ("[]", "has no keys"),
        ('{"id": "0001"}', "has 'id'; give"),
        ('{"text": "a"}', "has 'text'; give"),
        ('{"id": ["a"], "text": "a"}', "have to be text"),
        ('{"id": "0001", "text": 5}', "have to be text"),
        ('{"id": "0002", "text": "twice"}', "page '0002' is in line 1 already; keep one of them"),
    ],
)
def test_a_bad_record_is_named_and_the_others_are_evaluated(top, line, said):
    path = write(top / "m.jsonl", [{"id": "0002", "text": TEXTS["0002"]}])
    path.write_text(f"{path.read_text()}\n{line}\n")
    found = errors("gt", "m.jsonl")
    assert found["0002"] == 1
    assert found["m.jsonl"].startswith("m.jsonl: line 3: ")
    assert said in found["m.jsonl"]


def test_no_name_in_common_is_an_error_and_not_paired_line_by_line(top):
    write(top / "m.jsonl", [{"id": n, "text": "a"} for n in ("x", "y")])
    with pytest.raises(InputError, match="no name is on both sides"):
        pair(Path("gt"), Path("m.jsonl"))


def test_a_file_without_records_says_what_to_write(top):
    (top / "m.jsonl").touch()
    with pytest.raises(InputError, match=r"no text in it; write one record a line"):
        pair(Path("gt"), Path("m.jsonl"))


def test_a_table_of_pairs_is_still_given_alone(top):
    write(top / "pairs.jsonl", [{"gt": "gt/0001.txt", "hyp": "gt/0001.txt"}])
    assert len(pair(Path("pairs.jsonl")).pairs) == 1
    with pytest.raises(UsageError, match=r"pairs\.jsonl: a table of pairs names both sides; give it alone"):
        pair(Path("gt"), Path("pairs.jsonl"))


def test_a_record_is_read_where_its_file_is_and_known_by_its_content(top, monkeypatch):
    write(top / "m.jsonl", [{"id": n, "text": text} for n, text in TEXTS.items()])
    hyp = pickle.loads(pickle.dumps(pair(Path("gt"), Path("m.jsonl")).pairs[1].hyp))  # noqa: S301
    monkeypatch.chdir("/")
    content = fetch(hyp, str(top))
    assert content.data.decode() == TEXTS["0002"]
    assert is_same(hyp, content.input, str(top))
    write(top / "m.jsonl", [{"id": n, "text": text.upper()} for n, text in TEXTS.items()])
    assert not is_same(hyp, content.input, str(top))
    (top / "m.jsonl").write_text("")
    with pytest.raises(InputError, match="no such record any more"):
        fetch(hyp, str(top))


def test_systems_in_files_of_records_are_compared_and_kept(top, capsys):
    for name in ("a.jsonl", "b.jsonl"):
        write(top / name, [{"id": n, "text": text} for n, text in TEXTS.items()])
    assert main(["compare", "gt", "a.jsonl", "b.jsonl", "-m", "CER:R"]) == 0
    capsys.readouterr()
    for said in ("2 evaluated, 0 there already", "0 evaluated, 2 there already"):
        assert main(["eval", "gt", "a.jsonl", "-m", "CER:R", "--store", "kept"]) == 0
        assert said in capsys.readouterr().err


def test_records_elsewhere_are_refused(top):
    (top / "m.jsonl").touch()
    with pytest.raises(UsageError, match="copy it"):
        pair(Path("gt"), Url(f"file://{top}/m.jsonl"))
