"""From results to totals, and the measures that these turn out to have."""

from __future__ import annotations

import pytest

from collected import PLACED
from pagemeter.corpus import Pair, Recipe, Totals, Wanted, run
from pagemeter.errors import MeasureError
from pagemeter.measure import ALL, DEFAULT, DEFAULT_GEOMETRY, Measure
from pagemeter.page import Warn

CER = Measure("CER")
HALF = '{"lines": [{"text": "a", "baseline": [[0, 50], [300, 50]]}, {"text": "%s"}]}'


def totals_of(*pairs, measures=None):
    totals = Totals()
    for result in run(pairs, measures):
        totals.add(result)
    return totals


def test_totals_add_counts_and_never_average_rates(write):
    short = Pair("1", write("a.txt", "ab"), write("b.txt", "xy"))
    long = Pair("2", write("c.txt", "abcdefgh"), write("d.txt", "abcdefgh"))
    totals = totals_of(short, long, measures=["CER"])
    assert totals.scores[CER].rate == 2 / 10
    assert totals.scores[CER].matches == ()
    assert totals.pages == 2


def test_totals_keep_apart_what_happened(write, tmp_path):
    gt, hyp = write("a.txt", "one"), write("b.txt", "one")
    pairs = [
        Pair("1", gt, hyp, (Warn("a", "b", "c"), Warn("d", "e", "c"))),
        Pair("2", gt, None),
        Pair("3", None, hyp),
        Pair("4", tmp_path / "none.xml", hyp),
    ]
    totals = totals_of(*pairs, measures=["CER"])
    assert (totals.pages, totals.missed, totals.warnings) == (2, 1, 2)
    assert totals.reasons["c"].times == 2
    assert (totals.without_hyp.first, totals.without_gt.first) == ([str(gt)], [str(hyp)])
    assert [page.name for page in totals.failed.first] == ["4"]


def test_totals_of_one_page_let_its_matching_go(write):
    totals = Totals()
    (result,) = run([Pair("1", write("a.txt", "one"), write("b.txt", "one"))], ["CER"])
    totals.add(result)
    assert result.scores[CER].matches
    assert not totals.scores[CER].matches


def test_each_page_is_evaluated_with_geometry_where_it_has_positions(write):
    placed = Pair("1", write("a.json", PLACED), write("b.json", PLACED))
    plain = Pair("2", write("c.txt", "x"), write("d.json", PLACED))
    first, second = run([placed, plain])
    assert tuple(first.scores) == DEFAULT + DEFAULT_GEOMETRY
    assert first.unplaced == ()
    assert tuple(second.scores) == DEFAULT
    assert (second.status, second.unplaced) == ("evaluated", ("gt",))


@pytest.mark.parametrize("order", [1, -1])
def test_totals_have_geometry_only_where_every_page_has(write, order):
    placed = Pair("1", write("a.json", PLACED), write("b.json", PLACED))
    plain = Pair("2", write("c.json", PLACED), write("d.txt", "x"))
    totals = totals_of(placed, placed)
    assert tuple(totals.scores) == DEFAULT + DEFAULT_GEOMETRY
    assert totals.scores[Measure.parse("CER:RG")].n_gt == 12
    totals = totals_of(*[placed, placed, plain][::order])
    assert tuple(totals.scores) == DEFAULT
    assert totals.partial == set(DEFAULT_GEOMETRY)
    assert (totals.unplaced, totals.first_unplaced.name, totals.places) == (1, "2", True)
    assert totals.scores[Measure.parse("CER:R")].n_gt == 18


def test_files_are_read_once(write, monkeypatch):
    read = []
    monkeypatch.setattr(
        "pagemeter.corpus.contents.read_bytes", lambda path: read.append(path.name) or PLACED.encode()
    )
    list(run([Pair("1", write("a.json", PLACED), write("b.json", PLACED))]))
    assert read == ["a.json", "b.json"]


def test_pages_that_cannot_be_read_and_missing_sides_leave_geometry_to_the_others(write, tmp_path):
    placed = Pair("1", write("a.json", PLACED), None)
    bad = Pair("2", tmp_path / "none.xml", write("b.json", PLACED))
    alone = Pair("3", None, write("c.txt", "x"))
    assert Measure.parse("CER:RG") in totals_of(bad, alone, placed).scores
    assert not totals_of(bad).scores


def test_text_alone_has_no_positions_that_could_be_missed(write):
    assert not totals_of(Pair("1", write("a.txt", "x"), write("b.txt", "x"))).places


def test_one_line_of_text_without_a_place_is_a_page_without(write):
    pair = Pair("1", write("a.json", PLACED), write("b.json", HALF % "b"))
    assert next(run([pair])).unplaced == ("hyp",)


def test_empty_lines_need_no_place(write):
    pair = Pair("1", write("a.json", HALF % ""), write("b.json", PLACED))
    assert next(run([pair])).unplaced == ()


def test_all_stands_for_eighteen_or_nine_measures(write):
    placed = Pair("1", write("a.json", PLACED), write("b.json", PLACED))
    plain = Pair("2", write("c.txt", "x"), write("d.txt", "x"))
    assert tuple(totals_of(placed, measures=["all"]).scores) == ALL
    assert len(totals_of(plain, measures=["ALL"]).scores) == 9


def test_a_geometry_measure_that_is_named_is_needed_whatever_else_is(write):
    plain = Pair("2", write("c.txt", "x"), write("d.txt", "x"))
    for measures in (["all", "CER:G"], ["CER:G?", "CER:G"]):
        assert next(run([plain], measures)).status == "failed"
    assert next(run([plain], ["CER", "CER:G?"])).status == "evaluated"


def test_only_a_geometry_measure_can_be_wanted_where_there_are_positions():
    with pytest.raises(MeasureError, match="write CER:R"):
        Wanted.of(["CER:R?"])


@pytest.mark.parametrize(
    ("asked", "names"),
    [
        ("CER:R,CER:S", "CER:R CER:S"),
        ("CER^{R,S},WER", "CER:RS WER"),
        ("CER:R,S, wer:s,g? ,BOW", "CER:RS WER:SG? BOW"),
        ("bow,all", None),
    ],
)
def test_measures_may_be_separated_by_commas(asked, names):
    wanted = Wanted.of([asked])
    assert " ".join(wanted.names) == names if names else len(wanted.measures) == len(ALL)


def test_a_signature_names_the_measures_that_pages_turned_out_to_have(write):
    placed = Pair("1", write("a.json", PLACED), write("b.json", PLACED))
    plain = Pair("2", write("c.txt", "x"), write("d.txt", "x"))
    recipe = Recipe(Wanted.of(["CER", "CER:G?"]))
    for pairs, said in [((placed,), "CER,CER:G"), ((placed, plain), "CER,CER:G?"), ((plain,), "CER")]:
        line = recipe.done(totals_of(*pairs, measures=recipe.measures)).signature
        assert line.startswith(f"measures:{said}|")
        assert Recipe.from_signature(line).signature == line


def test_measures_asked_for_are_taken_once_and_in_order():
    assert Wanted.of(["wer", "CER^{S,R}", "WER"]).names == ("WER", "CER:RS")


def test_an_unknown_measure_suggests_the_nearest():
    with pytest.raises(MeasureError, match="did you mean"):
        Wanted.of(["CER:RX"])
