// First solutions of S and SG: whole HYP lines, and the best runs for a given order of the GT lines.
#pragma once

#include <algorithm>
#include <numeric>

#include "free_lines.hpp"
#include "ordered_words.hpp"

namespace pagemeter {

class FirstSolutions {
  public:
    FirstSolutions(const Slices& gt, const Words& hyp, Neighbours near, int alphabet, const OptionalLines& optional)
        : gt_(gt), hyp_(hyp), near_(near), alphabet_(alphabet), optional_(optional) {}

    // The best solution that keeps a given order of the GT lines.
    Vector<Run> in_order(const Vector<int>& order) const {
        Vector<Bounds> lines;
        Vector<std::uint8_t> mask;
        Vector<std::uint8_t> flags;
        for (int x : order) {
            lines.push_back(gt_.bounds[x]);
            if (!optional_.gt.empty()) flags.push_back(optional_.gt[x]);
            if (near_.restricted()) mask.insert(mask.end(), near_.row(x), near_.row(x + 1));
        }
        const Neighbours near{near_.restricted() ? mask.data() : nullptr, near_.columns};
        Vector<Run> runs = ordered_runs({gt_.tokens, lines}, hyp_, near, alphabet_, {flags, optional_.hyp});
        for (Run& r : runs) r.gt = order[r.gt];
        return runs;
    }

    // The best matching of whole HYP lines.
    Vector<Run> whole_lines() const {
        Vector<Bounds> lines;
        Vector<Bounds> words;  // of each line
        for (int w = 0; w < hyp_.size(); ++w) {
            if (w == 0 || line(w) != line(w - 1)) {
                lines.push_back({hyp_.begin(w), hyp_.end(w)});
                words.push_back({w, w + 1});
            } else {
                lines.back().end = hyp_.end(w);
                words.back().end = w + 1;
            }
        }
        Vector<std::uint8_t> mask;
        for (int x = 0; near_.restricted() && x < gt_.size(); ++x) {
            for (const Bounds& b : words) mask.push_back(near_(x, line(b.begin)));
        }
        const Neighbours near{near_.restricted() ? mask.data() : nullptr, lines.count()};
        Vector<Run> runs;
        for (const LinePair& p : FreeLines(gt_, {hyp_.tokens, lines}, near, alphabet_).solve()) {
            const Bounds& b = words[p.hyp];
            runs.push_back({p.gt, b.begin, b.end, p.counts});
        }
        return runs;
    }

    // All GT lines in the order of their runs. A line without a run follows its predecessor.
    Vector<int> order_of(const Vector<Run>& runs) const {
        Vector<int> place(gt_.size(), -1);
        for (const Run& r : runs) place[r.gt] = r.begin;
        for (std::size_t x = 1; x < place.size(); ++x) place[x] = place[x] < 0 ? place[x - 1] : place[x];
        Vector<int> order(place.size());
        std::iota(order.begin(), order.end(), 0);
        std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
            return place[a] < place[b];
        });
        return order;
    }

  private:
    int line(int word) const { return hyp_.line[word]; }

    Slices gt_;
    Words hyp_;
    Neighbours near_;
    int alphabet_;
    OptionalLines optional_;
};

}  // namespace pagemeter
