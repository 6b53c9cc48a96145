// Distances between two token sequences: bit-parallel for the distance, banded for the canonical counts.
//
// H. Hyyrö, "A Bit-Vector Algorithm for Computing Levenshtein and Damerau Edit Distances", 2003: a column of
// the dynamic programme is kept as its differences of +1 (vp) and -1 (vn), 64 to a machine word.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <vector>

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

// The difference that enters a block from the one before it: +1 (hp), -1 (hn) or 0.
struct Carry {
    Word64 hp = 1;
    Word64 hn = 0;
};

// Advances one block by one token of the text; returns the horizontal differences before they are shifted,
// so that the caller can read the change at any row.
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

// For each token the positions where a pattern has it, as bit masks. One index serves many patterns in turn;
// tokens are dense integers below `alphabet`.
class PatternIndex {
  public:
    static constexpr Token kPadding = -1;  // a place in a pattern that equals no token

    explicit PatternIndex(int alphabet) : local_(static_cast<std::size_t>(alphabet), 0) {}

    void assign(Tokens pattern) {
        for (Token t : seen_) local_[static_cast<std::size_t>(t)] = 0;
        seen_.clear();
        length_ = static_cast<int>(pattern.size());
        blocks_ = blocks_for(length_);
        masks_.assign(static_cast<std::size_t>(blocks_), 0);  // row 0: a token the pattern lacks
        for (int i = 0; i < length_; ++i) {
            const Token t = pattern[static_cast<std::size_t>(i)];
            if (t == kPadding) continue;
            std::int32_t& row = local_[static_cast<std::size_t>(t)];
            if (row == 0) {
                seen_.push_back(t);
                row = static_cast<std::int32_t>(seen_.size());
                masks_.resize(masks_.size() + static_cast<std::size_t>(blocks_), 0);
            }
            masks_[offset(row) + static_cast<std::size_t>(i / kBits)] |= Word64{1} << (i % kBits);
        }
    }

    int length() const { return length_; }
    int blocks() const { return blocks_; }
    const Word64* masks(Token t) const { return masks_.data() + offset(local_[static_cast<std::size_t>(t)]); }

    // LD(pattern, text).
    int distance(Tokens text) const {
        if (length_ == 0) return static_cast<int>(text.size());
        return blocks_ == 1 ? distance_one_block(text) : distance_many_blocks(text);
    }

    static constexpr int kLanes = 4;

    // LD(pattern, text) for up to four texts at once, exact up to `cutoff`; beyond, some number above it that is no
    // more than the distance. For patterns of one block.
    PAGEMETER_CLONES std::array<int, kLanes> distances_within(const std::array<Tokens, kLanes>& texts,
                                                              int cutoff) const {
        constexpr std::size_t kEvery = 4;  // tokens between two looks at the bound
        alignas(32) Word64 vp[kLanes];
        alignas(32) Word64 vn[kLanes];
        alignas(32) Word64 equal[kLanes];
        alignas(32) std::int64_t score[kLanes];
        std::size_t shared = texts[0].size();
        for (int l = 0; l < kLanes; ++l) {
            vp[l] = ~Word64{0};
            vn[l] = 0;
            score[l] = length_;
            shared = std::min(shared, texts[static_cast<std::size_t>(l)].size());
        }
        const int last = (length_ - 1) % kBits;
        for (std::size_t j = 0; j < shared; ++j) {
            for (int l = 0; l < kLanes; ++l) equal[l] = *masks(texts[static_cast<std::size_t>(l)][j]);
            for (int l = 0; l < kLanes; ++l) {
                const Word64 d0 = (((equal[l] & vp[l]) + vp[l]) ^ vp[l]) | equal[l] | vn[l];
                const Word64 hp = vn[l] | ~(d0 | vp[l]);
                const Word64 hn = d0 & vp[l];
                score[l] += static_cast<std::int64_t>((hp >> last) & 1) - static_cast<std::int64_t>((hn >> last) & 1);
                const Word64 up = (hp << 1) | 1;
                vp[l] = (hn << 1) | ~(d0 | up);
                vn[l] = up & d0;
            }
            if (j % kEvery != kEvery - 1) continue;
            bool hopeless = true;  // the last row falls by at most one a token
            for (int l = 0; l < kLanes; ++l) {
                hopeless &=
                    score[l] - static_cast<std::int64_t>(texts[static_cast<std::size_t>(l)].size() - j - 1) > cutoff;
            }
            if (hopeless) return {cutoff + 1, cutoff + 1, cutoff + 1, cutoff + 1};
        }
        std::array<int, kLanes> found{};
        for (int l = 0; l < kLanes; ++l) {
            Block block{vp[l], vn[l]};
            for (Token t : texts[static_cast<std::size_t>(l)].subspan(shared)) {
                Carry carry;
                const Horizontal h = advance(block, *masks(t), carry);
                score[l] +=
                    static_cast<std::int64_t>((h.hp >> last) & 1) - static_cast<std::int64_t>((h.hn >> last) & 1);
            }
            found[static_cast<std::size_t>(l)] = static_cast<int>(score[l]);
        }
        return found;
    }

  private:
    std::size_t offset(std::int32_t row) const {
        return static_cast<std::size_t>(row) * static_cast<std::size_t>(blocks_);
    }

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

    int distance_many_blocks(Tokens text) const {
        column_.assign(static_cast<std::size_t>(blocks_), Block{});
        int score = length_;
        const int last = (length_ - 1) % kBits;
        for (Token t : text) {
            const Word64* equal = masks(t);
            Carry carry;
            Horizontal h{};
            for (std::size_t k = 0; k < column_.size(); ++k) h = advance(column_[k], equal[k], carry);
            score += static_cast<int>((h.hp >> last) & 1) - static_cast<int>((h.hn >> last) & 1);
        }
        return score;
    }

    std::vector<std::int32_t> local_;
    std::vector<Token> seen_;
    std::vector<Word64> masks_;
    mutable std::vector<Block> column_;
    int length_ = 0;
    int blocks_ = 0;
};

// The canonical counts of one pair: among all alignments with the minimum distance one with the fewest correct
// tokens. Lengths, distance and COR then fix SUB.
struct PairCounts {
    int distance = 0;
    int cor = 0;
    int sub = 0;
};

// Minimises LD * 2^32 + COR over the cells that an alignment of cost `distance` can pass (Ukkonen's band). The
// distance given may be too large, but not too small.
inline PairCounts canonical_counts(Tokens a, Tokens b, int distance) {
    const int n = static_cast<int>(a.size());
    const int m = static_cast<int>(b.size());
    if (distance == 0) return {0, n, 0};
    constexpr std::int64_t kEdit = std::int64_t{1} << 32;
    constexpr std::int64_t kFar = std::numeric_limits<std::int64_t>::max() / 4;
    // |i-j| + |(n-i)-(m-j)| <= distance, with d = j - i and s = m - n: |d| + |s-d| <= distance.
    const int slack = (distance - std::abs(m - n)) / 2;
    const int lo = std::min(0, m - n) - slack;
    const int hi = std::max(0, m - n) + slack;
    std::vector<std::int64_t> row(static_cast<std::size_t>(hi - lo + 3), kFar);  // row[d - lo + 1]
    const auto at = [&](int d) -> std::int64_t& { return row[static_cast<std::size_t>(d - lo + 1)]; };
    for (int d = 0; d <= hi; ++d) at(d) = d * kEdit;
    for (int i = 1; i <= n; ++i) {
        const int from = std::max(lo, -i);
        const int to = std::min(hi, m - i);
        const Token token = a[static_cast<std::size_t>(i - 1)];
        for (int d = from; d <= to; ++d) {  // row[d] still holds (i-1, j-1), row[d+1] holds (i-1, j)
            const int j = i + d;
            std::int64_t best = at(d + 1) + kEdit;
            if (j > 0) {
                best = std::min(best, at(d) + (token == b[static_cast<std::size_t>(j - 1)] ? 1 : kEdit));
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
