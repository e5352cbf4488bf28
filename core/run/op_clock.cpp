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

void keep(std::vector<Nanoseconds>& samples, Nanoseconds time)
{
    if (samples.size() < kMostSamples)
        samples.push_back(time);
}

} // namespace

void OpClock::forward(const OpRun& run)
{
    const Nanoseconds start = m_clock();
    m_machine.forward(run);
    keep(m_samples[run.op].forward, add(classOf(run.op->kind), run.op->forwardFlops, run.op->forwardBytes, start));
}

void OpClock::backward(const OpRun& run)
{
    const Nanoseconds start = m_clock();
    m_machine.backward(run);
    keep(m_samples[run.op].backward, add(classOf(run.op->kind), run.op->backwardFlops, run.op->backwardBytes, start));
}

void OpClock::update(OptimizerKind kind, std::int64_t step, const ParameterUpdate& update)
{
    const Nanoseconds start = m_clock();
    m_machine.update(kind, step, update);
    add(OpClass::Optimizer, {0}, optimizerTraffic(kind, update.parameter->bytes, stateOf(update)), start);
}

OpSamples OpClock::samplesOf(const Op& op) const
{
    const auto found = m_samples.find(&op);
    return found == m_samples.end() ? OpSamples{} : found->second;
}

void OpClock::reset()
{
    m_times = {};
    m_samples.clear();
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
