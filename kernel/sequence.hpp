// What every solver sees: tokens as dense integers, lines and words as slices of them, and who may match whom.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace pagemeter {

using Token = std::int32_t;
using Tokens = std::span<const Token>;

struct Bounds {
    std::int32_t begin;
    std::int32_t end;
    int length() const { return end - begin; }
};

// Lines (or words) as slices of one token sequence. Words of a page are joined: the slice from the begin of
// word a to the end of word b-1 is the run a..b with its joining spaces.
struct Slices {
    Tokens tokens;
    std::span<const Bounds> bounds;

    int size() const { return static_cast<int>(bounds.size()); }
    int length(int i) const { return bounds[static_cast<std::size_t>(i)].length(); }
    int begin(int i) const { return bounds[static_cast<std::size_t>(i)].begin; }
    int end(int i) const { return bounds[static_cast<std::size_t>(i)].end; }
    Tokens slice(int from, int to) const {
        return tokens.subspan(static_cast<std::size_t>(from), static_cast<std::size_t>(to - from));
    }
    Tokens operator[](int i) const { return slice(begin(i), end(i)); }
    Tokens run(int a, int b) const { return slice(begin(a), end(b - 1)); }
    std::int64_t total() const {
        std::int64_t sum = 0;
        for (const Bounds& b : bounds) sum += b.length();
        return sum;
    }
};

// Some of the lines of a page.
struct Chosen {
    Slices lines;
    std::vector<int> which;

    int size() const { return static_cast<int>(which.size()); }
    int line(int i) const { return which[static_cast<std::size_t>(i)]; }
    int length(int i) const { return lines.length(line(i)); }
    Tokens operator[](int i) const { return lines[line(i)]; }
};

// The words of a HYP page and the line each came from.
struct Words : Slices {
    std::span<const std::int32_t> line;
};

// N(x): rows are GT lines, columns HYP lines. Without data every pair may match.
struct Neighbours {
    const std::uint8_t* data = nullptr;
    std::size_t columns = 0;

    bool restricted() const { return data != nullptr; }
    const std::uint8_t* row(int x) const { return data + static_cast<std::size_t>(x) * columns; }
    bool operator()(int x, int y) const {
        return !data || row(x)[y] != 0;
    }
};

}  // namespace pagemeter
