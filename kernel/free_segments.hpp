// S and SG: runs of HYP words given to GT lines in any order, NP-hard in general, solved by
//   1. incumbents from the ordered and the unsegmented problem,
//   2. a first Lagrangian bound with whole multipliers, by sweeps that list no run (run_sweep.hpp),
//   3. the runs that this bound leaves to solutions as good as the incumbent (run_pool.hpp),
//   4. the Lagrangian bound with fine multipliers over these runs; relaxed solutions are repaired to incumbents, and
//      runs that can be in none as good leave the pool (lagrangian.hpp),
//   5. an exact search over what is left, which also finds the canonical counts (label_search.hpp).
#pragma once

#include <map>
#include <stdexcept>
#include <utility>

#include "free.hpp"
#include "label_search.hpp"
#include "ordered_segments.hpp"

namespace pagemeter {

// Equal GT lines are one kind with a supply: they share a price, and no solution is found twice in another guise.
// With G they differ in their neighbours, and each line is a kind of its own.
struct LineKinds {
    std::vector<Bounds> bounds;
    std::vector<int> supply;
    std::vector<int> kind_of;
    std::vector<std::vector<int>> members;

    LineKinds(const Slices& gt, const Neighbours& near) {
        std::map<std::vector<Token>, int> known;
        for (int x = 0; x < gt.size(); ++x) {
            int kind = static_cast<int>(bounds.size());
            if (!near.restricted()) {
                kind = known.try_emplace({gt[x].begin(), gt[x].end()}, kind).first->second;
            }
            if (kind == static_cast<int>(bounds.size())) {
                bounds.push_back(gt.bounds[static_cast<std::size_t>(x)]);
                supply.push_back(0);
                members.emplace_back();
            }
            kind_of.push_back(kind);
            ++supply[static_cast<std::size_t>(kind)];
            members[static_cast<std::size_t>(kind)].push_back(x);
        }
    }
};

class FreeSegments {
  public:
    FreeSegments(const Slices& gt, const Words& hyp, Neighbours near, int alphabet, Clock::time_point deadline)
        : kinds_(gt, near),
          page_({gt.tokens, kinds_.bounds}, hyp, near),
          gt_(page_.gt()),
          words_(page_.words()),
          relaxation_(words_.size(), kinds_.supply),
          everything_(gt.total() + words_.total()) {
        upper_ = everything_ - least_errors(gt);
        std::vector<PoolRun> in_order;
        for (const Run& r : OrderedSegments(gt, hyp, near, alphabet).solve()) in_order.push_back(pool_run(r));
        offer(in_order);
        offer(unsegmented(gt, alphabet));
        canonical_ = save_ == everything_;  // no errors: nothing is left to choose
        if (canonical_) return;
        sweep(alphabet, deadline);
    }

    // Whether no solution has fewer errors than the incumbent.
    bool proven() const { return upper_ <= save_; }
    // Whether the incumbent's counts are the canonical ones: found so by the search, or because they meet a bound.
    // Where words join with nothing |HYP| is fixed, errors >= max(|GT|,|HYP|) - COR bounds COR, and COR fixes SUB.
    bool canonical() const {
        if (canonical_ || !proven() || page_.joined) return canonical_;
        std::int64_t cor = 0;
        for (const PoolRun& r : incumbent_) cor += counts(r).cor;
        return cor + (everything_ - save_) == std::max(everything_ - words_.total(), words_.total());
    }
    bool complete() const { return complete_; }
    std::int64_t lower_bound() const { return everything_ - std::max(upper_, save_); }
    const std::vector<PoolRun>& pool() const { return pool_; }
    const std::vector<int>& supply() const { return kinds_.supply; }

    // Subgradient steps from the present multipliers until the bound meets the incumbent or stalls.
    void ascend(Clock::time_point deadline) {
        if (!complete_) return;
        Volume volume(kinds_.supply);
        if (!started_) start();
        const std::vector<std::int64_t> most = dearest<std::int64_t>(kUnit);
        std::vector<std::int64_t> centre = relaxation_.lambda;
        for (int step = 0; !volume.exhausted() && Clock::now() < deadline; ++step) {
            relaxation_.forward(pool_);
            const std::vector<PoolRun> relaxed = relaxation_.relaxed(pool_);
            volume.average(relaxed);
            if (volume.improves(relaxation_.potentials.bound())) centre = relaxation_.lambda;
            upper_ = std::min(upper_, std::max(save_, volume.least() / kUnit));
            if (step % kRepairEvery == 0) repair(relaxed);
            if (step % kFixEvery == 0) fix();
            if (proven() && pool_.size() <= kSmallPool) break;
            volume.step(centre, save_ * kUnit, most, relaxation_.lambda);
        }
        relaxation_.lambda = centre;
        relaxation_.forward(pool_);
        fix();
    }

    // Multipliers found elsewhere; any are valid.
    void set_multipliers(const std::vector<double>& lambda) {
        for (std::size_t x = 0; x < relaxation_.lambda.size(); ++x) {
            const double most = 2.0 * gt_.length(static_cast<int>(x));
            relaxation_.lambda[x] = std::llround(std::clamp(lambda[x], 0.0, most) * static_cast<double>(kUnit));
        }
    }

    // Searches the pool to the end: true if the incumbent is now the canonical optimum.
    bool search(Clock::time_point deadline, std::size_t most_labels) {
        if (canonical_) return true;
        if (!complete_) return false;
        relaxation_.forward(pool_);
        relaxation_.backward(pool_);
        const auto gain = [this](const PoolRun& r) {
            const PairCounts c = counts(r);
            return r.save * LexicographicKey::kEdit - c.cor * LexicographicKey::kCor + c.sub;
        };
        LabelSearch search(pool_, gain, relaxation_, save_ * kUnit, most_labels);
        auto found = search.solve(deadline);
        if (!found) return false;
        std::int64_t total = 0;
        for (const PoolRun& r : *found) total += r.save;
        if (total < save_) throw std::logic_error("the exact search lost the incumbent");
        save_ = total;
        incumbent_ = std::move(*found);
        upper_ = save_;
        return canonical_ = true;
    }

    std::vector<Run> runs() const {
        std::vector<Run> out;
        std::vector<std::size_t> next(kinds_.members.size(), 0);
        for (const PoolRun& r : incumbent_) {
            const auto kind = static_cast<std::size_t>(r.gt);
            out.push_back({kinds_.members[kind][next[kind]++], r.begin, r.end, counts(r)});
        }
        std::sort(out.begin(), out.end(), [](const Run& a, const Run& b) { return a.gt < b.gt; });
        return out;
    }

  private:
    static constexpr std::size_t kMostRuns = 2'000'000;
    static constexpr std::size_t kMostEnds = 2'000'000;
    static constexpr std::size_t kSmallPool = 2'000;
    static constexpr int kSweeps = 12;
    static constexpr int kSweptParts = 4;
    static constexpr int kFineParts = 16;
    static constexpr int kRepairEvery = 5;
    static constexpr int kFixEvery = 20;

    PoolRun pool_run(const Run& r) const {
        const int kind = kinds_.kind_of[static_cast<std::size_t>(r.gt)];
        return {r.begin, r.end, kind, save_of(kind, r.begin, r.end, r.counts.distance)};
    }
    int save_of(int x, int a, int b, int distance) const {
        int letters = 0;
        for (int w = a; w < b; ++w) letters += words_.length(w);
        return gt_.length(x) + letters - distance;
    }
    PairCounts counts(const PoolRun& r) const {
        const int distance = save_of(r.gt, r.begin, r.end, 0) - r.save;
        return canonical_counts(words_.run(r.begin, r.end), gt_[r.gt], distance);
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

    // Whole multipliers by sweeps until the runs that the incumbent leaves possible are few enough to list.
    void sweep(int alphabet, Clock::time_point deadline) {
        const SegmentPage mirror = page_.mirrored();
        RunSweep ahead(page_, alphabet);
        RunSweep back(mirror, alphabet);
        RunFinder finder(page_, alphabet);
        RelaxedCosts costs;
        costs.lambda = scaled_saves<std::int32_t>(1, kSweptParts, [&](const std::vector<std::int32_t>& lambda) {
            if (Clock::now() > deadline) return std::numeric_limits<std::int64_t>::max() - 1;
            ahead.sweep(lambda);
            return bound_of({lambda, ahead.cost, {}});
        });
        Volume volume(kinds_.supply);
        const std::vector<std::int32_t> most = dearest<std::int32_t>(1);
        std::vector<std::int32_t> centre = costs.lambda;
        for (int rounds = kSweeps; !complete_ && !volume.exhausted(); rounds *= 2) {
            for (int round = 0; round < rounds && !proven() && !volume.exhausted(); ++round) {
                if (Clock::now() > deadline) return;
                const std::vector<PoolRun> relaxed = relax(ahead, finder, costs);
                volume.average(relaxed);
                if (volume.improves(bound_of(costs))) centre = costs.lambda;
                upper_ = std::min(upper_, std::max(save_, volume.least()));
                if (round % kRepairEvery == 0) repair(relaxed, costs.lambda, ahead, finder);
                volume.step(centre, save_, most, costs.lambda);
            }
            costs.lambda = centre;
            gather(ahead, back, finder, costs);
        }
        for (std::size_t x = 0; x < centre.size(); ++x) relaxation_.lambda[x] = centre[x] * kUnit;
    }

    // The runs of the relaxed solution by one sweep.
    std::vector<PoolRun> relax(RunSweep& ahead, RunFinder& finder, RelaxedCosts& costs) const {
        ahead.sweep(costs.lambda);
        costs.before = ahead.cost;
        return relaxed_runs(ahead, finder, costs);
    }

    // Repairs by sweeps over the words that are left, with lines that are used up too dear to be used.
    void repair(const std::vector<PoolRun>& relaxed, const std::vector<std::int32_t>& lambda, RunSweep& ahead,
                RunFinder& finder) {
        RelaxedCosts costs;
        fill_gaps(relaxed, [&](const std::vector<int>& left, const std::vector<char>& taken, bool priced) {
            costs.lambda = priced ? lambda : std::vector<std::int32_t>(lambda.size(), 0);
            for (std::size_t x = 0; x < left.size(); ++x) {
                if (left[x] <= 0) costs.lambda[x] = 4 * gt_.length(static_cast<int>(x));
            }
            ahead.taken = taken;
            return relax(ahead, finder, costs);
        });
        ahead.taken.clear();
    }

    // Fine multipliers: those of the sweeps or scaled saves, whichever bound is lower.
    void start() {
        started_ = true;
        const auto bound = [&](const std::vector<std::int64_t>& lambda) {
            relaxation_.lambda = lambda;
            relaxation_.forward(pool_);
            return relaxation_.potentials.bound();
        };
        const std::vector<std::int64_t> swept = relaxation_.lambda;
        const std::vector<std::int64_t> scaled = scaled_saves<std::int64_t>(kUnit, kFineParts, bound);
        relaxation_.lambda = bound(swept) <= bound(scaled) ? swept : scaled;
    }

    // No solution saves more.
    std::int64_t bound_of(const RelaxedCosts& costs) const {
        return words_.total() - costs.before.back() + price_of_supply(costs.lambda);
    }
    std::int64_t price_of_supply(const std::vector<std::int32_t>& lambda) const {
        std::int64_t sum = 0;
        for (std::size_t x = 0; x < lambda.size(); ++x) sum += std::int64_t{lambda[x]} * kinds_.supply[x];
        return sum;
    }

    // No run saves more than twice its GT line's length, so no multiplier need be higher.
    template <class Int>
    std::vector<Int> dearest(std::int64_t unit) const {
        std::vector<Int> most;
        for (int x = 0; x < gt_.size(); ++x) most.push_back(static_cast<Int>(2 * gt_.length(x) * unit));
        return most;
    }

    // First multipliers: the incumbent's saves, scaled to the lowest bound. Where HYP words are scarce a GT line is worth
    // little, where they abound it is worth all that it saves.
    template <class Int, class BoundOf>
    std::vector<Int> scaled_saves(std::int64_t unit, int parts, const BoundOf& bound_of) const {
        std::vector<std::int64_t> full(static_cast<std::size_t>(gt_.size()));
        for (int x = 0; x < gt_.size(); ++x) full[static_cast<std::size_t>(x)] = gt_.length(x) * unit;
        for (const PoolRun& r : incumbent_) full[static_cast<std::size_t>(r.gt)] = r.save * unit;
        std::vector<Int> best;
        std::int64_t least = std::numeric_limits<std::int64_t>::max();
        for (int part = 0; part <= parts; ++part) {
            std::vector<Int> lambda;
            for (std::int64_t f : full) lambda.push_back(static_cast<Int>(f * part / parts));
            const std::int64_t bound = bound_of(lambda);
            if (bound >= least) continue;
            least = bound;
            best = std::move(lambda);
        }
        return best;
    }

    std::vector<PoolRun> relaxed_runs(const RunSweep& ahead, RunFinder& finder, const RelaxedCosts& costs) const {
        std::vector<PoolRun> runs;
        for (int b = words_.size(); b > 0;) {
            const int x = ahead.via[static_cast<std::size_t>(b)];
            if (x < 0) {
                --b;
            } else {
                runs.push_back(finder.relaxed_run(x, b, costs, ahead.taken));
                b = runs.back().begin;
            }
        }
        return runs;
    }

    std::vector<PoolRun> best_of_each(std::vector<PoolRun> relaxed) const {
        std::vector<int> left = kinds_.supply;
        return best_of_each(std::move(relaxed), left);
    }
    std::vector<PoolRun> best_of_each(std::vector<PoolRun> relaxed, std::vector<int>& left) const {
        std::stable_sort(relaxed.begin(), relaxed.end(), [](const auto& a, const auto& b) { return a.save > b.save; });
        std::erase_if(relaxed, [&](const PoolRun& r) { return left[static_cast<std::size_t>(r.gt)]-- <= 0; });
        return relaxed;
    }

    void gather(RunSweep& ahead, RunSweep& back, RunFinder& finder, RelaxedCosts& costs) {
        back.sweep({costs.lambda.rbegin(), costs.lambda.rend()});
        costs.after.assign(back.cost.rbegin(), back.cost.rend());
        const std::int64_t most = words_.total() - save_ + price_of_supply(costs.lambda);
        ahead.sweep(costs.lambda, &costs.after, most);
        costs.before = ahead.cost;
        if (ahead.ends.size() > kMostEnds) return;
        std::optional<std::vector<PoolRun>> found = finder.runs(std::move(ahead.ends), costs, most, kMostRuns);
        complete_ = found.has_value();
        if (complete_) pool_ = std::move(*found);
    }

    void offer(const std::vector<PoolRun>& solution) {
        std::int64_t total = 0;
        for (const PoolRun& r : solution) total += r.save;
        if (total <= save_) return;
        save_ = total;
        incumbent_ = solution;
    }

    // A feasible solution from a relaxed one: of each GT line's runs the best stay, then the gaps are filled, first at
    // the present prices, then at none. `relaxed_rest` solves the relaxed problem of what is left.
    template <class RelaxedRest>
    void fill_gaps(std::vector<PoolRun> relaxed, const RelaxedRest& relaxed_rest) {
        std::vector<PoolRun> solution;
        std::vector<int> left = kinds_.supply;
        std::vector<char> taken(static_cast<std::size_t>(words_.size()), 0);
        for (bool priced = true; !relaxed.empty() || std::exchange(priced, false);) {
            for (const PoolRun& r : best_of_each(std::move(relaxed), left)) {
                std::fill(taken.begin() + r.begin, taken.begin() + r.end, 1);
                solution.push_back(r);
            }
            relaxed = relaxed_rest(left, taken, priced);
        }
        offer(solution);
    }

    // Repairs by the runs of the pool.
    void repair(std::vector<PoolRun> relaxed) {
        Lagrangian filling(words_.size(), kinds_.supply);
        fill_gaps(std::move(relaxed), [&](const std::vector<int>& left, const std::vector<char>& taken, bool priced) {
            filling.lambda = priced ? relaxation_.lambda : std::vector<std::int64_t>(left.size(), 0);
            const std::vector<PoolRun> rest = still_free(left, taken);
            filling.forward(rest);
            return filling.relaxed(rest);
        });
    }

    std::vector<PoolRun> still_free(const std::vector<int>& left, const std::vector<char>& word_used) const {
        std::vector<int> used_before(word_used.size() + 1, 0);
        for (std::size_t w = 0; w < word_used.size(); ++w) used_before[w + 1] = used_before[w] + word_used[w];
        std::vector<PoolRun> rest;
        std::copy_if(pool_.begin(), pool_.end(), std::back_inserter(rest), [&](const PoolRun& r) {
            return left[static_cast<std::size_t>(r.gt)] > 0 &&
                   used_before[static_cast<std::size_t>(r.begin)] == used_before[static_cast<std::size_t>(r.end)];
        });
        return rest;
    }

    // Drops the runs that no solution at least as good as the incumbent can hold.
    void fix() {
        relaxation_.backward(pool_);
        std::erase_if(pool_, [&](const PoolRun& r) {
            return relaxation_.potentials.bound_with(r, relaxation_.reduced(r)) < save_ * kUnit;
        });
    }

    LineKinds kinds_;
    SegmentPage page_;
    Slices gt_;  // one line of each kind
    Slices words_;
    Lagrangian relaxation_;
    std::int64_t everything_;
    std::int64_t upper_ = 0;  // no solution saves more
    std::int64_t save_ = 0;   // what the incumbent saves
    bool complete_ = false;  // whether the pool holds all runs that matter
    bool canonical_ = false;
    bool started_ = false;
    std::vector<PoolRun> incumbent_;
    std::vector<PoolRun> pool_;
};

}  // namespace pagemeter
