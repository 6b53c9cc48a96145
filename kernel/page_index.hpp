// For each token the positions where a whole page has it, as bit masks for a stretch of the page.
//
// Characters are few: all masks are made at once. Words are many and rare: their masks would fill the memory with
// zeros, so each is made when it is asked for, from the list of its positions.
#pragma once

#include <algorithm>
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
        if (is_dense_) dense_.assign(page); else masks_.assign(blocks, 0);
    }

    // The masks of blocks first.. of the page, `count` of them, until it is asked for others.
    const Word64* masks(Token t, int first, std::size_t count) {
        if (is_dense_) return dense_.masks(t) + first;
        for (std::int32_t p : last_) masks_[static_cast<std::size_t>(p / kBits)] = 0;
        const auto begin = positions_.begin() + static_cast<std::ptrdiff_t>(starts_[static_cast<std::size_t>(t)]);
        const auto end = positions_.begin() + static_cast<std::ptrdiff_t>(starts_[static_cast<std::size_t>(t) + 1]);
        const auto from = std::lower_bound(begin, end, first * kBits);
        const auto to = std::lower_bound(from, end, (first + static_cast<int>(count)) * kBits);
        last_ = std::span<const std::int32_t>(from, to);
        for (std::int32_t p : last_) masks_[static_cast<std::size_t>(p / kBits)] |= Word64{1} << (p % kBits);
        return masks_.data() + first;
    }

  private:
    static constexpr std::size_t kFewKinds = 256;  // above, hardly a block has a given one

    PatternIndex dense_;
    std::vector<std::size_t> starts_;  // of the positions of each token
    std::vector<std::int32_t> positions_;
    std::vector<Word64> masks_;           // of the token asked for last
    std::span<const std::int32_t> last_;  // where they are not zero
    bool is_dense_;
};

}  // namespace pagemeter
