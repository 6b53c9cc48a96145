"""Baselines derived from polygons, and the neighbours of lines: small pages computed by hand, and errors."""

from __future__ import annotations

import math

import numpy as np
import pytest

from pagemeter import _kernel
from pagemeter.errors import GeometryError, PagemeterError, UsageError
from pagemeter.geometry import _MAX_COORDINATE as LIMIT
from pagemeter.geometry import baseline_of, lower_edge, neighbours, page_pixels
from pagemeter.page import Line, Page


def page(*baselines):
    return Page(tuple(Line("text", baseline) for baseline in baselines))


def level(y, left=0, right=300):
    return ((left, y), (right, y))


def resampled(*baselines):
    return _kernel.resample(*page_pixels(page(*baselines)))


def points(baseline):
    return list(map(tuple, resampled(baseline)[0].tolist()))


def tolerances(*baselines):
    return _kernel.tolerances(*resampled(*baselines)).tolist()


def turned(baseline):
    return tuple((y, x) for x, y in baseline)


class TestResample:
    def test_twenty_pixels_are_all_kept(self):
        assert points(((0, 0), (19, 0))) == [(x, 0) for x in range(20)]

    def test_of_twenty_one_pixels_twenty_are_kept(self):
        assert points(((0, 0), (20, 0))) == [(20 * i // 19, 0) for i in range(20)]

    def test_a_long_baseline_keeps_every_fifth_pixel(self):
        assert points(((0, 7), (500, 7))) == [(x, 7) for x in range(0, 501, 5)]

    def test_the_last_pixel_is_kept_where_five_does_not_divide_the_length(self):
        kept = points(((0, 0), (503, 0)))
        assert (len(kept), kept[0], kept[-1]) == (101, (0, 0), (503, 0))

    def test_halves_round_up_on_both_sides_of_zero(self):
        assert points(((0, 0), (2, 1), (4, 0))) == [(0, 0), (1, 1), (2, 1), (3, 1), (4, 0)]
        assert points(((0, 0), (2, -1), (4, 0))) == [(0, 0), (1, 0), (2, -1), (3, 0), (4, 0)]

    @pytest.mark.parametrize("corner", [(LIMIT, 999_999), (LIMIT, 1 - LIMIT), (7, LIMIT), (LIMIT - 3, 0)])
    def test_halves_of_long_lines_round_up_too(self, corner):
        found = points(((-LIMIT, -LIMIT), corner))
        sides = [end + LIMIT for end in corner]
        length = max(sides)
        stride = length / (len(found) - 1)
        for i in (*range(0, len(found) - 1, 997), len(found) // 2):
            expected = tuple((2 * int(i * stride) * side + length) // (2 * length) - LIMIT for side in sides)
            assert found[i] == expected

    def test_fractions_are_rounded_before_drawing(self):
        assert points(((0.5, -0.5), (2.4, 0.4))) == [(1, 0), (2, 0)]

    @pytest.mark.parametrize("copies", [1, 2, 5])
    def test_a_point_stays_a_point(self, copies):
        assert points(((3, 4),) * copies) == [(3, 4)]

    def test_repeated_points_inside_a_baseline_add_nothing(self):
        assert points(((0, 0), (0, 0), (5, 0), (5, 0), (9, 0), (9, 0))) == [(x, 0) for x in range(10)]

    def test_a_baseline_that_goes_back_and_closes_is_followed(self):
        assert points(((0, 0), (3, 0), (0, 0))) == [(0, 0), (1, 0), (2, 0), (3, 0), (2, 0), (1, 0), (0, 0)]


class TestTolerances:
    def test_a_quarter_of_the_distance_to_the_next_line(self):
        assert tolerances(level(0), level(40)) == [10, 10]

    def test_at_most_a_quarter_of_the_mean_distance(self):
        assert tolerances(level(0), level(40), level(140)) == [10, 10, 15]

    def test_a_line_alone_gets_the_largest_distance(self):
        assert tolerances(level(0)) == [62.5]

    def test_a_line_far_from_all_others_gets_the_mean_distance(self):
        assert tolerances(level(0), level(40), level(1000)) == [10, 10, 10]

    @pytest.mark.parametrize(("gap", "expected"), [(249, 62.25), (250, 62.5), (251, 62.5)])
    def test_the_next_line_is_sought_below_250_pixels(self, gap, expected):
        assert tolerances(level(0), level(gap)) == [expected] * 2

    def test_a_line_in_the_next_column_does_not_count(self):
        assert tolerances(level(0), level(40), level(3, 305, 600)) == [10, 10, 10]

    def test_a_line_that_begins_where_another_ends_counts(self):
        assert tolerances(level(0), level(3, 300, 600)) == [0.75, 0.75]

    def test_a_line_on_top_of_another_counts_as_missing(self):
        assert tolerances(level(0), level(0), level(40)) == [10, 10, 10]

    def test_a_line_met_in_slanted_direction_counts_as_missing_whatever_the_rounding(self):
        """The regression line of the first runs through a pixel of the second, so their distance is zero."""
        bend = ((-63, 222), (-61, 222), (-63, 221))
        assert tolerances(bend, ((-69, 222), (-46, 226)))[0] > 0.01

    def test_points_ten_pixels_apart_along_the_direction_are_still_opposite(self):
        assert tolerances(((0, 0),), ((0, 400), (10, 20))) == [5, 5]

    def test_a_line_of_two_pixels_has_the_direction_of_both(self):
        assert tolerances(((0, 0), (1, 0)), ((0, 40), (1, 40))) == [10, 10]

    @pytest.mark.parametrize("change", [turned, lambda line: line[::-1], lambda line: turned(line)[::-1]])
    def test_upright_and_right_to_left_lines_are_measured_alike(self, change):
        lines = [level(0), level(40), level(140), level(5, 310, 600)]
        assert tolerances(*map(change, lines)) == tolerances(*lines)

    def test_the_distance_is_measured_across_a_slanted_line(self):
        found = tolerances(((0, 0), (300, 300)), ((0, 80), (300, 380)))
        assert found == pytest.approx([80 / math.sqrt(2) / 4] * 2, abs=1e-9)

    def test_lines_without_a_position_are_ignored(self):
        gt = Page((Line("a", level(0)), Line(""), Line("b", level(40))))
        assert _kernel.tolerances(*_kernel.resample(*page_pixels(gt))).tolist() == [10, 10, 10]


class TestNeighbours:
    def test_pages_without_lines_give_an_empty_mask(self):
        lines = page(level(0), level(40))
        assert neighbours(Page(), Page()).shape == (0, 0)
        assert neighbours(lines, Page()).shape == (2, 0)
        assert neighbours(Page(), lines).shape == (0, 2)

    def test_the_mask_is_boolean_with_ground_truth_rows(self):
        mask = neighbours(page(level(0), level(40)), page(level(1), level(39), level(500)))
        assert mask.dtype == np.bool_
        assert mask.tolist() == [[True, False, False], [False, True, False]]

    @pytest.mark.parametrize(
        ("offset", "near"), [(0, True), (10, True), (29, True), (30, False), (31, False)]
    )
    def test_coverage_ends_at_three_times_the_tolerance(self, offset, near):
        assert neighbours(page(level(0), level(-40)), page(level(offset)))[0, 0] == near

    @pytest.mark.parametrize(("offset", "coverage"), [(10, 1.0), (15, 0.75), (20, 0.5), (25, 0.25)])
    def test_a_pair_needs_more_than_the_threshold(self, offset, coverage):
        gt, hyp = page(level(0), level(-40)), page(level(offset))
        assert neighbours(gt, hyp, coverage - 1e-9)[0, 0]
        if coverage < 1:
            assert not neighbours(gt, hyp, coverage)[0, 0]

    def test_coverage_is_the_share_of_the_hypothesis_baseline(self):
        gt, hyp = page(level(0), level(-40)), page(level(0, 0, 3000))
        assert neighbours(gt, hyp, 0.1)[0, 0]
        assert not neighbours(gt, hyp, 0.12)[0, 0]

    def test_a_point_within_the_tolerance_counts_once_however_close(self):
        gt, hyp = page(level(0), level(-41)), page(level(10, 0, 595))
        coverage = (61 + sum((30.75 - delta) / 20.5 for delta in (15, 20, 25, 30))) / 120
        assert neighbours(gt, hyp, coverage - 1e-6)[0, 0]
        assert not neighbours(gt, hyp, coverage + 1e-6)[0, 0]

    def test_a_merged_line_is_a_neighbour_of_both_its_parts(self):
        gt = page(level(0, 0, 140), level(2, 160, 300), level(40), level(80))
        assert neighbours(gt, page(level(1)))[:, 0].tolist() == [True, True, False, False]

    def test_distance_is_city_block(self):
        gt = page(((0, 0),), level(-40, -150, 150))
        assert neighbours(gt, page(((14, 15),)))[0, 0]
        assert not neighbours(gt, page(((15, 15),)))[0, 0]

    @pytest.mark.parametrize("threshold", [-0.1, 1.0, math.nan])
    def test_a_threshold_that_is_no_share_is_refused(self, threshold):
        with pytest.raises(UsageError, match="threshold"):
            neighbours(Page(), Page(), threshold)

    def test_a_large_page_is_that_of_its_parts(self):
        """A page of many blocks too far apart to meet has the masks of the blocks on its diagonal."""
        gt_block = [level(30 * row + row % 3) for row in range(8)]
        hyp_block = [((4, 30 * row + 9 - row), (250, 30 * row + 4)) for row in range(8)]
        single = neighbours(page(*gt_block), page(*hyp_block))
        shifts = [(x * 900, y * 900) for x in range(6) for y in range(6)]

        def everywhere(block):
            return page(*(tuple((x + dx, y + dy) for x, y in line) for dx, dy in shifts for line in block))

        expected = np.kron(np.eye(len(shifts), dtype=int), single.astype(int)).astype(bool)
        assert (neighbours(everywhere(gt_block), everywhere(hyp_block)) == expected).all()


def test_baselines_read_late_give_the_pixels_of_baselines_read_at_once():
    """The kernel parses plain texts; fractions, missing and very long baselines are parsed in Python."""
    from pagemeter.formats.coordinates import lazy_line

    plain = [lazy_line("a", text, None, None, None) for text in ("1,2 30,4", "5 6 70 8", "9,9")]
    unusual = [
        lazy_line("b", ((0.5, 1.5), (9, 9)), None, None, None),
        lazy_line("", None, None, None, None),
        lazy_line("c", "999999,1 0,2 999999,3", None, None, None),
    ]
    for lines in (plain, [*plain, *unusual], unusual, []):
        late = page_pixels(Page(tuple(lines)))
        at_once = page_pixels(Page(tuple(Line(line.text, line.baseline) for line in lines)))
        assert [part.tolist() for part in late] == [part.tolist() for part in at_once]
        assert [part.dtype for part in late] == [part.dtype for part in at_once]


class TestPlaces:
    @pytest.mark.parametrize("source", ["pages/a.xml", ""])
    @pytest.mark.parametrize("side", [0, 1])
    def test_a_line_without_a_position_is_named_with_the_remedy(self, side, source):
        pages = [page(level(0)), page(level(0))]
        pages[side] = Page((Line("a", level(0)), Line("b", (), (), id="tl_7")), source)
        with pytest.raises(GeometryError, match=r"line tl_7 \(index 1\): .*without G") as raised:
            neighbours(*pages)
        assert str(raised.value).startswith(source)

    @pytest.mark.parametrize("blank", ["", " ", "\t\u00a0"])
    def test_an_empty_line_without_a_position_has_no_neighbours(self, blank):
        blanks = Page((Line(blank), Line("b", level(40)), Line(blank, (), ())))
        assert neighbours(blanks, page(level(40))).tolist() == [[False], [True], [False]]
        assert neighbours(page(level(40)), blanks).tolist() == [[False, True, False]]

    @pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf, LIMIT + 1, -LIMIT - 0.5, 10**400])
    @pytest.mark.parametrize("place", ["baseline", "polygon"])
    def test_coordinates_on_no_page_are_an_error(self, bad, place):
        line = Line("a", **{place: ((0, 0), (5, 0), (5, bad), (0, 5))})
        with pytest.raises(GeometryError, match=r"scan\.xml: line with index 0: the point \(5, "):
            neighbours(Page((line,), "scan.xml"), Page())

    def test_coordinates_at_the_limit_are_drawn(self):
        far = ((-LIMIT, -LIMIT), (LIMIT, LIMIT))
        assert neighbours(page(far), page(far)).tolist() == [[True]]
        assert len(points(far)) == 2 * LIMIT // 5 + 1

    def test_a_page_with_too_long_baselines_is_an_error(self):
        endless = ((-LIMIT, 0), (LIMIT, 0)) * 40
        with pytest.raises(GeometryError, match=r"index 1: the baseline is 158000000 px long"):
            neighbours(page(level(0), endless), Page())

    def test_a_geometry_error_is_a_pagemeter_error(self):
        with pytest.raises(PagemeterError):
            neighbours(Page.from_text("no place"), Page())


class TestKernelArguments:
    PIXELS = np.array([[0, 0], [9, 0]], dtype=np.int32)

    @pytest.mark.parametrize("starts", [[], [1, 2], [0, 1], [0, 3], [0, 2, 1, 2], [0, -1, 2]])
    def test_starts_that_do_not_cut_the_pixels_are_refused(self, starts):
        with pytest.raises(ValueError, match="starts must"):
            _kernel.resample(self.PIXELS, np.array(starts, dtype=np.int64))

    def test_pixels_beyond_the_limit_are_refused(self):
        with pytest.raises(ValueError, match="one million"):
            _kernel.tolerances(self.PIXELS + np.int32(LIMIT), np.array([0, 2]))

    @pytest.mark.parametrize(("tolerance", "threshold"), [([], 0), ([0.0], 0), ([math.nan], 0), ([1.0], 1.5)])
    def test_tolerances_and_threshold_are_checked(self, tolerance, threshold):
        lines = self.PIXELS, np.array([0, 2])
        with pytest.raises(ValueError, match=r"must be|tolerance"):
            _kernel.neighbour_mask(*lines, *lines, np.array(tolerance), threshold)

    def test_corners_and_threshold_of_neighbours_are_checked(self):
        lines = self.PIXELS, np.array([0, 2])
        with pytest.raises(ValueError, match="threshold must be"):
            _kernel.neighbours(*lines, *lines, 1.0)
        with pytest.raises(ValueError, match="one million"):
            _kernel.neighbours(*lines, self.PIXELS + np.int32(LIMIT), lines[1], 0.0)

    def test_pixels_of_another_shape_or_type_are_refused(self):
        with pytest.raises(TypeError):
            _kernel.resample(np.zeros((2, 3), dtype=np.int32), np.array([0, 2]))
        with pytest.raises(TypeError):
            _kernel.resample(np.array(["a"]), np.array([0, 1]))


class TestBaselineOf:
    def test_a_baseline_is_preferred_to_a_polygon(self):
        assert baseline_of(Line("a", ((0, 5), (300, 5)), ((0, 0), (9, 9)))) == ((0, 5), (300, 5))

    def test_an_empty_baseline_counts_as_absent(self):
        assert baseline_of(Line("a", (), ((0, 0), (9, 4)))) == ((0, 4), (9, 4))

    def test_a_line_without_a_position_has_none(self):
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
