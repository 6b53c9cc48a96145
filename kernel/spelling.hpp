// Points as most files spell them: pairs of whole numbers of up to six digits, "1,2 3,4" or "1 2 3 4".
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "geometry.hpp"

namespace pagemeter {

// Reads spellings that are joined by ';'. Whatever is spelled otherwise is left to those who can say what is wrong
// with it.
class Spellings {
  public:
    explicit Spellings(std::string_view text) : text_(text) {}

    // Calls point(pixel) for each point and end() after each spelling; false as soon as one is not plain.
    template <class Point, class End>
    bool read(Point point, End end) {
        do {
            Pixel p{};
            char within = 0;  // what parts x and y: a comma or a blank throughout
            do {
                if (!number(p.x) || !(within ? taken(within) : parts(within)) || !number(p.y)) return false;
                point(p);
            } while (taken(' '));
            end();
        } while (taken(';'));
        return at_ == text_.size();
    }

  private:
    static constexpr std::size_t kDigits = 6;  // seven would reach geometry::kLimit

    bool taken(char c) {
        const bool is = at_ < text_.size() && text_[at_] == c;
        at_ += is;
        return is;
    }
    bool parts(char& within) { return taken(within = ',') || taken(within = ' '); }
    bool number(std::int32_t& value) {
        const std::size_t begin = at_;
        value = 0;
        for (; at_ < text_.size() && '0' <= text_[at_] && text_[at_] <= '9'; ++at_) {
            if (at_ - begin == kDigits) return false;
            value = 10 * value + (text_[at_] - '0');
        }
        return at_ > begin;
    }

    std::string_view text_;
    std::size_t at_ = 0;
};

}  // namespace pagemeter
