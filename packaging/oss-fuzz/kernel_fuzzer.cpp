// A libFuzzer target for the solvers that match lines: `make fuzz-native`.
//
// An input is a page: bytes below 0xF0 are tokens of a small alphabet, 0xF0 to 0xFE end a line, and the first 0xFF
// separates the ground truth from the hypothesis. The matching of each solver is scored again by a plain dynamic
// programme. A matching without reading order has at most as many errors as one with it.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "free_lines.hpp"
#include "ordered_lines.hpp"

namespace pm = pagemeter;

namespace {

constexpr int kAlphabet = 5;
constexpr std::uint8_t kLineEnd = 0xF0;
constexpr std::uint8_t kSide = 0xFF;

void require(bool condition) {
    if (!condition) std::abort();
}

struct Side {
    std::vector<pm::Token> tokens;
    std::vector<pm::Bounds> bounds;

    pm::Slices slices() const {
        return {pm::Tokens(tokens.data(), tokens.size()), pm::View<const pm::Bounds>(bounds.data(), bounds.size())};
    }
};

Side read_side(const std::uint8_t* from, const std::uint8_t* to) {
    Side side;
    std::int32_t begin = 0;
    const auto end_line = [&] {
        const auto end = static_cast<std::int32_t>(side.tokens.size());
        if (end > begin) side.bounds.push_back({begin, end});
        begin = end;
    };
    for (; from != to; ++from) {
        if (*from >= kLineEnd) {
            end_line();
        } else {
            side.tokens.push_back(*from % kAlphabet);
        }
    }
    end_line();
    return side;
}

int edit_distance(pm::Tokens a, pm::Tokens b) {
    std::vector<int> row(b.size() + 1);
    for (std::size_t j = 0; j < row.size(); ++j) row[j] = static_cast<int>(j);
    for (std::size_t i = 0; i < a.size(); ++i) {
        int diagonal = row[0]++;
        for (std::size_t j = 1; j < row.size(); ++j) {
            const int replaced = diagonal + (a[i] == b[j - 1] ? 0 : 1);
            diagonal = row[j];
            row[j] = std::min(replaced, std::min(row[j], row[j - 1]) + 1);
        }
    }
    return row.back();
}

// The errors of a matching, which must be one-to-one and, if `ordered`, keep the order of the lines.
template <class Pairs>
std::int64_t errors(const pm::Slices& gt, const pm::Slices& hyp, const Pairs& pairs, bool ordered) {
    std::vector<char> gt_taken(gt.bounds.size(), 0), hyp_taken(hyp.bounds.size(), 0);
    std::int64_t sum = gt.total() + hyp.total();
    int last_gt = -1, last_hyp = -1;
    for (const pm::LinePair& p : pairs) {
        char& is_gt_taken = gt_taken.at(pm::unsigned_index(p.gt));
        char& is_hyp_taken = hyp_taken.at(pm::unsigned_index(p.hyp));
        require(!is_gt_taken && !is_hyp_taken);
        is_gt_taken = is_hyp_taken = 1;
        const int distance = edit_distance(gt[p.gt], hyp[p.hyp]);
        require(distance == p.counts.distance);
        sum += distance - gt.length(p.gt) - hyp.length(p.hyp);
        if (ordered) require(p.gt > last_gt && p.hyp > last_hyp);
        last_gt = p.gt, last_hyp = p.hyp;
    }
    return sum;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::uint8_t* end = data + size;
    const std::uint8_t* middle = std::find(data, end, kSide);
    const Side gt_side = read_side(data, middle);
    const Side hyp_side = read_side(middle, end);
    const pm::Slices gt = gt_side.slices(), hyp = hyp_side.slices();
    auto ordered = pm::OrderedLines(gt, hyp, {}, kAlphabet).solve();
    std::sort(ordered.begin(), ordered.end(), [](const auto& a, const auto& b) { return a.gt < b.gt; });
    const auto free = pm::FreeLines(gt, hyp, {}, kAlphabet).solve();
    require(errors(gt, hyp, free, false) <= errors(gt, hyp, ordered, true));
    return 0;
}
