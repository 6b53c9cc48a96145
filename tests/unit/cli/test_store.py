"""The command line: the results store."""

from __future__ import annotations

import json

import pytest

from collected import make
from pagemeter.cli import main
from reported import blocks


@pytest.fixture
def top(tmp_path):
    return make(tmp_path, 5)


def test_the_command_counts_evaluated_and_reused_pages(top, capsys):
    options = ["eval", str(top / "gt"), str(top / "hyp"), "-m", "CER", "--store", str(top / "s")]
    assert main(options) == 0
    assert "s: 5 evaluated, 0 reused" in capsys.readouterr().err
    (top / "gt/00000.txt").unlink()
    assert main([*options, "--skip-missing"]) == 1
    assert "no missing instead of missing:skip" in capsys.readouterr().err
    (top / "hyp/00000.txt").unlink()
    assert main(options) == 0
    assert "0 evaluated, 4 reused, 1 others kept (--prune" in capsys.readouterr().err
    assert main([*options, "--prune"]) == 0
    assert "1 others removed" in capsys.readouterr().err
    assert main(options) == 0
    assert capsys.readouterr().err.endswith("4 reused\n")


def test_reports_do_not_depend_on_reused_results(top, capsys):
    from collected import numbers

    options = ["eval", str(top / "gt"), str(top / "hyp"), "--json"]
    for name, more in (("a", []), ("b", ["--store", str(top / "s")]), ("c", ["--store", str(top / "s")])):
        assert main([*options, str(top / f"{name}.json"), *more]) == 0
    capsys.readouterr()
    assert numbers(top / "a.json") == numbers(top / "b.json") == numbers(top / "c.json")


def test_reports_that_show_texts_evaluate_again(top, capsys):
    options = ["eval", str(top / "gt"), str(top / "hyp"), "-m", "CER", "--store", str(top / "s")]
    assert main(options) == 0
    assert main([*options, "--alignments", str(top / "a.jsonl")]) == 0
    assert "5 evaluated, 0 reused" in capsys.readouterr().err
    assert len((top / "a.jsonl").read_text().splitlines()) > 5


@pytest.mark.parametrize("option", ["--force", "--prune", "--store-lines"])
def test_options_of_a_store_need_a_store(top, capsys, option):
    assert main(["eval", str(top / "gt"), str(top / "hyp"), option]) == 2
    assert f"{option}: there is no store. Add --store DIR" in capsys.readouterr().err


def test_a_store_is_a_local_folder(top, capsys, monkeypatch):
    monkeypatch.chdir(top)
    assert main(["eval", "gt", "hyp", "--store", "s3://bucket/store"]) == 2
    assert "--store s3://bucket/store: a store is a folder on this machine" in capsys.readouterr().err
    assert not (top / "s3:").exists()


@pytest.mark.parametrize("measure", ["CER:R", "CER:S", "WER"])
def test_stored_lines_have_the_same_alignments_as_the_pages(top, measure):
    from pagemeter.corpus.page_result import evaluation_from_lines, line_results
    from pagemeter.store.reading import StoredResults

    (top / "hyp/00002.txt").write_text("Text without a partner\n\n")
    options = ["eval", str(top / "gt"), str(top / "hyp"), "-m", measure, "--store", str(top / "s")]
    assert main([*options, "--store-lines"]) == 0
    stored = StoredResults(top / "s")
    pages = [pair for part in stored.parts() for pair in zip(part.results(), stored.lines(part), strict=True)]
    assert len(pages) == 5
    for result, lines in pages:
        again = evaluation_from_lines(lines, stored.config.settings)
        assert again[measure].counts == result.evaluation[measure].counts
        shown = line_results(again, lines.measure)
        assert [(o.gt, o.hyp, o.distance) for o in shown.lines] == [
            (o.gt, o.hyp, o.distance) for o in lines.lines
        ]
        assert sum(o.n_hyp for o in shown.unmatched) == sum(o.n_hyp for o in lines.unmatched)


def test_a_store_with_lines_has_an_html_report(top, capsys):
    store, html = str(top / "s"), top / "report.html"
    options = ["eval", str(top / "gt"), str(top / "hyp"), "-m", "CER:R,WER:R", "--store", store]
    assert main(options) == 0
    assert main(["report", store, "--html", str(html)]) == 2
    assert "does not contain the lines of the page 00000" in capsys.readouterr().err
    assert not html.exists()
    assert main([*options, "--store-lines"]) == 0
    for more in ([], ["--per-page"]):
        assert main(["report", store, "--html", str(html), *more]) == 0
        assert html.read_text().count('id="read') == 5
        html.unlink()


def test_the_html_report_of_a_store_has_no_absolute_paths(top):
    store, html = str(top / "s"), top / "report.html"
    assert (
        main(["eval", str(top / "gt"), str(top / "hyp"), "-m", "CER:R", "--store", store, "--store-lines"])
        == 0
    )
    assert main(["report", store, "--html", str(html)]) == 0
    data = blocks(html.read_text())
    assert (data["overview"]["gt"], data["overview"]["hyps"]) == ("gt", ["hyp"])
    assert data["page0"]["file"].startswith("gt/")
    assert data["read0-0"]["file"].startswith("hyp/")
    assert str(top) not in json.dumps(data)
    assert main(["report", store, "--html", str(html), "--full-paths"]) == 0
    assert blocks(html.read_text())["page0"]["file"].startswith(str(top / "gt"))


def test_a_store_keeps_the_parts_of_errors_and_warnings(top):
    """The reports of a run and of its store name the same file, element and reason."""
    (top / "gt/00001.txt").write_bytes(b"text: a\xff")
    (top / "hyp/00002.txt").write_text("a: b\x01")
    found = []
    for command in (["eval", str(top / "gt"), str(top / "hyp"), "-m", "CER"], ["report"]):
        store = [str(top / "s")] if command == ["report"] else ["--store", str(top / "s")]
        assert main([*command, *store, "--json", str(top / "out.json")]) == 1
        result = json.loads((top / "out.json").read_text())
        found.append((result["failed"], {page["page"]: page["warnings"] for page in result["pages"]}))
    assert found[0] == found[1]
    assert "byte 7" in json.dumps(found[0])
