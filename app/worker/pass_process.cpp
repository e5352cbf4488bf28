// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/worker/pass_process.h"

#include <array>

#include "app/worker/lines.h"
#include "app/worker/pass_lines.h"
#include "app/worker/pass_machine.h"
#include "core/base/clock.h"
#include "core/run/local_plan.h"
#include "core/run/op_clock.h"
#include "core/run/run_events.h"

namespace remat::worker {

namespace {

constexpr std::array<const char*, 4> kNames{"memory", "timing", "gradients", "keep-all"};
constexpr Nanoseconds kProgressEvery{100'000'000};

/// Says how far the pass is, not more often than people can see; and a failed allocation as soon as it is known.
class Reporter {
public:
    Reporter(PassKind kind, std::int64_t steps) : m_name(toName(kind)), m_steps(steps), m_start(steadyClock()) { }

    PassWatch watch(std::stop_token stop)
    {
        return {std::move(stop),
            [this](std::int64_t step, double share, const std::string& at) { progress(step, share, at); },
            [this](const Refusal& refusal, const RefusedAt& at) {
                RunFailure failure = failureOf(refusal.error);
                failure.requested = refusal.requested;
                failure.live = refusal.live;
                failure.where = at.op.empty() ? at.phase : at.phase + ", " + at.op;
                failure.phase = at.phase;
                failure.op = at.op;
                say(toLine(failure));
                m_hasFailed = true;
            }};
    }

    int fail(const Error& error) const
    {
        if (!m_hasFailed)
            say(toLine(failureOf(error)));
        return static_cast<int>(error.exitCode());
    }

private:
    void progress(std::int64_t step, double share, const std::string& at)
    {
        const Nanoseconds now = steadyClock();
        if (step == m_lastStep && now - m_last < kProgressEvery)
            return;
        m_last = now;
        m_lastStep = step;
        const double done = (static_cast<double>(step) + share) / static_cast<double>(m_steps);
        say(toLine(StepEvent{m_name, step, m_steps, static_cast<double>((now - m_start).value) * 1e-9, done, at}));
    }

    std::string m_name;
    std::int64_t m_steps;
    Nanoseconds m_start, m_last;
    std::int64_t m_lastStep = -1;
    bool m_hasFailed = false;
};

template <class Found> int finish(const Result<Found>& found, const Reporter& reporter)
{
    if (!found)
        return reporter.fail(found.error());
    say(measuredLine(*found));
    return 0;
}

} // namespace

const char* toName(PassKind kind)
{
    return kNames[static_cast<std::size_t>(kind)];
}

bool parsePassKind(const std::string& name, PassKind& kind)
{
    for (std::size_t i = 0; i < kNames.size(); ++i)
        if (name == kNames[i]) {
            kind = static_cast<PassKind>(i);
            return true;
        }
    return false;
}

int runPass(PassKind kind, const RunRequest& request, Bytes mostHeld, std::stop_token stop)
{
    const Device device = deviceOf(request);
    PassSetup setup;
    setup.plan
        = kind == PassKind::KeepAll ? keepAllPlan(request.plan, device) : planForThisMachine(request.plan, device);
    setup.seed = request.seed;
    setup.threads = static_cast<int>(device.threads);
    // What keep-everything needs is not the plan's budget.
    const std::optional<Bytes> budget
        = request.enforcesBudget && kind != PassKind::KeepAll ? request.plan.budget : std::nullopt;
    // On a GPU its pool enforces it, so that all that the pool counts is held against it.
    if (request.machine == RunMachine::Cpu)
        setup.budget = budget;
    Reporter reporter(kind, kind == PassKind::Timing ? request.steps + 1 : 1);
    const PassWatch watch = reporter.watch(std::move(stop));
    const Result<std::unique_ptr<PassMachine>> machine = openPassMachine(request.machine, budget);
    if (!machine)
        return reporter.fail(machine.error());
    PassMachine& m = **machine;
    switch (kind) {
    case PassKind::Memory:
        return finish(m.memory(setup, watch), reporter);
    case PassKind::Timing:
        return finish(m.timing(setup, request.steps, mostHeld, watch), reporter);
    case PassKind::Gradients:
        return finish(m.gradients(setup, true, watch), reporter);
    case PassKind::KeepAll:
        return finish(m.gradients(setup, false, watch), reporter);
    }
    return 0;
}

} // namespace remat::worker
