// Hyyrö's step for eight tokens in one pass over a column: each token is a block behind the one before it, so that no
// step needs what another one makes at the same time. Four fill a vector, and two vectors hide how long a step takes.
#pragma once

#include <array>
#include <cstddef>
#include <span>

#include "levenshtein.hpp"
#include "simd.hpp"

namespace pagemeter {

class Wavefront {
  public:
    static constexpr std::size_t kTokens = 8;
    using Masks = std::array<const Word64*, kTokens>;  // where the column has each token

#if !defined(PAGEMETER_LANES)
    static void advance_all(std::span<Block> column, const Masks& equal) {
        for (const Word64* masks : equal) {
            Carry carry;
            for (std::size_t k = 0; k < column.size(); ++k) advance(column[k], masks[k], carry);
        }
    }
#else
    // Advances a column of at least eight blocks. Inlined, to be compiled for the machine that its caller is for.
    [[gnu::always_inline]] static void advance_all(std::span<Block> column, const Masks& equal) {
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

    // Tokens first..first+3. At step k lane i does block k - first - i, which is where lane i-1 was a step before.
    class Half {
      public:
        [[gnu::always_inline]] Half(Block* column, const Masks& equal, const Carries& carries, std::size_t first)
            : first_(first), column_(column), equal_(&equal[first]) {
            const Block* begun = column + (kTokens - kLanes - first);
            const Carry* carry = &carries[first];
            vp_ = Lanes{begun[2].vp, begun[1].vp, begun[0].vp, begun[0].vp};
            vn_ = Lanes{begun[2].vn, begun[1].vn, begun[0].vn, begun[0].vn};
            hp_ = Lanes{carry[0].hp, carry[1].hp, carry[2].hp, carry[3].hp};
            hn_ = Lanes{carry[0].hn, carry[1].hn, carry[2].hn, carry[3].hn};
        }

        // As `advance` in levenshtein.hpp.
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
        std::size_t first_;
        std::size_t last_ = 0;  // the block that lane 0 did last
        Block* column_;
        const Word64* const* equal_;
        Lanes vp_{}, vn_{}, hp_{}, hn_{};
    };
#endif
};

}  // namespace pagemeter
