// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/gpu/gpu_check.h"

#include "core/model/presets.h"
#include "tests/cuda/step_laws.h"
#include "tests/gpu/op_check.h"
#include "tests/gpu/step_check.h"
#include "tests/gpu/tally.h"
#include "tests/support/counts.h"

namespace remat::testing {

namespace {

void checkLaws(cuda::Gpu& gpu, int models, Tally& tally)
{
    std::mt19937 random(60);
    for (int i = 0; i < models; ++i) {
        const auto [c, tape] = randomCase(i, random);
        const StepResult keepAll = runOnGpu(gpu, tape, keepEverything(tape));
        std::string broken = brokenLaw(keepAll, keepAll);
        for (int k = 0; k < 4 && broken.empty(); ++k)
            broken = brokenLaw(runOnGpu(gpu, tape, randomKeepSets(tape, random)), keepAll);
        tally.note(broken.empty(),
            "five plans of model " + std::to_string(i) + ", " + familyOf(c.variety) + (c.isHalf ? ", bf16" : ", fp32")
                + (broken.empty() ? "" : ": " + broken));
    }
}

void checkAgreement(cuda::Gpu& gpu, Tally& tally)
{
    for (const bool isHalf : {false, true})
        for (const bool isStored : {false, true})
            for (int family = 0; family < 3; ++family) {
                const Agreement agreement = agreementWithCpu(gpu, family, isStored, isHalf);
                tally.note(Agreement::isClose(agreement, isHalf),
                    std::string(familyName(family)) + (isStored ? ", stored" : ", blocked")
                        + (isHalf ? ", bf16" : ", fp32") + ": gradients within " + std::to_string(agreement.gradients)
                        + " of the CPU machine's, loss within " + std::to_string(agreement.loss));
            }
}

CheckedStep halfStep(const ModelShape& shape, std::int64_t batch, std::int64_t sequence)
{
    CheckedStep step{shape, {}};
    step.setup.batch = batch;
    step.setup.sequence = sequence;
    step.setup.precision = Precision::Half;
    return step;
}

} // namespace

GpuCheckSize sizeForGpus()
{
    ModelShape llama = findPreset("llama-2-7b").value();
    llama.layers = 4;
    llama.name += ", 4 layers";
    return {24,
        {halfStep(findPreset("gpt2-medium").value(), 8, 1024), halfStep(findPreset("bert-large").value(), 16, 512),
            halfStep(llama, 1, 2048)},
        2};
}

GpuCheckSize sizeForTheEmulator()
{
    GpuCheckSize size;
    if (isBriefForm()) { // the sections of agreement and laws run every family
        size.steps.push_back(halfStep(smallShape({}, 2, 2, 8, 24, 19, 16), 2, 11));
        return size;
    }
    for (const Variety& variety : {Variety{}, Variety{.isBert = true}, Variety{.isLlama = true}})
        size.steps.push_back(halfStep(smallShape(variety, 2, 2, 8, 24, 19, 16), 2, 11));
    return size;
}

nlohmann::json checkGpu(const OpenGpu& open, const GpuCheckSize& size)
{
    Tally tally(size.mostSeconds);
    const std::unique_ptr<cuda::Gpu> gpu = open({});
    tally.section("products", [&] { checkProducts(*gpu, tally); });
    tally.section("operations", [&] { checkOperations(*gpu, tally); });
    tally.section("agreement", [&] { checkAgreement(*gpu, tally); });
    tally.section("laws", [&] { checkLaws(*gpu, size.randomModels, tally); });
    tally.section("memory", [&] { checkMemory(open, size.steps, tally); });
    tally.section("cap", [&] { checkCap(open, size.steps.front(), tally); });
    tally.section("times", [&] { checkTimes(open, size.steps.front(), size.timedSteps, tally); });
    nlohmann::json report = tally.report();
    report["gpu"] = gpu->name();
    return report;
}

} // namespace remat::testing
