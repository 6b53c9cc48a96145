// Pairs of rows and columns with the duals that prove them, and how a shortest augmenting path changes both.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

namespace pagemeter {

template <class Int>
struct ProvenPairs {
    std::vector<int> column_of;
    std::vector<int> row_of;
    std::vector<Int> row_dual;
    std::vector<Int> column_dual;

    ProvenPairs(std::size_t rows, std::size_t columns)
        : column_of(rows, -1), row_of(columns, -1), row_dual(rows, 0), column_dual(columns, 0) {}

    bool taken(int c) const { return row_of[static_cast<std::size_t>(c)] >= 0; }
    // Whether an optimal assignment can have the pair, of a cost.
    bool tight(int r, int c, Int cost) const {
        return cost == row_dual[static_cast<std::size_t>(r)] + column_dual[static_cast<std::size_t>(c)];
    }

    void assign(int r, int c) {
        column_of[static_cast<std::size_t>(r)] = c;
        row_of[static_cast<std::size_t>(c)] = r;
    }

    // Applies a path from a row to a free column so far away, by way of columns visited, with how far these were.
    template <class Row>
    void augment(int start, int c, Int least, const std::vector<std::pair<int, Int>>& visited,
                 const std::vector<Row>& from) {
        row_dual[static_cast<std::size_t>(start)] += least;
        for (const auto& [passed, reach] : visited) {
            row_dual[static_cast<std::size_t>(row_of[static_cast<std::size_t>(passed)])] += least - reach;
            column_dual[static_cast<std::size_t>(passed)] -= least - reach;
        }
        for (int r = -1; r != start;) {
            r = static_cast<int>(from[static_cast<std::size_t>(c)]);
            const int next = column_of[static_cast<std::size_t>(r)];
            assign(r, c);
            c = next;
        }
    }
};

}  // namespace pagemeter
