// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include <sys/mman.h>
#include <unistd.h>

#include <nlohmann/json.hpp>

#include "core/base/files.h"
#include "core/sweep/sweep_results.h"
#include "tests/fuzz/fuzz_target.h"

namespace {

/// A file of these bytes in memory; gone with its last descriptor.
class MemoryFile {
public:
    explicit MemoryFile(std::string_view bytes) : m_file(::memfd_create("journal", MFD_CLOEXEC))
    {
        if (m_file < 0 || ::write(m_file, bytes.data(), bytes.size()) != static_cast<ssize_t>(bytes.size()))
            std::abort();
    }
    ~MemoryFile() { ::close(m_file); }
    MemoryFile(const MemoryFile&) = delete;
    MemoryFile& operator=(const MemoryFile&) = delete;

    std::string path() const { return "/proc/self/fd/" + std::to_string(m_file); }

private:
    int m_file;
};

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    using namespace remat;
    static const SweepGrid grid = *SweepGrid::parse(
        R"({"format": "remat-grid", "version": 1, "axes": {"batch": [1, 2], "budget": ["1GiB", "2GiB"]}})",
        "grid.json");
    static const SweepIdentity identity{grid.text(), "0", "0.1.0", grid.studies(), grid.pointsOfStudy()};
    const std::string_view text = fuzz::textOf(data, size);
    const MemoryFile file(text);
    const Result<SweepRows> read = readSweepJournal(file.path(), identity);
    {
        Result<SweepJournal> journal = SweepJournal::open(file.path(), identity);
        if (!journal) {
            if (*readFile(file.path()) != text)
                fuzz::broken("a file that is no journal of this sweep stays as it is", std::string(text));
            return 0;
        }
        if (!read || *read != journal->rows())
            fuzz::broken("reading finds what opening finds", std::string(text));
        // What is lacking is added, as a sweep that goes on does.
        for (std::int64_t study = 0; study < grid.studies(); ++study)
            if (!journal->rows()[static_cast<std::size_t>(study)] && !journal->append(study, R"([{"fits":true},{}])"))
                fuzz::broken("a journal that was opened can be added to", std::string(text));
    }
    const Result<SweepRows> whole = readSweepJournal(file.path(), identity);
    if (!whole || missingStudies(*whole) > 0)
        fuzz::broken("a journal that was added to is whole", *readFile(file.path()));
    for (std::size_t study = 0; study < whole->size(); ++study)
        if ((*read)[study] && (*read)[study] != (*whole)[study])
            fuzz::broken("what a journal holds stays in it", *readFile(file.path()));
    const SweepResults results = sweepResults(grid, *whole);
    if (!nlohmann::json::accept(results.json) || results.count.points != grid.points())
        fuzz::broken("results are JSON and have every point", results.json);
    return 0;
}
