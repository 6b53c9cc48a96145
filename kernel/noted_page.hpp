// GT lines with notations. A special token of GT matches some tokens of HYP (an illegible character matches all), or is
// a gap, which takes up HYP tokens of a limited weight at no cost. A line may have several accepted readings, of which
// the cheapest counts. Gaps are no tokens of |GT|, and the HYP tokens in them are not counted.
//
// The bit-parallel distances and the bounds of the other solvers do not know special tokens, so pages with notations
// have plain dynamic programmes of their own.
#pragma once

#include <algorithm>
#include <limits>

#include "levenshtein.hpp"
#include "ordered_segments.hpp"

namespace pagemeter {

// The readings of all GT lines. Tokens from `alphabet` are special.
struct NotedPage {
    static constexpr std::int32_t kNoGap = -1;

    Slices rows;  // one per reading
    Vector<std::int32_t> first_row;  // of each line, and the number of rows
    int alphabet = 0;
    View<const std::uint8_t> matches;  // for each special token, a flag for each token of HYP
    View<const std::int32_t> gap;      // for each special token, the weight that it takes up, or kNoGap
    View<const std::int32_t> weight;   // of each token of HYP in a gap
    OptionalLines optional;

    int lines() const { return first_row.count() - 1; }
    bool is_special(Token t) const { return t >= alphabet; }
    bool is_gap(Token t) const { return is_special(t) && gap[t - alphabet] != kNoGap; }
    bool same(Token t, Token h) const {
        return is_special(t) ? matches[std::ptrdiff_t{t - alphabet} * alphabet + h] != 0 : t == h;
    }
    // The tokens of a reading that count.
    int tokens(int row) const {
        return static_cast<int>(std::ranges::count_if(rows[row], [&](Token t) { return !is_gap(t); }));
    }
    // The cost of a line without a match: the tokens of its shortest reading, or 0 if it is optional.
    int gt_cost(int x) const {
        if (optional.has_gt(x)) return 0;
        int least = tokens(first_row[x]);
        for (int row = first_row[x] + 1; row < first_row[x + 1]; ++row) least = std::min(least, tokens(row));
        return least;
    }
};

// The smallest key of alignments that end at a position of HYP, and where one of them begins.
struct NotedCell {
    std::int64_t key = LexicographicKey::kFar;
    std::int32_t origin = -1;

    void offer(const NotedCell& other, std::int64_t cost) {
        if (other.key + cost < key) *this = {other.key + cost, other.origin};
    }
};

// A reading of a pair, with its key LD * 2^40 + COR * 2^20 - SUB.
struct NotedCounts {
    std::int64_t key = LexicographicKey::kFar;
    std::int32_t row = -1;

    PairCounts counts() const {
        using Key = LexicographicKey;
        const std::int64_t distance = (key + Key::kCor) / Key::kEdit;
        const std::int64_t rank = key - distance * Key::kEdit;  // COR * 2^20 - SUB
        const std::int64_t cor = (rank + Key::kCor - 1) / Key::kCor;
        return {static_cast<int>(distance), static_cast<int>(cor), static_cast<int>(cor * Key::kCor - rank)};
    }
};

// Aligns readings with a part of HYP, row by row of the dynamic programme.
class NotedAlignment {
  public:
    using Key = LexicographicKey;

    explicit NotedAlignment(const NotedPage& page) : page_(page) {}

    // Extends alignments by all tokens of a reading. `cells[p]` is the position before hyp[p].
    void pass(int row, Tokens hyp, bool ranked, Vector<NotedCell>& cells) {
        const std::int64_t right = ranked ? Key::kCor : 0;
        const std::int64_t wrong = ranked ? Key::kSub : Key::kEdit;
        for (int p = 0; p < hyp.count(); ++p) cells[p + 1].offer(cells[p], Key::kEdit);
        for (const Token t : page_.rows[row]) {
            progress_(2 * cells.count());
            if (page_.is_gap(t)) {
                fill_gap(page_.gap[t - page_.alphabet], hyp, cells);
                continue;
            }
            NotedCell diagonal = cells[0];
            cells[0].key += Key::kEdit;
            for (int p = 0; p < hyp.count(); ++p) {
                NotedCell best = diagonal;
                best.key += page_.same(t, hyp[p]) ? right : wrong;
                diagonal = cells[p + 1];
                best.offer(diagonal, Key::kEdit);
                best.offer(cells[p], Key::kEdit);
                cells[p + 1] = best;
            }
        }
    }

    // The best reading of a line for a text. Of equal ones, the first.
    NotedCounts best(int x, Tokens hyp) {
        NotedCounts found;
        for (int row = page_.first_row[x]; row < page_.first_row[x + 1]; ++row) {
            cells_.assign(hyp.count() + 1, NotedCell{});
            cells_[0] = {0, 0};
            pass(row, hyp, true, cells_);
            if (cells_.back().key < found.key) found = {cells_.back().key, row};
        }
        return found;
    }

  private:
    // The least of the cells from which a gap of this weight reaches a position, in a queue of ascending keys.
    void fill_gap(int most, Tokens hyp, Vector<NotedCell>& cells) {
        queue_.clear();
        std::size_t front = 0;
        std::int64_t before = 0;  // the weight of the tokens before p
        for (int p = 0; p <= hyp.count(); ++p) {
            while (queue_.size() > front && queue_.back().cell.key >= cells[p].key) queue_.pop_back();
            queue_.push_back({cells[p], before});
            while (before - queue_[front].before > most) ++front;
            cells[p] = queue_[front].cell;
            if (p > 0) cells[p].offer(cells[p - 1], Key::kEdit);
            if (p < hyp.count()) before += page_.weight[hyp[p]];
        }
    }

    struct Waiting {
        NotedCell cell;
        std::int64_t before;
    };

    const NotedPage& page_;
    Vector<NotedCell> cells_;
    Vector<Waiting> queue_;
    Progress progress_;
};

// The edits of one reading and one text.
class NotedEdits {
  public:
    enum Move : std::uint8_t { kEqual, kSubstitute, kInsert, kRemove, kInGap, kGapToken };

    explicit NotedEdits(const NotedPage& page) : page_(page) {}

    Vector<std::uint8_t> align(int row, Tokens hyp) {
        using Key = LexicographicKey;
        const Tokens gt = page_.rows[row];
        const int columns = hyp.count() + 1;
        check_memory((std::int64_t{gt.count()} + 1) * columns * std::int64_t{sizeof(std::int32_t)});
        Vector<std::int32_t> moves((std::int64_t{gt.count()} + 1) * columns, kRemove);
        Vector<std::int64_t> above(columns, 0);
        for (int p = 0; p < columns; ++p) above[p] = p * Key::kEdit;
        Vector<std::int64_t> here(columns, 0);
        Progress progress;
        for (int i = 0; i < gt.count(); ++i) {
            const bool gap = page_.is_gap(gt[i]);
            std::int32_t* move = moves.data() + (std::ptrdiff_t{i} + 1) * columns;
            progress(2 * columns);
            for (int p = 0; p < columns; ++p) {
                here[p] = above[p] + (gap ? 0 : Key::kEdit);
                move[p] = gap ? kInGap : kInsert;
                if (gap) {
                    std::int64_t weight = 0;
                    for (int q = p; q-- > 0;) {
                        weight += page_.weight[hyp[q]];
                        if (weight > page_.gap[gt[i] - page_.alphabet]) break;
                        if (above[q] < here[p]) here[p] = above[q], move[p] = kInGap + (p - q);
                    }
                } else if (p > 0) {
                    const bool same = page_.same(gt[i], hyp[p - 1]);
                    const std::int64_t matched = above[p - 1] + (same ? Key::kCor : Key::kSub);
                    if (matched < here[p]) here[p] = matched, move[p] = same ? kEqual : kSubstitute;
                }
                if (p > 0 && here[p - 1] + Key::kEdit < here[p]) here[p] = here[p - 1] + Key::kEdit, move[p] = kRemove;
            }
            std::swap(above, here);
        }
        return trace(moves, gt.count(), hyp.count());
    }

  private:
    static Vector<std::uint8_t> trace(const Vector<std::int32_t>& moves, int i, int p) {
        const int columns = p + 1;
        Vector<std::uint8_t> edits;
        while (i > 0 || p > 0) {
            const std::int32_t move = moves[std::ptrdiff_t{i} * columns + p];
            if (move >= kInGap) {
                edits.insert(edits.end(), unsigned_index(move - kInGap), kInGap);
                edits.push_back(kGapToken);
                p -= move - kInGap;
                --i;
                continue;
            }
            edits.push_back(static_cast<std::uint8_t>(move));
            i -= move != kRemove;
            p -= move != kInsert;
        }
        std::reverse(edits.begin(), edits.end());
        return edits;
    }

    const NotedPage& page_;
};

}  // namespace pagemeter
