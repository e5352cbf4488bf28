// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <sys/stat.h>

#include "core/base/files.h"

#ifndef Q_MOC_RUN // it takes quotes in raw strings for the ends of strings
namespace remat::testing {

/// Stands for srun: says that it waits, takes its own flags, gives the rest a job's environment and runs it as a task
/// whose standard input never ends by itself (a second process holds it), so that SIGKILL of this one leaves the task
/// running as Slurm's does.
inline constexpr const char* kSrun = R"sh(#!/bin/sh
here=$(dirname "$0")
for word; do printf '%s\n' "$word" >>"$here/words"; done
echo "srun: job 4711 queued and waiting for resources" >&2
while [ "${1#-}" != "$1" ]; do shift; done
export SLURM_JOB_ID=4711
exec 4<&0
mkfifo "$here/input"
sleep 120 >"$here/input" 4<&- &
holder=$!
echo $holder >"$here/holder"
exec 3<"$here/input"
"$@" <&3 3<&- 4<&- &
task=$!
echo $task >"$here/task"
cat <&4 >"$here/input" 4<&- &
feeder=$!
echo $feeder >"$here/feeder"
wait $task
code=$?
kill $feeder $holder 2>/dev/null
exit $code
)sh";

/// Stands for scancel: notes the job and ends its task.
inline constexpr const char* kScancel = R"sh(#!/bin/sh
here=$(dirname "$0")
echo "$@" >"$here/cancelled"
kill -TERM "$(cat "$here/task")"
)sh";

/// Both as programs in a folder; false if they cannot be written.
inline bool writeFakeSlurm(const std::string& folder)
{
    bool isWritten = true;
    for (const auto& [name, text] : {std::pair("/srun", kSrun), std::pair("/scancel", kScancel)})
        isWritten
            = isWritten && writeFileAtomically(folder + name, text) && ::chmod((folder + name).c_str(), 0755) == 0;
    return isWritten;
}

} // namespace remat::testing
#endif
