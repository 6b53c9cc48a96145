// Prints the results of the kernel's solvers on pages that are the same everywhere: `make test-portable` compares the
// output of different compilers, instruction sets and processors.
#include <cstdint>
#include <cstdio>
#include <vector>

#include "bag.hpp"
#include "free_lines.hpp"
#include "free_segments.hpp"
#include "geometry_coverage.hpp"
#include "geometry_tolerance.hpp"
#include "ordered_lines.hpp"
#include "ordered_words.hpp"

namespace pm = pagemeter;

namespace {

// The same numbers on every machine, which the distributions of <random> do not promise.
class Numbers {
  public:
    explicit Numbers(std::uint64_t seed) : state_(seed) {}

    // A number below `end`.
    std::int32_t below(std::int32_t end) {
        state_ = state_ * 6364136223846793005u + 1442695040888963407u;
        return static_cast<std::int32_t>((state_ >> 33) % static_cast<std::uint64_t>(end));
    }

  private:
    std::uint64_t state_;
};

constexpr int kSpace = 0;

// Lines of words that are joined by spaces.
struct Page {
    std::vector<pm::Token> tokens;
    std::vector<pm::Bounds> lines;
    std::vector<pm::Bounds> words;
    std::vector<std::int32_t> word_line;

    void add_line(const std::vector<pm::Token>& line) {
        const auto begin = static_cast<std::int32_t>(tokens.size());
        tokens.insert(tokens.end(), line.begin(), line.end());
        const auto end = static_cast<std::int32_t>(tokens.size());
        for (std::int32_t from = begin, at = begin; at <= end; ++at) {
            if (at < end && tokens[pm::unsigned_index(at)] != kSpace) continue;
            words.push_back({from, at});
            word_line.push_back(static_cast<std::int32_t>(lines.size()));
            from = at + 1;
        }
        lines.push_back({begin, end});
    }

    pm::Tokens all() const { return {tokens.data(), tokens.size()}; }
    pm::Slices slices() const { return {all(), {lines.data(), lines.size()}}; }
    pm::Words cut() const { return {{all(), {words.data(), words.size()}}, {word_line.data(), word_line.size()}}; }
};

std::vector<pm::Token> random_line(Numbers& numbers, int length, int alphabet) {
    std::vector<pm::Token> line;
    for (int i = 0; i < length; ++i) line.push_back(numbers.below(5) == 0 ? kSpace : 1 + numbers.below(alphabet - 1));
    return line;
}

// The same lines, some of them elsewhere, with one change in twelve tokens.
Page misread(Numbers& numbers, std::vector<std::vector<pm::Token>> lines, int alphabet) {
    for (std::size_t i = 1; i < lines.size(); ++i) {
        if (numbers.below(4) == 0) std::swap(lines[i], lines[i - 1]);
    }
    Page page;
    std::vector<pm::Token> line;
    for (const auto& from : lines) {
        for (pm::Token token : from) {
            const std::int32_t change = numbers.below(36);
            if (change != 0) line.push_back(change == 1 ? numbers.below(alphabet) : token);
            if (change == 2) line.push_back(numbers.below(alphabet));
        }
        if (numbers.below(5) == 0) {  // the next line is merged with this one
            line.push_back(kSpace);
            continue;
        }
        page.add_line(line);
        line.clear();
    }
    if (!line.empty()) page.add_line(line);
    return page;
}

void print(const char* name, const std::vector<pm::LinePair>& pairs) {
    std::printf("%s", name);
    for (const auto& p : pairs) std::printf(" %d:%d:%d:%d:%d", p.gt, p.hyp, p.counts.distance, p.counts.cor, p.counts.sub);
    std::printf("\n");
}

void print(const char* name, const std::vector<pm::Run>& runs) {
    std::printf("%s", name);
    for (const auto& r : runs) std::printf(" %d:%d-%d:%d:%d", r.gt, r.begin, r.end, r.counts.distance, r.counts.cor);
    std::printf("\n");
}

void solve_text(Numbers& numbers, int lines, int length, int alphabet) {
    std::vector<std::vector<pm::Token>> texts;
    Page gt;
    for (int i = 0; i < lines; ++i) {
        texts.push_back(random_line(numbers, 1 + numbers.below(length), alphabet));
        gt.add_line(texts.back());
    }
    const Page hyp = misread(numbers, texts, alphabet);
    const pm::Slices g = gt.slices(), h = hyp.slices();
    print("ordered", pm::OrderedLines(g, h, {}, alphabet).solve());
    print("free", pm::FreeLines(g, h, {}, alphabet).solve());
    print("ordered segments", pm::ordered_runs(g, hyp.cut(), {}, alphabet, {}));
    const pm::BagPairs bags = pm::match_bags(g, h, {}, alphabet, {});
    std::printf("bag %lld", static_cast<long long>(bags.unequal));
    for (const std::int32_t partner : bags.partner) std::printf(" %d", partner);
    std::printf("\n");
    for (const bool characters : {false, true}) {
        pm::Effort effort(2e8, 1e9);
        const pm::WorkCount::Scope scope(effort.work());
        const pm::FreeSegments segments(g, hyp.cut(), {}, alphabet, {}, characters, effort);
        std::printf("steps %lld\n", static_cast<long long>(effort.work().steps()));
        std::printf("bound %lld, proven %d\n", static_cast<long long>(segments.lower_bound()), segments.proven());
        print("free segments", segments.runs());
    }
}

// Baselines that rise and fall, in rows, so that distances and coverages are at many angles.
struct Drawing {
    std::vector<pm::Pixel> pixels;
    std::vector<std::int64_t> starts{0};

    pm::Baselines baselines() const { return {{pixels.data(), pixels.size()}, {starts.data(), starts.size()}}; }
};

Drawing draw(Numbers& numbers, int lines, int shift) {
    Drawing drawing;
    for (int line = 0; line < lines; ++line) {
        pm::Vector<pm::Pixel> corners, points;
        for (int i = 0; i < 4; ++i) {
            const int x = 40 + 150 * i + numbers.below(30), y = 30 + 25 * line + numbers.below(20) + shift;
            corners.push_back({x, y});
        }
        pm::geometry::resample({corners.data(), corners.size()}, points);
        drawing.pixels.insert(drawing.pixels.end(), points.begin(), points.end());
        drawing.starts.push_back(static_cast<std::int64_t>(drawing.pixels.size()));
    }
    return drawing;
}

void solve_geometry(Numbers& numbers, int lines) {
    const Drawing gt = draw(numbers, lines, 0);
    const int shift = numbers.below(12);
    const Drawing hyp = draw(numbers, lines, shift);
    const pm::Baselines gt_lines = gt.baselines(), hyp_lines = hyp.baselines();
    const pm::geometry::Boxes gt_boxes(gt_lines), hyp_boxes(hyp_lines);
    const pm::Vector<double> tolerances = pm::tolerances(gt_lines, gt_boxes);
    std::printf("tolerances");
    for (const double t : tolerances) std::printf(" %a", t);
    std::vector<std::uint8_t> mask(gt_lines.size() * hyp_lines.size());
    pm::neighbour_mask(gt_lines, gt_boxes, hyp_lines, hyp_boxes, tolerances, 0.3, mask.data());
    std::printf("\nneighbours ");
    for (const std::uint8_t near : mask) std::printf("%d", near);
    std::printf("\n");
}

}  // namespace

int main() {
    for (int seed = 1; seed <= 12; ++seed) {
        Numbers numbers(static_cast<std::uint64_t>(seed));
        const int lines = 1 + numbers.below(12), alphabet = 3 + numbers.below(12);
        solve_text(numbers, lines, 40, alphabet);
        solve_geometry(numbers, lines);
    }
    Numbers numbers(99);
    solve_text(numbers, 20, 1000, 30);  // lines of many machine words
    solve_text(numbers, 60, 60, 30);
    return 0;
}
