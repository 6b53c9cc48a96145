// Baselines as pixels, their resampling and their bounding boxes.
//
// After Grüning et al., arXiv 1705.03311: a baseline is drawn pixel by pixel and thinned to about one point every
// kSpacing pixels.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <utility>

#include "indexing.hpp"
#include <vector>

namespace pagemeter {

struct Pixel {
    std::int32_t x;
    std::int32_t y;
};

using Baseline = View<const Pixel>;

// The baselines of a page, one after the other. A line without a position has an empty baseline.
struct Baselines {
    View<const Pixel> pixels;
    View<const std::int64_t> starts;  // one more than there are lines

    std::size_t size() const { return starts.size() - 1; }
    Baseline operator[](std::size_t i) const {
        return pixels.subspan(starts[i], starts[i + 1] - starts[i]);
    }
};

namespace geometry {

constexpr std::int32_t kLimit = 1'000'000;  // no page is larger; below it no product overflows
constexpr std::int64_t kSpacing = 5;  // pixels between two points after thinning
constexpr std::int64_t kFewest = 20;  // points left after thinning, unless there were fewer

inline std::int64_t steps(Pixel a, Pixel b) {
    return std::max(std::abs(std::int64_t{b.x} - a.x), std::abs(std::int64_t{b.y} - a.y));
}

// a + step * (b - a) / of, rounded half up, like Math.round on both sides of zero.
inline std::int32_t between(std::int32_t a, std::int32_t b, std::int64_t step, std::int64_t of) {
    if (b - a == of) return static_cast<std::int32_t>(a + step);  // the longer side needs no division
    const std::int64_t numerator = 2 * step * (std::int64_t{b} - a) + of;
    const std::int64_t quotient = numerator / (2 * of);
    const bool floored = numerator % (2 * of) < 0;
    return static_cast<std::int32_t>(a + quotient - floored);
}

// Appends the resampled points of a baseline, given its corners. The pixels in between are counted, not stored.
inline void resample(Baseline corners, Vector<Pixel>& points) {
    if (corners.empty()) return;
    std::int64_t last = 0;
    for (std::size_t i = 1; i < corners.size(); ++i) last += steps(corners[i - 1], corners[i]);
    const std::int64_t count = last < kFewest ? last + 1 : std::max(kFewest, last / kSpacing + 1);
    const double stride = count > 1 ? static_cast<double>(last) / static_cast<double>(count - 1) : 0.0;
    std::size_t i = 0;
    std::int64_t before = 0;
    for (std::int64_t k = 0; k + 1 < count; ++k) {
        const auto index = static_cast<std::int64_t>(static_cast<double>(k) * stride);
        std::int64_t of = steps(corners[i], corners[i + 1]);
        while (index - before >= of) {
            before += of;
            ++i;
            of = steps(corners[i], corners[i + 1]);
        }
        const Pixel a = corners[i], b = corners[i + 1];
        points.push_back({between(a.x, b.x, index - before, of), between(a.y, b.y, index - before, of)});
    }
    points.push_back(corners.back());
}

struct Box {
    std::int64_t left, top, right, bottom;

    static std::int64_t gap(std::int64_t a, std::int64_t b, std::int64_t c, std::int64_t d) {
        return std::max({c - b, a - d, std::int64_t{0}});
    }
    std::int64_t gap_x(const Box& o) const { return gap(left, right, o.left, o.right); }
    std::int64_t gap_y(const Box& o) const { return gap(top, bottom, o.top, o.bottom); }
    std::int64_t city_block(const Box& o) const { return gap_x(o) + gap_y(o); }
};

inline Box box_of(Baseline line) {
    Box box{line[0].x, line[0].y, line[0].x, line[0].y};
    for (const Pixel p : line) {
        box.left = std::min<std::int64_t>(box.left, p.x);
        box.right = std::max<std::int64_t>(box.right, p.x);
        box.top = std::min<std::int64_t>(box.top, p.y);
        box.bottom = std::max<std::int64_t>(box.bottom, p.y);
    }
    return box;
}

// The bounding boxes of a page's baselines from top to bottom, for a search by height.
class Boxes {
  public:
    explicit Boxes(const Baselines& lines) {
        for (std::size_t i = 0; i < lines.size(); ++i) {
            if (lines[i].empty()) continue;
            sorted_.push_back({box_of(lines[i]), i});
            tallest_ = std::max(tallest_, sorted_.back().first.bottom - sorted_.back().first.top);
        }
        std::ranges::sort(sorted_, {}, [](const Entry& e) { return std::pair{e.first.top, e.second}; });
    }

    // Calls visit(line, box) for every box less than `reach` above or below the given one.
    template <class Visit>
    void near(const Box& box, double reach, Visit visit) const {
        const double above = static_cast<double>(box.top - tallest_) - reach;
        const double below = static_cast<double>(box.bottom) + reach;
        const auto top = [](const Entry& e) { return static_cast<double>(e.first.top); };
        auto it = std::ranges::lower_bound(sorted_, above, {}, top);
        for (; it != sorted_.end() && top(*it) <= below; ++it) {
            if (static_cast<double>(box.gap_y(it->first)) < reach) visit(it->second, it->first);
        }
    }

  private:
    using Entry = std::pair<Box, std::size_t>;
    Vector<Entry> sorted_;
    std::int64_t tallest_ = 0;
};

}  // namespace geometry

}  // namespace pagemeter
