// A bound on the distance of two lines from how often they have each token, in a few buckets.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <numeric>
#include <vector>

#include "sequence.hpp"
#include "simd.hpp"

namespace pagemeter {

class Histograms {
  public:
    // Words are many and lines of them short: with few buckets hardly two lines would seem to have nothing in common.
    static int buckets_for(const Slices& lines) {
        return lines.total() > std::int64_t{kLong} * lines.size() ? kChunk : kMostBuckets;
    }

    Histograms(const Slices& lines, int buckets) : Histograms(Chosen{lines, all(lines.size())}, buckets) {}
    Histograms(const Chosen& lines, int buckets)
        : buckets_(static_cast<std::size_t>(buckets)),
          counts_(lines.which.size() * buckets_, 0),
          sums_(lines.which.size(), 0) {
        for (int i = 0; i < lines.size(); ++i) count(lines[i], static_cast<std::size_t>(i));
    }

    // Lower bounds of the distances from line `from` of another set to the lines first..last-1: tokens that only one
    // of two lines has are inserted, deleted or substituted, and a substitution serves one on each side. Counts that
    // stop at 255, and tokens that share a bucket, only lower the bound. Lines without a common bucket are as far apart
    // as the longer one is long, and the bound says so.
    PAGEMETER_CLONES void bounds(const Histograms& other, int from, int first, int last, std::vector<int>& out) const {
        out.resize(static_cast<std::size_t>(last - first));
        const std::uint8_t* b = &other.counts_[static_cast<std::size_t>(from) * buckets_];
        for (int i = first; i < last; ++i) {
            const std::uint8_t* a = &counts_[static_cast<std::size_t>(i) * buckets_];
            int difference = std::abs(sums_[static_cast<std::size_t>(i)] - other.sums_[static_cast<std::size_t>(from)]);
            for (std::size_t chunk = 0; chunk < buckets_; chunk += kChunk) {
                for (std::size_t k = chunk; k < chunk + kChunk; ++k) difference += std::abs(a[k] - b[k]);
            }
            out[static_cast<std::size_t>(i - first)] = difference / 2;
        }
    }

  private:
    static constexpr int kChunk = 32;  // a vector of bytes
    static constexpr int kMostBuckets = 128;
    static constexpr int kLong = 20;

    static std::vector<int> all(int lines) {
        std::vector<int> numbers(static_cast<std::size_t>(lines));
        std::iota(numbers.begin(), numbers.end(), 0);
        return numbers;
    }

    void count(Tokens line, std::size_t i) {
        for (Token t : line) {
            std::uint8_t& count = counts_[i * buckets_ + static_cast<std::size_t>(t) % buckets_];
            if (count == 255) continue;
            ++count;
            ++sums_[i];
        }
    }

    std::size_t buckets_;
    std::vector<std::uint8_t> counts_;  // a row of buckets for each line
    std::vector<std::int32_t> sums_;
};

}  // namespace pagemeter
