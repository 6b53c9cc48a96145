"""Which format a file is taken for, and what is said of files that are none."""

from __future__ import annotations

import subprocess
import sys
import time
from dataclasses import replace

import pytest

from pagemeter.errors import FormatError, UsageError
from pagemeter.formats import Format, Head, formats, read_pages, registry
from pagemeter.formats.detect import detect, head_of
from pagemeter.page import Line, Page

PAGE = b"<PcGts><Page/></PcGts>"
ALTO = b"<alto><Layout><Page/></Layout></alto>"


def name(data, source="file"):
    return detect(data, source, formats()).name


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
def test_content_decides_and_not_the_suffix(data, expected, suffix):
    assert name(data, f"file{suffix}") == expected


def test_text_that_looks_a_little_like_something_else_is_text():
    for text in (b"<re> begins this line", b"[illegible] word", b"{brace", b"a < b", b"", b"<", b"<1>"):
        assert name(text, "page.txt") == "text"


def test_the_namespace_is_that_of_the_root():
    assert head_of(b'<a xmlns:b="urn:b" xmlns="urn:a">', "x").namespace == "urn:a"
    assert head_of(b"<b:a xmlns:b='urn:b' xmlns='urn:a'>", "x").namespace == "urn:b"
    assert head_of(b"<a>", "X.XML") == Head(".xml", "a", "", "<a>")


def test_many_comments_do_not_take_for_ever():
    start = time.process_time()
    assert head_of(b"<?a?><!---->" * 1000 + b"<", "x.xml").root is None
    assert time.process_time() - start < 1


@pytest.mark.parametrize(
    ("data", "source", "message"),
    [
        (b"", "p.xml", r"p\.xml: the file is empty; get a complete copy"),
        (b" \n ", "p.hocr", "the file is empty"),
        (b"", "p.json", "the file is empty"),
        (b"<mets/>", "p.xml", "METS, which names files and holds no page; give the folders of its files"),
        (b'<?xml version="1.0"?><odd/>', "p.txt", "root element 'odd'"),
        (b"../../data/page.xml", "p.xml", "symbolic link kept as text; give its target"),
        (b"just\ntext", "p.xml", "--format text"),
        (b"<?xml version='1.0'?>", "p.xml", "has no root element"),
        (b"version https://git-lfs.github.com/spec/v1\n", "p.xml", "git lfs pull"),
        (b"\x89PNG\r\n\x1a\n", "p.xml", "a PNG image, not a page file"),
        (b"\xff\xd8\xff\xe0", "p", "a JPEG image"),
        (b"%PDF-1.7", "p.txt", "a PDF"),
        (b"PK\x03\x04", "p.zip", "an archive, not a page file; give the pages in it as zip://::p.zip"),
        (b"\x1f\x8b", "p.tgz", "give the pages in it as tar://::p.tgz, or unpack it"),
        (b"\0" * 257 + b"ustar", "p.tar", "give the pages in it as tar://::p.tar, or unpack it"),
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
        UsageError, match=r"unknown format 'altoo' \(did you mean alto\?\); known are: page, alto"
    ):
        read_pages(b"", "p", format="altoo")
    with pytest.raises(UsageError, match=r"unknown order 'topdown' \(did you mean top-down\?\)"):
        read_pages(b"", "p", order="topdown")
    with pytest.raises(
        UsageError, match=r"unknown level 'words' \(did you mean word\?\); known are: line, region"
    ):
        read_pages(b"", "p", level="words")
    with pytest.raises(UsageError, match="unknown encoding 'klingon'"):
        read_pages(b"abc", "p", encoding="klingon")


def test_every_format_has_a_name_of_its_own_and_a_description():
    names = [known.name for known in formats()]
    assert len(set(names)) == len(names)
    assert {"page", "alto", "hocr", "text", "markdown", "abbyy", "tei", "json"} <= set(names)
    assert all(known.description for known in formats())


class Entry:
    """An entry point as importlib.metadata gives it."""

    value = "some.module:FORMAT"
    dist = None

    def __init__(self, name, offered):
        self.name = name
        self._offered = offered

    def load(self):
        if isinstance(self._offered, Exception):
            raise self._offered
        return self._offered


def own_format(name="mine"):
    def matches(head):
        return head.text.startswith("MINE")

    def read(data, source, _options):
        return [Page((Line(data.decode()[4:]),), source)]

    return Format(name, "a format of someone else", matches, read)


@pytest.fixture
def offered(monkeypatch):
    """Entry points of other packages, for one test."""

    def offer(*entries):
        monkeypatch.setattr("importlib.metadata.entry_points", lambda **_: entries)

    registry.foreign.cache_clear()
    yield offer
    registry.foreign.cache_clear()


def test_a_format_of_another_package_is_known_and_detected(offered):
    offered(Entry("mine", own_format()))
    assert read_pages(b"MINE text", "p.txt")[0].lines[0].text == " text"
    assert read_pages(b"MINE text", "p.txt", format="mine")[0].lines[0].text == " text"
    assert [known.name for known in formats()][-2:] == ["mine", "text"]


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        (ImportError("no module"), "ImportError: no module"),
        ("a string", "is no pagemeter.formats.Format object"),
        (own_format("alto"), "the name 'alto' is taken"),
    ],
)
def test_a_format_that_cannot_be_used_is_named_and_the_rest_works(offered, value, reason):
    offered(Entry("odd", value), Entry("mine", own_format()))
    with pytest.warns(UserWarning, match=f"format 'odd' of a package cannot be used: .*{reason}|{reason}"):
        assert formats()[-2].name == "mine"


def fails(*_):
    raise KeyError("words")


def test_a_format_of_another_package_that_fails_is_an_error_of_the_file_that_names_it(offered):
    offered(Entry("mine", replace(own_format(), read=fails)))
    with pytest.raises(
        FormatError, match=r"^p\.txt: the format 'mine' of another package failed: KeyError: 'wo"
    ):
        read_pages(b"MINE text", "p.txt")


def test_a_format_of_another_package_that_gives_no_pages_is_an_error(offered):
    offered(Entry("mine", replace(own_format(), read=lambda *_: ["a line"])))
    with pytest.raises(FormatError, match="it gave str, not Page"):
        read_pages(b"MINE text", "p.txt")


def test_a_format_of_another_package_that_cannot_tell_is_passed_over_with_a_warning(offered):
    offered(Entry("mine", replace(own_format(), matches=fails)))
    with pytest.warns(UserWarning, match="format 'mine' of a package cannot be used: KeyError"):
        assert read_pages(b"text", "p.txt")[0].lines[0].text == "text"


@pytest.mark.parametrize(
    ("data", "named", "real"),
    [
        (b"<PcGts><Page/></PcGts>", "alto", "page"),
        (b"<alto/>", "tei", "alto"),
        (b"a line", "page", "text"),
        (b'{"lines": []}', "hocr", "json"),
    ],
)
def test_a_file_of_another_format_than_was_named_is_told_with_its_own(data, named, real):
    with pytest.raises(
        FormatError, match=f"by its content it is {real}: give --format {real}, or leave it out"
    ):
        read_pages(data, "p.xml" if data.startswith(b"<") else "p.txt", format=named)


def test_a_damaged_file_of_the_format_that_was_named_is_told_as_such():
    with pytest.raises(FormatError) as error:
        read_pages(b"<PcGts><Page", "p.xml", format="page")
    assert "by its content" not in str(error.value)


def test_other_packages_are_not_asked_for_files_of_ours(offered):
    offered(Entry("odd", ImportError("never loaded")))
    assert read_pages(ALTO, "a.xml")[0].lines == ()


def test_importing_the_formats_loads_no_parser():
    code = "import sys, pagemeter.formats; sys.exit('lxml' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
