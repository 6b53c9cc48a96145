// A lower bound on the distance of two lines by their token counts, in a few buckets.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <numeric>

#include "sequence.hpp"
#include "simd.hpp"

namespace pagemeter {

class Histograms {
  public:
    // Pages have many different words, and lines have few. With few buckets, almost any two lines of words would share
    // one.
    static int buckets_for(const Slices& lines) {
        return lines.total() > std::int64_t{kLong} * lines.size() ? kChunk : kMostBuckets;
    }

    Histograms(const Slices& lines, int buckets) : Histograms(LineSubset{lines, all(lines.size())}, buckets) {}
    Histograms(const LineSubset& lines, int buckets)
        : buckets_(buckets),
          counts_(std::int64_t{lines.size()} * buckets, 0),
          sums_(lines.which.size(), 0) {
        for (int i = 0; i < lines.size(); ++i) count(lines[i], i);
    }

    // Lower bounds of the distances from line `from` of another set to the lines first..last-1. A token that only one
    // of the two lines has is inserted, deleted or substituted, and one substitution accounts for one token of each
    // line. Counts that saturate at 255 and tokens that share a bucket only lower the bound. If two lines have no
    // common bucket, the bound is the length of the longer line, which is exact.
    PAGEMETER_CLONES void bounds(const Histograms& other, int from, int first, int last, Vector<int>& out) const {
        out.resize(last - first);
        const std::uint8_t* b = &other.counts_[std::int64_t{from} * buckets_];
        for (int i = first; i < last; ++i) {
            const std::uint8_t* a = &counts_[std::int64_t{i} * buckets_];
            int difference = std::abs(sums_[i] - other.sums_[from]);
            for (int chunk = 0; chunk < buckets_; chunk += kChunk) {
                for (int k = chunk; k < chunk + kChunk; ++k) difference += std::abs(a[k] - b[k]);
            }
            out[i - first] = difference / 2;
        }
    }

  private:
    static constexpr int kChunk = 32;  // bytes of a vector register
    static constexpr int kMostBuckets = 128;
    static constexpr int kLong = 20;

    static Vector<int> all(int lines) {
        Vector<int> numbers(lines);
        std::iota(numbers.begin(), numbers.end(), 0);
        return numbers;
    }

    void count(Tokens line, int i) {
        for (Token t : line) {
            std::uint8_t& count = counts_[std::int64_t{i} * buckets_ + t % buckets_];
            if (count == 255) continue;
            ++count;
            ++sums_[i];
        }
    }

    int buckets_;
    Vector<std::uint8_t> counts_;  // one row of buckets per line
    Vector<std::int32_t> sums_;
};

}  // namespace pagemeter
