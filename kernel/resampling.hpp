// Sums over pages drawn at random. They are sums of integers, exact in doubles below 2⁵³, so no order of adding and no
// size of a portion changes them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "random.hpp"
#include "simd.hpp"

namespace pagemeter {

// Pages that are drawn among each other. Four pages stand side by side, and the columns in slabs of eight or four, as
// many as have a sum in a register.
class DrawnPages {
  public:
    static constexpr std::size_t kLanes = 4;

    // `rows` are the pages, `columns` a multiple of four.
    DrawnPages(std::span<const double> rows, std::size_t columns)
        : pages_(rows.size() / columns), quads_((pages_ + kLanes - 1) / kLanes), columns_(columns),
          packed_(quads_ * kLanes * columns) {
        std::size_t slab = 0;
        for (std::size_t first = 0; first < columns_; first += width(first)) {
            for (std::size_t page = 0; page < pages_; ++page) {
                double* quad = &packed_[slab + page / kLanes * width(first) * kLanes + page % kLanes];
                for (std::size_t k = 0; k < width(first); ++k) quad[k * kLanes] = rows[page * columns_ + first + k];
            }
            slab += quads_ * kLanes * width(first);
        }
    }

    // Adds to every row of `sums` the columns of as many pages as there are, drawn with replacement.
    void add_drawn(Random& random, std::span<double> sums) {
        const std::size_t at_once = kRows * columns_;
        for (std::size_t from = 0; from < sums.size(); from += at_once) {
            const std::span<double> some = sums.subspan(from, std::min(at_once, sums.size() - from));
            times_.assign(some.size() / columns_ * quads_ * kLanes, 0);
            for (std::size_t at = 0; at < times_.size(); at += quads_ * kLanes) random = draw(random, &times_[at]);
            add_products(some);
        }
    }

  private:
    static constexpr std::size_t kRows = 4;    // resamples that take their turns with the same pages
    static constexpr std::size_t kTile = 128;  // quads of pages that stay in the cache

    std::size_t width(std::size_t first) const { return columns_ - first >= 8 ? 8 : 4; }

    // Counts how often each page is drawn; the generator goes by value, so that its state stays in registers.
    Random draw(Random random, std::int32_t* times) const {
        const auto bound = static_cast<std::uint32_t>(pages_);
        for (std::size_t drawn = 0; drawn < pages_; drawn += 2) {
            const std::uint64_t bits = random();
            ++times[random.below(bound, static_cast<std::uint32_t>(bits))];
            if (drawn + 1 < pages_) ++times[random.below(bound, static_cast<std::uint32_t>(bits >> 32))];
        }
        return random;
    }

    void add_products(std::span<double> sums) const {
        const double* slab = packed_.data();
        for (std::size_t first = 0; first < columns_; first += width(first)) {
            const std::size_t stride = width(first) * kLanes;
            for (std::size_t from = 0; from < quads_; from += kTile) {
                const std::size_t quads = std::min(kTile, quads_ - from);
                for (std::size_t row = 0; row * columns_ < sums.size(); ++row) {
                    const std::int32_t* times = &times_[(row * quads_ + from) * kLanes];
                    (width(first) == 8 ? add_eight : add_four)(times, slab + from * stride, quads,
                                                               &sums[row * columns_ + first]);
                }
            }
            slab += quads_ * stride;
        }
    }

    PAGEMETER_CLONES static void add_eight(const std::int32_t* times, const double* slab, std::size_t quads,
                                           double* sums) {
        add<8>(times, slab, quads, sums);
    }
    PAGEMETER_CLONES static void add_four(const std::int32_t* times, const double* slab, std::size_t quads,
                                          double* sums) {
        add<4>(times, slab, quads, sums);
    }

    template <std::size_t kWidth>
    [[gnu::always_inline]] static void add(const std::int32_t* times, const double* slab, std::size_t quads,
                                           double* sums) {
        typedef double Quad __attribute__((vector_size(kLanes * sizeof(double))));
        Quad found[kWidth] = {};
        for (std::size_t quad = 0; quad < quads; ++quad, times += kLanes) {
            Quad factor;
            for (std::size_t lane = 0; lane < kLanes; ++lane) factor[lane] = times[lane];
            for (std::size_t k = 0; k < kWidth; ++k, slab += kLanes) {
                Quad values;
                std::memcpy(&values, slab, sizeof values);
                found[k] += factor * values;
            }
        }
        for (std::size_t k = 0; k < kWidth; ++k) sums[k] += found[k][0] + found[k][1] + found[k][2] + found[k][3];
    }

    std::size_t pages_, quads_, columns_;
    std::vector<double> packed_;
    std::vector<std::int32_t> times_;
};

// The sums of columns over pages drawn with replacement, each group of pages as many as it has: a row a resample.
inline std::vector<double> resampled_sums(std::span<const double> rows, std::size_t columns,
                                          std::span<const std::int64_t> sizes, std::size_t resamples, Random random) {
    std::vector<double> sums(resamples * columns);
    std::size_t from = 0;
    for (std::int64_t pages : sizes) {
        const std::size_t length = static_cast<std::size_t>(pages) * columns;
        DrawnPages(rows.subspan(from, length), columns).add_drawn(random, sums);
        from += length;
    }
    return sums;
}

// The sums of all subsets of up to 64 numbers, each found by its bits, a byte at a time.
class SubsetSums {
  public:
    static constexpr std::size_t kMost = 64;

    explicit SubsetSums(std::span<const std::int64_t> numbers) {
        for (std::size_t k = 0; k < kMost; ++k) {
            const std::size_t bit = std::size_t{1} << k % 8;
            std::int64_t* sums = sums_[k / 8].data();
            const std::int64_t number = k < numbers.size() ? numbers[k] : 0;
            for (std::size_t low = 0; low < bit; ++low) sums[bit + low] = sums[low] + number;
        }
    }

    std::int64_t operator()(std::uint64_t bits) const {
        std::int64_t sum = 0;
        for (std::size_t byte = 0; byte < sums_.size(); ++byte) sum += sums_[byte][bits >> 8 * byte & 0xFF];
        return sum;
    }

  private:
    std::array<std::array<std::int64_t, 256>, kMost / 8> sums_{};
};

// The sums of random subsets of numbers, each number in or out with equal chance; 64 numbers are drawn for all subsets
// before the next.
inline std::vector<std::int64_t> subset_sums(std::span<const std::int64_t> numbers, std::size_t subsets,
                                             Random random) {
    std::vector<std::int64_t> sums(subsets);
    for (std::size_t from = 0; from < numbers.size(); from += SubsetSums::kMost) {
        const SubsetSums some(numbers.subspan(from, std::min(SubsetSums::kMost, numbers.size() - from)));
        for (std::int64_t& sum : sums) sum += some(random());
    }
    return sums;
}

}  // namespace pagemeter
