// The table of contents of pagemeter._kernel: functions check their arguments, let go of the GIL and call a solver.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include "arrays.hpp"
#include "bag.hpp"
#include "free.hpp"
#include "free_segments.hpp"
#include "ordered.hpp"
#include "ordered_words.hpp"

namespace nb = nanobind;
using namespace nb::literals;
namespace pm = pagemeter;

void bind_alignment(nb::module_& m);
void bind_text(nb::module_& m);
void bind_geometry(nb::module_& m);
void bind_statistics(nb::module_& m);

namespace {

constexpr std::size_t kCountColumns = 5;  // gt, hyp, distance, cor, sub
constexpr std::size_t kRunColumns = 6;    // gt, begin, end, distance, cor, sub

pm::Table line_table(const std::vector<pm::LinePair>& pairs) {
    std::vector<std::int32_t> out;
    for (const auto& p : pairs) {
        if (p.counts.cor + p.counts.sub == 0) continue;  // nothing of one is in the other: not matched
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

template <class Solver>
pm::Table match_lines(const pm::IntArray& gt, const pm::PairArray& gt_lines, const pm::IntArray& hyp,
                      const pm::PairArray& hyp_lines, const std::optional<pm::MaskArray>& mask, int alphabet) {
    const pm::Slices g = pm::slices(gt, gt_lines, alphabet);
    const pm::Slices h = pm::slices(hyp, hyp_lines, alphabet);
    const pm::Neighbours near = pm::neighbours(mask, g.bounds.size(), h.bounds.size());
    return line_table(pm::released([&] { return Solver(g, h, near, alphabet).solve(); }));
}

pm::Table ordered_segments(const pm::IntArray& gt, const pm::PairArray& gt_lines, const pm::IntArray& hyp,
                           const pm::PairArray& hyp_words, const pm::IntArray& word_line,
                           const std::optional<pm::MaskArray>& mask, int alphabet) {
    const pm::Slices g = pm::slices(gt, gt_lines, alphabet);
    const pm::Words h = pm::words(hyp, hyp_words, word_line, alphabet);
    const pm::Neighbours near = pm::neighbours(mask, g.bounds.size(), pm::lines_of(h.line));
    return run_table(pm::released([&] { return pm::ordered_runs(g, h, near, alphabet); }));
}

pm::Column bag(const pm::IntArray& gt, const pm::PairArray& gt_lines, const pm::IntArray& hyp,
               const pm::PairArray& hyp_lines, const std::optional<pm::MaskArray>& mask, int alphabet) {
    const pm::Slices g = pm::slices(gt, gt_lines, alphabet);
    const pm::Slices h = pm::slices(hyp, hyp_lines, alphabet);
    const pm::Neighbours near = pm::neighbours(mask, g.bounds.size(), h.bounds.size());
    return pm::column(pm::released([&] { return pm::BagMatching(g, h, near, alphabet).solve(); }));
}

// FreeSegments with its own copy of the neighbour mask and with seconds for deadlines.
class FreeSegments {
  public:
    FreeSegments(const pm::IntArray& gt, const pm::PairArray& gt_lines, const pm::IntArray& hyp,
                 const pm::PairArray& hyp_words, const pm::IntArray& word_line,
                 const std::optional<pm::MaskArray>& mask, int alphabet, double seconds) {
        const pm::Slices g = pm::slices(gt, gt_lines, alphabet);
        const pm::Words h = pm::words(hyp, hyp_words, word_line, alphabet);
        pm::Neighbours near = pm::neighbours(mask, g.bounds.size(), pm::lines_of(h.line));
        if (mask) {
            mask_.assign(near.data, near.data + mask->size());
            near.data = mask_.data();
        }
        nb::gil_scoped_release release;
        solver_.emplace(g, h, near, alphabet, deadline(seconds));
    }

    void ascend(double seconds) {
        nb::gil_scoped_release release;
        solver_->ascend(deadline(seconds));
    }
    bool decide(double seconds, std::size_t most_open) {
        nb::gil_scoped_release release;
        return solver_->decide(most_open, deadline(seconds));
    }
    void set_multipliers(const std::vector<double>& lambda) { solver_->set_multipliers(lambda); }
    nb::tuple best_runs(std::size_t most) const {
        std::vector<std::int32_t> rows;
        std::vector<double> saves;
        for (const pm::PoolRun& r : solver_->best_runs(most)) {
            rows.insert(rows.end(), {r.begin, r.end, r.kind});
            saves.push_back(solver_->in_errors(r.save));
        }
        return nb::make_tuple(pm::table(std::move(rows), 3), pm::column<pm::Doubles>(std::move(saves)));
    }
    pm::Table kinds() const {
        std::vector<std::int32_t> out;
        for (int k = 0; k < solver_->kinds().size(); ++k) {
            out.insert(out.end(), {solver_->kinds().supply[static_cast<std::size_t>(k)], solver_->kinds().blind(k)});
        }
        return pm::table(std::move(out), 2);
    }
    pm::Table runs() const { return run_table(solver_->runs()); }
    bool offer(const pm::TripleArray& rows) {
        std::vector<pm::PoolRun> runs;
        for (std::size_t i = 0; i < rows.shape(0); ++i) runs.push_back({rows(i, 0), rows(i, 1), rows(i, 2), 0});
        return solver_->offer(runs);
    }
    bool refine() { return solver_->refine(); }
    bool proven() const { return solver_->proven(); }
    bool settled() const { return solver_->settled(); }
    std::int64_t stage_bound() const { return solver_->stage_bound(); }
    bool complete() const { return solver_->complete(); }
    bool canonical() const { return solver_->canonical(); }
    std::int64_t lower_bound() const { return solver_->lower_bound(); }

  private:
    // Ctrl-C ends a search soon, not at its deadline.
    static pm::Stop deadline(double seconds) {
        return pm::Stop(std::clamp(seconds, 0.0, 1e8), [] {
            nb::gil_scoped_acquire acquire;
            if (PyErr_CheckSignals() != 0) throw nb::python_error();
        });
    }

    std::vector<std::uint8_t> mask_;
    std::optional<pm::FreeSegments> solver_;
};

}  // namespace

NB_MODULE(_kernel, m) {
    m.doc() = "The compiled solvers of pagemeter: integers in, matchings out.";
    m.def("ordered", &match_lines<pm::Ordered>, "gt"_a, "gt_lines"_a, "hyp"_a, "hyp_lines"_a, "mask"_a.none(),
          "alphabet"_a);
    m.def("free", &match_lines<pm::Free>, "gt"_a, "gt_lines"_a, "hyp"_a, "hyp_lines"_a, "mask"_a.none(), "alphabet"_a);
    m.def("ordered_segments", &ordered_segments, "gt"_a, "gt_lines"_a, "hyp"_a, "hyp_words"_a, "word_line"_a,
          "mask"_a.none(), "alphabet"_a);
    m.def("bag", &bag, "gt"_a, "gt_lines"_a, "hyp"_a, "hyp_lines"_a, "mask"_a.none(), "alphabet"_a);
    nb::class_<FreeSegments>(m, "FreeSegments")
        .def(nb::init<const pm::IntArray&, const pm::PairArray&, const pm::IntArray&, const pm::PairArray&,
                      const pm::IntArray&, const std::optional<pm::MaskArray>&, int, double>(),
             "gt"_a, "gt_lines"_a, "hyp"_a, "hyp_words"_a, "word_line"_a, "mask"_a.none(), "alphabet"_a, "seconds"_a)
        .def("ascend", &FreeSegments::ascend, "seconds"_a)
        .def("decide", &FreeSegments::decide, "seconds"_a, "most_open"_a)
        .def("offer", &FreeSegments::offer, "runs"_a)
        .def("refine", &FreeSegments::refine)
        .def("set_multipliers", &FreeSegments::set_multipliers, "multipliers"_a)
        .def("best_runs", &FreeSegments::best_runs, "most"_a)
        .def("kinds", &FreeSegments::kinds)
        .def("runs", &FreeSegments::runs)
        .def_prop_ro("proven", &FreeSegments::proven)
        .def_prop_ro("settled", &FreeSegments::settled)
        .def_prop_ro("stage_bound", &FreeSegments::stage_bound)
        .def_prop_ro("complete", &FreeSegments::complete)
        .def_prop_ro("canonical", &FreeSegments::canonical)
        .def_prop_ro("lower_bound", &FreeSegments::lower_bound);
    bind_alignment(m);
    bind_text(m);
    bind_geometry(m);
    bind_statistics(m);
}
