// S and SG: the runs of HYP words that can be worth giving to a GT line.
//
//     save(a,b,x) = |G_x| + letters of words a..b - LD(words a..b joined, G_x)
//
// A run is left out if a run inside it saves more for the same GT line: the shorter one and the words left over
// cost less. Runs that tie with an inner run stay, as they can differ in the canonical counts.
#pragma once

#include <chrono>
#include <compare>
#include <vector>

#include "segment_sweep.hpp"

namespace pagemeter {

using Clock = std::chrono::steady_clock;

struct PoolRun {
    std::int32_t begin;
    std::int32_t end;
    std::int32_t gt;
    std::int32_t save;
};

class RunEnumeration {
  public:
    RunEnumeration(const SegmentPage& page, int alphabet, std::size_t most)
        : page_(page), gt_(page.gt()), words_(page.words()), index_(alphabet), most_(most) {
        inside_.assign(static_cast<std::size_t>(words_.size()) + 1, Best{});
    }

    // All runs, ordered by their end; complete() is false where there were too many or time ran out.
    std::vector<PoolRun> enumerate(Clock::time_point deadline) {
        for (int x = 0; x < gt_.size() && complete_; ++x) {
            if (gt_.length(x) == 0) continue;
            index_.assign(gt_[x]);
            if (!page_.joined) find_matches();
            for (int from = 0; from < words_.size();) {
                const int until = page_.allowed_until(x, from, words_.size());
                stretch(x, from, until);
                from = until + 1;
            }
            complete_ = runs_.size() <= most_ && Clock::now() < deadline;
        }
        return by_end();
    }

    bool complete() const { return complete_; }

  private:
    static constexpr int kNoMatch = -1;

    // The best of the runs inside another: most saved, then fewest correct.
    struct Best {
        int save = 0;
        int minus_cor = 0;
        auto operator<=>(const Best&) const = default;
    };

    // From right to left, so that the inside_ up to b hold the best of any run within a+1..b.
    void stretch(int x, int from, int until) {
        std::fill(inside_.begin() + from, inside_.begin() + until + 1, Best{});
        for (int a = until; a-- > from;) extend(x, a, until);
    }

    // All ends for one begin.
    void extend(int x, int a, int until) {
        column_.assign(static_cast<std::size_t>(index_.blocks()), Block{});
        int score = gt_.length(x);
        int letters = 0;
        Best best;
        int position = words_.begin(a);
        for (int b = a + 1; b <= until && worth_extending(a, b, best.save); ++b) {
            for (; position < words_.end(b - 1); ++position) score += step(words_.tokens[static_cast<std::size_t>(position)]);
            letters += words_.length(b - 1);
            best = std::max(best, inside_[static_cast<std::size_t>(b)]);
            const PoolRun run{a, b, x, gt_.length(x) + letters - score};
            if (run.save >= best.save) keep(run, score, best);
            inside_[static_cast<std::size_t>(b)] = best;
        }
    }

    // Whether words a..b can save at least `best`.
    //
    // With joining tokens, k words save at most 2|G_x| - (k-1). Without, save = 2 COR + SUB, and tokens deleted
    // inside a run cost nothing extra; but substitutions before the first and after the last correct token can
    // be moved next to them at equal counts. So a run worth keeping has no more than |G_x| tokens before its
    // first and after its last correct one, or is made of substitutions alone.
    bool worth_extending(int a, int b, int best) const {
        const int m = index_.length();
        if (page_.joined) return 2 * m - (b - 1 - a) >= best;
        if (best >= 2 * m && b > a + 1) return false;
        const int first = next_match_[static_cast<std::size_t>(a)];
        if (first == kNoMatch || words_.begin(first) - words_.begin(a) > m) {
            return words_.begin(b - 1) - words_.begin(a) < m;
        }
        if (next_match_[static_cast<std::size_t>(b - 1)] != kNoMatch) return true;
        return words_.begin(b - 1) - words_.end(last_match_) < m;
    }

    // Ties with an inner run are kept for their counts; without joining tokens, where whatever surrounds a good
    // run ties with it, only if they have fewer correct tokens.
    void keep(const PoolRun& run, int distance, Best& best) {
        Best mine{run.save, 0};
        if (!page_.joined) {
            // COR + SUB <= |G_x|, so COR >= save - |G_x|: at that, no tie can have fewer.
            if (run.save == 0 || (run.save == best.save && -best.minus_cor == run.save - index_.length())) return;
            mine.minus_cor = -canonical_counts(words_.run(run.begin, run.end), gt_[run.gt], distance).cor;
            if (mine <= best) return;
        }
        best = std::max(best, mine);
        runs_.push_back(run);
    }

    // For each word the next one that shares a token with the GT line.
    void find_matches() {
        next_match_.assign(static_cast<std::size_t>(words_.size()) + 1, kNoMatch);
        last_match_ = kNoMatch;
        for (int w = words_.size(); w-- > 0;) {
            const Tokens word = words_[w];
            const bool match = std::any_of(word.begin(), word.end(), [&](Token t) { return index_.has(t); });
            next_match_[static_cast<std::size_t>(w)] = match ? w : next_match_[static_cast<std::size_t>(w) + 1];
            if (match && last_match_ == kNoMatch) last_match_ = w;
        }
    }

    // One HYP token further; returns the change of LD(tokens so far, G_x).
    int step(Token token) {
        const Word64* equal = index_.masks(token);
        const int last = (index_.length() - 1) % kBits;
        Carry carry;
        Horizontal h{};
        for (std::size_t k = 0; k < column_.size(); ++k) h = advance(column_[k], equal[k], carry);
        return static_cast<int>((h.hp >> last) & 1) - static_cast<int>((h.hn >> last) & 1);
    }

    std::vector<PoolRun> by_end() {
        std::vector<std::size_t> start(static_cast<std::size_t>(words_.size()) + 2, 0);
        for (const PoolRun& r : runs_) ++start[static_cast<std::size_t>(r.end) + 1];
        for (std::size_t i = 1; i < start.size(); ++i) start[i] += start[i - 1];
        std::vector<PoolRun> sorted(runs_.size());
        for (const PoolRun& r : runs_) sorted[start[static_cast<std::size_t>(r.end)]++] = r;
        runs_ = {};
        return sorted;
    }

    const SegmentPage& page_;
    Slices gt_;
    Slices words_;
    PatternIndex index_;
    std::size_t most_;
    bool complete_ = true;
    std::vector<PoolRun> runs_;
    std::vector<Block> column_;
    std::vector<Best> inside_;
    std::vector<int> next_match_;
    int last_match_ = kNoMatch;
};

}  // namespace pagemeter
