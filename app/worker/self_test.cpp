// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/worker/self_test.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/base/format_units.h"
#include "core/base/thread_pool.h"
#include "core/cost/device_traits.h"
#include "core/model/presets.h"
#include "core/run/kernels/kernels.h"
#include "core/run/local_plan.h"
#include "core/run/process_memory.h"
#include "core/run/run_passes.h"

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

Sample samplePlans(const std::string& preset, int threads)
{
    const ModelShape shape = findPreset(preset).value();
    TrainingSetup setup;
    setup.batch = 2;
    setup = withDefaults(shape, setup);
    const Device device = sizesOfThisCpu(threads);
    const StepTape tape = buildStepTape(shape, setup, machineTraits(device));
    const auto planOf
        = [&](Strategy::Kind kind) { return derivePlan(tape, device, keepSetsOf({kind}, tape, {}, {0})); };
    return {planOf(Strategy::Kind::None), planOf(Strategy::Kind::Full)};
}

bool sameBits(const GradientsFound& a, const GradientsFound& b)
{
    return a.lossBits == b.lossBits && a.hashes == b.hashes;
}

Finding checkRecomputation(const std::string& preset)
{
    const Sample sample = samplePlans(preset, 2);
    const auto keepAll = runGradientPass({sample.keepAll, 1, 2, std::nullopt}, false, {});
    const auto full = runGradientPass({sample.full, 1, 2, std::nullopt}, true, {});
    if (!keepAll || !full)
        return {englishSentence(keepAll ? full.error() : keepAll.error()), ""};
    return {sameBits(*keepAll, *full) ? "" : "gradients or loss differ in a bit",
        std::to_string(full->hashes.size()) + " gradients"};
}

Finding checkThreads(const std::string& preset)
{
    const Plan plan = samplePlans(preset, 1).keepAll;
    const auto one = runGradientPass({plan, 1, 1, std::nullopt}, false, {});
    const Plan wide = samplePlans(preset, 3).keepAll;
    const auto three = runGradientPass({wide, 1, 3, std::nullopt}, false, {});
    if (!one || !three)
        return {englishSentence(one ? three.error() : one.error()), ""};
    return {sameBits(*one, *three) ? "" : "gradients or loss differ in a bit between 1 and 3 threads", ""};
}

Finding checkTracked(const std::string& preset)
{
    const Plan plan = samplePlans(preset, 2).full;
    const auto found = runTimingPass({plan, 1, 2, std::nullopt}, 1, Bytes{kMaxQuantity}, {});
    if (!found)
        return {englishSentence(found.error()), ""};
    if (found->tracked != plan.prediction.peak)
        return {"tracked " + std::to_string(found->tracked.value) + " B, predicted "
                + std::to_string(plan.prediction.peak.value) + " B",
            ""};
    return {"", formatBytes(found->tracked)};
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
    std::vector<Check> checks{{"resident memory is counted", checkMemoryReading}};
    for (const kernels::InstructionSet set : kernels::kInstructionSets)
        if (const kernels::CpuKernels* compiled = kernels::cpuKernels(set))
            checks.push_back({std::string("product against double precision, ") + compiled->name(),
                [compiled] { return checkProduct(*compiled); }});
    for (const char* preset : {"tiny-gpt2", "tiny-bert", "tiny-llama"}) {
        const std::string name = preset;
        checks.push_back(
            {name + ": same bits with and without recomputation", [name] { return checkRecomputation(name); }});
        checks.push_back({name + ": same bits at 1 and 3 threads", [name] { return checkThreads(name); }});
        checks.push_back({name + ": tracked peak is the predicted one", [name] { return checkTracked(name); }});
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
