// Python bindings of alignments: pairs of slices in, runs of equal, substituted, inserted and deleted tokens out.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <string>

#include "alignment.hpp"
#include "arrays.hpp"
#include "whole_text.hpp"
#include "word_assignment.hpp"

namespace nb = nanobind;
using namespace nb::literals;
namespace pm = pagemeter;

namespace {

constexpr std::size_t kColumns = 3;  // pair, kind, length; or distance, cor, sub

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

void append_runs(int pair, const std::vector<pm::Edit>& edits, std::vector<std::int32_t>& out) {
    for (std::size_t from = 0; from < edits.size();) {
        std::size_t to = from;
        while (to < edits.size() && edits[to] == edits[from]) ++to;
        out.insert(out.end(), {pair, static_cast<std::int32_t>(edits[from]), static_cast<std::int32_t>(to - from)});
        from = to;
    }
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
            append_runs(i, alignment.align(g[i], h[i], index.distance(h[i])), out);
        }
    });
    return pm::table(std::move(out), kColumns);
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
    m.def("pair_counts", &pair_counts, "gt"_a, "gt_spans"_a, "hyp"_a, "hyp_spans"_a, "alphabet"_a, "rule"_a);
    m.def("match_words", &match_words, "gt"_a, "gt_words"_a, "hyp"_a, "hyp_words"_a, "alphabet"_a);
}
