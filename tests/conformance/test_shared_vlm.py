"""Samples of the output of vision-language models: each has the words of its ground truth."""

from __future__ import annotations

import pytest

from helpers import SHARED, needs_shared
from pagemeter.cli import main
from pagemeter.formats import load

SAMPLES = SHARED / "vlm" / "samples"
pytestmark = [
    needs_shared,
    pytest.mark.skipif(not SAMPLES.is_dir(), reason=f"the samples of models are not in {SAMPLES}"),
]

TEXTS = {
    "dots.json": {
        "Journal of X": "header",
        "The old mill by the river.": "text",
        "a b": "table",
        "x2": "formula",
        "12": "footer",
    },
    "docling.json": {"The old mill": "text"},
    "deepseek.md": {"The old mill by the river.": "text"},
    "churro.xml": {"Anno domini 1451": "header", "In nomine domini amen.": "text"},
    "olmocr.jsonl": {"The old mill by the river.": "text"},
}


@pytest.mark.parametrize("name", TEXTS)
def test_texts_and_types(name):
    assert {line.text: line.type for line in load(SAMPLES / name).lines} == TEXTS[name]


@pytest.mark.parametrize(
    ("gt", "hyp"), [("gt.txt", "deepseek.md"), ("gt.txt", "olmocr.jsonl"), ("gt.jsonl", "olmocr.jsonl")]
)
def test_answers_without_errors(gt, hyp):
    files = [str(SAMPLES / name) for name in (gt, hyp)]
    assert main(["eval", *files, "-m", "CER:R", "--fail-above", "CER:R=0"]) == 0
