// The relaxed problem of S and SG without listing a single run: one pass over the HYP tokens that carries, for every
// GT line at once, a column of the dynamic programme.
//
// With multipliers λ_x, C(b) is the least cost of the first b words when a GT line may be used again and again:
//     C(b) = min(C(b-1) + |word b-1|, min over a, x of C(a) + LD(words a..b, G_x) - |G_x| + λ_x).
// At a boundary every column may start anew from C(b): its cell i becomes min(v(i), C(b) + i). As v(i) - i never
// grows with i, that replaces the cells before some row and keeps the others, and the seam still fits into
// differences of -1, 0 and +1. So the columns stay bit vectors; multipliers have to be whole numbers.
#pragma once

#include <algorithm>
#include <bit>
#include <vector>

#include "segment_sweep.hpp"
#include "simd.hpp"

namespace pagemeter {

// A GT line and the end of a run that it could get.
struct RunEnd {
    std::int32_t gt;
    std::int32_t end;
};

// What a sweep finds.
struct Swept {
    std::vector<std::int32_t> cost;
    std::vector<std::int32_t> via;
    std::vector<RunEnd> ends;  // no more than `most_ends` and one
    std::size_t most_ends = 0;
    std::vector<char> taken;  // words that no run may have, if not empty

    void reset(int words) {
        cost.assign(static_cast<std::size_t>(words) + 1, 0);
        via.assign(cost.size(), -1);
        ends.clear();
    }
};

class RunSweep : public Swept {
  public:
    RunSweep(const SegmentPage& page, int alphabet)
        : page_(page), gt_(page.gt()), words_(page.words()), index_(alphabet) {
        for (int x = 0; x < gt_.size(); ++x) {
            if (gt_.length(x) > 0 && gt_.length(x) <= kBits) lines_.push_back({x, 0, 1});
        }
        singles_ = lines_.size();
        for (int x = 0; x < gt_.size(); ++x) {
            if (gt_.length(x) > kBits) lines_.push_back({x, 0, blocks_for(gt_.length(x))});
        }
        lay_out();
    }

    // Fills `cost` (C at every boundary) and `via` (the GT line whose run ends there at that cost, or -1).
    // With `to_go`, the costs from each boundary to the end, `ends` gets every run end through which the whole page
    // costs at most `most`.
    void sweep(const std::vector<std::int32_t>& price, const std::vector<std::int32_t>* to_go = nullptr,
               std::int64_t most = 0) {
        vp_.assign(vp_.size(), ~Word64{0});
        vn_.assign(vn_.size(), 0);
        open_.assign(lines_.size(), 0);
        reset(words_.size());
        base_ = 0;
        for (int w = 0; w < words_.size(); ++w) {
            enter(w);
            walk(words_[w]);
            leave(w, price, to_go, most);
            const int next = w + 1 < words_.size() ? words_.begin(w + 1) : words_.end(w);
            walk(words_.slice(words_.end(w), next));
        }
    }

    static constexpr int unit = 1;

  private:
    struct Line {
        int gt;
        int first;  // block
        int blocks;
    };

    // Each line begins at a block of its own.
    void lay_out() {
        std::vector<Token> pattern;
        int block = 0;
        for (Line& line : lines_) {
            line.first = block;
            const Tokens tokens = gt_[line.gt];
            pattern.insert(pattern.end(), tokens.begin(), tokens.end());
            block += line.blocks;
            pattern.resize(static_cast<std::size_t>(block) * kBits, PatternIndex::kPadding);
        }
        index_.assign(pattern);
        vp_.resize(static_cast<std::size_t>(block));
        vn_.resize(static_cast<std::size_t>(block));
    }

    void walk(Tokens tokens) {
        for (Token t : tokens) {
            const Word64* equal = index_.masks(t);
            step_singles(equal, vp_.data(), vn_.data(), singles_);
            for (std::size_t k = singles_; k < lines_.size(); ++k) {
                Carry carry;
                for (int i = lines_[k].first; i < lines_[k].first + lines_[k].blocks; ++i) {
                    Block block{vp_[static_cast<std::size_t>(i)], vn_[static_cast<std::size_t>(i)]};
                    advance(block, equal[i], carry);
                    vp_[static_cast<std::size_t>(i)] = block.vp;
                    vn_[static_cast<std::size_t>(i)] = block.vn;
                }
            }
        }
        base_ += static_cast<std::int32_t>(tokens.size());
    }

    // `advance` for lines of one block each, which do not wait for each other.
    PAGEMETER_CLONES static void step_singles(const Word64* equal, Word64* vp, Word64* vn, std::size_t count) {
        for (std::size_t k = 0; k < count; ++k) {
            const Word64 d0 = (((equal[k] & vp[k]) + vp[k]) ^ vp[k]) | equal[k] | vn[k];
            const Word64 hp = ((vn[k] | ~(d0 | vp[k])) << 1) | 1;
            const Word64 hn = (d0 & vp[k]) << 1;
            vp[k] = hn | ~(d0 | hp);
            vn[k] = hp & d0;
        }
    }

    // Lets every line that may have word w start a run there. All columns share their value at row 0, `base_`.
    PAGEMETER_CLONES void enter(int w) {
        const std::int32_t gain = base_ - cost[static_cast<std::size_t>(w)];
        base_ = cost[static_cast<std::size_t>(w)];
        const bool restricted = page_.near.restricted();
        const bool open = taken.empty() || !taken[static_cast<std::size_t>(w)];
        for (std::size_t k = 0; k < lines_.size(); ++k) {
            const Line& line = lines_[k];
            const bool allowed = open && (!restricted || page_.allows(line.gt, w));
            if (allowed && open_[k]) {
                start_below(line, gain);
            } else if (allowed) {
                std::fill_n(vp_.begin() + line.first, line.blocks, ~Word64{0});
                std::fill_n(vn_.begin() + line.first, line.blocks, 0);
            }
            open_[k] = allowed;
        }
    }

    // Cell i becomes min(v(i), v(0) - gain + i): the cells before the row where the column has fallen `gain` behind
    // a rise of one a row are replaced.
    void start_below(const Line& line, std::int32_t gain) {
        if (gain <= 0) return;
        std::int32_t fallen = 0;
        for (int i = line.first; i < line.first + line.blocks; ++i) {
            Word64& vp = vp_[static_cast<std::size_t>(i)];
            Word64& vn = vn_[static_cast<std::size_t>(i)];
            const std::int32_t all = std::popcount(~vp) + std::popcount(vn);
            if (fallen + all < gain) {
                fallen += all;
                vp = ~Word64{0};
                vn = 0;
                continue;
            }
            Word64 left = ~vp;
            Word64 bit = 0;
            while (fallen < gain) {
                bit = left & (~left + 1);
                left ^= bit;
                fallen += 1 + ((vn & bit) != 0);
            }
            const Word64 below = bit - 1;
            vp |= fallen == gain ? below | bit : below;
            vn &= ~(below | bit);
            return;
        }
    }

    // Ends runs with word w: the least cost at the boundary after it.
    PAGEMETER_CLONES void leave(int w, const std::vector<std::int32_t>& price,
                                const std::vector<std::int32_t>* to_go, std::int64_t most) {
        const auto b = static_cast<std::size_t>(w) + 1;
        std::int32_t best = cost[b - 1] + words_.length(w);
        const std::int64_t allowance = to_go ? most - (*to_go)[b] : 0;
        for (std::size_t k = 0; k < lines_.size(); ++k) {
            if (!open_[k]) continue;
            const Line& line = lines_[k];
            const int m = gt_.length(line.gt);
            const std::int32_t value = base_ + rise(line, m) - m + price[static_cast<std::size_t>(line.gt)];
            if (to_go && value <= allowance && ends.size() <= most_ends) ends.push_back({line.gt, w + 1});
            if (value >= best) continue;
            best = value;
            via[b] = line.gt;
        }
        cost[b] = best;
    }

    // The value of row m above row 0.
    std::int32_t rise(const Line& line, int m) const {
        std::int32_t sum = 0;
        for (int i = line.first; i < line.first + line.blocks; ++i, m -= kBits) {
            const Word64 rows = m >= kBits ? ~Word64{0} : (Word64{1} << m) - 1;
            sum += std::popcount(vp_[static_cast<std::size_t>(i)] & rows) -
                   std::popcount(vn_[static_cast<std::size_t>(i)] & rows);
        }
        return sum;
    }

    const SegmentPage& page_;
    Slices gt_;
    Slices words_;
    PatternIndex index_;
    std::vector<Line> lines_;
    std::size_t singles_ = 0;
    std::vector<Word64> vp_;
    std::vector<Word64> vn_;
    std::vector<char> open_;
    std::int32_t base_ = 0;
};

}  // namespace pagemeter
