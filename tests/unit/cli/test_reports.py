"""The command line: reports, details by page and line, and limits."""

from __future__ import annotations

import csv
import json

import pytest

from collected import evaluate
from pagemeter import Measure, Score
from pagemeter.cli.eval import RateLimit
from pagemeter.corpus import Totals
from pagemeter.corpus.score_table import pack_scores
from pagemeter.errors import UsageError
from pagemeter.score import Counts


def rows(path):
    return list(csv.DictReader(path.read_text().splitlines()))


def test_an_html_report_is_complete(run, good):
    code, _, err = evaluate(run, good, "-m", "CER", "--html", good / "out.html", "--html-size", "0.5")
    assert (code, err) == (0, "")
    assert (good / "out.html").read_text().endswith("</html>\n")


def test_the_size_of_an_html_report_is_not_negative(run, good):
    code, _, err = evaluate(run, good, "-m", "CER", "--html", good / "out.html", "--html-size", "-1")
    assert (code, err) == (2, "pagemeter: --html-size -1: give megabytes, 0 or more\n")
    assert not (good / "out.html").exists()


def test_a_rate_above_its_limit_gives_exit_code_1(run, good):
    code, _, err = evaluate(run, good, "-m", "CER", "--fail-above", "CER=0.05")
    assert code == 1
    assert "CER is 8.33 %, above the limit of 5.00 %" in err
    assert evaluate(run, good, "--fail-above", "CER=10%")[0] == 0


def test_a_limit_adds_its_measure(run, good):
    _, out, _ = evaluate(run, good, "-m", "WER", "--fail-above", "CER:SR=1")
    assert "measures:WER,CER:RS|" in out


def test_a_limit_above_1_has_to_be_per_cent():
    with pytest.raises(UsageError, match=r"5 is 500%. Write CER:R=5%, or CER:R=500% if that is meant"):
        RateLimit.parse("CER:R=5")
    assert RateLimit.parse("CER:R=150%").rate == 1.5
    assert RateLimit.parse("CER:R=1").rate == 1


@pytest.mark.parametrize(
    ("rate", "said"),
    [
        (0.03, "CER is 4.00 … 5.00 %, above the limit of 3.00 %"),
        (
            0.04,
            (
                "CER may be above the limit of 4.00 %: only 4.00 … 5.00 % is proven; "
                "increase --effort to prove more"
            ),
        ),
        (0.05, None),
    ],
)
def test_a_limit_inside_the_unproven_range_counts_as_exceeded(rate, said):
    score = Score(Measure("CER"), Counts(sub=5, cor=95), 4)
    totals = Totals(pages=1)
    totals.table.append(pack_scores({score.measure: score}, {}, {}))
    assert RateLimit(score.measure, rate).exceeded(totals) == said


@pytest.mark.parametrize("text", ["CER=x", "CER=-1", "CER=nan", "=0.5", "XER=0.5", "CER:RS"])
def test_an_invalid_limit_is_wrong_usage(text):
    with pytest.raises(UsageError):
        RateLimit.parse(text)


def test_all_reports_are_written(run, good):
    paths = {kind: good / f"out.{kind}" for kind in ("json", "csv", "markdown")}
    options = [part for kind, path in paths.items() for part in (f"--{kind}", path)]
    assert evaluate(run, good, "-m", "CER", *options)[0] == 0
    assert json.loads(paths["json"].read_text())["summary"]["pages"] == 2
    assert len(rows(paths["csv"])) == 3
    assert paths["markdown"].read_text().startswith("<!-- pagemeter report -->\n\n| measure |")


def test_nothing_else_is_printed_if_json_is_written_to_standard_output(run, top):
    code, out, err = evaluate(run, top, "-m", "CER", "--json", "-")
    assert code == 1
    assert json.loads(out)["unpaired"]["gt"] == [f"{top}/gt/3.gt.txt"]
    assert "no hypothesis" in err


def test_two_reports_cannot_share_a_file(run, good):
    assert evaluate(run, good, "--json", "-", "--csv", "-")[0] == 2
    assert evaluate(run, good, "--json", good / "x", "--csv", good / "x")[0] == 2


def test_a_report_that_cannot_be_written_is_an_error_before_the_evaluation(run, good):
    code, out, err = evaluate(run, good, "--json", good / "no/such/x.json")
    assert (code, out) == (2, "")
    assert "no/such" in err


def test_per_page_shows_every_page(run, good):
    _, out, _ = evaluate(run, good, "-m", "CER", "--per-page")
    assert "Pages\n" in out
    assert "\n1 " in out
    assert "\n2 " in out


def test_per_line_shows_lines_with_errors(run, good):
    _, out, _ = evaluate(run, good, "-m", "BOW", "-m", "CER", "--per-line")
    assert "2, line 1: 2 errors, 11 characters (CER)\n  GT   second page\n  HYP  secund pace\n" in out


def test_per_line_goes_into_json_and_csv(run, good):
    evaluate(run, good, "-m", "CER", "--per-line", "--json", good / "a.json", "--csv", good / "a.csv")
    pages = json.loads((good / "a.json").read_text())["pages"]
    assert pages[1]["lines"][0]["distance"] == 2
    assert [row["distance"] for row in rows(good / "a.csv")] == ["0", "0", "2"]


def test_per_line_of_a_bag_of_words_is_wrong_usage(run, good):
    assert evaluate(run, good, "-m", "BOW", "--per-line")[0] == 2
