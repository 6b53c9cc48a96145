// No letter and G: the best matching of lines in any order, a linear assignment on
//     save(y,x) = |H_y| + |G_x| - LD(H_y,G_x) >= 0.
#pragma once

#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>
#include <utility>

#include "line_matrix.hpp"
#include "listed_pairs.hpp"
#include "ordered_lines.hpp"

namespace pagemeter {

class FreeLines {
  public:
    FreeLines(Slices gt, Slices hyp, Neighbours near, int alphabet)
        : gt_(gt), hyp_(hyp), near_(near), alphabet_(alphabet), index_(alphabet) {}

    Vector<LinePair> solve() {
        Vector<int> gt_lines = filled(gt_);
        Vector<int> hyp_lines = filled(hyp_);
        if (near_.restricted()) {
            for (auto& [xs, ys] : components(gt_lines, hyp_lines)) match(xs, ys);
        } else {
            take_equal_lines(gt_lines, hyp_lines);
            match(gt_lines, hyp_lines);
        }
        std::sort(pairs_.begin(), pairs_.end(), [](const auto& a, const auto& b) { return a.gt < b.gt; });
        return std::move(pairs_);
    }

  private:
    // An empty line saves nothing with any partner.
    static Vector<int> filled(const Slices& s) {
        Vector<int> lines;
        for (int i = 0; i < s.size(); ++i) {
            if (s.length(i) > 0) lines.push_back(i);
        }
        return lines;
    }

    // Matches equal lines first. If every pair is allowed, this loses nothing. Let y and x be equal, y matched to x'
    // and x matched to y'. By the triangle inequality LD(y',x') <= LD(y',x) + LD(y,x'), so matching y with x and y'
    // with x' costs no more. If the cost is equal, no token of x is wrong in both old pairs, because otherwise the
    // joined alignment would be cheaper. So the joined alignment has the same COR, and the canonical counts are
    // preserved too.
    void take_equal_lines(Vector<int>& gt_lines, Vector<int>& hyp_lines) {
        std::map<Vector<Token>, Vector<int>> unmatched;
        const auto key = [](Tokens t) { return Vector<Token>(t.begin(), t.end()); };
        for (auto y = hyp_lines.rbegin(); y != hyp_lines.rend(); ++y) unmatched[key(hyp_[*y])].push_back(*y);
        Vector<char> taken(hyp_.size(), 0);
        std::erase_if(gt_lines, [&](int x) {
            const auto equal = unmatched.find(key(gt_[x]));
            if (equal == unmatched.end() || equal->second.empty()) return false;
            const int y = equal->second.back();
            equal->second.pop_back();
            taken[y] = 1;
            pairs_.push_back({x, y, {0, gt_.length(x), 0}});
            return true;
        });
        std::erase_if(hyp_lines, [&](int y) { return taken[y] != 0; });
    }

    using Part = std::pair<Vector<int>, Vector<int>>;

    // Splits the lines into components that no allowed pair connects. Each is solved separately.
    Vector<Part> components(const Vector<int>& gt_lines, const Vector<int>& hyp_lines) const {
        Vector<int> parent(gt_.size() + hyp_.size());
        std::iota(parent.begin(), parent.end(), 0);
        const auto root = [&](int i) {
            while (parent[i] != i) {
                i = parent[i] =
                    parent[parent[i]];
            }
            return i;
        };
        Progress progress;
        for (int x : gt_lines) {
            progress(hyp_lines.count());
            for (int y : hyp_lines) {
                if (near_(x, y)) parent[root(gt_.size() + y)] = root(x);
            }
        }
        std::map<int, Part> parts;
        for (int x : gt_lines) parts[root(x)].first.push_back(x);
        for (int y : hyp_lines) parts[root(gt_.size() + y)].second.push_back(y);
        Vector<Part> out;
        for (auto& [_, part] : parts) out.push_back(std::move(part));
        return out;
    }

    void match(const Vector<int>& xs, const Vector<int>& ys) {
        if (xs.empty() || ys.empty()) return;
        const bool swapped = ys.size() < xs.size();
        const LineSubset rows = swapped ? LineSubset{hyp_, ys} : LineSubset{gt_, xs};
        const LineSubset columns = swapped ? LineSubset{gt_, xs} : LineSubset{hyp_, ys};
        for (const auto& [row, column, counts] : matched(rows, columns, swapped)) {
            pairs_.push_back({swapped ? column : row, swapped ? row : column, counts});
        }
    }

    Vector<std::tuple<int, int, PairCounts>> matched(const LineSubset& rows, const LineSubset& columns, bool swapped) {
        if (near_.restricted()) {
            const auto allowed = [&](int row, int column) { return swapped ? near_(column, row) : near_(row, column); };
            return LineMatrix(rows, columns, index_, allowed).solve();
        }
        ListedPairs listed(rows, columns, alphabet_);
        return listed.few() ? listed.solve(index_) : LineMatrix(rows, columns, index_, nullptr).solve();
    }

    Slices gt_;
    Slices hyp_;
    Neighbours near_;
    int alphabet_;
    PatternIndex index_;
    Vector<LinePair> pairs_;
};

}  // namespace pagemeter
