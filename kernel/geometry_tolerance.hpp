// t_x: the distance from GT baseline x up to which a point counts as being on it.
//
// d_x is the distance from x to the nearest other GT baseline, measured across the direction of x between opposite
// points. t_x is a quarter of d_x, but at most a quarter of the mean of all d_x.
#pragma once

#include <cmath>
#include <limits>

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
    // Of projections. Those of level and upright lines are not rounded.
    double margin() const { return x == 0 || y == 0 ? 0 : kMargin; }
};

// The least-squares slope as a unit vector from the first to the last point. A baseline less than two pixels wide is
// vertical. Sums are relative to the first point, so a level baseline is exactly level.
inline Direction direction(Baseline line) {
    if (line.size() < 2) return {1.0, 0.0};
    const Pixel first = line.front(), last = line.back();
    const std::int64_t least = line.size() > 2 ? 2 : 1;
    const auto width = [&] { const Box box = box_of(line); return box.right - box.left; };
    Direction d{0.0, 1.0};
    if (std::abs(last.x - first.x) >= least || width() >= least) {
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

// The least and the greatest of some numbers. Four of each are kept, because one would wait for the one before.
struct Extent {
    double low = std::numeric_limits<double>::infinity(), high = -low;

    Extent() = default;
    explicit Extent(View<const double> numbers) {
        Array<double, 4> least{}, most{};
        least.fill(low), most.fill(high);
        std::size_t i = 0;
        for (; i + 4 <= numbers.size(); i += 4) {
            for (std::size_t k = 0; k < 4; ++k) {
                least[k] = std::min(least[k], numbers[i + k]), most[k] = std::max(most[k], numbers[i + k]);
            }
        }
        for (; i < numbers.size(); ++i) {
            least[0] = std::min(least[0], numbers[i]), most[0] = std::max(most[0], numbers[i]);
        }
        low = std::min({least[0], least[1], least[2], least[3]});
        high = std::max({most[0], most[1], most[2], most[3]});
    }
    void add(const Extent& o) { low = std::min(low, o.low), high = std::max(high, o.high); }
    double gap(const Extent& o) const { return std::max({o.low - high, low - o.high, 0.0}); }
};

// A baseline projected onto a direction: its points sorted along it, and their extent across, also in blocks.
struct Projection {
    static constexpr std::size_t kBlock = 16;  // points

    Vector<Pixel> sorted;  // empty if the baseline is sorted already
    Baseline pixels;
    Vector<double> along, across;
    Vector<Extent> blocks;
    Extent whole;

    Projection(Baseline line, Direction d) : pixels(line), along(line.size()), across(line.size()) {
        if (!project(d)) {
            sorted.assign(line.begin(), line.end());
            std::ranges::sort(sorted, {}, [d](Pixel p) { return d.along(p, kOrigin); });
            pixels = sorted;
            project(d);
        }
        blocks.reserve(size() / kBlock + 1);
        for (std::size_t i = 0; i < size(); i += kBlock) {
            blocks.emplace_back(View<const double>(across).subspan(i, std::min(kBlock, size() - i)));
            whole.add(blocks.back());
        }
    }
    std::size_t size() const { return pixels.size(); }

  private:
    static constexpr Pixel kOrigin{0, 0};

    bool project(Direction d) {
        for (std::size_t i = 0; i < size(); ++i) {
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
        for (std::size_t block = 0; block < x_.blocks.size(); ++block) {
            const std::size_t begin = block * kBlock, end = std::min(begin + kBlock, x_.size());
            const auto [first, last] = opposite(begin, end);
            if (first == last) continue;
            Extent others;  // of all blocks that have an opposite point
            for (std::size_t b = first / kBlock; b * kBlock < last; ++b) others.add(c_.blocks[b]);
            if (x_.blocks[block].gap(others) - d_.margin() < best) best = within(begin, end, first, last, best);
        }
        return best;
    }

  private:
    static constexpr std::size_t kBlock = Projection::kBlock;

    // A range of points of c that includes all points opposite to points begin..end of x.
    std::pair<std::size_t, std::size_t> opposite(std::size_t begin, std::size_t end) {
        while (from_ < c_.size() && c_.along[from_] < x_.along[begin] - kAlong - kMargin) ++from_;
        to_ = std::max(from_, to_);
        while (to_ < c_.size() && c_.along[to_] <= x_.along[end - 1] + kAlong + kMargin) ++to_;
        return {from_, to_};
    }
    double within(std::size_t begin, std::size_t end, std::size_t first, std::size_t last, double best) const {
        const double margin = d_.margin();
        for (std::size_t i = begin; i < end; ++i) {
            const double reach = x_.along[i] + kAlong + kMargin;
            while (first < last && c_.along[first] < reach - 2 * (kAlong + kMargin)) ++first;
            for (std::size_t j = first; j < last && c_.along[j] <= reach; ++j) {
                if (std::abs(x_.across[i] - c_.across[j]) - margin >= best) continue;
                if (std::abs(d_.along(x_.pixels[i], c_.pixels[j])) > kAlong) continue;
                best = std::min(best, std::abs(d_.across(x_.pixels[i], c_.pixels[j])));
            }
        }
        return best;
    }

    const Projection& x_;
    const Projection& c_;
    Direction d_;
    std::size_t from_ = 0, to_ = 0;
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
    const Box& box = boxes[x];
    const Direction d = direction(lines[x]);
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
        if (own.whole.gap(seen.whole) - d.margin() < best) best = Closest(own, seen, d).below(best);
    }
    return kNothing < best && best < kFarthest ? best : 0;
}

}  // namespace geometry

// t_x of every baseline: a quarter of its distance to the nearest other one, but at most a quarter of the mean.
inline Vector<double> tolerances(const Baselines& lines, const geometry::Boxes& boxes) {
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
