"""Ctrl-C while the command is loaded, works or ends: one line, 130, and never a traceback."""

from __future__ import annotations

import signal
import subprocess
import sys

import pytest

from collected import command, killed, make

DEAD = -signal.SIGINT


@pytest.fixture(scope="module")
def folders(tmp_path_factory):
    top = make(tmp_path_factory.mktemp("pages"), 3)
    return top / "gt", top / "hyp"


@pytest.mark.parametrize("after", [moment / 20 for moment in range(20)])
def test_at_any_moment_of_the_first_second_it_is_one_line(folders, after):
    """Before our first line runs Python may end by the signal, or say what it was doing itself."""
    code, said, _ = killed(command("eval", *folders), after, signal.SIGINT)
    if "Traceback" in said:
        assert "pagemeter" not in said.replace("_editable_skbc_pagemeter", "")
    elif code == 130:
        assert said == "pagemeter: interrupted; nothing was written\n"
    else:
        assert (code, said) in ((0, ""), (DEAD, ""))


@pytest.mark.parametrize("module", ["pagemeter", "argparse", "pagemeter.cli", "numpy", "pagemeter.corpus"])
def test_while_a_module_is_loaded_it_is_one_line(folders, module):
    """The signal comes in the middle of an import, where an exception could become another error."""
    interrupt = f"""
import os, signal, sys
class Interrupt:
    def find_spec(self, name, path=None, target=None):
        if name == {module!r}:
            os.kill(os.getpid(), signal.SIGINT)
sys.meta_path.insert(0, Interrupt())
from pagemeter_command import main
sys.exit(main())
"""
    found = subprocess.run(
        [sys.executable, "-c", interrupt, "eval", *map(str, folders)],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (found.returncode, found.stdout) == (130, "")
    assert found.stderr == "pagemeter: interrupted; nothing was written\n"


def test_while_processes_are_started_it_is_one_line(folders):
    """A process that is told only half of what to do would say so."""
    before = """
import os, signal
from multiprocessing import forkserver
connect = forkserver.connect_to_new_process
def interrupted(fds):
    made = connect(fds)
    os.kill(os.getpid(), signal.SIGINT)
    return made
forkserver.connect_to_new_process = interrupted
"""
    arguments = command("eval", *folders, "--jobs", 2, before=before)
    found = subprocess.run(arguments, capture_output=True, text=True, check=False)
    assert (found.returncode, found.stderr) == (130, "pagemeter: interrupted; nothing was written\n")


def test_a_command_that_is_to_ignore_it_goes_on(folders):
    """As in the background of a shell without job control."""
    before = "import os, signal; signal.signal(signal.SIGINT, signal.SIG_IGN); "
    found = subprocess.run(
        command("eval", *folders, before=before + "os.kill(os.getpid(), signal.SIGINT); "),
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (found.returncode, found.stderr) == (0, "")


def test_python_m_pagemeter_is_the_command():
    arguments = [sys.executable, "-m", "pagemeter", "--version"]
    assert subprocess.run(arguments, capture_output=True, text=True, check=True).stdout.startswith(
        "pagemeter "
    )
