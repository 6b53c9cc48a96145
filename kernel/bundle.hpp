// A proximal bundle method for the multipliers of the Lagrangian relaxation.
//
// The bound f(λ) is convex and piecewise linear. Every evaluation gives a plane below it: the value at λ, and the
// gradient supply - uses of the relaxed solution. The next multipliers minimise
//     max over planes i of (f(c) - e_i + g_i d)  +  |d|² / 2t,     λ = c + d >= 0,
// where c are the best multipliers so far and e_i >= 0 is how far plane i is below f(c). The dual of this problem has
// one weight per plane: d = -t Σ α_i g_i, and the weights sum to 1. It is solved by an active-set method, which starts
// at the weights of the previous step. The step length t follows Kiwiel, "Proximity control in bundle methods" (1990).
//
// Any multipliers give a valid bound, so floating point may be used here. All operations have a fixed order.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "run_pool.hpp"

namespace pagemeter {

// A run (without its save), and its share in a solution of the linear relaxation.
struct RunShare {
    PoolRun run;
    double share;
};

class Bundle {
  public:
    explicit Bundle(const KindSupplies& kinds)
        : kinds_(kinds), size_(kinds.size()), centre_(size_, 0), fixed_(size_, 0), direction_(size_, 0.0) {}

    // Adds the plane of an evaluation. Returns true if its bound is the lowest so far. `recentre` makes these
    // multipliers the centre in any case.
    template <class Int>
    bool add(const Vector<Int>& lambda, std::int64_t bound, const Vector<PoolRun>& relaxed, bool recentre = false) {
        Plane plane{Vector<double>(size_), 0.0, planes_.empty() ? 1.0 : 0.0, relaxed, {}};
        for (int k = 0; k < size_; ++k) plane.slope[k] = kinds_.supply[k];
        for (const PoolRun& r : relaxed) {
            kinds_.each_use(r, [&](int used, int units) { plane.slope[used] -= units; });
        }
        Vector<double> moved(size_);
        for (int k = 0; k < size_; ++k) moved[k] = static_cast<double>(lambda[k] - centre_[k]);
        const double fall = planes_.empty() ? 0.0 : static_cast<double>(value_ - bound);
        const bool moves = recentre || planes_.empty();
        const bool serious = moves || (fall > 0 && fall >= kSerious * expected_);
        if (serious) {
            for (Plane& p : planes_) p.below = std::max(0.0, p.below - fall - dot(p.slope, moved));
            for (int k = 0; k < size_; ++k) centre_[k] = lambda[k];
            value_ = bound;
        } else {
            plane.below = std::max(0.0, dot(plane.slope, moved) + fall);
        }
        if (!moves) change_length(serious, fall, plane.below);
        make_room();
        insert(std::move(plane));
        ++idle_;
        if (bound >= least_) return false;
        least_ = bound;
        idle_ = 0;
        return true;
    }

    // The multipliers to try next, at most `most`. The first step aims at the target.
    template <class Int>
    void propose(std::int64_t target, std::int64_t unit, const Vector<Int>& most, Vector<Int>& to) {
        const double norm = dot(planes_.back().slope, planes_.back().slope);
        if (length_ == 0) {
            length_ = static_cast<double>(std::max(value_ - target, unit)) / std::max(norm, 1.0);
        }
        // Multipliers are integers, so a short step may lead nowhere.
        bool moves = false;
        for (int growth = 0; growth <= kMostGrowths && !moves; ++growth) {
            if (growth > 0) length_ = std::min(kLongest, length_ * kGrowth);
            minimise();
            for (int k = 0; k < size_; ++k) {
                const double room = std::max(0.0, static_cast<double>(most[k]) - static_cast<double>(centre_[k]));
                const std::int64_t wanted = centre_[k] + std::llround(std::min(direction_[k], room));
                to[k] = static_cast<Int>(std::clamp<std::int64_t>(wanted, 0, most[k]));
                moves |= to[k] != centre_[k];
            }
        }
    }

    // A solution of the linear relaxation: the average of the relaxed solutions, by the weights of their planes.
    // Ordered by kind and begin.
    Vector<RunShare> average() const {
        Vector<std::pair<std::uint64_t, double>> all;
        for (const Plane& p : planes_) {
            if (p.weight == 0) continue;
            for (const PoolRun& r : p.relaxed) all.push_back({key(r), p.weight});
        }
        progress_(kSortSteps * all.count());
        std::sort(all.begin(), all.end());
        Vector<RunShare> merged;
        std::uint64_t last = 0;
        for (const auto& [run, share] : all) {
            if (merged.empty() || run != last) merged.push_back({run_of(run), 0.0});
            merged.back().share += share;
            last = run;
        }
        return merged;
    }

    // True if the planes promise less than this, also within a much larger distance.
    bool exhausted(double promise) {
        if (idle_ > kPatience) return true;
        if (length_ == 0 || expected_ >= promise) {
            growths_ = 0;
            return false;
        }
        length_ = std::min(kLongest, length_ * kGrowth);
        return ++growths_ > kMostGrowths;
    }
    std::int64_t least() const { return least_; }

  private:
    struct Plane {
        Vector<double> slope;
        double below;  // how far the plane is below the bound at the centre
        double weight;
        Vector<PoolRun> relaxed;  // none for a plane that replaces several
        Vector<double> product;  // with the planes, over the kinds that are not fixed
    };

    static constexpr int kMostPlanes = 50;
    static constexpr double kSerious = 0.1;
    static constexpr double kTolerance = 1e-9;
    static constexpr double kRidge = 1e-11;
    static constexpr int kPivots = 4;
    static constexpr int kFixRounds = 4;
    static constexpr int kLanes = 8;
    static constexpr std::int64_t kSortSteps = 20;
    static constexpr int kKeyBits = 21;
    static_assert(kMostTokens < std::int64_t{1} << kKeyBits);  // also more than all lines and lengths

    static std::uint64_t key(const PoolRun& r) {
        const auto part = [](std::int32_t i) { return static_cast<std::uint64_t>(i); };
        return (part(r.kind) << 2 * kKeyBits) | (part(r.begin) << kKeyBits) | part(r.end);
    }
    static PoolRun run_of(std::uint64_t key) {
        const auto part = [&](int n) {
            return static_cast<std::int32_t>((key >> n * kKeyBits) & ((std::uint64_t{1} << kKeyBits) - 1));
        };
        return {part(1), part(0), part(2), 0, 0};
    }

    static constexpr int kMostGrowths = 4;
    static constexpr double kGrowth = 10;
    static constexpr double kLongest = 1e30;
    static constexpr int kPatience = 60;
    static constexpr int kLongStreak = 10;

    double dot(const Vector<double>& a, const Vector<double>& b) const {
        Array<double, kLanes> sums{};
        int k = 0;
        for (; k + kLanes <= size_; k += kLanes) {
            for (int lane = 0; lane < kLanes; ++lane) sums[lane] += a[k + lane] * b[k + lane];
        }
        double sum = 0;
        for (; k < size_; ++k) sum += a[k] * b[k];
        for (double s : sums) sum += s;
        return sum;
    }

    void change_length(bool serious, double fall, double below) {
        const double share = expected_ > 0 ? fall / expected_ : 1.0;
        const double best = share < 1 ? length_ / (2 * (1 - share)) : 10 * length_;
        if (serious) {
            streak_ = std::max(streak_ + 1, 1);
            if (share > 0.5 && streak_ > 1) {
                length_ = std::clamp(best, length_, 10 * length_);
            } else if (streak_ > 3) {
                length_ *= 2;
            }
        } else {
            streak_ = std::min(streak_ - 1, -1);
            if (streak_ < -3 && below > 10 * expected_) {
                length_ = std::clamp(best, length_ / 10, length_);
                streak_ = -1;
            } else if (streak_ < -kLongStreak) {
                length_ /= 2;
                streak_ = -1;
            }
        }
    }

    void insert(Plane plane) {
        for (Plane& p : planes_) p.product.push_back(free_product(p, plane));
        planes_.push_back(std::move(plane));
        Plane& last = planes_.back();
        for (int i = 0; i + 1 < planes_.count(); ++i) last.product.push_back(planes_[i].product.back());
        last.product.push_back(free_product(last, last));
        progress_(std::int64_t{size_} * planes_.count() / kLanes * 2);
    }

    double free_product(const Plane& a, const Plane& b) const {
        double product = dot(a.slope, b.slope);
        for (int k : fixed_kinds_) product -= a.slope[k] * b.slope[k];
        return product;
    }

    // If there are too many planes, those without weight are dropped, or else the older half is replaced by its
    // average.
    void make_room() {
        if (planes_.count() < kMostPlanes) return;
        Vector<Plane> rest;
        const auto weighted =
            std::count_if(planes_.begin(), planes_.end(), [](const Plane& p) { return p.weight > 0; });
        if (weighted <= kMostPlanes * 3 / 4) {
            for (Plane& p : planes_) {
                if (p.weight > 0) rest.push_back(std::move(p));
            }
        } else {
            Plane mean{Vector<double>(size_, 0.0), 0.0, 1.0, {}, {}};
            for (const Plane& p : planes_) {
                mean.below += p.weight * p.below;
                for (int k = 0; k < size_; ++k) mean.slope[k] += p.weight * p.slope[k];
            }
            rest.push_back(std::move(mean));
            for (int i = planes_.count() / 2; i < planes_.count(); ++i) {
                rest.push_back(std::move(planes_[i]));
                rest.back().weight = 0;
            }
        }
        planes_.clear();
        for (Plane& p : rest) {
            p.product.clear();
            insert(std::move(p));
        }
    }

    // Computes the direction. Kinds whose multiplier would become negative are fixed at 0.
    void minimise() {
        for (int round = 0; round < kFixRounds; ++round) {
            weigh();
            std::fill(direction_.begin(), direction_.end(), 0.0);
            for (const Plane& p : planes_) {
                if (p.weight == 0) continue;
                for (int k = 0; k < size_; ++k) direction_[k] -= length_ * p.weight * p.slope[k];
            }
            bool changed = false;
            for (int k = 0; k < size_; ++k) {
                const char out = direction_[k] < -static_cast<double>(centre_[k]) ? 1 : 0;
                if (out != fixed_[k]) change_fixed(k, out), changed = true;
            }
            fixed_kinds_.clear();
            for (int k = 0; k < size_; ++k) {
                if (fixed_[k]) fixed_kinds_.push_back(k);
            }
            progress_(std::int64_t{size_} * planes_.count() / kLanes * 2);
            if (!changed) break;
        }
        for (int k = 0; k < size_; ++k) {
            direction_[k] = std::max(direction_[k], -static_cast<double>(centre_[k]));
        }
        expected_ = 0;
        for (const Plane& p : planes_) {
            if (p.weight > 0) expected_ += p.weight * (p.below - dot(p.slope, direction_));
        }
    }

    void change_fixed(int k, char out) {
        fixed_[k] = out;
        const double sign = out ? -1 : 1;
        for (Plane& p : planes_) {
            if (p.slope[k] == 0) continue;
            for (int i = 0; i < planes_.count(); ++i) p.product[i] += sign * p.slope[k] * planes_[i].slope[k];
        }
        progress_(std::int64_t{planes_.count()} * planes_.count());
    }

    // The weights of the planes, by an active-set method that starts at the last weights: the best weights of the
    // planes in use, as long as none becomes negative; then the plane that promises most comes into use.
    void weigh() {
        const int m = planes_.count();
        Vector<double> given(m);
        double most = 0;
        for (int i = 0; i < m; ++i) {
            given[i] = -planes_[i].below;
            for (int k : fixed_kinds_) given[i] -= planes_[i].slope[k] * static_cast<double>(centre_[k]);
            most = std::max(most, planes_[i].product[i]);
        }
        used_.clear();
        for (int i = 0; i < m; ++i) {
            if (planes_[i].weight > 0) used_.push_back(i);
        }
        for (int step = 0; step < kPivots * m; ++step) {
            const double price = best_weights(given, kRidge * length_ * std::max(most, 1.0));
            progress_(used_.count() * used_.count() * (used_.count() + 8) / 4);
            if (!move_weights()) continue;
            int next = -1;
            double highest = price + kTolerance * (1 + std::abs(price));
            for (int i = 0; i < m; ++i) {
                double value = given[i];
                for (int j : used_) value -= length_ * planes_[j].weight * planes_[i].product[j];
                if (value > highest) highest = value, next = i;
            }
            progress_(m * used_.count());
            if (next < 0 || std::find(used_.begin(), used_.end(), next) != used_.end()) return;
            used_.push_back(next);
        }
    }

    // The best weights of the planes in use with sum 1, which may be negative. Returns the value that all of them have.
    double best_weights(const Vector<double>& given, double ridge) {
        const int n = used_.count();
        factor_.assign(n * n, 0.0);
        wanted_.assign(n, 0.0);
        Vector<double> ones(n, 0.0);
        for (int i = 0; i < n; ++i) {
            double* row = &factor_[i * n];
            const Vector<double>& product = planes_[used_[i]].product;
            for (int j = 0; j <= i; ++j) {
                double rest = length_ * product[used_[j]] + (i == j ? ridge : 0.0);
                const double* other = &factor_[j * n];
                for (int k = 0; k < j; ++k) rest -= row[k] * other[k];
                row[j] = i == j ? std::sqrt(std::max(rest, ridge)) : rest / other[j];
            }
            double a = given[used_[i]];
            double b = 1;
            for (int k = 0; k < i; ++k) a -= row[k] * wanted_[k], b -= row[k] * ones[k];
            wanted_[i] = a / row[i];
            ones[i] = b / row[i];
        }
        double sum = 0;
        double sum_of_ones = 0;
        for (int i = n; i-- > 0;) {
            for (int k = i + 1; k < n; ++k) {
                wanted_[i] -= factor_[k * n + i] * wanted_[k];
                ones[i] -= factor_[k * n + i] * ones[k];
            }
            sum += wanted_[i] /= factor_[i * n + i];
            sum_of_ones += ones[i] /= factor_[i * n + i];
        }
        const double price = (sum - 1) / sum_of_ones;
        for (int i = 0; i < n; ++i) wanted_[i] -= price * ones[i];
        return price;
    }

    // Moves the weights to the wanted ones, or until the first one is 0, which goes out of use. Returns true if they
    // are all reached.
    bool move_weights() {
        double part = 1;
        int first = -1;
        for (int i = 0; i < used_.count(); ++i) {
            const double weight = planes_[used_[i]].weight;
            if (wanted_[i] > 0 || weight <= wanted_[i]) continue;
            const double reached = weight / (weight - wanted_[i]);
            if (reached < part) part = reached, first = i;
        }
        for (int i = 0; i < used_.count(); ++i) {
            double& weight = planes_[used_[i]].weight;
            weight = std::max(0.0, weight + part * (wanted_[i] - weight));
        }
        if (first < 0) return true;
        planes_[used_[first]].weight = 0;
        used_.erase(used_.begin() + first);
        return false;
    }

    const KindSupplies& kinds_;
    int size_;
    Vector<Plane> planes_;
    Vector<int> used_;  // the planes with weights
    Vector<double> wanted_;  // their best weights
    Vector<double> factor_;  // the Cholesky factor of their products
    Vector<std::int64_t> centre_;
    Vector<char> fixed_;
    Vector<int> fixed_kinds_;
    Vector<double> direction_;
    std::int64_t value_ = 0;  // the bound at the centre
    std::int64_t least_ = std::numeric_limits<std::int64_t>::max();
    double length_ = 0;
    double expected_ = 0;  // how much the bound falls if the planes are right
    int growths_ = 0;
    int idle_ = 0;  // evaluations since the lowest bound
    int streak_ = 0;  // of steps that moved the centre, or (negative) that did not
    mutable Progress progress_;
};

}  // namespace pagemeter
