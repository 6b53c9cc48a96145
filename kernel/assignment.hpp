// Linear assignment by row reduction and shortest augmenting paths (Jonker & Volgenant 1987; Crouse 2016), integer
// costs.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

namespace pagemeter {

// A dense matrix of integer costs.
struct CostMatrix {
    int rows;
    int columns;
    std::vector<std::int64_t> cost;

    CostMatrix(int r, int c)
        : rows(r), columns(c), cost(static_cast<std::size_t>(r) * static_cast<std::size_t>(c), 0) {}
    std::int64_t* row(int r) { return cost.data() + static_cast<std::size_t>(r) * static_cast<std::size_t>(columns); }
    const std::int64_t* row(int r) const {
        return cost.data() + static_cast<std::size_t>(r) * static_cast<std::size_t>(columns);
    }
};

// Assigns every row to a column of its own at the least cost; rows <= columns. The duals prove it:
// cost(r,c) >= row_dual(r) + column_dual(c), with equality on assigned pairs, and a column dual below zero
// only where the column is assigned. So every optimal assignment uses pairs with equality only.
class Assignment {
  public:
    explicit Assignment(const CostMatrix& costs)
        : costs_(costs),
          column_of_(static_cast<std::size_t>(costs.rows), -1),
          row_of_(static_cast<std::size_t>(costs.columns), -1),
          row_dual_(static_cast<std::size_t>(costs.rows), 0),
          column_dual_(static_cast<std::size_t>(costs.columns), 0),
          reach_(static_cast<std::size_t>(costs.columns)),
          from_(static_cast<std::size_t>(costs.columns)),
          done_(static_cast<std::size_t>(costs.columns)) {
        take_free_minima();
        for (int pass = 0; pass < kReductions; ++pass) reduce_rows();
        for (int r = 0; r < costs_.rows; ++r) {
            if (column_of_[static_cast<std::size_t>(r)] < 0) augment(r);
        }
    }

    int column_of(int r) const { return column_of_[static_cast<std::size_t>(r)]; }
    bool tight(int r, int c) const {
        return costs_.row(r)[c] == row_dual_[static_cast<std::size_t>(r)] + column_dual_[static_cast<std::size_t>(c)];
    }

  private:
    static constexpr std::int64_t kFar = std::numeric_limits<std::int64_t>::max();
    static constexpr int kReductions = 2;

    void take_free_minima() {
        for (int r = 0; r < costs_.rows; ++r) {
            const std::int64_t* row = costs_.row(r);
            const std::int64_t least = *std::min_element(row, row + costs_.columns);
            row_dual_[static_cast<std::size_t>(r)] = least;
            for (int c = 0; c < costs_.columns; ++c) {
                if (row[c] == least && row_of_[static_cast<std::size_t>(c)] < 0) {
                    assign(r, c);
                    break;
                }
            }
        }
    }

    // Augmenting row reduction: a row without column takes its best one from whoever has it, and makes that column as
    // much dearer as its second best is worse. Each row has one turn a pass: two rows that outbid each other by the
    // least of differences would never come to an end.
    void reduce_rows() {
        for (int r = 0; r < costs_.rows; ++r) {
            if (column_of_[static_cast<std::size_t>(r)] >= 0) continue;
            const auto [best, least, second] = two_least(r);
            const int owner = row_of_[static_cast<std::size_t>(best)];
            row_dual_[static_cast<std::size_t>(r)] = second;
            column_dual_[static_cast<std::size_t>(best)] -= second - least;
            assign(r, best);
            if (owner >= 0) column_of_[static_cast<std::size_t>(owner)] = -1;
        }
    }

    struct TwoLeast {
        int column;
        std::int64_t least;
        std::int64_t second;
    };
    TwoLeast two_least(int r) const {
        const std::int64_t* row = costs_.row(r);
        TwoLeast found{-1, kFar, kFar};
        for (int c = 0; c < costs_.columns; ++c) {
            const std::int64_t reduced = row[c] - column_dual_[static_cast<std::size_t>(c)];
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

    // Dijkstra over columns from a free row to the nearest free column, then duals and pairs are updated.
    void augment(int start) {
        std::fill(reach_.begin(), reach_.end(), kFar);
        std::fill(done_.begin(), done_.end(), std::uint8_t{0});
        visited_.clear();
        std::int64_t least = 0;
        int r = start;
        int sink = -1;
        while (sink < 0) {
            const int c = relax(r, least);
            least = reach_[static_cast<std::size_t>(c)];
            done_[static_cast<std::size_t>(c)] = 1;
            if (row_of_[static_cast<std::size_t>(c)] < 0) {
                sink = c;
            } else {
                visited_.push_back(c);
                r = row_of_[static_cast<std::size_t>(c)];
            }
        }
        row_dual_[static_cast<std::size_t>(start)] += least;
        for (int c : visited_) {
            const std::int64_t shift = least - reach_[static_cast<std::size_t>(c)];
            row_dual_[static_cast<std::size_t>(row_of_[static_cast<std::size_t>(c)])] += shift;
            column_dual_[static_cast<std::size_t>(c)] -= shift;
        }
        flip(start, sink);
    }

    // Offers row r to all open columns; returns the open column that is nearest now.
    int relax(int r, std::int64_t least) {
        const std::int64_t* row = costs_.row(r);
        const std::int64_t base = least - row_dual_[static_cast<std::size_t>(r)];
        std::int64_t nearest = kFar;
        int best = -1;
        for (int c = 0; c < costs_.columns; ++c) {
            const auto i = static_cast<std::size_t>(c);
            if (done_[i]) continue;
            const std::int64_t through = base + row[c] - column_dual_[i];
            if (through < reach_[i]) {
                reach_[i] = through;
                from_[i] = r;
            }
            if (reach_[i] < nearest || (reach_[i] == nearest && row_of_[i] < 0 && best >= 0 &&
                                        row_of_[static_cast<std::size_t>(best)] >= 0)) {
                nearest = reach_[i];
                best = c;
            }
        }
        return best;
    }

    void flip(int start, int c) {
        for (int r = -1; r != start;) {
            r = from_[static_cast<std::size_t>(c)];
            const int next = column_of_[static_cast<std::size_t>(r)];
            assign(r, c);
            c = next;
        }
    }

    const CostMatrix& costs_;
    std::vector<int> column_of_;
    std::vector<int> row_of_;
    std::vector<std::int64_t> row_dual_;
    std::vector<std::int64_t> column_dual_;
    std::vector<std::int64_t> reach_;
    std::vector<int> from_;
    std::vector<std::uint8_t> done_;
    std::vector<int> visited_;
};

}  // namespace pagemeter
