// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/plan/strategy.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <numeric>

#include "core/base/text.h"
#include "core/model/names.h"
#include "core/tape/article_tape.h"
#include "core/tape/tape_writer.h"

namespace remat {

namespace {

constexpr MessageCode kUnknownStrategy{"unknown-strategy", REMAT_TR("There is no strategy \"{0}\"."),
    REMAT_TR("Use one of: none, full, every-K (such as every-2), ffn-only, attention-only, core-attention, "
             "article-greedy, optimal."),
    ExitCode::Usage};

constexpr MessageCode kNotInProfile{"strategy-not-in-profile",
    REMAT_TR("The strategy {0} recomputes a part that layers of the profile {1} do not have."),
    REMAT_TR("Use another strategy, or the profile runtime."), ExitCode::BadInput};

struct Name {
    const char* text;
    Strategy::Kind kind;
};

constexpr std::array<Name, 7> kNames{
    {{"none", Strategy::Kind::None}, {"full", Strategy::Kind::Full}, {"ffn-only", Strategy::Kind::FfnOnly},
        {"attention-only", Strategy::Kind::AttentionOnly}, {"core-attention", Strategy::Kind::CoreAttention},
        {"article-greedy", Strategy::Kind::ArticleGreedy}, {"optimal", Strategy::Kind::Optimal}}};

constexpr std::array<StrategyRule, 8> kRules{{
    {"none", "keep everything", "keep everything, recompute nothing"},
    {"full", "full layer", "recompute every layer from its input (Chen et al. 2016)"},
    {"every-K", "every K layers", "the same for layers 0, K, 2K, ... only; every-2 takes every second one"},
    {"ffn-only", "FFN only", "recompute the FFN; in BERT also the residual and norm that close it"},
    {"attention-only", "attention only", "recompute the attention; in BERT also the residual that closes it"},
    {"core-attention", "attention core only", "recompute scores, softmax and context only (Korthikanti et al. 2022)"},
    {"article-greedy", "article's greedy",
        "recompute FFNs, cheapest per element first, while that stays within the bytes to free"},
    {"optimal", "optimal", "the cheapest of all plans that run each layer's forward once; needs a budget"},
}};

constexpr std::string_view kEveryPrefix = "every-";

/// The ops of a block that a named granularity recomputes.
KeepSet droppedOps(Strategy::Kind kind, const StageTape& tape)
{
    KeepSet dropped = 0;
    bool normFollows = false;
    for (std::size_t i = 0; i < tape.ops.size(); ++i)
        normFollows = normFollows || (tape.ops[i].sublayer == Sublayer::Norm2 && tape.ops[i].writes[0] == tape.output);
    for (std::size_t i = 0; i < tape.ops.size(); ++i) {
        const Op& op = tape.ops[i];
        bool drops = false;
        switch (kind) {
        case Strategy::Kind::Full:
            drops = true;
            break;
        case Strategy::Kind::FfnOnly:
        case Strategy::Kind::ArticleGreedy:
            drops = op.sublayer == Sublayer::Ffn
                || (normFollows && (op.sublayer == Sublayer::Residual2 || op.sublayer == Sublayer::Norm2));
            break;
        case Strategy::Kind::AttentionOnly:
            drops = op.sublayer == Sublayer::Attention || (normFollows && op.sublayer == Sublayer::Residual1);
            break;
        case Strategy::Kind::CoreAttention:
            drops = op.kind == OpKind::Attention || op.kind == OpKind::AttentionProbs;
            break;
        default:
            break;
        }
        if (drops)
            dropped |= KeepSet{1} << i;
    }
    return dropped;
}

Strategy::Kind granularityOf(const Strategy& strategy)
{
    return strategy.kind == Strategy::Kind::EveryK ? Strategy::Kind::Full : strategy.kind;
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
    if (name.substr(0, kEveryPrefix.size()) == kEveryPrefix) {
        const std::string_view digits = name.substr(kEveryPrefix.size());
        int k = 0;
        const auto [end, problem] = std::from_chars(digits.data(), digits.data() + digits.size(), k);
        if (problem == std::errc() && end == digits.data() + digits.size() && k >= 1)
            return Strategy{Strategy::Kind::EveryK, k};
    }
    return Error{&kUnknownStrategy, "--strategy", {shortened(name)}};
}

std::string toName(const Strategy& strategy)
{
    if (strategy.kind == Strategy::Kind::EveryK)
        return std::string(kEveryPrefix) + std::to_string(strategy.k);
    return std::find_if(kNames.begin(), kNames.end(), [&](const Name& n) { return n.kind == strategy.kind; })->text;
}

Result<void> strategyApplies(const Strategy& strategy, const StepTape& tape)
{
    if (strategy.kind == Strategy::Kind::None || strategy.kind == Strategy::Kind::Optimal)
        return {};
    for (std::size_t s = 0; s < tape.stages.size(); ++s) {
        const StageTape& stage = tape.tapeOf(static_cast<int>(s));
        if (tape.stages[s].layer < 0 || droppedOps(granularityOf(strategy), stage) != 0)
            continue;
        return Error{&kNotInProfile, "--strategy", {toName(strategy), std::string(toName(tape.setup.profile))}};
    }
    return {};
}

std::vector<Strategy> comparedStrategies()
{
    using Kind = Strategy::Kind;
    return {{Kind::None}, {Kind::Full}, {Kind::EveryK, 2}, {Kind::FfnOnly}, {Kind::AttentionOnly},
        {Kind::CoreAttention}, {Kind::ArticleGreedy}, {Kind::Optimal}};
}

std::vector<KeepSet> keepSetsOf(
    const Strategy& strategy, const StepTape& tape, const std::vector<KeepRule>& rules, Bytes bytesToFree)
{
    const std::vector<bool> marks = strategy.kind == Strategy::Kind::ArticleGreedy
        ? articleMarks(tape, bytesToFree)
        : std::vector<bool>(tape.stages.size(), true);
    std::vector<KeepSet> sets;
    for (std::size_t s = 0; s < tape.stages.size(); ++s) {
        const StageTape& stage = tape.tapeOf(static_cast<int>(s));
        const int layer = tape.stages[s].layer;
        KeepSet keep = keepAll(stage);
        if (layer >= 0 && marks[s] && layer % strategy.k == 0)
            keep &= ~droppedOps(granularityOf(strategy), stage);
        if (!rules.empty())
            keep = (keep | rules[s].mustKeep) & ~rules[s].mustDrop;
        sets.push_back(keep);
    }
    return sets;
}

} // namespace remat
