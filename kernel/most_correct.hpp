// S of words: a bound by those that can be correct. Where GT has more words than HYP,
//     errors = |GT| - COR + HYP words that are deleted,
// and only runs with correct words need be looked at: whatever other words are left may be substitutions. Where HYP has
// more it is the same with GT words that are missing. Pages with few correct words meet this bound.
#pragma once

#include <algorithm>
#include <functional>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "packing.hpp"
#include "segment_page.hpp"

namespace pagemeter {

class MostCorrect {
  public:
    MostCorrect(const SegmentPage& page, const LineKinds& kinds, std::int64_t gt_total)
        : page_(page),
          kinds_(kinds),
          gt_(page.gt()),
          words_(page.words()),
          deleted_(gt_total >= words_.total()),
          missing_(1 - deleted_) {}

    // A packing of runs that save their correct words less what is deleted (or missing) between them; none has a
    // shorter one in it that saves as much. Nothing where they are too many.
    std::optional<Packing> packing(int alphabet, const Stop& stop) {
        std::vector<std::vector<int>> places(static_cast<std::size_t>(alphabet));  // words that have a token
        for (int w = 0; w < words_.size(); ++w) {
            for (Token t : words_[w]) note(places[static_cast<std::size_t>(t)], w);
        }
        for (int x = 0; x < gt_.size(); ++x) {
            std::vector<int> begins;
            for (Token t : gt_[x]) {
                const std::vector<int>& some = places[static_cast<std::size_t>(t)];
                begins.insert(begins.end(), some.begin(), some.end());
            }
            std::sort(begins.begin(), begins.end(), std::greater<>());
            begins.erase(std::unique(begins.begin(), begins.end()), begins.end());
            list(x, begins);
            if (steps_ > kMostSteps || stop()) return std::nullopt;
        }
        std::stable_sort(runs_.begin(), runs_.end(), [](const PoolRun& a, const PoolRun& b) { return a.end < b.end; });
        Packing found(words_.size(), kinds_, kUnit);
        found.bound.runs = std::move(runs_);
        found.settle();
        found.ascend(stop);
        while (!found.proven() && found.bound.runs.size() <= kFewRuns && found.decide(kLabels, stop)) {
        }
        return found;
    }

    // The multipliers of the packing as those of S, in errors: where HYP has more words than can be used, a length is
    // worth as many.
    std::vector<double> multipliers(const Packing& packing) const {
        std::vector<double> worth;
        for (int kind = 0; kind < kinds_.size(); ++kind) {
            const auto k = static_cast<std::size_t>(kind);
            const int surplus = kinds_.is_blind(kind) ? missing_ * kinds_.length[k] : 0;
            worth.push_back(static_cast<double>(packing.bound.relaxation.lambda[k]) / kUnit + surplus);
        }
        return worth;
    }

    // All GT lines, those with correct words in the order of their runs. Of the others the longest goes where most
    // words between two such runs are left, again and again.
    std::vector<int> order(std::vector<PoolRun> runs) const {
        std::sort(runs.begin(), runs.end(), [](const PoolRun& a, const PoolRun& b) { return a.begin < b.begin; });
        std::vector<std::vector<int>> lines(1);  // before, and from each run on
        std::vector<int> left{runs.empty() ? words_.size() : runs[0].begin};
        std::vector<char> used(kinds_.kind_of.size(), 0);
        std::vector<std::size_t> next(kinds_.members.size(), 0);
        for (std::size_t i = 0; i < runs.size(); ++i) {
            const auto kind = static_cast<std::size_t>(runs[i].kind);
            const int x = kinds_.members[kind][next[kind]++];
            used[static_cast<std::size_t>(x)] = 1;
            lines.push_back({x});
            left.push_back((i + 1 < runs.size() ? runs[i + 1].begin : words_.size()) - runs[i].begin - length(x));
        }
        for (int x : longest_first()) {
            if (used[static_cast<std::size_t>(x)]) continue;
            const auto roomiest = static_cast<std::size_t>(std::max_element(left.begin(), left.end()) - left.begin());
            lines[roomiest].push_back(x);
            left[roomiest] -= length(x);
        }
        std::vector<int> all;
        for (const std::vector<int>& some : lines) all.insert(all.end(), some.begin(), some.end());
        return all;
    }

  private:
    static constexpr std::int64_t kUnit = 1 << 16;
    static constexpr std::int64_t kMostSteps = 20'000'000;
    static constexpr std::size_t kFewRuns = 5'000;
    static constexpr std::size_t kLabels = 100;

    static void note(std::vector<int>& places, int w) {
        if (places.empty() || places.back() != w) places.push_back(w);
    }

    // The runs of line kind x, as far as steps are left. From the last begin to the first, so that a run is kept only
    // if it saves more than any with the same end so far.
    void list(int x, const std::vector<int>& begins) {
        most_.assign(static_cast<std::size_t>(words_.size()), 0);
        for (int begin : begins) {
            value_.assign(static_cast<std::size_t>(gt_.length(x)) + 1, 0);
            int best = 0;
            for (int w = begin; w < words_.size() && best < gt_.length(x) && steps_ <= kMostSteps; ++w) {
                if (page_.near.restricted() && !page_.allows(x, w)) break;
                for (Token t : words_[w]) extend(x, t);
                const int value = *std::max_element(value_.begin(), value_.end());
                if (value <= 0) break;
                int& most = most_[static_cast<std::size_t>(w)];
                if (value <= best || value <= most) continue;
                most = best = value;
                runs_.push_back({begin, w + 1, x, value});
            }
        }
    }

    // The most that the run saves with each beginning of the line, one token further.
    void extend(int x, Token token) {
        const Tokens line = gt_[x];
        steps_ += static_cast<std::int64_t>(line.size());
        int diagonal = value_[0];
        value_[0] -= deleted_;
        for (std::size_t k = 0; k < line.size(); ++k) {
            const int matched = diagonal + (line[k] == token);
            diagonal = value_[k + 1];
            value_[k + 1] = std::max({matched, diagonal - deleted_, value_[k] - missing_});
        }
    }

    int length(int line) const {
        return kinds_.length[static_cast<std::size_t>(kinds_.kind_of[static_cast<std::size_t>(line)])];
    }
    std::vector<int> longest_first() const {
        std::vector<int> lines(kinds_.kind_of.size());
        std::iota(lines.begin(), lines.end(), 0);
        std::stable_sort(lines.begin(), lines.end(), [&](int a, int b) { return length(a) > length(b); });
        return lines;
    }

    const SegmentPage& page_;
    const LineKinds& kinds_;
    Slices gt_;  // one line of each kind
    Slices words_;
    std::vector<PoolRun> runs_;
    int deleted_;  // what a deleted word costs, and a missing one
    int missing_;
    std::vector<int> most_;   // by the last word
    std::vector<int> value_;
    std::int64_t steps_ = 0;
};

}  // namespace pagemeter
