"""Metrics in the manner of Hugging Face evaluate."""

from __future__ import annotations

import math

import pytest

import pagemeter as pm
from pagemeter.compat.huggingface import PageMetric
from pagemeter.errors import UsageError

PREDICTIONS = ["this is the prediction", "there is an other sample"]
REFERENCES = ["this is the reference", "there is another one"]


@pytest.mark.parametrize(("name", "expected"), [("cer", 0.34146341463414637), ("wer", 0.5)])
def test_the_examples_of_evaluate(name, expected):
    metric = PageMetric(name)
    assert metric.compute(predictions=PREDICTIONS, references=REFERENCES) == expected
    for prediction, reference in zip(PREDICTIONS, REFERENCES, strict=True):
        metric.add(prediction=prediction, reference=reference)
    assert metric.compute() == expected
    metric.add_batch(predictions=PREDICTIONS[:1], references=REFERENCES[:1])
    assert metric.compute(predictions=PREDICTIONS[1:], references=REFERENCES[1:]) == expected
    assert len(metric) == 0
    assert metric


def test_measures_of_pagemeter_are_returned_by_name():
    metric = PageMetric(["CER:R", "CER:S"], case="fold")
    assert metric.name == "CER:R, CER:S"
    metric.add(prediction=pm.Page.from_text("two\nONE"), reference="one\ntwo")
    assert metric.evaluation.signature.startswith("measures:CER:R,CER:S|")
    assert metric.compute() == {"CER:R": 1.0, "CER:S": 0.0}


def test_a_missing_prediction_is_a_missing_page():
    metric = PageMetric("wer")
    assert metric.compute(predictions=[None, "b"], references=["a", "b"]) == 0.5


def test_only_predictions_are_infinite():
    assert PageMetric("cer").compute(predictions=["a"], references=[""]) == math.inf


@pytest.mark.parametrize(
    "arguments",
    [
        {"predictions": ["a"]},
        {"references": ["a"]},
        {"predictions": ["a"], "references": ["a", "b"]},
        {"predictions": "a", "references": "a"},
        {"predictions": ["a"], "references": [None]},
        {},
    ],
)
def test_incomplete_input_is_refused(arguments):
    with pytest.raises(UsageError):
        PageMetric("cer").compute(**arguments)


def test_unknown_names_are_refused():
    with pytest.raises(UsageError):
        PageMetric("bleu")
    with pytest.raises(UsageError):
        PageMetric("cer", colour="red")
