// S and SG: runs of HYP words given to GT lines in any order, NP-hard in general, solved by
//   1. incumbents from the ordered and the unsegmented problem,
//   2. all useful runs (run_pool.hpp),
//   3. the Lagrangian bound by subgradient steps; every relaxed solution is repaired to an incumbent, and runs
//      that no solution as good as the incumbent can hold leave the pool (lagrangian.hpp),
//   4. an exact search over what is left, which also finds the canonical counts (label_search.hpp).
#pragma once

#include <map>
#include <stdexcept>

#include "free.hpp"
#include "label_search.hpp"
#include "ordered_segments.hpp"

namespace pagemeter {

class FreeSegments {
  public:
    FreeSegments(const Slices& gt, const Words& hyp, Neighbours near, int alphabet, Clock::time_point deadline)
        : page_(gt, hyp, near),
          gt_(page_.gt()),
          words_(page_.words()),
          relaxation_(words_.size(), gt_.size()),
          everything_(gt_.total() + words_.total()) {
        upper_ = everything_ - least_errors();
        std::vector<PoolRun> in_order;
        for (const Run& r : OrderedSegments(gt, hyp, near, alphabet).solve()) in_order.push_back(pool_run(r));
        offer(in_order);
        offer(unsegmented(alphabet));
        canonical_ = save_ == everything_;  // no errors: nothing is left to choose
        if (canonical_) return;
        RunEnumeration all(page_, alphabet, kMostRuns);
        pool_ = all.enumerate(deadline);
        complete_ = all.complete();
    }

    // Whether no solution has fewer errors than the incumbent.
    bool proven() const { return upper_ <= save_; }
    // Whether the incumbent's counts are the canonical ones: found so by the search, or because they meet a bound.
    // Where words join with nothing |HYP| is fixed, errors >= max(|GT|,|HYP|) - COR bounds COR, and COR fixes SUB.
    bool canonical() const {
        if (canonical_ || !proven() || page_.joined) return canonical_;
        std::int64_t cor = 0;
        for (const PoolRun& r : incumbent_) cor += counts(r).cor;
        return cor + (everything_ - save_) == std::max(gt_.total(), words_.total());
    }
    bool complete() const { return complete_; }
    std::int64_t lower_bound() const { return everything_ - std::max(upper_, save_); }
    const std::vector<PoolRun>& pool() const { return pool_; }

    // Subgradient steps from the present multipliers until the bound meets the incumbent or stalls.
    void ascend(Clock::time_point deadline) {
        if (!complete_) return;
        if (!started_) start();
        std::vector<std::int64_t> centre = relaxation_.lambda;
        std::int64_t least = std::numeric_limits<std::int64_t>::max();
        double pace = 1.0;
        for (int step = 0, idle = 0; pace > kLeastPace && Clock::now() < deadline; ++step) {
            relaxation_.forward(pool_);
            const std::int64_t bound = relaxation_.potentials.bound();
            const std::vector<PoolRun> relaxed = relaxation_.relaxed(pool_);
            relaxation_.average(relaxed, kWeight);
            if (bound < least) {
                least = bound;
                centre = relaxation_.lambda;
                idle = 0;
            } else if (++idle > kPatience) {
                idle = 0;
                pace *= kSlower;
            }
            upper_ = std::min(upper_, std::max(save_, bound / kUnit));
            if (step % kRepairEvery == 0) repair(relaxed);
            if (step % kFixEvery == 0) fix();
            if (proven() && pool_.size() <= kSmallPool) break;
            relaxation_.step_from(centre, least, save_ * kUnit, pace);
        }
        relaxation_.lambda = centre;
        relaxation_.forward(pool_);
        fix();
    }

    // Multipliers found elsewhere; any are valid.
    void set_multipliers(const std::vector<double>& lambda) {
        for (std::size_t x = 0; x < relaxation_.lambda.size(); ++x) {
            relaxation_.lambda[x] = std::llround(std::max(0.0, lambda[x]) * static_cast<double>(kUnit));
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
        for (const PoolRun& r : incumbent_) out.push_back({r.gt, r.begin, r.end, counts(r)});
        std::sort(out.begin(), out.end(), [](const Run& a, const Run& b) { return a.gt < b.gt; });
        return out;
    }

  private:
    static constexpr std::size_t kMostRuns = 20'000'000;
    static constexpr std::size_t kSmallPool = 2'000;
    static constexpr double kLeastPace = 1e-3;
    static constexpr double kSlower = 0.6;
    static constexpr double kWeight = 0.2;
    static constexpr int kPatience = 15;
    static constexpr int kRepairEvery = 5;
    static constexpr int kFixEvery = 20;

    PoolRun pool_run(const Run& r) const {
        return {r.begin, r.end, r.gt, save_of(r.gt, r.begin, r.end, r.counts.distance)};
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
    std::int64_t least_errors() const {
        std::map<Token, std::int64_t> have;
        for (Token t : words_.tokens) ++have[t];
        std::int64_t missing = 0;
        for (int x = 0; x < gt_.size(); ++x) {
            for (Token t : gt_[x]) missing += --have[t] < 0;
        }
        return std::max(missing, words_.total() - gt_.total());
    }

    // The best matching of whole HYP lines, as runs.
    std::vector<PoolRun> unsegmented(int alphabet) const {
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
        for (int x = 0; page_.near.restricted() && x < gt_.size(); ++x) {
            for (const Bounds& b : line_words) mask.push_back(page_.allows(x, b.begin));
        }
        const Neighbours near{page_.near.restricted() ? mask.data() : nullptr, lines.size()};
        std::vector<PoolRun> runs;
        for (const LinePair& p : Free(gt_, {words_.tokens, lines}, near, alphabet).solve()) {
            const Bounds& b = line_words[static_cast<std::size_t>(p.hyp)];
            runs.push_back({b.begin, b.end, p.gt, save_of(p.gt, b.begin, b.end, p.counts.distance)});
        }
        return runs;
    }

    // First multipliers: the incumbent's saves, scaled. Where HYP words are scarce a GT line is worth little, where
    // they abound it is worth all that it saves.
    void start() {
        constexpr int kParts = 8;
        std::vector<std::int64_t> full(relaxation_.lambda.size());
        for (int x = 0; x < gt_.size(); ++x) full[static_cast<std::size_t>(x)] = gt_.length(x) * kUnit;
        for (const PoolRun& r : incumbent_) full[static_cast<std::size_t>(r.gt)] = r.save * kUnit;
        std::int64_t least = std::numeric_limits<std::int64_t>::max();
        std::vector<std::int64_t> best;
        for (int part = 0; part <= kParts; ++part) {
            for (std::size_t x = 0; x < full.size(); ++x) relaxation_.lambda[x] = full[x] * part / kParts;
            relaxation_.forward(pool_);
            if (relaxation_.potentials.bound() >= least) continue;
            least = relaxation_.potentials.bound();
            best = relaxation_.lambda;
        }
        relaxation_.lambda = best;
        started_ = true;
    }

    void offer(const std::vector<PoolRun>& solution) {
        std::int64_t total = 0;
        for (const PoolRun& r : solution) total += r.save;
        if (total <= save_) return;
        save_ = total;
        incumbent_ = solution;
    }

    // A feasible solution from a relaxed one: of each GT line's runs the best stays, then the gaps are filled.
    void repair(std::vector<PoolRun> relaxed) {
        std::vector<PoolRun> solution;
        std::vector<char> gt_used(static_cast<std::size_t>(gt_.size()), 0);
        std::vector<char> word_used(static_cast<std::size_t>(words_.size()), 0);
        Lagrangian filling(words_.size(), gt_.size());
        filling.lambda = relaxation_.lambda;
        bool priced = true;
        while (!relaxed.empty()) {
            std::stable_sort(relaxed.begin(), relaxed.end(), [](const auto& a, const auto& b) { return a.save > b.save; });
            for (const PoolRun& r : relaxed) {
                if (gt_used[static_cast<std::size_t>(r.gt)]) continue;
                gt_used[static_cast<std::size_t>(r.gt)] = 1;
                std::fill(word_used.begin() + r.begin, word_used.begin() + r.end, 1);
                solution.push_back(r);
            }
            const std::vector<PoolRun> rest = still_free(gt_used, word_used);
            filling.forward(rest);
            relaxed = filling.relaxed(rest);
            if (relaxed.empty() && priced) {
                priced = false;
                std::fill(filling.lambda.begin(), filling.lambda.end(), 0);
                filling.forward(rest);
                relaxed = filling.relaxed(rest);
            }
        }
        offer(solution);
    }

    std::vector<PoolRun> still_free(const std::vector<char>& gt_used, const std::vector<char>& word_used) const {
        std::vector<int> used_before(word_used.size() + 1, 0);
        for (std::size_t w = 0; w < word_used.size(); ++w) used_before[w + 1] = used_before[w] + word_used[w];
        std::vector<PoolRun> rest;
        std::copy_if(pool_.begin(), pool_.end(), std::back_inserter(rest), [&](const PoolRun& r) {
            return !gt_used[static_cast<std::size_t>(r.gt)] &&
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

    SegmentPage page_;
    Slices gt_;
    Slices words_;
    Lagrangian relaxation_;
    std::int64_t everything_;
    std::int64_t upper_ = 0;  // no solution saves more
    std::int64_t save_ = 0;   // what the incumbent saves
    bool complete_ = true;
    bool canonical_ = false;
    bool started_ = false;
    std::vector<PoolRun> incumbent_;
    std::vector<PoolRun> pool_;
};

}  // namespace pagemeter
