"""`pagemeter eval --confidences`, and the same in Python."""

from __future__ import annotations

import json

import pytest

import pagemeter as pm
from pagemeter.report.plots import rejection_plot
from pagemeter.report.tables import thinned


@pytest.fixture
def folders(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for number, (text, *words) in enumerate(
        [("one two", ("one", 0.9), ("too", 0.4)), ("three", ("three", 0.8))]
    ):
        for side in ("gt", "hyp"):
            (tmp_path / side).mkdir(exist_ok=True)
        (tmp_path / "gt" / f"{number}.txt").write_text(text)
        line = pm.Line(" ".join(one for one, _ in words), words=[pm.Word(*word) for word in words])
        pm.save(pm.Page([line]), tmp_path / "hyp" / f"{number}.json")
    return tmp_path


def test_reports_have_calibration_and_rejection(run, folders):
    arguments = ["--confidences", "--json", "r.json", "--html", "r.html", "--jobs", "1"]
    code, out, err = run("eval", "gt", "hyp", "-m", "WER:R", *arguments)
    assert code == 0, err
    assert "confidences of 3 words: mean 70.00 %, right 66.67 %" in out
    result = json.loads((folders / "r.json").read_text())
    found = result["confidences"]
    assert (found["words"], found["right"], found["unknown"]) == (3, pytest.approx(2 / 3), 0)
    assert [one["words"] for one in found["calibration"]] == [1, 1, 1]
    assert [(one["threshold"], one["error_rate"]) for one in found["rejection"]] == [
        (0.9, 0),
        (0.8, 0),
        (0.4, pytest.approx(1 / 3)),
    ]
    assert [page["confidences"]["words"] for page in result["pages"]] == [2, 1]
    assert (folders / "r.html").stat().st_size > 1000


def test_without_the_option_nothing_is_read_or_reported(run, folders):
    code, out, err = run("eval", "gt", "hyp", "-m", "WER:R", "--json", "r.json")
    assert code == 0, err
    assert "confidences" not in out
    assert "confidences" not in (folders / "r.json").read_text()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["-m", "CER:R"], "--confidences: a measure of words decides which words are right"),
        (["--store", "s"], "a results store does not keep confidences"),
    ],
)
@pytest.mark.usefixtures("folders")
def test_impossible_combinations_are_refused(run, arguments, message):
    code, _, err = run("eval", "gt", "hyp", "--confidences", *arguments)
    assert code == 2
    assert message in err


@pytest.mark.usefixtures("folders")
def test_confidences_in_python(tmp_path):
    result = pm.evaluate_corpus("gt", "hyp", ["CER:R", "WER:RS"], confidences=True)
    words = result.outcome.totals.confidences
    assert words.right == {0.9: 1, 0.8: 1}
    assert rejection_plot(words).title == "error rate of 3 words by the share that is kept"
    assert json.loads(result.to_json())["confidences"]["words"] == 3
    result.to_html(tmp_path / "r.html")
    plain = pm.evaluate_corpus("gt", "hyp", ["WER:RS"])
    assert plain.outcome.totals.confidences is None
    assert all(line.words == () for line in plain.pages[0].evaluation.hyp.lines)


def test_long_curves_are_thinned():
    from pagemeter.alignment import WordConfidences

    words = WordConfidences({number / 10_000: 1 for number in range(10_000)})
    points = thinned(words)
    assert 90 <= len(points) <= 102
    assert points[-1] == words.rejection[-1]
