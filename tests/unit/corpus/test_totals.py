"""Totals of a run, and the measures that they have."""

from __future__ import annotations

import pytest

from collected import PLACED
from pagemeter.corpus import MeasureSelection, RunConfig, Totals
from pagemeter.errors import Problem
from pagemeter.inputs.pairs import Pair
from pagemeter.measure import ALL, DEFAULT, Measure
from pagemeter.runners import evaluate_pairs

CER = Measure("CER")
HALF = '{"lines": [{"text": "a", "baseline": [[0, 50], [300, 50]]}, {"text": "%s"}]}'


def totals_of(*pairs, measures=None):
    totals = Totals()
    for result in evaluate_pairs(pairs, measures):
        totals.add(result)
    return totals


def test_totals_add_counts_and_never_average_rates(write):
    short = Pair("1", write("a.txt", "ab"), write("b.txt", "xy"))
    long = Pair("2", write("c.txt", "abcdefgh"), write("d.txt", "abcdefgh"))
    totals = totals_of(short, long, measures=["CER"])
    assert totals.scores[CER].rate == 2 / 10
    assert totals.scores[CER].matches == ()
    assert totals.pages == 2


def test_totals_count_missed_failed_and_unpaired_pages_separately(write, tmp_path):
    gt, hyp = write("a.txt", "one"), write("b.txt", "one")
    pairs = [
        Pair("1", gt, hyp, (Problem("c", "a", "b"), Problem("c", "d", "e"))),
        Pair("2", gt, None),
        Pair("3", None, hyp),
        Pair("4", tmp_path / "none.xml", hyp),
    ]
    totals = totals_of(*pairs, measures=["CER"])
    assert (totals.pages, totals.missed, totals.warnings) == (2, 1, 2)
    assert totals.warning_groups["c"].count == 2
    assert (totals.without_hyp.items, totals.without_gt.items) == ([str(gt)], [str(hyp)])
    assert [page.name for page in totals.failed.items] == ["4"]


def test_totals_keep_no_matching(write):
    totals = Totals()
    (result,) = evaluate_pairs([Pair("1", write("a.txt", "one"), write("b.txt", "one"))], ["CER"])
    totals.add(result)
    assert result.scores[CER].matches
    assert not totals.scores[CER].matches


def test_a_page_with_positions_is_evaluated_with_geometry(write):
    placed = Pair("1", write("a.json", PLACED), write("b.json", PLACED))
    plain = Pair("2", write("c.txt", "x"), write("d.json", PLACED))
    first, second = evaluate_pairs([placed, plain])
    assert tuple(first.scores) == tuple(second.scores) == DEFAULT
    assert set(first.budgets) == {Measure.parse("CER:R"), Measure.parse("CER:RG")}
    assert first.without_positions == ()
    assert list(second.budgets) == [Measure.parse("CER:R")]
    assert (second.status, second.without_positions) == ("evaluated", ("gt",))


@pytest.mark.parametrize("order", [1, -1])
def test_totals_have_geometry_only_if_every_page_has_positions(write, order):
    placed = Pair("1", write("a.json", PLACED), write("b.json", PLACED))
    plain = Pair("2", write("c.json", PLACED), write("d.txt", "x"))
    totals = totals_of(placed, placed, measures=["all"])
    assert tuple(totals.scores) == ALL
    assert totals.scores[Measure.parse("CER:RG")].n_gt == 12
    totals = totals_of(*[placed, placed, plain][::order], measures=["all"])
    assert set(totals.scores) == {measure for measure in ALL if not measure.geometry}
    assert totals.partial == {measure for measure in ALL if measure.geometry}
    assert (totals.without_positions, totals.first_without_positions.name, totals.has_positions) == (
        1,
        "2",
        True,
    )
    assert totals.scores[Measure.parse("CER:R")].n_gt == 18


def test_files_are_read_once(write, monkeypatch):
    read = []
    monkeypatch.setattr(
        "pagemeter.inputs.locations.read_bytes", lambda path: read.append(path.name) or PLACED.encode()
    )
    list(evaluate_pairs([Pair("1", write("a.json", PLACED), write("b.json", PLACED))]))
    assert read == ["a.json", "b.json"]


def test_failed_and_unpaired_pages_do_not_remove_geometry_from_totals(write, tmp_path):
    placed = Pair("1", write("a.json", PLACED), None)
    bad = Pair("2", tmp_path / "none.xml", write("b.json", PLACED))
    alone = Pair("3", None, write("c.txt", "x"))
    assert Measure.parse("CER:RG") in totals_of(bad, alone, placed).budgets
    assert not totals_of(bad).scores


def test_totals_of_plain_text_have_no_positions(write):
    assert not totals_of(Pair("1", write("a.txt", "x"), write("b.txt", "x"))).has_positions


def test_a_page_with_one_line_without_position_lacks_positions(write):
    pair = Pair("1", write("a.json", PLACED), write("b.json", HALF % "b"))
    assert next(evaluate_pairs([pair])).without_positions == ("hyp",)


def test_empty_lines_need_no_position(write):
    pair = Pair("1", write("a.json", HALF % ""), write("b.json", PLACED))
    assert next(evaluate_pairs([pair])).without_positions == ()


def test_all_means_eighteen_or_nine_measures(write):
    placed = Pair("1", write("a.json", PLACED), write("b.json", PLACED))
    plain = Pair("2", write("c.txt", "x"), write("d.txt", "x"))
    assert tuple(totals_of(placed, measures=["all"]).scores) == ALL
    assert len(totals_of(plain, measures=["ALL"]).scores) == 9


def test_a_geometry_measure_that_is_named_without_mark_is_required(write):
    plain = Pair("2", write("c.txt", "x"), write("d.txt", "x"))
    for measures in (["all", "CER:G"], ["CER:G?", "CER:G"]):
        assert next(evaluate_pairs([plain], measures)).status == "failed"
    assert next(evaluate_pairs([plain], ["CER", "CER:G?"])).status == "evaluated"


def test_the_final_signature_names_the_measures_that_pages_have(write):
    placed = Pair("1", write("a.json", PLACED), write("b.json", PLACED))
    plain = Pair("2", write("c.txt", "x"), write("d.txt", "x"))
    config = RunConfig(MeasureSelection.of(["CER", "CER:G?"]))
    for pairs, said in [((placed,), "CER,CER:G"), ((placed, plain), "CER,CER:G?"), ((plain,), "CER")]:
        line = config.with_evaluated_measures(totals_of(*pairs, measures=config.measures)).signature
        assert line.startswith(f"measures:{said}|")
        assert RunConfig.from_signature(line).signature == line
