"""Atomic file writing, and temporary files."""

from __future__ import annotations

import os
import stat
import sys
import tempfile
from pathlib import Path

import pytest

from pagemeter.atomic_io import byte_spool, open_atomic, text_spool, write_atomic, write_temporary
from pagemeter.errors import InputError


def test_a_file_appears_when_all_is_written(tmp_path):
    path = tmp_path / "out.json"
    with open_atomic(path) as file:
        file.write("all")
        assert not path.exists()
    assert path.read_text() == "all"
    assert list(tmp_path.iterdir()) == [path]


def test_after_a_failure_the_old_file_is_still_there(tmp_path):
    path = tmp_path / "out.json"
    path.write_text("old")

    def fail():
        with open_atomic(path) as file:
            file.write("half")
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail()
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_the_rights_are_those_of_a_new_file(tmp_path):
    path = tmp_path / "out.json"
    (tmp_path / "other").touch()
    with open_atomic(path):
        pass
    assert stat.S_IMODE(path.stat().st_mode) == stat.S_IMODE((tmp_path / "other").stat().st_mode)


def test_a_link_stays_a_link(tmp_path):
    target = tmp_path / "target"
    target.write_text("old")
    (tmp_path / "link").symlink_to(target)
    with open_atomic(str(tmp_path / "link")) as file:
        file.write("new")
    assert (tmp_path / "link").is_symlink()
    assert target.read_text() == "new"


def test_devices_are_not_replaced():
    with open_atomic(os.devnull) as file:
        file.write("all")
    assert Path(os.devnull).is_char_device()


@pytest.mark.parametrize("name", ["no/such/folder/out.json", "."])
def test_a_path_that_cannot_be_written_is_an_error(tmp_path, name):
    with pytest.raises(InputError, match="cannot be written"), open_atomic(str(tmp_path / name)):
        pass


@pytest.mark.parametrize("name", ["x" * 255, "語" * 85])
def test_a_name_as_long_as_names_may_be_can_be_written(tmp_path, name):
    path = tmp_path / name
    with open_atomic(path) as file:
        file.write("all")
    assert path.read_text() == "all"


def test_a_full_disk_is_an_error_that_names_the_file():
    with (
        pytest.raises(InputError, match="/dev/full: cannot be written: No space left on device"),
        open_atomic("/dev/full") as file,
    ):
        file.write("all")


def test_an_error_of_something_else_is_not_blamed_on_the_file(tmp_path):
    """A lost connection, for example, is no reason to look for space on the disk."""
    with pytest.raises(ConnectionError, match="scheduler"), open_atomic(tmp_path / "out"):
        raise ConnectionError("scheduler")
    assert list(tmp_path.iterdir()) == []


def test_bytes_replace_a_file_and_a_folder_is_an_error(tmp_path):
    path = tmp_path / "page.json"
    path.write_text("old")
    write_atomic(path, b"new")
    assert path.read_bytes() == b"new"
    with pytest.raises(InputError, match="cannot be written: Is a directory"):
        write_atomic(tmp_path, b"new")
    assert list(tmp_path.iterdir()) == [path]


def test_what_the_shell_has_opened_is_appended_to(tmp_path):
    """The name /dev/fd/N leads to the file itself, which must be neither replaced nor emptied."""
    with (tmp_path / "log").open("w") as log:
        log.write("before ")
        log.flush()
        with open_atomic(f"/dev/fd/{log.fileno()}") as file:
            file.write("all")
    assert (tmp_path / "log").read_text() == "before all"


def test_a_dash_is_standard_output(capsys):
    with open_atomic("-") as file:
        assert file is sys.stdout
        file.write("all")
    assert capsys.readouterr().out == "all"


def test_lone_surrogates_are_written_as_escapes(tmp_path):
    with open_atomic(str(tmp_path / "out")) as file:
        file.write("\udce4")
    assert (tmp_path / "out").read_text() == "\\udce4"


def test_a_spool_returns_what_was_written():
    with text_spool() as file:
        file.write("ä\r\n")
        file.seek(0)
        assert file.read() == "ä\r\n"


def test_a_spool_that_cannot_be_written_names_the_folder_of_temporary_files(monkeypatch, tmp_path):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "gone"))
    with byte_spool() as file, pytest.raises(InputError, match=r"gone: temporary files cannot be written"):
        file.write(bytes(2_000_000))


def test_temporary_names_are_new_files_that_nobody_can_prepare(tmp_path, monkeypatch):
    """The names cannot be predicted, and even a link that has the name is not followed."""
    secret = tmp_path / "secret"
    secret.write_text("untouched")
    names = []
    for _ in range(2):
        with open_atomic(tmp_path / "out"):
            names += [path.name for path in tmp_path.glob(".out.*.tmp")]
    assert len(set(names)) == 2
    monkeypatch.setattr(os, "urandom", bytes)
    link = tmp_path / f".out.{bytes(8).hex()}.tmp"
    link.symlink_to(secret)
    with pytest.raises(InputError, match="cannot be written: File exists"), open_atomic(tmp_path / "out"):
        pass
    with pytest.raises(InputError, match="cannot be written: File exists"):
        write_atomic(tmp_path / "out", b"data")
    with pytest.raises(FileExistsError):
        write_temporary(tmp_path / "out", b"data")
    assert secret.read_text() == "untouched"
    assert link.is_symlink()


def test_a_failed_temporary_file_is_deleted(tmp_path, monkeypatch):
    def fail(_descriptor):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(OSError, match="No space"):
        write_temporary(tmp_path / "out", b"data")
    assert list(tmp_path.iterdir()) == []
