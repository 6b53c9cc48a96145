"""Hooks of MkDocs: pages that are made from other files of the project, and links to those files."""

from __future__ import annotations

import posixpath
import re
import shutil
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

from mkdocs.structure.files import File

from pagemeter.cli.parser import Parser, build_parser

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files
    from mkdocs.structure.pages import Page

ROOT = Path(__file__).resolve().parent.parent
PAGES = {
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changelog.md",
    "ROADMAP.md": "roadmap.md",
    "CODE_OF_CONDUCT.md": "code-of-conduct.md",
    "SECURITY.md": "security-policy.md",
}
"""Documents at the top of the project, and their pages of the site."""
LINK = re.compile(r"(!?\[[^\]]*\])\(([^)#\s]+)(#[^)\s]*)?\)")


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages that are not in the folder of the documents, and the script for offline search."""
    for source, target in PAGES.items():
        text = (ROOT / source).read_text(encoding="utf-8")
        files.append(File.generated(config, target, content=_move_links(text, source, target)))
    files.append(File.generated(config, "reference/options.md", content=_options()))
    files.append(File.generated(config, "assets/iframe-worker.js", content=_offline_search()))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:  # noqa: ARG001
    """Point links to documents outside the folder at their pages, and show other files as plain names."""
    source = page.file.src_uri
    if source in PAGES.values() or source == "reference/options.md":
        return markdown
    return _move_links(markdown, f"docs/{source}", source)


def _move_links(text: str, source: str, target: str) -> str:
    """Return a document with links for the site: `source` and `target` are its paths."""

    def move(link: re.Match[str]) -> str:
        label, path, anchor = link[1], link[2], link[3] or ""
        if "://" in path or path.startswith("mailto:"):
            return link[0]
        file = posixpath.normpath(posixpath.join(posixpath.dirname(source), path))
        page = PAGES.get(file) or (file.removeprefix("docs/") if file.startswith("docs/") else None)
        if file == "README.md":
            page = "index.md"
        if page is None:
            return label.strip("![]")
        return f"{label}({posixpath.relpath(page, posixpath.dirname(target) or '.')}{anchor})"

    return LINK.sub(move, text)


def _options() -> str:
    """Return a page with the help of all commands."""
    parser = build_parser()
    commands: dict[str, Parser] = parser._commands  # noqa: SLF001
    parts = ["# All options", "What `pagemeter help COMMAND` shows.", f"```text\n{parser.format_help()}```"]
    for name, command in commands.items():
        parts += [f"## {name}", f"```text\n{command.format_help()}```"]
    return "\n\n".join(parts) + "\n"


def _offline_search() -> str:
    """Return the script that lets the search run on pages opened as files, from the package of npm."""
    folder = ROOT / "build" / "docs"
    script = folder / "node_modules" / "iframe-worker" / "shim" / "index.js"
    if not script.exists():
        npm = shutil.which("npm")
        if npm is None:
            message = "npm is needed to build the documentation (Debian: apt-get install nodejs npm)"
            raise FileNotFoundError(message)
        folder.mkdir(parents=True, exist_ok=True)
        install = [
            npm,
            "install",
            "--silent",
            "--no-audit",
            "--no-fund",
            "--prefix",
            folder,
            "iframe-worker@1",
        ]
        subprocess.run(install, check=True)  # noqa: S603
    return script.read_text(encoding="utf-8")
