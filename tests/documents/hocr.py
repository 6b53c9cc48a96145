"""Build hOCR files for tests, and read them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pagemeter.formats import hocr
from pagemeter.formats.base import ReadOptions

if TYPE_CHECKING:
    from pagemeter.page import Page


def read(text: str | bytes, **options) -> list[Page]:
    data = text if isinstance(text, bytes) else text.encode()
    return hocr.read_hocr(data, "a.hocr", ReadOptions(**options))


def page(body: str, **options) -> Page:
    return read(f"<html><body><div class='ocr_page'>{body}</div></body></html>", **options)[0]


def line(title: str, text: str = "a") -> str:
    return f"<span class='ocr_line' id='l1' title='{title}'>{text}</span>"
