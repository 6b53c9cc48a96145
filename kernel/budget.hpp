// Ukkonen's idea for searches whose cost is not known: a budget limits the cells that are computed, a lower bound on
// the remaining cost says which cells fit into it, and the budget grows until the end of the page fits.
#pragma once

#include <algorithm>
#include <cstdint>

#include "sequence.hpp"

namespace pagemeter {

// A lower bound on the cost of the remaining text.
//
// Let g and h tokens of GT and HYP remain. A token is foreign if the other page does not contain it; it is inserted,
// deleted or substituted. If h > g, at least h - g HYP tokens are not aligned with a GT token. They cost 1 each, in
// addition to the foreign GT tokens. The same holds with GT and HYP exchanged.

// For each token of the alphabet, whether the page contains it.
inline Vector<char> tokens_of(View<const Token> tokens, int alphabet) {
    Vector<char> has(alphabet, 0);
    for (Token t : tokens) has[t] = 1;
    return has;
}

// The number of tokens, and of foreign tokens, before each slice of a page.
class TokenCounts {
  public:
    // `counted(token)` returns whether a token counts at all.
    template <class Counted>
    TokenCounts(const Slices& page, const Vector<char>& other_has, const Counted& counted)
        : all_(page.size() + 1), foreign_(page.size() + 1) {
        std::int64_t all = 0, foreign = 0;
        for (int i = 0; i < page.size(); ++i) {
            for (Token t : page[i]) {
                const bool counts = counted(t);
                all += counts;
                foreign += counts && !other_has[t];
            }
            all_[i + 1] = all;
            foreign_[i + 1] = foreign;
        }
    }

    std::int64_t before(int i) const { return all_[i]; }
    std::int64_t total() const { return all_.back(); }
    std::int64_t after(int i) const { return all_.back() - before(i); }
    std::int64_t foreign_after(int i) const { return foreign_.back() - foreign_[i]; }

  private:
    Vector<std::int64_t> all_;
    Vector<std::int64_t> foreign_;
};

inline std::int64_t least_remaining_cost(const TokenCounts& gt, int x, const TokenCounts& hyp, int y) {
    const std::int64_t more = hyp.after(y) - gt.after(x);
    return std::max(gt.foreign_after(x) + std::max<std::int64_t>(more, 0),
                    hyp.foreign_after(y) + std::max<std::int64_t>(-more, 0));
}

class Budget {
  public:
    Budget(std::int64_t least, std::int64_t all)
        : least_(least), most_(all - least), more_(std::min(most_, std::min(all / 256, kFirst) + 16)) {}

    std::int64_t value() const { return least_ + more_; }

    // The budget was too small: the search ended after `reached` of `whole` steps. If errors are spread evenly, it
    // needs whole/reached times as much. The margin avoids a third attempt; growing at least twofold limits the number
    // of attempts.
    void spent(int reached, int whole) {
        const double estimate = 1.15 * static_cast<double>(more_) * whole / std::max(1, reached);
        const std::int64_t capped = std::min(most_, static_cast<std::int64_t>(std::min(estimate, 1e15)));
        more_ = std::min(most_, std::clamp(capped, 2 * more_, 16 * more_));
    }

  private:
    static constexpr std::int64_t kFirst = 240;  // limits the memory of the first attempt on very large pages

    std::int64_t least_;
    std::int64_t most_;  // the largest addition that can be needed
    std::int64_t more_;
};

}  // namespace pagemeter
