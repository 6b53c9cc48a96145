// The cost to go of RS and RSG: E_x(b) is the minimum cost of the GT lines from x on and the HYP words from b on.
//
// The sweep over the mirrored page computes it. The rows of all levels are stored, or, if they need too much memory,
// those of every second, fourth, … level. The rows between two stored levels are recomputed when D reaches them, only
// for the boundaries that optimal solutions can still reach.
#pragma once

#include <algorithm>
#include <utility>

#include "budget.hpp"
#include "segment_sweep.hpp"

namespace pagemeter {

class CostToGo {
  public:
    CostToGo(const SegmentPage& page, int alphabet) : mirror_(page.mirrored()), sweep_(mirror_, alphabet) {
        for (int x = 0; x < page.gt().size(); ++x) gt_before_.push_back(gt_before_.back() + page.gt().length(x));
        raise_budget();
    }

    // E_0(0), the minimum cost of the page.
    std::int64_t best() const { return best_; }

    // Moves to level x, given a row of D of this level or of the previous one. Levels must be visited in ascending
    // order.
    void approach(int x, const BoundaryRow& row, int level_of_row) {
        const int level = sweep_.levels() - x;
        const std::int64_t excess = least_excess(row, level_of_row);
        if (level / stride_ != stretch_) make_stretch(level / stride_, excess, mirrored(row.lo));
        row_ = &stretch_rows_[level % stride_];
        last_ = mirrored(first_tight(*row_, x, excess));
    }

    // E at the present level: exact where a solution through the given row of D is optimal, and never too small.
    std::int32_t operator()(int b) const { return row_->at(mirrored(b)); }
    // No optimal solution through the given row of D passes a boundary after this one.
    int last() const { return last_; }

  private:
    static constexpr std::size_t kMostKept = 16;  // stored boundaries per HYP token, kBytes each
    static constexpr std::int64_t kBytes = sizeof(std::int32_t);

    int mirrored(int b) const { return sweep_.boundaries() - b; }

    // Raises the budget until the sweep reaches the end within it.
    void raise_budget() {
        Budget budget(sweep_.least_cost(), sweep_.most_cost());
        for (int reached = 0; (reached = sweep_within(budget.value())) <= sweep_.levels();) {
            budget.spent(reached, sweep_.levels());
        }
    }

    // Returns the level at which the budget was exceeded, or levels() + 1 if it was not.
    int sweep_within(std::int64_t budget) {
        kept_.clear();
        stride_ = 1;
        size_ = 0;
        BoundaryRow row = sweep_.first(budget);
        for (int level = 0; level < sweep_.levels(); ++level) {
            BoundaryRow next = sweep_.next(row, level, budget, sweep_.boundaries());
            keep(std::move(row), level);
            if (next.value.empty()) return level;
            row = std::move(next);
        }
        best_ = row.at(sweep_.boundaries());
        keep(std::move(row), sweep_.levels());
        return best_ <= budget ? sweep_.levels() + 1 : sweep_.levels();
    }

    // Stores the row of a level. If the rows become too many, every second one is dropped.
    void keep(BoundaryRow row, int level) {
        if (level % stride_ != 0) return;
        size_ += row.value.size();
        kept_.push_back(std::move(row));
        if (size_ <= kMostKept * mirror_.hyp_tokens.size() || kept_.size() < 2) return;
        stride_ *= 2;
        size_ = 0;
        Vector<BoundaryRow> thinned;
        for (std::size_t i = 0; i < kept_.size(); i += 2) {
            size_ += kept_[i].value.size();
            thinned.push_back(std::move(kept_[i]));
        }
        kept_ = std::move(thinned);
    }

    // Recomputes the rows from one stored level to the next, up to boundary `last`. Each stretch is computed once.
    void make_stretch(int stretch, std::int64_t excess, int last) {
        stretch_ = stretch;
        int level = stretch * stride_;
        BoundaryRow row = std::move(kept_[stretch]);
        row.narrow(first_tight(row, sweep_.levels() - level, excess), std::min(last, row.end() - 1));
        std::int64_t values = row.value.count();
        stretch_rows_.assign(1, std::move(row));
        for (const int end = std::min(level + stride_ - 1, sweep_.levels()); level < end; ++level) {
            stretch_rows_.push_back(sweep_.next(stretch_rows_.back(), level, best_, last));
            values += stretch_rows_.back().value.count();
            check_memory(values * kBytes);
        }
    }

    // How many more HYP letters than GT tokens precede a point; at least as many are deleted. Letters of optional words
    // do not count. D minus this number is smallest at the last boundary of a row, because words can be skipped, and
    // does not fall from level to level, because a run costs at least its letters minus |G_x|.
    std::int64_t ahead(int x, int b) const {
        return sweep_.cost_after(mirrored(b)) - gt_before_[x];
    }
    std::int64_t least_excess(const BoundaryRow& row, int x) const {
        return row.value.back() - ahead(x, row.end() - 1);
    }
    // The first boundary of a mirrored row at which D + E can be the optimum. E + ahead does not rise with the mirrored
    // b, because words can be skipped.
    int first_tight(const BoundaryRow& row, int x, std::int64_t excess) const {
        const auto over = [&](std::int32_t value, int b) { return value + excess + ahead(x, mirrored(b)) > best_; };
        int lo = row.lo, hi = row.end();
        while (lo < hi) {
            const int mid = (lo + hi) / 2;
            if (over(row.at(mid), mid)) lo = mid + 1; else hi = mid;
        }
        return lo;
    }

    SegmentPage mirror_;
    SegmentSweep sweep_;
    Vector<std::int64_t> gt_before_{0};  // tokens before each GT line
    std::int64_t best_ = 0;
    int stride_ = 1;
    std::size_t size_ = 0;  // values in all stored rows
    Vector<BoundaryRow> kept_;
    int stretch_ = -1;
    Vector<BoundaryRow> stretch_rows_;
    const BoundaryRow* row_ = nullptr;
    int last_ = 0;
};

}  // namespace pagemeter
