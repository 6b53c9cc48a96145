"""Find the image of a page, and link it or embed it at a smaller size."""

from __future__ import annotations

import base64
import io
import os
import re
import warnings
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from importlib import import_module
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import TYPE_CHECKING
from urllib.parse import quote

from pagemeter.atomic_io import encodable
from pagemeter.errors import DependencyError, InputError, PagemeterError, Problem, as_keyword
from pagemeter.report.names import printable, shorten

if TYPE_CHECKING:
    from collections.abc import Iterator

    from PIL.Image import Image as PillowImage

    from pagemeter.corpus import PageResult
    from pagemeter.report import ShowSetting

_BROWSER_FORMATS = {
    ".png": "png", ".jpg": "jpeg", ".jpeg": "jpeg", ".webp": "webp", ".gif": "gif", ".svg": "svg+xml",
}  # fmt: skip
"""The media types of the formats that browsers show, by suffix."""
_SUFFIXES = (*_BROWSER_FORMATS, ".tif", ".tiff", ".jp2", ".bmp")
_LONGEST_SIDE, _JPEG_QUALITY = 1600, 70
_LONGEST_NAME = 120  # columns in a message
_SMALL = 100_000  # bytes of an image that is embedded unchanged
_LARGEST_SVG = 20_000_000  # bytes; browsers take seconds to draw larger ones
_LARGEST_FILE = 300_000_000  # bytes: 100 megapixels in colour without compression
_MOST_PIXELS = 100_000_000  # decoding takes up to 8 bytes per pixel
_PILLOW_FORMATS = ("PNG", "JPEG", "WEBP", "GIF", "TIFF", "JPEG2000", "BMP", "PPM")
"""The formats that are converted; others, such as EPS, would start another programme."""
_FIRST_BYTES = {
    "png": rb"\x89PNG\r\n\x1a\n", "jpeg": rb"\xff\xd8\xff", "webp": rb"RIFF....WEBP", "gif": rb"GIF8[79]a",
}  # fmt: skip
"""How files of these media types begin, as patterns."""


@dataclass(frozen=True, slots=True)
class Image:
    """A link to the image of a page, its content if it is embedded, or a note why there is none."""

    href: str | None = None
    content: bytes | None = None
    note: str | None = None


@dataclass(frozen=True, slots=True)
class Images:
    """Where the images of pages are, and whether they are linked or embedded.

    An image is searched for in `folder`, then at the path that a page's file names, relative to the folder of
    that file and to the folder above it. A file that names an image may come from a stranger, and the report
    may be published. Therefore an image is taken only from these places: below `folder`, below the folder of
    the page's file, or directly in the folder above that. Symbolic links are followed to decide this.

    Args:
        report: The folder of the report.
        folder: A folder that is searched first.
        embed: Embed images instead of linking them.
        from_anywhere: Take images from all other places too.
        show_setting: Shows the settings that notes name.

    """

    report: Path
    folder: Path | None = None
    embed: bool = False
    from_anywhere: bool = False
    show_setting: ShowSetting = as_keyword

    def of(self, result: PageResult) -> Image | None:
        """Return the image of a page, or None if no file names one and no folder is given.

        Every error becomes a note, because an image must not change the result of the page.
        """
        name = next((name for name, _ in _named_images(result)), "") or result.name
        try:
            path = self.find(result)
            if path is None:
                return self._not_found(result)
            name = path.name
            return self._embedded(path) if self.embed else self._linked(path)
        except PagemeterError as error:
            return self._without_image(replace(error.problem, source=_short(name)))
        except Exception as error:  # noqa: BLE001  (Pillow raises SyntaxError and many others)
            return self._without_image(
                Problem(f"cannot be read: {_reason(error)}", _short(name), kind="report")
            )

    def find(self, result: PageResult) -> Path | None:
        """Return the path of the image, or None if it is not found or outside the allowed folders."""
        return next((path for path, is_allowed in self._existing(result) if is_allowed), None)

    def _existing(self, result: PageResult) -> Iterator[tuple[Path, bool]]:
        """Yield the existing files that may be the image, each with True if it is in an allowed folder."""
        for path, below, directly_in in self._candidates(result):
            if os.path.isfile(path):  # noqa: PTH113  (Path.is_file raises an error for a very long name)
                yield path, self.from_anywhere or _is_inside(path, below, directly_in)

    def _candidates(self, result: PageResult) -> Iterator[tuple[Path, Path, Path | None]]:
        """Yield possible paths, each with a folder it must be below, or another it must be directly in."""
        named = _named_images(result)
        if self.folder is not None:
            stem = result.name.partition("#")[0]
            images = [image for image, _ in named]
            names = (
                *images,
                *(Path(image).name for image in images),
                *(f"{stem}{suffix}" for suffix in _SUFFIXES),
            )
            yield from ((self.folder / name, self.folder, None) for name in names)
        for image, folder in named:
            above = Path(os.path.realpath(folder)).parent
            yield folder / image, folder, above
            yield folder.parent / image, folder, above

    def _not_found(self, result: PageResult) -> Image | None:
        name = next((name for name, _ in _named_images(result)), "")
        if not name and self.folder is None:
            return None
        detail = "no such image" if name else "no image in the folder of images has the name of the page"
        remedy, settings = "set {} to the folder of the images", [("images", "")]
        if any(self._existing(result)):
            detail = "this image is outside the folders that images are taken from"
            remedy += ", or use {} if you trust the files"
            settings.append(("images_from_anywhere", ""))
        return self._without_image(Problem(detail, _short(name), remedy=remedy, settings=tuple(settings)))

    def _linked(self, path: Path) -> Image:
        if path.suffix.lower() in _BROWSER_FORMATS:
            return Image(quote(encodable(os.path.relpath(path, self.report)).replace(os.sep, "/")))
        return self._without_image(
            Problem(
                "browsers do not show this format",
                path.name,
                remedy="use {} to convert and embed it",
                settings=(("embed_images", ""),),
            )
        )

    def _without_image(self, problem: Problem) -> Image:
        return Image(note=printable(problem.render(self.show_setting)))

    def _embedded(self, path: Path) -> Image:
        """Return the data to embed: a small image that browsers show as it is, any other as JPEG.

        A JPEG has at most 1600 pixels per side.
        An SVG file is embedded unchanged. The report shows it as an image, so its scripts are not executed.
        """
        media_type = _BROWSER_FORMATS.get(path.suffix.lower(), "")
        is_svg, size = media_type == "svg+xml", path.stat().st_size
        largest = _LARGEST_SVG if is_svg else _LARGEST_FILE
        if size > largest:
            raise _too_large(f"{size / 1e6:,.0f} MB", f"{largest / 1e6:,.0f} MB")
        if is_svg or (media_type and size <= _SMALL):
            content = path.read_bytes()
            if is_svg and b"<svg" not in content:
                raise InputError("this is not an SVG file")
            if is_svg:
                return _data_url(media_type, content)
            if re.match(_FIRST_BYTES[media_type], content, re.DOTALL):
                with suppress(DependencyError), _opened(path):  # checks the number of pixels
                    pass
                return _data_url(media_type, content)
        with _opened(path) as image:
            return _data_url("jpeg", _reduced(image))


def _is_inside(path: Path, below: Path, directly_in: Path | None) -> bool:
    """Return True if a file is below a folder or directly in another one, with symbolic links resolved."""
    real = Path(os.path.realpath(path))
    return real.is_relative_to(os.path.realpath(below)) or real.parent == directly_in


def _short(name: str) -> str:
    """Return the name of an image for a message, without the folders of an absolute path."""
    if PurePosixPath(name).is_absolute() or PureWindowsPath(name).is_absolute():
        name = PureWindowsPath(name).name or name
    return shorten(printable(name), _LONGEST_NAME)


def _reason(error: Exception) -> str:
    """Return why an image cannot be read, without its path."""
    if type(error).__name__ == "UnidentifiedImageError":  # of Pillow, which is optional
        return "its format is unknown, or it is damaged"
    return getattr(error, "strerror", None) or str(error) or type(error).__name__


def _named_images(result: PageResult) -> list[tuple[str, Path]]:
    """Return the images that the files of a page name, each with the folder of the file."""
    if result.evaluation is None:
        return []
    sides = ((result.evaluation.gt, result.gt), (result.evaluation.hyp, result.hyp))
    return [(page.image, Path(file).parent) for page, file in sides if page.image and file]


def check_pillow() -> None:
    """Raise an error if Pillow, which reduces images, is not installed."""
    try:
        import_module("PIL")
    except ImportError:
        raise DependencyError(
            "embedding images needs Pillow, which is not installed",
            remedy="run pip install 'pagemeter[images]'",
        ) from None


@contextmanager
def _opened(path: Path) -> Iterator[PillowImage]:
    """Open an image, unless it has too many pixels; they are not decoded yet."""
    check_pillow()
    from PIL import Image as Pillow  # noqa: PLC0415  (optional)

    Pillow.init()
    formats = [name for name in _PILLOW_FORMATS if name in Pillow.OPEN]
    with warnings.catch_warnings(action="ignore"), Pillow.open(path, formats=formats) as image:
        pixels = image.width * image.height
        if pixels > _MOST_PIXELS:
            raise _too_large(f"{pixels / 1e6:,.0f} megapixels", f"{_MOST_PIXELS / 1e6:,.0f}")
        yield image


def _too_large(size: str, largest: str) -> InputError:
    detail = f"the image has {size}; only images of at most {largest} are embedded"
    return InputError(detail, remedy="set {} to a folder with smaller images", settings=(("images", ""),))


def _reduced(image: PillowImage) -> bytes:
    image.draft(
        "RGB", (_LONGEST_SIDE, _LONGEST_SIDE)
    )  # decodes a JPEG at an eighth, a quarter or half its size
    small = image.convert("RGB")
    small.thumbnail((_LONGEST_SIDE, _LONGEST_SIDE))
    jpeg = io.BytesIO()
    small.save(jpeg, "JPEG", quality=_JPEG_QUALITY)
    return jpeg.getvalue()


def _data_url(media_type: str, content: bytes) -> Image:
    return Image(content=f"data:image/{media_type};base64,".encode() + base64.b64encode(content))
