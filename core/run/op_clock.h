// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <functional>
#include <map>
#include <memory>
#include <vector>

#include "core/cost/op_class.h"
#include "core/run/machine.h"
#include "core/run/stopwatch.h"

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

/// When one forward or backward began and ended, on the stopwatch's clock.
struct OpMoment {
    Nanoseconds start, end;
};

/// A machine that times every op of another one, by class and by op; everything else is passed on.
///
/// Work and time of forwards and backwards add up, so that a class's rate is work / time of a whole step.  Two stamps
/// an op, on a CPU two clock reads of some 50 ns, are little beside the kernels, so that a timed step takes no longer.
class OpClock : public Machine {
public:
    /// Of a machine that has done an op when its call returns, as the CPU's has.
    OpClock(Machine& machine, std::function<Nanoseconds()> clock)
        : m_machine(machine),
          m_own(std::make_unique<HostStopwatch>(std::move(clock))),
          m_stopwatch(*m_own)
    { }
    OpClock(Machine& machine, Stopwatch& stopwatch) : m_machine(machine), m_stopwatch(stopwatch) { }

    const ClassTime& timeOf(OpClass opClass);
    /// By the op's place in the tape that runs; empty where it did not run.
    OpRuns runsOf(const Op& op);
    /// Of the forwards and backwards since the last call or reset(), in order.
    std::vector<OpMoment> takeMoments();
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
    Result<void> finish() override;
    Result<std::span<const std::byte>> onHost(std::span<const std::byte> data, std::vector<std::byte>& room) override
    {
        return m_machine.onHost(data, room);
    }

private:
    /// Work between two stamps whose time is not known yet.
    struct Pending {
        const Op* op; ///< null: an update of a weight
        bool isForward;
        OpClass opClass;
        Flops flops;
        Bytes bytes;
    };
    template <class Work> void time(const Pending& pending, const Work& work);
    /// Reads the stamps of what ran.
    void settle();

    Machine& m_machine;
    std::unique_ptr<Stopwatch> m_own;
    Stopwatch& m_stopwatch;
    std::vector<Pending> m_pending;
    std::vector<OpMoment> m_moments;
    std::array<ClassTime, kOpClassCount> m_times;
    std::map<const Op*, OpRuns> m_runs;
};

} // namespace remat
