// The Lagrangian relaxation of S and SG over a list of runs. "Each GT line at most once" is relaxed with multipliers
// λ_x >= 0. What remains is weighted interval scheduling along the words:
//     F(b) = max(F(b-1), max over runs (a,b,x) of F(a) + save - λ_x),   best save <= F(n) + Σ supply_x λ_x.
// The lines of one kind share a multiplier (line_kinds.hpp), and a run pays for every kind that it uses. Saves and
// multipliers are integers in units of 1/unit, so every bound is exact.
#pragma once

#include <algorithm>

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
    std::int64_t reduced(const PoolRun& r) const { return r.save * unit - price_[r.kind] - r.edits * edit_price_; }

    // Computes F and the runs that attain it. The pool is ordered by end.
    void forward(const Vector<PoolRun>& pool) {
        potentials.left.assign(boundaries_, 0);
        choice_.assign(boundaries_, -1);
        price_ = kinds->prices(lambda);
        edit_price_ = kinds->total < 0 ? 0 : lambda[kinds->total];
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
    std::int64_t edit_price_ = 0;
    Vector<int> choice_;
    mutable Progress progress_;
};

}  // namespace pagemeter
