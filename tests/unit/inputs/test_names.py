"""Parsing of file names."""

from __future__ import annotations

from pathlib import Path

import pytest

from pagemeter.inputs import names
from pagemeter.inputs.names import candidate, is_about_pages, page_name, with_dot


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
    assert names.suggest_suffixes([f"{long}_gt.txt"], [f"{long}.txt"]) == []
