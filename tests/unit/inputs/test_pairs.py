"""Pairs of pages that are given in Python."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import pagemeter as pm
from pagemeter.errors import UsageError
from pagemeter.inputs.pairs import pair_pages
from pagemeter.page import Page


def texts(gt, hyp=None) -> list[tuple[str, str | None, str | None]]:
    """Return the name and both texts of each pair."""
    pairs = pair_pages(gt, hyp).pairs
    return [(pair.name, *(page.text if page else None for page in pair.pages)) for pair in pairs]


@pytest.mark.parametrize(
    "pack",
    [list, tuple, iter, np.array, pd.Series, lambda pages: [page.split("\n") for page in pages]],
    ids=["list", "tuple", "iterator", "numpy", "pandas", "lists of lines"],
)
def test_sequences_are_paired_by_position(pack):
    expected = [("0", "one\ntwo", "one"), ("1", "a", "b")]
    assert texts(pack(["one\ntwo", "a"]), pack(["one", "b"])) == expected


def test_dictionaries_are_paired_by_key_in_the_order_of_the_ground_truth():
    found = texts({"b": "one", "a": "two"}, {"c": "four", "a": "three"})
    assert found == [("b", "one", None), ("a", "two", "three"), ("c", None, "four")]


def test_keys_are_compared_as_strings():
    """The keys of a dictionary that was in a JSON file are strings."""
    assert [pair.name for pair in pair_pages({7: "a", 8: "b"}, {"8": "b", "7": "a"}).pairs] == ["7", "8"]
    assert pair_pages({7: "a"}, {"7": "a"}).pairs[0].pages[1].text == "a"
    with pytest.raises(UsageError, match=r"gt has the keys 7 and '7'\. Give each page one key"):
        pair_pages({7: "a", "7": "b"}, {})


def test_missing_values_of_pandas_are_missing_pages():
    pandas = pytest.importorskip("pandas")
    for missing in (None, float("nan"), pandas.NA):
        assert [pair.hyp for pair in pair_pages(["a"], [missing]).pairs] == [None]
        assert [pair.hyp for pair in pair_pages([("a", missing)]).pairs] == [None]
        assert [pair.hyp for pair in pair_pages({"1": "a"}, {"1": missing}).pairs] == [None]
    with pytest.raises(UsageError, match="cannot make a page of float"):
        pair_pages(["a"], [1.5])


@pytest.mark.parametrize(
    "pairs", [[("one", "two"), ("a", None)], {0: ("one", "two"), 1: ["a", None]}], ids=str
)
def test_pairs_are_given_without_hypotheses(pairs):
    assert texts(pairs) == [("0", "one", "two"), ("1", "a", None)]


def test_files_are_named_and_read_later():
    (one, other) = pair_pages([Path("gt/1.xml"), Path("gt/2.gt.txt")], [Path("hyp/1.txt"), "a text"]).pairs
    assert (one.name, one.gt, one.hyp, one.pages) == ("1", Path("gt/1.xml"), Path("hyp/1.txt"), (None, None))
    assert (other.gt, other.hyp) == (Path("gt/2.gt.txt"), Path("hyp[1]"))
    assert other.pages[1].text == "a text"


def test_equal_names_are_told_apart():
    files = [Path("a/1.xml"), Path("b/1.xml"), Path("b/2.xml")]
    assert [pair.name for pair in pair_pages(files, ["", "", ""]).pairs] == ["1 (0)", "1 (1)", "2"]


def test_a_page_keeps_its_source_for_messages():
    page = Page.from_text("one", "gt/1.txt")
    assert pair_pages([page], [page]).pairs[0].gt == Path("gt/1.txt")


def test_files_in_different_orders_are_refused():
    gt, hyp = ([Path(f"{side}/{number}.txt") for number in (1, 2)] for side in ("gt", "hyp"))
    with pytest.raises(UsageError, match=r"gt\[0\] is gt/1.txt, but hyp\[0\] is hyp/2.txt. Sort both lists"):
        pair_pages(gt, hyp[::-1])
    assert len(pair_pages(gt, [Path("x.txt"), Path("y.txt")]).pairs) == 2


@pytest.mark.parametrize(
    ("gt", "hyp", "message"),
    [
        (["one"], ["one", "two"], "gt has 1 pages, hyp has 2. Give None for a missing page"),
        (["one"], {"0": "one"}, "one side is a dictionary and the other is not"),
        (["one"], None, r"gt\[0\] is not a pair of pages, and hyp is not given"),
        ([("a", "b", "c")], None, r"gt\[0\] is not a pair"),
        (Page(), Page(), "gt is of type Page. Give two folders"),
        (3, 3, "gt is of type int"),
        (pd.DataFrame({"gt": ["a"], "hyp": ["b"]}), None, "gt is of type DataFrame"),
        (["one"], [3], r"cannot make a page of int \(hyp\[0\]\)"),
    ],
    ids=["lengths", "dict", "no pairs", "triple", "page", "int", "frame", "no page"],
)
def test_what_cannot_be_paired_is_an_error_with_a_remedy(gt, hyp, message):
    with pytest.raises(UsageError, match=message):
        pair_pages(gt, hyp)


def test_a_file_name_as_text_gives_a_warning():
    with pytest.warns(pm.errors.PathAsTextWarning, match=r"gt\[0\] '1.xml'"):
        pair_pages(["1.xml"], ["one"])
