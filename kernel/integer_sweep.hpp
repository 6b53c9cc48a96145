// The relaxed problem of S and SG with integer multipliers, without listing runs: one pass over the HYP tokens that
// keeps one column of the edit distance per GT line.
//
// With multipliers λ_x, C(b) is the minimum cost of the first b words if a GT line may be used any number of times:
//     C(b) = min(C(b-1) + |word b-1|, min over a, x of C(a) + LD(words a..b, G_x) - |G_x| + λ_x).
// At a boundary, every column may restart from C(b): its cell i becomes min(v(i), C(b) + i). Since v(i) - i does not
// grow with i, this replaces the cells before some row and keeps the others, and the differences stay -1, 0 or +1. So
// the columns remain bit vectors. This requires integer multipliers.
#pragma once

#include <algorithm>
#include <bit>

#include "segment_sweep.hpp"
#include "simd.hpp"

namespace pagemeter {

// A GT line and the end of a possible run of it.
struct RunEnd {
    std::int32_t gt;
    std::int32_t end;
};

// The result of a sweep.
struct Swept {
    Vector<std::int32_t> cost;
    Vector<std::int32_t> via;
    Vector<RunEnd> ends;  // at most `most_ends` + 1
    std::size_t most_ends = 0;
    Vector<char> taken;  // words that no run may contain; may be empty

    void reset(int words) {
        cost.assign(words + 1, 0);
        via.assign(cost.size(), -1);
        ends.clear();
    }
};

class IntegerSweep : public Swept {
  public:
    IntegerSweep(const SegmentPage& page, int alphabet)
        : page_(page), gt_(page.gt()), words_(page.words()), index_(alphabet) {
        for (int x = 0; x < gt_.size(); ++x) {
            if (gt_.length(x) > 0 && gt_.length(x) <= kBits) lines_.push_back({x, 0, 1});
        }
        singles_ = lines_.size();
        for (int x = 0; x < gt_.size(); ++x) {
            if (gt_.length(x) > kBits) lines_.push_back({x, 0, blocks_for(gt_.length(x))});
        }
        lay_out();
        charge_.resize(lines_.size());
        for (std::size_t k = 0; k < singles_; ++k) rows_.push_back(~Word64{0} >> (kBits - gt_.length(lines_[k].gt)));
    }

    // Fills `cost` (C at every boundary) and `via` (the GT line whose run ends there at that cost, or -1). If `to_go`
    // has the costs from each boundary to the end, `ends` gets every run end through which the whole page costs at most
    // `most`.
    void sweep(const Vector<std::int32_t>& price, const Vector<std::int32_t>* to_go = nullptr,
               std::int64_t most = 0) {
        vp_.assign(vp_.size(), ~Word64{0});
        vn_.assign(vn_.size(), 0);
        open_.assign(lines_.size(), 0);
        all_open_ = false;
        for (std::size_t k = 0; k < lines_.size(); ++k) charge_[k] = price[lines_[k].gt] - page_.gt_cost[lines_[k].gt];
        reset(words_.size());
        base_ = 0;
        for (int w = 0; w < words_.size(); ++w) {
            enter(w);
            walk(words_[w]);
            leave(w, to_go, most);
            const int next = w + 1 < words_.size() ? words_.begin(w + 1) : words_.end(w);
            walk(words_.slice(words_.end(w), next));
        }
    }

    static constexpr int unit = 1;

    // The work of one sweep.
    std::int64_t work() const {
        const std::int64_t tokens = words_.size() > 0 ? words_.end(words_.size() - 1) : 0;
        return tokens * std::ssize(vp_) / kBlocksPerStep + words_.size() * kBoundarySteps * std::ssize(lines_);
    }

  private:
    struct Line {
        int gt;
        int first;  // block
        int blocks;
    };

    static constexpr std::int64_t kBlocksPerStep = 2;
    static constexpr std::int64_t kBoundarySteps = 6;  // of work for one line at the begin and the end of a word

    // Each line starts at a new block.
    void lay_out() {
        Vector<Token> pattern;
        int block = 0;
        for (Line& line : lines_) {
            line.first = block;
            const Tokens tokens = gt_[line.gt];
            pattern.insert(pattern.end(), tokens.begin(), tokens.end());
            block += line.blocks;
            pattern.resize(block * kBits, PatternIndex::kPadding);
        }
        index_.assign_masks(pattern);
        vp_.resize(block);
        vn_.resize(block);
    }

    void walk(Tokens tokens) {
        for (Token t : tokens) {
            const Word64* equal = index_.masks(t);
            step_singles(equal, vp_.data(), vn_.data(), singles_);
            progress_(std::ssize(vp_) / kBlocksPerStep);
            for (std::size_t k = singles_; k < lines_.size(); ++k) {
                Carry carry;
                for (int i = lines_[k].first; i < lines_[k].first + lines_[k].blocks; ++i) {
                    Block block{vp_[i], vn_[i]};
                    advance(block, equal[i], carry);
                    vp_[i] = block.vp;
                    vn_[i] = block.vn;
                }
            }
        }
        base_ += static_cast<std::int32_t>(tokens.size());
    }

    // `advance` for lines of one block each. They are independent of each other.
    PAGEMETER_CLONES static void step_singles(const Word64* equal, Word64* vp, Word64* vn, std::size_t count) {
        for (std::size_t k = 0; k < count; ++k) {
            const Word64 d0 = (((equal[k] & vp[k]) + vp[k]) ^ vp[k]) | equal[k] | vn[k];
            const Word64 hp = ((vn[k] | ~(d0 | vp[k])) << 1) | 1;
            const Word64 hn = (d0 & vp[k]) << 1;
            vp[k] = hn | ~(d0 | hp);
            vn[k] = hp & d0;
        }
    }

    // Lets every line that may use word w start a run there. All columns have the same value at row 0, `base_`.
    PAGEMETER_CLONES void enter(int w) {
        const std::int32_t gain = base_ - cost[w];
        base_ = cost[w];
        progress_(kBoundarySteps * std::ssize(lines_));
        const bool restricted = page_.near.restricted();
        const bool open = taken.empty() || !taken[w];
        if (gain <= 0 && all_open_ && open) return;  // no column changes
        all_open_ = open && !restricted;
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

    // Cell i becomes min(v(i), v(0) - gain + i). This replaces the cells before the row where v(0) + i - v(i) reaches
    // `gain`.
    void start_below(const Line& line, std::int32_t gain) {
        if (gain <= 0) return;
        std::int32_t fallen = 0;
        for (int i = line.first; i < line.first + line.blocks; ++i) {
            Word64& vp = vp_[i];
            Word64& vn = vn_[i];
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

    // Computes the minimum cost at the boundary after word w, over all runs that end there.
    PAGEMETER_CLONES void leave(int w, const Vector<std::int32_t>* to_go, std::int64_t most) {
        const int b = w + 1;
        std::int32_t best = cost[b - 1] + page_.word_cost[w];
        const std::int64_t allowance = to_go ? most - (*to_go)[b] : 0;
        std::size_t k = 0;
        // The frequent case: all lines may end, and ends are not listed.
        for (; all_open_ && !to_go && k < singles_; ++k) {
            const std::int32_t value =
                base_ + std::popcount(vp_[k] & rows_[k]) - std::popcount(vn_[k] & rows_[k]) + charge_[k];
            if (value >= best) continue;
            best = value;
            via[b] = lines_[k].gt;
        }
        for (; k < lines_.size(); ++k) {
            if (!open_[k]) continue;
            const Line& line = lines_[k];
            const int m = gt_.length(line.gt);
            const std::int32_t value = base_ + rise(line, m) + charge_[k];
            if (to_go && value <= allowance && ends.size() <= most_ends) ends.push_back({line.gt, w + 1});
            if (value >= best) continue;
            best = value;
            via[b] = line.gt;
        }
        cost[b] = best;
    }

    // The difference between row m and row 0.
    std::int32_t rise(const Line& line, int m) const {
        std::int32_t sum = 0;
        for (int i = line.first; i < line.first + line.blocks; ++i, m -= kBits) {
            const Word64 rows = m >= kBits ? ~Word64{0} : (Word64{1} << m) - 1;
            sum += std::popcount(vp_[i] & rows) -
                   std::popcount(vn_[i] & rows);
        }
        return sum;
    }

    const SegmentPage& page_;
    Slices gt_;
    Slices words_;
    PatternIndex index_;
    Progress progress_;
    Vector<Line> lines_;
    std::size_t singles_ = 0;
    Vector<Word64> vp_;
    Vector<Word64> vn_;
    Vector<char> open_;
    bool all_open_ = false;
    Vector<std::int32_t> charge_;  // price minus the cost of the line without a run, per line
    Vector<Word64> rows_;  // the rows of each line of one block
    std::int32_t base_ = 0;
};

}  // namespace pagemeter
