// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
// Whole training steps on four threads under the thread sanitizer, bit for bit those of one thread.
#include <cstdio>

#include "tests/support/run_step.h"

using namespace remat;

int main()
{
    std::mt19937 random(17);
    bool passed = true;
    for (int i = 0; i < 8; ++i) {
        const testing::Variety variety = testing::randomVariety(random);
        const ModelShape shape = testing::randomShape(variety, random);
        const TrainingSetup setup = testing::randomSetup(variety, random);
        const auto run = [&](int threads) {
            const StepTape tape = buildStepTape(shape, setup, machineTraits(testing::roundCpu(threads)));
            return testing::runOnce(tape, std::vector<KeepSet>(tape.stages.size(), 0), threads);
        };
        const std::string difference = testing::firstDifference(run(1), run(4));
        if (!difference.empty()) {
            std::printf("%s %d: %s differs\n", shape.name.c_str(), i, difference.c_str());
            passed = false;
        }
    }
    std::printf("executor_threads: %s\n", passed ? "passed" : "FAILED");
    return passed ? 0 : 1;
}
