// Linear assignment by shortest augmenting paths where the cost of a pair is that of its lengths alone, but for a few
// listed pairs that cost less. Columns of one length are reached through one node, so that a step of a path is as much
// work as a row has listed pairs, and there are lengths.
#pragma once

#include <algorithm>
#include <compare>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <numeric>
#include <queue>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "proven_pairs.hpp"

namespace pagemeter {

struct ListedPair {
    int column;
    std::int64_t cost;
};

// Assigns every row to a column of its own at the least cost; rows <= columns. A pair that is not listed costs
// -min(length of the row, length of the column) * unit. The duals prove it as in Assignment.
class LengthAssignment {
  public:
    using Int = std::int64_t;

    LengthAssignment(const std::vector<int>& row_lengths, const std::vector<int>& column_lengths,
                     const std::vector<std::vector<ListedPair>>& listed, Int unit)
        : row_lengths_(row_lengths),
          listed_(listed),
          unit_(unit),
          pairs_(row_lengths.size(), column_lengths.size()),
          class_of_(column_lengths.size()),
          reach_(column_lengths.size(), kFar),
          from_(column_lengths.size(), -1) {
        std::map<int, int> numbers;
        for (int length : column_lengths) numbers.emplace(length, 0);
        for (auto& [length, number] : numbers) {
            number = static_cast<int>(classes_.size());
            classes_.push_back({.length = length});
        }
        for (std::size_t c = 0; c < column_lengths.size(); ++c) {
            class_of_[c] = numbers[column_lengths[c]];
            enter(static_cast<int>(c));
        }
        const std::vector<int> order = longest_first();
        for (int r : order) start(r);
        for (int r : order) {
            if (column_of(r) < 0) augment(r);
        }
    }

    int rows() const { return static_cast<int>(row_lengths_.size()); }
    int column_of(int r) const { return pairs_.column_of[static_cast<std::size_t>(r)]; }
    bool tight(int r, const ListedPair& pair) const { return pairs_.tight(r, pair.column, pair.cost); }

  private:
    static constexpr Int kFar = std::numeric_limits<Int>::max() / 4;
    static constexpr Int kVisited = -kFar;

    // What a column asks of a path through it, first those that end it.
    struct Asked {
        Int toll;
        bool taken;
        int column;
        auto operator<=>(const Asked&) const = default;
    };
    // The columns of one length, the cheapest first, and how far they are at least.
    struct Class {
        int length;
        std::set<Asked> columns{};
        Int reach = kFar;
        int from = -1;
    };

    Int unlisted(int r, const Class& k) const {
        return -unit_ * std::min(row_lengths_[static_cast<std::size_t>(r)], k.length);
    }
    Class& class_of(int c) { return classes_[static_cast<std::size_t>(class_of_[static_cast<std::size_t>(c)])]; }
    Asked asked(int c) const { return {-pairs_.column_dual[static_cast<std::size_t>(c)], pairs_.taken(c), c}; }
    void enter(int c) { class_of(c).columns.insert(asked(c)); }
    void leave(int c) { class_of(c).columns.erase(asked(c)); }

    std::vector<int> longest_first() const {
        std::vector<int> order(row_lengths_.size());
        std::iota(order.begin(), order.end(), 0);
        std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
            return row_lengths_[static_cast<std::size_t>(a)] > row_lengths_[static_cast<std::size_t>(b)];
        });
        return order;
    }

    // While no column has a dual: the row takes a best column if one is free.
    void start(int r) {
        Int least = unlisted(r, classes_.back());
        for (const ListedPair& pair : listed_[static_cast<std::size_t>(r)]) least = std::min(least, pair.cost);
        pairs_.row_dual[static_cast<std::size_t>(r)] = least;
        for (const ListedPair& pair : listed_[static_cast<std::size_t>(r)]) {
            if (pair.cost > least || pairs_.taken(pair.column)) continue;
            leave(pair.column);
            pairs_.assign(r, pair.column);
            return enter(pair.column);
        }
    }

    // Dijkstra over columns from a free row to the nearest free column, then duals and pairs are updated.
    void augment(int start) {
        for (Class& k : classes_) k.reach = kFar;
        Int least = 0;
        int r = start;
        int c = -1;
        for (;;) {
            relax(r, least - pairs_.row_dual[static_cast<std::size_t>(r)]);
            std::tie(c, least) = nearest();
            leave(c);
            if (!pairs_.taken(c)) break;
            visited_.push_back({c, least});
            r = pairs_.row_of[static_cast<std::size_t>(c)];
        }
        pairs_.augment(start, c, least, visited_, from_);
        enter(c);
        for (const auto& [column, reach] : visited_) enter(column);
        forget();
    }

    // Offers row r to all columns.
    void relax(int r, Int base) {
        for (Class& k : classes_) {
            const Int through = base + unlisted(r, k);
            if (through < k.reach) k.reach = through, k.from = r;
        }
        for (const auto& [c, cost] : listed_[static_cast<std::size_t>(r)]) {
            const Int through = base + cost - pairs_.column_dual[static_cast<std::size_t>(c)];
            if (through < reach_[static_cast<std::size_t>(c)]) reach(c, through, r);
        }
    }

    void reach(int c, Int through, int r) {
        reach_[static_cast<std::size_t>(c)] = through;
        from_[static_cast<std::size_t>(c)] = r;
        touched_.push_back(c);
        queue_.push({through, pairs_.taken(c), c});
    }

    // The nearest column that is not visited, a free one if there is, and how far it is. It is visited from here on.
    std::pair<int, Int> nearest() {
        const auto outdated = [&](const Asked& a) { return a.toll != reach_[static_cast<std::size_t>(a.column)]; };
        while (!queue_.empty() && outdated(queue_.top())) queue_.pop();
        Asked best = queue_.empty() ? Asked{kFar, true, -1} : queue_.top();
        for (const Class& k : classes_) {
            if (k.columns.empty()) continue;
            const Asked& first = *k.columns.begin();
            const Asked through{k.reach + first.toll, first.taken, first.column};
            if (std::tie(through.toll, through.taken) >= std::tie(best.toll, best.taken)) continue;
            best = through;
            from_[static_cast<std::size_t>(best.column)] = k.from;
        }
        reach_[static_cast<std::size_t>(best.column)] = kVisited;
        touched_.push_back(best.column);
        return {best.column, best.toll};
    }

    void forget() {
        for (int c : touched_) reach_[static_cast<std::size_t>(c)] = kFar;
        touched_.clear();
        visited_.clear();
        queue_ = {};
    }

    const std::vector<int>& row_lengths_;
    const std::vector<std::vector<ListedPair>>& listed_;
    Int unit_;
    ProvenPairs<Int> pairs_;
    std::vector<Class> classes_;
    std::vector<int> class_of_;
    std::vector<Int> reach_;  // of columns that a listed pair reaches
    std::vector<int> from_;
    std::vector<int> touched_;
    std::vector<std::pair<int, Int>> visited_;  // columns left, and how far they were
    std::priority_queue<Asked, std::vector<Asked>, std::greater<>> queue_;
};

}  // namespace pagemeter
