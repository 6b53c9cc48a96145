// The sweep of integer_sweep.hpp with fractional multipliers. Costs are integers in units of 1/unit. The columns of 16
// GT lines are processed side by side, one line per lane, cell by cell. For characters this is slower than bit vectors;
// for words it is as fast, because GT lines have few words.
//
// A column restarts at a boundary by lowering its row 0 to C(b). The next step then takes min(v(i), v(i-1) + 1).
//
// If there are blind runs, a run is needed only if a word of its line is near its begin and near its end
// (docs/design/free-segments.md). So a bundle of lines is only advanced near such words.
#pragma once

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>
#include <unordered_map>
#include <utility>

#include "line_kinds.hpp"
#include "integer_sweep.hpp"
#include "segment_sweep.hpp"
#include "simd.hpp"

namespace pagemeter {

class FractionalSweep : public Swept {
  public:
    FractionalSweep(const SegmentPage& page, const LineKinds& kinds, int unit_)
        : unit(unit_), page_(page), kinds_(kinds), gt_(page.gt()), words_(page.words()) {
        for (int x = 0; x < gt_.size(); ++x) {
            if (gt_.length(x) > 0) lines_.push_back(x);
        }
        // Lanes of equal length waste no rows. With G, lines keep their order, because neighbouring lines are open at
        // the same time.
        if (!page_.near.restricted()) {
            std::stable_sort(lines_.begin(), lines_.end(), [&](int a, int b) { return gt_.length(a) < gt_.length(b); });
        }
        for (std::size_t k = 0; k < lines_.size(); k += kLanes) add_bundle(k);
        for (int x : lines_) {
            if (kinds_.blind(x) < 0) continue;
            for (Token t : gt_[x]) lines_with_[t].push_back(x);
        }
        near_common_ = kinds_.size() > gt_.size();
        if (near_common_) find_stretches();
        for (const Bundle& bundle : bundles_) {
            work_ += kRowSteps * (bundle.rows + 1) * (near_common_ ? bundle.near_tokens : words_.total());
        }
    }

    // The same as IntegerSweep::sweep, with prices and costs in units.
    void sweep(const Vector<std::int32_t>& price, const Vector<std::int32_t>* to_go = nullptr,
               std::int64_t most = 0) {
        std::fill(cells_.begin(), cells_.end(), Lanes::filled(kFar));
        for (Bundle& bundle : bundles_) bundle.open = false;
        reset(words_.size());
        start_bundles();
        last_common_.assign(gt_.size(), -words_.size());
        charge(price);
        limit = most;
        for (int w = 0; w < words_.size(); ++w) {
            if (near_common_) change_stretches(w);
            enter(w);
            walk(words_[w]);
            if (to_go || notes_tight) note_common(w);
            leave(w, price, to_go);
            const int next = w + 1 < words_.size() ? words_.begin(w + 1) : words_.end(w);
            walk(words_.slice(words_.end(w), next));
        }
    }

    const int unit;

    // The work of one sweep, if no line is barred from a word by its position.
    std::int64_t work() const { return work_; }

  private:
    static constexpr int kLanes = 16;
    static constexpr std::int32_t kFar = 1 << 29;
    static constexpr std::int64_t kRowSteps = 7;  // of work for one row of a bundle
    struct Lanes {
        Array<std::int32_t, kLanes> at;
        static Lanes filled(std::int32_t value) {
            Lanes lanes;
            lanes.at.fill(value);
            return lanes;
        }
    };
    struct Bundle {
        std::ptrdiff_t first;  // index of row 0
        int rows;  // of the longest line
        bool even;  // all lines have this length
        bool open;
        Lanes charge;  // price minus the cost of the line without a run, per lane
        Vector<Bounds> stretches;  // the words near which a line of the bundle has a word, if there are blind runs
        int stretch = 0;  // the present or next one
        std::int64_t near_tokens = 0;  // in all stretches
    };

    void add_bundle(std::size_t k) {
        Bundle bundle{std::ssize(cells_), 0, true, false, Lanes::filled(kFar), {}};
        const std::size_t count = std::min<std::size_t>(kLanes, lines_.size() - k);
        for (std::size_t lane = 0; lane < count; ++lane) {
            bundle.rows = std::max(bundle.rows, gt_.length(lines_[k + lane]));
        }
        for (std::size_t lane = 0; lane < count; ++lane) bundle.even &= gt_.length(lines_[k + lane]) == bundle.rows;
        cells_.resize(std::ssize(cells_) + bundle.rows + 1);
        tokens_.resize(cells_.size(), Lanes::filled(PatternIndex::kPadding));
        for (std::size_t lane = 0; lane < count; ++lane) {
            const Tokens line = gt_[lines_[k + lane]];
            for (int i = 0; i < line.count(); ++i) tokens_[bundle.first + 1 + i].at[lane] = line[i];
        }
        bundles_.push_back(bundle);
    }

    // The words that runs with a bundle's lines need. A run is not needed if `rows` words or more pass before its first
    // common word or after its last one. Stretches that are not `rows` tokens apart are joined.
    void find_stretches() {
        Vector<int> bundle_of(gt_.size(), -1);
        for (int k = 0; k < lines_.count(); ++k) bundle_of[lines_[k]] = k / kLanes;
        for (int w = 0; w < words_.size(); ++w) {
            for (Token t : words_[w]) {
                const auto lines = lines_with_.find(t);
                if (lines == lines_with_.end()) continue;
                progress_(lines->second.count());
                for (int x : lines->second) extend_stretch(bundles_[bundle_of[x]], w);
            }
        }
        opening_.resize(words_.size());
        for (int n = 0; n < bundles_.count(); ++n) {
            for (const Bounds& s : bundles_[n].stretches) {
                opening_[s.begin].push_back(n);
                bundles_[n].near_tokens += words_.end(s.end - 1) - words_.begin(s.begin);
            }
        }
    }

    void extend_stretch(Bundle& bundle, int w) {
        Vector<Bounds>& all = bundle.stretches;
        int end = w + 1;
        while (end < words_.size() && words_.begin(end) < words_.end(w) + bundle.rows - 1) ++end;
        if (!all.empty() && all.back().end >= end) return;
        int begin = w;
        while (begin > 0 && words_.end(begin - 1) > words_.begin(w) - bundle.rows + 1) --begin;
        if (!all.empty() && words_.begin(begin) - words_.end(all.back().end - 1) < bundle.rows) {
            all.back().end = end;
        } else {
            all.push_back({begin, end});
        }
    }

    void start_bundles() {
        active_.clear();
        for (Bundle& bundle : bundles_) bundle.stretch = 0;
        if (!near_common_) {
            active_.resize(bundles_.count());
            std::iota(active_.begin(), active_.end(), 0);
            return;
        }
        taken_before_.assign(taken.empty() ? 0 : words_.size() + 1, 0);
        for (int w = 0; w < taken.count(); ++w) taken_before_[w + 1] = taken_before_[w] + taken[w];
    }

    // Ends the stretches before word w, and begins those that start with it.
    void change_stretches(int w) {
        std::erase_if(active_, [&](int n) {
            Bundle& bundle = bundles_[n];
            if (bundle.stretches[bundle.stretch].end > w) return false;
            ++bundle.stretch;
            bundle.open = false;
            return true;
        });
        for (int n : opening_[w]) {
            if (bundles_[n].stretch > 0) resume(bundles_[n], w);
            active_.push_back(n);
        }
    }

    // Advances a bundle from the end of its last stretch to word w. None of the g words between is in one of the lines,
    // and g is at least the length of each line, so v(i) becomes min over k <= i of v(k) + g.
    void resume(Bundle& bundle, int w) {
        const int from = bundle.stretches[bundle.stretch - 1].end;
        if (!taken.empty() && taken_before_[w] > taken_before_[from]) {
            for (int lane = 0; lane < kLanes; ++lane) forget(bundle, lane);
            return;
        }
        bundle.open = true;
        const std::int32_t passed = (words_.begin(w) - words_.begin(from)) * unit;
        Lanes* v = &cells_[bundle.first];
        Lanes least = v[0];
        for (int i = 0; i <= bundle.rows; ++i) {
            for (int k = 0; k < kLanes; ++k) {
                least.at[k] = std::min(least.at[k], v[i].at[k]);
                v[i].at[k] = least.at[k] + passed;
            }
        }
    }

    void charge(const Vector<std::int32_t>& price) {
        for (std::size_t k = 0; k < lines_.size(); ++k) {
            const int x = lines_[k];
            bundles_[k / kLanes].charge.at[k % kLanes] = price[x] - page_.gt_cost[x] * unit;
        }
    }

    void walk(Tokens tokens) {
        for (Token t : tokens) {
            for (int n : active_) {
                const Bundle& bundle = bundles_[n];
                if (!bundle.open) continue;
                progress_(kRowSteps * (bundle.rows + 1));
                step(&tokens_[bundle.first], &cells_[bundle.first], bundle.rows, t, unit);
            }
        }
    }

    // Advances one bundle by one HYP token.
    PAGEMETER_CLONES static void step(const Lanes* gt, Lanes* v, int rows, Token token, std::int32_t unit) {
        Lanes diagonal = v[0];
        Lanes left;
        for (int k = 0; k < kLanes; ++k) left.at[k] = v[0].at[k] + unit;
        v[0] = left;
        for (int i = 1; i <= rows; ++i) {
            for (int k = 0; k < kLanes; ++k) {
                const std::int32_t old = std::min(v[i].at[k], diagonal.at[k] + unit);
                const std::int32_t matched = diagonal.at[k] + (gt[i].at[k] == token ? 0 : unit);
                left.at[k] = std::min(matched, std::min(old, left.at[k]) + unit);
                v[i].at[k] = left.at[k];
                diagonal.at[k] = old;
            }
        }
    }

    // Lets every line that may use word w start a run there. A line that may not loses its open runs.
    void enter(int w) {
        const bool free = taken.empty() || !taken[w];
        const std::int32_t now = cost[w];
        for (int n : active_) {
            Bundle& bundle = bundles_[n];
            if (free && !page_.near.restricted()) {
                bundle.open = true;
                cells_[bundle.first] = Lanes::filled(now);
                continue;
            }
            const bool was_open = std::exchange(bundle.open, false);
            if (!free && !was_open) continue;
            for (int lane = 0; lane < kLanes && n * kLanes + lane < lines_.count(); ++lane) {
                const bool allowed = free && page_.allows(lines_[n * kLanes + lane], w);
                if (allowed) {
                    cells_[bundle.first].at[lane] = now;
                } else if (was_open) {
                    forget(bundle, lane);
                }
                bundle.open |= allowed;
            }
        }
    }

    void forget(const Bundle& bundle, int lane) {
        for (int i = 0; i <= bundle.rows; ++i) cells_[bundle.first + i].at[lane] = kFar;
    }

    // Computes the minimum cost at the boundary after word w, over all runs that end there.
    void leave(int w, const Vector<std::int32_t>& price, const Vector<std::int32_t>* to_go) {
        const int b = w + 1;
        const std::size_t known = tight.size();
        std::int32_t best = cost[b - 1] + page_.word_cost[w] * unit;
        for (int kind = gt_.size(); kind < kinds_.size(); ++kind) {
            leave_blind(w, kind, price[kind], best);
        }
        const auto allowance =
            to_go ? static_cast<std::int32_t>(std::clamp<std::int64_t>(limit - (*to_go)[b], -kFar, kFar - 1)) : -kFar;
        for (int n : active_) {
            const Bundle& bundle = bundles_[n];
            if (!bundle.open) continue;
            Lanes value = bottoms(n);
            const std::int32_t low = add_and_find_least(value, bundle.charge);
            if (low >= best + (notes_tight ? 1 : 0) && low > allowance) continue;
            for (int lane = 0; lane < kLanes; ++lane) {
                const std::int32_t v = value.at[lane];
                if (notes_tight && v <= best && matters(lines_[n * kLanes + lane], w)) {
                    add_tight({lines_[n * kLanes + lane], b, v});
                }
                if (v <= allowance && matters(lines_[n * kLanes + lane], w)) {
                    add_end({lines_[n * kLanes + lane], w + 1, std::int64_t{v} + (*to_go)[b]});
                }
                if (v >= best) continue;
                best = v;
                via[b] = lines_[n * kLanes + lane];
            }
        }
        cost[b] = best;
        const auto from = tight.begin() + static_cast<std::ptrdiff_t>(std::min(known, tight.size()));
        tight.erase(std::remove_if(from, tight.end(), [&](const RunEnd& e) { return e.through > best; }), tight.end());
    }

    void note_common(int w) {
        for (Token t : words_[w]) {
            const auto lines = lines_with_.find(t);
            if (lines == lines_with_.end()) continue;
            for (int x : lines->second) last_common_[x] = w;
        }
    }

    // True if a run of the line that ends with word w can be better than a blind run and than a run that ends earlier.
    // That requires a common word so near that all later words of the run can be substituted.
    bool matters(int x, int w) const {
        return kinds_.blind(x) < 0 || w - last_common_[x] < gt_.length(x);
    }

    // The last cell of each lane's line.
    Lanes bottoms(int n) const {
        const Bundle& bundle = bundles_[n];
        Lanes value = cells_[bundle.first + bundle.rows];
        for (int lane = 0; !bundle.even && lane < kLanes && n * kLanes + lane < lines_.count(); ++lane) {
            const int m = gt_.length(lines_[n * kLanes + lane]);
            value.at[lane] = cells_[bundle.first + m].at[lane];
        }
        return value;
    }

    // Adds the charges, which gives the cost of each lane's run that ends here. Lanes without a line are unreachable.
    PAGEMETER_CLONES static std::int32_t add_and_find_least(Lanes& value, const Lanes& charge) {
        std::int32_t low = std::numeric_limits<std::int32_t>::max();
        for (int lane = 0; lane < kLanes; ++lane) {
            value.at[lane] += charge.at[lane];
            low = std::min(low, value.at[lane]);
        }
        return low;
    }

    void leave_blind(int w, int kind, std::int32_t price, std::int32_t& best) {
        const int m = kinds_.length[kind];
        int letters = 0;
        for (int a = w; a >= 0 && letters < m && (taken.empty() || !taken[a]); --a) {
            letters += words_.length(a);
            const std::int32_t value =
                cost[a] + (letters - std::min(letters, m)) * unit + price;
            if (value >= best) continue;
            best = value;
            via[w + 1] = kind;
        }
    }

    const SegmentPage& page_;
    const LineKinds& kinds_;
    Slices gt_;
    Slices words_;
    Vector<int> lines_;  // one per lane
    Vector<Bundle> bundles_;
    Vector<Lanes> cells_;
    Progress progress_;
    Vector<Lanes> tokens_;
    std::unordered_map<Token, Vector<int>> lines_with_;  // the lines that contain a token, if there are blind runs
    Vector<int> last_common_;  // the last word so far that each line contains
    bool near_common_ = false;  // whether bundles are only advanced in their stretches
    Vector<Vector<int>> opening_;  // by word: the bundles with a stretch that begins there
    Vector<int> active_;  // the bundles that have the present word in a stretch
    Vector<int> taken_before_;  // taken words before each boundary; empty if there are none
    std::int64_t work_ = 0;
};

}  // namespace pagemeter
