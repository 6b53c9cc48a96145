// No letter and G: the best matching of lines in any order, a linear assignment on
//     save(y,x) = |H_y| + |G_x| - LD(H_y,G_x) >= 0.
#pragma once

#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>
#include <utility>
#include <vector>

#include "line_matrix.hpp"
#include "listed_pairs.hpp"
#include "ordered.hpp"

namespace pagemeter {

class Free {
  public:
    Free(Slices gt, Slices hyp, Neighbours near, int alphabet)
        : gt_(gt), hyp_(hyp), near_(near), alphabet_(alphabet), index_(alphabet) {}

    std::vector<LinePair> solve() {
        std::vector<int> gt_lines = filled(gt_);
        std::vector<int> hyp_lines = filled(hyp_);
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
    static std::vector<int> filled(const Slices& s) {
        std::vector<int> lines;
        for (int i = 0; i < s.size(); ++i) {
            if (s.length(i) > 0) lines.push_back(i);
        }
        return lines;
    }

    // Matches equal lines first. Where every pair is allowed this loses nothing: let y = x be equal, y matched
    // to x' and x to y'. By the triangle inequality LD(y',x') <= LD(y',x) + LD(y,x'), so matching y with x and
    // y' with x' costs no more. At equal cost no token of x is wrong in both old pairs (else the joined
    // alignment were cheaper), so the joined alignment gives the same COR: the canonical counts stay as well.
    void take_equal_lines(std::vector<int>& gt_lines, std::vector<int>& hyp_lines) {
        std::map<std::vector<Token>, std::vector<int>> waiting;
        const auto key = [](Tokens t) { return std::vector<Token>(t.begin(), t.end()); };
        for (auto y = hyp_lines.rbegin(); y != hyp_lines.rend(); ++y) waiting[key(hyp_[*y])].push_back(*y);
        std::vector<char> taken(static_cast<std::size_t>(hyp_.size()), 0);
        std::erase_if(gt_lines, [&](int x) {
            const auto found = waiting.find(key(gt_[x]));
            if (found == waiting.end() || found->second.empty()) return false;
            const int y = found->second.back();
            found->second.pop_back();
            taken[static_cast<std::size_t>(y)] = 1;
            pairs_.push_back({x, y, {0, gt_.length(x), 0}});
            return true;
        });
        std::erase_if(hyp_lines, [&](int y) { return taken[static_cast<std::size_t>(y)] != 0; });
    }

    using Part = std::pair<std::vector<int>, std::vector<int>>;

    // Lines that no chain of allowed pairs connects are solved apart.
    std::vector<Part> components(const std::vector<int>& gt_lines, const std::vector<int>& hyp_lines) const {
        std::vector<int> parent(static_cast<std::size_t>(gt_.size() + hyp_.size()));
        std::iota(parent.begin(), parent.end(), 0);
        const auto root = [&](int i) {
            while (parent[static_cast<std::size_t>(i)] != i) {
                i = parent[static_cast<std::size_t>(i)] =
                    parent[static_cast<std::size_t>(parent[static_cast<std::size_t>(i)])];
            }
            return i;
        };
        for (int x : gt_lines) {
            for (int y : hyp_lines) {
                if (near_(x, y)) parent[static_cast<std::size_t>(root(gt_.size() + y))] = root(x);
            }
        }
        std::map<int, Part> parts;
        for (int x : gt_lines) parts[root(x)].first.push_back(x);
        for (int y : hyp_lines) parts[root(gt_.size() + y)].second.push_back(y);
        std::vector<Part> out;
        for (auto& [_, part] : parts) out.push_back(std::move(part));
        return out;
    }

    void match(const std::vector<int>& xs, const std::vector<int>& ys) {
        if (xs.empty() || ys.empty()) return;
        const bool swapped = ys.size() < xs.size();
        const Chosen rows = swapped ? Chosen{hyp_, ys} : Chosen{gt_, xs};
        const Chosen columns = swapped ? Chosen{gt_, xs} : Chosen{hyp_, ys};
        for (const auto& [row, column, counts] : matched(rows, columns, swapped)) {
            pairs_.push_back({swapped ? column : row, swapped ? row : column, counts});
        }
    }

    std::vector<std::tuple<int, int, PairCounts>> matched(const Chosen& rows, const Chosen& columns, bool swapped) {
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
    std::vector<LinePair> pairs_;
};

}  // namespace pagemeter
