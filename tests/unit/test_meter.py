"""The accumulator of scores for training loops."""

from __future__ import annotations

import pickle
from pathlib import Path

import numpy as np
import pytest

import pagemeter as pm
from pagemeter.errors import UsageError

GT = ["one line", "another", "a third"]
HYP = ["one lime", "another", "third"]


def filled(gt=GT, hyp=HYP, measures=("CER:R", "WER:R"), **options) -> pm.Meter:
    meter = pm.Meter(measures, **options)
    meter.update(gt, hyp)
    return meter


def test_pages_and_batches_add_up_to_the_result_of_the_collection():
    expected = pm.evaluate_corpus(GT, HYP, ["CER:R", "WER:R"])
    one_by_one, batches = pm.Meter(["CER:R", "WER:R"]), pm.Meter("CER:R, WER:R")
    for gt, hyp in zip(GT, HYP, strict=True):
        assert one_by_one.update(gt, hyp) is None
    batches.update(GT[:2], np.array(HYP[:2]))
    batches.update((GT[2],), iter(HYP[2:]))
    for meter in (one_by_one, batches):
        assert meter.compute() == expected == expected.totals
        assert meter.compute().to_json() == expected.to_json()
        assert len(meter) == 3
    assert meter.compute()["CER:R"].errors == 3


def test_a_meter_is_empty_before_the_first_page_and_after_a_reset():
    meter = filled()
    meter.reset()
    assert (len(meter), dict(meter.compute()), bool(meter)) == (0, {}, True)
    assert repr(meter) == "<Meter of 0 pages>"
    meter.update("one", "ore")
    assert (meter.compute()["CER:R"].errors, meter.compute().pages[0].name) == (1, "0")


def test_lists_of_strings_are_batches_and_a_page_of_lines_is_in_a_list():
    lines, swapped = ["one", "two"], ["two", "one"]
    batch, page = filled(lines, swapped, ("CER",)), filled([lines], [swapped], ("CER",))
    assert [len(meter) for meter in (batch, page)] == [2, 1]
    assert (batch.compute()["CER"].errors, page.compute()["CER"].errors) == (6, 0)


@pytest.mark.parametrize(
    ("gt", "hyp"),
    [
        ("one\ntwo", ["two", "one"]),
        (["one", "two"], pm.Page.from_text("two\none")),
        (Path("page.txt"), "two\none"),
        ({"name": "one\ntwo"}, {"name": ["two", "one"]}),
    ],
    ids=str,
)
def test_one_page_is_given_in_any_form(gt, hyp, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("page.txt").write_text("one\ntwo")
    meter = filled(gt, hyp, ("CER",))
    assert (len(meter), meter.compute()["CER"].errors) == (1, 0)


def test_a_missing_page_counts_as_missing():
    assert filled("one", None).compute()["CER:R"].missing == 3
    assert filled(["one", "two"], [None, "two"]).compute()["CER:R"].missing == 3


@pytest.mark.parametrize(
    ("gt", "hyp", "message"),
    [
        (["a"], ["a", "b"], r"1 ground truths and 2 hypotheses. .* update\(\[lines\], \[lines\]\)"),
        (["a"], None, "one None per page"),
        (["a"], [3], r"int \(hyp\[3\]\)"),
        (["a"], {"a": "a"}, "one side is a dictionary"),
    ],
)
def test_a_wrong_batch_is_refused_and_changes_nothing(gt, hyp, message):
    meter = filled()
    with pytest.raises(UsageError, match=message):
        meter.update(gt, hyp)
    assert len(meter) == 3


def test_meters_of_several_processes_are_added():
    halves = [pickle.loads(pickle.dumps(filled(GT[part], HYP[part]))) for part in (slice(2), slice(2, 3))]  # noqa: S301
    both = sum(halves)
    assert both.compute().to_pandas().equals(filled().compute().to_pandas())
    assert [len(meter) for meter in (*halves, both)] == [2, 1, 3]
    both += filled("one", "two")
    assert [page.name for page in both.compute().pages] == ["0", "1", "2", "3"]


@pytest.mark.parametrize(
    ("other", "message"),
    [
        (pm.Meter(["CER:R", "WER:R"], case="fold"), "case:keep and case:fold"),
        (pm.Meter("CER:R"), "measures:CER:R,WER:R and measures:CER:R"),
        (pm.Meter(["CER:R", "WER:R"], skip_missing=True), "different settings: missing:skip"),
    ],
)
def test_meters_with_other_settings_do_not_add(other, message):
    with pytest.raises(UsageError, match=message):
        filled() + other


@pytest.mark.parametrize("other", [1, None, "a"])
def test_only_meters_are_added(other):
    with pytest.raises(TypeError):
        filled() + other
    with pytest.raises(TypeError):
        other + filled()


def test_the_report_needs_details(tmp_path):
    with pytest.raises(UsageError, match="details=True"):
        filled().compute().to_html(tmp_path / "report.html")
    filled(details=True).compute().to_html(tmp_path / "report.html")
    assert (tmp_path / "report.html").exists()


def test_wrong_options_are_refused_when_the_meter_is_made():
    with pytest.raises(UsageError, match=r"unknown option 'cases' \(did you mean case"):
        pm.Meter(cases="fold")
