// S and SG: the runs of HYP words that a solution as good as the incumbent could give to a GT line.
//
//     save(a,b,x) = |G_x| + letters of words a..b - LD(words a..b joined, G_x)
//
// Sweeps (run_sweep.hpp) say at which boundaries such runs can end; from there they are followed to the left.
#pragma once

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <vector>

#include "line_kinds.hpp"
#include "run_sweep.hpp"
#include "stop.hpp"

namespace pagemeter {

struct PoolRun {
    std::int32_t begin;
    std::int32_t end;
    std::int32_t kind;
    std::int64_t save;
};

// The relaxed costs of a page in units of 1/unit: from the start to each boundary, and from each boundary to the end.
struct RelaxedCosts {
    std::vector<std::int32_t> price;  // of each kind
    std::vector<std::int32_t> before;
    std::vector<std::int32_t> after;
    std::int32_t unit = 1;
};

class RunFinder {
  public:
    RunFinder(const SegmentPage& page, const LineKinds& kinds, int alphabet)
        : page_(page), kinds_(kinds), gt_(page.gt()), words_(page.words()), index_(alphabet) {}

    // The run of the relaxed solution that ends at b and is given to x; it has none of the words that are taken.
    PoolRun relaxed_run(int x, int b, const RelaxedCosts& costs, const std::vector<char>& taken) {
        if (!kinds_.is_blind(x)) aim(x);
        PoolRun found{};
        follow(x, b, [&](const PoolRun& run, int against, int) {
            if (!taken.empty() && taken[static_cast<std::size_t>(run.begin)]) throw std::logic_error("no relaxed run");
            const bool hit = through(run, against, costs) == costs.before[static_cast<std::size_t>(b)];
            if (hit) found = run;
            return !hit;
        });
        if (found.end == 0) throw std::logic_error("no relaxed run");
        return found;
    }

    // All runs at the given ends through which the whole page costs at most `most`, ordered by their end; nothing if
    // there are more than `most_runs`, if that takes more than `most_steps`, or if time runs out.
    std::optional<std::vector<PoolRun>> runs(std::vector<RunEnd> ends, const RelaxedCosts& costs, std::int64_t most,
                                             std::size_t most_runs, std::int64_t most_steps, const Stop& stop) {
        steps_ = 0;
        std::stable_sort(ends.begin(), ends.end(), [](const RunEnd& a, const RunEnd& b) { return a.gt < b.gt; });
        std::vector<PoolRun> all;
        for (std::size_t i = 0; i < ends.size();) {
            const int x = ends[i].gt;
            aim(x);
            kept_.clear();
            for (; i < ends.size() && ends[i].gt == x; ++i) {
                if (steps_ > most_steps || stop()) return std::nullopt;
                collect(x, ends[i].end, costs, most);
            }
            drop_padded();
            for (const Kept& k : kept_) all.push_back(k.run);
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

  private:
    struct Kept {
        PoolRun run;
        int cor;

        // Whether the run has a higher rank than one inside it: more saved, or fewer correct.
        bool outranks(const Kept& inner) const {
            return run.save != inner.run.save ? run.save > inner.run.save : cor < inner.cor;
        }
    };

    void aim(int x) {
        const Tokens line = gt_[x];
        backwards_.assign(line.rbegin(), line.rend());
        index_.assign(backwards_);
    }

    // What the first words and the run cost, `against` being its distance less what leaving the GT line out costs.
    std::int32_t through(const PoolRun& run, int against, const RelaxedCosts& costs) const {
        return costs.before[static_cast<std::size_t>(run.begin)] + against * costs.unit +
               costs.price[static_cast<std::size_t>(run.kind)];
    }

    // Follows the run of a kind that ends at b to the left, word by word, as long as `visit` says so. COR is counted
    // where words join with nothing.
    template <class Visit>
    void follow(int kind, int b, const Visit& visit) {
        if (kinds_.is_blind(kind)) return follow_blind(kind, b, visit);
        const int m = gt_.length(kind);
        column_.assign(static_cast<std::size_t>(index_.blocks()), Block{});
        keys_.resize(static_cast<std::size_t>(m) + 1);
        for (std::size_t i = 0; i < keys_.size(); ++i) keys_[i] = static_cast<std::int64_t>(i) * kEdit;
        int distance = m;
        int letters = 0;
        int position = words_.end(b - 1);
        for (int a = b - 1; a >= 0 && (!page_.near.restricted() || page_.allows(kind, a)); --a) {
            while (position > words_.begin(a)) {
                const Token token = words_.tokens[static_cast<std::size_t>(--position)];
                distance = page_.joined ? distance + step(token) : keyed_step(token);
            }
            letters += words_.length(a);
            const int cor = static_cast<int>(keys_.back() % kEdit);
            if (!visit(PoolRun{a, b, kind, m + letters - distance}, distance - m, cor)) return;
        }
    }

    // Beyond the length of the line more words save no more.
    template <class Visit>
    void follow_blind(int kind, int b, const Visit& visit) const {
        const int m = kinds_.length[static_cast<std::size_t>(kind)];
        int letters = 0;
        for (int a = b - 1; a >= 0 && letters < m; --a) {
            letters += words_.length(a);
            const int save = std::min(letters, m);
            if (!visit(PoolRun{a, b, kind, save}, letters - save, 0)) return;
        }
    }

    void collect_blind(int kind, int b, const RelaxedCosts& costs, std::int64_t most, std::vector<PoolRun>& all) const {
        const std::int64_t allowance = most - costs.after[static_cast<std::size_t>(b)];
        follow_blind(kind, b, [&](const PoolRun& run, int against, int) {
            if (through(run, against, costs) <= allowance) all.push_back(run);
            return true;
        });
    }

    // Keeps the runs that end at b. LD >= length - |G_x|, and costs.before falls by no more than the letters
    // passed, so once that bound is too high it stays so.
    void collect(int x, int b, const RelaxedCosts& costs, std::int64_t most) {
        const std::int64_t allowance = most - costs.after[static_cast<std::size_t>(b)];
        const int m = gt_.length(x);
        const std::size_t first = kept_.size();
        follow(x, b, [&](const PoolRun& run, int against, int cor) {
            if (through(run, against, costs) <= allowance) keep({run, cor}, against + m, first);
            const int length = words_.end(b - 1) - words_.begin(run.begin);
            return through(run, length - 2 * m, costs) <= allowance;
        });
    }

    // Without joining tokens whatever surrounds a run is deleted at no extra cost, so that countless longer runs
    // tie with it. |HYP| is fixed then and COR fixes SUB: a longer run is kept only if it outranks the last one
    // kept, if that is not before `first`.
    void keep(const Kept& mine, int distance, std::size_t first) {
        if (!page_.joined) {
            const PoolRun& run = mine.run;
            const std::int64_t letters = run.save + distance - index_.length();
            const bool blind =
                kinds_.blind(run.kind) >= 0 && run.save == std::min<std::int64_t>(letters, index_.length());
            if (run.save == 0 || blind) return;
            if (kept_.size() > first && !mine.outranks(kept_.back())) return;
        }
        kept_.push_back(mine);
    }

    // The same for runs with one begin.
    void drop_padded() {
        if (page_.joined) return;
        std::sort(kept_.begin(), kept_.end(), [](const Kept& a, const Kept& b) {
            return a.run.begin != b.run.begin ? a.run.begin < b.run.begin : a.run.end < b.run.end;
        });
        std::size_t size = 0;
        for (std::size_t i = 0; i < kept_.size(); ++i) {
            const bool fresh = i == 0 || kept_[i].run.begin != kept_[size - 1].run.begin;
            if (fresh || kept_[i].outranks(kept_[size - 1])) kept_[size++] = kept_[i];
        }
        kept_.resize(size);
    }

    // One HYP token further with keys LD * 2^32 + COR; returns the distance. Lines of words are short.
    int keyed_step(Token token) {
        steps_ += (index_.length() + kCells - 1) / kCells;
        std::int64_t diagonal = keys_[0];
        keys_[0] += kEdit;
        for (std::size_t i = 1; i < keys_.size(); ++i) {
            const std::int64_t matched = diagonal + (backwards_[i - 1] == token ? 1 : kEdit);
            diagonal = keys_[i];
            keys_[i] = std::min(matched, std::min(diagonal, keys_[i - 1]) + kEdit);
        }
        return static_cast<int>(keys_.back() / kEdit);
    }

    // One HYP token further; returns the change of the distance.
    int step(Token token) {
        steps_ += static_cast<std::int64_t>(column_.size());
        const Word64* equal = index_.masks(token);
        const int last = (index_.length() - 1) % kBits;
        Carry carry;
        Horizontal h{};
        for (std::size_t k = 0; k < column_.size(); ++k) h = advance(column_[k], equal[k], carry);
        return static_cast<int>((h.hp >> last) & 1) - static_cast<int>((h.hn >> last) & 1);
    }

    std::vector<PoolRun> by_end(const std::vector<PoolRun>& runs) const {
        std::vector<std::size_t> start(static_cast<std::size_t>(words_.size()) + 2, 0);
        for (const PoolRun& r : runs) ++start[static_cast<std::size_t>(r.end) + 1];
        for (std::size_t i = 1; i < start.size(); ++i) start[i] += start[i - 1];
        std::vector<PoolRun> sorted(runs.size());
        for (const PoolRun& r : runs) sorted[start[static_cast<std::size_t>(r.end)]++] = r;
        return sorted;
    }

    static constexpr std::int64_t kEdit = std::int64_t{1} << 32;
    static constexpr int kCells = 4;  // with keys, that take as long as a block

    const SegmentPage& page_;
    const LineKinds& kinds_;
    Slices gt_;
    Slices words_;
    PatternIndex index_;
    std::vector<Token> backwards_;
    std::vector<Block> column_;
    std::vector<std::int64_t> keys_;
    std::vector<Kept> kept_;
    std::int64_t steps_ = 0;  // blocks gone through, or as much work with keys
};

}  // namespace pagemeter
