// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
// HiGHS beside the flat planner: the flat problem of each named chain as a mixed-integer program (flat_milp.py), solved
// in this run at a few budgets that the frontier answers.  Says how many budgets were compared, how far the answers are
// apart, and how many times as long a budget takes as our whole frontier, and as one of the budgets that it answers.
// Needs a Python with highspy, named by REMAT_MILP_PYTHON ("./dev bench" makes one where it can); without it the
// program says that it compares nothing.
#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "core/base/clock.h"
#include "core/chain/chain_file.h"
#include "core/plan/flat_planner.h"

namespace {

using namespace remat;

/// The aim: an answered budget takes HiGHS this many times as long as ours.
constexpr double kRatioAim = 1000;
constexpr int kBudgets = 3;
constexpr int kSecondsPerBudget = 10;
constexpr int kRepeats = 5;

struct Compared {
    int budgets = 0;
    int unproved = 0;                   ///< of these; the others are compared
    std::int64_t largestDifference = 0; ///< nanoseconds, HiGHS less ours; negative where HiGHS is better
    double leastRatio = 0;              ///< to the whole frontier
    double leastShareRatio = 0;         ///< to the frontier's time divided by its points
};

/// Solves the chain, then asks HiGHS; false where the script cannot run.
bool compare(const std::string& python, const std::string& file, const Chain& chain, Compared& all)
{
    double ours = 0;
    std::vector<FrontierPoint> points;
    for (int i = 0; i < kRepeats; ++i) {
        const Nanoseconds begin = steadyClock();
        const auto frontier = FlatPlanner(chain).solve();
        const double taken = static_cast<double>((steadyClock() - begin).value) / 1e9;
        if (!frontier)
            return false;
        points = frontier->points();
        ours = i == 0 ? taken : std::min(ours, taken);
    }
    std::string command
        = "'" + python + "' '" REMAT_BENCH_SOURCES "/flat_milp.py' '" + file + "' " + std::to_string(kSecondsPerBudget);
    std::vector<FrontierPoint> asked;
    for (int k = 1; k <= kBudgets; ++k) {
        asked.push_back(points[(points.size() - 1) * static_cast<std::size_t>(k) / (kBudgets + 1)]);
        command += " " + std::to_string(asked.back().peak.value);
    }
    std::printf("%-28s frontier %8.2f ms, %zu points\n", chain.name.c_str(), 1e3 * ours, points.size());
    std::fflush(stdout);
    FILE* pipe = popen(command.c_str(), "r"); // NOLINT(cert-env33-c): the command is made of our own paths
    if (!pipe)
        return false;
    char line[512], status[32];
    std::size_t answers = 0;
    while (std::fgets(line, sizeof line, pipe) && answers < asked.size()) {
        double seconds = 0;
        char time[32];
        const bool isAnswer = std::sscanf(line, "%31s %31s %lf", status, time, &seconds) == 3;
        const std::string word = isAnswer ? status : "";
        if (word != "optimal" && word != "infeasible" && word != "unproved")
            continue; // HiGHS's own banner
        const FrontierPoint& point = asked[answers++];
        const double ratio = seconds / ours;
        const double shareRatio = ratio * static_cast<double>(points.size());
        std::printf(
            "  HiGHS %-10s %9.2f s  %8.0f x our frontier, %10.0f x a budget of it", status, seconds, ratio, shareRatio);
        ++all.budgets;
        all.leastRatio = all.budgets == 1 ? ratio : std::min(all.leastRatio, ratio);
        all.leastShareRatio = all.budgets == 1 ? shareRatio : std::min(all.leastShareRatio, shareRatio);
        if (word == "unproved") {
            ++all.unproved;
            std::printf("  (stopped at %d s)\n", kSecondsPerBudget);
            continue;
        }
        // Every budget that is asked about is a point of ours, so an infeasible one is a difference too.
        const std::int64_t difference
            = word == "optimal" ? std::strtoll(time, nullptr, 10) - point.time.value : point.time.value;
        if (std::abs(difference) > std::abs(all.largestDifference))
            all.largestDifference = difference;
        std::printf("  difference %" PRId64 " ns\n", difference);
    }
    return pclose(pipe) == 0 && answers == asked.size();
}

} // namespace

int main()
{
    const char* python = std::getenv("REMAT_MILP_PYTHON"); // NOLINT(concurrency-mt-unsafe): one thread
    if (!python || !*python) {
        std::printf("HiGHS was not found (REMAT_MILP_PYTHON names no Python with highspy): nothing is compared.\n");
        return 0;
    }
    Compared all;
    for (const char* name : {"gpt2-medium-b8-s1024", "llama3-8b-s8192", "llama3-8b-s131072", "llama3-70b-s8192",
             "gpt3-175b-l96", "llama3-405b-unsharded", "jitter-l80"}) {
        const std::string file = std::string(REMAT_TEST_DATA "/chains/") + name + ".chain.json";
        const auto chain = readChain(file);
        if (!chain || !compare(python, file, *chain, all)) {
            std::fprintf(stderr, "%s: HiGHS did not answer\n", name);
            return 1;
        }
    }
    std::printf(
        "%d budgets asked, %d compared and %d not proved by HiGHS in %d s; largest difference %" PRId64
        " ns; a budget takes HiGHS at least %.0f times as long as our whole frontier, %.0f times as long as that "
        "frontier's time divided by the budgets that it answers (aim %.0f)\n",
        all.budgets, all.budgets - all.unproved, all.unproved, kSecondsPerBudget, all.largestDifference, all.leastRatio,
        all.leastShareRatio, kRatioAim);
    return all.largestDifference == 0 && all.unproved < all.budgets ? 0 : 1;
}
