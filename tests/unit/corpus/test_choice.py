"""Which of several files is meant, by their endings."""

from __future__ import annotations

import pytest

from collected import errors, table
from helpers import SHARED, needs_shared
from pagemeter.corpus import pair
from pagemeter.errors import InputError


@pytest.mark.parametrize(
    ("gt", "hyp", "gt_suffix", "hyp_suffix"),
    [
        ("p{}_gt.txt", "p{}_ocr.txt", "_gt.txt", "_ocr.txt"),
        ("p{}.txt", "p{}-tess5.txt", ".txt", "-tess5.txt"),
        ("a_{}_final.xml", "a_{}.out.xml", "_final.xml", ".out.xml"),
    ],
)
def test_endings_that_keep_names_apart_are_named_and_help(files, gt, hyp, gt_suffix, hyp_suffix):
    top = files(*(f"gt/{gt.format(i)}" for i in range(9)), *(f"hyp/{hyp.format(i)}" for i in range(9)))
    with pytest.raises(InputError, match=f"add --gt-suffix {gt_suffix} --hyp-suffix {hyp_suffix}, or"):
        pair(top / "gt", top / "hyp")
    made = pair(top / "gt", top / "hyp", gt_suffixes=(gt_suffix,), hyp_suffixes=(hyp_suffix,)).pairs
    assert len([one for one in made if one.gt and one.hyp]) == 9


@pytest.mark.parametrize(("gt", "hyp"), [("_gt.txt", "_ocr.txt"), ("-gt.xml", ".xml"), (".txt", "_pred.txt")])
def test_one_folder_with_both_sides_is_an_error_that_says_how_to_divide_it(files, gt, hyp):
    top = files(*(f"d/{i}{end}" for i in (1, 2) for end in (gt, hyp)))
    with pytest.raises(InputError, match=f"d: both sides are in it; add --gt-suffix {gt} --hyp-suffix {hyp}"):
        pair(top / "d", top / "d")
    made = pair(top / "d", top / "d", gt_suffixes=(gt,), hyp_suffixes=(hyp,))
    assert table(made, top) == {str(i): (f"d/{i}{gt}", f"d/{i}{hyp}") for i in (1, 2)}


@pytest.mark.parametrize("suffix", [".foo", "foo"])
def test_a_suffix_that_no_file_has_is_said_with_a_name_that_is_there(files, suffix):
    top = files("gt/1.xml", "hyp/1.txt")
    with pytest.raises(
        InputError, match=r"hyp: no name in it ends in \.foo, only 1 .* such as 1\.txt; change --hyp-suffix"
    ):
        pair(top / "gt", top / "hyp", hyp_suffixes=(suffix,))


@pytest.mark.parametrize("side", ["gt", "hyp"])
def test_two_files_for_one_page_are_an_error_with_the_remedy(files, side):
    top = files("gt/1.xml", "gt/2.xml", "hyp/1.xml", "hyp/2.xml", f"{side}/1.hocr")
    made = pair(top / "gt", top / "hyp")
    (error,) = errors(made)
    assert "1.hocr and 1.xml" in error
    assert f"--{side}-suffix .hocr or --{side}-suffix .xml" in error
    assert set(table(made, top)) == {"2"}
    mended = pair(top / "gt", top / "hyp", **{f"{side}_suffixes": (".hocr",)})
    assert table(mended, top)["1"][side == "hyp"] == f"{side}/1.hocr"


def test_two_ground_truths_without_hypothesis_are_not_counted_twice(files):
    top = files("gt/1.xml", "gt/1.txt", "hyp/2.xml")
    made = pair(top / "gt", top / "hyp")
    assert len(errors(made)) == 1
    assert set(table(made, top)) == {"2"}


def test_the_remedy_names_only_suffixes_that_help(files):
    top = files("gt/1.xml", "hyp/1.tif.xml", "hyp/1.xml")
    (error,) = errors(pair(top / "gt", top / "hyp"))
    assert error.endswith("choose with --hyp-suffix .tif.xml")


def test_where_no_suffix_helps_the_remedy_is_another(files):
    top = files("gt/1.xml", "hyp/1.xml", "hyp/1.XML")
    (error,) = errors(pair(top / "gt", top / "hyp"))
    assert "give a folder with one of them" in error


def test_tags_choose_among_files_of_one_page(files):
    top = files("gt/1.gt.txt", "gt/1.txt", "hyp/1.txt", "hyp/1.pred.txt", "hyp/1.gt.txt")
    made = pair(top / "gt", top / "hyp")
    assert table(made, top) == {"1": ("gt/1.gt.txt", "hyp/1.pred.txt")}
    assert len(made.passed_over) == 3
    assert {one.reason for one in made.passed_over} == {
        "another file is the ground truth of that name",
        "another file is the hypothesis of that name",
    }


def test_one_folder_for_both_sides_is_divided_by_tags(files):
    top = files("d/1.gt.txt", "d/1.pred.txt", "d/2.gt.txt", "d/2.txt", "d/3.gt.txt", "d/4.pred.txt")
    assert table(pair(top / "d", top / "d"), top) == {
        "1": ("d/1.gt.txt", "d/1.pred.txt"),
        "2": ("d/2.gt.txt", "d/2.txt"),
        "3": ("d/3.gt.txt", None),
        "4": (None, "d/4.pred.txt"),
    }


def test_one_folder_with_tags_for_hypotheses_only(files):
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
    made = pair(top / "d", top / "d", hyp_suffixes=(".out.txt",))
    assert table(made, top)["1"] == ("d/1.xml", "d/1.out.txt")


def test_one_folder_without_tags_is_not_compared_with_itself(files):
    top = files("d/1.txt")
    with pytest.raises(InputError, match="given for both sides, and no name tells them apart"):
        pair(top / "d", top / "d")


@needs_shared
@pytest.mark.parametrize("suffix", [".hocr", ".txt", ".xml"])
def test_the_remedy_works_where_every_page_is_there_three_times(suffix):
    top = SHARED / "pages" / "tapuscorpus"
    assert len(errors(pair(top / "gt", top / "hyp-tesseract-fra"))) == 5
    mended = pair(top / "gt", top / "hyp-tesseract-fra", hyp_suffixes=(suffix,))
    assert len(mended.pairs) == 5
    assert all(made.hyp and made.hyp.suffix == suffix for made in mended.pairs)
