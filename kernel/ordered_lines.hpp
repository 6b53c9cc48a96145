// R and RG: align two sequences of lines. A matched pair costs its distance, an unmatched line its length.
//
// Let F(y,x) be the minimum over the first y HYP and x GT lines:
//     F(y+1,x+1) = min(F(y,x) + LD(y,x), F(y,x+1) + |H_y|, F(y+1,x) + |G_x|).
// A budget limits the cells that are computed (Ukkonen's idea, for lines instead of characters): a cell is alive if F
// plus a lower bound of the remaining cost fits. The budget grows until the result fits.
#pragma once

#include <algorithm>
#include <optional>

#include "budget.hpp"
#include "histogram.hpp"
#include "levenshtein.hpp"

namespace pagemeter {

struct LinePair {
    int gt;
    int hyp;
    PairCounts counts;
};

class OrderedLines {
  public:
    OrderedLines(Slices gt, Slices hyp, Neighbours near, int alphabet)
        : head_(near.restricted() ? 0 : equal_head(gt, hyp)),
          head_gt_(gt),
          gt_(without_head(gt)),
          hyp_(without_head(hyp)),
          near_(near),
          index_(alphabet),
          gt_counts_(gt_, Histograms::buckets_for(gt)),
          hyp_counts_(hyp_, Histograms::buckets_for(gt)),
          gt_tokens_(gt_, tokens_of(hyp.tokens, alphabet), every),
          hyp_tokens_(hyp_, tokens_of(gt.tokens, alphabet), every) {}

    Vector<LinePair> solve() {
        Budget budget(rest(0, 0), gt_tokens_.total() + hyp_tokens_.total());
        while (!forward(budget.value())) budget.spent(reached_, hyp_.size());
        backward();
        return trace();
    }

  private:
    static constexpr std::int64_t kEdit = std::int64_t{1} << 32;  // keys are LD * kEdit + COR
    static constexpr std::int32_t kFar = std::numeric_limits<std::int32_t>::max() / 4;
    static_assert(2 * kMostTokens < kFar && kMostPairs < kEdit, "no cost reaches kFar, and no COR reaches an edit");
    static constexpr std::int64_t kCellBytes = 2 * sizeof(std::int32_t) + sizeof(std::uint8_t);
    enum Move : std::uint8_t { kMatch, kSkipHyp, kSkipGt };

    // The alive cells of one row: F(y, lo + i), the distance of the pair (y, lo + i) or -1, and the best move.
    struct Row {
        int lo = 0;
        Vector<std::int32_t> value;
        Vector<std::int32_t> distance;
        Vector<Move> move;
        int end() const { return lo + value.count(); }
        std::int32_t at(int x) const {
            return x < lo || x >= end() ? kFar : value[x - lo];
        }
    };

    static constexpr std::size_t kSlack = 64;  // unused cells that a row may keep
    static constexpr std::int64_t kCellSteps = 64;  // a cell takes about as long as a short distance

    // Equal lines at the start of both pages are matched at once, which loses nothing. Suppose that a best solution
    // matches the first GT line with a later line of n tokens instead. The first HYP line is unmatched then, and both
    // cost at least n, as much as leaving the later line unmatched. If the cost is equal, all tokens of the GT line
    // are correct in both solutions.
    static int equal_head(const Slices& gt, const Slices& hyp) {
        int head = 0;
        while (head < std::min(gt.size(), hyp.size()) && std::ranges::equal(gt[head], hyp[head])) ++head;
        return head;
    }
    Slices without_head(const Slices& page) const { return {page.tokens, page.bounds.subspan(head_)}; }

    static bool every(Token) { return true; }
    std::int64_t rest(int y, int x) const { return least_remaining_cost(gt_tokens_, x, hyp_tokens_, y); }

    // Fills the rows within the budget. Returns false if the last cell does not fit.
    bool forward(std::int64_t budget) {
        rows_.assign(hyp_.size() + 1, Row{});
        rows_[0].lo = 0;
        extend(0, 0, budget);
        std::int64_t cells = 0;
        for (int y = 0; y < hyp_.size(); ++y) {
            reached_ = y;
            if (rows_[y].value.empty()) return false;
            match(y, budget);
            next_row(y, budget);
            progress_(kCellSteps * rows_[y].value.count());
            if (rows_[y].value.capacity() > rows_[y].value.size() + kSlack) rows_[y].value.shrink_to_fit();
            cells += rows_[y].value.count();
            check_memory(cells * kCellBytes);
        }
        best_ = rows_.back().at(gt_.size());
        return best_ <= budget;
    }

    // Computes the distances of the pairs in row y that can lie on a path within the budget.
    void match(int y, std::int64_t budget) {
        Row& row = rows_[y];
        row.distance.assign(row.value.size(), -1);
        index_.assign(hyp_[y]);
        const int end = std::min(row.end(), gt_.size());
        gt_counts_.bounds(hyp_counts_, y, row.lo, std::max(row.lo, end), bounds_);
        open_.clear();
        for (int x = row.lo; x < end; ++x) {
            if (!near_(x, y)) continue;
            const int i = x - row.lo;
            if (row.value[i] + bounds_[i] + rest(y + 1, x + 1) > budget) continue;
            const bool disjoint = bounds_[i] >= std::max(gt_.length(x), hyp_.length(y));
            if (disjoint) row.distance[i] = bounds_[i];
            else open_.push_back(x);
        }
        index_.distances(
            open_.count(), [&](int i) { return gt_[open_[i]]; },
            [&](int i, int distance) { row.distance[open_[i] - row.lo] = distance; });
    }

    void next_row(int y, std::int64_t budget) {
        const Row& row = rows_[y];
        Row& next = rows_[y + 1];
        next.lo = row.lo;
        for (int x = row.lo; x <= std::min(row.end(), gt_.size()); ++x) {
            std::int32_t value = x < row.end() ? row.at(x) + hyp_.length(y) : kFar;
            if (x > row.lo) {
                const std::int32_t d = row.distance[x - 1 - row.lo];
                if (d >= 0) value = std::min(value, row.at(x - 1) + d);
                value = std::min(value, next.at(x - 1) + gt_.length(x - 1));
            }
            push(next, y + 1, x, value, budget);
        }
        extend(y + 1, next.end(), budget);
    }

    // Continues a row by skipping GT lines.
    void extend(int y, int x, std::int64_t budget) {
        Row& row = rows_[y];
        if (y == 0 && row.value.empty()) push(row, 0, 0, 0, budget);
        for (x = std::max(x, row.end()); x <= gt_.size() && !row.value.empty(); ++x) {
            const std::int32_t value = row.at(x - 1) + gt_.length(x - 1);
            if (value + rest(y, x) > budget) break;
            push(row, y, x, value, budget);
        }
    }

    // Appends a cell. Dead cells at the left end are dropped.
    void push(Row& row, int y, int x, std::int32_t value, std::int64_t budget) const {
        const bool alive = value + rest(y, x) <= budget;
        if (row.value.empty()) {
            if (!alive) return;
            row.lo = x;
        }
        row.value.push_back(alive ? value : kFar);
    }

    // From the end: the smallest key (LD, then COR) of the remaining lines, and the move that attains it. COR is
    // computed only for pairs of optimal solutions; elsewhere the second part of the key is not used.
    void backward() {
        Vector<std::int64_t> below;
        for (int y = hyp_.size(); y >= 0; --y) {
            Row& row = rows_[y];
            row.move.assign(row.value.size(), kSkipGt);
            progress_(kCellSteps * row.value.count());
            Vector<std::int64_t> keys(row.value.size() + 1, kUnreached);
            for (int x = row.end() - 1; x >= row.lo; --x) {
                keys[x - row.lo] = best_move(y, x, keys, below);
            }
            below = std::move(keys);
        }
    }

    static constexpr std::int64_t kUnreached = std::int64_t{kFar} * kEdit;

    std::int64_t best_move(int y, int x, const Vector<std::int64_t>& keys,
                           const Vector<std::int64_t>& below) {
        Row& row = rows_[y];
        const int i = x - row.lo;
        if (y == hyp_.size() && x == gt_.size()) return 0;
        std::int64_t best = kUnreached;
        const auto offer = [&](std::int64_t key, Move move) {
            if (key < best) {
                best = key;
                row.move[i] = move;
            }
        };
        if (y < hyp_.size()) {
            const Row& next = rows_[y + 1];
            const auto to_go = [&](int column) {
                return column < next.lo || column >= next.end() ? kUnreached
                                                                : below[column - next.lo];
            };
            if (x < gt_.size() && row.distance[i] >= 0 && to_go(x + 1) < kUnreached) {
                offer(to_go(x + 1) + match_key(y, x, row, i, to_go(x + 1)), kMatch);
            }
            if (to_go(x) < kUnreached) offer(to_go(x) + hyp_.length(y) * kEdit, kSkipHyp);
        }
        if (x < gt_.size() && keys[i + 1] < kUnreached) offer(keys[i + 1] + gt_.length(x) * kEdit, kSkipGt);
        return best;
    }

    std::int64_t match_key(int y, int x, const Row& row, int i, std::int64_t to_go) const {
        const int distance = row.distance[i];
        const bool tight = row.value[i] + distance + to_go / kEdit == best_;
        return distance * kEdit + (tight ? canonical_counts(hyp_[y], gt_[x], distance).cor : 0);
    }

    Vector<LinePair> trace() const {
        Vector<LinePair> pairs;
        for (int x = 0; x < head_; ++x) pairs.push_back({x, x, {0, head_gt_.length(x), 0}});
        for (int y = 0, x = 0; y < hyp_.size() || x < gt_.size();) {
            const Row& row = rows_[y];
            const int i = x - row.lo;
            switch (row.move[i]) {
                case kMatch:
                    pairs.push_back({head_ + x, head_ + y, canonical_counts(hyp_[y], gt_[x], row.distance[i])});
                    ++y, ++x;
                    break;
                case kSkipHyp: ++y; break;
                case kSkipGt: ++x; break;
            }
        }
        return pairs;
    }

    int head_;  // equal lines at the start
    Slices head_gt_;
    Slices gt_;
    Slices hyp_;
    Neighbours near_;
    PatternIndex index_;
    Histograms gt_counts_;
    Histograms hyp_counts_;
    Vector<int> bounds_;
    Vector<int> open_;  // GT lines whose distance is needed
    TokenCounts gt_tokens_;
    TokenCounts hyp_tokens_;
    Vector<Row> rows_;
    std::int64_t best_ = 0;
    int reached_ = 0;
    Progress progress_;
};

}  // namespace pagemeter
