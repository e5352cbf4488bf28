// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/sweep_jobs.h"

namespace remat::cli {

std::string SweepFiles::journalOfPart(std::int64_t part, std::int64_t parts) const
{
    return stem + ".part-" + std::to_string(part) + "-of-" + std::to_string(parts) + ".journal";
}

std::string shellQuoted(const std::string& word)
{
    std::string quoted = "'";
    for (const char c : word)
        quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return quoted + "'";
}

std::string slurmScript(const std::string& program, const std::string& folder, const std::string& grid,
    const SweepFiles& files, std::int64_t parts)
{
    const std::string count = std::to_string(parts);
    // The task's own output goes where its name is quoted; Slurm's pattern could not hold every path.
    return "#!/bin/sh\n"
           "#SBATCH --job-name=remat-sweep\n"
           "#SBATCH --array=0-"
        + std::to_string(parts - 1)
        + "\n"
          "#SBATCH --ntasks=1\n"
          "#SBATCH --cpus-per-task=2\n"
          "#SBATCH --output=/dev/null\n"
          "# Written by remat sweep --slurm.  When all tasks are done:\n"
          "#   remat sweep GRID --out STEM --gather\n"
          "# A task that was ended goes on where it was: submit it again, with --array=I for task I alone.\n"
          "set -eu\n"
          "cd "
        + shellQuoted(folder) + "\nexec " + shellQuoted(program) + " sweep " + shellQuoted(grid) + " --out "
        + shellQuoted(files.stem) + " --part \"$SLURM_ARRAY_TASK_ID/" + count
        + "\" --threads \"${SLURM_CPUS_PER_TASK:-1}\" \\\n    >" + shellQuoted(files.stem)
        + ".part-\"$SLURM_ARRAY_TASK_ID\"-of-" + count + ".log 2>&1\n";
}

} // namespace remat::cli
