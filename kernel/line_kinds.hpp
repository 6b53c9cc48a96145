// What S and SG hand out: GT lines, of which equal ones are one kind with a supply. They share a price, and no solution
// is found twice in another guise.
//
// Words are rarely equal, and a run of n words that shares none with a line of m saves min(n, m) with any line of that
// length. Such blind runs go to a length, not to a line: there is a kind for each length, and every run with a line of
// that length uses up one of it as well.
#pragma once

#include <map>
#include <vector>

#include "sequence.hpp"

namespace pagemeter {

struct LineKinds {
    std::vector<Bounds> bounds;             // of a line of each kind that has lines
    std::vector<int> length;                // of each kind; blind kinds come last
    std::vector<int> supply;                // how many runs each kind may have
    std::vector<int> same_length;           // the blind kind that runs of this kind use up too, or -1
    std::vector<int> kind_of;               // each GT line's
    std::vector<std::vector<int>> members;  // GT lines that may get a run of the kind

    // With G equal lines differ in their neighbours: each line is a kind of its own, and none is blind.
    LineKinds(const Slices& gt, const Neighbours& near, bool joined) {
        std::map<std::vector<Token>, int> known;
        for (int x = 0; x < gt.size(); ++x) {
            int kind = static_cast<int>(bounds.size());
            if (!near.restricted()) {
                kind = known.try_emplace({gt[x].begin(), gt[x].end()}, kind).first->second;
            }
            if (kind == static_cast<int>(bounds.size())) {
                bounds.push_back(gt.bounds[static_cast<std::size_t>(x)]);
                add(gt.length(x));
            }
            kind_of.push_back(kind);
            give(kind, x);
        }
        if (!near.restricted() && !joined) add_blind(gt);
    }

    int size() const { return static_cast<int>(supply.size()); }
    bool is_blind(int kind) const { return kind >= static_cast<int>(bounds.size()); }
    // The kind of runs that share no word with line kind x, or -1.
    int blind(int x) const { return same_length[static_cast<std::size_t>(x)]; }

    // Calls `f` for all that a run of this kind uses up.
    template <class F>
    void each_used(int kind, const F& f) const {
        f(static_cast<std::size_t>(kind));
        const int also = same_length[static_cast<std::size_t>(kind)];
        if (also >= 0) f(static_cast<std::size_t>(also));
    }

    // What a run of each kind pays in all.
    template <class Int>
    std::vector<Int> prices(const std::vector<Int>& multipliers) const {
        std::vector<Int> sums(multipliers.size(), 0);
        for (int kind = 0; kind < size(); ++kind) {
            each_used(kind, [&](std::size_t used) { sums[static_cast<std::size_t>(kind)] += multipliers[used]; });
        }
        return sums;
    }

    // Whether a run of this kind can be had from what is left, and takes it if so.
    bool take(std::vector<int>& left, int kind) const {
        bool had = true;
        each_used(kind, [&](std::size_t used) { had &= left[used] > 0; });
        if (had) each_used(kind, [&](std::size_t used) { --left[used]; });
        return had;
    }

  private:
    void add(int m) {
        length.push_back(m);
        supply.push_back(0);
        same_length.push_back(-1);
        members.emplace_back();
    }
    void give(int kind, int line) {
        ++supply[static_cast<std::size_t>(kind)];
        members[static_cast<std::size_t>(kind)].push_back(line);
    }
    void add_blind(const Slices& gt) {
        std::map<int, int> of_length;
        for (std::size_t kind = 0; kind < bounds.size(); ++kind) {
            const auto [entry, fresh] = of_length.try_emplace(length[kind], size());
            if (fresh) add(length[kind]);
            same_length[kind] = entry->second;
        }
        for (int x = 0; x < gt.size(); ++x) give(of_length[gt.length(x)], x);
    }
};

}  // namespace pagemeter
