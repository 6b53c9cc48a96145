// BOW and BOW:G: the largest matching of equal words, with G between neighbouring lines only.
#pragma once

#include <map>
#include <vector>

#include "sequence.hpp"

namespace pagemeter {

// Words with the line each stands in.
struct Bag {
    Tokens words;
    std::span<const std::int32_t> line;
};

class BagMatching {
  public:
    BagMatching(Bag gt, Bag hyp, Neighbours near)
        : gt_(gt), hyp_(hyp), near_(near), partner_(gt.words.size(), -1), taken_by_(hyp.words.size(), -1) {}

    // For each GT word its HYP word, or -1.
    std::vector<std::int32_t> solve() {
        std::map<Token, std::vector<int>> hyp_places;
        for (std::size_t i = 0; i < hyp_.words.size(); ++i) hyp_places[hyp_.words[i]].push_back(static_cast<int>(i));
        std::map<Token, std::size_t> next;
        for (std::size_t i = 0; i < gt_.words.size(); ++i) {
            const auto found = hyp_places.find(gt_.words[i]);
            if (found == hyp_places.end()) continue;
            if (near_.restricted()) {
                augment(static_cast<int>(i), found->second);
            } else if (std::size_t& k = next[gt_.words[i]]; k < found->second.size()) {
                partner_[i] = found->second[k++];
            }
        }
        return std::move(partner_);
    }

  private:
    // An augmenting path by breadth-first search over the places of one word.
    void augment(int start, const std::vector<int>& places) {
        std::map<int, int> reached_from;  // HYP word -> GT word that asks for it
        std::vector<int> queue{start};
        for (std::size_t head = 0; head < queue.size(); ++head) {
            const int asking = queue[head];
            for (int place : places) {
                if (!near_(line(gt_, asking), line(hyp_, place)) || !reached_from.emplace(place, asking).second) continue;
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

    static int line(const Bag& bag, int word) { return bag.line[static_cast<std::size_t>(word)]; }

    Bag gt_;
    Bag hyp_;
    Neighbours near_;
    std::vector<std::int32_t> partner_;
    std::vector<std::int32_t> taken_by_;
};

}  // namespace pagemeter
