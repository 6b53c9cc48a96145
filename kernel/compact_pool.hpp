// A pool with its own numbers for the kinds and boundaries that it uses. A search of a small pool on a large page then
// takes no longer than on a small page.
#pragma once

#include <algorithm>

#include "run_pool.hpp"

namespace pagemeter {

class CompactPool {
  public:
    KindSupplies kinds;
    Vector<PoolRun> runs;  // ordered by end

    // `supply` is what is left of the kinds.
    CompactPool(const Vector<PoolRun>& pool, const KindSupplies& all, const Vector<int>& supply) : runs(pool) {
        Vector<int> number(all.size(), -1);
        const auto numbered = [&](int kind) {
            if (number[kind] < 0) {
                number[kind] = kind_.count();
                kind_.push_back(kind);
                kinds.supply.push_back(supply[kind]);
                kinds.same_length.push_back(-1);
            }
            return number[kind];
        };
        for (PoolRun& r : runs) {
            const int kind = numbered(r.kind);
            const int also = all.same_length[r.kind];
            if (also >= 0) {
                const int numbered_also = numbered(also);
                kinds.same_length[kind] = numbered_also;
            }
            r.kind = kind;
            boundary_.push_back(r.begin);
            boundary_.push_back(r.end);
        }
        if (all.total >= 0) {
            kind_.push_back(all.total);
            kinds.limit_edits(supply[all.total]);
        }
        std::sort(boundary_.begin(), boundary_.end());
        boundary_.erase(std::unique(boundary_.begin(), boundary_.end()), boundary_.end());
        for (PoolRun& r : runs) {
            r.begin = number_of(r.begin);
            r.end = number_of(r.end);
        }
    }

    int words() const { return std::max(0, boundary_.count() - 1); }

    // The multipliers of the kinds of the pool.
    Vector<std::int64_t> multipliers(const Vector<std::int64_t>& all) const {
        Vector<std::int64_t> mine;
        for (int kind : kind_) mine.push_back(all[kind]);
        return mine;
    }

    // Runs of the page with the numbers of this pool, which must use their kinds and boundaries.
    Vector<PoolRun> numbered(Vector<PoolRun> on_page) const {
        for (PoolRun& r : on_page) {
            r.kind = static_cast<int>(std::find(kind_.begin(), kind_.end(), r.kind) - kind_.begin());
            r.begin = number_of(r.begin);
            r.end = number_of(r.end);
        }
        return on_page;
    }

    // The same runs with the numbers of the page.
    Vector<PoolRun> on_page(Vector<PoolRun> mine) const {
        for (PoolRun& r : mine) {
            r.kind = kind_[r.kind];
            r.begin = boundary_[r.begin];
            r.end = boundary_[r.end];
        }
        return mine;
    }

  private:
    int number_of(int boundary) const {
        return static_cast<int>(std::lower_bound(boundary_.begin(), boundary_.end(), boundary) - boundary_.begin());
    }

    Vector<int> kind_;  // the kind on the page
    Vector<int> boundary_;  // the boundary on the page
};

}  // namespace pagemeter
