// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/sweep/sweep_table.h"
#include "tests/fuzz/fuzz_target.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    using namespace remat;
    if (const Result<SweepTable> table = parseSweepResults(fuzz::textOf(data, size), "sweep.json")) {
        (void)table->axes();
        for (const SweepPoint& point : table->points)
            (void)table->flagsOf(point);
    }
    return 0;
}
