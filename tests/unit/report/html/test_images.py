"""Images of pages: where they are found, linked and embedded."""

from __future__ import annotations

import base64
import io
import struct
import sys
import zlib
from dataclasses import replace

import pytest
from PIL import Image as Pillow

from pagemeter import Line, Page, evaluate
from pagemeter.corpus import PageResult
from pagemeter.report.html import Images


def picture(path, size=(40, 20), **options):
    path.parent.mkdir(parents=True, exist_ok=True)
    Pillow.effect_noise(size, 90).save(path, **options)
    return path


def result(folder, image=None, hyp_image=None):
    evaluation = evaluate(Page((Line("a"),), image=image), Page((Line("a"),), image=hyp_image), ["CER"])
    return PageResult("0001", str(folder / "gt/0001.xml"), str(folder / "hyp/0001.xml"), evaluation)


def test_an_image_beside_the_file_is_linked_by_a_relative_path(tmp_path):
    picture(tmp_path / "gt/a b%.png")
    found = Images(tmp_path / "out").of(result(tmp_path, "a b%.png"))
    assert (found.href, found.content) == ("../gt/a%20b%25.png", None)


def test_the_folder_above_the_file_is_searched(tmp_path):
    picture(tmp_path / "a.png")
    assert Images(tmp_path).of(result(tmp_path, "a.png")).href == "a.png"


def test_the_hypothesis_may_name_the_image(tmp_path):
    picture(tmp_path / "hyp/b.png")
    assert Images(tmp_path).of(result(tmp_path, None, "b.png")).href == "hyp/b.png"


def test_a_folder_of_images_comes_first_by_name_or_by_page(tmp_path):
    picture(tmp_path / "gt/a.png")
    picture(tmp_path / "scans/a.png")
    assert Images(tmp_path, tmp_path / "scans").of(result(tmp_path, "x/a.png")).href == "scans/a.png"
    (tmp_path / "scans/a.png").rename(tmp_path / "scans/0001.png")
    assert Images(tmp_path, tmp_path / "scans").of(result(tmp_path, "x.png")).href == "scans/0001.png"


def test_a_folder_of_images_may_have_folders(tmp_path):
    picture(tmp_path / "scans/deep/a.png")
    assert Images(tmp_path, tmp_path / "scans").of(result(tmp_path, "deep/a.png")).href == "scans/deep/a.png"


def test_without_a_named_image_and_a_folder_there_is_none(tmp_path):
    assert Images(tmp_path).of(result(tmp_path)) is None


@pytest.mark.parametrize("name", ["missing.png", "https://example.org/a.png", "gt"])
def test_a_named_image_that_does_not_exist_has_a_note(tmp_path, name):
    (tmp_path / "gt").mkdir()
    found = Images(tmp_path).of(result(tmp_path, name))
    assert found.note == f"{name}: no such image. Set images to the folder of the images."
    assert (found.href, found.content) == (None, None)


def test_a_page_without_image_in_the_folder_has_a_note(tmp_path):
    assert (
        Images(tmp_path, tmp_path)
        .of(result(tmp_path))
        .note.endswith(" has the name of the page. Set images to the folder of the images.")
    )


def test_a_format_that_browsers_do_not_show_has_a_note_with_a_remedy(tmp_path):
    picture(tmp_path / "gt/a.tif")
    found = Images(tmp_path).of(result(tmp_path, "a.tif"))
    assert found.href is None
    assert found.note == "a.tif: browsers do not show this format. Use embed_images to convert and embed it."


def content(found):
    head, _, data = found.content.decode().partition(",")
    return head, base64.b64decode(data)


def test_a_small_image_is_embedded_unchanged(tmp_path):
    path = picture(tmp_path / "gt/a.png")
    head, data = content(Images(tmp_path, embed=True).of(result(tmp_path, "a.png")))
    assert (head, data) == ("data:image/png;base64", path.read_bytes())


@pytest.mark.parametrize("name", ["a.png", "a.tif"])
def test_a_large_image_is_made_smaller(tmp_path, name):
    picture(tmp_path / "gt" / name, (2400, 1200))
    head, data = content(Images(tmp_path, embed=True).of(result(tmp_path, name)))
    assert head == "data:image/jpeg;base64"
    assert Pillow.open(io.BytesIO(data)).size == (1600, 800)


def test_a_damaged_image_has_a_note(tmp_path):
    (tmp_path / "gt").mkdir()
    (tmp_path / "gt/a.tif").write_bytes(b"II*\0nothing")
    found = Images(tmp_path, embed=True).of(result(tmp_path, "a.tif"))
    assert found.content is None
    assert found.note == "a.tif: cannot be read: its format is unknown, or it is damaged"


@pytest.mark.parametrize("name", ["/home/ada/scans/a.png", "C:\\Users\\ada\\a.png", "{folder}/b/a.png"])
def test_notes_have_no_absolute_paths(tmp_path, name):
    picture(tmp_path / "b/a.png")
    for embed in (True, False):
        found = Images(tmp_path, embed=embed).of(result(tmp_path, name.format(folder=tmp_path)))
        assert found.note.startswith("a.png: ")
        assert not any(folder in found.note for folder in ("ada", str(tmp_path)))


def test_without_pillow_a_note_says_how_to_get_it(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "PIL", None)
    (tmp_path / "gt").mkdir()
    (tmp_path / "gt/a.tif").write_bytes(b"II*\0")
    found = Images(tmp_path, embed=True).of(result(tmp_path, "a.tif"))
    assert found.note.startswith("a.tif: embedding images needs Pillow")
    assert found.note.endswith("Run pip install 'pagemeter[images]'.")


# Images that go wrong


def broken_png(path):
    """Write a PNG for which Pillow raises a SyntaxError when it is decoded, and return its path."""
    picture(path, (500, 400))
    content = bytearray(path.read_bytes())
    assert len(content) > 100_000
    at = content.index(b"IDAT", 70_000)
    content[at : at + 4] = b"\0\0\0\0"
    path.write_bytes(content)
    return path


def test_a_broken_png_has_a_note(tmp_path):
    broken_png(tmp_path / "gt/a.png")
    found = Images(tmp_path, embed=True).of(result(tmp_path, "a.png"))
    assert (found.href, found.content) == (None, None)
    assert found.note.startswith("a.png: cannot be read: ")


@pytest.mark.parametrize("error", [SyntaxError("broken"), MemoryError(), RecursionError(), KeyError("x")])
def test_any_error_of_an_image_is_a_note_that_names_it(tmp_path, monkeypatch, error):
    picture(tmp_path / "gt/a.tif")

    def fail(*_arguments, **_options):
        raise error

    monkeypatch.setattr(Pillow, "open", fail)
    assert (
        Images(tmp_path, embed=True).of(result(tmp_path, "a.tif")).note.startswith("a.tif: cannot be read: ")
    )


@pytest.mark.parametrize(
    "name", ["a" * 300 + ".png", "a\0b.png", "a/" * 3000, "\udcff.png", "~root/a.png", ""]
)
@pytest.mark.parametrize("folder", [None, "scans"])
def test_an_impossible_name_has_a_note(tmp_path, name, folder):
    found = Images(tmp_path, folder and tmp_path / folder).of(result(tmp_path, name))
    if name or folder:
        assert "image" in found.note
        assert len(found.note) < 400


# Where images are taken from

OUTSIDE = "outside the folders that images are taken from. Set images to the folder of the images, or use "


@pytest.fixture
def pages(tmp_path):
    """A folder with the page at work/book/gt/0001.xml, and images outside it."""
    for name in ("secret.png", "work/secret.png", "work/book/images/a.png", "work/book/gt/below/a.png"):
        picture(tmp_path / name)
    (tmp_path / "secret.svg").write_text("<svg xmlns='http://www.w3.org/2000/svg'/>")
    return tmp_path / "work/book"


@pytest.mark.parametrize("embed", [False, True])
@pytest.mark.parametrize(
    "name",
    [
        "{root}/secret.png",
        "../../secret.png",
        "../../../secret.svg",
        "below/../../../secret.png",
        "../images/a.png",
    ],
)
def test_an_image_outside_is_taken_only_if_that_is_allowed(pages, name, embed):
    name = name.format(root=pages.parent.parent)
    refused = Images(pages, embed=embed).of(result(pages, name))
    assert (refused.href, refused.content) == (None, None)
    assert f"{OUTSIDE}images_from_anywhere if you trust the files." in refused.note
    taken = Images(pages, embed=embed, from_anywhere=True).of(result(pages, name))
    assert taken.note is None
    assert taken.href or taken.content


@pytest.mark.parametrize("name", ["below/a.png", "./below/../below/a.png", "a.png", "../a.png"])
def test_an_image_below_or_directly_above_is_taken(pages, name):
    picture(pages / "a.png")
    assert Images(pages).of(result(pages, name)).href in (
        "gt/below/a.png",
        "gt/below/../below/a.png",
        "a.png",
    )


@pytest.mark.parametrize("name", ["link.png", "folder/secret.png"])
def test_a_symbolic_link_that_leaves_the_folder_is_refused(pages, name):
    (pages / "gt/link.png").symlink_to(pages.parent.parent / "secret.png")
    (pages / "gt/folder").symlink_to(pages.parent)
    assert OUTSIDE in Images(pages, embed=True).of(result(pages, name)).note
    assert Images(pages, embed=True, from_anywhere=True).of(result(pages, name)).content


def test_a_symbolic_link_inside_the_folder_is_followed(pages):
    (pages / "gt/link.png").symlink_to("below/a.png")
    assert Images(pages, embed=True).of(result(pages, "link.png")).content


def test_the_folder_of_images_is_not_left_by_links_or_names(pages):
    picture(pages / "scans/b.png")
    (pages / "scans/0001.png").symlink_to(pages.parent / "secret.png")
    assert OUTSIDE in Images(pages, pages / "scans").of(result(pages)).note
    assert OUTSIDE in Images(pages, pages / "scans").of(replace(result(pages), name="../images/a")).note
    assert Images(pages, pages / "scans").of(result(pages, "/x/b.png")).href == "scans/b.png"


def test_a_folder_of_pages_may_itself_be_a_link(pages, tmp_path):
    (tmp_path / "linked").symlink_to(pages)
    assert Images(tmp_path).of(result(tmp_path / "linked", "below/a.png")).href == "linked/gt/below/a.png"
    picture(pages / "a.png")
    assert Images(tmp_path).of(result(tmp_path / "linked", "a.png")).href == "linked/a.png"


# What is embedded


def test_a_file_that_is_not_the_image_it_claims_to_be_is_not_embedded(pages):
    for name in ("passwords.png", "passwords.svg"):
        (pages / "gt" / name).write_text("root:secret")
        found = Images(pages, embed=True).of(result(pages, name))
        assert found.content is None
        assert found.note.startswith(name)


def test_an_svg_is_embedded_as_an_image(pages):
    (pages / "gt/a.svg").write_text("<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>")
    head, _ = content(Images(pages, embed=True).of(result(pages, "a.svg")))
    assert head == "data:image/svg+xml;base64"


@pytest.mark.parametrize(("name", "size"), [("a.svg", 20_000_001), ("a.png", 300_000_001)])
def test_a_file_that_is_too_large_is_not_embedded(pages, name, size):
    with (pages / "gt" / name).open("wb") as file:
        file.truncate(size)  # a sparse file
    found = Images(pages, embed=True).of(result(pages, name))
    assert found.content is None
    assert "only images of at most " in found.note
    assert found.note.startswith(f"{name}: the image has ")


@pytest.mark.parametrize("extra", [0, 120_000])
@pytest.mark.parametrize("side", [10_001, 60_000])
def test_an_image_of_too_many_pixels_is_not_embedded(pages, side, extra):
    """A small file may contain very many pixels; the second one is too large for Pillow to open."""
    header = struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0)
    data = b"\x89PNG\r\n\x1a\n"
    for kind, body in (
        (b"IHDR", header),
        (b"tEXt", b"a\0" + b"b" * extra),
        (b"IDAT", zlib.compress(b"")),
        (b"IEND", b""),
    ):
        data += struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
    (pages / "gt/bomb.png").write_bytes(data)
    found = Images(pages, embed=True).of(result(pages, "bomb.png"))
    assert found.content is None
    assert (
        "megapixels; only images of at most 100 are embedded" in found.note or "exceeds limit" in found.note
    )


def test_a_format_that_starts_another_programme_is_not_opened(pages):
    (pages / "gt/a.eps").write_bytes(b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 9 9\n%%EndComments\n")
    assert Images(pages, embed=True).of(result(pages, "a.eps")).note.startswith("a.eps: cannot be read: ")
