// The exact end of S and SG: over the few runs that the bound leaves, a search along the words whose labels
// remember which tracked kinds of GT lines are used.
//
// A kind is tracked if it has a price, or if more disjoint runs than it has lines could use it. A label is dropped if
// its Lagrangian bound falls below the threshold (a tracked kind whose last run has passed has no price any more), or
// if another label at the same boundary with the same used kinds is better.
#pragma once

#include <algorithm>
#include <map>
#include <optional>
#include <vector>

#include "lagrangian.hpp"

namespace pagemeter {

class LabelSearch {
  public:
    struct Found {
        std::vector<PoolRun> runs;
        std::int64_t save;
        bool exact;  // whether no label was left out that could have led to the target
    };

    // Over a pool that `relaxation` has been through forward and backward, for solutions that save the target.
    LabelSearch(const std::vector<PoolRun>& pool, const Lagrangian& relaxation, std::int64_t target)
        : pool_(pool),
          relaxation_(relaxation),
          kinds_(*relaxation.kinds),
          threshold_(target * relaxation.unit),
          last_begin_(relaxation.lambda.size(), -1) {
        for (const PoolRun& r : pool_) {
            kinds_.each_used(r.kind,
                             [&](std::size_t used) { last_begin_[used] = std::max(last_begin_[used], r.begin); });
        }
        const std::vector<int> disjoint = relaxation.disjoint_runs(pool_);
        for (std::size_t x = 0; x < disjoint.size(); ++x) {
            tracked_.push_back(relaxation.lambda[x] > 0 || disjoint[x] > kinds_.supply[x]);
        }
        foresee();
    }

    // The solution that saves most if it saves the target, with at most `most_open` labels at a boundary:
    // of more the most promising stay. Nothing if that takes more steps than it may, or time runs out.
    std::optional<Found> solve(std::size_t most_open, std::size_t most_steps, const Stop& stop) {
        const std::size_t boundaries = ahead_.size();
        std::vector<std::vector<std::size_t>> starting(boundaries);
        for (std::size_t i = 0; i < pool_.size(); ++i) starting[static_cast<std::size_t>(pool_[i].begin)].push_back(i);
        steps_.clear();
        exact_ = true;
        open_.assign(boundaries, {});
        open_[0][{}] = {0, -1};
        for (std::size_t b = 0; b + 1 < boundaries; ++b) {
            thin(b, most_open);
            for (const auto& [used, label] : open_[b]) {
                if (steps_.size() > most_steps || stop()) return std::nullopt;
                reach(b + 1, used, label);
                for (std::size_t i : starting[b]) take(i, used, label);
            }
            open_[b].clear();
        }
        return trace();
    }

  private:
    struct Label {
        std::int64_t save;
        std::int64_t step;  // the last run taken, in steps_
    };
    struct Step {
        std::size_t run;
        std::int64_t before;
    };
    using Used = std::vector<std::int32_t>;  // tracked kinds, once for each use, that could come again
    using Open = std::map<Used, Label>;

    // What the rest of the page could still save, with the prices of all tracked kinds that could come.
    void foresee() {
        ahead_ = relaxation_.potentials.right;
        std::vector<std::int64_t> price(ahead_.size() + 1, 0);
        for (std::size_t x = 0; x < tracked_.size(); ++x) {
            if (tracked_[x]) {
                price[static_cast<std::size_t>(last_begin_[x] + 1)] += relaxation_.lambda[x] * kinds_.supply[x];
            }
        }
        std::int64_t sum = 0;
        for (std::size_t b = ahead_.size(); b-- > 0;) {
            sum += price[b + 1];
            ahead_[b] += sum;
        }
    }

    std::int64_t bound(std::size_t b, const Used& used, const Label& label) const {
        std::int64_t sum = label.save * relaxation_.unit + ahead_[b];
        for (std::int32_t x : used) sum -= relaxation_.lambda[static_cast<std::size_t>(x)];
        return sum;
    }

    void thin(std::size_t b, std::size_t most) {
        if (open_[b].size() <= most) return;
        exact_ = false;
        std::vector<std::pair<std::int64_t, Open::iterator>> ranked;
        for (auto i = open_[b].begin(); i != open_[b].end(); ++i) ranked.emplace_back(bound(b, i->first, i->second), i);
        const auto cut = ranked.begin() + static_cast<std::ptrdiff_t>(most);
        std::nth_element(ranked.begin(), cut, ranked.end(),
                         [](const auto& a, const auto& c) { return a.first > c.first; });
        for (auto i = cut; i != ranked.end(); ++i) open_[b].erase(i->second);
    }

    void take(std::size_t i, const Used& used, const Label& here) {
        const PoolRun& r = pool_[i];
        const Label next{here.save + r.save, here.step};
        const auto end = static_cast<std::size_t>(r.end);
        Used more = used;
        bool had = true;
        kinds_.each_used(r.kind, [&](std::size_t kind) { had &= !tracked_[kind] || use(kind, more); });
        if (!had) return;
        expire(end, more);
        if (bound(end, more, next) < threshold_) return;
        Label* slot = better(end, std::move(more), next);
        if (!slot) return;
        steps_.push_back({i, here.step});
        slot->step = static_cast<std::int64_t>(steps_.size()) - 1;
    }

    // Adds a use of a tracked kind, if any is left.
    bool use(std::size_t kind, Used& used) const {
        const auto x = static_cast<std::int32_t>(kind);
        const auto same = std::equal_range(used.begin(), used.end(), x);
        if (same.second - same.first >= kinds_.supply[kind]) return false;
        used.insert(same.second, x);
        return true;
    }

    // A word is skipped.
    void reach(std::size_t b, const Used& used, const Label& label) {
        Used still = used;
        expire(b, still);
        if (bound(b, still, label) >= threshold_) better(b, std::move(still), label);
    }

    void expire(std::size_t b, Used& used) const {
        std::erase_if(used,
                      [&](std::int32_t x) { return last_begin_[static_cast<std::size_t>(x)] < static_cast<int>(b); });
    }

    // Puts a label at a boundary if it is the best there with these used kinds.
    Label* better(std::size_t b, Used used, const Label& label) {
        const auto [slot, fresh] = open_[b].try_emplace(std::move(used), label);
        if (!fresh && slot->second.save >= label.save) return nullptr;
        slot->second = label;
        return &slot->second;
    }

    Found trace() const {
        Found found{{}, 0, exact_};
        const Label* best = nullptr;
        for (const auto& [used, label] : open_.back()) {
            if (!best || label.save > best->save) best = &label;
        }
        if (!best) return found;
        found.save = best->save;
        for (std::int64_t i = best->step; i >= 0; i = steps_[static_cast<std::size_t>(i)].before) {
            found.runs.push_back(pool_[steps_[static_cast<std::size_t>(i)].run]);
        }
        std::reverse(found.runs.begin(), found.runs.end());
        return found;
    }

    const std::vector<PoolRun>& pool_;
    const Lagrangian& relaxation_;
    const LineKinds& kinds_;
    std::int64_t threshold_;
    std::vector<int> last_begin_;
    std::vector<char> tracked_;
    std::vector<std::int64_t> ahead_;
    std::vector<Step> steps_;
    std::vector<Open> open_;
    bool exact_ = true;
};

}  // namespace pagemeter
