// The Lagrangian bound of S and SG. "Each GT line at most once" is relaxed with multipliers λ_x >= 0; what
// remains is weighted interval scheduling along the words:
//     F(b) = max(F(b-1), max over runs (a,b,x) of F(a) + save - λ_x),   best save <= F(n) + Σ λ_x.
// Saves and multipliers are integers in units of 1/kUnit, so every bound is exact: no rounding can prove
// what is not so.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "run_pool.hpp"

namespace pagemeter {

inline constexpr std::int64_t kUnit = 1 << 16;

// The relaxed problem for one choice of multipliers.
struct Potentials {
    std::vector<std::int64_t> left;   // F: the best of the words before a boundary
    std::vector<std::int64_t> right;  // the best of the words from a boundary on
    std::int64_t multipliers = 0;     // Σ λ_x

    std::int64_t bound() const { return left.back() + multipliers; }
    // No solution with this run, its reduced save given, saves more.
    std::int64_t bound_with(const PoolRun& r, std::int64_t reduced) const {
        return left[static_cast<std::size_t>(r.begin)] + reduced + right[static_cast<std::size_t>(r.end)] + multipliers;
    }
};

class Lagrangian {
  public:
    Lagrangian(int words, int gt_lines)
        : boundaries_(static_cast<std::size_t>(words) + 1), lambda(static_cast<std::size_t>(gt_lines), 0) {}

    std::int64_t reduced(const PoolRun& r) const { return r.save * kUnit - lambda[static_cast<std::size_t>(r.gt)]; }

    // F and the runs that attain it, over runs ordered by their end.
    void forward(const std::vector<PoolRun>& pool) {
        potentials.left.assign(boundaries_, 0);
        choice_.assign(boundaries_, -1);
        potentials.multipliers = 0;
        for (std::int64_t l : lambda) potentials.multipliers += l;
        std::size_t i = 0;
        for (std::size_t b = 1; b < boundaries_; ++b) {
            std::int64_t best = potentials.left[b - 1];
            for (; i < pool.size() && static_cast<std::size_t>(pool[i].end) == b; ++i) {
                const std::int64_t value = potentials.left[static_cast<std::size_t>(pool[i].begin)] + reduced(pool[i]);
                if (value <= best) continue;
                best = value;
                choice_[b] = static_cast<std::int64_t>(i);
            }
            potentials.left[b] = best;
        }
    }

    void backward(const std::vector<PoolRun>& pool) {
        std::vector<std::int64_t>& right = potentials.right;
        right.assign(boundaries_, 0);
        std::size_t i = pool.size();
        for (std::size_t b = boundaries_; b-- > 0;) {
            if (b + 1 < boundaries_) right[b] = std::max(right[b], right[b + 1]);
            for (; i > 0 && static_cast<std::size_t>(pool[i - 1].end) == b; --i) {
                std::int64_t& begin = right[static_cast<std::size_t>(pool[i - 1].begin)];
                begin = std::max(begin, right[b] + reduced(pool[i - 1]));
            }
        }
    }

    // The runs of the relaxed solution, from right to left.
    std::vector<PoolRun> relaxed(const std::vector<PoolRun>& pool) const {
        std::vector<PoolRun> runs;
        for (std::size_t b = boundaries_ - 1; b > 0;) {
            if (choice_[b] < 0) {
                --b;
            } else {
                runs.push_back(pool[static_cast<std::size_t>(choice_[b])]);
                b = static_cast<std::size_t>(runs.back().begin);
            }
        }
        return runs;
    }

    // How often each GT line is used, averaged over relaxed solutions (Barahona & Anbil's volume algorithm): ties
    // make single solutions jump, their average does not.
    void average(const std::vector<PoolRun>& relaxed_runs, double weight) {
        if (use_.empty()) {
            use_.assign(lambda.size(), 0.0);
            weight = 1.0;
        }
        for (double& u : use_) u *= 1.0 - weight;
        for (const PoolRun& r : relaxed_runs) use_[static_cast<std::size_t>(r.gt)] += weight;
    }

    // One step of Polyak's length from `centre` towards the target: lines used twice get dearer, unused ones
    // cheaper.
    void step_from(const std::vector<std::int64_t>& centre, std::int64_t bound, std::int64_t target, double pace) {
        double norm = 0;
        const auto slope = [&](std::size_t x) { return use_[x] < 1.0 && centre[x] == 0 ? 0.0 : 1.0 - use_[x]; };
        for (std::size_t x = 0; x < centre.size(); ++x) norm += slope(x) * slope(x);
        const double length = norm > 0 ? pace * static_cast<double>(bound - target) / norm : 0.0;
        for (std::size_t x = 0; x < centre.size(); ++x) {
            lambda[x] = std::max<std::int64_t>(0, centre[x] - std::llround(length * slope(x)));
        }
    }

  private:
    std::size_t boundaries_;

  public:
    std::vector<std::int64_t> lambda;
    Potentials potentials;

  private:
    std::vector<std::int64_t> choice_;
    std::vector<double> use_;
};

}  // namespace pagemeter
