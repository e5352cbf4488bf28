// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/run/op_clock.h"

#include <utility>

#include "core/cost/roofline.h"

namespace remat {

namespace {

Bytes stateOf(const ParameterUpdate& update)
{
    const std::int64_t copies = (update.momentum ? 1 : 0) + (update.variance ? 1 : 0) + (update.master ? 1 : 0);
    return copies * update.parameter->stateBytes;
}

void count(OpSamples& samples, Nanoseconds time)
{
    ++samples.runs;
    if (samples.times.size() < kMostSamples)
        samples.times.push_back(time);
}

} // namespace

template <class Work> void OpClock::time(const Pending& pending, const Work& work)
{
    m_stopwatch.stamp();
    work();
    m_stopwatch.stamp();
    m_pending.push_back(pending);
}

void OpClock::forward(const OpRun& run)
{
    const Op& op = *run.op;
    time({&op, true, classOf(op.kind), op.forwardFlops, op.forwardBytes}, [&] { m_machine.forward(run); });
}

void OpClock::backward(const OpRun& run)
{
    const Op& op = *run.op;
    time({&op, false, classOf(op.kind), op.backwardFlops, op.backwardBytes}, [&] { m_machine.backward(run); });
}

void OpClock::update(OptimizerKind kind, std::int64_t step, const ParameterUpdate& update)
{
    const Bytes traffic = optimizerTraffic(kind, update.parameter->bytes, stateOf(update));
    time({nullptr, false, OpClass::Optimizer, {0}, traffic}, [&] { m_machine.update(kind, step, update); });
}

Result<void> OpClock::finish()
{
    Result<void> finished = m_machine.finish();
    if (finished)
        settle();
    return finished;
}

void OpClock::settle()
{
    const std::vector<Nanoseconds> stamps = m_stopwatch.take();
    // A machine that broke down has noted less than it was asked to.
    if (stamps.size() < 2 * m_pending.size())
        m_pending.resize(stamps.size() / 2);
    for (std::size_t i = 0; i < m_pending.size(); ++i) {
        const Pending& pending = m_pending[i];
        const OpMoment moment{stamps[2 * i], stamps[2 * i + 1]};
        ClassTime& sum = m_times[static_cast<std::size_t>(pending.opClass)];
        sum.flops += pending.flops;
        sum.bytes += pending.bytes;
        sum.time += moment.end - moment.start;
        ++sum.ops;
        if (!pending.op)
            continue;
        OpRuns& runs = m_runs[pending.op];
        count(pending.isForward ? runs.forward : runs.backward, moment.end - moment.start);
        m_moments.push_back(moment);
    }
    m_pending.clear();
}

const ClassTime& OpClock::timeOf(OpClass opClass)
{
    settle();
    return m_times[static_cast<std::size_t>(opClass)];
}

OpRuns OpClock::runsOf(const Op& op)
{
    settle();
    const auto found = m_runs.find(&op);
    return found == m_runs.end() ? OpRuns{} : found->second;
}

std::vector<OpMoment> OpClock::takeMoments()
{
    settle();
    return std::exchange(m_moments, {});
}

void OpClock::reset()
{
    settle();
    m_times = {};
    m_runs.clear();
    m_moments.clear();
}

} // namespace remat
