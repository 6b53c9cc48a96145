"""Control characters in names of files, pages and systems never reach the terminal."""

from __future__ import annotations

import ast
import os
import pty
import subprocess
from pathlib import Path

import pytest

import pagemeter
from collected import command

ESCAPES = "\x1b[2J\x1b]0;owned\x07\x7f\x9b2J\x85"
TURNED = "\u202efdp\u2066\u200f"
EVIL = f"a{ESCAPES}b{TURNED}c[red]d"
SOURCES = sorted(Path(pagemeter.__file__).parent.rglob("*.py"))


def printing(path: Path) -> bool:
    """Return True if a module calls `print`."""
    calls = [
        node.func
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call)
    ]
    return any(isinstance(called, ast.Name) and called.id == "print" for called in calls)


def test_only_one_module_prints():
    assert [path.name for path in SOURCES if printing(path)] == ["console.py"]


def harmless(said: str) -> None:
    """Fail if a text has a character that moves the cursor or changes the direction of writing."""
    found = set(said) & set(EVIL) & {c for c in EVIL if not c.isprintable()}
    assert not found, ascii(said)


@pytest.fixture
def evil(tmp_path):
    """Folders with such names: one page is readable, one is broken, and one has no partner."""
    for side in ("gt", EVIL, f"x{EVIL}"):
        (tmp_path / side).mkdir()
        (tmp_path / side / f"{EVIL}.txt").write_text("a line")
        (tmp_path / side / f"broken{EVIL}.txt").write_bytes(b"\xff\xfe\x00")
        (tmp_path / side / f"{side[0]}{EVIL}.xml").write_text("<no")
    return tmp_path


ARGUMENTS = [
    ("eval", "gt", EVIL, "--per-page", "--per-line", "--store", f"store{EVIL}"),
    ("eval", "gt", EVIL, "--json", "-", "--per-line"),
    ("eval", "gt", EVIL, "--alignments", "-"),
    ("eval", "gt", EVIL, "--markdown", "-", "--per-page"),
    ("compare", "gt", EVIL, f"x{EVIL}", "--latex", "-"),
    ("eval", "gt", EVIL, "--strict"),
    ("eval", "gt", EVIL, "--html", f"no{EVIL}/r.html"),
    ("eval", "gt", f"gone{EVIL}"),
    ("eval", "gt", EVIL, "-m", f"CER{EVIL}"),
    ("eval", "gt", EVIL, "--from-signature", f"measures:CER|version:{EVIL}"),
    ("eval", "gt", EVIL, "--drop-lines", EVIL),
    ("eval", "gt", EVIL, EVIL),
    (EVIL,),
    (f"--{EVIL}",),
    ("eval", f"--{EVIL}"),
    ("eval", "gt", EVIL, "--jobs", EVIL),
    ("compare", "gt", EVIL, f"x{EVIL}", "--per-page"),
    ("compare", "gt", EVIL, EVIL),
    ("report", f"store{EVIL}"),
    ("help", EVIL),
]


@pytest.mark.parametrize("arguments", ARGUMENTS)
def test_a_pipe_gets_no_control_characters(run, evil, monkeypatch, arguments):
    monkeypatch.chdir(evil)
    _, out, err = run(*arguments, *(["-m", "CER"] if arguments[0] in ("eval", "compare") else []))
    assert out or err
    harmless(out.replace("\n", ""))
    harmless(err.replace("\n", ""))


@pytest.mark.parametrize("arguments", [ARGUMENTS[0], ("compare", "gt", EVIL, f"x{EVIL}", "--per-page")])
def test_a_terminal_gets_only_the_control_characters_of_its_tables_and_bars(evil, arguments):
    ours, theirs = pty.openpty()
    environment = {**os.environ, "TERM": "xterm", "COLUMNS": "200"}
    with subprocess.Popen(
        command(*arguments, "-m", "CER"), cwd=evil, env=environment, stdout=theirs, stderr=theirs
    ) as process:
        os.close(theirs)
        said = b""
        while True:
            try:
                said += os.read(ours, 65536)
            except OSError:  # all of it was read
                break
        process.wait()
    os.close(ours)
    text = said.decode()
    assert "\\x1b[2J" in text
    assert ESCAPES not in text
    assert not set(TURNED) & set(text) - set("fdp")
    assert "[red]" in text
