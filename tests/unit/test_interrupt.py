"""Ctrl-C while the command is loaded, works or ends: one line, 130, and never a traceback."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time

import pytest

from collected import command, killed, make, until

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


@pytest.mark.parametrize(
    "step", ["scheduler.Scheduler.start", "nanny.Nanny.instantiate", "nanny.Nanny.start", "Client.run"]
)
def test_while_a_cluster_is_started_it_is_one_line(folders, step):
    """Dask would complain of a cluster that is only half there when the process ends."""
    pytest.importorskip("distributed")
    before = f"""
import os, signal, distributed.scheduler, distributed.nanny
step = distributed.{step}
def interrupted(*arguments, **options):
    distributed.{step} = step
    os.kill(os.getpid(), signal.SIGINT)
    return step(*arguments, **options)
distributed.{step} = interrupted
"""
    arguments = command("eval", *folders, "--scheduler", "local", "--jobs", 2, before=before)
    found = subprocess.run(arguments, capture_output=True, text=True, check=False)
    assert (found.returncode, found.stderr) == (130, "pagemeter: interrupted; nothing was written\n")


@pytest.mark.parametrize("after", [1 + moment / 4 for moment in range(6)])
def test_a_cluster_leaves_no_process(folders, after):
    pytest.importorskip("distributed")
    slow = "import time, pagemeter.corpus.runners.cluster as c; c._check = lambda client: time.sleep(60); "
    arguments = command("eval", *folders, "--scheduler", "local", "--jobs", 2, before=slow)
    with subprocess.Popen(arguments, stderr=subprocess.PIPE, text=True, start_new_session=True) as process:
        time.sleep(after)
        os.killpg(process.pid, signal.SIGINT)
        said = process.communicate(timeout=60)[1]
    assert (process.returncode, said) == (130, "pagemeter: interrupted; nothing was written\n")
    until(lambda: not _has_processes(process.pid), 5)


def _has_processes(group):
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True


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
