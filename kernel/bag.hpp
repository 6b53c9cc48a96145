// BOW and BOW:G: the largest matching of equal words, with G between neighbouring lines only.
#pragma once

#include <algorithm>
#include <map>
#include <numeric>
#include <vector>

#include "sequence.hpp"

namespace pagemeter {

class BagMatching {
  public:
    BagMatching(Slices gt, Slices hyp, Neighbours near, int alphabet)
        : gt_(gt),
          hyp_(hyp),
          near_(near),
          gt_line_(line_of_tokens(gt)),
          hyp_line_(line_of_tokens(hyp)),
          first_(static_cast<std::size_t>(alphabet) + 1, 0),
          places_(hyp.tokens.size()),
          partner_(gt.tokens.size(), -1),
          taken_by_(hyp.tokens.size(), -1) {
        // The places of each word, in their order, one word after the other.
        for (Token t : hyp.tokens) ++first_[static_cast<std::size_t>(t) + 1];
        std::partial_sum(first_.begin(), first_.end(), first_.begin());
        std::vector<int> next(first_.begin(), first_.end() - 1);
        for (std::size_t i = 0; i < hyp.tokens.size(); ++i) {
            places_[static_cast<std::size_t>(next[static_cast<std::size_t>(hyp.tokens[i])]++)] = static_cast<int>(i);
        }
    }

    // For each GT word its HYP word, or -1.
    std::vector<std::int32_t> solve() {
        std::vector<int> next(first_.begin(), first_.end() - 1);
        for (std::size_t i = 0; i < gt_.tokens.size(); ++i) {
            const auto word = static_cast<std::size_t>(gt_.tokens[i]);
            if (near_.restricted()) {
                augment(static_cast<int>(i), std::span(places_).subspan(begin(word), begin(word + 1) - begin(word)));
            } else if (next[word] < first_[word + 1]) {
                partner_[i] = places_[static_cast<std::size_t>(next[word]++)];
            }
        }
        return std::move(partner_);
    }

  private:
    // An augmenting path by breadth-first search over the places of one word.
    void augment(int start, std::span<const int> places) {
        std::map<int, int> reached_from;  // HYP word -> GT word that asks for it
        std::vector<int> queue{start};
        for (std::size_t head = 0; head < queue.size(); ++head) {
            const int asking = queue[head];
            for (int place : places) {
                if (!near_(line(gt_line_, asking), line(hyp_line_, place))) continue;
                if (!reached_from.emplace(place, asking).second) continue;
                const int owner = taken_by_[static_cast<std::size_t>(place)];
                if (owner < 0) return flip(place, start, reached_from);
                queue.push_back(owner);
            }
        }
    }

    void flip(int place, int start, const std::map<int, int>& reached_from) {
        for (int asking = -1; asking != start;) {
            asking = reached_from.at(place);
            const int before = partner_[static_cast<std::size_t>(asking)];
            partner_[static_cast<std::size_t>(asking)] = place;
            taken_by_[static_cast<std::size_t>(place)] = asking;
            place = before;
        }
    }

    std::size_t begin(std::size_t word) const { return static_cast<std::size_t>(first_[word]); }

    static int line(const std::vector<int>& lines, int word) { return lines[static_cast<std::size_t>(word)]; }

    static std::vector<int> line_of_tokens(const Slices& page) {
        std::vector<int> line(page.tokens.size(), 0);
        for (int i = 0; i < page.size(); ++i) std::fill(line.begin() + page.begin(i), line.begin() + page.end(i), i);
        return line;
    }

    Slices gt_;
    Slices hyp_;
    Neighbours near_;
    std::vector<int> gt_line_;
    std::vector<int> hyp_line_;
    std::vector<int> first_;
    std::vector<int> places_;
    std::vector<std::int32_t> partner_;
    std::vector<std::int32_t> taken_by_;
};

}  // namespace pagemeter
