// R and RG: alignment of two line sequences, a matched pair costing its distance, any other line its length.
//
// With F(y,x) the minimum over the first y HYP and x GT lines:
//     F(y+1,x+1) = min(F(y,x) + LD(y,x), F(y,x+1) + |H_y|, F(y+1,x) + |G_x|).
// A budget bounds the cells that matter (Ukkonen's idea, on lines instead of characters): a cell is alive if F plus
// what the rest costs at least still fits. The budget grows until the answer fits.
#pragma once

#include <optional>
#include <vector>

#include "budget.hpp"
#include "forced.hpp"
#include "histogram.hpp"
#include "levenshtein.hpp"

namespace pagemeter {

struct LinePair {
    int gt;
    int hyp;
    PairCounts counts;
};

class Ordered {
  public:
    Ordered(Slices gt, Slices hyp, Neighbours near, int alphabet)
        : gt_(gt),
          hyp_(hyp),
          near_(near),
          index_(alphabet),
          gt_counts_(gt, Histograms::buckets_for(gt)),
          hyp_counts_(hyp, Histograms::buckets_for(gt)),
          gt_tally_(gt, tokens_of(hyp.tokens, alphabet), every),
          hyp_tally_(hyp, tokens_of(gt.tokens, alphabet), every) {}

    std::vector<LinePair> solve() {
        Budget budget(rest(0, 0), gt_tally_.total() + hyp_tally_.total());
        while (!forward(budget.value())) budget.spent(reached_, hyp_.size());
        backward();
        return trace();
    }

  private:
    static constexpr std::int64_t kEdit = std::int64_t{1} << 32;  // keys are LD * kEdit + COR
    static constexpr std::int32_t kFar = std::numeric_limits<std::int32_t>::max() / 4;
    enum Move : std::uint8_t { kMatch, kSkipHyp, kSkipGt };

    // The alive cells of one row: F(y, lo + i), the distance of the pair (y, lo + i) or -1, and the best move.
    struct Row {
        int lo = 0;
        std::vector<std::int32_t> value;
        std::vector<std::int32_t> distance;
        std::vector<Move> move;
        int end() const { return lo + static_cast<int>(value.size()); }
        std::int32_t at(int x) const {
            return x < lo || x >= end() ? kFar : value[static_cast<std::size_t>(x - lo)];
        }
    };

    static bool every(Token) { return true; }
    std::int64_t rest(int y, int x) const { return forced_rest(gt_tally_, x, hyp_tally_, y); }

    // Fills the rows that fit the budget; false if the end does not.
    bool forward(std::int64_t budget) {
        rows_.assign(static_cast<std::size_t>(hyp_.size()) + 1, Row{});
        rows_[0].lo = 0;
        extend(0, 0, budget);
        for (int y = 0; y < hyp_.size(); ++y) {
            reached_ = y;
            if (rows_[static_cast<std::size_t>(y)].value.empty()) return false;
            match(y, budget);
            next_row(y, budget);
        }
        best_ = rows_.back().at(gt_.size());
        return best_ <= budget;
    }

    // Computes the distances of the pairs in row y that can lie on a path within the budget.
    void match(int y, std::int64_t budget) {
        Row& row = rows_[static_cast<std::size_t>(y)];
        row.distance.assign(row.value.size(), -1);
        index_.assign(hyp_[y]);
        const int end = std::min(row.end(), gt_.size());
        gt_counts_.bounds(hyp_counts_, y, row.lo, std::max(row.lo, end), bounds_);
        for (int x = row.lo; x < end; ++x) {
            if (!near_(x, y)) continue;
            const auto i = static_cast<std::size_t>(x - row.lo);
            if (row.value[i] + bounds_[i] + rest(y + 1, x + 1) > budget) continue;
            const bool disjoint = bounds_[i] >= std::max(gt_.length(x), hyp_.length(y));
            row.distance[i] = disjoint ? bounds_[i] : index_.distance(gt_[x]);
        }
    }

    void next_row(int y, std::int64_t budget) {
        const Row& row = rows_[static_cast<std::size_t>(y)];
        Row& next = rows_[static_cast<std::size_t>(y) + 1];
        next.lo = row.lo;
        for (int x = row.lo; x <= std::min(row.end(), gt_.size()); ++x) {
            std::int32_t value = x < row.end() ? row.at(x) + hyp_.length(y) : kFar;
            if (x > row.lo) {
                const std::int32_t d = row.distance[static_cast<std::size_t>(x - 1 - row.lo)];
                if (d >= 0) value = std::min(value, row.at(x - 1) + d);
                value = std::min(value, next.at(x - 1) + gt_.length(x - 1));
            }
            push(next, y + 1, x, value, budget);
        }
        extend(y + 1, next.end(), budget);
    }

    // Continues a row by skipping GT lines.
    void extend(int y, int x, std::int64_t budget) {
        Row& row = rows_[static_cast<std::size_t>(y)];
        if (y == 0 && row.value.empty()) push(row, 0, 0, 0, budget);
        for (x = std::max(x, row.end()); x <= gt_.size() && !row.value.empty(); ++x) {
            const std::int32_t value = row.at(x - 1) + gt_.length(x - 1);
            if (value + rest(y, x) > budget) break;
            push(row, y, x, value, budget);
        }
    }

    // Appends a cell; dead cells at the left end are not kept.
    void push(Row& row, int y, int x, std::int32_t value, std::int64_t budget) const {
        const bool alive = value + rest(y, x) <= budget;
        if (row.value.empty()) {
            if (!alive) return;
            row.lo = x;
        }
        row.value.push_back(alive ? value : kFar);
    }

    // From the end: the least key (LD, then COR) to go, and the move that attains it. COR is computed for the
    // pairs of optimal solutions only; elsewhere the key's second part is never looked at.
    void backward() {
        std::vector<std::int64_t> below;
        for (int y = hyp_.size(); y >= 0; --y) {
            Row& row = rows_[static_cast<std::size_t>(y)];
            row.move.assign(row.value.size(), kSkipGt);
            std::vector<std::int64_t> keys(row.value.size() + 1, kUnreached);
            for (int x = row.end() - 1; x >= row.lo; --x) {
                keys[static_cast<std::size_t>(x - row.lo)] = best_move(y, x, keys, below);
            }
            below = std::move(keys);
        }
    }

    static constexpr std::int64_t kUnreached = std::int64_t{kFar} * kEdit;

    std::int64_t best_move(int y, int x, const std::vector<std::int64_t>& keys,
                           const std::vector<std::int64_t>& below) {
        Row& row = rows_[static_cast<std::size_t>(y)];
        const auto i = static_cast<std::size_t>(x - row.lo);
        if (y == hyp_.size() && x == gt_.size()) return 0;
        std::int64_t best = kUnreached;
        const auto offer = [&](std::int64_t key, Move move) {
            if (key < best) {
                best = key;
                row.move[i] = move;
            }
        };
        if (y < hyp_.size()) {
            const Row& next = rows_[static_cast<std::size_t>(y) + 1];
            const auto to_go = [&](int column) {
                return column < next.lo || column >= next.end() ? kUnreached
                                                                : below[static_cast<std::size_t>(column - next.lo)];
            };
            if (x < gt_.size() && row.distance[i] >= 0 && to_go(x + 1) < kUnreached) {
                offer(to_go(x + 1) + match_key(y, x, row, i, to_go(x + 1)), kMatch);
            }
            if (to_go(x) < kUnreached) offer(to_go(x) + hyp_.length(y) * kEdit, kSkipHyp);
        }
        if (x < gt_.size() && keys[i + 1] < kUnreached) offer(keys[i + 1] + gt_.length(x) * kEdit, kSkipGt);
        return best;
    }

    std::int64_t match_key(int y, int x, const Row& row, std::size_t i, std::int64_t to_go) const {
        const int distance = row.distance[i];
        const bool tight = row.value[i] + distance + to_go / kEdit == best_;
        return distance * kEdit + (tight ? canonical_counts(hyp_[y], gt_[x], distance).cor : 0);
    }

    std::vector<LinePair> trace() const {
        std::vector<LinePair> pairs;
        for (int y = 0, x = 0; y < hyp_.size() || x < gt_.size();) {
            const Row& row = rows_[static_cast<std::size_t>(y)];
            const auto i = static_cast<std::size_t>(x - row.lo);
            switch (row.move[i]) {
                case kMatch:
                    pairs.push_back({x, y, canonical_counts(hyp_[y], gt_[x], row.distance[i])});
                    ++y, ++x;
                    break;
                case kSkipHyp: ++y; break;
                case kSkipGt: ++x; break;
            }
        }
        return pairs;
    }

    Slices gt_;
    Slices hyp_;
    Neighbours near_;
    PatternIndex index_;
    Histograms gt_counts_;
    Histograms hyp_counts_;
    std::vector<int> bounds_;
    Tally gt_tally_;
    Tally hyp_tally_;
    std::vector<Row> rows_;
    std::int64_t best_ = 0;
    int reached_ = 0;
};

}  // namespace pagemeter
