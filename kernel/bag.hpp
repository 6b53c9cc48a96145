// BOW and BOW:G: words are matched one to one, with G only words of neighbouring lines. An equal pair costs 0, an
// unequal pair 1, an unmatched word 1.
//
// A matching of M pairs, E of them equal, costs |GT| + |HYP| - M - E. The largest E and the least cost are attained
// together, so the solver maximises E first, then M. Without G, E is the multiset intersection, and M is the smaller
// number of words. With G, it is a flow from words of GT lines to words of HYP lines:
//     (x, word) -> (y, word)              equal pairs, cost 0
//     (x, word) -> x -> y -> (y, word')   unequal pairs, cost 1
// where x and y are neighbours. Paths of cost 0 give E. Each path of cost 1 adds one unequal pair and keeps E. A path
// of cost 2 would add one pair and lose an equal one, which gains nothing.
//
// Optional words cost nothing if they are unmatched. An equal pair of two required words saves 2, one of a required and
// an optional word saves 1, and so does an unequal pair of two required words. No other pair saves anything. So the
// arcs between the source or the sink and optional words cost 1. Paths of cost 1 all save 1, so their order does not
// matter for the errors. Paths to optional HYP words come first, which gives the most correct GT words, then unequal
// pairs, then paths from optional GT words. A path never reverses an arc of the source or the sink, so later paths keep
// these numbers.
#pragma once

#include <algorithm>
#include <map>
#include <numeric>
#include <string_view>
#include <utility>

#include "maximum_flow.hpp"
#include "sequence.hpp"

namespace pagemeter {

struct BagPairs {
    Vector<std::int32_t> partner;  // for each GT word the equal HYP word, or -1
    std::int64_t unequal;  // the number of unequal pairs
};

// All pairs of words are allowed, and no word is optional. Equal words are matched in reading order.
inline BagPairs match_anywhere(const Slices& gt, const Slices& hyp, int alphabet) {
    Vector<int> first(alphabet + 1, 0);
    for (Token t : hyp.tokens) ++first[t + 1];
    std::partial_sum(first.begin(), first.end(), first.begin());
    Vector<int> places(hyp.tokens.size());  // the positions of each word in HYP
    Vector<int> next(first.begin(), first.end() - 1);
    for (int i = 0; i < hyp.tokens.count(); ++i) places[next[hyp.tokens[i]]++] = i;
    std::copy(first.begin(), first.end() - 1, next.begin());
    BagPairs pairs{Vector<std::int32_t>(gt.tokens.size(), -1), std::min(gt.tokens.count(), hyp.tokens.count())};
    for (int i = 0; i < gt.tokens.count(); ++i) {
        const Token word = gt.tokens[i];
        if (next[word] == first[word + 1]) continue;
        pairs.partner[i] = places[next[word]++];
        --pairs.unequal;
    }
    return pairs;
}

// Only words of neighbouring lines may be matched, or some words are optional.
class BagFlow {
  public:
    BagFlow(const Slices& gt, const Slices& hyp, Neighbours near, const OptionalLines& optional)
        : near_(near), optional_(optional) {
        flow_.add_node();
        flow_.add_node();
        const Vector<int> gt_place = merge_gt_lines(gt.size());
        const Vector<int> hyp_place = merge_hyp_lines(hyp.size());
        gt_ = groups(gt, gt_place, gt_lines_, [&](int x) { return optional_.has_gt(x); });
        hyp_ = groups(hyp, hyp_place, hyp_lines_, [&](int y) { return optional_.has_hyp(y); });
        partner_.assign(gt.tokens.size(), -1);
    }

    BagPairs solve() {
        const Vector<EqualArc> equal = add_equal_arcs();
        const LineNodes lines = add_line_nodes();
        flow_.maximise();
        flow_.raise_cost();
        add_optional(hyp_, [&](const Group& h) { flow_.add_arc(h.node, MaximumFlow::kSink, h.words.count(), 1); });
        flow_.maximise();
        add_unequal_arcs(lines);
        const std::int64_t unequal = flow_.maximise();
        add_optional(gt_, [&](const Group& g) { flow_.add_arc(MaximumFlow::kSource, g.node, g.words.count(), 1); });
        flow_.maximise();
        for (const EqualArc& arc : equal) {
            for (int n = flow_.flow(arc.arc); n > 0; --n) partner_[take(*arc.gt)] = take(*arc.hyp);
        }
        return {std::move(partner_), unequal};
    }

  private:
    // The occurrences of one word in one line.
    struct Group {
        int line;
        int node;
        bool optional;
        Vector<int> words;
        std::size_t taken = 0;
    };
    using Groups = std::map<Token, Vector<Group>>;
    struct EqualArc {
        int arc;
        Group* gt;
        Group* hyp;
    };

    static int take(Group& group) { return group.words[group.taken++]; }

    // Lines with the same neighbours are one line, which keeps pages small on which all lines are neighbours. Returns
    // the new number of each line.
    Vector<int> merge_gt_lines(int lines) {
        Vector<int> place;
        std::map<std::string_view, int> known;
        for (int x = 0; x < lines; ++x) {
            std::string_view row;  // without a mask, all lines have the same neighbours
            if (near_.restricted()) {
                row = {reinterpret_cast<const char*>(near_.row(x)), unsigned_index(near_.columns)};
            }
            const auto [entry, fresh] = known.try_emplace(row, gt_lines_.count());
            if (fresh) gt_lines_.push_back(x);
            place.push_back(entry->second);
        }
        return place;
    }
    Vector<int> merge_hyp_lines(int lines) {
        Vector<int> place;
        std::map<Vector<int>, int> known;
        for (int y = 0; y < lines; ++y) {
            Vector<int> column;  // the neighbours
            for (int x = 0; x < gt_lines_.count(); ++x) {
                if (near_(gt_lines_[x], y)) column.push_back(x);
            }
            const auto [entry, fresh] = known.try_emplace(std::move(column), hyp_lines_.count());
            if (fresh) hyp_lines_.push_back(y);
            place.push_back(entry->second);
        }
        return place;
    }

    template <class IsOptional>
    Groups groups(const Slices& page, const Vector<int>& place, const Vector<int>& lines,
                  const IsOptional& is_optional) {
        Vector<std::map<std::pair<Token, bool>, Vector<int>>> words(lines.size());
        for (int i = 0; i < page.size(); ++i) {
            for (int k = page.begin(i); k < page.end(i); ++k) {
                words[place[i]][{page.tokens[k], is_optional(i)}].push_back(k);
            }
        }
        Groups groups;
        for (int i = 0; i < words.count(); ++i) {
            for (auto& [word, where] : words[i]) {
                groups[word.first].push_back({i, flow_.add_node(), word.second, std::move(where)});
            }
        }
        return groups;
    }

    template <class Add>
    static void add_optional(const Groups& groups, const Add& add) {
        for (const auto& [word, some] : groups) {
            for (const Group& group : some) {
                if (group.optional) add(group);
            }
        }
    }

    Vector<EqualArc> add_equal_arcs() {
        Vector<EqualArc> equal;
        for (auto& [word, here] : gt_) {
            const auto there = hyp_.find(word);
            if (there == hyp_.end()) continue;
            for (Group& g : here) {
                progress_(there->second.count());
                for (Group& h : there->second) {
                    if (!near_(gt_lines_[g.line], hyp_lines_[h.line])) continue;
                    equal.push_back({flow_.add_arc(g.node, h.node, kMany), &g, &h});
                }
            }
        }
        return equal;
    }

    struct LineNodes {
        Vector<int> from;
        Vector<int> to;
    };
    LineNodes add_line_nodes() {
        LineNodes nodes{line_nodes(gt_lines_.count()), line_nodes(hyp_lines_.count())};
        for (const auto& [word, some] : gt_) {
            for (const Group& g : some) {
                if (g.optional) continue;
                flow_.add_arc(MaximumFlow::kSource, g.node, g.words.count());
                flow_.add_arc(g.node, nodes.from[g.line], kMany);
            }
        }
        for (const auto& [word, some] : hyp_) {
            for (const Group& h : some) {
                if (h.optional) continue;
                flow_.add_arc(h.node, MaximumFlow::kSink, h.words.count());
                flow_.add_arc(nodes.to[h.line], h.node, kMany);
            }
        }
        return nodes;
    }

    void add_unequal_arcs(const LineNodes& lines) {
        for (int x = 0; x < lines.from.count(); ++x) {
            for (int y = 0; y < lines.to.count(); ++y) {
                if (near_(gt_lines_[x], hyp_lines_[y])) flow_.add_arc(lines.from[x], lines.to[y], kMany, 1);
            }
        }
    }

    Vector<int> line_nodes(int count) {
        Vector<int> nodes;
        while (nodes.count() < count) nodes.push_back(flow_.add_node());
        return nodes;
    }

    static constexpr int kMany = static_cast<int>(kMostTokens);

    Neighbours near_;
    OptionalLines optional_;
    MaximumFlow flow_;
    Vector<int> gt_lines_;  // one line of each merged set
    Vector<int> hyp_lines_;
    Groups gt_;
    Groups hyp_;
    Vector<std::int32_t> partner_;
    Progress progress_;
};

inline BagPairs match_bags(const Slices& gt, const Slices& hyp, Neighbours near, int alphabet,
                           const OptionalLines& optional) {
    const bool simple = !near.restricted() && !optional.any();
    return simple ? match_anywhere(gt, hyp, alphabet) : BagFlow(gt, hyp, near, optional).solve();
}

}  // namespace pagemeter
