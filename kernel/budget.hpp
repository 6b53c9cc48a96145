// The budget of a search whose cost is not known: little more than what is known to be needed at first, then what the
// way so far foretells.
#pragma once

#include <algorithm>
#include <cstdint>

namespace pagemeter {

class Budget {
  public:
    Budget(std::int64_t least, std::int64_t all)
        : least_(least), most_(all - least), more_(std::min(most_, all / 256 + 16)) {}

    std::int64_t value() const { return least_ + more_; }

    // The budget was spent after `reached` of `whole` steps. Errors spread evenly ask for whole/reached times as
    // much; a margin spares a third try, and doubling at least bounds the number of tries.
    void spent(int reached, int whole) {
        const double foretold = 1.15 * static_cast<double>(more_) * whole / std::max(1, reached);
        const std::int64_t capped = std::min(most_, static_cast<std::int64_t>(std::min(foretold, 1e15)));
        more_ = std::min(most_, std::clamp(capped, 2 * more_, 16 * more_));
    }

  private:
    std::int64_t least_;
    std::int64_t most_;  // that can be needed beyond it
    std::int64_t more_;
};

}  // namespace pagemeter
