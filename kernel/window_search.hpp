// Improves a solution of S or SG in windows of the page: the runs in one or two windows are removed, and the best runs
// for the words and lines that are free then are found by a short exact search.
//
// The gap between bound and solution is a sum of losses, none of which is negative: F(end) - F(begin) - (save - price)
// of each run, F(b+1) - F(b) of each word in no run, and the prices of the lines without a run. A window is left alone
// if it has no loss, and no run of a relaxed solution that gives words to a line without a run.
#pragma once

#include <algorithm>
#include <utility>

#include "branch_search.hpp"

namespace pagemeter {

class WindowSearch {
  public:
    // Searches among the runs of `pool`, with its multipliers.
    WindowSearch(const PoolBound& pool, int words, const KindSupplies& kinds)
        : pool_(pool), relaxation_(pool.relaxation), words_(words), kinds_(kinds) {
        relaxation_.forward(pool.runs);
        relaxation_.backward(pool.runs);
    }

    // Windows of growing size over the whole page, each alone and together with another one, as long as they improve
    // the incumbent.
    void improve(Incumbent& incumbent, const Effort& stop) {
        for (int size = kFewRuns; size <= kMostRuns; size *= 2) {
            bool better = true;
            for (int pass = 0; pass < kPasses && better && !stop(); ++pass) better = sweep(incumbent, size, stop);
        }
    }

  private:
    static constexpr int kFewRuns = 8;
    static constexpr int kMostRuns = 16;
    static constexpr int kPasses = 3;
    static constexpr int kBranches = 20;

    bool sweep(Incumbent& incumbent, int size, const Effort& stop) {
        const std::int64_t before = incumbent.save();
        sort(incumbent);
        for (int first = 0; first < runs_.count() && !stop(); first += size / 2) {
            if (!is_open(first, size)) continue;
            free_windows(incumbent, first, first, size, stop);
            const auto other = static_cast<int>(++count_ * Swept::kSpread % static_cast<std::uint32_t>(runs_.count()));
            free_windows(incumbent, first, other, size, stop);
        }
        return incumbent.save() > before;
    }

    void sort(const Incumbent& incumbent) {
        runs_ = incumbent.runs();
        std::sort(runs_.begin(), runs_.end(), [](const PoolRun& a, const PoolRun& b) { return a.begin < b.begin; });
        Vector<int> left = kinds_.supply;
        for (const PoolRun& r : runs_) kinds_.take(left, r.kind);
        wanted_.assign(words_ + 1, 0);
        for (const PoolRun& r : pool_.runs) {
            const bool relaxed = left[r.kind] > 0 && relaxation_.lambda[r.kind] > 0 &&
                                 relaxation_.potentials.bound_with(r, relaxation_.reduced(r)) >=
                                     relaxation_.potentials.bound() - relaxation_.unit / 2;
            if (relaxed) ++wanted_[r.begin], --wanted_[r.end];
        }
        for (int w = 0, open = 0; w <= words_; ++w) {
            open += wanted_[w];
            wanted_[w] = open > 0 ? 1 : 0;
        }
        for (int w = words_, after = 0; w >= 0; --w) wanted_[w] = after += wanted_[w];
        progress_(pool_.runs.count());
    }

    // Whether the window from `first` on can be improved.
    bool is_open(int first, int size) const {
        const Vector<std::int64_t>& best = relaxation_.potentials.left;
        const int last = std::min(first + size, runs_.count());
        std::int64_t value = 0;
        for (int i = first; i < last; ++i) value += relaxation_.reduced(runs_[i]);
        const int begin = first > 0 ? runs_[first - 1].end : 0;
        const int end = last < runs_.count() ? runs_[last].begin : words_;
        return best[end] - best[begin] > value || wanted_[begin] > wanted_[end];
    }

    // Removes `size` runs from each of two positions on the page, and fills the gaps.
    void free_windows(Incumbent& incumbent, int first, int other, int size, const Effort& stop) {
        Vector<PoolRun> kept;
        Vector<int> left = kinds_.supply;
        Vector<char> taken(words_, 0);
        std::int64_t save = 0;
        for (int i = 0; i < runs_.count(); ++i) {
            if ((i >= first && i < first + size) || (i >= other && i < other + size)) continue;
            kept.push_back(runs_[i]);
            save += runs_[i].save;
            kinds_.each_use(runs_[i], [&](int used, int units) { left[used] -= units; });
            std::fill(taken.begin() + runs_[i].begin, taken.begin() + runs_[i].end, char{1});
        }
        PoolBound rest(words_, kinds_, relaxation_.unit);
        rest.runs = pool_.still_free(left, taken);
        rest.relaxation.lambda = relaxation_.lambda;
        rest.by_errors = pool_.by_errors;
        auto found = BranchSearch(rest, kinds_, left, incumbent.save() - save + 1).solve(kBranches, stop);
        if (found.runs.empty()) return;
        kept.insert(kept.end(), found.runs.begin(), found.runs.end());
        incumbent.offer(std::move(kept));
        sort(incumbent);
    }

    const PoolBound& pool_;
    Lagrangian relaxation_;
    int words_;
    const KindSupplies& kinds_;
    Vector<PoolRun> runs_;  // of the incumbent, ordered by begin
    Vector<int> wanted_;  // words from each word on that a relaxed solution gives to a line without a run
    std::uint32_t count_ = 0;
    Progress progress_;
};

}  // namespace pagemeter
