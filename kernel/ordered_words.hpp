// RS where each HYP word is one token and nothing joins them: the edit distance of the two pages as flat sequences.
//
// Any alignment of the two sequences is a solution: the HYP tokens beside those of a GT line lie between the tokens
// beside other lines, so that the words from the first to the last of them are its run; and a token beside none costs
// one, be it in a run or not. So GT lines may be cut and gathered at will. They are gathered to larger ones, of which
// a sweep has fewer levels, and the runs of the lines are cut from the alignments of these.
#pragma once

#include <vector>

#include "alignment.hpp"
#include "ordered_segments.hpp"

namespace pagemeter {

class OrderedWords {
  public:
    // Whether the page is such a one.
    static bool suits(const Words& hyp) {
        bool single = true;
        for (int b = 0; b < hyp.size(); ++b) single &= hyp.begin(b) == b && hyp.length(b) == 1;
        return single;
    }

    OrderedWords(const Slices& gt, const Words& hyp, int alphabet) : gt_(gt), hyp_(hyp), alphabet_(alphabet) {}

    std::vector<Run> solve() {
        gather();
        for (const Run& run : OrderedSegments({gt_.tokens, gathered_}, hyp_, Neighbours{}, alphabet_).solve()) cut(run);
        return std::move(runs_);
    }

  private:
    static constexpr int kTokens = 48;  // of a gathered line; more make its alignment dear
    static constexpr std::size_t kCells = std::size_t{1} << 20;

    void gather() {
        for (int x = 0; x < gt_.size(); ++x) {
            const Bounds line = gt_.bounds[static_cast<std::size_t>(x)];
            if (x > 0 && gathered_.back().end == line.begin && gathered_.back().length() < kTokens) {
                gathered_.back().end = line.end;
            } else {
                gathered_.push_back(line);
                first_.push_back(x);
            }
        }
    }

    void cut(const Run& run) {
        const Bounds lines = gathered_[static_cast<std::size_t>(run.gt)];
        int token = lines.begin;
        int word = run.begin;
        Run part{first_[static_cast<std::size_t>(run.gt)], 0, 0, {}};
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
    std::vector<Bounds> gathered_;
    std::vector<int> first_;  // line of each
    CanonicalAlignment alignment_{kCells};
    std::vector<Run> runs_;
};

inline std::vector<Run> ordered_runs(const Slices& gt, const Words& hyp, Neighbours near, int alphabet) {
    const bool flat = !near.restricted() && OrderedWords::suits(hyp);
    return flat ? OrderedWords(gt, hyp, alphabet).solve() : OrderedSegments(gt, hyp, near, alphabet).solve();
}

}  // namespace pagemeter
