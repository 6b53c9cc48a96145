"""The options `math` and `tables`: formulas in a canonical form, and tables by cell, by row or as a whole."""

from __future__ import annotations

import pytest

from documents.models import SAMPLES
from pagemeter.cli import main
from pagemeter.corpus import RunConfig
from pagemeter.corpus.run_config import Reader, Readers
from pagemeter.errors import UsageError
from pagemeter.formats import read_pages
from pagemeter.formats.latex import canonical_latex


def texts(text, name="a.md", **options):
    (page,) = read_pages(text if isinstance(text, bytes) else text.encode(), name, **options)
    return [line.text for line in page.lines]


@pytest.mark.parametrize(
    "variants",
    [
        [r"x^{2}", r"x ^ 2", r"{x}^{{2}}", r"x^2\,", r"\displaystyle x^{2}\nonumber"],
        [r"\left( \frac{a}{b} \right)", r"( \dfrac a b )", r"\bigl(\tfrac{a}{b}\bigr)"],
        [r"\mathrm{d}x", r"dx", r"{\rm d} x", r"\operatorname{d}x"],
        [r"a \leq \alpha \label{eq:1}", "a ≤ α", r"a\le\alpha"],
        [r"N _ { \mathrm { z e r o } }", r"N_{zero}"],
        [r"\left. f \right|_{0}", r"f|_0", r"f \vert_{0}"],
        [r"f^{\prime\prime}", r"f''", r"f ^ { \prime \prime }"],
        [r"\begin{equation} a = b \end{equation}", "a=b"],
        [r"\text{if  } x", r"\text{if}\; x"],
        [r"\sin x \to \infty", r"\operatorname{sin} x \rightarrow \infty"],
        [r"\left\{ x \right\}", r"\lbrace x \rbrace"],
        [r"a^2_1", r"a_1^2", r"a^{2}_{1}", r"a _ 1 ^ { 2 }"],
        [r"x^{ab}_{i}+y^2_j", r"x_i^{ab}+y_j^2"],
        [
            r"\begin{align*} a &= b \end{align*}",
            r"\begin{aligned}a&=b\end{aligned}",
            r"\begin{split}a&=b\end{split}",
        ],
        [r"a \cdot b", "a ⋅ b", "a · b"],
        [r"\epsilon - \phi", "ϵ − ϕ", "ε-φ"],
    ],
)
def test_equal_formulas_have_the_same_form(variants):
    assert len({canonical_latex(variant) for variant in variants}) == 1


@pytest.mark.parametrize(
    ("first", "second"),
    [(r"x^2", "x_2"), (r"x^{12}", "x^12"), (r"\frac{a}{b}", r"\frac{b}{a}"), (r"\sqrt{x+1}", r"\sqrt{x}+1")],
)
def test_different_formulas_have_different_forms(first, second):
    assert canonical_latex(first) != canonical_latex(second)


@pytest.mark.parametrize("latex", ["{", "}", "a}{", r"\frac{1}{2", "{" * 61 + "}" * 61, "a" * 10_001])
def test_formulas_without_a_form(latex):
    assert canonical_latex(latex) is None
    (page,) = read_pages(f"$${latex}$$\n".encode(), "a.md", math="canonical")
    assert [line.text for line in page.lines] == [latex]
    assert "braces do not match" in str(page.warnings[0])


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (r"let \(a+b\) be", "let a+b be"),
        (r"let \[ a < b \] be", "let a<b be"),
        (r"let \( \alpha \) be", "let α be"),
        ("let $α ≤ β$ be", "let α≤β be"),
        ("let $ a × b $ be", "let a×b be"),
        (r"the seal \[lost\] and \(a\)", "the seal [lost] and (a)"),
        (r"see \[letter + seal\]", "see [letter + seal]"),
        ("from $5 to $6 – or £7", "from $5 to $6 – or £7"),
        (r"\[der Text λόγος\]", "[der Text λόγος]"),
    ],
)
def test_what_is_a_formula(text, expected):
    assert texts(text, math="canonical") == [expected]


def test_formulas_in_markdown():
    text = "Let $ x ^ { 2 } $ and $\\dfrac{1}{2}$ be.\n\n$$\n\\left( a\n\\right)\n$$\n"
    assert texts(text, math="canonical") == ["Let x^2 and \\frac12 be.", "(a)"]
    assert texts("Let $ x_1 $ be US$ 5 $ or $ 6") == ["Let x1 be US$ 5 $ or $ 6"]


def test_math_elements_are_formulas():
    assert texts("<p>a <math>x^{2}</math> b</p>", math="canonical") == ["a x^2 b"]
    assert texts("<p>a <math>x^{2}</math> b</p>") == ["a x2 b"]
    assert texts("<p>a <math>x^{2} b</p>\n\nc") == ["a", "x2 b", "c"]


@pytest.mark.parametrize(
    "name", ["dots", "marker", "docling", "omnidocbench", "mineru", "paddleocr", "deepseek"]
)
def test_formulas_and_tables_of_models(name):
    file, data = SAMPLES[name]
    (page,) = read_pages(data, file, math="canonical", tables="cells")
    assert [line.text for line in page.lines if line.type in ("table", "formula")] == [
        "wheels", "2", "doors", "1", "E=mc^2",
    ]  # fmt: skip


PIPES = "before\n\n|a|b|\n|-|-|\n|c<br>d|e|\n\nafter"
HTML = "before\n\n<table><tr><td>a</td><td>b</td></tr><tr><td>c<br>d</td><td>e</td></tr></table>\n\nafter"
CHURRO = SAMPLES["churro"][1].decode()


@pytest.mark.parametrize("text", [PIPES, HTML])
@pytest.mark.parametrize(
    ("tables", "expected"),
    [
        (None, ["a b", "c d e"]),
        ("rows", ["a b", "c d e"]),
        ("cells", ["a", "b", "c d", "e"]),
        ("text", ["a b c d e"]),
    ],
)
def test_tables_in_markdown(text, tables, expected):
    assert texts(text, tables=tables) == ["before", *expected, "after"]


def test_nested_and_open_tables():
    nested = "<table><tr><td>a<table><tr><td>b</td></tr></table></td></tr></table>\n\nc"
    assert texts(nested, tables="text") == ["a b", "c"]
    assert texts("<table><tr><td>a<td>b\n\nc", tables="text")[-1] == "c"


def test_tables_of_churro():
    cells = [line.text for line in read_pages(CHURRO.encode(), "a.xml", tables="cells")[0].lines]
    assert cells[3:7] == ["wheels", "2", "doors", "1"]
    assert "wheels 2 doors 1" in [
        line.text for line in read_pages(CHURRO.encode(), "a.xml", tables="text")[0].lines
    ]


def test_tables_in_page():
    text = "<TextEquiv><Unicode>{0}</Unicode></TextEquiv>"
    line = f"<TextLine id='{{0}}'><Coords points='{{1}},0 {{1}},9'/>{text}</TextLine>"
    cells = ""
    for row, col, names in ((0, 0, "ab"), (0, 1, "c"), (1, 0, "d")):
        lines = "".join(line.format(name, at) for at, name in enumerate(names))
        cells += f"<TableCell id='r{row}c{col}' row='{row}' col='{col}'>{lines}</TableCell>"
    data = f"<PcGts><Page><TableRegion id='t'>{cells}</TableRegion></Page></PcGts>"
    expected = {
        None: ["a", "b", "c", "d"],
        "cells": ["a b", "c", "d"],
        "rows": ["a b c", "d"],
        "text": ["a b c d"],
    }
    for tables, lines in expected.items():
        assert texts(data, "p.xml", tables=tables) == lines
    (page,) = read_pages(data.encode(), "p.xml", tables="cells")
    joined = page.lines[0]
    assert (joined.id, joined.region, joined.type) == ("a", "t", "table")
    assert joined.polygon == ((0, 0), (1, 0), (1, 9), (0, 9))


@pytest.mark.parametrize(("name", "value"), [("math", "canonic"), ("tables", "columns")])
def test_unknown_values(name, value):
    with pytest.raises(UsageError, match=rf"{name}='{value}': unknown {name}"):
        read_pages(b"", "a.md", **{name: value})


def test_the_signature_has_both():
    config = RunConfig(readers=Readers(Reader(math="canonical", tables="cells"), Reader(math="canonical")))
    assert config.signature.startswith("math:canonical|gt_tables:cells|")
    assert RunConfig.from_signature(config.signature) == config


def test_a_table_that_was_read_by_columns(tmp_path, capsys):
    (tmp_path / "gt.md").write_text("|a1|b1|\n|-|-|\n|a2|b2|\n")
    (tmp_path / "hyp.md").write_text("a1\n\na2\n\nb1\n\nb2\n")
    files = [str(tmp_path / "gt.md"), str(tmp_path / "hyp.md")]
    assert main(["eval", *files, "-m", "CER", "--gt-tables", "cells", "--fail-above", "CER=0"]) == 0
    assert main(["eval", *files, "-m", "CER", "--fail-above", "CER=0"]) == 1
    capsys.readouterr()


def test_cells_have_their_row_and_column():
    text = "| a | b |\n|---|---|\n| c | d |\n\ntext\n\n<table><tr><td>e<td>f</tr><tr><td><td>g</tr></table>\n"
    (page,) = read_pages(text.encode(), "a.md", tables="cells")
    assert [(line.text, line.cell) for line in page.lines] == [
        ("a", (0, 0)), ("b", (0, 1)), ("c", (1, 0)), ("d", (1, 1)), ("text", None),
        ("e", (0, 0)), ("f", (0, 1)), ("g", (1, 1)),
    ]  # fmt: skip
    assert {line.cell for line in read_pages(text.encode(), "a.md", tables="rows")[0].lines} == {None}
