// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>

namespace remat::cli {

/// Where the files of a sweep stand: STEM.csv, STEM.json, STEM.journal, STEM.sbatch.
struct SweepFiles {
    std::string stem;

    std::string csv() const { return stem + ".csv"; }
    std::string json() const { return stem + ".json"; }
    std::string journal() const { return stem + ".journal"; }
    std::string script() const { return stem + ".sbatch"; }
    /// "STEM.part-3-of-8.journal"
    std::string journalOfPart(std::int64_t part, std::int64_t parts) const;
};

/// A Slurm job array with a task for each part of a sweep; every path in it is absolute and quoted for the shell.
///
///   sbatch STEM.sbatch && remat sweep GRID.json --out STEM --gather     (once its tasks are done)
std::string slurmScript(const std::string& program, const std::string& folder, const std::string& grid,
    const SweepFiles& files, std::int64_t parts);

/// A word as a POSIX shell reads it back unchanged: 'it'\''s'.
std::string shellQuoted(const std::string& word);

} // namespace remat::cli
