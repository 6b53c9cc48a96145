// First solutions of S and SG: whole HYP lines, and the best runs for a given order of the GT lines.
#pragma once

#include <algorithm>
#include <numeric>
#include <vector>

#include "free.hpp"
#include "ordered_words.hpp"

namespace pagemeter {

class FirstSegments {
  public:
    FirstSegments(const Slices& gt, const Words& hyp, Neighbours near, int alphabet)
        : gt_(gt), hyp_(hyp), near_(near), alphabet_(alphabet) {}

    // The best solution that keeps to an order of the GT lines.
    std::vector<Run> in_order(const std::vector<int>& order) const {
        std::vector<Bounds> lines;
        std::vector<std::uint8_t> mask;
        for (int x : order) {
            lines.push_back(gt_.bounds[static_cast<std::size_t>(x)]);
            if (near_.restricted()) mask.insert(mask.end(), near_.row(x), near_.row(x + 1));
        }
        const Neighbours near{near_.restricted() ? mask.data() : nullptr, near_.columns};
        std::vector<Run> runs = ordered_runs({gt_.tokens, lines}, hyp_, near, alphabet_);
        for (Run& r : runs) r.gt = order[static_cast<std::size_t>(r.gt)];
        return runs;
    }

    // The best matching of whole HYP lines.
    std::vector<Run> whole_lines() const {
        std::vector<Bounds> lines;
        std::vector<Bounds> words;  // of each line
        for (int w = 0; w < hyp_.size(); ++w) {
            if (w == 0 || line(w) != line(w - 1)) {
                lines.push_back({hyp_.begin(w), hyp_.end(w)});
                words.push_back({w, w + 1});
            } else {
                lines.back().end = hyp_.end(w);
                words.back().end = w + 1;
            }
        }
        std::vector<std::uint8_t> mask;
        for (int x = 0; near_.restricted() && x < gt_.size(); ++x) {
            for (const Bounds& b : words) mask.push_back(near_(x, line(b.begin)));
        }
        const Neighbours near{near_.restricted() ? mask.data() : nullptr, lines.size()};
        std::vector<Run> runs;
        for (const LinePair& p : Free(gt_, {hyp_.tokens, lines}, near, alphabet_).solve()) {
            const Bounds& b = words[static_cast<std::size_t>(p.hyp)];
            runs.push_back({p.gt, b.begin, b.end, p.counts});
        }
        return runs;
    }

    // All GT lines in the order of their runs, any other after the one before it.
    std::vector<int> order_of(const std::vector<Run>& runs) const {
        std::vector<int> place(static_cast<std::size_t>(gt_.size()), -1);
        for (const Run& r : runs) place[static_cast<std::size_t>(r.gt)] = r.begin;
        for (std::size_t x = 1; x < place.size(); ++x) place[x] = place[x] < 0 ? place[x - 1] : place[x];
        std::vector<int> order(place.size());
        std::iota(order.begin(), order.end(), 0);
        std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
            return place[static_cast<std::size_t>(a)] < place[static_cast<std::size_t>(b)];
        });
        return order;
    }

  private:
    int line(int word) const { return hyp_.line[static_cast<std::size_t>(word)]; }

    Slices gt_;
    Words hyp_;
    Neighbours near_;
    int alphabet_;
};

}  // namespace pagemeter
