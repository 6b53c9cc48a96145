// The best matching of two sets of lines when few pairs have a common token, as is typical for words.
//
// The distance of two lines without a common token is the length of the longer one, and none of their tokens is
// correct, so the lengths determine everything. Only the other pairs are listed.
#pragma once

#include <algorithm>
#include <cstdint>
#include <tuple>
#include <utility>

#include "length_assignment.hpp"
#include "levenshtein.hpp"

namespace pagemeter {

class ListedPairs {
  public:
    // There are no more rows than columns.
    ListedPairs(const LineSubset& rows, const LineSubset& columns, int alphabet)
        : rows_(rows), columns_(columns), columns_with_(alphabet) {
        for (int c = 0; c < columns.size(); ++c) {
            for (Token t : columns[c]) {
                Vector<int>& known = columns_with_[t];
                if (known.empty() || known.back() != c) known.push_back(c);
            }
        }
    }

    // True if few pairs have a common token. Otherwise a full matrix is faster.
    bool few() const {
        std::size_t pairs = 0;
        for (int r = 0; r < rows_.size(); ++r) {
            for (Token t : rows_[r]) pairs += columns_with_[t].size();
        }
        return pairs <= rows_.which.size() * columns_.which.size();
    }

    // Returns (row line, column line, counts) of the canonical matching. LD is minimised first, then COR among the
    // pairs that occur in optimal solutions.
    Vector<std::tuple<int, int, PairCounts>> solve(PatternIndex& index) {
        list(index);
        const Vector<int> row_lengths = lengths(rows_);
        const Vector<int> column_lengths = lengths(columns_);
        count_correct(LengthAssignment(row_lengths, column_lengths, listed_, 1));
        const LengthAssignment solution(row_lengths, column_lengths, listed_, kEdit);
        Vector<std::tuple<int, int, PairCounts>> pairs;
        for (int r = 0; r < solution.rows(); ++r) {
            const int c = solution.column_of(r);
            pairs.emplace_back(rows_.line(r), columns_.line(c), counts(r, c));
        }
        return pairs;
    }

  private:
    static constexpr std::int64_t kEdit = std::int64_t{1} << 32;  // costs are -save * kEdit + COR
    static constexpr std::int64_t kPairSteps = 64;  // the distance of two short lines

    static Vector<int> lengths(const LineSubset& lines) {
        Vector<int> all;
        for (int i = 0; i < lines.size(); ++i) all.push_back(lines.length(i));
        return all;
    }

    // Lists the pairs whose distance is smaller than the length of the longer line.
    void list(PatternIndex& index) {
        Vector<int> seen_by(columns_.which.size(), -1);
        std::int64_t total = 0;
        Progress progress;
        for (int r = 0; r < rows_.size(); ++r) {
            index.assign(rows_[r]);
            Vector<ListedPair>& pairs = listed_.emplace_back();
            for (Token t : rows_[r]) {
                for (int c : columns_with_[t]) {
                    if (std::exchange(seen_by[c], r) == r) continue;
                    progress(kPairSteps);
                    const int distance = index.distance(columns_[c]);
                    if (distance >= std::max(rows_.length(r), columns_.length(c))) continue;
                    pairs.push_back({c, distance - both(r, c)});
                }
            }
            total += pairs.count();
            check_memory(total * std::int64_t{sizeof(ListedPair)});
        }
    }

    // Removes pairs that are not tight and adds COR to the cost of the others.
    void count_correct(const LengthAssignment& solution) {
        for (int r = 0; r < solution.rows(); ++r) {
            Vector<ListedPair>& pairs = listed_[r];
            std::erase_if(pairs, [&](const ListedPair& pair) { return !solution.tight(r, pair); });
            for (auto& [c, cost] : pairs) {
                const int distance = both(r, c) + static_cast<int>(cost);
                cost = cost * kEdit + canonical_counts(columns_[c], rows_[r], distance).cor;
            }
        }
    }

    PairCounts counts(int r, int c) const {
        for (const ListedPair& pair : listed_[r]) {
            if (pair.column != c) continue;
            const int distance = both(r, c) + static_cast<int>(pair.cost >> 32);
            const int cor = static_cast<int>(pair.cost & (kEdit - 1));
            return {distance, cor, both(r, c) - distance - 2 * cor};
        }
        return {std::max(rows_.length(r), columns_.length(c)), 0, std::min(rows_.length(r), columns_.length(c))};
    }

    int both(int r, int c) const { return rows_.length(r) + columns_.length(c); }

    const LineSubset& rows_;
    const LineSubset& columns_;
    Vector<Vector<int>> columns_with_;  // the columns that contain a token
    Vector<Vector<ListedPair>> listed_;  // of each row
};

}  // namespace pagemeter
