"""The files that the fuzzers start from: small pages of each format, the demo, and real pages if present."""

from __future__ import annotations

from pathlib import Path

from documents.models import SAMPLES
from pagemeter.errors import PagemeterError
from pagemeter.formats.loading import detect_format

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = (
    ROOT / "tests" / "fuzz" / "samples",
    ROOT / "src" / "pagemeter" / "demo",
    ROOT.parent / "shared" / "data" / "pages",
    ROOT.parent / "shared" / "data" / "vlm" / "samples",
)
SUFFIXES = {".xml", ".hocr", ".html", ".txt", ".json", ".md"}
MAX_BYTES = 60_000  # a heavier file only slows the fuzzer down


def seeds() -> list[tuple[str, bytes]]:
    """Return the names and contents of all files, shortened."""
    paths = (path for folder in FOLDERS if folder.is_dir() for path in sorted(folder.rglob("*")))
    files = [
        (path.name, path.read_bytes()[:MAX_BYTES])
        for path in paths
        if path.suffix in SUFFIXES and path.is_file()
    ]
    return [*files, *SAMPLES.values()]


def seeds_of(format_name: str) -> list[tuple[str, bytes]]:
    """Return the files that are detected as a format."""
    return [(name, data) for name, data in seeds() if _detected(name, data) == format_name]


def _detected(name: str, data: bytes) -> str | None:
    try:
        return detect_format(data, name, None).name
    except PagemeterError:
        return None
