"""Lines and pages that a reader marked are ignored, with the text that was recognised for them."""

from __future__ import annotations

import json

import pytest

from pagemeter import Line, Page
from pagemeter.cli import main
from pagemeter.corpus import RunConfig
from pagemeter.corpus.verdicts import Marked, Verdicts, without_marked
from pagemeter.errors import InputError
from pagemeter.settings import DEFAULT_SETTINGS, Settings

GT = ["the old mill", "by the river", "stands alone", "by the river"]


def verdict_file(path, *entries):
    fields = ("page", "line", "id", "text", "verdict")
    verdicts = [dict(zip(fields, entry, strict=True), note="") for entry in entries]
    path.write_text(json.dumps({"format": "pagemeter-verdicts", "version": 1, "verdicts": verdicts}))
    return path


def rest(gt, hyp, *marked, settings=DEFAULT_SETTINGS):
    gt, hyp = (Page(tuple(one if isinstance(one, Line) else Line(one) for one in side)) for side in (gt, hyp))
    left = without_marked(gt, hyp, [Marked("p", *one) for one in marked], settings)
    texts = [side and [line.text for line in side.lines] for side in left[:2]]
    return *texts, left.ignored, left.lost


def test_a_line_leaves_with_its_reading():
    hyp = ["the o1d mill", "by tbe river", "stands a1one"]
    assert rest(GT[:3], hyp, (2, None, GT[1])) == ([GT[0], GT[2]], [hyp[0], hyp[2]], 1, 0)


def test_only_the_words_of_the_line_leave_a_merged_line():
    found = rest(GT[:3], ["the o1d mill by tbe  river", "stands a1one"], (2, None, GT[1]))
    assert found == ([GT[0], GT[2]], ["the o1d mill", "stands a1one"], 1, 0)


def test_a_line_without_a_reading_leaves_alone():
    assert rest(GT[:3], [GT[0], GT[2]], (2, None, GT[1])) == ([GT[0], GT[2]], [GT[0], GT[2]], 1, 0)


def test_equal_texts_are_told_apart_by_id_and_number():
    lines = [Line(text, id=f"l{at}") for at, text in enumerate(GT)]
    without = [[0, 2, 3], [0, 1, 2]]
    for marked, kept in zip([(2, None, GT[1]), (2, "l3", GT[1])], without, strict=True):
        assert rest(lines, GT, marked)[0] == [GT[at] for at in kept]
    assert rest(lines, GT, (2, None, GT[1]), (4, None, GT[3]))[2] == 2


def test_lines_are_found_after_others_were_inserted_and_normalised():
    moved = ["a new heading", *GT[:3]]
    assert rest(moved, moved, (2, None, "By  the RIVER"))[0] == ["a new heading", GT[0], GT[2]]
    assert rest(["— —", "a"], ["— —", "a"], (1, None, "— —"))[0] == ["a"]


def test_a_changed_line_is_not_ignored():
    assert rest(GT[:3], GT[:3], (2, "l2", "by the lake")) == (GT[:3], GT[:3], 0, 1)


def test_scripts_without_spaces_and_ignored_types():
    assert rest(["漢字", "仮名"], ["漢字仮名"], (1, None, "漢字"))[1] == ["仮名"]
    header = Line("page 7", type="header")
    found = rest(
        [header, *GT[:2]], [header, *GT[:2]], (2, None, GT[0]), settings=Settings(ignore=("header",))
    )
    assert found[:2] == (["page 7", GT[1]], ["page 7", GT[1]])


def test_a_whole_page_is_ignored():
    assert rest(GT, GT, (None, None, None)) == (None, GT, 4, 0)
    assert rest(GT[:1], GT, (1, None, GT[0]))[0] is None, "no text remains"


@pytest.mark.parametrize(
    "content",
    [
        b"", b"[]", b"{}", b'{"format": "other", "version": 1, "verdicts": []}', b"\xff",
        b'{"format": "pagemeter-verdicts", "version": 2, "verdicts": []}',
        b'{"format": "pagemeter-verdicts", "version": 1, "verdicts": [1]}',
        b'{"format": "pagemeter-verdicts", "version": 1, "verdicts": [{"page": 1, "verdict": "ignore"}]}',
    ],
)  # fmt: skip
def test_other_files_are_refused(content):
    with pytest.raises(InputError, match="not a file of verdicts"):
        Verdicts.parse(content, "v.json")


def test_interesting_lines_and_the_order_change_nothing(tmp_path):
    first, second = ("p", 1, None, "a", "ignore"), ("q", 2, None, "b", "gt wrong")
    files = [
        verdict_file(tmp_path / "1", first, second),
        verdict_file(tmp_path / "2", second, ("p", 5, None, "c", "interesting"), first),
        verdict_file(tmp_path / "3", first),
    ]
    digests = [Verdicts.parse(path.read_bytes(), "v").digest for path in files]
    assert digests[0] == digests[1] != digests[2]


@pytest.fixture
def folders(tmp_path):
    for side, lines in (("gt", ["one line", "wrong truth"]), ("hyp", ["one lime", "right text"])):
        (tmp_path / side).mkdir()
        for page in ("1", "2"):
            (tmp_path / side / f"{page}.txt").write_text("\n".join(lines))
    return tmp_path


def evaluated(folders, *options):
    report = folders / "r.json"
    code = main(
        ["eval", str(folders / "gt"), str(folders / "hyp"), "-m", "CER:R", "--json", str(report), *options]
    )
    return code, json.loads(report.read_text())


def test_eval_ignores_marked_lines_and_says_how_many(folders, capsys):
    path = verdict_file(
        folders / "v.json",
        ("1", 2, None, "wrong truth", "gt wrong"), ("2", 1, None, "one line", "interesting"),
        ("3", 1, None, "elsewhere", "ignore"), ("2", 1, None, "gone", "ignore"),
    )  # fmt: skip
    code, data = evaluated(folders, "--verdicts", str(path))
    printed = capsys.readouterr()
    assert code == 0
    assert [page["measures"]["CER:R"]["n_gt"] for page in data["pages"]] == [8, 19]
    assert data["pages"][0]["measures"]["CER:R"]["sub"] == 1
    assert "verdicts: 1 line ignored" in printed.out
    assert "verdicts on 1 page that are not in this run: 3" in printed.err
    assert "1 marked line is not on this page" in printed.err
    assert f"verdicts:{Verdicts.parse(path.read_bytes(), '').digest}" in data["signature"]


def test_a_page_is_left_out(folders):
    path = verdict_file(folders / "v.json", ("1", None, None, None, "ignore"))
    _, data = evaluated(folders, "--verdicts", str(path))
    assert data["total"]["CER:R"]["n_gt"] == 19


def test_the_signature_needs_the_same_verdicts(folders, capsys):
    path = verdict_file(folders / "v.json", ("1", 2, None, "wrong truth", "gt wrong"))
    _, data = evaluated(folders, "--verdicts", str(path))
    signature = data["signature"]
    assert RunConfig.from_signature(signature).signature == signature
    assert evaluated(folders, "--from-signature", signature, "--verdicts", str(path))[1] == data
    capsys.readouterr()
    assert evaluated(folders, "--from-signature", signature)[0] == 2
    assert "Give their file with --verdicts" in capsys.readouterr().err
    other = verdict_file(folders / "w.json", ("1", 1, None, "one line", "ignore"))
    assert evaluated(folders, "--from-signature", signature, "--verdicts", str(other))[0] == 2
