// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/plan/plan_file.h"
#include "tests/fuzz/fuzz_target.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    using namespace remat;
    fuzz::roundTrip(
        fuzz::textOf(data, size), [](std::string_view text) { return parsePlan(text, "plan.json"); },
        [](const Plan& plan) { return planFileText(plan); });
    return 0;
}
