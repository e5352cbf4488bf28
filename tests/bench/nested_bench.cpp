// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
// How long whole nested frontiers take on this machine's cores, as shares of the project's limits for two cores, and
// beside rotor with 500 memory slots: what its implementation took per budget and answered is in
// tests/data/chains/rotor500.json.  Times are wall times, the fastest of a few solves.
#include <algorithm>
#include <cstdio>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/base/clock.h"
#include "core/base/files.h"
#include "core/base/json_cursor.h"
#include "core/chain/chain_file.h"
#include "core/plan/nested_planner.h"
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

/// The best of a few wall times, of a slow solve the only one.
double solveMilliseconds(const Chain& chain, NestedClass wanted, NestedFrontier& frontier)
{
    double best = 0;
    for (int i = 0; i < kRepeats && best < kRepeatBelowMs; ++i) {
        NestedLimits limits;
        limits.wanted = wanted;
        const Nanoseconds begin = steadyClock();
        const auto solved = NestedPlanner(chain, limits).solve();
        const double taken = static_cast<double>((steadyClock() - begin).value) / 1e6;
        if (!solved) {
            std::fprintf(stderr, "%s\n", englishSentence(solved.error()).c_str());
            return 0;
        }
        frontier = *solved;
        best = i == 0 ? taken : std::min(best, taken);
    }
    return best;
}

void benchClass(const Chain& chain, NestedClass wanted, double limit, NestedFrontier& frontier)
{
    const double taken = solveMilliseconds(chain, wanted, frontier);
    std::printf("  %-17s %9.1f ms", nameOf(frontier.solvedClass()).data(), taken);
    if (limit > 0)
        std::printf("  /limit %5.2f", taken / limit);
    else
        std::printf("  %12s", "");
    std::printf("  %6zu points%s", frontier.points().size(), frontier.exact() ? ", exact" : "");
    if (!frontier.exact())
        std::printf(", gap %.3f %%", 100 * frontier.gap());
    std::printf("\n");
}

/// Rotor's answers of one kind ("classic" or "options") beside ours.
void printRotor(const nlohmann::json& answers, const char* mode, const NestedFrontier& frontier)
{
    double seconds = 0, least = 1e9, most = 0;
    int budgets = 0, answered = 0, better = 0;
    for (const nlohmann::json& answer : answers) {
        if (answer["mode"] != mode)
            continue;
        ++budgets;
        seconds += answer["seconds"].get<double>();
        const std::size_t point = lastWithin(frontier.points(), {answer["budget"].get<std::int64_t>()});
        if (answer["time"].is_null() || point == frontier.points().size())
            continue;
        ++answered;
        const double ours = static_cast<double>(frontier.points()[point].time.value);
        const double loss = 100 * (answer["time"].get<double>() / ours - 1);
        least = std::min(least, loss);
        most = std::max(most, loss);
        better += loss < 0 ? 1 : 0;
    }
    if (answered > 0)
        std::printf(
            "  rotor-500 %-7s %9.1f ms per budget; slower by %.1f to %.1f %% where it answers (%d of %d budgets), "
            "faster at %d\n",
            mode, 1e3 * seconds / budgets, least, most, answered, budgets, better);
}

void bench(const Chain& chain, const Limits& limits, const nlohmann::json& rotor)
{
    std::size_t options = 0;
    for (const Stage& stage : chain.stages)
        options = std::max(options, stage.options.size());
    std::printf("%s, %zu x %zu\n", chain.name.c_str(), chain.stages.size(), options);
    NestedFrontier frontier;
    benchClass(chain, NestedClass::NoDrop, limits.noDrop, frontier);
    if (limits.lean > 0)
        benchClass(chain, NestedClass::DropLean, limits.lean, frontier);
    if (limits.drop > 0)
        benchClass(chain, NestedClass::Drop, limits.drop, frontier);
    for (const char* mode : {"classic", "options"})
        printRotor(rotor, mode, frontier);
}

/// With several micro-batches every weight gradient is in base from the start.
Chain accumulated(Chain chain)
{
    chain.name = "405b-like, gradients accumulated";
    for (Stage& stage : chain.stages)
        stage.weightGradBytes = {};
    return chain;
}

/// Every layer's times and sizes differ a little, as in a measured profile.
Chain jittered(Chain chain, const std::string& name)
{
    std::mt19937_64 random(32);
    const auto vary = [&](std::int64_t& value) { value += value / 1000 * static_cast<std::int64_t>(random() % 60); };
    chain.name = name;
    for (Stage& stage : chain.stages) {
        stage.kind.clear();
        vary(stage.forwardTime.value);
        for (Option& option : stage.options) {
            vary(option.backwardTime.value);
            vary(option.savedBytes.value);
        }
    }
    return chain;
}

} // namespace

int main()
{
    const std::string folder = REMAT_TEST_DATA "/chains/";
    const auto rotorText = readFile(folder + "rotor500.json");
    const auto rotor = rotorText ? parseJson(*rotorText, "rotor500.json") : Result<nlohmann::json>(nlohmann::json());
    if (!rotor)
        return 3;
    struct Named {
        const char* name;
        Limits limits;
    };
    for (const Named& one :
        {Named{"gpt2-medium-b8-s1024", {15, 40, 400}}, {"llama3-8b-s8192", {15, 40, 400}},
            {"llama3-8b-s131072", {15, 40, 400}}, {"llama3-70b-s8192", {400, 0, 8000}},
            {"gpt3-175b-l96", {400, 0, 8000}}, {"llama3-405b-unsharded", {1500, 0, 0}}, {"jitter-l80", {4000, 0, 0}}}) {
        const auto chain = readChain(folder + one.name + ".chain.json");
        if (!chain)
            return 3;
        bench(*chain, one.limits, rotor->value(one.name, nlohmann::json::array()));
        if (std::string_view(one.name) == "llama3-8b-s8192")
            bench(jittered(*chain, "every layer different, 32"), {60, 0, 0}, nlohmann::json::array());
        if (std::string_view(one.name) == "llama3-405b-unsharded")
            bench(accumulated(*chain), {1500, 0, 0}, nlohmann::json::array());
    }
    bench(syntheticBertChain(32), {60, 0, 0}, nlohmann::json::array());
    bench(syntheticBertChain(80), {500, 0, 0}, nlohmann::json::array());
    return 0;
}
