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
    REMAT_TR("Use one of: none, full, full-no-early-stop, every-K (such as every-2), ffn-only, attention-only, "
             "core-attention, chen-sqrt, chen-greedy, megatron-uniform-K, megatron-block-K, llmc-r1, llmc-r2, "
             "torchtitan-selective, article-greedy, knapsack, optimal, optimal-nested."),
    ExitCode::Usage};

constexpr MessageCode kNotInProfile{"strategy-not-in-profile",
    REMAT_TR("The strategy {0} recomputes a part that layers of the profile {1} do not have."),
    REMAT_TR("Use another strategy, or the profile runtime."), ExitCode::BadInput};

struct Name {
    const char* text;
    Strategy::Kind kind;
};

constexpr std::array<Name, 15> kNames{{{"none", Strategy::Kind::None}, {"full", Strategy::Kind::Full},
    {"full-no-early-stop", Strategy::Kind::FullNoEarlyStop}, {"ffn-only", Strategy::Kind::FfnOnly},
    {"attention-only", Strategy::Kind::AttentionOnly}, {"core-attention", Strategy::Kind::CoreAttention},
    {"chen-sqrt", Strategy::Kind::ChenSqrt}, {"chen-greedy", Strategy::Kind::ChenGreedy},
    {"llmc-r1", Strategy::Kind::LlmcR1}, {"llmc-r2", Strategy::Kind::LlmcR2},
    {"torchtitan-selective", Strategy::Kind::TorchtitanSelective}, {"article-greedy", Strategy::Kind::ArticleGreedy},
    {"knapsack", Strategy::Kind::Knapsack}, {"optimal", Strategy::Kind::Optimal},
    {"optimal-nested", Strategy::Kind::OptimalNested}}};

/// Names that a number of layers follows.
constexpr std::array<Name, 3> kPrefixes{{{"every-", Strategy::Kind::EveryK},
    {"megatron-uniform-", Strategy::Kind::MegatronUniform}, {"megatron-block-", Strategy::Kind::MegatronBlock}}};

constexpr std::array<StrategyRule, 18> kRules{{
    {"none", "keep everything", "keep everything, recompute nothing"},
    {"full", "full layer", "recompute every layer from its input (Chen et al. 2016)"},
    {"full-no-early-stop", "full layer, to its end", "the same, the last product of each layer too"},
    {"every-K", "every K layers", "the same as full for layers 0, K, 2K, ... only; every-2 takes every second one"},
    {"ffn-only", "FFN only", "recompute the FFN; in BERT also the residual and norm that close it"},
    {"attention-only", "attention only", "recompute the attention; in BERT also the residual that closes it"},
    {"core-attention", "attention core only", "recompute scores, softmax and context only (Korthikanti et al. 2022)"},
    {"chen-sqrt", "Chen, square root", "run segments of sqrt(layers) layers forward again (Chen et al. 2016)"},
    {"chen-greedy", "Chen, greedy", "the same with segments cut by bytes (Chen et al. 2016, Algorithm 3)"},
    {"megatron-uniform-K", "Megatron uniform K", "run groups of K layers forward again (Megatron-LM)"},
    {"megatron-block-K", "Megatron block K", "recompute the first K layers only (Megatron-LM)"},
    {"llmc-r1", "llm.c -r 1", "recompute the GELU (llm.c)"},
    {"llmc-r2", "llm.c -r 2", "recompute the GELU and the norms (llm.c)"},
    {"torchtitan-selective", "torchtitan selective",
        "recompute all but attention and every other matrix product (torchtitan)"},
    {"article-greedy", "article's greedy",
        "recompute FFNs, cheapest per element first, while that stays within the bytes to free"},
    {"knapsack", "PyTorch's knapsack",
        "save what costs most FLOPs to rerun while saved bytes stay within the budget; its peak may not (PyTorch)"},
    {"optimal", "optimal", "the cheapest of all plans that run each layer's forward once; needs a budget"},
    {"optimal-nested", "optimal, layers again", "the cheapest when layers may also run forward again; needs a budget"},
}};

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
    const std::int64_t width = tape.setup.profile == Profile::Article ? articleElementBytes(tape.setup) : kFloatBytes;
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

Result<Strategy> parseStrategy(std::string_view name)
{
    for (const Name& known : kNames)
        if (name == known.text)
            return Strategy{known.kind};
    for (const Name& prefix : kPrefixes) {
        const std::size_t length = std::string_view(prefix.text).size();
        if (name.substr(0, length) != prefix.text)
            continue;
        const std::string_view digits = name.substr(length);
        int k = 0;
        const auto [end, problem] = std::from_chars(digits.data(), digits.data() + digits.size(), k);
        if (problem == std::errc() && end == digits.data() + digits.size() && k >= 1)
            return Strategy{prefix.kind, k};
    }
    return Error{&kUnknownStrategy, "--strategy", {shortened(name)}};
}

std::string toName(const Strategy& strategy)
{
    for (const Name& prefix : kPrefixes)
        if (prefix.kind == strategy.kind)
            return prefix.text + std::to_string(strategy.k);
    return std::find_if(kNames.begin(), kNames.end(), [&](const Name& n) { return n.kind == strategy.kind; })->text;
}

Result<void> strategyApplies(const Strategy& strategy, const StepTape& tape)
{
    using Kind = Strategy::Kind;
    if (strategy.kind == Kind::None || strategy.isPlanner())
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
    using Kind = Strategy::Kind;
    return {{Kind::None}, {Kind::Full}, {Kind::FullNoEarlyStop}, {Kind::EveryK, 2}, {Kind::FfnOnly},
        {Kind::AttentionOnly}, {Kind::CoreAttention}, {Kind::ChenSqrt}, {Kind::ChenGreedy}, {Kind::MegatronUniform, 2},
        {Kind::MegatronBlock, 4}, {Kind::LlmcR1}, {Kind::LlmcR2}, {Kind::TorchtitanSelective}, {Kind::ArticleGreedy},
        {Kind::Knapsack}, {Kind::Optimal}};
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
