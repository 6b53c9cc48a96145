// Limits of a pair of pages. They give every key of a solver a proven range and bound the memory of a solver.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>

namespace pagemeter {

// Tokens of both pages together. Every edit uses at least one token, so LD <= kMostTokens; a correct or substituted
// token is a token of both pages, so COR <= kMostPairs and SUB <= kMostPairs.
inline constexpr std::int64_t kMostTokens = (std::int64_t{1} << 21) - 1;
inline constexpr std::int64_t kMostPairs = kMostTokens / 2;

// Bytes of one table whose size grows with the product of the lengths of both pages.
inline constexpr std::int64_t kMostBytes = std::int64_t{1} << 29;

// The pages are too large for this measure. Python sees it as an OverflowError.
struct PageTooLarge : std::overflow_error {
    using std::overflow_error::overflow_error;
};

inline void check_memory(std::int64_t bytes) {
    if (bytes <= kMostBytes) return;
    throw PageTooLarge("the comparison of the two pages needs more than " + std::to_string(kMostBytes >> 20) +
                       " MB of memory, the limit for one table");
}

}  // namespace pagemeter
