// The Lagrangian bound of S and SG. "Each GT line at most once" is relaxed with multipliers λ_x >= 0; what
// remains is weighted interval scheduling along the words:
//     F(b) = max(F(b-1), max over runs (a,b,x) of F(a) + save - λ_x),   best save <= F(n) + Σ supply_x λ_x,
// where the lines of one kind share a multiplier (line_kinds.hpp), and a run pays for all that it uses up.
// Saves and multipliers are integers in units of 1/unit, so every bound is exact: no rounding can prove what is not so.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "run_pool.hpp"

namespace pagemeter {

// The relaxed problem for one choice of multipliers.
struct Potentials {
    std::vector<std::int64_t> left;   // F: the best of the words before a boundary
    std::vector<std::int64_t> right;  // the best of the words from a boundary on
    std::int64_t multipliers = 0;     // Σ supply_x λ_x

    std::int64_t bound() const { return left.back() + multipliers; }
    // No solution with this run, its reduced save given, saves more.
    std::int64_t bound_with(const PoolRun& r, std::int64_t reduced) const {
        return left[static_cast<std::size_t>(r.begin)] + reduced + right[static_cast<std::size_t>(r.end)] + multipliers;
    }
};

class Lagrangian {
  public:
    Lagrangian(int words, const LineKinds& kinds_, std::int64_t unit_)
        : kinds(&kinds_),
          unit(unit_),
          lambda(kinds_.supply.size(), 0),
          boundaries_(static_cast<std::size_t>(words) + 1),
          price_(lambda) {}

    const LineKinds* kinds;
    std::int64_t unit;
    std::vector<std::int64_t> lambda;
    Potentials potentials;

    // What a run saves less its price, by the multipliers of the last `forward`.
    std::int64_t reduced(const PoolRun& r) const { return r.save * unit - price_[static_cast<std::size_t>(r.kind)]; }

    // F and the runs that attain it, over runs ordered by their end.
    void forward(const std::vector<PoolRun>& pool) {
        potentials.left.assign(boundaries_, 0);
        choice_.assign(boundaries_, -1);
        price_ = kinds->prices(lambda);
        potentials.multipliers = 0;
        for (std::size_t x = 0; x < lambda.size(); ++x) potentials.multipliers += lambda[x] * kinds->supply[x];
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

    // How many runs that use up each kind, at most, have no word in common, over runs ordered by their end.
    std::vector<int> disjoint_runs(const std::vector<PoolRun>& pool) const {
        std::vector<int> count(lambda.size(), 0);
        std::vector<int> until(lambda.size(), 0);
        for (const PoolRun& r : pool) {
            kinds->each_used(r.kind, [&](std::size_t used) {
                if (r.begin < until[used]) return;
                until[used] = r.end;
                ++count[used];
            });
        }
        return count;
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

  private:
    std::size_t boundaries_;
    std::vector<std::int64_t> price_;
    std::vector<std::int64_t> choice_;
};

// Barahona & Anbil's volume algorithm: steps from the best multipliers so far along the slope of an average of
// relaxed solutions. Ties make single solutions jump; their average does not.
class Volume {
  public:
    explicit Volume(const LineKinds& kinds) : kinds_(kinds), use_(kinds.supply.size(), 0.0) {}

    void average(const std::vector<PoolRun>& relaxed) {
        const double weight = fresh_ ? 1.0 : kWeight;
        fresh_ = false;
        for (double& u : use_) u *= 1.0 - weight;
        for (const PoolRun& r : relaxed) {
            kinds_.each_used(r.kind, [&](std::size_t used) { use_[used] += weight; });
        }
    }

    // Notes a bound; true if it is the lowest so far.
    bool improves(std::int64_t bound) {
        if (bound < least_) {
            least_ = bound;
            idle_ = 0;
            return true;
        }
        if (++idle_ > kPatience) {
            idle_ = 0;
            pace_ *= kSlower;
        }
        return false;
    }

    // A step of Polyak's length from `centre` towards `target`: lines used too often get dearer, to no more than
    // `most`, beyond which no run is worth it; unused ones get cheaper.
    template <class Int>
    void step(const std::vector<Int>& centre, std::int64_t target, const std::vector<Int>& most,
              std::vector<Int>& to) const {
        const auto slope = [&](std::size_t x) {
            const double surplus = kinds_.supply[x] - use_[x];
            return surplus > 0 && centre[x] == 0 ? 0.0 : surplus;
        };
        double norm = 0;
        for (std::size_t x = 0; x < centre.size(); ++x) norm += slope(x) * slope(x);
        const double length = norm > 0 ? pace_ * static_cast<double>(least_ - target) / norm : 0.0;
        for (std::size_t x = 0; x < centre.size(); ++x) {
            const double moved = std::round(static_cast<double>(centre[x]) - length * slope(x));
            to[x] = static_cast<Int>(std::clamp(moved, 0.0, static_cast<double>(most[x])));
        }
    }

    bool exhausted() const { return pace_ < kLeastPace; }
    std::int64_t least() const { return least_; }

  private:
    static constexpr double kWeight = 0.1;
    static constexpr double kSlower = 0.6;
    static constexpr double kLeastPace = 1e-3;
    static constexpr int kPatience = 20;

    const LineKinds& kinds_;
    std::vector<double> use_;
    std::int64_t least_ = std::numeric_limits<std::int64_t>::max();
    double pace_ = 1.0;
    int idle_ = 0;
    bool fresh_ = true;
};

}  // namespace pagemeter
