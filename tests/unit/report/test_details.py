"""The files that show what went wrong: alignments and confusions."""

from __future__ import annotations

import csv
import io
import json
from contextlib import ExitStack

import pytest

from pagemeter import Line, Page, evaluate
from pagemeter.cli import main
from pagemeter.corpus import Outcome, PageResult, Recipe, Totals, Wanted, pair, run
from pagemeter.measure import ALL
from pagemeter.report.alignmentfile import SCHEMA, VERSION, AlignmentFile
from pagemeter.report.confusionfile import ConfusionFile
from pagemeter.report.glyphs import name_of, named, visible
from pagemeter.report.html import HtmlFile, Images
from pagemeter.report.output import byte_spool, whole
from pagemeter.stats import intervals_of

MEASURES = [measure for measure in ALL if not measure.geometry]
GT = Page((Line("the modern mill", id="g1"), Line("by the river", id="g2")))
HYP = Page((Line("by the riuer tho modem", id="h1"), Line("mill", id="h2")))


def written(make):
    file, totals = io.StringIO(), Totals()
    sink = make(file)
    results = [
        PageResult("p\udce4ge", "gt", "hyp", evaluate(GT, HYP, MEASURES)),
        PageResult("failed", "gt", "hyp", error="cut off"),
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
    assert records[0] == {"kind": "header", "schema": SCHEMA, "version": VERSION}
    assert records[-1] == {"kind": "end", "pages": 1, "signature": "the|signature"}


def test_the_records_of_a_measure_have_its_counts(alignments):
    totals, records = alignments
    for measure, score in totals.scores.items():
        mine = [record for record in records if record.get("measure") == str(measure)]
        for field in ("ins", "dels", "sub", "cor"):
            assert sum(record.get(field, 0) for record in mine) == getattr(score, field), (measure, field)


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
        {"line": 1, "id": "h1", "words": [4, 5], "of": 5},
        {"line": 2, "id": "h2", "words": [1, 1], "of": 1},
    ]


def test_confusions_are_rows_with_places():
    _, text = written(ConfusionFile)
    rows = list(csv.DictReader(io.StringIO(text)))
    (row,) = [row for row in rows if row["gt"] == "rn"]
    assert (row["measure"], row["fault"], row["count"]) == ("CER:S", "substitution", "1")
    assert (row["hyp"], row["examples"]) == ("m", "p\\xe4ge:1")
    assert {row["measure"] for row in rows} == {"CER:S", "WER:S"}


@pytest.mark.parametrize(
    ("text", "shown", "name"),
    [
        (" ", "␣", "SPACE"),
        ("\u0364", "◌\u0364", "COMBINING LATIN SMALL LETTER E"),
        ("a\u0364", "a\u0364", "a + COMBINING LATIN SMALL LETTER E"),
        ("\u00ad", "[U+00AD]", "SOFT HYPHEN"),
        ("\u00a0", "[U+00A0]", "NO-BREAK SPACE"),
        ("\t", "[U+0009]", "U+0009"),
        ("\ue8bf", "\ue8bf", "U+E8BF"),
        ("ſ", "ſ", "LATIN SMALL LETTER LONG S"),
        ("plain", "plain", ""),
        ("läng⸗", "läng⸗", ""),
        ("", "", ""),
    ],
)
def test_what_cannot_be_seen_is_drawn_and_named(text, shown, name):
    assert (visible(text), named(text)) == (shown, name)


def test_a_digit_is_its_own_name():
    assert name_of("7") == "7"


def test_what_is_prepared_in_other_processes_is_what_is_made_here(tmp_path):
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
    wanted, totals = Wanted.of(None), Totals()
    with ExitStack() as stack:
        opened = {kind: stack.enter_context(whole(str(path))) for kind, path in files.items()}
        sinks = [
            HtmlFile(opened["html"], stack.enter_context(byte_spool()), Images(folder)),
            AlignmentFile(opened["alignments"]),
            ConfusionFile(opened["confusions"]),
        ]
        for result in run(pair(folder / "gt", folder / "hyp").pairs, wanted):
            totals.add(result)
            for sink in sinks:
                sink.add(result)
        recipe = Recipe(wanted)
        intervals = intervals_of(totals.counts, recipe.plan)
        for sink in sinks:
            sink.finish(Outcome(totals, recipe.done(totals).signature, (), intervals))
