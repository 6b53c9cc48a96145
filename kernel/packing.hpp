// Runs packed into the words so that no kind of GT line is used up too often and as much as possible is saved:
// an incumbent, a bound, and the means to bring them together.
#pragma once

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "incumbent.hpp"
#include "label_search.hpp"
#include "pool_bound.hpp"

namespace pagemeter {

class Packing {
  public:
    Packing(int words, const LineKinds& kinds, std::int64_t unit)
        : bound(words, kinds, unit), incumbent(words, kinds) {}

    PoolBound bound;  // its pool has to hold all runs of solutions as good as the incumbent
    Incumbent incumbent;

    // No solution saves more.
    std::int64_t upper() const { return upper_; }
    bool proven() const { return upper_ <= incumbent.save(); }
    bool lower(std::int64_t upper) {
        upper_ = std::min(upper_, std::max(incumbent.save(), upper));
        return true;
    }

    // Takes a solution whose runs, in any order and with any saves, are in the pool; true if it is one and better than
    // the incumbent.
    bool offer(std::vector<PoolRun> runs) {
        std::sort(runs.begin(), runs.end(), [](const PoolRun& a, const PoolRun& b) { return a.end < b.end; });
        std::vector<int> left = bound.relaxation.kinds->supply;
        int until = 0;
        for (PoolRun& r : runs) {
            const PoolRun* known = bound.find(r);
            if (!known || r.begin < until || !bound.relaxation.kinds->take(left, r.kind)) return false;
            r.save = known->save;
            until = r.end;
        }
        const std::int64_t before = incumbent.save();
        incumbent.offer(std::move(runs));
        return incumbent.save() > before;
    }

    // Drops what cannot matter with the present multipliers.
    void settle() {
        bound.settle(incumbent.save());
        lower(bound.upper());
    }

    // Multiplier steps from the present ones until the bound meets the incumbent or stalls.
    void ascend(const Stop& stop) {
        bound.ascend(0, incumbent, stop);
        lower(bound.upper());
    }

    // Tries whether a solution is as good as the bound allows, or nearly so: if there is one the best of them is the
    // incumbent, if there is none the bound is lowered. False if that stays open with `most_open` labels at a boundary.
    bool decide(std::size_t most_open, const Stop& stop) {
        const std::int64_t target = std::max(upper_ - reach_, incumbent.save());
        PoolBound trial = bound;
        trial.settle(target);
        if (trial.upper() >= target) trial.ascend(target, incumbent, stop);
        if (trial.upper() < target) return miss(target);
        LabelSearch search(trial.runs, trial.relaxation, target);
        auto found = search.solve(most_open, kMostSteps, stop);
        if (!found) return false;
        incumbent.offer(found->runs);
        if (!found->exact) found = search.solve(kWider * most_open, kQuickSteps * most_open, stop);
        if (!found) return false;
        incumbent.offer(found->runs);
        if (!found->exact) return false;
        if (found->save < target) return miss(target);
        return lower(found->save);
    }

  private:
    // Many more labels are tried as long as that is quick.
    static constexpr std::size_t kWider = 64;
    static constexpr std::size_t kQuickSteps = 1'000;
    static constexpr std::size_t kMostSteps = 8'000'000;

    // Every miss makes the next target less bold.
    bool miss(std::int64_t target) {
        reach_ = 2 * reach_ + 1;
        return lower(target - 1);
    }

    std::int64_t upper_ = std::numeric_limits<std::int64_t>::max();
    std::int64_t reach_ = 0;
};

}  // namespace pagemeter
