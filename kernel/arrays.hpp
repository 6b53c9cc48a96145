// Between numpy arrays and the kernel's views; every argument is checked here, once.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <vector>

#include "sequence.hpp"

namespace pagemeter {

namespace nb = nanobind;

using IntArray = nb::ndarray<const std::int32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using PairArray = nb::ndarray<const std::int32_t, nb::shape<-1, 2>, nb::c_contig, nb::device::cpu>;
using TripleArray = nb::ndarray<const std::int32_t, nb::shape<-1, 3>, nb::c_contig, nb::device::cpu>;
using MaskArray = nb::ndarray<const bool, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Table = nb::ndarray<nb::numpy, std::int32_t, nb::ndim<2>>;
using Column = nb::ndarray<nb::numpy, std::int32_t, nb::ndim<1>>;
using Doubles = nb::ndarray<nb::numpy, double, nb::ndim<1>>;

inline std::span<const std::int32_t> view(const IntArray& a) { return {a.data(), a.shape(0)}; }

inline Slices slices(const IntArray& tokens, const PairArray& bounds, int alphabet) {
    static_assert(sizeof(Bounds) == 2 * sizeof(std::int32_t));
    const Slices s{view(tokens), {reinterpret_cast<const Bounds*>(bounds.data()), bounds.shape(0)}};
    for (Token t : s.tokens) {
        if (t < 0 || t >= alphabet) throw std::invalid_argument("a token lies outside the alphabet");
    }
    std::int32_t before = 0;
    for (const Bounds& b : s.bounds) {
        if (b.begin < before || b.end < b.begin || static_cast<std::size_t>(b.end) > s.tokens.size()) {
            throw std::invalid_argument("bounds must be ascending and lie within the tokens");
        }
        before = b.end;
    }
    return s;
}

inline Words words(const IntArray& tokens, const PairArray& bounds, const IntArray& line, int alphabet) {
    Words w{slices(tokens, bounds, alphabet), view(line)};
    if (w.line.size() != w.bounds.size()) throw std::invalid_argument("each word needs a line");
    if (std::any_of(w.line.begin(), w.line.end(), [](std::int32_t l) { return l < 0; })) {
        throw std::invalid_argument("lines are numbered from 0");
    }
    return w;
}

inline Neighbours neighbours(const std::optional<MaskArray>& mask, std::size_t gt_lines, std::size_t hyp_lines) {
    if (!mask) return {};
    if (mask->shape(0) != gt_lines || mask->shape(1) < hyp_lines) {
        throw std::invalid_argument("the mask must have a row for each GT line and a column for each HYP line");
    }
    return {reinterpret_cast<const std::uint8_t*>(mask->data()), mask->shape(1)};
}

inline std::size_t lines_of(std::span<const std::int32_t> word_line) {
    return word_line.empty() ? 0 : static_cast<std::size_t>(*std::max_element(word_line.begin(), word_line.end())) + 1;
}

// What the work gives, done while other threads of Python go on.
template <class Work>
auto released(Work&& work) {
    nb::gil_scoped_release release;
    return work();
}

// A numpy array that owns its numbers, or rows of them.
template <class Array, class Number>
Array owning(std::vector<Number> numbers, std::initializer_list<std::size_t> shape) {
    auto* data = new std::vector<Number>(std::move(numbers));
    nb::capsule owner(data, [](void* p) noexcept { delete static_cast<std::vector<Number>*>(p); });
    return Array(data->data(), shape, owner);
}

inline Table table(std::vector<std::int32_t> numbers, std::size_t columns) {
    const std::size_t rows = numbers.size() / columns;
    return owning<Table>(std::move(numbers), {rows, columns});
}

template <class Array = Column, class Number>
Array column(std::vector<Number> numbers) {
    const std::size_t rows = numbers.size();
    return owning<Array>(std::move(numbers), {rows});
}

}  // namespace pagemeter
