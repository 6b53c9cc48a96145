"""ALTO: the order of blocks and lines."""

from __future__ import annotations

from documents.alto import UNIT, block, line, read, texts, warned

BLOCKS = block("b1", line("l1"), line("l2")) + block(
    "b2", '<TextLine ID="l3"><String ID="s3" CONTENT="l3"/></TextLine>'
)


def ordered(*references, body=BLOCKS, **options):
    groups = "".join(f'<ElementRef ID="e" REF="{reference}"/>' for reference in references)
    head = f"{UNIT}<ReadingOrder><OrderedGroup ID='g'>{groups}</OrderedGroup></ReadingOrder>"
    page = read(body, head, **options)
    return texts(page), warned(page)


def test_reading_order_refers_to_blocks_lines_or_words():
    assert ordered("b2", "b1") == ("l3 l1 l2", [])
    assert ordered("l3", "l2", "l1") == ("l3 l2 l1", [])
    assert ordered("s3", "l2", "l1") == ("l3 l2 l1", [])
    assert ordered("l2", "b2", "b1") == ("l2 l3 l1", [])


def test_missing_references_and_unlisted_lines_give_warnings():
    assert ordered("l3", "gone") == (
        "l3 l1 l2",
        [
            "ElementRef gone: there is no element with this id",
            "TextLine l1 and 1 more: not in the reading order, placed after the others in document order",
        ],
    )


def test_the_first_of_several_reading_orders_is_used():
    head = (
        f"{UNIT}<ReadingOrder><UnorderedGroup><OrderedGroup><ElementRef REF='b2'/><ElementRef REF='b1'/>"
        "</OrderedGroup><UnorderedGroup><ElementRef REF='b1'/></UnorderedGroup></UnorderedGroup>"
        "</ReadingOrder>"
    )
    assert texts(read(BLOCKS, head)) == "l3 l1 l2"


def test_document_order_on_request():
    assert ordered("b2", "b1", order="document") == ("l1 l2 l3", [])


def test_idnext_chains_blocks():
    body = (
        block("b1", line("1"), attributes='IDNEXT="b3"')
        + block("b2", line("2"))
        + block("b3", line("3"), attributes='IDNEXT="gone"')
    )
    page = read(body)
    assert texts(page) == "1 3 2"
    assert warned(page) == ["IDNEXT gone: there is no block with this id and text"]
    assert texts(read(body, order="document")) == "1 2 3"


def test_a_cycle_of_blocks_is_read_once():
    ring = block("b1", line("1"), attributes='IDNEXT="b2"') + block("b2", line("2"), attributes='IDNEXT="b1"')
    assert texts(read(ring)) == "1 2"


def test_top_down_sorts_lines_by_position():
    low, high = 'HPOS="0" VPOS="90" WIDTH="9" HEIGHT="5"', 'HPOS="0" VPOS="10" WIDTH="9" HEIGHT="5"'
    body = block("b1", line("low", low)) + block("b2", line("high", high))
    assert texts(read(body, order="top-down")) == "high low"
    assert texts(read(body, order="top-down-lines")) == "low high"
    assert texts(read(block("b", line("low", low), line("high", high)), order="top-down-lines")) == "high low"
