"""The details of a page as the scripts read them."""

from __future__ import annotations

import pytest

from pagemeter import Line, Page, evaluate
from pagemeter.alignment import Aligner
from pagemeter.corpus import PageResult
from pagemeter.errors import Problem
from pagemeter.measure import ALL
from pagemeter.report.html.images import Image
from pagemeter.report.html.pages import gt_block, hyp_block
from pagemeter.report.names import ShownPaths


def blocks(gt, hyp, measures, **settings):
    evaluation = evaluate(gt, hyp, measures, **settings)
    done, aligner = PageResult("page", "gt.xml", "hyp.xml", evaluation), Aligner(evaluation, breaks=True)
    return gt_block(done, aligner), hyp_block(done, aligner, Image("a.png"))


def block(gt, hyp, measures, **settings):
    return blocks(gt, hyp, measures, **settings)[1]


def placed(text, *points):
    return Line(text, baseline=points)


def test_lines_have_text_id_and_position():
    gt = Page(
        (Line("one", ((1.4, 2), (3, 4.6)), id="l1"), Line("two", polygon=((0, 0), (9, 0), (9, 9)))),
        width=20,
        height=10,
    )
    found, read = blocks(gt, Page((Line("one"),)), ["CER"])
    assert found["lines"] == [
        ["one", "l1", [1, 2, 3, 5], 0, 0, 0],
        ["two", None, [0, 0, 9, 0, 9, 9], 1, 0, 0],
    ]
    assert (found["size"], read["size"]) == ([20, 10], None)
    assert read["lines"] == [[None, [], 1, 0, 0]]
    assert read["image"] == {"href": "a.png", "embedded": False, "note": None}


def test_long_baselines_are_thinned_and_keep_their_ends():
    points = tuple((x, x % 7) for x in range(500))
    ((_, _, place, *_),) = blocks(Page((placed("a", *points),)), "a", ["CER"])[0]["lines"]
    assert len(place) == 48
    assert (place[0], place[-2]) == (0, 499)


def test_equal_lines_have_no_edits_and_pairs_are_stored_once():
    found = block(["one two", "three"], ["one too", "three"], ["CER:R", "CER", "CER:S"])
    for measure in ("CER:R", "CER", "CER:S"):
        assert found["measures"][measure]["lines"] == [[0, 1, 0, [0, 2]], [1, 0, -1, [2, 3]]]
    assert found["edits"] == [[0, "one t", 1, "w", "o", 0, "o"]]


def test_breaks_of_the_hypothesis_are_kept():
    found = block(["one two"], ["one", "two"], ["CER:S", "WER:S"])
    assert found["edits"] == [[4, "one two", "one\ntwo"], [4, "one two", "one\ntwo"]]


def test_missing_and_extra_text_has_one_side():
    assert block(["abcd"], ["bcdx"], ["CER"])["edits"] == [[2, "a", 0, "bcd", 3, "x"]]
    assert block(["one two"], ["two"], ["BOW"])["edits"] == [[2, "one", 0, "two"]]


def test_lines_and_text_without_a_match():
    found = block(["one", "xyz"], ["one", "", "5 6"], ["CER:R"])
    assert found["measures"]["CER:R"]["lines"] == [[0, 0, -1, [0, 1]], [1, 3, 0, [1, 3], 24]]
    found = block(["one"], ["one", "5 6"], ["CER:R"])
    assert found["measures"]["CER:R"]["left"] == [[1, 3, 3]]
    found = block(["one", "two"], ["one"], ["CER:R"])
    assert found["measures"]["CER:R"]["lines"] == [[0, 0, -1, [0, 1]]]


def test_a_bag_lists_its_words():
    found = block(["one two"], ["two", "six one"], ["BOW"])
    assert found["measures"]["BOW"] == {"lines": [[0, 0, -1, [2, 0]]], "left": [[1, 2, 1]]}
    assert found["words"] == {"WER": [["two"], ["six", "one"]]}


def test_lines_have_the_number_of_tokens_of_each_unit():
    assert blocks(["a bc", ""], [], ["CER", "WER"])[0]["n"] == {"CER": [4, 0], "WER": [2, 0]}


def test_every_measure_and_tokeniser_has_a_block():
    gt = Page((placed("its, the", (0, 50), (300, 50)), placed("old mill", (0, 150), (300, 150))))
    for tokeniser in ("whitespace", "punctuation", "uax29"):
        found = block(gt, gt, ALL, tokeniser=tokeniser)
        assert set(found["measures"]) == set(map(str, ALL))


@pytest.mark.parametrize(
    ("baseline", "polygon", "expected"),
    [
        (((0, 50), (100, 50)), ((0, 20), (100, 20), (100, 60), (0, 60)), [30, 10]),
        (((100, 50), (0, 50)), ((0, 20), (100, 20), (100, 60), (0, 60)), [30, 10]),  # from right to left
        (((50, 100), (50, 0)), ((20, 0), (60, 0), (60, 100), (20, 100)), [30, 10]),  # upwards
        (((50, 0), (50, 100)), ((20, 0), (60, 0), (60, 100), (20, 100)), [10, 30]),  # downwards
        (((5, 5), (5, 5)), ((0, 0), (9, 9)), [0, 0]),
        (((0, 50), (100, 50)), None, [0, 0]),
    ],
)
def test_the_outline_reaches_above_and_below_the_baseline(baseline, polygon, expected):
    page = Page((Line("a", baseline, polygon),))
    assert blocks(page, page, ["CER"])[0]["lines"][0][4:] == expected


def test_lines_have_their_kinds_of_errors_and_their_types():
    gt = Page((Line("a long line of the page"), Line("short", type="heading"), Line("same")))
    hyp = ["a long line of tke page", "other words than these", "same"]
    found, read = blocks(gt, hyp, ["CER:R", "BOW"])
    by_line = {
        line: kinds for line, *_, kinds in read["measures"]["CER:R"]["lines"] if isinstance(kinds, int)
    }
    assert by_line == {1: 4 + 8 + 16}, (
        "invented and replaced in a pair that is not alike; misread is left out"
    )
    assert (found["types"], read["types"]) == ({"heading": [1]}, {})


@pytest.mark.parametrize(
    ("gt", "hyp", "unlike"),
    [
        ("7.304.", "qe fs 7.304. | traction des metaux", False),  # two columns that were read as one line
        ("a long line of the page that ends here", "of the page", False),  # a part of the line
        ("found a purse", "found a purse" + " and a purse" * 40, False),  # a loop after the text
        ("the old mill", "an other text, of nothing", True),
        ("0", "x", True),
    ],
)
def test_a_line_inside_the_other_is_no_other_text(gt, hyp, unlike):
    (line,) = block([gt], [hyp], ["CER:R"])["measures"]["CER:R"]["lines"]
    assert bool(line[4] & 16) == unlike


def test_paths_are_relative_to_the_arguments():
    evaluation = evaluate("a", "b", ["CER"])
    warning = Problem("no text", "/home/ada/run/hyp/1.xml", remedy="see /elsewhere/gt/1.xml")
    done = PageResult("1", "/elsewhere/gt/1.xml", "/home/ada/run/hyp/1.xml", evaluation, (warning,))
    aligner = Aligner(evaluation, breaks=True)
    shown = ShownPaths(("/home/ada/run/gt", "/home/ada/run/hyp"))
    assert gt_block(done, aligner, shown)["file"] == "1.xml"
    read = hyp_block(done, aligner, None, paths=shown)
    assert (read["file"], read["warnings"]) == ("hyp/1.xml", ["hyp/1.xml: no text. See 1.xml."])
    full = ShownPaths(("/home/ada/run/gt", "/home/ada/run/hyp"), full=True)
    assert hyp_block(done, aligner, None, paths=full)["file"] == "/home/ada/run/hyp/1.xml"
