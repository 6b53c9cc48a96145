// The exact end of S and SG: over the few runs that the bound leaves, a search along the words whose labels
// remember which contested GT lines are used.
//
// A kind of GT line is contested if two of its runs are disjoint; only then can it be used too often. A label is dropped
// if its Lagrangian bound falls below the threshold, or if another label at the same boundary with the same
// used lines is better.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "lagrangian.hpp"

namespace pagemeter {

class LabelSearch {
  public:
    // `gain` ranks solutions and is asked only for runs that some live label takes.
    LabelSearch(const std::vector<PoolRun>& pool, std::function<std::int64_t(const PoolRun&)> gain,
                const Lagrangian& relaxation, std::int64_t threshold, std::size_t most_labels)
        : pool_(pool),
          gain_of_(std::move(gain)),
          gain_(pool.size(), kUnknown),
          relaxation_(relaxation),
          threshold_(threshold),
          most_(most_labels),
          last_begin_(relaxation.lambda.size(), -1),
          first_end_(relaxation.lambda.size(), std::numeric_limits<int>::max()) {
        for (const PoolRun& r : pool_) {
            int& last = last_begin_[static_cast<std::size_t>(r.gt)];
            int& first = first_end_[static_cast<std::size_t>(r.gt)];
            last = std::max(last, r.begin);
            first = std::min(first, r.end);
        }
    }

    // The solution of the highest gain, or nothing where labels or time ran out.
    std::optional<std::vector<PoolRun>> solve(Clock::time_point deadline) {
        const std::size_t boundaries = relaxation_.potentials.left.size();
        std::vector<std::vector<std::size_t>> starting(boundaries);
        for (std::size_t i = 0; i < pool_.size(); ++i) starting[static_cast<std::size_t>(pool_[i].begin)].push_back(i);
        open_.assign(boundaries, {});
        labels_.push_back({0, 0, -1, -1});
        open_[0][{}] = 0;
        for (std::size_t b = 0; b + 1 < boundaries; ++b) {
            if (labels_.size() > most_ || (b % 64 == 0 && Clock::now() > deadline)) return std::nullopt;
            for (const auto& [used, label] : open_[b]) {
                const Label here = labels_[label];
                reach(b + 1, used, here, static_cast<std::int64_t>(label));
                for (std::size_t i : starting[b]) take(i, used, here, static_cast<std::int64_t>(label));
            }
            open_[b].clear();
        }
        return trace();
    }

  private:
    struct Label {
        std::int64_t gain;
        std::int64_t reduced;  // Σ (save - λ) so far
        std::int64_t parent;
        std::int64_t run;
    };
    using Used = std::vector<std::int32_t>;  // contested kinds, once for each use, that could come again

    bool contested(std::int32_t x) const {
        return first_end_[static_cast<std::size_t>(x)] <= last_begin_[static_cast<std::size_t>(x)];
    }

    void take(std::size_t i, const Used& used, const Label& here, std::int64_t parent) {
        const PoolRun& r = pool_[i];
        const auto same = std::equal_range(used.begin(), used.end(), r.gt);
        if (same.second - same.first >= relaxation_.supply[static_cast<std::size_t>(r.gt)]) return;
        Label next{here.gain, here.reduced + relaxation_.reduced(r), parent, static_cast<std::int64_t>(i)};
        if (hopeless(static_cast<std::size_t>(r.end), next)) return;
        if (gain_[i] == kUnknown) gain_[i] = gain_of_(r);
        next.gain += gain_[i];
        if (!contested(r.gt)) return reach(static_cast<std::size_t>(r.end), used, next, -1);
        Used more = used;
        more.insert(std::upper_bound(more.begin(), more.end(), r.gt), r.gt);
        reach(static_cast<std::size_t>(r.end), more, next, -1);
    }

    bool hopeless(std::size_t b, const Label& label) const {
        const Potentials& p = relaxation_.potentials;
        return label.reduced + p.right[b] + p.multipliers < threshold_;
    }

    // Puts a label at a boundary; `same` >= 0 is the label to reuse when a word is merely skipped.
    void reach(std::size_t b, const Used& used, const Label& label, std::int64_t same) {
        if (hopeless(b, label)) return;
        Used still;
        for (std::int32_t x : used) {
            if (last_begin_[static_cast<std::size_t>(x)] >= static_cast<int>(b)) still.push_back(x);
        }
        const auto [slot, fresh] = open_[b].try_emplace(std::move(still), 0);
        if (!fresh && labels_[slot->second].gain >= label.gain) return;
        if (same < 0) {
            labels_.push_back(label);
            slot->second = labels_.size() - 1;
        } else {
            slot->second = static_cast<std::size_t>(same);
        }
    }

    std::vector<PoolRun> trace() const {
        std::vector<PoolRun> runs;
        if (open_.back().empty()) return runs;
        for (auto i = static_cast<std::int64_t>(open_.back().begin()->second); i >= 0;) {
            const Label& label = labels_[static_cast<std::size_t>(i)];
            if (label.run >= 0) runs.push_back(pool_[static_cast<std::size_t>(label.run)]);
            i = label.parent;
        }
        std::reverse(runs.begin(), runs.end());
        return runs;
    }

    static constexpr std::int64_t kUnknown = std::numeric_limits<std::int64_t>::min();

    const std::vector<PoolRun>& pool_;
    std::function<std::int64_t(const PoolRun&)> gain_of_;
    std::vector<std::int64_t> gain_;
    const Lagrangian& relaxation_;
    std::int64_t threshold_;
    std::size_t most_;
    std::vector<int> last_begin_;
    std::vector<int> first_end_;
    std::vector<Label> labels_;
    std::vector<std::map<Used, std::size_t>> open_;
};

}  // namespace pagemeter
