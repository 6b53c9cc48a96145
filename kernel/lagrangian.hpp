// The Lagrangian relaxation of S and SG over a list of runs. "Each GT line at most once" is relaxed with multipliers
// λ_x >= 0. What remains is weighted interval scheduling along the words:
//     F(b) = max(F(b-1), max over runs (a,b,x) of F(a) + save - λ_x),   best save <= F(n) + Σ supply_x λ_x.
// The lines of one kind share a multiplier (line_kinds.hpp), and a run pays for every kind that it uses. Saves and
// multipliers are integers in units of 1/unit, so every bound is exact.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "run_pool.hpp"

namespace pagemeter {

// The relaxed values for one choice of multipliers.
struct Potentials {
    Vector<std::int64_t> left;  // F: the best value of the words before a boundary
    Vector<std::int64_t> right;  // the best value of the words after a boundary
    std::int64_t multipliers = 0;     // Σ supply_x λ_x

    std::int64_t bound() const { return left.back() + multipliers; }
    // An upper bound of what a solution with this run saves, given the reduced save of the run.
    std::int64_t bound_with(const PoolRun& r, std::int64_t reduced) const {
        return left[r.begin] + reduced + right[r.end] + multipliers;
    }
};

class Lagrangian {
  public:
    Lagrangian(int words, const KindSupplies& kinds_, std::int64_t unit_)
        : kinds(&kinds_),
          unit(unit_),
          lambda(kinds_.supply.size(), 0),
          boundaries_(words + 1),
          price_(lambda) {}

    const KindSupplies* kinds;
    std::int64_t unit;
    Vector<std::int64_t> lambda;
    Potentials potentials;

    // The save of a run minus its price, by the multipliers of the last `forward`.
    std::int64_t reduced(const PoolRun& r) const { return r.save * unit - price_[r.kind]; }

    // Computes F and the runs that attain it. The pool is ordered by end.
    void forward(const Vector<PoolRun>& pool) {
        potentials.left.assign(boundaries_, 0);
        choice_.assign(boundaries_, -1);
        price_ = kinds->prices(lambda);
        potentials.multipliers = 0;
        for (std::size_t x = 0; x < lambda.size(); ++x) potentials.multipliers += lambda[x] * kinds->supply[x];
        progress_(kRunSteps * pool.count() + 4 * boundaries_);
        int i = 0;
        for (int b = 1; b < boundaries_; ++b) {
            std::int64_t best = potentials.left[b - 1];
            for (; i < pool.count() && pool[i].end == b; ++i) {
                const std::int64_t value = potentials.left[pool[i].begin] + reduced(pool[i]);
                if (value <= best) continue;
                best = value;
                choice_[b] = i;
            }
            potentials.left[b] = best;
        }
    }

    void backward(const Vector<PoolRun>& pool) {
        Vector<std::int64_t>& right = potentials.right;
        right.assign(boundaries_, 0);
        progress_(kRunSteps * pool.count() + 4 * boundaries_);
        int i = pool.count();
        for (int b = boundaries_; b-- > 0;) {
            if (b + 1 < boundaries_) right[b] = std::max(right[b], right[b + 1]);
            for (; i > 0 && pool[i - 1].end == b; --i) {
                std::int64_t& begin = right[pool[i - 1].begin];
                begin = std::max(begin, right[b] + reduced(pool[i - 1]));
            }
        }
    }

    // The largest number of disjoint runs that use each kind. The pool is ordered by end.
    Vector<int> disjoint_runs(const Vector<PoolRun>& pool) const {
        Vector<int> count(lambda.size(), 0);
        Vector<int> until(lambda.size(), 0);
        progress_(kRunSteps * pool.count());
        for (const PoolRun& r : pool) {
            kinds->each_used(r.kind, [&](int used) {
                if (r.begin < until[used]) return;
                until[used] = r.end;
                ++count[used];
            });
        }
        return count;
    }

    // The runs of the relaxed solution, from right to left.
    Vector<PoolRun> relaxed(const Vector<PoolRun>& pool) const {
        Vector<PoolRun> runs;
        for (int b = boundaries_ - 1; b > 0;) {
            if (choice_[b] < 0) {
                --b;
            } else {
                runs.push_back(pool[choice_[b]]);
                b = runs.back().begin;
            }
        }
        return runs;
    }

  private:
    static constexpr std::int64_t kRunSteps = 1;  // of work for one run of a pool

    int boundaries_;
    Vector<std::int64_t> price_;
    Vector<int> choice_;
    mutable Progress progress_;
};

// The volume algorithm of Barahona & Anbil: steps from the best multipliers so far along the subgradient of an average
// of relaxed solutions. Ties make single relaxed solutions jump; their average does not.
class Volume {
  public:
    explicit Volume(const KindSupplies& kinds) : kinds_(kinds), use_(kinds.supply.size(), 0.0) {}

    void average(const Vector<PoolRun>& relaxed) {
        const double weight = fresh_ ? 1.0 : kWeight;
        fresh_ = false;
        for (double& u : use_) u *= 1.0 - weight;
        for (const PoolRun& r : relaxed) {
            kinds_.each_used(r.kind, [&](int used) { use_[used] += weight; });
        }
    }

    // Records a bound. Returns true if it is the lowest so far.
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

    // A step of Polyak's length from `centre` towards `target`. Lines used too often become more expensive, up to
    // `most`, above which no run pays; unused lines become cheaper.
    template <class Int>
    void step(const Vector<Int>& centre, std::int64_t target, const Vector<Int>& most,
              Vector<Int>& to) const {
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

    // Forgets all bounds.
    void restart() { least_ = std::numeric_limits<std::int64_t>::max(); }

    bool exhausted() const { return pace_ < kLeastPace; }
    std::int64_t least() const { return least_; }

  private:
    static constexpr double kWeight = 0.1;
    static constexpr double kSlower = 0.6;
    static constexpr double kLeastPace = 1e-3;
    static constexpr int kPatience = 20;

    const KindSupplies& kinds_;
    Vector<double> use_;
    std::int64_t least_ = std::numeric_limits<std::int64_t>::max();
    double pace_ = 1.0;
    int idle_ = 0;
    bool fresh_ = true;
};

}  // namespace pagemeter
