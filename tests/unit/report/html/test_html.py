"""The report as a file: its content, that texts are never executed, and its size."""

from __future__ import annotations

import base64
import io
import re
import zlib
from html.parser import HTMLParser
from pathlib import Path

import pytest

from pagemeter import Line, Page, evaluate
from pagemeter.corpus import Outcome, PageResult, Totals
from pagemeter.errors import Problem
from pagemeter.measure import ALL
from pagemeter.report import html as html_report
from pagemeter.report.html import (
    STYLES,
    HtmlFile,
    Images,
    Overview,
    SizeLimit,
    SystemTotals,
    asset,
    content_security_policy,
    modules,
    report_policy,
    script,
)
from pagemeter.stats.bootstrap import Interval
from reported import BLOCK, blocks

EVIL = "</script><script>alert(1)</script><img src=x onerror=alert(2)> & \" ' <!--"
FREE = [measure for measure in ALL if not measure.geometry]


def result(name, gt, hyp, measures=FREE, **fields):
    return PageResult(name, f"gt/{name}", f"hyp/{name}", evaluate(gt, hyp, measures), **fields)


def written(results, limit=None, images=None, intervals=None):
    file, totals = io.StringIO(), Totals()
    sink = HtmlFile(file, io.BytesIO(), images or Images(Path()), limit)
    for one in results:
        totals.add(one)
        sink.add(one)
    sink.finish(Outcome(totals, "the|signature<", (), intervals or {}))
    return file.getvalue()


@pytest.fixture(scope="module")
def evil():
    gt = Page((Line(EVIL, id=EVIL), Line("second")), source=EVIL, image=EVIL)
    return written([result(EVIL, gt, Page((Line(EVIL + "x"),)))])


def test_texts_are_never_executed(evil):
    assert "alert" not in evil
    assert (
        len(re.findall("<script", evil, re.IGNORECASE)) == 5
    )  # the overview, the code, its loader, ground truth, hypothesis
    found = blocks(evil)
    assert found["overview"]["pages"]["name"] == [EVIL]
    assert found["page0"]["lines"][0][:2] == [EVIL, EVIL]


def test_the_script_contains_nothing_that_ends_it():
    for code in (script(), asset("loader.js")):
        assert "</script" not in code.lower()
        assert "<!--" not in code


def test_the_report_contains_the_script_of_its_policy(evil):
    contents = dict(BLOCK.findall(evil))
    code = zlib.decompress(base64.b64decode(contents["code"])).decode()
    (loader,) = re.findall("<script>(.*?)</script>", evil, re.DOTALL)
    assert code == script()
    assert report_policy() == content_security_policy(loader, code)
    assert f'content="{report_policy()}"' in evil


def test_only_the_script_may_run_and_nothing_is_fetched(evil):
    policy = re.search(r'Content-Security-Policy" content="([^"]+)"', evil)[1]
    assert "default-src 'none'" in policy
    assert "script-src 'sha256-" in policy
    assert "http" not in policy
    for called in ("fetch(", "XMLHttpRequest", "innerHTML", "insertAdjacentHTML", "document.write", "eval("):
        assert called not in script() + asset("loader.js")


class Tags(HTMLParser):
    """The open elements, to check that each is closed."""

    VOID = frozenset(("meta", "link", "input", "br"))

    def __init__(self):
        super().__init__()
        self.open, self.ids = [], []

    def handle_starttag(self, tag, attrs):
        self.ids += [value for name, value in attrs if name == "id"]
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def test_elements_are_closed_and_ids_are_unique(evil):
    tags = Tags()
    tags.feed(evil)
    assert tags.open == []
    assert len(set(tags.ids)) == len(tags.ids)


def test_every_asset_is_used():
    folder = Path(html_report.__file__).parent / "assets"
    there = {path.name for path in folder.iterdir() if path.suffix in (".js", ".css")}
    assert there == {*modules(), *STYLES, "loader.js"}


def test_no_name_is_defined_twice():
    names = re.findall(r"^(?:async )?(?:function|class|const|let) (\w+)", script(), re.MULTILINE)
    assert len(set(names)) == len(names)


def test_the_overview_has_the_totals_and_the_counts_of_every_page():
    pages = [result("a", "one two", "one too"), result("b", "x", "x", FREE[:1])]
    overview = blocks(written(pages))["overview"]
    assert overview["signature"] == "the|signature<"
    assert overview["counts"][0]["CER:R"]["sub"] == [1, 0]
    assert overview["counts"][0]["WER"]["sub"] == [1]
    assert list(overview["totals"][0]) == ["CER:R"]
    assert overview["measures"][0]["meaning"].startswith("Character errors: lines in reading order")


def test_a_measure_that_the_first_pages_lack_is_null_there():
    pages = [result("a", "x", "x", FREE[:1]), result("b", "one", "one", FREE[:2])]
    counts = blocks(written(pages))["overview"]["counts"][0]
    assert counts[str(FREE[1])]["cor"] == [None, 3]


def test_pages_that_failed_are_listed_and_have_no_block():
    broken = PageResult("broken", "gt", "hyp", errors=(Problem("cut off", "gt"),))
    found = blocks(written([broken, result("a", "x", "y")]))
    assert found["overview"]["failed"] == [["broken", "gt: cut off"]]
    assert set(found) == {"overview", "page0", "read0-0"}


def test_a_missed_page_is_marked():
    missed = PageResult("m", "gt/m", None, evaluate("one", [], FREE))
    overview = blocks(written([missed]))["overview"]
    assert overview["missed"] == [[1]]


def test_without_pages_there_is_still_a_report():
    overview = blocks(written([]))["overview"]
    assert overview["pages"]["name"] == []


def test_budgets_and_intervals_are_formatted_as_on_a_terminal():
    one = result("a", ["the old mill", "by the river"], ["by the riuer the", "old mill"])
    interval = Interval((0.1, 0.2), 0.95, "bootstrap")
    overview = blocks(written([one], intervals={FREE[0]: interval}))["overview"]
    budget = overview["budgets"][0][0]
    assert budget["measure"] == "CER:R"
    assert [share[:3] for share in budget["shares"]] == [
        ["recognition", "recognition", "4.17"],
        ["segmentation", "segmentation", "20.83"],
        ["order", "reading order", "66.67"],
    ]
    assert overview["intervals"] == [{"CER:R": "10.00–20.00 %"}]
    assert overview["confidence"] == "95 % interval"


def test_the_details_of_the_worst_pages_are_preferred():
    good, bad = result("good", "abc " * 50, "abc " * 50), result("bad", "abc " * 50, "abx " * 50)
    full = written([good, bad])
    sizes = {name: len(content) for name, content in BLOCK.findall(full)}
    cut = blocks(written([good, bad], SizeLimit(sizes["page1"] + sizes["read1-0"])))
    assert set(cut) == {"overview", "page1", "read1-0"}
    assert cut["overview"]["pages"]["details"] == [0, 1]
    said = "pages that exceed the size limit: 1 without details. Raise html_size."
    assert cut["overview"]["notes"][-1] == said


def test_pages_without_image_are_counted_with_the_first_reason(tmp_path):
    (tmp_path / "gt").mkdir()
    (tmp_path / "gt/there.png").write_bytes(b"")
    named = (None, "there.png", "gone.png", "gone too.png")
    pages = [
        PageResult(str(i), f"{tmp_path}/gt/{i}", "", evaluate(Page((Line("a"),), image=image), "a", ["CER"]))
        for i, image in enumerate(named)
    ]
    notes = blocks(written(pages, images=Images(tmp_path)))["overview"]["notes"]
    remedy = "Set images to the folder of the images."
    assert notes[-1] == f"2 of 4 pages without image, first 2: gone.png: no such image. {remedy}"
    assert not any("image" in note for note in blocks(written(pages[:2]))["overview"]["notes"])


def test_confusions_point_to_pages_and_lines():
    pages = [result("a", "same", "same"), result("b", ["same", "cat"], ["same", "cut"])]
    found = blocks(written(pages))["overview"]["confusions"][0]
    assert found["CER:S"]["substitution"]["top"] == [["a", "u", 1, "", [[1, 1]]]]
    assert found["WER:S"]["substitution"]["top"] == [["cat", "cut", 1, "", [[1, 1]]]]


def several(*systems):
    """Return the blocks of a report of several systems, each a list of (name, GT, HYP)."""
    file = io.StringIO()
    sink = HtmlFile(file, io.BytesIO(), Images(Path()), systems=len(systems))
    for number, pages in enumerate(systems):
        for name, gt, hyp in pages:
            sink.add(result(name, gt, hyp, ["CER"]), number)
    sink.write(Overview([SystemTotals(f"s{i}", {}, {}, {}) for i in range(len(systems))], "", ()))
    return blocks(file.getvalue())


def test_systems_share_the_ground_truth_of_a_page_in_any_order():
    found = several([("a", "one", "one"), ("b", "two", "tvo")], [("b", "two", "two"), ("a", "one", "ore")])
    assert set(found) == {"overview", "page0", "page1", "read0-0", "read1-0", "read0-1", "read1-1"}
    assert found["overview"]["pages"]["name"] == ["a", "b"]
    assert [counts["CER"]["sub"] for counts in found["overview"]["counts"]] == [[0, 1], [1, 0]]


def test_a_page_that_only_the_second_system_has_is_there():
    found = several([("a", "one", "one")], [("b", "two", "two")])
    assert found["overview"]["pages"]["name"] == ["a", "b"]
    assert [counts["CER"]["cor"] for counts in found["overview"]["counts"]] == [[3], [None, 3]]


def test_the_worst_pages_of_several_systems_are_those_that_all_have():
    found = several([("a", "one", "ore"), ("b", "two", "xyz")], [("a", "one", "one"), ("c", "three", "")])
    assert found["overview"]["worst"] == [0]
    assert found["overview"]["lines"] == 1


def test_a_page_that_could_not_be_prepared_is_in_the_table_without_details():
    pages = [result("1", "a line", "a lime"), result("2", "a line", "a lime", prepared={"html": None})]
    data = blocks(written(pages))
    assert data["overview"]["pages"] == {"name": ["1", "2"], "lines": [1, 0], "details": [1, 0]}
    assert data["overview"]["counts"][0]["CER"]["sub"] == [1, 1]
    assert "page0" in data
    assert "page1" not in data


def test_the_other_system_has_the_details_of_a_page_that_could_not_be_prepared():
    sink = HtmlFile(file := io.StringIO(), io.BytesIO(), Images(Path()), systems=2)
    sink.add(result("1", "a line", "a lime", prepared={"html": None}))
    sink.add(result("1", "a line", "a line"), 1)
    empty = SystemTotals("", {}, {}, {})
    sink.write(Overview([empty, empty], "", []))
    data = blocks(file.getvalue())
    assert data["overview"]["pages"] == {"name": ["1"], "lines": [1], "details": [1]}
    assert {"page0", "read0-1"} == data.keys() - {"overview"}
