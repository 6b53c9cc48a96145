// The budget of a search whose cost is not known: small at first, then what the way so far foretells.
#pragma once

#include <algorithm>
#include <cstdint>

namespace pagemeter {

class Budget {
  public:
    Budget(std::int64_t least, std::int64_t all) : all_(all), value_(std::min(all, least + all / 256 + 16)) {}

    std::int64_t value() const { return value_; }

    // The budget was spent after `reached` of `whole` steps. Errors spread evenly ask for whole/reached times as
    // much; a margin spares a third try, and doubling at least bounds the number of tries.
    void spent(int reached, int whole) {
        const double foretold = 1.15 * static_cast<double>(value_) * whole / std::max(1, reached);
        const std::int64_t capped = std::min(all_, static_cast<std::int64_t>(std::min(foretold, 1e15)));
        value_ = std::min(all_, std::clamp(capped, 2 * value_, 16 * value_));
    }

  private:
    std::int64_t all_;
    std::int64_t value_;
};

}  // namespace pagemeter
