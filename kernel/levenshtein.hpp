// The edit distance of two token sequences (bit-parallel) and its canonical counts (banded).
//
// H. Hyyrö, "A Bit-Vector Algorithm for Computing Levenshtein and Damerau Edit Distances", 2003: a column of the
// dynamic programme is stored as its differences, +1 (vp) and -1 (vn), 64 per machine word.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <unordered_set>

#include "sequence.hpp"
#include "simd.hpp"

namespace pagemeter {

using Word64 = std::uint64_t;
inline constexpr int kBits = 64;

inline int blocks_for(int length) { return (length + kBits - 1) / kBits; }

// 64 differences of one column.
struct Block {
    Word64 vp = ~Word64{0};
    Word64 vn = 0;
};

// The difference that enters a block from the previous block: +1 (hp), -1 (hn) or 0.
struct Carry {
    Word64 hp = 1;
    Word64 hn = 0;
};

// Advances one block by one token of the text. Returns the horizontal differences before the shift, so that the caller
// can read the change at any row.
struct Horizontal {
    Word64 hp;
    Word64 hn;
};

inline Horizontal advance(Block& block, Word64 equal, Carry& carry) {
    const Word64 x = equal | carry.hn;
    const Word64 d0 = (((x & block.vp) + block.vp) ^ block.vp) | x | block.vn;
    const Horizontal out{block.vn | ~(d0 | block.vp), d0 & block.vp};
    const Word64 hp = (out.hp << 1) | carry.hp;
    const Word64 hn = (out.hn << 1) | carry.hn;
    carry = {out.hp >> (kBits - 1), out.hn >> (kBits - 1)};
    block.vp = hn | ~(d0 | hp);
    block.vn = hp & d0;
    return out;
}

// For each token, the positions where a pattern has it, as bit masks. One index serves many patterns, one at a time.
// Tokens are integers below `alphabet`. The masks of a long pattern with many different tokens would need quadratic
// memory. `assign` then stores the pattern instead, and `distance` builds the masks of one strip of it at a time.
class PatternIndex {
  public:
    static constexpr Token kPadding = -1;  // equals no token

    explicit PatternIndex(int alphabet) : local_(alphabet, 0) {}

    // For `distance`. The pattern must stay valid.
    void assign(Tokens pattern) {
        const bool many = blocks_for(pattern.count()) > kStripBlocks && !fits(pattern, kMostMaskBytes);
        strips_ = many ? pattern : Tokens{};
        build(many ? Tokens{} : pattern);
        length_ = pattern.count();
    }

    // For `masks`.
    void assign_masks(Tokens pattern) {
        if (blocks_for(pattern.count()) > kStripBlocks && !fits(pattern, kMostBytes)) check_memory(kMostBytes + 1);
        strips_ = {};
        build(pattern);
    }

    int length() const { return length_; }
    int blocks() const { return blocks_; }
    const Word64* masks(Token t) const { return masks_.data() + offset(local_[t]); }

    // LD(pattern, text).
    int distance(Tokens text) {
        if (!strips_.empty()) return distance_in_strips(text);
        if (length_ == 0) return text.count();
        return blocks_ == 1 ? distance_one_block(text) : distance_many_blocks(text);
    }

    // Calls use(i, distance) for the texts with the numbers 0 to count-1. Distances up to `cutoff` are exact; above it,
    // the result is some number between cutoff + 1 and the distance. Several texts are compared side by side, so
    // neighbours should have similar lengths.
    template <class TextOf, class Use>
    void distances(int count, const TextOf& text_of, const Use& use, int cutoff = static_cast<int>(kMostTokens)) {
        int i = 0;
        const bool short_pattern = strips_.empty() && 0 < blocks_ && blocks_ <= kLaneBlocks;
        Progress progress;
        for (; count - i >= kFewTexts && short_pattern; i += kLanes) {
            Array<Tokens, kLanes> texts;
            const int used = std::min(kLanes, count - i);
            std::size_t longest = 0;
            for (int l = 0; l < kLanes; ++l) {
                texts[l] = text_of(i + std::min(l, used - 1));
                longest = std::max(longest, texts[l].size());
            }
            if (blocks_ > 1) progress(blocks_ * static_cast<std::int64_t>(longest));
            const auto found = distances_within(texts, cutoff);
            for (int l = 0; l < used; ++l) use(i + l, found[l]);
        }
        for (; i < count; ++i) use(i, distance(text_of(i)));
    }

  private:
    static constexpr int kStripBlocks = 64;
    static constexpr std::int64_t kMostMaskBytes = 1 << 25;
    static constexpr int kLanes = 8;
    static constexpr int kFewTexts = 3;  // of fewer texts, each is compared on its own
    static constexpr int kLaneBlocks = 4;  // longer patterns have enough blocks to keep the processor busy

    PAGEMETER_WIDE_CLONES Array<int, kLanes> distances_within(const Array<Tokens, kLanes>& texts, int cutoff) const {
        constexpr int kEvery = 4;  // tokens between two checks of the bound
        using Row = std::array<Word64, kLanes>;
        struct Cells {
            alignas(64) Row vp;
            alignas(64) Row vn;
        };
        std::array<Cells, kLaneBlocks> column;
        for (Cells& cells : column) {
            cells.vp.fill(~Word64{0});
            cells.vn.fill(0);
        }
        alignas(64) Row equal;
        alignas(64) std::array<std::int64_t, kLanes> score;
        alignas(64) std::array<std::int64_t, kLanes> left;  // tokens of the texts after the present one
        std::array<const Word64*, kLanes> rows;
        int longest = 0;
        for (std::size_t l = 0; l < kLanes; ++l) {
            score[l] = length_;
            left[l] = static_cast<std::int64_t>(texts[l].size());
            longest = std::max(longest, texts[l].count());
        }
        const int last = (length_ - 1) % kBits;
        const std::size_t blocks = unsigned_index(blocks_);
        for (int j = 0; j < longest; ++j) {
            for (std::size_t l = 0; l < kLanes; ++l) {
                rows[l] = masks_.data() + (j < texts[l].count() ? offset(local_[texts[l][j]]) : 0);
                --left[l];
            }
            alignas(64) Row hp_in;
            alignas(64) Row hn_in;
            hp_in.fill(1);
            hn_in.fill(0);
            alignas(64) Row up;
            alignas(64) Row down;
            for (std::size_t k = 0; k < blocks; ++k) {
                for (std::size_t l = 0; l < kLanes; ++l) equal[l] = rows[l][k];
                Row& vp = column[k].vp;
                Row& vn = column[k].vn;
                for (std::size_t l = 0; l < kLanes; ++l) {  // as `advance`
                    const Word64 x = equal[l] | hn_in[l];
                    const Word64 d0 = (((x & vp[l]) + vp[l]) ^ vp[l]) | x | vn[l];
                    up[l] = vn[l] | ~(d0 | vp[l]);
                    down[l] = d0 & vp[l];
                    const Word64 hp = (up[l] << 1) | hp_in[l];
                    const Word64 hn = (down[l] << 1) | hn_in[l];
                    hp_in[l] = up[l] >> (kBits - 1);
                    hn_in[l] = down[l] >> (kBits - 1);
                    vp[l] = hn | ~(d0 | hp);
                    vn[l] = hp & d0;
                }
            }
            for (std::size_t l = 0; l < kLanes; ++l) {
                const auto change =
                    static_cast<std::int64_t>((up[l] >> last) & 1) - static_cast<std::int64_t>((down[l] >> last) & 1);
                score[l] += left[l] >= 0 ? change : 0;
            }
            if (j % kEvery != kEvery - 1) continue;
            bool all_above = true;  // the last row falls by at most one per token
            for (std::size_t l = 0; l < kLanes; ++l) {
                all_above &= score[l] - std::max(left[l], std::int64_t{0}) > cutoff;
            }
            if (all_above) break;
        }
        Array<int, kLanes> found{};
        for (std::size_t l = 0; l < kLanes; ++l) {
            found[l] = static_cast<int>(score[l] - std::max(left[l], std::int64_t{0}));
        }
        return found;
    }

    // True if the masks of a pattern need at most `bytes` bytes.
    static bool fits(Tokens pattern, std::int64_t bytes) {
        const std::int64_t most = bytes / std::int64_t{sizeof(Word64)} / blocks_for(pattern.count());
        std::unordered_set<Token> tokens;
        for (Token t : pattern) {
            tokens.insert(t);
            if (std::ssize(tokens) >= most) return false;
        }
        return true;
    }

    void build(Tokens pattern) {
        for (Token t : seen_) local_[t] = 0;
        seen_.clear();
        length_ = pattern.count();
        blocks_ = blocks_for(length_);
        masks_.assign(blocks_, 0);  // row 0: a token that the pattern lacks
        for (int i = 0; i < length_; ++i) {
            const Token t = pattern[i];
            if (t == kPadding) continue;
            std::int32_t& row = local_[t];
            if (row == 0) {
                seen_.push_back(t);
                row = static_cast<std::int32_t>(seen_.size());
                masks_.resize(std::ssize(masks_) + blocks_, 0);
            }
            masks_[offset(row) + i / kBits] |= Word64{1} << (i % kBits);
        }
    }

    // The differences that leave a strip at each token of the text enter the next strip.
    int distance_in_strips(Tokens text) {
        Vector<Carry> carries(text.size());
        const int length = strips_.count();
        int score = length;
        Progress progress;
        for (int from = 0; from < length; from += kStripBlocks * kBits) {
            build(strips_.subspan(from, std::min(kStripBlocks * kBits, length - from)));
            column_.assign(blocks_, Block{});
            const int last = (length_ - 1) % kBits;
            const bool at_end = from + length_ == length;
            for (std::size_t j = 0; j < text.size(); ++j) {
                const Word64* equal = masks(text[j]);
                Horizontal h{};
                for (std::size_t k = 0; k < column_.size(); ++k) h = advance(column_[k], equal[k], carries[j]);
                if (at_end) score += static_cast<int>((h.hp >> last) & 1) - static_cast<int>((h.hn >> last) & 1);
                progress(blocks_);
            }
        }
        length_ = length;
        return score;
    }

    std::ptrdiff_t offset(std::int32_t row) const { return std::ptrdiff_t{row} * blocks_; }

    int distance_one_block(Tokens text) const {
        Block block;
        int score = length_;
        const int last = (length_ - 1) % kBits;
        for (Token t : text) {
            Carry carry;
            const Horizontal h = advance(block, *masks(t), carry);
            score += static_cast<int>((h.hp >> last) & 1) - static_cast<int>((h.hn >> last) & 1);
        }
        return score;
    }

    int distance_many_blocks(Tokens text) {
        column_.assign(blocks_, Block{});
        Progress progress;
        int score = length_;
        const int last = (length_ - 1) % kBits;
        for (Token t : text) {
            const Word64* equal = masks(t);
            Carry carry;
            Horizontal h{};
            for (std::size_t k = 0; k < column_.size(); ++k) h = advance(column_[k], equal[k], carry);
            score += static_cast<int>((h.hp >> last) & 1) - static_cast<int>((h.hn >> last) & 1);
            progress(blocks_);
        }
        return score;
    }

    Vector<std::int32_t> local_;
    Vector<Token> seen_;
    Vector<Word64> masks_;
    Vector<Block> column_;
    Tokens strips_;  // a pattern whose masks do not fit
    int length_ = 0;
    int blocks_ = 0;
};

// The canonical counts of one pair: the fewest correct tokens among all alignments with the minimum distance. Lengths,
// distance and COR determine SUB.
struct PairCounts {
    int distance = 0;
    int cor = 0;
    int sub = 0;
};

// Minimises LD * 2^32 + COR over the cells that an alignment of cost `distance` can pass (Ukkonen's band). The given
// distance may be too large, but not too small.
inline PairCounts canonical_counts(Tokens a, Tokens b, int distance) {
    const int n = a.count();
    const int m = b.count();
    if (distance == 0) return {0, n, 0};
    constexpr std::int64_t kEdit = std::int64_t{1} << 32;
    constexpr std::int64_t kFar = std::numeric_limits<std::int64_t>::max() / 4;
    static_assert(kMostPairs < kEdit && (kMostTokens + 1) * kEdit < kFar, "no key reaches kFar");
    // |i-j| + |(n-i)-(m-j)| <= distance, with d = j - i and s = m - n: |d| + |s-d| <= distance.
    const int slack = (distance - std::abs(m - n)) / 2;
    const int lo = std::min(0, m - n) - slack;
    const int hi = std::max(0, m - n) + slack;
    Vector<std::int64_t> row(hi - lo + 3, kFar);  // row[d - lo + 1]
    const auto at = [&](int d) -> std::int64_t& { return row[d - lo + 1]; };
    for (int d = 0; d <= hi; ++d) at(d) = d * kEdit;
    Progress progress;
    for (int i = 1; i <= n; ++i) {
        const int from = std::max(lo, -i);
        const int to = std::min(hi, m - i);
        progress(to - from);
        const Token token = a[i - 1];
        for (int d = from; d <= to; ++d) {  // row[d] still holds (i-1, j-1), row[d+1] holds (i-1, j)
            const int j = i + d;
            std::int64_t best = at(d + 1) + kEdit;
            if (j > 0) {
                best = std::min(best, at(d) + (token == b[j - 1] ? 1 : kEdit));
                if (d > from) best = std::min(best, at(d - 1) + kEdit);
            }
            at(d) = best;
        }
    }
    const int cor = static_cast<int>(at(m - n) & (kEdit - 1));
    const int least = static_cast<int>(at(m - n) / kEdit);
    return {least, cor, n + m - least - 2 * cor};
}

}  // namespace pagemeter
