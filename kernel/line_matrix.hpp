// The best matching of two sets of lines, with few distance computations.
//
// Most pairs of lines have little in common, and a lower bound on their distance is enough: by their lengths, by their
// token counts, or from a computation that was stopped early. If an optimal solution could use such a pair, its
// distance is computed, and the assignment is solved again. The result is exact.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <tuple>
#include <utility>

#include "assignment.hpp"
#include "histogram.hpp"
#include "levenshtein.hpp"

namespace pagemeter {

// Finds, among all optimal assignments, one with the fewest correct tokens. Optimal assignments consist of tight pairs
// and use every needed column, so each connected component of the tight pairs is a small assignment of its own.

template <class Cor>
class FewestCorrect {
  public:
    // `cor(row, column)` is called for tight pairs that save something, which have a cost below zero.
    FewestCorrect(const Assignment<std::int32_t>& solution, const CostMatrix<std::int32_t>& costs, const Cor& cor)
        : solution_(solution),
          costs_(costs),
          cor_(cor),
          tight_(costs.rows),
          rows_of_(costs.columns) {
        std::int64_t pairs = 0;
        for (int r = 0; r < costs.rows; ++r) {
            for (int c = 0; c < costs.columns; ++c) {
                if (!solution.tight(r, c)) continue;
                tight_[r].push_back(c);
                rows_of_[c].push_back(r);
            }
            pairs += tight_[r].count();
            check_memory(pairs * kPairBytes);
        }
    }

    Vector<std::pair<int, int>> pairs() {
        Vector<std::pair<int, int>> all;
        row_seen_.assign(tight_.size(), 0);
        place_.assign(rows_of_.size(), -1);
        for (int r = 0; r < costs_.rows; ++r) {
            if (!row_seen_[r]) solve(part_of(r), all);
        }
        return all;
    }

  private:
    struct Part {
        Vector<int> rows;
        Vector<int> columns;
    };

    Part part_of(int first) {
        Part part{{first}, {}};
        row_seen_[first] = 1;
        for (std::size_t i = 0; i < part.rows.size(); ++i) {
            for (int c : tight_[part.rows[i]]) {
                if (place_[c] >= 0) continue;
                place_[c] = part.columns.count();
                part.columns.push_back(c);
                for (int r : rows_of_[c]) {
                    if (!std::exchange(row_seen_[r], 1)) part.rows.push_back(r);
                }
            }
        }
        return part;
    }

    void solve(const Part& part, Vector<std::pair<int, int>>& all) const {
        if (part.columns.size() == 1) {
            all.emplace_back(part.rows[0], part.columns[0]);
            return;
        }
        check_memory(std::int64_t{part.rows.count()} * part.columns.count() * kPairBytes);
        CostMatrix<std::int64_t> costs(part.rows.count(), part.columns.count());
        Progress progress;
        for (int i = 0; i < costs.rows; ++i) {
            std::fill(costs.row(i), costs.row(i) + costs.columns, kForbidden);
            const int r = part.rows[i];
            for (int c : tight_[r]) {
                progress(1 << 10);
                const std::int64_t cor = costs_.row(r)[c] < 0 ? cor_(r, c) : 0;
                costs.row(i)[place_[c]] = cor - (solution_.needed(c) ? kNeeded : 0);
            }
        }
        const Assignment<std::int64_t> chosen(costs);
        for (int i = 0; i < costs.rows; ++i) {
            all.emplace_back(part.rows[i],
                             part.columns[chosen.column_of(i)]);
        }
    }

    // Not using a needed column costs more than all COR; a pair that is not tight costs more than all needed columns.
    // A path has at most one pair per row, and a matrix that fits into memory has fewer than 2^16 rows, because there
    // are at least as many columns. So the sum of the costs of a path stays below 2^60.
    static constexpr std::int64_t kPairBytes = sizeof(std::int64_t);
    static constexpr std::int64_t kNeeded = std::int64_t{1} << 21;
    static constexpr std::int64_t kForbidden = std::int64_t{1} << 43;
    static_assert(kMostPairs < kNeeded && (kNeeded + 1) * kMostTokens < kForbidden);
    static_assert((std::int64_t{1} << 32) * kPairBytes > kMostBytes, "fewer than 2^16 rows");

    const Assignment<std::int32_t>& solution_;
    const CostMatrix<std::int32_t>& costs_;
    const Cor& cor_;
    Vector<Vector<int>> tight_;  // tight columns of each row
    Vector<Vector<int>> rows_of_;  // tight rows of each column
    Vector<char> row_seen_;
    Vector<int> place_;  // index of a column in its component
};

class LineMatrix {
  public:
    // There are no more rows than columns. If `allowed` is empty, all pairs are allowed.
    LineMatrix(const LineSubset& rows, const LineSubset& columns, PatternIndex& index,
               const std::function<bool(int, int)>& allowed)
        : rows_(rows),
          columns_(columns),
          index_(index),
          costs_(checked(rows.size(), columns.size()), columns.size()),
          exact_(rows.which.size() * columns.which.size(), 0) {
        const int buckets = Histograms::buckets_for(rows.lines);
        const Histograms row_counts(rows, buckets);
        const Histograms column_counts(columns, buckets);
        Vector<int> bounds;
        for (int r = 0; r < costs_.rows; ++r) {
            column_counts.bounds(row_counts, r, 0, costs_.columns, bounds);
            progress_(kCellSteps * costs_.columns);
            fill_row(r, bounds, allowed);
        }
    }

    // Returns (row line, column line, counts) of the canonical matching. LD is minimised first, with distances computed
    // as needed, then COR among the pairs that occur in optimal solutions.
    Vector<std::tuple<int, int, PairCounts>> solve() {
        Assignment<std::int32_t> solution(costs_, FirstDuals::kLeastCosts);
        while (make_used_exact(solution)) solution.solve();
        Vector<std::tuple<int, int, PairCounts>> pairs;
        const auto cor = [&](int row, int column) { return counts(row, column).cor; };
        for (const auto& [r, c] : FewestCorrect(solution, costs_, cor).pairs()) {
            if (costs_.row(r)[c] < 0) pairs.emplace_back(rows_.line(r), columns_.line(c), counts(r, c));
        }
        return pairs;
    }

  private:
    static constexpr std::int64_t kCellSteps = 64;  // a cell takes about as long as a short distance

    // Returns the number of rows, if the tables fit into memory.
    static int checked(int rows, int columns) {
        check_memory(std::int64_t{rows} * columns * std::int64_t{sizeof(std::int32_t) + sizeof(std::uint8_t)});
        return rows;
    }

    int lengths(int r, int c) const { return rows_.length(r) + columns_.length(c); }
    std::uint8_t& exact(int r, int c) {
        return exact_[std::int64_t{r} * columns_.size() + c];
    }
    void set(int r, int c, int distance) { costs_.row(r)[c] = distance - lengths(r, c); }

    // Computes distances up to a sixth of the line's length and bounds beyond. If no exact value is known after that,
    // all distances of the row are computed, because a row of bounds would be made exact later anyway.
    void fill_row(int r, const Vector<int>& bounds, const std::function<bool(int, int)>& allowed) {
        index_.assign(rows_[r]);
        const int cutoff = std::max(3, index_.length() / 6);
        bool known = false;
        Vector<int> open;
        for (int c = 0; c < costs_.columns; ++c) {
            const int length = columns_.length(c);
            const int least = std::max(bounds[c], std::abs(index_.length() - length));
            if (allowed && !allowed(rows_.line(r), columns_.line(c))) {
                exact(r, c) = 1;  // saves nothing
            } else if (least > cutoff) {
                set(r, c, least);
                exact(r, c) = least >= std::max(length, index_.length());  // no distance is greater
                known |= exact(r, c);
            } else {
                open.push_back(c);
            }
        }
        index_.distances(
            open.count(), [&](int i) { return columns_[open[i]]; },
            [&](int i, int distance) {
                set(r, open[i], distance);
                exact(r, open[i]) = distance <= cutoff;
                known |= distance <= cutoff;
            },
            cutoff);
        if (!known) make_exact(r);
    }

    void make_exact(int r) {
        index_.assign(rows_[r]);
        progress_(kCellSteps * costs_.columns);
        Vector<int> open;
        for (int c = 0; c < costs_.columns; ++c) {
            if (std::exchange(exact(r, c), 1) == 0) open.push_back(c);
        }
        index_.distances(
            open.count(), [&](int i) { return columns_[open[i]]; },
            [&](int i, int distance) { set(r, open[i], distance); });
    }

    // Computes the distances of every row that has a tight pair with only a bound. Returns true if the assigned pairs
    // became more expensive.
    bool make_used_exact(const Assignment<std::int32_t>& solution) {
        bool changed = false;
        for (int r = 0; r < costs_.rows; ++r) {
            const std::int32_t before = costs_.row(r)[solution.column_of(r)];
            if (!tight_is_exact(solution, r)) make_exact(r);
            changed |= costs_.row(r)[solution.column_of(r)] != before;
        }
        return changed;
    }

    bool tight_is_exact(const Assignment<std::int32_t>& solution, int r) {
        for (int c = 0; c < costs_.columns; ++c) {
            if (!exact(r, c) && solution.tight(r, c)) return false;
        }
        return true;
    }

    PairCounts counts(int r, int c) const {
        const int distance = lengths(r, c) + costs_.row(r)[c];
        const int longer = std::max(rows_.length(r), columns_.length(c));
        // A correct token would make the distance smaller.
        if (distance == longer) return {distance, 0, lengths(r, c) - distance};
        return canonical_counts(columns_[c], rows_[r], distance);
    }

    const LineSubset& rows_;
    const LineSubset& columns_;
    PatternIndex& index_;
    CostMatrix<std::int32_t> costs_;  // minus the save of each pair
    Vector<std::uint8_t> exact_;
    Progress progress_;
};

}  // namespace pagemeter
