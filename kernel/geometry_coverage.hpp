// N(x): the HYP baselines whose points are close enough to GT baseline x.
//
// COV(h, g, t) is the mean of c(delta) over the points p of h, where delta is the city-block distance from p to the
// nearest point of g. c is 1 up to t, falls linearly to 0 at 3t, and is 0 beyond.
#pragma once

#include "geometry.hpp"

namespace pagemeter {

namespace geometry {

// A GT baseline and its tolerance. Its points are sorted along the longer side of its box.
class Target {
  public:
    Target(Baseline line, const Box& box, double tolerance)
        : points_(line.begin(), line.end()),
          box_(box),
          tolerance_(tolerance),
          reach_(3.0 * tolerance),
          wide_(box_.right - box_.left >= box_.bottom - box_.top) {
        const auto along = [this](Pixel p) { return key(p); };
        if (!std::ranges::is_sorted(points_, {}, along)) std::ranges::sort(points_, {}, along);
    }

    const Box& box() const { return box_; }
    double reach() const { return reach_; }

    // True if COV(h, this) > threshold. No term is negative, so the test can succeed before the sum is complete.
    bool covers(Baseline h, double threshold) const {
        const auto n = static_cast<double>(h.size());
        double sum = 0;
        for (const Pixel p : h) {
            const double gained = share(p);
            sum += gained;
            if (gained > 0 && sum / n > threshold) return true;
        }
        return false;
    }

  private:
    std::int32_t key(Pixel p) const { return wide_ ? p.x : p.y; }

    // c(delta) for the city-block distance from p to the nearest point.
    double share(Pixel p) const {
        if (static_cast<double>(box_.city_block({p.x, p.y, p.x, p.y})) >= reach_) return 0;
        // A tiny reach may vanish in the sums by rounding, so the window includes both ends.
        const double from = key(p) - reach_, to = key(p) + reach_;
        auto it = std::ranges::lower_bound(points_, from, {}, [this](Pixel q) { return double(key(q)); });
        double delta = reach_;
        for (; it != points_.end() && key(*it) <= to && delta > tolerance_; ++it) {
            delta = std::min(delta, double(std::abs(p.x - it->x)) + double(std::abs(p.y - it->y)));
        }
        if (delta <= tolerance_) return 1;
        return delta < reach_ ? (reach_ - delta) / (2.0 * tolerance_) : 0;
    }

    Vector<Pixel> points_;
    Box box_;
    double tolerance_;
    double reach_;
    bool wide_;
};

}  // namespace geometry

// Sets mask[x * |HYP| + y] if y is in N(x). The mask must be all false before.
inline void neighbour_mask(const Baselines& gt, const geometry::Boxes& gt_boxes, const Baselines& hyp,
                           const geometry::Boxes& boxes, View<const double> tolerances, double threshold,
                           std::uint8_t* mask) {
    for (std::size_t x = 0; x < gt.size(); ++x) {
        if (gt[x].empty()) continue;
        const geometry::Target target(gt[x], gt_boxes[x], tolerances[x]);
        boxes.near(target.box(), target.reach(), [&](std::size_t y, const geometry::Box& box) {
            if (static_cast<double>(target.box().city_block(box)) >= target.reach()) return;
            mask[x * hyp.size() + y] = target.covers(hyp[y], threshold);
        });
    }
}

}  // namespace pagemeter
