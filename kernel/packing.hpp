// Weighted interval selection over a pool of runs: choose disjoint runs that use no kind too often and save the most.
// Packing holds the incumbent and the bound, and methods that bring them together.
#pragma once

#include <algorithm>
#include <limits>

#include "effort.hpp"
#include "incumbent.hpp"
#include "parts.hpp"
#include "pool_bound.hpp"
#include "window_search.hpp"

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

    // Improves the bound and the solution until they meet, or until the work is spent. A search that was too short is
    // repeated with four times as many branches.
    void settle(const Effort& stop) {
        if (!proven()) improve_bound(stop);
        for (int branches = kBranches; branches <= kMostBranches; branches *= 4) {
            while (!proven() && decide(branches, stop)) {}
            if (proven() || stop()) return;
            improve_bound(stop);
        }
    }

  private:
    static constexpr int kShares = 16;
    static constexpr int kBranches = 2'000;
    static constexpr int kMostBranches = kBranches * 1024;

    // Searches for a solution that saves as much as the bound allows, or nearly. If there is one, the best becomes the
    // incumbent; if there is none, the bound falls. Returns false if `most_branches` were not enough for either.
    bool decide(int most_branches, const Effort& stop) {
        const std::int64_t target = std::max(upper_ - reach_, incumbent.save());
        PoolBound trial = bound;
        trial.prune(target);
        if (trial.upper() >= target) trial.improve_bound(target, incumbent, stop);
        if (trial.upper() < target) return fail(target);
        // A better solution is often found among the runs of the best ones.
        if (incumbent.save() != searched_) WindowSearch(trial, words_, kinds_).improve(incumbent, stop);
        searched_ = incumbent.save();
        const std::int64_t sought = std::max(target, incumbent.save());
        const auto found = search(trial, sought, most_branches, stop);
        incumbent.offer(found.runs);
        if (found.upper < target) return fail(target);
        const std::int64_t before = upper_;
        lower(found.upper);
        return proven() || upper_ < before;
    }

    // If saved edits are limited, the parts are not independent.
    BranchSearch::Result search(const PoolBound& pool, std::int64_t target, int most_branches, const Effort& stop) {
        if (kinds_.total < 0) {
            return Parts(pool, words_, kinds_).solve(pool, incumbent.runs(), target, most_branches, stop);
        }
        return BranchSearch(pool, kinds_, kinds_.supply, target).solve(most_branches, stop);
    }

    // After every failure the next target is further below the bound.
    bool fail(std::int64_t target) {
        reach_ = std::max(2 * reach_ + 1, (upper_ - incumbent.save()) / kShares);
        return lower(target - 1);
    }

    int words_;
    const KindSupplies& kinds_;
    std::int64_t upper_ = std::numeric_limits<std::int64_t>::max();
    std::int64_t reach_ = 0;
    std::int64_t searched_ = -1;  // the save of the incumbent when it was last improved in windows
};

}  // namespace pagemeter
