// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "core/chain/chain_file.h"
#include "core/chain/chain_replay.h"
#include "core/chain/schedule_file.h"
#include "tests/fuzz/fuzz_target.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    using namespace remat;
    // Two stages with two options each: small, and every kind of op has a place in it.
    static const Chain chain
        = *parseChain(R"({"format": "remat-chain", "version": 1, "name": "two", "base_bytes": 10, "stages": [
        {"name": "a", "out_bytes": 4, "grad_bytes": 4, "weight_grad_bytes": 2, "forward_ns": 1, "forward_temp_bytes": 3,
         "options": [{"name": "all", "saved_bytes": 8, "needs_input": true, "needs_output": false,
                      "forward_temp_bytes": 0, "backward_ns": 2, "backward_temp_bytes": 9},
                     {"name": "lean", "saved_bytes": 0, "needs_input": true, "needs_output": true,
                      "forward_temp_bytes": 8, "backward_ns": 3, "backward_temp_bytes": 17}]},
        {"name": "b", "out_bytes": 4, "grad_bytes": 0, "weight_grad_bytes": 0, "forward_ns": 1, "forward_temp_bytes": 0,
         "options": [{"name": "all", "saved_bytes": 8, "needs_input": true, "needs_output": true,
                      "forward_temp_bytes": 0, "backward_ns": 2, "backward_temp_bytes": 9}]}]})",
            "chain.json");
    const Result<Schedule> schedule = parseSchedule(fuzz::textOf(data, size), chain, "schedule.json");
    if (!schedule)
        return 0;
    // Any schedule may be asked for its peak; most are refused with the op that is wrong.
    (void)replay(chain, *schedule);
    const std::string written = toJson(*schedule, chain).dump();
    const Result<Schedule> again = parseSchedule(written, chain, "schedule.json");
    if (!again || toJson(*again, chain).dump() != written)
        fuzz::broken("what was written can be read", written);
    return 0;
}
