// Exact search over the runs that the bound leaves: a label-setting algorithm along the words. A label stores how often
// the tracked kinds of GT lines are used.
//
// A kind is tracked if it has a multiplier, or if more disjoint runs could use it than it has lines. A label is dropped
// if its Lagrangian bound is below the threshold, or if another label at the same boundary with the same used kinds
// saves at least as much. A kind is forgotten after the begin of its last run.
#pragma once

#include <algorithm>
#include <map>
#include <optional>

#include "lagrangian.hpp"

namespace pagemeter {

class LabelSearch {
  public:
    struct Result {
        Vector<PoolRun> runs;
        std::int64_t save;
        bool exact;  // true if no label was dropped that could have reached the target
    };

    // Searches for solutions that save `target` or more. `relaxation` must have done `forward` and `backward` over the
    // pool.
    LabelSearch(const Vector<PoolRun>& pool, const Lagrangian& relaxation, std::int64_t target)
        : pool_(pool),
          relaxation_(relaxation),
          kinds_(*relaxation.kinds),
          threshold_(target * relaxation.unit),
          last_begin_(relaxation.lambda.size(), -1) {
        for (const PoolRun& r : pool_) {
            kinds_.each_used(r.kind,
                             [&](int used) { last_begin_[used] = std::max(last_begin_[used], r.begin); });
        }
        const Vector<int> disjoint = relaxation.disjoint_runs(pool_);
        for (std::size_t x = 0; x < disjoint.size(); ++x) {
            tracked_.push_back(relaxation.lambda[x] > 0 || disjoint[x] > kinds_.supply[x]);
        }
        compute_ahead();
    }

    // The best solution if it saves the target, with at most `most_open` labels per boundary; if there are more, those
    // with the highest bounds stay. Returns nothing after `most_steps`, or when the work is spent.
    std::optional<Result> solve(std::size_t most_open, std::size_t most_steps, const Effort& stop) {
        const int boundaries = ahead_.count();
        Vector<Vector<int>> starting(boundaries);
        for (int i = 0; i < pool_.count(); ++i) starting[pool_[i].begin].push_back(i);
        steps_.clear();
        exact_ = true;
        open_.assign(boundaries, {});
        open_[0][{}] = {0, -1};
        for (int b = 0; b + 1 < boundaries; ++b) {
            drop_excess(b, most_open);
            for (const auto& [used, label] : open_[b]) {
                progress_(kLabelSteps * (1 + std::ssize(starting[b])));
                if (steps_.size() > most_steps || stop()) return std::nullopt;
                skip_word(b + 1, used, label);
                for (int i : starting[b]) take_run(i, used, label);
            }
            open_[b].clear();
        }
        return trace();
    }

  private:
    struct Label {
        std::int64_t save;
        std::int64_t step;  // index of the last run in steps_
    };
    struct Step {
        int run;
        std::int64_t before;
    };
    using Used = Vector<std::int32_t>;  // tracked kinds that could be used again, once per use, sorted
    using Open = std::map<Used, Label>;
    static constexpr std::int64_t kLabelSteps = 35;  // of work for one label and for one run after it

    // Computes an upper bound of what the words after each boundary can save, including the multipliers of all tracked
    // kinds that can still be used.
    void compute_ahead() {
        ahead_ = relaxation_.potentials.right;
        Vector<std::int64_t> price(ahead_.size() + 1, 0);
        for (std::size_t x = 0; x < tracked_.size(); ++x) {
            if (tracked_[x]) {
                price[last_begin_[x] + 1] += relaxation_.lambda[x] * kinds_.supply[x];
            }
        }
        std::int64_t sum = 0;
        for (int b = ahead_.count(); b-- > 0;) {
            sum += price[b + 1];
            ahead_[b] += sum;
        }
    }

    std::int64_t bound(int b, const Used& used, const Label& label) const {
        std::int64_t sum = label.save * relaxation_.unit + ahead_[b];
        for (std::int32_t x : used) sum -= relaxation_.lambda[x];
        return sum;
    }

    void drop_excess(int b, std::size_t most) {
        if (open_[b].size() <= most) return;
        exact_ = false;
        Vector<std::pair<std::int64_t, Open::iterator>> ranked;
        for (auto i = open_[b].begin(); i != open_[b].end(); ++i) ranked.emplace_back(bound(b, i->first, i->second), i);
        const auto cut = ranked.begin() + static_cast<std::ptrdiff_t>(most);
        std::nth_element(ranked.begin(), cut, ranked.end(),
                         [](const auto& a, const auto& c) { return a.first > c.first; });
        for (auto i = cut; i != ranked.end(); ++i) open_[b].erase(i->second);
    }

    void take_run(int i, const Used& used, const Label& here) {
        const PoolRun& r = pool_[i];
        const Label next{here.save + r.save, here.step};
        Used more = used;
        bool available = true;
        kinds_.each_used(r.kind, [&](int kind) { available &= !tracked_[kind] || use(kind, more); });
        if (!available) return;
        expire(r.end, more);
        if (bound(r.end, more, next) < threshold_) return;
        Label* slot = store(r.end, std::move(more), next);
        if (!slot) return;
        steps_.push_back({i, here.step});
        slot->step = static_cast<std::int64_t>(steps_.size()) - 1;
    }

    // Adds one use of a tracked kind. Returns false if its supply is used up.
    bool use(int kind, Used& used) const {
        const auto same = std::equal_range(used.begin(), used.end(), kind);
        if (same.second - same.first >= kinds_.supply[kind]) return false;
        used.insert(same.second, kind);
        return true;
    }

    // Skips a word.
    void skip_word(int b, const Used& used, const Label& label) {
        Used still = used;
        expire(b, still);
        if (bound(b, still, label) >= threshold_) store(b, std::move(still), label);
    }

    void expire(int b, Used& used) const {
        std::erase_if(used,
                      [&](std::int32_t x) { return last_begin_[x] < b; });
    }

    // Stores a label if it is the best at its boundary with these used kinds.
    Label* store(int b, Used used, const Label& label) {
        const auto [slot, fresh] = open_[b].try_emplace(std::move(used), label);
        if (!fresh && slot->second.save >= label.save) return nullptr;
        slot->second = label;
        return &slot->second;
    }

    Result trace() const {
        Result result{{}, 0, exact_};
        const Label* best = nullptr;
        for (const auto& [used, label] : open_.back()) {
            if (!best || label.save > best->save) best = &label;
        }
        if (!best) return result;
        result.save = best->save;
        for (std::int64_t i = best->step; i >= 0; i = steps_[i].before) {
            result.runs.push_back(pool_[steps_[i].run]);
        }
        std::reverse(result.runs.begin(), result.runs.end());
        return result;
    }

    const Vector<PoolRun>& pool_;
    const Lagrangian& relaxation_;
    const LineKinds& kinds_;
    std::int64_t threshold_;
    Vector<int> last_begin_;
    Vector<char> tracked_;
    Vector<std::int64_t> ahead_;
    Vector<Step> steps_;
    Vector<Open> open_;
    bool exact_ = true;
    Progress progress_;
};

}  // namespace pagemeter
