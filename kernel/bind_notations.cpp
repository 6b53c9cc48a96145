// Python bindings of the solvers for pages with notations.
#include <nanobind/stl/optional.h>

#include "arrays.hpp"
#include "noted_solvers.hpp"

namespace nb = nanobind;
using namespace nb::literals;
namespace pm = pagemeter;

namespace {

constexpr std::size_t kPairColumns = 5;  // row, hyp, distance, cor, sub
constexpr std::size_t kEditColumns = 3;  // pair, kind, length

using Flags = std::optional<pm::FlagArray>;
using Mask = std::optional<pm::MaskArray>;

// The ground truth with its notations; the arrays must stay valid.
class NotedGroundTruth {
  public:
    NotedGroundTruth(const pm::IntArray& tokens, const pm::PairArray& rows, const pm::IntArray& first_row, int alphabet,
                     const pm::MaskArray& matches, const pm::IntArray& gap, const pm::IntArray& weight)
        : tokens_(tokens), rows_(rows), first_row_(first_row), matches_(matches), gap_(gap), weight_(weight) {
        const std::size_t specials = gap.shape(0);
        const auto known = static_cast<std::size_t>(alphabet);
        if (matches.shape(0) != specials || matches.shape(1) != known || weight.shape(0) != known) {
            throw std::invalid_argument("each special token needs a flag for each token");
        }
        page_.rows = pm::slices(tokens_, rows_, alphabet + static_cast<int>(specials));
        page_.first_row = pm::Vector<std::int32_t>(first_row.data(), first_row.data() + first_row.shape(0));
        if (first_row.shape(0) == 0 || page_.first_row[0] != 0 || page_.first_row.back() != page_.rows.size() ||
            std::adjacent_find(page_.first_row.begin(), page_.first_row.end(), std::greater_equal<>()) !=
                page_.first_row.end()) {
            throw std::invalid_argument("each line needs a row");
        }
        page_.alphabet = alphabet;
        page_.matches = {reinterpret_cast<const std::uint8_t*>(matches_.data()), specials * known};
        page_.gap = pm::view(gap_);
        page_.weight = pm::view(weight_);
    }

    const pm::NotedPage& page() const { return page_; }

    pm::Table lines(const pm::IntArray& hyp, const pm::PairArray& hyp_lines, const Mask& mask, const Flags& gt_optional,
                    const Flags& hyp_optional, bool ordered) const {
        const pm::Slices h = pm::slices(hyp, hyp_lines, page_.alphabet);
        const pm::NotedPage page = with_optional(gt_optional, hyp_optional, h.bounds.size(), hyp);
        const pm::Neighbours near = pm::neighbours(mask, line_count(), h.bounds.size());
        std::vector<std::int32_t> out;
        pm::released([&] {
            const std::vector<pm::LinePair> pairs = ordered ? pm::NotedOrderedLines(page, h, near).solve()
                                                            : pm::NotedFreeLines(page, h, near).solve();
            pm::NotedAlignment alignment(page);
            for (const pm::LinePair& p : pairs) {
                const pm::NotedCounts best = alignment.best(p.gt, h[p.hyp]);
                const pm::PairCounts c = best.counts();
                out.insert(out.end(), {best.row, p.hyp, c.distance, c.cor, c.sub});
            }
        });
        return pm::table(std::move(out), kPairColumns);
    }

    pm::Table ordered_segments(const pm::IntArray& hyp, const pm::PairArray& words, const pm::IntArray& word_line,
                               const Mask& mask, const Flags& gt_optional, const Flags& hyp_optional) const {
        const pm::Words w = pm::words(hyp, words, word_line, page_.alphabet);
        const pm::NotedPage page = with_optional(gt_optional, hyp_optional, pm::lines_of(w.line), hyp);
        const pm::Neighbours near = pm::neighbours(mask, line_count(), pm::lines_of(w.line));
        return run_table(page, w, pm::released([&] { return pm::NotedOrderedSegments(page, w, near).solve(); }));
    }

    // The runs, the lower bound of the errors, whether the counts are canonical, and whether time ended the search.
    nb::tuple free_segments(const pm::IntArray& hyp, const pm::PairArray& words, const pm::IntArray& word_line,
                            const Mask& mask, const Flags& gt_optional, const Flags& hyp_optional, double steps,
                            double seconds) const {
        const pm::Words w = pm::words(hyp, words, word_line, page_.alphabet);
        const pm::NotedPage page = with_optional(gt_optional, hyp_optional, pm::lines_of(w.line), hyp);
        const pm::Neighbours near = pm::neighbours(mask, line_count(), pm::lines_of(w.line));
        pm::Effort effort(steps, seconds);
        const pm::WorkCount::Scope scope(effort.work());
        std::int64_t lower_bound = 0;
        bool canonical = false;
        const std::vector<pm::Run> runs = pm::released([&] {
            const pm::NotedFreeSegments solver(page, w, near, effort);
            lower_bound = solver.lower_bound();
            canonical = solver.canonical();
            return solver.runs();
        });
        return nb::make_tuple(run_table(page, w, runs), lower_bound, canonical, effort.interrupted());
    }

    pm::Table edits(const pm::IntArray& rows, const pm::IntArray& hyp, const pm::PairArray& spans) const {
        const pm::Slices h{pm::view(hyp), {reinterpret_cast<const pm::Bounds*>(spans.data()), spans.shape(0)}};
        if (rows.shape(0) != spans.shape(0)) throw std::invalid_argument("each reading needs a span");
        for (std::size_t i = 0; i < rows.shape(0); ++i) {
            const pm::Bounds b = h.bounds[i];
            if (rows(i) < 0 || rows(i) >= page_.rows.size() || b.begin < 0 || b.end < b.begin ||
                b.end > h.tokens.count()) {
                throw std::invalid_argument("spans must lie within the tokens");
            }
        }
        for (pm::Token t : h.tokens) {
            if (t < 0 || t >= page_.alphabet) throw std::invalid_argument("a token is outside the alphabet");
        }
        std::vector<std::int32_t> out;
        pm::released([&] {
            pm::NotedEdits alignment(page_);
            for (int i = 0; i < h.size(); ++i) {
                const pm::Vector<std::uint8_t> moves = alignment.align(rows.data()[i], h[i]);
                for (int from = 0; from < moves.count();) {
                    int to = from;
                    while (to < moves.count() && moves[to] == moves[from]) ++to;
                    out.insert(out.end(), {i, moves[from], to - from});
                    from = to;
                }
            }
        });
        return pm::table(std::move(out), kEditColumns);
    }

  private:
    std::size_t line_count() const { return pm::unsigned_index(page_.lines()); }

    pm::NotedPage with_optional(const Flags& gt, const Flags& hyp, std::size_t hyp_lines,
                                const pm::IntArray& tokens) const {
        pm::check_tokens(tokens_.shape(0) + tokens.shape(0));
        pm::NotedPage page = page_;
        page.optional = pm::optional_lines(gt, line_count(), hyp, hyp_lines);
        return page;
    }

    static pm::Table run_table(const pm::NotedPage& page, const pm::Words& words, const std::vector<pm::Run>& runs) {
        std::vector<std::int32_t> out;
        pm::NotedAlignment alignment(page);
        for (const pm::Run& r : runs) {
            const pm::NotedCounts best = alignment.best(r.gt, words.run(r.begin, r.end));
            const pm::PairCounts c = best.counts();
            out.insert(out.end(), {best.row, r.begin, r.end, c.distance, c.cor, c.sub});
        }
        return pm::table(std::move(out), pm::kRunColumns);
    }

    pm::IntArray tokens_;
    pm::PairArray rows_;
    pm::IntArray first_row_;
    pm::MaskArray matches_;
    pm::IntArray gap_;
    pm::IntArray weight_;
    pm::NotedPage page_;
};

}  // namespace

void bind_notations(nb::module_& m) {
    nb::class_<NotedGroundTruth>(m, "NotedGroundTruth")
        .def(nb::init<const pm::IntArray&, const pm::PairArray&, const pm::IntArray&, int, const pm::MaskArray&,
                      const pm::IntArray&, const pm::IntArray&>(),
             "tokens"_a, "rows"_a, "first_row"_a, "alphabet"_a, "matches"_a, "gap"_a, "weight"_a)
        .def("lines", &NotedGroundTruth::lines, "hyp"_a, "hyp_lines"_a, "mask"_a.none(), "gt_optional"_a.none(),
             "hyp_optional"_a.none(), "ordered"_a)
        .def("ordered_segments", &NotedGroundTruth::ordered_segments, "hyp"_a, "hyp_words"_a, "word_line"_a,
             "mask"_a.none(), "gt_optional"_a.none(), "hyp_optional"_a.none())
        .def("free_segments", &NotedGroundTruth::free_segments, "hyp"_a, "hyp_words"_a, "word_line"_a, "mask"_a.none(),
             "gt_optional"_a.none(), "hyp_optional"_a.none(), "steps"_a, "seconds"_a)
        .def("edits", &NotedGroundTruth::edits, "rows"_a, "hyp"_a, "spans"_a);
}
