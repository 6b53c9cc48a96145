// The Lagrangian bound of S and SG by sweeps that list no runs. The multipliers improve until the runs that a solution
// as good as the incumbent could contain are few enough to list.
#pragma once

#include <algorithm>
#include <limits>
#include <memory>
#include <optional>
#include <tuple>
#include <utility>

#include "branch_search.hpp"
#include "bundle.hpp"
#include "effort.hpp"
#include "incumbent.hpp"
#include "lagrangian.hpp"
#include "pool_bound.hpp"
#include "window_search.hpp"

namespace pagemeter {

// `Sweep` is IntegerSweep or FractionalSweep.
template <class Sweep>
class SweepBound {
  public:
    // `setting` is what the sweep needs besides the page: the alphabet or the unit.
    SweepBound(const SegmentPage& page, const LineKinds& kinds, int setting, RunFinder& finder, Incumbent& incumbent)
        : page_(page),
          setting_(setting),
          words_(page.words()),
          words_cost_(page.all_words_cost()),
          kinds_(kinds),
          ahead_(page, kinds, setting),
          finder_(finder),
          incumbent_(incumbent),
          bundle_(kinds) {}

    // An upper bound of what any solution saves.
    std::int64_t upper() const { return upper_; }
    // The best multipliers, in units of the sweep.
    const Vector<std::int32_t>& multipliers() const { return centre_; }

    // Improves the multipliers of `start`. Returns the runs that matter, if they could be listed.
    //
    // Every round lists the runs with the lowest costs. If no others matter, they are the result. Otherwise the
    // multipliers and the incumbent are improved over all runs that are known so far.
    std::optional<Vector<PoolRun>> narrow(PoolBound& known, const Effort& stop) {
        if (!known.runs.empty()) use(known, stop);
        for (std::size_t most_ends = kFirstEnds;; most_ends *= 2) {
            step(known.runs, stop);
            const bool listed = centre_ends_ && least_ == incumbent_.save() * ahead_.unit;
            if (!listed && !stop.allows(kListSweeps * ahead_.work())) return std::nullopt;
            const bool last = exhausted_ || upper_ <= incumbent_.save();
            if (last && kCoarse && all_matter()) return std::nullopt;
            auto pool = last ? list(kMostEnds, kMostRuns, stop) : list(most_ends, kFewRuns, stop);
            if (listed_all_) return pool;
            if (last) return std::nullopt;
            if (pool) add(known.runs, *pool);
            use(known, stop);
        }
    }

    // One sweep in which each line costs about half of what it saves: its length for characters, half of the save of
    // the incumbent for words. On clean pages the relaxed solution uses each line once, whatever their order. Then it
    // is the best one.
    void look(Effort& stop) {
        if (!stop.allows_look(ahead_.work())) return;
        Vector<std::int32_t> lambda;
        for (int worth : kCoarse ? kinds_.length : saves()) lambda.push_back(worth * ahead_.unit / (kCoarse ? 1 : 2));
        RelaxedCosts costs{kinds_.prices(lambda), {}, {}, ahead_.unit};
        ahead_.notes_tight = true;
        incumbent_.offer_part(relax(costs));
        const Vector<std::int32_t> full = lambda;
        note_bound(lambda);
        if (!std::exchange(ahead_.notes_tight, false)) return;
        centre_ends_ = std::move(ahead_.tight);
        if constexpr (kCoarse) {  // a run remains dearer than C if its line costs less than the slack
            std::erase_if(*centre_ends_, [&](const RunEnd& e) { return full[e.gt] < e.through; });
        }
    }

    // Starts at the given multipliers, if any, or at the saves of the incumbent's runs times the factor with the lowest
    // bound. If HYP words are scarce, a GT line is worth little; if they abound, it is worth all that it saves.
    void start(const Vector<std::int32_t>& given, bool only, const Effort& stop) {
        const Vector<std::int32_t> full = saves();
        if (upper_ <= incumbent_.save()) return;
        // `look` has failed: its multipliers lead the steps astray on noisy pages.
        least_ = std::numeric_limits<std::int64_t>::max();
        centre_.assign(full.size(), 0);
        centre_ends_.reset();
        if (!given.empty() && stop.allows(ahead_.work())) start_at(given);
        for (int part : {2, 4, 1, 3, 0}) {
            if (only || least_ / ahead_.unit <= incumbent_.save() || !stop.allows(ahead_.work())) break;
            Vector<std::int32_t> lambda;
            for (std::int32_t f : full) lambda.push_back(f * ahead_.unit * part / kParts);
            start_at(std::move(lambda));
        }
    }

  private:
    // Whether a sweep with finer multipliers may follow.
    static constexpr bool kCoarse = requires(const Sweep& s) { s.slack(); };
    static constexpr std::size_t kFirstEnds = 2'000;
    static constexpr std::size_t kMostEnds = 2'000'000;
    static constexpr std::size_t kFewRuns = 2'000'000;
    static constexpr std::size_t kMostRuns = 8'000'000;
    static constexpr std::int64_t kKnownUnit = 1 << 16;
    static constexpr std::int64_t kOrderSteps = 50;  // of work for one run
    static constexpr int kTuneSteps = 200;
    static constexpr std::size_t kMostKnown = 100'000;
    static constexpr std::size_t kBestRuns = 20'000;
    static constexpr int kRounds = 3;
    static constexpr int kStalls = 1;
    static constexpr int kParts = 4;
    static constexpr double kHope = 0.25;
    static constexpr int kRepairSweeps = 4;
    static constexpr int kListSweeps = 3;  // at most

    // What each kind saves in the incumbent. A length is worth what a blind run saves with it. The save of a line
    // beyond that is its own worth.
    Vector<std::int32_t> saves() const {
        Vector<std::int32_t> all = kinds_.length;
        for (const PoolRun& r : incumbent_.runs()) {
            if (kinds_.is_blind(r.kind)) continue;
            const int shared = kinds_.blind(r.kind) >= 0 ? kinds_.length[r.kind] : 0;
            all[r.kind] = std::max(0, static_cast<int>(r.save) - shared);
        }
        return all;
    }

    // Steps of the bundle method. The first relaxed solution is repaired.
    void step(Vector<PoolRun>& known, const Effort& stop) {
        Vector<std::int32_t> lambda = centre_;
        Vector<std::int32_t> most;
        for (int m : kinds_.length) most.push_back(2 * m * ahead_.unit);
        RelaxedCosts costs{{}, {}, {}, ahead_.unit};
        for (int round = 0; round < kRounds && upper_ > incumbent_.save() && !exhausted_; ++round) {
            if (!stop.allows(ahead_.work())) return;
            costs.price = kinds_.prices(lambda);
            const Vector<PoolRun> relaxed = relax(costs);
            add(known, relaxed);
            note_bound(lambda);
            bundle_.add(lambda, bound_of(lambda), relaxed, round == 0);
            if (round == 0 && stop.allows(kRepairSweeps * ahead_.work())) repair(relaxed, lambda, stop);
            bundle_.propose(incumbent_.save() * ahead_.unit, ahead_.unit, most, lambda);
            exhausted_ = bundle_.exhausted(kHope * ahead_.unit);
        }
    }

    // The runs of the relaxed solution, by one sweep.
    Vector<PoolRun> relax(RelaxedCosts& costs) {
        ahead_.sweep(costs.price);
        costs.before = ahead_.cost;
        Vector<PoolRun> runs;
        for (int b = words_.size(); b > 0;) {
            const int x = ahead_.via[b];
            if (x < 0) {
                --b;
            } else {
                runs.push_back(finder_.relaxed_run(x, b, costs, ahead_.taken));
                b = runs.back().begin;
            }
        }
        return runs;
    }

    // Repairs a relaxed solution by sweeps over the unused words. Used-up lines get a prohibitive price.
    void repair(const Vector<PoolRun>& relaxed, const Vector<std::int32_t>& lambda, const Effort& stop) {
        RelaxedCosts costs{{}, {}, {}, ahead_.unit};
        const auto rest = [&](const Vector<int>& left, const Vector<char>& taken, bool priced) {
            Vector<std::int32_t> now = priced ? lambda : Vector<std::int32_t>(lambda.size(), 0);
            for (std::size_t x = 0; x < left.size(); ++x) {
                if (left[x] <= 0) now[x] = 4 * kinds_.length[x] * ahead_.unit;
            }
            costs.price = kinds_.prices(now);
            ahead_.taken = taken;
            return relax(costs);
        };
        incumbent_.repair(relaxed, stop, rest);
        ahead_.taken.clear();
    }

    // Improves the multipliers and the incumbent over the known runs.
    void use(PoolBound& known, const Effort& stop) {
        add(known.runs, incumbent_.runs());
        order(known.runs);
        tune(known, stop);
        improve_in_windows(known, stop);
    }

    // True if the gap is so wide that hardly any run can be ruled out.
    bool all_matter() const {
        const std::int64_t gap = upper_ - incumbent_.save();
        return std::all_of(kinds_.length.begin(), kinds_.length.end(), [&](int m) { return m <= gap; });
    }

    // Improves the multipliers over the known runs. They may be wrong for the others, so if they do not improve the
    // bound, others between them and the best ones so far are tried.
    void tune(PoolBound& known, const Effort& stop) {
        const std::int64_t scale = kKnownUnit / ahead_.unit;
        for (std::size_t x = 0; x < centre_.size(); ++x) known.relaxation.lambda[x] = centre_[x] * scale;
        known.tune(kTuneSteps, incumbent_, stop);
        known.keep_best(kMostKnown);
        const Vector<std::int32_t> best = centre_;
        const std::int64_t before = least_;
        if (++stalls_ > kStalls && kCoarse) exhausted_ = true;
        for (const int part : {1, 2}) {
            for (const std::int64_t rounding : {std::int64_t{0}, scale / 2}) {
                if (!kCoarse && rounding == 0) continue;  // fine multipliers need no other rounding
                if (!stop.allows(ahead_.work())) return;
                Vector<std::int32_t> lambda = best;
                for (std::size_t x = 0; x < best.size(); ++x) {
                    const std::int64_t there = best[x] * scale + (known.relaxation.lambda[x] - best[x] * scale) / part;
                    lambda[x] = static_cast<std::int32_t>((there + rounding) / scale);
                }
                if (lambda == best) continue;
                stalls_ = 0;
                exhausted_ = false;
                RelaxedCosts costs{kinds_.prices(lambda), {}, {}, ahead_.unit};
                const Vector<PoolRun> relaxed = relax(costs);
                add(known.runs, relaxed);
                note_bound(lambda);
                bundle_.add(lambda, bound_of(lambda), relaxed);
            }
            if (least_ < before) return;
        }
    }

    // Looks for a better solution among the best runs that are known.
    void improve_in_windows(PoolBound known, const Effort& stop) {
        order(known.runs);
        known.prune(incumbent_.save() + 1);
        known.runs = known.best(kBestRuns);
        order(known.runs);
        WindowSearch(known, words_.size(), kinds_).improve(incumbent_, stop);
    }

    static void add(Vector<PoolRun>& pool, const Vector<PoolRun>& more) {
        pool.insert(pool.end(), more.begin(), more.end());
    }

    // Orders a pool by end, and drops runs that it has twice.
    static void order(Vector<PoolRun>& pool) {
        Progress progress;
        progress(kOrderSteps * pool.count());
        const auto key = [](const PoolRun& r) { return std::tuple(r.end, r.begin, r.kind); };
        std::sort(pool.begin(), pool.end(), [&](const PoolRun& a, const PoolRun& b) { return key(a) < key(b); });
        const auto same = [&](const PoolRun& a, const PoolRun& b) { return key(a) == key(b); };
        pool.erase(std::unique(pool.begin(), pool.end(), same), pool.end());
    }

    // Lists the runs that could be in a solution as good as the incumbent, or the best of them if there are too many
    // ends. Returns nothing if there are too many runs.
    std::optional<Vector<PoolRun>> list(std::size_t most_ends, std::size_t most_runs, const Effort& stop) {
        Vector<std::int32_t> lambda = centre_;
        RelaxedCosts costs{kinds_.prices(lambda), {}, {}, ahead_.unit};
        const std::int64_t most = (words_cost_ - incumbent_.save()) * ahead_.unit + price_of_supply(lambda);
        if (most == centre_cost_.back() && list_tight_ends(costs.price)) {
            costs.before = centre_cost_;
            for (std::int32_t before : centre_cost_) costs.after.push_back(centre_cost_.back() - before);
            auto runs = finder_.tight_runs(*centre_ends_, costs, most_runs, stop);
            listed_all_ = runs.has_value();
            return runs;
        }
        costs.after = costs_to_go(costs.price);
        ahead_.most_ends = most_ends;
        ahead_.sweep(costs.price, &costs.after, most);
        costs.before = ahead_.cost;
        auto runs = finder_.runs(std::move(ahead_.ends), costs, ahead_.limit, most_runs, stop);
        listed_all_ = runs && !ahead_.dropped;
        note_bound(lambda);
        return runs;
    }

    // Lists the ends of all runs that cost no more than C there. The cost to go is at least the rest of C, so if the
    // bound meets the incumbent, no others matter. Returns false if there are many, as on pages of equal lines.
    bool list_tight_ends(const Vector<std::int32_t>& price) {
        if (!centre_ends_) {
            Vector<std::int32_t> after;
            for (std::int32_t before : centre_cost_) after.push_back(centre_cost_.back() - before);
            ahead_.most_ends = Sweep::kTightEnds / 2 * centre_cost_.size();  // ends are dropped at twice this number
            ahead_.sweep(price, &after, centre_cost_.back());
            if (ahead_.dropped) return false;
            centre_ends_ = std::move(ahead_.ends);
        }
        return true;
    }

    // The cost from each boundary to the end, by a sweep over the mirrored page.
    Vector<std::int32_t> costs_to_go(const Vector<std::int32_t>& price) {
        if (!back_) {
            mirror_ = std::make_unique<SegmentPage>(page_.mirrored());
            back_ = std::make_unique<Sweep>(*mirror_, kinds_, setting_);
        }
        Vector<std::int32_t> mirrored = price;
        std::reverse(mirrored.begin(), mirrored.begin() + static_cast<std::ptrdiff_t>(kinds_.bounds.size()));
        back_->sweep(mirrored);
        Vector<std::int32_t> costs;
        costs.assign(back_->cost.rbegin(), back_->cost.rend());
        return costs;
    }

    void start_at(Vector<std::int32_t> lambda) {
        ahead_.sweep(kinds_.prices(lambda));
        note_bound(lambda);
    }

    // Lowers the multipliers and takes the bound of the last sweep.
    void note_bound(Vector<std::int32_t>& lambda) {
        tighten(lambda);
        const std::int64_t bound = bound_of(lambda);
        if (bound >= least_) return;
        least_ = bound;
        centre_ = lambda;
        centre_cost_ = ahead_.cost;
        centre_ends_.reset();
        upper_ = std::min(upper_, least_ / ahead_.unit);
    }

    // Lowers each multiplier as long as no run of its line becomes better than C. So C stays, and the bound falls.
    void tighten(Vector<std::int32_t>& lambda) const {
        if constexpr (kCoarse) {
            for (std::size_t x = 0; x < lambda.size(); ++x) {
                lambda[x] -= static_cast<std::int32_t>(std::min<std::int64_t>(lambda[x], ahead_.slack()[x]));
            }
        }
    }

    // An upper bound of what any solution saves, in units, by the last sweep.
    std::int64_t bound_of(const Vector<std::int32_t>& lambda) const {
        return words_cost_ * std::int64_t{ahead_.unit} - ahead_.cost.back() + price_of_supply(lambda);
    }
    std::int64_t price_of_supply(const Vector<std::int32_t>& lambda) const {
        std::int64_t sum = 0;
        for (std::size_t x = 0; x < lambda.size(); ++x) sum += std::int64_t{lambda[x]} * kinds_.supply[x];
        return sum;
    }

    const SegmentPage& page_;
    int setting_;
    Slices words_;
    std::int64_t words_cost_;
    const LineKinds& kinds_;
    Sweep ahead_;
    std::unique_ptr<SegmentPage> mirror_;
    std::unique_ptr<Sweep> back_;  // over the mirrored page, when it is needed
    RunFinder& finder_;
    Incumbent& incumbent_;
    Bundle bundle_;
    std::int64_t least_ = std::numeric_limits<std::int64_t>::max();  // bound, in units
    int stalls_ = 0;  // rounds since the known runs changed the multipliers
    bool exhausted_ = false;
    Vector<std::int32_t> centre_;
    Vector<std::int32_t> centre_cost_;  // C at every boundary, with these multipliers
    std::optional<Vector<RunEnd>> centre_ends_;  // of the runs that cost no more than C there, if they are known
    bool listed_all_ = false;
    std::int64_t upper_ = std::numeric_limits<std::int64_t>::max();
};

}  // namespace pagemeter
