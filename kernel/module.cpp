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

namespace {

constexpr std::size_t kCountColumns = 5;  // gt, hyp, distance, cor, sub
constexpr std::size_t kRunColumns = 6;    // gt, begin, end, distance, cor, sub

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
    return pm::table(std::move(out), kRunColumns);
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

// Calls `work` without the GIL and counts its steps.
template <class Work>
auto counted(pm::Effort& effort, Work&& work) {
    const pm::WorkCount::Scope scope(effort.work());
    return pm::released(work);
}

// FreeSegments with its own copy of the neighbour mask and with its effort.
class FreeSegments {
  public:
    FreeSegments(const pm::IntArray& gt, const pm::PairArray& gt_lines, const pm::IntArray& hyp,
                 const pm::PairArray& hyp_words, const pm::IntArray& word_line,
                 const std::optional<pm::MaskArray>& mask, int alphabet, double steps, double seconds,
                 const std::optional<pm::FlagArray>& gt_optional, const std::optional<pm::FlagArray>& hyp_optional,
                 bool characters)
        : effort_(steps, seconds) {
        const pm::Slices g = pm::slices(gt, gt_lines, alphabet);
        const pm::Words h = pm::words(hyp, hyp_words, word_line, alphabet);
        pm::Neighbours near = pm::neighbours(mask, g.bounds.size(), pm::lines_of(h.line));
        if (mask) {
            mask_.assign(near.data, near.data + mask->size());
            near.data = mask_.data();
        }
        pm::check_tokens(gt.shape(0) + hyp.shape(0));
        const pm::OptionalLines optional =
            pm::optional_lines(gt_optional, g.bounds.size(), hyp_optional, pm::lines_of(h.line));
        counted(effort_, [&] { solver_.emplace(g, h, near, alphabet, optional, characters, effort_); });
    }

    void improve_bound() {
        counted(effort_, [&] { solver_->improve_bound(effort_); });
    }
    bool decide(int most_branches) {
        return counted(effort_, [&] { return solver_->decide(most_branches, effort_); });
    }
    void set_multipliers(const std::vector<double>& lambda) { solver_->set_multipliers(lambda); }
    nb::tuple best_runs(std::size_t most) {
        std::vector<std::int32_t> rows;
        std::vector<double> saves;
        for (const pm::PoolRun& r : counted(effort_, [&] { return solver_->best_runs(most); })) {
            rows.insert(rows.end(), {r.begin, r.end, r.kind});
            saves.push_back(solver_->in_errors(r.save));
        }
        return nb::make_tuple(pm::table(std::move(rows), 3), pm::column<pm::Doubles>(std::move(saves)));
    }
    pm::Table kinds() const {
        std::vector<std::int32_t> out;
        for (int k = 0; k < solver_->kinds().size(); ++k) {
            out.insert(out.end(), {solver_->kinds().supply[k], solver_->kinds().blind(k)});
        }
        return pm::table(std::move(out), 2);
    }
    pm::Table runs() const { return run_table(solver_->runs()); }
    bool refine() {
        return counted(effort_, [&] { return solver_->refine(); });
    }
    void spend(std::int64_t steps) { effort_.work().add(steps); }
    std::int64_t spent() { return effort_.work().steps(); }
    std::int64_t left() const { return effort_.left(); }
    double seconds_left() const { return effort_.seconds_left(); }
    bool exhausted() const { return effort_(); }
    bool interrupted() const { return effort_.interrupted(); }
    bool proven() const { return solver_->proven(); }
    bool settled() const { return solver_->settled(); }
    std::int64_t stage_bound() const { return solver_->stage_bound(); }
    bool complete() const { return solver_->complete(); }
    bool canonical() const { return solver_->canonical(); }
    std::int64_t lower_bound() const { return solver_->lower_bound(); }

  private:
    pm::Effort effort_;
    std::vector<std::uint8_t> mask_;
    std::optional<pm::FreeSegments> solver_;
};

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
    nb::class_<FreeSegments>(m, "FreeSegments")
        .def(nb::init<const pm::IntArray&, const pm::PairArray&, const pm::IntArray&, const pm::PairArray&,
                      const pm::IntArray&, const std::optional<pm::MaskArray>&, int, double, double,
                      const std::optional<pm::FlagArray>&, const std::optional<pm::FlagArray>&, bool>(),
             "gt"_a, "gt_lines"_a, "hyp"_a, "hyp_words"_a, "word_line"_a, "mask"_a.none(), "alphabet"_a, "steps"_a,
             "seconds"_a, "gt_optional"_a = nb::none(), "hyp_optional"_a = nb::none(), "characters"_a = false)
        .def("improve_bound", &FreeSegments::improve_bound)
        .def("decide", &FreeSegments::decide, "most_branches"_a)
        .def("spend", &FreeSegments::spend, "steps"_a)
        .def("refine", &FreeSegments::refine)
        .def("set_multipliers", &FreeSegments::set_multipliers, "multipliers"_a)
        .def("best_runs", &FreeSegments::best_runs, "most"_a)
        .def("kinds", &FreeSegments::kinds)
        .def("runs", &FreeSegments::runs)
        .def_prop_ro("spent", &FreeSegments::spent)
        .def_prop_ro("left", &FreeSegments::left)
        .def_prop_ro("seconds_left", &FreeSegments::seconds_left)
        .def_prop_ro("exhausted", &FreeSegments::exhausted)
        .def_prop_ro("interrupted", &FreeSegments::interrupted)
        .def_prop_ro("proven", &FreeSegments::proven)
        .def_prop_ro("settled", &FreeSegments::settled)
        .def_prop_ro("stage_bound", &FreeSegments::stage_bound)
        .def_prop_ro("complete", &FreeSegments::complete)
        .def_prop_ro("canonical", &FreeSegments::canonical)
        .def_prop_ro("lower_bound", &FreeSegments::lower_bound);
    bind_alignment(m);
    bind_text(m);
    bind_geometry(m);
    bind_notations(m);
}
