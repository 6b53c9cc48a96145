"""METS files: groups, pages, places of files, and messages."""

from __future__ import annotations

from pathlib import Path

import pytest

import pagemeter as pm
from pagemeter.errors import InputError, UsageError
from pagemeter.inputs import pair
from pagemeter.inputs.mets import is_mets, read_mets

PAGE = "application/vnd.prima.page+xml"
HEAD = (
    '<mets:mets xmlns:mets="http://www.loc.gov/METS/" xmlns:xlink="http://www.w3.org/1999/xlink">'
    "<mets:fileSec>{files}</mets:fileSec>"
    '<mets:structMap TYPE="LOGICAL"><mets:div ID="LOG_1" TYPE="page"><mets:fptr FILEID="GT_1"/></mets:div>'
    "</mets:structMap>"
    '<mets:structMap TYPE="PHYSICAL"><mets:div TYPE="physSequence" ID="PHYS_0000">{pages}</mets:div>'
    "</mets:structMap></mets:mets>"
)


def file(name, href, media_type="text/plain", places='LOCTYPE="OTHER" OTHERLOCTYPE="FILE"'):
    place = f'<mets:FLocat {places} xlink:href="{href}"/>' if href else ""
    return f'<mets:file ID="{name}" MIMETYPE="{media_type}">{place}</mets:file>'


def group(name, *files):
    return f'<mets:fileGrp USE="{name}">{"".join(files)}</mets:fileGrp>'


def page(name, *files):
    pointers = "".join(f'<mets:fptr FILEID="{file}"/>' for file in files)
    return f'<mets:div TYPE="page" ID="{name}" ORDER="1">{pointers}</mets:div>'


@pytest.fixture
def mets(tmp_path):
    """Return a function that writes a METS file beside the pages of two groups."""
    for name, text in {"GT/1.txt": "one", "GT/2.txt": "two", "OCR/1.txt": "ore", "OCR/2.txt": "two"}.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)

    def make(groups, pages, name="mets.xml"):
        path = tmp_path / name
        path.write_text(HEAD.format(files="".join(groups), pages="".join(pages)))
        return path

    return make


@pytest.fixture
def simple(mets):
    groups = [
        group("IMG", file("IMG_1", "IMG/1.tif", "image/tiff")),
        group("GT", file("GT_1", "GT/1.txt"), file("GT_2", "GT/2.txt")),
        group("OCR", file("OCR_1", "OCR/1.txt"), file("OCR_2", "OCR/2.txt")),
    ]
    pages = [page("PHYS_0002", "IMG_1", "GT_2", "OCR_2"), page("PHYS_0001", "GT_1", "OCR_1")]
    return mets(groups, pages)


def located(path, gt="GT", hyp="OCR", other=None):
    pairs = pair(path, other, gt_group=gt, hyp_group=hyp).pairs
    top = Path(path).parent
    return [
        (one.name, *(side and str(side).removeprefix(f"{top}/") for side in (one.gt, one.hyp)))
        for one in pairs
    ]


EXPECTED = [("PHYS_0002", "GT/2.txt", "OCR/2.txt"), ("PHYS_0001", "GT/1.txt", "OCR/1.txt")]


def test_files_are_paired_by_page_in_the_order_of_the_document(simple):
    assert is_mets(simple)
    assert located(simple) == EXPECTED


def test_a_workspace_is_a_folder_with_a_mets_file(simple):
    pairs = pair(simple.parent, gt_group="GT", hyp_group="OCR").pairs
    assert [one.name for one in pairs] == ["PHYS_0002", "PHYS_0001"]


def test_python_and_the_command_evaluate_it(simple, run):
    result = pm.evaluate_corpus(simple, measures="CER:R", gt_group="GT", hyp_group="OCR")
    assert [(one.name, one.scores["CER:R"].errors) for one in result.pages] == [
        ("PHYS_0002", 0),
        ("PHYS_0001", 1),
    ]
    code, out, _ = run(
        "eval", simple, "--gt-group", "GT", "--hyp-group", "OCR", "-m", "CER:R", "--csv", "-", "--jobs", "1"
    )
    assert code == 0
    assert "PHYS_0001" in out


def test_groups_are_compared(mets, run):
    groups = [
        group("GT", file("GT_1", "GT/1.txt")),
        group("OCR-A", file("A_1", "OCR/1.txt")),
        group("OCR-B", file("B_1", "GT/1.txt")),
    ]
    path = mets(groups, [page("P1", "GT_1", "A_1", "B_1")])
    given = ("compare", path, "--gt-group", "GT", "--hyp-group", "OCR-A", "--hyp-group", "OCR-B")
    code, out, _ = run(*given, "-m", "CER:R", "--jobs", "1")
    assert code == 0
    assert out.index("OCR-B") < out.index("OCR-A")
    code, _, err = run(*given[:2], path, *given[2:])
    assert code == 2
    assert "both as paths and as file groups" in err


def test_a_page_may_lack_a_side(mets):
    groups = [
        group("GT", file("GT_1", "GT/1.txt"), file("GT_2", "GT/2.txt")),
        group("OCR", file("OCR_1", "OCR/1.txt"), file("OCR_3", "OCR/3.txt")),
    ]
    path = mets(groups, [page("P1", "GT_1", "OCR_1"), page("P2", "GT_2"), page("P3", "OCR_3"), page("P4")])
    assert located(path) == [
        ("P1", "GT/1.txt", "OCR/1.txt"),
        ("P2", "GT/2.txt", None),
        ("P3", None, "OCR/3.txt"),
    ]


def test_page_xml_is_preferred_and_images_are_no_pages(mets):
    groups = [
        group(
            "GT",
            file("GT_I", "GT/1.png", "image/png"),
            file("GT_T", "GT/1.txt"),
            file("GT_A", "GT/1.alto.xml", "application/alto+xml"),
            file("GT_P", "GT/1.xml", PAGE),
        ),
        group("OCR", file("OCR_1", "OCR/1.txt"), file("OCR_P", "OCR/1.pdf", "application/pdf")),
    ]
    path = mets(groups, [page("P1", "GT_I", "GT_T", "GT_A", "GT_P", "OCR_1", "OCR_P")])
    assert located(path) == [("P1", "GT/1.xml", "OCR/1.txt")]
    passed_over = pair(path, gt_group="GT", hyp_group="OCR").passed_over
    assert {other.path.name: other.reason for other in passed_over} == {
        "1.png": "image/png has no text",
        "1.txt": "another file of this page is preferred",
        "1.alto.xml": "another file of this page is preferred",
        "1.pdf": "application/pdf has no text",
    }


@pytest.mark.parametrize("place", ['LOCTYPE="URL"', ""])
def test_a_local_path_has_several_forms(mets, tmp_path, place):
    (tmp_path / "GT/a b.txt").write_text("one")
    for href in ("GT/a b.txt", "GT/a%20b.txt", f"file://{tmp_path}/GT/a%20b.txt", f"{tmp_path}/GT/a b.txt"):
        groups = [group("GT", file("GT_1", href, places=place)), group("OCR", file("OCR_1", "OCR/1.txt"))]
        path = mets(groups, [page("P1", "GT_1", "OCR_1")])
        assert located(path)[0][1] == "GT/a b.txt", href


@pytest.mark.parametrize(
    ("local", "expected"), [("GT/1.txt", "GT/1.txt"), ("GT/9.txt", "https://a.example/1.txt")]
)
def test_a_local_copy_is_preferred_to_the_url(mets, local, expected):
    remote = '<mets:FLocat LOCTYPE="URL" xlink:href="https://a.example/1.txt"/>'
    here = f'<mets:FLocat LOCTYPE="OTHER" OTHERLOCTYPE="FILE" xlink:href="{local}"/>'
    both = f'<mets:file ID="GT_1" MIMETYPE="text/plain">{remote}{here}</mets:file>'
    path = mets([group("GT", both), group("OCR", file("OCR_1", "OCR/1.txt"))], [page("P1", "GT_1", "OCR_1")])
    assert located(path)[0][1] == expected


def test_a_mets_file_behind_a_url(simple):
    pairs = list(pair(f"file://{simple}", gt_group="GT", hyp_group="OCR").pairs)
    assert str(pairs[1].gt) == f"file://{simple.parent}/GT/1.txt"
    result = pm.evaluate_corpus(f"file://{simple}", gt_group="GT", hyp_group="OCR", measures="CER:R")
    assert result["CER:R"].errors == 1


def test_two_mets_files(simple, mets):
    other = mets(
        [group("OCR", file("X", "OCR/1.txt"))],
        [page("PHYS_0001", "X")],
        name="other.xml",
    )
    assert located(simple, other=other) == [
        ("PHYS_0002", "GT/2.txt", None),
        ("PHYS_0001", "GT/1.txt", "OCR/1.txt"),
    ]


def test_pages_of_other_libraries(tmp_path):
    """Nested groups, areas of a parallel, no namespace prefix, and divisions without types or ids."""
    path = tmp_path / "mets.xml"
    path.write_text(
        '<mets xmlns="http://www.loc.gov/METS/" xmlns:xlink="http://www.w3.org/1999/xlink"><fileSec>'
        '<fileGrp ID="TEXT"><fileGrp USE="GT"><file ID="G"><FLocat LOCTYPE="URL" xlink:href="g.xml"/></file>'
        '</fileGrp><fileGrp USE="OCR"><file ID="O"><FLocat LOCTYPE="URL" xlink:href="o.xml"/></file>'
        '</fileGrp></fileGrp></fileSec><structMap TYPE="physical"><div><div ORDERLABEL="12r"><fptr><par>'
        '<area FILEID="G"/><area FILEID="O"/></par></fptr></div></div></structMap></mets>'
    )
    assert located(path) == [("12r", "g.xml", "o.xml")]
    assert list(read_mets(path).groups) == ["TEXT", "GT", "OCR"]


@pytest.mark.parametrize(
    ("gt", "hyp", "error", "message"),
    [
        ("GT", "OCR-D", UsageError, r"no file group 'OCR-D'.*; there are: IMG, GT, OCR"),
        (
            "NONE",
            "OCR",
            UsageError,
            r"no file group 'NONE'; there are: IMG, GT, OCR\. Name one of these groups",
        ),
        ("IMG", "OCR", InputError, r"IMG has no page files, only image/tiff\. Name another group"),
        ("GT", None, UsageError, r"GT of a METS file is compared with no other\. Add hyp_group='GROUP'"),
        (None, "OCR", UsageError, r"Add gt_group='GROUP'"),
    ],
)
def test_groups_that_cannot_be_compared(simple, gt, hyp, error, message):
    with pytest.raises(error, match=message):
        pair(simple, gt_group=gt, hyp_group=hyp)


@pytest.mark.parametrize(
    ("groups", "pages", "message"),
    [
        ([group("GT"), group("OCR", file("O", "OCR/1.txt"))], [page("P1", "O")], "GT is empty"),
        (
            [group("GT", file("G", "GT/1.txt")), group("OCR", file("O", "OCR/1.txt"))],
            [page("P1", "O")],
            "no page of the physical structMap has a file of the group GT",
        ),
        (
            [group("GT", file("G", "GT/1.txt")), group("OCR", file("O", "OCR/1.txt"))],
            [page("P1", "G"), page("P2", "O")],
            "no page has files in both groups, GT and OCR",
        ),
    ],
)
def test_groups_without_common_pages(mets, groups, pages, message):
    with pytest.raises(InputError, match=message):
        pair(mets(groups, pages), gt_group="GT", hyp_group="OCR")


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ([file("G", "")], "the file G has no FLocat"),
        (
            [file("G", "GT/1.txt"), file("H", "GT/2.txt")],
            "the group GT has 2 files of the same type for the page: G, H",
        ),
    ],
)
def test_a_page_whose_file_is_not_clear_fails_alone(mets, files, message):
    groups = [
        group("GT", *files, file("G2", "GT/2.txt")),
        group("OCR", file("O", "OCR/1.txt"), file("O2", "OCR/2.txt")),
    ]
    path = mets(groups, [page("P1", "G", "H", "O"), page("P2", "G2", "O2")])
    failed, good = pair(path, gt_group="GT", hyp_group="OCR").pairs
    assert message in failed.error
    assert (good.name, good.errors) == ("P2", ())


def test_a_mets_file_without_groups_names_them(simple, run):
    for arguments in ([simple], [simple.parent], [simple, simple]):
        with pytest.raises(UsageError, match="needs the file groups to compare; it has: IMG, GT, OCR"):
            pair(*arguments)
    code, _, err = run("eval", simple)
    assert code == 2
    assert "--gt-group GROUP" in err
    assert "--hyp-group GROUP" in err


def test_another_file_is_no_mets_file(write):
    with pytest.raises(InputError, match="this is not a METS file; its root element is page"):
        pair(write("a.xml", "<page/>"), gt_group="GT", hyp_group="OCR")
    with pytest.raises(InputError, match="no such file"):
        pair("nowhere.xml", gt_group="GT", hyp_group="OCR")


def test_groups_without_a_file_and_with_suffixes(simple):
    with pytest.raises(UsageError, match="there is no METS file"):
        pm.evaluate_corpus(["a"], ["a"], gt_group="GT", hyp_group="OCR")
    with pytest.raises(UsageError, match="have no suffixes to choose"):
        pair(simple, gt_group="GT", hyp_group="OCR", gt_suffixes=(".txt",))
