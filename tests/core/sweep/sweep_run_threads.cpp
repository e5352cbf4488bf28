// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
// What the threads of a sweep share, for the thread sanitizer: every study is answered once and kept, and progress is
// told one call at a time.
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <unistd.h>
#include <vector>

#include "core/sweep/sweep_grid.h"
#include "core/sweep/sweep_run.h"

using namespace remat;

namespace {

void require(bool holds, const char* what)
{
    if (holds)
        return;
    std::fprintf(stderr, "FAILED: %s\n", what);
    std::exit(1);
}

} // namespace

int main()
{
    std::string axis = "[0";
    for (int i = 1; i < 200; ++i)
        axis += "," + std::to_string(i);
    const auto grid
        = SweepGrid::parse(R"({"format": "remat-grid", "version": 1, "axes": {"batch": )" + axis + "]}}", "grid");
    require(bool{grid}, "grid");
    std::string path = "/tmp/remat-sweep-XXXXXX";
    require(::mkdtemp(path.data()) != nullptr, "folder");
    const std::string file = path + "/journal";
    const SweepIdentity identity{grid->text(), "", "", grid->studies(), 1};
    const std::vector<std::int64_t> all = studiesOfPart(grid->studies(), 0, 1);
    {
        Result<SweepJournal> journal = SweepJournal::open(file, identity);
        require(bool{journal}, "journal");
        // A third is there already, as after a sweep that was ended.
        for (std::int64_t study = 0; study < 200; study += 3)
            require(bool{journal->append(study, R"([{"early":true}])")}, "append");
        std::vector<std::atomic<int>> answered(200);
        std::int64_t lastDone = 67;
        const auto tally = runSweep(
            all, 1, 4,
            [&](std::int64_t study) {
                ++answered[static_cast<std::size_t>(study)];
                return "[{\"study\":" + std::to_string(study) + "}]";
            },
            *journal,
            [&](const SweepProgress& progress) {
                require(progress.done == lastDone + 1 && progress.total == 200, "progress");
                lastDone = progress.done;
            });
        require(tally && tally->found == 133 && lastDone == 200, "tally");
        for (std::size_t study = 0; study < 200; ++study)
            require(answered[study] == (study % 3 == 0 ? 0 : 1), "each study once");
    }
    const auto rows = readSweepJournal(file, identity);
    require(bool{rows}, "rows");
    for (std::size_t study = 0; study < 200; ++study)
        require(
            (*rows)[study] == (study % 3 == 0 ? R"([{"early":true}])" : "[{\"study\":" + std::to_string(study) + "}]"),
            "what is kept");
    ::unlink(file.c_str());
    ::rmdir(path.c_str());
    std::puts("ok");
    return 0;
}
