"""Files that are whole or not there."""

from __future__ import annotations

import os
import stat
import sys
from pathlib import Path

import pytest

from pagemeter.errors import InputError
from pagemeter.report.output import spool, whole


def test_a_file_appears_when_all_is_written(tmp_path):
    path = tmp_path / "out.json"
    with whole(str(path)) as file:
        file.write("all")
        assert not path.exists()
    assert path.read_text() == "all"
    assert list(tmp_path.iterdir()) == [path]


def test_after_a_failure_the_old_file_is_still_there(tmp_path):
    path = tmp_path / "out.json"
    path.write_text("old")

    def fail():
        with whole(str(path)) as file:
            file.write("half")
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail()
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_the_rights_are_those_of_a_new_file(tmp_path):
    path = tmp_path / "out.json"
    (tmp_path / "other").touch()
    with whole(str(path)):
        pass
    assert stat.S_IMODE(path.stat().st_mode) == stat.S_IMODE((tmp_path / "other").stat().st_mode)


def test_a_link_stays_a_link(tmp_path):
    target = tmp_path / "target"
    target.write_text("old")
    (tmp_path / "link").symlink_to(target)
    with whole(str(tmp_path / "link")) as file:
        file.write("new")
    assert (tmp_path / "link").is_symlink()
    assert target.read_text() == "new"


def test_devices_are_not_replaced():
    with whole(os.devnull) as file:
        file.write("all")
    assert Path(os.devnull).is_char_device()


@pytest.mark.parametrize("name", ["no/such/folder/out.json", "."])
def test_a_place_that_cannot_be_written_is_an_error(tmp_path, name):
    with pytest.raises(InputError, match="cannot be written"), whole(str(tmp_path / name)):
        pass


def test_a_name_as_long_as_names_may_be_can_be_written(tmp_path):
    path = tmp_path / ("x" * 255)
    with whole(str(path)) as file:
        file.write("all")
    assert path.read_text() == "all"


def test_a_full_disk_is_an_error(tmp_path):
    with pytest.raises(InputError, match="No space left"), whole(str(tmp_path / "out")):
        raise OSError(28, "No space left on device")


def test_what_the_shell_has_opened_is_appended_to(tmp_path):
    """The name /dev/fd/N leads to the file itself, which must be neither replaced nor emptied."""
    with (tmp_path / "log").open("w") as log:
        log.write("before ")
        log.flush()
        with whole(f"/dev/fd/{log.fileno()}") as file:
            file.write("all")
    assert (tmp_path / "log").read_text() == "before all"


def test_a_dash_is_standard_output(capsys):
    with whole("-") as file:
        assert file is sys.stdout
        file.write("all")
    assert capsys.readouterr().out == "all"


def test_lone_surrogates_are_written_as_escapes(tmp_path):
    with whole(str(tmp_path / "out")) as file:
        file.write("\udce4")
    assert (tmp_path / "out").read_text() == "\\udce4"


def test_a_spool_gives_back_what_it_was_given():
    with spool() as file:
        file.write("ä\r\n")
        file.seek(0)
        assert file.read() == "ä\r\n"
