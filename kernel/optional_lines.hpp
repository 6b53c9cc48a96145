// R, RG, no letter and G with optional lines. Leaving an optional line unmatched costs nothing, and matching it costs
// its distance as usual:
//     save'(y,x) = c_y + c_x - LD(y,x),   c is the length of the line, or 0 if the line is optional.
// A pair with save' < 0 is never used. The bounds of ordered_lines.hpp and free_lines.hpp assume that every token costs
// something, so these solvers compute the distances of all pairs. Correct and substituted tokens of an optional GT line
// are not counted: such a pair contributes only its errors to a key.
#pragma once

#include <algorithm>
#include <limits>
#include <utility>

#include "assignment.hpp"
#include "levenshtein.hpp"
#include "ordered_lines.hpp"
#include "ordered_segments.hpp"

namespace pagemeter {

// The distances of all pairs that save something or nothing, and their canonical counts on request.
class OptionalPairs {
  public:
    static constexpr std::int32_t kNone = -1;

    OptionalPairs(Slices gt, Slices hyp, Neighbours near, int alphabet, const OptionalLines& optional)
        : gt_(gt), hyp_(hyp), optional_(optional), distance_(std::int64_t{gt.size()} * hyp.size(), kNone) {
        check_memory(std::int64_t{gt.size()} * hyp.size() * kBytes);
        PatternIndex index(alphabet);
        Progress progress;
        for (int x = 0; x < gt.size(); ++x) {
            index.assign(gt[x]);
            for (int y = 0; y < hyp.size(); ++y) {
                if (!near(x, y) || least_distance(x, y) > gt_cost(x) + hyp_cost(y)) continue;
                const int distance = index.distance(hyp[y]);
                progress(index.blocks() * hyp.length(y));
                if (distance <= gt_cost(x) + hyp_cost(y)) distance_[at(x, y)] = distance;
            }
        }
    }

    int gt_lines() const { return gt_.size(); }
    int hyp_lines() const { return hyp_.size(); }
    int gt_cost(int x) const { return optional_.has_gt(x) ? 0 : gt_.length(x); }
    int hyp_cost(int y) const { return optional_.has_hyp(y) ? 0 : hyp_.length(y); }
    // LD of the pair, or kNone if it may not be used.
    std::int32_t distance(int x, int y) const { return distance_[at(x, y)]; }
    int save(int x, int y) const { return gt_cost(x) + hyp_cost(y) - distance(x, y); }
    PairCounts counts(int x, int y) const { return canonical_counts(hyp_[y], gt_[x], distance(x, y)); }
    // COR * 2^20 - SUB, as in LexicographicKey.
    std::int64_t rank(int x, int y) const {
        if (optional_.has_gt(x)) return 0;
        const PairCounts c = counts(x, y);
        return c.cor * LexicographicKey::kCor - c.sub;
    }

  private:
    static constexpr std::int64_t kBytes = sizeof(std::int64_t);  // of one cell of the largest table

    std::ptrdiff_t at(int x, int y) const { return std::ptrdiff_t{x} * hyp_.size() + y; }
    int least_distance(int x, int y) const { return std::abs(gt_.length(x) - hyp_.length(y)); }

    Slices gt_;
    Slices hyp_;
    OptionalLines optional_;
    Vector<std::int32_t> distance_;
};

// With R: F(y,x) from the left and B(y,x) from the right find the pairs on optimal paths. A second pass over these
// pairs finds the canonical counts.
template <class Pairs>
class OrderedPairs {
  public:
    template <class... Page>
    explicit OrderedPairs(const Page&... page) : pairs_(page...), columns_(pairs_.hyp_lines() + 1) {}

    Vector<LinePair> solve() {
        const int n = pairs_.gt_lines();
        const int m = pairs_.hyp_lines();
        const Vector<std::int64_t> before = forward([&](int x, int y) { return std::int64_t{pairs_.distance(x, y)}; });
        const Vector<std::int64_t> after = backward();
        const std::int64_t best = before[cell(n, m)];
        const auto tight = [&](int x, int y) {
            return pairs_.distance(x, y) != Pairs::kNone &&
                   before[cell(x, y)] + pairs_.distance(x, y) + after[cell(x + 1, y + 1)] == best;
        };
        kEdit_ = LexicographicKey::kEdit;
        const Vector<std::int64_t> keys = forward([&](int x, int y) {
            return tight(x, y) ? pairs_.distance(x, y) * kEdit_ + pairs_.rank(x, y) : kNone;
        });
        return trace(keys, tight);
    }

  private:
    static constexpr std::int64_t kNone = -1;

    std::ptrdiff_t cell(int x, int y) const { return std::ptrdiff_t{x} * columns_ + y; }

    template <class Cost>
    Vector<std::int64_t> forward(const Cost& cost) const {
        Vector<std::int64_t> value((std::int64_t{pairs_.gt_lines()} + 1) * columns_, 0);
        for (int x = 0; x <= pairs_.gt_lines(); ++x) {
            for (int y = 0; y < columns_; ++y) {
                if (x == 0 && y == 0) continue;
                std::int64_t least = std::numeric_limits<std::int64_t>::max();
                if (x > 0) least = value[cell(x - 1, y)] + pairs_.gt_cost(x - 1) * kEdit_;
                if (y > 0) least = std::min(least, value[cell(x, y - 1)] + pairs_.hyp_cost(y - 1) * kEdit_);
                const std::int64_t pair = x > 0 && y > 0 ? cost(x - 1, y - 1) : kNone;
                if (pair != kNone) least = std::min(least, value[cell(x - 1, y - 1)] + pair);
                value[cell(x, y)] = least;
            }
        }
        return value;
    }

    Vector<std::int64_t> backward() const {
        const int n = pairs_.gt_lines();
        const int m = pairs_.hyp_lines();
        Vector<std::int64_t> value((std::int64_t{n} + 1) * columns_, 0);
        for (int x = n; x >= 0; --x) {
            for (int y = m; y >= 0; --y) {
                if (x == n && y == m) continue;
                std::int64_t least = std::numeric_limits<std::int64_t>::max();
                if (x < n) least = value[cell(x + 1, y)] + pairs_.gt_cost(x);
                if (y < m) least = std::min(least, value[cell(x, y + 1)] + pairs_.hyp_cost(y));
                if (x < n && y < m && pairs_.distance(x, y) != Pairs::kNone) {
                    least = std::min(least, value[cell(x + 1, y + 1)] + pairs_.distance(x, y));
                }
                value[cell(x, y)] = least;
            }
        }
        return value;
    }

    template <class Tight>
    Vector<LinePair> trace(const Vector<std::int64_t>& keys, const Tight& tight) const {
        Vector<LinePair> matched;
        for (int x = pairs_.gt_lines(), y = pairs_.hyp_lines(); x > 0 || y > 0;) {
            const std::int64_t here = keys[cell(x, y)];
            if (x > 0 && here == keys[cell(x - 1, y)] + pairs_.gt_cost(x - 1) * kEdit_) {
                --x;
            } else if (y > 0 && here == keys[cell(x, y - 1)] + pairs_.hyp_cost(y - 1) * kEdit_) {
                --y;
            } else {
                --x, --y;
                if (!tight(x, y)) throw std::logic_error("a cell has no origin");
                matched.push_back({x, y, pairs_.counts(x, y)});
            }
        }
        std::reverse(matched.begin(), matched.end());
        return matched;
    }

    Pairs pairs_;
    std::ptrdiff_t columns_;
    std::int64_t kEdit_ = 1;  // the weight of an error in the present pass
};

// Without R: an assignment on save', then an assignment on the counts over the pairs that an optimal solution can
// contain. The matrix is square: a line without a partner is assigned to a row or column of zeros, or to a line with
// which it saves nothing.
template <class Pairs>
class FreePairs {
  public:
    template <class... Page>
    explicit FreePairs(const Page&... page)
        : pairs_(page...), size_(std::max(pairs_.gt_lines(), pairs_.hyp_lines())) {}

    Vector<LinePair> solve() {
        check_memory(std::int64_t{size_} * size_ * std::int64_t{sizeof(std::int64_t)});
        CostMatrix<std::int64_t> costs(size_, size_);
        for (int x = 0; x < pairs_.gt_lines(); ++x) {
            for (int y = 0; y < pairs_.hyp_lines(); ++y) {
                if (usable(x, y)) costs.row(x)[y] = -pairs_.save(x, y);
            }
        }
        const Assignment<std::int64_t> errors(costs);
        CostMatrix<std::int64_t> ranks(size_, size_);
        for (int x = 0; x < size_; ++x) {
            for (int y = 0; y < size_; ++y) ranks.row(x)[y] = errors.tight(x, y) ? rank(x, y) : kForbidden;
        }
        const Assignment<std::int64_t> counts(ranks);
        Vector<LinePair> matched;
        for (int x = 0; x < pairs_.gt_lines(); ++x) {
            const int y = counts.column_of(x);
            if (used(x, y)) matched.push_back({x, y, pairs_.counts(x, y)});
        }
        return matched;
    }

  private:
    static constexpr std::int64_t kForbidden = std::int64_t{1} << 44;
    static_assert(kMostPairs * LexicographicKey::kCor + kMostPairs < kForbidden);

    bool usable(int x, int y) const {
        return x < pairs_.gt_lines() && y < pairs_.hyp_lines() && pairs_.distance(x, y) != Pairs::kNone;
    }
    // A pair that saves nothing is used only if it ranks before no pair.
    bool used(int x, int y) const { return usable(x, y) && (pairs_.save(x, y) > 0 || pairs_.rank(x, y) < 0); }
    std::int64_t rank(int x, int y) const { return used(x, y) ? pairs_.rank(x, y) : 0; }

    Pairs pairs_;
    int size_;
};

using OptionalOrderedLines = OrderedPairs<OptionalPairs>;
using OptionalFreeLines = FreePairs<OptionalPairs>;

}  // namespace pagemeter
