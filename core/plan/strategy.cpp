// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/plan/strategy.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "core/base/text.h"
#include "core/model/names.h"
#include "core/plan/strategies_knapsack.h"
#include "core/plan/strategies_layer.h"
#include "core/tape/article_tape.h"
#include "core/tape/tape_writer.h"

namespace remat {

namespace {

constexpr MessageCode kUnknownStrategy{"unknown-strategy", REMAT_TR("There is no strategy \"{0}\"."),
    REMAT_TR("Use one of: {1}. A number of layers stands for K, as in every-2."), ExitCode::Usage};

constexpr MessageCode kNeedsBudget{"strategy-needs-budget", REMAT_TR("The strategy {0} needs a budget."),
    REMAT_TR("Add --budget, for example --budget 8GiB."), ExitCode::Usage};

constexpr MessageCode kNotInProfile{"strategy-not-in-profile",
    REMAT_TR("The strategy {0} recomputes a part that layers of the profile {1} do not have."),
    REMAT_TR("Use another strategy, or the profile runtime."), ExitCode::BadInput};

using Kind = Strategy::Kind;

/// The one list of all strategies: names, order and rules.
constexpr std::array<StrategyRule, 19> kRules{{
    {"none", "keep everything", "keep everything, recompute nothing", {Kind::None}},
    {"full", "full layer", "recompute every layer from its input (Chen et al. 2016)", {Kind::Full}},
    {"full-no-early-stop", "full layer, to its end", "the same, the last product of each layer too",
        {Kind::FullNoEarlyStop}},
    {"every-K", "every K layers", "the same as full for layers 0, K, 2K, ... only; every-2 takes every second one",
        {Kind::EveryK, 2}},
    {"ffn-only", "FFN only", "recompute the FFN; in BERT also the residual and norm that close it", {Kind::FfnOnly}},
    {"attention-only", "attention only", "recompute the attention; in BERT also the residual that closes it",
        {Kind::AttentionOnly}},
    {"core-attention", "attention core only", "recompute scores, softmax and context only (Korthikanti et al. 2022)",
        {Kind::CoreAttention}},
    {"chen-sqrt", "Chen, square root", "run segments of sqrt(layers) layers forward again (Chen et al. 2016)",
        {Kind::ChenSqrt}},
    {"chen-greedy", "Chen, greedy", "the same with segments cut by bytes (Chen et al. 2016, Algorithm 3)",
        {Kind::ChenGreedy}},
    {"megatron-uniform-K", "Megatron uniform K", "run groups of K layers forward again (Megatron-LM)",
        {Kind::MegatronUniform, 2}},
    {"megatron-block-K", "Megatron block K", "recompute the first K layers only (Megatron-LM)",
        {Kind::MegatronBlock, 4}},
    {"llmc-r1", "llm.c -r 1", "recompute the GELU (llm.c)", {Kind::LlmcR1}},
    {"llmc-r2", "llm.c -r 2", "recompute the GELU and the norms (llm.c)", {Kind::LlmcR2}},
    {"torchtitan-selective", "torchtitan selective",
        "recompute all but attention and every other matrix product (torchtitan)", {Kind::TorchtitanSelective}},
    {"article-greedy", "article's greedy",
        "recompute FFNs, cheapest per element first, while that stays within the bytes to free", {Kind::ArticleGreedy}},
    {"knapsack", "PyTorch's knapsack",
        "save what costs most FLOPs to rerun while saved bytes stay within the budget; its peak may not (PyTorch)",
        {Kind::Knapsack}},
    {"optimal", "optimal", "the cheapest of all plans that run each layer's forward once; needs a budget",
        {Kind::Optimal}},
    {"rotor-500", "rotor, 500 slots",
        "layers keep all or run forward again, memory in 500 slots (Beaumont et al. 2019); needs a budget",
        {Kind::Rotor500}},
    {"optimal-nested", "optimal, layers again", "the cheapest when layers may also run forward again; needs a budget",
        {Kind::OptimalNested}},
}};
/// Those that are solved anew for each budget or take seconds: planners of an order of stages.
bool isSlow(const Strategy& strategy)
{
    return strategy.ordersStages() && strategy.needsBudget();
}

std::vector<Strategy> rulesWhere(bool slow)
{
    std::vector<Strategy> strategies;
    for (const StrategyRule& rule : kRules)
        if (isSlow(rule.compared) == slow)
            strategies.push_back(rule.compared);
    return strategies;
}

/// Of a name that a number of layers follows, what stands before the number; else nothing.
std::string_view prefixOf(const StrategyRule& rule)
{
    std::string_view name = rule.name;
    const bool isNumbered = name.ends_with("-K");
    name.remove_suffix(isNumbered ? 1 : 0);
    return isNumbered ? name : std::string_view();
}

std::string knownNames()
{
    std::string names;
    for (const StrategyRule& rule : kRules)
        names += (names.empty() ? "" : ", ") + std::string(rule.name);
    return names;
}

bool recomputes(const Strategy& strategy, int layer)
{
    switch (strategy.kind) {
    case Strategy::Kind::EveryK:
        return layer % strategy.k == 0;
    case Strategy::Kind::MegatronBlock:
        return layer < strategy.k;
    default:
        return true;
    }
}

/// What it takes of a layer is there and, where the profile allows some granularities only, one of those.
bool isWithin(const Strategy& strategy, const StageTape& layer)
{
    const KeepSet ops = recomputedOps(strategy.kind, layer);
    const auto& allowed = layer.granularities;
    return ops != 0 && (allowed.empty() || std::find(allowed.begin(), allowed.end(), ops) != allowed.end());
}

/// The article's greedy (its listing, quoted in docs/memory-model.md): layers sorted by FFN FLOPs per FFN activation
/// element, marked while the sum of their FFN activation sizes stays within the bytes to free.
std::vector<bool> articleMarks(const StepTape& tape, Bytes bytesToFree)
{
    struct Layer {
        std::size_t stage;
        Bytes ffnBytes;
        double flopsPerElement;
    };
    std::vector<Layer> layers;
    const std::int64_t elements = tape.setup.batch * tape.setup.sequence * tape.shape.ffn;
    const std::int64_t width = bytesOf(storageOf(tape.setup));
    const double flops = 2.0 * static_cast<double>(tape.shape.hidden) * static_cast<double>(elements);
    for (std::size_t s = 0; s < tape.stages.size(); ++s)
        if (tape.stages[s].layer >= 0)
            layers.push_back({s, {elements * width}, flops / static_cast<double>(elements)});
    std::stable_sort(layers.begin(), layers.end(),
        [](const Layer& a, const Layer& b) { return a.flopsPerElement < b.flopsPerElement; });
    std::vector<bool> marks(tape.stages.size(), false);
    Bytes freed;
    for (const Layer& layer : layers) {
        if (freed + layer.ffnBytes > bytesToFree)
            break;
        freed += layer.ffnBytes;
        marks[layer.stage] = true;
    }
    return marks;
}

} // namespace

std::span<const StrategyRule> strategyRules()
{
    return kRules;
}

Error needsBudget(const Strategy& strategy)
{
    return {&kNeedsBudget, "--strategy", {toName(strategy)}};
}

Result<Strategy> parseStrategy(std::string_view name)
{
    for (const StrategyRule& rule : kRules) {
        const std::string_view prefix = prefixOf(rule);
        if (prefix.empty() && name == rule.name)
            return rule.compared;
        if (prefix.empty() || !name.starts_with(prefix))
            continue;
        const std::string_view digits = name.substr(prefix.size());
        int k = 0;
        const auto [end, problem] = std::from_chars(digits.data(), digits.data() + digits.size(), k);
        if (problem == std::errc() && end == digits.data() + digits.size() && k >= 1)
            return Strategy{rule.compared.kind, k};
    }
    return Error{&kUnknownStrategy, "--strategy", {shortened(name), knownNames()}};
}

std::string toName(const Strategy& strategy)
{
    const StrategyRule& rule = *std::find_if(
        kRules.begin(), kRules.end(), [&](const StrategyRule& r) { return r.compared.kind == strategy.kind; });
    const std::string_view prefix = prefixOf(rule);
    return prefix.empty() ? rule.name : std::string(prefix) + std::to_string(strategy.k);
}

Result<void> strategyApplies(const Strategy& strategy, const StepTape& tape)
{
    if (strategy.kind == Kind::None || strategy.kind == Kind::Rotor500 || strategy.isPlanner())
        return {};
    const bool isAboutOps = strategy.kind == Kind::Knapsack;
    for (std::size_t s = 0; s < tape.stages.size(); ++s) {
        const StageTape& stage = tape.tapeOf(static_cast<int>(s));
        const bool applies
            = isAboutOps || strategy.rerunsSegments() ? stage.granularities.empty() : isWithin(strategy, stage);
        if (tape.stages[s].layer < 0 || applies)
            continue;
        return Error{&kNotInProfile, "--strategy", {toName(strategy), std::string(toName(tape.setup.profile))}};
    }
    return {};
}

std::vector<Strategy> comparedStrategies()
{
    return rulesWhere(false);
}

std::vector<Strategy> slowStrategies()
{
    return rulesWhere(true);
}

std::vector<KeepSet> keepSetsOf(
    const Strategy& strategy, const StepTape& tape, const std::vector<KeepRule>& rules, Bytes ruleBytes)
{
    const std::vector<bool> marks = strategy.kind == Strategy::Kind::ArticleGreedy
        ? articleMarks(tape, ruleBytes)
        : std::vector<bool>(tape.stages.size(), true);
    std::vector<KeepSet> sets;
    if (strategy.kind == Strategy::Kind::Knapsack)
        sets = knapsackKeepSets(tape, ruleBytes);
    for (std::size_t s = 0; s < tape.stages.size(); ++s) {
        const StageTape& stage = tape.tapeOf(static_cast<int>(s));
        const int layer = tape.stages[s].layer;
        if (sets.size() == s)
            sets.push_back(keepAll(stage));
        if (layer >= 0 && marks[s] && recomputes(strategy, layer))
            sets[s] &= ~recomputedOps(strategy.kind, stage);
        if (!rules.empty())
            sets[s] = (sets[s] | rules[s].mustKeep) & ~rules[s].mustDrop;
    }
    return sets;
}

} // namespace remat
