// Text as the solvers see it: characters and words are numbered from 0 in the order of their first occurrence, and
// lines and words are slices.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>

#include "sequence.hpp"

namespace pagemeter {

// Numbers code points (and larger numbers for other graphemes) by a table with two levels, because few of the many
// possible values occur on a page. The most frequent ones have a table without levels.
class PointNumbers {
  public:
    PointNumbers() { frequent_.fill(-1); }

    Token operator()(std::int32_t point) {
        if (unsigned_index(point) < frequent_.size()) {
            Token& number = frequent_[unsigned_index(point)];
            if (number < 0) number = size_++;
            return number;
        }
        const std::size_t block = unsigned_index(point) / kBlock;
        if (block >= blocks_.size()) blocks_.resize(block + 1);
        if (!blocks_[block]) {
            blocks_[block] = std::make_unique<std::array<Token, kBlock>>();
            blocks_[block]->fill(-1);
        }
        Token& number = (*blocks_[block])[unsigned_index(point) % kBlock];
        if (number < 0) number = size_++;
        return number;
    }
    int size() const { return size_; }

  private:
    static constexpr std::size_t kBlock = 256;
    std::array<Token, kBlock> frequent_;
    Vector<std::unique_ptr<std::array<Token, kBlock>>> blocks_;
    int size_ = 0;
};

// A page as one sequence of tokens. Bounds are pairs of start and end.
struct NumberedPage {
    Vector<Token> tokens;
    Vector<std::int32_t> lines;
    Vector<std::int32_t> words;
    Vector<std::int32_t> word_line;

    void add_word(std::size_t begin, std::size_t end, std::size_t line) {
        words.insert(words.end(), {static_cast<std::int32_t>(begin), static_cast<std::int32_t>(end)});
        word_line.push_back(static_cast<std::int32_t>(line));
    }
};

// Numbers the characters of a page. The input has one space between non-empty lines, and `lengths` includes the empty
// lines. A word ends at every white-space character, so two of them in sequence have an empty word between them. Where
// `zero_joins` is true, a word ends without a space: before a character of a line, or at the space between two lines,
// which is then left out. It may be empty.
template <class IsBlank>
NumberedPage number_characters(View<const std::int32_t> points, View<const std::int32_t> lengths,
                               View<const bool> zero_joins, const IsBlank& is_blank, PointNumbers& numbers) {
    NumberedPage page;
    page.tokens.reserve(points.size());
    page.lines.reserve(2 * lengths.size());
    std::size_t next = 0;  // the next point
    for (std::size_t line = 0; line < lengths.size(); ++line) {
        if (lengths[line] == 0) {
            const auto here = static_cast<std::int32_t>(page.tokens.size());
            page.lines.insert(page.lines.end(), {here, here});
            continue;
        }
        if (next > 0) {
            if (zero_joins.empty() || !zero_joins[next]) page.tokens.push_back(numbers(points[next]));
            ++next;
        }
        const std::size_t begin = page.tokens.size();
        std::size_t word = begin;
        for (const std::size_t end = next + unsigned_index(lengths[line]); next < end; ++next) {
            const std::size_t here = page.tokens.size();
            if (is_blank(points[next])) {
                page.add_word(word, here, line);
                word = here + 1;
            } else if (!zero_joins.empty() && zero_joins[next]) {
                page.add_word(word, here, line);
                word = here;
            }
            page.tokens.push_back(numbers(points[next]));
        }
        page.add_word(word, page.tokens.size(), line);
        page.lines.insert(page.lines.end(),
                          {static_cast<std::int32_t>(begin), static_cast<std::int32_t>(page.tokens.size())});
    }
    return page;
}

// Numbers words by their characters, in a hash table with open addressing.
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
            const Tokens& known = words_[slots_[slot]];
            if (std::ranges::equal(known, word)) return slots_[slot];
        }
        slots_[slot] = size();
        words_.push_back(word);
        return slots_[slot];
    }
    int size() const { return words_.count(); }

  private:
    static std::size_t hash(Tokens word) {
        std::uint64_t h = word.size();
        for (Token t : word) h = (h ^ static_cast<std::uint64_t>(t)) * 0x9E3779B97F4A7C15u;
        return h ^ (h >> 32);
    }

    Vector<Token> slots_;
    Vector<Tokens> words_;
};

// Turns the words of a page into tokens, with nothing between them. Empty words are dropped.
inline NumberedPage number_words(const Words& page, std::size_t lines, WordNumbers& numbers) {
    NumberedPage out;
    out.lines.reserve(2 * lines);
    int w = 0;
    for (std::size_t line = 0; line < lines; ++line) {
        const std::size_t begin = out.tokens.size();
        for (; w < page.size() && page.line[w] == static_cast<std::int32_t>(line); ++w) {
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
