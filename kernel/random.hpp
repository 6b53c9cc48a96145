// Random numbers that are the same on every machine.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

namespace pagemeter {

// xoshiro256++ of Blackman and Vigna, ACM Transactions on Mathematical Software 47 (2021).
class Random {
  public:
    using State = std::array<std::uint64_t, 4>;  // not all zero

    explicit Random(const State& state) : s_(state) {}

    std::uint64_t operator()() {
        const std::uint64_t drawn = std::rotl(s_[0] + s_[3], 23) + s_[0];
        const std::uint64_t shifted = s_[1] << 17;
        s_[2] ^= s_[0];
        s_[3] ^= s_[1];
        s_[1] ^= s_[2];
        s_[0] ^= s_[3];
        s_[2] ^= shifted;
        s_[3] = std::rotl(s_[3], 45);
        return drawn;
    }

    // A number below `bound` from 32 random bits, after Lemire (2019): those that would make some numbers more probable
    // than others are replaced.
    std::uint32_t below(std::uint32_t bound, std::uint32_t bits) {
        std::uint64_t product = std::uint64_t{bits} * bound;
        if (static_cast<std::uint32_t>(product) < bound) [[unlikely]] {
            const std::uint32_t surplus = -bound % bound;  // 2³² modulo the bound
            while (static_cast<std::uint32_t>(product) < surplus) product = ((*this)() >> 32) * bound;
        }
        return static_cast<std::uint32_t>(product >> 32);
    }

  private:
    State s_;
};

}  // namespace pagemeter
