// Python bindings of geometry: checked arrays in, new arrays out.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>

#include <cmath>
#include <stdexcept>
#include <vector>

#include "arrays.hpp"
#include "geometry_coverage.hpp"
#include "geometry_tolerance.hpp"
#include "parse_points.hpp"

namespace nb = nanobind;
using namespace nb::literals;
namespace pm = pagemeter;

namespace {

using pm::Baselines;
using pm::Pixel;

using PixelArray = nb::ndarray<const std::int32_t, nb::shape<-1, 2>, nb::c_contig, nb::device::cpu>;
using StartArray = nb::ndarray<const std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using ToleranceArray = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

static_assert(sizeof(Pixel) == 2 * sizeof(std::int32_t), "a row of the array is a pixel");

void require(bool holds, const char* message) {
    if (!holds) throw std::invalid_argument(message);
}

Baselines baselines(const PixelArray& pixels, const StartArray& starts) {
    const auto* rows = reinterpret_cast<const Pixel*>(pixels.data());
    const Baselines lines{{rows, pixels.shape(0)}, {starts.data(), starts.shape(0)}};
    require(!lines.starts.empty() && lines.starts.front() == 0, "starts must begin with 0");
    require(std::ranges::is_sorted(lines.starts), "starts must not decrease");
    require(lines.starts.back() == static_cast<std::int64_t>(lines.pixels.size()),
            "starts must end with the number of pixels");
    const auto inside = [](std::int32_t c) {
        return -pm::geometry::kLimit <= c && c <= pm::geometry::kLimit;
    };
    require(std::ranges::all_of(lines.pixels, [&](Pixel p) { return inside(p.x) && inside(p.y); }),
            "coordinates must lie within one million pixels");
    return lines;
}

using Pixels = nb::ndarray<nb::numpy, std::int32_t, nb::shape<-1, 2>>;
using Starts = nb::ndarray<nb::numpy, std::int64_t, nb::ndim<1>>;
using NeighbourMask = nb::ndarray<nb::numpy, bool, nb::ndim<2>>;

std::pair<Pixels, Starts> arrays(pm::Vector<Pixel> points, std::vector<std::int64_t> begins) {
    const std::size_t size = points.size();
    return {pm::owning<Pixels>(std::move(points), {size, 2}), pm::column<Starts>(std::move(begins))};
}

bool clean_points(const nb::bytes& text) {
    return pm::PointParser({text.c_str(), text.size()}).read([](Pixel) {}, [] {});
}

std::optional<std::pair<Pixels, Starts>> spelled_pixels(const nb::bytes& text) {
    pm::Vector<Pixel> points;
    std::vector<std::int64_t> begins{0};
    const auto end = [&] { begins.push_back(static_cast<std::int64_t>(points.size())); };
    pm::PointParser parser({text.c_str(), text.size()});
    if (!parser.read([&](Pixel p) { points.push_back(p); }, end)) return std::nullopt;
    return arrays(std::move(points), std::move(begins));
}

std::pair<Pixels, Starts> resample(const PixelArray& pixels, const StartArray& starts) {
    auto page = pm::released([&] { return pm::geometry::Resampled(baselines(pixels, starts)); });
    return arrays(std::move(page.points), std::move(page.starts));
}

pm::Doubles tolerances(const PixelArray& pixels, const StartArray& starts) {
    return pm::column<pm::Doubles>(pm::released([&] {
        const Baselines lines = baselines(pixels, starts);
        return pm::tolerances(lines, pm::geometry::Boxes(lines));
    }));
}

// A mask that is all false. Solvers may copy it.
std::vector<std::uint8_t> empty_mask(const Baselines& gt, const Baselines& hyp, double threshold) {
    require(threshold >= 0 && threshold < 1, "threshold must be at least 0 and below 1");
    pm::check_memory(2 * static_cast<std::int64_t>(gt.size() * hyp.size()));
    return std::vector<std::uint8_t>(gt.size() * hyp.size());
}

NeighbourMask neighbour_mask(const PixelArray& gt_pixels, const StartArray& gt_starts, const PixelArray& hyp_pixels,
                    const StartArray& hyp_starts, const ToleranceArray& tolerances, double threshold) {
    std::vector<std::uint8_t> mask = pm::released([&] {
        const Baselines gt = baselines(gt_pixels, gt_starts), hyp = baselines(hyp_pixels, hyp_starts);
        const std::span<const double> t{tolerances.data(), tolerances.shape(0)};
        require(t.size() == gt.size(), "each ground-truth line needs one tolerance");
        require(std::ranges::all_of(t, [](double v) { return v > 0 && std::isfinite(v); }),
                "tolerances must be positive and finite");
        auto out = empty_mask(gt, hyp, threshold);
        pm::neighbour_mask(gt, pm::geometry::Boxes(gt), hyp, pm::geometry::Boxes(hyp), t, threshold, out.data());
        return out;
    });
    return pm::owning<NeighbourMask>(std::move(mask), {gt_starts.shape(0) - 1, hyp_starts.shape(0) - 1});
}

// The same from the corners of the baselines, with the tolerances of the ground truth.
NeighbourMask neighbours(const PixelArray& gt_pixels, const StartArray& gt_starts, const PixelArray& hyp_pixels,
                         const StartArray& hyp_starts, double threshold) {
    std::vector<std::uint8_t> mask = pm::released([&] {
        const Baselines gt = baselines(gt_pixels, gt_starts), hyp = baselines(hyp_pixels, hyp_starts);
        auto out = empty_mask(gt, hyp, threshold);
        const pm::geometry::Resampled gt_points(gt), hyp_points(hyp);
        const pm::geometry::Boxes gt_boxes(gt), hyp_boxes(hyp);
        const auto tolerances = pm::tolerances(gt_points.lines(), gt_boxes);
        pm::neighbour_mask(gt_points.lines(), gt_boxes, hyp_points.lines(), hyp_boxes, tolerances, threshold,
                           out.data());
        return out;
    });
    return pm::owning<NeighbourMask>(std::move(mask), {gt_starts.shape(0) - 1, hyp_starts.shape(0) - 1});
}

}  // namespace

void bind_geometry(nb::module_& m) {
    m.def("clean_points", &clean_points, "text"_a,
          "Return True if all point lists, joined by ';', are pairs of integers of up to six digits.");
    m.def("spelled_pixels", &spelled_pixels, "text"_a,
          "Return the points of all lists, joined by ';', and the start of each list; None unless they are clean.");
    m.def("resample", &resample, "pixels"_a, "starts"_a,
          "Return the resampled points of all baselines, and the start of each baseline.");
    m.def("tolerances", &tolerances, "pixels"_a, "starts"_a,
          "Return t_x of every resampled ground-truth baseline.");
    m.def("neighbour_mask", &neighbour_mask, "gt_pixels"_a, "gt_starts"_a, "hyp_pixels"_a, "hyp_starts"_a,
          "tolerances"_a, "threshold"_a,
          "Return the mask whose entry [x, y] is true if and only if COV(B_y, B_x, t_x) > threshold.");
    m.def("neighbours", &neighbours, "gt_pixels"_a, "gt_starts"_a, "hyp_pixels"_a, "hyp_starts"_a, "threshold"_a,
          "Return this mask from the corners of all baselines, which are resampled first.");
}
