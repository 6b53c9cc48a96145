// The contents of pagemeter._kernel. Each function checks its arguments, releases the GIL and calls a solver.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include "arrays.hpp"
#include "bag.hpp"
#include "free_lines.hpp"
#include "free_segments.hpp"
#include "optional_lines.hpp"
#include "ordered_lines.hpp"
#include "ordered_words.hpp"

namespace nb = nanobind;
using namespace nb::literals;
namespace pm = pagemeter;

void bind_alignment(nb::module_& m);
void bind_text(nb::module_& m);
void bind_geometry(nb::module_& m);
void bind_notations(nb::module_& m);
void bind_xml(nb::module_& m);

namespace {

constexpr std::size_t kCountColumns = 5;  // gt, hyp, distance, cor, sub

pm::Table line_table(const std::vector<pm::LinePair>& pairs) {
    std::vector<std::int32_t> out;
    for (const auto& p : pairs) {
        if (p.counts.cor + p.counts.sub == 0) continue;  // nothing in common: not matched
        out.insert(out.end(), {p.gt, p.hyp, p.counts.distance, p.counts.cor, p.counts.sub});
    }
    return pm::table(std::move(out), kCountColumns);
}

pm::Table run_table(const std::vector<pm::Run>& runs) {
    std::vector<std::int32_t> out;
    for (const auto& r : runs) {
        if (r.counts.cor + r.counts.sub == 0) continue;
        out.insert(out.end(), {r.gt, r.begin, r.end, r.counts.distance, r.counts.cor, r.counts.sub});
    }
    return pm::table(std::move(out), pm::kRunColumns);
}

// Solves with the first solver, or with the second one if lines are optional.
template <class Solver, class OptionalSolver>
pm::Table match_lines(const pm::IntArray& gt, const pm::PairArray& gt_lines, const pm::IntArray& hyp,
                      const pm::PairArray& hyp_lines, const std::optional<pm::MaskArray>& mask, int alphabet,
                      const std::optional<pm::FlagArray>& gt_optional,
                      const std::optional<pm::FlagArray>& hyp_optional) {
    const pm::Slices g = pm::slices(gt, gt_lines, alphabet);
    const pm::Slices h = pm::slices(hyp, hyp_lines, alphabet);
    pm::check_tokens(gt.shape(0) + hyp.shape(0));
    const pm::Neighbours near = pm::neighbours(mask, g.bounds.size(), h.bounds.size());
    const pm::OptionalLines optional = pm::optional_lines(gt_optional, g.bounds.size(), hyp_optional, h.bounds.size());
    return line_table(pm::released([&] {
        if (optional.any()) return OptionalSolver(g, h, near, alphabet, optional).solve();
        return Solver(g, h, near, alphabet).solve();
    }));
}

pm::Table ordered_segments(const pm::IntArray& gt, const pm::PairArray& gt_lines, const pm::IntArray& hyp,
                           const pm::PairArray& hyp_words, const pm::IntArray& word_line,
                           const std::optional<pm::MaskArray>& mask, int alphabet,
                           const std::optional<pm::FlagArray>& gt_optional,
                           const std::optional<pm::FlagArray>& hyp_optional) {
    const pm::Slices g = pm::slices(gt, gt_lines, alphabet);
    const pm::Words h = pm::words(hyp, hyp_words, word_line, alphabet);
    pm::check_tokens(gt.shape(0) + hyp.shape(0));
    const pm::Neighbours near = pm::neighbours(mask, g.bounds.size(), pm::lines_of(h.line));
    const pm::OptionalLines optional =
        pm::optional_lines(gt_optional, g.bounds.size(), hyp_optional, pm::lines_of(h.line));
    return run_table(pm::released([&] { return pm::ordered_runs(g, h, near, alphabet, optional); }));
}

nb::tuple bag(const pm::IntArray& gt, const pm::PairArray& gt_lines, const pm::IntArray& hyp,
              const pm::PairArray& hyp_lines, const std::optional<pm::MaskArray>& mask, int alphabet,
              const std::optional<pm::FlagArray>& gt_optional, const std::optional<pm::FlagArray>& hyp_optional) {
    const pm::Slices g = pm::slices(gt, gt_lines, alphabet);
    const pm::Slices h = pm::slices(hyp, hyp_lines, alphabet);
    pm::check_tokens(gt.shape(0) + hyp.shape(0));
    const pm::Neighbours near = pm::neighbours(mask, g.bounds.size(), h.bounds.size());
    const pm::OptionalLines optional = pm::optional_lines(gt_optional, g.bounds.size(), hyp_optional, h.bounds.size());
    pm::BagPairs pairs = pm::released([&] { return pm::match_bags(g, h, near, alphabet, optional); });
    return nb::make_tuple(pm::column(std::move(pairs.partner)), pairs.unequal);
}

// The runs, the lower bound, whether the counts are canonical, whether the time limit ended the search, and its steps.
nb::tuple free_segments(const pm::IntArray& gt, const pm::PairArray& gt_lines, const pm::IntArray& hyp,
                        const pm::PairArray& hyp_words, const pm::IntArray& word_line,
                        const std::optional<pm::MaskArray>& mask, int alphabet, double steps, double seconds,
                        const std::optional<pm::FlagArray>& gt_optional,
                        const std::optional<pm::FlagArray>& hyp_optional, bool characters) {
    const pm::Slices g = pm::slices(gt, gt_lines, alphabet);
    const pm::Words h = pm::words(hyp, hyp_words, word_line, alphabet);
    pm::check_tokens(gt.shape(0) + hyp.shape(0));
    const pm::Neighbours near = pm::neighbours(mask, g.bounds.size(), pm::lines_of(h.line));
    const pm::OptionalLines optional =
        pm::optional_lines(gt_optional, g.bounds.size(), hyp_optional, pm::lines_of(h.line));
    pm::Effort effort(steps, seconds);
    std::vector<pm::Run> runs;
    std::int64_t lower_bound = 0;
    bool canonical = false;
    pm::released([&] {
        const pm::WorkCount::Scope scope(effort.work());
        const pm::FreeSegments solver(g, h, near, alphabet, optional, characters, effort);
        runs = solver.runs();
        lower_bound = solver.lower_bound();
        canonical = solver.canonical();
    });
    const bool interrupted = effort.interrupted() && !canonical;  // what is proven has not been cut short
    return nb::make_tuple(run_table(runs), lower_bound, canonical, interrupted, effort.work().steps());
}

}  // namespace

NB_MODULE(_kernel, m) {
    m.doc() = "The compiled solvers of pagemeter: integers in, matchings out.";
    m.def("ordered", &match_lines<pm::OrderedLines, pm::OptionalOrderedLines>, "gt"_a, "gt_lines"_a, "hyp"_a,
          "hyp_lines"_a, "mask"_a.none(), "alphabet"_a, "gt_optional"_a = nb::none(), "hyp_optional"_a = nb::none());
    m.def("free", &match_lines<pm::FreeLines, pm::OptionalFreeLines>, "gt"_a, "gt_lines"_a, "hyp"_a, "hyp_lines"_a,
          "mask"_a.none(), "alphabet"_a, "gt_optional"_a = nb::none(), "hyp_optional"_a = nb::none());
    m.def("ordered_segments", &ordered_segments, "gt"_a, "gt_lines"_a, "hyp"_a, "hyp_words"_a, "word_line"_a,
          "mask"_a.none(), "alphabet"_a, "gt_optional"_a = nb::none(), "hyp_optional"_a = nb::none());
    m.def("bag", &bag, "gt"_a, "gt_lines"_a, "hyp"_a, "hyp_lines"_a, "mask"_a.none(), "alphabet"_a,
          "gt_optional"_a = nb::none(), "hyp_optional"_a = nb::none());
    m.def("free_segments", &free_segments, "gt"_a, "gt_lines"_a, "hyp"_a, "hyp_words"_a, "word_line"_a,
          "mask"_a.none(), "alphabet"_a, "steps"_a, "seconds"_a, "gt_optional"_a = nb::none(),
          "hyp_optional"_a = nb::none(), "characters"_a = false);
    bind_alignment(m);
    bind_text(m);
    bind_geometry(m);
    bind_notations(m);
    bind_xml(m);
}
