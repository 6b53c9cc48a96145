"""The same recognition in several formats gives the same scores.

Tesseract 5.3 wrote ALTO, hOCR and text in the same run. The PAGE files are of another run, of version 5.5,
and are compared only with each other: with lines, and with lines and words.
"""

from __future__ import annotations

import pytest

import pagemeter as pm
from helpers import SHARED, needs_shared

PAGES = SHARED / "pages"
IDS = ("CER:R", "CER", "CER:RS", "WER:R", "WER:RS", "BOW")


def gt_of(path):
    return next((path.parents[1] / "gt").glob(f"{path.name.partition('.')[0]}.*"), None)


def same_run():
    """Return pairs of an ALTO file and the same page as hOCR or text."""
    for alto in sorted(PAGES.glob("*/hyp-tesseract*/*.xml")):
        for suffix in (".hocr", ".txt"):
            other = alto.with_suffix(suffix)
            if other.exists() and gt_of(alto):
                yield pytest.param(alto, other, id=f"{alto.parent.name}-{other.name}")


def with_words():
    """Return pairs of a PAGE file with lines and the same page with lines and words."""
    for words in sorted(PAGES.glob("*/hyp-tesseract553*-words/*.xml")):
        lines = words.parents[1] / words.parent.name.removesuffix("-words") / words.name
        if lines.exists() and gt_of(lines):
            yield pytest.param(lines, words, id=words.name)


@needs_shared
@pytest.mark.parametrize(("one", "other"), [*same_run(), *with_words()])
def test_the_same_recognition_in_two_formats_has_the_same_scores(one, other):
    gt = pm.load(gt_of(one))
    first, second = (pm.evaluate(gt, path, IDS) for path in (one, other))
    assert {name: first[name] for name in IDS} == {name: second[name] for name in IDS}
