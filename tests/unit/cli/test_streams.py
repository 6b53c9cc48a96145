"""The command line: standard input, pipes and terminals."""

from __future__ import annotations

import json
import os
import pty
import shlex
import subprocess

import pytest

from collected import command, done


def test_standard_input_replaces_the_file_of_one_side(good):
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
    rows = [line.split() for line in made.stdout.splitlines()[2:4]]
    assert [row[1:3] for row in rows] == [[b"2.gt.txt", b"*"], [b"2.pred.txt", b"18.18"]]


def test_pipes_are_read_like_files():
    piped = f"{shlex.join(command('eval'))} <(echo one) <(echo ons) -m CER"
    made = subprocess.run(["bash", "-c", piped], capture_output=True, check=False)  # noqa: S607
    assert (made.returncode, made.stderr) == (0, b"")
    assert made.stdout.splitlines()[1].split()[3] == b"1"


def test_a_pipe_gets_plain_text_and_no_progress(good):
    made = done("eval", good / "gt", good / "hyp", "-m", "CER")
    assert (made.returncode, made.stderr) == (0, "")
    assert "\x1b" not in made.stdout
    assert "─" not in made.stdout


def test_an_ascii_pipe_gets_escapes(good, monkeypatch):
    monkeypatch.setenv("PYTHONIOENCODING", "ascii")
    made = done("eval", good / "gt", good / "hyp", "-m", "CER")
    assert made.returncode == 0
    assert "\\xb7" in made.stdout


def test_a_closed_pipe_is_no_crash(good):
    arguments = command("eval", good / "gt", good / "hyp", "-m", "CER", "--json", good / "a.json")
    reader, writer = os.pipe()
    os.close(reader)
    made = subprocess.run(arguments, stdout=writer, stderr=subprocess.PIPE, check=False)
    os.close(writer)
    assert b"Traceback" not in made.stderr
    assert json.loads((good / "a.json").read_text())["summary"]["pages"] == 2


@pytest.mark.parametrize("options", [[], ["--json", "-"], ["--per-line"]])
def test_a_full_standard_output_is_one_message_and_exit_code_1(good, options):
    with open("/dev/full", "wb") as full:  # noqa: PTH123
        arguments = command("eval", good / "gt", good / "hyp", "-m", "CER", *options)
        made = subprocess.run(arguments, stdout=full, stderr=subprocess.PIPE, check=False)
    assert made.returncode == 1
    assert made.stderr.decode() == (
        "pagemeter: standard output: cannot be written: No space left on device. "
        "Free some space, or redirect it to another place.\n"
    )


def test_a_full_standard_error_does_not_change_the_result(top):
    with open("/dev/full", "wb") as full:  # noqa: PTH123
        arguments = command("eval", top / "gt", top / "hyp", "-m", "CER")
        made = subprocess.run(arguments, stdout=subprocess.PIPE, stderr=full, check=False)
    assert made.returncode == 1
    assert b"1 of them without a hypothesis" in made.stdout


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (
            OSError(24, "Too many open files"),
            "too many open files. Raise the limit, for example with ulimit -n 1024.",
        ),
        (
            FileNotFoundError(2, "No such file or directory", "gone"),
            "gone: unexpected error of the operating system: No such file or directory",
        ),
        (ConnectionError("lost"), "unexpected error of the operating system: lost"),
    ],
)
def test_other_errors_of_the_operating_system_are_not_blamed_on_the_output(
    run, good, monkeypatch, error, message
):
    def fail(*_arguments, **_options):
        raise error

    monkeypatch.setattr("pagemeter.cli.execution.pair_files", fail)
    code, out, err = run("eval", good / "gt", good / "hyp", "--json", good / "out.json")
    assert (code, out, err) == (1, "", f"pagemeter: {message}\n")


@pytest.mark.parametrize("closed", ["1", "2", "1 2"])
def test_closed_standard_streams_are_no_crash(good, closed):
    closing = f"exec {' '.join(f'{number}>&-' for number in closed.split())}; "
    closing += shlex.join(command("eval", good / "gt", good / "hyp", "-m", "CER"))
    made = subprocess.run(["sh", "-c", closing], capture_output=True, check=False)  # noqa: S607
    assert made.returncode == ("1" in closed)
    assert (b"standard output is closed" in made.stderr) == (closed == "1")
    assert b"Traceback" not in made.stderr


def on_terminal(columns, *arguments, before=""):
    """Run the command on a terminal of this width; return the exit code and what the terminal received."""
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


def test_a_terminal_shows_progress(good):
    _, sent = on_terminal(80, "eval", good / "gt", good / "hyp", "-m", "CER")
    assert "evaluating" in sent
    assert "checking pairs" not in sent


# The check of pairs ends when its status line is shown, if it is.
SLOW_CHECK = """
import sys, threading, pagemeter.cli.console as console, pagemeter.cli.execution as execution
shown, write = threading.Event(), sys.stderr.write
def written(text):
    if "checking" in text:
        shown.set()
    return write(text)
sys.stderr.write = written
console._PATIENCE = 0
execution.check_documents = lambda *_: sys.stderr.isatty() and shown.wait(300)
"""


def test_a_terminal_shows_a_status_line_for_slow_steps(good):
    code, sent = on_terminal(80, "eval", good / "gt", good / "hyp", "-m", "CER", before=SLOW_CHECK)
    assert code == 0
    assert "checking pairs" in sent
    made = done("eval", good / "gt", good / "hyp", "-m", "CER", before=SLOW_CHECK)
    assert "checking pairs" not in made.stdout + made.stderr
