// Parts of a pool that do not affect each other: no word and no kind that could be used too often is in two of them. A
// pool that has been fixed for a target near the bound has many on large pages. The search of one part after the other
// takes the sum of their branches, the search of all together their product.
#pragma once

#include <algorithm>
#include <numeric>
#include <tuple>
#include <utility>

#include "branch_search.hpp"

namespace pagemeter {

class Parts {
  public:
    Parts(const PoolBound& pool, int words, const KindSupplies& kinds)
        : kinds_(kinds), parent_(words + kinds.size()), number_(words + kinds.size(), -1) {
        std::iota(parent_.begin(), parent_.end(), 0);
        Vector<int> reach(words, 0);
        for (const PoolRun& r : pool.runs) reach[r.begin] = std::max(reach[r.begin], r.end);
        int until = 0;
        for (int w = 0, first = 0; w < words; ++w) {
            if (w < until) {
                join(first, w);
            } else {
                first = w;
            }
            until = std::max(until, reach[w]);
        }
        const Vector<int> disjoint = pool.relaxation.disjoint_runs(pool.runs);
        for (const PoolRun& r : pool.runs) {
            kinds.each_used(r.kind, [&](int used) {
                if (disjoint[used] > kinds.supply[used]) join(r.begin, words + used);
            });
        }
        for (const PoolRun& r : pool.runs) {
            int& number = number_[root(r.begin)];
            if (number < 0) number = count_++;
        }
    }

    // The runs of each part.
    Vector<Vector<PoolRun>> divide(const Vector<PoolRun>& runs) {
        Vector<Vector<PoolRun>> parts(count_);
        for (const PoolRun& r : runs) parts[number_[root(r.begin)]].push_back(r);
        return parts;
    }

    // Searches for the best solution that saves the target, with at most `most_branches` branches per part. A part
    // without a result keeps the runs of the incumbent that are in the pool.
    BranchSearch::Result solve(const PoolBound& pool, const Vector<PoolRun>& incumbent, std::int64_t target,
                               int most_branches, const Effort& stop) {
        const Vector<Vector<PoolRun>> present = divide(common_runs(pool.runs, incumbent));
        Vector<CompactPool> parts;
        BranchSearch::Result whole{{}, 0, 0};
        Vector<std::int64_t> uppers;
        for (const Vector<PoolRun>& runs : divide(pool.runs)) {
            parts.emplace_back(runs, kinds_, kinds_.supply);
            uppers.push_back(bound_of(pool, parts.back(), 0).upper());
            whole.upper += uppers.back();
        }
        for (int i = 0; i < parts.count(); ++i) {
            if (whole.upper < target) return {{}, 0, target - 1};
            const std::int64_t wanted = uppers[i] - (whole.upper - target);
            const PoolBound bound = bound_of(pool, parts[i], wanted);
            const auto found =
                BranchSearch(bound, parts[i].kinds, parts[i].kinds.supply, wanted).solve(most_branches, stop);
            whole.upper -= uppers[i] - std::min(uppers[i], found.upper);
            const Vector<PoolRun> runs = found.runs.empty() ? present[i] : parts[i].on_page(found.runs);
            whole.runs.insert(whole.runs.end(), runs.begin(), runs.end());
        }
        for (const PoolRun& r : whole.runs) whole.save += r.save;
        return whole;
    }

    // The runs of a pool that a solution has.
    static Vector<PoolRun> common_runs(const Vector<PoolRun>& pool, const Vector<PoolRun>& solution) {
        const auto key = [](const PoolRun& r) { return std::tuple(r.begin, r.end, r.kind); };
        const auto before = [&](const PoolRun& a, const PoolRun& b) { return key(a) < key(b); };
        Vector<PoolRun> sorted = solution;
        std::sort(sorted.begin(), sorted.end(), before);
        Vector<PoolRun> common;
        for (const PoolRun& r : pool) {
            if (std::binary_search(sorted.begin(), sorted.end(), r, before)) common.push_back(r);
        }
        return common;
    }

  private:
    // The bound of a part, fixed for a target.
    static PoolBound bound_of(const PoolBound& pool, const CompactPool& part, std::int64_t target) {
        PoolBound bound(part.words(), part.kinds, pool.relaxation.unit);
        bound.runs = part.runs;
        bound.relaxation.lambda = part.multipliers(pool.relaxation.lambda);
        bound.prune(target);
        return bound;
    }

    int root(int i) {
        while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
        return i;
    }
    void join(int a, int b) { parent_[root(b)] = root(a); }

    const KindSupplies& kinds_;
    Vector<int> parent_;  // of each word and kind
    Vector<int> number_;  // of the part of each root
    int count_ = 0;
};

}  // namespace pagemeter
