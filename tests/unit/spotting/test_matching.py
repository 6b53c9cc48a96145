"""Matching of hits and references by position."""

from __future__ import annotations

import random
from itertools import permutations

import pytest

from pagemeter.formats.coordinates import Rectangle
from pagemeter.spotting import Hit, Place, Reference, Spots, SpottingSettings
from pagemeter.spotting.matching import augment, match

SETTINGS = SpottingSettings()


def most_matches(candidates, references):
    """Return the size of the largest matching, by trying all assignments."""
    slots = [*range(references), *(-1 for _ in candidates)]
    return max(
        sum(slot in fits for slot, fits in zip(order, candidates, strict=False))
        for order in set(permutations(slots, len(candidates)))
    )


@pytest.mark.parametrize("seed", range(60))
def test_every_prefix_has_the_largest_matching(seed):
    rng = random.Random(seed)
    references = rng.randint(0, 3)
    candidates = [[one for one in range(references) if rng.random() < 0.5] for _ in range(rng.randint(0, 4))]
    partners = augment(candidates)
    for count in range(len(candidates) + 1):
        found = sum(partner is not None for partner in partners[:count])
        assert found == most_matches(candidates[:count], references)
    chosen = [partner for partner in partners if partner is not None]
    assert len(chosen) == len(set(chosen))
    assert all(partner is None or partner in fits for partner, fits in zip(partners, candidates, strict=True))


def test_long_augmenting_paths_need_no_recursion():
    count = 5000
    candidates = [[place, place + 1] for place in range(count)] + [[0]]
    assert None not in augment(candidates)


def boxes(*corners):
    return [Place(Rectangle(*one)) for one in corners]


def right(references, hits, settings=SETTINGS, lines=None):
    spots = Spots(tuple(references), tuple(hits), lines=lines or {})
    return [(one.reference is not None, one.repeated) for one in match(spots, settings)]


def test_hits_match_only_their_query_and_document():
    (place,) = boxes((0, 0, 10, 10))
    hits = [Hit("a", "1", 0.9, place), Hit("b", "1", 0.9, place), Hit("a", "2", 0.9, place)]
    assert right([Reference("a", "1", place)], hits) == [(True, False), (False, False), (False, False)]


def test_a_second_hit_repeats_the_first():
    (place,) = boxes((0, 0, 10, 10))
    hits = [Hit("a", "1", 0.5, place), Hit("a", "1", 0.9, place)]
    assert right([Reference("a", "1", place)], hits) == [(False, True), (True, False)]


@pytest.mark.parametrize(
    ("area", "hyp", "expected"),
    [
        ("hyp", (0, 0, 20, 10), True),  # half of the hit
        ("hyp", (0, 0, 21, 10), False),
        ("gt", (0, 0, 21, 10), True),
        ("union", (0, 0, 20, 10), True),
        ("union", (5, 0, 15, 10), False),  # a third
        ("hyp", (10, 0, 20, 10), False),  # they touch
        ("hyp", (0, 0, 0, 0), False),  # no area
    ],
)
def test_boxes_match_by_their_overlap(area, hyp, expected):
    reference, hit = boxes((0, 0, 10, 10), hyp)
    settings = SpottingSettings(area=area)
    assert right([Reference("a", "1", reference)], [Hit("a", "1", 1, hit)], settings)[0][0] is expected


def test_touching_boxes_never_match():
    reference, hit = boxes((0, 0, 10, 10), (10, 0, 20, 10))
    settings = SpottingSettings(overlap=0)
    assert not right([Reference("a", "1", reference)], [Hit("a", "1", 1, hit)], settings)[0][0]


LINE = ((0, 100), (600, 100))
WORDS = [((0, 100), (80, 100)), ((300, 100), (380, 100))]


def test_baselines_match_the_word_or_its_line():
    references = [Reference("a", "1", Place(None, WORDS[0], LINE))]
    lines = {"1": (LINE, ((0, 160), (600, 160)))}
    for word, expected in ((WORDS[0], True), (WORDS[1], False)):
        hits = [Hit("a", "1", 1, Place(None, word))]
        assert right(references, hits, SETTINGS, lines)[0][0] is expected
        on_line = SpottingSettings(position="line")
        assert right(references, hits, on_line, lines)[0][0]
    far = [Hit("a", "1", 1, Place(None, ((0, 300), (80, 300))))]
    assert not right(references, far, SpottingSettings(position="line"), lines)[0][0]


def test_hits_without_an_own_position_are_compared_with_the_line():
    references = [Reference("a", "1", Place(None, word, LINE)) for word in WORDS]
    hits = [Hit("a", "1", score, Place(None, None, LINE)) for score in (3, 2, 1)]
    assert right(references, hits) == [(True, False), (True, False), (False, True)]


def test_without_positions_the_document_decides():
    references = [Reference("a", "1"), Reference("a", "1", Place())]
    hits = [Hit("a", "1", 1, Place(None, WORDS[0])), Hit("a", "1", 2), Hit("a", "1", 0.5)]
    assert [one for one, _ in right(references, hits)] == [True, True, False]
