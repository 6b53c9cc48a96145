// The relaxed problem of S and SG with integer multipliers, without listing runs: one pass over the HYP tokens that
// keeps one column of the edit distance per GT line.
//
// With multipliers λ_x, C(b) is the minimum cost of the first b words if a GT line may be used any number of times:
//     C(b) = min(C(b-1) + |word b-1|, min over a, x of C(a) + LD(words a..b, G_x) - |G_x| + λ_x).
// At a boundary, every column may restart from C(b): its cell i becomes min(v(i), C(b) + i). Since v(i) - i does not
// grow with i, this replaces the cells before some row and keeps the others, and the differences stay -1, 0 or +1. So
// the columns remain bit vectors. This requires integer multipliers.
//
// The columns of eight lines are processed side by side, one line per lane. Row 0 has the same value in all columns, so
// a restart lowers it by the same number everywhere.
#pragma once

#include <algorithm>
#include <array>
#include <cstring>
#include <tuple>

#include "line_kinds.hpp"
#include "segment_sweep.hpp"
#include "simd.hpp"

namespace pagemeter {

// A GT line, the end of a possible run of it, and the least cost of the whole page with such a run (in `Swept::tight`:
// the cost of the run, or its difference to C).
struct RunEnd {
    std::int32_t gt;
    std::int32_t end;
    std::int64_t through;
};

// The result of a sweep.
struct Swept {
    static constexpr std::uint32_t kSpread = 2654435769;  // an odd number with irregular bits

    Vector<std::int32_t> cost;
    Vector<std::int32_t> via;
    Vector<RunEnd> ends;  // those with the lowest costs, fewer than 2 * `most_ends`
    std::size_t most_ends = 0;
    std::int64_t limit = 0;  // the cost of every end in `ends` is at most this
    bool dropped = false;  // whether there were more ends at most at `limit`, or the limit was lowered
    Vector<char> taken;  // words that no run may contain; may be empty
    // If `notes_tight`, the ends of the runs that cost no more than C there. If a sweep has slack, these are the ends
    // of the cheapest runs of each line, compared with C, and `through` is the slack.
    bool notes_tight = false;  // becomes false if there are too many
    Vector<RunEnd> tight;

    void reset(int words) {
        cost.assign(words + 1, 0);
        via.assign(cost.size(), -1);
        ends.clear();
        tight.clear();
        dropped = false;
    }

    static constexpr std::size_t kTightEnds = 16;  // for each boundary

    void add_tight(const RunEnd& end) {
        tight.push_back(end);
        notes_tight = tight.size() < kTightEnds * cost.size();
        if (!notes_tight) tight.clear();
    }

    void add_end(const RunEnd& end) {
        ends.push_back(end);
        if (ends.size() < 2 * most_ends) return;
        // Among ends of equal costs, the same ones stay on every machine, from all parts of the page.
        const auto key = [](const RunEnd& e) {
            return std::tuple(e.through, static_cast<std::uint32_t>(e.end) * kSpread, e.gt);
        };
        const auto cut = ends.begin() + static_cast<std::ptrdiff_t>(most_ends);
        std::nth_element(ends.begin(), cut, ends.end(),
                         [&](const RunEnd& a, const RunEnd& b) { return key(a) < key(b); });
        limit = cut->through;
        dropped = true;
        ends.erase(cut, ends.end());
    }
};

class IntegerSweep : public Swept {
  public:
    IntegerSweep(const SegmentPage& page, const LineKinds& /* kinds */, int alphabet)
        : page_(page), gt_(page.gt()), words_(page.words()), index_(alphabet) {
        for (int x = 0; x < gt_.size(); ++x) {
            if (gt_.length(x) > 0) lines_.push_back(x);
        }
        // Lines of as many blocks share a bundle. With G, lines keep their order otherwise, because neighbouring lines
        // are open at the same time.
        std::stable_sort(lines_.begin(), lines_.end(),
                         [&](int a, int b) { return blocks_for(gt_.length(a)) < blocks_for(gt_.length(b)); });
        lay_out();
    }

    // Fills `cost` (C at every boundary) and `via` (the GT line whose run ends there at that cost, or -1). If `to_go`
    // has the costs from each boundary to the end, `ends` gets the run ends through which the whole page costs at most
    // `most`, or a lower limit if there are too many.
    void sweep(const Vector<std::int32_t>& price, const Vector<std::int32_t>* to_go = nullptr,
               std::int64_t most = 0) {
        reset(words_.size());
        charge(price);
        limit = most;
        base_ = 0;
        for (int w = 0; w < words_.size(); ++w) {
            pass(w);
            leave(w + 1, to_go);
        }
        std::erase_if(tight, [&](const RunEnd& e) { return e.through > slack_[e.gt]; });
    }

    static constexpr int unit = 1;

    // The work of one sweep, if every line may use every word.
    std::int64_t work() const {
        const std::int64_t tokens = words_.size() > 0 ? words_.end(words_.size() - 1) : 0;
        return kRowSteps * (tokens * std::ssize(vp_) + kBoundaryRows * words_.size() * bundles_.count());
    }

    // The reduced cost of the best run of every line in the last sweep: no run of the line ends anywhere at less than C
    // plus this number, so its price may fall by as much without a change of any C.
    const Vector<std::int64_t>& slack() const { return slack_; }

  private:
    // A register with one lane per line. Costs have as many bits as blocks, so that both have as many lanes.
#if defined(PAGEMETER_LANES)
    static constexpr int kLanes = 8;
    using Words = Word64 __attribute__((vector_size(8 * kLanes)));
    using Costs = std::int64_t __attribute__((vector_size(8 * kLanes)));
#else
    static constexpr int kLanes = 1;
    using Words = Word64;
    using Costs = std::int64_t;
#endif
    template <class Register, class Value>
    [[gnu::always_inline]] static Register read(const Value* lanes) {
        Register r;
        std::memcpy(&r, lanes, sizeof r);
        return r;
    }
    template <class Value, class Register>
    struct alignas(sizeof(Register)) Stored {
        Array<Value, kLanes> lane;
        [[gnu::always_inline]] Register load() const { return read<Register>(lane.data()); }
        [[gnu::always_inline]] void store(const Register& r) { std::memcpy(lane.data(), &r, sizeof r); }
    };
    using StoredWords = Stored<Word64, Words>;
    using StoredCosts = Stored<std::int64_t, Costs>;
    // Eight lines. The arrays of blocks have `blocks` items from `first` on.
    struct Bundle {
        int first;
        int blocks;
    };

    static constexpr std::int64_t kFar = std::int64_t{1} << 40;  // of a line that may not use the present word
    static constexpr std::int64_t kRowSteps = 4;  // of work for a row of a bundle
    static constexpr std::int64_t kBoundaryRows = 3;  // a boundary of a bundle takes as long as some tokens

    // Line k is lane k % 8 of bundle k / 8. Lanes without a line are never open.
    void lay_out() {
        Vector<Token> pattern;
        for (int k = 0; k < lines_.count(); k += kLanes) {
            const int last = std::min(k + kLanes, lines_.count());
            const Bundle bundle{vp_.count(), blocks_for(gt_.length(lines_[last - 1]))};
            bundles_.push_back(bundle);
            const int rows = bundle.first + bundle.blocks;
            pattern.resize(std::int64_t{rows} * kLanes * kBits, PatternIndex::kPadding);
            vp_.resize(rows);
            last_row_.resize(rows, StoredWords{});
            for (int line = k; line < last; ++line) {
                const Tokens tokens = gt_[lines_[line]];
                for (int i = 0; i < tokens.count(); ++i) {
                    const std::int64_t block = (std::int64_t{bundle.first} + i / kBits) * kLanes + line - k;
                    pattern[block * kBits + i % kBits] = tokens[i];
                }
                const int row = tokens.count() - 1;
                last_row_[bundle.first + row / kBits].lane[line - k] = Word64{1} << (row % kBits);
            }
        }
        vn_.resize(vp_.size());
        bottom_.resize(bundles_.size());
        top_.resize(bundles_.size());
        least_.resize(bundles_.size());
        slack_.resize(gt_.size());
        index_.assign_masks(pattern);
    }

    // Closes all lines, and computes what a run of each line costs without its words.
    void charge(const Vector<std::int32_t>& price) {
        price_ = price;
        active_.clear();
        for (StoredCosts& costs : least_) costs.lane.fill(kFar);
        for (int k = 0; k < bundles_.count(); ++k) {
            bottom_[k].lane.fill(kFar);
            top_[k].lane.fill(kFar);
        }
    }

    // True if other lines may use word w than the previous word.
    bool opens_differently(int w) const {
        if (!taken.empty() && taken[w] != taken[w - 1]) return true;
        return page_.near.restricted() && page_.word_line[w] != page_.word_line[w - 1] && (taken.empty() || !taken[w]);
    }

    // Opens the lines that may use word w, without runs so far, and closes the others, which lose their runs.
    void open_lines(int w) {
        active_.clear();
        const bool open = taken.empty() || !taken[w];
        for (int k = 0; k < bundles_.count(); ++k) {
            bool any = false;
            for (int lane = 0; lane < kLanes && k * kLanes + lane < lines_.count(); ++lane) {
                const int x = lines_[k * kLanes + lane];
                std::int64_t& top = top_[k].lane[lane];
                if (!open || !page_.allows(x, w)) {
                    top = kFar;
                    bottom_[k].lane[lane] = kFar;
                    continue;
                }
                any = true;
                if (top < kFar) continue;
                top = gt_.length(x) + price_[x] - page_.gt_cost[x];
                for (int row = bundles_[k].first; row < bundles_[k].first + bundles_[k].blocks; ++row) {
                    vp_[row].lane[lane] = ~Word64{0};
                    vn_[row].lane[lane] = 0;
                }
            }
            if (any) active_.push_back(k);
        }
        progress_(lines_.count());
    }

    // From boundary w to the next one: the joining tokens before word w, a restart of all columns, and the word.
    void pass(int w) {
        boundary_ = w;
        const int from = w > 0 ? words_.end(w - 1) : words_.begin(w);
        const int joins = words_.begin(w) - from;
        base_ += joins;
        const std::int32_t gain = base_ - cost[w];
        base_ = cost[w] + words_.length(w);
        if (w > 0 && !opens_differently(w)) {
            return advance_all(words_.slice(from, words_.end(w)), joins, gain, cost[w], cost[w]);
        }
        advance_all(words_.slice(from, words_.begin(w)), joins, 0, cost[w], kFar);
        open_lines(w);
        advance_all(words_[w], 0, gain, -kFar, cost[w]);
    }

    // Advances all columns by some tokens, with a restart after the first `joins` of them. `end` is C where the runs
    // end that `bottom_` has so far, and `begin` where new ones begin.
    void advance_all(Tokens tokens, int joins, std::int32_t gain, std::int64_t end, std::int64_t begin) {
        masks_.clear();
        for (Token t : tokens) masks_.push_back(index_.masks(t));
        std::int64_t rows = 0;
        for (int k : active_) rows += bundles_[k].blocks;
        progress_(kRowSteps * (rows * masks_.count() + kBoundaryRows * active_.count()));
        advance_bundles(joins, gain, end, begin);
    }

    PAGEMETER_WIDE_CLONES void advance_bundles(int joins, std::int32_t gain, std::int64_t end, std::int64_t begin) {
        const Costs after = Costs{} + end;
        const Costs begins = Costs{} + begin;
        Costs minimum = Costs{} + kFar;
        for (int k : active_) {
            Costs bottom = bottom_[k].load();
            const Costs excess = bottom - after;
            const Costs least = lower(least_[k].load(), excess);
            if (notes_tight) note_tight(k, excess <= lower(least, Costs{} + kFar / 2), excess);
            least_[k].store(least);
            if (bundles_[k].blocks == 1) {
                advance_one_block(bundles_[k].first, joins, gain, begins + top_[k].load(), bottom);
            } else {
                advance_blocks(bundles_[k], joins, gain, begins + top_[k].load(), bottom);
            }
            bottom_[k].store(bottom);
            minimum = lower(minimum, bottom);
        }
        StoredCosts lanes;
        lanes.store(minimum);
        minimum_ = *std::min_element(lanes.lane.begin(), lanes.lane.end());
    }

    [[gnu::always_inline]] void advance_one_block(int row, int joins, int gain, const Costs& fresh, Costs& bottom) {
        Words vp = vp_[row].load();
        Words vn = vn_[row].load();
        const Words last = last_row_[row].load();
        const Words none{};
        const auto walk = [&](int from, int to) PAGEMETER_INLINED {
            for (int i = from; i < to; ++i) {
                const Words equal = mask(i, row);
                Words hp = none + 1;
                Words hn = none;
                step(equal, vp, vn, hp, hn, last, bottom);
            }
        };
        walk(0, joins);
        for (int i = 0; i < gain; ++i) {
            const Words lowest = ~vp & (vp + 1);
            vp |= lowest & ~vn;
            vn &= ~lowest;
        }
        bottom = lower(bottom, fresh);
        walk(joins, masks_.count());
        vp_[row].store(vp);
        vn_[row].store(vn);
    }

    [[gnu::always_inline]] void advance_blocks(const Bundle& bundle, int joins, int gain, const Costs& fresh,
                                               Costs& bottom) {
        const Words none{};
        const int end = bundle.first + bundle.blocks;
        const auto walk = [&](int from, int to) PAGEMETER_INLINED {
            for (int i = from; i < to; ++i) {
                Words hp = none + 1;
                Words hn = none;
                for (int row = bundle.first; row < end; ++row) {
                    const Words equal = mask(i, row);
                    Words vp = vp_[row].load();
                    Words vn = vn_[row].load();
                    step(equal, vp, vn, hp, hn, last_row_[row].load(), bottom);
                    vp_[row].store(vp);
                    vn_[row].store(vn);
                }
            }
        };
        walk(0, joins);
        for (int i = 0; i < gain; ++i) {
            Words open = ~none;
            for (int row = bundle.first; row < end; ++row) {
                const Words vp = vp_[row].load();
                const Words vn = vn_[row].load();
                const Words lowest = ~vp & (vp + 1) & open;
                vp_[row].store(vp | (lowest & ~vn));
                vn_[row].store(vn & ~lowest);
                open = vp == ~none ? open : none;
            }
        }
        bottom = lower(bottom, fresh);
        walk(joins, masks_.count());
    }

    [[gnu::always_inline]] Words mask(int i, int row) const {
        return read<Words>(masks_[i] + std::ptrdiff_t{row} * kLanes);
    }

    // `advance` for one block of each line; `bottom` follows the last row of the line.
    [[gnu::always_inline]] static void step(const Words& equal, Words& vp, Words& vn, Words& hp, Words& hn,
                                            const Words& last, Costs& bottom) {
        const Words x = equal | hn;
        const Words d0 = (((x & vp) + vp) ^ vp) | x | vn;
        const Words up = vn | ~(d0 | vp);
        const Words down = d0 & vp;
        const Words none{};
        bottom = (up & last) != none ? bottom + 1 : bottom;
        bottom = (down & last) != none ? bottom - 1 : bottom;
        const Words hp_in = (up << 1) | hp;
        const Words hn_in = (down << 1) | hn;
        hp = up >> (kBits - 1);
        hn = down >> (kBits - 1);
        vp = hn_in | ~(d0 | hp_in);
        vn = hp_in & d0;
    }

    [[gnu::always_inline]] static Costs lower(const Costs& a, const Costs& b) { return a < b ? a : b; }

    // The minimum cost at boundary b, over all runs that end there.
    void leave(int b, const Vector<std::int32_t>* to_go) {
        const std::int64_t skipped = std::int64_t{cost[b - 1]} + page_.word_cost[b - 1];
        cost[b] = static_cast<std::int32_t>(std::min(skipped, minimum_));
        if (minimum_ < skipped) via[b] = first_at_most(minimum_);
        if (b == words_.size()) gather_slack();
        if (!to_go || minimum_ + (*to_go)[b] > limit) return;
        for (int k : active_) {
            for (int lane = 0; lane < kLanes; ++lane) {
                const std::int64_t through = bottom_[k].lane[lane] + (*to_go)[b];
                if (through <= limit) add_end({lines_[k * kLanes + lane], b, through});
            }
        }
    }

    // The first line whose run ends here at most at this cost.
    int first_at_most(std::int64_t value) const {
        for (int k : active_) {
            for (int lane = 0; lane < kLanes; ++lane) {
                if (bottom_[k].lane[lane] <= value) return lines_[k * kLanes + lane];
            }
        }
        return -1;
    }

    // Notes the lanes of bundle k whose runs cost as little as any before, compared with C.
    template <class Flags>
    [[gnu::always_inline]] void note_tight(int k, const Flags& is_least, const Costs& excess) {
        StoredCosts flags;
        flags.store(Costs{} - (is_least ? Costs{} + 1 : Costs{}));
        std::int64_t any = 0;
        for (std::int64_t flag : flags.lane) any |= flag;
        if (any == 0) return;
        StoredCosts found;
        found.store(excess);
        for (int lane = 0; lane < kLanes; ++lane) {
            if (notes_tight && flags.lane[lane]) add_tight({lines_[k * kLanes + lane], boundary_, found.lane[lane]});
        }
    }

    void gather_slack() {
        for (int k = 0; k < lines_.count(); ++k) {
            const auto lane = k % kLanes;
            const std::int64_t excess = bottom_[k / kLanes].lane[lane] - cost.back();
            slack_[lines_[k]] = std::min(least_[k / kLanes].lane[lane], excess);
            if (notes_tight && excess == slack_[lines_[k]]) add_tight({lines_[k], words_.size(), excess});
        }
    }

    const SegmentPage& page_;
    Slices gt_;
    Slices words_;
    PatternIndex index_;
    Progress progress_;
    Vector<int> lines_;  // one per lane
    Vector<Bundle> bundles_;
    Vector<int> active_;  // bundles with an open line
    Vector<StoredWords> vp_;
    Vector<StoredWords> vn_;
    Vector<StoredWords> last_row_;  // the bit of the last row of each line
    Vector<StoredCosts> bottom_;  // the cost of a run of each line that ends here, or kFar
    Vector<StoredCosts> top_;  // the cost of a run of each line without its words, or kFar if the line is closed
    Vector<StoredCosts> least_;  // the least difference between `bottom_` and C at a boundary
    Vector<std::int64_t> slack_;  // the same for each GT line
    Vector<std::int32_t> price_;
    Vector<const Word64*> masks_;  // of the joining tokens before the word, and of the word
    std::int64_t minimum_ = kFar;  // of `bottom_`
    std::int32_t base_ = 0;  // row 0 of all columns
    int boundary_ = 0;  // where the runs end that `bottom_` has
};

}  // namespace pagemeter
