// The canonical counts of S and SG: among all solutions with the fewest errors, the one with the fewest COR and, of
// those, the most SUB. Every run gets the rank (save * B - COR) * B + SUB, and the solution with the highest sum is
// sought.
//
// The pool has every run of every solution with the fewest errors. Its parts (parts.hpp) are solved one after the
// other: first the fewest errors of the part, then its counts. All solutions with the fewest errors save the same
// edits, which is a further constraint of the relaxation.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <list>
#include <optional>
#include <utility>

#include "packing.hpp"

namespace pagemeter {

class CanonicalCounts {
  public:
    // A rank is at most 2 * |GT| * base^2 for one kind. Multipliers of lines and of their blind kinds add up to at most
    // four times kMostRank, the saves of a solution and the multiplier of the saved edits to kMostRank each, so all
    // sums stay below 2^63.
    static constexpr std::int64_t kMostRank = std::int64_t{1} << 60;

    // True if ranks cannot overflow. `tokens` are those of both pages.
    static bool possible(std::int64_t gt_tokens, std::int64_t tokens) {
        return tokens <= kMostRank / (gt_tokens + 1) / (gt_tokens + 1);
    }

    CanonicalCounts(std::int64_t gt_tokens, std::int64_t tokens) : base_(gt_tokens + 1) {
        const auto room = static_cast<std::uint64_t>(kMostRank / base_ / base_ / tokens);
        unit_ = static_cast<std::int64_t>(std::bit_floor(std::clamp<std::uint64_t>(room, 1, kMostUnit)));
    }

    // Solves the parts of the pool, as far as the work allows. `counts` returns the counts of a run of the page.
    template <class Counts>
    void solve(const PoolBound& pool, int words, const KindSupplies& kinds, const Vector<PoolRun>& incumbent,
               const Counts& counts, const Effort& stop) {
        Parts parts(pool, words, kinds);
        const Vector<Vector<PoolRun>> runs = parts.divide(pool.runs);
        const Vector<Vector<PoolRun>> present = parts.divide(Parts::common_runs(pool.runs, incumbent));
        for (int i = 0; i < runs.count(); ++i) {
            if (runs[i].count() == 1 && runs[i][0].save > 0) {  // no solution with the fewest errors lacks this run
                only_.push_back(runs[i][0]);
                continue;
            }
            Part& part = parts_.emplace_back(runs[i], kinds);
            Vector<PoolRun> start = part.pool.numbered(present[i]);
            const Vector<std::int64_t> lambda = part.pool.multipliers(pool.relaxation.lambda);
            if (!fewest_errors(part, pool.relaxation.unit, lambda, std::move(start), stop)) continue;
            fewest_correct(part, pool.relaxation.unit, lambda, counts, stop);
        }
    }

    bool proven() const {
        return std::all_of(parts_.begin(), parts_.end(), [](const Part& p) { return p.counts && p.counts->proven(); });
    }

    // The best runs, with their saves in errors.
    Vector<PoolRun> runs() const {
        Vector<PoolRun> all = only_;
        for (const Part& part : parts_) {
            for (PoolRun r : part.pool.on_page(part.counts ? part.counts->incumbent.runs() : part.errors)) {
                if (part.counts) r.save = r.edits;
                all.push_back(r);
            }
        }
        return all;
    }

  private:
    struct Part {
        CompactPool pool;
        Vector<PoolRun> errors;  // a solution with the fewest errors, if it is proven
        KindSupplies limited;  // the kinds, and the edits that all runs save
        std::optional<Packing> counts;

        Part(const Vector<PoolRun>& runs, const KindSupplies& kinds) : pool(runs, kinds, kinds.supply) {}
    };

    static constexpr std::int64_t kMostUnit = 1 << 16;

    // Finds the fewest errors of the part. Returns false if they are not proven.
    static bool fewest_errors(Part& part, std::int64_t unit, const Vector<std::int64_t>& lambda, Vector<PoolRun> start,
                              const Effort& stop) {
        Packing packing(part.pool.words(), part.pool.kinds, unit);
        packing.bound.runs = part.pool.runs;
        packing.bound.relaxation.lambda = lambda;
        packing.incumbent.offer(std::move(start));
        packing.prune();
        packing.settle(stop);
        part.errors = packing.incumbent.runs();
        return packing.proven();
    }

    template <class Counts>
    void fewest_correct(Part& part, std::int64_t unit, const Vector<std::int64_t>& lambda, const Counts& counts,
                        const Effort& stop) {
        const auto ranked = [&](Vector<PoolRun> runs) {
            const Vector<PoolRun> on_page = part.pool.on_page(runs);
            for (int i = 0; i < runs.count() && !stop(); ++i) {
                const PairCounts c = counts(on_page[i]);
                runs[i].edits = static_cast<std::int32_t>(runs[i].save);
                runs[i].save = (runs[i].save * base_ - c.cor) * base_ + c.sub;
            }
            return runs;
        };
        std::int64_t edits = 0;
        for (const PoolRun& r : part.errors) edits += r.save;
        part.limited = part.pool.kinds;
        part.limited.limit_edits(static_cast<int>(edits));
        Vector<PoolRun> pool = ranked(part.pool.runs);
        Vector<PoolRun> start = ranked(part.errors);
        if (stop()) return;  // some runs have no rank
        Packing& packing = part.counts.emplace(part.pool.words(), part.limited, unit_);
        packing.bound.runs = std::move(pool);
        packing.incumbent.offer(std::move(start));
        weigh_errors(packing.bound, unit, lambda);
        packing.prune();
        packing.settle(stop);
    }

    // The start multipliers. All solutions save the same edits, so an error may be worth less than in the ranks: the
    // multiplier of the saved edits takes the difference. The best part is chosen.
    void weigh_errors(PoolBound& bound, std::int64_t unit, const Vector<std::int64_t>& lambda) const {
        Lagrangian& relaxation = bound.relaxation;
        const double whole = static_cast<double>(base_) * static_cast<double>(base_) * static_cast<double>(unit_);
        Vector<std::int64_t> best;
        std::int64_t least = std::numeric_limits<std::int64_t>::max();
        for (double part = 1; part * static_cast<double>(base_) >= 1; part /= 2) {
            for (std::size_t x = 0; x < lambda.size(); ++x) {
                const double errors = static_cast<double>(lambda[x]) / static_cast<double>(unit);
                relaxation.lambda[x] = std::llround(part * errors * whole);
            }
            relaxation.lambda.back() = std::llround((1 - part) * whole);
            if (part == 1) bound.by_errors = relaxation.lambda;
            relaxation.forward(bound.runs);
            if (relaxation.potentials.bound() >= least) continue;
            least = relaxation.potentials.bound();
            best = relaxation.lambda;
        }
        relaxation.lambda = std::move(best);
    }

    std::int64_t base_;  // of ranks
    std::int64_t unit_;  // of multipliers, for ranks
    Vector<PoolRun> only_;  // the runs of parts with a single run
    std::list<Part> parts_;  // packings refer to their kinds
};

}  // namespace pagemeter
