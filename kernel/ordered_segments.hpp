// RS and RSG: give runs of HYP words to GT lines in order.
//
// A sweep over the mirrored page computes the cost to go E_x(b), then a sweep over the page computes the cost so far
// D_x(b). A boundary is tight if D + E is the optimum. Optimal solutions pass only tight boundaries, so the second
// sweep is narrow, and a plain dynamic programme on lexicographic keys between tight boundaries finds the canonical
// counts.
#pragma once

#include <stdexcept>

#include "cost_to_go.hpp"
#include "segment_sweep.hpp"

namespace pagemeter {

struct Run {
    int gt;
    int begin;  // words begin..end-1
    int end;
    PairCounts counts;
};

// LD * 2^40 + COR * 2^20 - SUB: fewest errors, then fewest correct tokens, then most substitutions. COR and SUB are
// below 2^20, so two keys with different LD compare by LD, and two keys with equal LD and different COR by COR. Every
// move of an alignment uses at least one token, so all keys of the dynamic programme are below kFar.
struct LexicographicKey {
    static constexpr int kShift = 20;
    static constexpr std::int64_t kEdit = std::int64_t{1} << (2 * kShift);
    static constexpr std::int64_t kCor = std::int64_t{1} << kShift;
    static constexpr std::int64_t kSub = kEdit - 1;
    static constexpr std::int64_t kFar = std::numeric_limits<std::int64_t>::max() / 2;
    static_assert(kMostPairs < kCor && kMostPairs * kCor + kMostPairs < kEdit, "COR and SUB fit below one edit");
    static_assert((kMostTokens + 1) * kEdit < kFar && kFar + (kMostTokens + 1) * kEdit > kFar, "no key reaches kFar");
};

class OrderedSegments {
  public:
    OrderedSegments(const Slices& gt, const Words& hyp, Neighbours near, int alphabet,
                    const OptionalLines& optional = {})
        : page_(gt, hyp, near, optional),
          sweep_(page_, alphabet),
          to_go_(page_, alphabet),
          gt_(page_.gt()),
          words_(page_.words()) {
        for (int b = 1; b < words_.size(); ++b) {
            joins_before_.push_back(joins_before_.back() + words_.begin(b) - words_.end(b - 1));
        }
        joins_before_.push_back(joins_before_.back());
    }

    Vector<Run> solve() {
        find_tight_paths();
        return trace();
    }

  private:
    using Key = LexicographicKey;
    enum From : std::int32_t { kSkippedWord = -1, kSkippedGt = -2, kNowhere = -3 };
    static constexpr std::int64_t kBytes = 20;  // of one tight boundary in a level

    // The tight boundaries of one level, the smallest key of each, and its origin (the first word of a run, or From).
    struct Level {
        Vector<int> boundary;
        Vector<std::int32_t> value;
        Vector<std::int64_t> key;
        Vector<std::int32_t> from;

        int find(int b) const {
            return static_cast<int>(std::lower_bound(boundary.begin(), boundary.end(), b) - boundary.begin());
        }
        bool holds(int i, int b) const { return i < boundary.count() && boundary[i] == b; }
        void offer(int i, std::int64_t k, std::int32_t origin) {
            if (k < key[i]) {
                key[i] = k;
                from[i] = origin;
            }
        }
    };

    void find_tight_paths() {
        BoundaryRow row = sweep_.first(to_go_.best());
        to_go_.approach(0, row, 0);
        levels_.push_back(tight(row));
        levels_[0].offer(0, 0, kNowhere);
        skip_words(levels_[0]);
        for (int x = 0; x < gt_.size(); ++x) {
            to_go_.approach(x + 1, row, x);
            row = sweep_.next(row, x, to_go_.best(), to_go_.last());
            levels_.push_back(tight(row));
            boundaries_ += levels_.back().boundary.count();
            check_memory(boundaries_ * kBytes);
            skip_gt(x);
            give_runs(x);
            skip_words(levels_.back());
        }
    }

    // Returns the tight boundaries of a row, and cuts the row down to the range that they span.
    Level tight(BoundaryRow& row) const {
        Level level;
        for (int b = row.lo; b < row.end(); ++b) {
            if (row.at(b) + to_go_(b) != to_go_.best()) continue;
            level.boundary.push_back(b);
            level.value.push_back(row.at(b));
        }
        level.key.assign(level.boundary.size(), Key::kFar);
        level.from.assign(level.boundary.size(), kNowhere);
        row.narrow(level.boundary.front(), level.boundary.back());
        return level;
    }

    void skip_words(Level& level) const {
        for (int i = 0; i + 1 < level.boundary.count(); ++i) {
            const int b = level.boundary[i];
            if (level.boundary[i + 1] != b + 1) continue;
            level.offer(i + 1, level.key[i] + page_.word_cost[b] * Key::kEdit, kSkippedWord);
        }
    }

    void skip_gt(int x) {
        const Level& from = levels_[x];
        Level& to = levels_[x + 1];
        for (int i = 0; i < from.boundary.count(); ++i) {
            const int j = to.find(from.boundary[i]);
            if (to.holds(j, from.boundary[i])) to.offer(j, from.key[i] + page_.gt_cost[x] * Key::kEdit, kSkippedGt);
        }
    }

    // Combines overlapping runs between tight boundaries into windows and solves each window once.
    void give_runs(int x) {
        const Level& from = levels_[x];
        Vector<int> entries;
        int reach = -1;
        for (int i = 0; i < from.boundary.count(); ++i) {
            const int furthest = reach_of(x, from.boundary[i], from.value[i]);
            if (furthest < 0) continue;
            if (from.boundary[i] >= reach && !entries.empty()) {
                solve_window(x, entries, reach);
                entries.clear();
            }
            entries.push_back(i);
            reach = std::max(reach, furthest);
        }
        if (!entries.empty()) solve_window(x, entries, reach);
    }

    void solve_window(int x, const Vector<int>& entries, int reach) {
        page_.is_optional(x) ? window<true>(x, entries, reach) : window<false>(x, entries, reach);
    }

    // The last tight boundary at which a run from word a can end. A run with j joining tokens has LD >= letters + j -
    // |G_x|, so it saves at most 2|G_x| - j. It must not cost more than leaving it out, so j <= 2|G_x|.
    int reach_of(int x, int a, int value) const {
        const Level& to = levels_[x + 1];
        const int m = gt_.length(x);
        const auto first = joins_before_.begin();
        const auto most = std::upper_bound(first + a, joins_before_.end(), joins_before_[a] + 2 * m) - first;
        const int limit = page_.allowed_until(x, a, std::min(words_.size(), static_cast<int>(most)));
        for (int j = to.find(limit + 1); j-- > 0 && to.boundary[j] > a;) {
            const int length = words_.end(to.boundary[j] - 1) - words_.begin(a);
            if (std::abs(length - m) <= to.value[j] - value) return to.boundary[j];
        }
        return -1;
    }

    // One dynamic programme from all entries to all tight exits up to `reach`, column by column over the HYP tokens.
    // Correct and substituted tokens of an optional line are not counted.
    template <bool kOptional>
    void window(int x, const Vector<int>& entries, int reach) {
        const Level& from = levels_[x];
        Level& to = levels_[x + 1];
        const Tokens line = gt_[x];
        const int m = gt_.length(x);
        keys_.assign(line.size() + 1, Key::kFar);
        origins_.assign(line.size() + 1, kNowhere);
        const Band band = band_of(from, to, entries, reach);
        auto entry = entries.begin();
        int exit = to.find(from.boundary[entries.front()] + 1);
        const int stop = words_.end(reach - 1);
        for (int p = words_.begin(from.boundary[entries.front()]);; ++p) {
            const int lo = std::clamp(std::max(p - band.last_entry, m + p - stop) - band.slack, 0, m);
            const int hi = std::clamp(std::min(p - band.first_entry, m + p - band.first_exit) + band.slack, 0, m);
            for (; entry != entries.end() && words_.begin(from.boundary[*entry]) == p; ++entry) {
                enter(from.key[*entry], from.boundary[*entry], lo, hi);
            }
            for (; exit < to.boundary.count() && words_.end(to.boundary[exit] - 1) <= p; ++exit) {
                const std::int32_t origin = origins_.back();
                if (words_.end(to.boundary[exit] - 1) == p && origin >= 0 && origin < to.boundary[exit]) {
                    to.offer(exit, keys_.back(), origin);
                }
            }
            if (p == stop) break;
            progress_(hi - lo + 1);
            step<kOptional>(line, words_.tokens[p], lo, std::min(hi + 1, m));
        }
    }

    // The rows that matter: an alignment of distance d stays within d of the diagonals of its entry and its exit.
    struct Band {
        int first_entry;
        int last_entry;
        int first_exit;
        int slack;
    };
    Band band_of(const Level& from, const Level& to, const Vector<int>& entries, int reach) const {
        std::int32_t least = from.value[entries.front()];
        for (int i : entries) least = std::min(least, from.value[i]);
        std::int32_t most = least;
        const int first = to.find(from.boundary[entries.front()] + 1);
        for (int j = first; j < to.boundary.count() && to.boundary[j] <= reach; ++j) {
            most = std::max(most, to.value[j]);
        }
        return {words_.begin(from.boundary[entries.front()]), words_.begin(from.boundary[entries.back()]),
                words_.end(to.boundary[first] - 1), most - least};
    }

    void enter(std::int64_t key, std::int32_t a, int lo, int hi) {
        for (int i = lo; i <= hi; ++i) {
            const std::int64_t fresh = key + i * Key::kEdit;
            if (fresh >= keys_[i]) continue;
            keys_[i] = fresh;
            origins_[i] = a;
        }
    }

    // Advances rows lo..hi of the column by one HYP token. Each cell remembers the first word of its run.
    template <bool kOptional>
    void step(Tokens line, Token token, int lo, int hi) {
        constexpr std::int64_t kCorrect = kOptional ? 0 : Key::kCor;
        constexpr std::int64_t kSubstituted = kOptional ? Key::kEdit : Key::kSub;
        std::int64_t* const keys = keys_.data();
        std::int32_t* const origins = origins_.data();
        std::int64_t diagonal = keys[lo];
        std::int32_t diagonal_origin = origins[lo];
        // Cells outside the band are not used. The first cell inside has no valid cell before it.
        if (lo > 0) keys[lo - 1] = Key::kFar;
        std::int64_t left = keys[lo] = std::min(keys[lo] + Key::kEdit, Key::kFar);
        std::int32_t left_origin = diagonal_origin;
        for (int i = lo + 1; i <= hi; ++i) {
            std::int64_t best = diagonal + (line[i - 1] == token ? kCorrect : kSubstituted);
            std::int32_t origin = diagonal_origin;
            diagonal = keys[i];
            diagonal_origin = origins[i];
            if (diagonal + Key::kEdit < best) best = diagonal + Key::kEdit, origin = diagonal_origin;
            if (left + Key::kEdit < best) best = left + Key::kEdit, origin = left_origin;
            keys[i] = left = std::min(best, Key::kFar);
            origins[i] = left_origin = origin;
        }
    }

    Vector<Run> trace() const {
        Vector<Run> runs;
        int b = words_.size();
        for (int x = gt_.size(); x > 0 || b > 0;) {
            const Level& level = levels_[x];
            const int i = level.find(b);
            const std::int32_t from = level.from[i];
            if (from == kNowhere) throw std::logic_error("a tight boundary has no origin");
            if (from == kSkippedWord) {
                --b;
            } else if (from == kSkippedGt) {
                --x;
            } else {
                --x;
                runs.push_back({x, from, b, counts(x, from, b, level.value[i])});
                b = from;
            }
        }
        std::reverse(runs.begin(), runs.end());
        return runs;
    }

    PairCounts counts(int x, int a, int b, int value) const {
        const Level& before = levels_[x];
        return canonical_counts(words_.run(a, b), gt_[x], value - before.value[before.find(a)]);
    }

    SegmentPage page_;
    SegmentSweep sweep_;
    CostToGo to_go_;
    Slices gt_;
    Slices words_;
    Vector<Level> levels_;
    Vector<std::int64_t> keys_;
    Vector<std::int32_t> origins_;
    Vector<int> joins_before_{0};  // joining tokens before each word, and before the end
    std::int64_t boundaries_ = 0;  // tight boundaries of all levels
    Progress progress_;
};

}  // namespace pagemeter
