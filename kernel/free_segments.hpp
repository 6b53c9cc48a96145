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
#include <map>
#include <stdexcept>
#include <utility>

#include "fine_sweep.hpp"
#include "free.hpp"
#include "label_search.hpp"
#include "line_kinds.hpp"
#include "ordered_segments.hpp"
#include "pool_bound.hpp"
#include "swept_bound.hpp"

namespace pagemeter {

class FreeSegments {
  public:
    FreeSegments(const Slices& gt, const Words& hyp, Neighbours near, int alphabet, const Stop& stop)
        : kinds_(gt, near, SegmentPage(gt, hyp, near).joined),
          page_({gt.tokens, kinds_.bounds}, hyp, near),
          gt_(page_.gt()),
          words_(page_.words()),
          bound_(words_.size(), kinds_, dearest()),
          incumbent_(words_.size(), kinds_),
          everything_(gt.total() + words_.total()) {
        upper_ = everything_ - least_errors(gt);
        std::vector<PoolRun> in_order;
        for (const Run& r : OrderedSegments(gt, hyp, near, alphabet).solve()) in_order.push_back(pool_run(r));
        incumbent_.offer(std::move(in_order));
        incumbent_.offer(unsegmented(gt, alphabet));
        canonical_ = incumbent_.save() == everything_;  // no errors: nothing is left to choose
        if (!canonical_) list_runs(alphabet, stop);
    }

    // Whether no solution has fewer errors than the incumbent.
    bool proven() const { return upper_ <= incumbent_.save(); }
    // Whether the incumbent's counts are the canonical ones: found so by the search, or because they meet a bound.
    // Where words join with nothing |HYP| is fixed, errors >= max(|GT|,|HYP|) - COR bounds COR, and COR fixes SUB.
    bool canonical() const {
        if (canonical_ || !proven() || page_.joined) return canonical_;
        std::int64_t cor = 0;
        for (const PoolRun& r : incumbent_.runs()) cor += counts(r).cor;
        return cor + (everything_ - incumbent_.save()) == std::max(everything_ - words_.total(), words_.total());
    }
    bool complete() const { return complete_; }
    std::int64_t lower_bound() const { return everything_ - std::max(upper_, incumbent_.save()); }
    // The runs of the pool, at most so many: those with which a solution could save most.
    std::vector<PoolRun> best_runs(std::size_t most) const { return bound_.best(most); }
    const LineKinds& kinds() const { return kinds_; }

    // Multiplier steps from the present ones until the bound meets the incumbent or stalls.
    void ascend(const Stop& stop) {
        if (!complete_) return;
        bound_.ascend(0, incumbent_, stop);
        lower_upper(bound_.upper());
    }

    // Multipliers found elsewhere; any are valid.
    void set_multipliers(const std::vector<double>& lambda) {
        const std::vector<std::int64_t> most = dearest();
        for (std::size_t x = 0; x < most.size(); ++x) {
            bound_.relaxation.lambda[x] = std::llround(std::clamp(lambda[x] * kUnit, 0.0, static_cast<double>(most[x])));
        }
    }

    // Tries whether a solution is as good as the bound allows: if there is one the canonical of them is the incumbent, if
    // there is none the bound is lowered. False if that stays open with `most_open` labels at a boundary.
    bool decide(std::size_t most_open, const Stop& stop) {
        if (!complete_ || canonical_) return canonical_;
        const std::int64_t target = std::max(upper_, incumbent_.save());
        PoolBound trial = bound_;
        trial.settle(target);
        if (trial.upper() >= target) trial.ascend(target, incumbent_, stop);
        if (trial.upper() < target) return lower_upper(target - 1);
        const auto gain = [this](const PoolRun& r) {
            const PairCounts c = counts(r);
            return r.save * LexicographicKey::kEdit - c.cor * LexicographicKey::kCor + c.sub;
        };
        const auto found = LabelSearch(trial.runs, gain, trial.relaxation, target * kUnit).solve(most_open, stop);
        if (!found) return false;
        if (!found->exact || found->save < target) {
            incumbent_.offer(found->runs);
            return found->exact && lower_upper(target - 1);
        }
        incumbent_.set(found->runs, found->save);
        upper_ = target;
        return canonical_ = true;
    }

    std::vector<Run> runs() const {
        std::vector<Run> out;
        std::vector<char> used(kinds_.kind_of.size(), 0);
        std::vector<std::size_t> next(kinds_.members.size(), 0);
        // Blind runs take any line of their length that the others leave.
        for (bool blind : {false, true}) {
            for (const PoolRun& r : incumbent_.runs()) {
                if (kinds_.is_blind(r.kind) != blind) continue;
                const auto kind = static_cast<std::size_t>(r.kind);
                while (used[static_cast<std::size_t>(kinds_.members[kind][next[kind]])]) ++next[kind];
                const int x = kinds_.members[kind][next[kind]];
                used[static_cast<std::size_t>(x)] = 1;
                out.push_back({x, r.begin, r.end, counts(r)});
            }
        }
        std::sort(out.begin(), out.end(), [](const Run& a, const Run& b) { return a.gt < b.gt; });
        return out;
    }

  private:
    static constexpr std::uint64_t kFineUnit = 1 << 10;
    static constexpr std::uint64_t kMostUnits = 1 << 26;  // of all costs together: they stay far from overflow
    static constexpr std::int64_t kMostCells = 4'000'000'000;

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
        const int distance = kinds_.length[static_cast<std::size_t>(r.kind)] + letters_of(r.begin, r.end) - r.save;
        if (kinds_.is_blind(r.kind)) return {distance, 0, r.save};
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

    // The best matching of whole HYP lines, as runs.
    std::vector<PoolRun> unsegmented(const Slices& gt, int alphabet) const {
        std::vector<Bounds> lines;
        std::vector<Bounds> line_words;
        for (int w = 0; w < words_.size(); ++w) {
            const bool fresh = w == 0 || page_.word_line[static_cast<std::size_t>(w)] != page_.word_line[static_cast<std::size_t>(w) - 1];
            if (fresh) {
                lines.push_back({words_.begin(w), words_.end(w)});
                line_words.push_back({w, w + 1});
            } else {
                lines.back().end = words_.end(w);
                line_words.back().end = w + 1;
            }
        }
        std::vector<std::uint8_t> mask;
        for (int x = 0; page_.near.restricted() && x < gt.size(); ++x) {
            for (const Bounds& b : line_words) mask.push_back(page_.allows(x, b.begin));
        }
        const Neighbours near{page_.near.restricted() ? mask.data() : nullptr, lines.size()};
        std::vector<PoolRun> runs;
        for (const LinePair& p : Free(gt, {words_.tokens, lines}, near, alphabet).solve()) {
            const Bounds& b = line_words[static_cast<std::size_t>(p.hyp)];
            runs.push_back(pool_run({p.gt, b.begin, b.end, p.counts}));
        }
        return runs;
    }

    // The pool by sweeps. Fine sweeps over characters take a second for 40,000 of them on both sides.
    void list_runs(int alphabet, const Stop& stop) {
        const SegmentPage mirror = page_.mirrored();
        RunFinder finder(page_, kinds_, alphabet);
        const std::int64_t cells = (everything_ - words_.total()) * words_.total();
        const auto unit = static_cast<int>(std::bit_floor(std::clamp(kMostUnits / static_cast<std::uint64_t>(everything_), std::uint64_t{1}, kFineUnit)));
        std::vector<std::int32_t> start;
        if (page_.joined) {
            RunSweep ahead(page_, alphabet);
            RunSweep back(mirror, alphabet);
            SweptBound<RunSweep> whole(page_, kinds_, ahead, back, finder, incumbent_);
            take(whole, whole.narrow(whole.scaled_saves(stop), stop), 1);
            for (std::int32_t lambda : whole.multipliers()) start.push_back(lambda * unit);
        }
        if (complete_ || stop() || (page_.joined && cells > kMostCells)) return;
        FineSweep ahead(page_, kinds_, unit);
        FineSweep back(mirror, kinds_, unit);
        SweptBound<FineSweep> fine(page_, kinds_, ahead, back, finder, incumbent_);
        if (start.empty()) start = fine.scaled_saves(stop);
        take(fine, fine.narrow(std::move(start), stop), unit);
    }

    template <class Sweep>
    void take(const SweptBound<Sweep>& bound, std::optional<std::vector<PoolRun>> pool, int unit) {
        lower_upper(bound.upper());
        for (std::size_t x = 0; x < kinds_.supply.size(); ++x) {
            bound_.relaxation.lambda[x] = bound.multipliers()[x] * (kUnit / unit);
        }
        complete_ = pool.has_value();
        if (complete_) bound_.runs = std::move(*pool);
    }

    bool lower_upper(std::int64_t bound) {
        upper_ = std::min(upper_, std::max(incumbent_.save(), bound));
        return true;
    }

    // No run saves more than twice its GT line's length, so no multiplier need be higher.
    std::vector<std::int64_t> dearest() const {
        std::vector<std::int64_t> most;
        for (int m : kinds_.length) most.push_back(2 * m * kUnit);
        return most;
    }

    LineKinds kinds_;
    SegmentPage page_;
    Slices gt_;  // one line of each kind
    Slices words_;
    PoolBound bound_;  // its pool holds all runs that matter, if complete
    Incumbent incumbent_;
    std::int64_t everything_;
    std::int64_t upper_ = 0;  // no solution saves more
    bool complete_ = false;
    bool canonical_ = false;
};

}  // namespace pagemeter
