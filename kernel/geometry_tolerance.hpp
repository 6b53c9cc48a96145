// t_x: how far from GT baseline x a point still counts as being on it.
//
// d_x is the distance from x to the nearest other GT baseline, measured across the direction of x between
// points that are opposite each other; t_x is a quarter of it, but at most a quarter of the mean d.
#pragma once

#include <cmath>

#include "geometry.hpp"

namespace pagemeter {

namespace geometry {

constexpr double kAlong = 2 * kSpacing;  // points further apart along the direction are not opposite
constexpr double kFarthest = 250;        // a baseline further across is no neighbour
constexpr double kRelative = 0.25;       // tolerance by distance
constexpr double kNothing = 1e-9;        // a distance below it is zero but for rounding
constexpr double kMargin = 1e-6;         // more than rounding does to a projection; for pruning only

struct Direction {
    double x, y;

    double along(Pixel p, Pixel q) const { return (p.x - q.x) * x + (p.y - q.y) * y; }
    double across(Pixel p, Pixel q) const { return (p.x - q.x) * y - (p.y - q.y) * x; }
};

// The least-squares slope as a unit vector, pointing from the first to the last point. A baseline less than
// two pixels wide is upright. Sums are taken from the first point on, so a level baseline is exactly level.
inline Direction direction(Baseline line) {
    if (line.size() < 2) return {1.0, 0.0};
    const Box box = box_of(line);
    const Pixel first = line.front(), last = line.back();
    Direction d{0.0, 1.0};
    if (box.right - box.left >= (line.size() > 2 ? 2 : 1)) {
        double sx = 0, sy = 0, sxx = 0, sxy = 0;
        for (const Pixel p : line) {
            const double x = p.x - first.x, y = p.y - first.y;
            sx += x, sy += y, sxx += x * x, sxy += x * y;
        }
        const auto n = static_cast<double>(line.size());
        const double slope = (n * sxy - sx * sy) / (n * sxx - sx * sx);
        const double norm = std::sqrt(1.0 + slope * slope);
        d = {1.0 / norm, slope / norm};
    }
    return d.along(last, first) < 0 ? Direction{-d.x, -d.y} : d;
}

// Whether c lies wholly before or wholly after x, judged by their ends.
inline bool apart(Baseline x, Baseline c, Direction d) {
    const double ends[] = {d.along(x.front(), c.front()), d.along(x.front(), c.back()),
                           d.along(x.back(), c.front()), d.along(x.back(), c.back())};
    return std::ranges::all_of(ends, [](double e) { return e < 0; }) ||
           std::ranges::all_of(ends, [](double e) { return e > 0; });
}

// A baseline seen along a direction: its points sorted by their coordinate along it, and its extent across.
struct Projection {
    struct Point {
        double along, across;
        Pixel pixel;
    };
    std::vector<Point> points;
    double low = 0, high = 0;

    Projection(Baseline line, Direction d) {
        const Pixel origin{0, 0};
        points.reserve(line.size());
        low = high = d.across(line[0], origin);
        for (const Pixel p : line) {
            const double across = d.across(p, origin);
            points.push_back({d.along(p, origin), across, p});
            low = std::min(low, across), high = std::max(high, across);
        }
        if (!std::ranges::is_sorted(points, {}, &Point::along)) std::ranges::sort(points, {}, &Point::along);
    }
    double gap(const Projection& o) const { return std::max({o.low - high, low - o.high, 0.0}); }
};

// The smallest distance across of points that are opposite each other, or `best` if none is smaller. It is
// computed from whole numbers, so that rounding does not depend on where the page has its origin; projections
// only tell for which points that is worth while.
inline double closest(const Projection& x, const Projection& c, Direction d, double best) {
    std::size_t begin = 0;
    for (const auto& p : x.points) {
        while (begin < c.points.size() && c.points[begin].along < p.along - kAlong - kMargin) ++begin;
        for (std::size_t j = begin; j < c.points.size(); ++j) {
            if (c.points[j].along > p.along + kAlong + kMargin) break;
            if (std::abs(p.across - c.points[j].across) - kMargin >= best) continue;
            if (std::abs(d.along(p.pixel, c.points[j].pixel)) > kAlong) continue;
            best = std::min(best, std::abs(d.across(p.pixel, c.points[j].pixel)));
        }
    }
    return best;
}

// A lower bound, by their boxes, of the distance across of points that are opposite each other. A step of
// `along` (at most kAlong) and `across` moves x by along * d.x + across * d.y, y by along * d.y - across * d.x.
inline double least_across(const Box& a, const Box& b, Direction d) {
    const double x = std::abs(d.x), y = std::abs(d.y);
    const double by_height = x > 0 ? (static_cast<double>(a.gap_y(b)) - kAlong * y) / x : 0.0;
    const double by_width = y > 0 ? (static_cast<double>(a.gap_x(b)) - kAlong * x) / y : 0.0;
    return std::max({by_height, by_width, 0.0}) - kMargin;
}

// d_x: the distance across from x to the nearest other baseline; 0 if none is below kFarthest or one is met.
inline double distance(const Baselines& lines, const Boxes& boxes, std::size_t x) {
    if (lines[x].empty()) return 0;
    const Direction d = direction(lines[x]);
    const Box box = box_of(lines[x]);
    const double reach = kFarthest + kAlong;
    std::vector<std::pair<double, std::size_t>> others;  // the nearest first, so that most are never looked at
    boxes.near(box, reach, [&](std::size_t c, const Box& other) {
        if (c == x || static_cast<double>(box.gap_x(other)) >= reach) return;
        if (const double least = least_across(box, other, d); least < kFarthest) others.emplace_back(least, c);
    });
    if (others.empty()) return 0;
    std::ranges::sort(others);
    const Projection own(lines[x], d);
    double best = kFarthest;
    for (const auto& [least, c] : others) {
        if (least >= best) break;
        if (apart(lines[x], lines[c], d)) continue;
        if (const Projection seen(lines[c], d); own.gap(seen) - kMargin < best) best = closest(own, seen, d, best);
    }
    return kNothing < best && best < kFarthest ? best : 0;
}

}  // namespace geometry

// t_x of every baseline: a quarter of its distance to the next one, but at most of the mean distance.
inline std::vector<double> tolerances(const Baselines& lines) {
    const geometry::Boxes boxes(lines);
    std::vector<double> t(lines.size());
    double sum = 0;
    std::size_t found = 0;
    for (std::size_t x = 0; x < lines.size(); ++x) {
        t[x] = geometry::distance(lines, boxes, x);
        sum += t[x];
        found += t[x] > 0;
    }
    const double mean = found ? sum / static_cast<double>(found) : geometry::kFarthest;
    for (double& d : t) d = (d > 0 ? std::min(d, mean) : mean) * geometry::kRelative;
    return t;
}

}  // namespace pagemeter
