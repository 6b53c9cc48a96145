// Bit-parallel rows over a whole page: the positions of each token, and Hyyrö's step for eight tokens in one pass.
//
// In a pass, each token works one block behind the previous token, so the eight steps at one time are independent. Four
// of them fill a vector register; a second register hides the latency of a step.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>

#include "levenshtein.hpp"
#include "simd.hpp"

namespace pagemeter {

// For each token, the positions where a page has it, as bit masks for a part of the page.
//
// There are few different characters, so all their masks are stored. There are many different words, each is rare, and
// their masks would be mostly zero, so a mask is built on request from the list of positions.

class PageIndex {
  public:
    PageIndex(Tokens page, int alphabet)
        : dense_(alphabet), starts_(alphabet + 2, 0), positions_(page.size()) {
        for (Token t : page) ++starts_[t + 2];
        std::size_t kinds = 0;
        for (std::size_t t = 2; t < starts_.size(); ++t) {
            kinds += starts_[t] > 0;
            starts_[t] += starts_[t - 1];
        }
        for (std::size_t i = 0; i < page.size(); ++i) {
            positions_[starts_[page[i] + 1]++] = static_cast<std::int32_t>(i);
        }
        is_dense_ = kinds <= kFewKinds;
        if (is_dense_) dense_.assign_masks(page); else masks_.fill(Vector<Word64>(blocks_for(page.count()), 0));
    }

    static constexpr std::size_t kSlots = 8;  // masks that can be in use at the same time

    // The masks of `count` blocks from block `first` on. Valid until the next call for the same slot.
    const Word64* masks(Token t, int first, std::size_t count, std::size_t slot) {
        if (is_dense_) return dense_.masks(t) + first;
        Vector<Word64>& masks = masks_[slot];
        View<const std::int32_t>& last = last_[slot];
        for (std::int32_t p : last) masks[p / kBits] = 0;
        const auto begin = positions_.begin() + static_cast<std::ptrdiff_t>(starts_[t]);
        const auto end = positions_.begin() + static_cast<std::ptrdiff_t>(starts_[t + 1]);
        const auto from = std::lower_bound(begin, end, first * kBits);
        const auto to = std::lower_bound(from, end, (first + static_cast<int>(count)) * kBits);
        last = View<const std::int32_t>(from, to);
        for (std::int32_t p : last) masks[p / kBits] |= Word64{1} << (p % kBits);
        return masks.data() + first;
    }

  private:
    static constexpr std::size_t kFewKinds = 256;  // with more, most blocks lack most tokens

    PatternIndex dense_;
    Vector<std::size_t> starts_;  // of the positions of each token
    Vector<std::int32_t> positions_;
    std::array<Vector<Word64>, kSlots> masks_;  // of the last token in each slot
    std::array<View<const std::int32_t>, kSlots> last_;  // its positions in the masks
    bool is_dense_;
};

class Wavefront {
  public:
    static constexpr std::size_t kTokens = 8;
    using Masks = std::array<const Word64*, kTokens>;  // positions of each token in the column

#if !defined(PAGEMETER_LANES)
    static void advance_all(View<Block> column, const Masks& equal) {
        for (const Word64* masks : equal) {
            Carry carry;
            for (std::size_t k = 0; k < column.size(); ++k) advance(column[k], masks[k], carry);
        }
    }
#else
    // Advances a column of at least eight blocks. Always inlined, so that it is compiled for the same machine as its
    // caller.
    [[gnu::always_inline]] static void advance_all(View<Block> column, const Masks& equal) {
        Carries carry;
        const std::size_t size = column.size();
        for (std::size_t i = 0; i < kTokens; ++i) {
            for (std::size_t k = 0; k + 1 < kTokens - i; ++k) advance(column[k], equal[i][k], carry[i]);
        }
        Half ahead(column.data(), equal, carry, 0), behind(column.data(), equal, carry, kLanes);
        for (std::size_t k = kTokens - 1; k < size; ++k) {
            ahead.step(k);
            behind.step(k);
        }
        ahead.leave(carry);
        behind.leave(carry);
        for (std::size_t i = 1; i < kTokens; ++i) {
            for (std::size_t k = size - i; k < size; ++k) advance(column[k], equal[i][k], carry[i]);
        }
    }

  private:
    static constexpr std::size_t kLanes = PAGEMETER_LANES;
    using Lanes = Word64 __attribute__((vector_size(8 * kLanes)));
    using Carries = std::array<Carry, kTokens>;

    // Tokens first..first+3. At step k, lane i processes block k - first - i, where lane i-1 was one step before.
    class Half {
      public:
        [[gnu::always_inline]] Half(Block* column, const Masks& equal, const Carries& carries, std::size_t first)
            : Half(column, &equal[first], first, column + (kTokens - kLanes - first), &carries[first]) {}

        // The same as `advance` in levenshtein.hpp.
        [[gnu::always_inline]] void step(std::size_t at) {
            const std::size_t k = at - first_;
            const auto [vp, vn] = column_[k];  // in all lanes: valgrind 3.19 lacks the move that clears the others
            vp_ = __builtin_shufflevector(vp_, Lanes{vp, vp, vp, vp}, 4, 0, 1, 2);
            vn_ = __builtin_shufflevector(vn_, Lanes{vn, vn, vn, vn}, 4, 0, 1, 2);
            const Lanes x = Lanes{equal_[0][k], equal_[1][k - 1], equal_[2][k - 2], equal_[3][k - 3]} | hn_;
            const Lanes d0 = (((x & vp_) + vp_) ^ vp_) | x | vn_;
            const Lanes hp_out = vn_ | ~(d0 | vp_), hn_out = d0 & vp_;
            const Lanes hp = (hp_out << 1) | hp_, hn = (hn_out << 1) | hn_;
            hp_ = hp_out >> (kBits - 1), hn_ = hn_out >> (kBits - 1);
            vp_ = hn | ~(d0 | hp), vn_ = hp & d0;
            column_[k - 3] = {vp_[3], vn_[3]};
            last_ = k;
        }

        [[gnu::always_inline]] void leave(Carries& carries) const {
            for (std::size_t i = 0; i < kLanes; ++i) {
                carries[first_ + i] = {hp_[i], hn_[i]};
                column_[last_ - i] = {vp_[i], vn_[i]};
            }
        }

      private:
        [[gnu::always_inline]] Half(Block* column, const Word64* const* equal, std::size_t first, const Block* begun,
                                    const Carry* carry)
            : first_(first),
              column_(column),
              equal_(equal),
              vp_{begun[2].vp, begun[1].vp, begun[0].vp, begun[0].vp},
              vn_{begun[2].vn, begun[1].vn, begun[0].vn, begun[0].vn},
              hp_{carry[0].hp, carry[1].hp, carry[2].hp, carry[3].hp},
              hn_{carry[0].hn, carry[1].hn, carry[2].hn, carry[3].hn} {}

        std::size_t first_;
        std::size_t last_ = 0;  // the last block of lane 0
        Block* column_;
        const Word64* const* equal_;
        Lanes vp_, vn_, hp_, hn_;
    };
#endif
};

}  // namespace pagemeter
