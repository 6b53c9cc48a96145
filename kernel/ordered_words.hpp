// RS where each HYP word is one token and nothing joins them: the edit distance of the two pages as flat sequences.
//
// Every alignment of the two sequences is a solution. The HYP tokens aligned with a GT line lie between the tokens
// aligned with other lines, so the words from the first to the last of them form its run. An unaligned token costs 1,
// whether it is inside a run or not. So GT lines may be merged: a sweep over longer lines has fewer levels, and the
// runs of the original lines are cut from the alignments of the merged ones.
#pragma once


#include "alignment.hpp"
#include "ordered_segments.hpp"

namespace pagemeter {

class OrderedWords {
  public:
    // True if every HYP word is one token and nothing joins them.
    static bool suits(const Words& hyp) {
        bool single = true;
        for (int b = 0; b < hyp.size(); ++b) single &= hyp.begin(b) == b && hyp.length(b) == 1;
        return single;
    }

    OrderedWords(const Slices& gt, const Words& hyp, int alphabet) : gt_(gt), hyp_(hyp), alphabet_(alphabet) {}

    Vector<Run> solve() {
        gather();
        for (const Run& run : OrderedSegments({gt_.tokens, gathered_}, hyp_, Neighbours{}, alphabet_).solve()) cut(run);
        return std::move(runs_);
    }

  private:
    static constexpr int kTokens = 48;  // of a merged line; the alignment of longer lines is expensive
    static constexpr std::int64_t kCells = 1 << 20;

    void gather() {
        for (int x = 0; x < gt_.size(); ++x) {
            const Bounds line = gt_.bounds[x];
            if (x > 0 && gathered_.back().end == line.begin && gathered_.back().length() < kTokens) {
                gathered_.back().end = line.end;
            } else {
                gathered_.push_back(line);
                first_.push_back(x);
            }
        }
    }

    void cut(const Run& run) {
        const Bounds lines = gathered_[run.gt];
        int token = lines.begin;
        int word = run.begin;
        Run part{first_[run.gt], 0, 0, {}};
        for (Edit edit :
             alignment_.align(gt_.slice(lines.begin, lines.end), hyp_.run(run.begin, run.end), run.counts.distance)) {
            for (; edit != Edit::remove && token == gt_.end(part.gt); part = {part.gt + 1, 0, 0, {}}) add(part);
            if (edit == Edit::equal || edit == Edit::substitute) {
                if (part.end == 0) part.begin = word;
                part.end = word + 1;
                ++(edit == Edit::equal ? part.counts.cor : part.counts.sub);
            }
            token += edit != Edit::remove;
            word += edit != Edit::insert;
        }
        add(part);
    }

    void add(Run part) {
        if (part.end == 0) return;
        part.counts.distance = gt_.length(part.gt) + part.end - part.begin - 2 * part.counts.cor - part.counts.sub;
        runs_.push_back(part);
    }

    const Slices& gt_;
    const Words& hyp_;
    int alphabet_;
    Vector<Bounds> gathered_;
    Vector<int> first_;  // first GT line of each merged line
    CanonicalAlignment alignment_{kCells};
    Vector<Run> runs_;
};

inline Vector<Run> ordered_runs(const Slices& gt, const Words& hyp, Neighbours near, int alphabet,
                                const OptionalLines& optional = {}) {
    const bool flat = !near.restricted() && !optional.any() && OrderedWords::suits(hyp);
    if (flat) return OrderedWords(gt, hyp, alphabet).solve();
    return OrderedSegments(gt, hyp, near, alphabet, optional).solve();
}

}  // namespace pagemeter
