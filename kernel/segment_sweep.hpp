// The page-sized dynamic programme of RS and RSG, one GT line at a time, bit-parallel over the HYP tokens.
//
// D_x(b) is the minimum cost of the first x GT lines and the first b HYP words. From level x to x+1:
//     D_{x+1}(b) = min(D_x(b) + |G_x|, D_{x+1}(b-1) + |word b-1|, min over a < b of D_x(a) + LD(words a..b, G_x)).
// The last term processes the tokens of G_x as rows over all HYP positions at once. Its start row has values only at
// word starts. It is replaced by its 1-Lipschitz closure, which can be stored as differences of +1 and -1. This changes
// no later value: to the right, the closure deletes tokens; to the left, it is never better than entering later and
// inserting the same GT tokens.
//
// The last claim in detail. Let v(q) be the value at boundary q, and let the closure lower an earlier begin p to
// v(q) + (q - p), in tokens. A path from p that ends after q aligns the tokens before q with some GT tokens g, which
// costs at least |g| - (q - p); entering at q and inserting g costs no more. A path from p that ends at a boundary e
// up to q costs at least v(q) + (q - p) + |G_x| - (e - p) = v(q) + |G_x| + (q - e), where q - e counts the words from e
// to q with the joining token before each of them and before q. D_{x+1}(e) is not larger: from D_{x+1}(q) <= v(q) +
// |G_x|, take away one word after the other; a run without its last word costs at most the tokens of that word and the
// joining token before it more. So the claim holds for any mixture of boundaries with and without joining tokens.
//
// Optional lines: |G_x| in the second term and |word b-1| are 0 for optional text. Both only become smaller, so the
// proof holds without a change.
#pragma once

#include <algorithm>
#include <bit>

#include "budget.hpp"
#include "segment_page.hpp"
#include "simd.hpp"
#include "wavefront.hpp"

namespace pagemeter {

class SegmentSweep {
  public:
    SegmentSweep(const SegmentPage& page, int alphabet)
        : SegmentSweep(page, alphabet, joining_tokens(page.words(), alphabet)) {}

    int levels() const { return gt_.size(); }
    int boundaries() const { return words_.size(); }
    // If anything is optional, the budget does not limit the sweep, because letters can be left out at no cost.
    std::int64_t least_cost() const { return page_.weighted ? most_cost() : rest(0, 0); }
    std::int64_t most_cost() const { return hyp_tokens_.total() + gt_.total(); }
    // The cost of the words from b on in no run.
    std::int64_t cost_after(int b) const {
        return page_.weighted ? cost_before_.back() - cost_before_[b] : hyp_tokens_.after(b);
    }

    BoundaryRow first(std::int64_t budget) const {
        BoundaryRow row;
        if (page_.weighted) {
            row.value = cost_before_;
            return row;
        }
        for (int b = 0, last = last_boundary(0, budget, budget); b <= last; ++b) {
            row.value.push_back(static_cast<std::int32_t>(hyp_tokens_.before(b)));
        }
        trim(row, 0, budget);
        return row;
    }

    // Computes level x+1 from level x, within the budget and up to boundary `last`. The result is empty if nothing
    // fits.
    BoundaryRow next(const BoundaryRow& from, int x, std::int64_t budget, int last) {
        const int m = gt_.length(x);
        const std::int64_t left = budget - least(from.value);
        const int top = page_.weighted
            ? std::min(words_.size(), last)
            : std::min({last_boundary(x + 1, budget, left), last_reached(from, x, budget), last});
        progress_(from.value.count());
        BoundaryRow to;
        to.lo = page_.weighted ? from.lo : std::max(from.lo, first_boundary(x + 1, budget));
        if (top < to.lo) return to;
        to.value.assign(top - to.lo + 1, BoundaryRow::kFar);
        const std::int32_t* before = from.value.data() - from.lo;
        std::int32_t* after = to.value.data() - to.lo;
        for (int b = to.lo, end = std::min(from.end(), to.end()); b < end; ++b) after[b] = before[b] + page_.gt_cost[x];
        if (m > 0) {
            for (int a = from.lo; a < std::min(from.end(), top);) {
                const int until = page_.allowed_until(x, a, top);
                if (until > a) walk(from, to, x, a, until);
                a = until + 1;
            }
        }
        relax(to);
        trim(to, x + 1, budget);
        return to;
    }

  private:
    SegmentSweep(const SegmentPage& page, int alphabet, const Vector<char>& joins)
        : page_(page),
          gt_(page.gt()),
          words_(page.words()),
          index_(words_.tokens, alphabet),
          gt_tokens_(gt_, tokens_of(words_.tokens, alphabet),
                    [&](Token t) { return !joins[t]; }),
          hyp_tokens_(words_, tokens_of(gt_.tokens, alphabet), [](Token) { return true; }) {
        for (std::int32_t cost : page.word_cost) cost_before_.push_back(cost_before_.back() + cost);
    }

    // The tokens that join HYP words. No word contains them.
    static Vector<char> joining_tokens(const Slices& words, int alphabet) {
        Vector<char> joins(alphabet, 0);
        for (int b = 1; b < words.size(); ++b) {
            for (Token t : words.slice(words.end(b - 1), words.begin(b))) joins[t] = 1;
        }
        for (int b = 0; b < words.size(); ++b) {
            for (Token t : words[b]) joins[t] = 0;
        }
        return joins;
    }

    // A lower bound of the remaining cost. Only letters are counted, because a joining token aligned with a letter
    // costs 1 in any case.
    std::int64_t rest(int x, int b) const { return least_remaining_cost(gt_tokens_, x, hyp_tokens_, b); }
    // How many more HYP than GT letters precede a point. It grows with b.
    std::int64_t ahead(int x, int b) const { return hyp_tokens_.before(b) - gt_tokens_.before(x); }
    int first_boundary(int x, std::int64_t budget) const {
        return partition([&](int b) { return forced(x, b) <= budget || ahead(x, b) >= 0; });
    }
    // The last boundary within the budget, if `left` of it remains for the rest.
    int last_boundary(int x, std::int64_t budget, std::int64_t left) const {
        const auto over = [&](int b) { return forced(x, b) > budget || std::abs(surplus() - ahead(x, b)) > left; };
        return partition([&](int b) { return ahead(x, b) > 0 && surplus() < ahead(x, b) && over(b); }) - 1;
    }
    // The last boundary of level x+1 that level x can reach within the budget. Of the HYP letters between a boundary of
    // `from` and it, at most |G_x| are aligned, and the others are deleted. The cost is smallest from the last boundary
    // of `from`, because the words before it could be skipped. The sum does not fall with b, because one more word
    // reduces the remaining cost by at most its letters.
    int last_reached(const BoundaryRow& from, int x, std::int64_t budget) const {
        const std::int64_t least = from.value.back() - hyp_tokens_.before(from.end() - 1) - gt_.length(x);
        return partition([&](int b) { return least + hyp_tokens_.before(b) + rest(x + 1, b) > budget; }) - 1;
    }
    // The number of letters without a partner on both sides of a point.
    std::int64_t forced(int x, int b) const { return std::abs(ahead(x, b)) + std::abs(surplus() - ahead(x, b)); }
    std::int64_t surplus() const { return hyp_tokens_.total() - gt_tokens_.total(); }

    template <class Test>
    int partition(const Test& test) const {  // the first boundary for which a monotone test holds
        int lo = 0;
        int hi = words_.size() + 1;
        while (lo < hi) {
            const int mid = (lo + hi) / 2;
            if (test(mid)) hi = mid; else lo = mid + 1;
        }
        return lo;
    }

    // All runs of words a..until that begin at a boundary of `from` and are given to GT line x. Blocks start at
    // multiples of 64, so that the masks of the whole page can be used directly.
    PAGEMETER_CLONES void walk(const BoundaryRow& from, BoundaryRow& to, int x, int a, int until) {
        const int last_entry = std::min(until - 1, from.end() - 1);
        const int first_block = words_.begin(a) / kBits;
        const int origin = first_block * kBits;
        const int stop = words_.end(until - 1);
        if (stop == words_.begin(a)) return;
        column_.assign(blocks_for(stop - origin), Block{0, 0});
        const std::int32_t* value = page_.mixed ? close(from, a, last_entry) : from.value.data() - from.lo;
        encode(value, a, last_entry, origin);
        Tokens left = gt_[x];
        for (; std::min(left.size(), column_.size()) >= Wavefront::kTokens; left = left.subspan(Wavefront::kTokens)) {
            Wavefront::Masks equal;
            for (std::size_t i = 0; i < equal.size(); ++i) {
                equal[i] = index_.masks(left[i], first_block, column_.size(), i);
            }
            Wavefront::advance_all(column_, equal);
            progress_(std::ssize(column_) * std::int64_t{Wavefront::kTokens});
        }
        for (Token t : left) {
            const Word64* equal = index_.masks(t, first_block, column_.size(), 0);
            Carry carry;
            for (std::size_t k = 0; k < column_.size(); ++k) advance(column_[k], equal[k], carry);
            progress_(std::ssize(column_));
        }
        decode(to, a, until, origin, value[a] + words_.begin(a) - origin + gt_.length(x));
    }

    // The closure at the word starts a..last_entry, by boundary. A row rises by at most the letters of a word. It falls
    // by at most these letters and the joining token before the word, which is more than the distance of two starts if
    // this token exists and the one after the word does not. On pages with one kind of boundary, rows are closed.
    const std::int32_t* close(const BoundaryRow& from, int a, int last_entry) {
        closed_.assign(from.value.begin() + (a - from.lo), from.value.begin() + (last_entry + 1 - from.lo));
        for (int b = last_entry; b-- > a;) {
            const std::int32_t later = closed_[b + 1 - a] + words_.begin(b + 1) - words_.begin(b);
            closed_[b - a] = std::min(closed_[b - a], later);
        }
        return closed_.data() - a;
    }

    // From one word start to the next, the closure rises, stays level and falls.
    void encode(const std::int32_t* value, int a, int last_entry, int origin) {
        set_bits(0, words_.begin(a) - origin, &Block::vn);
        int at = 0;
        Block block = column_[0];  // block `at`, kept in registers while words lie in it
        for (int b = a, here = words_.begin(a) - origin; b < last_entry; ++b) {
            const int there = words_.begin(b + 1) - origin;
            const int rise = value[b + 1] - value[b];
            const int up = (there - here + rise) / 2;
            const int down = (there - here - rise) / 2;
            if (there < (at + 1) * kBits) {
                block.vp |= ((Word64{1} << up) - 1) << (here % kBits);
                block.vn |= ((Word64{1} << down) - 1) << ((there - down) % kBits);
            } else {
                column_[at] = block;
                set_bits(here, here + up, &Block::vp);
                set_bits(there - down, there, &Block::vn);
                at = std::min(there / kBits, column_.count() - 1);  // the page may end with empty words
                block = column_[at];
            }
            here = there;
        }
        column_[at] = block;
        set_bits(words_.begin(last_entry) - origin, column_.count() * kBits, &Block::vp);
    }

    void set_bits(int from, int to, Word64 Block::*bits) {
        for (int k = from / kBits; from < to; ++k) {
            const int stop = std::min(to, (k + 1) * kBits);
            const int count = stop - from;
            const Word64 ones = count == kBits ? ~Word64{0} : (Word64{1} << count) - 1;
            column_[k].*bits |= ones << (from % kBits);
            from = stop;
        }
    }

    // Reads the values at the word ends, given the value at the origin.
    PAGEMETER_CLONES void decode(BoundaryRow& to, int a, int until, int origin, int value) const {
        std::int32_t* out = to.value.data() - to.lo;
        int block = 0;
        for (int b = a + 1; b <= until; ++b) {
            const int position = words_.end(b - 1) - origin;
            for (; (block + 1) * kBits <= position; ++block) value += difference(block, kBits);
            if (b >= to.lo) out[b] = std::min(out[b], value + difference(block, position - block * kBits));
        }
    }

    // The sum of the first `count` differences of a block.
    int difference(int block, int count) const {
        if (count == 0) return 0;
        const Word64 ones = count == kBits ? ~Word64{0} : (Word64{1} << count) - 1;
        const Block& b = column_[block];
        return std::popcount(b.vp & ones) - std::popcount(b.vn & ones);
    }

    PAGEMETER_CLONES static std::int32_t least(const Vector<std::int32_t>& values) {
        std::int32_t minimum = BoundaryRow::kFar;
        for (std::int32_t v : values) minimum = std::min(minimum, v);
        return minimum;
    }

    // Skipping a word costs its letters. The resulting row falls slowly too: a run without its last word costs at most
    // the tokens of that word and the joining token before it more. It begins at the same boundary, so it is in this
    // row even if the budget has cut the row.
    void relax(BoundaryRow& row) const {
        std::int32_t* value = row.value.data() - row.lo;
        std::int32_t least = value[row.lo];
        for (int b = row.lo; b + 1 < row.end(); ++b) {
            value[b + 1] = least = std::min(value[b + 1], least + page_.word_cost[b]);
        }
    }

    void trim(BoundaryRow& row, int x, std::int64_t budget) const {
        if (page_.weighted) return;
        const auto dead = [&](int b) { return row.at(b) + rest(x, b) > budget; };
        int end = row.end();
        while (end > row.lo && dead(end - 1)) --end;
        int lo = row.lo;
        while (lo < end && dead(lo)) ++lo;
        row.narrow(lo, end - 1);
    }

    const SegmentPage& page_;
    Slices gt_;
    Slices words_;
    PageIndex index_;
    TokenCounts gt_tokens_;  // of letters: tokens that join no words
    TokenCounts hyp_tokens_;
    Vector<std::int32_t> cost_before_{0};  // of the words before each boundary in no run
    Vector<Block> column_;
    Vector<std::int32_t> closed_;
    Progress progress_;
};

}  // namespace pagemeter
