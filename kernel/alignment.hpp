// The canonical alignment of two token sequences: an alignment with the minimum distance and, among these, with the
// fewest correct tokens. Its counts are those of canonical_counts.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <limits>

#include "levenshtein.hpp"
#include "sequence.hpp"

namespace pagemeter {

// Edits turn HYP into GT: `insert` is a token of GT that HYP lacks.
enum class Edit : std::uint8_t { equal, substitute, insert, remove };

class CanonicalAlignment {
  public:
    // `most_cells` limits the bytes of one table of moves. Larger pairs are divided first (Hirschberg 1975).
    explicit CanonicalAlignment(std::int64_t most_cells) : most_cells_(most_cells) {}

    Vector<Edit> align(Tokens gt, Tokens hyp, int distance) {
        edits_.clear();
        solve(gt, hyp, distance);
        return std::move(edits_);
    }

  private:
    using Key = std::int64_t;  // LD * 2^32 + COR
    static constexpr Key kEdit = Key{1} << 32;
    static constexpr Key kFar = std::numeric_limits<Key>::max() / 4;
    static_assert(kMostPairs < kEdit && (kMostTokens + 1) * kEdit < kFar, "no key reaches kFar");

    // The diagonals d = j - i that an alignment of this distance can pass (Ukkonen): |d| + |m-n-d| <= distance. The
    // band of the reversed sequences is the same, with m-n-d for d.
    struct Band {
        int lo;
        int hi;
        Band(int n, int m, int distance)
            : lo(std::min(0, m - n) - (distance - std::abs(m - n)) / 2),
              hi(std::max(0, m - n) + (distance - std::abs(m - n)) / 2) {}
        int width() const { return hi - lo + 1; }
        int index(int d) const { return d - lo; }
    };

    void solve(Tokens a, Tokens b, int distance) {
        const int n = a.count();
        const int m = b.count();
        if (distance == 0 || n == 0 || m == 0) {
            const Edit kind = distance == 0 ? Edit::equal : n == 0 ? Edit::remove : Edit::insert;
            edits_.resize(edits_.count() + std::max(n, m), kind);
            return;
        }
        const Band band(n, m, distance);
        if (n == 1 || (std::int64_t{n} + 1) * band.width() <= most_cells_) {
            trace(a, b, band);
        } else {
            halve(a, b, band);
        }
    }

    // Returns the keys of the last row by diagonal. Calls `record(i, d, move)` with the best move into each cell.
    template <class Record>
    static Vector<Key> sweep(Tokens a, Tokens b, const Band& band, Record record) {
        const int m = b.count();
        Vector<Key> row(band.width() + 1, kFar);  // one more, so that d + 1 can be read
        for (int d = 0; d <= std::min(band.hi, m); ++d) row[band.index(d)] = d * kEdit;
        Progress progress;
        for (int i = 1; i <= a.count(); ++i) {
            const int from = std::max(band.lo, -i);
            const int to = std::min(band.hi, m - i);
            progress(to - from);
            if (from > band.lo) row[band.index(from - 1)] = kFar;
            for (int d = from; d <= to; ++d) {  // row[d] still holds (i-1, j-1), row[d+1] holds (i-1, j)
                const int j = i + d;
                Key best = kFar;
                Edit move = Edit::insert;
                if (j > 0) {
                    const bool same = a[i - 1] == b[j - 1];
                    best = row[band.index(d)] + (same ? 1 : kEdit);
                    move = same ? Edit::equal : Edit::substitute;
                }
                const Key above = row[band.index(d) + 1] + kEdit;
                if (above < best) best = above, move = Edit::insert;
                const Key before = d > from ? row[band.index(d) - 1] + kEdit : kFar;
                if (before < best) best = before, move = Edit::remove;
                row[band.index(d)] = best;
                record(i, d, move);
            }
            for (int d = std::max(to + 1, band.lo); d <= band.hi; ++d) row[band.index(d)] = kFar;
        }
        return row;
    }

    void trace(Tokens a, Tokens b, const Band& band) {
        int i = a.count();
        int j = b.count();
        moves_.resize(std::int64_t{i} * band.width());
        const auto cell = [&](int row, int d) -> Edit& {
            return moves_[std::int64_t{row - 1} * band.width() + band.index(d)];
        };
        sweep(a, b, band, [&](int row, int d, Edit move) { cell(row, d) = move; });
        const int start = edits_.count();
        while (i > 0 || j > 0) {
            const Edit move = i == 0 ? Edit::remove : cell(i, j - i);
            edits_.push_back(move);
            i -= move != Edit::remove;
            j -= move != Edit::insert;
        }
        std::reverse(edits_.begin() + start, edits_.end());
    }

    void halve(Tokens a, Tokens b, const Band& band) {
        const int n = a.count();
        const int m = b.count();
        const int half = n / 2;
        const auto ignore = [](int, int, Edit) {};
        const Vector<Token> back_a(a.rbegin(), a.rend() - half);
        const Vector<Token> back_b(b.rbegin(), b.rend());
        const Vector<Key> fore = sweep(a.first(half), b, band, ignore);
        const Vector<Key> back = sweep(back_a, back_b, band, ignore);
        int best = band.lo;
        const auto through = [&](int d) { return fore[band.index(d)] + back[band.index(m - n - d)]; };
        for (int d = band.lo; d <= band.hi; ++d) {
            if (through(d) < through(best)) best = d;
        }
        const auto before = static_cast<int>(fore[band.index(best)] / kEdit);
        const auto after = static_cast<int>(back[band.index(m - n - best)] / kEdit);
        solve(a.first(half), b.first(half + best), before);
        solve(a.subspan(half), b.subspan(half + best), after);
    }

    std::int64_t most_cells_;
    Vector<Edit> edits_;
    Vector<Edit> moves_;
};

}  // namespace pagemeter
