// Weighted interval selection over a pool of runs: choose disjoint runs that use no kind too often and save the most.
// Packing holds the incumbent and the bound, and methods that bring them together.
#pragma once

#include <algorithm>
#include <limits>

#include "branch_search.hpp"
#include "effort.hpp"
#include "incumbent.hpp"
#include "pool_bound.hpp"

namespace pagemeter {

class Packing {
  public:
    Packing(int words, const KindSupplies& kinds, std::int64_t unit)
        : bound(words, kinds, unit), incumbent(words, kinds), words_(words), kinds_(kinds) {}

    PoolBound bound;  // its pool must contain all runs of solutions as good as the incumbent
    Incumbent incumbent;

    // An upper bound of what any solution saves.
    std::int64_t upper() const { return upper_; }
    bool proven() const { return upper_ <= incumbent.save(); }
    bool lower(std::int64_t upper) {
        upper_ = std::min(upper_, std::max(incumbent.save(), upper));
        return true;
    }

    // Removes runs that cannot matter with the present multipliers.
    void prune() {
        bound.prune(incumbent.save());
        lower(bound.upper());
    }

    // Improves the present multipliers until the bound meets the incumbent or stalls.
    void improve_bound(const Effort& stop) {
        bound.improve_bound(0, incumbent, stop);
        lower(bound.upper());
    }

    // Searches for a solution that saves as much as the bound allows, or nearly. If there is one, the best becomes the
    // incumbent; if there is none, the bound falls. Returns false if `most_branches` were not enough for either.
    bool decide(int most_branches, const Effort& stop) {
        const std::int64_t target = std::max(upper_ - reach_, incumbent.save());
        PoolBound trial = bound;
        trial.prune(target);
        if (trial.upper() >= target) trial.improve_bound(target, incumbent, stop);
        if (trial.upper() < target) return fail(target);
        // A few branches of a search for any better solution. It is often found among the runs of the best ones.
        incumbent.offer(BranchSearch(trial, words_, kinds_, incumbent.save() + 1).solve(kDive, stop).runs);
        const std::int64_t sought = std::max(target, incumbent.save());
        const auto found = BranchSearch(trial, words_, kinds_, sought).solve(most_branches, stop);
        incumbent.offer(found.runs);
        if (found.upper < target) return fail(target);
        const std::int64_t before = upper_;
        lower(found.upper);
        return proven() || upper_ < before;
    }

  private:
    static constexpr int kDive = 100;

    // After every failure the next target is further below the bound.
    bool fail(std::int64_t target) {
        reach_ = 2 * reach_ + 1;
        return lower(target - 1);
    }

    int words_;
    const KindSupplies& kinds_;
    std::int64_t upper_ = std::numeric_limits<std::int64_t>::max();
    std::int64_t reach_ = 0;
};

}  // namespace pagemeter
