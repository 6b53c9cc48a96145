"""Which files belong together."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from collected import errors, paired, table
from pagemeter.corpus import pair
from pagemeter.errors import InputError, UsageError


def test_two_files_are_a_pair_whatever_their_names(files):
    top = files("x.gt.txt", "y.foo")
    assert table(pair(top / "x.gt.txt", top / "y.foo"), top) == {"x": ("x.gt.txt", "y.foo")}


def test_folders_are_paired_by_stem(files):
    top = files("gt/1.gt.txt", "gt/2.gt.txt", "hyp/1.pred.txt", "hyp/2.xml")
    assert table(pair(top / "gt", top / "hyp"), top) == {
        "1": ("gt/1.gt.txt", "hyp/1.pred.txt"),
        "2": ("gt/2.gt.txt", "hyp/2.xml"),
    }


def test_double_suffixes_of_images_are_taken_off(files):
    top = files("gt/00000133.tif.xml", "hyp/00000133.txt")
    assert table(pair(top / "gt", top / "hyp"), top) == {
        "00000133": ("gt/00000133.tif.xml", "hyp/00000133.txt")
    }


def test_files_without_partner_stay_with_none_for_it(files):
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


def test_file_groups_as_in_mets_are_left_out_of_the_name(files):
    top = files("gt/book/GT-PAGE/1.xml", "gt/book/GT-PAGE/2.xml", "hyp/book/OCR/1.xml", "hyp/book/OCR/2.xml")
    assert table(pair(top / "gt", top / "hyp"), top) == {
        "book/1": ("gt/book/GT-PAGE/1.xml", "hyp/book/OCR/1.xml"),
        "book/2": ("gt/book/GT-PAGE/2.xml", "hyp/book/OCR/2.xml"),
    }


def test_file_groups_of_several_books(files):
    top = files("gt/a/GT/1.xml", "gt/b/GT/1.xml", "hyp/a/OCR/1.xml", "hyp/b/OCR/1.xml")
    assert set(table(pair(top / "gt", top / "hyp"), top)) == {"a/1", "b/1"}


def test_one_side_may_have_no_groups(files):
    top = files("gt/1.xml", "gt/2.xml", "hyp/OCR/1.xml", "hyp/OCR/2.xml")
    assert table(pair(top / "gt", top / "hyp"), top)["1"] == ("gt/1.xml", "hyp/OCR/1.xml")


def test_a_book_of_many_in_the_hypothesis_is_found(files):
    top = files("gt/a/GT/1.xml", "hyp/a/OCR/1.xml", "hyp/b/OCR/1.xml")
    made = table(pair(top / "gt", top / "hyp"), top)
    assert made["a/1"] == ("gt/a/GT/1.xml", "hyp/a/OCR/1.xml")


def test_stems_that_repeat_their_folder_are_compared_without_it(files):
    top = files("w/GT-PAGE/GT-PAGE_0001.xml", "w/OCR/OCR_0001.xml", "w/X/FILE_0001_X.xml")
    assert table(pair(top / "w/GT-PAGE", top / "w/OCR"), top) == {
        "0001": ("w/GT-PAGE/GT-PAGE_0001.xml", "w/OCR/OCR_0001.xml")
    }
    files("v/Y/FILE_0001_Y.xml")
    assert set(table(pair(top / "w/X", top / "v/Y"), top)) == {"FILE_0001"}


def test_books_of_other_names_are_never_paired(files):
    """A page that is missing must not be compared with the page of that number in another book."""
    top = files("gt/a/1.xml", "gt/b/1.xml", "hyp/b/1.xml", "hyp/c/1.xml")
    made = table(pair(top / "gt", top / "hyp"), top)
    assert made["a/1"] == ("gt/a/1.xml", None)
    assert made["c/1"] == (None, "hyp/c/1.xml")


def test_a_namesake_in_another_folder_is_hinted_at(files):
    top = files("gt/1.xml", "gt/2.xml", "hyp/A/1.xml", "hyp/B/1.xml", "hyp/2.xml")
    missing = next(made for made in pair(top / "gt", top / "hyp").pairs if made.name == "1")
    assert missing.hyp is None
    assert str(Path("hyp/A/1.xml")) in missing.warnings[0].reason


def test_where_nothing_pairs_a_namesake_in_another_folder_is_an_error_that_names_it(files):
    top = files("gt/1.xml", "hyp/A/1.xml", "hyp/B/1.xml")
    with pytest.raises(InputError, match=r"nothing to pair; .*gt/1\.xml: .*hyp/A/1\.xml has its name"):
        pair(top / "gt", top / "hyp")


def test_names_in_composed_and_decomposed_form_are_one_name(files):
    top = files("gt/Bücher/Ärger.txt", "hyp/Bu\u0308cher/A\u0308rger.txt")
    (made,) = pair(top / "gt", top / "hyp").pairs
    assert (made.name, made.gt.exists(), made.hyp.exists()) == ("Bücher/Ärger", True, True)


def test_names_that_differ_in_case_are_not_paired_but_hinted_at(files):
    top = files("gt/Page1.txt", "gt/2.txt", "hyp/page1.txt", "hyp/2.txt")
    missing = next(made for made in pair(top / "gt", top / "hyp").pairs if made.name == "Page1")
    assert missing.hyp is None
    assert "hyp/page1.txt is written in other letter case; rename one" in missing.warnings[0].reason


def test_folders_without_a_common_name_are_an_error_with_examples_of_both_sides(files):
    top = files(*(f"gt/a{i}.txt" for i in range(5)), "hyp/b1.txt")
    with pytest.raises(InputError) as error:
        pair(top / "gt", top / "hyp")
    assert str(error.value) == (
        f"{top}/gt and {top}/hyp: no name is on both sides: ground truths are a0.txt, a1.txt, a2.txt and 2 "
        "more, hypotheses b1.txt; name the endings that differ with --gt-suffix and --hyp-suffix, rename the "
        "files, or give a table of pairs"
    )


def test_standard_input_is_one_side_of_one_page(files):
    top = files("gt/1.xml", "1.xml")
    (made,) = pair(top / "1.xml", Path("-")).pairs
    assert (made.name, made.hyp) == ("1", Path("-"))
    assert pair(Path("-"), top / "1.xml").pairs[0].name == "1"
    for gt, hyp in ((Path("-"), Path("-")), (top / "gt", Path("-")), (Path("-"), top / "gt")):
        with pytest.raises(UsageError, match="give a file for the other side"):
            pair(gt, hyp)


def test_a_file_compared_with_itself_warns_through_links_too(files):
    top = files("a.txt")
    (top / "b.txt").symlink_to(top / "a.txt")
    (made,) = pair(top / "a.txt", top / "b.txt").pairs
    assert "same file" in made.warnings[0].reason


@pytest.mark.parametrize("link", ["symlink_to", "hardlink_to"])
def test_pages_of_two_folders_that_are_one_file_warn(files, link):
    top = files("gt/1.txt", "gt/2.txt", "gt/3.txt", "hyp/2.txt", "hyp/3.txt")
    getattr(top / "hyp/1.txt", link)(top / "gt/1.txt")
    (top / "hyp/4.txt").symlink_to(top / "hyp/3.txt")
    warned = [made.name for made in pair(top / "gt", top / "hyp").pairs if made.warnings]
    assert warned == ["1"]


def test_a_link_to_a_file_that_was_not_chosen_does_not_warn(files):
    top = files("d/1.txt", "d/1.gt.txt", "d/2.md")
    (top / "link").mkdir()
    (top / "link/1.gt.txt").symlink_to(top / "d/1.txt")
    (top / "link/2.md").hardlink_to(top / "d/2.md")
    made = {one.name: bool(one.warnings) for one in pair(top / "d", top / "link").pairs}
    assert made == {"1": False, "2": True}


def test_one_folder_of_both_sides_has_no_file_compared_with_itself(files):
    top = files("1.gt.txt", "1.txt", "2.gt.txt", "2.txt")
    assert [made.warnings for made in pair(top, top).pairs] == [(), ()]


def test_pairs_are_the_same_one_by_one_and_in_turn(files):
    top = files("gt/a/1.txt", "gt/a/1.xml", "gt/2.txt", "gt/3.txt", "hyp/a/1.txt", "hyp/3.txt", "hyp/4.txt")
    pairs = pair(top / "gt", top / "hyp").pairs
    assert list(pairs) == [pairs[place] for place in range(len(pairs))] == pairs[:]
    assert len(pairs) == 4


def test_a_hypothesis_folder_inside_the_ground_truth_folder_is_no_ground_truth(files):
    top = files("d/1.xml", "d/ocr/1.xml")
    assert table(pair(top / "d", top / "d/ocr"), top) == {"1": ("d/1.xml", "d/ocr/1.xml")}


def test_one_file_finds_its_partner_in_a_folder(files):
    top = files("1.xml", "hyp/book/1.txt", "hyp/book/2.txt")
    assert table(pair(top / "1.xml", top / "hyp"), top) == {"1": ("1.xml", "hyp/book/1.txt")}


def test_one_file_without_partner_in_a_folder_is_an_error_that_says_what_is_there(files):
    top = files("1.xml", "hyp/2.txt")
    with pytest.raises(InputError, match=r"1\.xml: no file of its name in .*hyp, only 2\.txt; give the hyp"):
        pair(top / "1.xml", top / "hyp")


def test_a_folder_against_a_file_is_wrong_usage(files):
    top = files("gt/1.xml", "1.xml")
    with pytest.raises(UsageError, match=r"folder and .* a file; give the ground truth of that file, or the"):
        pair(top / "gt", top / "1.xml")


def test_an_empty_folder_is_an_error(tmp_path):
    for name in ("gt", "hyp"):
        (tmp_path / name).mkdir()
    with pytest.raises(InputError, match="no page files in it, it is empty"):
        pair(tmp_path / "gt", tmp_path / "hyp")


def test_a_folder_of_images_is_an_error_that_names_one(files):
    top = files("gt/1.xml", "hyp/1.jpg")
    with pytest.raises(InputError, match=r"only 1 of other kinds such as 1\.jpg"):
        pair(top / "gt", top / "hyp")


def test_what_is_not_there_is_an_error(tmp_path):
    with pytest.raises(InputError, match="no such file or folder"):
        pair(tmp_path / "gt", tmp_path)


def test_without_hypothesis_a_table_is_needed(files):
    top = files("1.xml")
    with pytest.raises(UsageError, match="no hypothesis is given"):
        pair(top / "1.xml")


def test_mets_files_and_foreign_xml_without_partner_are_passed_over(files):
    top = files("gt/1.xml", "gt/mets.xml", "hyp/1.xml")
    (top / "gt/data.xml").write_text("<catalogue/>")
    (top / "hyp/conf.json").write_text('{"a": 1}')
    made = pair(top / "gt", top / "hyp")
    assert set(table(made, top)) == {"1"}
    reasons = {one.path.name: one.reason for one in made.passed_over}
    assert reasons["data.xml"] == "root element 'catalogue' is of no page format"
    assert reasons["conf.json"] == "JSON that holds no page"
    assert "mets.xml" in reasons


def test_foreign_xml_beside_a_page_of_that_name_loses(files):
    top = files("gt/1.txt", "hyp/1.txt")
    (top / "gt/1.xml").write_text("<catalogue/>")
    assert table(pair(top / "gt", top / "hyp"), top) == {"1": ("gt/1.txt", "hyp/1.txt")}


def test_a_damaged_page_without_partner_is_no_other_kind(files):
    top = files("gt/1.xml", "hyp/1.xml")
    (top / "gt/2.xml").write_text("<PcGts><Page")
    (top / "gt/3.xml").write_bytes(b"")
    assert set(table(pair(top / "gt", top / "hyp"), top)) == {"1", "2", "3"}


def test_an_unreadable_sub_folder_is_named_and_the_rest_paired(files, monkeypatch):
    top = files("gt/1.xml", "gt/shut/2.xml", "hyp/1.xml")
    listing = os.scandir

    def refuse(path):
        if Path(path).name == "shut":
            raise PermissionError(13, "Permission denied")
        return listing(path)

    monkeypatch.setattr(os, "scandir", refuse)
    made = pair(top / "gt", top / "hyp")
    assert set(table(made, top)) == {"1"}
    assert str(top / "gt/shut") in errors(made)[0]


def test_names_that_are_not_utf8_are_paired(tmp_path):
    for side in (b"gt", b"hyp"):
        os.mkdir(os.fsencode(tmp_path) + b"/" + side)  # noqa: PTH102
        with open(os.fsencode(tmp_path) + b"/" + side + b"/\xe4.txt", "wb"):  # noqa: PTH123
            pass
    (made,) = pair(tmp_path / "gt", tmp_path / "hyp").pairs
    assert made.hyp is not None
    assert made.name == os.fsdecode(b"\xe4")


def test_of_the_files_in_folders_little_more_than_their_names_is_kept(tmp_path):
    names = [f"{n // 100:03}/{n % 100:02}" for n in range(3000)]
    for side in ("gt", "hyp"):
        for n in range(30):
            (tmp_path / side / f"{n:03}").mkdir(parents=True)
        for name in names:
            (tmp_path / side / f"{name}.txt").touch()
    pairs, size = paired(tmp_path / "gt", tmp_path / "hyp")
    assert [made.name for made in pairs] == names
    assert size < 100  # 50 are used


def test_texts_are_taken_for_paths(tmp_path):
    (tmp_path / "1.txt").touch()
    both = str(tmp_path / "1.txt")
    assert pair(both, both).pairs[0] == pair(Path(both), Path(both)).pairs[0]
