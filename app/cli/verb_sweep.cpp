// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <charconv>
#include <cstdio>
#include <filesystem>
#include <unistd.h>

#include <nlohmann/json.hpp>

#include "app/cli/last_words.h"
#include "app/cli/sweep_bar.h"
#include "app/cli/sweep_jobs.h"
#include "app/cli/sweep_study.h"
#include "app/cli/this_cpu.h"
#include "app/cli/verbs.h"
#include "core/base/files.h"
#include "core/base/format_units.h"
#include "core/base/plain_text.h"
#include "core/base/text.h"
#include "core/export/table.h"
#include "core/run/run_request.h"
#include "core/run/this_machine.h"
#include "core/sweep/sweep_results.h"
#include "core/sweep/sweep_run.h"

namespace remat::cli {

namespace {

using nlohmann::json;

constexpr MessageCode kBadPart{"sweep-part", REMAT_TR("\"{0}\" is no part of a sweep."),
    REMAT_TR("Write I/N with 0 <= I < N <= {1}, such as 0/8."), ExitCode::Usage};
constexpr MessageCode kBadCount{"sweep-count-out-of-bounds", REMAT_TR("{0} is outside 1 to {1}."),
    REMAT_TR("Use a whole number from 1 to {1}."), ExitCode::Usage};
constexpr MessageCode kIncomplete{"sweep-incomplete", REMAT_TR("{0} of {1} points are not known yet: {2}."),
    REMAT_TR("Run the missing parts, or \"remat sweep\" without --part; both go on where they were.")};

constexpr std::int64_t kMostParts = 1000;
constexpr std::int64_t kUsualParts = 8;

struct Part {
    std::int64_t index = 0, count = 1;
};

Result<Part> readPart(const std::string& text)
{
    Part part;
    const char* const end = text.data() + text.size();
    const auto [slash, problem] = std::from_chars(text.data(), end, part.index);
    if (problem == std::errc() && slash != end && *slash == '/') {
        const auto [stop, second] = std::from_chars(slash + 1, end, part.count);
        const bool isWithin = part.index >= 0 && part.index < part.count && part.count <= kMostParts;
        if (second == std::errc() && stop == end && isWithin)
            return part;
    }
    return Error{&kBadPart, "--part", {shortened(text), kMostParts}};
}

Result<std::int64_t> within(
    const char* flag, const std::optional<std::int64_t>& given, std::int64_t fallback, std::int64_t most)
{
    if (given && (*given < 1 || *given > most))
        return Error{&kBadCount, flag, {*given, most}};
    return given.value_or(fallback);
}

/// A digest (FNV-1a) that tells apart the files that a grid's points read.
Result<std::string> digestOf(const SweepGrid& grid)
{
    std::uint64_t hash = 14695981039346656037ULL;
    for (const char* flag : {"config", "costs"})
        for (const std::string& path : grid.valuesOfFlag(flag)) {
            const Result<std::string> content = readFile(path);
            if (!content)
                return content.error();
            for (const char c : *content + '\n')
                hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211ULL;
        }
    char text[17];
    std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(hash));
    return std::string(text);
}

/// The files that a sweep reads are none of those that it writes.
Result<void> checkFiles(const SweepGrid& grid, const std::string& gridPath, const SweepFiles& files)
{
    std::vector<std::string> inputs{gridPath};
    for (const char* flag : {"config", "costs"})
        for (const std::string& path : grid.valuesOfFlag(flag))
            inputs.push_back(path);
    for (const std::string& out : {files.csv(), files.json(), files.journal(), files.script()})
        if (auto other = checkNoInput(out, inputs); !other)
            return other.error();
    return {};
}

/// Whether a point may run on this CPU, which is then measured once for all.
bool mayUseThisCpu(const SweepGrid& grid)
{
    const std::vector<std::string> devices = grid.valuesOfFlag("device");
    return devices.empty() || std::find(devices.begin(), devices.end(), kThisCpu) != devices.end();
}

/// The grid's file without ".json": where results stand unless --out says otherwise.
SweepFiles filesOf(const Arguments& arguments)
{
    if (arguments.out)
        return {*arguments.out};
    const std::string& grid = arguments.files[0];
    return {(grid.ends_with(".json") ? grid.substr(0, grid.size() - 5) : grid) + ".sweep"};
}

std::string absolute(const std::string& path)
{
    std::error_code problem;
    const std::filesystem::path whole = std::filesystem::absolute(path, problem);
    return problem ? path : whole.string();
}

struct Sweep {
    SweepGrid grid;
    SweepIdentity identity;
    SweepFiles files;
};

Result<Answer> writeJobs(const Sweep& sweep, const Arguments& arguments)
{
    const std::int64_t most = std::min(kMostParts, sweep.grid.studies());
    const Result<std::int64_t> parts = within("--parts", arguments.parts, std::min(kUsualParts, most), most);
    if (!parts)
        return parts.error();
    std::error_code problem;
    const std::string program = std::filesystem::read_symlink("/proc/self/exe", problem).string();
    const SweepFiles files{absolute(sweep.files.stem)};
    const std::string script = slurmScript(problem ? "remat" : program, std::filesystem::current_path(problem).string(),
        absolute(arguments.files[0]), files, *parts);
    if (auto written = writeFileAtomically(sweep.files.script(), script); !written)
        return written.error();
    if (arguments.isJson)
        return jsonAnswer({{"format", "remat-sweep-summary"}, {"version", 1}, {"script", sweep.files.script()},
            {"parts", *parts}, {"points", sweep.grid.points()}});
    return Answer{std::to_string(sweep.grid.points()) + " points in " + std::to_string(*parts)
            + " tasks.\nSubmit: sbatch " + sweep.files.script() + "\nThen:   remat sweep " + arguments.files[0]
            + " --out " + sweep.files.stem + " --gather\n",
        {}, 0};
}

/// Writes the results of a sweep whose points are all known.
Result<Answer> finish(
    const Sweep& sweep, const SweepRows& rows, const std::optional<SweepTally>& tally, int threads, bool isJson)
{
    const SweepResults results = sweepResults(sweep.grid, rows);
    for (const auto& [path, text] :
        {std::pair(sweep.files.csv(), &results.csv), std::pair(sweep.files.json(), &results.json)})
        if (auto written = writeFileAtomically(path, *text); !written)
            return written.error();
    const SweepCount& count = results.count;
    const std::int64_t refused = count.points - count.fitting - count.problems;
    if (isJson) {
        json object{{"format", "remat-sweep-summary"}, {"version", 1}, {"points", count.points},
            {"fitting", count.fitting}, {"fitting_device", count.onDevice}, {"not_fitting", refused},
            {"problems", count.problems}, {"csv", sweep.files.csv()}, {"json", sweep.files.json()}};
        if (tally)
            object.update({{"found_now", tally->found}, {"wall_ns", tally->wall.value}, {"threads", threads},
                {"busy", tally->busy}});
        return jsonAnswer(object);
    }
    std::string text = std::to_string(count.points) + " points: " + std::to_string(count.fitting)
        + " fit their budget, " + std::to_string(count.onDevice) + " of these also their device; "
        + std::to_string(refused) + " do not, " + std::to_string(count.problems) + " have no step to plan\n";
    if (tally && tally->found > 0)
        text += std::to_string(tally->found) + " of them found now, in " + formatDuration(tally->wall) + " on "
            + std::to_string(threads) + (threads == 1 ? " thread" : " threads") + ", busy "
            + formatThreeDigits(100 * tally->busy) + " % of that time\n";
    return Answer{text + "results: " + sweep.files.csv() + ", " + sweep.files.json() + "\n", {}, 0};
}

Result<Answer> answerPoints(const Sweep& sweep, const Arguments& arguments, Environment environment)
{
    const Result<Part> part = arguments.part ? readPart(*arguments.part) : Part{};
    if (!part)
        return part.error();
    const Result<std::int64_t> threads = within("--threads", arguments.threads, usableThreads(), kMostThreads);
    if (!threads)
        return threads.error();
    const std::string path
        = arguments.part ? sweep.files.journalOfPart(part->index, part->count) : sweep.files.journal();
    Result<SweepJournal> journal = SweepJournal::open(path, sweep.identity);
    if (!journal)
        return journal.error();
    const LastWords stopped("\nremat: stopped; what is known is in " + terminalText(path)
        + ": run the same command again, and it goes on there\n");
    if (mayUseThisCpu(sweep.grid))
        environment.thisCpu = deviceOfThisCpu(environment);
    SweepBar bar(::isatty(STDERR_FILENO) == 1);
    const Result<SweepTally> tally = remat::runSweep(
        studiesOfPart(sweep.grid.studies(), part->index, part->count), sweep.grid.pointsOfStudy(),
        static_cast<int>(*threads), [&](std::int64_t study) { return answerStudy(sweep.grid, study, environment); },
        *journal,
        [&](const SweepProgress& progress) {
            if (const std::optional<std::string> text = bar.text(progress))
                std::fputs(text->c_str(), stderr);
        });
    if (!tally)
        return tally.error();
    if (!arguments.part)
        return finish(sweep, journal->rows(), *tally, static_cast<int>(*threads), arguments.isJson);
    if (arguments.isJson)
        return jsonAnswer({{"format", "remat-sweep-summary"}, {"version", 1}, {"part", part->index},
            {"parts", part->count}, {"found_now", tally->found}, {"journal", path}});
    return Answer{std::to_string(tally->found) + " points found now, in " + path + "\n", {}, 0};
}

/// The journals beside the stem: that of whole runs and those of parts, by name.
std::vector<std::string> journalsOf(const SweepFiles& files)
{
    const std::filesystem::path stem(files.stem);
    const std::string name = stem.filename().string();
    const std::filesystem::path folder = stem.has_parent_path() ? stem.parent_path() : ".";
    std::vector<std::string> journals;
    std::error_code problem;
    for (const auto& entry : std::filesystem::directory_iterator(folder, problem)) {
        const std::string file = entry.path().filename().string();
        if (file == name + ".journal" || (file.starts_with(name + ".part-") && file.ends_with(".journal")))
            journals.push_back(entry.path().string());
    }
    std::sort(journals.begin(), journals.end());
    return journals;
}

Result<Answer> gather(const Sweep& sweep, bool isJson)
{
    SweepRows all(static_cast<std::size_t>(sweep.grid.studies()));
    std::vector<std::string> names;
    for (const std::string& path : journalsOf(sweep.files)) {
        Result<SweepRows> rows = readSweepJournal(path, sweep.identity);
        if (!rows)
            return rows.error();
        std::int64_t known = 0;
        for (std::size_t study = 0; study < all.size(); ++study)
            if ((*rows)[study]) {
                all[study] = std::move((*rows)[study]);
                ++known;
            }
        names.push_back(std::filesystem::path(path).filename().string() + " has "
            + std::to_string(known * sweep.grid.pointsOfStudy()));
    }
    if (const std::int64_t missing = missingStudies(all); missing > 0)
        return Error{&kIncomplete, sweep.files.stem,
            {missing * sweep.grid.pointsOfStudy(), sweep.grid.points(),
                names.empty() ? std::string("there is no journal") : shortened(joined(names), 400)}};
    return finish(sweep, all, std::nullopt, 0, isJson);
}

} // namespace

Result<Answer> runSweep(const Arguments& arguments, const Environment& environment)
{
    const std::string& path = arguments.files[0];
    const Result<std::string> text = readFile(path);
    if (!text)
        return text.error();
    Result<SweepGrid> grid = SweepGrid::parse(*text, path);
    if (!grid)
        return grid.error();
    if (auto known = checkGrid(*grid, path, environment); !known)
        return known.error();
    const Result<std::string> inputs = digestOf(*grid);
    if (!inputs)
        return inputs.error();
    const SweepIdentity identity{grid->text(), *inputs, REMAT_VERSION, grid->studies(), grid->pointsOfStudy()};
    const Sweep sweep{*std::move(grid), identity, filesOf(arguments)};
    if (auto apart = checkFiles(sweep.grid, path, sweep.files); !apart)
        return apart.error();
    if (arguments.writesJobs)
        return writeJobs(sweep, arguments);
    if (arguments.gathers)
        return gather(sweep, arguments.isJson);
    for (const std::string& file : {sweep.files.csv(), sweep.files.json()})
        if (auto writable = checkWritable(file); !writable)
            return writable.error();
    return answerPoints(sweep, arguments, environment);
}

} // namespace remat::cli
