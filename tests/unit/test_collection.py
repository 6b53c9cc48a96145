"""Many pages in Python: `evaluate_corpus` and its result."""

from __future__ import annotations

import json
import pickle
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import pagemeter as pm
from pagemeter.cli import main
from pagemeter.demo import GT, HYP
from pagemeter.errors import IncompleteWarning, InputError, MeasureError, NotEvaluatedError, UsageError


@pytest.fixture
def folders(tmp_path) -> tuple[Path, Path]:
    """Two folders: a page with an error, a right page, and one without hypothesis."""
    pages = {"gt": {"1": "one line", "2": "another", "3": "third"}, "hyp": {"1": "one lime", "2": "another"}}
    for side, texts in pages.items():
        (tmp_path / side).mkdir()
        for name, text in texts.items():
            (tmp_path / side / f"{name}.txt").write_text(text, encoding="utf-8")
    return tmp_path / "gt", tmp_path / "hyp"


def test_folders_are_given_as_str_or_path(folders):
    result = pm.evaluate_corpus(*folders, ["CER:R", "WER:R"])
    assert pm.evaluate_corpus(*map(str, folders), "CER:R, WER:R").to_json() == result.to_json()
    assert list(result.totals) == ["CER:R", "WER:R"]
    assert (result.totals["CER:R"].errors, result.totals["CER:R"].n_gt) == (6, 20)
    assert [(page.name, page.status) for page in result.pages] == [
        ("1", "evaluated"), ("2", "evaluated"), ("3", "missed"),
    ]  # fmt: skip
    assert repr(result) == "<CorpusEvaluation of 3 pages: CER:R 30.00 %, WER:R 50.00 %>"


def test_all_forms_of_the_same_pages_have_the_same_totals(folders):
    gt, hyp = folders
    texts = [{path.stem: path.read_text() for path in sorted(folder.iterdir())} for folder in folders]
    forms = [
        (gt, hyp),
        texts,
        ([*texts[0].values()], [*texts[1].values(), None]),
        ([(page, texts[1].get(name)) for name, page in texts[0].items()],),
        ([gt / "1.txt", pm.load(gt / "2.txt"), "third"], [["one lime"], hyp / "2.txt", None]),
    ]
    totals = [pm.evaluate_corpus(*form, measures=["CER:R", "WER:S"]).totals for form in forms]
    assert all(found == totals[0] for found in totals)


@pytest.mark.parametrize("suffix", [".tsv", ".lst"])
def test_tables_and_lists_of_files_are_read(folders, suffix):
    lines = [[str(folder / f"{name}.txt") for folder in folders] for name in (1, 2)]
    paths = [folders[0].parent / f"{side}{suffix}" for side in ("gt", "hyp")]
    for side, path in enumerate(paths):
        rows = ["\t".join(line) for line in lines] if suffix == ".tsv" else [line[side] for line in lines]
        path.write_text("\n".join(rows if suffix == ".lst" else ["gt\thyp", *rows]))
    given = paths[:1] if suffix == ".tsv" else paths
    assert pm.evaluate_corpus(*given, measures="CER:R").totals["CER:R"].errors == 1


def test_reports_are_those_of_the_command(tmp_path, capsys):
    names = {kind: [tmp_path / f"{who}.{kind}" for who in ("command", "python")] for kind in ("json", "csv")}
    options = [part for kind, (path, _) in names.items() for part in (f"--{kind}", str(path))]
    assert main(["eval", str(GT), str(HYP), "--jobs", "1", *options]) == 0
    printed = capsys.readouterr().out
    result = pm.evaluate_corpus(GT, HYP)
    assert result.to_json(names["json"][1]) is None
    result.to_csv(names["csv"][1])
    for command, python in names.values():
        assert python.read_text() == command.read_text()
    assert result.to_json() == names["json"][0].read_text()
    assert str(result).splitlines()[0] == printed.splitlines()[0]


def test_the_html_report_has_every_page(tmp_path):
    result = pm.evaluate_corpus(["one line"], ["one lime"], "CER:R")
    result.to_html(tmp_path / "report.html")
    assert "<title>pagemeter report</title>" in (tmp_path / "report.html").read_text()
    with pytest.raises(UsageError, match="Evaluate the pages with details=True"):
        pm.evaluate_corpus(["one"], ["one"], "CER:R", details=False).to_html(tmp_path / "other.html")


def test_the_data_frame_has_one_row_per_page_and_measure():
    frame = pm.evaluate_corpus({"a": "one", "b": "two"}, {"a": "ore"}, "CER:R, WER:R").to_pandas()
    assert frame.index.tolist() == [("a", "CER:R"), ("a", "WER:R"), ("b", "CER:R"), ("b", "WER:R")]
    assert frame.loc[("b", "CER:R"), "status"] == "missed"
    assert frame.xs("CER:R", level="measure").errors.to_dict() == {"a": 1, "b": 3}


def test_intervals_and_the_budget_are_by_id():
    gt = [f"page {10**number}\nof text" for number in range(6)]
    result = pm.evaluate_corpus(gt, [page.replace("e", "c", 1) for page in gt])
    assert set(result.intervals) == set(result.totals)
    assert result.intervals["CER:R"].bounds is not None
    assert result.budget.measure == "CER:R"
    assert float(result.budget["recognition"].errors) == result.totals["CER:S"].errors
    assert list(pm.evaluate_corpus(gt, gt, "WER:R", budget="WER").budgets) == ["WER:R"]
    with pytest.raises(NotEvaluatedError, match="Give budget='CER'"):
        _ = pm.evaluate_corpus(gt, gt, "CER:R").budget


def test_errors_are_divided_by_kind():
    result = pm.evaluate_corpus(["one line"] * 2, ["one lime", None], "CER:S")
    kinds = result.kinds["CER:S"]
    assert (kinds["misread"], kinds["missed"], kinds.errors) == (1, 8, result["CER:S"].errors)


def test_flags_name_their_pages():
    gt = dict.fromkeys("abc", "a line of text on the page")
    result = pm.evaluate_corpus(gt, {"a": gt["a"], "b": "and so on " * 50, "c": ""}, "CER:R")
    assert result.flags["loop"] == ("b",)
    assert result.flags["empty"] == ("c",)
    assert "a" not in {name for names in result.flags.values() for name in names}
    assert result.pages[0].flags == ()
    assert "loop" in result.to_pandas().loc[("b", "CER:R"), "flags"]
    assert "loop" in json.loads(result.to_json())["pages"][1]["flags"]


def test_settings_and_options_of_the_command_are_keywords(folders):
    gt, hyp = folders
    result = pm.evaluate_corpus(gt, hyp, "CER:R", case="fold", normalize="NFKC", skip_missing=True, seed=7)
    assert result.totals["CER:R"].n_gt == 15
    assert result.totals["CER:R"].settings == pm.Settings(case="fold", normalise="NFKC")
    for part in ("missing:skip", "seed:7", "case:fold", "normalise:NFKC"):
        assert part in result.signature.split("|")
    (gt / "1.gt.txt").write_text("one lime")
    result = pm.evaluate_corpus(gt, hyp, "CER:R", gt_suffix=".gt.txt", hyp_suffix=[".txt"], skip_missing=True)
    assert (result.totals["CER:R"].errors, result.totals["CER:R"].n_gt) == (0, 8)
    assert pm.evaluate_corpus(gt, hyp, "CER:R", hyp_encoding="utf-8").config.readers.hyp.encoding == "utf-8"


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"skip_mising": True}, UsageError, "unknown option 'skip_mising' .did you mean skip_missing"),
        ({"failed": "no"}, UsageError, "failed='no'"),
        ({"measures": "CER:X"}, MeasureError, "unknown measure"),
        ({"measures": [3]}, MeasureError, "named by a str"),
        ({"settings": "fold"}, UsageError, "settings='fold'"),
        ({"budget": "BOW"}, MeasureError, "budget='BOW'"),
        ({"jobs": 0}, UsageError, "jobs=0"),
        ({"gt_suffix": ".txt"}, UsageError, "suffixes choose files in folders, and none is given"),
        ({"strata": "document"}, UsageError, "0: the page has no document"),
        ({"page_seconds": 3}, UsageError, r"page_seconds=3: pages are limited only .*jobs=2"),
    ],
)
def test_wrong_options_are_refused(options, error, message):
    with pytest.raises(error, match=message):
        pm.evaluate_corpus(["one"], ["one"], **options)


def test_paths_and_texts_are_not_mixed_up(folders):
    with pytest.raises(UsageError, match="gt is the text of one page"):
        pm.evaluate_corpus("one\ntwo", "one")
    with pytest.raises(InputError, match="no such file or folder"):
        pm.evaluate_corpus("nowhere", "nothing")
    with pytest.raises(UsageError, match="one side is a path"):
        pm.evaluate_corpus(folders[0], ["one"])


def test_pages_that_failed_are_not_hidden(folders):
    (folders[0] / "2.txt").write_bytes(b"\xff\xfe\x00\xd8")
    (folders[0] / "2.txt").rename(folders[0] / "2.xml")
    with pytest.warns(IncompleteWarning, match="1 of 3 pages failed and are not in the totals, first 2"):
        result = pm.evaluate_corpus(*folders, "CER:R")
    assert [page.name for page in result.failed] == ["2"]
    assert result.failed[0].errors


def test_worker_processes_and_executors_give_the_same_results():
    gt, hyp = ["one line", "another", "third"], ["one lime", None, "thrid"]
    expected = pm.evaluate_corpus(gt, hyp, "CER:R").to_json()
    workers = {"jobs": 2, "page_seconds": 600, "page_memory": 2000}
    assert pm.evaluate_corpus(gt, hyp, "CER:R", **workers).to_json() == expected
    with ThreadPoolExecutor(2) as executor:
        assert pm.evaluate_corpus(gt, hyp, "CER:R", on=executor).to_json() == expected


def test_results_can_be_pickled_and_shown_in_notebooks():
    result = pickle.loads(pickle.dumps(pm.evaluate_corpus(["one"], ["ore"])))  # noqa: S301
    assert json.loads(result.to_json())["total"]["CER:R"]["errors"] == 1
    html = result._repr_html_()
    assert "<table" in html
    assert "<svg" in html
    assert result.signature in html


def test_no_pages_have_no_totals():
    result = pm.evaluate_corpus([], [])
    assert (result.pages, result.totals) == ((), {})
    assert repr(result) == "<CorpusEvaluation of 0 pages: no totals>"
