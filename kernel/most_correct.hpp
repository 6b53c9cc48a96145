// A bound of S for words, by the words that can be correct. If GT has at least as many words as HYP,
//     errors = |GT| - COR + deleted HYP words,
// and only runs with correct words matter, because all other words may be substitutions. If HYP has more words, the
// same holds with missing GT words. Pages with few correct words attain this bound.
#pragma once

#include <algorithm>
#include <functional>
#include <numeric>
#include <optional>
#include <utility>

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

    // A packing of runs whose save is their correct words minus the words deleted (or missing) between them. No run
    // contains a shorter run that saves as much. Returns nothing if there are too many runs.
    std::optional<Packing> packing(int alphabet, const Effort& stop) {
        Vector<Vector<int>> places(alphabet);  // the words that contain each token
        for (int w = 0; w < words_.size(); ++w) {
            for (Token t : words_[w]) note(places[t], w);
        }
        for (int x = 0; x < gt_.size(); ++x) {
            Vector<int> begins;
            for (Token t : gt_[x]) {
                const Vector<int>& some = places[t];
                begins.insert(begins.end(), some.begin(), some.end());
            }
            std::sort(begins.begin(), begins.end(), std::greater<>());
            begins.erase(std::unique(begins.begin(), begins.end()), begins.end());
            list(x, begins);
            if (steps_ > kMostSteps || stop()) return std::nullopt;
        }
        std::stable_sort(runs_.begin(), runs_.end(), [](const PoolRun& a, const PoolRun& b) { return a.end < b.end; });
        Packing packing(words_.size(), kinds_, kUnit);
        packing.bound.runs = std::move(runs_);
        packing.prune();
        packing.improve_bound(stop);
        return packing;
    }

    // The multipliers of the packing as multipliers of S, in errors. If HYP has more words than GT, a length is worth
    // its number of words.
    Vector<double> multipliers(const Packing& packing) const {
        Vector<double> worth;
        for (int kind = 0; kind < kinds_.size(); ++kind) {
            const int surplus = kinds_.is_blind(kind) ? missing_ * kinds_.length[kind] : 0;
            worth.push_back(static_cast<double>(packing.bound.relaxation.lambda[kind]) / kUnit + surplus);
        }
        return worth;
    }

    // All GT lines: those with correct words in the order of their runs. Each of the others, longest first, goes where
    // most words between two such runs are left.
    Vector<int> order(Vector<PoolRun> runs) const {
        std::sort(runs.begin(), runs.end(), [](const PoolRun& a, const PoolRun& b) { return a.begin < b.begin; });
        Vector<Vector<int>> lines(1);  // before the first run, and from each run on
        Vector<int> left{runs.empty() ? words_.size() : runs[0].begin};
        Vector<char> used(kinds_.kind_of.size(), 0);
        Vector<std::size_t> next(kinds_.members.size(), 0);
        for (std::size_t i = 0; i < runs.size(); ++i) {
            const int kind = runs[i].kind;
            const int x = kinds_.members[kind][next[kind]++];
            used[x] = 1;
            lines.push_back({x});
            left.push_back((i + 1 < runs.size() ? runs[i + 1].begin : words_.size()) - runs[i].begin - length(x));
        }
        for (int x : longest_first()) {
            if (used[x]) continue;
            const auto roomiest = std::max_element(left.begin(), left.end()) - left.begin();
            lines[roomiest].push_back(x);
            left[roomiest] -= length(x);
        }
        Vector<int> all;
        for (const Vector<int>& some : lines) all.insert(all.end(), some.begin(), some.end());
        return all;
    }

  private:
    static constexpr std::int64_t kUnit = 1 << 16;
    static constexpr std::int64_t kMostSteps = 20'000'000;

    static void note(Vector<int>& places, int w) {
        if (places.empty() || places.back() != w) places.push_back(w);
    }

    // Lists the runs of line kind x, while steps are left. Begins are visited from last to first, so that a run is
    // stored only if it saves more than every run inside it with the same end.
    void list(int x, const Vector<int>& begins) {
        most_.assign(words_.size(), 0);
        for (int begin : begins) {
            value_.assign(gt_.length(x) + 1, 0);
            int best = 0;
            for (int w = begin; w < words_.size() && best < gt_.length(x) && steps_ <= kMostSteps; ++w) {
                if (page_.near.restricted() && !page_.allows(x, w)) break;
                for (Token t : words_[w]) extend(x, t);
                const int value = *std::max_element(value_.begin(), value_.end());
                if (value <= 0) break;
                int& most = most_[w];
                if (value <= best || value <= most) continue;
                most = best = value;
                runs_.push_back({begin, w + 1, x, 0, value});
            }
        }
    }

    // Advances by one token: the most that the run saves with each prefix of the line.
    void extend(int x, Token token) {
        const Tokens line = gt_[x];
        steps_ += static_cast<std::int64_t>(line.size());
        progress_(std::ssize(line));
        int diagonal = value_[0];
        value_[0] -= deleted_;
        for (std::size_t k = 0; k < line.size(); ++k) {
            const int matched = diagonal + (line[k] == token);
            diagonal = value_[k + 1];
            value_[k + 1] = std::max({matched, diagonal - deleted_, value_[k] - missing_});
        }
    }

    int length(int line) const {
        return kinds_.length[kinds_.kind_of[line]];
    }
    Vector<int> longest_first() const {
        Vector<int> lines(kinds_.kind_of.size());
        std::iota(lines.begin(), lines.end(), 0);
        std::stable_sort(lines.begin(), lines.end(), [&](int a, int b) { return length(a) > length(b); });
        return lines;
    }

    const SegmentPage& page_;
    const LineKinds& kinds_;
    Slices gt_;  // one line of each kind
    Slices words_;
    Vector<PoolRun> runs_;
    int deleted_;  // the cost of a deleted word; missing_ is that of a missing one
    int missing_;
    Vector<int> most_;  // by last word
    Vector<int> value_;
    std::int64_t steps_ = 0;
    Progress progress_;
};

}  // namespace pagemeter
