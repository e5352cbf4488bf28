// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/cost/alpha_beta.h"

#include <algorithm>
#include <cmath>

#include "core/cost/device.h"
#include "core/model/step_bounds.h"

namespace remat {

namespace {

/// Two numbers always fit two samples; a third one shows whether they mean anything.
constexpr std::size_t kLeastSamples = 3;
/// Differences below this share of what they are between are rounding noise.
constexpr double kNoise = 1e-9;

/// Sums of the normal equations, each sample weighted by 1 / t^2.
struct Sums {
    double one = 0, work = 0, time = 0, workWork = 0, workTime = 0;

    explicit Sums(std::span<const WorkSample> samples)
    {
        for (const auto& [w, duration] : samples) {
            const auto t = static_cast<double>(duration.value);
            const double weight = 1 / (t * t);
            one += weight;
            work += weight * w;
            time += weight * t;
            workWork += weight * w * w;
            workTime += weight * w * t;
        }
    }

    /// The best slope for a given alpha, in ns per unit of work.
    double slope(double alpha) const { return (workTime - alpha * work) / workWork; }
};

} // namespace

AlphaBeta fitAlphaBeta(std::span<const WorkSample> samples, Nanoseconds launchOverhead)
{
    if (samples.empty())
        return {};
    const Sums sums(samples);
    const double determinant = sums.one * sums.workWork - sums.work * sums.work;
    const bool tellsAlpha = samples.size() >= kLeastSamples && determinant > kNoise * sums.one * sums.workWork;
    double alpha = tellsAlpha ? (sums.time * sums.workWork - sums.work * sums.workTime) / determinant
                              : static_cast<double>(launchOverhead.value);
    alpha = std::round(std::clamp(alpha, 0.0, static_cast<double>(kLongestLaunch.value)));
    if (sums.slope(alpha) <= kNoise * sums.slope(0))
        alpha = 0;
    return {{static_cast<std::int64_t>(alpha)}, std::min(1e9 / sums.slope(alpha), kFastestRate)};
}

} // namespace remat
