// The page-sized dynamic programme of RS and RSG, one GT line at a time, bit-parallel over the HYP words.
//
// D_x(b) is the least cost of the first x GT lines and the first b HYP words. From level x to x+1
//     D_{x+1}(b) = min(D_x(b) + |G_x|, D_{x+1}(b-1) + |word b-1|, min over a < b of D_x(a) + LD(words a..b, G_x)).
// The last term walks the tokens of G_x as rows over all HYP positions at once. Its start row has values at word
// begins only; it is replaced by its 1-Lipschitz closure, which fits into differences of +1 and -1 and changes
// no value downstream: to the right it deletes tokens, to the left it is never better than entering later and
// inserting the same GT tokens.
#pragma once

#include <algorithm>
#include <bit>
#include <vector>

#include "forced.hpp"
#include "page_index.hpp"
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
    std::int64_t least_cost() const { return rest(0, 0); }
    std::int64_t most_cost() const { return hyp_tally_.total() + gt_.total(); }
    std::int64_t letters_after(int b) const { return hyp_tally_.after(b); }

    BoundaryRow first(std::int64_t budget) const {
        BoundaryRow row;
        for (int b = 0, last = last_boundary(0, budget, budget); b <= last; ++b) {
            row.value.push_back(static_cast<std::int32_t>(hyp_tally_.before(b)));
        }
        trim(row, 0, budget);
        return row;
    }

    // Level x to x+1, as far as the budget reaches and no further than `last`; empty where it reaches nothing.
    BoundaryRow next(const BoundaryRow& from, int x, std::int64_t budget, int last) {
        const int m = gt_.length(x);
        const std::int64_t left = budget - least(from.value);
        const int top = std::min({last_boundary(x + 1, budget, left), last_reached(from, x, budget), last});
        BoundaryRow to;
        to.lo = std::max(from.lo, first_boundary(x + 1, budget));
        if (top < to.lo) return to;
        to.value.assign(static_cast<std::size_t>(top - to.lo + 1), BoundaryRow::kFar);
        const std::int32_t* before = from.value.data() - from.lo;
        std::int32_t* after = to.value.data() - to.lo;
        for (int b = to.lo, end = std::min(from.end(), to.end()); b < end; ++b) after[b] = before[b] + m;
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
    SegmentSweep(const SegmentPage& page, int alphabet, const std::vector<char>& joins)
        : page_(page),
          gt_(page.gt()),
          words_(page.words()),
          index_(words_.tokens, alphabet),
          gt_tally_(gt_, tokens_of(words_.tokens, alphabet),
                    [&](Token t) { return !joins[static_cast<std::size_t>(t)]; }),
          hyp_tally_(words_, tokens_of(gt_.tokens, alphabet), [](Token) { return true; }) {}

    // The tokens that join HYP words; no word has them.
    static std::vector<char> joining_tokens(const Slices& words, int alphabet) {
        std::vector<char> joins(static_cast<std::size_t>(alphabet), 0);
        for (int b = 1; b < words.size(); ++b) {
            for (Token t : words.slice(words.end(b - 1), words.begin(b))) joins[static_cast<std::size_t>(t)] = 1;
        }
        for (int b = 0; b < words.size(); ++b) {
            for (Token t : words[b]) joins[static_cast<std::size_t>(t)] = 0;
        }
        return joins;
    }

    // What letters force on the rest; a joining token may stand beside a letter, at the cost of one.
    std::int64_t rest(int x, int b) const { return forced_rest(gt_tally_, x, hyp_tally_, b); }
    // How many more HYP than GT letters lie before a point; it grows with b.
    std::int64_t ahead(int x, int b) const { return hyp_tally_.before(b) - gt_tally_.before(x); }
    int first_boundary(int x, std::int64_t budget) const {
        return partition([&](int b) { return forced(x, b) <= budget || ahead(x, b) >= 0; });
    }
    // The last boundary within the budget; what is `left` of it must do for the rest.
    int last_boundary(int x, std::int64_t budget, std::int64_t left) const {
        const auto over = [&](int b) { return forced(x, b) > budget || std::abs(surplus() - ahead(x, b)) > left; };
        return partition([&](int b) { return ahead(x, b) > 0 && surplus() < ahead(x, b) && over(b); }) - 1;
    }
    // The last boundary of level x+1 that level x can lead to within the budget: of the HYP letters between a boundary
    // of `from` and it, GT line x has partners for its own length, and the others are deleted. That is least from the
    // last boundary of `from`, since the words before it could be skipped. The sum does not fall with b, since by one
    // word more the rest can lose no more than its letters.
    int last_reached(const BoundaryRow& from, int x, std::int64_t budget) const {
        const std::int64_t least = from.value.back() - hyp_tally_.before(from.end() - 1) - gt_.length(x);
        return partition([&](int b) { return least + hyp_tally_.before(b) + rest(x + 1, b) > budget; }) - 1;
    }
    // Letters without a partner on both sides of a point.
    std::int64_t forced(int x, int b) const { return std::abs(ahead(x, b)) + std::abs(surplus() - ahead(x, b)); }
    std::int64_t surplus() const { return hyp_tally_.total() - gt_tally_.total(); }

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
    // a multiple of 64 so that the masks of the whole page can be used as they are.
    PAGEMETER_CLONES void walk(const BoundaryRow& from, BoundaryRow& to, int x, int a, int until) {
        const int last_entry = std::min(until - 1, from.end() - 1);
        const int first_block = words_.begin(a) / kBits;
        const int origin = first_block * kBits;
        const int stop = words_.end(until - 1);
        if (stop == words_.begin(a)) return;
        column_.assign(static_cast<std::size_t>(blocks_for(stop - origin)), Block{0, 0});
        encode(from, a, last_entry, origin);
        Tokens left = gt_[x];
        for (; std::min(left.size(), column_.size()) >= Wavefront::kTokens; left = left.subspan(Wavefront::kTokens)) {
            Wavefront::Masks equal;
            for (std::size_t i = 0; i < equal.size(); ++i) {
                equal[i] = index_.masks(left[i], first_block, column_.size(), i);
            }
            Wavefront::advance_all(column_, equal);
        }
        for (Token t : left) {
            const Word64* equal = index_.masks(t, first_block, column_.size(), 0);
            Carry carry;
            for (std::size_t k = 0; k < column_.size(); ++k) advance(column_[k], equal[k], carry);
        }
        decode(to, a, until, origin, from.at(a) + words_.begin(a) - origin + gt_.length(x));
    }

    // From one word to the next the closure rises, stays and falls again.
    void encode(const BoundaryRow& from, int a, int last_entry, int origin) {
        set_bits(0, words_.begin(a) - origin, &Block::vn);
        const std::int32_t* value = from.value.data() - from.lo;
        int at = 0;
        Block block = column_[0];  // the block `at`, in registers as long as words are in it
        for (int b = a, here = words_.begin(a) - origin; b < last_entry; ++b) {
            const int there = words_.begin(b + 1) - origin;
            const int rise = value[b + 1] - value[b];
            const int up = (there - here + rise) / 2;
            const int down = (there - here - rise) / 2;
            if (there < (at + 1) * kBits) {
                block.vp |= ((Word64{1} << up) - 1) << (here % kBits);
                block.vn |= ((Word64{1} << down) - 1) << ((there - down) % kBits);
            } else {
                column_[static_cast<std::size_t>(at)] = block;
                set_bits(here, here + up, &Block::vp);
                set_bits(there - down, there, &Block::vn);
                at = std::min(there / kBits, static_cast<int>(column_.size()) - 1);  // empty words may stand at the end
                block = column_[static_cast<std::size_t>(at)];
            }
            here = there;
        }
        column_[static_cast<std::size_t>(at)] = block;
        set_bits(words_.begin(last_entry) - origin, static_cast<int>(column_.size()) * kBits, &Block::vp);
    }

    void set_bits(int from, int to, Word64 Block::*bits) {
        for (int k = from / kBits; from < to; ++k) {
            const int stop = std::min(to, (k + 1) * kBits);
            const int count = stop - from;
            const Word64 ones = count == kBits ? ~Word64{0} : (Word64{1} << count) - 1;
            column_[static_cast<std::size_t>(k)].*bits |= ones << (from % kBits);
            from = stop;
        }
    }

    // Reads the values at the word ends; `value` is the one at the origin.
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
        const Block& b = column_[static_cast<std::size_t>(block)];
        return std::popcount(b.vp & ones) - std::popcount(b.vn & ones);
    }

    PAGEMETER_CLONES static std::int32_t least(const std::vector<std::int32_t>& values) {
        std::int32_t found = BoundaryRow::kFar;
        for (std::int32_t v : values) found = std::min(found, v);
        return found;
    }

    // Skipping a word costs its letters. The row is 1-Lipschitz then: a run without its last word costs at most the
    // tokens of it more, and begins where it began, so that it is here too if the budget has cut the row.
    void relax(BoundaryRow& row) const {
        std::int32_t* value = row.value.data() - row.lo;
        std::int32_t least = value[row.lo];
        for (int b = row.lo; b + 1 < row.end(); ++b) {
            value[b + 1] = least = std::min(value[b + 1], least + words_.length(b));
        }
    }

    void trim(BoundaryRow& row, int x, std::int64_t budget) const {
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
    Tally gt_tally_;  // of letters: tokens that join no words
    Tally hyp_tally_;
    std::vector<Block> column_;
};

}  // namespace pagemeter
