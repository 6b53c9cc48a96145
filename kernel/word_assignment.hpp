// Words matched one to one by their similarity and their place in the text, after E2EHTREval (PRHLT).
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>

#include "assignment.hpp"
#include "levenshtein.hpp"
#include "sequence.hpp"

namespace pagemeter {

struct MatchedWords {
    int equal = 0;
    int unequal = 0;
};

// With N words on the longer side, a pair costs LD(word, word) + |i - j| / N, and a word without a partner half of its
// length + 1 / N. The sum is minimal; all costs are multiplied by 2N. A row that takes a column at the cost of leaving
// it out stands for two words without a partner.
inline MatchedWords match_words(const Slices& gt, const Slices& hyp, int alphabet) {
    if (gt.size() > hyp.size()) return match_words(hyp, gt, alphabet);
    const std::int64_t most = hyp.size();
    check_memory(std::int64_t{gt.size()} * most * std::int64_t{sizeof(std::int64_t)});
    const auto alone = [&](int length) { return most * length + 2; };
    CostMatrix<std::int64_t> costs(gt.size(), hyp.size());
    PatternIndex index(alphabet);
    Progress progress;
    for (int i = 0; i < gt.size(); ++i) {
        index.assign(gt[i]);
        progress(std::int64_t{hyp.size()} * 64);
        for (int j = 0; j < hyp.size(); ++j) {
            const std::int64_t pair = 2 * most * index.distance(hyp[j]) + 2 * std::abs(i - j);
            costs.row(i)[j] = std::min(pair - alone(hyp.length(j)), alone(gt.length(i)));
        }
    }
    const Assignment<std::int64_t> chosen(costs);
    MatchedWords matched;
    for (int i = 0; i < gt.size(); ++i) {
        const int j = chosen.column_of(i);
        if (costs.row(i)[j] == alone(gt.length(i))) continue;
        const bool equal = std::ranges::equal(gt[i], hyp[j]);
        ++(equal ? matched.equal : matched.unequal);
    }
    return matched;
}

}  // namespace pagemeter
