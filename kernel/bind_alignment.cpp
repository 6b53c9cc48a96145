// Python bindings of alignments: pairs of slices in, runs of equal, substituted, inserted and deleted tokens out.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <string>

#include "alignment.hpp"
#include "arrays.hpp"
#include "error_kinds.hpp"
#include "whole_text.hpp"
#include "word_assignment.hpp"

namespace nb = nanobind;
using namespace nb::literals;
namespace pm = pagemeter;

namespace {

using MatchArray = nb::ndarray<const std::int32_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

constexpr std::size_t kColumns = 3;  // pair, kind, length; or distance, cor, sub
constexpr std::size_t kLineColumns = 5;  // gt, hyp, distance, cor, sub
constexpr int kAnyNumber = std::numeric_limits<int>::max();

pm::Slices checked(const pm::IntArray& tokens, const pm::PairArray& spans, int alphabet) {
    const pm::Slices s{pm::view(tokens), {reinterpret_cast<const pm::Bounds*>(spans.data()), spans.shape(0)}};
    const auto outside = [&](pm::Token t) { return t < 0 || t >= alphabet; };
    if (std::ranges::any_of(s.tokens, outside)) throw std::invalid_argument("a token is outside the alphabet");
    for (const pm::Bounds& b : s.bounds) {
        if (b.begin < 0 || b.end < b.begin || b.end > s.tokens.count()) {
            throw std::invalid_argument("spans must lie within the tokens");
        }
    }
    return s;
}

pm::Table edits(const pm::IntArray& gt, const pm::PairArray& gt_spans, const pm::IntArray& hyp,
                const pm::PairArray& hyp_spans, int alphabet, std::int64_t most_cells) {
    const pm::Slices g = checked(gt, gt_spans, alphabet);
    const pm::Slices h = checked(hyp, hyp_spans, alphabet);
    if (g.size() != h.size()) throw std::invalid_argument("each GT span needs a HYP span");
    std::vector<std::int32_t> out;
    pm::check_tokens(gt.shape(0) + hyp.shape(0));
    pm::released([&] {
        pm::PatternIndex index(alphabet);
        pm::CanonicalAlignment alignment(most_cells);
        for (int i = 0; i < g.size(); ++i) {
            index.assign(g[i]);
            const pm::Vector<pm::Edit> found = alignment.align(g[i], h[i], index.distance(h[i]));
            pm::visit_runs(found, [&](pm::Edit kind, std::int32_t length) {
                out.insert(out.end(), {i, static_cast<std::int32_t>(kind), length});
            });
        }
    });
    return pm::table(std::move(out), kColumns);
}

// Returns the HYP units of each match: a line, or several words if there is a column for their end.
std::vector<pm::MatchedUnits> matched_units(const MatchArray& matches, int gt_lines, int units) {
    const std::size_t columns = matches.shape(1);
    if (columns != kLineColumns && columns != pm::kRunColumns) {
        throw std::invalid_argument("matches must be rows of lines or of runs");
    }
    std::vector<pm::MatchedUnits> out;
    out.reserve(matches.shape(0));
    for (std::size_t i = 0; i < matches.shape(0); ++i) {
        const std::int32_t* row = matches.data() + i * columns;
        const bool whole = columns == kLineColumns;
        if (row[0] < 0 || row[0] >= gt_lines || row[1] < 0 || row[1] >= units) {
            throw std::invalid_argument("matches must be of lines and words of the pages");
        }
        const std::int32_t* counts = row + columns - 3;
        out.push_back({row[0], row[1], whole ? row[1] + 1 : row[2], counts[0], counts[1], counts[2]});
        if (out.back().end <= row[1] || out.back().end > units) {
            throw std::invalid_argument("matches must be of lines and words of the pages");
        }
    }
    return out;
}

// The right and wrong tokens of all matches, and the tokens between the words of each run.
nb::tuple sum_matches(const MatchArray& matches, const std::optional<pm::PairArray>& words) {
    const int units = words ? static_cast<int>(words->shape(0)) : kAnyNumber;
    std::int64_t cor = 0, sub = 0, joins = 0;
    for (const pm::MatchedUnits& match : matched_units(matches, kAnyNumber, units)) {
        const auto* bounds = words ? reinterpret_cast<const pm::Bounds*>(words->data()) : nullptr;
        for (int w = match.begin + 1; words && w < match.end; ++w) joins += bounds[w].begin - bounds[w - 1].end;
        cor += match.cor, sub += match.sub;
    }
    return nb::make_tuple(cor, sub, joins);
}

// True if all matched lines, or all lines of matched words, are neighbours of their GT line.
bool matches_within(const MatchArray& matches, const std::optional<pm::IntArray>& word_line,
                    const pm::MaskArray& mask) {
    const auto gt_lines = static_cast<int>(mask.shape(0)), hyp_lines = static_cast<int>(mask.shape(1));
    const pm::Neighbours near = pm::neighbours(mask, mask.shape(0), mask.shape(1));
    const pm::View<const std::int32_t> lines = word_line ? pm::view(*word_line) : pm::View<const std::int32_t>{};
    const auto inside = [&](std::int32_t line) { return line >= 0 && line < hyp_lines; };
    if (!std::ranges::all_of(lines, inside)) throw std::invalid_argument("the mask must have a column for each line");
    for (const pm::MatchedUnits& match : matched_units(matches, gt_lines, word_line ? lines.count() : hyp_lines)) {
        for (int unit = match.begin; unit < match.end; ++unit) {
            if (!near(match.gt, word_line ? lines[unit] : unit)) return false;
        }
    }
    return true;
}

// True if the matched text of both pages is in the same order.
bool matches_in_order(const MatchArray& matches) {
    const std::vector<pm::MatchedUnits> units = matched_units(matches, kAnyNumber, kAnyNumber);
    const auto before = [](const pm::MatchedUnits& a, const pm::MatchedUnits& b) {
        return a.gt < b.gt && a.begin < b.begin;
    };
    return std::ranges::adjacent_find(units, std::not_fn(before)) == units.end();
}

// The matches of lines that runs of words stand for, or nothing if one of them is not a whole line.
std::optional<pm::Table> matched_lines(const MatchArray& runs, const pm::IntArray& word_line) {
    if (runs.shape(1) != pm::kRunColumns) throw std::invalid_argument("matches must be rows of runs");
    const pm::View<const std::int32_t> lines = pm::view(word_line);
    std::vector<std::int32_t> out;
    for (const pm::MatchedUnits& run : matched_units(runs, kAnyNumber, lines.count())) {
        const std::int32_t line = lines[run.begin];
        const bool begins = run.begin == 0 || lines[run.begin - 1] != line;
        const bool ends = run.end == lines.count() || lines[run.end] != line;
        if (!begins || !ends || lines[run.end - 1] != line) return std::nullopt;
        out.insert(out.end(), {run.gt, line, run.distance, run.cor, run.sub});
    }
    return pm::table(std::move(out), kLineColumns);
}

// The misread, missed and replaced tokens, and the bounds of invented HYP tokens. The HYP units are lines or words.
nb::tuple error_kinds(const pm::IntArray& gt, const pm::PairArray& gt_lines, const pm::IntArray& hyp,
                      const pm::PairArray& hyp_units, const MatchArray& matches, int alphabet,
                      const std::optional<pm::FlagArray>& gt_optional, const std::optional<pm::FlagArray>& hyp_optional,
                      int long_run, std::int64_t most_cells) {
    const pm::Slices g = pm::slices(gt, gt_lines, alphabet);
    const pm::Slices h = pm::slices(hyp, hyp_units, alphabet);
    pm::check_tokens(gt.shape(0) + hyp.shape(0));
    const pm::OptionalLines optional = pm::optional_lines(gt_optional, g.bounds.size(), hyp_optional, h.bounds.size());
    const std::vector<pm::MatchedUnits> units = matched_units(matches, g.size(), h.size());
    pm::ErrorKinds found =
        pm::released([&] { return pm::ErrorCount(g, h, alphabet, long_run, most_cells).kinds(units, optional); });
    return nb::make_tuple(found.misread, found.missed, found.replaced, pm::table(std::move(found.invented), 2));
}

// The counts of each pair of spans. The rule chooses among the alignments with the minimum distance.
pm::Table pair_counts(const pm::IntArray& gt, const pm::PairArray& gt_spans, const pm::IntArray& hyp,
                      const pm::PairArray& hyp_spans, int alphabet,
                      const std::string& rule) {
    const pm::Slices g = checked(gt, gt_spans, alphabet);
    const pm::Slices h = checked(hyp, hyp_spans, alphabet);
    if (g.size() != h.size()) throw std::invalid_argument("each GT span needs a HYP span");
    pm::check_tokens(gt.shape(0) + hyp.shape(0));
    std::vector<std::int32_t> out;
    pm::released([&] {
        pm::RapidfuzzCounts rapidfuzz(alphabet);
        for (int i = 0; i < g.size(); ++i) {
            const pm::PairCounts counts = rule == "rapidfuzz"  ? rapidfuzz(g[i], h[i])
                                          : rule == "diagonal" ? pm::diagonal_counts(g[i], h[i], alphabet)
                                                               : pm::text_counts(g[i], h[i], alphabet);
            out.insert(out.end(), {counts.distance, counts.cor, counts.sub});
        }
    });
    return pm::table(std::move(out), kColumns);
}

// The pairs of equal words and of unequal words.
nb::tuple match_words(const pm::IntArray& gt, const pm::PairArray& gt_words, const pm::IntArray& hyp,
                      const pm::PairArray& hyp_words, int alphabet) {
    const pm::Slices g = checked(gt, gt_words, alphabet);
    const pm::Slices h = checked(hyp, hyp_words, alphabet);
    pm::check_tokens(gt.shape(0) + hyp.shape(0));
    const pm::MatchedWords matched = pm::released([&] { return pm::match_words(g, h, alphabet); });
    return nb::make_tuple(matched.equal, matched.unequal);
}

}  // namespace

void bind_alignment(nb::module_& m) {
    m.def("edits", &edits, "gt"_a, "gt_spans"_a, "hyp"_a, "hyp_spans"_a, "alphabet"_a, "most_cells"_a);
    m.def("sum_matches", &sum_matches, "matches"_a, "words"_a.none());
    m.def("matches_within", &matches_within, "matches"_a, "word_line"_a.none(), "mask"_a);
    m.def("matches_in_order", &matches_in_order, "matches"_a);
    m.def("matched_lines", &matched_lines, "runs"_a, "word_line"_a);
    m.def("error_kinds", &error_kinds, "gt"_a, "gt_lines"_a, "hyp"_a, "hyp_units"_a, "matches"_a, "alphabet"_a,
          "gt_optional"_a.none(), "hyp_optional"_a.none(), "long_run"_a, "most_cells"_a);
    m.def("pair_counts", &pair_counts, "gt"_a, "gt_spans"_a, "hyp"_a, "hyp_spans"_a, "alphabet"_a, "rule"_a);
    m.def("match_words", &match_words, "gt"_a, "gt_words"_a, "hyp"_a, "hyp_words"_a, "alphabet"_a);
}
