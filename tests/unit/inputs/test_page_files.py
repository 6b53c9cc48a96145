"""Parsing of file names."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from pagemeter.inputs import page_files, pair
from pagemeter.inputs.page_files import candidate, find_files, is_about_pages, page_name, with_dot


@pytest.mark.parametrize(
    ("name", "stem"),
    [
        ("0001.xml", "0001"),
        ("0001.XML", "0001"),
        ("0001.gt.txt", "0001"),
        ("0001.pred.txt", "0001"),
        ("0001.ocr.xml", "0001"),
        ("0001.page.xml", "0001"),
        ("0001.gt.page.xml", "0001"),
        ("0001.hocr", "0001"),
        ("0001.md", "0001"),
        ("00000133.tif.xml", "00000133"),
        ("00000133.tif.gt.xml", "00000133"),
        ("00000133.jpg.txt", "00000133"),
        ("Plut._53.08_102r.xml", "Plut._53.08_102r"),
        ("170025120000003,0074.xml", "170025120000003,0074"),
        ("Lubab_alAlbab.pdf_000003.xml", "Lubab_alAlbab.pdf_000003"),
        ("a b.c.txt", "a b.c"),
        ("gt.txt", "gt"),
        ("ocr.xml", "ocr"),
        (".xml.xml", None),
    ],
)
def test_the_stem_is_the_name_without_its_longest_known_suffix(name, stem):
    parsed = candidate(Path(name))
    assert (parsed.stem if parsed else None) == stem


@pytest.mark.parametrize(
    "name", ["a.jpg", "a.tif", "a.png", "a.yml", "a.csv", "a", ".hidden.xml", ".xml", "a.xml.bak", "a.pdf"]
)
def test_other_files_are_not_page_files(name):
    assert candidate(Path(name)) is None


@pytest.mark.parametrize(
    "name", ["README.md", "readme.txt", "SOURCE.md", "LICENSE.txt", "mets.xml", "METS.xml"]
)
def test_files_about_pages_are_not_page_files(name):
    assert is_about_pages(name)
    assert candidate(Path(name)) is None


@pytest.mark.parametrize(
    ("name", "side"),
    [
        ("a.gt.txt", "gt"),
        ("a.ref.xml", "gt"),
        ("a.pred.txt", "hyp"),
        ("a.ocr.txt", "hyp"),
        ("a.page.xml", None),
    ],
)
def test_tags_name_the_side(name, side):
    assert candidate(Path(name)).side == side


def test_the_longest_of_the_given_suffixes_is_removed():
    assert candidate(Path("a.gt.txt"), suffixes=(".txt", ".gt.txt")).stem == "a"
    assert candidate(Path("a.gt.txt"), suffixes=(".txt",)).stem == "a.gt"


def test_with_given_suffixes_no_other_file_is_a_page_file():
    assert candidate(Path("a.xml"), suffixes=(".gt.txt",)) is None


def test_any_file_with_a_given_suffix_is_a_page_file():
    assert candidate(Path("a.foo"), suffixes=(".foo",)).stem == "a"
    assert candidate(Path("README.md"), suffixes=(".md",)).stem == "README"


def test_a_suffix_alone_is_not_a_name():
    assert candidate(Path("_gt.txt"), suffixes=("_gt.txt",)) is None


def test_a_suffix_that_begins_with_a_letter_gets_a_dot():
    assert [with_dot(s) for s in ("gt.txt", ".gt.txt", "_gt.txt", "-x.xml")] == [
        ".gt.txt", ".gt.txt", "_gt.txt", "-x.xml",
    ]  # fmt: skip


def test_the_page_name_of_a_file_with_any_suffix():
    assert page_name(Path("x/page.foo")) == "page"
    assert page_name(Path("x/page.tif.xml")) == "page"
    assert page_name(Path("README")) == "README"


def test_the_name_has_the_folders_before_the_stem():
    assert candidate(Path("book/a.xml"), ("book",)).name == "book/a"


def test_suffixes_are_not_suggested_for_names_longer_than_a_file_may_have():
    """Cutting a name at each of its separators takes memory that is quadratic in its length."""
    long = "a." * 200
    assert page_files.suggest_suffixes([f"{long}_gt.txt"], [f"{long}.txt"]) == []


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


def test_a_problem_of_a_folder_that_is_both_sides_is_reported_once(tmp_path):
    make(tmp_path, "a/1.xml")
    (tmp_path / "a" / "up").symlink_to(tmp_path)
    errors = [one.error for one in pair(tmp_path, tmp_path).pairs if one.errors]
    assert errors == [f"{tmp_path}/a/up: a link to a folder above it. Remove the link."]
