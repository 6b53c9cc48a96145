// The two pages of measures with S, in the form that sweeps need.
#pragma once

#include <algorithm>
#include <limits>
#include <numeric>

#include "sequence.hpp"

namespace pagemeter {

// Both pages. A sweep over the mirrored page computes the cost to go.
struct SegmentPage {
    Vector<Token> gt_tokens;
    Vector<Token> hyp_tokens;
    Vector<Bounds> gt_bounds;
    Vector<Bounds> word_bounds;
    Vector<std::int32_t> word_line;
    Neighbours near;
    Vector<std::int32_t> gt_cost;  // of a GT line without a run: its length, or 0 if it is optional
    Vector<std::int32_t> word_cost;  // of a word in no run: its length, or 0 if its line is optional
    bool weighted;  // whether anything is optional
    bool reversed = false;
    // Whether a joining token is between any two words. If not, all words meet without a token, |HYP| is the same in
    // every solution, and words around a run can be deleted inside it at the same cost as outside it. Characters of
    // scripts without spaces meet like this.
    bool joined;
    // Whether the page has boundaries with a joining token and boundaries without one.
    bool mixed = false;

    SegmentPage(const Slices& gt, const Words& hyp, Neighbours n, const OptionalLines& optional)
        : gt_tokens(gt.tokens.begin(), gt.tokens.end()),
          hyp_tokens(hyp.tokens.begin(), hyp.tokens.end()),
          gt_bounds(gt.bounds.begin(), gt.bounds.end()),
          word_bounds(hyp.bounds.begin(), hyp.bounds.end()),
          word_line(hyp.line.begin(), hyp.line.end()),
          near(n),
          weighted(optional.any()),
          joined(word_bounds.size() < 2) {
        for (int x = 0; x < gt.size(); ++x) gt_cost.push_back(optional.has_gt(x) ? 0 : gt.length(x));
        for (int w = 0; w < hyp.size(); ++w) word_cost.push_back(optional.has_hyp(hyp.line[w]) ? 0 : hyp.length(w));
        bool meet = false;
        for (std::size_t b = 1; b < word_bounds.size(); ++b) {
            const bool apart = word_bounds[b].begin > word_bounds[b - 1].end;
            joined |= apart;
            meet |= !apart;
        }
        mixed = joined && meet;
    }

    SegmentPage mirrored() const {
        SegmentPage page = *this;
        page.reversed = !reversed;
        mirror(page.gt_tokens, page.gt_bounds);
        mirror(page.hyp_tokens, page.word_bounds);
        std::reverse(page.word_line.begin(), page.word_line.end());
        std::reverse(page.gt_cost.begin(), page.gt_cost.end());
        std::reverse(page.word_cost.begin(), page.word_cost.end());
        return page;
    }

    Slices gt() const { return {gt_tokens, gt_bounds}; }
    bool is_optional(int x) const { return weighted && gt_cost[x] == 0; }
    // The cost of all words in no run.
    std::int64_t all_words_cost() const { return std::accumulate(word_cost.begin(), word_cost.end(), std::int64_t{0}); }
    Slices words() const { return {hyp_tokens, word_bounds}; }
    bool allows(int x, int word) const {
        const int line = word_line[word];
        return near(reversed ? gt_bounds.count() - 1 - x : x, line);
    }
    // The first word from `word` on that GT line x may not use.
    int allowed_until(int x, int word, int limit) const {
        if (!near.restricted()) return limit;
        while (word < limit && allows(x, word)) ++word;
        return word;
    }

  private:
    static void mirror(Vector<Token>& tokens, Vector<Bounds>& bounds) {
        const auto n = static_cast<std::int32_t>(tokens.size());
        std::reverse(tokens.begin(), tokens.end());
        std::reverse(bounds.begin(), bounds.end());
        for (Bounds& b : bounds) b = {n - b.end, n - b.begin};
    }
};

// The values at the word boundaries lo, lo+1, … of one level. Other boundaries are unreachable.
struct BoundaryRow {
    static constexpr std::int32_t kFar = std::numeric_limits<std::int32_t>::max() / 4;
    static_assert(2 * kMostTokens < kFar, "no cost reaches kFar");
    int lo = 0;
    Vector<std::int32_t> value;

    int end() const { return lo + value.count(); }
    std::int32_t at(int b) const {
        return b < lo || b >= end() ? kFar : value[b - lo];
    }
    std::int32_t& ref(int b) { return value[b - lo]; }
    // Drops all boundaries except first..last.
    void narrow(int first, int last) {
        value.resize(last + 1 - lo);
        value.erase(value.begin(), value.begin() + (first - lo));
        lo = first;
    }
};

}  // namespace pagemeter
