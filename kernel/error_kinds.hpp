// The errors of a page by kind: misread, missed, invented and replaced (pagemeter.alignment.accounting has the rules).
#pragma once

#include <algorithm>
#include <cstdint>

#include "alignment.hpp"
#include "levenshtein.hpp"
#include "sequence.hpp"

namespace pagemeter {

// A GT line and the HYP units that are matched with it: words, or one line.
struct MatchedUnits {
    int gt;
    int begin;
    int end;
    int distance;
    int cor;
    int sub;
};

struct ErrorKinds {
    std::int64_t misread = 0;
    std::int64_t missed = 0;
    std::int64_t replaced = 0;
    Vector<std::int32_t> invented;  // HYP tokens, as pairs of begin and end

    void invent(std::int32_t begin, std::int32_t end) { invented.insert(invented.end(), {begin, end}); }
};

// Calls visit(edit, length) for each run of equal edits.
template <class Visit>
void visit_runs(View<const Edit> edits, Visit visit) {
    for (std::size_t from = 0; from < edits.size();) {
        std::size_t to = from;
        while (to < edits.size() && edits[to] == edits[from]) ++to;
        visit(edits[from], static_cast<std::int32_t>(to - from));
        from = to;
    }
}

class ErrorCount {
  public:
    ErrorCount(const Slices& gt, const Slices& hyp, int alphabet, int long_run, std::int64_t most_cells)
        : gt_(gt), hyp_(hyp), long_run_(long_run), index_(alphabet), alignment_(most_cells) {}

    ErrorKinds kinds(View<const MatchedUnits> matches, OptionalLines optional) {
        Vector<std::uint8_t> gt_matched(gt_.size()), hyp_matched(hyp_.size());
        for (const MatchedUnits& match : matches) {
            gt_matched[match.gt] = 1;
            std::fill(hyp_matched.begin() + match.begin, hyp_matched.begin() + match.end, std::uint8_t{1});
            if (match.distance > 0) add_pair(gt_[match.gt], hyp_.begin(match.begin), hyp_.end(match.end - 1));
        }
        for (int x = 0; x < gt_.size(); ++x) {
            if (!gt_matched[x] && !optional.has_gt(x)) kinds_.missed += gt_.length(x);
        }
        for (int y = 0; y < hyp_.size(); ++y) {
            if (hyp_matched[y] || optional.has_hyp(y) || hyp_.length(y) == 0) continue;
            kinds_.invent(hyp_.begin(y), hyp_.end(y));
        }
        return std::move(kinds_);
    }

  private:
    void add_pair(Tokens gt, int begin, int end) {
        const Tokens hyp = hyp_.slice(begin, end);
        index_.assign(gt);
        const Vector<Edit> edits = alignment_.align(gt, hyp, index_.distance(hyp));
        const auto count = [&](Edit kind) { return std::ranges::count(edits, kind); };
        const bool alike = count(Edit::equal) >=
                           count(Edit::substitute) + std::max(count(Edit::insert), count(Edit::remove));
        std::int32_t at = begin;
        visit_runs(edits, [&](Edit kind, std::int32_t length) {
            if (kind == Edit::equal) {
                // right
            } else if (alike && (kind == Edit::substitute || length < long_run_)) {
                kinds_.misread += length;
            } else if (kind == Edit::substitute) {
                kinds_.replaced += length;
            } else if (kind == Edit::insert) {
                kinds_.missed += length;
            } else {
                kinds_.invent(at, at + length);
            }
            if (kind != Edit::insert) at += length;
        });
    }

    const Slices& gt_;
    const Slices& hyp_;
    int long_run_;
    PatternIndex index_;
    CanonicalAlignment alignment_;
    ErrorKinds kinds_;
};

}  // namespace pagemeter
