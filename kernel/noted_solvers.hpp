// The measures of pages with notations, except bags of words.
//
// R, RG, no letter and G: the distances of all pairs, and the solvers of optional_lines.hpp.
// RS and RSG: a page-sized dynamic programme over the positions of HYP, one GT line at a time.
// S and SG: the runs that a solution as good as the best known one can contain, and the exact search of packing.hpp.
#pragma once

#include <bit>
#include <utility>

#include "noted_page.hpp"
#include "optional_lines.hpp"
#include "packing.hpp"

namespace pagemeter {

class NotedPairs {
  public:
    static constexpr std::int64_t kNone = -1;

    NotedPairs(const NotedPage& page, const Slices& hyp, const Neighbours& near) : page_(page), hyp_(hyp) {
        check_memory(std::int64_t{page.lines()} * hyp.size() * std::int64_t{sizeof(NotedCounts)});
        pairs_.assign(std::int64_t{page.lines()} * hyp.size(), NotedCounts{});
        NotedAlignment alignment(page);
        for (int x = 0; x < page.lines(); ++x) {
            cost_.push_back(page.gt_cost(x));
            for (int y = 0; y < hyp.size(); ++y) {
                if (near(x, y)) pairs_[at(x, y)] = alignment.best(x, hyp[y]);
            }
        }
    }

    int gt_lines() const { return page_.lines(); }
    int hyp_lines() const { return hyp_.size(); }
    int gt_cost(int x) const { return cost_[x]; }
    int hyp_cost(int y) const { return page_.optional.has_hyp(y) ? 0 : hyp_.length(y); }
    std::int64_t distance(int x, int y) const {
        const NotedCounts& pair = pairs_[at(x, y)];
        if (pair.row < 0) return kNone;
        const int distance = pair.counts().distance;
        return distance <= gt_cost(x) + hyp_cost(y) ? distance : kNone;
    }
    std::int64_t save(int x, int y) const { return gt_cost(x) + hyp_cost(y) - distance(x, y); }
    PairCounts counts(int x, int y) const { return pairs_[at(x, y)].counts(); }
    std::int64_t rank(int x, int y) const {
        if (page_.optional.has_gt(x)) return 0;
        const PairCounts c = counts(x, y);
        return c.cor * LexicographicKey::kCor - c.sub;
    }

  private:
    std::ptrdiff_t at(int x, int y) const { return std::ptrdiff_t{x} * hyp_.size() + y; }

    const NotedPage& page_;
    Slices hyp_;
    Vector<std::int32_t> cost_;
    Vector<NotedCounts> pairs_;
};

using NotedOrderedLines = OrderedPairs<NotedPairs>;
using NotedFreeLines = FreePairs<NotedPairs>;

// The HYP words, and sweeps of one GT line over the stretches of words that it may use.
class NotedWords {
  public:
    NotedWords(const NotedPage& page, const Words& hyp, const Neighbours& near)
        : words(hyp), page_(page), near_(near), alignment_(page) {
        for (int w = 0; w < hyp.size(); ++w) {
            const int cost = page.optional.has_hyp(hyp.line[w]) ? 0 : hyp.length(w);
            letters_before.push_back(letters_before.back() + cost);
        }
    }

    Words words;
    Vector<std::int64_t> letters_before{0};  // of each boundary; letters of optional words do not count

    std::int64_t letters(int a, int b) const { return letters_before[b] - letters_before[a]; }
    NotedAlignment& alignment() { return alignment_; }

    // Calls `visit(b, cell)` for every word end b that a run of line x can have. `start(a)` is the key with which a run
    // begins at word a.
    template <class Start, class Visit>
    void sweep(int x, int from, int to, bool ranked, const Start& start, const Visit& visit) {
        for (int a = from; a < to;) {
            if (!near_(x, words.line[a])) {
                ++a;
                continue;
            }
            int until = a + 1;
            while (until < to && near_(x, words.line[until])) ++until;
            for (int row = page_.first_row[x]; row < page_.first_row[x + 1]; ++row) {
                sweep_row(row, a, until, ranked, start, visit);
            }
            a = until;
        }
    }

  private:
    template <class Start, class Visit>
    void sweep_row(int row, int from, int until, bool ranked, const Start& start, const Visit& visit) {
        const int origin = words.begin(from);
        const Tokens hyp = words.run(from, until);
        cells_.assign(hyp.count() + 1, NotedCell{});
        for (int a = from; a < until; ++a) cells_[words.begin(a) - origin].offer({start(a), a}, 0);
        alignment_.pass(row, hyp, ranked, cells_);
        for (int b = from + 1; b <= until; ++b) {
            const NotedCell& cell = cells_[words.end(b - 1) - origin];
            if (cell.key < LexicographicKey::kFar && cell.origin < b) visit(b, cell);
        }
    }

    const NotedPage& page_;
    Neighbours near_;
    NotedAlignment alignment_;
    Vector<NotedCell> cells_;
};

class NotedOrderedSegments {
  public:
    NotedOrderedSegments(const NotedPage& page, const Words& hyp, const Neighbours& near)
        : page_(page), words_(page, hyp, near), boundaries_(hyp.size() + 1) {}

    // The runs, without their counts.
    Vector<Run> solve() {
        check_memory((std::int64_t{page_.lines()} + 1) * boundaries_ * std::int64_t{sizeof(std::int32_t)});
        from_.assign((std::int64_t{page_.lines()} + 1) * boundaries_, kSkippedGt);
        Vector<std::int64_t> level(boundaries_, LexicographicKey::kFar);
        level[0] = 0;
        skip_words(0, level);
        for (int x = 0; x < page_.lines(); ++x) {
            Vector<std::int64_t> next = level;
            const std::int64_t cost = page_.gt_cost(x) * LexicographicKey::kEdit;
            for (std::int64_t& key : next) key += cost;
            words_.sweep(x, 0, boundaries_ - 1, !page_.optional.has_gt(x), [&](int a) { return level[a]; },
                         [&](int b, const NotedCell& cell) {
                             if (cell.key >= next[b]) return;
                             next[b] = cell.key;
                             from_[at(x + 1, b)] = cell.origin;
                         });
            skip_words(x + 1, next);
            level = std::move(next);
        }
        return trace();
    }

  private:
    enum From : std::int32_t { kSkippedWord = -1, kSkippedGt = -2 };

    std::ptrdiff_t at(int x, int b) const { return std::ptrdiff_t{x} * boundaries_ + b; }

    void skip_words(int x, Vector<std::int64_t>& level) {
        for (int b = 1; b < boundaries_; ++b) {
            const std::int64_t key = level[b - 1] + words_.letters(b - 1, b) * LexicographicKey::kEdit;
            if (key >= level[b]) continue;
            level[b] = key;
            from_[at(x, b)] = kSkippedWord;
        }
    }

    Vector<Run> trace() const {
        Vector<Run> runs;
        for (int x = page_.lines(), b = boundaries_ - 1; x > 0;) {
            const std::int32_t from = from_[at(x, b)];
            if (from == kSkippedWord) {
                --b;
                continue;
            }
            --x;
            if (from == kSkippedGt) continue;
            runs.push_back({x, from, b, {}});
            b = from;
        }
        std::reverse(runs.begin(), runs.end());
        return runs;
    }

    const NotedPage& page_;
    NotedWords words_;
    int boundaries_;
    Vector<std::int32_t> from_;
};

// What a run of a line saves is at most the most that any run of the line saves. If the incumbent lacks `slack` to the
// sum of these maxima, no run of a better solution lacks more than `slack` to the maximum of its line. The ends and the
// begins of such runs are found by two sweeps per line, and the runs by one more sweep per begin.
class NotedFreeSegments {
  public:
    NotedFreeSegments(const NotedPage& page, const Words& hyp, const Neighbours& near, const Effort& stop)
        : page_(page), near_(near), words_(page, hyp, near), kinds_(lengths(page)) {
        all_tokens_ = words_.letters(0, hyp.size());
        for (int x = 0; x < page.lines(); ++x) {
            cost_.push_back(page.gt_cost(x));
            all_tokens_ += cost_[x];
            for (int row = page.first_row[x]; row < page.first_row[x + 1]; ++row) base_ += page.rows.length(row);
        }
        base_ += hyp.tokens.count();
        has_counts_ = 2 * all_tokens_ < kMostRank / base_ / base_;
        if (!has_counts_) base_ = 1;
        least_ = page.optional.any() ? 0 : 1;
        find_best_runs();
        offer(NotedOrderedSegments(page, hyp, near).solve());
        offer(whole_lines());
        improve_incumbent(stop);
        list_runs(stop);
    }

    bool canonical() const { return canonical_; }
    std::int64_t lower_bound() const { return canonical_ ? all_tokens_ - save_ : all_tokens_ - upper_; }
    Vector<Run> runs() const {
        Vector<Run> out;
        for (const PoolRun& r : solution_) out.push_back({r.kind, r.begin, r.end, {}});
        std::sort(out.begin(), out.end(), [](const Run& a, const Run& b) { return a.gt < b.gt; });
        return out;
    }

  private:
    static constexpr std::int64_t kMostRank = std::int64_t{1} << 60;
    static constexpr std::int64_t kUnit = 1 << 16;
    static constexpr std::size_t kMostRuns = 4'000'000;
    static constexpr std::size_t kFewRuns = 200'000;

    static Vector<int> lengths(const NotedPage& page) {
        Vector<int> tokens;
        for (int x = 0; x < page.lines(); ++x) tokens.push_back(page.tokens(page.first_row[x]));
        return tokens;
    }

    // The value of a run among all solutions: fewest errors, then fewest correct tokens, then most substitutions.
    PoolRun ranked(int x, int a, int b, std::int64_t key) const {
        const PairCounts c = NotedCounts{key, 0}.counts();
        const std::int64_t save = cost_[x] + words_.letters(a, b) - c.distance;
        const bool counts = has_counts_ && !page_.optional.has_gt(x);
        return {a, b, x, 0, counts ? (save * base_ - c.cor) * base_ + c.sub : save * base_ * base_};
    }
    std::int64_t save_of(std::int64_t rank) const { return (rank + base_ * (base_ - 1)) / (base_ * base_); }

    // For each line and each boundary, the most that a run saves that ends or begins there.
    void find_best_runs() {
        const int boundaries = words_.words.size() + 1;
        check_memory(std::int64_t{page_.lines()} * boundaries * 2 * std::int64_t{sizeof(std::int32_t)});
        const std::int64_t cells = std::int64_t{page_.lines()} * boundaries;
        ending_.assign(cells, 0);
        beginning_.assign(cells, 0);
        most_.assign(page_.lines(), 0);
        for (int x = 0; x < page_.lines(); ++x) {
            words_.sweep(x, 0, boundaries - 1, false, [&](int a) { return words_.letters_before[a] * Key::kEdit; },
                         [&](int b, const NotedCell& cell) {
                             const std::int64_t cost = cell.key / Key::kEdit - words_.letters_before[b];
                             const auto save = static_cast<std::int32_t>(cost_[x] - cost);
                             std::int32_t& best = ending_[at(x, b)];
                             if (save <= best) return;
                             best = save;
                             first_.push_back({cell.origin, b, x, 0, save});
                             most_[x] = std::max(most_[x], save);
                         });
        }
        const Mirror mirror(page_, words_.words);
        NotedWords backwards(mirror.page, mirror.words, near_);
        for (int x = 0; x < page_.lines(); ++x) {
            backwards.sweep(x, 0, boundaries - 1, false,
                            [&](int a) { return backwards.letters_before[a] * Key::kEdit; },
                            [&](int b, const NotedCell& cell) {
                                const std::int64_t cost = cell.key / Key::kEdit - backwards.letters_before[b];
                                std::int32_t& best = beginning_[at(x, boundaries - 1 - b)];
                                best = std::max(best, static_cast<std::int32_t>(cost_[x] - cost));
                            });
        }
    }

    // Both sides from right to left. Lines keep their order, so that their numbers stay the same.
    struct Mirror {
        Vector<Token> gt_tokens;
        Vector<Bounds> gt_bounds;
        Vector<Token> hyp_tokens;
        Vector<Bounds> hyp_bounds;
        Vector<std::int32_t> hyp_line;
        NotedPage page;
        Words words;

        Mirror(const NotedPage& p, const Words& w)
            : gt_tokens(p.rows.tokens.begin(), p.rows.tokens.end()),
              gt_bounds(p.rows.bounds.begin(), p.rows.bounds.end()),
              hyp_tokens(w.tokens.rbegin(), w.tokens.rend()),
              hyp_line(w.line.rbegin(), w.line.rend()),
              page(p) {
            for (const Bounds& b : gt_bounds) std::reverse(gt_tokens.begin() + b.begin, gt_tokens.begin() + b.end);
            const std::int32_t total = w.tokens.count();
            for (int i = w.size(); i-- > 0;) hyp_bounds.push_back({total - w.end(i), total - w.begin(i)});
            page.rows = {gt_tokens, gt_bounds};
            words = {{hyp_tokens, hyp_bounds}, hyp_line};
        }
        Mirror(const Mirror&) = delete;
    };

    void offer(const Vector<Run>& runs) {
        Vector<PoolRun> solution;
        std::int64_t rank = 0;
        for (const Run& r : runs) {
            const NotedCounts counted = words_.alignment().best(r.gt, words_.words.run(r.begin, r.end));
            const PoolRun run = ranked(r.gt, r.begin, r.end, counted.key);
            if (run.save <= 0) continue;
            solution.push_back(run);
            rank += run.save;
        }
        adopt(std::move(solution), rank);
    }

    void adopt(Vector<PoolRun> solution, std::int64_t rank) {
        if (rank <= rank_) return;
        rank_ = rank;
        save_ = 0;
        for (const PoolRun& r : solution) save_ += save_of(r.save);
        solution_ = std::move(solution);
    }

    // HYP lines as runs, matched in any order.
    Vector<Run> whole_lines() {
        const Words& w = words_.words;
        Vector<Bounds> lines;
        Vector<std::int32_t> begin;
        Vector<std::int32_t> number;
        for (int i = 0; i < w.size(); ++i) {
            if (i == 0 || w.line[i] != w.line[i - 1]) {
                begin.push_back(i);
                lines.push_back({w.begin(i), w.end(i)});
                number.push_back(w.line[i]);
            }
            lines[lines.count() - 1].end = w.end(i);
        }
        begin.push_back(w.size());
        Vector<std::uint8_t> mask;
        if (near_.restricted()) {
            for (int x = 0; x < page_.lines(); ++x) {
                for (std::int32_t y : number) mask.push_back(near_(x, y));
            }
        }
        Vector<std::uint8_t> optional;
        for (std::int32_t y : number) optional.push_back(page_.optional.has_hyp(y));
        NotedPage page = page_;
        page.optional.hyp = optional;
        const Neighbours near{near_.restricted() ? mask.data() : nullptr, lines.count()};
        Vector<Run> runs;
        for (const LinePair& p : NotedFreeLines(page, Slices{w.tokens, lines}, near).solve()) {
            runs.push_back({p.gt, begin[p.hyp], begin[p.hyp + 1], {}});
        }
        return runs;
    }

    static void sort_by_end(Vector<PoolRun>& runs) {
        std::stable_sort(runs.begin(), runs.end(), [](const PoolRun& a, const PoolRun& b) { return a.end < b.end; });
    }

    // Packs the best run of each line and end.
    void improve_incumbent(const Effort& stop) {
        if (settled() || stop()) return;
        std::erase_if(first_, [&](const PoolRun& r) { return 2 * r.save < most_[r.kind]; });
        if (first_.size() > kFewRuns) {
            const auto cut = first_.begin() + static_cast<std::ptrdiff_t>(kFewRuns);
            std::nth_element(first_.begin(), cut, first_.end(),
                             [](const PoolRun& a, const PoolRun& b) {
                                 const auto key = [](const PoolRun& r) {
                                     return std::tuple(-r.save, r.end, r.begin, r.kind);
                                 };
                                 return key(a) < key(b);
                             });
            first_.resize(kFewRuns);
        }
        sort_by_end(first_);
        Packing packing(words_.words.size(), kinds_, kUnit);
        packing.bound.runs = std::move(first_);
        packing.improve_bound(stop);
        Vector<Run> runs;
        for (const PoolRun& r : packing.incumbent.runs()) runs.push_back({r.kind, r.begin, r.end, {}});
        offer(runs);
    }

    std::int64_t sum_of_most() const {
        std::int64_t sum = 0;
        for (std::int32_t m : most_) sum += m;
        return sum;
    }
    // Without errors, the counts could differ only by the choice of readings.
    bool settled() const { return save_ == all_tokens_ && page_.rows.size() == page_.lines(); }

    void list_runs(const Effort& stop) {
        upper_ = std::min(sum_of_most(), all_tokens_);
        canonical_ = settled();
        if (canonical_) return;
        const std::int64_t slack = sum_of_most() - save_;
        Vector<PoolRun> pool;
        for (int x = 0; x < page_.lines(); ++x) {
            if (!add_runs(x, std::max(most_[x] - slack, least_), pool) || stop()) return;
        }
        sort_by_end(pool);
        const auto room = static_cast<std::uint64_t>(kMostRank / base_ / base_ / (2 * all_tokens_ + 1));
        Packing packing(words_.words.size(), kinds_,
                        static_cast<std::int64_t>(std::bit_floor(std::clamp<std::uint64_t>(room, 1, kUnit))));
        packing.bound.runs = std::move(pool);
        packing.incumbent.offer(solution_);
        packing.prune();
        packing.settle(stop);
        adopt(packing.incumbent.runs(), packing.incumbent.save());
        canonical_ = packing.proven() && has_counts_;
        upper_ = std::min(upper_, save_of(packing.upper()));
    }

    // Adds the runs of a line that save at least this much, unless a run inside them has as high a rank. Returns false
    // if there are too many.
    bool add_runs(int x, std::int64_t least, Vector<PoolRun>& pool) {
        const int words = words_.words.size();
        int last = 0;
        for (int b = words; b > 0 && last == 0; --b) {
            if (ending_[at(x, b)] >= least) last = b;
        }
        // Begins from right to left, so that the runs inside a run come first.
        Vector<std::int64_t> inner(words + 1, 0);  // the highest rank of a run that ends at or before each boundary
        for (int a = last; a-- > 0;) {
            if (beginning_[at(x, a)] < least) continue;
            std::int64_t best = 0;  // of this begin
            words_.sweep(
                x, a, last, !page_.optional.has_gt(x),
                [&](int begin) { return begin == a ? 0 : std::int64_t{Key::kFar}; },
                [&](int b, const NotedCell& cell) {
                    candidate_.resize(std::max<std::size_t>(candidate_.size(), unsigned_index(b + 1)), PoolRun{});
                    const PoolRun run = ranked(x, a, b, cell.key);
                    if (candidate_[b].kind != x || candidate_[b].begin != a || candidate_[b].save < run.save) {
                        candidate_[b] = run;
                    }
                });
            for (int b = a + 1; b <= last && b < candidate_.count(); ++b) {
                const PoolRun& run = candidate_[b];
                if (run.end != b || run.kind != x || run.begin != a) continue;
                if (run.save > std::max(best, inner[b]) && save_of(run.save) >= least) pool.push_back(run);
                best = std::max(best, run.save);
            }
            for (int b = a + 1; b <= last && b < candidate_.count(); ++b) {
                const bool mine = candidate_[b].end == b && candidate_[b].kind == x && candidate_[b].begin == a;
                inner[b] = std::max({inner[b], inner[b - 1], mine ? candidate_[b].save : 0});
            }
            if (pool.size() > kMostRuns) return false;
        }
        return true;
    }

    using Key = LexicographicKey;
    std::ptrdiff_t at(int x, int b) const { return std::ptrdiff_t{x} * (words_.words.size() + 1) + b; }

    const NotedPage& page_;
    Neighbours near_;
    NotedWords words_;
    LineKinds kinds_;
    Vector<std::int32_t> cost_;
    std::int64_t all_tokens_ = 0;
    std::int64_t base_ = 1;  // of ranks
    bool has_counts_ = true;  // whether ranks fit into 64 bits
    std::int64_t least_ = 1;  // the least that a run of a better solution can save
    Vector<std::int32_t> ending_;
    Vector<std::int32_t> beginning_;
    Vector<std::int32_t> most_;
    Vector<PoolRun> first_;
    Vector<PoolRun> candidate_;
    Vector<PoolRun> solution_;
    std::int64_t rank_ = 0;
    std::int64_t save_ = 0;
    std::int64_t upper_ = 0;
    bool canonical_ = false;
};

}  // namespace pagemeter
