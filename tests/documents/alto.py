"""Build ALTO files for tests, and read them."""

from __future__ import annotations

from pagemeter.formats import read_pages

UNIT = "<Description><MeasurementUnit>pixel</MeasurementUnit></Description>"


def line(ident, attributes="", inside=""):
    return f'<TextLine ID="{ident}" {attributes}>{inside}<String CONTENT="{ident}"/></TextLine>'


def block(ident, *lines, attributes=""):
    return f'<TextBlock ID="{ident}" {attributes}>{"".join(lines)}</TextBlock>'


def read(body, head=UNIT, page="", **options):
    data = f"<alto>{head}<Layout><Page {page}>{body}</Page></Layout></alto>"
    (read_page,) = read_pages(data.encode(), "a.xml", **options)
    return read_page


def texts(page):
    return " ".join(found.text for found in page.lines)


def warned(page):
    return [str(warn)[7:] for warn in page.warnings]
