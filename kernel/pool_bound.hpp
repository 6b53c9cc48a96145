// The Lagrangian bound over a pool of runs.
#pragma once

#include <algorithm>
#include <limits>
#include <tuple>
#include <utility>

#include "bundle.hpp"
#include "effort.hpp"
#include "incumbent.hpp"
#include "lagrangian.hpp"

namespace pagemeter {

// The Lagrangian bound over a pool of runs that shrinks: a run that no sufficiently good solution can contain leaves
// the pool, and a kind that can no longer be used too often loses its multiplier.
class PoolBound {
  public:
    PoolBound(int words, const KindSupplies& kinds, std::int64_t unit)
        : relaxation(words, kinds, unit), kinds_(kinds), words_(words) {}

    Lagrangian relaxation;
    Vector<PoolRun> runs;  // ordered by end
    // Multipliers of a second bound, in which saved edits have no price, or none if edits are not limited. Where edits
    // have a price, the bound is lower, but it removes fewer of the runs that save too little.
    Vector<std::int64_t> by_errors;
    Vector<RunShare> average;  // of the relaxed solutions of a branch

    // An upper bound of what any solution saves that saves at least the target.
    std::int64_t upper() const { return upper_; }

    // Steps of the bundle method towards solutions that save `target` or as much as the incumbent. Stops when there
    // are none, when so few runs are left that a search is cheap, or when the bound stalls.
    void improve_bound(std::int64_t target, Incumbent& incumbent, const Effort& stop) {
        step(target, kAnySteps, kRepairEvery, kFixEvery, incumbent, stop);
    }

    // At most `most_steps` steps, with a repair and a fixing every so many steps. A limited number of steps is for a
    // branch of a search: they aim below the target, and stop only when no solution saves it.
    void step(std::int64_t target, int most_steps, int repair_every, int fix_every, Incumbent& incumbent,
              const Effort& stop) {
        if (!by_errors.empty()) {
            std::swap(relaxation.lambda, by_errors);
            take_steps(target, std::min(most_steps, kErrorSteps), repair_every, fix_every, false, incumbent, stop);
            std::swap(relaxation.lambda, by_errors);
            if (upper_ < std::max(target, incumbent.save())) return;
        }
        take_steps(target, most_steps, repair_every, fix_every, true, incumbent, stop);
        if (fix_every < kAnySteps) prune(std::max(target, incumbent.save()));
    }

    // Improves the multipliers of a pool that is not complete, so no run leaves it.
    void tune(int most_steps, Incumbent& incumbent, const Effort& stop) {
        upper_ = std::numeric_limits<std::int64_t>::max();  // the pool may have grown
        step(0, most_steps, kRepairEvery, kAnySteps, incumbent, stop);
    }

    // The runs with the highest bounds, by the potentials of the last `prune`: the same ones on every machine.
    Vector<PoolRun> best(std::size_t most) const {
        Vector<PoolRun> all = runs;
        Progress progress;
        progress(kBestSteps * all.count());
        if (all.size() <= most) return all;
        const auto key = [&](const PoolRun& r) {
            const std::int64_t bound = relaxation.potentials.bound_with(r, relaxation.reduced(r));
            return std::tuple(-bound, -r.save, r.end, r.begin, r.kind);
        };
        const auto cut = all.begin() + static_cast<std::ptrdiff_t>(most);
        std::nth_element(all.begin(), cut, all.end(),
                         [&](const PoolRun& a, const PoolRun& b) { return key(a) < key(b); });
        all.resize(most);
        return all;
    }

    // Keeps the runs with the highest bounds, by the present multipliers.
    void keep_best(std::size_t most) {
        if (runs.size() <= most) return;
        relaxation.forward(runs);
        relaxation.backward(runs);
        runs = best(most);
    }

    // Removes runs and multipliers until nothing changes. The potentials are up to date afterwards.
    void prune(std::int64_t target) {
        if (!by_errors.empty()) {
            std::swap(relaxation.lambda, by_errors);
            remove_runs(target);
            std::swap(relaxation.lambda, by_errors);
        }
        remove_runs(target);
    }

    // The runs of words that are not taken, with kinds that are left.
    Vector<PoolRun> still_free(const Vector<int>& left, const Vector<char>& taken) const {
        Vector<int> taken_before(taken.size() + 1, 0);
        for (std::size_t w = 0; w < taken.size(); ++w) taken_before[w + 1] = taken_before[w] + taken[w];
        Vector<PoolRun> rest;
        Progress progress;
        progress(kFreeSteps * runs.count());
        std::copy_if(runs.begin(), runs.end(), std::back_inserter(rest), [&](const PoolRun& r) {
            bool available = true;
            kinds_.each_used(r.kind, [&](int used) { available &= left[used] > 0; });
            return available && taken_before[r.begin] == taken_before[r.end];
        });
        return rest;
    }

  private:
    void remove_runs(std::int64_t target) {
        std::size_t before;
        do {
            before = runs.size();
            release();
            relaxation.forward(runs);
            upper_ = std::min(upper_, relaxation.potentials.bound() / relaxation.unit);
            fix(target);
        } while (runs.size() < before);
    }

    // `priced_edits` is whether saved edits may have a price.
    void take_steps(std::int64_t target, int most_steps, int repair_every, int fix_every, bool priced_edits,
                    Incumbent& incumbent, const Effort& stop) {
        Bundle bundle(kinds_);
        Vector<std::int64_t> most = highest_multipliers();
        if (!priced_edits) most.back() = 0;
        Vector<std::int64_t> centre = relaxation.lambda;
        const auto sought = [&] { return std::max(target, incumbent.save()); };
        const bool few = most_steps < kAnySteps;
        for (int step = 0; step < most_steps && !stop(); ++step) {
            relaxation.forward(runs);
            const Vector<PoolRun> relaxed = relaxation.relaxed(runs);
            if (bundle.add(relaxation.lambda, relaxation.potentials.bound(), relaxed)) centre = relaxation.lambda;
            upper_ = std::min(upper_, bundle.least() / relaxation.unit);
            if (step % repair_every == 0) repair(relaxed, incumbent, stop);
            if (fix_every < kAnySteps && step % fix_every == 0) fix(sought());
            if (upper_ < sought() || (!few && upper_ == sought() && runs.size() <= kSmallPool)) break;
            bundle.propose(sought() * relaxation.unit, relaxation.unit, most, relaxation.lambda);
            if (bundle.exhausted(hope(bundle.least(), sought(), few))) break;
        }
        if (few && upper_ >= sought()) average = bundle.average();
        relaxation.lambda = std::move(centre);
    }

    // Half of what the bound must fall for the next integer, or below the target of a branch, in units.
    double hope(std::int64_t least, std::int64_t target, bool branch) const {
        const std::int64_t need = branch ? least - target * relaxation.unit : least % relaxation.unit;
        return static_cast<double>(std::max(need, relaxation.unit / kFinest)) / 2;
    }

    static constexpr int kErrorSteps = 10;
    static constexpr std::int64_t kFinest = 50;
    static constexpr std::size_t kSmallPool = 2'000;
    static constexpr std::int64_t kBestSteps = 20;  // of work for one run
    static constexpr std::int64_t kFreeSteps = 1;
    static constexpr int kAnySteps = 1 << 30;
    static constexpr int kRepairEvery = 5;
    static constexpr int kFixEvery = 20;

    // The most that any run of a kind saves. No multiplier needs to be higher.
    Vector<std::int64_t> highest_multipliers() const {
        Vector<std::int64_t> most(kinds_.supply.size(), 0);
        for (const PoolRun& r : runs) {
            kinds_.each_used(r.kind,
                             [&](int used) { most[used] = std::max(most[used], r.save * relaxation.unit); });
            if (r.edits > 0) most.back() = std::max(most.back(), r.save / r.edits * relaxation.unit);
        }
        return most;
    }

    // A kind that cannot be used too often needs no multiplier. Setting it to 0 never raises the bound.
    void release() {
        const Vector<int> disjoint = relaxation.disjoint_runs(runs);
        for (std::size_t x = 0; x < disjoint.size(); ++x) {
            const bool limits_runs = static_cast<int>(x) != kinds_.total;
            if (limits_runs && disjoint[x] <= kinds_.supply[x]) relaxation.lambda[x] = 0;
        }
    }

    // Removes the runs that no solution with this save can contain.
    void fix(std::int64_t target) {
        relaxation.backward(runs);
        std::erase_if(runs, [&](const PoolRun& r) {
            return relaxation.potentials.bound_with(r, relaxation.reduced(r)) < target * relaxation.unit;
        });
    }

    void repair(const Vector<PoolRun>& relaxed, Incumbent& incumbent, const Effort& stop) {
        Lagrangian filling(words_, kinds_, relaxation.unit);
        incumbent.repair(relaxed, stop, [&](const Vector<int>& left, const Vector<char>& taken, bool priced) {
            filling.lambda = priced ? relaxation.lambda : Vector<std::int64_t>(left.size(), 0);
            const Vector<PoolRun> rest = still_free(left, taken);
            filling.forward(rest);
            return filling.relaxed(rest);
        });
    }

    const KindSupplies& kinds_;
    int words_;
    std::int64_t upper_ = std::numeric_limits<std::int64_t>::max();
};

}  // namespace pagemeter
