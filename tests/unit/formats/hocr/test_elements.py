"""hOCR: positions of lines."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from documents.hocr import line, page
from helpers import reasons, texts
from pagemeter.formats.hocr.elements import parse_title

if TYPE_CHECKING:
    from pagemeter.page import Page


class TestPosition:
    def one(self, title: str, around: str = "") -> Page:
        return page(f"<div class='ocr_carea' title='{around}'>{line(title)}</div>")

    def test_quotes_of_either_kind(self):
        """Values may have single or double quotes, and contain semicolons."""
        assert parse_title("image 'a;b'; x_font \"O'Brien\"; bbox 1 2 3 4") == {
            "image": ("a;b",),
            "x_font": ("O'Brien",),
            "bbox": ("1", "2", "3", "4"),
        }

    def test_loose_title(self):
        """Upper case, missing spaces and repeated properties are accepted."""
        assert parse_title(";;BBOX 1 2 3 4;ppageno 3;bbox 9 9 9 9;") == {
            "bbox": ("1", "2", "3", "4"),
            "ppageno": ("3",),
        }

    @pytest.mark.parametrize(
        ("spelled", "expected"),
        [
            ("0.1 -5", ((0, 15), (100, 25))),
            ("0 0", ((0, 20), (100, 20))),
            ("-5", ((0, 15), (100, 15))),
        ],
    )
    def test_straight_baseline(self, spelled, expected):
        """Slope and offset are relative to the lower left corner of the box; one number is the offset."""
        found = self.one(f"bbox 0 0 100 20; baseline {spelled}")
        assert found.lines[0].baseline == expected

    def test_curved_baseline(self):
        """A polynomial of higher degree is a curve of several points."""
        points = self.one("bbox 0 0 100 20; baseline 0.001 0 -10").lines[0].baseline
        assert points is not None
        assert points[0] == (0, 10)
        assert points[len(points) // 2] == (50, 12.5)
        assert points[-1] == (100, 20)

    def test_no_baseline(self):
        """An upright line without `baseline` has only its box."""
        assert self.one("bbox 0 0 100 20").lines[0].baseline is None

    @pytest.mark.parametrize(
        ("angle", "expected"),
        [
            ("0", None),
            ("90", ((20, 100), (20, 0))),
            ("180", ((20, 0), (0, 0))),
            ("270", ((0, 0), (0, 100))),
            ("-90", ((0, 0), (0, 100))),
            ("360", None),
        ],
    )
    def test_turned_line(self, angle, expected):
        """The baseline of turned text is the lower edge of its box in reading direction."""
        assert self.one(f"bbox 0 0 20 100; textangle {angle}").lines[0].baseline == expected

    @pytest.mark.parametrize(
        ("angle", "expected"),
        [
            (90, ((15, 100), (25, 0))),
            (180, ((20, 5), (0, 3))),
            (270, ((5, 0), (-5, 100))),
        ],
    )
    def test_turned_polynomial(self, angle, expected):
        """Slope and offset turn with the text."""
        found = self.one(f"bbox 0 0 20 100; textangle {angle}; baseline 0.1 -5")
        assert found.lines[0].baseline == tuple(pytest.approx(point) for point in expected)

    def test_angle_of_the_block(self):
        """The textangle of a block applies to its lines."""
        found = self.one("bbox 0 0 20 100", around="textangle 90")
        assert found.lines[0].baseline == ((20, 100), (20, 0))

    def test_oblique_angle(self):
        """An angle that is not a multiple of 90 is rounded with a warning."""
        found = self.one("bbox 0 0 100 20; textangle 7.3; baseline 0.1 0")
        assert found.lines[0].baseline == ((0, 20), (100, 30))
        assert reasons(found) == ["textangle is not a multiple of 90, and was rounded"]

    def test_polygon(self):
        """`poly` is the polygon, and the baseline is relative to the box."""
        found = self.one("bbox 0 0 100 20; poly 0 5 100 0 100 20; baseline 0 -2")
        assert found.lines[0].polygon == ((0, 5), (100, 0), (100, 20))
        assert found.lines[0].baseline == ((0, 18), (100, 18))

    @pytest.mark.parametrize(
        ("title", "reason"),
        [
            ("bbox 0 0 9", "bbox was ignored: 3 numbers, not 4"),
            ("bbox 0 0 nan 9", "bbox was ignored: a coordinate that is not a finite number"),
            ("bbox 0 0 inf 9", "bbox was ignored: a coordinate that is not a finite number"),
            ("bbox 0 0 9 1e99", "bbox was ignored: a coordinate beyond 1,000,000 pixels"),
            ("bbox 0 0 9 x", "bbox was ignored: a coordinate that is not a number"),
            ("bbox 9 0 0 9", "opposite edges of bbox are swapped, and were corrected"),
            (
                "bbox 0 0 9 9; baseline nan 0",
                "baseline was ignored: a coordinate that is not a finite number",
            ),
            ("bbox 0 0 9 9; baseline 900000 9", "baseline was ignored: a coordinate beyond 1,000,000 pixels"),
            ("bbox 0 0 9 9; baseline", "baseline was ignored: 0 coefficients"),
            ("bbox 0 0 9 9; poly 1 2 3", "poly was ignored: an odd number of coordinates"),
            ("bbox 0 0 9 9; textangle up", "textangle was ignored: a coordinate that is not a number"),
        ],
    )
    def test_unusable_positions(self, title, reason):
        """An unusable position is ignored with a warning, and the text is read."""
        found = self.one(title)
        assert texts(found) == ["a"]
        assert reasons(found) == [reason]
        assert found.warnings[0].element == "line l1"

    def test_negative_and_fractional(self):
        """Coordinates may be negative or fractional."""
        assert self.one("bbox -1 -2.5 3 4").lines[0].polygon == ((-1, -2.5), (3, -2.5), (3, 4), (-1, 4))
