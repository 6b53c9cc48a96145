"""What is found in folders."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from pagemeter.corpus.files.folders import find


def stems(found):
    return [one.name for one in found.candidates]


def make(top, *names):
    for name in names:
        path = top / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("text")
    return top


def test_sub_folders_are_searched_in_the_order_of_names(tmp_path):
    make(tmp_path, "b/2.xml", "a/1.xml", "0.xml")
    assert stems(find(tmp_path)) == ["0", "a/1", "b/2"]


def test_other_files_are_passed_over_with_a_reason(tmp_path):
    make(tmp_path, "1.xml", "1.jpg", "README.md", ".secret.xml", "noend")
    reasons = {one.path.name: one.reason for one in find(tmp_path).passed_over}
    assert set(reasons) == {"1.jpg", "README.md", ".secret.xml", "noend"}
    assert reasons["1.jpg"].startswith(".jpg")
    assert "hidden" in reasons[".secret.xml"]
    assert "about pages" in reasons["README.md"]
    assert "no suffix" in reasons["noend"]


def test_hidden_folders_are_not_entered(tmp_path):
    make(tmp_path, "1.xml", ".git/2.xml")
    found = find(tmp_path)
    assert stems(found) == ["1"]
    assert [one.path.name for one in found.passed_over] == [".git"]


def test_with_suffixes_the_others_are_passed_over(tmp_path):
    make(tmp_path, "1.gt.txt", "1.pred.txt")
    found = find(tmp_path, (".gt.txt",))
    assert stems(found) == ["1"]
    assert found.passed_over[0].reason == "does not end in .gt.txt"


def test_a_folder_named_like_a_file_is_a_folder(tmp_path):
    make(tmp_path, "1.xml/2.xml")
    assert stems(find(tmp_path)) == ["1.xml/2"]


def test_a_broken_link_is_kept_so_that_reading_it_says_so(tmp_path):
    (tmp_path / "1.xml").symlink_to(tmp_path / "nowhere.xml")
    assert stems(find(tmp_path)) == ["1"]


def test_a_link_to_itself_is_kept_too(tmp_path):
    (tmp_path / "1.xml").symlink_to(tmp_path / "1.xml")
    assert stems(find(tmp_path)) == ["1"]


def test_links_to_folders_are_followed(tmp_path):
    make(tmp_path, "real/1.xml")
    (tmp_path / "top").mkdir()
    (tmp_path / "top" / "link").symlink_to(tmp_path / "real")
    assert stems(find(tmp_path / "top")) == ["link/1"]


def test_a_circle_of_links_is_a_problem_and_ends(tmp_path):
    make(tmp_path, "a/1.xml")
    (tmp_path / "a" / "up").symlink_to(tmp_path)
    found = find(tmp_path)
    assert stems(found) == ["a/1"]
    assert [(path.name, "link to a folder above" in text) for path, text in found.problems] == [("up", True)]


def test_a_pipe_is_not_opened(tmp_path):
    os.mkfifo(tmp_path / "1.xml")
    found = find(tmp_path)
    assert not found.candidates
    assert "pipe" in found.passed_over[0].reason


def test_names_that_are_not_utf8_are_kept(tmp_path):
    path = os.fsencode(tmp_path) + b"/\xe4.xml"
    with open(path, "wb"):  # noqa: PTH123
        pass
    assert stems(find(tmp_path)) == [os.fsdecode(b"\xe4")]


def test_a_folder_inside_can_be_left_out(tmp_path):
    make(tmp_path, "1.xml", "ocr/1.xml")
    assert stems(find(tmp_path, without=tmp_path / "ocr")) == ["1"]


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_folder_without_rights_is_a_problem(tmp_path):
    make(tmp_path, "1.xml", "shut/2.xml")
    (tmp_path / "shut").chmod(0)
    try:
        found = find(tmp_path)
    finally:
        (tmp_path / "shut").chmod(0o700)
    assert stems(found) == ["1"]
    assert found.problems[0][0].name == "shut"


def test_a_folder_that_cannot_be_listed_is_a_problem(tmp_path, monkeypatch):
    make(tmp_path, "1.xml", "shut/2.xml")
    listing = os.scandir

    def refuse(path):
        if Path(path).name == "shut":
            raise PermissionError(13, "Permission denied")
        return listing(path)

    monkeypatch.setattr(os, "scandir", refuse)
    found = find(tmp_path)
    assert stems(found) == ["1"]
    assert "Permission denied" in found.problems[0][1]
    assert "chmod" in found.problems[0][1]
