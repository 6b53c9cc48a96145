// The cost to go of RS and RSG: E_x(b) is the least cost of the GT lines from x on and the HYP words from b on.
//
// It is what the sweep over the mirrored page computes. Its rows are kept at every level or, where that is too much, at
// every second, fourth, … one. Those between are made again as D comes near them, for the boundaries only that
// optimal solutions can lead to from there.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "budget.hpp"
#include "segment_sweep.hpp"

namespace pagemeter {

class CostToGo {
  public:
    CostToGo(const SegmentPage& page, int alphabet) : mirror_(page.mirrored()), sweep_(mirror_, alphabet) {
        for (int x = 0; x < page.gt().size(); ++x) gt_before_.push_back(gt_before_.back() + page.gt().length(x));
        raise_budget();
    }

    // E_0(0), the least cost of the page.
    std::int64_t best() const { return best_; }

    // Comes to level x, from a row of D of this level or the one before it. Levels are come to in their order.
    void approach(int x, const BoundaryRow& row, int level_of_row) {
        const int level = sweep_.levels() - x;
        const std::int64_t excess = least_excess(row, level_of_row);
        if (level / stride_ != stretch_) make_stretch(level / stride_, excess, mirrored(row.lo));
        row_ = &stretch_rows_[static_cast<std::size_t>(level % stride_)];
        last_ = mirrored(first_tight(*row_, x, excess));
    }

    // E at the level come to: exact where a solution that passes the row of D is optimal, and nowhere too little.
    std::int32_t operator()(int b) const { return row_->at(mirrored(b)); }
    // No boundary after it is passed by an optimal solution that passes the row of D.
    int last() const { return last_; }

  private:
    static constexpr std::size_t kMostKept = 16;  // boundaries for each HYP token, 4 bytes each

    int mirrored(int b) const { return sweep_.boundaries() - b; }

    // Raises the budget until the sweep reaches the end within it.
    void raise_budget() {
        Budget budget(sweep_.least_cost(), sweep_.most_cost());
        for (int reached = 0; (reached = sweep_within(budget.value())) <= sweep_.levels();) {
            budget.spent(reached, sweep_.levels());
        }
    }

    // The level at which the budget was spent; beyond the last one if it was not.
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

    // Keeps the row of a level; where the rows are too many, only every second one stays.
    void keep(BoundaryRow row, int level) {
        if (level % stride_ != 0) return;
        size_ += row.value.size();
        kept_.push_back(std::move(row));
        if (size_ <= kMostKept * mirror_.hyp_tokens.size() || kept_.size() < 2) return;
        stride_ *= 2;
        size_ = 0;
        std::vector<BoundaryRow> thinned;
        for (std::size_t i = 0; i < kept_.size(); i += 2) {
            size_ += kept_[i].value.size();
            thinned.push_back(std::move(kept_[i]));
        }
        kept_ = std::move(thinned);
    }

    // The rows from one that was kept to the next, up to a boundary. Each stretch is made once.
    void make_stretch(int stretch, std::int64_t excess, int last) {
        stretch_ = stretch;
        int level = stretch * stride_;
        BoundaryRow row = std::move(kept_[static_cast<std::size_t>(stretch)]);
        row.narrow(first_tight(row, sweep_.levels() - level, excess), std::min(last, row.end() - 1));
        stretch_rows_.assign(1, std::move(row));
        for (const int end = std::min(level + stride_ - 1, sweep_.levels()); level < end; ++level) {
            stretch_rows_.push_back(sweep_.next(stretch_rows_.back(), level, best_, last));
        }
    }

    // How many more HYP letters than GT tokens lie before a point; so many at least are deleted. What D exceeds it
    // by is least at the last boundary of a row, since words can be skipped, and does not fall from level to level.
    std::int64_t ahead(int x, int b) const {
        return sweep_.letters_after(mirrored(b)) - gt_before_[static_cast<std::size_t>(x)];
    }
    std::int64_t least_excess(const BoundaryRow& row, int x) const {
        return row.value.back() - ahead(x, row.end() - 1);
    }
    // The first boundary of a mirrored row at which D + E can be the optimum. E + ahead falls with the mirrored b, if
    // at all, since words can be skipped.
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
    std::vector<std::int64_t> gt_before_{0};  // tokens before each GT line
    std::int64_t best_ = 0;
    int stride_ = 1;
    std::size_t size_ = 0;  // of all rows kept
    std::vector<BoundaryRow> kept_;
    int stretch_ = -1;
    std::vector<BoundaryRow> stretch_rows_;
    const BoundaryRow* row_ = nullptr;
    int last_ = 0;
};

}  // namespace pagemeter
