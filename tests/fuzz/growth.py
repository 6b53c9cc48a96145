"""Files whose constructs are repeated, nested or left open, for the test of how the time of loaders grows.

A family is a function of a size in bytes. `FAMILIES` has them by name; the part of the name before the colon
is the format. A new family is one more entry.
"""

from __future__ import annotations

from collections.abc import Callable

Family = Callable[[int], bytes]

DEPTH = 120  # the parser of XML refuses files that are nested more than 256 deep


def wide(before: str, unit: str, after: str = "") -> Family:
    """Repeat a unit between a beginning and an end."""

    def family(size: int) -> bytes:
        return (before + unit * (size // len(unit.encode())) + after).encode()

    return family


def numbered(before: str, unit: str, after: str = "") -> Family:
    """Repeat a unit in which @ is replaced by a number."""

    def family(size: int) -> bytes:
        count = size // (len(unit) + 4)
        return (before + "".join(unit.replace("@", str(i)) for i in range(count)) + after).encode()

    return family


def nested(before: str, begin: str, unit: str, end: str, after: str = "", *, depth: int = DEPTH) -> Family:
    """Repeat a unit inside an element that is nested as deeply as the parser allows."""

    def family(size: int) -> bytes:
        return (before + begin * depth + unit * (size // len(unit)) + end * depth + after).encode()

    return family


def halves(before: str, first: str, second: str, after: str = "", middle: str = "") -> Family:
    """Repeat one unit for half of the size, and another one for the other half."""

    def family(size: int) -> bytes:
        parts = first * (size // 2 // len(first)), second * (size // 2 // len(second))
        return (before + parts[0] + middle + parts[1] + after).encode()

    return family


def ladder(before: str, begin: str, end: str, after: str = "") -> Family:
    """Nest one construct in itself as often as the size allows."""

    def family(size: int) -> bytes:
        count = size // (len(begin) + len(end))
        return (before + begin * count + end * count + after).encode()

    return family


def _markdown() -> dict[str, Family]:
    units = [
        "a\n", "a\n\n", "- a\n", "- a\n\n", "* a\n+ a\n", "1. a\n", "1) a\n\n", "- - - a\n", "- - - - - - - - a\n", "> a\n",
        "> > > a\n", "> - a\n", "# a\n", "#", "a\n===\n", "***\n", "---\n", "    a\n", "\ta\n", "```\n", "~~~\n",
        "```\na\n```\n", "``` a\n", "~~~~ a`b\n", "`", "` ``", "`a", "``a`", "*a* ", "a*", "a **b", "*a_", "**a*", "_a", "a_",
        "*", "**a ", "~~a~~ ", "~~", "~~~a", "~", "a~~b", "[", "]", "[]", "[a]", "[a](b) ", "[a](", "[a](b", "[a](<", '[a](b "',
        "[a][b", "[a][b]", "![[", "![", "![a](b)", "![a](", "[a]: /b\n", '[a]: /b "c\n', "[a]: /b (c\n", "[^1]", "[^", "[^1]: a\n",
        "[![a](b)](c) ", "<", "<a", "<a ", "<a b='", '<a b="', "<a b", "</a ", "</", "<!--", "<!-- -->", "<?", "<!a", "<![CDATA[", "<b>",
        "<b></b>", "<a_b>", "<a_", "<http://a.b>", "<http://a", "<a@b.c>", "&", "&amp;", "&#", "&a", "\\", "\\*", "\\\n", "a\\\n",
        "  \n", "a  \n", "\n", " ", "\t", "$", "$$", "$a", "$$a", "$a$ ", "$$a$$ ", "$a\\$", "$a b$1", "$$a\n", "$$\n", "\\[a\n", "\\]\n",
        "\\(", "\\(a\\)", "\\[", "\\[x^2\\]", "\\(a\n", "^{", "\\text{", "|", "a|b\n", "a|b\n-|-\n", "|a|\n|-|\n|b|\n", "| - ", "|-", "-|",
        "a|b\n-|-\n$$ a|b\n", "a\n<table>\n\n", "<table>\n", "</table>\n", "<table>\n</table>\n", "<div>\n", "<div>\n\n", "</div>\n", "<pre>\n",
        "<script>\n", "<!--\n", "<?\n", "<!a\n", "<![CDATA[\n", "<a>\n", "<svg>", "\f", "a\f", "\r", "\x00", "\x0b", "\u2028", "é", "!", ":", "a:", "@", "%", "=",
        "```markdown\n", "````markdown\n```markdown\n", "```html\n<b>\n```\n", "1.", "-", "+\n", "a\n: b\n", "> ```\n", "- ```\n", "- $$a\n", "> $$a\n", "> <table>\n",
        "-\ta\n", "+\ta\n", "*\ta\n", "1.\ta\n", "&" + "a" * 400 + " ", "<a" + "a" * 400 + " ",
    ]  # fmt: skip
    families = {f"markdown: {unit!r}": wide("", unit) for unit in units}
    families |= {
        f"markdown: html block of {unit!r}": wide("<div>\n", unit)
        for unit in (
            "<!--", "<?", "<a ", "</a ", "<a b='", '<a b="', '<a b=">"', "<a", "<", "</", "<b>", "<p>", "<li>", "<ol>", "<ul><li>",
            "<tr>", "<td>", "<table>", "<svg>", "<br>", "<!", "<!a>", "&#9", "&", "&amp", "a\n", "<script>", "<style>a", "<x1>", "<title>", " ", "<a / ", "<a b=",
        )
    }  # fmt: skip
    return families | {
        "markdown: fence with spaces": wide("```", " ", "x`y"),
        "markdown: fence of tildes": wide("", "~", "x`y"),
        "markdown: table of formulas": wide("a|b\n-|-\n", "$$ a|b\n"),
        "markdown: delimiter row": wide("a|b\n", "-|", "x"),
        "markdown: delimiter spaces": wide("a|b\n-|", " ", "x"),
        "markdown: wide row": wide("a|b\n-|-\n", "a|"),
        "markdown: nested text": ladder("$$", r"\text{", "}", "$$"),
        "markdown: nested scripts": ladder("$$", "^{", "}", "$$"),
        "markdown: carets": wide("$$", "^", "a$$"),
        "markdown: fractions": ladder("$$", r"\frac{1}{", "}", "$$"),
        "markdown: symbols": wide("$$", r"\circ", "$$"),
        "markdown: unknown commands": wide("$$", r"\foo", "$$"),
        "markdown: formula of lines": wide("$$\n", "a\n", "$$"),
        "markdown: formulas outside a block": wide("- $$a\n", "  $$a\n", "b\n$$\n"),
        "markdown: pages with brackets": wide("", "[\f"),
        "markdown: brackets with two ends": lambda size: ("\\[a\n" * (size // 16) + "b \\] c\\]").encode(),
        "markdown: brackets outside a block": wide("- a\n", "  \\[a\n", "b\n\\]\n"),
        "markdown: tables outside a block": wide("- a\n", "  <table>\n\n", "b\n" + "</table>" * 9),
        "markdown: paragraph in quotations": wide(">" * 28, "a\n"),
        "markdown: paragraph in quotations and lists": wide("> - " * 12, "a\n"),
        "markdown: nested brackets": ladder("", "[", "]"),
        "markdown: nested links": ladder("", "[", "](b)"),
        "markdown: nested images": ladder("", "![", "](b)"),
        "markdown: nested references": ladder("[a]: /b\n\n", "[", "]"),
        "markdown: references": wide("[a]: /b\n\n", "[a][a"),
        "markdown: nested emphasis": ladder("", "*a ", " b*"),
        "markdown: nested strong": ladder("", "**a ", " b**"),
        "markdown: emphasis of two kinds": ladder("", "*a _b ", "_ *"),
        "markdown: nested quotations": nested("", ">", "a\n", "", depth=28),
        "markdown: deep quotations": ladder("", "> ", ""),
        "markdown: deep lists": ladder("", "- ", ""),
        "markdown: lazy quotation": nested("", "> ", "b\n", "", depth=50),
        "markdown: lazy list": nested("", "- ", "b\n", "", depth=25),
        "markdown: quotation of lists": nested("", "> - ", "b\n", "", depth=15),
        "markdown: backticks of all lengths": lambda size: "".join(
            "`" * i + "a" for i in range(int((2 * size) ** 0.5))
        ).encode(),
        "markdown: front matter": wide("---\na: b\n", "c\n"),
        "markdown: front matter dashes": wide("---\na: b\n", "---x\n"),
        "markdown: front matter key": wide("---\n", "a "),
        "markdown: html attribute": wide("<div b='", "a", "'>"),
        "markdown: html attributes": wide("<div ", "b='' ", ">"),
        "markdown: hidden elements": halves("<div>", "<svg>", "</title>"),
        "markdown: hidden titles": halves("<div>", "<svg>", "<title></title>"),
        "markdown: character reference": wide("<div>&#", "9", ";"),
        "markdown: long word": wide("", "a"),
        "markdown: model": wide("Here is the ", "transcri "),
        "markdown: typed elements": halves("<div>", "<header>", "</footer>"),
        "markdown: closed types": ladder("<div>", "<header><page_number>", "</header>"),
        "markdown: unknown tags": numbered("<div>", "<x@>"),
        "markdown: definitions": numbered("", "[a@]: /b\n"),
        "markdown: languages": numbered("", "```x@\na\n```\n"),
        "markdown: list of numbers": numbered("", "@. a\n"),
        "markdown: indented list": lambda size: "".join(
            "  " * (i % 25) + "- a\n" for i in range(size // 29)
        ).encode(),
    }


def _text() -> dict[str, Family]:
    units = [
        "a\n",
        "\n",
        "\r",
        "\r\n",
        " ",
        "a",
        "\f",
        "a\f",
        "\x01",
        "\x0b\n",
        "*",
        "**",
        "**a",
        "-",
        "|",
        "---",
        " -",
        "`",
        "#",
        "<",
        "Sure ",
        "_",
        ".",
        "é",
        "\u2028",
    ]
    families = {f"text: {unit!r}": wide("", unit) for unit in units}
    return families | {
        "text: model": wide("Here is the ", "transcri "),
        "text: model colon": wide("transcription ", "a", ":a"),
        "text: dashes": wide("|", " ", "---"),
        "text: note": wide("a\nnote that ", "transcr "),
    }


def _page() -> dict[str, Family]:
    begin, end = "<PcGts><Page>", "</Page></PcGts>"
    line = "<TextLine><TextEquiv><Unicode>a</Unicode></TextEquiv></TextLine>"
    orders = '<ReadingOrder><OrderedGroup id="g">'
    return {
        "page: lines": wide(begin + "<TextRegion>", line, "</TextRegion>" + end),
        "page: empty lines": wide(begin + "<TextRegion>", "<TextLine/>", "</TextRegion>" + end),
        "page: empty regions": wide(begin, "<TextRegion/>", end),
        "page: regions": wide(begin, "<TextRegion>" + line + "</TextRegion>", end),
        "page: elements": wide(begin, "<a/>", end),
        "page: pages": wide("<PcGts>", "<Page/>", "</PcGts>"),
        "page: nested regions": nested(begin, "<TextRegion>", "<TextLine/>", "<TextEquiv/></TextRegion>", end),
        "page: nested tables": nested(begin, '<TableRegion><a row="1" col="1"/>', "<b/>", "</TableRegion>", end),
        "page: nested roles": nested(begin, "<TableRegion>", "<TableCell row='1' col='1'/>", "</TableRegion>", end),
        "page: cells": numbered(begin + "<TableRegion>", '<TableCell row="@" col="1"/>', "</TableRegion>" + end),
        "page: words": wide(begin + "<TextRegion><TextLine>", "<Word/>", "</TextLine></TextRegion>" + end),
        "page: glyphs": wide(begin + "<TextRegion><TextLine><Word>", "<Glyph/>", "</Word></TextLine></TextRegion>" + end),
        "page: nested glyphs": nested(begin + "<TextRegion><TextLine><Word>", "<Glyph>", "<a/>", "</Glyph>", "</Word></TextLine></TextRegion>" + end, depth=100),
        "page: equivs": wide(begin + "<TextRegion><TextLine>", '<TextEquiv index="1"/>', "</TextLine></TextRegion>" + end),
        "page: unicodes": wide(begin + "<TextRegion><TextLine><TextEquiv>", "<Unicode/>", "</TextEquiv></TextLine></TextRegion>" + end),
        "page: markup in text": wide(begin + "<TextRegion><TextLine><TextEquiv><Unicode>", "<b>a</b>", "</Unicode></TextEquiv></TextLine></TextRegion>" + end),
        "page: long text": wide(begin + "<TextRegion><TextLine><TextEquiv><Unicode>", "\n", "</Unicode></TextEquiv></TextLine></TextRegion>" + end),
        "page: region text": wide(begin + "<TextRegion><TextEquiv><Unicode>", "a\n", "</Unicode></TextEquiv></TextRegion>" + end),
        "page: structure types": numbered(begin, '<TextRegion custom="structure {type:@;}"/>', end),
        "page: structures": wide(begin + "<TextRegion custom='", "structure {", "'/>" + end),
        "page: types in a structure": wide(begin + "<TextRegion custom='structure {", "type ", "'/>" + end),
        "page: long type": wide(begin + "<TextRegion type='", "Zone:", "'/>" + end),
        "page: points": wide(begin + "<TextRegion><TextLine><Coords points='", "1,2 ", "'/></TextLine></TextRegion>" + end),
        "page: strange points": wide(begin + "<TextRegion><TextLine><Coords points='", "1,-2 ", "'/></TextLine></TextRegion>" + end),
        "page: wrong points": wide(begin + "<TextRegion>", "<TextLine><Coords points='x'/></TextLine>", "</TextRegion>" + end),
        "page: long number": wide(begin + "<TextRegion><TextLine><Coords points='", "9", "'/></TextLine></TextRegion>" + end),
        "page: point elements": wide(begin + "<TextRegion><TextLine><Coords>", "<Point x='1' y='2'/>", "</Coords></TextLine></TextRegion>" + end),
        "page: custom": wide(begin + "<TextRegion custom='", "readingOrder{", "'/>" + end),
        "page: custom index": wide(begin + "<TextRegion custom='readingOrder{", "index ", "'/>" + end),
        "page: custom spaces": wide(begin + "<TextRegion custom='readingOrder", " ", "'/>" + end),
        "page: custom index spaces": wide(begin + "<TextRegion custom='readingOrder{index", " ", "'/>" + end),
        "page: custom digits": wide(begin + "<TextRegion custom='readingOrder{index:", "9", "'/>" + end),
        "page: customs": numbered(begin, "<TextRegion custom='readingOrder{index:@;}'/>", end),
        "page: order": numbered(begin + orders, "<RegionRefIndexed index='@' regionRef='r@'/>", "</OrderedGroup></ReadingOrder>" + end),
        "page: order of one region": wide(begin + orders, "<RegionRefIndexed index='1' regionRef='r'/>", "</OrderedGroup></ReadingOrder><TextRegion id='r'/>" + end),
        "page: references and lines": halves(begin + orders, "<RegionRefIndexed index='1' regionRef='r'/>", "<TextLine/>", "</TextRegion>" + end, "</OrderedGroup></ReadingOrder><TextRegion id='r'>"),
        "page: references and regions": halves(begin + orders, "<RegionRefIndexed index='1' regionRef='r'/>", "<TextRegion id='r'/>", end, "</OrderedGroup></ReadingOrder>"),
        "page: nested groups": nested(begin + "<ReadingOrder>", "<OrderedGroup>", "<RegionRefIndexed regionRef='r'/>", "</OrderedGroup>", "</ReadingOrder>" + end),
        "page: nested regions with ids": nested(begin + orders + "<RegionRefIndexed regionRef='r'/></OrderedGroup></ReadingOrder>", "<TextRegion id='q'>", "<a/>", "</TextRegion>", end),
        "page: ids": numbered(begin, "<TextRegion id='r@'/>", end),
        "page: long id": lambda size: (begin + f"<TextRegion id='{'a' * (size // 2)}'>" + "<TextLine/>" * (size // 22) + "</TextRegion>" + end).encode(),
        "page: attributes": numbered("<PcGts><Page ", "a@='' ", "/></PcGts>"),
        "page: namespaces": numbered("<PcGts ", "xmlns:a@='b' ", "><Page/></PcGts>"),
        "page: tags": numbered(begin, "<a@/>", end),
        "page: comments": wide("", "<!---->", "<PcGts/>"),
        "page: open comments": wide("<PcGts>", "<!--"),
        "page: instructions": wide("", "<?a?>", "<PcGts/>"),
        "page: document type": wide("<!DOCTYPE a [", "]", "<PcGts/>"),
        "page: document type quotes": wide("<!DOCTYPE a ", "\"'", "<PcGts/>"),
        "page: open elements": wide("<PcGts>", "<a>"),
        "page: white space": wide("", " ", "<PcGts/>"),
        "page: references of characters": wide("<PcGts><Page><TextRegion>", "&#65;", "</TextRegion>" + end),
        "page: cdata": wide("<PcGts><Page><TextRegion>", "<![CDATA[]]>", "</TextRegion>" + end),
        "page: zero width": wide(begin + "<TextRegion id='", "\u200b", "'/>" + end),
        "page: size": wide("<PcGts><Page imageWidth='", "9", "'/></PcGts>"),
    }  # fmt: skip


def _alto() -> dict[str, Family]:
    begin, end = "<alto><Layout><Page><PrintSpace>", "</PrintSpace></Page></Layout></alto>"
    order = "<alto><ReadingOrder><OrderedGroup>"
    middle = "</OrderedGroup></ReadingOrder><Layout><Page><PrintSpace>"
    return {
        "alto: lines": wide(begin + "<TextBlock>", "<TextLine><String CONTENT='a'/></TextLine>", "</TextBlock>" + end),
        "alto: tags": numbered("<alto><Tags>", '<OtherTag ID="@" LABEL="@"/>', "</Tags>" + begin[6:] + end),
        "alto: references to tags": wide(begin + "<TextBlock TAGREFS='", "a ", "'/>" + end),
        "alto: empty lines": wide(begin + "<TextBlock>", "<TextLine/>", "</TextBlock>" + end),
        "alto: blocks": wide(begin, "<TextBlock/>", end),
        "alto: elements": wide(begin, "<a/>", end),
        "alto: pages": wide("<alto><Layout>", "<Page/>", "</Layout></alto>"),
        "alto: pages and units": halves("<alto><Description>", "<a/>", "<Page/>", "</Layout></alto>", "</Description><Layout>"),
        "alto: pages and order": halves("<alto><ReadingOrder>", "<ElementRef REF='a'/>", "<Page/>", "</Layout></alto>", "</ReadingOrder><Layout>"),
        "alto: strings": wide(begin + "<TextBlock><TextLine>", "<String CONTENT='a'/>", "</TextLine></TextBlock>" + end),
        "alto: spaces": wide(begin + "<TextBlock><TextLine>", "<SP/>", "</TextLine></TextBlock>" + end),
        "alto: words": wide(begin + "<TextBlock><TextLine>", "<String CONTENT='a'/><SP/>", "</TextLine></TextBlock>" + end),
        "alto: hyphens": wide(begin + "<TextBlock><TextLine>", "<HYP CONTENT='-'/>", "</TextLine></TextBlock>" + end),
        "alto: glyphs": wide(begin + "<TextBlock><TextLine><String>", "<Glyph CONTENT='a'/>", "</String></TextLine></TextBlock>" + end),
        "alto: boxes": wide(begin + "<TextBlock><TextLine>", "<String CONTENT='a' HPOS='1' VPOS='1' WIDTH='1' HEIGHT='1'/>", "</TextLine></TextBlock>" + end),
        "alto: baselines": wide(begin + "<TextBlock>", "<TextLine BASELINE='5' HPOS='1' VPOS='1' WIDTH='1' HEIGHT='1'/>", "</TextBlock>" + end),
        "alto: shapes": wide(begin + "<TextBlock><TextLine>", "<Shape/>", "</TextLine></TextBlock>" + end),
        "alto: polygon": wide(begin + "<TextBlock><TextLine><Shape><Polygon POINTS='", "1,2 ", "'/></Shape></TextLine></TextBlock>" + end),
        "alto: polygons": wide(begin + "<TextBlock><TextLine><Shape>", "<Polygon/>", "</Shape></TextLine></TextBlock>" + end),
        "alto: nested blocks": nested(begin, "<ComposedBlock>", "<TextLine/>", "</ComposedBlock>", end),
        "alto: references to one block": halves(order, "<ElementRef REF='b'/>", "<TextLine/>", "</TextBlock>" + end, middle + "<TextBlock ID='b'>"),
        "alto: references to lines": halves(order, "<ElementRef REF='l'/>", "<TextLine ID='l'/>", end, middle),
        "alto: references to words": halves(order, "<ElementRef REF='w'/>", "<TextLine ID='l'><String ID='w'/></TextLine>", end, middle),
        "alto: references to blocks": numbered(order, "<ElementRef REF='b@'/>", middle + end),
        "alto: nested groups": nested("<alto><ReadingOrder>", "<OrderedGroup REF='a'>", "<ElementRef REF='a'/>", "</OrderedGroup>", "</ReadingOrder><Layout><Page/></Layout></alto>"),
        "alto: next blocks": numbered(begin, "<TextBlock ID='b@' IDNEXT='b1@'/>", end),
        "alto: next block": wide(begin, "<TextBlock ID='b' IDNEXT='b'/>", end),
        "alto: long id": lambda size: (begin + f"<TextBlock ID='{'a' * (size // 2)}'>" + "<TextLine/>" * (size // 22) + "</TextBlock>" + end).encode(),
        "alto: attributes": numbered("<alto ", "a@='' ", "><Layout><Page/></Layout></alto>"),
        "alto: file names": wide("<alto><Description>", "<fileName> </fileName>", "</Description><Layout><Page/></Layout></alto>"),
    }  # fmt: skip


def _tei() -> dict[str, Family]:
    begin, end = "<TEI><text><body>", "</body></text></TEI>"
    source, source_end = "<TEI><sourceDoc><surface>", "</surface></sourceDoc></TEI>"
    zones = "<TEI><facsimile><surface xml:id='s'>"
    text = "</surface></facsimile><text><body>"
    return {
        "tei: lb": wide(begin + "<ab>", "<lb/>", "</ab>" + end),
        "tei: lines": wide(begin + "<ab>", "<lb/>a", "</ab>" + end),
        "tei: paragraphs": wide(begin, "<p>a</p>", end),
        "tei: pages": wide(begin, "<pb/>", end),
        "tei: pages with text": wide(begin, "<pb/>a", end),
        "tei: zone of lines": wide(source + "<zone>", "<line>a</line>", "</zone>" + source_end),
        "tei: zone of lines and others": halves(source + "<zone>", "<line>a</line>", "<a/>", "</zone>" + source_end),
        "tei: zones": wide(source, "<zone><line>a</line></zone>", source_end),
        "tei: nested zones": nested(source, "<zone>", "<line>a</line>", "</zone>", source_end),
        "tei: blocks in a paragraph": wide(begin + "<p>", "a<l/>", "</p>" + end),
        "tei: notes in a paragraph": wide(begin + "<p>", "a<note/>", "</p>" + end),
        "tei: nested paragraphs": nested(begin, "<p>", "<lb/>a", "</p>", end),
        "tei: nested blocks": nested(begin, "<ab>a", "<l>a</l>", "</ab>", end),
        "tei: nested notes": nested(begin, "<note>a", "<lb/>a", "</note>", end),
        "tei: nested documents": nested("", "<TEI><text>", "<lb/>a", "</text></TEI>", depth=100),
        "tei: documents": wide("<teiCorpus>", "<TEI><text>a</text></TEI>", "</teiCorpus>"),
        "tei: choice": wide(begin + "<choice>", "<reg>a</reg>", "</choice>" + end),
        "tei: choices": wide(begin, "<choice><sic>a</sic><corr>b</corr></choice>", end),
        "tei: app": wide(begin + "<app>", "<rdg>a</rdg>", "</app>" + end),
        "tei: nested choices": nested(begin, "<choice>", "<reg>a</reg>", "</choice>", end),
        "tei: supplied": nested(begin, "<supplied>", "a<lb/>", "</supplied>", end),
        "tei: g": nested(begin, "<g>", "<g/>", "</g>", end),
        "tei: one zone": halves(zones + "<zone xml:id='z'>", "<path type='x'/>", "<lb facs='#z'/>a", end, "</zone>" + text),
        "tei: zone with points": halves(zones + "<zone xml:id='z' points='", "1,2 ", "<lb facs='#z'/>a", end, "'/>" + text),
        "tei: one surface": halves(zones, "<zone/>", "<pb facs='#s'/>", end, text),
        "tei: starts": halves(zones, "<zone start='#l'/>", "<lb xml:id='l'/>", end, text),
        "tei: links": wide(begin + "<p facs='", "#a ", "'>a<l/>a<l/>a</p>" + end),
        "tei: facsimile": numbered(zones, "<zone xml:id='z@'/>", text + end),
        "tei: same ids": wide(zones, "<zone xml:id='z'/>", text + end),
        "tei: long id": lambda size: (begin + f"<ab xml:id='{'a' * (size // 2)}'>" + "<lb/>a" * (size // 12) + "</ab>" + end).encode(),
        "tei: long n": lambda size: (begin + f"<ab n='{'a' * (size // 2)}'>" + "a<l/>" * (size // 12) + "</ab>" + end).encode(),
        "tei: white space": wide(begin + "<p>a", " ", "b</p>" + end),
        "tei: entities": wide(begin + "<p>", "&shy;", "</p>" + end),
        "tei: columns": wide(begin, "<cb/>a", end),
        "tei: cells": wide(begin + "<row>", "<cell>a</cell>", "</row>" + end),
        "tei: pages in a deep apparatus": nested(begin, "<app>a", "<pb/>", "</app>", end, depth=240),
        "tei: breaks in deep items": nested(begin, "<item>a", "<lb/>", "</item>", end, depth=240),
        "tei: attributes": numbered("<TEI ", "a@='' ", "><text/></TEI>"),
    }  # fmt: skip


def _abbyy() -> dict[str, Family]:
    begin, end = (
        "<document><page><block blockType='Text'><text><par>",
        "</par></text></block></page></document>",
    )
    line, line_end = begin + "<line><formatting>", "</formatting></line>" + end
    return {
        "abbyy: lines": wide(begin, "<line><formatting>a</formatting></line>", end),
        "abbyy: positions": wide(begin, "<line l='1' t='1' r='9' b='9' baseline='5'/>", end),
        "abbyy: characters": wide(line, "<charParams>a</charParams>", line_end),
        "abbyy: word starts": wide(line, "<charParams wordStart='1'>a</charParams>", line_end),
        "abbyy: empty characters": wide(line, "<charParams/>", line_end),
        "abbyy: spaces": wide(line, " ", line_end),
        "abbyy: tabs and breaks": wide(line, "\t\n", line_end),
        "abbyy: spaces at the end": wide(line + "a", " ", "b" + line_end),
        "abbyy: breaks and spaces": wide(line + "\n", "a ", line_end),
        "abbyy: runs": wide(line, "a<b>c</b>", line_end),
        "abbyy: formattings": wide(begin + "<line>", "<formatting>a</formatting>", "</line>" + end),
        "abbyy: formatting in formatting": wide(line, "a<formatting>a</formatting>", line_end),
        "abbyy: nested formatting": nested(line, "<formatting>a", "a<b/>", "</formatting>", line_end),
        "abbyy: nested lines": nested(begin, "<line>", "a<b/>", "</line>", end),
        "abbyy: nested blocks": nested(begin, "<block>", "<line/>", "</block>", end),
        "abbyy: nested pages": nested("<document>", "<page>", "<line/>", "</page>", "</document>"),
        "abbyy: deep lines": nested(begin, "<a>", "<line l='1' t='1' r='9' b='9' baseline='5'/>", "</a>", end),
        "abbyy: nested characters": nested(line, "<charParams>", "<b/>a", "</charParams>", line_end),
        "abbyy: variants": wide(line + "<charParams>", "<charRecVariants/>", "</charParams>" + line_end),
        "abbyy: blocks": wide("<document><page>", "<block/>", "</page></document>"),
        "abbyy: pages": wide("<document>", "<page/>", "</document>"),
        "abbyy: lines outside blocks": wide("<document><page>", "<line/>", "</page></document>"),
        "abbyy: text outside lines": wide(begin, "a<b/>", end),
    }  # fmt: skip


def _hocr() -> dict[str, Family]:
    begin, end = "<html><body><div class='ocr_page'>", "</div></body></html>"
    line = "<span class='ocr_line'>"
    return {
        "hocr: lines": wide(begin, "<span class='ocr_line'>a</span>", end),
        "hocr: words": wide(begin + line, "<b class='ocrx_word'>a</b> ", "</span>" + end),
        "hocr: touching words": wide(begin + line, "<b class='ocrx_word'>a</b>", "</span>" + end),
        "hocr: loose words": wide(begin, "<b class='ocrx_word'>a</b>", end),
        "hocr: loose text": wide(begin + "<p class='ocr_par'>", "a<br/>", "</p>" + end),
        "hocr: loose blocks": wide(begin + "<p class='ocr_par'>", "a<p>b</p>", "</p>" + end),
        "hocr: paragraphs": wide(begin, "<p class='ocr_par'>a</p>", end),
        "hocr: areas": wide(begin, "<div class='ocr_carea'>a</div>", end),
        "hocr: pages": wide("<html><body>", "<div class='ocr_page'/>", "</body></html>"),
        "hocr: nested pages": nested("<html><body>", "<div class='ocr_page'>", "<b/>a", "</div>", "</body></html>"),
        "hocr: pages in deep areas": nested(begin, "<i class='ocr_carea'>", "<b class='ocr_page'>a</b>", "</i>", end),
        "hocr: deep pages": nested("<html><body>", "<i>", "<b class='ocr_page'>a</b>", "</i>", "</body></html>"),
        "hocr: pages in a page": wide(begin, "<div class='ocr_page'>a</div>", end),
        "hocr: nested lines": nested(begin, "<i class='ocr_line'>", "<b/>a", "</i>", end),
        "hocr: nested floats": nested(begin, "<i class='ocr_header'>", "<b/>a", "</i>", end),
        "hocr: nested words": nested(begin, "<i class='ocr_word'>", "<b/>a", "</i>", end),
        "hocr: nested characters": nested(begin, "<i class='ocrx_cinfo'>", "<b/>a", "</i>", end),
        "hocr: nested areas": nested(begin, "<i class='ocr_carea'>", "<b/>a", "</i>", end),
        "hocr: nested paragraphs": nested(begin, "<i class='ocr_par'>", "a<br/>", "</i>", end),
        "hocr: deep lines": nested(begin, "<i>", "<i class='ocr_line'>a</i>", "</i>", end),
        "hocr: characters": wide(begin + line, "<b class='ocrx_cinfo'>a</b>", "</span>" + end),
        "hocr: characters of words": wide(begin + line, "<b class='ocrx_word'><i class='ocrx_cinfo'>a</i></b>", "</span>" + end),
        "hocr: classes": numbered(begin, "<i class='a@'/>", end),
        "hocr: class": wide(begin + "<i class='", "ocr_line ", "'/>" + end),
        "hocr: title": wide(begin + "<i class='ocr_line' title='", "bbox 0 0 9 9;", "'/>" + end),
        "hocr: title quotes": wide(begin + "<i class='ocr_line' title='", '" ', "'/>" + end),
        "hocr: title numbers": wide(begin + "<i class='ocr_line' title='bbox 0 0 9 9; x_a 1", "; x_a 1", "!'/>" + end),
        "hocr: title digits": wide(begin + "<i class='ocr_line' title='bbox 0 0 9 ", "9", "'/>" + end),
        "hocr: poly": wide(begin + "<i class='ocr_line' title='poly ", "1 2 ", "'/>" + end),
        "hocr: angles": wide(begin, "<i class='ocr_line' title='bbox 0 0 9 9; textangle 90'>a</i>", end),
        "hocr: long title": lambda size: (f"<html><body><div class='ocr_page' title='{'textangle 90;' * (size // 26)}'>" + "<i class='ocr_line'>a</i>" * (size // 50) + end).encode(),
        "hocr: long id": lambda size: (begin + f"<p class='ocr_par' id='{'a' * (size // 2)}'>" + "a<br/>" * (size // 12) + "</p>" + end).encode(),
        "hocr: html": wide("<html>", "<p class=ocr_line>a", "</html>"),
        "hocr: html breaks": wide("<html><p class=ocr_par>", "a<br>", "</html>"),
        "hocr: html less than": wide("<html><p class=ocr_line>", "<", "</html>"),
        "hocr: html comments": wide("<html><p class=ocr_line>", "<!--", "</html>"),
        "hocr: html comment ends": wide("<html><p class=ocr_line>", "<!--", "--></html>"),
        "hocr: html self-closing": wide("<html><p class=ocr_line>", "<b /", "</html>"),
        "hocr: html self-closing spaces": wide("<html><p class=ocr_line><b ", "/", "</html>"),
        "hocr: html open tags": wide("<html><p class=ocr_line>", "<b ", "</html>"),
        "hocr: html quotes": wide("<html><p class=ocr_line>", "<b a='", "</html>"),
        "hocr: html attributes": numbered("<html><p class=ocr_line ", "a@ ", "></html>"),
        "hocr: html slashes": numbered("<html><p class=ocr_line ", "a@/", "></html>"),
        "hocr: html equals sign": numbered("<html><p class=ocr_line ='", "a@ ", "'></html>"),
        "hocr: html two equals signs": numbered("<html><p class=ocr_line b=='", "a@ ", "'></html>"),
        "hocr: html tag without end": numbered("<html></html><p class=ocr_line ", "a@ "),
        "hocr: html nested": wide("<html><p class=ocr_line>", "<b>", "</html>"),
        "hocr: html divisions": wide("<html><p class=ocr_line>", "<div>", "</html>"),
        "hocr: html end tags": wide("<html><p class=ocr_line>", "</b>", "</html>"),
        "hocr: html tables": wide("<html><p class=ocr_line>", "<table>", "</html>"),
        "hocr: html lists": wide("<html><p class=ocr_line>", "<li>", "</html>"),
        "hocr: html formatting": wide("<html><p class=ocr_line>", "<b><p>", "</html>"),
        "hocr: html entities": wide("<html><p class=ocr_line>", "&a", "</html>"),
        "hocr: html ampersands": wide("<html><p class=ocr_line>", "&", "</html>"),
        "hocr: html text": wide("<html><p class=ocr_line>", "a ", "</html>"),
        "hocr: html controls": wide("<html><p class=ocr_line>", "\x01", "</html>"),
        "hocr: punycode": wide("<html><meta charset=punycode><p class=ocr_line>", "a-", "</html>"),
        "hocr: detection": wide("<p ", "class=", ">"),
        "hocr: outside": wide("<html>", "a<b/>", "<i class='ocr_page'/></html>"),
        "hocr: lines in deep paragraphs": nested("<html><body>", "<div class='ocr_par'>a", "<i class='ocr_line'>a</i>", "</div>", "</body></html>", depth=240),
        "hocr: paragraphs in deep areas": nested("<html><body>", "<div class='ocr_carea'>a", "<p class='ocr_par'>a</p>", "</div>", "</body></html>", depth=240),
        "hocr: other readings in deep paragraphs": nested("<html><body>", "<div class='ocr_par'>a", "<del class='alt'>a</del>", "</div>", "</body></html>", depth=240),
        "hocr: hidden": nested("<html>", "<head>", "a<b/>", "</head>", "<i class='ocr_page'/></html>"),
    }  # fmt: skip


def _json() -> dict[str, Family]:
    return {
        "json: strings": wide("[", '"",', '""]'),
        "json: lines": wide('{"lines": [', '{"text": "a"},', '{"text": "a"}]}'),
        "json: pages": wide('{"format": "pagemeter-page", "version": 1, "pages": [', '{"lines": []},', '{"lines": []}]}'),
        "json: points": wide('{"lines": [{"text": "", "polygon": [', "[1,2],", "[1,2]]}]}"),
        "json: unknown keys": numbered('{"lines": [{"text": "",', '"a@": 1,', '"b": 1}]}'),
        "json: same keys": wide('{"lines": [], ', '"a": 1,', '"b": 1}'),
        "json: regions": numbered('{"lines": [', '{"text": "", "region": "@"},', '""]}'),
        "json: warnings": wide('{"lines": [], "warnings": [', '{"reason":"","source":"","element":""},', '{"reason":"","source":"","element":""}]}'),
        "json: nested lists": ladder("", "[", "]"),
        "json: nested objects": ladder("", '{"a":', "}"),
        "json: open lists": wide("", "["),
        "json: digits": wide("[", "9", "]"),
        "json: decimals": wide("[0.", "9", "]"),
        "json: exponent": wide("[1e", "9", "]"),
        "json: white space": wide("[", " ", "]"),
        "json: string": wide('["', "a", '"]'),
        "json: escapes": wide('["', "\\u0041", '"]'),
        "json: backslashes": wide('["', "\\", '"]'),
        "json: numbers": wide("[", "1,", "1]"),
    }  # fmt: skip


def _encodings() -> dict[str, Family]:
    declaration = "<?xml version='1.0' encoding='{}'?><PcGts><Page><TextRegion id='"
    names = (
        "punycode",
        "idna",
        "unicode_escape",
        "raw_unicode_escape",
        "utf-7",
        "rot13",
        "base64",
        "zlib",
        "quopri",
        "uu",
        "bz2",
        "hex",
        "mbcs",
    )
    return {f"page: encoding {name}": wide(declaration.format(name), "a-", "'/></Page></PcGts>") for name in names}  # fmt: skip


FAMILIES: dict[str, Family] = {
    **_text(), **_json(), **_page(), **_alto(), **_tei(), **_abbyy(), **_hocr(), **_encodings(), **_markdown(),
}  # fmt: skip
