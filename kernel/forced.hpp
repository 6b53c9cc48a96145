// What the rest of two pages costs at least, whatever is done with it.
//
// Let g and h tokens of GT and HYP be left. Tokens that the other page has nowhere are inserted, deleted or
// substituted. If h > g, at least h - g HYP tokens have no GT token beside them, and they cost one each on top of what
// the foreign GT tokens cost; and the other way round.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "sequence.hpp"

namespace pagemeter {

// Whether a page has a token, for each of the alphabet.
inline std::vector<char> tokens_of(std::span<const Token> tokens, int alphabet) {
    std::vector<char> has(static_cast<std::size_t>(alphabet), 0);
    for (Token t : tokens) has[static_cast<std::size_t>(t)] = 1;
    return has;
}

// How many tokens, and how many foreign ones, stand before each slice of a page.
class Tally {
  public:
    // `counted(token)` says whether a token counts at all.
    template <class Counted>
    Tally(const Slices& page, const std::vector<char>& other_has, const Counted& counted) : all_{0}, foreign_{0} {
        for (int i = 0; i < page.size(); ++i) {
            std::int64_t all = all_.back(), foreign = foreign_.back();
            for (Token t : page[i]) {
                if (!counted(t)) continue;
                ++all;
                foreign += !other_has[static_cast<std::size_t>(t)];
            }
            all_.push_back(all);
            foreign_.push_back(foreign);
        }
    }

    std::int64_t before(int i) const { return all_[static_cast<std::size_t>(i)]; }
    std::int64_t total() const { return all_.back(); }
    std::int64_t after(int i) const { return all_.back() - before(i); }
    std::int64_t foreign_after(int i) const { return foreign_.back() - foreign_[static_cast<std::size_t>(i)]; }

  private:
    std::vector<std::int64_t> all_;
    std::vector<std::int64_t> foreign_;
};

inline std::int64_t forced_rest(const Tally& gt, int x, const Tally& hyp, int y) {
    const std::int64_t more = hyp.after(y) - gt.after(x);
    return std::max(gt.foreign_after(x) + std::max<std::int64_t>(more, 0),
                    hyp.foreign_after(y) + std::max<std::int64_t>(-more, 0));
}

}  // namespace pagemeter
