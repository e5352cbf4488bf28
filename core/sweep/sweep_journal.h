// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/result.h"

namespace remat {

/// What a journal belongs to; rows of another grid, other files or another release are never mixed in.
struct SweepIdentity {
    std::string grid;    ///< SweepGrid::text()
    std::string inputs;  ///< digest of the files that the grid names
    std::string release; ///< of this program
    std::int64_t studies = 0, pointsOfStudy = 0;
};

/// The rows of every study that is done, each the text of one JSON list.
using SweepRows = std::vector<std::optional<std::string>>;

/// What a sweep has found so far, one line a study, in a file that only grows:
///
///   {"format": "remat-sweep-journal", "version": 1, "release": "0.1.0", "inputs": "...", "grid": {...}}
///   {"study": 3, "rows": [{...}, ...]}
///
/// A line is written in one piece and counts once its end is there, so kill -9 at any moment leaves whole lines and at
/// most a piece of one; that piece is cut off when the journal is opened again.  sync() makes what was written survive
/// a power failure too.  The file is locked against a second sweep while it is open.  Not thread safe.
class SweepJournal {
public:
    /// Opens or begins the journal.
    /// Errors: not writable; in use by another sweep; of another grid, inputs or release.
    static Result<SweepJournal> open(const std::string& path, const SweepIdentity& identity);
    SweepJournal(SweepJournal&& other) noexcept;
    SweepJournal& operator=(SweepJournal&&) = delete;
    ~SweepJournal();

    const SweepRows& rows() const { return m_rows; }
    /// Bytes of an unfinished line that were cut off when the journal was opened.
    std::int64_t cutOff() const { return m_cutOff; }

    /// Adds a study's rows.  Error: not writable, disk full; the journal then still ends with a whole line.
    Result<void> append(std::int64_t study, std::string rows);
    Result<void> sync();

private:
    SweepJournal() = default;
    Result<void> write(const std::string& line);

    std::string m_path;
    int m_file = -1;
    std::int64_t m_size = 0, m_cutOff = 0;
    SweepRows m_rows;
};

/// The rows of a journal, read and left as it is, as by open(); studies not in it are empty.  Errors: as of open(), and
/// unreadable.
Result<SweepRows> readSweepJournal(const std::string& path, const SweepIdentity& identity);

} // namespace remat
