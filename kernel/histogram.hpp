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
    struct Histogram {
        std::array<std::uint8_t, kBuckets> count{};
        std::int32_t sum = 0;
    };

    explicit Histograms(const Slices& lines) {
        counts_.reserve(lines.bounds.size());
        for (int i = 0; i < lines.size(); ++i) counts_.push_back(histogram(lines[i]));
    }
    Histograms(const Slices& lines, const std::vector<int>& chosen) {
        counts_.reserve(chosen.size());
        for (int line : chosen) counts_.push_back(histogram(lines[line]));
    }

    const Histogram& operator[](int i) const { return counts_[static_cast<std::size_t>(i)]; }

    // Lower bounds of the distances to the lines first..last-1: tokens that only one of two lines has are inserted,
    // deleted or substituted, and a substitution serves one on each side. Counts that stop at 255, and tokens that
    // share a bucket, only lower the bound. Lines without a common token are as far apart as the longer one is long,
    // and the bound says so.
    PAGEMETER_CLONES void bounds(const Histogram& to, int first, int last, std::vector<int>& out) const {
        out.resize(static_cast<std::size_t>(last - first));
        for (int i = first; i < last; ++i) {
            const Histogram& h = counts_[static_cast<std::size_t>(i)];
            int difference = std::abs(h.sum - to.sum);
            for (std::size_t k = 0; k < kBuckets; ++k) difference += std::abs(h.count[k] - to.count[k]);
            out[static_cast<std::size_t>(i - first)] = difference / 2;
        }
    }

  private:
    static Histogram histogram(Tokens line) {
        Histogram h;
        for (Token t : line) {
            std::uint8_t& count = h.count[static_cast<std::size_t>(t) % kBuckets];
            if (count == 255) continue;
            ++count;
            ++h.sum;
        }
        return h;
    }

    std::vector<Histogram> counts_;
};

}  // namespace pagemeter
