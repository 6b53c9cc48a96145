"""Markdown, LaTeX and JSON with hostile names and texts: nothing in them has an effect."""

from __future__ import annotations

import io
import json
import re

import pytest
from markdown_it import MarkdownIt

from pagemeter import Line, Page, evaluate
from pagemeter.corpus import Outcome, PageResult, Totals
from pagemeter.errors import Problem
from pagemeter.report.alignments import AlignmentFile, LineTextFile
from pagemeter.report.comparison import ComparisonReport, write_comparison_latex, write_comparison_markdown
from pagemeter.report.grid import escape_latex, escape_markdown, markdown_code
from pagemeter.report.json import JsonFile
from pagemeter.report.text_reports import MarkdownFile
from pagemeter.stats.comparison import compare_systems

HOSTILE = [
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "[a](javascript:alert(1))",
    "![a](http://example.org/a.png)",
    "<javascript:alert(1)>",
    "[a]: javascript:alert(1)",
    "\\<b>\\[a](b)\\",
    "&lt;b&gt; &#60;b&#x3e;",
    "`<b>` ``x`` *a* _b_ **c** __d__ ~~e~~",
    "a | b\n# c\n\n<b>\r\n- d\u2028> e\x85",
    "<!-- --> <?php ?> <![CDATA[ ]]> </td></table>",
    "# a",
    "- a",
    "=",
    "\x1b[2J\x07\x7f\x9b2J\u202efdp\u2066",
    r"\input{/etc/passwd} \write18{ls} ^^5cinput ~ {} $x$ & % # _ \\[1pt] \\* \verb|x|",
    r"[1pt] \\",
    "*",
    "\"a \"= ?` !` -- --- << >> ,, ''",
    "^^M\\csname input\\endcsname}{",
]
_ACTIVE = (
    "html_inline",
    "html_block",
    "link_open",
    "image",
    "heading_open",
    "em_open",
    "strong_open",
    "s_open",
)


def active(text: str) -> list[str]:
    """Return the elements of a Markdown text that are more than paragraphs, tables and code."""
    parser = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
    parser.validateLink = lambda _address: True  # others may accept addresses that this parser refuses
    tokens = parser.parse(text)
    inline = [child for token in tokens for child in token.children or ()]
    found = [token.type for token in (*tokens, *inline) if token.type in _ACTIVE]
    return [*found, *(token.type for token in tokens if "list" in token.type or "quote" in token.type)]


def shown(text: str) -> str:
    """Return the text that a paragraph in Markdown shows."""
    (_, inline, _) = MarkdownIt("commonmark", {"html": True}).enable("table").parse(text)
    return "".join(child.content for child in inline.children)


@pytest.mark.parametrize("text", HOSTILE)
def test_markdown_shows_a_text_as_it_is(text):
    assert active(escape_markdown(text)) == []
    if text.isprintable():
        assert shown(escape_markdown(text)) == text
        assert shown(markdown_code(text)) == text


def results(text):
    page = Page((Line(text, id=text), Line("a line")), image=text)
    for number in range(3):
        evaluation = evaluate(page, f"{text} x", ["CER", "WER"])
        yield PageResult(f"{text}{number}", f"{text}{number}", text, evaluation, (Problem(text, text, text),))


def outcome(text, sink):
    totals = Totals()
    for result in results(text):
        totals.add(result)
        sink.add(result)
    sink.finish(Outcome(totals, f"signature {text}"))


@pytest.mark.parametrize("text", HOSTILE)
def test_markdown_reports_have_no_html_and_no_links(text):
    measures = next(results("a")).scores
    outcome(text, MarkdownFile(file := io.StringIO(), tuple(measures), per_page=True))
    assert active(file.getvalue()) == ["html_block"]  # the mark in the first line
    assert file.getvalue().startswith("<!-- pagemeter report -->\n\n| measure |")
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066]", file.getvalue())


def comparison(text):
    systems = {f"{text}{number}": list(results(text)) for number in range(2)}
    return ComparisonReport(compare_systems(systems), [text], f"signature {text}", per_page=True)


@pytest.mark.parametrize("text", HOSTILE)
def test_comparisons_in_markdown_have_no_html_and_no_links(text):
    write_comparison_markdown(file := io.StringIO(), comparison(text))
    assert active(file.getvalue()) == ["html_block"]


_COMMANDS = re.compile(
    r"\\(text(backslash|bar|asciitilde|asciicircum|less|greater|periodcentered)|dots|char34)\{\}"
    r"|\\[&%$#_{}]|\$(-|\\to|\\infty)\$|\{[\[\]*]?\}"
)


@pytest.mark.parametrize("text", HOSTILE)
def test_latex_has_no_special_characters(text):
    assert not set(_COMMANDS.sub("", escape_latex(text))) & set('\\{}$&#%_^~"[]*\n\r\x1b\x7f')


@pytest.mark.parametrize("text", HOSTILE)
def test_a_comparison_in_latex_consists_of_tables_and_comments(text):
    write_comparison_latex(file := io.StringIO(), comparison(text))
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066]", file.getvalue())
    for line in filter(None, file.getvalue().splitlines()):
        if line.startswith(("%", r"\begin{tabular}", r"\end{tabular}")) or line[1:].endswith(
            ("rule", "rule ")
        ):
            continue
        cells = line.removesuffix(r" \\").replace(" & ", "")
        assert not set(_COMMANDS.sub("", cells)) & set('\\{}$&#%_^~"[]*'), line


@pytest.mark.parametrize("text", HOSTILE)
def test_json_has_no_control_characters_and_the_same_text(text):
    for sink in (JsonFile, AlignmentFile):
        outcome(text, sink(file := io.StringIO()))
        assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066]", file.getvalue())
    records = [json.loads(line) for line in file.getvalue().split("\n")[:-1]]
    assert records[1]["page"] == f"{text}0"
    assert records[1]["gt_id"] == text


@pytest.mark.parametrize("text", HOSTILE)
def test_lines_on_a_terminal_have_no_control_characters(text):
    measure = next(iter(next(results("a")).scores))
    outcome(text, LineTextFile(file := io.StringIO(), io.StringIO(), measure))
    assert text[0] in file.getvalue() or not text[0].isprintable()
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066]", file.getvalue())
