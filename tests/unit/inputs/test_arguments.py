"""How two arguments are understood: files, folders, one folder for both sides, given suffixes, and errors."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from collected import errors, table
from helpers import SHARED, needs_shared
from pagemeter.errors import InputError, UsageError
from pagemeter.inputs import pair


def problem(*arguments, **options):
    """Return the problem of the error that pairing raises."""
    with pytest.raises((InputError, UsageError)) as caught:
        pair(*arguments, **options)
    return caught.value.problem


def test_two_files_are_a_pair_with_any_names(files):
    top = files("x.gt.txt", "y.foo")
    assert table(pair(top / "x.gt.txt", top / "y.foo"), top) == {"x": ("x.gt.txt", "y.foo")}


def test_strings_are_paths(tmp_path):
    (tmp_path / "1.txt").touch()
    both = str(tmp_path / "1.txt")
    assert pair(both, both).pairs[0] == pair(Path(both), Path(both)).pairs[0]


def test_a_file_finds_its_partner_in_a_folder(files):
    top = files("1.xml", "hyp/book/1.txt", "hyp/book/2.txt")
    assert table(pair(top / "1.xml", top / "hyp"), top) == {"1": ("1.xml", "hyp/book/1.txt")}


def test_a_file_without_partner_in_a_folder_is_an_error_that_shows_the_files_there(files):
    top = files("1.xml", "hyp/2.txt")
    error = problem(top / "1.xml", top / "hyp")
    assert error.source == f"{top}/1.xml"
    assert error.detail == f"no file of this name in {top}/hyp, only 2.txt"
    assert error.remedy == "give the hypothesis file itself"


def test_a_folder_and_a_file_are_wrong_usage(files):
    top = files("gt/1.xml", "1.xml")
    error = problem(top / "gt", top / "1.xml")
    assert error.kind == "usage"
    assert error.detail == f"{top}/gt is a folder, but {top}/1.xml is a file"
    assert error.remedy.startswith("give the ground truth of that file, or the folder")


def test_standard_input_is_one_side_of_one_page(files):
    top = files("gt/1.xml", "1.xml")
    (one,) = pair(top / "1.xml", Path("-")).pairs
    assert (one.name, one.hyp) == ("1", Path("-"))
    assert pair(Path("-"), top / "1.xml").pairs[0].name == "1"
    for gt, hyp in ((Path("-"), Path("-")), (top / "gt", Path("-")), (Path("-"), top / "gt")):
        with pytest.raises(UsageError, match="Give a file for the other side"):
            pair(gt, hyp)


def test_without_a_hypothesis_a_table_is_needed(files):
    top = files("1.xml")
    with pytest.raises(UsageError, match="no hypothesis is given"):
        pair(top / "1.xml")


def test_a_missing_argument_is_an_error(tmp_path):
    with pytest.raises(InputError, match="no such file or folder"):
        pair(tmp_path / "gt", tmp_path)


def test_an_empty_folder_is_an_error(tmp_path):
    for name in ("gt", "hyp"):
        (tmp_path / name).mkdir()
    with pytest.raises(InputError, match="the folder is empty"):
        pair(tmp_path / "gt", tmp_path / "hyp")


def test_a_folder_of_images_is_an_error_that_names_one(files):
    top = files("gt/1.xml", "hyp/1.jpg")
    error = problem(top / "gt", top / "hyp")
    assert error.detail == "no page file, only 1 other, such as 1.jpg"
    assert error.settings == (("hyp_suffix", ""),)


@pytest.mark.parametrize("suffix", [".foo", "foo"])
def test_a_suffix_that_no_file_has_is_reported_with_the_name_of_a_file(files, suffix):
    top = files("gt/1.xml", "hyp/1.txt")
    error = problem(top / "gt", top / "hyp", hyp_suffixes=(suffix,))
    assert error.source == f"{top}/hyp"
    assert error.detail == "no file with the suffix .foo, only 1 other, such as 1.txt"
    assert (error.remedy, error.settings) == ("change {}", (("hyp_suffix", ""),))


@pytest.mark.parametrize(
    ("gt", "hyp", "gt_suffix", "hyp_suffix"),
    [
        ("p{}_gt.txt", "p{}_ocr.txt", "_gt.txt", "_ocr.txt"),
        ("p{}.txt", "p{}-tess5.txt", ".txt", "-tess5.txt"),
        ("a_{}_final.xml", "a_{}.out.xml", "_final.xml", ".out.xml"),
    ],
)
def test_suffixes_without_which_names_are_equal_are_suggested_and_work(files, gt, hyp, gt_suffix, hyp_suffix):
    top = files(*(f"gt/{gt.format(i)}" for i in range(9)), *(f"hyp/{hyp.format(i)}" for i in range(9)))
    error = problem(top / "gt", top / "hyp")
    assert error.remedy == "add {} {}, or give a table of pairs"
    assert error.settings == (("gt_suffix", gt_suffix), ("hyp_suffix", hyp_suffix))
    pairs = pair(top / "gt", top / "hyp", gt_suffixes=(gt_suffix,), hyp_suffixes=(hyp_suffix,)).pairs
    assert len([one for one in pairs if one.gt and one.hyp]) == 9


def test_folders_without_a_common_name_are_an_error_with_examples_of_both_sides(files):
    top = files(*(f"gt/a{i}.txt" for i in range(5)), "hyp/b1.txt")
    with pytest.raises(InputError) as error:
        pair(top / "gt", top / "hyp")
    assert str(error.value) == (
        f"{top}/gt and {top}/hyp: no name is on both sides; the ground truth has a0.txt, a1.txt, a2.txt "
        "and 2 more, the hypothesis b1.txt. Give the suffixes of both sides with gt_suffix and hyp_suffix, "
        "rename the files, or give a table of pairs."
    )


def test_where_nothing_pairs_a_file_of_the_same_name_in_another_folder_is_named(files):
    top = files("gt/1.xml", "hyp/A/1.xml", "hyp/B/1.xml")
    with pytest.raises(InputError, match=r"no files to pair; .*gt/1\.xml: .*hyp/A/1\.xml has the same name"):
        pair(top / "gt", top / "hyp")


@pytest.mark.parametrize(("gt", "hyp"), [("_gt.txt", "_ocr.txt"), ("-gt.xml", ".xml"), (".txt", "_pred.txt")])
def test_one_folder_with_both_sides_is_an_error_with_suffixes_that_divide_it(files, gt, hyp):
    top = files(*(f"d/{i}{suffix}" for i in (1, 2) for suffix in (gt, hyp)))
    error = problem(top / "d", top / "d")
    assert (error.source, error.detail) == (f"{top}/d", "the folder has the files of both sides")
    assert error.settings == (("gt_suffix", gt), ("hyp_suffix", hyp))
    divided = pair(top / "d", top / "d", gt_suffixes=(gt,), hyp_suffixes=(hyp,))
    assert table(divided, top) == {str(i): (f"d/{i}{gt}", f"d/{i}{hyp}") for i in (1, 2)}


def test_one_folder_for_both_sides_is_divided_by_tags(files):
    top = files("d/1.gt.txt", "d/1.pred.txt", "d/2.gt.txt", "d/2.txt", "d/3.gt.txt", "d/4.pred.txt")
    assert table(pair(top / "d", top / "d"), top) == {
        "1": ("d/1.gt.txt", "d/1.pred.txt"),
        "2": ("d/2.gt.txt", "d/2.txt"),
        "3": ("d/3.gt.txt", None),
        "4": (None, "d/4.pred.txt"),
    }


def test_one_folder_with_tags_of_hypotheses_only(files):
    top = files("d/1.txt", "d/1.pred.txt")
    assert table(pair(top / "d", top / "d"), top) == {"1": ("d/1.txt", "d/1.pred.txt")}


@pytest.mark.parametrize(
    "suffixes",
    [
        {"gt_suffixes": (".gt.txt",)},
        {"hyp_suffixes": (".txt",), "gt_suffixes": (".gt.txt",)},
        {"gt_suffixes": ("gt.txt",), "hyp_suffixes": ("txt",)},
    ],
)
def test_one_folder_is_divided_by_given_suffixes(files, suffixes):
    top = files("d/1.gt.txt", "d/1.txt")
    assert table(pair(top / "d", top / "d", **suffixes), top) == {"1": ("d/1.gt.txt", "d/1.txt")}


def test_one_folder_with_a_suffix_for_the_hypothesis_only(files):
    top = files("d/1.xml", "d/1.out.txt")
    pairing = pair(top / "d", top / "d", hyp_suffixes=(".out.txt",))
    assert table(pairing, top)["1"] == ("d/1.xml", "d/1.out.txt")


@pytest.mark.parametrize("name", ["1.txt", "1.gt.txt", "1.pred.txt"])
def test_one_folder_with_the_files_of_one_side_is_compared_with_itself(files, name):
    top = files(f"d/{name}", f"d/{name.replace('1', '2')}")
    pairing = pair(top / "d", top / "d")
    assert table(pairing, top) == {page: (f"d/{page}{name[1:]}",) * 2 for page in "12"}
    assert "are the same file" in str(next(iter(pairing.pairs)).warnings[0])


def test_the_hypothesis_folder_inside_the_ground_truth_folder_is_not_ground_truth(files):
    top = files("d/1.xml", "d/ocr/1.xml")
    assert table(pair(top / "d", top / "d/ocr"), top) == {"1": ("d/1.xml", "d/ocr/1.xml")}


@pytest.mark.parametrize("side", ["gt", "hyp"])
def test_two_files_for_one_page_are_an_error_with_suffixes_to_choose_from(files, side):
    top = files("gt/1.xml", "gt/2.xml", "hyp/1.xml", "hyp/2.xml", f"{side}/1.hocr")
    pairing = pair(top / "gt", top / "hyp")
    (error,) = (error for one in pairing.pairs for error in one.errors)
    assert error.detail.endswith(": .hocr and .xml")
    assert error.settings == ((f"{side}_suffix", ".hocr"), (f"{side}_suffix", ".xml"))
    assert set(table(pairing, top)) == {"2"}
    chosen = pair(top / "gt", top / "hyp", **{f"{side}_suffixes": (".hocr",)})
    assert table(chosen, top)["1"][side == "hyp"] == f"{side}/1.hocr"


def test_two_files_on_both_sides_are_two_errors(files):
    top = files("gt/1.xml", "gt/1.hocr", "hyp/1.xml", "hyp/1.hocr")
    (only,) = pair(top / "gt", top / "hyp").pairs
    assert [one.settings[0][0] for one in only.errors] == ["gt_suffix", "hyp_suffix"]
    assert only.error.count("\n") == 1


@needs_shared
@pytest.mark.parametrize("suffix", [".hocr", ".txt", ".xml"])
def test_a_suggested_suffix_works_where_every_page_has_three_files(suffix):
    top = SHARED / "pages" / "tapuscorpus"
    messages = errors(pair(top / "gt", top / "hyp-tesseract-fra"))
    assert len(messages) == 5
    assert all(re.search(f"hyp_suffix='{suffix}'", text) for text in messages)
    chosen = pair(top / "gt", top / "hyp-tesseract-fra", hyp_suffixes=(suffix,))
    assert len(chosen.pairs) == 5
    assert all(one.hyp and one.hyp.suffix == suffix for one in chosen.pairs)
