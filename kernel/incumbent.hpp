// The best solution of S or SG found so far, and how a relaxed solution, which may use a GT line too often, is
// repaired to a new one.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "line_kinds.hpp"
#include "run_pool.hpp"
#include "stop.hpp"

namespace pagemeter {

class Incumbent {
  public:
    Incumbent(int words, const LineKinds& kinds) : words_(static_cast<std::size_t>(words)), kinds_(kinds) {}

    std::int64_t save() const { return save_; }
    const std::vector<PoolRun>& runs() const { return runs_; }

    void offer(std::vector<PoolRun> solution) {
        std::int64_t total = 0;
        for (const PoolRun& r : solution) total += r.save;
        if (total > save_) set(std::move(solution), total);
    }

    // A solution that need not save more, but is to be had instead.
    void set(std::vector<PoolRun> solution, std::int64_t save) {
        save_ = save;
        runs_ = std::move(solution);
    }

    // Of each GT line's runs the best stay, then the gaps are filled, first at the present prices, then at none:
    // `relaxed_rest(left, taken, priced)` solves the relaxed problem of the kinds and words that are left. When time
    // runs out the gaps stay.
    template <class RelaxedRest>
    void repair(std::vector<PoolRun> relaxed, const Stop& stop, const RelaxedRest& relaxed_rest) {
        std::vector<PoolRun> solution;
        std::vector<int> left = kinds_.supply;
        std::vector<char> taken(words_, 0);
        for (bool priced = true; !relaxed.empty() || std::exchange(priced, false);) {
            std::stable_sort(relaxed.begin(), relaxed.end(),
                             [](const auto& a, const auto& b) { return a.save > b.save; });
            for (const PoolRun& r : relaxed) {
                if (!kinds_.take(left, r.kind)) continue;
                std::fill(taken.begin() + r.begin, taken.begin() + r.end, 1);
                solution.push_back(r);
            }
            if (stop()) break;
            relaxed = relaxed_rest(left, taken, priced);
        }
        offer(std::move(solution));
    }

  private:
    std::size_t words_;
    const LineKinds& kinds_;
    std::int64_t save_ = 0;
    std::vector<PoolRun> runs_;
};

}  // namespace pagemeter
