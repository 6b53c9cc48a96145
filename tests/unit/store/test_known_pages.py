"""Pages of two stores are the same if their ground truth is."""

import pytest

from collected import make
from pagemeter.store.known_pages import Known, KnownPages

FIRST = [Known("gt/1.txt", "1", "aa"), Known("gt/2.txt", "2", "bb"), Known("gt/3.txt", "3", "bb")]


@pytest.mark.parametrize(
    ("page", "file"),
    [
        (Known("gt/1.txt", "1", "aa"), "gt/1.txt"),
        (Known("gt/1.txt", "other/1", "aa"), "gt/1.txt"),
        (Known("../gt/1.txt", "1", "aa"), "gt/1.txt"),
        (Known("elsewhere/one.txt", "one", "aa"), "gt/1.txt"),
        (Known("../gt/3.txt", "3", "bb"), "gt/3.txt"),
        (Known("../gt/4.txt", "4", "bb"), "../gt/4.txt"),
        (Known("gt/1.txt", "1", "cc"), None),
        (Known("gt/9.txt", "9", "cc"), "gt/9.txt"),
        (Known("gt/1.txt", "1", None), "gt/1.txt"),
    ],
)
def test_a_page_is_known_by_its_file_its_name_or_its_content(page, file):
    known = KnownPages()
    assert known.add(FIRST) == [one.gt for one in FIRST]
    assert known.add([page]) == [file]


def test_a_page_that_failed_is_known_by_its_name_if_only_one_has_it():
    failed, fine = Known("one/gt/2.txt", "2", None), Known("gt/2.txt", "2", "bb")
    for first, second in ((failed, fine), (fine, failed), (failed, failed._replace(gt="x/2.txt"))):
        known = KnownPages()
        known.add([first])
        assert known.add([second]) == [first.gt]
    known = KnownPages()
    known.add([failed, failed._replace(gt="two/gt/2.txt")])
    assert known.add([fine]) == ["gt/2.txt"]


def test_no_two_pages_of_a_store_are_the_same_page():
    known = KnownPages()
    known.add(FIRST[:1])
    assert known.add([Known("x/1.txt", "1", None), Known("x/9.txt", "9", "aa")]) == ["x/1.txt", "gt/1.txt"]


def test_a_changed_ground_truth_is_not_known_by_its_name():
    known = KnownPages()
    known.add(FIRST)
    assert known.add([Known("x/1.txt", "1", "cc")]) == ["x/1.txt"]


def test_content_alone_tells_nothing_where_two_pages_have_it():
    known = KnownPages()
    known.add(FIRST[:1])
    twice = [Known("x/1.txt", "x", "aa"), Known("y/1.txt", "y", "aa")]
    assert known.add(twice) == ["x/1.txt", "y/1.txt"]


def test_stores_are_compared_however_paths_were_spelled(tmp_path, monkeypatch, run):
    monkeypatch.chdir(tmp_path)
    make(tmp_path, 4)
    run("eval", "gt", "hyp", "--store", "a")
    monkeypatch.chdir(tmp_path / "gt")
    run("eval", ".", "../hyp", "--store", "../b")
    _, out, _ = run("compare", "../a", "../b")
    assert "4 pages compared" in out
    assert "not compared" not in out


def test_a_page_whose_ground_truth_was_changed_is_not_compared(tmp_path, monkeypatch, run):
    monkeypatch.chdir(tmp_path)
    make(tmp_path, 4)
    run("eval", "gt", "hyp", "--store", "a")
    changed = sorted((tmp_path / "gt").iterdir())[2]
    changed.write_text("something else")
    run("eval", "gt", "hyp", "--store", "b")
    _, out, _ = run("compare", "a", "b")
    assert "3 pages compared" in out
    assert f"not compared: gt/{changed.name}: another ground truth (b)" in out
