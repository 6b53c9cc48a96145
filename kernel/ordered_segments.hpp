// RS and RSG: runs of HYP words given to GT lines in order.
//
// The sweep over the mirrored page gives the cost to go E_x(b), then that over the page itself D_x(b); a boundary is
// tight where D + E is the optimum. Every optimal solution goes through tight boundaries only, so that the second sweep
// is narrow, and the canonical counts are found by a plain dynamic programme on lexicographic keys between them.
#pragma once

#include "cost_to_go.hpp"
#include "segment_sweep.hpp"

namespace pagemeter {

struct Run {
    int gt;
    int begin;  // words begin..end-1
    int end;
    PairCounts counts;
};

// LD * 2^42 + COR * 2^21 - SUB: least errors, then fewest correct, then most substituted.
struct LexicographicKey {
    static constexpr int kShift = 21;
    static constexpr std::int64_t kLimit = (std::int64_t{1} << kShift) - 1;  // tokens of both pages together
    static constexpr std::int64_t kEdit = std::int64_t{1} << (2 * kShift);
    static constexpr std::int64_t kCor = std::int64_t{1} << kShift;
    static constexpr std::int64_t kSub = kEdit - 1;
    static constexpr std::int64_t kFar = std::numeric_limits<std::int64_t>::max() / 2;
};

class OrderedSegments {
  public:
    OrderedSegments(const Slices& gt, const Words& hyp, Neighbours near, int alphabet)
        : page_(gt, hyp, near),
          sweep_(page_, alphabet),
          to_go_(page_, alphabet),
          gt_(page_.gt()),
          words_(page_.words()) {}

    std::vector<Run> solve() {
        find_tight_paths();
        return trace();
    }

  private:
    using Key = LexicographicKey;
    enum From : std::int32_t { kSkippedWord = -1, kSkippedGt = -2, kNowhere = -3 };

    // The tight boundaries of one level with their least key and where it came from (a run's first word or From).
    struct Level {
        std::vector<int> boundary;
        std::vector<std::int32_t> value;
        std::vector<std::int64_t> key;
        std::vector<std::int32_t> from;

        std::size_t find(int b) const {
            return static_cast<std::size_t>(std::lower_bound(boundary.begin(), boundary.end(), b) - boundary.begin());
        }
        bool holds(std::size_t i, int b) const { return i < boundary.size() && boundary[i] == b; }
        void offer(std::size_t i, std::int64_t k, std::int32_t origin) {
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
            skip_gt(x);
            give_runs(x);
            skip_words(levels_.back());
        }
    }

    // Narrows a row to what is between tight boundaries.
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
        for (std::size_t i = 0; i + 1 < level.boundary.size(); ++i) {
            const int b = level.boundary[i];
            if (level.boundary[i + 1] != b + 1) continue;
            level.offer(i + 1, level.key[i] + words_.length(b) * Key::kEdit, kSkippedWord);
        }
    }

    void skip_gt(int x) {
        const Level& from = levels_[static_cast<std::size_t>(x)];
        Level& to = levels_[static_cast<std::size_t>(x) + 1];
        for (std::size_t i = 0; i < from.boundary.size(); ++i) {
            const std::size_t j = to.find(from.boundary[i]);
            if (to.holds(j, from.boundary[i])) to.offer(j, from.key[i] + gt_.length(x) * Key::kEdit, kSkippedGt);
        }
    }

    // Gathers overlapping runs between tight boundaries into windows and solves each window once.
    void give_runs(int x) {
        const Level& from = levels_[static_cast<std::size_t>(x)];
        std::vector<std::size_t> entries;
        int reach = -1;
        for (std::size_t i = 0; i < from.boundary.size(); ++i) {
            const int furthest = reach_of(x, from.boundary[i], from.value[i]);
            if (furthest < 0) continue;
            if (from.boundary[i] >= reach && !entries.empty()) {
                window(x, entries, reach);
                entries.clear();
            }
            entries.push_back(i);
            reach = std::max(reach, furthest);
        }
        if (!entries.empty()) window(x, entries, reach);
    }

    // The last tight boundary that a run from word a can end at. With joining tokens a run of k words saves at
    // most 2|G_x| - (k-1), and must not cost more than leaving it, so k <= 2|G_x| + 1.
    int reach_of(int x, int a, int value) const {
        const Level& to = levels_[static_cast<std::size_t>(x) + 1];
        const int m = gt_.length(x);
        const int most = page_.joined ? std::min(words_.size(), a + 2 * m + 1) : words_.size();
        const int limit = page_.allowed_until(x, a, most);
        for (std::size_t j = to.find(limit + 1); j-- > 0 && to.boundary[j] > a;) {
            const int length = words_.end(to.boundary[j] - 1) - words_.begin(a);
            if (std::abs(length - m) <= to.value[j] - value) return to.boundary[j];
        }
        return -1;
    }

    // One dynamic programme from all entries to all tight exits up to `reach`, column by column over the HYP tokens.
    void window(int x, const std::vector<std::size_t>& entries, int reach) {
        const Level& from = levels_[static_cast<std::size_t>(x)];
        Level& to = levels_[static_cast<std::size_t>(x) + 1];
        const Tokens line = gt_[x];
        const int m = gt_.length(x);
        keys_.assign(line.size() + 1, Key::kFar);
        origins_.assign(line.size() + 1, kNowhere);
        const Band band = band_of(from, to, entries, reach);
        auto entry = entries.begin();
        std::size_t exit = to.find(from.boundary[entries.front()] + 1);
        const int stop = words_.end(reach - 1);
        for (int p = words_.begin(from.boundary[entries.front()]);; ++p) {
            const int lo = std::clamp(std::max(p - band.last_entry, m + p - stop) - band.slack, 0, m);
            const int hi = std::clamp(std::min(p - band.first_entry, m + p - band.first_exit) + band.slack, 0, m);
            for (; entry != entries.end() && words_.begin(from.boundary[*entry]) == p; ++entry) {
                enter(from.key[*entry], from.boundary[*entry], lo, hi);
            }
            for (; exit < to.boundary.size() && words_.end(to.boundary[exit] - 1) <= p; ++exit) {
                const std::int32_t origin = origins_.back();
                if (words_.end(to.boundary[exit] - 1) == p && origin >= 0 && origin < to.boundary[exit]) {
                    to.offer(exit, keys_.back(), origin);
                }
            }
            if (p == stop) break;
            step(line, words_.tokens[static_cast<std::size_t>(p)], lo, std::min(hi + 1, m));
        }
    }

    // Rows that matter: an alignment of distance d leaves the diagonals of its entry and its exit by at most d.
    struct Band {
        int first_entry;
        int last_entry;
        int first_exit;
        int slack;
    };
    Band band_of(const Level& from, const Level& to, const std::vector<std::size_t>& entries, int reach) const {
        std::int32_t least = from.value[entries.front()];
        for (std::size_t i : entries) least = std::min(least, from.value[i]);
        std::int32_t most = least;
        const std::size_t first = to.find(from.boundary[entries.front()] + 1);
        for (std::size_t j = first; j < to.boundary.size() && to.boundary[j] <= reach; ++j) {
            most = std::max(most, to.value[j]);
        }
        return {words_.begin(from.boundary[entries.front()]), words_.begin(from.boundary[entries.back()]),
                words_.end(to.boundary[first] - 1), most - least};
    }

    void enter(std::int64_t key, std::int32_t a, int lo, int hi) {
        for (int i = lo; i <= hi; ++i) {
            const std::int64_t fresh = key + i * Key::kEdit;
            if (fresh >= keys_[static_cast<std::size_t>(i)]) continue;
            keys_[static_cast<std::size_t>(i)] = fresh;
            origins_[static_cast<std::size_t>(i)] = a;
        }
    }

    // One HYP token further: rows lo..hi of a column, each cell with the word its run began at.
    void step(Tokens line, Token token, int lo, int hi) {
        auto i = static_cast<std::size_t>(lo);
        std::int64_t diagonal = keys_[i];
        std::int32_t diagonal_origin = origins_[i];
        // Cells outside the band hold no alignment that matters; the first one inside has none beside it.
        if (lo > 0) keys_[i - 1] = Key::kFar;
        keys_[i] = std::min(keys_[i] + Key::kEdit, Key::kFar);
        for (++i; i <= static_cast<std::size_t>(hi); ++i) {
            std::int64_t best = diagonal + (line[i - 1] == token ? Key::kCor : Key::kSub);
            std::int32_t origin = diagonal_origin;
            diagonal = keys_[i];
            diagonal_origin = origins_[i];
            if (keys_[i] + Key::kEdit < best) best = keys_[i] + Key::kEdit, origin = origins_[i];
            if (keys_[i - 1] + Key::kEdit < best) best = keys_[i - 1] + Key::kEdit, origin = origins_[i - 1];
            keys_[i] = std::min(best, Key::kFar);
            origins_[i] = origin;
        }
    }

    std::vector<Run> trace() const {
        std::vector<Run> runs;
        int b = words_.size();
        for (int x = gt_.size(); x > 0 || b > 0;) {
            const Level& level = levels_[static_cast<std::size_t>(x)];
            const std::size_t i = level.find(b);
            const std::int32_t from = level.from[i];
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
        const Level& before = levels_[static_cast<std::size_t>(x)];
        return canonical_counts(words_.run(a, b), gt_[x], value - before.value[before.find(a)]);
    }

    SegmentPage page_;
    SegmentSweep sweep_;
    CostToGo to_go_;
    Slices gt_;
    Slices words_;
    std::vector<Level> levels_;
    std::vector<std::int64_t> keys_;
    std::vector<std::int32_t> origins_;
};

}  // namespace pagemeter
