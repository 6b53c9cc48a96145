// t_x: the distance from GT baseline x up to which a point counts as being on it.
//
// d_x is the distance from x to the nearest other GT baseline, measured across the direction of x between opposite
// points. t_x is a quarter of d_x, but at most a quarter of the mean of all d_x.
#pragma once

#include <cmath>
#include <tuple>

#include "geometry.hpp"

namespace pagemeter {

namespace geometry {

constexpr double kAlong = 2 * kSpacing;  // points further apart along the direction are not opposite
constexpr double kFarthest = 250;  // baselines further across are not neighbours
constexpr double kRelative = 0.25;  // tolerance / distance
constexpr double kNothing = 1e-9;  // smaller distances are zero up to rounding
constexpr double kMargin = 1e-6;  // larger than the rounding error of a projection; only for pruning

struct Direction {
    double x, y;

    double along(Pixel p, Pixel q) const { return (p.x - q.x) * x + (p.y - q.y) * y; }
    double across(Pixel p, Pixel q) const { return (p.x - q.x) * y - (p.y - q.y) * x; }
};

// The least-squares slope as a unit vector from the first to the last point. A baseline less than two pixels wide is
// vertical. Sums are relative to the first point, so a level baseline is exactly level.
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

// True if c lies entirely before or entirely after x, by their end points.
inline bool apart(Baseline x, Baseline c, Direction d) {
    const double ends[] = {d.along(x.front(), c.front()), d.along(x.front(), c.back()),
                           d.along(x.back(), c.front()), d.along(x.back(), c.back())};
    return std::ranges::all_of(ends, [](double e) { return e < 0; }) ||
           std::ranges::all_of(ends, [](double e) { return e > 0; });
}

// A baseline projected onto a direction: its points sorted along it, and its extent across.
struct Projection {
    Vector<Pixel> pixels;
    Vector<double> along, across;
    double low = 0, high = 0;

    Projection(Baseline line, Direction d) : pixels(line.begin(), line.end()), along(line.size()), across(line.size()) {
        if (!project(d)) {
            std::ranges::sort(pixels, {}, [d](Pixel p) { return d.along(p, kOrigin); });
            project(d);
        }
        std::tie(low, high) = extent(0, across.size());
    }
    std::size_t size() const { return pixels.size(); }
    double gap(const Projection& o) const { return std::max({o.low - high, low - o.high, 0.0}); }
    std::pair<double, double> extent(std::size_t begin, std::size_t end) const {
        double least = across[begin], most = least;
        for (std::size_t i = begin + 1; i < end; ++i) {
            least = std::min(least, across[i]), most = std::max(most, across[i]);
        }
        return {least, most};
    }

  private:
    static constexpr Pixel kOrigin{0, 0};

    bool project(Direction d) {
        for (std::size_t i = 0; i < pixels.size(); ++i) {
            along[i] = d.along(pixels[i], kOrigin), across[i] = d.across(pixels[i], kOrigin);
        }
        return std::ranges::is_sorted(along);
    }
};

// The smallest distance across between opposite points, or `best` if none is smaller. It is computed from integers, so
// that rounding does not depend on the origin of the page. Projections are only used to skip points.
class Closest {
  public:
    Closest(const Projection& x, const Projection& c, Direction d) : x_(x), c_(c), d_(d) {}

    double below(double best) {
        for (std::size_t i = 0; i < x_.size(); i += kBlock) {
            const std::size_t end = std::min(i + kBlock, x_.size());
            const auto [first, last] = opposite(i, end);
            if (first == last) continue;
            const auto [low, high] = x_.extent(i, end);
            const auto [other_low, other_high] = c_.extent(first, last);
            if (std::max(other_low - high, low - other_high) - kMargin < best) best = within(i, end, first, last, best);
        }
        return best;
    }

  private:
    static constexpr std::size_t kBlock = 16;  // points of x per test

    // A range of points of c that includes all points opposite to points begin..end of x.
    std::pair<std::size_t, std::size_t> opposite(std::size_t begin, std::size_t end) {
        while (from_ < c_.size() && c_.along[from_] < x_.along[begin] - kAlong - kMargin) ++from_;
        std::size_t to = from_;
        while (to < c_.size() && c_.along[to] <= x_.along[end - 1] + kAlong + kMargin) ++to;
        return {from_, to};
    }
    double within(std::size_t begin, std::size_t end, std::size_t first, std::size_t last, double best) const {
        for (std::size_t i = begin; i < end; ++i) {
            const double reach = x_.along[i] + kAlong + kMargin;
            while (first < last && c_.along[first] < reach - 2 * (kAlong + kMargin)) ++first;
            for (std::size_t j = first; j < last && c_.along[j] <= reach; ++j) {
                if (std::abs(x_.across[i] - c_.across[j]) - kMargin >= best) continue;
                if (std::abs(d_.along(x_.pixels[i], c_.pixels[j])) > kAlong) continue;
                best = std::min(best, std::abs(d_.across(x_.pixels[i], c_.pixels[j])));
            }
        }
        return best;
    }

    const Projection& x_;
    const Projection& c_;
    Direction d_;
    std::size_t from_ = 0;
};

// A lower bound, by the boxes, of the distance across between opposite points. A step of `along` (at most kAlong) and
// `across` moves x by along * d.x + across * d.y, and y by along * d.y - across * d.x.
inline double least_across(const Box& a, const Box& b, Direction d) {
    const double x = std::abs(d.x), y = std::abs(d.y);
    const double by_height = x > 0 ? (static_cast<double>(a.gap_y(b)) - kAlong * y) / x : 0.0;
    const double by_width = y > 0 ? (static_cast<double>(a.gap_x(b)) - kAlong * x) / y : 0.0;
    return std::max({by_height, by_width, 0.0}) - kMargin;
}

// d_x: the distance across from x to the nearest other baseline; 0 if none is below kFarthest or if one touches x.
inline double distance(const Baselines& lines, const Boxes& boxes, std::size_t x) {
    if (lines[x].empty()) return 0;
    const Direction d = direction(lines[x]);
    const Box box = box_of(lines[x]);
    const double reach = kFarthest + kAlong;
    Vector<std::pair<double, std::size_t>> others;  // nearest first, so that most are skipped
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
        const Projection seen(lines[c], d);
        if (own.gap(seen) - kMargin < best) best = Closest(own, seen, d).below(best);
    }
    return kNothing < best && best < kFarthest ? best : 0;
}

}  // namespace geometry

// t_x of every baseline: a quarter of its distance to the nearest other one, but at most a quarter of the mean.
inline Vector<double> tolerances(const Baselines& lines) {
    const geometry::Boxes boxes(lines);
    Vector<double> t(lines.size());
    double sum = 0;
    std::size_t known = 0;
    for (std::size_t x = 0; x < lines.size(); ++x) {
        t[x] = geometry::distance(lines, boxes, x);
        sum += t[x];
        known += t[x] > 0;
    }
    const double mean = known ? sum / static_cast<double>(known) : geometry::kFarthest;
    for (double& d : t) d = (d > 0 ? std::min(d, mean) : mean) * geometry::kRelative;
    return t;
}

}  // namespace pagemeter
