"""The table of scores: sums equal to those page by page, selections, and bytes."""

import pickle
import random

import numpy as np
import pytest

from pagemeter.corpus import PageResult, ScoreTable, Totals
from pagemeter.corpus.score_table import ROW, BudgetScores, PageScores, PageSeconds, pack_scores
from pagemeter.evaluation import Evaluation
from pagemeter.measure import ALL, Measure
from pagemeter.preparation import Source
from pagemeter.score import Counts, Score
from pagemeter.settings import Settings

PLAIN = tuple(measure for measure in ALL if not measure.geometry)
EXTRA = Measure("CER"), Measure("CER", geometry=True)
KINDS = [(ALL,), (PLAIN,), (ALL, PLAIN), (PLAIN[:3], ALL, PLAIN)]


def score(rng, measure):
    """A score that is proven to be the minimum or not; stricter measures have no fewer errors."""
    least = 5 * measure.order + 3 * measure.geometry + 2 * (not measure.segmentation)
    more, less = (rng.choice((0, rng.randrange(9))) for _ in range(2))
    counts = Counts(least + more, 0, 0, rng.randrange(50))
    if rng.random() < 0.1:
        counts = Counts(0, least + more, 0, 0)
    return Score(measure, counts, max(0, least - less), rng.random() < 0.9)


def page(rng, number, measures):
    shown = [measure for measure in measures if measure not in EXTRA]
    scores, extra = ({m: score(rng, m) for m in some} for some in (shown, set(measures) & set(EXTRA)))
    evaluation = Evaluation((Source(()), Source(())), Settings(), scores, (), dict.fromkeys(scores, 0.5))
    name = f"{rng.choice('ab')}/{number}"
    return PageResult(name, f"{name}.xml", "hyp.xml", evaluation, extra=extra, document=rng.choice("xy"))


def pages_of(kinds, count=20):
    rng = random.Random(len(kinds))
    return [page(rng, number, rng.choice(kinds)) for number in range(count)]


def totals_of(pages):
    totals = Totals()
    for result in pages:
        totals.add(result)
    return totals


def added(found, total):
    """Add the values of a page; measures that a page lacks are left out."""
    return {m: total[m] + found[m] for m in total if m in found} if total is not None else dict(found)


@pytest.mark.parametrize("kinds", KINDS)
def test_sums_are_those_of_adding_page_by_page(kinds):
    scores = budgets = None
    pages = pages_of(kinds)
    for result in pages:
        scores, budgets = added(result.scores, scores), added(result.budgets, budgets)
    totals = totals_of(pages)
    assert totals.scores == scores
    assert [totals.scores[m].ned for m in scores] == pytest.approx([scores[m].ned for m in scores])
    assert list(totals.scores) == [m for m in totals.table.measures if m in scores]
    assert totals.budgets == budgets
    assert totals.partial == {m for result in pages for m in result.scores} - set(scores)
    table = totals.table
    assert table.errors([*scores]).tolist() == [[p.scores[m].errors for m in scores] for p in pages]
    assert table.n_gt([*scores]).tolist() == [[p.scores[m].n_gt for m in scores] for p in pages]
    assert table.labels("folder") == [result.name[0] for result in pages]
    assert table.labels("document") == [result.document for result in pages]
    assert table.labels("none") is None
    for measure in scores:
        textless = [p.scores[measure].errors for p in pages if not p.scores[measure].n_gt]
        assert totals.errors_without_text[measure] == sum(textless)


def test_totals_can_be_asked_for_at_any_time():
    rng, totals, errors = random.Random(0), Totals(), 0
    for number in range(5):
        result = page(rng, number, ALL)
        totals.add(result)
        errors += result.scores[ALL[0]].errors
        assert totals.scores[ALL[0]].errors == errors


@pytest.mark.parametrize("kinds", KINDS)
def test_the_items_of_a_table_are_the_scores_of_its_pages(kinds):
    pages = pages_of(kinds)
    table = totals_of(pages).table
    assert list(table) == [page.scores for page in pages]
    assert table[3:5] == [page.scores for page in pages[3:5]]
    assert table[-1] == pages[-1].scores


@pytest.mark.parametrize("kinds", KINDS)
def test_pages_and_measures_can_be_selected(kinds):
    pages = pages_of(kinds)
    table, chosen = totals_of(pages).table, [7, 0, 7, 19]
    assert table.select(range(len(pages))) == table
    assert table.select(chosen) == totals_of([pages[index] for index in chosen]).table
    some = table.select(measures=PLAIN[:2])
    assert list(some) == [{m: s for m, s in page.scores.items() if m in PLAIN[:2]} for page in pages]
    assert some.folders == table.folders
    assert len(table.select([])) == 0


@pytest.mark.parametrize("cut", [0, 1, 13, 20])
def test_tables_can_be_joined(cut):
    pages = pages_of(KINDS[-1])
    table = totals_of(pages[:cut]).table
    table.extend(totals_of(pages[cut:]).table)
    assert table == totals_of(pages).table
    assert totals_of(pages).scores == {m: table.total(m) for m in table.common_measures}


def test_a_table_is_restored_from_its_columns():
    table = totals_of(pages_of(KINDS[-1])).table
    restored = ScoreTable.from_columns(table.columns, table.sizes, table.folders, table.documents)
    assert restored == table
    assert restored.measures == table.measures
    assert restored.common_measures == table.common_measures


def test_a_page_without_scores_has_no_common_measures():
    table = totals_of(pages_of([PLAIN], 3)).table
    table.append(b"")
    assert table.sizes.tolist()[-1] == 0
    assert table[-1] == {}
    assert table.common_measures == ()
    assert table.measures == tuple(m for m in PLAIN if m not in EXTRA)


def test_rows_are_the_scores_and_their_seconds():
    scores = {measure: score(random.Random(str(measure)), measure) for measure in ALL if measure not in EXTRA}
    extra = {measure: score(random.Random(str(measure)), measure) for measure in EXTRA}
    seconds = {measure: index / 7 for index, measure in enumerate((*scores, *extra))}
    rows = pack_scores(scores, extra, seconds)
    assert len(rows) == len(ALL) * ROW.itemsize
    for mapping, expected in (
        (PageScores(rows), scores),
        (BudgetScores(rows), extra),
        (PageSeconds(rows), seconds),
    ):
        assert mapping == expected
        assert list(mapping) == list(expected)
        assert pickle.loads(pickle.dumps(mapping)) == expected  # noqa: S301
    assert EXTRA[0] not in PageScores(rows)
    with pytest.raises(KeyError):
        PageScores(rows)[EXTRA[0]]
    assert not PageScores(b"")
    assert np.frombuffer(rows, ROW)["seconds"].tolist() == list(seconds.values())
