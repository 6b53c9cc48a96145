// Linear assignment by shortest augmenting paths for a special cost matrix: the cost of a pair depends only on its two
// lengths, except for a few listed pairs that cost less. All columns of one length are reached through one node, so a
// step of a path takes time proportional to the listed pairs of a row plus the number of different lengths.
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

#include "assignment.hpp"
#include "limits.hpp"

namespace pagemeter {

struct ListedPair {
    int column;
    std::int64_t cost;
};

// Assigns every row to a different column at minimum cost; rows <= columns. An unlisted pair costs -min(length of the
// row, length of the column) * unit. The duals prove optimality as in Assignment.
class LengthAssignment {
  public:
    using Int = std::int64_t;

    LengthAssignment(const Vector<int>& row_lengths, const Vector<int>& column_lengths,
                     const Vector<Vector<ListedPair>>& listed, Int unit)
        : row_lengths_(row_lengths),
          listed_(listed),
          unit_(unit),
          pairs_(row_lengths.count(), column_lengths.count()),
          class_of_(column_lengths.size()),
          reach_(column_lengths.size(), kFar),
          from_(column_lengths.size(), -1) {
        std::map<int, int> numbers;
        for (int length : column_lengths) numbers.emplace(length, 0);
        for (auto& [length, number] : numbers) {
            number = classes_.count();
            classes_.push_back({.length = length});
        }
        for (std::size_t c = 0; c < column_lengths.size(); ++c) {
            class_of_[c] = numbers[column_lengths[c]];
            enter(static_cast<int>(c));
        }
        const Vector<int> order = longest_first();
        for (int r : order) start(r);
        for (int r : order) {
            if (column_of(r) < 0) augment(r);
        }
    }

    int rows() const { return row_lengths_.count(); }
    int column_of(int r) const { return pairs_.column_of[r]; }
    bool tight(int r, const ListedPair& pair) const { return pairs_.tight(r, pair.column, pair.cost); }

  private:
    // Each line of a path saves at most twice its length, so a path costs at most 2 * kMostTokens units, and a unit is
    // at most 2^32.
    static constexpr Int kFar = std::numeric_limits<Int>::max() / 4;
    static_assert(4 * kMostTokens < kFar >> 32);
    static constexpr Int kVisited = -kFar;

    // The cost of a path through a column, ordered so that free columns come first among equals.
    struct Toll {
        Int cost;
        bool taken;
        int column;
        auto operator<=>(const Toll&) const = default;
    };
    // The columns of one length, cheapest first, and the distance at which they are reached.
    struct Class {
        int length;
        std::set<Toll> columns{};
        Int reach = kFar;
        int from = -1;
    };

    Int unlisted(int r, const Class& k) const {
        return -unit_ * std::min(row_lengths_[r], k.length);
    }
    Class& class_of(int c) { return classes_[class_of_[c]]; }
    Toll toll_of(int c) const { return {-pairs_.column_dual[c], pairs_.taken(c), c}; }
    void enter(int c) { class_of(c).columns.insert(toll_of(c)); }
    void leave(int c) { class_of(c).columns.erase(toll_of(c)); }

    Vector<int> longest_first() const {
        Vector<int> order(row_lengths_.size());
        std::iota(order.begin(), order.end(), 0);
        std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
            return row_lengths_[a] > row_lengths_[b];
        });
        return order;
    }

    // Used while all column duals are zero: the row takes a free best column.
    void start(int r) {
        Int least = unlisted(r, classes_.back());
        for (const ListedPair& pair : listed_[r]) least = std::min(least, pair.cost);
        pairs_.row_dual[r] = least;
        for (const ListedPair& pair : listed_[r]) {
            if (pair.cost > least || pairs_.taken(pair.column)) continue;
            leave(pair.column);
            pairs_.assign(r, pair.column);
            return enter(pair.column);
        }
    }

    // Dijkstra's algorithm over columns from a free row to the nearest free column, then an update of duals and pairs.
    void augment(int start) {
        for (Class& k : classes_) k.reach = kFar;
        Int least = 0;
        int r = start;
        int c = -1;
        for (;;) {
            relax(r, least - pairs_.row_dual[r]);
            progress_(16 * std::ssize(classes_) + std::ssize(listed_[r]));
            std::tie(c, least) = nearest();
            leave(c);
            if (!pairs_.taken(c)) break;
            visited_.push_back({c, least});
            r = pairs_.row_of[c];
        }
        pairs_.augment(start, c, least, visited_, from_);
        enter(c);
        for (const auto& [column, reach] : visited_) enter(column);
        forget();
    }

    // Relaxes the distances of all columns through row r.
    void relax(int r, Int base) {
        for (Class& k : classes_) {
            const Int through = base + unlisted(r, k);
            if (through < k.reach) k.reach = through, k.from = r;
        }
        for (const auto& [c, cost] : listed_[r]) {
            const Int through = base + cost - pairs_.column_dual[c];
            if (through < reach_[c]) reach(c, through, r);
        }
    }

    void reach(int c, Int through, int r) {
        reach_[c] = through;
        from_[c] = r;
        touched_.push_back(c);
        queue_.push({through, pairs_.taken(c), c});
    }

    // Returns the nearest unvisited column, a free one if possible, and its distance. Marks it as visited.
    std::pair<int, Int> nearest() {
        const auto outdated = [&](const Toll& a) { return a.cost != reach_[a.column]; };
        while (!queue_.empty() && outdated(queue_.top())) queue_.pop();
        Toll best = queue_.empty() ? Toll{kFar, true, -1} : queue_.top();
        for (const Class& k : classes_) {
            if (k.columns.empty()) continue;
            const Toll& first = *k.columns.begin();
            const Toll through{k.reach + first.cost, first.taken, first.column};
            if (std::tie(through.cost, through.taken) >= std::tie(best.cost, best.taken)) continue;
            best = through;
            from_[best.column] = k.from;
        }
        reach_[best.column] = kVisited;
        touched_.push_back(best.column);
        return {best.column, best.cost};
    }

    void forget() {
        for (int c : touched_) reach_[c] = kFar;
        touched_.clear();
        visited_.clear();
        queue_ = {};
    }

    const Vector<int>& row_lengths_;
    const Vector<Vector<ListedPair>>& listed_;
    Int unit_;
    ProvenPairs<Int> pairs_;
    Vector<Class> classes_;
    Vector<int> class_of_;
    Vector<Int> reach_;  // of columns reached by a listed pair
    Vector<int> from_;
    Vector<int> touched_;
    Vector<std::pair<int, Int>> visited_;  // visited columns and their distances
    Progress progress_;
    std::priority_queue<Toll, Vector<Toll>, std::greater<>> queue_;
};

}  // namespace pagemeter
