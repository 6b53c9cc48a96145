// Text as solvers see it: characters and words numbered densely as they first appear, lines and words as slices.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "sequence.hpp"

namespace pagemeter {

// Numbers code points, and what is numbered above them, in two levels: there are many, and few are on a page.
class PointNumbers {
  public:
    Token operator()(std::int32_t point) {
        const auto block = static_cast<std::size_t>(point) / kBlock;
        if (block >= blocks_.size()) blocks_.resize(block + 1);
        if (!blocks_[block]) {
            blocks_[block] = std::make_unique<std::array<Token, kBlock>>();
            blocks_[block]->fill(-1);
        }
        Token& number = (*blocks_[block])[static_cast<std::size_t>(point) % kBlock];
        if (number < 0) number = size_++;
        return number;
    }
    int size() const { return size_; }

  private:
    static constexpr std::size_t kBlock = 256;
    std::vector<std::unique_ptr<std::array<Token, kBlock>>> blocks_;
    int size_ = 0;
};

// A page as one sequence of tokens; bounds are pairs of begin and end.
struct NumberedPage {
    std::vector<Token> tokens;
    std::vector<std::int32_t> lines;
    std::vector<std::int32_t> words;
    std::vector<std::int32_t> word_line;

    void add_word(std::size_t begin, std::size_t end, std::size_t line) {
        words.insert(words.end(), {static_cast<std::int32_t>(begin), static_cast<std::int32_t>(end)});
        word_line.push_back(static_cast<std::int32_t>(line));
    }
};

// The characters of lines that are joined by one blank each, empty lines left out; `lengths` has the empty ones too.
// Words end at every white-space character, so two of these have an empty word between them.
template <class IsBlank>
NumberedPage number_characters(std::span<const std::int32_t> points, std::span<const std::int32_t> lengths,
                               const IsBlank& is_blank, PointNumbers& numbers) {
    NumberedPage page;
    page.tokens.reserve(points.size());
    for (std::int32_t point : points) page.tokens.push_back(numbers(point));
    page.lines.reserve(2 * lengths.size());
    std::size_t begin = 0;
    std::size_t end = 0;
    for (std::size_t line = 0; line < lengths.size(); ++line) {
        if (lengths[line] > 0) {
            end = begin + static_cast<std::size_t>(lengths[line]);
            std::size_t word = begin;
            for (std::size_t i = begin; i < end; ++i) {
                if (!is_blank(points[i])) continue;
                page.add_word(word, i, line);
                word = i + 1;
            }
            page.add_word(word, end, line);
        }
        const std::size_t from = lengths[line] > 0 ? begin : end;
        page.lines.insert(page.lines.end(), {static_cast<std::int32_t>(from), static_cast<std::int32_t>(end)});
        if (lengths[line] > 0) begin = end + 1;
    }
    return page;
}

// Numbers words by their characters: open addressing, with the first place of each word to compare with.
class WordNumbers {
  public:
    explicit WordNumbers(std::size_t most) {
        std::size_t slots = 16;
        while (slots < 2 * most) slots *= 2;
        slots_.assign(slots, -1);
    }

    Token operator()(Tokens word) {
        std::size_t slot = hash(word) & (slots_.size() - 1);
        for (; slots_[slot] >= 0; slot = (slot + 1) & (slots_.size() - 1)) {
            const Tokens& known = words_[static_cast<std::size_t>(slots_[slot])];
            if (std::ranges::equal(known, word)) return slots_[slot];
        }
        slots_[slot] = size();
        words_.push_back(word);
        return slots_[slot];
    }
    int size() const { return static_cast<int>(words_.size()); }

  private:
    static std::size_t hash(Tokens word) {
        std::uint64_t h = word.size();
        for (Token t : word) h = (h ^ static_cast<std::uint64_t>(t)) * 0x9E3779B97F4A7C15u;
        return static_cast<std::size_t>(h ^ (h >> 32));
    }

    std::vector<Token> slots_;
    std::vector<Tokens> words_;
};

// The words of a page as its tokens, with nothing between them; empty words are none.
inline NumberedPage number_words(const Words& page, std::size_t lines, WordNumbers& numbers) {
    NumberedPage out;
    out.lines.reserve(2 * lines);
    int w = 0;
    for (std::size_t line = 0; line < lines; ++line) {
        const std::size_t begin = out.tokens.size();
        for (; w < page.size() && page.line[static_cast<std::size_t>(w)] == static_cast<std::int32_t>(line); ++w) {
            if (page.length(w) == 0) continue;
            out.add_word(out.tokens.size(), out.tokens.size() + 1, line);
            out.tokens.push_back(numbers(page[w]));
        }
        out.lines.insert(out.lines.end(),
                         {static_cast<std::int32_t>(begin), static_cast<std::int32_t>(out.tokens.size())});
    }
    return out;
}

}  // namespace pagemeter
