// When a long search has to end: at a deadline, or when the caller is called off.
#pragma once

#include <chrono>
#include <functional>
#include <utility>

namespace pagemeter {

class Stop {
  public:
    // `interrupted` throws if the caller has been interrupted; it is asked now and then.
    explicit Stop(double seconds, std::function<void()> interrupted = {})
        : deadline_(Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds))),
          interrupted_(std::move(interrupted)) {}

    bool operator()() const {
        const Clock::time_point now = Clock::now();
        if (interrupted_ && now >= next_) {
            next_ = now + std::chrono::milliseconds(50);
            interrupted_();
        }
        return now > deadline_;
    }

  private:
    using Clock = std::chrono::steady_clock;

    Clock::time_point deadline_;
    mutable Clock::time_point next_{};
    std::function<void()> interrupted_;
};

}  // namespace pagemeter
