// The pages of S as sweeps need them, and the values of one level.
#pragma once

#include <algorithm>
#include <limits>
#include <vector>

#include "sequence.hpp"

namespace pagemeter {

// Both pages as a sweep needs them; reversed, the same sweep computes the cost to go.
struct SegmentPage {
    std::vector<Token> gt_tokens;
    std::vector<Token> hyp_tokens;
    std::vector<Bounds> gt_bounds;
    std::vector<Bounds> word_bounds;
    std::vector<std::int32_t> word_line;
    Neighbours near;
    bool reversed = false;
    bool joined = true;  // whether a joining token stands between words: characters have one, words do not

    SegmentPage(const Slices& gt, const Words& hyp, Neighbours n)
        : gt_tokens(gt.tokens.begin(), gt.tokens.end()),
          hyp_tokens(hyp.tokens.begin(), hyp.tokens.end()),
          gt_bounds(gt.bounds.begin(), gt.bounds.end()),
          word_bounds(hyp.bounds.begin(), hyp.bounds.end()),
          word_line(hyp.line.begin(), hyp.line.end()),
          near(n) {
        for (std::size_t b = 1; b < word_bounds.size(); ++b) joined &= word_bounds[b].begin > word_bounds[b - 1].end;
    }

    SegmentPage mirrored() const {
        SegmentPage page = *this;
        page.reversed = !reversed;
        mirror(page.gt_tokens, page.gt_bounds);
        mirror(page.hyp_tokens, page.word_bounds);
        std::reverse(page.word_line.begin(), page.word_line.end());
        return page;
    }

    Slices gt() const { return {gt_tokens, gt_bounds}; }
    Slices words() const { return {hyp_tokens, word_bounds}; }
    bool allows(int x, int word) const {
        const int line = word_line[static_cast<std::size_t>(word)];
        return near(reversed ? static_cast<int>(gt_bounds.size()) - 1 - x : x, line);
    }
    // The first word at or after `word` that GT line x may not have.
    int allowed_until(int x, int word, int limit) const {
        if (!near.restricted()) return limit;
        while (word < limit && allows(x, word)) ++word;
        return word;
    }

  private:
    static void mirror(std::vector<Token>& tokens, std::vector<Bounds>& bounds) {
        const auto n = static_cast<std::int32_t>(tokens.size());
        std::reverse(tokens.begin(), tokens.end());
        std::reverse(bounds.begin(), bounds.end());
        for (Bounds& b : bounds) b = {n - b.end, n - b.begin};
    }
};

// Values at the word boundaries lo, lo+1, … of one level; outside they are out of reach.
struct BoundaryRow {
    static constexpr std::int32_t kFar = std::numeric_limits<std::int32_t>::max() / 4;
    int lo = 0;
    std::vector<std::int32_t> value;

    int end() const { return lo + static_cast<int>(value.size()); }
    std::int32_t at(int b) const {
        return b < lo || b >= end() ? kFar : value[static_cast<std::size_t>(b - lo)];
    }
    std::int32_t& ref(int b) { return value[static_cast<std::size_t>(b - lo)]; }
    // Forgets all but the boundaries first..last.
    void narrow(int first, int last) {
        value.resize(static_cast<std::size_t>(last + 1 - lo));
        value.erase(value.begin(), value.begin() + (first - lo));
        lo = first;
    }
};

}  // namespace pagemeter
