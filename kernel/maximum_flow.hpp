// Maximum flows by Dinic's algorithm, first over arcs of cost 0, then over paths of cost 1 (the primal-dual method).
#pragma once

#include <algorithm>
#include <cstdint>

#include "sequence.hpp"

namespace pagemeter {

// Capacities are integers, and costs are 0 or 1. Node 0 is the source and node 1 is the sink.
class MaximumFlow {
  public:
    static constexpr int kSource = 0;
    static constexpr int kSink = 1;

    int add_node() {
        arcs_of_.emplace_back();
        potential_.push_back(0);
        return arcs_of_.count() - 1;
    }

    // Returns the number of the arc.
    int add_arc(int from, int to, int capacity, int cost = 0) {
        const int arc = arcs_.count();
        arcs_.push_back({to, capacity, cost});
        arcs_.push_back({from, 0, -cost});
        arcs_of_[from].push_back(arc);
        arcs_of_[to].push_back(arc + 1);
        if (arc % kCheckEvery == 0) check_memory(std::ssize(arcs_) * kBytes);
        return arc;
    }
    int flow(int arc) const { return arcs_[arc + 1].capacity; }

    // Augments the flow along paths of the present cost, which is 0 at first, until there is none. Returns by how much
    // the flow has grown.
    int maximise() {
        int grown = 0;
        while (find_levels()) {
            next_.assign(arcs_of_.size(), 0);
            for (int more; (more = augment()) > 0;) grown += more;
        }
        return grown;
    }

    // Raises the cost of paths from 0 to 1. Call it once, after `maximise`. A node that is unreachable at cost 0 gets
    // the potential 1, so every arc keeps a reduced cost >= 0, and paths of reduced cost 0 to the sink cost 1.
    void raise_cost() {
        for (int v = 0; v < level_.count(); ++v) potential_[v] = level_[v] < 0 ? 1 : 0;
    }

  private:
    static constexpr int kCheckEvery = 1 << 10;
    struct Arc {
        int to;
        int capacity;  // what is left of it
        int cost;
    };
    static constexpr std::int64_t kBytes = sizeof(Arc) + sizeof(int);

    bool usable(int from, const Arc& arc) const {
        return arc.capacity > 0 && arc.cost + potential_[from] == potential_[arc.to];
    }

    // Numbers the nodes by their distance from the source. Returns true if the sink is reachable.
    bool find_levels() {
        level_.assign(arcs_of_.size(), -1);
        level_[kSource] = 0;
        Vector<int> queue{kSource};
        for (std::size_t head = 0; head < queue.size(); ++head) {
            const int v = queue[head];
            progress_(arcs_of_[v].count());
            for (int a : arcs_of_[v]) {
                const Arc& arc = arcs_[a];
                if (level_[arc.to] >= 0 || !usable(v, arc)) continue;
                level_[arc.to] = level_[v] + 1;
                queue.push_back(arc.to);
            }
        }
        return level_[kSink] >= 0;
    }

    // Sends flow along one path that ascends level by level. Returns 0 if there is none. An arc that leads nowhere is
    // not tried again before the next levels.
    int augment() {
        Vector<int> path;  // arcs
        for (int v = kSource; v != kSink;) {
            progress_(1);
            const int a = advance(v);
            if (a >= 0) {
                path.push_back(a);
                v = arcs_[a].to;
            } else if (path.empty()) {
                return 0;
            } else {
                v = arcs_[path.back() ^ 1].to;
                path.pop_back();
                ++next_[v];
            }
        }
        int amount = arcs_[path[0]].capacity;
        for (int a : path) amount = std::min(amount, arcs_[a].capacity);
        for (int a : path) {
            arcs_[a].capacity -= amount;
            arcs_[a ^ 1].capacity += amount;
        }
        return amount;
    }

    // The next arc of a node that leads to the next level, or -1.
    int advance(int v) {
        for (; next_[v] < arcs_of_[v].count(); ++next_[v]) {
            const int a = arcs_of_[v][next_[v]];
            if (level_[arcs_[a].to] == level_[v] + 1 && usable(v, arcs_[a])) return a;
        }
        return -1;
    }

    Vector<Arc> arcs_;  // each arc is followed by its reverse
    Vector<Vector<int>> arcs_of_;
    Vector<int> potential_;
    Vector<int> level_;
    Vector<int> next_;
    Progress progress_;
};

}  // namespace pagemeter
