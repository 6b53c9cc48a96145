"""Files that cannot be opened, detection of formats, and the errors for files of no format."""

from __future__ import annotations

import subprocess
import sys
import tracemalloc

import pytest

from pagemeter.errors import FormatError, InputError, UsageError
from pagemeter.formats import Head, load, read_pages
from pagemeter.formats.loading import MAX_BYTES, detect_format, read_head

PAGE = b"<PcGts><Page/></PcGts>"
ALTO = b"<alto><Layout><Page/></Layout></alto>"


def test_a_missing_file_and_a_missing_folder(tmp_path):
    with pytest.raises(InputError, match=r"gone\.xml: no such file\. Check the path"):
        load(tmp_path / "gone.xml")
    with pytest.raises(InputError, match=r"no such folder\. Check the path"):
        load(str(tmp_path / "gone" / "page.xml"))


def test_a_folder_instead_of_a_file(tmp_path):
    with pytest.raises(InputError, match=r"a folder\. Give the files in it"):
        load(tmp_path)


def test_no_permission(tmp_path, monkeypatch):
    """The error is simulated, because permissions do not stop the superuser."""

    def refuse(*_args, **_options):
        raise PermissionError(13, "Permission denied")

    path = tmp_path / "page.xml"
    path.write_bytes(PAGE)
    monkeypatch.setattr("builtins.open", refuse)
    with pytest.raises(InputError, match=r"page\.xml: permission denied\. Change its permissions"):
        load(path)


def test_a_broken_symbolic_link(tmp_path):
    link = tmp_path / "page.xml"
    link.symlink_to("elsewhere.xml")
    with pytest.raises(
        InputError, match=r"a symbolic link to elsewhere\.xml, which does not exist\. Repair the link"
    ):
        load(link)


def test_cyclic_symbolic_links_and_impossible_names(tmp_path):
    (tmp_path / "a").symlink_to("b")
    (tmp_path / "b").symlink_to("a")
    for path in (tmp_path / "a", tmp_path / ("x" * 300), "nul\0byte"):
        with pytest.raises(InputError, match="Check the path"):
            load(path)


def test_a_good_symbolic_link_is_followed(tmp_path):
    (tmp_path / "page.xml").write_bytes(PAGE)
    (tmp_path / "link").symlink_to("page.xml")
    assert load(tmp_path / "link").lines == ()


def test_a_file_of_200_mb_is_refused_unread(tmp_path):
    path = tmp_path / "huge.xml"
    with path.open("wb") as file:
        file.truncate(200_000_000)
    tracemalloc.start()
    with pytest.raises(
        InputError, match=r"huge\.xml: has 200 MB, but a page file may have at most 100 MB\. Split it"
    ):
        load(path)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 10_000_000


def test_bytes_of_200_mb_are_refused(monkeypatch):
    assert MAX_BYTES == 100_000_000
    monkeypatch.setattr("pagemeter.formats.loading.MAX_BYTES", 10)
    with pytest.raises(InputError, match="Split it into its pages"):
        read_pages(b"x" * 11, "p.txt")


def test_a_pipe_is_read_to_its_end():
    code = "from pagemeter.formats import load; print(load('/dev/stdin').lines[1].text)"
    done = subprocess.run([sys.executable, "-c", code], input=b"one\ntwo\n", capture_output=True, check=True)
    assert done.stdout == b"two\n"


def test_the_error_for_a_large_file_names_it_once(tmp_path):
    with (tmp_path / "book.txt").open("wb") as file:
        file.truncate(MAX_BYTES + 1)
    with pytest.raises(InputError) as error:
        load(tmp_path / "book.txt")
    assert str(error.value) == (
        f"{tmp_path}/book.txt: has more than 100 MB, the limit for a page file. Split it into its pages."
    )


def name(data, source="file"):
    return detect_format(data, source).name


@pytest.mark.parametrize("suffix", ["", ".xml", ".txt", ".json", ".html", ".tif.xml", ".unknown"])
@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (PAGE, "page"),
        (b"<pcGts><Page/></pcGts>", "page"),
        (ALTO, "alto"),
        (b'<?xml version="1.0"?>\n<!-- c --><?pi x?>\n<pc:PcGts xmlns:pc="urn:x"/>', "page"),
        (b"\xef\xbb\xbf" + ALTO, "alto"),
        ("<alto/>".encode("utf-16"), "alto"),
        ("<alto/>".encode("utf-16-le"), "alto"),
        ("<alto/>".encode("utf-16-be"), "alto"),
        (b"\n  " + ALTO, "alto"),
        (b'<!DOCTYPE alto [<!ELEMENT x (y)>]>\n<alto a=">"/>', "alto"),
        (b"<!--" + b"-" * 100_000 + b"--><alto/>", "alto"),
        (b'{"lines": []}', "json"),
    ],
)
def test_the_format_is_detected_by_content_not_by_suffix(data, expected, suffix):
    assert name(data, f"file{suffix}") == expected


def test_text_that_resembles_another_format_is_text():
    for text in (b"<re> begins this line", b"[illegible] word", b"{brace", b"a < b", b"", b"<", b"<1>"):
        assert name(text, "page.txt") == "text"


def test_the_namespace_is_that_of_the_root():
    assert read_head(b'<a xmlns:b="urn:b" xmlns="urn:a">', "x").namespace == "urn:a"
    assert read_head(b"<b:a xmlns:b='urn:b' xmlns='urn:a'>", "x").namespace == "urn:b"
    assert read_head(b"<a>", "X.XML") == Head(".xml", "a", "", "<a>")


def test_many_comments_are_skipped_in_linear_time():
    """Backtracking would try 2**1000 ways of dividing them; the time-out ends such a search."""
    call = "read_head(b'<?a?><!---->' * 1000 + b'<', 'x')"
    code = f"from pagemeter.formats.loading import read_head; assert {call}.root is None"
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)


@pytest.mark.parametrize(
    ("data", "source", "message"),
    [
        (b"", "p.xml", r"p\.xml: the file is empty\. Get a complete copy"),
        (b" \n ", "p.hocr", "the file is empty"),
        (b"", "p.json", "the file is empty"),
        (
            b"<mets/>",
            "p.xml",
            r"METS, which lists files and contains no page\. Give the folders of its files",
        ),
        (b'<?xml version="1.0"?><odd/>', "p.txt", "root element 'odd'"),
        (b"../../data/page.xml", "p.xml", r"symbolic link stored as text\. Give the target of the link"),
        (b"just\ntext", "p.xml", "format='text'"),
        (b"<?xml version='1.0'?>", "p.xml", "has no root element"),
        (b"version https://git-lfs.github.com/spec/v1\n", "p.xml", "git lfs pull"),
        (b"\x89PNG\r\n\x1a\n", "p.xml", "a PNG image, not a page file"),
        (b"\xff\xd8\xff\xe0", "p", "a JPEG image"),
        (b"%PDF-1.7", "p.txt", "a PDF"),
        (b"PK\x03\x04", "p.zip", r"an archive, not a page file\. Give the pages in it as zip://::p\.zip"),
        (b"\x1f\x8b", "p.tgz", "Give the pages in it as tar://::p.tgz, or unpack it"),
        (b"\0" * 257 + b"ustar", "p.tar", "Give the pages in it as tar://::p.tar, or unpack it"),
        (b"abc\0\0\0def", "p", "a binary file"),
    ],
)
def test_files_of_no_format_give_one_line_with_file_and_remedy(data, source, message):
    with pytest.raises(FormatError, match=message) as caught:
        read_pages(data, source)
    assert str(caught.value).startswith(f"{source}: ")
    assert "\n" not in str(caught.value)


def test_format_can_be_forced():
    assert read_pages(b"<re>\n<PcGts/>", "p.xml", format="text")[0].lines[1].text == "<PcGts/>"


def test_unknown_names_suggest_the_nearest():
    with pytest.raises(
        UsageError, match=r"format='altoo': unknown format \(did you mean alto\?\)\. Use one of page, alto"
    ):
        read_pages(b"", "p", format="altoo")
    with pytest.raises(UsageError, match=r"order='topdown': unknown order \(did you mean top-down\?\)"):
        read_pages(b"", "p", order="topdown")
    with pytest.raises(
        UsageError, match=r"level='words': unknown level \(did you mean word\?\)\. Use one of line, region"
    ):
        read_pages(b"", "p", level="words")
    with pytest.raises(UsageError, match="encoding='klingon': unknown encoding"):
        read_pages(b"abc", "p", encoding="klingon")


@pytest.mark.parametrize(
    ("data", "named", "real"),
    [
        (b"<PcGts><Page/></PcGts>", "alto", "page"),
        (b"<alto/>", "tei", "alto"),
        (b"a line", "page", "text"),
        (b'{"lines": []}', "hocr", "json"),
    ],
)
def test_the_error_for_a_wrong_format_names_the_detected_one(data, named, real):
    with pytest.raises(
        FormatError,
        match=f"Its content looks like {real}: use format='{real}', or let the format be detected",
    ):
        read_pages(data, "p.xml" if data.startswith(b"<") else "p.txt", format=named)


def test_the_error_for_a_damaged_file_suggests_no_other_format():
    with pytest.raises(FormatError) as error:
        read_pages(b"<PcGts><Page", "p.xml", format="page")
    assert "Its content looks like" not in str(error.value)
