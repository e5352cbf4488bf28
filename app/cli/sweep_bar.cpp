// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/sweep_bar.h"

#include "core/base/rough_time.h"

namespace remat::cli {

namespace {

constexpr std::int64_t kWidth = 20;
constexpr Nanoseconds kOnTerminal{200'000'000};
constexpr Nanoseconds kElsewhere{10'000'000'000};

} // namespace

std::string sweepBar(const SweepProgress& progress)
{
    const std::int64_t filled = progress.total > 0 ? progress.done * kWidth / progress.total : kWidth;
    std::string line = "[" + std::string(static_cast<std::size_t>(filled), '#')
        + std::string(static_cast<std::size_t>(kWidth - filled), '-') + "] " + std::to_string(progress.done) + " of "
        + std::to_string(progress.total) + " points";
    const std::int64_t left = progress.total - progress.done;
    if (left > 0 && progress.found * 50 >= left + progress.found) {
        const double pace = static_cast<double>(progress.elapsed.value) * 1e-9 / static_cast<double>(progress.found);
        line += ", about " + roughTime(pace * static_cast<double>(left)) + " left";
    }
    return line;
}

std::optional<std::string> SweepBar::text(const SweepProgress& progress)
{
    const bool isEnd = progress.done == progress.total;
    const Nanoseconds pause = m_isTerminal ? kOnTerminal : kElsewhere;
    const Nanoseconds last = m_last.value_or(m_isTerminal ? Nanoseconds{-pause.value} : Nanoseconds{});
    if (!isEnd && progress.elapsed - last < pause)
        return std::nullopt;
    m_last = progress.elapsed;
    if (!m_isTerminal)
        return sweepBar(progress) + "\n";
    // What a longer line left behind it is erased.
    return "\r" + sweepBar(progress) + "\x1b[K" + (isEnd ? "\n" : "");
}

} // namespace remat::cli
