"""Which files are found in folders."""

from __future__ import annotations

import os

import pytest

from pagemeter.inputs.folders import find_files


def names(files):
    return [file.name for file in files.candidates]


def make(top, *names):
    for name in names:
        path = top / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("text")
    return top


def test_sub_folders_are_searched_in_the_order_of_names(tmp_path):
    make(tmp_path, "b/2.xml", "a/1.xml", "0.xml")
    assert names(find_files(tmp_path)) == ["0", "a/1", "b/2"]


def test_numbers_in_names_are_sorted_by_their_value(tmp_path):
    make(tmp_path, "p10.xml", "p9.xml", "p9b.xml", "v2/1.xml", "v10/1.xml", "p009.xml")
    assert names(find_files(tmp_path)) == ["p009", "p9", "p9b", "p10", "v2/1", "v10/1"]


def test_other_files_are_passed_over_with_a_reason(tmp_path):
    make(tmp_path, "1.xml", "1.jpg", "README.md", ".secret.xml", "noend")
    reasons = {one.path.name: one.reason for one in find_files(tmp_path).passed_over}
    assert set(reasons) == {"1.jpg", "README.md", ".secret.xml", "noend"}
    assert reasons["1.jpg"].startswith(".jpg")
    assert "hidden" in reasons[".secret.xml"]
    assert "about pages" in reasons["README.md"]
    assert "no suffix" in reasons["noend"]


def test_hidden_folders_are_not_entered(tmp_path):
    make(tmp_path, "1.xml", ".git/2.xml")
    files = find_files(tmp_path)
    assert names(files) == ["1"]
    assert [one.path.name for one in files.passed_over] == [".git"]


def test_with_suffixes_the_others_are_passed_over(tmp_path):
    make(tmp_path, "1.gt.txt", "1.pred.txt")
    files = find_files(tmp_path, (".gt.txt",))
    assert names(files) == ["1"]
    assert files.passed_over[0].reason == "does not end in .gt.txt"


def test_a_folder_named_like_a_file_is_a_folder(tmp_path):
    make(tmp_path, "1.xml/2.xml")
    assert names(find_files(tmp_path)) == ["1.xml/2"]


def test_a_broken_link_is_a_page_file_because_reading_it_reports_the_error(tmp_path):
    (tmp_path / "1.xml").symlink_to(tmp_path / "nowhere.xml")
    assert names(find_files(tmp_path)) == ["1"]


def test_a_link_to_itself_is_a_page_file_too(tmp_path):
    (tmp_path / "1.xml").symlink_to(tmp_path / "1.xml")
    assert names(find_files(tmp_path)) == ["1"]


def test_links_to_folders_are_followed(tmp_path):
    make(tmp_path, "real/1.xml")
    (tmp_path / "top").mkdir()
    (tmp_path / "top" / "link").symlink_to(tmp_path / "real")
    assert names(find_files(tmp_path / "top")) == ["link/1"]


def test_a_link_to_a_folder_above_is_a_problem(tmp_path):
    make(tmp_path, "a/1.xml")
    (tmp_path / "a" / "up").symlink_to(tmp_path)
    files = find_files(tmp_path)
    assert names(files) == ["a/1"]
    (problem,) = files.problems
    assert problem.source == str(tmp_path / "a/up")
    assert problem.detail == "a link to a folder above it"


def test_a_pipe_is_not_opened(tmp_path):
    os.mkfifo(tmp_path / "1.xml")
    files = find_files(tmp_path)
    assert not files.candidates
    assert "pipe" in files.passed_over[0].reason


def test_names_need_not_be_utf8(tmp_path):
    path = os.fsencode(tmp_path) + b"/\xe4.xml"
    with open(path, "wb"):  # noqa: PTH123
        pass
    assert names(find_files(tmp_path)) == [os.fsdecode(b"\xe4")]


def test_a_folder_inside_can_be_excluded(tmp_path):
    make(tmp_path, "1.xml", "ocr/1.xml")
    assert names(find_files(tmp_path, without=tmp_path / "ocr")) == ["1"]


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_folder_without_rights_is_a_problem(tmp_path):
    make(tmp_path, "1.xml", "shut/2.xml")
    (tmp_path / "shut").chmod(0)
    try:
        files = find_files(tmp_path)
    finally:
        (tmp_path / "shut").chmod(0o700)
    assert names(files) == ["1"]
    assert files.problems[0].source == str(tmp_path / "shut")


@pytest.mark.usefixtures("unreadable")
def test_a_folder_that_cannot_be_listed_is_a_problem(tmp_path):
    make(tmp_path, "1.xml", "shut/2.xml")
    files = find_files(tmp_path)
    assert names(files) == ["1"]
    (problem,) = files.problems
    assert (problem.source, problem.detail) == (str(tmp_path / "shut"), "Permission denied")
    assert "chmod" in problem.remedy


def test_links_to_folders_are_walked_once(tmp_path):
    """Two links to the next folder in each of 30 folders would be 2^30 ways to the last one."""
    top = tmp_path / "top"
    top.mkdir()
    for number in range(30):
        folder = top if number == 0 else tmp_path / str(number)
        (tmp_path / str(number + 1)).mkdir()
        for link in ("a", "b"):
            (folder / link).symlink_to(tmp_path / str(number + 1))
    (tmp_path / "30" / "1.xml").touch()
    files = find_files(top)
    assert names(files) == ["a/" * 30 + "1"]
    assert len(files.passed_over) == 30
    assert {other.reason for other in files.passed_over} == {"a second link to the same folder"}


def test_a_folder_is_walked_under_its_own_name_even_if_a_link_leads_to_it(tmp_path):
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "1.xml").touch()
    (tmp_path / "a").symlink_to(tmp_path / "b")
    assert names(find_files(tmp_path)) == ["a/1", "b/1"]
