"""The report as one HTML file that needs no other files.

The numbers of all pages are at the start of the file, compressed. The details of each page are a compressed
block, which is unpacked when the page is opened. docs/report.md describes the contents and the size.
"""

from pagemeter.report.html.images import Images
from pagemeter.report.html.overview import Overview, SystemTotals
from pagemeter.report.html.pages import HTML, Packer, SizeLimit
from pagemeter.report.html.report import HtmlFile, write_report

__all__ = ["HTML", "HtmlFile", "Images", "Overview", "Packer", "SizeLimit", "SystemTotals", "write_report"]
