// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/worker/self_test.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "app/worker/pass_machine.h"
#include "core/base/format_units.h"
#include "core/base/thread_pool.h"
#include "core/cost/device_traits.h"
#include "core/model/presets.h"
#include "core/run/child_process.h"
#include "core/run/kernels/kernels.h"
#include "core/run/local_plan.h"
#include "core/run/process_memory.h"
#include "core/run/run_passes.h"
#include "core/run/worker_client.h"

namespace remat::worker {

namespace {

using namespace literals;

/// A check's finding: empty when all is well, else what is wrong; `note` is a figure to show.
struct Finding {
    std::string problem, note;
};

/// Floats at an address that kernels accept.
class Floats {
public:
    explicit Floats(std::size_t count)
        : m_data(static_cast<float*>(std::aligned_alloc(64, (count * sizeof(float) + 63) / 64 * 64))),
          m_count(count)
    { }
    float* data() { return m_data.get(); }
    float& operator[](std::size_t i) { return m_data.get()[i]; }
    std::size_t size() const { return m_count; }

private:
    struct Free {
        void operator()(float* data) const { std::free(data); }
    };
    std::unique_ptr<float, Free> m_data;
    std::size_t m_count;
};

/// A product of odd sizes against sums in double precision.
Finding checkProduct(const kernels::CpuKernels& kernels)
{
    constexpr std::size_t kM = 67, kN = 129, kK = 83;
    ThreadPool pool(2);
    Floats scratch(static_cast<std::size_t>(2 * kernels::kScratchBytesPerWorker) / sizeof(float));
    const kernels::Workers workers{pool, reinterpret_cast<std::byte*>(scratch.data())};
    Floats a(kM * kK), b(kK * kN), c(kM * kN);
    kernels.fillNormal(workers, {1, 1}, kM * kK, 1.0F, a.data());
    kernels.fillNormal(workers, {1, 2}, kK * kN, 1.0F, b.data());
    kernels.gemm(workers, {kM, kN, kK}, a.data(), b.data(), nullptr, c.data(), kernels::Store::Write);
    double worst = 0.0;
    for (std::size_t i = 0; i < kM; ++i) {
        for (std::size_t j = 0; j < kN; ++j) {
            double sum = 0.0, size = 0.0;
            for (std::size_t k = 0; k < kK; ++k) {
                const double term = static_cast<double>(a[i * kK + k]) * static_cast<double>(b[k * kN + j]);
                sum += term;
                size += std::abs(term);
            }
            worst = std::max(worst, std::abs(static_cast<double>(c[i * kN + j]) - sum) / size);
        }
    }
    // Each of the K additions may round once (Higham, Accuracy and Stability, section 3.1): K u, u = 2^-24.
    const double bound = static_cast<double>(kK) * std::ldexp(1.0, -24);
    return {worst <= bound ? "" : "relative error " + std::to_string(worst), ""};
}

struct Sample {
    Plan keepAll, full;
};

/// A step that every machine takes in a moment.
Sample samplePlans(const std::string& preset, RunMachine machine, int threads)
{
    ModelShape shape = findPreset(preset).value();
    TrainingSetup setup;
    setup.batch = 2;
    if (machine == RunMachine::Emulated) {
        // Every thread of every kernel runs on this CPU.
        shape.vocabulary = 128;
        setup.batch = 1;
        setup.sequence = 16;
    }
    setup = withDefaults(shape, setup);
    const Device device = sizesOf(machine, threads);
    const StepTape tape = buildStepTape(shape, setup, machineTraits(device));
    const auto planOf
        = [&](Strategy::Kind kind) { return derivePlan(tape, device, keepSetsOf({kind}, tape, {}, {0})); };
    return {planOf(Strategy::Kind::None), planOf(Strategy::Kind::Full)};
}

bool sameBits(const GradientsFound& a, const GradientsFound& b)
{
    return a.lossBits == b.lossBits && a.hashes == b.hashes;
}

/// What `check` finds on a machine, or why it cannot be used.
template <class Check> Finding onMachine(RunMachine kind, const Check& check)
{
    const Result<std::unique_ptr<PassMachine>> machine = openPassMachine(kind, std::nullopt);
    return machine ? check(**machine) : Finding{englishSentence(machine.error()), ""};
}

Finding checkRecomputation(const std::string& preset, RunMachine kind)
{
    const Sample sample = samplePlans(preset, kind, 2);
    return onMachine(kind, [&](PassMachine& machine) -> Finding {
        const auto keepAll = machine.gradients({sample.keepAll, 1, 2, std::nullopt}, false, {});
        const auto full = machine.gradients({sample.full, 1, 2, std::nullopt}, true, {});
        if (!keepAll || !full)
            return {englishSentence(keepAll ? full.error() : keepAll.error()), ""};
        return {sameBits(*keepAll, *full) ? "" : "gradients or loss differ in a bit",
            std::to_string(full->hashes.size()) + " gradients"};
    });
}

Finding checkThreads(const std::string& preset)
{
    const Plan plan = samplePlans(preset, RunMachine::Cpu, 1).keepAll;
    const auto one = runGradientPass({plan, 1, 1, std::nullopt}, false, {});
    const Plan wide = samplePlans(preset, RunMachine::Cpu, 3).keepAll;
    const auto three = runGradientPass({wide, 1, 3, std::nullopt}, false, {});
    if (!one || !three)
        return {englishSentence(one ? three.error() : one.error()), ""};
    return {sameBits(*one, *three) ? "" : "gradients or loss differ in a bit between 1 and 3 threads", ""};
}

std::string otherThan(const char* what, Bytes found, Bytes predicted)
{
    return found == predicted
        ? ""
        : what + (" " + std::to_string(found.value)) + " B, predicted " + std::to_string(predicted.value) + " B";
}

Finding checkTracked(const std::string& preset)
{
    const Plan plan = samplePlans(preset, RunMachine::Cpu, 2).full;
    const auto found = runTimingPass({plan, 1, 2, std::nullopt}, 1, Bytes{kMaxQuantity}, {});
    if (!found)
        return {englishSentence(found.error()), ""};
    return {otherThan("tracked", found->tracked, plan.prediction.peak), formatBytes(found->tracked)};
}

/// The pool's own count must be the tracked one on the emulator; on a GPU, where it may round otherwise, it is told.
Finding checkPool(const std::string& preset, RunMachine kind)
{
    const Plan plan = samplePlans(preset, kind, 2).full;
    return onMachine(kind, [&](PassMachine& machine) -> Finding {
        const auto found = machine.memory({plan, 1, 2, std::nullopt}, {});
        if (!found)
            return {englishSentence(found.error()), ""};
        const Bytes used = found->pool->peak().used;
        std::string problem = otherThan("tracked", found->tracked, plan.prediction.peak);
        if (problem.empty() && kind == RunMachine::Emulated)
            problem = otherThan("the pool counts", used, plan.prediction.peak);
        return {problem,
            formatBytes(found->tracked) + ", the pool counts " + std::to_string((used - found->tracked).value)
                + " B more"};
    });
}

/// A machine that another program has is checked by it.
Finding checkByItsOwnProgram(RunMachine kind)
{
    const std::string program = pathBesideThisProgram(passProgramOf(kind));
    Result<ChildProcess> started = ChildProcess::start({program, "--self-test"});
    if (!started)
        return {englishSentence(started.error()), ""};
    std::string last;
    for (;;) {
        const ChildProcess::Read read = started->readLine(std::chrono::milliseconds{100});
        if (read.line)
            last = *read.line;
        if (read.atEnd)
            break;
    }
    const WorkerExit exit = started->finish();
    return {exit.code == 0 && exit.signal == 0 ? "" : last.empty() ? "it does not start" : last, last};
}

Finding checkMemoryReading()
{
    constexpr Bytes kBlock = 64_MiB;
    const bool isReset = resetPeakResident();
    const auto before = readProcessMemory();
    if (!isReset || !before)
        return {"the system does not tell resident memory (/proc/self/status, clear_refs)", ""};
    Floats block(static_cast<std::size_t>(kBlock.value) / sizeof(float));
    std::fill(block.data(), block.data() + block.size(), 1.0F);
    const auto after = readProcessMemory();
    const Bytes grown = after ? after->peakResident - before->resident : Bytes{0};
    const Bytes off{std::abs((grown - kBlock).value)};
    return {off <= 2_MiB ? "" : "64 MiB were written and " + formatBytes(grown) + " counted", formatBytes(grown)};
}

} // namespace

int runSelfTest()
{
    struct Check {
        std::string name;
        std::function<Finding()> run;
    };
    const std::optional<RunMachine> gpu = gpuMachineHere();
    std::vector<Check> checks;
    if (!gpu)
        checks.push_back({"resident memory is counted", checkMemoryReading});
    for (const kernels::InstructionSet set : kernels::kInstructionSets)
        if (const kernels::CpuKernels* compiled = gpu ? nullptr : kernels::cpuKernels(set))
            checks.push_back({std::string("product against double precision, ") + compiled->name(),
                [compiled] { return checkProduct(*compiled); }});
    const RunMachine kind = gpu.value_or(RunMachine::Cpu);
    for (const char* preset : {"tiny-gpt2", "tiny-bert", "tiny-llama"}) {
        const std::string name = preset;
        checks.push_back({name + ": same bits with and without recomputation",
            [name, kind] { return checkRecomputation(name, kind); }});
        if (gpu) {
            checks.push_back(
                {name + ": tracked peak is the predicted one", [name, kind] { return checkPool(name, kind); }});
            continue;
        }
        checks.push_back({name + ": same bits at 1 and 3 threads", [name] { return checkThreads(name); }});
        checks.push_back({name + ": tracked peak is the predicted one", [name] { return checkTracked(name); }});
    }
    if (!gpu) {
        checks.push_back({"machine emulated", [] { return checkByItsOwnProgram(RunMachine::Emulated); }});
        const Result<GpuAnswer> answer = askWorkerForGpus({"/proc/self/exe"});
        if (const Result<GpuFound> found = answer ? usableGpu(*answer) : Result<GpuFound>(answer.error()))
            checks.push_back({"machine cuda, " + found->name, [] { return checkByItsOwnProgram(RunMachine::Cuda); }});
        else
            std::printf("absent machine cuda: %s\n", englishText(found.error()).c_str());
    }
    int failures = 0;
    for (const Check& check : checks) {
        const Finding finding = check.run();
        const bool isWell = finding.problem.empty();
        failures += isWell ? 0 : 1;
        const std::string& detail = isWell ? finding.note : finding.problem;
        std::printf("%s %s%s%s\n", isWell ? "ok    " : "FAILED", check.name.c_str(), detail.empty() ? "" : ": ",
            detail.c_str());
        std::fflush(stdout);
    }
    std::printf(failures == 0 ? "All %zu checks passed.\n" : "Of %zu checks, %d failed.\n", checks.size(), failures);
    return failures == 0 ? 0 : static_cast<int>(ExitCode::DeviceError);
}

} // namespace remat::worker
