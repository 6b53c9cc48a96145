"""Opening, checking and evaluating one pair of files."""

from __future__ import annotations

import json
import pickle

import pytest

from collected import PLACED
from pagemeter.corpus import MeasureSelection, PageResult, Reader, Readers, RunConfig, evaluate_pair
from pagemeter.errors import Problem, UsageError
from pagemeter.evaluation import evaluate_prepared
from pagemeter.inputs.pairs import Pair
from pagemeter.measure import Measure
from pagemeter.report.json import prepare_json
from pagemeter.runners import evaluate_pairs
from pagemeter.settings import Settings

CER = Measure("CER")


def results(*pairs, measures=("CER",), **options):
    return list(evaluate_pairs(pairs, measures, **options))


def assert_missed(result, reason):
    """All text of the page is missing, because its hypothesis cannot be used for a reason."""
    assert (result.status, result.unusable_hyp, result.errors) == ("missed", True, ())
    assert {score.rate for score in result.scores.values()} == {1.0}
    (warning,) = (warning for warning in result.warnings if "counts as missing" in warning.detail)
    assert warning.source == result.hyp
    assert reason in warning.detail


def test_a_pair_gives_one_result(write):
    (result,) = results(Pair("1", write("a.txt", "one"), write("b.txt", "two")))
    assert result.status == "evaluated"
    assert result.scores[CER].n_gt == 3
    assert (result.name, result.gt, result.hyp) == (
        "1",
        str(write("a.txt", "one")),
        str(write("b.txt", "two")),
    )


def test_all_text_of_a_page_without_hypothesis_is_missing(write):
    (result,) = results(Pair("1", write("a.txt", "one"), None))
    assert result.status == "missed"
    assert (result.scores[CER].ins, result.scores[CER].rate) == (3, 1.0)


def test_a_missing_hypothesis_can_be_left_out(write):
    (result,) = results(Pair("1", write("a.txt", "one"), None), skip_missing=True)
    assert result.status == "left out"
    assert not result.scores


def test_a_missing_hypothesis_can_be_evaluated_with_geometry(write):
    (result,) = results(Pair("1", write("a.json", PLACED), None), measures=["CER:G"])
    assert result.scores[Measure.parse("CER:G")].rate == 1.0


def test_a_hypothesis_without_ground_truth_is_not_evaluated(write):
    (result,) = results(Pair("1", None, write("b.txt", "two")))
    assert result.status == "no ground truth"


def test_a_pair_that_could_not_be_made_fails():
    (result,) = results(Pair("1", None, None, errors=(Problem("two of them"),)))
    assert (result.status, result.error) == ("failed", "two of them")


def test_two_bad_files_have_one_error_each(tmp_path):
    (result,) = results(Pair("1", tmp_path / "a.xml", tmp_path / "b.xml"))
    first, second = result.error.splitlines()
    assert "a.xml: no such file" in first
    assert "b.xml: no such file" in second


@pytest.mark.parametrize("bug", [OverflowError, ValueError, RecursionError, MemoryError])
def test_any_error_in_the_reader_of_a_hypothesis_counts_as_missing(write, monkeypatch, bug):
    gt, hyp = write("a.txt", "one"), write("b.txt", "two")

    def read(reader, path, content, **options):
        if path == hyp:
            raise bug
        return pages(reader, path, content, **options)

    pages = Reader.pages
    monkeypatch.setattr(Reader, "pages", read)
    assert_missed(*results(Pair("1", gt, hyp)), "memory" if bug is MemoryError else bug.__name__)
    (excluded,) = results(Pair("1", gt, hyp), failed="exclude")
    (unknown,) = results(Pair("1", hyp, gt))
    assert (excluded.status, unknown.status) == ("failed", "failed")
    assert excluded.errors[0].source == unknown.errors[0].source == str(hyp)


def test_an_unusable_hypothesis_counts_even_if_missing_ones_are_left_out(write):
    assert_missed(*results(Pair("1", write("a.txt", "one"), write("b.xml", "<P")), skip_missing=True), "")


def test_all_pages_of_a_ground_truth_count_as_missing(write):
    pair = Pair("1", write("a.txt", "one\ftwo"), write("b.xml", "<P"))
    first, second = results(pair)
    assert_missed(first, "")
    assert (second.status, second.unusable_hyp, second.warnings) == ("missed", True, ())


def test_two_hypotheses_for_one_ground_truth_count_as_missing(write):
    """Otherwise a second file would remove a bad page from the totals."""
    pair = Pair("1", write("a.txt", "one"), None, errors=(Problem("two hypotheses", "1"),))
    (result,) = results(pair)
    assert (result.status, result.unusable_hyp, len(result.warnings)) == ("missed", True, 1)
    assert results(pair, failed="exclude")[0].status == "failed"


def test_a_page_that_needs_too_much_memory_with_its_hypothesis_only_is_missed(write, monkeypatch):
    def evaluate(pair, measures, _):
        if pair.hyp.texts:
            raise MemoryError
        return evaluate_prepared(pair, measures)

    monkeypatch.setattr("pagemeter.corpus.page_evaluation.evaluate_prepared", evaluate)
    assert_missed(*results(Pair("1", write("a.txt", "one"), write("b.txt", "two"))), "not enough memory")


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


def test_a_folder_instead_of_a_file_fails(tmp_path, write):
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
    first, second = results(*pairs, measures=["CER", "CER:G"], failed="exclude")
    assert "b.txt" in first.error
    assert first.status == "failed"
    assert second.status == "evaluated"
    swapped = Pair("3", pairs[0].hyp, pairs[0].gt)
    missed, failed = results(pairs[0], swapped, measures=["CER", "CER:G"])
    assert_missed(missed, "no line of the hypothesis")
    assert (failed.status, failed.errors[0].source) == ("failed", str(swapped.gt))


def test_an_error_without_file_gets_one(write, monkeypatch):
    monkeypatch.setattr("pagemeter.solve.instance.MOST_TOKENS", 3)
    (result,) = results(Pair("1", write("a.txt", "one"), write("b.txt", "two")), failed="exclude")
    assert result.error.startswith(str(write("a.txt", "one")))


def test_an_error_without_file_gets_the_longer_one(write, monkeypatch):
    monkeypatch.setattr("pagemeter.solve.instance.MOST_TOKENS", 3)
    hyp = write("b.txt", "a longer text")
    pair = Pair("1", write("a.txt", "one"), hyp)
    assert results(pair, failed="exclude")[0].error.startswith(f"{hyp}: the two pages have")
    assert_missed(*results(pair), "the two pages have")
    assert results(Pair("1", hyp, pair.gt))[0].status == "failed"


def test_a_page_that_is_far_too_long_is_refused_at_once_and_named(write, monkeypatch):
    monkeypatch.setattr("pagemeter.corpus.page_evaluation.MOST_TOKENS", 3)
    monkeypatch.setattr("pagemeter.corpus.page_evaluation.evaluate_prepared", None)
    hyp = write("b.txt", "a longer text")
    (result,) = results(Pair("1", write("a.txt", "one"), hyp), failed="exclude")
    assert result.error == (
        f"{hyp}: the page has 13 characters; both sides together may have 3. Split it into its pages."
    )


def test_a_page_that_needs_too_much_memory_fails_and_others_are_unaffected(write, monkeypatch):
    def evaluate(pair, measures, _):
        if pair.gt.texts[0] == "large":
            raise MemoryError
        return evaluate_prepared(pair, measures)

    monkeypatch.setattr("pagemeter.corpus.page_evaluation.evaluate_prepared", evaluate)
    pairs = [Pair(text, write(f"{text}.txt", text), write("b.txt", "x")) for text in ("large", "small")]
    first, second = results(*pairs)
    assert first.error.startswith(f"{pairs[0].gt}: not enough memory")
    assert second.status == "evaluated"


def test_a_file_that_needs_too_much_memory_fails(write, monkeypatch):
    def read_content(*_):
        raise MemoryError

    monkeypatch.setattr("pagemeter.corpus.run_config.read_content", read_content)
    (result,) = results(Pair("1", write("a.txt", "one"), None))
    assert "a.txt: not enough memory to read it" in result.error


def test_missing_positions_are_reported_for_the_side_that_lacks_them(write):
    named = '{"source": "scan.jpg", "lines": [{"text": "a line"}]}'
    pair = Pair("1", write("a.json", PLACED), write("b.json", named))
    (result,) = results(pair, measures=["CER:G"], failed="exclude")
    assert result.error.startswith(f"{pair.hyp}: scan.jpg: no line of the hyp")


def test_a_filter_that_leaves_no_line_is_a_warning(write):
    pair = Pair("1", write("a.txt", "17\n18\n"), write("b.txt", "17\n\nx\n"))
    (result,) = results(pair, settings=Settings(drop_lines=r"^\d+$"))
    assert result.dropped == (2, 1)
    assert [str(warn) for warn in result.warnings] == [
        f"{pair.gt}: text: the line filters leave no line. Check keep_lines and drop_lines.",
        f"{pair.gt}: text: the ground truth has no text, so all recognised text counts as errors",
    ]


@pytest.mark.parametrize(("gt", "hyp", "warned"), [("", "x", 1), (" \n", "x", 1), ("", "", 0), ("x", "y", 0)])
def test_a_ground_truth_without_text_is_a_warning_if_the_hypothesis_has_text(write, gt, hyp, warned):
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


def test_warnings_of_pair_and_pages_are_reported_once(write):
    warn = Problem("strange", "a.txt", "file")
    pair = Pair("1", write("a.txt", "o\x01ne\ftwo"), write("b.txt", "one\ftwo"), (warn,))
    first, second = results(pair)
    assert first.warnings[0] == warn
    assert any("U+0001" in w.reason for w in first.warnings)
    assert second.warnings == ()


def test_configuration_and_results_can_be_pickled(write):
    pair = Pair("1", write("a.txt", "one"), write("b.txt", "two"))
    config, pair = pickle.loads(pickle.dumps((RunConfig(MeasureSelection((CER,))), pair)))  # noqa: S301
    (result,) = pickle.loads(pickle.dumps(evaluate_pair(config, pair)))  # noqa: S301
    assert result.scores[CER].n_gt == 3


def test_settings_are_applied_to_pages(write):
    pair = Pair("1", write("a.txt", "One"), write("b.txt", "one"))
    assert results(pair)[0].scores[CER].errors == 1
    assert results(pair, settings=Settings(case="fold"))[0].scores[CER].errors == 0


def test_each_side_is_read_in_its_format(write):
    pair = Pair("1", write("a.x", "# Title"), write("b.x", "Title"))
    readers = Readers(Reader("markdown"), Reader("text"))
    assert results(pair, readers=readers)[0].scores[CER].errors == 0
    assert results(pair)[0].scores[CER].errors == 2


def test_the_encoding_holds_for_both_sides(write):
    pair = Pair("1", write("a.txt", "ä".encode("latin-1")), write("b.txt", "ä".encode("latin-1")))
    assert results(pair)[0].status == "failed"
    assert results(pair, readers=Readers.same(encoding="latin-1"))[0].scores[CER].errors == 0


def test_each_side_may_have_its_encoding(write):
    pair = Pair("1", write("a.txt", "ä".encode()), write("b.txt", "ä".encode("latin-1")))
    assert results(pair, readers=Readers.same(encoding="latin-1"))[0].scores[CER].errors == 2
    readers = Readers(hyp=Reader(encoding="latin-1"))
    assert results(pair, readers=readers)[0].scores[CER].errors == 0


def test_errors_and_warnings_name_the_setting_of_their_side(write):
    latin, utf = write("a.txt", "ä".encode("latin-1")), write("b.txt", "ä".encode())
    assert results(Pair("1", latin, utf))[0].errors[0].settings == (("gt_encoding", "latin-1"),)
    assert results(Pair("1", utf, latin))[0].warnings[0].settings == (("hyp_encoding", "latin-1"),)
    declared = write(
        "a.xml", b"<?xml version='1.0' encoding='ISO-8859-1'?><PcGts><Page imageFilename='\xc3\xa4'/></PcGts>"
    )
    (result,) = results(Pair("1", declared, declared))
    tried = {setting for warning in result.warnings for setting in warning.settings}
    assert tried >= {("gt_encoding", "utf-8"), ("hyp_encoding", "utf-8")}


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
def test_wrong_options_of_a_reader_are_refused_before_files_are_read(wrong, hint):
    with pytest.raises(UsageError, match=hint):
        Reader(**wrong)


def test_a_result_with_an_error_is_failed():
    assert PageResult("1", None, None, errors=(Problem("x"),)).status == "failed"


@pytest.mark.parametrize(
    "error", [SyntaxError("not today"), OSError(36, "not today"), MemoryError("not today")]
)
@pytest.mark.parametrize("details", [False, True])
def test_a_report_that_cannot_be_prepared_is_a_warning(write, error, details):
    def fail(_result):
        raise error

    prepare = {"json": prepare_json, "html": fail, "alignments": fail}
    config = RunConfig(MeasureSelection.of(["CER"]), prepare=prepare, details=details)
    pair = Pair("1", write("a.txt", "one"), write("b.txt", "ore"))
    (result,) = evaluate_pair(config, pair)
    assert result.status == "evaluated"
    assert result.scores[CER].errors == 1
    reasons = [("1", "html"), ("1", "alignments")]
    assert [(warning.source, warning.element) for warning in result.warnings] == reasons
    assert all("not today" in warning.detail for warning in result.warnings)
    assert result.prepared["html"] is result.prepared["alignments"] is None
    warnings = json.loads(result.prepared["json"])["warnings"]
    assert [(warning["source"], warning["element"]) for warning in warnings] == reasons


def paragraph_warnings(write, gt, hyp):
    (result,) = results(Pair("1", write("a.txt", gt), write("b.txt", hyp)))
    return [str(warning) for warning in result.warnings if "paragraphs" in str(warning)]


def test_ground_truth_in_paragraphs_gives_a_warning(write):
    line = "the old mill stands by the river and its wheel still turns"
    paragraph = " ".join([line] * 4)
    (warning,) = paragraph_warnings(write, f"{paragraph}\n{paragraph}\n", f"{line}\n" * 8)
    assert "S joins consecutive lines of the hypothesis but never cuts the ground truth" in warning
    assert "gt_level='line'" in warning
    assert not paragraph_warnings(write, f"{line}\n" * 8, f"{line}\n" * 8)
    assert not paragraph_warnings(write, f"{paragraph}\n", f"{paragraph}\n")
    assert not paragraph_warnings(write, f"{paragraph}\n" + f"{line}\n" * 6, f"{line}\n" * 10)
