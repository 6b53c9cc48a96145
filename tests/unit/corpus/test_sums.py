"""Sums of many pages at once are those of adding page by page."""

import pickle
import random

import pytest

from pagemeter.corpus import PageResult, Totals, sums
from pagemeter.evaluation import Evaluation
from pagemeter.measure import ALL, Measure
from pagemeter.plain_scores import PlainScores, PlainSeconds
from pagemeter.score import Counts, Score
from pagemeter.settings import Settings
from pagemeter.sources import Source

PLAIN = tuple(measure for measure in ALL if not measure.geometry)
EXTRA = Measure("CER"), Measure("CER", geometry=True)


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


def added(found, total):
    """The sum page by page; what any page lacks is not in it."""
    return {m: total[m] + found[m] for m in total if m in found} if total is not None else dict(found)


@pytest.mark.parametrize("at_once", [1, 3, 7, 1000])
@pytest.mark.parametrize("kinds", [(ALL,), (PLAIN,), (ALL, PLAIN), (PLAIN[:3], ALL, PLAIN)])
def test_sums_are_those_of_adding_page_by_page(monkeypatch, at_once, kinds):
    monkeypatch.setattr(sums, "_AT_ONCE", at_once)
    rng, totals, scores, budgets = random.Random(f"{at_once} {len(kinds)}"), Totals(), None, None
    pages = [page(rng, number, rng.choice(kinds)) for number in range(20)]
    for result in pages:
        totals.add(result)
        scores, budgets = added(result.scores, scores), added(result.budgets, budgets)
    assert totals.scores == scores
    assert totals.budgets == budgets
    assert totals.partial == {m for result in pages for m in result.scores} - set(scores)
    columns = {m: list(zip(errors, n_gt, strict=True)) for m, errors, n_gt in totals.counts.columns()}
    assert columns == {m: [(p.scores[m].errors, p.scores[m].n_gt) for p in pages] for m in scores}
    assert totals.counts.labels("folder") == [result.name[0] for result in pages]
    assert totals.counts.labels("document") == [result.document for result in pages]
    for measure in scores:
        textless = [p.scores[measure].errors for p in pages if not p.scores[measure].n_gt]
        assert totals.textless[measure] == sum(textless)


def test_totals_can_be_asked_for_at_any_time():
    rng, totals, errors = random.Random(0), Totals(), 0
    for number in range(5):
        result = page(rng, number, ALL)
        totals.add(result)
        errors += result.scores[ALL[0]].errors
        assert totals.scores[ALL[0]].errors == errors


def test_plain_scores_are_the_scores():
    scores = {measure: score(random.Random(str(measure)), measure) for measure in ALL}
    seconds = {measure: place / 7 for place, measure in enumerate(ALL)}
    plain = PlainScores.of(scores, seconds)
    assert plain == scores
    assert list(plain) == list(scores)
    assert len(plain) == len(ALL)
    assert PlainSeconds(plain) == seconds
    assert pickle.loads(pickle.dumps(plain)) == scores  # noqa: S301
    assert pickle.loads(pickle.dumps(PlainSeconds(plain))) == seconds  # noqa: S301
    assert PlainScores.of(plain, {}) is plain
    assert not PlainScores.of({}, {})
