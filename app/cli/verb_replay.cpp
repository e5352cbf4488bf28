// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "app/cli/verbs.h"
#include "core/base/format_units.h"
#include "core/chain/chain_file.h"
#include "core/chain/chain_replay.h"
#include "core/chain/schedule_file.h"

namespace remat::cli {

Result<Answer> runReplay(const Arguments& arguments)
{
    const Result<Chain> chain = readChain(arguments.files[0]);
    if (!chain)
        return chain.error();
    const Result<Schedule> schedule = readSchedule(arguments.files[1], *chain);
    if (!schedule)
        return schedule.error();
    const Result<ReplayResult> result = replay(*chain, *schedule);
    if (!result) {
        Error error = result.error();
        error.where = arguments.files[1] + (error.where.empty() ? "" : ": " + error.where);
        return error;
    }
    if (arguments.isJson)
        return jsonAnswer({{"format", "remat-replay"}, {"version", 1}, {"chain", chain->name},
            {"peak", result->peak.value}, {"time", result->time.value}, {"reruns", result->reruns},
            {"overhead", result->overhead.value}, {"saved", result->savedBytes.value}});
    return Answer{"peak " + std::to_string(result->peak.value) + " B (" + formatBytes(result->peak) + ")\ntime "
            + std::to_string(result->time.value) + " ns (" + formatDuration(result->time) + ")\nreruns "
            + std::to_string(result->reruns) + "\n",
        {}, 0};
}

} // namespace remat::cli
