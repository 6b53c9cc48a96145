// The kinds of GT lines in S and SG.
//
// Equal GT lines form one kind with a supply. They share a multiplier, and solutions that differ only by an exchange of
// equal lines are not distinguished.
//
// A blind run is a run of words that has no word in common with its GT line. A blind run of n words saves min(n, m)
// with every line of m words, so it is assigned to the length m instead of a line. There is one blind kind per length,
// and every run of a line of that length uses one unit of its supply as well. docs/design/free-segments.md proves that
// this loses nothing.
#pragma once

#include <map>
#include <utility>

#include "sequence.hpp"

namespace pagemeter {

// What a packing of runs needs to know about kinds.
struct KindSupplies {
    Vector<int> supply;  // the number of runs that each kind may have
    Vector<int> same_length;  // the blind kind whose supply runs of this kind use too, or -1
    int total = -1;  // the last kind if it is a limit of the edits that all runs save together, or -1

    int size() const { return supply.count(); }
    // The blind kind of line kind x, or -1.
    int blind(int x) const { return same_length[x]; }

    // Calls `f` for every kind whose supply a run of this kind uses.
    template <class F>
    void each_used(int kind, const F& f) const {
        f(kind);
        const int also = same_length[kind];
        if (also >= 0) f(also);
    }

    // The sum of the multipliers that a run of each kind pays.
    template <class Int>
    Vector<Int> prices(const Vector<Int>& multipliers) const {
        Vector<Int> sums(multipliers.size(), 0);
        for (int kind = 0; kind < size(); ++kind) {
            each_used(kind, [&](int used) { sums[kind] += multipliers[used]; });
        }
        return sums;
    }

    // Limits the edits that all runs save together. No packing saves more, so it need not be asked.
    void limit_edits(int most) {
        total = size();
        supply.push_back(most);
        same_length.push_back(-1);
    }

    // Calls `f` for every kind whose supply a run uses, with the number of units.
    template <class Run, class F>
    void each_use(const Run& r, const F& f) const {
        each_used(r.kind, [&](int used) { f(used, 1); });
        if (total >= 0) f(total, r.edits);
    }

    // Takes one run of this kind from the supply that is left. Returns false if there is none.
    bool take(Vector<int>& left, int kind) const {
        bool available = true;
        each_used(kind, [&](int used) { available &= left[used] > 0; });
        if (available) each_used(kind, [&](int used) { --left[used]; });
        return available;
    }
};

struct LineKinds : KindSupplies {
    Vector<Bounds> bounds;  // one line of each kind that is not blind
    Vector<std::uint8_t> is_optional;  // for each of these lines
    Vector<int> length;  // of each kind; blind kinds come last
    Vector<int> kind_of;  // the kind of each GT line
    Vector<Vector<int>> members;  // the GT lines that may get a run of the kind

    // With G, equal lines have different neighbours. Then each line is its own kind, and there are no blind kinds.
    // Optional lines differ from required ones, and the claim about blind runs does not hold for optional text.
    LineKinds(const Slices& gt, const Neighbours& near, bool joined, const OptionalLines& optional) {
        std::map<std::pair<Vector<Token>, bool>, int> known;
        for (int x = 0; x < gt.size(); ++x) {
            int kind = bounds.count();
            if (!near.restricted()) {
                const std::pair<Vector<Token>, bool> key{{gt[x].begin(), gt[x].end()}, optional.has_gt(x)};
                kind = known.try_emplace(key, kind).first->second;
            }
            if (kind == bounds.count()) {
                bounds.push_back(gt.bounds[x]);
                add(gt.length(x));
                is_optional.push_back(optional.has_gt(x) ? 1 : 0);
            }
            kind_of.push_back(kind);
            give(kind, x);
        }
        if (!near.restricted() && !joined && !optional.any()) add_blind(gt);
    }

    // Each GT line is its own kind.
    explicit LineKinds(const Vector<int>& lengths) {
        for (int x = 0; x < lengths.count(); ++x) {
            add(lengths[x]);
            kind_of.push_back(x);
            give(x, x);
        }
    }

    // The same optional lines, with one GT line of each kind.
    OptionalLines optional(const OptionalLines& lines) const {
        if (lines.gt.empty()) return lines;
        return {is_optional, lines.hyp};
    }

    bool is_blind(int kind) const { return kind >= bounds.count(); }

  private:
    void add(int m) {
        length.push_back(m);
        supply.push_back(0);
        same_length.push_back(-1);
        members.emplace_back();
    }
    void give(int kind, int line) {
        ++supply[kind];
        members[kind].push_back(line);
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
