"""hOCR: where lines stand."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from documents.hocr import line, page, reasons, texts
from pagemeter.formats.hocr_title import properties

if TYPE_CHECKING:
    from pagemeter.page import Page


class TestPlace:
    def one(self, title: str, around: str = "") -> Page:
        return page(f"<div class='ocr_carea' title='{around}'>{line(title)}</div>")

    def test_quotes_of_either_kind(self):
        """Values are quoted singly or doubly; a semicolon inside ends nothing."""
        assert properties("image 'a;b'; x_font \"O'Brien\"; bbox 1 2 3 4") == {
            "image": ("a;b",),
            "x_font": ("O'Brien",),
            "bbox": ("1", "2", "3", "4"),
        }

    def test_loose_title(self):
        """Names in capitals, missing blanks and a repeated property do no harm."""
        assert properties(";;BBOX 1 2 3 4;ppageno 3;bbox 9 9 9 9;") == {
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
        """Slope and offset count from the lower left corner of the box; one number is the offset."""
        found = self.one(f"bbox 0 0 100 20; baseline {spelled}")
        assert found.lines[0].baseline == expected

    def test_curved_baseline(self):
        """A polynomial of higher degree is drawn as a curve through its ends and its middle."""
        points = self.one("bbox 0 0 100 20; baseline 0.001 0 -10").lines[0].baseline
        assert points is not None
        assert points[0] == (0, 10)
        assert points[len(points) // 2] == (50, 12.5)
        assert points[-1] == (100, 20)

    def test_no_baseline(self):
        """Without `baseline` an upright line has none: its box serves for it later."""
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
        """The baseline of turned text is the edge of its box below the text, in reading direction."""
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
        """A textangle on the block holds for its lines."""
        found = self.one("bbox 0 0 20 100", around="textangle 90")
        assert found.lines[0].baseline == ((20, 100), (20, 0))

    def test_oblique_angle(self):
        """An angle between the quarters is rounded, with a warning."""
        found = self.one("bbox 0 0 100 20; textangle 7.3; baseline 0.1 0")
        assert found.lines[0].baseline == ((0, 20), (100, 30))
        assert reasons(found) == ["textangle that is no multiple of 90: the nearest one is taken"]

    def test_polygon(self):
        """`poly` is the outline, and the box gives the baseline."""
        found = self.one("bbox 0 0 100 20; poly 0 5 100 0 100 20; baseline 0 -2")
        assert found.lines[0].polygon == ((0, 5), (100, 0), (100, 20))
        assert found.lines[0].baseline == ((0, 18), (100, 18))

    @pytest.mark.parametrize(
        ("title", "reason"),
        [
            ("bbox 0 0 9", "bbox left out: 3 numbers, not 4"),
            ("bbox 0 0 nan 9", "bbox left out: a coordinate that is not a finite number"),
            ("bbox 0 0 inf 9", "bbox left out: a coordinate that is not a finite number"),
            ("bbox 0 0 9 1e99", "bbox left out: a coordinate beyond 1,000,000 pixels"),
            ("bbox 0 0 9 x", "bbox left out: a coordinate that is not a number"),
            ("bbox 9 0 0 9", "bbox with its corners exchanged: turned round"),
            ("bbox 0 0 9 9; baseline nan 0", "baseline left out: a coordinate that is not a finite number"),
            ("bbox 0 0 9 9; baseline 900000 9", "baseline left out: a coordinate beyond 1,000,000 pixels"),
            ("bbox 0 0 9 9; baseline", "baseline left out: 0 coefficients"),
            ("bbox 0 0 9 9; poly 1 2 3", "poly left out: an odd number of coordinates"),
            ("bbox 0 0 9 9; textangle up", "textangle left out: a coordinate that is not a number"),
        ],
    )
    def test_unusable_places(self, title, reason):
        """A place that cannot be used is left out with its reason; the text stays."""
        found = self.one(title)
        assert texts(found) == ["a"]
        assert reasons(found) == [reason]
        assert found.warnings[0].element == "line l1"

    def test_negative_and_fractional(self):
        """Negative and fractional coordinates are coordinates."""
        assert self.one("bbox -1 -2.5 3 4").lines[0].polygon == ((-1, -2.5), (3, -2.5), (3, 4), (-1, 4))
