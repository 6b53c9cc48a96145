// The end of a long search: when its work is spent, or at the time limit. Work is counted in steps of about a
// nanosecond, so the same input ends at the same point on every machine. The time limit is an emergency brake.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>

#include "interruption.hpp"

namespace pagemeter {

class Effort {
  public:
    // `steps` may be infinite, and so may `seconds`, which count from now.
    Effort(double steps, double seconds)
        : limit_(steps < kMost ? static_cast<std::int64_t>(steps) : static_cast<std::int64_t>(kMost)),
          has_deadline_(seconds < kLongest),
          deadline_(Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                       std::chrono::duration<double>(has_deadline_ ? seconds : 0.0))) {}
    Effort(const Effort&) = delete;
    Effort& operator=(const Effort&) = delete;

    // True if the search must end.
    bool operator()() const { return !allows(0); }

    // True if this much work is left.
    bool allows(std::int64_t steps) const {
        InterruptionCheck::call();  // loops that end before they report check nothing themselves
        if (has_deadline_ && !interrupted_) interrupted_ = Clock::now() > deadline_;
        return !interrupted_ && work_.steps() < limit_ - steps;
    }

    // True if a first look with this much work may be taken, which proves most clean pages. On a large page it may
    // exceed the limit several times; the limit then rises by its work.
    bool allows_look(std::int64_t steps) {
        if (allows(steps)) return true;
        if (interrupted_ || steps / kLook > limit_) return false;
        limit_ += steps;
        return true;
    }

    // True if the time limit has ended the search.
    bool interrupted() const { return interrupted_; }

    // The work of the loops that run while a `WorkCount::Scope` of it exists, and of what is added to it.
    WorkCount& work() { return work_; }

  private:
    using Clock = std::chrono::steady_clock;
    static constexpr double kMost = 4e18;
    static constexpr double kLongest = 1e8;
    static constexpr std::int64_t kLook = 4;

    WorkCount work_;
    std::int64_t limit_;
    bool has_deadline_;
    Clock::time_point deadline_;
    mutable bool interrupted_ = false;
};

}  // namespace pagemeter
