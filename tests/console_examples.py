"""Run the console examples of a document, and compare or renew the output that it shows.

A block of the language `console` has commands after `$ `, continued by lines after `> `, and their output.
All blocks of a document are run by bash, in order, in one empty folder. The output is that of both streams,
and the exit code if it is not 0. A line `...` stands for any lines, and `...` inside a line for any text.

    PYTHONPATH=tests python -m console_examples docs/tutorials/*.md    renew the output
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

BLOCK = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)
SECONDS = 300  # ends a hang
ANY = "..."
PROGRESS = re.compile(r"(?!\$).*: [\d,]+( of [\d,]+)? after \d+ s.*")
"""A line of the progress that the command logs every ten seconds, which no example shows."""


@dataclass(frozen=True)
class Example:
    """A command, as it is written, and the output that the document shows."""

    command: str
    output: tuple[str, ...]


def examples(block: str) -> list[Example]:
    """Return the examples of a block."""
    found: list[tuple[list[str], list[str]]] = []
    for line in block.splitlines():
        if line.startswith("$ "):
            found.append(([line[2:]], []))
        elif line[:2].rstrip() == ">" and not found[-1][1]:
            found[-1][0].append(line[2:])
        else:
            found[-1][1].append(line)
    return [Example("\n".join(command), tuple(output)) for command, output in found]


def run(command: str, folder: Path) -> list[str]:
    """Return the output of a command, without trailing space, progress and the path of the folder."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, "PATH": path, "COLUMNS": "100", "LC_ALL": "C.UTF-8", "NO_COLOR": "1"}
    done = subprocess.run(
        ["bash", "-c", command],  # noqa: S607
        cwd=folder, env=environment, text=True, check=False, timeout=SECONDS,
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    )  # fmt: skip
    lines = [line.rstrip() for line in done.stdout.replace(str(folder), "/home/you").splitlines()]
    lines = [line for line in lines if not PROGRESS.fullmatch(line)]
    return [*lines, f"(exit code {done.returncode})"] if done.returncode else lines


def matches(shown: tuple[str, ...], found: list[str]) -> bool:
    """Return True if the output is as shown; empty lines at the end do not matter."""
    parts = "\n".join(shown).rstrip().split(ANY)
    pattern = "(?s:.*)".join(map(re.escape, parts)).replace("\\\n(?s:.*)\\\n", "(?s:\n.*\n|\n)")
    return re.fullmatch(pattern, "\n".join(found).rstrip()) is not None


def differences(document: str) -> list[str]:
    """Run all examples of a document, and return those whose output is another."""
    wrong = []
    with tempfile.TemporaryDirectory() as name:
        for block in BLOCK.findall(document):
            for example in examples(block):
                found = run(example.command, Path(name))
                if not matches(example.output, found):
                    wrong.append("\n".join([f"$ {example.command}", *found, "--- shown:", *example.output]))
    return wrong


def without_signature(line: str) -> str:
    return f"measures:{ANY}" if line.startswith("measures:") else line


def renewed(document: str) -> str:
    """Return a document with the output of its examples as it is now; matching output stays as it is."""
    with tempfile.TemporaryDirectory() as name:

        def renew(block: re.Match[str]) -> str:
            lines = []
            for example in examples(block[1]):
                found = run(example.command, Path(name))
                lines += ("$ " + example.command.replace("\n", "\n> ")).splitlines()
                lines += example.output if matches(example.output, found) else map(without_signature, found)
            return "\n".join(["```console", *map(str.rstrip, lines), "```"])

        return BLOCK.sub(renew, document)


if __name__ == "__main__":
    for argument in sys.argv[1:]:
        path = Path(argument)
        path.write_text(renewed(path.read_text(encoding="utf-8")), encoding="utf-8")
