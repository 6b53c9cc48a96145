// The work of long computations, and Ctrl-C during them. Loops report their work. It is added up for a search with a
// limit, and every 50 ms the caller's check is called, which throws if the computation has been interrupted.
#pragma once

#include <chrono>
#include <cstdint>
#include <utility>

namespace pagemeter {

// Installs a check for the computations of this thread, as long as the object lives.
class InterruptionCheck {
  public:
    using Check = void (*)();

    explicit InterruptionCheck(Check check) : outer_(std::exchange(current_, check)) {}
    InterruptionCheck(const InterruptionCheck&) = delete;
    InterruptionCheck& operator=(const InterruptionCheck&) = delete;
    ~InterruptionCheck() { current_ = outer_; }

    static void call() {
        if (!current_) return;
        const std::int64_t now = std::chrono::steady_clock::now().time_since_epoch() / std::chrono::milliseconds(1);
        if (now < next_) return;
        next_ = now + 50;
        current_();
    }

  private:
    static constinit inline thread_local Check current_ = nullptr;
    static constinit inline thread_local std::int64_t next_ = 0;  // in milliseconds

    Check outer_;
};

// The sum of the work of all loops of this thread while a scope exists.
class WorkCount {
  public:
    class Scope {
      public:
        explicit Scope(WorkCount& count) : outer_(std::exchange(current_, &count)) {}
        Scope(const Scope&) = delete;
        Scope& operator=(const Scope&) = delete;
        ~Scope() { current_ = outer_; }

      private:
        WorkCount* outer_;
    };

    std::int64_t steps() const { return steps_; }
    void add(std::int64_t steps) { steps_ += steps; }
    static void report(std::int64_t steps) {
        if (current_) current_->add(steps);
    }

  private:
    static constinit inline thread_local WorkCount* current_ = nullptr;

    std::int64_t steps_ = 0;
};

// Counts the work of one loop in steps of about a nanosecond. A copy starts at zero.
class Progress {
  public:
    Progress() = default;
    Progress(const Progress&) {}
    Progress& operator=(const Progress&) { return *this; }
    ~Progress() { WorkCount::report(steps_); }

    // Inlined, because it is called in short loops.
    [[gnu::always_inline]] void operator()(std::int64_t steps) {
        steps_ += steps;
        if (steps_ >= kReportEvery) [[unlikely]] report();
    }

  private:
    static constexpr std::int64_t kReportEvery = 1 << 20;  // about a millisecond

    [[gnu::noinline]] void report() {
        WorkCount::report(std::exchange(steps_, 0));
        InterruptionCheck::call();
    }

    std::int64_t steps_ = 0;
};

}  // namespace pagemeter
