"""A run with a page of every status, and helpers that report it."""

from __future__ import annotations

import base64
import io
import json
import re
import zlib
from pathlib import Path

from pagemeter import Measure, evaluate
from pagemeter.corpus import Outcome, PageResult, Totals
from pagemeter.errors import Problem
from pagemeter.inputs.page_files import PassedOver

BLOCK = re.compile(r'<script type="text/plain" id="([\w-]+)">([^<]*)</script>')
CER, WER = Measure("CER"), Measure("WER")
MEASURES = (CER, WER)
PASSED = (PassedOver(Path("gt/1.jpg"), ".jpg: none of a page file"),)


def page(name, gt, hyp, **fields):
    return PageResult(name, f"gt/{name}.txt", f"hyp/{name}.txt", evaluate(gt, hyp, MEASURES), **fields)


RESULTS = [
    page("good", "a line", "a line"),
    page("bad", "a line", "a lime", warnings=(Problem("strange", "gt/bad.txt", "line 1"),)),
    page("invented", "", "junk"),
    PageResult("missed", "gt/missed.txt", None, evaluate("one", [], MEASURES)),
    PageResult("skipped", "gt/skipped.txt", None),
    PageResult("extra", None, "hyp/extra.txt"),
    PageResult(
        "broken",
        "gt/broken.xml",
        "hyp/broken.xml",
        errors=(Problem("cut off; get a complete copy", "gt/broken.xml"),),
    ),
]


def report(make, results=RESULTS):
    """Return the text that a sink writes."""
    file, totals = io.StringIO(), Totals()
    sink = make(file)
    for result in results:
        totals.add(result)
        sink.add(result)
    sink.finish(Outcome(totals, "the|signature", PASSED))
    return file.getvalue()


def made_totals(results=RESULTS):
    totals = Totals()
    for result in results:
        totals.add(result)
    return totals


def blocks(text):
    """Return the data of an HTML report by the names of its blocks, without images."""
    others = "code", "image"
    return {name: unpacked(data) for name, data in BLOCK.findall(text) if not name.startswith(others)}


def unpacked(content):
    """Return the data of a block."""
    return json.loads(zlib.decompress(base64.b64decode(content)))
