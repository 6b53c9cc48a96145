// The best matching of some lines with others, with as few distances as it takes.
//
// Most pairs of lines have nothing to do with each other, and a bound on their distance is enough: by their lengths,
// by their tokens, or by giving up early. Where the solution uses such a pair, or could, the distance is computed after
// all; what is left is exact.
#pragma once

#include <algorithm>
#include <array>
#include <functional>
#include <tuple>
#include <utility>
#include <vector>

#include "fewest_correct.hpp"
#include "histogram.hpp"
#include "levenshtein.hpp"

namespace pagemeter {

class LineMatrix {
  public:
    // Rows are no more than columns; without `allowed` all pairs are.
    LineMatrix(const Chosen& rows, const Chosen& columns, PatternIndex& index,
               const std::function<bool(int, int)>& allowed)
        : rows_(rows),
          columns_(columns),
          index_(index),
          costs_(rows.size(), columns.size()),
          exact_(rows.which.size() * columns.which.size(), 0) {
        const int buckets = Histograms::buckets_for(rows.lines);
        const Histograms row_counts(rows, buckets);
        const Histograms column_counts(columns, buckets);
        std::vector<int> bounds;
        for (int r = 0; r < costs_.rows; ++r) {
            column_counts.bounds(row_counts, r, 0, costs_.columns, bounds);
            fill_row(r, bounds, allowed);
        }
    }

    // (row line, column line, counts) of the canonical matching: solved for LD with bounds made exact as needed, then
    // for COR among the pairs that occur in optimal solutions.
    std::vector<std::tuple<int, int, PairCounts>> solve() {
        Assignment<std::int32_t> solution(costs_);
        while (make_used_exact(solution)) solution.solve();
        std::vector<std::tuple<int, int, PairCounts>> pairs;
        const auto cor = [&](int row, int column) { return counts(row, column).cor; };
        for (const auto& [r, c] : FewestCorrect(solution, costs_, cor).pairs()) {
            if (costs_.row(r)[c] < 0) pairs.emplace_back(rows_.line(r), columns_.line(c), counts(r, c));
        }
        return pairs;
    }

  private:
    int lengths(int r, int c) const { return rows_.length(r) + columns_.length(c); }
    std::uint8_t& exact(int r, int c) {
        return exact_[static_cast<std::size_t>(r) * columns_.which.size() + static_cast<std::size_t>(c)];
    }
    void set(int r, int c, int distance) { costs_.row(r)[c] = distance - lengths(r, c); }

    // Distances up to a sixth of the line, bounds beyond; a line of which nothing is known is worth its distances at
    // once.
    void fill_row(int r, const std::vector<int>& bounds, const std::function<bool(int, int)>& allowed) {
        index_.assign(rows_[r]);
        const int cutoff = std::max(3, index_.length() / 6);
        bool known = false;
        std::vector<int> open;
        for (int c = 0; c < costs_.columns; ++c) {
            const int length = columns_.length(c);
            const int least = std::max(bounds[static_cast<std::size_t>(c)], std::abs(index_.length() - length));
            if (allowed && !allowed(rows_.line(r), columns_.line(c))) {
                exact(r, c) = 1;  // stays at no save at all
            } else if (least > cutoff) {
                set(r, c, least);
                exact(r, c) = least >= std::max(length, index_.length());  // no distance is greater
                known |= exact(r, c);
            } else {
                open.push_back(c);
            }
        }
        constexpr std::size_t kLanes = PatternIndex::kLanes;
        for (std::size_t i = 0; i < open.size(); i += kLanes) {
            std::array<Tokens, kLanes> texts;
            for (std::size_t l = 0; l < kLanes; ++l) texts[l] = columns_[open[std::min(i + l, open.size() - 1)]];
            const auto found = within(texts, cutoff);
            for (std::size_t l = 0; l < kLanes && i + l < open.size(); ++l) {
                set(r, open[i + l], found[l]);
                exact(r, open[i + l]) = found[l] <= cutoff;
                known |= found[l] <= cutoff;
            }
        }
        if (!known) make_exact(r);
    }

    std::array<int, PatternIndex::kLanes> within(const std::array<Tokens, PatternIndex::kLanes>& texts,
                                                 int cutoff) const {
        if (index_.blocks() == 1) return index_.distances_within(texts, cutoff);
        std::array<int, PatternIndex::kLanes> found{};
        for (std::size_t l = 0; l < found.size(); ++l) found[l] = index_.distance(texts[l]);
        return found;
    }

    void make_exact(int r) {
        index_.assign(rows_[r]);
        for (int c = 0; c < costs_.columns; ++c) {
            if (std::exchange(exact(r, c), 1) == 0) set(r, c, index_.distance(columns_[c]));
        }
    }

    // Gives every row with a tight pair of which only a bound is known its distances; true if the solution cost more
    // than it seemed.
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
        // Correct tokens would make it less.
        if (distance == longer) return {distance, 0, lengths(r, c) - distance};
        return canonical_counts(columns_[c], rows_[r], distance);
    }

    const Chosen& rows_;
    const Chosen& columns_;
    PatternIndex& index_;
    CostMatrix<std::int32_t> costs_;  // what each pair saves, below zero
    std::vector<std::uint8_t> exact_;
};

}  // namespace pagemeter
