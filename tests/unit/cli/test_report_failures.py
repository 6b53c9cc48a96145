"""The command line: whatever goes wrong in a report, the numbers stay the same."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PIL import Image as Pillow

PAGE = """<PcGts xmlns="http://schema.primaresearch.org/PAGE/gts/pagecontent/2019-07-15">
<Page imageFilename="{image}"
imageWidth="400" imageHeight="400"><TextRegion id="r"><TextLine id="l"><TextEquiv><Unicode>{text}</Unicode>
</TextEquiv></TextLine></TextRegion></Page></PcGts>"""


@pytest.fixture
def pages(tmp_path, monkeypatch):
    """Two pages; the worse one names an image."""

    def write(image):
        for side, first, second in (("gt", "ten letter", "a bad page"), ("hyp", "ten lettex", "xxxxxxxxxx")):
            (tmp_path / side).mkdir(exist_ok=True)
            (tmp_path / side / "1.xml").write_text(PAGE.format(text=first, image=""))
            (tmp_path / side / "2.xml").write_text(PAGE.format(text=second, image=image))
        return tmp_path

    monkeypatch.chdir(tmp_path)
    return write


@pytest.fixture
def outcome(run):
    """Return a function that runs an evaluation; it returns the exit code, JSON, and messages."""

    def call(*options):
        code, _, err = run(
            "eval", "gt", "hyp", "-m", "CER,WER", "--json", "out.json", *(options or ("--jobs", "1"))
        )
        with Path("out.json").open(encoding="utf-8") as file:
            return code, json.load(file), err

    return call


def broken_png(path):
    Pillow.effect_noise((500, 400), 90).save(path)
    content = bytearray(path.read_bytes())
    at = content.index(b"IDAT", 70_000)
    content[at : at + 4] = b"\0\0\0\0"
    path.write_bytes(content)


@pytest.mark.parametrize("jobs", ["1", "2"])
@pytest.mark.parametrize("image", ["broken.png", "a" * 300 + ".png", "../../../etc/passwd", "gone.png"])
def test_an_image_does_not_change_the_numbers(pages, outcome, image, jobs):
    broken_png(pages(image) / "gt/broken.png")
    without = outcome()
    code, report, err = outcome("--html", "out.html", "--embed-images", "--jobs", jobs)
    assert (code, report) == without[:2]
    assert report["summary"]["failed"] == 0
    note = "out.html: 1 of 2 pages without image, 2: "
    assert err.startswith(note)
    assert err.removeprefix(note).startswith(image[:20])
    assert err.count("\n") == 1


def test_an_image_from_anywhere_needs_an_option(pages, outcome, tmp_path):
    Pillow.effect_noise((40, 40), 90).save(tmp_path / "secret.png")
    pages(tmp_path / "gt/x/../../../secret.png")
    (tmp_path / "gt/x").mkdir()
    target = tmp_path.parent / "secret.png"
    (tmp_path / "secret.png").rename(target)
    _, _, err = outcome("--html", "out.html", "--embed-images")
    assert (
        "Set --images to the folder of the images, or use --images-from-anywhere if you trust the files."
        in err
    )
    assert "data:image/png" not in (tmp_path / "out.html").read_text()
    _, _, err = outcome("--html", "out.html", "--embed-images", "--images-from-anywhere")
    assert err == ""
    assert "data:image/png" in (tmp_path / "out.html").read_text()
