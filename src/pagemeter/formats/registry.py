"""The known formats: the built-in ones with their suffixes and detection, and those of other packages.

A built-in format is one entry in `_BUILT_IN` and one module with its reader, which is imported when the first
file is read. Other packages add formats through entry points of the group `pagemeter.formats`.
"""

from __future__ import annotations

import re
import sys
import warnings
from dataclasses import dataclass, replace
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING

from pagemeter.errors import FormatError, PagemeterError, UsageError, did_you_mean
from pagemeter.formats.base import Format, Head
from pagemeter.lazy_imports import importing
from pagemeter.page import Page

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from importlib.metadata import EntryPoint

    from pagemeter.formats.base import ReadFunction, ReadOptions

ENTRY_POINT_GROUP = "pagemeter.formats"
"""The entry point group in which other packages register their `Format` objects."""


@dataclass(frozen=True, slots=True)
class _LazyReader:
    """A reader whose module is imported when it is first called."""

    module: str
    function: str

    def load(self) -> ReadFunction:
        name = f"pagemeter.formats.{self.module}"
        if name not in sys.modules:
            with importing:
                import_module(name)
        reader: ReadFunction = getattr(import_module(name), self.function)
        return reader

    def __call__(self, data: bytes, source: str, options: ReadOptions) -> list[Page]:
        return self.load()(data, source, options)


_HOCR_CLASS = re.compile(r"""class\s*=\s*["']?[^"'>]{0,1000}?\bocrx?_""")
_JSON_KEY = re.compile(r'\{\s*"(format|version|pages|lines|source|image|width|height|warnings)"\s*:')
TEI_ROOTS = frozenset(("TEI", "teiCorpus", "TEI.2", "teiCorpus.2"))
_MARKDOWN_SUFFIXES = (".md", ".markdown", ".mdown", ".mkd", ".mmd")


def _is_page(head: Head) -> bool:
    return head.root is not None and head.root.lower() == "pcgts"  # pcGts in files of 2009


def _is_alto(head: Head) -> bool:
    return head.root is not None and head.root.lower() == "alto"


def _is_hocr(head: Head) -> bool:
    if head.suffix == ".hocr" or (head.root is not None and head.root.lower() == "html"):
        return True
    if not _HOCR_CLASS.search(head.text):
        return False
    if head.root is None:
        return head.text.startswith("<")
    from pagemeter.formats.html_text import HTML_ELEMENTS  # noqa: PLC0415  (only for parts of HTML)

    return head.root.lower() in HTML_ELEMENTS


def _is_abbyy(head: Head) -> bool:
    if head.root != "document":
        return False
    return "abbyy" in head.namespace.lower() or "finereader" in head.text[:4000].lower()


def _is_tei(head: Head) -> bool:
    return head.root in TEI_ROOTS


# What identifies the JSON of other programs: all of these patterns are found near the beginning of a file.
_JSON_MARKS = {
    "docling": (r'"schema_name"\s*:\s*"DoclingDocument"',),
    "omnidocbench": (r'"layout_dets"\s*:',),
    "mineru": (r'\A\[|"pdf_info"\s*:', r'"(?:page_idx|pdf_info)"\s*:', r'"(?:type|pdf_info)"\s*:'),
    "paddleocr": (r'"(?:parsing_res_list|layoutParsingResults|ocrResults|rec_texts)"\s*:',),
    "surya": (r'"text_lines"\s*:',),
    "marker": (r'"block_type"\s*:', r'"(?:html|children)"\s*:'),
    "azure": (r'"(?:analyzeResult|analyze_result|readResults?|read_results?|modelId)"\s*:',),
    "google": (r'"(?:fullTextAnnotation|full_text_annotation|textAnnotations|textAnchor|text_anchor)"\s*:',),
    "textract": (r'"BlockType"\s*:\s*"(?:PAGE|LINE|WORD|LAYOUT_\w+|TABLE|CELL)"',),
    "dots": (r"\A(?:```\w*\s*)?\[", r'"bbox"\s*:', r'"category"\s*:'),
    "olmocr": (r'"text"\s*:', r'"pdf_page_numbers"\s*:|"source"\s*:\s*"olmocr"'),
}


def _json_mark(name: str) -> Callable[[Head], bool]:
    patterns = [re.compile(mark) for mark in _JSON_MARKS[name]]

    def matches(head: Head) -> bool:
        is_json = head.text.startswith(("{", "[", "```"))
        return is_json and all(pattern.search(head.text) for pattern in patterns)

    return matches


def _is_churro(head: Head) -> bool:
    if head.root == "HistoricalDocument":
        return True
    return "<HistoricalDocument" in head.text[:1000] and not _is_json(head)


def _is_deepseek(head: Head) -> bool:
    return "<|ref|>" in head.text and "<|det|>" in head.text and not _is_json(head)


def _is_json(head: Head) -> bool:
    return bool(_JSON_KEY.match(head.text)) or (head.suffix == ".json" and head.text.startswith(("{", "[")))


def _is_markdown(head: Head) -> bool:
    return head.suffix in _MARKDOWN_SUFFIXES  # nothing in the content distinguishes it from plain text


def _is_text(head: Head) -> bool:
    return "\0" not in head.text


# In the order of detection. Plain text is last, because it accepts any text.
_BUILT_IN = (
    Format(
        "page", "PAGE XML, 2009 to 2024 (PcGts)",
        _is_page, _LazyReader("page", "read_page_xml"), (".xml",),
    ),
    Format(
        "alto", "ALTO XML, versions 1 to 4 (alto)",
        _is_alto, _LazyReader("alto", "read_alto"), (".xml", ".alto"),
    ),
    Format(
        "hocr", "hOCR, as XML or as HTML (Tesseract, OCRopus, kraken)",
        _is_hocr, _LazyReader("hocr", "read_hocr"), (".hocr", ".html", ".htm", ".xhtml", ".xml"),
    ),
    Format(
        "abbyy", "ABBYY FineReader XML, versions 6 to 15",
        _is_abbyy, _LazyReader("abbyy", "read_abbyy"), (".xml",),
    ),
    Format(
        "tei", "TEI: lb, l, ab and p; positions from facsimile zones",
        _is_tei, _LazyReader("tei", "read_tei"), (".xml", ".tei"),
    ),
    Format(
        "churro", "CHURRO: HistoricalDocument XML",
        _is_churro, _LazyReader("models.block_trees", "read_churro"), (".xml",),
    ),
    Format(
        "docling", "Docling: DoclingDocument JSON",
        _json_mark("docling"), _LazyReader("models.block_trees", "read_docling"), (".json",),
    ),
    Format(
        "omnidocbench", "OmniDocBench ground truth: JSON with layout_dets",
        _json_mark("omnidocbench"), _LazyReader("models.block_lists", "read_omnidocbench"), (".json",),
    ),
    Format(
        "mineru", "MinerU: content_list.json and middle.json",
        _json_mark("mineru"), _LazyReader("models.block_lists", "read_mineru"), (".json",),
    ),
    Format(
        "paddleocr", "PaddleOCR-VL, PP-StructureV3 and PP-OCR: JSON of results",
        _json_mark("paddleocr"), _LazyReader("models.block_lists", "read_paddleocr"), (".json",),
    ),
    Format(
        "surya", "Surya: results.json with text_lines",
        _json_mark("surya"), _LazyReader("models.block_trees", "read_surya"), (".json",),
    ),
    Format(
        "marker", "Marker: JSON of blocks or chunks",
        _json_mark("marker"), _LazyReader("models.block_trees", "read_marker"), (".json",),
    ),
    Format(
        "azure", "Azure: JSON of Read, Document Intelligence and Image Analysis",
        _json_mark("azure"), _LazyReader("models.services", "read_azure"), (".json",),
    ),
    Format(
        "google", "Google: JSON of Cloud Vision and Document AI",
        _json_mark("google"), _LazyReader("models.services", "read_google"), (".json",),
    ),
    Format(
        "textract", "Amazon Textract: JSON of blocks",
        _json_mark("textract"), _LazyReader("models.services", "read_textract"), (".json",),
    ),
    Format(
        "dots", "dots.ocr: JSON list of blocks with bbox and category",
        _json_mark("dots"), _LazyReader("models.block_lists", "read_dots"), (".json",),
    ),
    Format(
        "olmocr", "olmOCR: JSON lines of documents",
        _json_mark("olmocr"), _LazyReader("models.block_lists", "read_olmocr"), (".jsonl",),
    ),
    Format(
        "deepseek", "DeepSeek-OCR: Markdown with labels and boxes (<|ref|>, <|det|>)",
        _is_deepseek, _LazyReader("models.block_lists", "read_deepseek"),
    ),
    Format(
        "json", "pagemeter's own JSON of pages",
        _is_json, _LazyReader("json_page", "read_json"), (".json",),
    ),
    Format(
        "markdown", "Markdown, as vision-language models write it (.md, .markdown)",
        _is_markdown, _LazyReader("markdown", "read_markdown"), _MARKDOWN_SUFFIXES, any_text=True,
    ),
    Format(
        "text", "plain text, one line of the page per line; a form feed separates pages",
        _is_text, _LazyReader("plain", "read_text"), (".txt", ".text"), any_text=True,
    ),
)  # fmt: skip


def formats() -> tuple[Format, ...]:
    """Return all known formats in the order of detection.

    >>> [known.name for known in formats()][:2]
    ['page', 'alto']
    """
    return tuple(iter_formats())


def iter_formats() -> Iterator[Format]:
    """Iterate over the known formats in the order of detection.

    Plain text comes last. Formats of other packages come before it, and are loaded only if the iteration gets
    there.

    >>> next(iter_formats()).name
    'page'
    """
    yield from _BUILT_IN[:-1]
    yield from _installed()
    yield _BUILT_IN[-1]


def find_format(name: str) -> Format:
    """Return the format with a name; the error for an unknown name suggests the nearest one.

    >>> find_format("alt0")
    Traceback (most recent call last):
    pagemeter.errors.UsageError: format='alt0': unknown format (did you mean alto?). Use one of page, ...
    """
    for known in iter_formats():
        if known.name == name:
            return known
    names = [known.name for known in formats()]
    raise UsageError(
        f"unknown format{did_you_mean(name, names)}",
        setting=("format", name),
        remedy=f"use one of {', '.join(names)}",
    )


def known_suffixes(*, installed: bool = True) -> frozenset[str]:
    """Return the suffixes of page files; with `installed`, include those of formats of other packages.

    >>> sorted(known_suffixes(installed=False))[:3]
    ['.alto', '.hocr', '.htm']
    """
    return _suffixes_of(formats() if installed else _BUILT_IN)


def markup_suffixes() -> frozenset[str]:
    """Return the suffixes of built-in formats whose files are never plain text.

    >>> ".xml" in markup_suffixes(), ".md" in markup_suffixes()
    (True, False)
    """
    return _suffixes_of(known for known in _BUILT_IN if not known.any_text)


def xml_format_names(*, installed: bool = True) -> tuple[str, ...]:
    """Return the names of the formats that share the suffix .xml; they may precede it, as in `0001.alto.xml`.

    >>> xml_format_names(installed=False)
    ('page', 'alto', 'hocr', 'abbyy', 'tei', 'churro')
    """
    listed = formats() if installed else _BUILT_IN
    return tuple(known.name for known in listed if ".xml" in known.suffixes)


def import_readers() -> None:
    """Import all readers, so that the first file of a format takes no more memory than the next one."""
    for known in formats():
        if isinstance(known.read, _LazyReader):
            known.read.load()


def _suffixes_of(listed: Iterable[Format]) -> frozenset[str]:
    return frozenset(suffix for known in listed for suffix in known.suffixes)


@cache
def _installed() -> tuple[Format, ...]:
    """Return the formats of other packages; a warning names those that cannot be used."""
    from importlib.metadata import entry_points  # noqa: PLC0415  (slow to import)

    names = {known.name for known in _BUILT_IN}
    usable = []
    for entry in entry_points(group=ENTRY_POINT_GROUP):
        loaded = _load(entry)
        if loaded is not None and loaded.name in names:
            _warn(entry, f"another format has the name {loaded.name!r}")
        elif loaded is not None:
            names.add(loaded.name)
            usable.append(loaded)
    return tuple(usable)


def _load(entry: EntryPoint) -> Format | None:
    try:
        loaded = entry.load()
    except Exception as error:  # noqa: BLE001  (the module of another package may raise anything)
        _warn(entry, f"{type(error).__name__}: {error}")
        return None
    if isinstance(loaded, Format):
        return replace(loaded, matches=_guarded_matches(loaded, entry), read=_guarded_read(loaded))
    _warn(entry, f"{entry.value} is not a pagemeter.formats.Format object")
    return None


def _guarded_matches(loaded: Format, entry: EntryPoint) -> Callable[[Head], bool]:
    """Wrap `matches` of another package: if it raises an exception, warn and return False."""

    def matches(head: Head) -> bool:
        try:
            return bool(loaded.matches(head))
        except MemoryError:
            raise
        except Exception as error:  # noqa: BLE001
            _warn(entry, f"{type(error).__name__}: {error}")
            return False

    return matches


def _guarded_read(loaded: Format) -> ReadFunction:
    """Wrap `read` of another package: if it fails, or returns anything but pages, raise FormatError."""

    def read(data: bytes, source: str, options: ReadOptions) -> list[Page]:
        try:
            pages = list(loaded.read(data, source, options))
        except (PagemeterError, MemoryError):
            raise
        except Exception as error:
            raise _failure(loaded, source, f"{type(error).__name__}: {error}") from error
        for page in pages:
            if not isinstance(page, Page):
                raise _failure(loaded, source, f"it returned {type(page).__name__}, not Page")
        return pages

    return read


def _failure(loaded: Format, source: str, reason: str) -> FormatError:
    return FormatError(
        f"the reader of the format {loaded.name!r}, from another package, failed: {reason}",
        source=source,
        remedy="report this to the authors of that package",
    )


def _warn(entry: EntryPoint, reason: str) -> None:
    package = entry.dist.name if entry.dist else "another package"
    warnings.warn(f"format {entry.name!r} of {package} cannot be used: {reason}", stacklevel=4)
