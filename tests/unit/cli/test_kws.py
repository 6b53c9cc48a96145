"""`pagemeter kws`."""

from __future__ import annotations

import csv
import json

import pytest

QRELS = "q1 0 d1 1\nq1 0 d2 1\nq2 0 d3 1\n"
RUN = "q1 Q0 d1 1 0.9 r\nq1 Q0 x 2 0.9 r\nq1 Q0 d2 3 0.5 r\nq2 Q0 y 1 0.8 r\n"


@pytest.fixture
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "qrels").write_text(QRELS)
    (tmp_path / "run").write_text(RUN)
    (tmp_path / "table").write_text("l1 a 1 0.9\nl2 a 0 0.8\nl3 b 1 -1\n")
    return tmp_path


@pytest.mark.usefixtures("files")
def test_tables_and_signature_are_printed(run):
    code, out, err = run("kws", "qrels", "run", "--preset", "trec")
    assert code == 0, err
    assert "2 queries, 3 references, 4 hits, 2 true positives" in out
    assert "kws|preset:trec|ties:document|" in out


def test_all_reports_are_written(run, files):
    arguments = ["--json", "r.json", "--csv", "q.csv", "--curve-csv", "c.csv", "--curve-svg", "c.svg"]
    code, _, err = run("kws", "qrels", "run", *arguments, "--html", "r.html", "--ranks", "2")
    assert code == 0, err
    total = json.loads((files / "r.json").read_text())["total"]
    assert total["mAP"] == pytest.approx((3 / 4 + 2 / 3) / 2 / 2)  # the first two hits are tied
    assert "P@2" in total
    assert [row["query"] for row in csv.DictReader((files / "q.csv").read_text().splitlines())] == [
        "q1",
        "q2",
    ]
    curve = list(csv.DictReader((files / "c.csv").read_text().splitlines()))
    assert [row["threshold"] for row in curve] == ["0.9", "0.8", "0.5"]
    assert (files / "c.svg").read_text().startswith("<svg ")
    assert "lowest average precision" in (files / "r.html").read_text()


@pytest.mark.usefixtures("files")
def test_json_on_standard_output_is_all_that_is_printed(run):
    code, out, err = run("kws", "qrels", "run", "--json", "-", "--ties", "one-point")
    assert code == 0, err
    assert json.loads(out)["total"]["mAP"] == pytest.approx((1 / 2 + 2 / 3) / 4)


@pytest.mark.usefixtures("files")
def test_a_table_has_both_sides(run):
    for arguments in (["table"], ["table", "table"]):
        code, out, err = run("kws", *arguments, "--preset", "prhlt", "--json", "-")
        assert code == 0, err
        assert json.loads(out)["total"]["mAP"] == 0.5


@pytest.mark.usefixtures("files")
def test_a_preset_can_be_changed(run):
    code, out, _ = run("kws", "qrels", "run", "--preset", "prhlt", "--no-interpolate", "--trapezoid")
    assert code == 0
    assert "preset:prhlt*|ties:one-point|interpolate:no|trapezoid:yes" in out


def test_queries_of_a_file(run, files):
    (files / "queries").write_text("q2\n")
    code, out, _ = run("kws", "qrels", "run", "--queries", "queries", "--json", "-")
    assert code == 0
    assert [one["query"] for one in json.loads(out)["queries"]] == ["q2"]


def test_pages_are_compared_word_by_word(run, files):
    (files / "gt.txt").write_text("the cat\nthe dog\n")
    (files / "hyp.txt").write_text("the cat\nthe dig\n")
    code, out, err = run("kws", "gt.txt", "hyp.txt", "--json", "-")
    assert code == 0
    assert json.loads(out)["total"]["recall"] == 0.75
    assert "no hit has a confidence" in err


@pytest.mark.usefixtures("files")
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["qrels", "run", "--ties", "meen"], "--ties meen: unknown value (did you mean mean?)"),
        (["qrels", "run", "--ties", "mean", "--interpolate"], "Use --ties one-point or another order"),
        (["qrels", "run", "--ranks", "a"], "--ranks a: give whole numbers"),
        (["qrels", "run", "--preset", "trek"], "did you mean trec"),
        (["qrels", "run", "--format", "tre"], "did you mean trec"),
        (["qrels", "run", "--json", "nowhere/r.json"], "there is no folder"),
        (["qrels"], "no hypothesis is given"),
    ],
)
def test_wrong_usage_is_explained(run, arguments, message):
    code, _, err = run("kws", *arguments)
    assert code == 2
    assert message in err


def test_inputs_are_not_overwritten(run, files):
    code, _, err = run("kws", "qrels", "run", "--json", "run")
    assert code != 0
    assert (files / "run").read_text() == RUN, err


@pytest.mark.usefixtures("files")
def test_files_that_cannot_be_read_are_an_error(run):
    code, _, err = run("kws", "qrels", "nowhere")
    assert code == 1
    assert "nowhere: no such file" in err
