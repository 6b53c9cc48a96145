"""The kernel's neighbours equal the definition on level, upright, slanted and bent lines."""

from __future__ import annotations

import math

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from pagemeter import _kernel
from pagemeter.geometry import neighbours, page_pixels
from pagemeter.page import Line, Page
from reference import geometry as reference

SLOW = settings(max_examples=60)
WHOLE = st.integers(-40, 400)
ANGLES = st.sampled_from([0, 0, 0, 1, 3, -2, 30, 45, 60, 88, 90, 90, 135, 178, 180, 180, 270])


@st.composite
def straight(draw):
    """Draw a baseline: a few nearly collinear points, often level, as on real pages."""
    x, y, length, angle = draw(WHOLE), draw(WHOLE), draw(st.integers(0, 260)), math.radians(draw(ANGLES))
    corners = draw(st.integers(2, 4))
    jitter = draw(st.lists(st.floats(-2, 2), min_size=corners, max_size=corners))
    return tuple(
        (
            x + length * i / (corners - 1) * math.cos(angle) + dx,
            y + length * i / (corners - 1) * math.sin(angle),
        )
        for i, dx in enumerate(jitter)
    )


@st.composite
def level(draw):
    """Draw a level baseline on a grid, so that touching ends and equal distances are frequent."""
    row, column, width = draw(st.integers(0, 7)), draw(st.integers(0, 3)), draw(st.integers(1, 2))
    points = ((100 * column, 30 * row), (100 * (column + width), 30 * row))
    points = points[:: draw(st.sampled_from([1, -1]))]
    return tuple((y, x) for x, y in points) if draw(st.booleans()) else points


bent = st.lists(st.tuples(st.floats(-20, 150), st.floats(-20, 150)), min_size=1, max_size=4).map(tuple)
baselines = st.lists(straight() | level() | bent, max_size=6)


def page(lines):
    return Page(tuple(Line("text", line) for line in lines))


@given(st.lists(st.tuples(st.integers(-70, 70), st.integers(-70, 70)), min_size=1, max_size=6))
def test_resampling_draws_and_thins_as_defined(line):
    points, starts = _kernel.resample(*page_pixels(page([line])))
    assert list(map(tuple, points.tolist())) == reference.resample(line)
    assert starts.tolist() == [0, len(points)]


@SLOW
@given(baselines)
def test_tolerances_are_those_of_the_definition(lines):
    expected = reference.tolerances([reference.resample(line) for line in lines])
    found = _kernel.tolerances(*_kernel.resample(*page_pixels(page(lines))))
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-9)


@SLOW
@given(baselines, baselines, st.sampled_from([0.0, 0.0, 0.2, 0.5, 0.9]))
def test_neighbours_are_those_of_the_definition(gt, hyp, threshold):
    found = neighbours(page(gt), page(hyp), threshold)
    assert found.shape == (len(gt), len(hyp))
    assert found.tolist() == reference.neighbours(gt, hyp, threshold)


@SLOW
@given(baselines, st.lists(st.tuples(st.integers(-3, 3), st.integers(-3, 3)), min_size=6, max_size=6))
def test_neighbours_of_a_slightly_moved_page_are_those_of_the_definition(gt, moves):
    hyp = [tuple((x + dx, y + dy) for x, y in line) for line, (dx, dy) in zip(gt, moves, strict=False)]
    assert neighbours(page(gt), page(hyp)).tolist() == reference.neighbours(gt, hyp)


@given(baselines, baselines, st.sampled_from([0.0, 0.3]))
def test_neighbours_are_those_of_the_single_steps(gt, hyp, threshold):
    pixels = page_pixels(page(gt)), page_pixels(page(hyp))
    first, second = (_kernel.resample(*corners) for corners in pixels)
    steps = _kernel.neighbour_mask(*first, *second, _kernel.tolerances(*first), threshold)
    assert (_kernel.neighbours(*pixels[0], *pixels[1], threshold) == steps).all()


@given(baselines)
def test_every_line_is_a_neighbour_of_itself(lines):
    assert neighbours(page(lines), page(lines)).diagonal().all()


@given(baselines, baselines, st.floats(0, 0.99))
def test_a_higher_threshold_only_removes_neighbours(gt, hyp, threshold):
    assert not (neighbours(page(gt), page(hyp), threshold) & ~neighbours(page(gt), page(hyp))).any()


@given(baselines, baselines, st.randoms(use_true_random=False))
def test_reordering_hypothesis_lines_reorders_columns(gt, hyp, random):
    order = random.sample(range(len(hyp)), len(hyp))
    shuffled = neighbours(page(gt), page([hyp[y] for y in order]))
    assert (shuffled == neighbours(page(gt), page(hyp))[:, order]).all()


@given(baselines, baselines, st.integers(-5000, 5000), st.integers(-5000, 5000))
def test_moving_both_pages_by_whole_pixels_changes_nothing(gt, hyp, dx, dy):
    def moved(lines):
        return page(
            [tuple((math.floor(x + 0.5) + dx, math.floor(y + 0.5) + dy) for x, y in line) for line in lines]
        )

    assert (neighbours(moved(gt), moved(hyp)) == neighbours(page(gt), page(hyp))).all()
