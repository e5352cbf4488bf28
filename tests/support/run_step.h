// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <bit>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <vector>

#include "core/base/clock.h"
#include "core/plan/flat_schedule.h"
#include "core/program/lowering.h"
#include "core/program/timeline.h"
#include "core/run/cpu_machine.h"
#include "core/run/executor.h"
#include "tests/support/small_models.h"

namespace remat::testing {

/// A CPU machine that notes what the executor asked it to draw, so that a reference can start from the same numbers.
class NotingMachine : public CpuMachine {
public:
    using CpuMachine::CpuMachine;

    void initialize(const Parameter& parameter, ElementType storage, std::uint64_t seed, std::uint64_t stream,
        std::byte* data, float* master) override
    {
        CpuMachine::initialize(parameter, storage, seed, stream, data, master);
        const auto* values = reinterpret_cast<const float*>(data);
        weights[parameter.name] = {values, values + parameter.elements};
    }

    void drawTokens(std::uint64_t seed, std::uint64_t stream, std::int64_t count, std::int64_t vocabulary,
        std::int32_t* out) override
    {
        CpuMachine::drawTokens(seed, stream, count, vocabulary, out);
        ids.emplace_back(out, out + count);
        seeds.push_back(seed);
    }

    std::map<std::string, std::vector<double>> weights;
    std::vector<std::vector<std::int32_t>> ids; ///< tokens, targets, tokens, ...
    std::vector<std::uint64_t> seeds; ///< of each of these draws: what the micro-batch's dropout is seeded with
};

/// One step of a plan, with everything that a law compares.
struct StepResult {
    Timeline predicted;
    StepObservation seen;
    std::map<std::string, std::vector<float>> gradients;
};

/// A step that a law needs and that does not run leaves nothing to compare.
[[noreturn]] inline void stop(const std::string& reason)
{
    std::fprintf(stderr, "%s\n", reason.c_str());
    std::abort();
}

/// A gradient's numbers; those in bf16 (the upper half of a float's bits) lose nothing.
inline std::vector<float> numbersOf(std::span<const std::byte> bytes, ElementType storage)
{
    if (storage == ElementType::Fp32) {
        const std::span<const float> values = asFloats(bytes);
        return {values.begin(), values.end()};
    }
    std::vector<float> values;
    for (std::size_t i = 0; i + 1 < bytes.size(); i += 2) {
        const auto bits = std::to_integer<std::uint32_t>(bytes[i]) | std::to_integer<std::uint32_t>(bytes[i + 1]) << 8;
        values.push_back(std::bit_cast<float>(bits << 16));
    }
    return values;
}

/// Runs a step on a machine, in an order of its own where `schedule` (of the fixed chain) is not empty, and tells of
/// the last of `steps`.  `device` is what the tape's traits are of.
inline StepResult runOn(Machine& machine, const StepTape& tape, const Device& device, const std::vector<KeepSet>& keep,
    const Schedule& schedule = {}, int steps = 1)
{
    const StepChain step = buildFixedChain(tape, device, keep);
    const Program program
        = lower(step, schedule.empty() ? flatSchedule(step.chain, std::vector<int>(keep.size(), 0)) : schedule);
    StepResult result;
    result.predicted = replayDry(program, step.tape);
    ExecutorOptions options;
    options.clock = steadyClock;
    options.onGradient = [&](const Parameter& parameter, std::span<const std::byte> gradient) {
        result.gradients[parameter.name] = numbersOf(gradient, storageOf(tape.setup));
    };
    auto executor = Executor::create(step.tape, program, machine, options);
    if (!executor)
        stop(englishSentence(executor.error()));
    for (int i = 0; i < steps; ++i) {
        Result<StepObservation> seen = (*executor)->runStep();
        if (!seen)
            stop(englishSentence(seen.error()));
        result.seen = *std::move(seen);
    }
    return result;
}

/// The same on a CPU machine with dropped values poisoned; `noted`, when given, is the machine to use.
inline StepResult runOnce(const StepTape& tape, const std::vector<KeepSet>& keep, int threads,
    NotingMachine* noted = nullptr, const Schedule& schedule = {})
{
    NotingMachine own({.threads = threads, .poisonsBlocks = true});
    return runOn(noted ? *noted : own, tape, roundCpu(threads), keep, schedule);
}

inline std::vector<KeepSet> keepEverything(const StepTape& tape)
{
    std::vector<KeepSet> keep;
    keep.reserve(tape.stages.size());
    for (int s = 0; s < static_cast<int>(tape.stages.size()); ++s)
        keep.push_back(keepAll(tape.tapeOf(s)));
    return keep;
}

/// Name of the first gradient whose bits differ; empty when all are equal.
inline std::string firstDifference(const StepResult& a, const StepResult& b)
{
    if (a.gradients.size() != b.gradients.size())
        return "number of gradients";
    for (const auto& [name, values] : a.gradients) {
        const auto& other = b.gradients.at(name);
        if (values.size() != other.size()
            || std::memcmp(values.data(), other.data(), values.size() * sizeof(float)) != 0)
            return name;
    }
    const auto bitsOf = [](double value) { return std::bit_cast<std::uint64_t>(value); };
    return bitsOf(a.seen.loss) == bitsOf(b.seen.loss) ? "" : "loss";
}

} // namespace remat::testing
