"""Pairs that name different images, and hypotheses that fit another page better."""

from __future__ import annotations

import json

import pytest

from helpers import SHARED, needs_shared
from pagemeter import Page, evaluate_corpus
from pagemeter.flags import PairSketch, better_partners, image_warnings
from pagemeter.formats import load
from pagemeter.inputs.pairs import Pair
from pagemeter.runners import evaluate_pairs

XML = (
    '<PcGts xmlns="http://schema.primaresearch.org/PAGE/gts/pagecontent/2019-07-15"><Page imageFilename="%s">'
    '<TextRegion id="r"><TextEquiv><Unicode>one line of text</Unicode></TextEquiv></TextRegion>'
    "</Page></PcGts>"
)


@pytest.mark.parametrize(
    ("gt", "hyp", "warned"),
    [
        ("0001.tif", "0002.tif", True),
        ("scans/page_a.png", "C:\\data\\page_b.jpg", True),
        ("GT-PAGE/x.jpg", "X.tiff", False),
        ("00000133.tif", "00000133.tif.xml", False),
        ("page2_A.pdf_page_1.png", "page2_A.png", False),
        ("bsb00034304_00004.jpg", "3_72c50_default.jpg", False),
        ("00439040.tif", "fromurl160818634927029251.tif", False),
        ("0001.tif", "the_page.tif", False),
        ("page_1.tif", "page_2.tif", True),
        ("letter.jpg", "1784.jpg", True),
        ("p1.jpg", "other.jpg", True),
        ("0001.tif", "input.png", False),
        ("0001.tif", "https://example.org/iiif/0001/full.jpg", False),
        ("image.jpg", "0002.jpg", False),
        ("", "0002.tif", False),
        (None, None, False),
    ],
)
def test_names_of_images_are_compared_without_folder_suffix_and_case(gt, hyp, warned):
    assert bool(image_warnings(Page(image=gt), Page(image=hyp), ["gt/the_page.xml"])) == warned


def test_a_pair_of_different_images_has_a_warning(write):
    files = Pair("p", write("a.xml", XML % "0001.tif"), write("b.xml", XML % "0002.tif"))
    (result,) = evaluate_pairs([files], ["CER:R"])
    assert "the image 0002.tif, but the ground truth is of 0001.tif" in str(result.warnings[-1])
    assert result.scores["CER:R"].errors == 0


@needs_shared
def test_real_pairs_have_no_warning():
    checked = 0
    for hyp in sorted(SHARED.glob("pages/*/hyp*/*.xml")):
        gt = hyp.parents[1] / "gt" / hyp.name
        if gt.exists():
            first, second = load(gt), load(hyp)
            checked += bool(first.image and second.image)
            assert not image_warnings(first, second, [str(gt), str(hyp)])
    assert checked > 50


TEXTS = {
    "1": "the old mill by the river was sold to a baker from the next village in spring",
    "2": "four hundred sheep went missing before the snow came down from the northern hills",
    "3": "a letter to the mayor asks for new lamps along the harbour and for a second bridge",
}


def corpus(hyps):
    gt = {name: Page.from_text(text) for name, text in TEXTS.items()}
    hyp = {name: Page.from_text(text, source=f"hyp/{name}") for name, text in hyps.items()}
    return evaluate_corpus(gt, hyp, ["CER:R", "WER:R"])


def test_a_hypothesis_that_fits_better_is_named():
    """Two hypotheses are swapped; they have some errors."""
    wrong = corpus({"1": TEXTS["2"].replace("sheep", "shcep"), "2": TEXTS["1"], "3": TEXTS["3"]})
    messages = [str(warning) for warning in wrong.warnings if "fits" in str(warning)]
    assert [message.partition(": its")[0] for message in messages] == ["hyp/1: page 1", "hyp/2: page 2"]
    assert "its ground truth fits hyp/2 much better. Check that the files" in messages[0]


@pytest.mark.parametrize(
    "hyps",
    [
        TEXTS,
        {**TEXTS, "1": "xx yy zz " * 20},  # poor, but nothing fits better
        {**TEXTS, "1": "", "2": ""},
        # A refusal is not a reading of any page, so a page with a similar text is not a better partner.
        {
            **TEXTS,
            "1": "I'm sorry, but I can't help with transcribing this image.",
            "2": f"{TEXTS['1']} {TEXTS['2']}",
        },
    ],
)
def test_pages_without_a_better_partner_have_no_such_warning(hyps):
    assert not corpus(hyps).outcome.totals.wrong_pairs


def test_the_command_and_its_json_name_the_better_hypothesis(run, files):
    top = files()
    for side, order in (("gt", "123"), ("hyp", "213")):
        (top / side).mkdir()
        for name, number in zip("123", order, strict=True):
            (top / side / f"{name}.txt").write_text(TEXTS[number])
    _, out, err = run("eval", top / "gt", top / "hyp", "-m", "CER:R", "--json", top / "a.json")
    assert "3 pages · 2 warnings" in out
    assert f"warning: {top}/hyp/1.txt: page 1: its ground truth fits {top}/hyp/2.txt much better" in err
    found = json.loads((top / "a.json").read_text())["wrong_pairs"]
    assert [problem["element"] for problem in found] == ["page 1", "page 2"]


def test_pages_of_ordinary_phrases_are_compared_in_little_time():
    """Letter sequences that most pages have do not make the comparison quadratic."""
    common, pages = range(8), 3000
    pairs = [PairSketch(str(i), f"{i}.txt", (*common, *own(i + 1)), (*common, *own(i))) for i in range(pages)]
    found = list(better_partners(pairs))
    assert len(found) == pages - 1
    assert found[0].detail == "its ground truth fits 1.txt much better"


def own(number):
    return range(1000 + 64 * number, 1064 + 64 * number)


@needs_shared
def test_real_pages_fit_no_other_hypothesis_better():
    folder = SHARED / "pages" / "ocrd-gt-structure-text"
    result = evaluate_corpus(folder / "gt", folder / "hyp-tesseract-deu", ["CER:R"], skip_missing=True)
    assert result.outcome.totals.pages > 1
    assert not result.outcome.totals.wrong_pairs
