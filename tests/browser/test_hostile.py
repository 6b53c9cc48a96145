"""Reports with hostile texts in every field: nothing is executed, requested or styled."""

from __future__ import annotations

import io
import re
from typing import TYPE_CHECKING
from urllib.parse import quote

import pytest

from collected import exhaustive
from pagemeter import Line, Page, evaluate
from pagemeter.corpus import PageResult, Totals
from pagemeter.errors import Problem
from pagemeter.measure import ALL
from pagemeter.report.html import HtmlFile, Images, Overview, SystemTotals

if TYPE_CHECKING:
    from pathlib import Path

TAKE = "window.taken=1"
HOSTILE = {
    "script": f"</script><script>{TAKE}</script><!--",
    "element": f'"><img src=x onerror="{TAKE}"><svg onload={TAKE}><iframe src="http://example.org/">',
    "quotes": f"' onmouseover='{TAKE}' style='position:fixed' \" onfocus=\"{TAKE}\" autofocus \"",
    "address": f"javascript:{TAKE}//http://example.org/x.png",
    "style": "</style><style>*{background:url(http://example.org/s)!important}</style>;}*{color:red}",
    "template": "${window.taken=1} {{constructor.constructor('window.taken=1')()}} [[script]] [[pages]]",
    "controls": "\x1b]0;taken\x07\x00\x0b\x7f\x85\u2028\ud800\u202eobvious\u2066\u200f\ufeff",
    "names": "__proto__",
}
IMAGE = f"""<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9' onload='top.{TAKE}'>
<script>top.{TAKE}</script><image href='http://example.org/i.png' width='9' height='9'/>
<style>@import 'http://example.org/s.css';</style></svg>"""
MEASURES = [measure for measure in ALL if str(measure) in ("CER:R", "CER", "BOW")]
ELEMENTS = (
    *("script:not([type])", "style", "meta[http-equiv]", "iframe"),
    *("img", "object", "form:not([role=search])", "base"),
)
ATTRIBUTES = (
    "return [...document.querySelectorAll('*')].flatMap("
    "element => [...element.attributes].map(one => [one.name, one.value.toWellFormed()]))"
)
STYLE = re.compile(
    r"((width: ?[\d.]+(%|px)|flex-grow: ?[\d.]+|aspect-ratio: ?[-\d. /]+|--(ink|hit): ?[\d.]+px"
    r"|--split: ?\d+%|--systems: ?\d);? ?)*"
)


def hostile_report(folder: Path, text: str, *, embed: bool) -> str:
    """Write a report of two systems with a text in all fields, and return its URL."""
    folder.mkdir()
    name = re.sub("[/\0\ud800-\udfff]", "", text)[:60]
    image = f"{name}.svg"
    (folder / image).write_text(IMAGE)

    def page(*texts: str) -> Page:
        lines = (
            Line(one, ((0, 50 * at), (300, 50 * at)), id=f"{text}{at}") for at, one in enumerate(texts, 1)
        )
        return Page(tuple(lines), width=300, height=200, image=image, source=text)

    file, totals = io.StringIO(), []
    sink = HtmlFile(file, io.BytesIO(), Images(folder, embed=embed), systems=2)
    for system, read in enumerate((f"{text} x", "other words")):
        total = Totals()
        for number in range(3):
            evaluation = evaluate(page(text, f"second {text}"), page(f"second {text}", read), MEASURES)
            gt, hyp = (str(folder / f"{side}{name}{number}.xml") for side in ("gt", "hyp"))
            warning = Problem(text, text, text, remedy=text, kind="text")
            result = PageResult(f"{text}{number}", gt, hyp, evaluation, (warning,))
            sink.add(result, system)
            total.add(result)
        totals.append(SystemTotals(f"{text}{system}", total.scores, total.budgets, {}))
    failed = [PageResult(text, text, text, errors=(Problem(text, text), Problem("second", text)))]
    sink.write(Overview(totals, text, [text, f"note {text}"], failed))
    path = folder / "report.html"
    path.write_text(file.getvalue(), encoding="utf-8")
    return path.as_uri()


def check_inert(browser) -> None:
    """Fail if a text of the report became an element, an attribute, a link, a style or a script."""
    browser.settle()
    assert browser.js("return window.taken") is None
    assert [len(browser.all(selector)) for selector in ELEMENTS] == [1, 1, 1, 0, 0, 0, 0, 0]
    assert browser.js("return document.styleSheets.length") == 1
    attributes = browser.js(ATTRIBUTES)
    assert not [name for name, _ in attributes if name.startswith("on") or name in ("autofocus", "srcdoc")]
    links = [value for name, value in attributes if name in ("href", "src", "xlink:href", "action")]
    outside = [link for link in links if not link.startswith(("#", "data:image/"))]
    assert not [link for link in outside if ":" in link or not link.endswith(".svg")]
    assert not [value for name, value in attributes if name == "style" and not STYLE.fullmatch(value)]


@pytest.mark.parametrize(
    ("kind", "embed"),
    [
        *((kind, True) for kind in HOSTILE),
        *((kind, False) for kind in ("element", "address")),
        *exhaustive(*((kind, False) for kind in HOSTILE if kind not in ("element", "address"))),
    ],
)
def test_hostile_texts_in_all_fields_are_inert(browser, tmp_path, kind, embed):
    text = HOSTILE[kind]
    url = hostile_report(tmp_path / "report", text, embed=embed)
    browser.open(url)
    check_inert(browser)
    assert len(browser.all("table.pages tbody tr")) == 3
    for measure, view in (("CER:R", "lines"), ("CER", "order"), ("BOW", "lines")):
        browser.open(f"{url}#page=2&measure={measure}&view={view}&system=1&system=2&line=2")
        browser.wait("document.querySelector('#page')")
        browser.wait("document.querySelector('.scan image')")
        check_inert(browser)
    browser.hover("#page h2")
    asked = quote(text.encode("utf-8", "replace"))
    browser.open(f"{url}#page={asked}&measure={asked}&view={asked}&system=-1&line=1e9")
    check_inert(browser)
