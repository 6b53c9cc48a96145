"""What file names say."""

from __future__ import annotations

from pathlib import Path

import pytest

from pagemeter.corpus.files.names import about_pages, candidate, stem_of, with_dot


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
def test_stem_is_the_name_without_its_longest_known_suffix(name, stem):
    found = candidate(Path(name))
    assert (found.stem if found else None) == stem


@pytest.mark.parametrize(
    "name", ["a.jpg", "a.tif", "a.png", "a.yml", "a.csv", "a", ".hidden.xml", ".xml", "a.xml.bak", "a.pdf"]
)
def test_other_files_are_no_candidates(name):
    assert candidate(Path(name)) is None


@pytest.mark.parametrize(
    "name", ["README.md", "readme.txt", "SOURCE.md", "LICENSE.txt", "mets.xml", "METS.xml"]
)
def test_files_about_pages_are_no_candidates(name):
    assert about_pages(name)
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
def test_tags_tell_the_side(name, side):
    assert candidate(Path(name)).side == side


def test_of_given_suffixes_the_longest_that_fits_is_taken_off():
    assert candidate(Path("a.gt.txt"), suffixes=(".txt", ".gt.txt")).stem == "a"
    assert candidate(Path("a.gt.txt"), suffixes=(".txt",)).stem == "a.gt"


def test_with_given_suffixes_no_other_file_is_a_candidate():
    assert candidate(Path("a.xml"), suffixes=(".gt.txt",)) is None


def test_a_given_suffix_makes_any_file_a_candidate():
    assert candidate(Path("a.foo"), suffixes=(".foo",)).stem == "a"
    assert candidate(Path("README.md"), suffixes=(".md",)).stem == "README"


def test_a_suffix_alone_is_no_name():
    assert candidate(Path("_gt.txt"), suffixes=("_gt.txt",)) is None


def test_given_suffixes_may_have_no_dot():
    assert [with_dot(s) for s in ("gt.txt", ".gt.txt", "_gt.txt", "-x.xml")] == [
        ".gt.txt", ".gt.txt", "_gt.txt", "-x.xml",
    ]  # fmt: skip


def test_the_stem_of_a_file_named_directly_may_have_any_suffix():
    assert stem_of(Path("x/page.foo")) == "page"
    assert stem_of(Path("x/page.tif.xml")) == "page"
    assert stem_of(Path("README")) == "README"


def test_folders_stand_before_the_stem_in_the_name():
    assert candidate(Path("book/a.xml"), ("book",)).name == "book/a"
