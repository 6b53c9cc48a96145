// Exact search over the runs that the bound leaves: branch and bound with Lagrangian bounds.
//
// A branch is a pool with its own supplies and multipliers. If its bound is below the target, it contains no solution
// that saves the target. Otherwise one kind is chosen on which the relaxed solution is wrong: it is used too often, or
// it has a price and is used too rarely. A kind with one line has at most one run, so either no run that begins before
// some word is in the solution, or no run that begins after it. For a kind with more lines, one run is in the solution
// or not.
#pragma once

#include <algorithm>
#include <optional>
#include <utility>

#include "pool_bound.hpp"

namespace pagemeter {

class BranchSearch {
  public:
    struct Result {
        Vector<PoolRun> runs;  // the best solution that saves the target or more, if any
        std::int64_t save;
        std::int64_t upper;  // no solution in the pool saves more
    };

    BranchSearch(const PoolBound& pool, int words, const KindSupplies& kinds, std::int64_t target)
        : words_(words), unit_(pool.relaxation.unit), target_(target), best_{{}, 0, target - 1} {
        open_.push_back({kinds, pool.runs, pool.relaxation.lambda, {}, 0, pool.upper()});
    }

    // Searches for the best solution that saves the target, with at most `most_branches` branches.
    Result solve(int most_branches, const Effort& stop) {
        for (int count = 0; !open_.empty() && count < most_branches && !stop(); ++count) {
            Branch branch = std::move(open_.back());
            open_.pop_back();
            if (branch.upper >= target_) examine(std::move(branch), stop);
        }
        for (const Branch& branch : open_) best_.upper = std::max(best_.upper, branch.upper);
        return best_;
    }

  private:
    struct Branch {
        KindSupplies kinds;
        Vector<PoolRun> runs;
        Vector<std::int64_t> lambda;
        Vector<PoolRun> taken;  // the runs that every solution of this branch has
        std::int64_t save;  // of the taken runs
        std::int64_t upper;
    };

    static constexpr int kSteps = 60;
    static constexpr int kRepairEvery = 20;
    static constexpr int kFixEvery = 10;

    void examine(Branch branch, const Effort& stop) {
        PoolBound bound(words_, branch.kinds, unit_);
        bound.runs = std::move(branch.runs);
        bound.relaxation.lambda = std::move(branch.lambda);
        Incumbent incumbent(words_, branch.kinds);
        bound.step(target_ - branch.save, kSteps, kRepairEvery, kFixEvery, incumbent, stop);
        offer(branch, incumbent.runs(), incumbent.save());
        branch.upper = std::min(branch.upper, branch.save + bound.upper());
        if (branch.upper < target_) return;
        const Vector<PoolRun> relaxed = bound.relaxation.relaxed(bound.runs);
        branch.runs = std::move(bound.runs);
        branch.lambda = std::move(bound.relaxation.lambda);
        const std::optional<int> kind = wrong_kind(branch, relaxed);
        if (!kind) return offer(branch, relaxed, save_of(relaxed));
        if (branch.kinds.supply[*kind] == 1) return split(std::move(branch), *kind, relaxed);
        decide_run(std::move(branch), *kind, relaxed);
    }

    static std::int64_t save_of(const Vector<PoolRun>& runs) {
        std::int64_t save = 0;
        for (const PoolRun& r : runs) save += r.save;
        return save;
    }

    // Takes a solution of a branch. The next target is higher.
    void offer(const Branch& branch, const Vector<PoolRun>& runs, std::int64_t save) {
        if (branch.save + save < target_) return;
        best_ = {branch.taken, branch.save + save, branch.save + save};
        best_.runs.insert(best_.runs.end(), runs.begin(), runs.end());
        target_ = best_.save + 1;
    }

    // The kind whose multiplier is furthest from being paid for, or nothing if the relaxed solution is the best of the
    // branch.
    static std::optional<int> wrong_kind(const Branch& branch, const Vector<PoolRun>& relaxed) {
        Vector<int> left = branch.kinds.supply;
        for (const PoolRun& r : relaxed) branch.kinds.each_used(r.kind, [&](int used) { --left[used]; });
        std::optional<int> worst;
        double most = 0;
        for (int k = 0; k < left.count(); ++k) {
            // A kind that is used too often without a price counts as well.
            const auto price = static_cast<double>(branch.lambda[k]);
            const double wrong = left[k] < 0 ? -left[k] * (price + 1) : left[k] * price;
            if (wrong > most) most = wrong, worst = k;
        }
        return worst;
    }

    static bool uses(const KindSupplies& kinds, const PoolRun& r, int kind) {
        return r.kind == kind || kinds.same_length[r.kind] == kind;
    }

    // Either no run of the kind begins at or after some word, or none begins before it. The word is between two runs of
    // the relaxed solution, or in the middle of all runs of the kind.
    void split(Branch branch, int kind, const Vector<PoolRun>& relaxed) {
        Vector<int> begins;
        for (const PoolRun& r : relaxed) {
            if (uses(branch.kinds, r, kind)) begins.push_back(r.begin);
        }
        if (begins.size() < 2) {
            begins.clear();
            for (const PoolRun& r : branch.runs) {
                if (uses(branch.kinds, r, kind)) begins.push_back(r.begin);
            }
        }
        std::sort(begins.begin(), begins.end());
        int middle = begins[begins.size() / 2];
        if (middle == begins.front()) middle = *std::upper_bound(begins.begin(), begins.end(), middle);
        Branch other = branch;
        std::erase_if(branch.runs, [&](const PoolRun& r) { return uses(branch.kinds, r, kind) && r.begin >= middle; });
        std::erase_if(other.runs, [&](const PoolRun& r) { return uses(other.kinds, r, kind) && r.begin < middle; });
        // First the part with the run that saves more.
        const auto most = [&](const Branch& part) {
            std::int64_t save = -1;
            for (const PoolRun& r : part.runs) {
                if (uses(part.kinds, r, kind)) save = std::max(save, r.save);
            }
            return save;
        };
        if (most(branch) > most(other)) std::swap(branch, other);
        open_.push_back(std::move(branch));
        open_.push_back(std::move(other));
    }

    // Either one run of the kind is not in the solution, or it is.
    void decide_run(Branch branch, int kind, const Vector<PoolRun>& relaxed) {
        const auto of_kind = [&](const PoolRun& r) { return uses(branch.kinds, r, kind); };
        auto chosen = std::find_if(relaxed.begin(), relaxed.end(), of_kind);
        const PoolRun run =
            chosen != relaxed.end() ? *chosen : *std::find_if(branch.runs.begin(), branch.runs.end(), of_kind);
        Branch with = branch;
        std::erase_if(branch.runs, [&](const PoolRun& r) {
            return r.begin == run.begin && r.end == run.end && r.kind == run.kind;
        });
        with.kinds.each_used(run.kind, [&](int used) { --with.kinds.supply[used]; });
        std::erase_if(with.runs, [&](const PoolRun& r) {
            bool used_up = false;
            with.kinds.each_used(r.kind, [&](int used) { used_up |= with.kinds.supply[used] <= 0; });
            return used_up || (r.begin < run.end && run.begin < r.end);
        });
        with.taken.push_back(run);
        with.save += run.save;
        open_.push_back(std::move(branch));
        open_.push_back(std::move(with));
    }

    int words_;
    std::int64_t unit_;
    std::int64_t target_;
    Result best_;
    Vector<Branch> open_;  // the last one is examined first
};

}  // namespace pagemeter
