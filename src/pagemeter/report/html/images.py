"""The image of a page: found, linked by a relative path, or embedded in a smaller size."""

from __future__ import annotations

import base64
import io
import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

from pagemeter.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pagemeter.corpus import PageResult

SHOWN = (".png", ".jpg", ".jpeg", ".webp", ".gif", ".svg", ".avif")
"""What browsers show."""
_KNOWN = (*SHOWN, ".tif", ".tiff", ".jp2", ".bmp")
_LONGEST, _QUALITY = 1600, 70


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
        """The image of a page, None where there is none."""
        path = self.find(result)
        if path is None:
            return None
        if self.embed and path.suffix.lower() != ".svg":
            return _embedded(path)
        if path.suffix.lower() not in SHOWN:
            return Image(note=f"{path.name}: browsers do not show this format; use --embed-images")
        return Image(quote(os.path.relpath(path, self.report).replace(os.sep, "/")))

    def find(self, result: PageResult) -> Path | None:
        """The file of the image."""
        return next((path for path in self._candidates(result) if path.is_file()), None)

    def _candidates(self, result: PageResult) -> Iterator[Path]:
        if result.evaluation is None:
            return
        sides = ((result.evaluation.gt, result.gt), (result.evaluation.hyp, result.hyp))
        named = [(page.image, Path(file).parent) for page, file in sides if page.image and file]
        if self.folder is not None:
            for image, _ in named:
                yield self.folder / Path(image).name
            stem = result.name.partition("#")[0]
            yield from (self.folder / f"{stem}{suffix}" for suffix in _KNOWN)
        for image, folder in named:
            yield folder / image
            yield folder.parent / image


def _embedded(path: Path) -> Image:
    """The image as a JPEG of at most 1600 pixels a side."""
    try:
        from PIL import Image as Pillow  # noqa: PLC0415  (only where images are embedded)
    except ImportError:
        raise UsageError("--embed-images needs Pillow: pip install 'pagemeter[images]'") from None
    try:
        with Pillow.open(path) as image:
            image.draft("RGB", (_LONGEST, _LONGEST))
            small = image.convert("RGB")
            small.thumbnail((_LONGEST, _LONGEST))
            made = io.BytesIO()
            small.save(made, "JPEG", quality=_QUALITY)
    except (OSError, ValueError, Pillow.DecompressionBombError) as error:
        return Image(note=f"{path.name}: cannot be read: {error}")
    return Image(content=base64.b64encode(made.getvalue()))
