// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/bench/milp_rival.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "core/chain/chain_file.h"
#include "core/chain/chain_replay.h"
#include "core/plan/flat_schedule.h"

namespace remat {

namespace {

using nlohmann::json;

/// A chain in a file of its own that goes when this does.
class ChainFile {
public:
    explicit ChainFile(const Chain& chain)
        : m_path(std::filesystem::temp_directory_path() / ("remat-milp-" + std::to_string(getpid()) + ".chain.json"))
    {
        std::ofstream(m_path) << toJson(chain);
    }
    ~ChainFile() { std::filesystem::remove(m_path); }
    ChainFile(const ChainFile&) = delete;
    ChainFile& operator=(const ChainFile&) = delete;

    std::string path() const { return m_path.string(); }

private:
    std::filesystem::path m_path;
};

/// One object a line; what else the script's libraries print is passed over.
std::vector<json> answersOf(const std::string& command)
{
    std::vector<json> answers;
    FILE* pipe = popen(command.c_str(), "r"); // NOLINT(cert-env33-c): the command is made of our own paths
    if (!pipe)
        return answers;
    std::string line;
    for (int c = std::fgetc(pipe); c != EOF; c = std::fgetc(pipe)) {
        if (c != '\n') {
            line.push_back(static_cast<char>(c));
            continue;
        }
        if (!line.empty() && line.front() == '{')
            answers.push_back(json::parse(line));
        line.clear();
    }
    return pclose(pipe) == 0 ? answers : std::vector<json>{};
}

/// Its plan at a budget, by the judge that knows the definition alone.
std::optional<ReplayResult> replayed(const Chain& chain, const std::vector<int>& options, Bytes budget)
{
    if (options.empty())
        return std::nullopt;
    const Result<ReplayResult> result = replay(chain, flatSchedule(chain, options));
    return result && result->peak <= budget ? std::optional(*result) : std::nullopt;
}

} // namespace

MilpRival MilpRival::fromEnvironment()
{
    MilpRival rival;
    const char* python = std::getenv("REMAT_MILP_PYTHON"); // NOLINT(concurrency-mt-unsafe): one thread
    if (python)
        rival.m_python = python;
    if (rival.isThere())
        std::printf("HiGHS solves the flat problem in this run too, %d budgets a chain, stopped after %d s each\n",
            kBudgets, kSecondsPerBudget);
    else
        std::printf("HiGHS was not found (REMAT_MILP_PYTHON names no Python with highspy): not compared\n");
    return rival;
}

std::optional<MilpComparison> MilpRival::compare(const Chain& chain, const std::vector<FrontierPoint>& points) const
{
    const ChainFile file(chain);
    std::string command = "'" + m_python + "' '" REMAT_BENCH_SOURCES "/flat_milp.py' '" + file.path() + "' "
        + std::to_string(kSecondsPerBudget);
    std::vector<Bytes> budgets;
    for (int k = 1; k <= kBudgets; ++k) {
        const Bytes range = points.back().peak - points.front().peak;
        budgets.push_back(points.front().peak + Bytes{range.value / (kBudgets + 1) * k});
        command += " " + std::to_string(budgets.back().value);
    }
    const std::vector<json> answers = answersOf(command);
    if (answers.size() != budgets.size())
        return std::nullopt;
    MilpComparison all;
    for (std::size_t i = 0; i < answers.size(); ++i) {
        const json& answer = answers[i];
        const Nanoseconds ours = points[lastWithin(points, budgets[i])].time;
        const auto options = answer.at("options").get<std::vector<int>>();
        const auto plan = replayed(chain, options, budgets[i]);
        const auto status = answer.at("status").get<std::string>();
        const double milliseconds = 1e3 * answer.at("seconds").get<double>();
        all.leastMilliseconds = all.budgets == 0 ? milliseconds : std::min(all.leastMilliseconds, milliseconds);
        all.mostMilliseconds = std::max(all.mostMilliseconds, milliseconds);
        ++all.budgets;
        all.infeasible += status == "infeasible" ? 1 : 0;
        all.optimal += status == "optimal" ? 1 : 0;
        all.overshooting += !options.empty() && !plan ? 1 : 0;
        if (!plan)
            continue;
        all.better += plan->time < ours ? 1 : 0;
        all.different += status == "optimal" && plan->time != ours ? 1 : 0;
        const double loss = 100 * ratio(plan->time - ours, points.back().time);
        all.mostLoss = std::max(all.mostLoss.value_or(loss), loss);
    }
    return all;
}

void printMilp(const MilpComparison& rival, double ourMilliseconds, std::size_t points, double aim)
{
    std::printf("  HiGHS (flat)      %9.1f to %.1f ms per budget; proves %d of %d", rival.leastMilliseconds,
        rival.mostMilliseconds, rival.optimal + rival.infeasible, rival.budgets);
    if (rival.infeasible > 0)
        std::printf(" (%d have no flat plan)", rival.infeasible);
    if (rival.overshooting > 0)
        std::printf(", is above %d of them", rival.overshooting);
    if (rival.mostLoss)
        std::printf(", loses up to %.3f points, is better at %d", *rival.mostLoss, rival.better);
    const double ratio = rival.leastMilliseconds / ourMilliseconds * static_cast<double>(points);
    std::printf("; at least %.0f x a budget of ours", ratio);
    if (aim > 0)
        std::printf(" (aim %.0f%s)", aim, ratio < aim ? ", BELOW" : "");
    std::printf("\n");
}

} // namespace remat
