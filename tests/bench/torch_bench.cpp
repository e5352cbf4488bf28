// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
// A training step of three models beside PyTorch's on the same CPU with the same threads: eager fp32, the same maths
// (torch_step.py), forward, backward and AdamW.  The two take turns, and a ratio is the median of those of neighbours,
// so that a machine that is busy with other things slows both.  "Processor" counts the time of all threads, whoever
// else runs; waiting threads of PyTorch's OpenMP count as busy in it.
// Needs a Python with torch and transformers, named by REMAT_TORCH_PYTHON (else python3); without one it says so.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/base/json_cursor.h"
#include "core/base/json_text.h"
#include "core/model/presets.h"
#include "core/run/child_process.h"
#include "core/run/op_clock.h"
#include "core/run/this_machine.h"
#include "tests/support/run_step.h"

namespace {

using namespace remat;
using namespace remat::testing;
using nlohmann::json;

constexpr int kPairs = 7;
constexpr double kAim = 1.0;

/// Of one step, in seconds.
struct StepTime {
    double wall = 0, processor = 0, optimizer = 0;
};

double seconds(Nanoseconds time)
{
    return static_cast<double>(time.value) * 1e-9;
}

double processorSeconds()
{
    timespec time{};
    ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

double middle(std::vector<double> values)
{
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

struct Compared {
    std::string name;
    ModelShape shape;
    TrainingSetup setup;
};

/// PyTorch in a process of its own, a step for every line.
class TorchStep {
public:
    static std::optional<TorchStep> start(const Compared& model, int threads)
    {
        const char* named = std::getenv("REMAT_TORCH_PYTHON");
        const std::string python = named && *named ? named : "python3";
        Result<ChildProcess> child = ChildProcess::start({python, REMAT_BENCH_SOURCES "/torch_step.py"});
        if (!child)
            return std::nullopt;
        const ModelShape& s = model.shape;
        child->writeLine(jsonText(json{{"type", s.modelType}, {"layers", s.layers}, {"hidden", s.hidden},
            {"heads", s.heads}, {"key_value_heads", s.keyValueHeads}, {"ffn", s.ffn}, {"vocabulary", s.vocabulary},
            {"positions", s.maxPositions}, {"tied", s.hasTiedHead}, {"batch", model.setup.batch},
            {"sequence", model.setup.sequence}, {"threads", threads}}));
        TorchStep step(*std::move(child));
        const std::optional<json> hello = step.read();
        if (!hello || hello->contains("missing")) {
            std::printf(
                "PyTorch is not compared: %s.  REMAT_TORCH_PYTHON names a Python with torch and transformers.\n",
                hello ? hello->at("missing").get<std::string>().c_str() : (python + " gives no answer").c_str());
            return std::nullopt;
        }
        step.m_hello = *hello;
        return step;
    }

    std::int64_t parameters() const { return m_hello.at("parameters").get<std::int64_t>(); }
    std::string version() const { return m_hello.at("torch").get<std::string>(); }

    std::optional<StepTime> run()
    {
        m_child.writeLine("step");
        const std::optional<json> answer = read();
        if (!answer)
            return std::nullopt;
        return StepTime{answer->at("seconds").get<double>(), answer->at("processor").get<double>(),
            answer->at("optimizer").get<double>()};
    }

private:
    explicit TorchStep(ChildProcess child) : m_child(std::move(child)) { }

    std::optional<json> read()
    {
        for (;;) {
            const ChildProcess::Read read = m_child.readLine(std::chrono::milliseconds{1000});
            if (read.line) {
                const Result<json> parsed = parseJson(*read.line, "torch_step.py");
                return parsed ? std::optional<json>(*parsed) : std::nullopt;
            }
            if (read.atEnd)
                return std::nullopt;
        }
    }

    ChildProcess m_child;
    json m_hello;
};

/// Our step that keeps everything, as PyTorch's does.
class OurStep {
public:
    OurStep(const Compared& model, int threads)
        : m_tape(buildStepTape(model.shape, model.setup, machineTraits(roundCpu(threads)))),
          m_step(buildFixedChain(m_tape, roundCpu(threads), keepEverything(m_tape))),
          m_program(lower(m_step, flatSchedule(m_step.chain, std::vector<int>(m_step.chain.stages.size(), 0)))),
          m_cpu({.threads = threads, .reusesBlocks = true}),
          m_clock(m_cpu, steadyClock)
    {
        ExecutorOptions options;
        options.clock = steadyClock;
        m_executor = *Executor::create(m_step.tape, m_program, m_clock, options);
    }

    std::int64_t parameters() const { return m_tape.parameterCount(); }
    std::string machine() const { return m_cpu.name(); }

    StepTime run()
    {
        const double before = processorSeconds();
        const StepObservation seen = m_executor->runStep().value();
        return {seconds(seen.time), processorSeconds() - before, seconds(seen.optimizerTime)};
    }

    void forget() { m_clock.reset(); }

    /// What took longest, by class of op.
    void printClasses(int steps)
    {
        std::vector<std::pair<double, std::string>> rows;
        for (std::size_t i = 0; i < kOpClassCount; ++i) {
            const auto opClass = static_cast<OpClass>(i);
            rows.emplace_back(seconds(m_clock.timeOf(opClass).time) / steps, toName(opClass));
        }
        std::sort(rows.rbegin(), rows.rend());
        std::printf("  ours by class, ms:");
        for (const auto& [time, name] : rows)
            if (time >= 5e-4)
                std::printf(" %s %.0f", name.c_str(), time * 1e3);
        std::printf("\n");
    }

private:
    StepTape m_tape;
    StepChain m_step;
    Program m_program;
    CpuMachine m_cpu;
    OpClock m_clock;
    std::unique_ptr<Executor> m_executor;
};

bool compare(const Compared& model, int threads)
{
    std::optional<TorchStep> torch = TorchStep::start(model, threads);
    if (!torch)
        return false;
    OurStep ours(model, threads);
    std::vector<double> wall, processor, optimizer, ourTimes, torchTimes;
    ours.run(); // the first steps pay for page faults
    if (!torch->run())
        return false;
    ours.forget();
    for (int i = 0; i < kPairs; ++i) {
        const StepTime mine = ours.run();
        const std::optional<StepTime> theirs = torch->run();
        if (!theirs)
            return false;
        wall.push_back(theirs->wall / mine.wall);
        processor.push_back(theirs->processor / mine.processor);
        optimizer.push_back(theirs->optimizer / mine.optimizer);
        ourTimes.push_back(mine.wall);
        torchTimes.push_back(theirs->wall);
    }
    std::printf("%s, %s beside PyTorch %s: %.2f s and %.2f s a step; throughput %.2fx (aim %.1f), by processor time "
                "%.2fx, optimizer %.2fx; parameters %lld and %lld\n",
        model.name.c_str(), ours.machine().c_str(), torch->version().c_str(), middle(ourTimes), middle(torchTimes),
        middle(wall), kAim, middle(processor), middle(optimizer), static_cast<long long>(ours.parameters()),
        static_cast<long long>(torch->parameters()));
    ours.printClasses(kPairs);
    std::fflush(stdout);
    return true;
}

Compared presetOf(const char* name, std::int64_t sequence)
{
    Compared model{std::string(name) + ", b1 s" + std::to_string(sequence), findPreset(name).value(), {}};
    model.setup.batch = 1;
    model.setup.sequence = sequence;
    model.setup.dropout = 0.0;
    return model;
}

/// A small LLaMA of 4 layers: TinyLlama's vocabulary and grouping, half its width.
Compared llamaOfFourLayers()
{
    Compared model = presetOf("llama-2-7b", 512);
    model.name = "llama of 4 layers of width 1024, b1 s512";
    model.shape.layers = 4;
    model.shape.hidden = 1024;
    model.shape.heads = 16;
    model.shape.keyValueHeads = 4;
    model.shape.ffn = 2816;
    return model;
}

} // namespace

int main()
{
    // A number of threads of its own is for a machine that others use too.
    const char* named = std::getenv("REMAT_BENCH_THREADS");
    const int threads = named ? std::clamp(std::atoi(named), 1, 256) : usableThreads();
    for (const Compared& model : {presetOf("gpt2", 256), presetOf("bert-base", 512), llamaOfFourLayers()})
        if (!compare(model, threads))
            return 0;
    return 0;
}
