// The Lagrangian bound of S and SG over a pool of runs that shrinks: runs that can be in no solution as good as the one
// sought leave it, and kinds of GT lines that can no longer be used too often lose their price.
#pragma once

#include <algorithm>
#include <limits>
#include <vector>

#include "incumbent.hpp"
#include "lagrangian.hpp"
#include "stop.hpp"

namespace pagemeter {

class PoolBound {
  public:
    PoolBound(int words, const LineKinds& kinds, std::int64_t unit)
        : relaxation(words, kinds, unit), kinds_(kinds), words_(words) {}

    Lagrangian relaxation;
    std::vector<PoolRun> runs;  // ordered by their end

    // No solution saves more, unless it saves less than was sought.
    std::int64_t upper() const { return upper_; }

    // Volume steps towards solutions that save `target` or what the incumbent saves, until there are none, or so few
    // runs are left that a search is cheap, or the bound stalls.
    void ascend(std::int64_t target, Incumbent& incumbent, const Stop& stop) {
        Volume volume(kinds_);
        const std::vector<std::int64_t> most = dearest();
        std::vector<std::int64_t> centre = relaxation.lambda;
        const auto sought = [&] { return std::max(target, incumbent.save()); };
        for (int step = 0; !volume.exhausted() && !stop(); ++step) {
            relaxation.forward(runs);
            const std::vector<PoolRun> relaxed = relaxation.relaxed(runs);
            volume.average(relaxed);
            if (volume.improves(relaxation.potentials.bound())) centre = relaxation.lambda;
            upper_ = std::min(upper_, volume.least() / relaxation.unit);
            if (step % kRepairEvery == 0) repair(relaxed, incumbent, stop);
            if (step % kFixEvery == 0) fix(sought());
            if (upper_ < sought() || (upper_ == sought() && runs.size() <= kSmallPool)) break;
            volume.step(centre, sought() * relaxation.unit, most, relaxation.lambda);
        }
        relaxation.lambda = std::move(centre);
        settle(sought());
    }

    // The runs with which a solution could save most, by the potentials that `settle` has left.
    std::vector<PoolRun> best(std::size_t most) const {
        std::vector<PoolRun> all = runs;
        if (all.size() <= most) return all;
        const auto bound = [&](const PoolRun& r) { return relaxation.potentials.bound_with(r, relaxation.reduced(r)); };
        const auto cut = all.begin() + static_cast<std::ptrdiff_t>(most);
        std::nth_element(all.begin(), cut, all.end(),
                         [&](const PoolRun& a, const PoolRun& b) { return bound(a) > bound(b); });
        all.resize(most);
        return all;
    }

    // The run of the pool with these words and this kind.
    const PoolRun* find(const PoolRun& run) const {
        auto i = std::lower_bound(runs.begin(), runs.end(), run,
                                  [](const PoolRun& a, const PoolRun& b) { return a.end < b.end; });
        for (; i != runs.end() && i->end == run.end; ++i) {
            if (i->begin == run.begin && i->kind == run.kind) return &*i;
        }
        return nullptr;
    }

    // Drops runs and prices until nothing changes; potentials are up to date afterwards.
    void settle(std::int64_t target) {
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
    static constexpr int kRepairEvery = 5;
    static constexpr int kFixEvery = 20;

    // The most that any run of a kind saves: no multiplier need be higher.
    std::vector<std::int64_t> dearest() const {
        std::vector<std::int64_t> most(kinds_.supply.size(), 0);
        for (const PoolRun& r : runs) {
            kinds_.each_used(r.kind,
                             [&](std::size_t used) { most[used] = std::max(most[used], r.save * relaxation.unit); });
        }
        return most;
    }

    // A kind that cannot be used too often needs no price: without one the bound is never higher.
    void release() {
        const std::vector<int> disjoint = relaxation.disjoint_runs(runs);
        for (std::size_t x = 0; x < disjoint.size(); ++x) {
            if (disjoint[x] <= kinds_.supply[x]) relaxation.lambda[x] = 0;
        }
    }

    // Drops the runs that no solution with this save can hold.
    void fix(std::int64_t target) {
        relaxation.backward(runs);
        std::erase_if(runs, [&](const PoolRun& r) {
            return relaxation.potentials.bound_with(r, relaxation.reduced(r)) < target * relaxation.unit;
        });
    }

    void repair(const std::vector<PoolRun>& relaxed, Incumbent& incumbent, const Stop& stop) {
        Lagrangian filling(words_, kinds_, relaxation.unit);
        incumbent.repair(relaxed, stop, [&](const std::vector<int>& left, const std::vector<char>& taken, bool priced) {
            filling.lambda = priced ? relaxation.lambda : std::vector<std::int64_t>(left.size(), 0);
            const std::vector<PoolRun> rest = still_free(left, taken);
            filling.forward(rest);
            return filling.relaxed(rest);
        });
    }

    std::vector<PoolRun> still_free(const std::vector<int>& left, const std::vector<char>& taken) const {
        std::vector<int> taken_before(taken.size() + 1, 0);
        for (std::size_t w = 0; w < taken.size(); ++w) taken_before[w + 1] = taken_before[w] + taken[w];
        std::vector<PoolRun> rest;
        std::copy_if(runs.begin(), runs.end(), std::back_inserter(rest), [&](const PoolRun& r) {
            bool had = true;
            kinds_.each_used(r.kind, [&](std::size_t used) { had &= left[used] > 0; });
            return had &&
                   taken_before[static_cast<std::size_t>(r.begin)] == taken_before[static_cast<std::size_t>(r.end)];
        });
        return rest;
    }

    const LineKinds& kinds_;
    int words_;
    std::int64_t upper_ = std::numeric_limits<std::int64_t>::max();
};

}  // namespace pagemeter
