// Of all optimal assignments one with the fewest correct tokens. They use tight pairs only, and every column that is
// needed, so that each connected part of the tight pairs is a small assignment of its own.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "assignment.hpp"

namespace pagemeter {

template <class Cor>
class FewestCorrect {
  public:
    // `cor(row, column)` is asked for tight pairs that save something, below zero in `costs`.
    FewestCorrect(const Assignment<std::int32_t>& solution, const CostMatrix<std::int32_t>& costs, const Cor& cor)
        : solution_(solution),
          costs_(costs),
          cor_(cor),
          tight_(static_cast<std::size_t>(costs.rows)),
          rows_of_(static_cast<std::size_t>(costs.columns)) {
        for (int r = 0; r < costs.rows; ++r) {
            for (int c = 0; c < costs.columns; ++c) {
                if (!solution.tight(r, c)) continue;
                tight_[static_cast<std::size_t>(r)].push_back(c);
                rows_of_[static_cast<std::size_t>(c)].push_back(r);
            }
        }
    }

    std::vector<std::pair<int, int>> pairs() {
        std::vector<std::pair<int, int>> all;
        row_seen_.assign(tight_.size(), 0);
        place_.assign(rows_of_.size(), -1);
        for (int r = 0; r < costs_.rows; ++r) {
            if (!row_seen_[static_cast<std::size_t>(r)]) solve(part_of(r), all);
        }
        return all;
    }

  private:
    struct Part {
        std::vector<int> rows;
        std::vector<int> columns;
    };

    Part part_of(int first) {
        Part part{{first}, {}};
        row_seen_[static_cast<std::size_t>(first)] = 1;
        for (std::size_t i = 0; i < part.rows.size(); ++i) {
            for (int c : tight_[static_cast<std::size_t>(part.rows[i])]) {
                if (place_[static_cast<std::size_t>(c)] >= 0) continue;
                place_[static_cast<std::size_t>(c)] = static_cast<int>(part.columns.size());
                part.columns.push_back(c);
                for (int r : rows_of_[static_cast<std::size_t>(c)]) {
                    if (!std::exchange(row_seen_[static_cast<std::size_t>(r)], 1)) part.rows.push_back(r);
                }
            }
        }
        return part;
    }

    void solve(const Part& part, std::vector<std::pair<int, int>>& all) const {
        if (part.columns.size() == 1) {
            all.emplace_back(part.rows[0], part.columns[0]);
            return;
        }
        CostMatrix<std::int64_t> costs(static_cast<int>(part.rows.size()), static_cast<int>(part.columns.size()));
        for (int i = 0; i < costs.rows; ++i) {
            std::fill(costs.row(i), costs.row(i) + costs.columns, kForbidden);
            const int r = part.rows[static_cast<std::size_t>(i)];
            for (int c : tight_[static_cast<std::size_t>(r)]) {
                const std::int64_t cor = costs_.row(r)[c] < 0 ? cor_(r, c) : 0;
                costs.row(i)[place_[static_cast<std::size_t>(c)]] = cor - (solution_.needed(c) ? kNeeded : 0);
            }
        }
        const Assignment<std::int64_t> chosen(costs);
        for (int i = 0; i < costs.rows; ++i) {
            all.emplace_back(part.rows[static_cast<std::size_t>(i)],
                             part.columns[static_cast<std::size_t>(chosen.column_of(i))]);
        }
    }

    // Leaving a needed column out costs more than any COR, a pair that is not tight more than that.
    static constexpr std::int64_t kNeeded = std::int64_t{1} << 31;
    static constexpr std::int64_t kForbidden = std::int64_t{1} << 48;

    const Assignment<std::int32_t>& solution_;
    const CostMatrix<std::int32_t>& costs_;
    const Cor& cor_;
    std::vector<std::vector<int>> tight_;    // columns of each row
    std::vector<std::vector<int>> rows_of_;  // rows of each column
    std::vector<char> row_seen_;
    std::vector<int> place_;  // of a column in its part
};

}  // namespace pagemeter
