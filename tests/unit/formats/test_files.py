"""Files that cannot be read, each with one line that says why and what to do."""

from __future__ import annotations

import subprocess
import sys
import time

import pytest

from pagemeter.errors import InputError
from pagemeter.formats import load, read_pages
from pagemeter.formats.files import MAX_BYTES

PAGE = b"<PcGts><Page/></PcGts>"


def test_a_missing_file_and_a_missing_folder(tmp_path):
    with pytest.raises(InputError, match=r"gone\.xml: no such file; check the path"):
        load(tmp_path / "gone.xml")
    with pytest.raises(InputError, match="no such folder; check the path"):
        load(str(tmp_path / "gone" / "page.xml"))


def test_a_folder_instead_of_a_file(tmp_path):
    with pytest.raises(InputError, match="a folder; give the files in it"):
        load(tmp_path)


def test_no_permission(tmp_path, monkeypatch):
    """The rights of a real file would not stop the superuser, so the operating system's answer is played."""

    def refuse(*_args, **_options):
        raise PermissionError(13, "Permission denied")

    path = tmp_path / "page.xml"
    path.write_bytes(PAGE)
    monkeypatch.setattr("builtins.open", refuse)
    with pytest.raises(InputError, match=r"page\.xml: no permission; change its rights"):
        load(path)


def test_a_broken_symbolic_link(tmp_path):
    link = tmp_path / "page.xml"
    link.symlink_to("elsewhere.xml")
    with pytest.raises(
        InputError, match=r"a symbolic link to elsewhere\.xml, which does not exist; mend the link"
    ):
        load(link)


def test_symbolic_links_in_a_ring_and_impossible_names(tmp_path):
    (tmp_path / "a").symlink_to("b")
    (tmp_path / "b").symlink_to("a")
    for path in (tmp_path / "a", tmp_path / ("x" * 300), "nul\0byte"):
        with pytest.raises(InputError, match="check the path"):
            load(path)


def test_a_good_symbolic_link_is_followed(tmp_path):
    (tmp_path / "page.xml").write_bytes(PAGE)
    (tmp_path / "link").symlink_to("page.xml")
    assert load(tmp_path / "link").lines == ()


def test_a_file_of_200_mb_is_refused_unread(tmp_path):
    path = tmp_path / "huge.xml"
    with path.open("wb") as file:
        file.truncate(200_000_000)
    start = time.process_time()
    with pytest.raises(InputError, match=r"huge\.xml: 200 MB, and a page file may have 100 MB; split it"):
        load(path)
    assert time.process_time() - start < 0.1


def test_bytes_of_200_mb_are_refused(monkeypatch):
    assert MAX_BYTES == 100_000_000
    monkeypatch.setattr("pagemeter.formats.files.MAX_BYTES", 10)
    with pytest.raises(InputError, match="split it into its pages"):
        read_pages(b"x" * 11, "p.txt")


def test_a_pipe_is_read_to_its_end():
    code = "from pagemeter.formats import load; print(load('/dev/stdin').lines[1].text)"
    done = subprocess.run([sys.executable, "-c", code], input=b"one\ntwo\n", capture_output=True, check=True)
    assert done.stdout == b"two\n"


def test_a_file_that_is_too_large_is_named_once_with_the_remedy(tmp_path):
    with (tmp_path / "book.txt").open("wb") as file:
        file.truncate(MAX_BYTES + 1)
    with pytest.raises(InputError) as error:
        load(tmp_path / "book.txt")
    assert str(error.value) == (
        f"{tmp_path}/book.txt: more than 100 MB, which no page file has; split it into its pages"
    )
