"""The report as one HTML file that needs nothing else.

Numbers of all pages come first in the file, compressed; the details of each page are a compressed block of
their own, which is unpacked when the page is opened. docs/report.md says what is shown and how large it gets.
"""

from pagemeter.report.html.htmlfile import Findings, HtmlFile
from pagemeter.report.html.images import Images
from pagemeter.report.html.overview import SystemTotals
from pagemeter.report.html.packing import HTML, Packer
from pagemeter.report.html.room import Room
from pagemeter.report.html.writing import write_report

__all__ = ["HTML", "Findings", "HtmlFile", "Images", "Packer", "Room", "SystemTotals", "write_report"]
