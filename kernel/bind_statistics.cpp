// Statistics for Python: counts of pages in, sums over pages drawn at random out.
#include "arrays.hpp"
#include "resampling.hpp"

namespace nb = nanobind;
using namespace nb::literals;
namespace pm = pagemeter;

namespace {

using Rows = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Integers = nb::ndarray<const std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using State = nb::ndarray<const std::uint64_t, nb::shape<4>, nb::c_contig, nb::device::cpu>;
using Sums = nb::ndarray<nb::numpy, double, nb::ndim<2>>;
using IntegerSums = nb::ndarray<nb::numpy, std::int64_t, nb::ndim<1>>;

std::span<const std::int64_t> view(const Integers& numbers) { return {numbers.data(), numbers.shape(0)}; }

pm::Random generator(const State& state) {
    pm::Random::State s;
    std::copy_n(state.data(), s.size(), s.begin());
    if (s == pm::Random::State{}) throw std::invalid_argument("the state of a generator must not be all zero");
    return pm::Random(s);
}

void check(const Rows& rows, std::span<const std::int64_t> sizes) {
    if (rows.shape(1) == 0 || rows.shape(1) % pm::DrawnPages::kLanes != 0) {
        throw std::invalid_argument("the columns must be a multiple of four");
    }
    if (rows.shape(0) > INT32_MAX) throw std::invalid_argument("there are too many pages");
    auto left = static_cast<std::int64_t>(rows.shape(0));
    for (std::int64_t pages : sizes) {
        if (pages < 1 || pages > left) {
            throw std::invalid_argument("groups must have pages, and no more than there are");
        }
        left -= pages;
    }
}

Sums resampled_sums(const Rows& rows, const Integers& sizes, std::size_t resamples, const State& state) {
    check(rows, view(sizes));
    const pm::Random random = generator(state);
    auto sums = pm::released([&] {
        return pm::resampled_sums({rows.data(), rows.size()}, rows.shape(1), view(sizes), resamples, random);
    });
    return pm::owning<Sums>(std::move(sums), {resamples, rows.shape(1)});
}

IntegerSums subset_sums(const Integers& numbers, std::size_t subsets, const State& state) {
    const pm::Random random = generator(state);
    return pm::column<IntegerSums>(pm::released([&] { return pm::subset_sums(view(numbers), subsets, random); }));
}

}  // namespace

void bind_statistics(nb::module_& m) {
    m.def("resampled_sums", &resampled_sums, "rows"_a, "sizes"_a, "resamples"_a, "state"_a);
    m.def("subset_sums", &subset_sums, "numbers"_a, "subsets"_a, "state"_a);
}
