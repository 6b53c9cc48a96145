// Weighted interval selection over a pool of runs: choose disjoint runs that use no kind too often and save the most.
// Packing holds the incumbent and the bound, and methods that bring them together.
#pragma once

#include <algorithm>
#include <limits>
#include <utility>

#include "effort.hpp"
#include "incumbent.hpp"
#include "label_search.hpp"
#include "lagrangian.hpp"

namespace pagemeter {

// The Lagrangian bound over a pool of runs that shrinks: a run that no sufficiently good solution can contain leaves
// the pool, and a kind that can no longer be used too often loses its multiplier.
class PoolBound {
  public:
    PoolBound(int words, const LineKinds& kinds, std::int64_t unit)
        : relaxation(words, kinds, unit), kinds_(kinds), words_(words) {}

    Lagrangian relaxation;
    Vector<PoolRun> runs;  // ordered by end

    // An upper bound of what any solution saves that saves at least the target.
    std::int64_t upper() const { return upper_; }

    // Steps of the volume algorithm towards solutions that save `target` or as much as the incumbent. Stops when there
    // are none, when so few runs are left that a search is cheap, or when the bound stalls.
    void improve_bound(std::int64_t target, Incumbent& incumbent, const Effort& stop) {
        Volume volume(kinds_);
        const Vector<std::int64_t> most = highest_multipliers();
        Vector<std::int64_t> centre = relaxation.lambda;
        const auto sought = [&] { return std::max(target, incumbent.save()); };
        for (int step = 0; !volume.exhausted() && !stop(); ++step) {
            relaxation.forward(runs);
            const Vector<PoolRun> relaxed = relaxation.relaxed(runs);
            volume.average(relaxed);
            if (volume.improves(relaxation.potentials.bound())) centre = relaxation.lambda;
            upper_ = std::min(upper_, volume.least() / relaxation.unit);
            if (step % kRepairEvery == 0) repair(relaxed, incumbent, stop);
            if (step % kFixEvery == 0) fix(sought());
            if (upper_ < sought() || (upper_ == sought() && runs.size() <= kSmallPool)) break;
            volume.step(centre, sought() * relaxation.unit, most, relaxation.lambda);
        }
        relaxation.lambda = std::move(centre);
        prune(sought());
    }

    // The runs with the highest bounds, by the potentials of the last `prune`.
    Vector<PoolRun> best(std::size_t most) const {
        Vector<PoolRun> all = runs;
        Progress progress;
        progress(kBestSteps * all.count());
        if (all.size() <= most) return all;
        const auto bound = [&](const PoolRun& r) { return relaxation.potentials.bound_with(r, relaxation.reduced(r)); };
        const auto cut = all.begin() + static_cast<std::ptrdiff_t>(most);
        std::nth_element(all.begin(), cut, all.end(),
                         [&](const PoolRun& a, const PoolRun& b) { return bound(a) > bound(b); });
        all.resize(most);
        return all;
    }

    // The run of the pool with the same words and kind, or null.
    const PoolRun* find(const PoolRun& run) const {
        auto i = std::lower_bound(runs.begin(), runs.end(), run,
                                  [](const PoolRun& a, const PoolRun& b) { return a.end < b.end; });
        for (; i != runs.end() && i->end == run.end; ++i) {
            if (i->begin == run.begin && i->kind == run.kind) return &*i;
        }
        return nullptr;
    }

    // Removes runs and multipliers until nothing changes. The potentials are up to date afterwards.
    void prune(std::int64_t target) {
        std::size_t before;
        do {
            before = runs.size();
            release();
            relaxation.forward(runs);
            upper_ = std::min(upper_, relaxation.potentials.bound() / relaxation.unit);
            fix(target);
        } while (runs.size() < before);
    }

  private:
    static constexpr std::size_t kSmallPool = 2'000;
    static constexpr std::int64_t kBestSteps = 20;  // of work for one run
    static constexpr std::int64_t kFreeSteps = 1;
    static constexpr int kRepairEvery = 5;
    static constexpr int kFixEvery = 20;

    // The most that any run of a kind saves. No multiplier needs to be higher.
    Vector<std::int64_t> highest_multipliers() const {
        Vector<std::int64_t> most(kinds_.supply.size(), 0);
        for (const PoolRun& r : runs) {
            kinds_.each_used(r.kind,
                             [&](int used) { most[used] = std::max(most[used], r.save * relaxation.unit); });
        }
        return most;
    }

    // A kind that cannot be used too often needs no multiplier. Setting it to 0 never raises the bound.
    void release() {
        const Vector<int> disjoint = relaxation.disjoint_runs(runs);
        for (std::size_t x = 0; x < disjoint.size(); ++x) {
            if (disjoint[x] <= kinds_.supply[x]) relaxation.lambda[x] = 0;
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

    const LineKinds& kinds_;
    int words_;
    std::int64_t upper_ = std::numeric_limits<std::int64_t>::max();
};

class Packing {
  public:
    Packing(int words, const LineKinds& kinds, std::int64_t unit)
        : bound(words, kinds, unit), incumbent(words, kinds) {}

    PoolBound bound;  // its pool must contain all runs of solutions as good as the incumbent
    Incumbent incumbent;

    // An upper bound of what any solution saves.
    std::int64_t upper() const { return upper_; }
    bool proven() const { return upper_ <= incumbent.save(); }
    bool lower(std::int64_t upper) {
        upper_ = std::min(upper_, std::max(incumbent.save(), upper));
        return true;
    }

    // Offers a solution whose runs are in the pool, in any order; their saves are looked up. Returns true if it is
    // valid and better than the incumbent.
    bool offer(Vector<PoolRun> runs) {
        std::sort(runs.begin(), runs.end(), [](const PoolRun& a, const PoolRun& b) { return a.end < b.end; });
        Vector<int> left = bound.relaxation.kinds->supply;
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
    // incumbent; if there is none, the bound falls. Returns false if `most_open` labels per boundary were not enough to
    // decide.
    bool decide(std::size_t most_open, const Effort& stop) {
        const std::int64_t target = std::max(upper_ - reach_, incumbent.save());
        PoolBound trial = bound;
        trial.prune(target);
        if (trial.upper() >= target) trial.improve_bound(target, incumbent, stop);
        if (trial.upper() < target) return fail(target);
        LabelSearch search(trial.runs, trial.relaxation, target);
        auto result = search.solve(most_open, kMostSteps, stop);
        if (!result) return false;
        incumbent.offer(result->runs);
        if (!result->exact) result = search.solve(kWider * most_open, kQuickSteps * most_open, stop);
        if (!result) return false;
        incumbent.offer(result->runs);
        if (!result->exact) return false;
        if (result->save < target) return fail(target);
        return lower(result->save);
    }

  private:
    // The second search keeps more labels, but takes few steps.
    static constexpr std::size_t kWider = 64;
    static constexpr std::size_t kQuickSteps = 1'000;
    static constexpr std::size_t kMostSteps = 8'000'000;

    // After every failure the next target is further below the bound.
    bool fail(std::int64_t target) {
        reach_ = 2 * reach_ + 1;
        return lower(target - 1);
    }

    std::int64_t upper_ = std::numeric_limits<std::int64_t>::max();
    std::int64_t reach_ = 0;
};

}  // namespace pagemeter
