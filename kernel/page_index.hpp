// For each token the positions where a whole page has it, as bit masks for a stretch of the page.
//
// Characters are few: all masks are made at once. Words are many and rare: their masks would fill the memory with
// zeros, so each is made when it is asked for, from the list of its positions.
#pragma once

#include <algorithm>
#include <array>
#include <vector>

#include "levenshtein.hpp"

namespace pagemeter {

class PageIndex {
  public:
    PageIndex(Tokens page, int alphabet)
        : dense_(alphabet), starts_(static_cast<std::size_t>(alphabet) + 2, 0), positions_(page.size()) {
        for (Token t : page) ++starts_[static_cast<std::size_t>(t) + 2];
        std::size_t kinds = 0;
        for (std::size_t t = 2; t < starts_.size(); ++t) {
            kinds += starts_[t] > 0;
            starts_[t] += starts_[t - 1];
        }
        for (std::size_t i = 0; i < page.size(); ++i) {
            positions_[starts_[static_cast<std::size_t>(page[i]) + 1]++] = static_cast<std::int32_t>(i);
        }
        const auto blocks = static_cast<std::size_t>(blocks_for(static_cast<int>(page.size())));
        is_dense_ = kinds <= kFewKinds;
        if (is_dense_) dense_.assign(page); else masks_.fill(std::vector<Word64>(blocks, 0));
    }

    static constexpr std::size_t kSlots = 8;  // tokens whose masks can be had at the same time

    // The masks of blocks first.. of the page, `count` of them, until others are asked for in the same slot.
    const Word64* masks(Token t, int first, std::size_t count, std::size_t slot) {
        if (is_dense_) return dense_.masks(t) + first;
        std::vector<Word64>& masks = masks_[slot];
        std::span<const std::int32_t>& last = last_[slot];
        for (std::int32_t p : last) masks[static_cast<std::size_t>(p / kBits)] = 0;
        const auto begin = positions_.begin() + static_cast<std::ptrdiff_t>(starts_[static_cast<std::size_t>(t)]);
        const auto end = positions_.begin() + static_cast<std::ptrdiff_t>(starts_[static_cast<std::size_t>(t) + 1]);
        const auto from = std::lower_bound(begin, end, first * kBits);
        const auto to = std::lower_bound(from, end, (first + static_cast<int>(count)) * kBits);
        last = std::span<const std::int32_t>(from, to);
        for (std::int32_t p : last) masks[static_cast<std::size_t>(p / kBits)] |= Word64{1} << (p % kBits);
        return masks.data() + first;
    }

  private:
    static constexpr std::size_t kFewKinds = 256;  // above, hardly a block has a given one

    PatternIndex dense_;
    std::vector<std::size_t> starts_;  // of the positions of each token
    std::vector<std::int32_t> positions_;
    std::array<std::vector<Word64>, kSlots> masks_;           // of the tokens asked for last
    std::array<std::span<const std::int32_t>, kSlots> last_;  // where they are not zero
    bool is_dense_;
};

}  // namespace pagemeter
