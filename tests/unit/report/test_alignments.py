"""Alignments and confusions, and details of pages that other processes prepare."""

from __future__ import annotations

import csv
import io
import json
from contextlib import ExitStack

import pytest

from pagemeter import Line, Page, evaluate
from pagemeter.atomic_io import byte_spool, open_atomic
from pagemeter.cli import main
from pagemeter.cli.setting_options import as_option
from pagemeter.corpus import MeasureSelection, Outcome, PageResult, RunConfig, Totals
from pagemeter.errors import Problem
from pagemeter.inputs import pair
from pagemeter.measure import ALL
from pagemeter.report.alignments import ALIGNMENT_SCHEMA, ALIGNMENT_VERSION, AlignmentFile, ConfusionFile
from pagemeter.report.html import HtmlFile, Images, ShownPaths
from pagemeter.runners import evaluate_pairs
from pagemeter.stats import table_intervals

MEASURES = [measure for measure in ALL if not measure.geometry]
GT = Page((Line("the modern mill", id="g1"), Line("by the river", id="g2")))
HYP = Page((Line("by the riuer tho modem", id="h1"), Line("mill", id="h2")))


def written(make):
    file, totals = io.StringIO(), Totals()
    sink = make(file)
    results = [
        PageResult("p\udce4ge", "gt", "hyp", evaluate(GT, HYP, MEASURES)),
        PageResult("failed", "gt", "hyp", errors=(Problem("cut off"),)),
    ]
    for result in results:
        sink.add(result)
        totals.add(result)
    sink.finish(Outcome(totals, "the|signature"))
    return totals, file.getvalue()


@pytest.fixture(scope="module")
def alignments():
    totals, text = written(AlignmentFile)
    return totals, [json.loads(line) for line in text.splitlines()]


def test_the_first_record_has_the_version_and_the_last_the_signature(alignments):
    _, records = alignments
    assert records[0] == {"kind": "header", "schema": ALIGNMENT_SCHEMA, "version": ALIGNMENT_VERSION}
    assert records[-1] == {"kind": "end", "pages": 1, "signature": "the|signature"}


def test_the_records_of_a_measure_have_its_counts(alignments):
    totals, records = alignments
    for measure, score in totals.scores.items():
        mine = [record for record in records if record.get("measure") == str(measure)]
        expected = {field: getattr(score, field) for field in ("ins", "dels", "sub", "cor")}
        if measure.is_bag:  # a wrong word is any missing and any extra word, so no line has it
            expected |= {"ins": score.ins + score.sub, "dels": score.dels + score.sub, "sub": 0}
        assert expected == {field: sum(record.get(field, 0) for record in mine) for field in expected}, (
            measure
        )


def test_the_edits_have_the_counts_of_their_line(alignments):
    names = {"equal": "cor", "substitute": "sub", "insert": "ins", "delete": "dels"}
    for record in alignments[1]:
        for kind, field in names.items() if record["kind"] == "line" else ():
            assert sum(size for op, size, *_ in record["ops"] if op == kind) == record[field]


def test_a_record_names_lines_and_words(alignments):
    found = [r for r in alignments[1] if r.get("measure") == "CER:S" and r.get("gt_line") == 1]
    (record,) = found
    assert (record["page"], record["gt_id"], record["gt"]) == ("p\\xe4ge", "g1", "the modern mill")
    assert record["hyp_lines"] == [
        {"line": 1, "id": "h1", "type": "text", "words": [4, 5], "of": 5},
        {"line": 2, "id": "h2", "type": "text", "words": [1, 1], "of": 1},
    ]


def test_confusions_are_rows_with_examples():
    _, text = written(ConfusionFile)
    rows = list(csv.DictReader(io.StringIO(text)))
    (row,) = [row for row in rows if row["gt"] == "rn"]
    assert (row["measure"], row["fault"], row["count"]) == ("CER:S", "substitution", "1")
    assert (row["hyp"], row["examples"]) == ("m", "p\\xe4ge:1")
    assert {row["measure"] for row in rows} == {"CER:S", "WER:S"}


def test_details_prepared_in_other_processes_are_the_same(tmp_path):
    for name in ("1", "2", "3"):
        for side, text in (("gt", f"page {name} says\nthis"), ("hyp", f"page {name} 5ays\nthls")):
            (tmp_path / side).mkdir(exist_ok=True)
            (tmp_path / side / f"{name}.txt").write_text(text)
    made = {}
    for way in ("processes", "here"):
        files = {kind: tmp_path / f"{way}.{kind}" for kind in ("html", "alignments", "confusions")}
        options = [part for kind, path in files.items() for part in (f"--{kind}", str(path))]
        if way == "processes":
            assert main(["eval", str(tmp_path / "gt"), str(tmp_path / "hyp"), "--jobs", "2", *options]) == 0
        else:
            write_here(tmp_path, files)
        made[way] = {kind: path.read_text() for kind, path in files.items()}
    assert made["processes"] == made["here"]


def write_here(folder, files):
    wanted, totals = MeasureSelection.of(None), Totals()
    with ExitStack() as stack:
        opened = {kind: stack.enter_context(open_atomic(path)) for kind, path in files.items()}
        sinks = [
            HtmlFile(
                opened["html"],
                stack.enter_context(byte_spool()),
                Images(folder),
                show_setting=as_option,
                paths=ShownPaths((str(folder / "gt"), str(folder / "hyp"))),
            ),
            AlignmentFile(opened["alignments"]),
            ConfusionFile(opened["confusions"]),
        ]
        for result in evaluate_pairs(pair(folder / "gt", folder / "hyp").pairs, wanted):
            totals.add(result)
            for sink in sinks:
                sink.add(result)
        config = RunConfig(wanted)
        intervals = table_intervals(totals.table, config.resampling)
        for sink in sinks:
            sink.finish(Outcome(totals, config.with_evaluated_measures(totals).signature, (), intervals))


@pytest.mark.parametrize(("make", "key"), [(AlignmentFile, "alignments"), (ConfusionFile, "confusions")])
def test_a_page_that_could_not_be_prepared_is_not_in_the_file(make, key):
    page = PageResult("1", "gt", "hyp", evaluate(GT, HYP, MEASURES), prepared={key: None})
    sink = make(file := io.StringIO())
    sink.add(page.without_details)
    sink.finish(Outcome(Totals(), "the|signature"))
    assert "mill" not in file.getvalue()
