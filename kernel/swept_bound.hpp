// The Lagrangian bound of S and SG by sweeps that list no run: multipliers step towards the lowest bound until the runs
// that a solution as good as the incumbent could hold are few enough to list.
#pragma once

#include <algorithm>
#include <limits>
#include <optional>
#include <vector>

#include "incumbent.hpp"
#include "lagrangian.hpp"
#include "stop.hpp"

namespace pagemeter {

// `Sweep` is RunSweep (whole multipliers) or FineSweep.
template <class Sweep>
class SweptBound {
  public:
    SweptBound(const SegmentPage& page, const LineKinds& kinds, Sweep& ahead, Sweep& back, RunFinder& finder,
               Incumbent& incumbent)
        : words_(page.words()),
          kinds_(kinds),
          ahead_(ahead),
          back_(back),
          finder_(finder),
          incumbent_(incumbent),
          volume_(kinds) {}

    // No solution saves more.
    std::int64_t upper() const { return upper_; }
    // The best multipliers, in units of the sweep.
    const std::vector<std::int32_t>& multipliers() const { return centre_; }

    // Steps from the given multipliers; the runs that matter, if they could be listed.
    std::optional<std::vector<PoolRun>> narrow(std::vector<std::int32_t> start, const Stop& stop) {
        centre_ = start;
        std::int64_t steps = kListSteps;
        for (int rounds = kRounds;; rounds *= 2, steps *= 4) {
            step(rounds, start, stop);
            if (stop()) return std::nullopt;
            start = centre_;
            const bool last = volume_.exhausted() || upper_ <= incumbent_.save();
            auto pool = last ? list(kMostRuns, kAnySteps, stop) : list(kFewRuns, steps, stop);
            if (pool || last) return pool;
        }
    }

    // First multipliers: the given ones, if any, or the incumbent's saves, scaled to the lowest bound. Where HYP words
    // are scarce a GT line is worth little, where they abound it is worth all that it saves.
    std::vector<std::int32_t> first_multipliers(std::vector<std::int32_t> given, const Stop& stop) {
        std::vector<std::int32_t> full = kinds_.length;
        for (const PoolRun& r : incumbent_.runs()) {
            // A length is worth what a blind run saves with it; what a line saves beyond is its own worth.
            const int shared = kinds_.blind(r.kind) >= 0 ? kinds_.length[static_cast<std::size_t>(r.kind)] : 0;
            if (!kinds_.is_blind(r.kind)) {
                full[static_cast<std::size_t>(r.kind)] = std::max(0, static_cast<int>(r.save) - shared);
            }
        }
        std::int64_t least = given.empty() ? std::numeric_limits<std::int64_t>::max() : swept(given);
        for (int part = 0; part <= kParts && !(part > 0 && stop()); ++part) {
            std::vector<std::int32_t> lambda;
            for (std::int32_t f : full) lambda.push_back(f * ahead_.unit * part / kParts);
            const std::int64_t bound = swept(lambda);
            if (bound >= least) continue;
            least = bound;
            given = std::move(lambda);
        }
        return given;
    }

  private:
    static constexpr std::size_t kFewRuns = 2'000'000;
    static constexpr std::size_t kMostRuns = 8'000'000;
    static constexpr std::int64_t kListSteps = 4'000'000;
    static constexpr std::int64_t kAnySteps = std::numeric_limits<std::int64_t>::max();
    static constexpr int kRounds = 3;
    static constexpr int kParts = 4;
    static constexpr int kRepairEvery = 12;

    // Volume steps; `lambda` are the multipliers to look at next.
    void step(int rounds, std::vector<std::int32_t>& lambda, const Stop& stop) {
        std::vector<std::int32_t> most;
        for (int m : kinds_.length) most.push_back(2 * m * ahead_.unit);
        RelaxedCosts costs{{}, {}, {}, ahead_.unit};
        for (int round = 0; round < rounds && upper_ > incumbent_.save() && !volume_.exhausted() && !stop(); ++round) {
            costs.price = kinds_.prices(lambda);
            const std::vector<PoolRun> relaxed = relax(costs);
            volume_.average(relaxed);
            if (volume_.improves(bound_of(lambda))) centre_ = lambda;
            upper_ = std::min(upper_, volume_.least() / ahead_.unit);
            if (round % kRepairEvery == 0) repair(relaxed, lambda, stop);
            volume_.step(centre_, incumbent_.save() * ahead_.unit, most, lambda);
        }
    }

    // The runs of the relaxed solution by one sweep.
    std::vector<PoolRun> relax(RelaxedCosts& costs) {
        ahead_.sweep(costs.price);
        costs.before = ahead_.cost;
        std::vector<PoolRun> runs;
        for (int b = words_.size(); b > 0;) {
            const int x = ahead_.via[static_cast<std::size_t>(b)];
            if (x < 0) {
                --b;
            } else {
                runs.push_back(finder_.relaxed_run(x, b, costs, ahead_.taken));
                b = runs.back().begin;
            }
        }
        return runs;
    }

    // Repairs by sweeps over the words that are left, with lines that are used up too dear to be used.
    void repair(const std::vector<PoolRun>& relaxed, const std::vector<std::int32_t>& lambda, const Stop& stop) {
        RelaxedCosts costs{{}, {}, {}, ahead_.unit};
        const auto rest = [&](const std::vector<int>& left, const std::vector<char>& taken, bool priced) {
            std::vector<std::int32_t> now = priced ? lambda : std::vector<std::int32_t>(lambda.size(), 0);
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

    // The runs that could be in a solution as good as the incumbent, by the best multipliers.
    std::optional<std::vector<PoolRun>> list(std::size_t most_runs, std::int64_t most_steps, const Stop& stop) {
        RelaxedCosts costs{kinds_.prices(centre_), {}, {}, ahead_.unit};
        std::vector<std::int32_t> mirrored = costs.price;
        std::reverse(mirrored.begin(), mirrored.begin() + static_cast<std::ptrdiff_t>(kinds_.bounds.size()));
        back_.sweep(mirrored);
        costs.after.assign(back_.cost.rbegin(), back_.cost.rend());
        const std::int64_t most = (words_.total() - incumbent_.save()) * ahead_.unit + price_of_supply(centre_);
        ahead_.most_ends = most_runs;
        ahead_.sweep(costs.price, &costs.after, most);
        costs.before = ahead_.cost;
        if (ahead_.ends.size() > most_runs) return std::nullopt;
        return finder_.runs(std::move(ahead_.ends), costs, most, most_runs, most_steps, stop);
    }

    std::int64_t swept(const std::vector<std::int32_t>& lambda) {
        ahead_.sweep(kinds_.prices(lambda));
        return bound_of(lambda);
    }

    // No solution saves more, in units, by the sweep just made.
    std::int64_t bound_of(const std::vector<std::int32_t>& lambda) const {
        return words_.total() * std::int64_t{ahead_.unit} - ahead_.cost.back() + price_of_supply(lambda);
    }
    std::int64_t price_of_supply(const std::vector<std::int32_t>& lambda) const {
        std::int64_t sum = 0;
        for (std::size_t x = 0; x < lambda.size(); ++x) sum += std::int64_t{lambda[x]} * kinds_.supply[x];
        return sum;
    }

    Slices words_;
    const LineKinds& kinds_;
    Sweep& ahead_;
    Sweep& back_;
    RunFinder& finder_;
    Incumbent& incumbent_;
    Volume volume_;
    std::vector<std::int32_t> centre_;
    std::int64_t upper_ = std::numeric_limits<std::int64_t>::max();
};

}  // namespace pagemeter
