"""Files of keyword spotting."""

from __future__ import annotations

import json

import pytest

import pagemeter as pm
from pagemeter.errors import FormatError, UsageError
from pagemeter.spotting.files import detect, read_spots

QRELS = b"q1 0 d1 1\nq1 0 d2 0\nq1 0 d3 2\nq2 0 d1 0\n"
RUN = b"q1 Q0 d1 1 0.9 run\nq1 Q0 d2 2 0.8 run\nq9 Q0 d1 1 0.5 run\n"
REF = b"# a comment\nq1 d1 3 5 400 40\n"
HYP = b"q1 d1 3 5 400 40 -1.0\n"
TABLE = b"l1 word 1 0.9\nl2 word 0 0.8\nl3 word 1 -1\n"
GT_JSON = {"pages": [{"pageID": "1", "lines": [{"bl": "0,9 90,9", "kws": {"a": ["0,9 40,9"]}}]}]}
HYP_JSON = {"keywords": [{"kw": "a", "pos": [{"conf": 0.5, "bl": "0,9 40,9", "line": "l", "image": "1"}]}]}


def read(gt, hyp, form):
    return read_spots(gt, "gt", hyp, "hyp", form)


@pytest.mark.parametrize(
    ("gt", "hyp", "expected"),
    [
        (QRELS, RUN, "trec"),
        (REF, HYP, "icdar2017"),
        (REF, b"", "icdar2017"),
        (TABLE, None, "prhlt"),
        (TABLE, TABLE, "prhlt"),
        (json.dumps(GT_JSON).encode(), json.dumps(HYP_JSON).encode(), "citlab"),
        (b"a page\nof text", b"a page\nof text", None),
        (b"q1 d1 1\n", RUN, "trec"),  # the error says what is wrong with the qrels
        (b"a page\n", HYP, "icdar2017"),
        (REF, b"a page\n", "icdar2017"),
        (REF, b'{"keywords": []}', "icdar2017"),
        (QRELS, b"a page\nof text", "trec"),
        (b"the rent was paid 12 times", b"the rent was paid 12 times", None),
        (b"a line of four", None, None),
        (b'{"lines": []}', b'{"lines": []}', None),
        (b"\xff\xfe\x00", b"text", None),
    ],
)
def test_the_content_determines_the_format(gt, hyp, expected):
    assert detect(gt, hyp) == expected


def test_qrels_have_grades_and_determine_the_queries():
    spots = read(QRELS, RUN, "trec")
    assert [(one.document, one.gain) for one in spots.references] == [("d1", 1), ("d3", 2)]
    assert spots.names == ("q1", "q2")
    assert len(spots.hits) == 2
    assert "left out 1 hit of 1 topic not in the qrels" in str(spots.warnings[0])


def test_negative_scores_of_tables_are_references_without_hit():
    spots = read(TABLE, None, "prhlt")
    assert (len(spots.references), len(spots.hits)) == (2, 2)


def test_a_word_twice_in_a_line_is_two_events():
    table = b"l1 a 0 0.9\nl1 a 1 0.5\n"
    spots = read(table, None, "prhlt")
    assert spots.references[0].document == spots.hits[1].document != spots.hits[0].document


def test_scores_of_a_second_table_replace_those_of_the_first():
    spots = read(TABLE, b"l3 word 0 0.7\n", "prhlt")
    assert [(hit.document, hit.score) for hit in spots.hits] == [("l3", 0.7)]


def test_citlab_files_have_lines_and_all_keywords():
    hyp = {"keywords": [*HYP_JSON["keywords"], {"kw": "b", "pos": []}]}
    spots = read(json.dumps(GT_JSON).encode(), json.dumps(hyp).encode(), "citlab")
    assert spots.names == ("a", "b")
    assert spots.references[0].place.line == ((0, 9), (90, 9))
    assert spots.lines == {"1": (((0, 9), (90, 9)),)}


@pytest.mark.parametrize(
    ("gt", "hyp", "form", "message"),
    [
        (b"q1 0 d1", RUN, "trec", "gt: line 1: 3 columns, not 4"),
        (b"q1 0 d1 x", RUN, "trec", "the relevance 'x' is not a number"),
        (b"q1 0 d1 1\nq1 0 d1 0", RUN, "trec", "line 2: a second judgement"),
        (QRELS, b"q1 Q0 d1 1 nan run", "trec", "hyp: line 1: the score 'nan'"),
        (b"l1 a 2 0.5", None, "prhlt", "the relevance '2' is neither 1 nor 0"),
        (REF, b"q1 d1 3 5 -4 40 1", "icdar2017", "negative"),
        (b"{}", b"{}", "citlab", "document: pages is missing"),
        (b'{"pages": [{"pageID": 1}]}', b"{}", "citlab", "pages[0].pageID: must be a string"),
        (
            json.dumps(GT_JSON).encode(),
            b'{"keywords": [{"kw": "a", "pos": [{"conf": "x", "image": "1"}]}]}',
            "citlab",
            "keywords[0].pos[0].conf: must be a number",
        ),
        (
            b'{"pages": [{"pageID": "1", "lines": [{"bl": "0,9 x"}]}]}',
            b'{"keywords": []}',
            "citlab",
            "lines[0].bl: ",
        ),
    ],
)
def test_errors_name_the_line_or_field(gt, hyp, form, message):
    with pytest.raises(FormatError) as raised:
        read(gt, hyp, form)
    assert message in str(raised.value)


def test_only_tables_of_kws_eval_tool_have_both_sides():
    with pytest.raises(UsageError, match="there is no hypothesis"):
        read(QRELS, None, "trec")


def test_unknown_formats_are_refused(tmp_path):
    path = tmp_path / "table.txt"
    path.write_bytes(TABLE)
    with pytest.raises(UsageError, match="did you mean prhlt"):
        pm.kws(path, format="prhl")
    with pytest.raises(UsageError, match="is a folder"):
        pm.kws(tmp_path, tmp_path, format="trec")
    with pytest.raises(UsageError, match="read from files"):
        pm.kws({"q": {}}, {"q": {}}, format="trec")
