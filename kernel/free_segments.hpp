// S and SG: runs of HYP words given to GT lines in any order, NP-hard in general, solved by
//   1. incumbents from the ordered and the unsegmented problem,
//   2. a first Lagrangian bound by sweeps that list no run (swept_bound.hpp), with whole multipliers for characters,
//      with fine ones for words or where whole ones do not do,
//   3. the runs that this bound leaves to solutions as good as the incumbent (run_pool.hpp),
//   4. the Lagrangian bound over these runs; relaxed solutions are repaired to incumbents, and runs that can be in
//      none as good leave the pool (lagrangian.hpp),
//   5. an exact search over what is left, which also finds the canonical counts (label_search.hpp).
#pragma once

#include <bit>
#include <cmath>
#include <map>
#include <stdexcept>
#include <utility>

#include "fine_sweep.hpp"
#include "first_segments.hpp"
#include "line_kinds.hpp"
#include "most_correct.hpp"
#include "packing.hpp"
#include "swept_bound.hpp"

namespace pagemeter {

class FreeSegments {
  public:
    FreeSegments(const Slices& gt, const Words& hyp, Neighbours near, int alphabet, const Stop& stop)
        : kinds_(gt, near, SegmentPage(gt, hyp, near).joined),
          page_({gt.tokens, kinds_.bounds}, hyp, near),
          gt_(page_.gt()),
          words_(page_.words()),
          everything_(gt.total() + words_.total()),
          fewest_(words_.size(), kinds_, kUnit) {
        const FirstSegments first(gt, hyp, near, alphabet);
        offer_first(ordered_runs(gt, hyp, near, alphabet));
        fewest_.lower(everything_ - least_errors(gt));
        if (!canonical()) match_lines(first);
        if (!canonical() && !page_.joined) count_correct(first, gt.total(), alphabet, stop);
        if (!canonical()) list_runs(alphabet, stop);
    }

    // Whether no solution has fewer errors than the incumbent.
    bool proven() const { return fewest_.proven(); }
    std::int64_t lower_bound() const { return everything_ - std::max(fewest_.upper(), fewest_.incumbent.save()); }
    // Whether the bound of the present stage is met: of the errors, then of the counts.
    bool settled() const { return canonical_ ? canonical_->proven() : fewest_.proven(); }
    // Whether the incumbent's counts are the canonical ones: found so, or because there are no errors, or because they
    // meet a bound. Where words join with nothing |HYP| is fixed, errors >= max(|GT|,|HYP|) - COR bounds COR, and
    // COR fixes SUB.
    bool canonical() const {
        if (canonical_) return canonical_->proven();
        if (!proven()) return false;
        if (fewest_.incumbent.save() == everything_) return true;
        if (page_.joined) return false;
        std::int64_t cor = 0;
        for (const PoolRun& r : fewest_.incumbent.runs()) cor += counts(r).cor;
        return cor + (everything_ - fewest_.incumbent.save()) == std::max(everything_ - words_.total(), words_.total());
    }
    // Whether all runs that matter have been listed: the means below need them.
    bool complete() const { return complete_; }
    const LineKinds& kinds() const { return kinds_; }

    // The runs with which a solution could save most, at most so many.
    std::vector<PoolRun> best_runs(std::size_t most) const { return stage().bound.best(most); }
    // What no solution of the present stage can pass, for comparison with itself.
    std::int64_t stage_bound() const { return stage().upper(); }
    // What a run of the present stage saves, in errors.
    double in_errors(std::int64_t save) const { return static_cast<double>(save) / worth(); }

    // Takes a solution found elsewhere, as runs of the pool; true if it is one and better than the incumbent.
    bool offer(const std::vector<PoolRun>& runs) { return stage().offer(runs); }

    void ascend(const Stop& stop) { stage().ascend(stop); }
    bool decide(std::size_t most_open, const Stop& stop) { return stage().decide(most_open, stop); }

    // Multipliers found elsewhere, in errors; any are valid.
    void set_multipliers(const std::vector<double>& lambda) {
        Lagrangian& relaxation = stage().bound.relaxation;
        if (lambda.size() != relaxation.lambda.size()) throw std::invalid_argument("each kind needs a multiplier");
        const double scale = worth() * static_cast<double>(relaxation.unit);
        for (std::size_t x = 0; x < lambda.size(); ++x) {
            const double most = 2.0 * kinds_.length[x];
            const double given = std::isnan(lambda[x]) ? 0.0 : lambda[x];
            relaxation.lambda[x] = std::llround(std::clamp(given, 0.0, most) * scale);
        }
    }

    // Turns to the counts, once the errors are proven: among the runs left, the solution of the highest rank, by
    // LD, then fewest COR, then most SUB. False where such ranks would overflow.
    bool refine() {
        const std::int64_t base = everything_ - words_.total() + 1;
        if (canonical_ || everything_ > kMostRank / base / base) return false;
        const auto ranked = [&](std::vector<PoolRun> runs) {
            for (PoolRun& r : runs) {
                const PairCounts c = counts(r);
                r.save = (r.save * base - c.cor) * base + c.sub;
            }
            return runs;
        };
        const auto room = static_cast<std::uint64_t>(kMostRank / base / base / everything_);
        const auto unit = static_cast<std::int64_t>(std::bit_floor(std::clamp<std::uint64_t>(room, 1, kUnit)));
        fewest_.bound.settle(fewest_.incumbent.save());
        std::vector<double> lambda;
        for (std::int64_t l : fewest_.bound.relaxation.lambda) lambda.push_back(static_cast<double>(l) / kUnit);
        canonical_.emplace(words_.size(), kinds_, unit);
        canonical_->bound.runs = ranked(fewest_.bound.runs);
        canonical_->incumbent.offer(ranked(fewest_.incumbent.runs()));
        base_ = base;
        set_multipliers(lambda);
        canonical_->settle();
        return true;
    }

    std::vector<Run> runs() const {
        std::vector<Run> out;
        std::vector<char> used(kinds_.kind_of.size(), 0);
        std::vector<std::size_t> next(kinds_.members.size(), 0);
        // Blind runs take any line of their length that the others leave. Where it is not proven that none can do
        // better, they may have more in common with it than they were counted on for.
        for (bool blind : {false, true}) {
            for (const PoolRun& r : found()) {
                if (kinds_.is_blind(r.kind) != blind) continue;
                const auto kind = static_cast<std::size_t>(r.kind);
                while (used[static_cast<std::size_t>(kinds_.members[kind][next[kind]])]) ++next[kind];
                const int x = kinds_.members[kind][next[kind]];
                used[static_cast<std::size_t>(x)] = 1;
                const PairCounts counted = counts(r);
                const Tokens line = gt_[kinds_.kind_of[static_cast<std::size_t>(x)]];
                out.push_back({x, r.begin, r.end,
                               blind ? canonical_counts(words_.run(r.begin, r.end), line, counted.distance) : counted});
            }
        }
        std::sort(out.begin(), out.end(), [](const Run& a, const Run& b) { return a.gt < b.gt; });
        return out;
    }

  private:
    static constexpr std::int64_t kUnit = 1 << 16;
    static constexpr std::int64_t kMostRank = std::int64_t{1} << 60;
    static constexpr std::uint64_t kFineUnit = 1 << 10;
    static constexpr std::uint64_t kMostUnits = 1 << 26;  // of all costs together: they stay far from overflow
    static constexpr std::int64_t kMostCells = 4'000'000'000;

    // What an error is worth in the present stage.
    double worth() const { return static_cast<double>(base_) * static_cast<double>(base_); }

    Packing& stage() { return canonical_ ? *canonical_ : fewest_; }
    const Packing& stage() const { return canonical_ ? *canonical_ : fewest_; }

    // The runs of the incumbent, with what they save.
    std::vector<PoolRun> found() const {
        std::vector<PoolRun> runs = stage().incumbent.runs();
        // A rank is (save * base - COR) * base + SUB with COR and SUB below the base.
        for (PoolRun& r : runs) r.save = (r.save + base_ * (base_ - 1)) / (base_ * base_);
        return runs;
    }

    PoolRun pool_run(const Run& r) const {
        const int kind = kinds_.kind_of[static_cast<std::size_t>(r.gt)];
        const int m = gt_.length(kind);
        const int letters = letters_of(r.begin, r.end);
        const int save = m + letters - r.counts.distance;
        const bool blind = kinds_.blind(kind) >= 0 && save == std::min(letters, m);
        return {r.begin, r.end, blind ? kinds_.blind(kind) : kind, save};
    }
    int letters_of(int a, int b) const {
        int letters = 0;
        for (int w = a; w < b; ++w) letters += words_.length(w);
        return letters;
    }
    PairCounts counts(const PoolRun& r) const {
        const auto save = static_cast<int>(r.save);
        const int distance = kinds_.length[static_cast<std::size_t>(r.kind)] + letters_of(r.begin, r.end) - save;
        if (kinds_.is_blind(r.kind)) return {distance, 0, save};
        return canonical_counts(words_.run(r.begin, r.end), gt_[r.kind], distance);
    }

    // What every solution costs: GT tokens that HYP has nowhere, and HYP letters beyond all of GT.
    std::int64_t least_errors(const Slices& gt) const {
        std::map<Token, std::int64_t> have;
        for (Token t : words_.tokens) ++have[t];
        std::int64_t missing = 0;
        for (int x = 0; x < gt.size(); ++x) {
            for (Token t : gt[x]) missing += --have[t] < 0;
        }
        return std::max(missing, words_.total() - gt.total());
    }

    // The bound by the words that can be correct, and the best solution with GT lines in the order that these suggest.
    void count_correct(const FirstSegments& first, std::int64_t gt_total, int alphabet, const Stop& stop) {
        MostCorrect most(page_, kinds_, gt_total);
        const std::optional<Packing> correct = most.packing(alphabet, stop);
        if (!correct) return;
        fewest_.lower(everything_ - std::max(gt_total, words_.total()) + correct->upper());
        by_correct_ = most.multipliers(*correct);
        if (!proven()) offer_first(first.in_order(most.order(correct->incumbent.runs())));
    }

    // Whole HYP lines, and runs with the GT lines in the order of their matches.
    void match_lines(const FirstSegments& first) {
        const std::vector<Run> whole = first.whole_lines();
        offer_first(whole);
        const std::vector<int> order = first.order_of(whole);
        if (!proven() && !std::is_sorted(order.begin(), order.end())) offer_first(first.in_order(order));
    }

    void offer_first(const std::vector<Run>& solution) {
        std::vector<PoolRun> runs;
        for (const Run& r : solution) runs.push_back(pool_run(r));
        fewest_.incumbent.offer(std::move(runs));
    }

    // The pool by sweeps. Fine sweeps over characters take a second for 40,000 of them on both sides.
    void list_runs(int alphabet, const Stop& stop) {
        const SegmentPage mirror = page_.mirrored();
        RunFinder finder(page_, kinds_, alphabet);
        const std::int64_t cells = (everything_ - words_.total()) * words_.total();
        const auto unit = static_cast<int>(std::bit_floor(
            std::clamp(kMostUnits / static_cast<std::uint64_t>(everything_), std::uint64_t{1}, kFineUnit)));
        std::vector<std::int32_t> start;
        if (page_.joined) {
            RunSweep ahead(page_, alphabet);
            RunSweep back(mirror, alphabet);
            SweptBound<RunSweep> whole(page_, kinds_, ahead, back, finder, fewest_.incumbent);
            take(whole, whole.narrow(whole.first_multipliers({}, stop), stop), 1);
            for (std::int32_t lambda : whole.multipliers()) start.push_back(lambda * unit);
        }
        if (complete_ || stop() || (page_.joined && cells > kMostCells)) return;
        FineSweep ahead(page_, kinds_, unit);
        FineSweep back(mirror, kinds_, unit);
        SweptBound<FineSweep> fine(page_, kinds_, ahead, back, finder, fewest_.incumbent);
        if (!page_.joined) {
            for (double lambda : by_correct_) start.push_back(static_cast<std::int32_t>(std::lround(lambda * unit)));
            start = fine.first_multipliers(std::move(start), stop);
        }
        take(fine, fine.narrow(std::move(start), stop), unit);
    }

    template <class Sweep>
    void take(const SweptBound<Sweep>& bound, std::optional<std::vector<PoolRun>> pool, int unit) {
        fewest_.lower(bound.upper());
        for (std::size_t x = 0; x < kinds_.supply.size(); ++x) {
            fewest_.bound.relaxation.lambda[x] = bound.multipliers()[x] * (kUnit / unit);
        }
        complete_ = pool.has_value();
        if (!complete_) return;
        fewest_.bound.runs = std::move(*pool);
        fewest_.settle();
    }

    LineKinds kinds_;
    SegmentPage page_;
    Slices gt_;  // one line of each kind
    Slices words_;
    std::int64_t everything_;
    Packing fewest_;                    // errors
    std::optional<Packing> canonical_;  // ranks of runs among solutions with the fewest errors
    std::int64_t base_ = 1;             // of ranks
    std::vector<double> by_correct_;    // multipliers by the words that can be correct, in errors
    bool complete_ = false;
};

}  // namespace pagemeter
