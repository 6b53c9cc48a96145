// Linear assignment by row reduction and shortest augmenting paths (Jonker & Volgenant 1987; Crouse 2016), integer
// costs.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "proven_pairs.hpp"
#include "simd.hpp"

namespace pagemeter {

// A dense matrix of integer costs; they, and their sums along a path, are far from the limits of Int.
template <class Int>
struct CostMatrix {
    int rows;
    int columns;
    std::vector<Int> cost;

    CostMatrix(int r, int c)
        : rows(r), columns(c), cost(static_cast<std::size_t>(r) * static_cast<std::size_t>(c), 0) {}
    Int* row(int r) { return cost.data() + static_cast<std::size_t>(r) * static_cast<std::size_t>(columns); }
    const Int* row(int r) const {
        return cost.data() + static_cast<std::size_t>(r) * static_cast<std::size_t>(columns);
    }
};

// Assigns every row to a column of its own at the least cost; rows <= columns. The duals prove it:
// cost(r,c) >= row_dual(r) + column_dual(c), with equality on assigned pairs, and a column dual below zero
// only where the column is assigned. So every optimal assignment uses pairs with equality only.
template <class Int>
class Assignment {
  public:
    explicit Assignment(const CostMatrix<Int>& costs)
        : costs_(costs),
          pairs_(static_cast<std::size_t>(costs.rows), static_cast<std::size_t>(costs.columns)),
          reach_(static_cast<std::size_t>(costs.columns)),
          toll_(static_cast<std::size_t>(costs.columns)),
          from_(static_cast<std::size_t>(costs.columns)) {
        solve();
    }

    // Solves again after costs have risen: the column duals stay, and every pair that is still a row's best. With more
    // columns than rows a column that is left would have to lose its dual, so that all starts anew.
    void solve() {
        if (costs_.rows < costs_.columns) {
            std::fill(pairs_.column_of.begin(), pairs_.column_of.end(), -1);
            std::fill(pairs_.row_of.begin(), pairs_.row_of.end(), -1);
            std::fill(pairs_.column_dual.begin(), pairs_.column_dual.end(), 0);
        }
        for (int r = 0; r < costs_.rows; ++r) keep_or_take(r);
        for (int pass = 0; pass < kReductions && reduce_rows(); ++pass) {
        }
        free_.clear();
        for (int c = 0; c < costs_.columns; ++c) {
            if (!pairs_.taken(c)) free_.push_back(c);
        }
        for (int r = 0; r < costs_.rows; ++r) {
            if (pairs_.column_of[static_cast<std::size_t>(r)] < 0) augment(r);
        }
    }

    int column_of(int r) const { return pairs_.column_of[static_cast<std::size_t>(r)]; }
    // Whether every optimal assignment uses the column.
    bool needed(int c) const { return pairs_.column_dual[static_cast<std::size_t>(c)] < 0; }
    bool tight(int r, int c) const { return pairs_.tight(r, c, costs_.row(r)[c]); }

  private:
    static constexpr Int kFar = std::numeric_limits<Int>::max() / 4;
    static constexpr int kReductions = 20;

    // A row keeps its column if that is a best one still, or takes a best one that is free.
    void keep_or_take(int r) {
        const Int* row = costs_.row(r);
        const Int least = least_reduced(row, pairs_.column_dual.data(), costs_.columns);
        pairs_.row_dual[static_cast<std::size_t>(r)] = least;
        int& mine = pairs_.column_of[static_cast<std::size_t>(r)];
        if (mine >= 0 && row[mine] - pairs_.column_dual[static_cast<std::size_t>(mine)] == least) return;
        if (mine >= 0) pairs_.row_of[static_cast<std::size_t>(mine)] = -1;
        mine = -1;
        for (int c = 0; c < costs_.columns; ++c) {
            const bool best = row[c] - pairs_.column_dual[static_cast<std::size_t>(c)] == least;
            if (best && !pairs_.taken(c)) return pairs_.assign(r, c);
        }
    }

    PAGEMETER_CLONES static Int least_reduced(const Int* row, const Int* dual, int columns) {
        Int least = kFar;
        for (int c = 0; c < columns; ++c) least = std::min(least, row[c] - dual[c]);
        return least;
    }

    // Augmenting row reduction: a row without column takes its best one from whoever has it, and makes that column as
    // much dearer as its second best is worse. Each row has one turn a pass: two rows that outbid each other by the
    // least of differences would never come to an end. True if that left fewer rows without column.
    bool reduce_rows() {
        int gained = 0;
        int lost = 0;
        for (int r = 0; r < costs_.rows; ++r) {
            if (pairs_.column_of[static_cast<std::size_t>(r)] >= 0) continue;
            const auto [best, least, second] = two_least(r);
            const int owner = pairs_.row_of[static_cast<std::size_t>(best)];
            pairs_.row_dual[static_cast<std::size_t>(r)] = second;
            pairs_.column_dual[static_cast<std::size_t>(best)] -= second - least;
            pairs_.assign(r, best);
            ++gained;
            if (owner < 0) continue;
            pairs_.column_of[static_cast<std::size_t>(owner)] = -1;
            ++lost;
        }
        return gained > lost;
    }

    struct TwoLeast {
        int column;
        Int least;
        Int second;
    };
    TwoLeast two_least(int r) const {
        const Int* row = costs_.row(r);
        TwoLeast found{-1, kFar, kFar};
        for (int c = 0; c < costs_.columns; ++c) {
            const Int reduced = row[c] - pairs_.column_dual[static_cast<std::size_t>(c)];
            const bool free_tie = reduced == found.least && !pairs_.taken(c);
            if (reduced < found.least || free_tie) {
                found = {c, reduced, found.least};
            } else if (reduced < found.second) {
                found.second = reduced;
            }
        }
        if (found.second == kFar) found.second = found.least;
        return found;
    }

    // Dijkstra over columns from a free row to the nearest free column, then duals and pairs are updated. A column that
    // has been left has a toll that nobody pays.
    void augment(int start) {
        std::fill(reach_.begin(), reach_.end(), kFar);
        for (std::size_t c = 0; c < toll_.size(); ++c) toll_[c] = -pairs_.column_dual[c];
        visited_.clear();
        Int least = 0;
        int r = start;
        for (;;) {
            const Int base = least - pairs_.row_dual[static_cast<std::size_t>(r)];
            least = relax(costs_.row(r), base, r, costs_.columns, toll_.data(), reach_.data(), from_.data());
            const int c = nearest(least);
            if (!pairs_.taken(c)) {
                std::erase(free_, c);
                return pairs_.augment(start, c, least, visited_, from_);
            }
            visited_.push_back({c, least});
            reach_[static_cast<std::size_t>(c)] = kFar;
            toll_[static_cast<std::size_t>(c)] = 2 * kFar;
            r = pairs_.row_of[static_cast<std::size_t>(c)];
        }
    }

    // Offers row r to all columns; returns how far the nearest is now.
    PAGEMETER_CLONES static Int relax(const Int* row, Int base, int r, int columns, const Int* toll, Int* reach,
                                      Int* from) {
        Int nearest = kFar;
        for (int c = 0; c < columns; ++c) {
            const Int through = base + row[c] + toll[c];
            from[c] = through < reach[c] ? static_cast<Int>(r) : from[c];
            reach[c] = std::min(through, reach[c]);
            nearest = std::min(nearest, reach[c]);
        }
        return nearest;
    }

    // A column so far away, a free one if there is.
    int nearest(Int distance) const {
        for (int c : free_) {
            if (reach_[static_cast<std::size_t>(c)] == distance) return c;
        }
        return first_equal(reach_.data(), costs_.columns, distance);
    }

    PAGEMETER_CLONES static int first_equal(const Int* values, int size, Int wanted) {
        constexpr int kStride = 32;
        int i = 0;
        for (bool found = false; !found && i + kStride <= size; i += found ? 0 : kStride) {
            for (int k = i; k < i + kStride; ++k) found |= values[k] == wanted;
        }
        while (values[i] != wanted) ++i;
        return i;
    }

    const CostMatrix<Int>& costs_;
    ProvenPairs<Int> pairs_;
    std::vector<int> free_;  // columns without row, while paths are sought
    std::vector<Int> reach_;
    std::vector<Int> toll_;
    std::vector<Int> from_;
    std::vector<std::pair<int, Int>> visited_;  // columns left, and how far they were
};

}  // namespace pagemeter
