// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <functional>
#include <map>
#include <vector>

#include "core/cost/op_class.h"
#include "core/run/machine.h"

namespace remat {

/// What the ops of one class took together.
struct ClassTime {
    Flops flops;
    Bytes bytes; ///< memory traffic, as the tape counts it
    Nanoseconds time;
    std::int64_t ops = 0;
};

/// What one op of the tape took each time that it ran, in one direction.
struct OpSamples {
    std::vector<Nanoseconds> times; ///< of the first kMostSamples runs
    std::int64_t runs = 0;          ///< all of them
};
struct OpRuns {
    OpSamples forward; ///< the first run of a step, and every rerun
    OpSamples backward;
};
inline constexpr std::size_t kMostSamples = 4096;

/// A machine that times every op of another one, by class and by op; everything else is passed on.
///
/// Work and time of forwards and backwards add up, so that a class's rate is work / time of a whole step.  Two clock
/// reads an op, some 50 ns, are little beside the kernels, so that a timed step takes no longer.  The other machine
/// must have done an op when its call returns, as the CPU's has.
class OpClock : public Machine {
public:
    OpClock(Machine& machine, std::function<Nanoseconds()> clock) : m_machine(machine), m_clock(std::move(clock)) { }

    const ClassTime& timeOf(OpClass opClass) const { return m_times[static_cast<std::size_t>(opClass)]; }
    /// By the op's place in the tape that runs; empty where it did not run.
    OpRuns runsOf(const Op& op) const;
    void reset();

    std::string name() const override { return m_machine.name(); }
    MachineTraits traits() const override { return m_machine.traits(); }
    Result<std::byte*> allocate(Bytes bytes) override { return m_machine.allocate(bytes); }
    void release(std::byte* data, Bytes bytes) override { m_machine.release(data, bytes); }
    void useWorkspace(std::byte* data) override { m_machine.useWorkspace(data); }
    void forward(const OpRun& run) override;
    void backward(const OpRun& run) override;
    void update(OptimizerKind kind, std::int64_t step, const ParameterUpdate& update) override;
    void initialize(const Parameter& parameter, ElementType storage, std::uint64_t seed, std::uint64_t stream,
        std::byte* data, float* master) override
    {
        m_machine.initialize(parameter, storage, seed, stream, data, master);
    }
    void fillZero(Bytes bytes, std::byte* data) override { m_machine.fillZero(bytes, data); }
    void drawTokens(std::uint64_t seed, std::uint64_t stream, std::int64_t count, std::int64_t vocabulary,
        std::int32_t* out) override
    {
        m_machine.drawTokens(seed, stream, count, vocabulary, out);
    }
    Result<void> finish() override { return m_machine.finish(); }
    Result<std::span<const std::byte>> onHost(std::span<const std::byte> data, std::vector<std::byte>& room) override
    {
        return m_machine.onHost(data, room);
    }

private:
    Nanoseconds add(OpClass opClass, Flops flops, Bytes bytes, Nanoseconds start);

    Machine& m_machine;
    std::function<Nanoseconds()> m_clock;
    std::array<ClassTime, kOpClassCount> m_times;
    std::map<const Op*, OpRuns> m_runs;
};

} // namespace remat
