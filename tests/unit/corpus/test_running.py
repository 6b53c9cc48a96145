"""From pairs to results."""

from __future__ import annotations

import pickle

import pytest

from collected import PLACED
from pagemeter.corpus import PageResult, Pair, Reader, Reading, Wanted, Work, run
from pagemeter.errors import UsageError
from pagemeter.evaluation import evaluate_pages as evaluated
from pagemeter.measure import Measure
from pagemeter.page import Warn
from pagemeter.settings import Settings

CER = Measure("CER")


def results(*pairs, measures=("CER",), **options):
    return list(run(pairs, measures, **options))


def test_a_pair_gives_one_result(write):
    (result,) = results(Pair("1", write("a.txt", "one"), write("b.txt", "two")))
    assert result.status == "evaluated"
    assert result.scores[CER].n_gt == 3
    assert (result.name, result.gt, result.hyp) == (
        "1",
        str(write("a.txt", "one")),
        str(write("b.txt", "two")),
    )


def test_a_missing_hypothesis_counts_as_nothing_read(write):
    (result,) = results(Pair("1", write("a.txt", "one"), None))
    assert result.status == "missed"
    assert (result.scores[CER].ins, result.scores[CER].rate) == (3, 1.0)


def test_a_missing_hypothesis_can_be_left_out(write):
    (result,) = results(Pair("1", write("a.txt", "one"), None), skip_missing=True)
    assert result.status == "left out"
    assert not result.scores


def test_a_missing_hypothesis_is_no_error_for_geometry(write):
    (result,) = results(Pair("1", write("a.json", PLACED), None), measures=["CER:G"])
    assert result.scores[Measure.parse("CER:G")].rate == 1.0


def test_a_hypothesis_without_ground_truth_is_passed_on(write):
    (result,) = results(Pair("1", None, write("b.txt", "two")))
    assert result.status == "no ground truth"


def test_a_pair_that_could_not_be_made_fails():
    (result,) = results(Pair("1", None, None, error="two of them"))
    assert (result.status, result.error) == ("failed", "two of them")


def test_both_bad_files_are_named_one_a_line(tmp_path):
    (result,) = results(Pair("1", tmp_path / "a.xml", tmp_path / "b.xml"))
    first, second = result.error.splitlines()
    assert "a.xml: no such file" in first
    assert "b.xml: no such file" in second


def test_other_pages_are_unaffected_by_a_bad_one(write):
    good = Pair("2", write("a.txt", "one"), write("b.txt", "one"))
    bad = Pair("1", write("c.xml", "<PcGts><Page"), write("b.txt", "one"))
    assert [result.status for result in results(bad, good, bad)] == ["failed", "evaluated", "failed"]


@pytest.mark.parametrize(
    ("data", "reason"),
    [(b"", "empty"), (b"\x89PNG\r\n", "PNG"), (b"<mets/>", "METS"), (b"<PcGts><Page", ""), (b"\xff\xfe", "")],
)
def test_each_kind_of_bad_file_fails_with_its_name(write, data, reason):
    (result,) = results(Pair("1", write("bad.xml", data), write("b.txt", "one")))
    assert result.status == "failed"
    assert "bad.xml" in result.error
    assert reason in result.error


def test_a_folder_in_the_place_of_a_file_fails(tmp_path, write):
    (tmp_path / "folder.xml").mkdir()
    (result,) = results(Pair("1", tmp_path / "folder.xml", write("b.txt", "one")))
    assert "a folder" in result.error


def test_a_broken_link_fails_with_its_target(tmp_path, write):
    (tmp_path / "1.xml").symlink_to("nowhere.xml")
    (result,) = results(Pair("1", tmp_path / "1.xml", write("b.txt", "one")))
    assert "nowhere.xml" in result.error


def test_a_page_without_positions_fails_under_a_geometry_measure(write):
    pairs = [
        Pair("1", write("a.json", PLACED), write("b.txt", "a line")),
        Pair("2", write("c.json", PLACED), write("d.json", PLACED)),
    ]
    first, second = results(*pairs, measures=["CER", "CER:G"])
    assert "b.txt" in first.error
    assert first.status == "failed"
    assert second.status == "evaluated"


def test_an_error_that_knows_no_file_gets_one(write, monkeypatch):
    monkeypatch.setattr("pagemeter.solve.problem.MOST_TOKENS", 3)
    (result,) = results(Pair("1", write("a.txt", "one"), write("b.txt", "two")))
    assert result.error.startswith(str(write("a.txt", "one")))


def test_an_error_that_knows_no_file_gets_the_longer_one(write, monkeypatch):
    monkeypatch.setattr("pagemeter.solve.problem.MOST_TOKENS", 3)
    hyp = write("b.txt", "a longer text")
    assert results(Pair("1", write("a.txt", "one"), hyp))[0].error.startswith(f"{hyp}: the two pages have")


def test_a_page_that_is_far_too_long_is_refused_at_once_and_named(write, monkeypatch):
    monkeypatch.setattr("pagemeter.corpus.remarks.MOST_TOKENS", 3)
    monkeypatch.setattr("pagemeter.corpus.runners.work.evaluate_pages", None)
    hyp = write("b.txt", "a longer text")
    (result,) = results(Pair("1", write("a.txt", "one"), hyp))
    assert result.error == (
        f"{hyp}: a page of 13 characters, and two pages may have 3 together; split it into its pages"
    )


def test_a_page_that_memory_does_not_suffice_for_fails_and_the_others_go_on(write, monkeypatch):
    def evaluate_pages(gt, *rest):
        if gt.lines[0].text == "large":
            raise MemoryError
        return evaluated(gt, *rest)

    monkeypatch.setattr("pagemeter.corpus.runners.work.evaluate_pages", evaluate_pages)
    pairs = [Pair(text, write(f"{text}.txt", text), write("b.txt", "x")) for text in ("large", "small")]
    first, second = results(*pairs)
    assert first.error.startswith(f"{pairs[0].gt}: not enough memory")
    assert second.status == "evaluated"


def test_a_file_that_memory_does_not_suffice_for_fails(write, monkeypatch):
    def read_pages(data, *_, **__):
        if data:
            raise MemoryError
        return ()

    monkeypatch.setattr("pagemeter.corpus.reading.read_pages", read_pages)
    (result,) = results(Pair("1", write("a.txt", "one"), None))
    assert "a.txt: not enough memory to read it" in result.error


def test_positions_that_lack_on_one_side_are_told_of_that_side(write):
    named = '{"source": "scan.jpg", "lines": [{"text": "a line"}]}'
    pair = Pair("1", write("a.json", PLACED), write("b.json", named))
    assert results(pair, measures=["CER:G"])[0].error.startswith(f"{pair.hyp}: scan.jpg: a measure with G")


def test_a_filter_that_leaves_nothing_of_a_page_is_a_warning(write):
    pair = Pair("1", write("a.txt", "17\n18\n"), write("b.txt", "17\n\nx\n"))
    (result,) = results(pair, settings=Settings(drop_lines=r"^\d+$"))
    assert result.dropped == (2, 1)
    assert [str(warn) for warn in result.warnings] == [
        f"{pair.gt}: text: no line is left by --keep-lines and --drop-lines",
        f"{pair.gt}: text: the ground truth has no text, so all that was read counts as errors",
    ]


@pytest.mark.parametrize(("gt", "hyp", "warned"), [("", "x", 1), (" \n", "x", 1), ("", "", 0), ("x", "", 0)])
def test_a_ground_truth_without_text_is_a_warning_if_anything_was_read(write, gt, hyp, warned):
    (result,) = results(Pair("1", write("a.txt", gt), write("b.txt", hyp)))
    assert len(result.warnings) == warned


def test_pages_of_several_are_paired_by_their_order(write):
    gt, hyp = write("a.txt", "one\ftwo"), write("b.txt", "one\ftoo")
    first, second = results(Pair("book", gt, hyp))
    assert [first.name, second.name] == ["book#1", "book#2"]
    assert [first.scores[CER].errors, second.scores[CER].errors] == [0, 1]
    assert (second.gt, second.hyp) == (f"{gt}#2", f"{hyp}#2")


def test_surplus_ground_truth_pages_are_missed(write):
    gt, hyp = write("a.txt", "one\ftwo"), write("b.txt", "one")
    first, second = results(Pair("book", gt, hyp))
    assert (first.status, first.name, first.hyp) == ("evaluated", "book#1", str(hyp))
    assert (second.status, second.gt, second.scores[CER].ins) == ("missed", f"{gt}#2", 3)
    assert "has 2 pages" in second.warnings[0].reason
    assert results(Pair("book", gt, hyp), skip_missing=True)[1].status == "left out"


def test_surplus_hypothesis_pages_have_no_ground_truth(write):
    gt, hyp = write("a.txt", "one"), write("b.txt", "one\ftwo\fthree")
    results_ = results(Pair("book", gt, hyp))
    assert [result.status for result in results_] == ["evaluated", "no ground truth", "no ground truth"]
    assert results_[1].hyp == f"{hyp}#2"
    assert results_[1].warnings


def test_a_book_without_hypothesis_is_missed_page_by_page_without_warnings(write):
    both = results(Pair("book", write("a.txt", "one\ftwo"), None))
    assert [result.status for result in both] == ["missed", "missed"]
    assert not any(result.warnings for result in both)


def test_warnings_of_pair_and_pages_are_kept_once(write):
    warn = Warn("a.txt", "file", "strange")
    pair = Pair("1", write("a.txt", "o\x01ne\ftwo"), write("b.txt", "one\ftwo"), (warn,))
    first, second = results(pair)
    assert first.warnings[0] == warn
    assert any("U+0001" in w.reason for w in first.warnings)
    assert second.warnings == ()


def test_results_come_one_by_one(write):
    """Nothing is read before it is asked for, so memory stays flat."""
    good = Pair("1", write("a.txt", "one"), write("b.txt", "one"))

    def endless():
        while True:
            yield good

    stream = run(endless(), ["CER"])
    assert next(stream).status == next(stream).status == "evaluated"


def test_results_and_what_makes_them_can_be_sent_to_other_processes(write):
    pair = Pair("1", write("a.txt", "one"), write("b.txt", "two"))
    work, pair = pickle.loads(pickle.dumps((Work(Wanted((CER,)), Settings(), Reading()), pair)))  # noqa: S301
    (result,) = pickle.loads(pickle.dumps(work(pair)))  # noqa: S301
    assert result.scores[CER].n_gt == 3


def test_settings_reach_the_pages(write):
    pair = Pair("1", write("a.txt", "One"), write("b.txt", "one"))
    assert results(pair)[0].scores[CER].errors == 1
    assert results(pair, settings=Settings(case="fold"))[0].scores[CER].errors == 0


def test_each_side_is_read_in_its_format(write):
    pair = Pair("1", write("a.x", "# Title"), write("b.x", "Title"))
    reading = Reading(Reader("markdown"), Reader("text"))
    assert results(pair, reading=reading)[0].scores[CER].errors == 0
    assert results(pair)[0].scores[CER].errors == 2


def test_the_encoding_holds_for_both_sides(write):
    pair = Pair("1", write("a.txt", "ä".encode("latin-1")), write("b.txt", "ä".encode("latin-1")))
    assert results(pair)[0].status == "failed"
    assert results(pair, reading=Reading.alike(encoding="latin-1"))[0].scores[CER].errors == 0


def test_each_side_may_have_its_encoding(write):
    pair = Pair("1", write("a.txt", "ä".encode()), write("b.txt", "ä".encode("latin-1")))
    assert results(pair, reading=Reading.alike(encoding="latin-1"))[0].scores[CER].errors == 2
    reading = Reading(hyp=Reader(encoding="latin-1"))
    assert results(pair, reading=reading)[0].scores[CER].errors == 0


def test_errors_and_warnings_name_the_option_of_their_side(write):
    latin, utf = write("a.txt", "ä".encode("latin-1")), write("b.txt", "ä".encode())
    assert "with --gt-encoding, for example --gt-encoding latin-1" in results(Pair("1", latin, utf))[0].error
    assert "--hyp-encoding latin-1" in results(Pair("1", utf, latin))[0].error
    declared = write(
        "a.xml", b"<?xml version='1.0' encoding='ISO-8859-1'?><PcGts><Page imageFilename='\xc3\xa4'/></PcGts>"
    )
    (result,) = results(Pair("1", declared, declared))
    tried = {warn.reason.partition(": try ")[2] for warn in result.warnings}
    assert tried >= {"--gt-encoding utf-8", "--hyp-encoding utf-8"}


@pytest.mark.parametrize(
    ("wrong", "hint"),
    [
        ({"level": "lines"}, "did you mean line"),
        ({"order": "topdown"}, "did you mean top-down"),
        ({"format": "alt"}, "did you mean alto"),
        ({"encoding": "utf-9"}, "unknown encoding"),
        ({"encoding": "hex"}, "unknown encoding"),
        ({"dpi": 0.0}, "dpi"),
    ],
)
def test_a_wrong_way_of_reading_is_said_once_and_at_once(wrong, hint):
    with pytest.raises(UsageError, match=hint):
        Reader(**wrong)


def test_status_of_a_result_with_an_error_is_failed_whatever_else():
    assert PageResult("1", None, None, error="x").status == "failed"
