// Linear assignment with integer costs, by row reduction and shortest augmenting paths (Jonker & Volgenant 1987; Crouse
// 2016).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "indexing.hpp"
#include "interruption.hpp"
#include "limits.hpp"
#include "simd.hpp"

namespace pagemeter {

// An assignment with the dual values that prove it, and the update of both along an augmenting path.

template <class Int>
struct ProvenPairs {
    Vector<int> column_of;
    Vector<int> row_of;
    Vector<Int> row_dual;
    Vector<Int> column_dual;

    ProvenPairs(int rows, int columns)
        : column_of(rows, -1), row_of(columns, -1), row_dual(rows, 0), column_dual(columns, 0) {}

    bool taken(int c) const { return row_of[c] >= 0; }
    // True if an optimal assignment can contain the pair with this cost.
    bool tight(int r, int c, Int cost) const {
        return cost == row_dual[r] + column_dual[c];
    }

    void assign(int r, int c) {
        column_of[r] = c;
        row_of[c] = r;
    }

    // Applies a shortest path of length `least` from row `start` to the free column c. `visited` has the columns on the
    // way and their distances; from[c] is the row before column c.
    template <class Row>
    void augment(int start, int c, Int least, const Vector<std::pair<int, Int>>& visited,
                 const Vector<Row>& from) {
        row_dual[start] += least;
        for (const auto& [passed, reach] : visited) {
            row_dual[row_of[passed]] += least - reach;
            column_dual[passed] -= least - reach;
        }
        for (int r = -1; r != start;) {
            r = static_cast<int>(from[c]);
            const int next = column_of[r];
            assign(r, c);
            c = next;
        }
    }
};

// A dense matrix of integer costs. Sums of costs along a path must not overflow Int.
template <class Int>
struct CostMatrix {
    int rows;
    int columns;
    Vector<Int> cost;

    CostMatrix(int r, int c)
        : rows(r), columns(c), cost(std::int64_t{r} * c, 0) {}
    Int* row(int r) { return cost.data() + std::ptrdiff_t{r} * columns; }
    const Int* row(int r) const { return cost.data() + std::ptrdiff_t{r} * columns; }
};

// The search can start with the least cost of each column. So a row without a good column of its own does not begin
// with the good columns of other rows. All columns are needed for that, so rows of zeros are added until the matrix is
// square. With many more columns than rows, this does not pay, and all column duals start at zero.
enum class FirstDuals { kZero, kLeastCosts };

// Assigns every row to a different column at minimum cost; rows <= columns. The duals prove it: cost(r,c) >=
// row_dual(r) + column_dual(c), with equality on assigned pairs, and a column dual is below zero only if the column is
// assigned. So every optimal assignment consists of pairs with equality.
template <class Int>
class Assignment {
  public:
    explicit Assignment(const CostMatrix<Int>& costs, FirstDuals first = FirstDuals::kZero)
        : costs_(costs),
          from_columns_(first == FirstDuals::kLeastCosts && costs.rows > 0 &&
                        kFewMore * (costs.columns - costs.rows) <= costs.columns),
          rows_(from_columns_ ? costs.columns : costs.rows),
          zeros_(rows_ > costs.rows ? costs.columns : 0, 0),
          pairs_(rows_, costs.columns),
          reach_(costs.columns),
          toll_(costs.columns),
          from_(costs.columns) {
        if (from_columns_) reduce_columns();
        solve();
    }

    // Solves again after some costs have increased. The column duals stay valid, and a pair stays if it is still the
    // best of its row. If some column has no row, one that loses its row would need dual 0, so the search starts from
    // scratch.
    void solve() {
        if (rows_ < costs_.columns) {
            std::fill(pairs_.column_of.begin(), pairs_.column_of.end(), -1);
            std::fill(pairs_.row_of.begin(), pairs_.row_of.end(), -1);
            std::fill(pairs_.column_dual.begin(), pairs_.column_dual.end(), 0);
        }
        for (int r = 0; r < rows_; ++r) keep_or_take(r);
        for (int pass = 0; pass < kReductions && reduce_rows(); ++pass) {
        }
        free_.clear();
        for (int c = 0; c < costs_.columns; ++c) {
            if (!pairs_.taken(c)) free_.push_back(c);
        }
        for (int r = 0; r < rows_; ++r) {
            if (pairs_.column_of[r] < 0) augment(r);
        }
        if (from_columns_) raise_columns();
    }

    int column_of(int r) const { return pairs_.column_of[r]; }
    // True if every optimal assignment uses the column.
    bool needed(int c) const { return pairs_.column_dual[c] < 0; }
    bool tight(int r, int c) const { return pairs_.tight(r, c, costs_.row(r)[c]); }

  private:
    // Of 32-bit costs, none is below minus twice the length of a line, so a path costs at most 2 * kMostTokens.
    static constexpr Int kFar = std::numeric_limits<Int>::max() / 4;
    static_assert(4 * kMostTokens < kFar);
    static constexpr int kReductions = 20;
    static constexpr int kFewMore = 32;  // at most this part of the columns has no row

    const Int* row(int r) const { return r < costs_.rows ? costs_.row(r) : zeros_.data(); }

    void reduce_columns() {
        for (int r = 0; r < rows_; ++r) {
            const Int* costs = row(r);
            for (int c = 0; c < costs_.columns; ++c) {
                pairs_.column_dual[c] = r == 0 ? costs[c] : std::min(pairs_.column_dual[c], costs[c]);
            }
        }
    }

    // Makes the largest column dual 0. All rows of zeros have the same dual, so the columns assigned to them have the
    // largest one. Without these rows, the duals prove the assignment.
    void raise_columns() {
        const Int most = *std::max_element(pairs_.column_dual.begin(), pairs_.column_dual.end());
        for (Int& dual : pairs_.column_dual) dual -= most;
        for (Int& dual : pairs_.row_dual) dual += most;
    }

    // A row keeps its column if that is still a best one, or else takes a free best column.
    void keep_or_take(int r) {
        const Int* costs = row(r);
        const Int least = least_reduced(costs, pairs_.column_dual.data(), costs_.columns);
        pairs_.row_dual[r] = least;
        int& mine = pairs_.column_of[r];
        if (mine >= 0 && costs[mine] - pairs_.column_dual[mine] == least) return;
        if (mine >= 0) pairs_.row_of[mine] = -1;
        mine = -1;
        for (int c = 0; c < costs_.columns; ++c) {
            const bool best = costs[c] - pairs_.column_dual[c] == least;
            if (best && !pairs_.taken(c)) return pairs_.assign(r, c);
        }
    }

    PAGEMETER_CLONES static Int least_reduced(const Int* row, const Int* dual, int columns) {
        Int least = kFar;
        for (int c = 0; c < columns; ++c) least = std::min(least, row[c] - dual[c]);
        return least;
    }

    // Augmenting row reduction: an unassigned row takes its best column from the present owner, and the column's dual
    // falls by the difference to the second best. Each row acts once per pass, because two rows could outbid each other
    // by 1 for very long. Returns true if fewer rows are unassigned than before.
    bool reduce_rows() {
        int gained = 0;
        int lost = 0;
        for (int r = 0; r < rows_; ++r) {
            if (pairs_.column_of[r] >= 0) continue;
            const auto [best, least, second] = two_least(r);
            const int owner = pairs_.row_of[best];
            pairs_.row_dual[r] = second;
            pairs_.column_dual[best] -= second - least;
            pairs_.assign(r, best);
            ++gained;
            if (owner < 0) continue;
            pairs_.column_of[owner] = -1;
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
        const Int* costs = row(r);
        TwoLeast two{-1, kFar, kFar};
        for (int c = 0; c < costs_.columns; ++c) {
            const Int reduced = costs[c] - pairs_.column_dual[c];
            const bool free_tie = reduced == two.least && !pairs_.taken(c);
            if (reduced < two.least || free_tie) {
                two = {c, reduced, two.least};
            } else if (reduced < two.second) {
                two.second = reduced;
            }
        }
        if (two.second == kFar) two.second = two.least;
        return two;
    }

    // Dijkstra's algorithm over columns from a free row to the nearest free column, then an update of duals and pairs.
    // A visited column gets a toll so high that no path uses it again.
    void augment(int start) {
        std::fill(reach_.begin(), reach_.end(), kFar);
        for (std::size_t c = 0; c < toll_.size(); ++c) toll_[c] = -pairs_.column_dual[c];
        visited_.clear();
        Int least = 0;
        int r = start;
        for (;;) {
            const Int base = least - pairs_.row_dual[r];
            progress_(costs_.columns);
            least = relax(row(r), base, r, costs_.columns, toll_.data(), reach_.data(), from_.data());
            const int c = nearest(least);
            if (!pairs_.taken(c)) {
                std::erase(free_, c);
                return pairs_.augment(start, c, least, visited_, from_);
            }
            visited_.push_back({c, least});
            reach_[c] = kFar;
            toll_[c] = 2 * kFar;
            r = pairs_.row_of[c];
        }
    }

    // Relaxes the distances of all columns through row r. Returns the smallest distance.
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

    // A column at this distance, a free one if possible.
    int nearest(Int distance) const {
        for (int c : free_) {
            if (reach_[c] == distance) return c;
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
    bool from_columns_;
    int rows_;  // with the rows of zeros
    Vector<Int> zeros_;
    ProvenPairs<Int> pairs_;
    Vector<int> free_;  // columns without a row during the path search
    Vector<Int> reach_;
    Vector<Int> toll_;
    Vector<Int> from_;
    Vector<std::pair<int, Int>> visited_;  // visited columns and their distances
    Progress progress_;
};

}  // namespace pagemeter
