// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include <cstdio>

#include "core/cost/devices.h"
#include "core/model/presets.h"
#include "core/regions/region_study.h"

using namespace remat;

/// A study on one thread and on four gives the same plans; run under the thread sanitizer too.
int main()
{
    RegionRequest request;
    request.shape = *findPreset("tiny-gpt2");
    request.setup.batch = 2;
    request.setup.sequence = 64;
    request.device = *devices().find("a100-80");
    std::vector<std::vector<RegionPlan>> frontiers;
    for (const int threads : {1, 4}) {
        FlatLimits limits;
        limits.threads = threads;
        const Result<RegionStudy> study = RegionStudy::solve(request, limits);
        if (!study)
            return 1;
        frontiers.push_back(study->frontier());
    }
    if (frontiers[0].size() != frontiers[1].size() || frontiers[0].empty())
        return 1;
    for (std::size_t i = 0; i < frontiers[0].size(); ++i) {
        const RegionPlan &one = frontiers[0][i], &four = frontiers[1][i];
        if (one.options != four.options || one.prediction.peak != four.prediction.peak
            || one.prediction.time != four.prediction.time)
            return 1;
    }
    std::printf("%zu plans alike on 1 and 4 threads\n", frontiers[0].size());
    return 0;
}
