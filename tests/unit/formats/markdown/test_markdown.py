"""Markdown: the text that a reader of the rendered page sees, line by line."""

from __future__ import annotations

import random
import re

import pytest

from documents.markdown import read, reasons, texts
from pagemeter.errors import FormatError
from pagemeter.formats.base import Head, Notes
from pagemeter.formats.latex import latex_to_text
from pagemeter.formats.markdown import without_fence
from pagemeter.formats.registry import find_format


class TestBlocks:
    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            ("one\ntwo\n\nthree", ["one", "two", "three"]),
            ("one  \ntwo\\\nthree", ["one", "two", "three"]),
            ("one<br>two<br/>\nthree", ["one", "two", "three"]),
            ("# One *two* #\n## Three\n###### Four", ["One two", "Three", "Four"]),
            ("Title\n=====\nSub\n---\ntext", ["Title", "Sub", "text"]),
            ("#no heading", ["#no heading"]),
            ("> quoted\n> twice\n>> deeper", ["quoted", "twice", "deeper"]),
            ("a  \t b", ["a b"]),
            ("a\u00a0\u00a0b", ["a\u00a0\u00a0b"]),
        ],
    )
    def test_lines(self, text, expected):
        """Each rendered line of a paragraph, heading or quotation is a line, without markup."""
        assert texts(text) == expected
        assert reasons(text) == []

    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            ("- one\n- two\n  more\n- three", ["one", "two", "more", "three"]),
            ("* one\n\n* two", ["one", "two"]),
            ("+ a\n  - b\n    * c", ["a", "b", "c"]),
            ("1. one\n2. two", ["1. one", "2. two"]),
            ("3) three\n4) four", ["3) three", "4) four"]),
            ("07. seven\n9. nine", ["07. seven", "9. nine"]),
            ("1. one\n   - inner\n2. two", ["1. one", "inner", "2. two"]),
            ("1.  one\n\n    second paragraph", ["1. one", "second paragraph"]),
            ("1864.", ["1864."]),
            ("1. Januar 1900", ["1. Januar 1900"]),
            ("- [ ] open\n- [x] done", ["[ ] open", "[x] done"]),
            ("1. - both", ["1. both"]),
        ],
    )
    def test_lists(self, text, expected):
        """A list item is a line: its bullet is dropped, its number is kept as written."""
        assert texts(text) == expected
        assert reasons(text) == []

    def test_empty_item(self):
        """A bullet without text is skipped with a warning."""
        assert texts("- a\n-\n- b") == ["a", "b"]
        assert reasons("- a\n-\n- b") == ["a list item without text was skipped"]

    @pytest.mark.parametrize("rule", ["---", "***", "* * *", "___"])
    def test_rules(self, rule):
        """A horizontal rule is skipped with a warning and does not separate pages."""
        text = f"one\n\n{rule}\n\ntwo"
        assert texts(text) == ["one", "two"]
        assert reasons(text) == ["horizontal rule was skipped"]

    def test_ids_and_regions(self):
        """The id of a line is its line number in the file, and its region that of the block."""
        (page,) = read("# Title\n\none\ntwo\n\n| a |\n|---|\n| b |")
        assert [line.id for line in page.lines] == ["L1", "L3", "L4", "L6", "L8"]
        assert [line.region for line in page.lines][:3] == ["heading L1", "paragraph L3", "paragraph L3"]
        assert page.lines[3].region == "table L6"
        assert not page.has_geometry

    def test_nested_too_deep(self):
        """Nesting that the parser would cut off is refused."""
        with pytest.raises(FormatError, match=r"a\.md: lists or quotations are nested .* with format='text'"):
            read(">" * 200 + " x")


class TestInline:
    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            ("in*ter*est", "interest"),
            ("**bold**ly __strong__ _em_ *a*b", "boldly strong em ab"),
            ("snake_case_name and __init__.py", "snake_case_name and init.py"),
            ("a_b_c 2_000_000", "a_b_c 2_000_000"),
            ("5 * 3 * 2", "5 * 3 * 2"),
            ("~~gone~~ here", "gone here"),
            ("`code *x*` `` a`b ``", "code *x* a`b"),
            ("[text](http://x.y 'title') and <http://auto.link>", "text and http://auto.link"),
            ("http://bare.link/a_b_c", "http://bare.link/a_b_c"),
            ("\\*not em\\* \\# \\[x\\]", "*not em* # [x]"),
            ("[sic] [a] [x](", "[sic] [a] [x]("),
            ("&amp; &lt;b&gt; &nbsp;&#8212; &shy;x &unknown;", "& <b> \u00a0— \u00adx &unknown;"),
            ("H<sub>2</sub>O x<sup>2</sup> <u>un</u>der<b>line</b>", "H2O x2 underline"),
            ("<i>a</i><span class='x'>b</span>", "ab"),
            ("a < b > c <3", "a < b > c <3"),
            ("Boͤten \uf502 \U00010b00 ſ\u00ad", "Boͤten \uf502 \U00010b00 ſ\u00ad"),
            ("word[^1], next[^note]", "word1, nextnote"),
        ],
    )
    def test_text(self, text, expected):
        """Markup of emphasis, links, escapes and tags is removed, and its text is kept."""
        assert texts(text) == [expected]

    def test_asterisks_that_are_not_emphasis(self):
        """Asterisks that are not emphasis in CommonMark are text; `**` gives a warning."""
        assert texts("Wort*) und Wort*)") == ["Wort*) und Wort*)"]
        assert texts("**Nr. 5.**Text") == ["**Nr. 5.**Text"]
        assert reasons("**Nr. 5.**Text") == ["`**` that is not emphasis in CommonMark is kept as text"]

    def test_footnote_definition(self):
        """A footnote is read as its label and its text."""
        assert texts("[^1]: Ibid.\n\n[^2]: See there.") == ["1 Ibid.", "2 See there."]

    def test_bracketed_footnote(self):
        """`[1]: Ibid.` is a printed footnote, not the definition of a link."""
        assert texts("[1]: Ibid.") == ["[1]: Ibid."]

    def test_link_definition(self):
        """The definition of a link is skipped with a warning, and the link keeps its text."""
        text = "[here][a]\n\n[a]: https://example.org 'T'"
        assert texts(text) == ["here"]
        assert reasons(text) == ["a link definition was skipped"]

    @pytest.mark.parametrize(
        "image", ["![a cat](cat.png)", '<img src="c.png" alt="a cat">', "![cat][1]\n\n[1]: ./c.png"]
    )
    def test_images(self, image):
        """The description of an image is skipped with a warning."""
        assert texts(f"see {image}") == ["see"]
        assert "image was skipped, because its description is not printed on the page" in reasons(
            f"see {image}"
        )

    def test_comments(self):
        """HTML comments are skipped with a warning, inside a paragraph or as a block."""
        text = "a <!-- inside --> b\n\n<!-- block\n\nmore -->\n\nc"
        assert texts(text) == ["a b", "c"]
        assert [warn.element for warn in read(text)[0].warnings] == ["line 1 and 1 more"]

    def test_unknown_tags(self):
        """A tag that is not HTML is dropped with a warning that names it; its text is kept."""
        assert texts("<page_number>12</page_number>") == ["12"]
        assert reasons("x <watermark>draft</watermark>") == [
            "<watermark> is not an HTML element: the tag was dropped, its text is kept"
        ]


class TestCode:
    def test_fence_is_verbatim(self):
        """The lines of a code fence are kept as written, without the blank ones."""
        assert texts("```python\n  x = *1*\n\n  y\n```") == ["  x = *1*", "  y"]

    def test_indented_code(self):
        """Indented code is verbatim too."""
        assert texts("a\n\n    b *c*\n") == ["a", "b *c*"]

    @pytest.mark.parametrize(
        ("opening", "closing"),
        [
            ("```markdown", "```"),
            ("```md", "```"),
            ("```", "```"),
            ("~~~markdown", "~~~"),
            ("````Markdown", "`````"),
        ],
    )
    def test_fence_around_all(self, opening, closing):
        """A fence around the whole text is removed with a warning, and its content is read as Markdown."""
        text = f"\n{opening}\n# Title\n*one*\n{closing}\n\n"
        assert texts(text) == ["Title", "one"]
        assert reasons(text) == ["the code fence around the whole text was removed"]
        assert [line.id for line in read(text)[0].lines] == ["L3", "L4"]

    def test_fence_that_never_ends(self):
        """A fence without an end is removed, because models run out of tokens."""
        assert texts("```markdown\n# Title\ntext") == ["Title", "text"]
        assert reasons("```markdown\n# T") == [
            "the code fence around the whole text was removed; its end is missing"
        ]

    def test_fence_inside_fence(self):
        """Code inside the fenced text does not end it."""
        assert texts("```markdown\n# T\n```python\nx*1*\n```\n*y*\n```") == ["T", "x*1*", "y"]

    def test_several_fences_of_markdown(self):
        """Each fence of Markdown between texts is read as Markdown."""
        text = "Page 1\n\n```markdown\n*a*\n```\n\nPage 2\n\n```markdown\n# b\n```"
        assert texts(text) == ["Page 1", "a", "Page 2", "b"]
        assert reasons(text) == ["a code fence around Markdown was removed"]

    def test_two_bare_fences(self):
        """Two code blocks at the ends of a text are not a fence around it."""
        text = "```\n*a*\n```\n*b*\n```\n*c*\n```"
        assert without_fence(text, Notes("a.md")) == text
        assert texts(text) == ["*a*", "b", "*c*"]

    def test_fence_of_another_language(self):
        """Code in another language is read as plain text, with a warning."""
        assert texts("```python\n# a\n```") == ["# a"]
        assert reasons("```json\n{}\n```") == [
            "the content of a code fence marked json is read as plain text"
        ]
        assert reasons("```text\na\n```") == []

    def test_fence_of_html(self):
        """HTML in a fence is read as HTML, whether the fence is around the whole text or not."""
        table = "```html\n<table><tr><td>a</td><td>b</td></tr></table>\n```"
        assert texts(table) == ["a b"]
        assert reasons(table) == ["the code fence around the whole text was removed"]
        assert texts(f"before\n\n{table}\n\nafter") == ["before", "a b", "after"]
        assert reasons(f"before\n\n{table}\n") == ["a code fence around HTML was removed"]


class TestMath:
    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            ("Note$^{1}$ and x$_2$", "Note1 and x2"),
            ("$n^{o}$ 5, $10^\\circ$", "no 5, 10°"),
            ("$\\frac{1}{2}$ $\\text{St. }$", "1/2 St."),
            ("$\\textbf{bold} \\times 3$", "bold × 3"),
            ("$x_1*y*z$ and *em*", "x1*y*z and em"),
            ("\\(a^2\\) \\[sic\\]", "a2 [sic]"),
            ("costs $5 and $6", "costs $5 and $6"),
            ("$5 or 10$ each", "$5 or 10$ each"),
            ("$12,000$", "12,000"),
            ("US$ 5 $", "US$ 5 $"),
            ("$5-$6", "$5-$6"),
        ],
    )
    def test_inline(self, text, expected):
        """Simple LaTeX becomes characters without delimiters; prices are not LaTeX."""
        assert texts(text) == [expected]
        assert reasons(text) == []

    @pytest.mark.parametrize("delimiters", [("$$", "$$"), ("\\[", "\\]")])
    def test_display(self, delimiters):
        """Displayed formulas are lines, and nothing in them is read as a list or a heading."""
        opening, closing = delimiters
        assert texts(f"a\n{opening}\nx = 1\n+ 2\n# y\n{closing}\nb") == ["a", "x = 1", "+ 2", "# y", "b"]
        assert texts(f"{opening} x = 1 {closing}") == ["x = 1"]

    def test_commands_stay(self):
        """LaTeX with other commands is kept as written, with a warning."""
        assert texts("$\\sqrt{2}$") == ["\\sqrt{2}"]
        assert reasons("$\\sqrt{2}$") == ["LaTeX was kept, because it has commands that are not characters"]

    def test_unclosed_display(self):
        """Two dollar signs without an end are characters."""
        assert texts("$$ a\n\n*b*") == ["$$ a", "b"]

    @pytest.mark.parametrize(
        ("latex", "expected"),
        [
            ("a^{b^{c}}", "abc"),
            ("\\%\\&\\#", "%&#"),
            ("\\S 5", "§ 5"),
            ("a\\,b~c", "a b c"),
            ("\\alpha", None),
            ("{a", None),
            ("\\ldots", "…"),
        ],
    )
    def test_latex_to_text(self, latex, expected):
        """Simple LaTeX is converted completely or not at all."""
        assert latex_to_text(latex) == expected


class TestFile:
    def test_front_matter(self):
        """YAML at the beginning is skipped with a warning, and line numbers are still those of the file."""
        text = "---\nprimary_language: de\nis_table: false\n---\n# Title"
        assert texts(text) == ["Title"]
        assert reasons(text) == ["YAML front matter was skipped"]
        assert read(text)[0].lines[0].id == "L5"

    def test_rule_at_the_beginning(self):
        """A rule at the beginning is not front matter."""
        assert texts("---\n\na: b\n\n---") == ["a: b"]
        assert texts("---\ntext\n---\nmore") == ["text", "more"]

    def test_form_feeds(self):
        """A form feed begins a page, except at the end; line numbers are those of the file."""
        pages = read("*one*\n\f# two\nthree\n\f")
        assert [[line.text for line in page.lines] for page in pages] == [["one"], ["two", "three"]]
        assert [line.id for line in pages[1].lines] == ["L2", "L3"]

    def test_rules_make_no_pages(self):
        """Dashes between texts are rules, not pages."""
        assert len(read("a\n\n---\n\nb")) == 1

    @pytest.mark.parametrize("data", [b"", b"\n\n  \n", b"\xef\xbb\xbf"])
    def test_blank_file(self, data):
        """A blank file is a blank page."""
        (page,) = read(data)
        assert page.lines == ()

    def test_encodings(self):
        """Byte order marks are used, CR and CR LF end lines, and other encodings must be named."""
        assert texts("ä\r\nö\rü".encode("utf-16")) == ["ä", "ö", "ü"]
        assert texts(b"\xef\xbb\xbfa") == ["a"]
        with pytest.raises(FormatError, match=r"a\.md: .*encoding='latin-1'"):
            read(b"caf\xe9")
        (page,) = read(b"caf\xe9", encoding="latin-1")
        assert page.lines[0].text == "café"

    def test_control_characters(self):
        """Control characters are removed with a warning."""
        assert texts("a\x00b\x01c".replace("\x00", "\x02")) == ["abc"]
        assert "control character U+0001 was removed" in reasons("a\x01")

    def test_line_separators(self):
        """Only line feeds and carriage returns end lines."""
        assert texts("a\u2028b\u0085c") == ["a\u2028b\u0085c"]

    @pytest.mark.parametrize("level", ["region", "word"])
    def test_levels(self, level):
        """Markdown has only lines; another level gives a warning."""
        (page,) = read("a b", level=level)
        assert [line.text for line in page.lines] == ["a b"]
        assert [warn.reason for warn in page.warnings] == [f"Markdown has no {level}s, so lines are read"]

    @pytest.mark.parametrize(("suffix", "expected"), [(".md", True), (".markdown", True), (".txt", False)])
    def test_matches(self, suffix, expected):
        """Only the suffix distinguishes Markdown from text."""
        assert find_format("markdown").matches(Head(suffix, None, "", "# Title")) is expected


class TestNothingIsLost:
    BLOCKS = (
        "{} *{}* {}\n{} **{}**",
        "# {} {}",
        "- {}\n- {}\n  - {}",
        "7. {}\n8. {}",
        "> {}\n> - {}",
        "| {} | {} |\n|---|---|\n| {} | {} | {} |",
        "<table>\n<tr><td>{}</td>\n\n<td>{}<br>{}</td></tr>\n</table>",
        "```\n{}\n{}\n```",
        "<p>{} <b>{}</b>\n{}</p>",
        "$$\n{} = {}\n$$",
        "{}[^1] <u>{}</u> `{}` [{}](x)",
        "{}\n===",
        "[^2]: {} {}",
        "{}  \n{}\\\n{}",
    )

    @pytest.mark.parametrize("seed", range(40))
    def test_words_of_random_texts(self, seed):
        """Every word of a random text is read once, in its order."""
        chance = random.Random(seed)
        numbers = iter(range(1000, 9999))
        blocks = [
            block.format(*(f"word{next(numbers)}" for _ in range(block.count("{}"))))
            for block in chance.choices(self.BLOCKS, k=12)
        ]
        seen = re.findall(r"word\d{4}", " ".join(texts("\n\n".join(blocks))))
        assert seen == [f"word{number}" for number in range(1000, next(numbers))]
