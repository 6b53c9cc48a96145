"""Lists of files."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest

from collected import made_of, paired
from pagemeter.corpus import pair
from pagemeter.corpus.files.lists import read_list
from pagemeter.corpus.files.locating import Locator
from pagemeter.errors import InputError


def test_lists_are_paired_by_name_in_any_order(top):
    (top / "gt.lst").write_text("gt/1.xml\ngt/2.xml\ngt/3.xml\n")
    (top / "hyp.lst").write_text("hyp/2.txt\n\n# a comment\nhyp/1.txt\r\n")
    assert made_of(pair(top / "gt.lst", top / "hyp.lst")) == {
        "1": ("1.xml", "1.txt"),
        "2": ("2.xml", "2.txt"),
        "3": ("3.xml", None),
    }


def test_lists_without_a_common_name_are_paired_line_by_line_with_a_warning(top):
    (top / "gt.lst").write_text("gt/2.xml\ngt/1.xml\n")
    (top / "hyp.lst").write_text("other/x.txt\nother/y.txt\n")
    made = pair(top / "gt.lst", top / "hyp.lst")
    assert made_of(made) == {"2": ("2.xml", "x.txt"), "1": ("1.xml", "y.txt")}
    assert [len(one.warnings) for one in made.pairs] == [1, 0]
    assert f"line by line, so {top}/gt/2.xml with {top}/other/x.txt" in made.pairs[0].warnings[0].reason


def test_lists_without_a_common_name_must_be_of_one_length(top):
    (top / "gt.lst").write_text("gt/2.xml\n")
    (top / "hyp.lst").write_text("other/x.txt\nother/y.txt\n")
    with pytest.raises(InputError, match="1 lines cannot be paired with 2"):
        pair(top / "gt.lst", top / "hyp.lst")


def test_any_text_file_is_a_list_after_an_at_sign(top):
    (top / "gt.txt").write_text("gt/1.xml\n")
    assert made_of(pair(Path(f"@{top}/gt.txt"), top / "hyp"))["1"] == ("1.xml", "1.txt")


def test_a_list_without_the_at_sign_beside_a_folder_is_told_with_it(top):
    (top / "gt.txt").write_text("gt/1.xml\n")
    with pytest.raises(
        InputError, match=r"gt\.txt: no file of its name in .*; to take the files it lists write @"
    ):
        pair(top / "gt.txt", top / "hyp")


def test_a_list_that_is_not_there_is_an_error(top):
    with pytest.raises(InputError, match=r"none\.txt: no such file"):
        pair(Path(f"@{top}/none.txt"), top / "hyp")


def test_relative_paths_may_be_those_of_the_working_folder(top, monkeypatch):
    monkeypatch.chdir(top)
    (top / "lists").mkdir()
    (top / "lists" / "gt.lst").write_text("gt/1.xml\n")
    assert made_of(pair(top / "lists" / "gt.lst", top / "hyp"))["1"] == ("1.xml", "1.txt")


@pytest.mark.parametrize(
    "name", ["a/1.xml", "./a//1.xml", "../a/1.xml", "a/../1.xml", "a./1.xml", "1.", "a/", "."]
)
def test_listed_files_are_where_pathlib_finds_them(top, name):
    assert Locator(top / "gt.lst").file(name) == str(top / name)
    assert Locator(Path("/gt.lst")).file(name) == str(Path("/", name))
    assert Locator(Path("gt.lst")).file(name) == str(Path(name))


def test_names_in_a_list_of_several_folders_begin_where_these_differ(top):
    (top / "all.lst").write_text("book/a/1.xml\nbook/a/2.xml\nbook/b/1.xml\n")
    assert [found.name for found in read_list(top / "all.lst").candidates] == ["a/1", "a/2", "b/1"]


def test_a_listed_file_that_is_not_there_is_kept_so_that_reading_it_says_so(top):
    (top / "gt.lst").write_text("gt/1.xml\ngt/9.xml\n")
    assert made_of(pair(top / "gt.lst", top / "hyp"))["9"] == ("9.xml", None)


def test_listed_files_may_have_any_suffix(top):
    (top / "gt" / "4.foo").write_text("x")
    (top / "gt.lst").write_text("gt/4.foo\ngt/1.xml\n")
    assert made_of(pair(top / "gt.lst", top / "hyp"))["4"] == ("4.foo", None)


def test_given_suffixes_choose_from_a_list(top):
    (top / "hyp" / "1.hocr").write_text("x")
    (top / "hyp.lst").write_text("hyp/1.txt\nhyp/1.hocr\n")
    made = pair(top / "gt", top / "hyp.lst", hyp_suffixes=(".txt",))
    assert made_of(made)["1"] == ("1.xml", "1.txt")
    assert [one.path.name for one in made.passed_over] == ["1.hocr"]


@pytest.mark.parametrize("text", ["", "\n", "# nothing yet\n"])
def test_a_list_or_table_that_names_nothing_is_an_error(top, text):
    (top / "gt.lst").write_text(text)
    (top / "pairs.tsv").write_text(text)
    with pytest.raises(InputError, match=r"gt\.lst: names no file; write one path a line"):
        pair(top / "gt.lst", top / "hyp")
    with pytest.raises(InputError, match=r"pairs\.tsv: names no pair"):
        pair(top / "pairs.tsv")


def test_a_file_that_a_list_names_twice_is_taken_once_and_passed_over(top):
    (top / "gt.lst").write_text("gt/1.xml\ngt/2.xml\ngt/1.xml\n")
    made = pair(top / "gt.lst", top / "hyp")
    assert made_of(made) == {"1": ("1.xml", "1.txt"), "2": ("2.xml", "2.txt")}
    assert [one.reason for one in made.passed_over] == ["named twice in a list"]


def test_two_texts_that_name_files_are_compared_as_text_with_a_warning_that_names_the_list_form(top):
    (top / "gt.txt").write_text("gt/1.xml\ngt/2.xml\n")
    (top / "hyp.txt").write_text("hyp/1.txt\n\nhyp/2.txt\n")
    (made,) = pair(top / "gt.txt", top / "hyp.txt").pairs
    assert f"write @{top}/gt.txt @{top}/hyp.txt" in made.warnings[0].reason
    assert len(pair(Path(f"@{top}/gt.txt"), Path(f"@{top}/hyp.txt")).pairs) == 2
    (top / "hyp.txt").write_text("hyp/1.txt\nno such file\n")
    assert pair(top / "gt.txt", top / "hyp.txt").pairs[0].warnings == ()


def test_a_list_with_a_zero_byte_in_a_name_is_an_error(top):
    (top / "gt.lst").write_bytes(b"gt/1.xml\ngt/\x001.xml\n")
    made = pair(top / "gt.lst", top / "hyp").pairs
    assert "line 2: a zero byte" in next(p.error for p in made if p.error)
    assert any(p.name == "1" and p.hyp for p in made)


def test_names_in_lists_need_not_be_utf8(top):
    with open(os.fsencode(top) + b"/gt/\xe4.txt", "wb"):  # noqa: PTH123
        pass
    (top / "gt.lst").write_bytes(b"gt/\xe4.txt\ngt/1.xml\n")
    made = pair(top / "gt.lst", top / "hyp")
    assert any(p.gt and os.fsencode(p.gt).endswith(b"\xe4.txt") and p.gt.exists() for p in made.pairs)


@pytest.mark.parametrize(("rotated", "end"), [(0, ".xml"), (7, ".other")])
def test_lists_are_never_held_whole(tmp_path, rotated, end):
    """In one order or not; of each line its place in the file is kept."""
    names = [f"{n // 8:05}/{n % 8}" for n in range(8000)]
    (tmp_path / "gt.lst").write_text("".join(f"/gt/{name}.xml\n" for name in names))
    names = names[rotated:] + names[:rotated]
    (tmp_path / "hyp.lst").write_text("".join(f"/hyp/{name}{end}\n" for name in names))
    pairs, size = paired(tmp_path / "gt.lst", tmp_path / "hyp.lst")
    assert size < 60  # 30 are used
    assert str(pairs[10].gt) == "/gt/00001/2.xml"
    assert str(pairs[10].hyp) == f"/hyp/00001/2{end}"
    assert pairs[-1].name == "00999/7"


def test_pairs_have_the_order_of_the_ground_truths_and_hypotheses_without_one_follow(top):
    (top / "gt.lst").write_text("gt/2.xml\ngt/3.xml\ngt/1.xml\n")
    (top / "hyp.lst").write_text("hyp/1.txt\nhyp/x.txt\nhyp/2.txt\n")
    assert [made.name for made in pair(top / "gt.lst", top / "hyp.lst").pairs] == ["2", "3", "1", "x"]


def test_a_list_can_come_through_a_pipe(top):
    os.mkfifo(top / "gt.lst")
    writer = threading.Thread(target=(top / "gt.lst").write_text, args=("gt/1.xml\ngt/2.xml\n",))
    writer.start()
    pairs = pair(top / "gt.lst", top / "hyp").pairs
    writer.join()
    assert [one.name for one in pairs] == [one.name for one in pairs] == ["1", "2"]
