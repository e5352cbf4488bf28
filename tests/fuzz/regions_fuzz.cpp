// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/regions/region_plan_file.h"
#include "tests/fuzz/fuzz_target.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    using namespace remat;
    (void)isRegionPlan(fuzz::textOf(data, size));
    fuzz::roundTrip(
        fuzz::textOf(data, size), [](std::string_view text) { return parseRegionPlan(text, "plan.json"); },
        [](const RegionPlan& plan) { return regionPlanFileText(plan); });
    return 0;
}
