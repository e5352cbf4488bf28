// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/run/op_clock.h"

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

void OpClock::forward(const OpRun& run)
{
    const Nanoseconds start = m_clock();
    m_machine.forward(run);
    count(m_runs[run.op].forward, add(classOf(run.op->kind), run.op->forwardFlops, run.op->forwardBytes, start));
}

void OpClock::backward(const OpRun& run)
{
    const Nanoseconds start = m_clock();
    m_machine.backward(run);
    count(m_runs[run.op].backward, add(classOf(run.op->kind), run.op->backwardFlops, run.op->backwardBytes, start));
}

void OpClock::update(OptimizerKind kind, std::int64_t step, const ParameterUpdate& update)
{
    const Nanoseconds start = m_clock();
    m_machine.update(kind, step, update);
    add(OpClass::Optimizer, {0}, optimizerTraffic(kind, update.parameter->bytes, stateOf(update)), start);
}

OpRuns OpClock::runsOf(const Op& op) const
{
    const auto found = m_runs.find(&op);
    return found == m_runs.end() ? OpRuns{} : found->second;
}

void OpClock::reset()
{
    m_times = {};
    m_runs.clear();
}

Nanoseconds OpClock::add(OpClass opClass, Flops flops, Bytes bytes, Nanoseconds start)
{
    const Nanoseconds time = m_clock() - start;
    ClassTime& sum = m_times[static_cast<std::size_t>(opClass)];
    sum.flops += flops;
    sum.bytes += bytes;
    sum.time += time;
    ++sum.ops;
    return time;
}

} // namespace remat
