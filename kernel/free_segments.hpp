// S and SG: give runs of HYP words to GT lines in any order. docs/design/free-segments.md derives the method.
//     1. First solutions from RS and from whole lines (first_solutions.hpp), for words also a bound (most_correct.hpp).
//     2. A Lagrangian bound by sweeps that list no runs (sweep_bound.hpp).
//     3. The runs that this bound leaves are listed (run_pool.hpp).
//     4. The bound over these runs: relaxed solutions are repaired, runs that cannot matter are removed (packing.hpp).
//     5. An exact search over the runs that are left (branch_search.hpp).
//     6. Steps 4 and 5 again for the canonical counts (refine).
#pragma once

#include <bit>
#include <cmath>
#include <map>
#include <stdexcept>
#include <utility>

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
                 bool characters, const Effort& stop)
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
        const FirstSolutions first(gt, hyp, near, alphabet, optional);
        offer_first(ordered_runs(gt, hyp, near, alphabet, optional));
        errors_stage_.lower(all_tokens_ - least_errors(gt, optional));
        if (!proven() && !stop() && !page_.joined) match_lines(first);
        if (!canonical() && !stop() && !page_.joined) count_correct(first, gt.total(), alphabet, stop);
        try {
            if (!canonical() && !stop()) list_runs(first, alphabet, stop);
        } catch (const PageTooLarge&) {
            complete_ = false;  // the first solutions and bounds remain, as if the work were spent
        }
    }

    // True if no solution has fewer errors than the incumbent.
    bool proven() const { return errors_stage_.proven(); }
    std::int64_t lower_bound() const {
        return all_tokens_ - std::max(errors_stage_.upper(), errors_stage_.incumbent.save());
    }
    // True if the bound of the present stage is met: first for the errors, then for the counts.
    bool settled() const { return counts_stage_ ? counts_stage_->proven() : errors_stage_.proven(); }
    // True if the incumbent's counts are proven to be canonical: by the second stage, or because there are no errors,
    // or because COR meets a bound. If nothing joins words, |HYP| is fixed, so errors >= max(|GT|,|HYP|) - COR bounds
    // COR from below, and COR determines SUB.
    bool canonical() const {
        if (counts_stage_) return counts_stage_->proven();
        if (!proven()) return false;
        if (errors_stage_.incumbent.save() == all_tokens_) return true;
        if (page_.joined) return false;
        std::int64_t cor = 0;
        for (const PoolRun& r : errors_stage_.incumbent.runs()) cor += counts(r).cor;
        const std::int64_t errors = all_tokens_ - errors_stage_.incumbent.save();
        return cor + errors == std::max(all_tokens_ - words_.total(), words_.total());
    }
    // True if all runs that matter have been listed. The functions below require it.
    bool complete() const { return complete_; }
    const LineKinds& kinds() const { return kinds_; }

    // The `most` runs with the highest bounds.
    Vector<PoolRun> best_runs(std::size_t most) const { return stage().bound.best(most); }
    // The bound of the present stage.
    std::int64_t stage_bound() const { return stage().upper(); }
    // The save of a run of the present stage, in errors.
    double in_errors(std::int64_t save) const { return static_cast<double>(save) / worth(); }

    void improve_bound(const Effort& stop) { stage().improve_bound(stop); }
    bool decide(int most_branches, const Effort& stop) { return stage().decide(most_branches, stop); }

    // Sets multipliers, in errors. Any values are valid.
    void set_multipliers(const Vector<double>& lambda) {
        Lagrangian& relaxation = stage().bound.relaxation;
        if (lambda.size() != relaxation.lambda.size()) throw std::invalid_argument("each kind needs a multiplier");
        const double scale = worth() * static_cast<double>(relaxation.unit);
        for (std::size_t x = 0; x < lambda.size(); ++x) {
            const double most = 2.0 * kinds_.length[x];
            const double given = std::isnan(lambda[x]) ? 0.0 : lambda[x];
            relaxation.lambda[x] = std::llround(std::clamp(given, 0.0, most) * scale);
        }
    }

    // Starts the second stage, after the errors are proven: among the remaining runs, find the solution with the
    // highest rank, by LD, then fewest COR, then most SUB. Returns false if such ranks could overflow.
    bool refine() {
        const std::int64_t base = gt_tokens_ + 1;
        const std::int64_t most = gt_tokens_ + words_.total();
        if (counts_stage_ || most > kMostRank / base / base) return false;
        const auto ranked = [&](Vector<PoolRun> runs) {
            for (PoolRun& r : runs) {
                const PairCounts c = page_.is_optional(r.kind) ? PairCounts{} : counts(r);
                r.save = (r.save * base - c.cor) * base + c.sub;
            }
            return runs;
        };
        const auto room = static_cast<std::uint64_t>(kMostRank / base / base / most);
        const auto unit = static_cast<std::int64_t>(std::bit_floor(std::clamp<std::uint64_t>(room, 1, kUnit)));
        errors_stage_.bound.prune(errors_stage_.incumbent.save());
        Vector<double> lambda;
        for (std::int64_t l : errors_stage_.bound.relaxation.lambda) lambda.push_back(static_cast<double>(l) / kUnit);
        counts_stage_.emplace(words_.size(), kinds_, unit);
        counts_stage_->bound.runs = ranked(errors_stage_.bound.runs);
        counts_stage_->incumbent.offer(ranked(errors_stage_.incumbent.runs()));
        base_ = base;
        set_multipliers(lambda);
        counts_stage_->prune();
        return true;
    }

    Vector<Run> runs() const {
        Vector<Run> out;
        Vector<char> used(kinds_.kind_of.size(), 0);
        Vector<std::size_t> next(kinds_.members.size(), 0);
        // A blind run takes any unused line of its length. If the solution is not proven to be optimal, the run may
        // have a word in common with that line, so its counts are computed again.
        for (bool blind : {false, true}) {
            for (const PoolRun& r : incumbent_runs()) {
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
    static constexpr std::int64_t kUnit = 1 << 16;
    // A rank is at most 2 * |GT| * base^2 for one kind. Multipliers of lines and of their blind kinds add up to at most
    // four times kMostRank, and the saves of a solution to kMostRank, so all sums stay below 2^63.
    static constexpr std::int64_t kMostRank = std::int64_t{1} << 60;
    static_assert(kUnit * kMostTokens < kMostRank);
    static constexpr std::uint64_t kFineUnit = 1 << 10;
    static constexpr std::uint64_t kMostUnits = 1 << 26;  // limit of all costs together, far from overflow
    static constexpr std::int64_t kMostCells = 4'000'000'000;

    // The value of one error in the present stage.
    double worth() const { return static_cast<double>(base_) * static_cast<double>(base_); }

    Packing& stage() { return counts_stage_ ? *counts_stage_ : errors_stage_; }
    const Packing& stage() const { return counts_stage_ ? *counts_stage_ : errors_stage_; }

    // The runs of the incumbent with their saves in errors.
    Vector<PoolRun> incumbent_runs() const {
        Vector<PoolRun> runs = stage().incumbent.runs();
        // A rank is (save * base - COR) * base + SUB, with COR and SUB below the base.
        for (PoolRun& r : runs) r.save = (r.save + base_ * (base_ - 1)) / (base_ * base_);
        return runs;
    }

    PoolRun pool_run(const Run& r) const {
        const int kind = kinds_.kind_of[r.gt];
        const int m = gt_.length(kind);
        const int letters = letters_of(r.begin, r.end);
        const int save = page_.gt_cost[kind] + letters - r.counts.distance;
        const bool blind = kinds_.blind(kind) >= 0 && save == std::min(letters, m);
        return {r.begin, r.end, blind ? kinds_.blind(kind) : kind, save};
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
    std::int64_t least_errors(const Slices& gt, const OptionalLines& optional) const {
        std::map<Token, std::int64_t> have;
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

    void offer_first(const Vector<Run>& solution) {
        Vector<PoolRun> runs;
        for (const Run& r : solution) {
            const PoolRun run = pool_run(r);
            if (run.save >= 0) runs.push_back(run);  // whole lines are matched as if nothing were optional
        }
        errors_stage_.incumbent.offer(std::move(runs));
    }

    // Lists the pool by sweeps. Fractional sweeps over characters take a second for 40,000 of them on both sides.
    void list_runs(const FirstSolutions& first, int alphabet, const Effort& stop) {
        const SegmentPage mirror = page_.mirrored();
        RunFinder finder(page_, kinds_, alphabet);
        const std::int64_t cells = gt_tokens_ * words_.total();
        const auto unit = static_cast<int>(std::bit_floor(
            std::clamp(kMostUnits / static_cast<std::uint64_t>(gt_tokens_ + words_.total()), std::uint64_t{1},
                       kFineUnit)));
        Vector<std::int32_t> start;
        if (page_.joined) {
            IntegerSweep ahead(page_, alphabet);
            IntegerSweep back(mirror, alphabet);
            SweepBound<IntegerSweep> whole(page_, kinds_, ahead, back, finder, errors_stage_.incumbent);
            if (!proven()) whole.look(stop);
            errors_stage_.lower(whole.upper());
            if (!proven() && !stop()) match_lines(first);
            whole.start({}, false, stop);
            take(whole, whole.narrow(stop), 1);
            for (std::int32_t lambda : whole.multipliers()) start.push_back(lambda * unit);
        }
        if (complete_ || stop() || (page_.joined && cells > kMostCells)) return;
        FractionalSweep ahead(page_, kinds_, unit);
        FractionalSweep back(mirror, kinds_, unit);
        SweepBound<FractionalSweep> fine(page_, kinds_, ahead, back, finder, errors_stage_.incumbent);
        if (!page_.joined) {
            for (double lambda : by_correct_) start.push_back(static_cast<std::int32_t>(std::lround(lambda * unit)));
        }
        fine.start(start, page_.joined, stop);
        take(fine, fine.narrow(stop), unit);
    }

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
    Packing errors_stage_;  // first stage: errors
    std::optional<Packing> counts_stage_;  // second stage: ranks among solutions with the fewest errors
    std::int64_t base_ = 1;  // of ranks
    Vector<double> by_correct_;  // multipliers of the most-correct bound, in errors
    bool complete_ = false;
};

}  // namespace pagemeter
