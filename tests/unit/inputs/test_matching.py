"""Which files of two folders belong together."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from collected import errors, paired, table
from pagemeter.inputs import pair


def test_folders_are_paired_by_stem(files):
    top = files("gt/1.gt.txt", "gt/2.gt.txt", "hyp/1.pred.txt", "hyp/2.xml")
    assert table(pair(top / "gt", top / "hyp"), top) == {
        "1": ("gt/1.gt.txt", "hyp/1.pred.txt"),
        "2": ("gt/2.gt.txt", "hyp/2.xml"),
    }


def test_suffixes_of_images_are_removed(files):
    top = files("gt/00000133.tif.xml", "hyp/00000133.txt")
    assert table(pair(top / "gt", top / "hyp"), top) == {
        "00000133": ("gt/00000133.tif.xml", "hyp/00000133.txt")
    }


def test_files_without_partner_are_pairs_with_one_side(files):
    top = files("gt/1.xml", "gt/2.xml", "hyp/2.xml", "hyp/3.xml")
    assert table(pair(top / "gt", top / "hyp"), top) == {
        "1": ("gt/1.xml", None),
        "2": ("gt/2.xml", "hyp/2.xml"),
        "3": (None, "hyp/3.xml"),
    }


def test_equal_sub_folders_are_part_of_the_name(files):
    top = files("gt/a/1.xml", "gt/b/1.xml", "hyp/a/1.xml", "hyp/b/1.xml")
    assert table(pair(top / "gt", top / "hyp"), top) == {
        "a/1": ("gt/a/1.xml", "hyp/a/1.xml"),
        "b/1": ("gt/b/1.xml", "hyp/b/1.xml"),
    }


def test_file_groups_of_mets_are_not_part_of_the_name(files):
    top = files("gt/book/GT-PAGE/1.xml", "gt/book/GT-PAGE/2.xml", "hyp/book/OCR/1.xml", "hyp/book/OCR/2.xml")
    assert table(pair(top / "gt", top / "hyp"), top) == {
        "book/1": ("gt/book/GT-PAGE/1.xml", "hyp/book/OCR/1.xml"),
        "book/2": ("gt/book/GT-PAGE/2.xml", "hyp/book/OCR/2.xml"),
    }


def test_file_groups_of_several_books(files):
    top = files("gt/a/GT/1.xml", "gt/b/GT/1.xml", "hyp/a/OCR/1.xml", "hyp/b/OCR/1.xml")
    assert set(table(pair(top / "gt", top / "hyp"), top)) == {"a/1", "b/1"}


def test_one_side_may_have_no_file_groups(files):
    top = files("gt/1.xml", "gt/2.xml", "hyp/OCR/1.xml", "hyp/OCR/2.xml")
    assert table(pair(top / "gt", top / "hyp"), top)["1"] == ("gt/1.xml", "hyp/OCR/1.xml")


def test_one_of_several_books_in_the_hypotheses_is_found(files):
    top = files("gt/a/GT/1.xml", "hyp/a/OCR/1.xml", "hyp/b/OCR/1.xml")
    files_of = table(pair(top / "gt", top / "hyp"), top)
    assert files_of["a/1"] == ("gt/a/GT/1.xml", "hyp/a/OCR/1.xml")


def test_stems_that_repeat_their_folder_are_compared_without_it(files):
    top = files("w/GT-PAGE/GT-PAGE_0001.xml", "w/OCR/OCR_0001.xml", "w/X/FILE_0001_X.xml")
    assert table(pair(top / "w/GT-PAGE", top / "w/OCR"), top) == {
        "0001": ("w/GT-PAGE/GT-PAGE_0001.xml", "w/OCR/OCR_0001.xml")
    }
    files("v/Y/FILE_0001_Y.xml")
    assert set(table(pair(top / "w/X", top / "v/Y"), top)) == {"FILE_0001"}


def test_books_with_different_names_are_never_paired(files):
    """A missing page must not be compared with the page of the same number in another book."""
    top = files("gt/a/1.xml", "gt/b/1.xml", "hyp/b/1.xml", "hyp/c/1.xml")
    files_of = table(pair(top / "gt", top / "hyp"), top)
    assert files_of["a/1"] == ("gt/a/1.xml", None)
    assert files_of["c/1"] == (None, "hyp/c/1.xml")


def test_a_file_of_the_same_name_in_another_folder_is_a_warning(files):
    top = files("gt/1.xml", "gt/2.xml", "hyp/A/1.xml", "hyp/B/1.xml", "hyp/2.xml")
    missing = next(one for one in pair(top / "gt", top / "hyp").pairs if one.name == "1")
    assert missing.hyp is None
    assert str(Path("hyp/A/1.xml")) in missing.warnings[0].reason


def test_composed_and_decomposed_names_are_equal(files):
    top = files("gt/Bücher/Ärger.txt", "hyp/Bu\u0308cher/A\u0308rger.txt")
    (one,) = pair(top / "gt", top / "hyp").pairs
    assert (one.name, one.gt.exists(), one.hyp.exists()) == ("Bücher/Ärger", True, True)


def test_names_that_differ_in_letter_case_are_a_warning(files):
    top = files("gt/Page1.txt", "gt/2.txt", "hyp/page1.txt", "hyp/2.txt")
    missing = next(one for one in pair(top / "gt", top / "hyp").pairs if one.name == "Page1")
    assert missing.hyp is None
    (warning,) = missing.warnings
    assert warning.detail.endswith("hyp/page1.txt differs only in letter case")
    assert warning.remedy == "rename one of them"


def test_a_file_compared_with_itself_warns_through_links_too(files):
    top = files("a.txt")
    (top / "b.txt").symlink_to(top / "a.txt")
    (one,) = pair(top / "a.txt", top / "b.txt").pairs
    assert "same file" in one.warnings[0].reason


@pytest.mark.parametrize("link", ["symlink_to", "hardlink_to"])
def test_pages_of_two_folders_that_are_the_same_file_warn(files, link):
    top = files("gt/1.txt", "gt/2.txt", "gt/3.txt", "hyp/2.txt", "hyp/3.txt")
    getattr(top / "hyp/1.txt", link)(top / "gt/1.txt")
    (top / "hyp/4.txt").symlink_to(top / "hyp/3.txt")
    warned = [one.name for one in pair(top / "gt", top / "hyp").pairs if one.warnings]
    assert warned == ["1"]


def test_a_link_to_a_file_that_was_not_chosen_does_not_warn(files):
    top = files("d/1.txt", "d/1.gt.txt", "d/2.md")
    (top / "link").mkdir()
    (top / "link/1.gt.txt").symlink_to(top / "d/1.txt")
    (top / "link/2.md").hardlink_to(top / "d/2.md")
    warned = {one.name: bool(one.warnings) for one in pair(top / "d", top / "link").pairs}
    assert warned == {"1": False, "2": True}


def test_one_folder_for_both_sides_compares_no_file_with_itself(files):
    top = files("1.gt.txt", "1.txt", "2.gt.txt", "2.txt")
    assert [one.warnings for one in pair(top, top).pairs] == [(), ()]


def test_pairs_are_equal_by_index_and_by_iteration(files):
    top = files("gt/a/1.txt", "gt/a/1.xml", "gt/2.txt", "gt/3.txt", "hyp/a/1.txt", "hyp/3.txt", "hyp/4.txt")
    pairs = pair(top / "gt", top / "hyp").pairs
    assert list(pairs) == [pairs[place] for place in range(len(pairs))] == pairs[:]
    assert len(pairs) == 4


def test_mets_files_and_foreign_xml_without_partner_are_passed_over(files):
    top = files("gt/1.xml", "gt/mets.xml", "hyp/1.xml")
    (top / "gt/data.xml").write_text("<catalogue/>")
    (top / "hyp/conf.json").write_text('{"a": 1}')
    pairing = pair(top / "gt", top / "hyp")
    assert set(table(pairing, top)) == {"1"}
    reasons = {one.path.name: one.reason for one in pairing.passed_over}
    assert reasons["data.xml"] == "root element 'catalogue' is of no page format"
    assert reasons["conf.json"] == "JSON without a page"
    assert "mets.xml" in reasons


def test_foreign_xml_with_the_name_of_a_page_is_not_chosen(files):
    top = files("gt/1.txt", "hyp/1.txt")
    (top / "gt/1.xml").write_text("<catalogue/>")
    assert table(pair(top / "gt", top / "hyp"), top) == {"1": ("gt/1.txt", "hyp/1.txt")}


def test_a_damaged_page_without_partner_is_not_passed_over(files):
    top = files("gt/1.xml", "hyp/1.xml")
    (top / "gt/2.xml").write_text("<PcGts><Page")
    (top / "gt/3.xml").write_bytes(b"")
    assert set(table(pair(top / "gt", top / "hyp"), top)) == {"1", "2", "3"}


@pytest.mark.usefixtures("unreadable")
def test_an_unreadable_sub_folder_is_named_and_the_rest_paired(files):
    top = files("gt/1.xml", "gt/shut/2.xml", "hyp/1.xml")
    pairing = pair(top / "gt", top / "hyp")
    assert set(table(pairing, top)) == {"1"}
    assert str(top / "gt/shut") in errors(pairing)[0]


def test_names_that_are_not_utf8_are_paired(tmp_path):
    for side in (b"gt", b"hyp"):
        os.mkdir(os.fsencode(tmp_path) + b"/" + side)  # noqa: PTH102
        with open(os.fsencode(tmp_path) + b"/" + side + b"/\xe4.txt", "wb"):  # noqa: PTH123
            pass
    (one,) = pair(tmp_path / "gt", tmp_path / "hyp").pairs
    assert one.hyp is not None
    assert one.name == os.fsdecode(b"\xe4")


def test_little_more_than_the_names_of_files_is_kept_in_memory(tmp_path):
    names = [f"{n // 100:03}/{n % 100:02}" for n in range(3000)]
    for side in ("gt", "hyp"):
        for n in range(30):
            (tmp_path / side / f"{n:03}").mkdir(parents=True)
        for name in names:
            (tmp_path / side / f"{name}.txt").touch()
    pairs, size = paired(tmp_path / "gt", tmp_path / "hyp")
    assert [one.name for one in pairs] == names
    assert size < 100  # 50 are used


def test_two_ground_truths_without_hypothesis_are_one_error(files):
    top = files("gt/1.xml", "gt/1.txt", "hyp/2.xml")
    pairing = pair(top / "gt", top / "hyp")
    assert len(errors(pairing)) == 1
    assert set(table(pairing, top)) == {"2"}


def test_only_suffixes_that_single_out_a_file_are_suggested(files):
    top = files("gt/1.xml", "hyp/1.tif.xml", "hyp/1.xml")
    (error,) = errors(pair(top / "gt", top / "hyp"))
    assert error.endswith("Choose with hyp_suffix='.tif.xml'.")


def test_another_remedy_is_suggested_where_no_suffix_singles_out_a_file(files):
    top = files("gt/1.xml", "hyp/1.xml", "hyp/1.XML")
    (error,) = errors(pair(top / "gt", top / "hyp"))
    assert "Give a folder with one of them" in error


def test_tags_choose_among_files_of_one_page(files):
    top = files("gt/1.gt.txt", "gt/1.txt", "hyp/1.txt", "hyp/1.pred.txt", "hyp/1.gt.txt")
    pairing = pair(top / "gt", top / "hyp")
    assert table(pairing, top) == {"1": ("gt/1.gt.txt", "hyp/1.pred.txt")}
    assert len(pairing.passed_over) == 3
    assert {file.reason for file in pairing.passed_over} == {
        "another file is the ground truth of that name",
        "another file is the hypothesis of that name",
    }
