"""Readable geometry: every pixel is drawn and every pair of points is compared."""

from __future__ import annotations

import math
from functools import reduce
from itertools import pairwise
from operator import add

SPACING = 5
FEWEST = 20
FARTHEST = 250
NOTHING = 1e-9
RELATIVE = 0.25


def round_half_up(value):
    """Return the nearest integer; ties are rounded up."""
    return math.floor(value + 0.5)


def total(values):
    """Return the sum from left to right with rounding at each step (unlike `sum` since Python 3.12)."""
    return reduce(add, values, 0.0)


def draw(corners):
    """Return every pixel of a polyline, with step 1 in the larger direction and the other one rounded."""
    corners = [(round_half_up(x), round_half_up(y)) for x, y in corners]
    pixels = []
    for (x1, y1), (x2, y2) in pairwise(corners):
        n = max(abs(x2 - x1), abs(y2 - y1))
        pixels += [
            (round_half_up(x1 + i * (x2 - x1) / n), round_half_up(y1 + i * (y2 - y1) / n)) for i in range(n)
        ]
    return pixels + corners[-1:]


def resample(corners):
    """Return about every fifth pixel of a drawn baseline at equal index steps, but at least 20."""
    pixels = draw(corners)
    if len(pixels) <= FEWEST:
        return pixels
    kept = max(FEWEST, (len(pixels) - 1) // SPACING + 1)
    stride = (len(pixels) - 1) / (kept - 1)
    return [pixels[int(i * stride)] for i in range(kept - 1)] + pixels[-1:]


def direction(points):
    """Return the unit vector of the least-squares slope, turned by π if the points run the other way."""
    (x1, y1), (x2, y2), n = points[0], points[-1], len(points)
    width = max(x for x, _ in points) - min(x for x, _ in points)
    if n == 1:
        return 1.0, 0.0
    if width < 2 and (n > 2 or width == 0):
        return (0.0, 1.0) if y1 <= y2 else (-0.0, -1.0)
    sx, sy = sum(x - x1 for x, _ in points), sum(y - y1 for _, y in points)
    sxx, sxy = sum((x - x1) ** 2 for x, _ in points), sum((x - x1) * (y - y1) for x, y in points)
    slope = (n * sxy - sx * sy) / (n * sxx - sx * sx)
    norm = math.sqrt(1 + slope * slope)
    turn = -1 if (x2 - x1) / norm + (y2 - y1) * slope / norm < 0 else 1
    return turn / norm, turn * slope / norm


def along(p, q, u):
    """Return the component of p - q along u."""
    return (p[0] - q[0]) * u[0] + (p[1] - q[1]) * u[1]


def across(p, q, u):
    """Return the component of p - q across u."""
    return (p[0] - q[0]) * u[1] - (p[1] - q[1]) * u[0]


def distance(x, points):
    """Return d_x, the distance to the nearest other baseline, or None if there is none or it is 0."""
    own, u = points[x], direction(points[x])
    found = []
    for c, other in enumerate(points):
        ends = [along(p, q, u) for p in (own[0], own[-1]) for q in (other[0], other[-1])]
        if c == x or all(e < 0 for e in ends) or all(e > 0 for e in ends):
            continue
        found += [abs(across(p, q, u)) for p in own for q in other if abs(along(p, q, u)) <= 2 * SPACING]
    nearest = min(found, default=FARTHEST)
    return nearest if NOTHING < nearest < FARTHEST else None


def tolerances(points):
    """Return t_x of every resampled ground truth baseline."""
    distances = [distance(x, points) for x in range(len(points))]
    known = [d for d in distances if d is not None]
    mean = total(known) / len(known) if known else FARTHEST
    return [RELATIVE * min(mean if d is None else d, mean) for d in distances]


def share(delta, t):
    """Return c(δ): 1 up to t, 0 from 3t on, linear in between."""
    if delta <= t:
        return 1.0
    return (3 * t - delta) / (2 * t) if delta < 3 * t else 0.0


def coverage(h, g, t):
    """Return COV(h, g, t), the mean closeness to g over the points of h."""
    shares = [share(min(abs(px - qx) + abs(py - qy) for qx, qy in g), t) for px, py in h]
    return total(shares) / len(shares)


def neighbours(gt, hyp, threshold=0.0):
    """Return N as a table of bools: rows are ground truth baselines, columns hypothesis baselines."""
    gt_points, hyp_points = [resample(b) for b in gt], [resample(b) for b in hyp]
    return [
        [coverage(h, g, t) > threshold for h in hyp_points]
        for g, t in zip(gt_points, tolerances(gt_points), strict=True)
    ]
