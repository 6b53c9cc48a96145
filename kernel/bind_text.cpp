// Python bindings of text: code points in, numbered pages out.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>

#include <algorithm>
#include <cstring>
#include <string_view>

#include "arrays.hpp"
#include "letter_sequences.hpp"
#include "numbering.hpp"

namespace nb = nanobind;
using namespace nb::literals;
namespace pm = pagemeter;

namespace {

nb::tuple arrays(pm::NumberedPage page) {
    return nb::make_tuple(pm::column(std::move(page.tokens)), pm::table(std::move(page.lines), 2),
                          pm::table(std::move(page.words), 2), pm::column(std::move(page.word_line)));
}

// Checks that non-empty lines are joined by one code point each, and returns the joins of length zero.
std::span<const bool> check(std::span<const std::int32_t> points, std::span<const std::int32_t> lengths,
                            const std::optional<pm::FlagArray>& zero_joins) {
    std::int64_t size = -1;
    for (std::int32_t length : lengths) {
        if (length < 0) throw std::invalid_argument("a line cannot have a negative length");
        if (length > 0) size += std::int64_t{length} + 1;
    }
    if (std::max<std::int64_t>(size, 0) != static_cast<std::int64_t>(points.size())) {
        throw std::invalid_argument("the line lengths must add up to the number of code points");
    }
    if (std::ranges::any_of(points, [](std::int32_t point) { return point < 0; })) {
        throw std::invalid_argument("a code point cannot be negative");
    }
    if (!zero_joins) return {};
    if (zero_joins->shape(0) != points.size()) throw std::invalid_argument("each code point needs a flag");
    return {zero_joins->data(), zero_joins->shape(0)};
}

// Returns both pages, the number of different characters, and the number of the joining character.
nb::tuple number_characters(const pm::IntArray& gt, const pm::IntArray& gt_lengths,
                            const std::optional<pm::FlagArray>& gt_zero_joins, const pm::IntArray& hyp,
                            const pm::IntArray& hyp_lengths, const std::optional<pm::FlagArray>& hyp_zero_joins,
                            const pm::FlagArray& blanks, std::int32_t joiner) {
    const auto gt_joins = check(pm::view(gt), pm::view(gt_lengths), gt_zero_joins);
    const auto hyp_joins = check(pm::view(hyp), pm::view(hyp_lengths), hyp_zero_joins);
    const auto is_blank = [&](std::int32_t point) {
        return pm::unsigned_index(point) < blanks.shape(0) && blanks.data()[point];
    };
    pm::PointNumbers numbers;
    pm::NumberedPage first, second;
    {
        nb::gil_scoped_release release;
        first = pm::number_characters(pm::view(gt), pm::view(gt_lengths), gt_joins, is_blank, numbers);
        second = pm::number_characters(pm::view(hyp), pm::view(hyp_lengths), hyp_joins, is_blank, numbers);
    }
    const pm::Token between = numbers(joiner);
    return nb::make_tuple(arrays(std::move(first)), arrays(std::move(second)), numbers.size(), between);
}

pm::Words checked(const pm::IntArray& tokens, const pm::PairArray& bounds, const pm::IntArray& line,
                  std::size_t lines, int alphabet) {
    const pm::Words w = pm::words(tokens, bounds, line, alphabet);
    if (!std::ranges::is_sorted(w.line) || (!w.line.empty() && w.line[0] < 0) || pm::lines_of(w.line) > lines) {
        throw std::invalid_argument("the lines of the words must not decrease and must be lines of the page");
    }
    return w;
}

// Returns both pages with words as tokens, and the number of different words.
nb::tuple number_words(const pm::IntArray& gt, const pm::PairArray& gt_words, const pm::IntArray& gt_word_line,
                       std::size_t gt_lines, const pm::IntArray& hyp, const pm::PairArray& hyp_words,
                       const pm::IntArray& hyp_word_line, std::size_t hyp_lines, int alphabet) {
    const pm::Words g = checked(gt, gt_words, gt_word_line, gt_lines, alphabet);
    const pm::Words h = checked(hyp, hyp_words, hyp_word_line, hyp_lines, alphabet);
    pm::WordNumbers numbers(g.bounds.size() + h.bounds.size());
    pm::NumberedPage first, second;
    {
        nb::gil_scoped_release release;
        first = pm::number_words(g, gt_lines, numbers);
        second = pm::number_words(h, hyp_lines, numbers);
    }
    return nb::make_tuple(arrays(std::move(first)), arrays(std::move(second)), numbers.size());
}

// The number of tokens of all lines or words, and the number of empty ones.
std::pair<std::int64_t, std::size_t> measure_spans(const pm::PairArray& spans) {
    std::int64_t tokens = 0;
    std::size_t empty = 0;
    for (std::size_t i = 0; i < spans.shape(0); ++i) {
        const std::int64_t size = std::int64_t{spans(i, 1)} - spans(i, 0);
        tokens += size;
        empty += size <= 0;
    }
    return {tokens, empty};
}

// bytes.count searches for short parts at a fifth of this speed; std::string_view::find uses memchr.
std::size_t count_bytes(const nb::bytes& data, const nb::bytes& part) {
    const std::string_view text(data.c_str(), data.size()), sought(part.c_str(), part.size());
    if (sought.empty()) throw std::invalid_argument("the part must not be empty");
    std::size_t count = 0;
    for (std::size_t at = 0; (at = text.find(sought, at)) != text.npos; at += sought.size()) ++count;
    return count;
}

// Text is given as UTF-32 in the byte order of the machine.
pm::Vector<std::uint32_t> letters(const nb::bytes& text) {
    if (text.size() % sizeof(std::uint32_t) != 0) throw std::invalid_argument("text must be UTF-32");
    pm::Vector<std::uint32_t> points(text.size() / sizeof(std::uint32_t));
    if (!points.empty()) std::memcpy(points.data(), text.c_str(), text.size());
    return points;
}

nb::tuple shared_sequences(const nb::bytes& text, const nb::bytes& other, std::size_t length) {
    const pm::SharedSequences found = pm::shared_sequences(letters(text), letters(other), length);
    return nb::make_tuple(found.different, found.shared);
}

std::size_t repeated_sequences(const nb::bytes& text, std::size_t length) {
    return pm::repeated_sequences(letters(text), length);
}

std::size_t letters_in_repeated(const nb::bytes& text, std::size_t length, std::uint32_t times) {
    return pm::letters_in_repeated(letters(text), length, times);
}

}  // namespace

void bind_text(nb::module_& m) {
    m.def("count_bytes", &count_bytes, "data"_a, "part"_a, "Return how often a part occurs in data, without overlaps.");
    m.def("number_characters", &number_characters, "gt"_a, "gt_lengths"_a, "gt_zero_joins"_a.none(), "hyp"_a,
          "hyp_lengths"_a, "hyp_zero_joins"_a.none(), "blanks"_a, "joiner"_a);
    m.def("number_words", &number_words, "gt"_a, "gt_words"_a, "gt_word_line"_a, "gt_lines"_a, "hyp"_a,
          "hyp_words"_a, "hyp_word_line"_a, "hyp_lines"_a, "alphabet"_a);
    m.def("measure_spans", &measure_spans, "spans"_a, "Return the number of tokens, and the number of empty spans.");
    m.def("shared_sequences", &shared_sequences, "text"_a, "other"_a, "length"_a,
          "Return the number of different sequences of letters of a text, and how many of them another text has.");
    m.def("repeated_sequences", &repeated_sequences, "text"_a, "length"_a,
          "Return how many sequences of letters occurred before in the text.");
    m.def("letters_in_repeated", &letters_in_repeated, "text"_a, "length"_a, "times"_a,
          "Return how many letters are in sequences that occur so many times or more.");
}
