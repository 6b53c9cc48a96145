// The best matching of some lines with others where few pairs have a token in common.
//
// Lines without a common token are as far apart as the longer one is long, and none of their tokens is correct: their
// lengths say all. Only the others are looked at, one by one.
#pragma once

#include <algorithm>
#include <cstdint>
#include <tuple>
#include <utility>
#include <vector>

#include "length_assignment.hpp"
#include "levenshtein.hpp"

namespace pagemeter {

class ListedPairs {
  public:
    // Rows are no more than columns.
    ListedPairs(const Chosen& rows, const Chosen& columns, int alphabet)
        : rows_(rows), columns_(columns), having_(static_cast<std::size_t>(alphabet)) {
        for (int c = 0; c < columns.size(); ++c) {
            for (Token t : columns[c]) {
                std::vector<int>& known = having_[static_cast<std::size_t>(t)];
                if (known.empty() || known.back() != c) known.push_back(c);
            }
        }
    }

    // Whether tokens are so rare, as words are, that few pairs have one in common: else a full matrix is quicker.
    bool few() const {
        std::size_t pairs = 0;
        for (int r = 0; r < rows_.size(); ++r) {
            for (Token t : rows_[r]) pairs += having_[static_cast<std::size_t>(t)].size();
        }
        return pairs <= rows_.which.size() * columns_.which.size();
    }

    // (row line, column line, counts) of the canonical matching: solved for LD, then for COR among the pairs that occur
    // in optimal solutions.
    std::vector<std::tuple<int, int, PairCounts>> solve(PatternIndex& index) {
        list(index);
        const std::vector<int> row_lengths = lengths(rows_);
        const std::vector<int> column_lengths = lengths(columns_);
        count_correct(LengthAssignment(row_lengths, column_lengths, listed_, 1));
        const LengthAssignment solution(row_lengths, column_lengths, listed_, kEdit);
        std::vector<std::tuple<int, int, PairCounts>> pairs;
        for (int r = 0; r < solution.rows(); ++r) {
            const int c = solution.column_of(r);
            pairs.emplace_back(rows_.line(r), columns_.line(c), counts(r, c));
        }
        return pairs;
    }

  private:
    static constexpr std::int64_t kEdit = std::int64_t{1} << 32;  // costs are -save * kEdit + COR

    static std::vector<int> lengths(const Chosen& lines) {
        std::vector<int> all;
        for (int i = 0; i < lines.size(); ++i) all.push_back(lines.length(i));
        return all;
    }

    // The pairs that are nearer than their lengths say.
    void list(PatternIndex& index) {
        std::vector<int> seen_by(columns_.which.size(), -1);
        for (int r = 0; r < rows_.size(); ++r) {
            index.assign(rows_[r]);
            std::vector<ListedPair>& pairs = listed_.emplace_back();
            for (Token t : rows_[r]) {
                for (int c : having_[static_cast<std::size_t>(t)]) {
                    if (std::exchange(seen_by[static_cast<std::size_t>(c)], r) == r) continue;
                    const int distance = index.distance(columns_[c]);
                    if (distance >= std::max(rows_.length(r), columns_.length(c))) continue;
                    pairs.push_back({c, distance - both(r, c)});
                }
            }
        }
    }

    // Keeps the pairs that are tight, with their correct tokens in the cost.
    void count_correct(const LengthAssignment& solution) {
        for (int r = 0; r < solution.rows(); ++r) {
            std::vector<ListedPair>& pairs = listed_[static_cast<std::size_t>(r)];
            std::erase_if(pairs, [&](const ListedPair& pair) { return !solution.tight(r, pair); });
            for (auto& [c, cost] : pairs) {
                const int distance = both(r, c) + static_cast<int>(cost);
                cost = cost * kEdit + canonical_counts(columns_[c], rows_[r], distance).cor;
            }
        }
    }

    PairCounts counts(int r, int c) const {
        for (const ListedPair& pair : listed_[static_cast<std::size_t>(r)]) {
            if (pair.column != c) continue;
            const int distance = both(r, c) + static_cast<int>(pair.cost >> 32);
            const int cor = static_cast<int>(pair.cost & (kEdit - 1));
            return {distance, cor, both(r, c) - distance - 2 * cor};
        }
        return {std::max(rows_.length(r), columns_.length(c)), 0, std::min(rows_.length(r), columns_.length(c))};
    }

    int both(int r, int c) const { return rows_.length(r) + columns_.length(c); }

    const Chosen& rows_;
    const Chosen& columns_;
    std::vector<std::vector<int>> having_;  // the columns that have a token
    std::vector<std::vector<ListedPair>> listed_;  // of each row
};

}  // namespace pagemeter
