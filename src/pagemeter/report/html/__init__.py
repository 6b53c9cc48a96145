"""The report as one HTML file that needs no other files.

The numbers of all pages are at the start of the file, compressed. The details of each page are a compressed
block, which is unpacked when the page is opened. docs/report.md describes the contents and the size.
"""

from pagemeter.report.html.images import Images
from pagemeter.report.html.overview import Curve, Overview, Section, SystemTotals
from pagemeter.report.html.pages import HTML, Packer, SizeLimit
from pagemeter.report.html.report import HtmlFile, write_report
from pagemeter.report.names import ShownPaths

__all__ = [
    "HTML",
    "Curve",
    "HtmlFile",
    "Images",
    "Overview",
    "Packer",
    "Section",
    "ShownPaths",
    "SizeLimit",
    "SystemTotals",
    "write_report",
]
