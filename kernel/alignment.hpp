// Which tokens a canonical alignment pairs: among all alignments with the minimum distance one with the fewest
// correct tokens, as canonical_counts counts them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <vector>

#include "levenshtein.hpp"
#include "sequence.hpp"

namespace pagemeter {

// Named from the view of editing HYP into GT: `insert` is a token that GT has and HYP lacks.
enum class Edit : std::uint8_t { equal, substitute, insert, remove };

class CanonicalAlignment {
  public:
    // `most_cells` bounds the bytes of one traced table; larger pairs are halved first (Hirschberg 1975).
    explicit CanonicalAlignment(std::size_t most_cells) : most_cells_(most_cells) {}

    std::vector<Edit> align(Tokens gt, Tokens hyp, int distance) {
        edits_.clear();
        solve(gt, hyp, distance);
        return std::move(edits_);
    }

  private:
    using Key = std::int64_t;  // LD * 2^32 + COR
    static constexpr Key kEdit = Key{1} << 32;
    static constexpr Key kFar = std::numeric_limits<Key>::max() / 4;

    // The diagonals d = j - i that an alignment of this distance can pass (Ukkonen): |d| + |m-n-d| <= distance.
    // Read backwards, with m-n-d for d, it is the same band.
    struct Band {
        int lo;
        int hi;
        Band(int n, int m, int distance)
            : lo(std::min(0, m - n) - (distance - std::abs(m - n)) / 2),
              hi(std::max(0, m - n) + (distance - std::abs(m - n)) / 2) {}
        std::size_t width() const { return static_cast<std::size_t>(hi - lo + 1); }
        std::size_t index(int d) const { return static_cast<std::size_t>(d - lo); }
    };

    void solve(Tokens a, Tokens b, int distance) {
        const int n = static_cast<int>(a.size());
        const int m = static_cast<int>(b.size());
        if (distance == 0 || n == 0 || m == 0) {
            const Edit kind = distance == 0 ? Edit::equal : n == 0 ? Edit::remove : Edit::insert;
            edits_.insert(edits_.end(), static_cast<std::size_t>(std::max(n, m)), kind);
            return;
        }
        const Band band(n, m, distance);
        if (n == 1 || (static_cast<std::size_t>(n) + 1) * band.width() <= most_cells_) {
            trace(a, b, band);
        } else {
            halve(a, b, band);
        }
    }

    // The keys of the last row, by diagonal; `hear(i, d, move)` is told the best move into each cell.
    template <class Hear>
    static std::vector<Key> sweep(Tokens a, Tokens b, const Band& band, Hear hear) {
        const int m = static_cast<int>(b.size());
        std::vector<Key> row(band.width() + 1, kFar);  // one more, so that d + 1 can be read
        for (int d = 0; d <= std::min(band.hi, m); ++d) row[band.index(d)] = d * kEdit;
        for (int i = 1; i <= static_cast<int>(a.size()); ++i) {
            const int from = std::max(band.lo, -i);
            const int to = std::min(band.hi, m - i);
            if (from > band.lo) row[band.index(from - 1)] = kFar;
            for (int d = from; d <= to; ++d) {  // row[d] still holds (i-1, j-1), row[d+1] holds (i-1, j)
                const int j = i + d;
                Key best = kFar;
                Edit move = Edit::insert;
                if (j > 0) {
                    const bool same = a[static_cast<std::size_t>(i - 1)] == b[static_cast<std::size_t>(j - 1)];
                    best = row[band.index(d)] + (same ? 1 : kEdit);
                    move = same ? Edit::equal : Edit::substitute;
                }
                const Key above = row[band.index(d) + 1] + kEdit;
                if (above < best) best = above, move = Edit::insert;
                const Key before = d > from ? row[band.index(d) - 1] + kEdit : kFar;
                if (before < best) best = before, move = Edit::remove;
                row[band.index(d)] = best;
                hear(i, d, move);
            }
            for (int d = std::max(to + 1, band.lo); d <= band.hi; ++d) row[band.index(d)] = kFar;
        }
        return row;
    }

    void trace(Tokens a, Tokens b, const Band& band) {
        int i = static_cast<int>(a.size());
        int j = static_cast<int>(b.size());
        moves_.resize(static_cast<std::size_t>(i) * band.width());
        const auto cell = [&](int row, int d) -> Edit& {
            return moves_[static_cast<std::size_t>(row - 1) * band.width() + band.index(d)];
        };
        sweep(a, b, band, [&](int row, int d, Edit move) { cell(row, d) = move; });
        const std::size_t start = edits_.size();
        while (i > 0 || j > 0) {
            const Edit move = i == 0 ? Edit::remove : cell(i, j - i);
            edits_.push_back(move);
            i -= move != Edit::remove;
            j -= move != Edit::insert;
        }
        std::reverse(edits_.begin() + static_cast<std::ptrdiff_t>(start), edits_.end());
    }

    void halve(Tokens a, Tokens b, const Band& band) {
        const int n = static_cast<int>(a.size());
        const int m = static_cast<int>(b.size());
        const int half = n / 2;
        const auto deaf = [](int, int, Edit) {};
        const std::vector<Token> back_a(a.rbegin(), a.rend() - half);
        const std::vector<Token> back_b(b.rbegin(), b.rend());
        const std::vector<Key> fore = sweep(a.first(static_cast<std::size_t>(half)), b, band, deaf);
        const std::vector<Key> back = sweep(back_a, back_b, band, deaf);
        int best = band.lo;
        const auto through = [&](int d) { return fore[band.index(d)] + back[band.index(m - n - d)]; };
        for (int d = band.lo; d <= band.hi; ++d) {
            if (through(d) < through(best)) best = d;
        }
        const auto before = static_cast<int>(fore[band.index(best)] / kEdit);
        const auto after = static_cast<int>(back[band.index(m - n - best)] / kEdit);
        const auto row = static_cast<std::size_t>(half);
        const auto column = static_cast<std::size_t>(half + best);
        solve(a.first(row), b.first(column), before);
        solve(a.subspan(row), b.subspan(column), after);
    }

    std::size_t most_cells_;
    std::vector<Edit> edits_;
    std::vector<Edit> moves_;
};

}  // namespace pagemeter
