// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
// How long the flat frontier takes, exact and thinned, on this machine's cores: the numbers that "./dev bench" prints.
// The limits are those of the project's speed bars: 250 ms exact for BERT-large widened to 96 layers (other chains have
// bars of their own, beside them), 60 ms thinned with a certified gap of at most 0.1 %.  Times are wall times, the
// fastest of a few solves, so a busy machine disturbs them.  Beside each, in the same run, rotor with 500 memory slots
// at eight budgets; it may run layers forward again, so below what flat plans reach well it can be better.  And HiGHS
// at three, whose proved answers must be ours, or the program fails.
#include <algorithm>
#include <cstdio>
#include <string>
#include <thread>
#include <vector>

#include "core/base/clock.h"
#include "core/chain/chain_file.h"
#include "core/chain/step_chain.h"
#include "core/cost/device_traits.h"
#include "core/cost/devices.h"
#include "core/model/presets.h"
#include "core/plan/flat_planner.h"
#include "tests/bench/milp_rival.h"
#include "tests/bench/rotor_rival.h"
#include "tests/bench/synthetic_chain.h"
#include "tests/support/small_models.h"
#include "tests/support/wide_bert.h"

namespace {

using namespace remat;

constexpr double kExactLimitMs = 250;
constexpr double kThinnedLimitMs = 60;
constexpr double kGapTarget = 0.001;
constexpr int kRepeats = 5;

/// The fastest of a few solves, which is the least disturbed one.
double solveMilliseconds(const Chain& chain, double gapTarget, FlatFrontier& frontier)
{
    double best = 0;
    for (int i = 0; i < kRepeats; ++i) {
        FlatLimits limits;
        limits.gapTarget = gapTarget;
        const Nanoseconds begin = steadyClock();
        auto solved = FlatPlanner(chain, limits).solve();
        const double taken = static_cast<double>((steadyClock() - begin).value) / 1e6;
        if (!solved) {
            std::fprintf(stderr, "%s\n", englishSentence(solved.error()).c_str());
            return 0;
        }
        frontier = *solved;
        best = i == 0 ? taken : std::min(best, taken);
    }
    return best;
}

/// False where HiGHS contradicts us.
bool benchChain(const MilpRival& milp, const Chain& chain, double limitMs)
{
    std::size_t options = 0;
    for (const Stage& stage : chain.stages)
        options = std::max(options, stage.options.size());
    FlatFrontier exact;
    FlatFrontier thinned;
    const double exactMs = solveMilliseconds(chain, 0, exact);
    const double thinnedMs = solveMilliseconds(chain, kGapTarget, thinned);
    std::printf("%-44.44s %4zu x %-4zu %8zu %9.2f %7.0f %7.3f %9.2f %7.3f %9.4f%s%s%s\n", chain.name.c_str(),
        chain.stages.size(), options, exact.points().size(), exactMs, limitMs, exactMs / limitMs, thinnedMs,
        thinnedMs / kThinnedLimitMs, 100 * thinned.gap(), thinned.exact() ? " exact" : "",
        exactMs > limitMs ? "  ABOVE" : "", thinnedMs > kThinnedLimitMs ? "  thinned ABOVE" : "");
    for (const RotorStages stages : {RotorStages::Atomic, RotorStages::WithOptions})
        printRotor(stages, compareWithRotor(chain, stages, exact.points()));
    if (!milp.isThere())
        return true;
    const auto rival = milp.compare(chain, exact.points());
    if (!rival) {
        std::fprintf(stderr, "HiGHS did not answer\n");
        return false;
    }
    printMilp(*rival, exactMs, exact.points().size(), kMilpAim);
    return rival->different == 0 && rival->infeasible == 0 && rival->better == 0;
}

/// LLaMA-3's proportions at the width and depth of its 405B, sequences of 8,192 tokens, every option of our tape.
/// Weight gradients are accumulated over micro-batches; else they, whole on one device, would set every peak.
Chain wideLlamaChain()
{
    ModelShape shape = findPreset("llama-3-70b").value();
    shape.layers = 126;
    shape.hidden = 16384;
    shape.heads = 128;
    shape.ffn = 53248;
    TrainingSetup setup;
    setup.batch = 1;
    setup.sequence = 8192;
    setup.microBatches = 8;
    const Device device = devices().find("h100-sxm").value();
    Chain chain = buildStepChain(buildStepTape(shape, setup, machineTraits(device)), device, {}).chain;
    chain.name = "llama, 126 layers, " + device.name;
    return chain;
}

/// The project's bar for the chain in a file, in milliseconds; for others that of the widened BERT.
double limitOf(const std::string& file)
{
    struct Bar {
        const char* name;
        double milliseconds;
    };
    for (const Bar& bar : {Bar{"llama3-8b", 3}, {"llama3-405b", 60}, {"jitter-l126", 300}})
        if (file.find(bar.name) != std::string::npos)
            return bar.milliseconds;
    return kExactLimitMs;
}

} // namespace

int main(int argc, char** argv)
{
    const MilpRival milp = MilpRival::fromEnvironment();
    bool agrees = true;
    const auto bench = [&](const Chain& chain, double limitMs) { agrees = benchChain(milp, chain, limitMs) && agrees; };
    std::printf("flat frontier, %u cores\n", std::thread::hardware_concurrency());
    std::printf("%-44s %11s %8s %9s %7s %7s %9s %7s %9s\n", "chain", "stages", "points", "exact ms", "limit", "ratio",
        "thin ms", "/60 ms", "gap %");
    for (const Device& device : {devices().find("a100-80").value(), testing::roundCpu(2)})
        bench(testing::wideBertChain(device), kExactLimitMs);
    bench(syntheticBertChain(96), kExactLimitMs);
    bench(syntheticBertChain(126), 400);
    bench(syntheticBertChain(126, 69), 400);
    bench(syntheticLlamaChain(126, 126), 200);
    bench(jittered(syntheticLlamaChain(126, 126), "synthetic llama-405b, every layer different"), 500);
    bench(wideLlamaChain(), 200);
    bench(jittered(wideLlamaChain(), "llama, every layer different"), 500);
    std::vector<std::string> files(argv + 1, argv + argc);
    if (files.empty())
        for (const char* name : {"gpt2-medium-b8-s1024", "llama3-8b-s8192", "llama3-8b-s131072", "llama3-70b-s8192",
                 "gpt3-175b-l96", "llama3-405b-unsharded", "jitter-l80", "jitter-l126"})
            files.push_back(std::string(REMAT_TEST_DATA "/chains/") + name + ".chain.json");
    for (const std::string& file : files) {
        const auto chain = readChain(file);
        if (!chain) {
            std::fprintf(stderr, "%s\n", englishSentence(chain.error()).c_str());
            return static_cast<int>(chain.error().exitCode());
        }
        bench(*chain, limitOf(file));
    }
    return agrees ? 0 : 1;
}
