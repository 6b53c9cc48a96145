// The runs of HYP words that a solution as good as the incumbent could contain, for S and SG.
//
//     save(a,b,x) = |G_x| + letters of words a..b - LD(words a..b joined, G_x)
//
// where |G_x| and letters are 0 for optional text.
//
// A sweep finds the boundaries at which such runs can end. From there, RunFinder extends them to the left.
#pragma once

#include <algorithm>
#include <optional>
#include <stdexcept>

#include "line_kinds.hpp"
#include "integer_sweep.hpp"
#include "effort.hpp"

namespace pagemeter {

struct PoolRun {
    std::int32_t begin;
    std::int32_t end;
    std::int32_t kind;
    std::int32_t edits;  // that the run saves, if they are limited (KindSupplies::total)
    std::int64_t save;
};

// The relaxed costs of a page in units of 1/unit: from the start to each boundary, and from each boundary to the end.
struct RelaxedCosts {
    Vector<std::int32_t> price;  // of each kind
    Vector<std::int32_t> before;
    Vector<std::int32_t> after;
    std::int32_t unit = 1;
};

class RunFinder {
  public:
    RunFinder(const SegmentPage& page, const LineKinds& kinds, int alphabet)
        : page_(page), kinds_(kinds), gt_(page.gt()), words_(page.words()), index_(alphabet) {}

    // The run of the relaxed solution that ends at b and is given to x. It contains no taken word.
    PoolRun relaxed_run(int x, int b, const RelaxedCosts& costs, const Vector<char>& taken) {
        if (!kinds_.is_blind(x)) set_line(x);
        PoolRun result{};
        follow(x, b, [&](const PoolRun& run, int against, int) {
            if (!taken.empty() && taken[run.begin]) throw std::logic_error("no relaxed run");
            const bool hit = through(run, against, costs) == costs.before[b];
            if (hit) result = run;
            return !hit;
        });
        if (result.end == 0) throw std::logic_error("no relaxed run");
        return result;
    }

    // All runs with the given ends through which the whole page costs at most `most`, ordered by end. Returns nothing
    // if there are more than `most_runs`, or when the work is spent.
    std::optional<Vector<PoolRun>> runs(Vector<RunEnd> ends, const RelaxedCosts& costs, std::int64_t most,
                                        std::size_t most_runs, const Effort& stop) {
        std::stable_sort(ends.begin(), ends.end(), [](const RunEnd& a, const RunEnd& b) { return a.gt < b.gt; });
        Vector<PoolRun> all;
        for (std::size_t i = 0; i < ends.size();) {
            const int x = ends[i].gt;
            set_line(x);
            candidates_.clear();
            for (; i < ends.size() && ends[i].gt == x; ++i) {
                if (stop()) return std::nullopt;
                collect(x, ends[i].end, costs, most);
            }
            keep_candidates(all);
            if (all.size() > most_runs) return std::nullopt;
        }
        for (int kind = gt_.size(); kind < kinds_.size(); ++kind) {
            for (int b = 1; b <= words_.size() && all.size() <= most_runs; ++b) {
                collect_blind(kind, b, costs, most, all);
            }
            if (all.size() > most_runs || stop()) return std::nullopt;
        }
        return by_end(all);
    }

    // All runs of the solutions of the relaxed problem, ordered by end, or nothing as above. `ends` has all ends of
    // runs that cost no more than C there. Only those from which the rest of the page costs as little as possible
    // matter.
    std::optional<Vector<PoolRun>> tight_runs(Vector<RunEnd> ends, const RelaxedCosts& costs, std::size_t most_runs,
                                              const Effort& stop) {
        std::stable_sort(ends.begin(), ends.end(), [](const RunEnd& a, const RunEnd& b) { return a.end > b.end; });
        const std::int64_t least = costs.before.back();
        Vector<char> reached(costs.before.size(), 0);
        reached[words_.size()] = 1;
        Vector<Candidate> found;
        Vector<PoolRun> all;
        auto next = ends.begin();
        for (int b = words_.size(); b > 0; --b) {
            for (; next != ends.end() && next->end == b; ++next) {
                if (!reached[b]) continue;
                set_line(next->gt);
                candidates_.clear();
                collect(next->gt, b, costs, least);
                found.insert(found.end(), candidates_.begin(), candidates_.end());
                for (const Candidate& k : candidates_) reached[k.run.begin] = 1;
            }
            if (!reached[b]) continue;
            const std::size_t first = all.size();
            for (int kind = gt_.size(); kind < kinds_.size() && all.size() <= most_runs; ++kind) {
                collect_blind(kind, b, costs, least, all);
            }
            if (stop() || found.size() + all.size() > most_runs) return std::nullopt;
            for (std::size_t i = first; i < all.size(); ++i) reached[all[i].begin] = 1;
            if (costs.before[b - 1] + page_.word_cost[b - 1] * costs.unit == costs.before[b]) reached[b - 1] = 1;
        }
        std::stable_sort(found.begin(), found.end(),
                         [](const Candidate& a, const Candidate& b) { return a.run.kind < b.run.kind; });
        for (auto from = found.begin(); from != found.end();) {
            const auto to = std::find_if(from, found.end(),
                                         [&](const Candidate& k) { return k.run.kind != from->run.kind; });
            candidates_.assign(from, to);
            keep_candidates(all);
            from = to;
        }
        return by_end(all);
    }

  private:
    struct Candidate {
        PoolRun run;
        int cor;

        // True if the run has a higher rank than a run inside it: it saves more, or it saves the same with fewer
        // correct tokens.
        bool outranks(const Candidate& inner) const {
            return run.save != inner.run.save ? run.save > inner.run.save : cor < inner.cor;
        }
    };

    // Adds the candidates of one line, without those that dominance excludes.
    void keep_candidates(Vector<PoolRun>& all) {
        drop_padded();
        for (const Candidate& k : candidates_) all.push_back(k.run);
    }

    void set_line(int x) {
        const Tokens line = gt_[x];
        backwards_.assign(line.rbegin(), line.rend());
        page_.joined ? index_.assign_masks(backwards_) : index_.assign(backwards_);
    }

    // The cost of the first words and the run. `against` is the distance of the run minus the cost of the line without
    // a run.
    std::int32_t through(const PoolRun& run, int against, const RelaxedCosts& costs) const {
        return costs.before[run.begin] + against * costs.unit +
               costs.price[run.kind];
    }

    // Extends the run of a kind that ends at b to the left, word by word, while `visit` returns true. COR is counted if
    // nothing joins the words.
    template <class Visit>
    void follow(int kind, int b, const Visit& visit) {
        if (kinds_.is_blind(kind)) return follow_blind(kind, b, visit);
        const int m = gt_.length(kind);
        column_.assign(index_.blocks(), Block{});
        keys_.resize(m + 1);
        for (std::size_t i = 0; i < keys_.size(); ++i) keys_[i] = static_cast<std::int64_t>(i) * kEdit;
        int distance = m;
        int letters = 0;
        int position = words_.end(b - 1);
        for (int a = b - 1; a >= 0 && (!page_.near.restricted() || page_.allows(kind, a)); --a) {
            while (position > words_.begin(a)) {
                const Token token = words_.tokens[--position];
                distance = page_.joined ? distance + step(token) : keyed_step(token);
            }
            letters += page_.word_cost[a];
            const int cor = static_cast<int>(keys_.back() % kEdit);
            const int cost = page_.gt_cost[kind];
            if (!visit(PoolRun{a, b, kind, 0, cost + letters - distance}, distance - cost, cor)) return;
        }
    }

    // A blind run longer than the line saves no more.
    template <class Visit>
    void follow_blind(int kind, int b, const Visit& visit) const {
        const int m = kinds_.length[kind];
        int letters = 0;
        for (int a = b - 1; a >= 0 && letters < m; --a) {
            letters += words_.length(a);
            const int save = std::min(letters, m);
            if (!visit(PoolRun{a, b, kind, 0, save}, letters - save, 0)) return;
        }
    }

    void collect_blind(int kind, int b, const RelaxedCosts& costs, std::int64_t most, Vector<PoolRun>& all) {
        const std::int64_t allowance = most - costs.after[b];
        follow_blind(kind, b, [&](const PoolRun& run, int against, int) {
            progress_(kBlindSteps);
            if (through(run, against, costs) <= allowance) all.push_back(run);
            return true;
        });
    }

    // Stores the runs that end at b. LD >= length - |G_x|, and costs.before falls by at most the letters passed, so
    // once this bound exceeds the allowance it stays above it.
    void collect(int x, int b, const RelaxedCosts& costs, std::int64_t most) {
        const std::int64_t allowance = most - costs.after[b];
        const int m = gt_.length(x);
        const std::size_t first = candidates_.size();
        follow(x, b, [&](const PoolRun& run, int against, int cor) {
            if (through(run, against, costs) <= allowance) store({run, cor}, against + m, first);
            const int length = words_.end(b - 1) - words_.begin(run.begin);
            return through(run, length - m - page_.gt_cost[x], costs) <= allowance;
        });
    }

    // Dominance for words: without joining tokens, extra words around a run are deleted at no extra cost, so many
    // longer runs save the same. |HYP| is fixed, so COR determines SUB. A longer run is stored only if it outranks the
    // previous run with the same end (index >= `first`).
    void store(const Candidate& mine, int distance, std::size_t first) {
        if (mine.run.save < 0) return;  // only with optional text: a solution without the run is better
        if (!page_.joined) {
            const PoolRun& run = mine.run;
            const std::int64_t letters = run.save + distance - index_.length();
            const bool blind =
                kinds_.blind(run.kind) >= 0 && run.save == std::min<std::int64_t>(letters, index_.length());
            if (run.save == 0 || blind) return;
            if (candidates_.size() > first && !mine.outranks(candidates_.back())) return;
        }
        candidates_.push_back(mine);
    }

    // The same dominance for runs with the same begin.
    void drop_padded() {
        if (page_.joined) return;
        std::sort(candidates_.begin(), candidates_.end(), [](const Candidate& a, const Candidate& b) {
            return a.run.begin != b.run.begin ? a.run.begin < b.run.begin : a.run.end < b.run.end;
        });
        std::size_t size = 0;
        for (std::size_t i = 0; i < candidates_.size(); ++i) {
            const bool fresh = i == 0 || candidates_[i].run.begin != candidates_[size - 1].run.begin;
            if (fresh || candidates_[i].outranks(candidates_[size - 1])) candidates_[size++] = candidates_[i];
        }
        candidates_.resize(size);
    }

    // Advances by one HYP token with keys LD * 2^32 + COR, cell by cell, because lines of words are short. Returns the
    // distance.
    int keyed_step(Token token) {
        progress_(index_.length());
        std::int64_t diagonal = keys_[0];
        keys_[0] += kEdit;
        for (std::size_t i = 1; i < keys_.size(); ++i) {
            const std::int64_t matched = diagonal + (backwards_[i - 1] == token ? 1 : kEdit);
            diagonal = keys_[i];
            keys_[i] = std::min(matched, std::min(diagonal, keys_[i - 1]) + kEdit);
        }
        return static_cast<int>(keys_.back() / kEdit);
    }

    // Advances by one HYP token. Returns the change of the distance.
    int step(Token token) {
        progress_(kBlockSteps * std::ssize(column_));
        const Word64* equal = index_.masks(token);
        const int last = (index_.length() - 1) % kBits;
        Carry carry;
        Horizontal h{};
        for (std::size_t k = 0; k < column_.size(); ++k) h = advance(column_[k], equal[k], carry);
        return static_cast<int>((h.hp >> last) & 1) - static_cast<int>((h.hn >> last) & 1);
    }

    Vector<PoolRun> by_end(const Vector<PoolRun>& runs) const {
        Vector<std::size_t> start(words_.size() + 2, 0);
        for (const PoolRun& r : runs) ++start[r.end + 1];
        for (std::size_t i = 1; i < start.size(); ++i) start[i] += start[i - 1];
        Vector<PoolRun> sorted(runs.size());
        for (const PoolRun& r : runs) sorted[start[r.end]++] = r;
        return sorted;
    }

    static constexpr std::int64_t kEdit = std::int64_t{1} << 32;
    static_assert(kMostPairs < kEdit && kMostTokens < kEdit / 2, "keys LD * kEdit + COR fit into 64 bits");
    static constexpr std::int64_t kBlockSteps = 3;  // of work for one block
    static constexpr std::int64_t kBlindSteps = 2;  // of work for one blind run

    const SegmentPage& page_;
    const LineKinds& kinds_;
    Slices gt_;
    Slices words_;
    PatternIndex index_;
    Vector<Token> backwards_;
    Vector<Block> column_;
    Vector<std::int64_t> keys_;
    Vector<Candidate> candidates_;
    Progress progress_;
};

}  // namespace pagemeter
