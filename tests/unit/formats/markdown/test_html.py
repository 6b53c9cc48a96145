"""Markdown: tables with pipes or in HTML, and other HTML blocks."""

from __future__ import annotations

import pytest

from documents.markdown import reasons, texts


class TestTables:
    def test_pipes(self):
        """A row is a line with one space between cells; the row of dashes is skipped."""
        text = "| Name | *Age* |\n|:-----|----:|\n| **Ann** | 7 |\n|  | 8 |"
        assert texts(text) == ["Name Age", "Ann 7", "8"]

    def test_uneven_rows(self):
        """Rows may have more cells than the head."""
        assert texts("| a | b |\n|---|---|\n| 1 | 2 | 3 | 4 |\n| x |") == ["a b", "1 2 3 4", "x"]
        assert texts("a | b | c\n--|--\n1 | 2") == ["a b c", "1 2"]

    def test_escaped_pipe(self):
        """An escaped pipe is a character of its cell."""
        assert texts("| a \\| b | c |\n|---|---|") == ["a | b c"]

    def test_break_in_cell(self):
        """A row is one line, so <br> in a cell becomes a space."""
        assert texts("| a<br>b | c |\n|--|--|") == ["a b c"]

    def test_text_around(self):
        """A table ends at a blank line or another block, and what follows is text again."""
        assert texts("before\n\n| a |\n|---|\n| b |\n# Head\ntext") == ["before", "a", "b", "Head", "text"]

    def test_pipes_without_dashes(self):
        """Pipes without a row of dashes are characters."""
        assert texts("| a | b |") == ["| a | b |"]

    @pytest.mark.parametrize(
        "html",
        [
            "<table><tr><td>a</td><td>b &amp; c</td></tr><tr><th>d</th></tr></table>",
            (
                "<table>\n  <thead>\n    <tr>\n      <td>a</td>\n\n      <td>b\n & c</td>\n    </tr>\n\n"
                "    <tr><th>d</th></tr></thead>\n</table>"
            ),
            "<TABLE border=1><TR><TD>a<TD>b & c<TR><TD>d</TABLE>",
            "<table><tr><td>a</td><td>b<br>&amp; c</td></tr>\n<tr><td><b>d</b></td></tr></table>",
        ],
    )
    def test_html(self, html):
        """Indentation, blank lines and missing end tags do not change how an HTML table is read."""
        assert texts(html) == ["a b & c", "d"]

    def test_html_inside_a_paragraph(self):
        """A table that follows text on its line is a table too."""
        assert texts("Sum: <table><tr><td>1</td><td>2</td></tr></table> end") == ["Sum:", "1 2", "end"]

    def test_html_table_without_end(self):
        """A table without an end tag is read, and ends at a blank line."""
        assert texts("<table><tr><td>a</td><td>b\n\n*after*") == ["a b", "after"]

    def test_nested_html_table(self):
        """A table inside a cell gives its rows as lines."""
        text = "<table><tr><td>a<table><tr><td>b</td></tr></table></td></tr><tr><td>c</td></tr></table>"
        assert texts(text) == ["a", "b", "c"]

    def test_caption(self):
        """A caption is a line of its own."""
        assert texts("<table><caption>T</caption><tr><td>a</td></tr></table>") == ["T", "a"]


class TestHtmlBlocks:
    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            ("<div align='center'>\n\n# Title\n\n</div>", ["Title"]),
            ("<p>one\ntwo</p><p>three</p>", ["one", "two", "three"]),
            ("<center>a <b>b</b></center>", ["a b"]),
            ("<ul><li>a</li><li>b</ul>", ["a", "b"]),
            ("<details><summary>s</summary>t</details>", ["s", "t"]),
            ("<h2>A</h2>B", ["A", "B"]),
            ("<p>a<br>b</p>", ["a", "b"]),
            ("<pre>x\n  y</pre>", ["x", "y"]),
        ],
    )
    def test_blocks(self, text, expected):
        """Block elements and line breaks of the source begin and end lines."""
        assert texts(text) == expected

    def test_numbered_list(self):
        """The items of an ordered HTML list are numbered, with a warning."""
        text = "<ol start='3'><li>a</li><li>b</li><li></li></ol>"
        assert texts(text) == ["3. a", "4. b", "5."]
        assert reasons(text) == [
            "the numbers of an HTML list were counted, because the file does not contain them"
        ]

    def test_hidden_elements(self):
        """Scripts, styles and heads are skipped with a warning that names them."""
        text = "<html><head><title>t</title></head><body><style>p{}</style>a</body></html>"
        assert texts(text) == ["a"]
        assert reasons(text) == [
            "<head> was skipped, because a browser does not show it",
            "<title> was skipped, because a browser does not show it",
            "<style> was skipped, because a browser does not show it",
        ]

    def test_open_element_ends_with_its_block(self):
        """A hidden element without an end tag hides only its paragraph."""
        assert texts("a <style> b\n\nc") == ["a", "c"]

    @pytest.mark.parametrize(
        "odd", ["<![CDATA[x]]>", "<![foo", "<?php x ?>", "<!DOCTYPE html>", "</p>", "<p"]
    )
    def test_odd_markup(self, odd):
        """Declarations and incomplete tags do not stop the reader."""
        assert texts(f"{odd}\n\nnext")[-1] == "next"
