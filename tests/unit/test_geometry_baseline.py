"""The baseline of a line that has none: the lower edge of its polygon, or the middle of a column."""

from __future__ import annotations

import math

import pytest

from pagemeter.geometry import baseline_of, lower_edge
from pagemeter.page import Line


class TestBaselineOf:
    def test_a_baseline_goes_before_a_polygon(self):
        assert baseline_of(Line("a", ((0, 5), (300, 5)), ((0, 0), (9, 9)))) == ((0, 5), (300, 5))

    def test_an_empty_baseline_counts_as_absent(self):
        assert baseline_of(Line("a", (), ((0, 0), (9, 4)))) == ((0, 4), (9, 4))

    def test_a_line_without_a_place_has_none(self):
        assert baseline_of(Line("a", (), ())) is None

    def test_a_tall_polygon_with_several_characters_is_a_column(self):
        assert baseline_of(Line("目錄終", None, ((0, 0), (40, 0), (40, 120), (0, 120)))) == (
            (20, 0),
            (20, 120),
        )

    @pytest.mark.parametrize("text", ["", "9", " | "])
    def test_a_tall_polygon_with_one_character_is_not(self, text):
        assert baseline_of(Line(text, None, ((0, 0), (10, 0), (10, 40), (0, 40)))) == ((0, 40), (10, 40))

    def test_a_polygon_twice_as_tall_as_wide_is_not_yet_a_column(self):
        assert baseline_of(Line("it", None, ((0, 0), (20, 40)))) == ((0, 40), (20, 40))


class TestLowerEdge:
    BOX = ((10, 20), (90, 20), (90, 50), (10, 50))

    @pytest.mark.parametrize("turn", range(4))
    @pytest.mark.parametrize("step", [1, -1])
    def test_a_box_may_start_at_any_corner_and_run_either_way(self, turn, step):
        box = (self.BOX[turn:] + self.BOX[:turn])[::step]
        assert lower_edge(box) == ((10, 50), (90, 50))

    @pytest.mark.parametrize("corners", [(0, 2), (2, 0), (1, 3), (3, 1)])
    def test_two_points_are_opposite_corners(self, corners):
        assert lower_edge([self.BOX[i] for i in corners]) == ((10, 50), (90, 50))

    def test_a_closed_outline_is_that_of_its_corners(self):
        assert lower_edge((*self.BOX, self.BOX[0])) == ((10, 50), (90, 50))

    @pytest.mark.parametrize("degrees", [-40, -10, 0, 10, 40])
    def test_a_turned_box_gives_its_lower_side(self, degrees):
        angle = math.radians(degrees)
        box = [
            (x * math.cos(angle) - y * math.sin(angle), x * math.sin(angle) + y * math.cos(angle))
            for x, y in ((0, 0), (200, 0), (200, 30), (0, 30))
        ]
        assert lower_edge(box) == (box[3], box[2])

    def test_an_outline_of_many_points_gives_its_lower_points_without_the_sides(self):
        top = ((0, 4), (30, 0), (60, 5), (100, 2))
        right = ((103, 10), (102, 20))
        bottom = ((100, 30), (70, 33), (40, 29), (0, 31))
        left = ((-2, 20), (-3, 12))
        assert lower_edge(top + right + bottom + left) == bottom[::-1]

    def test_an_outline_steep_everywhere_is_kept_whole(self):
        assert lower_edge(((0, 0), (10, -50), (20, 0), (10, 50))) == ((0, 0), (10, 50), (20, 0))

    @pytest.mark.parametrize("polygon", [((3, 4),), ((3, 4),) * 2, ((3, 4),) * 5])
    def test_a_point_stays_a_point(self, polygon):
        assert set(lower_edge(polygon)) == {(3, 4)}

    def test_a_flat_outline_runs_from_left_to_right(self):
        edge = lower_edge(((5, 7), (0, 7), (9, 7)))
        assert (edge[0], edge[-1]) == ((0, 7), (9, 7))

    def test_an_upright_outline_without_width_keeps_its_points(self):
        assert set(lower_edge(((5, 0), (5, 30), (5, 10)))) <= {(5, 0), (5, 10), (5, 30)}
