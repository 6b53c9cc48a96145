// Exact search over the runs that the bound leaves: branch and bound with Lagrangian bounds.
//
// A branch is a pool with its own supplies and multipliers. If its bound is below the target, it contains no solution
// that saves the target. Otherwise it is divided where the average of its relaxed solutions is undecided: a kind with
// one line has shares before and after some word, or a run has a share near one half. Without such a place, it is
// divided at a kind on which the relaxed solution is wrong. Every kind with runs has a line.
#pragma once

#include <algorithm>
#include <optional>
#include <utility>

#include "compact_pool.hpp"
#include "pool_bound.hpp"

namespace pagemeter {

class BranchSearch {
  public:
    struct Result {
        Vector<PoolRun> runs;  // the best solution that saves the target or more, if any
        std::int64_t save;
        std::int64_t upper;  // no solution in the pool saves more
    };

    // `supply` is what is left of the kinds of the pool.
    BranchSearch(const PoolBound& pool, const KindSupplies& kinds, const Vector<int>& supply, std::int64_t target)
        : pool_(pool.runs, kinds, supply), unit_(pool.relaxation.unit), target_(target), best_{{}, 0, target - 1} {
        Branch root{pool_.kinds, pool_.runs, pool_.multipliers(pool.relaxation.lambda), {}, {}, 0, pool.upper()};
        if (!pool.by_errors.empty()) root.by_errors = pool_.multipliers(pool.by_errors);
        open_.push_back(std::move(root));
    }

    // Searches for the best solution that saves the target, with at most `most_branches` branches.
    Result solve(int most_branches, const Effort& stop) {
        for (int count = 0; !open_.empty() && count < most_branches && !stop(); ++count) {
            Branch branch = std::move(open_.back());
            open_.pop_back();
            if (branch.upper >= target_) examine(std::move(branch), stop);
        }
        for (const Branch& branch : open_) best_.upper = std::max(best_.upper, branch.upper);
        return {pool_.on_page(best_.runs), best_.save, best_.upper};
    }

  private:
    struct Branch {
        KindSupplies kinds;
        Vector<PoolRun> runs;
        Vector<std::int64_t> lambda;
        Vector<std::int64_t> by_errors;
        Vector<PoolRun> taken;  // the runs that every solution of this branch has
        std::int64_t save;  // of the taken runs
        std::int64_t upper;
    };

    static constexpr int kSteps = 20;
    static constexpr double kLeastShare = 0.05;
    static constexpr int kRepairEvery = 20;
    static constexpr int kFixEvery = 10;

    void examine(Branch branch, const Effort& stop) {
        PoolBound bound(pool_.words(), branch.kinds, unit_);
        bound.runs = std::move(branch.runs);
        bound.relaxation.lambda = std::move(branch.lambda);
        bound.by_errors = std::move(branch.by_errors);
        Incumbent incumbent(pool_.words(), branch.kinds);
        bound.step(target_ - branch.save, kSteps, kRepairEvery, kFixEvery, incumbent, stop);
        offer(branch, incumbent.runs(), incumbent.save());
        branch.upper = std::min(branch.upper, branch.save + bound.upper());
        if (branch.upper < target_ || bound.runs.empty()) return;
        const Vector<PoolRun> relaxed = bound.relaxation.relaxed(bound.runs);
        branch.runs = std::move(bound.runs);
        branch.lambda = std::move(bound.relaxation.lambda);
        branch.by_errors = std::move(bound.by_errors);
        const std::optional<int> kind = wrong_kind(branch, relaxed);
        if (!kind) return offer(branch, relaxed, save_of(relaxed));
        if (const auto word = balanced_word(branch, bound.average)) return split(std::move(branch), *word);
        if (const auto run = open_run(branch, bound.average)) return decide_run(std::move(branch), *run);
        if (*kind == branch.kinds.total) return decide_run(std::move(branch), middle_run(branch, relaxed));
        if (branch.kinds.supply[*kind] == 1) {
            const int middle = middle_word(branch, *kind, relaxed);
            return split(std::move(branch), {*kind, middle});
        }
        const PoolRun run = run_of(branch, *kind, relaxed);
        decide_run(std::move(branch), run);
    }

    static bool same(const PoolRun& a, const PoolRun& b) {
        return a.begin == b.begin && a.end == b.end && a.kind == b.kind;
    }

    // A kind with one line, and a word: the solution has no run of the kind that begins before, or none that begins
    // there or later.
    struct Division {
        int kind;
        int word;
    };

    // The division with the largest share of the average solution on both sides, if it is large enough.
    static std::optional<Division> balanced_word(const Branch& branch, const Vector<RunShare>& average) {
        std::optional<Division> best;
        double most = 0;
        for (int i = 0; i < average.count();) {  // ordered by kind and begin
            const int kind = average[i].run.kind;
            const int first = i;
            double whole = 0;
            for (; i < average.count() && average[i].run.kind == kind; ++i) whole += average[i].share;
            if (branch.kinds.supply[kind] != 1) continue;
            const double price = 1 + static_cast<double>(branch.lambda[kind]);
            double before = 0;
            for (int k = first + 1; k < i; ++k) {
                before += average[k - 1].share;
                if (average[k].run.begin == average[k - 1].run.begin) continue;
                const double less = std::min(before, whole - before);
                if (less > kLeastShare && price * less > most) most = price * less, best = {kind, average[k].run.begin};
            }
        }
        if (best && !divides(branch, *best)) return std::nullopt;
        return best;
    }

    static bool divides(const Branch& branch, const Division& at) {
        bool before = false;
        bool after = false;
        for (const PoolRun& r : branch.runs) {
            if (uses(branch.kinds, r, at.kind)) (r.begin < at.word ? before : after) = true;
        }
        return before && after;
    }

    // The run of the average solution that is most undecided, if there is one.
    static std::optional<PoolRun> open_run(const Branch& branch, const Vector<RunShare>& average) {
        const RunShare* best = nullptr;
        double most = kLeastShare;
        for (const RunShare& r : average) {
            const double less = std::min(r.share, 1 - r.share);
            if (less > most) most = less, best = &r;
        }
        if (!best) return std::nullopt;
        const auto run = std::find_if(branch.runs.begin(), branch.runs.end(),
                                      [&](const PoolRun& r) { return same(r, best->run); });
        if (run == branch.runs.end()) return std::nullopt;  // it has left the pool
        return *run;
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
        for (const PoolRun& r : relaxed) branch.kinds.each_use(r, [&](int used, int units) { left[used] -= units; });
        std::optional<int> worst;
        double most = 0;
        for (int k = 0; k < left.count(); ++k) {
            // A kind that is used too often without a price counts as well.
            const auto price = static_cast<double>(branch.lambda[k]);
            const double wrong = left[k] < 0 ? -left[k] * (price + 1) : left[k] * price;
            const bool better = k == branch.kinds.total ? !worst : wrong > most;
            if (wrong > 0 && better) most = wrong, worst = k;
        }
        return worst;
    }

    static bool uses(const KindSupplies& kinds, const PoolRun& r, int kind) {
        return r.kind == kind || kinds.same_length[r.kind] == kind;
    }

    // The word between two runs of the relaxed solution, or in the middle of all runs of the kind.
    static int middle_word(const Branch& branch, int kind, const Vector<PoolRun>& relaxed) {
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
        const int middle = begins[begins.size() / 2];
        if (middle > begins.front()) return middle;
        // A kind with a price has two disjoint runs, because `prune` has set the other prices to 0.
        const auto later = std::upper_bound(begins.begin(), begins.end(), middle);
        return later == begins.end() ? middle : *later;
    }

    void split(Branch branch, const Division& at) {
        Branch other = branch;
        std::erase_if(branch.runs,
                      [&](const PoolRun& r) { return uses(branch.kinds, r, at.kind) && r.begin >= at.word; });
        std::erase_if(other.runs,
                      [&](const PoolRun& r) { return uses(other.kinds, r, at.kind) && r.begin < at.word; });
        // First the part with the run that saves more.
        const auto most = [&](const Branch& part) {
            std::int64_t save = -1;
            for (const PoolRun& r : part.runs) {
                if (uses(part.kinds, r, at.kind)) save = std::max(save, r.save);
            }
            return save;
        };
        if (most(branch) > most(other)) std::swap(branch, other);
        open_.push_back(std::move(branch));
        open_.push_back(std::move(other));
    }

    // If the relaxed solution only saves too few edits, any of its runs may be wrong.
    static PoolRun middle_run(const Branch& branch, const Vector<PoolRun>& relaxed) {
        const Vector<PoolRun>& runs = relaxed.empty() ? branch.runs : relaxed;
        return runs[runs.size() / 2];
    }

    // A run of the kind, of the relaxed solution if it has one.
    static PoolRun run_of(const Branch& branch, int kind, const Vector<PoolRun>& relaxed) {
        const auto of_kind = [&](const PoolRun& r) { return uses(branch.kinds, r, kind); };
        const auto chosen = std::find_if(relaxed.begin(), relaxed.end(), of_kind);
        return chosen != relaxed.end() ? *chosen : *std::find_if(branch.runs.begin(), branch.runs.end(), of_kind);
    }

    // Either the run is not in the solution, or it is.
    void decide_run(Branch branch, const PoolRun& run) {
        Branch with = branch;
        std::erase_if(branch.runs, [&](const PoolRun& r) { return same(r, run); });
        with.kinds.each_use(run, [&](int used, int units) { with.kinds.supply[used] -= units; });
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

    CompactPool pool_;
    std::int64_t unit_;
    std::int64_t target_;
    Result best_;
    Vector<Branch> open_;  // the last one is examined first
};

}  // namespace pagemeter
