// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
// How long whole nested frontiers take on this machine's cores, as shares of the project's limits for two cores, and
// beside rotor with 500 memory slots (core/plan/rotor_500.h), which is solved in the same run once for each of eight
// budgets.  Times are wall times, of ours the fastest of a few solves.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/clock.h"
#include "core/chain/chain_file.h"
#include "core/plan/nested_planner.h"
#include "core/plan/rotor_500.h"
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

/// False where there is no frontier.
bool benchClass(const Chain& chain, NestedClass wanted, double limit, NestedFrontier& frontier)
{
    const std::optional<double> taken = solveMilliseconds(chain, wanted, frontier);
    if (!taken)
        return false;
    std::printf("  %-17s %9.1f ms", nameOf(frontier.solvedClass()).data(), *taken);
    // The bar is the named class's; beyond 5 GiB of tables the planner settles for a smaller one.
    if (limit > 0 && frontier.solvedClass() == wanted)
        std::printf("  /limit %5.2f", *taken / limit);
    else
        std::printf("  %12s", "");
    std::printf("  %6zu points%s", frontier.points().size(), frontier.exact() ? ", exact" : "");
    if (!frontier.exact())
        std::printf(", gap %.3f %%", 100 * frontier.gap());
    std::printf("\n");
    return true;
}

/// Rotor as published, solved in this run at eight budgets over the frontier, beside ours.
void benchRotor(const Chain& chain, RotorStages stages, const NestedFrontier& frontier)
{
    constexpr int kBudgets = 8;
    const std::vector<FrontierPoint>& points = frontier.points();
    const Bytes step = Bytes{(points.back().peak - points.front().peak).value / kBudgets};
    double milliseconds = 0, least = 1e9, most = 0;
    int answered = 0, better = 0;
    for (int i = 1; i <= kBudgets; ++i) {
        const Bytes budget = points.front().peak + i * step;
        const Nanoseconds begin = steadyClock();
        const auto answer = solveRotor500(chain, budget, stages);
        milliseconds += static_cast<double>((steadyClock() - begin).value) / 1e6;
        if (!answer)
            continue;
        ++answered;
        const double ours = static_cast<double>(points[lastWithin(points, budget)].time.value);
        const double loss = 100 * (static_cast<double>(answer->time.value) / ours - 1);
        least = std::min(least, loss);
        most = std::max(most, loss);
        better += loss < 0 ? 1 : 0;
    }
    std::printf("  rotor-500 %-7s %9.1f ms per budget; answers %d of %d budgets",
        stages == RotorStages::Atomic ? "classic" : "options", milliseconds / kBudgets, answered, kBudgets);
    if (answered > 0)
        std::printf(", slower by %.1f to %.1f %%, faster at %d", least, most, better);
    std::printf("\n");
}

void bench(const Chain& chain, const Limits& limits)
{
    std::size_t options = 0;
    for (const Stage& stage : chain.stages)
        options = std::max(options, stage.options.size());
    std::printf("%s, %zu x %zu\n", chain.name.c_str(), chain.stages.size(), options);
    NestedFrontier frontier;
    if (!benchClass(chain, NestedClass::NoDrop, limits.noDrop, frontier))
        return;
    if (limits.lean > 0)
        benchClass(chain, NestedClass::DropLean, limits.lean, frontier);
    if (limits.drop > 0)
        benchClass(chain, NestedClass::Drop, limits.drop, frontier);
    for (const RotorStages stages : {RotorStages::Atomic, RotorStages::WithOptions})
        benchRotor(chain, stages, frontier);
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
    bench(syntheticBertChain(32), {60, 0, 0});
    bench(syntheticBertChain(80), {500, 0, 0});
    return 0;
}
