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

// The pixels between two corners. The division of a coordinate is rounded half up on both sides of zero. A quotient
// that is not a tie is at least 1 / (4 * kLimit) from the next one, which is more than kTie, and kTie is more than the
// rounding errors. So the sum below is never rounded to the wrong side of a tie.
class Segment {
  public:
    Segment(Pixel a, Pixel b, std::int64_t of)
        : x_(a.x + kHalf), y_(a.y + kHalf), dx_(share(b.x - a.x, of)), dy_(share(b.y - a.y, of)) {}

    Pixel at(std::int64_t step) const {
        const auto t = static_cast<double>(step);
        return {floored(x_ + t * dx_), floored(y_ + t * dy_)};
    }

  private:
    static constexpr std::int32_t kShift = kLimit + 1;  // makes all sums positive, so that a conversion rounds down
    static constexpr double kTie = 1e-8;
    static constexpr double kHalf = kShift + 0.5 + kTie;

    static double share(std::int64_t size, std::int64_t of) {
        return static_cast<double>(size) / static_cast<double>(of);
    }
    static std::int32_t floored(double sum) { return static_cast<std::int32_t>(sum) - kShift; }

    double x_, y_, dx_, dy_;
};

// Appends the resampled points of a baseline, given its corners. The pixels in between are counted, not stored.
inline void resample(Baseline corners, Vector<Pixel>& points) {
    if (corners.empty()) return;
    std::int64_t last = 0;
    for (std::size_t i = 1; i < corners.size(); ++i) last += steps(corners[i - 1], corners[i]);
    const std::int64_t count = last < kFewest ? last + 1 : std::max(kFewest, last / kSpacing + 1);
    const double stride = count > 1 ? static_cast<double>(last) / static_cast<double>(count - 1) : 0.0;
    const std::size_t first = points.size();
    points.resize(first + unsigned_index(count));
    const View<Pixel> out = View<Pixel>(points).subspan(first);
    std::int64_t k = 0, before = 0;
    for (std::size_t i = 1; i < corners.size(); ++i) {
        const std::int64_t of = steps(corners[i - 1], corners[i]);
        if (of == 0) continue;
        const Segment segment(corners[i - 1], corners[i], of);
        for (; k + 1 < count; ++k) {
            const auto step = static_cast<std::int64_t>(static_cast<double>(k) * stride) - before;
            if (step >= of) break;
            out[k] = segment.at(step);
        }
        before += of;
    }
    out.back() = corners.back();
}

struct Box {
    std::int64_t left = 0, top = 0, right = 0, bottom = 0;

    static std::int64_t gap(std::int64_t a, std::int64_t b, std::int64_t c, std::int64_t d) {
        return std::max({c - b, a - d, std::int64_t{0}});
    }
    std::int64_t gap_x(const Box& o) const { return gap(left, right, o.left, o.right); }
    std::int64_t gap_y(const Box& o) const { return gap(top, bottom, o.top, o.bottom); }
    std::int64_t city_block(const Box& o) const { return gap_x(o) + gap_y(o); }
};

inline Box box_of(Baseline line) {
    Pixel least = line[0], most = line[0];
    for (const Pixel p : line) {
        least = {std::min(least.x, p.x), std::min(least.y, p.y)};
        most = {std::max(most.x, p.x), std::max(most.y, p.y)};
    }
    return {least.x, least.y, most.x, most.y};
}

// All baselines of a page, resampled.
struct Resampled {
    Vector<Pixel> points;
    Vector<std::int64_t> starts{0};

    explicit Resampled(const Baselines& lines) {
        for (std::size_t i = 0; i < lines.size(); ++i) {
            resample(lines[i], points);
            starts.push_back(static_cast<std::int64_t>(points.size()));
        }
    }
    Baselines lines() const { return {points, starts}; }
};

// The bounding boxes of the baselines of a page. They are also sorted by their top, to search them by height.
class Boxes {
  public:
    // The lines may be given by their corners or by their resampled points, which lie in the box of the corners.
    explicit Boxes(const Baselines& lines) : boxes_(lines.size()) {
        for (std::size_t i = 0; i < lines.size(); ++i) {
            if (lines[i].empty()) continue;
            boxes_[i] = box_of(lines[i]);
            sorted_.push_back(i);
            tallest_ = std::max(tallest_, boxes_[i].bottom - boxes_[i].top);
        }
        std::ranges::stable_sort(sorted_, {}, [this](std::size_t i) { return boxes_[i].top; });
    }

    // The box of a line, which must have a position.
    const Box& operator[](std::size_t line) const { return boxes_[line]; }

    // Calls visit(line, box) for every box less than `reach` above or below the given one.
    template <class Visit>
    void near(const Box& box, double reach, Visit visit) const {
        const double above = static_cast<double>(box.top - tallest_) - reach;
        const double below = static_cast<double>(box.bottom) + reach;
        const auto top = [this](std::size_t i) { return static_cast<double>(boxes_[i].top); };
        auto it = std::ranges::lower_bound(sorted_, above, {}, top);
        for (; it != sorted_.end() && top(*it) <= below; ++it) {
            if (static_cast<double>(box.gap_y(boxes_[*it])) < reach) visit(*it, boxes_[*it]);
        }
    }

  private:
    Vector<Box> boxes_;
    Vector<std::size_t> sorted_;
    std::int64_t tallest_ = 0;
};

}  // namespace geometry

}  // namespace pagemeter
