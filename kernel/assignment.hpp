// Linear assignment by row reduction and shortest augmenting paths (Jonker & Volgenant 1987; Crouse 2016), integer
// costs.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

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
          column_of_(static_cast<std::size_t>(costs.rows), -1),
          row_of_(static_cast<std::size_t>(costs.columns), -1),
          row_dual_(static_cast<std::size_t>(costs.rows), 0),
          column_dual_(static_cast<std::size_t>(costs.columns), 0),
          reach_(static_cast<std::size_t>(costs.columns)),
          toll_(static_cast<std::size_t>(costs.columns)),
          from_(static_cast<std::size_t>(costs.columns)) {
        solve();
    }

    // Solves again after costs have risen: the column duals stay, and every pair that is still a row's best. With more
    // columns than rows a column that is left would have to lose its dual, so that all starts anew.
    void solve() {
        if (costs_.rows < costs_.columns) {
            std::fill(column_of_.begin(), column_of_.end(), -1);
            std::fill(row_of_.begin(), row_of_.end(), -1);
            std::fill(column_dual_.begin(), column_dual_.end(), 0);
        }
        for (int r = 0; r < costs_.rows; ++r) keep_or_take(r);
        for (int pass = 0; pass < kReductions && reduce_rows(); ++pass) {
        }
        free_.clear();
        for (int c = 0; c < costs_.columns; ++c) {
            if (row_of_[static_cast<std::size_t>(c)] < 0) free_.push_back(c);
        }
        for (int r = 0; r < costs_.rows; ++r) {
            if (column_of_[static_cast<std::size_t>(r)] < 0) augment(r);
        }
    }

    int column_of(int r) const { return column_of_[static_cast<std::size_t>(r)]; }
    // Whether every optimal assignment uses the column.
    bool needed(int c) const { return column_dual_[static_cast<std::size_t>(c)] < 0; }
    bool tight(int r, int c) const {
        return costs_.row(r)[c] == row_dual_[static_cast<std::size_t>(r)] + column_dual_[static_cast<std::size_t>(c)];
    }

  private:
    static constexpr Int kFar = std::numeric_limits<Int>::max() / 4;
    static constexpr int kReductions = 20;

    // A row keeps its column if that is a best one still, or takes a best one that is free.
    void keep_or_take(int r) {
        const Int* row = costs_.row(r);
        const Int least = least_reduced(row, column_dual_.data(), costs_.columns);
        row_dual_[static_cast<std::size_t>(r)] = least;
        int& mine = column_of_[static_cast<std::size_t>(r)];
        if (mine >= 0 && row[mine] - column_dual_[static_cast<std::size_t>(mine)] == least) return;
        if (mine >= 0) row_of_[static_cast<std::size_t>(mine)] = -1;
        mine = -1;
        for (int c = 0; c < costs_.columns; ++c) {
            if (row[c] - column_dual_[static_cast<std::size_t>(c)] == least && row_of_[static_cast<std::size_t>(c)] < 0) return assign(r, c);
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
            if (column_of_[static_cast<std::size_t>(r)] >= 0) continue;
            const auto [best, least, second] = two_least(r);
            const int owner = row_of_[static_cast<std::size_t>(best)];
            row_dual_[static_cast<std::size_t>(r)] = second;
            column_dual_[static_cast<std::size_t>(best)] -= second - least;
            assign(r, best);
            ++gained;
            if (owner < 0) continue;
            column_of_[static_cast<std::size_t>(owner)] = -1;
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
            const Int reduced = row[c] - column_dual_[static_cast<std::size_t>(c)];
            const bool free_tie = reduced == found.least && row_of_[static_cast<std::size_t>(c)] < 0;
            if (reduced < found.least || free_tie) {
                found = {c, reduced, found.least};
            } else if (reduced < found.second) {
                found.second = reduced;
            }
        }
        if (found.second == kFar) found.second = found.least;
        return found;
    }

    void assign(int r, int c) {
        column_of_[static_cast<std::size_t>(r)] = c;
        row_of_[static_cast<std::size_t>(c)] = r;
    }

    // Dijkstra over columns from a free row to the nearest free column, then duals and pairs are updated. A column that
    // has been left has a toll that nobody pays.
    void augment(int start) {
        std::fill(reach_.begin(), reach_.end(), kFar);
        for (std::size_t c = 0; c < toll_.size(); ++c) toll_[c] = -column_dual_[c];
        visited_.clear();
        Int least = 0;
        int r = start;
        for (;;) {
            least = relax(costs_.row(r), least - row_dual_[static_cast<std::size_t>(r)], r, costs_.columns, toll_.data(),
                          reach_.data(), from_.data());
            const int c = nearest(least);
            if (row_of_[static_cast<std::size_t>(c)] < 0) {
                raise_duals(start, least);
                std::erase(free_, c);
                return flip(start, c);
            }
            visited_.push_back({c, least});
            reach_[static_cast<std::size_t>(c)] = kFar;
            toll_[static_cast<std::size_t>(c)] = 2 * kFar;
            r = row_of_[static_cast<std::size_t>(c)];
        }
    }

    // Offers row r to all columns; returns how far the nearest is now.
    PAGEMETER_CLONES static Int relax(const Int* row, Int base, int r, int columns,
                                               const Int* toll, Int* reach, Int* from) {
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

    void raise_duals(int start, Int least) {
        row_dual_[static_cast<std::size_t>(start)] += least;
        for (const auto& [c, reach] : visited_) {
            row_dual_[static_cast<std::size_t>(row_of_[static_cast<std::size_t>(c)])] += least - reach;
            column_dual_[static_cast<std::size_t>(c)] -= least - reach;
        }
    }

    void flip(int start, int c) {
        for (int r = -1; r != start;) {
            r = static_cast<int>(from_[static_cast<std::size_t>(c)]);
            const int next = column_of_[static_cast<std::size_t>(r)];
            assign(r, c);
            c = next;
        }
    }

    const CostMatrix<Int>& costs_;
    std::vector<int> column_of_;
    std::vector<int> row_of_;
    std::vector<int> free_;  // columns without row, while paths are sought
    std::vector<Int> row_dual_;
    std::vector<Int> column_dual_;
    std::vector<Int> reach_;
    std::vector<Int> toll_;
    std::vector<Int> from_;
    std::vector<std::pair<int, Int>> visited_;  // columns left, and how far they were
};

}  // namespace pagemeter
