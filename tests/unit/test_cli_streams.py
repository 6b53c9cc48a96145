"""The command line: standard input, pipes and terminals."""

from __future__ import annotations

import json
import os
import pty
import shlex
import subprocess

import pytest

from collected import command, done


def test_standard_input_is_read_as_text_in_the_place_of_one_side(good):
    for arguments in ([good / "gt/2.gt.txt", "-"], ["-", good / "gt/2.gt.txt"]):
        made = subprocess.run(
            command("eval", *arguments, "-m", "CER"),
            input=b"second pace", capture_output=True, check=False,
        )  # fmt: skip
        assert made.returncode == 0
        assert made.stdout.splitlines()[1].split()[3] == b"1"


def test_standard_input_is_the_ground_truth_of_every_system(good):
    arguments = ["compare", "-", good / "gt/2.gt.txt", good / "hyp/2.pred.txt", "-m", "CER"]
    made = subprocess.run(command(*arguments), input=b"second page", capture_output=True, check=False)
    assert made.returncode == 0
    assert made.stdout.splitlines()[1].split() == [b"CER", b"0.00", b"%", b"18.18", b"%"]


def test_pipes_may_stand_in_the_place_of_files():
    piped = f"{shlex.join(command('eval'))} <(echo one) <(echo ons) -m CER"
    made = subprocess.run(["bash", "-c", piped], capture_output=True, check=False)  # noqa: S607
    assert (made.returncode, made.stderr) == (0, b"")
    assert made.stdout.splitlines()[1].split()[3] == b"1"


def test_a_pipe_gets_plain_text_and_no_progress(good):
    made = done("eval", good / "gt", good / "hyp", "-m", "CER")
    assert (made.returncode, made.stderr) == (0, "")
    assert "\x1b" not in made.stdout
    assert "─" not in made.stdout


def test_a_pipe_that_knows_only_ascii_is_no_crash(good, monkeypatch):
    monkeypatch.setenv("PYTHONIOENCODING", "ascii")
    made = done("eval", good / "gt", good / "hyp", "-m", "CER")
    assert made.returncode == 0
    assert "\\xb7" in made.stdout


def test_a_reader_that_has_seen_enough_is_no_crash(good):
    arguments = command("eval", good / "gt", good / "hyp", "-m", "CER", "--json", good / "a.json")
    reader, writer = os.pipe()
    os.close(reader)
    made = subprocess.run(arguments, stdout=writer, stderr=subprocess.PIPE, check=False)
    os.close(writer)
    assert b"Traceback" not in made.stderr
    assert json.loads((good / "a.json").read_text())["summary"]["pages"] == 2


@pytest.mark.parametrize("options", [[], ["--json", "-"], ["--per-line"]])
def test_an_output_that_is_full_is_one_line_and_1(good, options):
    with open("/dev/full", "wb") as full:  # noqa: PTH123
        arguments = command("eval", good / "gt", good / "hyp", "-m", "CER", *options)
        made = subprocess.run(arguments, stdout=full, stderr=subprocess.PIPE, check=False)
    assert made.returncode == 1
    assert made.stderr.decode().splitlines() == [
        "pagemeter: standard output or a temporary file: No space left on device; make room for it"
    ]


@pytest.mark.parametrize("closed", ["1", "2", "1 2"])
def test_an_output_that_is_closed_is_no_crash(good, closed):
    closing = f"exec {' '.join(f'{number}>&-' for number in closed.split())}; "
    closing += shlex.join(command("eval", good / "gt", good / "hyp", "-m", "CER"))
    made = subprocess.run(["sh", "-c", closing], capture_output=True, check=False)  # noqa: S607
    assert made.returncode == ("1" in closed)
    assert (b"standard output is closed" in made.stderr) == (closed == "1")
    assert b"Traceback" not in made.stderr


def on_terminal(columns, *arguments, before=""):
    """What a terminal of so many columns is sent."""
    pid, terminal = pty.fork()
    if pid == 0:
        os.environ.update(COLUMNS=str(columns), TERM="xterm-256color")
        line = command(*arguments, before=before)
        os.execv(line[0], line)  # noqa: S606
    sent = b""
    while True:
        try:
            more = os.read(terminal, 65536)
        except OSError:
            break
        if not more:
            break
        sent += more
    os.close(terminal)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), sent.decode()


@pytest.mark.parametrize("columns", [80, 120, 200])
def test_a_terminal_gets_a_drawn_table_within_its_width(good, columns):
    code, sent = on_terminal(columns, "eval", good / "gt", good / "hyp")
    assert code == 0
    assert "\x1b[" in sent
    assert "─" in sent
    assert ("precision" in sent) == (columns >= 120)
    rules = [line for line in sent.splitlines() if "───" in line]
    assert rules
    assert all(line.count("─") <= columns for line in rules)


def test_a_terminal_sees_progress(good):
    _, sent = on_terminal(80, "eval", good / "gt", good / "hyp", "-m", "CER")
    assert "evaluating" in sent
    assert "checking pairs" not in sent


def test_a_terminal_sees_what_takes_long_before_the_first_page(good):
    slow = "import time, pagemeter.commands.progress as p, pagemeter.commands.pairing as c; "
    slow += "p._PATIENCE = 0.01; c.check_documents = lambda *_: time.sleep(0.5); "
    code, sent = on_terminal(80, "eval", good / "gt", good / "hyp", "-m", "CER", before=slow)
    assert code == 0
    assert "checking pairs" in sent
    made = done("eval", good / "gt", good / "hyp", "-m", "CER", before=slow)
    assert "checking pairs" not in made.stdout + made.stderr
