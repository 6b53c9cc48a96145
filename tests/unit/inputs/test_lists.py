"""Lists of files: which files they name, and how they are paired."""

from __future__ import annotations

import ntpath
import os
import threading
from pathlib import Path

import pytest

from collected import file_names, paired
from pagemeter.errors import InputError
from pagemeter.inputs import pair
from pagemeter.inputs.lists import Locator, read_list


def test_lists_are_paired_by_name_in_any_order(top):
    (top / "gt.lst").write_text("gt/1.xml\ngt/2.xml\ngt/3.xml\n")
    (top / "hyp.lst").write_text("hyp/2.txt\n\n# a comment\nhyp/1.txt\r\n")
    assert file_names(pair(top / "gt.lst", top / "hyp.lst")) == {
        "1": ("1.xml", "1.txt"),
        "2": ("2.xml", "2.txt"),
        "3": ("3.xml", None),
    }


def test_lists_without_a_common_name_are_paired_line_by_line_with_a_warning(top):
    (top / "gt.lst").write_text("gt/2.xml\ngt/1.xml\n")
    (top / "hyp.lst").write_text("other/x.txt\nother/y.txt\n")
    pairing = pair(top / "gt.lst", top / "hyp.lst")
    assert file_names(pairing) == {"2": ("2.xml", "x.txt"), "1": ("1.xml", "y.txt")}
    assert [len(one.warnings) for one in pairing.pairs] == [1, 0]
    assert f"line by line, {top}/gt/2.xml with {top}/other/x.txt first" in pairing.pairs[0].warnings[0].detail


def test_lists_without_a_common_name_must_have_the_same_length(top):
    (top / "gt.lst").write_text("gt/2.xml\n")
    (top / "hyp.lst").write_text("other/x.txt\nother/y.txt\n")
    with pytest.raises(InputError, match="1 files cannot be paired with 2"):
        pair(top / "gt.lst", top / "hyp.lst")


def test_any_text_file_is_a_list_after_an_at_sign(top):
    (top / "gt.txt").write_text("gt/1.xml\n")
    assert file_names(pair(Path(f"@{top}/gt.txt"), top / "hyp"))["1"] == ("1.xml", "1.txt")


def test_the_at_sign_is_suggested_for_a_list_with_another_suffix(top):
    (top / "gt.txt").write_text("gt/1.xml\n")
    with pytest.raises(
        InputError, match=r"gt\.txt: no file of this name in .* If it is a list of files, write @"
    ):
        pair(top / "gt.txt", top / "hyp")


def test_a_missing_list_is_an_error(top):
    with pytest.raises(InputError, match=r"none\.txt: no such file"):
        pair(Path(f"@{top}/none.txt"), top / "hyp")


def test_relative_paths_may_refer_to_the_working_folder(top, monkeypatch):
    monkeypatch.chdir(top)
    (top / "lists").mkdir()
    (top / "lists" / "gt.lst").write_text("gt/1.xml\n")
    assert file_names(pair(top / "lists" / "gt.lst", top / "hyp"))["1"] == ("1.xml", "1.txt")


@pytest.mark.parametrize(
    "name", ["a/1.xml", "./a//1.xml", "../a/1.xml", "a/../1.xml", "a./1.xml", "1.", "a/", "."]
)
def test_paths_in_lists_are_normalised_as_by_pathlib(top, name):
    assert Locator(top / "gt.lst").file(name) == str(top / name)
    assert Locator(Path("/gt.lst")).file(name) == str(Path("/", name))
    assert Locator(Path("gt.lst")).file(name) == str(Path(name))


def test_names_do_not_contain_the_folders_that_all_files_share(top):
    (top / "all.lst").write_text("book/a/1.xml\nbook/a/2.xml\nbook/b/1.xml\n")
    assert [file.name for file in read_list(top / "all.lst").candidates] == ["a/1", "a/2", "b/1"]


def test_a_missing_file_in_a_list_is_kept_because_reading_it_reports_the_error(top):
    (top / "gt.lst").write_text("gt/1.xml\ngt/9.xml\n")
    assert file_names(pair(top / "gt.lst", top / "hyp"))["9"] == ("9.xml", None)


def test_listed_files_may_have_any_suffix(top):
    (top / "gt" / "4.foo").write_text("x")
    (top / "gt.lst").write_text("gt/4.foo\ngt/1.xml\n")
    assert file_names(pair(top / "gt.lst", top / "hyp"))["4"] == ("4.foo", None)


def test_given_suffixes_select_files_of_a_list(top):
    (top / "hyp" / "1.hocr").write_text("x")
    (top / "hyp.lst").write_text("hyp/1.txt\nhyp/1.hocr\n")
    pairing = pair(top / "gt", top / "hyp.lst", hyp_suffixes=(".txt",))
    assert file_names(pairing)["1"] == ("1.xml", "1.txt")
    assert [one.path.name for one in pairing.passed_over] == ["1.hocr"]


@pytest.mark.parametrize("text", ["", "\n", "# nothing yet\n"])
def test_an_empty_list_or_table_is_an_error(top, text):
    (top / "gt.lst").write_text(text)
    (top / "pairs.tsv").write_text(text)
    with pytest.raises(InputError, match=r"gt\.lst: the list names no file. Write one path per line"):
        pair(top / "gt.lst", top / "hyp")
    with pytest.raises(InputError, match=r"pairs\.tsv: the table has no pairs"):
        pair(top / "pairs.tsv")


def test_a_file_that_a_list_names_twice_is_used_once(top):
    (top / "gt.lst").write_text("gt/1.xml\ngt/2.xml\ngt/1.xml\n")
    pairing = pair(top / "gt.lst", top / "hyp")
    assert file_names(pairing) == {"1": ("1.xml", "1.txt"), "2": ("2.xml", "2.txt")}
    assert [one.reason for one in pairing.passed_over] == ["named twice in a list"]


def test_two_texts_that_look_like_lists_are_compared_as_texts_with_a_warning(top):
    (top / "gt.txt").write_text("gt/1.xml\ngt/2.xml\n")
    (top / "hyp.txt").write_text("hyp/1.txt\n\nhyp/2.txt\n")
    (one,) = pair(top / "gt.txt", top / "hyp.txt").pairs
    assert f"write @{top}/gt.txt @{top}/hyp.txt" in one.warnings[0].remedy
    assert len(pair(Path(f"@{top}/gt.txt"), Path(f"@{top}/hyp.txt")).pairs) == 2
    (top / "hyp.txt").write_text("hyp/1.txt\nno such file\n")
    assert pair(top / "gt.txt", top / "hyp.txt").pairs[0].warnings == ()


def test_a_list_with_a_zero_byte_in_a_name_is_an_error(top):
    (top / "gt.lst").write_bytes(b"gt/1.xml\ngt/\x001.xml\n")
    pairs = pair(top / "gt.lst", top / "hyp").pairs
    assert "line 2: a file name contains a zero byte" in next(p.error for p in pairs if p.error)
    assert any(p.name == "1" and p.hyp for p in pairs)


def test_names_in_lists_need_not_be_utf8(top):
    with open(os.fsencode(top) + b"/gt/\xe4.txt", "wb"):  # noqa: PTH123
        pass
    (top / "gt.lst").write_bytes(b"gt/\xe4.txt\ngt/1.xml\n")
    pairing = pair(top / "gt.lst", top / "hyp")
    assert any(p.gt and os.fsencode(p.gt).endswith(b"\xe4.txt") and p.gt.exists() for p in pairing.pairs)


@pytest.mark.parametrize(("rotated", "end"), [(0, ".xml"), (7, ".other")])
def test_lists_are_not_held_in_memory(tmp_path, rotated, end):
    """Only the position of each line in the file is kept, in any order of the lists."""
    names = [f"{n // 8:05}/{n % 8}" for n in range(8000)]
    (tmp_path / "gt.lst").write_text("".join(f"/gt/{name}.xml\n" for name in names))
    names = names[rotated:] + names[:rotated]
    (tmp_path / "hyp.lst").write_text("".join(f"/hyp/{name}{end}\n" for name in names))
    pairs, size = paired(tmp_path / "gt.lst", tmp_path / "hyp.lst")
    assert size < 60  # 30 are used
    assert str(pairs[10].gt) == "/gt/00001/2.xml"
    assert str(pairs[10].hyp) == f"/hyp/00001/2{end}"
    assert pairs[-1].name == "00999/7"


def test_pairs_are_in_the_order_of_the_ground_truths_and_other_hypotheses_follow(top):
    (top / "gt.lst").write_text("gt/2.xml\ngt/3.xml\ngt/1.xml\n")
    (top / "hyp.lst").write_text("hyp/1.txt\nhyp/x.txt\nhyp/2.txt\n")
    assert [one.name for one in pair(top / "gt.lst", top / "hyp.lst").pairs] == ["2", "3", "1", "x"]


def test_a_list_can_come_through_a_pipe(top):
    os.mkfifo(top / "gt.lst")
    writer = threading.Thread(target=(top / "gt.lst").write_text, args=("gt/1.xml\ngt/2.xml\n",))
    writer.start()
    pairs = pair(top / "gt.lst", top / "hyp").pairs
    writer.join()
    assert [one.name for one in pairs] == [one.name for one in pairs] == ["1", "2"]


def test_a_path_with_a_drive_letter_is_absolute_on_windows(monkeypatch):
    monkeypatch.setattr("os.path.isabs", ntpath.isabs)
    locator = Locator(Path("data/gt.lst"))
    assert locator.file(r"C:\gt\1.xml") == r"C:\gt\1.xml"
    assert locator.file(r"\\server\gt\1.xml") == r"\\server\gt\1.xml"
    assert locator.file("C:1.xml") == "data/C:1.xml"  # relative on both systems
