// Conversion between numpy arrays and the kernel's views. Every argument is checked here, once.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <algorithm>
#include <optional>
#include <stdexcept>

#include "sequence.hpp"

namespace pagemeter {

namespace nb = nanobind;

using IntArray = nb::ndarray<const std::int32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using PairArray = nb::ndarray<const std::int32_t, nb::shape<-1, 2>, nb::c_contig, nb::device::cpu>;
using MaskArray = nb::ndarray<const bool, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using FlagArray = nb::ndarray<const bool, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Table = nb::ndarray<nb::numpy, std::int32_t, nb::ndim<2>>;
using Column = nb::ndarray<nb::numpy, std::int32_t, nb::ndim<1>>;
using Doubles = nb::ndarray<nb::numpy, double, nb::ndim<1>>;

inline constexpr std::size_t kRunColumns = 6;  // gt (or its row), begin, end, distance, cor, sub

inline View<const std::int32_t> view(const IntArray& a) { return {a.data(), a.shape(0)}; }

// Checks the tokens of both pages together.
inline void check_tokens(std::size_t tokens) {
    if (tokens > kMostTokens) throw std::invalid_argument("there are more tokens than a pair of pages may have");
}

inline Slices slices(const IntArray& tokens, const PairArray& bounds, int alphabet) {
    static_assert(sizeof(Bounds) == 2 * sizeof(std::int32_t));
    const Slices s{view(tokens), {reinterpret_cast<const Bounds*>(bounds.data()), bounds.shape(0)}};
    for (Token t : s.tokens) {
        if (t < 0 || t >= alphabet) throw std::invalid_argument("a token is outside the alphabet");
    }
    std::int32_t before = 0;
    for (const Bounds& b : s.bounds) {
        if (b.begin < before || b.end < b.begin || b.end > s.tokens.count()) {
            throw std::invalid_argument("bounds must ascend and lie within the tokens");
        }
        before = b.end;
    }
    return s;
}

inline Words words(const IntArray& tokens, const PairArray& bounds, const IntArray& line, int alphabet) {
    Words w{slices(tokens, bounds, alphabet), view(line)};
    if (w.line.size() != w.bounds.size()) throw std::invalid_argument("each word needs a line");
    if (std::any_of(w.line.begin(), w.line.end(), [](std::int32_t l) { return l < 0; })) {
        throw std::invalid_argument("line numbers must not be negative");
    }
    return w;
}

inline Neighbours neighbours(const std::optional<MaskArray>& mask, std::size_t gt_lines, std::size_t hyp_lines) {
    if (!mask) return {};
    if (mask->shape(0) != gt_lines || mask->shape(1) < hyp_lines) {
        throw std::invalid_argument("the mask must have a row for each GT line and a column for each HYP line");
    }
    return {reinterpret_cast<const std::uint8_t*>(mask->data()), static_cast<std::ptrdiff_t>(mask->shape(1))};
}

// A flag for each line of either side, or none if no line of it is optional.
inline OptionalLines optional_lines(const std::optional<FlagArray>& gt, std::size_t gt_lines,
                                    const std::optional<FlagArray>& hyp, std::size_t hyp_lines) {
    const auto flags = [](const std::optional<FlagArray>& given, std::size_t lines) -> View<const std::uint8_t> {
        if (!given) return {};
        if (given->shape(0) < lines) throw std::invalid_argument("each line needs a flag");
        return {reinterpret_cast<const std::uint8_t*>(given->data()), given->shape(0)};
    };
    return {flags(gt, gt_lines), flags(hyp, hyp_lines)};
}

inline std::size_t lines_of(View<const std::int32_t> word_line) {
    return word_line.empty() ? 0 : unsigned_index(*std::max_element(word_line.begin(), word_line.end())) + 1;
}

// Throws if Ctrl-C has been pressed. Only the main thread of Python sees it.
inline void check_signals() {
    nb::gil_scoped_acquire acquire;
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
}

// Calls `work` without the GIL and returns its result. Ctrl-C ends it.
template <class Work>
auto released(Work&& work) {
    nb::gil_scoped_release release;
    const InterruptionCheck check(check_signals);
    return work();
}

// A numpy array that owns its data.
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
