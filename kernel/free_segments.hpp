// S and SG: give runs of HYP words to GT lines in any order. docs/design/free-segments.md derives the method.
//     1. A first sweep, which proves the minimum of clean pages (sweep_bound.hpp), and RS as a first solution.
//     2. If that is no proof: further first solutions (first_solutions.hpp), for words also a bound (most_correct.hpp),
//        and a Lagrangian bound by sweeps that list no runs (sweep_bound.hpp).
//     3. The runs that this bound leaves are listed (run_pool.hpp).
//     4. The bound over these runs: relaxed solutions are repaired, runs that cannot matter are removed (packing.hpp).
//     5. An exact search over the runs that are left, part by part (parts.hpp, branch_search.hpp).
//     6. Steps 4 and 5 again for the canonical counts (canonical_counts.hpp).
#pragma once

#include <bit>
#include <cmath>
#include <utility>

#include "canonical_counts.hpp"
#include "first_solutions.hpp"
#include "fractional_sweep.hpp"
#include "line_kinds.hpp"
#include "most_correct.hpp"
#include "packing.hpp"
#include "sweep_bound.hpp"

namespace pagemeter {

class FreeSegments {
  public:
    FreeSegments(const Slices& gt, const Words& hyp, Neighbours near, int alphabet, const OptionalLines& optional,
                 bool characters, Effort& stop)
        : kinds_(gt, near, characters || SegmentPage(gt, hyp, near, optional).joined, optional),
          page_({gt.tokens, kinds_.bounds}, hyp, near, kinds_.optional(optional)),
          gt_(page_.gt()),
          words_(page_.words()),
          gt_tokens_(gt.total()),
          all_tokens_(page_.all_words_cost()),
          errors_stage_(words_.size(), kinds_, kUnit) {
        for (int x = 0; x < gt.size(); ++x) all_tokens_ += optional.has_gt(x) ? 0 : gt.length(x);
        // What holds only without joining tokens is not proven for optional text. For characters that meet without a
        // token it holds, but sweeps with bit vectors are faster.
        page_.joined |= page_.weighted || characters;
        RunFinder finder(page_, kinds_, alphabet);
        IntegerBound whole;
        FractionalBound fine;
        if (page_.joined) look(whole, alphabet, finder, stop);
        if (!proven()) {
            offer_first(ordered_runs(gt, hyp, near, alphabet, optional), true);
            errors_stage_.lower(all_tokens_ - least_errors(gt, optional, alphabet));
        }
        if (!proven() && !stop() && !page_.joined) look(fine, unit(), finder, stop);
        const FirstSolutions first(gt, hyp, near, alphabet, optional);
        if (!proven() && !stop()) match_lines(first);
        if (!proven() && !stop() && !page_.joined) count_correct(first, gt.total(), alphabet, stop);
        try {
            if (!canonical() && !stop()) list_runs(whole, fine, finder, stop);
        } catch (const PageTooLarge&) {
            complete_ = false;  // the first solutions and bounds remain, as if the work were spent
        }
        if (!canonical() && complete_) close_gap(stop);
    }

    // True if no solution has fewer errors than the incumbent.
    bool proven() const { return errors_stage_.proven(); }
    std::int64_t lower_bound() const {
        return all_tokens_ - std::max(errors_stage_.upper(), errors_stage_.incumbent.save());
    }
    // True if the incumbent's counts are proven to be canonical: by the second stage, or because there are no errors,
    // or because COR meets a bound. If nothing joins words, |HYP| is fixed, so errors >= max(|GT|,|HYP|) - COR bounds
    // COR from below, and COR determines SUB.
    bool canonical() const {
        if (counts_proven_) return true;
        if (!proven()) return false;
        if (errors_stage_.incumbent.save() == all_tokens_) return true;
        if (page_.joined) return false;
        std::int64_t cor = 0;
        for (const PoolRun& r : best_runs()) cor += counts(r).cor;
        const std::int64_t errors = all_tokens_ - errors_stage_.incumbent.save();
        return cor + errors == std::max(all_tokens_ - words_.total(), words_.total());
    }

    // The runs of the best solution.
    Vector<Run> runs() const {
        Vector<Run> out;
        Vector<char> used(kinds_.kind_of.size(), 0);
        Vector<std::size_t> next(kinds_.members.size(), 0);
        // A blind run takes any unused line of its length. If the solution is not proven to be optimal, the run may
        // have a word in common with that line, so its counts are computed again.
        for (bool blind : {false, true}) {
            for (const PoolRun& r : best_runs()) {
                if (kinds_.is_blind(r.kind) != blind) continue;
                while (used[kinds_.members[r.kind][next[r.kind]]]) ++next[r.kind];
                const int x = kinds_.members[r.kind][next[r.kind]];
                used[x] = 1;
                const PairCounts counted = counts(r);
                const Tokens line = gt_[kinds_.kind_of[x]];
                out.push_back({x, r.begin, r.end,
                               blind ? canonical_counts(words_.run(r.begin, r.end), line, counted.distance) : counted});
            }
        }
        std::sort(out.begin(), out.end(), [](const Run& a, const Run& b) { return a.gt < b.gt; });
        return out;
    }

  private:
    using IntegerBound = std::optional<SweepBound<IntegerSweep>>;
    using FractionalBound = std::optional<SweepBound<FractionalSweep>>;

    static constexpr std::int64_t kUnit = 1 << 16;
    static constexpr std::uint64_t kFineUnit = 1 << 10;
    static constexpr std::uint64_t kMostUnits = 1 << 26;  // limit of all costs together, far from overflow
    static constexpr std::int64_t kMostCells = 4'000'000'000;

    PoolRun pool_run(const Run& r) const {
        const int kind = kinds_.kind_of[r.gt];
        const int m = gt_.length(kind);
        const int letters = letters_of(r.begin, r.end);
        const int save = page_.gt_cost[kind] + letters - r.counts.distance;
        const bool blind = kinds_.blind(kind) >= 0 && save == std::min(letters, m);
        return {r.begin, r.end, blind ? kinds_.blind(kind) : kind, 0, save};
    }
    // Letters of optional words do not count.
    int letters_of(int a, int b) const {
        int letters = 0;
        for (int w = a; w < b; ++w) letters += page_.word_cost[w];
        return letters;
    }
    PairCounts counts(const PoolRun& r) const {
        const auto save = static_cast<int>(r.save);
        if (kinds_.is_blind(r.kind)) return {kinds_.length[r.kind] + letters_of(r.begin, r.end) - save, 0, save};
        const int distance = page_.gt_cost[r.kind] + letters_of(r.begin, r.end) - save;
        return canonical_counts(words_.run(r.begin, r.end), gt_[r.kind], distance);
    }

    // A lower bound of the errors of every solution: tokens of required GT lines that HYP lacks, or required HYP
    // letters in excess of all GT tokens.
    std::int64_t least_errors(const Slices& gt, const OptionalLines& optional, int alphabet) const {
        Vector<std::int64_t> have(alphabet, 0);
        for (Token t : words_.tokens) ++have[t];
        std::int64_t missing = 0;
        for (int x = 0; x < gt.size(); ++x) {
            if (optional.has_gt(x)) continue;
            for (Token t : gt[x]) missing += --have[t] < 0;
        }
        return std::max(missing, page_.all_words_cost() - gt.total());
    }

    // Computes the most-correct bound, and the best solution for the order of GT lines that it suggests.
    void count_correct(const FirstSolutions& first, std::int64_t gt_total, int alphabet, const Effort& stop) {
        MostCorrect most(page_, kinds_, gt_total);
        const std::optional<Packing> correct = most.packing(alphabet, stop);
        if (!correct) return;
        errors_stage_.lower(all_tokens_ - std::max(gt_total, words_.total()) + correct->upper());
        by_correct_ = most.multipliers(*correct);
        if (!proven()) offer_first(first.in_order(most.order(correct->incumbent.runs())));
    }

    // Offers the best matching of whole lines, and the best runs for the order of the GT lines in that matching.
    void match_lines(const FirstSolutions& first) {
        Vector<Run> whole;
        try {
            whole = first.whole_lines();
        } catch (const PageTooLarge&) {
            return;  // the pages are too large for this heuristic
        }
        offer_first(whole);
        const Vector<int> order = first.order_of(whole);
        if (!proven() && !std::is_sorted(order.begin(), order.end())) offer_first(first.in_order(order));
    }

    void offer_first(const Vector<Run>& solution, bool preferred = false) {
        Vector<PoolRun> runs;
        for (const Run& r : solution) {
            const PoolRun run = pool_run(r);
            if (run.save >= 0) runs.push_back(run);  // whole lines are matched as if nothing were optional
        }
        errors_stage_.incumbent.offer(std::move(runs), preferred);
    }

    // Starts the sweeps, and takes the bound and the solution of the first one.
    template <class Sweep>
    void look(std::optional<SweepBound<Sweep>>& sweeps, int setting, RunFinder& finder, Effort& stop) {
        try {
            sweeps.emplace(page_, kinds_, setting, finder, errors_stage_.incumbent);
        } catch (const PageTooLarge&) {
            return;
        }
        sweeps->look(stop);
        errors_stage_.lower(sweeps->upper());
    }

    // The unit of fractional multipliers.
    int unit() const {
        const std::int64_t tokens = std::max<std::int64_t>(gt_tokens_ + words_.total(), 1);
        const auto most = kMostUnits / static_cast<std::uint64_t>(tokens);
        return static_cast<int>(std::bit_floor(std::clamp(most, std::uint64_t{1}, kFineUnit)));
    }

    // Lists the pool by sweeps. Fractional sweeps over characters take a second for 40,000 of them on both sides.
    void list_runs(IntegerBound& whole, FractionalBound& fine, RunFinder& finder, const Effort& stop) {
        PoolBound known(words_.size(), kinds_, kUnit);
        Vector<std::int32_t> start;
        if (page_.joined) {
            if (!whole) return;
            whole->start({}, false, stop);
            take(*whole, whole->narrow(known, stop), 1);
            for (std::int32_t lambda : whole->multipliers()) start.push_back(lambda * unit());
        }
        if (complete_ || stop() || (page_.joined && gt_tokens_ * words_.total() > kMostCells)) return;
        if (!fine) fine.emplace(page_, kinds_, unit(), finder, errors_stage_.incumbent);
        for (double lambda : by_correct_) start.push_back(static_cast<std::int32_t>(std::lround(lambda * unit())));
        fine->start(start, page_.joined, stop);
        take(*fine, fine->narrow(known, stop), unit());
    }

    // Finds the fewest errors, then the canonical counts among all solutions with the fewest errors.
    void close_gap(const Effort& stop) {
        errors_stage_.settle(stop);
        const std::int64_t tokens = gt_tokens_ + words_.total();
        if (!proven() || canonical() || stop() || !CanonicalCounts::possible(gt_tokens_, tokens)) return;
        errors_stage_.bound.prune(errors_stage_.incumbent.save());
        CanonicalCounts found(gt_tokens_, tokens);
        const auto counted = [&](const PoolRun& r) { return page_.is_optional(r.kind) ? PairCounts{} : counts(r); };
        found.solve(errors_stage_.bound, words_.size(), kinds_, errors_stage_.incumbent.runs(), counted, stop);
        if (save_of(found.runs()) < errors_stage_.incumbent.save()) return;
        best_ = found.runs();
        counts_proven_ = found.proven();
    }

    static std::int64_t save_of(const Vector<PoolRun>& runs) {
        std::int64_t save = 0;
        for (const PoolRun& r : runs) save += r.save;
        return save;
    }

    // The runs of the best solution.
    const Vector<PoolRun>& best_runs() const { return best_.empty() ? errors_stage_.incumbent.runs() : best_; }

    template <class Sweep>
    void take(const SweepBound<Sweep>& bound, std::optional<Vector<PoolRun>> pool, int unit) {
        errors_stage_.lower(bound.upper());
        for (std::size_t x = 0; x < kinds_.supply.size(); ++x) {
            errors_stage_.bound.relaxation.lambda[x] = bound.multipliers()[x] * (kUnit / unit);
        }
        complete_ = pool.has_value();
        if (!complete_) return;
        errors_stage_.bound.runs = std::move(*pool);
        errors_stage_.prune();
    }

    LineKinds kinds_;
    SegmentPage page_;
    Slices gt_;  // one line of each kind
    Slices words_;
    std::int64_t gt_tokens_;
    std::int64_t all_tokens_;  // required ones
    Packing errors_stage_;
    Vector<PoolRun> best_;  // the solution of the second stage, which may be better in its counts
    bool counts_proven_ = false;
    Vector<double> by_correct_;  // multipliers of the most-correct bound, in errors
    bool complete_ = false;  // whether all runs that matter have been listed
};

}  // namespace pagemeter
