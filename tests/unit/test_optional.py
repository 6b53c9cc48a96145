"""Optional lines, ignored lines and partial ground truth as settings."""

from __future__ import annotations

import re

import pytest

import pagemeter as pm
from pagemeter.alignment import Aligner
from pagemeter.errors import UsageError
from pagemeter.measure import ALL
from pagemeter.page import Line, Page
from pagemeter.score import Counts
from pagemeter.settings import Settings

BODY = ["the first line of the page", "and the second line of it"]


def page(*lines: tuple[str, str]) -> Page:
    """Return a page of lines (text, type), one below the other."""
    return Page(
        tuple(
            Line(text, ((0, 50 + 100 * y), (400, 50 + 100 * y)), type=kind)
            for y, (text, kind) in enumerate(lines)
        )
    )


WITH_HEADER = page(("The Times", "header"), *((text, "text") for text in BODY))
HEADER_READ = page(("The Tines", "text"), *((text, "text") for text in BODY))
HEADER_LEFT_OUT = page(*((text, "text") for text in BODY))


def errors(gt, hyp, measure: str, **settings) -> int:
    return pm.evaluate(gt, hyp, [measure], **settings)[measure].errors


@pytest.mark.parametrize("measure", [str(m) for m in ALL if not m.geometry])
def test_an_optional_header_may_be_read_or_left_out(measure):
    read, left_out = (
        pm.evaluate(WITH_HEADER, hyp, [measure], gt_optional="header")[measure]
        for hyp in (HEADER_READ, HEADER_LEFT_OUT)
    )
    assert left_out.errors == 0
    assert read.errors == 1
    assert read.n_gt == left_out.n_gt == pm.evaluate(BODY, BODY, [measure])[measure].n_gt
    assert left_out.optional == Counts()
    assert errors(WITH_HEADER, HEADER_LEFT_OUT, measure) > 0


def test_matched_optional_text_is_reported_separately():
    score = pm.evaluate(WITH_HEADER, HEADER_READ, ["CER:R"], optional="header")["CER:R"]
    assert (score.errors, score.extra, score.wrong, score.missing) == (1, 1, 0, 0)
    assert (score.optional.cor, score.optional.sub, score.optional.n_gt) == (8, 1, 9)
    assert (score + score).optional.n_gt == 18


@pytest.mark.parametrize("measure", [str(m) for m in ALL])
def test_ignored_lines_are_not_compared(measure):
    body = Page(WITH_HEADER.lines[1:])
    assert errors(WITH_HEADER, body, measure, ignore="header,footer") == 0
    assert errors(body, WITH_HEADER, measure, hyp_ignore=["header"]) == 0
    assert errors(WITH_HEADER, body, measure, hyp_ignore="header") > 0
    assert len(pm.evaluate(WITH_HEADER, body, [measure], gt_ignore="header").gt.lines) == 2


@pytest.mark.parametrize("measure", [str(m) for m in ALL if not m.geometry])
def test_with_a_partial_ground_truth_extra_text_costs_nothing(measure):
    hyp = ["an advertisement", *BODY, "another article, which was not transcribed"]
    assert errors(BODY, hyp, measure, partial=True) == 0
    assert errors(BODY, hyp, measure) > 0
    missing = 25 if measure.startswith("CER") else 6
    assert errors(BODY, [hyp[0], BODY[0], hyp[3]], measure, partial=True) <= missing


def test_the_edits_have_the_errors_of_the_score():
    hyp = ["an advertisement", "the frst line of the page and", "the second line of ot", "more text"]
    for settings in (
        {"partial": True},
        {"gt_optional": "header"},
        {"gt_optional": "header", "partial": True},
    ):
        evaluation = pm.evaluate(WITH_HEADER, hyp, [m for m in ALL if not m.geometry], **settings)
        aligner = Aligner(evaluation)
        for measure, score in evaluation.scores.items():
            if measure.is_bag:
                continue
            assert aligner.align(measure).counts.errors == score.errors
            assert evaluation.kinds[measure].errors == score.errors


def test_a_warning_suggests_a_partial_ground_truth():
    hyp = [*BODY, "and then there is another column", "that nobody has transcribed so far"]
    (warning,) = pm.evaluate(BODY, hyp, ["CER:S"]).warnings
    assert re.fullmatch(
        r"hypothesis: it has 2\.\d times as much text as the ground truth, and most of the ground truth was "
        r"found in it\. If the ground truth covers only a part of the page, use partial\.",
        str(warning),
    )
    assert not pm.evaluate(BODY, hyp, ["CER:S"], partial=True).warnings
    assert not pm.evaluate(BODY, BODY, ["CER:S"]).warnings
    assert not pm.evaluate(BODY, BODY + BODY[-1:] * 20, ["CER:S"]).warnings  # a loop


def test_the_settings_are_in_the_signature():
    settings = Settings(optional=["header", "footer"], hyp_ignore="figure", partial=True)
    assert "|optional:footer,header|" in settings.signature
    assert "|hyp_ignore:figure|partial:yes|" in settings.signature
    assert Settings.from_signature(settings.signature) == settings


def test_invalid_values_are_named():
    with pytest.raises(UsageError, match="did you mean header"):
        Settings(optional="headre")
    with pytest.raises(UsageError, match="partial='maybe': give True or False"):
        Settings(partial="maybe")
    with pytest.raises(UsageError, match="the paper know no optional text"):
        Settings(solver="paper", partial=True)
