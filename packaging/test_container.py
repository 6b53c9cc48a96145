"""Run the steps of the Dockerfile in clean root directories, without a container engine.

    sudo python packaging/test_container.py [ROOT]

Each stage starts as a copy of ROOT, a minimal Debian with Python that debootstrap makes unless it is given.
`RUN` is executed in it with chroot, `COPY` takes the files that .dockerignore leaves, and the command of the
last stage evaluates a pair of files as its user. An instruction that this script does not know is an error.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[1]
WORK = PROJECT / "build" / "container"
PACKAGES = "python3,python3-venv,python3-dev,ca-certificates"
BASE = ("debootstrap", "--variant=minbase", f"--include={PACKAGES}", "bookworm")
CERTIFICATES = "etc/ssl/certs/ca-certificates.crt"


def instructions(text: str) -> list[tuple[str, str]]:
    """Return the instructions of a Dockerfile and their arguments."""
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
    joined = "\n".join(lines).replace("\\\n", " ")
    return [(name, rest) for name, _, rest in (line.partition(" ") for line in joined.splitlines())]


def sent_files() -> list[Path]:
    """Return the files of the working copy that .dockerignore leaves; it ignores all and names exceptions."""
    rules = (PROJECT / ".dockerignore").read_text(encoding="utf-8").split()
    if rules[0] != "*" or rules[-1] != "**/__pycache__":
        sys.exit(".dockerignore is not a list of exceptions")
    listed = subprocess.run(
        ("git", "ls-files", "--", *(rule.removeprefix("!") for rule in rules[1:-1])),
        cwd=PROJECT, check=True, capture_output=True, text=True,
    )  # fmt: skip
    return [Path(line) for line in listed.stdout.splitlines()]


class Stage:
    """A root directory with the state that instructions change: folder, user and environment."""

    def __init__(self, root: Path, base: Path) -> None:
        self.root, self.folder, self.user = root, "/", "root"
        self.environment = {"PATH": "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin", "HOME": "/root"}
        # Settings of the host's pip and of its network, which a container engine would pass too.
        self.environment |= {name: value for name, value in os.environ.items() if name.startswith("PIP_")}
        if root.exists():
            shutil.rmtree(root)
        subprocess.run(("cp", "--archive", base, root), check=True)
        for name in ("etc/resolv.conf", CERTIFICATES):
            shutil.copy(f"/{name}", root / name)
        (root / "usr/local/bin/python").symlink_to("/usr/bin/python3")

    def path(self, inside: str) -> Path:
        """Return the path on the host."""
        return self.root / os.path.normpath(os.path.join(self.folder, inside)).lstrip("/")  # noqa: PTH118

    def run(self, *command: str) -> str:
        """Run a command in the root directory and return its output."""
        inside = f"cd {shlex.quote(self.folder)} && exec {shlex.join(command)}"
        chroot = ("chroot", f"--userspec={self.user}:{self.user}", str(self.root), "/bin/sh", "-c", inside)
        done = subprocess.run(chroot, env=self.environment, text=True, stdout=subprocess.PIPE, check=False)
        if done.returncode:
            sys.exit(f"{shlex.join(command)} ended with {done.returncode}: {done.stdout}")
        return done.stdout


class Build:
    """The stages of a Dockerfile, the present one, and its entry point."""

    def __init__(self, base: Path) -> None:
        self.base, self.entry = base, []
        self.stages: dict[str, Stage] = {}
        for name, rest in instructions((PROJECT / "Dockerfile").read_text(encoding="utf-8")):
            print(name, rest, flush=True)
            step = getattr(self, f"do_{name.lower()}", None)
            if step is None:
                sys.exit(f"unknown instruction: {name}")
            step(rest)

    @property
    def stage(self) -> Stage:
        """Return the present stage."""
        return list(self.stages.values())[-1]

    def do_from(self, rest: str) -> None:
        """Begin a stage. The image must be that of Python, in place of which the base is taken."""
        image = re.fullmatch(r"python:\$\{PYTHON\}-slim(?: AS (\w+))?", rest)
        if not image:
            sys.exit(f"unknown image: {rest}")
        label = image[1] or "last"
        self.stages[label] = Stage(WORK / label, self.base)

    def do_arg(self, rest: str) -> None:
        """Ignore the version of Python, because the base has that of Debian."""
        if not rest.startswith("PYTHON="):
            sys.exit(f"unknown argument: {rest}")

    def do_run(self, rest: str) -> None:
        """Run a command of the shell."""
        self.stage.run("/bin/sh", "-c", rest)

    def do_copy(self, rest: str) -> None:
        """Copy the files of the project, or a folder of an earlier stage."""
        *options, source, target = rest.split()
        if options:
            root = self.stages[options[0].removeprefix("--from=")].root
            shutil.copytree(root / source.lstrip("/"), self.stage.path(target), symlinks=True)
            return
        for name in sent_files():
            to = self.stage.path(target) / name
            to.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(PROJECT / name, to)

    def do_workdir(self, rest: str) -> None:
        """Change the folder, and create it."""
        self.stage.folder = rest
        self.stage.path(rest).mkdir(parents=True, exist_ok=True)

    def do_user(self, rest: str) -> None:
        """Change the user."""
        self.stage.user = rest
        self.stage.environment["HOME"] = f"/home/{rest}"

    def do_env(self, rest: str) -> None:
        """Set a variable."""
        variable, _, value = rest.partition("=")
        path = self.stage.environment["PATH"]
        self.stage.environment[variable] = value.strip('"').replace("$PATH", path)

    def do_entrypoint(self, rest: str) -> None:
        """Keep the entry point."""
        self.entry = json.loads(rest)

    def do_cmd(self, rest: str) -> None:
        """Ignore the default arguments."""


def main() -> None:
    """Build, and evaluate a pair of files as the user of the image."""
    WORK.mkdir(parents=True, exist_ok=True)
    base = Path(sys.argv[1]) if len(sys.argv) > 1 else WORK / "base"
    if not base.exists():
        subprocess.run((*BASE, base), check=True, stdout=subprocess.DEVNULL)
    build = Build(base)
    stage = build.stage
    if stage.user == "root" or stage.run("id", "-u").strip() == "0":
        sys.exit("the command would run as root")
    if stage.run("/bin/sh", "-c", "command -v g++ || true"):
        sys.exit("the image has a compiler")
    for name, text in (("gt.txt", "the old mill\n"), ("hyp.txt", "the old mil\n")):
        (stage.path(name)).write_text(text, encoding="utf-8")
    output = stage.run(*build.entry, "eval", "gt.txt", "hyp.txt", "--measure", "CER:R")
    if not re.search(r"CER:R\s+8\.33 %\s+1\b", output):
        sys.exit(f"unexpected output: {output}")
    print(output)


if __name__ == "__main__":
    main()
