// The sequences of a fixed number of letters of a text, by polynomial hashes of 64 bits.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "indexing.hpp"

namespace pagemeter {

using Letters = View<const std::uint32_t>;

constexpr std::uint64_t kHashBase = 0x9E3779B97F4A7C15u;

// Calls visit(position, hash) for each sequence of this length; each hash follows from the one before.
template <class Visit>
void visit_sequences(Letters text, std::size_t length, Visit visit) {
    if (length == 0 || text.size() < length) return;
    std::uint64_t hash = 0, weight = 1;  // of the first letter
    for (std::size_t i = 0; i < length; ++i) hash = hash * kHashBase + text[i];
    for (std::size_t i = 1; i < length; ++i) weight *= kHashBase;
    visit(std::size_t{0}, hash);
    for (std::size_t i = length; i < text.size(); ++i) {
        hash = (hash - text[i - length] * weight) * kHashBase + text[i];
        visit(i + 1 - length, hash);
    }
}

// Counts hashes in a table with open addressing.
class HashCounts {
  public:
    explicit HashCounts(std::size_t most) {
        std::size_t size = 16;
        for (; 3 * size < 4 * most; size *= 2) --shift_;
        hashes_.resize(size), counts_.resize(size);
    }

    // The number of times that a hash was counted. The caller may increase it.
    std::uint32_t& operator[](std::uint64_t hash) {
        auto slot = static_cast<std::size_t>((hash * kHashBase) >> shift_);
        while (counts_[slot] > 0 && hashes_[slot] != hash) slot = (slot + 1) & (counts_.size() - 1);
        hashes_[slot] = hash;
        return counts_[slot];
    }

  private:
    int shift_ = 60;  // the first bits of a product are the best mixed ones
    Vector<std::uint64_t> hashes_;
    Vector<std::uint32_t> counts_;
};

// The number of different sequences of a text, and how many of them another text has.
struct SharedSequences {
    std::size_t different = 0;
    std::size_t shared = 0;
};

inline SharedSequences shared_sequences(Letters text, Letters other, std::size_t length) {
    SharedSequences result;
    HashCounts counts(text.size());
    visit_sequences(text, length, [&](std::size_t, std::uint64_t hash) {
        std::uint32_t& count = counts[hash];
        if (count == 0) ++count, ++result.different;
    });
    visit_sequences(other, length, [&](std::size_t, std::uint64_t hash) {
        std::uint32_t& count = counts[hash];
        if (count == 1) ++count, ++result.shared;
    });
    return result;
}

// The number of sequences that occurred before in the text.
inline std::size_t repeated_sequences(Letters text, std::size_t length) {
    std::size_t repeated = 0;
    HashCounts counts(text.size());
    visit_sequences(text, length, [&](std::size_t, std::uint64_t hash) { repeated += counts[hash]++ > 0; });
    return repeated;
}

// The number of letters in sequences that occur at least `times` times.
inline std::size_t letters_in_repeated(Letters text, std::size_t length, std::uint32_t times) {
    HashCounts counts(text.size());
    std::uint32_t most = 0;
    visit_sequences(text, length, [&](std::size_t, std::uint64_t hash) { most = std::max(most, ++counts[hash]); });
    if (most < times) return 0;
    std::size_t letters = 0, end = 0;  // up to the end of the last such sequence
    visit_sequences(text, length, [&](std::size_t begin, std::uint64_t hash) {
        if (counts[hash] < times) return;
        letters += begin + length - std::max(begin, end);
        end = begin + length;
    });
    return letters;
}

}  // namespace pagemeter
