// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
// How long whole nested frontiers take on this machine's cores, beside the project's limits for two cores, and beside
// rotor with 500 memory slots (core/plan/rotor_500.h), which is solved in the same run once for each of eight budgets.
// Two aims: a whole frontier without drops takes less than ten budgets of rotor, and no plan of rotor's is better than
// ours.  HiGHS solves the flat problem of the same chain at three budgets; that class is smaller, so its proved plans
// are at best as good as ours.  Where a rival's plan is better the program fails.  Times are wall times, of ours the
// fastest of a few solves.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "core/base/clock.h"
#include "core/chain/chain_file.h"
#include "core/plan/nested_planner.h"
#include "tests/bench/milp_rival.h"
#include "tests/bench/rotor_rival.h"
#include "tests/bench/synthetic_chain.h"

namespace {

using namespace remat;

constexpr double kRepeatBelowMs = 500;
constexpr int kRepeats = 5;

/// Limits in milliseconds; 0: none.
struct Limits {
    double noDrop = 0;
    double lean = 0;
    double drop = 0;
};

/// The best of a few wall times, of a slow solve the only one; nothing where the solve failed.
std::optional<double> solveMilliseconds(const Chain& chain, NestedClass wanted, NestedFrontier& frontier)
{
    double best = 0;
    for (int i = 0; i < kRepeats && best < kRepeatBelowMs; ++i) {
        NestedLimits limits;
        limits.wanted = wanted;
        limits.maxWork = std::numeric_limits<std::int64_t>::max();
        const Nanoseconds begin = steadyClock();
        const auto solved = NestedPlanner(chain, limits).solve();
        const double taken = static_cast<double>((steadyClock() - begin).value) / 1e6;
        if (!solved) {
            std::fprintf(stderr, "%s\n", englishSentence(solved.error()).c_str());
            return std::nullopt;
        }
        frontier = *solved;
        best = i == 0 ? taken : std::min(best, taken);
    }
    return best;
}

/// Its time in milliseconds; nothing where there is no frontier.
std::optional<double> benchClass(const Chain& chain, NestedClass wanted, double limit, NestedFrontier& frontier)
{
    const std::optional<double> taken = solveMilliseconds(chain, wanted, frontier);
    if (!taken)
        return std::nullopt;
    std::printf("  %-17s %9.1f ms", nameOf(frontier.solvedClass()).data(), *taken);
    // The bar is the named class's; beyond 5 GiB of tables the planner settles for a smaller one.
    if (limit > 0 && frontier.solvedClass() == wanted)
        std::printf("  limit %6.0f ms, ratio %5.2f %s", limit, *taken / limit, *taken <= limit ? "ok" : "ABOVE");
    else
        std::printf("  %32s", "");
    std::printf("  %6zu points%s", frontier.points().size(), frontier.exact() ? ", exact" : "");
    if (!frontier.exact())
        std::printf(", gap %.3f %%", 100 * frontier.gap());
    std::printf("\n");
    return taken;
}

/// False where a rival's plan is better than ours.
bool benchChain(const MilpRival& milp, const Chain& chain, const Limits& limits)
{
    std::size_t options = 0;
    for (const Stage& stage : chain.stages)
        options = std::max(options, stage.options.size());
    std::printf("%s, %zu x %zu\n", chain.name.c_str(), chain.stages.size(), options);
    NestedFrontier frontier;
    const std::optional<double> noDrop = benchClass(chain, NestedClass::NoDrop, limits.noDrop, frontier);
    if (!noDrop)
        return false;
    const std::vector<FrontierPoint> points = frontier.points();
    if (limits.lean > 0)
        benchClass(chain, NestedClass::DropLean, limits.lean, frontier);
    if (limits.drop > 0)
        benchClass(chain, NestedClass::Drop, limits.drop, frontier);
    bool isBest = true;
    for (const RotorStages stages : {RotorStages::Atomic, RotorStages::WithOptions}) {
        const RotorRival rival = compareWithRotor(chain, stages, frontier.points());
        printRotor(stages, rival);
        const double share = *noDrop / (10 * rival.milliseconds);
        std::printf("    all our budgets without drops take %.3f of ten of its%s\n", share, share > 1 ? " ABOVE" : "");
        isBest = isBest && rival.better == 0;
    }
    if (!milp.isThere())
        return isBest;
    const auto rival = milp.compare(chain, points);
    if (!rival) {
        std::fprintf(stderr, "HiGHS did not answer\n");
        return false;
    }
    printMilp(*rival, *noDrop, points.size(), 0);
    return isBest && rival->better == 0;
}

/// With several micro-batches every weight gradient is in base from the start.
Chain accumulated(Chain chain)
{
    chain.name = "405b-like, gradients accumulated";
    for (Stage& stage : chain.stages)
        stage.weightGradBytes = {};
    return chain;
}

} // namespace

int main()
{
    const MilpRival milp = MilpRival::fromEnvironment();
    bool isBest = true;
    const auto bench
        = [&](const Chain& chain, const Limits& limits) { isBest = benchChain(milp, chain, limits) && isBest; };
    std::printf("nested frontiers, %u cores\n", std::thread::hardware_concurrency());
    const std::string folder = REMAT_TEST_DATA "/chains/";
    struct Named {
        const char* name;
        Limits limits;
    };
    for (const Named& one : {Named{"gpt2-medium-b8-s1024", {15, 40, 400}}, {"llama3-8b-s8192", {15, 40, 400}},
             {"llama3-8b-s131072", {15, 40, 400}}, {"llama3-70b-s8192", {400, 0, 8000}},
             {"gpt3-175b-l96", {400, 0, 8000}}, {"llama3-405b-unsharded", {1500, 0, 0}},
             {"jitter-l80", {4000, 0, 8000}}}) {
        const auto chain = readChain(folder + one.name + ".chain.json");
        if (!chain)
            return 3;
        bench(*chain, one.limits);
        if (std::string_view(one.name) == "llama3-8b-s8192")
            bench(jittered(*chain, "every layer different, 32"), {60, 0, 0});
        if (std::string_view(one.name) == "llama3-405b-unsharded")
            bench(accumulated(*chain), {1500, 0, 0});
    }
    for (const std::size_t options : {std::size_t{100}, kAllOptions})
        for (Chain (*const synthetic)(int, std::size_t) : {syntheticLlamaChain, syntheticBertChain}) {
            bench(synthetic(32, options), {60, 0, 0});
            bench(synthetic(80, options), {500, 0, 0});
        }
    return isBest ? 0 : 1;
}
