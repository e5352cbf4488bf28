// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/run/run_progress.h"

#include "core/base/rough_time.h"

namespace remat {

namespace {

constexpr Nanoseconds kLeastPause{1'000'000'000};
constexpr Nanoseconds kMostSilence{10'000'000'000};
/// Below this share of the run its pace is no guide yet.
constexpr double kLeastFraction = 0.02;

/// "warm-up" or "step 2 of 3": the timing pass warms up with its step 0; passes of one step have no number.
std::string nameOf(const StepEvent& step)
{
    if (step.n <= 1)
        return step.pass;
    if (step.i == 0)
        return step.pass + ": warm-up";
    return step.pass + ": step " + std::to_string(step.i) + " of " + std::to_string(step.n - 1);
}

} // namespace

std::optional<std::string> RunProgress::line(const RunEvent& event, Nanoseconds now)
{
    if (const auto* hello = std::get_if<HelloEvent>(&event))
        return "worker: " + hello->machine + (hello->job.empty() ? "" : ", job " + hello->job);
    if (const auto* log = std::get_if<LogEvent>(&event))
        return log->text;
    if (const auto* step = std::get_if<StepEvent>(&event))
        return stepLine(*step, now);
    if (const auto* phase = std::get_if<PhaseEvent>(&event)) {
        // Checking comes before the first pass and is no part of the fractions.
        if (phase->pass > 1 && !m_start)
            m_start = now;
        m_lastLine = now;
        return "phase: " + phase->name;
    }
    return std::nullopt;
}

std::optional<std::string> RunProgress::stepLine(const StepEvent& step, Nanoseconds now)
{
    const std::string name = nameOf(step);
    if (now - m_lastLine < (name == m_lastStep ? kMostSilence : kLeastPause))
        return std::nullopt;
    m_lastLine = now;
    m_lastStep = name;
    if (!m_start || step.fraction < kLeastFraction || step.fraction >= 1)
        return name;
    const double elapsed = static_cast<double>((now - *m_start).value) * 1e-9;
    return name + ", about " + roughTime(elapsed * (1 - step.fraction) / step.fraction) + " left";
}

} // namespace remat
