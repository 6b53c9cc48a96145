"""Where images are found, and how they get into the report."""

from __future__ import annotations

import base64
import io
import sys

import pytest
from PIL import Image as Pillow

from pagemeter import Line, Page, evaluate
from pagemeter.corpus import PageResult
from pagemeter.errors import UsageError
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


def test_the_folder_above_the_file_is_looked_into(tmp_path):
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


def test_no_image_is_none_where_nobody_expects_one(tmp_path):
    assert Images(tmp_path).of(result(tmp_path)) is None


@pytest.mark.parametrize("name", ["missing.png", "https://example.org/a.png", "gt"])
def test_an_image_that_is_named_and_not_there_says_so(tmp_path, name):
    (tmp_path / "gt").mkdir()
    found = Images(tmp_path).of(result(tmp_path, name))
    assert found.note == f"{name}: no such image; give the folder that has it with --images"
    assert (found.href, found.content) == (None, None)


def test_a_folder_without_the_image_of_a_page_says_so(tmp_path):
    assert Images(tmp_path, tmp_path).of(result(tmp_path)).note.startswith("no image of this name in ")


def test_a_format_that_browsers_do_not_show_says_what_to_do(tmp_path):
    picture(tmp_path / "gt/a.tif")
    found = Images(tmp_path).of(result(tmp_path, "a.tif"))
    assert found.href is None
    assert found.note == "a.tif: browsers do not show this format; use --embed-images"


def content(found):
    head, _, data = found.content.decode().partition(",")
    return head, base64.b64decode(data)


def test_a_small_image_is_embedded_as_it_is(tmp_path):
    path = picture(tmp_path / "gt/a.png")
    head, data = content(Images(tmp_path, embed=True).of(result(tmp_path, "a.png")))
    assert (head, data) == ("data:image/png;base64", path.read_bytes())


@pytest.mark.parametrize("name", ["a.png", "a.tif"])
def test_a_large_image_is_made_smaller(tmp_path, name):
    picture(tmp_path / "gt" / name, (2400, 1200))
    head, data = content(Images(tmp_path, embed=True).of(result(tmp_path, name)))
    assert head == "data:image/jpeg;base64"
    assert Pillow.open(io.BytesIO(data)).size == (1600, 800)


def test_a_damaged_image_says_so(tmp_path):
    (tmp_path / "gt").mkdir()
    (tmp_path / "gt/a.tif").write_bytes(b"II*\0nothing")
    found = Images(tmp_path, embed=True).of(result(tmp_path, "a.tif"))
    assert found.content is None
    assert found.note.startswith("a.tif: cannot be read: ")


def test_without_pillow_the_error_says_how_to_get_it(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "PIL", None)
    (tmp_path / "gt").mkdir()
    (tmp_path / "gt/a.tif").write_bytes(b"II*\0")
    with pytest.raises(UsageError, match=r"pip install 'pagemeter\[images\]'"):
        Images(tmp_path, embed=True).of(result(tmp_path, "a.tif"))
