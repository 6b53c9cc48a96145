// The input of every solver: tokens as integers from 0, lines and words as slices of them, and the neighbours of each
// line.
#pragma once

#include <cstddef>
#include <cstdint>

#include "indexing.hpp"
#include "interruption.hpp"
#include "limits.hpp"

namespace pagemeter {

using Token = std::int32_t;
using Tokens = View<const Token>;

struct Bounds {
    std::int32_t begin;
    std::int32_t end;
    int length() const { return end - begin; }
};

// Lines (or words) as slices of one token sequence. The slice from the start of word a to the end of word b-1 is the
// run a..b, including the joining tokens between its words.
struct Slices {
    Tokens tokens;
    View<const Bounds> bounds;

    int size() const { return bounds.count(); }
    int length(int i) const { return bounds[i].length(); }
    int begin(int i) const { return bounds[i].begin; }
    int end(int i) const { return bounds[i].end; }
    Tokens slice(int from, int to) const {
        return tokens.subspan(from, to - from);
    }
    Tokens operator[](int i) const { return slice(begin(i), end(i)); }
    Tokens run(int a, int b) const { return slice(begin(a), end(b - 1)); }
    std::int64_t total() const {
        std::int64_t sum = 0;
        for (const Bounds& b : bounds) sum += b.length();
        return sum;
    }
};

// A subset of the lines of a page.
struct LineSubset {
    Slices lines;
    Vector<int> which;

    int size() const { return which.count(); }
    int line(int i) const { return which[i]; }
    int length(int i) const { return lines.length(line(i)); }
    Tokens operator[](int i) const { return lines[line(i)]; }
};

// The words of a HYP page and the line of each word.
struct Words : Slices {
    View<const std::int32_t> line;
};

// The neighbours N(x). Rows are GT lines, columns are HYP lines. Without data, every pair may match.
struct Neighbours {
    const std::uint8_t* data = nullptr;
    std::ptrdiff_t columns = 0;

    bool restricted() const { return data != nullptr; }
    const std::uint8_t* row(int x) const { return data + std::ptrdiff_t{x} * columns; }
    bool operator()(int x, int y) const {
        return !data || row(x)[y] != 0;
    }
};

// Optional lines: text of such a line that is not matched costs nothing. An empty view means that no line of the side
// is optional.
struct OptionalLines {
    View<const std::uint8_t> gt;
    View<const std::uint8_t> hyp;

    bool any() const { return !gt.empty() || !hyp.empty(); }
    bool has_gt(int x) const { return !gt.empty() && gt[x] != 0; }
    bool has_hyp(int y) const { return !hyp.empty() && hyp[y] != 0; }
};

}  // namespace pagemeter
