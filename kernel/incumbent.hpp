// The best solution of S or SG so far, and the repair of a relaxed solution, which may use a GT line too often.
#pragma once

#include <algorithm>
#include <utility>

#include "line_kinds.hpp"
#include "run_pool.hpp"
#include "effort.hpp"

namespace pagemeter {

class Incumbent {
  public:
    Incumbent(int words, const KindSupplies& kinds) : words_(unsigned_index(words)), kinds_(kinds) {}

    std::int64_t save() const { return save_; }
    const Vector<PoolRun>& runs() const { return runs_; }

    // Takes a solution that saves more, or as much if it is `preferred`.
    void offer(Vector<PoolRun> solution, bool preferred = false) {
        std::int64_t total = 0;
        for (const PoolRun& r : solution) total += r.save;
        if (total < save_ || (total == save_ && !preferred)) return;
        save_ = total;
        runs_ = std::move(solution);
    }

    // Keeps the best runs of each kind, then fills the gaps, first at the present prices, then at price 0.
    // `relaxed_rest(left, taken, priced)` solves the relaxed problem of the remaining kinds and words. When the
    // work is spent, the gaps stay.
    template <class RelaxedRest>
    void repair(Vector<PoolRun> relaxed, const Effort& stop, const RelaxedRest& relaxed_rest) {
        Vector<PoolRun> solution;
        Vector<int> left = kinds_.supply;
        Vector<char> taken(words_, 0);
        for (bool priced = true; !relaxed.empty() || std::exchange(priced, false);) {
            take_best(std::move(relaxed), left, [&](const PoolRun& r) {
                std::fill(taken.begin() + r.begin, taken.begin() + r.end, char{1});
                solution.push_back(r);
            });
            if (stop()) break;
            relaxed = relaxed_rest(left, taken, priced);
        }
        offer(std::move(solution));
    }

    // Offers a relaxed solution without the runs beyond the supply of their kinds.
    void offer_part(Vector<PoolRun> relaxed) {
        Vector<PoolRun> solution;
        Vector<int> left = kinds_.supply;
        take_best(std::move(relaxed), left, [&](const PoolRun& r) { solution.push_back(r); });
        offer(std::move(solution));
    }

  private:
    // Calls `use` for the best runs of each kind.
    template <class Use>
    void take_best(Vector<PoolRun> relaxed, Vector<int>& left, const Use& use) const {
        std::stable_sort(relaxed.begin(), relaxed.end(),
                         [](const auto& a, const auto& b) { return a.save > b.save; });
        for (const PoolRun& r : relaxed) {
            if (kinds_.take(left, r.kind)) use(r);
        }
    }

    std::size_t words_;
    const KindSupplies& kinds_;
    std::int64_t save_ = 0;
    Vector<PoolRun> runs_;
};

}  // namespace pagemeter
