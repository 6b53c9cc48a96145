// A bound on the distance of two lines from how often they have each token, by the way of 32 buckets.
#pragma once

#include <array>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "sequence.hpp"
#include "simd.hpp"

namespace pagemeter {

class Histograms {
  public:
    static constexpr int kBuckets = 32;
    using Histogram = std::array<std::uint8_t, kBuckets>;

    Histograms(const Slices& lines, const std::vector<int>& chosen) {
        counts_.reserve(chosen.size());
        for (int line : chosen) {
            Histogram& h = counts_.emplace_back();
            h.fill(0);
            for (Token t : lines[line]) {
                std::uint8_t& count = h[static_cast<std::size_t>(t) % kBuckets];
                count = static_cast<std::uint8_t>(count + (count < 255));
            }
        }
    }

    const Histogram& operator[](std::size_t i) const { return counts_[i]; }

    // A lower bound of the distance to every line: one edit changes at most two counts by one. Counts that stop at
    // 255, and tokens that share a bucket, only lower it.
    PAGEMETER_CLONES void bounds(const Histogram& to, std::vector<int>& out) const {
        out.resize(counts_.size());
        for (std::size_t i = 0; i < counts_.size(); ++i) {
            const Histogram& h = counts_[i];
            int difference = 0;
            for (std::size_t k = 0; k < kBuckets; ++k) difference += std::abs(h[k] - to[k]);
            out[i] = (difference + 1) / 2;
        }
    }

  private:
    std::vector<Histogram> counts_;
};

}  // namespace pagemeter
