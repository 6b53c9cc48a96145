// Parse lists of points in the usual spelling: pairs of integers of up to six digits, "1,2 3,4" or "1 2 3 4".
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "geometry.hpp"

namespace pagemeter {

// Parses point lists that are joined by ';'. It rejects any other spelling; a slower parser in Python handles those and
// reports errors.
class PointParser {
  public:
    explicit PointParser(std::string_view text) : text_(text) {}

    // Calls point(pixel) for each point and end() after each list. Returns false at the first unusual spelling.
    template <class Point, class End>
    bool read(Point point, End end) {
        do {
            Pixel p{};
            char within = 0;  // separator of x and y, a comma or a space, the same in the whole list
            do {
                if (!number(p.x) || !(within ? taken(within) : separator(within)) || !number(p.y)) return false;
                point(p);
            } while (taken(' '));
            end();
        } while (taken(';'));
        return at_ == text_.size();
    }

  private:
    static constexpr std::size_t kDigits = 6;  // seven digits would exceed geometry::kLimit

    bool taken(char c) {
        const bool is = at_ < text_.size() && text_[at_] == c;
        at_ += is;
        return is;
    }
    bool separator(char& within) { return taken(within = ',') || taken(within = ' '); }
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
