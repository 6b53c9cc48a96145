"""The image of a page: found, linked by a relative path, or embedded in a smaller size."""

from __future__ import annotations

import base64
import io
import os
import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

from pagemeter.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from PIL.Image import Image as Picture

    from pagemeter.corpus import PageResult

SHOWN = {
    ".png": "png", ".jpg": "jpeg", ".jpeg": "jpeg", ".webp": "webp", ".gif": "gif", ".svg": "svg+xml",
}  # fmt: skip
"""What browsers show, by the name that data of it has."""
_KNOWN = (*SHOWN, ".tif", ".tiff", ".jp2", ".bmp")
REMEDY = "give the folder that has it with --images"
_LONGEST, _QUALITY = 1600, 70
_SMALL = 100_000  # bytes that are embedded as they are


@dataclass(frozen=True, slots=True)
class Image:
    """Where the image of a page is, its content if it is embedded, or why there is none to show."""

    href: str | None = None
    content: bytes | None = None
    note: str | None = None


@dataclass(frozen=True, slots=True)
class Images:
    """How images get into the report, which lies in `report`.

    `folder` is looked into first; then the place that a page's file names, beside that file and in the
    folder above it.
    """

    report: Path
    folder: Path | None = None
    embed: bool = False

    def of(self, result: PageResult) -> Image | None:
        """The image of a page; None where nobody expects one, as none is named and no folder given."""
        path = self.find(result)
        if path is None:
            named = next((f"{name}: no such image" for name, _ in _named(result)), None)
            why = named or (self.folder and f"no image of this name in {self.folder}")
            return Image(note=f"{why}; {REMEDY}") if why else None
        if self.embed:
            return _embedded(path)
        if path.suffix.lower() not in SHOWN:
            return Image(note=f"{path.name}: browsers do not show this format; use --embed-images")
        return Image(quote(os.path.relpath(path, self.report).replace(os.sep, "/")))

    def find(self, result: PageResult) -> Path | None:
        """The file of the image."""
        return next((path for path in self._candidates(result) if path.is_file()), None)

    def _candidates(self, result: PageResult) -> Iterator[Path]:
        named = _named(result)
        if self.folder is not None:
            for image, _ in named:
                yield self.folder / Path(image).name
            stem = result.name.partition("#")[0]
            yield from (self.folder / f"{stem}{suffix}" for suffix in _KNOWN)
        for image, folder in named:
            yield folder / image
            yield folder.parent / image


def _named(result: PageResult) -> list[tuple[str, Path]]:
    """The images that the files of a page name, each with the folder of the file."""
    if result.evaluation is None:
        return []
    sides = ((result.evaluation.gt, result.gt), (result.evaluation.hyp, result.hyp))
    return [(page.image, Path(file).parent) for page, file in sides if page.image and file]


def _embedded(path: Path) -> Image:
    """The image as it is, if it is small and browsers show it, or as a JPEG of at most 1600 pixels a side."""
    kind = SHOWN.get(path.suffix.lower())
    if kind and (kind == "svg+xml" or path.stat().st_size <= _SMALL):
        return _data(kind, path.read_bytes())
    try:
        from PIL import Image as Pillow  # noqa: PLC0415  (only where images are embedded)
    except ImportError:
        raise UsageError("--embed-images needs Pillow: pip install 'pagemeter[images]'") from None
    try:
        with warnings.catch_warnings(action="ignore"), Pillow.open(path) as image:
            return _data("jpeg", _reduced(image))
    except (OSError, ValueError, Pillow.DecompressionBombError) as error:
        return Image(note=f"{path.name}: cannot be read: {error}")


def _reduced(image: Picture) -> bytes:
    image.draft("RGB", (_LONGEST, _LONGEST))  # a JPEG is read at an eighth, a quarter or half its size
    small = image.convert("RGB")
    small.thumbnail((_LONGEST, _LONGEST))
    made = io.BytesIO()
    small.save(made, "JPEG", quality=_QUALITY)
    return made.getvalue()


def _data(kind: str, content: bytes) -> Image:
    return Image(content=f"data:image/{kind};base64,".encode() + base64.b64encode(content))
