"""Tables of pairs in TSV, CSV and JSON lines."""

from __future__ import annotations

import json
import os
import threading

import pytest

from collected import file_names, paired
from pagemeter.errors import InputError, UsageError
from pagemeter.inputs import pair


def test_a_tsv_may_name_pages(top):
    (top / "pairs.tsv").write_text(
        "gt\thyp\ngt/1.xml\tother/x.txt\ngt/2.xml\tother/y.txt\tsecond\ngt/3.xml\t\n"
    )
    assert file_names(pair(top / "pairs.tsv")) == {
        "1": ("1.xml", "x.txt"),
        "second": ("2.xml", "y.txt"),
        "3": ("3.xml", None),
    }


def test_a_tsv_may_have_hypotheses_without_ground_truth(top):
    (top / "pairs.tsv").write_text("\tother/x.txt\n")
    assert file_names(pair(top / "pairs.tsv")) == {"x": (None, "x.txt")}


@pytest.mark.parametrize("mark", [",", ";"])
@pytest.mark.parametrize("begin", ["", "\ufeff"])
def test_a_csv_names_pairs_as_spreadsheets_write_them(top, mark, begin):
    (top / "other/a, b;c.txt").write_text("x")
    named = f'"other/a, b;c.txt"{mark}gt/1.xml{mark}"the ""first"""'
    rows = [mark.join(("hyp", "gt", "page")), named, mark.join(("", "gt/2.xml", ""))]
    (top / "pairs.csv").write_text(begin + "\r\n".join(rows) + "\r\n")
    assert file_names(pair(top / "pairs.csv")) == {
        'the "first"': ("1.xml", "a, b;c.txt"),
        "2": ("2.xml", None),
    }


def test_a_line_of_csv_that_cannot_be_read_is_one_error(top):
    (top / "pairs.csv").write_text('"gt/1.xml,other/x.txt\ngt/2.xml,other/y.txt\n')
    first, second = pair(top / "pairs.csv").pairs
    assert "line 1: unexpected end of data. Close the quotation marks in the same line." in first.error
    assert second.name == "2"


def test_json_lines_name_pairs(top):
    rows = [{"gt": "gt/1.xml", "hyp": "other/x.txt"}, {"gt": "gt/2.xml", "hyp": None, "page": "second"}]
    (top / "pairs.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert file_names(pair(top / "pairs.jsonl")) == {"1": ("1.xml", "x.txt"), "second": ("2.xml", None)}


def test_an_unknown_key_is_a_warning(top):
    (top / "pairs.jsonl").write_text('{"gt": "gt/1.xml", "hyp": "hyp/1.txt", "lang": "de"}\n')
    (one,) = pair(top / "pairs.jsonl").pairs
    (warning,) = one.warnings
    assert (warning.source, warning.element) == (str(top / "pairs.jsonl"), "line 1")
    assert warning.reason == "unknown key 'lang'. Use the keys gt, hyp, page, document."


@pytest.mark.parametrize(
    ("heading", "line"),
    [
        ("hyp\tgt", "hyp/1.txt\tgt/1.xml"),
        ("Page\tGT\tHyp", "one\tgt/1.xml\thyp/1.txt"),
        ("document\thyp\tgt\tpage", "book\thyp/1.txt\tgt/1.xml\tone"),
    ],
)
def test_columns_may_be_in_any_order(top, heading, line):
    (top / "pairs.tsv").write_text(f"{heading}\n{line}\n")
    (one,) = pair(top / "pairs.tsv").pairs
    assert one.gt == top / "gt/1.xml"
    assert one.hyp == top / "hyp/1.txt"
    assert one.name == ("one" if "one" in line else "1")
    assert one.document == ("book" if "book" in line else None)


@pytest.mark.parametrize(
    ("heading", "message"),
    [
        ("gt\tprediction", "unknown column 'prediction'. Use the columns gt, hyp, page, document"),
        ("gt\tpage", "Give gt and hyp"),
        ("gt\thyp\tgt", "each column once"),
    ],
)
def test_a_wrong_header_is_an_error(top, heading, message):
    (top / "pairs.tsv").write_text(f"{heading}\ngt/1.xml\thyp/1.txt\tx\n")
    with pytest.raises(InputError, match=message):
        pair(top / "pairs.tsv")


@pytest.mark.parametrize(
    ("name", "line", "reason"),
    [
        ("p.tsv", "gt/1.xml", "1 column. Give"),
        ("p.tsv", "a\tb\tc\td\te", "5 columns"),
        ("p.tsv", "\t", None),
        ("p.tsv", " \t \tname", "neither"),
        ("p.jsonl", "{", "Correct the JSON"),
        ("p.jsonl", "[1]", 'no object with the key "gt"'),
        ("p.jsonl", '{"hyp": "x"}', 'no object with the key "gt"'),
        ("p.jsonl", '{"gt": 1, "hyp": null}', "must be strings"),
        ("p.jsonl", '{"gt": null, "hyp": null}', "neither"),
        ("p.jsonl", '{"gt": "x"}', 'no key "hyp". Give "hyp": path, or null'),
        ("p.jsonl", '{"gt": "x", "pred": "y"}', "no key \"hyp\", but 'pred'. Give"),
        ("pairs.jsonl", '{"gt": ' + "[" * 5000 + "]" * 5000 + "}", "the record is nested too deeply"),
        ("pairs.jsonl", '{"gt": "1.xml", "page": ' + "9" * 5000 + "}", "a number of thousands of digits"),
    ],
)
def test_a_bad_line_is_one_error(top, name, line, reason):
    good = "gt/1.xml\thyp/1.txt" if name == "p.tsv" else '{"gt": "gt/1.xml", "hyp": "hyp/1.txt"}'
    (top / name).write_text(f"{line}\n{good}\n")
    pairs = pair(top / name).pairs
    assert [p.name for p in pairs if p.error is None] == ["1"]
    bad = [p.error for p in pairs if p.error]
    assert bad == [] if reason is None else (f"{name}: line 1: " in bad[0] and reason in bad[0])


def test_pages_with_the_same_name_get_the_names_of_their_folders(top):
    (top / "pairs.tsv").write_text("gt/1.xml\thyp/1.txt\nhyp/1.txt\tgt/1.xml\n")
    names = [p.name for p in pair(top / "pairs.tsv").pairs]
    assert [name.split("/")[-2:] for name in names] == [["gt", "1"], ["hyp", "1"]]


def test_a_ground_truth_with_two_hypotheses_is_two_numbered_pages_with_a_warning(top):
    (top / "pairs.tsv").write_text("gt/1.xml\thyp/1.txt\ngt/1.xml\tother/x.txt\ngt/2.xml\thyp/2.txt\n")
    first, second, third = pair(top / "pairs.tsv").pairs
    assert [one.name.rpartition("/")[2] for one in (first, second, third)] == ["1 (1)", "1 (2)", "2"]
    assert [len(one.warnings) for one in (first, second, third)] == [0, 1, 0]
    assert "more than once; it is counted each time" in second.warnings[0].detail


def test_names_that_are_given_twice_are_numbered(top):
    rows = [{"gt": f"gt/{i}.xml", "hyp": None, "page": "one name"} for i in (1, 2)]
    (top / "pairs.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    names = [one.name for one in pair(top / "pairs.jsonl").pairs]
    assert [name.rpartition("/")[2] for name in names] == ["one name (1)", "one name (2)"]


def test_a_table_must_be_the_only_argument(top):
    (top / "pairs.tsv").write_text("")
    with pytest.raises(UsageError, match="Give it as the only argument"):
        pair(top / "pairs.tsv", top / "hyp")


def test_a_table_is_not_held_in_memory(tmp_path):
    """Pairs are created on each iteration, and nothing is kept of them."""
    rows = (f"gt/{n // 8}/{n % 8}.xml\thyp/{n // 8}/{n % 8}.xml\n" for n in range(8000))
    (tmp_path / "pairs.tsv").write_text("".join(rows))
    assert paired(tmp_path / "pairs.tsv")[1] < 10


def test_a_table_can_come_through_a_pipe(top):
    os.mkfifo(top / "pairs.tsv")
    writer = threading.Thread(target=(top / "pairs.tsv").write_text, args=("gt/1.xml\thyp/1.txt\n",))
    writer.start()
    pairs = pair(top / "pairs.tsv").pairs
    writer.join()
    assert [one.name for one in pairs] == [one.name for one in pairs] == ["1"]
