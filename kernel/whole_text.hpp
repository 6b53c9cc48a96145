// The distance and the counts of two long texts, such as whole pages.
//
// The columns of the dynamic programme are bit vectors (levenshtein.hpp) over the GT tokens. Only the blocks that an
// alignment of at most `limit` errors can pass are computed (Ukkonen's band). The value at the end is an upper bound of
// the distance, and the distance if it is within the limit.
//
// Every columns_ columns the band is stored. The way back computes the columns between two stored ones again, but only
// the rows that optimal alignments can pass, and keeps all of their differences. They show the cells that optimal
// alignments do pass, which are few in most texts.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <optional>

#include "levenshtein.hpp"
#include "sequence.hpp"

namespace pagemeter {

// For each GT token, the positions of the token as bit masks of blocks. Tokens that occur everywhere have one mask per
// block. If that needs too much memory, as for many different words, only the masks that are not zero are stored.
class TokenMasks {
  public:
    TokenMasks(Tokens pattern, int alphabet) : blocks_(blocks_for(pattern.count())), row_(alphabet, -1) {
        int rows = 0;
        for (Token t : pattern) {
            if (row_[t] < 0) row_[t] = rows++;
        }
        dense_ = std::int64_t{rows} * blocks_ * std::int64_t{sizeof(Word64)} <= kMostDenseBytes;
        if (dense_) {
            masks_.assign((std::int64_t{rows} + 1) * blocks_, 0);
            none_ = std::int64_t{rows} * blocks_;
            for (int i = 0; i < pattern.count(); ++i) {
                masks_[std::int64_t{row_[pattern[i]]} * blocks_ + i / kBits] |= Word64{1} << (i % kBits);
            }
            return;
        }
        sparse_.resize(rows);
        masks_.assign(blocks_, 0);
        for (int i = 0; i < pattern.count(); ++i) {
            Vector<Entry>& entries = sparse_[row_[pattern[i]]];
            if (entries.empty() || entries.back().block != i / kBits) entries.push_back({i / kBits, 0});
            entries.back().mask |= Word64{1} << (i % kBits);
        }
    }

    // The masks of a token by block. They are valid until the next call, for the blocks first..last.
    const Word64* of(Token t, int first, int last) {
        const int row = row_[t];
        if (dense_) return masks_.data() + (row < 0 ? none_ : std::int64_t{row} * blocks_);
        for (int block : filled_) masks_[block] = 0;
        filled_.clear();
        if (row < 0) return masks_.data();
        const Vector<Entry>& entries = sparse_[row];
        auto at = std::lower_bound(entries.begin(), entries.end(), first,
                                   [](const Entry& entry, int block) { return entry.block < block; });
        for (; at != entries.end() && at->block <= last; ++at) {
            masks_[at->block] = at->mask;
            filled_.push_back(at->block);
        }
        return masks_.data();
    }

  private:
    static constexpr std::int64_t kMostDenseBytes = 1 << 25;

    struct Entry {
        int block;
        Word64 mask;
    };

    int blocks_;
    Vector<std::int32_t> row_;
    bool dense_ = true;
    std::int64_t none_ = 0;
    Vector<Word64> masks_;
    Vector<Vector<Entry>> sparse_;
    Vector<int> filled_;
};

// The dynamic programme of one pair of texts; rows are GT tokens.
class TextTable {
  public:
    static constexpr int kNone = std::numeric_limits<int>::max() / 2;

    TextTable(Tokens gt, Tokens hyp, int alphabet)
        : gt_(gt),
          hyp_(hyp),
          n_(gt.count()),
          m_(hyp.count()),
          columns_(std::max(kLeastColumns, m_ / kMostStored)),
          masks_(gt, alphabet),
          blocks_(blocks_for(n_)) {}

    // LD. Afterwards, the band contains every optimal alignment. The limit grows until the bound hardly falls.
    int distance() {
        int bound = std::max(n_, m_);
        for (limit_ = std::min(bound, std::max(std::abs(n_ - m_), kFirstLimit));;) {
            run(m_, true);
            const int before = std::exchange(bound, std::min(bound, value_at_end()));
            if (bound <= limit_) return bound;
            limit_ = bound > before - before / kSettled ? bound : std::min(bound, 4 * limit_);
        }
    }

    // After `distance`: the fewest missing and extra tokens of all alignments with the minimum distance.
    std::int64_t fewest_gaps(int distance) {
        Vector<Reached> now(n_ + 1);
        Vector<Reached> next(n_ + 1);
        int low = n_;
        int high = n_;
        now[n_] = {0, distance};
        for (int j = m_; j > 0; --j) {
            int most = 0;
            for (int i = low; i <= high; ++i) most = std::max(most, now[i].errors);
            const Column column = this->column(j, {low, high, most});
            for (int i = high; i > 0 && i >= low; --i) {  // missing tokens
                if (now[i].none() || !bit(column.cell(i).vp, i)) continue;
                if (i == low) now[--low] = {};
                now[i - 1].reach(now[i].gaps + 1, now[i].errors - 1);
            }
            const int below = std::max(0, low - 1);
            std::fill(next.begin() + below, next.begin() + high + 1, Reached{});
            const Token token = hyp_[j - 1];
            for (int i = low; i <= high; ++i) {
                const Reached cell = now[i];
                if (cell.none()) continue;
                if (i == 0 || bit(column.cell(i).hp, i)) next[i].reach(cell.gaps + 1, cell.errors - 1);
                if (i == 0) continue;
                const bool equal = gt_[i - 1] == token;
                if (equal || !bit(column.cell(i).d0, i)) next[i - 1].reach(cell.gaps, cell.errors - !equal);
            }
            progress_(2 * (high - low + 1));
            low = below;
            while (next[low].none()) ++low;
            while (next[high].none()) --high;
            std::swap(now, next);
        }
        int fewest = kNone;
        for (int i = low; i <= high; ++i) fewest = std::min(fewest, now[i].none() ? kNone : now[i].gaps + i);
        return fewest;
    }

    // After `distance`: the missing and extra tokens on the path of RapidFuzz. From the end, it takes a missing token
    // if that is optimal, else an extra token if the cell to the left is one less than the cell above that, else both.
    std::int64_t path_gaps(int distance) {
        std::int64_t gaps = 0;
        int i = n_;
        int j = m_;
        int errors = distance;
        while (i > 0 && j > 0) {
            if (bit(column(j, {i, i, errors}).cell(i).vp, i)) {
                ++gaps;
                --errors;
                --i;
                continue;
            }
            --j;
            const bool equal = gt_[i - 1] == hyp_[j];
            if (j > 0) {
                const Column left = column(j, {i - 1, i, errors});
                if (left.has(i) && bit(left.cell(i).vn, i)) {
                    ++gaps;
                    --errors;
                    continue;
                }
            }
            errors -= !equal;
            --i;
        }
        return gaps + i + j;
    }

    // After `distance`: the missing and extra tokens on the path that, from the end, takes two tokens if that is
    // optimal, else an extra token, else a missing one.
    std::int64_t diagonal_gaps(int distance) {
        std::int64_t gaps = 0;
        int i = n_;
        int j = m_;
        int errors = distance;
        while (i > 0 && j > 0) {
            const Cell& cell = column(j, {i, i, errors}).cell(i);
            const bool equal = gt_[i - 1] == hyp_[j - 1];
            const bool pair = equal || !bit(cell.d0, i);
            const bool extra = !pair && bit(cell.hp, i);
            errors -= !equal;
            gaps += !pair;
            i -= !extra;
            j -= pair || extra;
        }
        return gaps + i + j;
    }

    // The distances of all prefixes of GT to the first `columns` tokens of HYP, as far as an alignment of the whole
    // texts with at most `limit` errors can pass them; else kNone or more than the distance.
    Vector<int> prefix_distances(int columns, int limit) {
        limit_ = limit;
        run(columns, false);
        Vector<int> values(n_ + 1, kNone);
        int value = top_;
        const int first = first_block(columns) * kBits;
        values[first] = value;
        for (int i = first + 1; i <= std::min(n_, (last_block(columns) + 1) * kBits); ++i) {
            const Block& block = state_[(i - 1) / kBits];
            value += static_cast<int>(bit(block.vp, i)) - static_cast<int>(bit(block.vn, i));
            values[i] = value;
        }
        return values;
    }

  private:
    static constexpr int kFirstLimit = 64;
    static constexpr int kSettled = 16;   // a bound that falls by a smaller part is close to the distance
    static constexpr int kLeastColumns = 128;
    static constexpr int kMostStored = 1024;

    // A cell that optimal alignments pass: the fewest gaps from it to the end, and the errors from the begin to it.
    struct Reached {
        int gaps = kNone;
        int errors = 0;
        bool none() const { return gaps == kNone; }
        void reach(int by_gaps, int with_errors) {
            gaps = std::min(gaps, by_gaps);
            errors = with_errors;
        }
    };
    // The rows of a column that an optimal alignment comes from, and the most errors up to any of them.
    struct Rows {
        int low;
        int high;
        int most;
    };

    // The differences of 64 cells: down a column, along a row, and none along the diagonal.
    struct Cell {
        Word64 vp;
        Word64 vn;
        Word64 hp;
        Word64 d0;
    };
    struct Column {
        const Cell* cells;
        int first;
        int last;

        const Cell& cell(int row) const { return cells[(row - 1) / kBits - first]; }
        bool has(int row) const { return (row - 1) / kBits >= first && (row - 1) / kBits <= last; }
    };
    struct Stored {
        int top;  // the value above the first block
        int first;
        Vector<Block> blocks;
    };

    static bool bit(Word64 word, int row) { return ((word >> ((row - 1) % kBits)) & 1) != 0; }

    // |i-j| + |(n-i)-(m-j)| <= limit. The first and the last block of the rows i that column j can need.
    int slack() const { return (limit_ - std::abs(n_ - m_)) / 2; }
    int first_block(int j) const {
        return (std::clamp(j + std::min(0, n_ - m_) - slack(), 1, n_) - 1) / kBits;
    }
    int last_block(int j) const {
        return (std::clamp(j + std::max(0, n_ - m_) + slack(), 1, n_) - 1) / kBits;
    }

    void run(int columns, bool keep) {
        state_.assign(blocks_, Block{});
        stored_.clear();
        computed_ = -1;
        top_ = 0;
        for (int j = 1; j <= columns; ++j) {
            const int first = first_block(j);
            const int last = last_block(j);
            for (int k = first_block(j - 1); k < first; ++k) {  // rows that leave the band
                top_ += std::popcount(state_[k].vp) - std::popcount(state_[k].vn);
            }
            if (keep && (j - 1) % columns_ == 0) {
                stored_.push_back({top_, first, {state_.begin() + first, state_.begin() + last + 1}});
            }
            ++top_;
            const Word64* equal = masks_.of(hyp_[j - 1], first, last);
            Carry carry;
            for (int k = first; k <= last; ++k) advance(state_[k], equal[k], carry);
            progress_(last - first + 1);
        }
    }

    int value_at_end() const {
        int value = top_;
        for (int k = first_block(m_); k < blocks_; ++k) {
            const Word64 in = k == blocks_ - 1 && n_ % kBits ? (Word64{1} << (n_ % kBits)) - 1 : ~Word64{0};
            value += std::popcount(state_[k].vp & in) - std::popcount(state_[k].vn & in);
        }
        return value;
    }

    // The differences of column j >= 1 in the rows that lead to `rows`. Columns are asked for from the last to the
    // first.
    Column column(int j, Rows rows) {
        const int number = (j - 1) / columns_;
        if (number != computed_) compute_again(number, j, rows);
        return {cells_.data() + std::ptrdiff_t{j - 1 - number * columns_} * (last_ - first_ + 1), first_, last_};
    }

    void compute_again(int number, int end, Rows rows) {
        computed_ = number;
        const int begin = number * columns_;
        const Stored& stored = stored_[number];
        first_ = std::max(stored.first, (first_row(stored, end - begin, rows) - 1) / kBits);
        last_ = (std::max(1, rows.high) - 1) / kBits;
        for (int k = first_; k <= last_; ++k) {
            state_[k] = k - stored.first < stored.blocks.count() ? stored.blocks[k - stored.first] : Block{};
        }
        cells_.resize(std::ptrdiff_t{end - begin} * (last_ - first_ + 1));
        Cell* out = cells_.data();
        for (int j = begin + 1; j <= end; ++j) {
            const Word64* equal = masks_.of(hyp_[j - 1], first_, last_);
            Carry carry;
            for (int k = first_; k <= last_; ++k) {
                Block& block = state_[k];
                const Word64 x = equal[k] | carry.hn;
                const Word64 d0 = (((x & block.vp) + block.vp) ^ block.vp) | x | block.vn;
                const Horizontal h = advance(block, equal[k], carry);
                *out++ = {block.vp, block.vn, h.hp, d0};
            }
        }
        progress_(std::int64_t{end - begin} * (last_ - first_ + 1));
    }

    // The first row of a stored column from which the rows can be reached: the errors in between are at least the
    // difference of the two lengths.
    static int first_row(const Stored& stored, int columns, Rows rows) {
        int value = stored.top;
        int row = stored.first * kBits;
        const auto reaches = [&] { return value + std::max(0, rows.low - row - columns) <= rows.most; };
        for (const Block& block : stored.blocks) {
            for (int i = 1; i <= kBits; ++i) {
                if (reaches() || row >= rows.low) return row;
                value += static_cast<int>(bit(block.vp, i)) - static_cast<int>(bit(block.vn, i));
                ++row;
            }
        }
        return std::min(row, rows.low);
    }

    Tokens gt_;
    Tokens hyp_;
    int n_;
    int m_;
    int columns_;  // between two stored columns
    TokenMasks masks_;
    int blocks_;
    int limit_ = 0;
    int top_ = 0;  // the value above the first block
    Vector<Block> state_;
    Vector<Stored> stored_;
    int computed_ = -1;  // the number of the columns that are in cells_, with the blocks first_..last_
    int first_ = 0;
    int last_ = 0;
    Vector<Cell> cells_;
    Progress progress_;
};

// Two texts without their common prefix and suffix, whose tokens are equal in some optimal alignment of each kind.
struct TextMiddle {
    Tokens gt;
    Tokens hyp;
    int shared;

    TextMiddle(Tokens a, Tokens b) {
        const int least = std::min(a.count(), b.count());
        int prefix = 0;
        while (prefix < least && a[prefix] == b[prefix]) ++prefix;
        int suffix = 0;
        while (suffix < least - prefix && a[a.count() - 1 - suffix] == b[b.count() - 1 - suffix]) ++suffix;
        shared = prefix + suffix;
        gt = a.subspan(prefix, a.count() - shared);
        hyp = b.subspan(prefix, b.count() - shared);
    }
};

inline PairCounts counts_of(int tokens, int distance, std::int64_t gaps) {
    const int sub = distance - static_cast<int>(gaps);
    return {distance, (tokens - distance - sub) / 2, sub};
}

// The canonical counts of two texts.
inline PairCounts text_counts(Tokens gt, Tokens hyp, int alphabet) {
    const TextMiddle middle(gt, hyp);
    const int tokens = gt.count() + hyp.count();
    if (middle.gt.empty() || middle.hyp.empty()) {
        const int gaps = middle.gt.count() + middle.hyp.count();
        return counts_of(tokens, gaps, gaps);
    }
    TextTable table(middle.gt, middle.hyp, alphabet);
    const int distance = table.distance();
    return counts_of(tokens, distance, table.fewest_gaps(distance));
}

// The counts of the alignment that prefers pairs of tokens from the end on.
inline PairCounts diagonal_counts(Tokens gt, Tokens hyp, int alphabet) {
    const int tokens = gt.count() + hyp.count();
    if (gt.empty() || hyp.empty()) return counts_of(tokens, tokens, tokens);
    TextTable table(gt, hyp, alphabet);
    const int distance = table.distance();
    return counts_of(tokens, distance, table.diagonal_gaps(distance));
}

// The counts of the alignment that RapidFuzz 3 returns. Texts whose table would be large are divided in the middle of
// HYP first, at the first GT token where an optimal alignment can be divided.
class RapidfuzzCounts {
  public:
    explicit RapidfuzzCounts(int alphabet) : alphabet_(alphabet) {}

    PairCounts operator()(Tokens gt, Tokens hyp) {
        distance_ = 0;
        const std::int64_t gaps = solve(gt, hyp, std::max(gt.count(), hyp.count()));
        return counts_of(gt.count() + hyp.count(), distance_, gaps);
    }

  private:
    static constexpr std::int64_t kMostTableBytes = std::int64_t{1} << 20;
    static constexpr int kLeastGt = 65;
    static constexpr int kLeastHyp = 10;

    std::int64_t solve(Tokens whole_gt, Tokens whole_hyp, int most) {
        const TextMiddle middle(whole_gt, whole_hyp);
        const Tokens gt = middle.gt;
        const Tokens hyp = middle.hyp;
        const int n = gt.count();
        const int m = hyp.count();
        if (n == 0 || m == 0) {
            distance_ += n + m;
            return n + m;
        }
        TextTable table(gt, hyp, alphabet_);
        const int distance = table.distance();
        most = std::min(most, std::max(n, m));
        const std::int64_t bytes = 2 * std::min(std::int64_t{n}, 2 * std::int64_t{most} + 1) * m / 8;
        if (bytes < kMostTableBytes || n < kLeastGt || m < kLeastHyp) {
            distance_ += distance;
            return table.path_gaps(distance);
        }
        const int half = m / 2;
        const Vector<int> left = table.prefix_distances(half, distance);
        const Vector<Token> gt_back(gt.rbegin(), gt.rend());
        const Vector<Token> hyp_back(hyp.rbegin(), hyp.rend());
        const Vector<int> right = TextTable({gt_back.data(), gt_back.size()}, {hyp_back.data(), hyp_back.size()},
                                            alphabet_)
                                      .prefix_distances(m - half, distance);
        int at = 0;
        while (left[at] + right[n - at] != distance) ++at;
        return solve(gt.first(at), hyp.first(half), left[at]) +
               solve(gt.subspan(at), hyp.subspan(half), right[n - at]);
    }

    int alphabet_;
    int distance_ = 0;
};

}  // namespace pagemeter
