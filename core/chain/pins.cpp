// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/chain/pins.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "core/base/index.h"
#include "core/base/text.h"
#include "core/model/names.h"

namespace remat {

namespace {

constexpr MessageCode kBadPin{"bad-pin", REMAT_TR("\"{0}\" is not a pin."),
    REMAT_TR(
        "Write a place, a target and a wish: L3.ffn_up=keep, L3.ffn=recompute, *.gelu=recompute or head.logits=keep."),
    ExitCode::Usage};
constexpr MessageCode kNoSuchLayer{"pin-no-such-layer", REMAT_TR("There is no layer {0}; the last one is {1}."),
    REMAT_TR("Name a layer of this model, or * for all of them."), ExitCode::Usage};
constexpr MessageCode kNoSuchStage{"pin-no-such-stage",
    REMAT_TR("The training step of the profile {1} has no stage \"{0}\" to pin."),
    REMAT_TR("Name a layer, such as L0, or * for all of them."), ExitCode::Usage};
constexpr MessageCode kNoSuchTarget{"pin-no-such-target", REMAT_TR("\"{0}\" names nothing in this stage."),
    REMAT_TR("Name one of: {1}."), ExitCode::Usage};
constexpr MessageCode kNothingToPin{"pin-nothing-to-keep",
    REMAT_TR("No backward reads what \"{0}\" makes, so it is never kept and never costs memory."),
    REMAT_TR("Remove this pin, or name one of: {1}."), ExitCode::Usage};
constexpr MessageCode kNothingHeld{"pin-nothing-held",
    REMAT_TR("This stage holds nothing for its backward, so there is nothing to keep or to recompute."),
    REMAT_TR("Remove this pin."), ExitCode::Usage};
constexpr MessageCode kContradiction{"pin-contradiction", REMAT_TR("\"{0}\" is pinned to keep and to recompute."),
    REMAT_TR("Remove one of the two pins."), ExitCode::Usage};
constexpr MessageCode kNoGranularity{"pin-no-granularity",
    REMAT_TR("With these pins {0} has no granularity left that the profile allows."), REMAT_TR("Remove a pin."),
    ExitCode::Usage};

constexpr std::array<const char*, 8> kSublayerNames{
    "embedding", "norm1", "attention", "residual1", "norm2", "ffn", "residual2", "head"};

/// The ops for which a claim holds.
template <class Claim> KeepSet opsWhere(const StageTape& tape, Claim claim)
{
    KeepSet set = 0;
    for (std::size_t i = 0; i < tape.ops.size(); ++i)
        if (claim(tape.ops[i]))
            set |= KeepSet{1} << i;
    return set;
}

/// The ops that a target names.  An op's own name goes before a sublayer's: "residual1" is both.
KeepSet namedOps(const StageTape& tape, const std::string& target)
{
    if (target.empty())
        return opsWhere(tape, [](const Op&) { return true; });
    if (const KeepSet ops = opsWhere(tape, [&](const Op& op) { return op.name == target; }))
        return ops;
    const auto writes = [&](const Op& op) {
        return std::any_of(
            op.writes.begin(), op.writes.end(), [&](int t) { return tape.tensors[at(t)].name == target; });
    };
    if (const KeepSet ops = opsWhere(tape, writes))
        return ops;
    return opsWhere(tape, [&](const Op& op) { return sublayerName(op.sublayer) == target; });
}

std::string candidateNames(const StageTape& tape)
{
    std::vector<std::string> names;
    for (const int op : tape.candidates())
        names.push_back(tape.ops[at(op)].name);
    return joined(names);
}

/// The ops of a stage that a pin names and that can be kept.
Result<KeepSet> targetSet(const StageTape& tape, const Pin& pin)
{
    const KeepSet named = namedOps(tape, pin.target);
    if (keepAll(tape) == 0)
        return Error{&kNothingHeld, toText(pin), {}};
    if (named == 0)
        return Error{&kNoSuchTarget, toText(pin), {pin.target, candidateNames(tape)}};
    const KeepSet useful = named & keepAll(tape);
    if (useful == 0)
        return Error{&kNothingToPin, toText(pin), {pin.target, candidateNames(tape)}};
    return useful;
}

bool isAt(const StepTape& step, int stage, const Pin& pin)
{
    const int layer = step.stages[at(stage)].layer;
    switch (pin.layer) {
    case Pin::kEveryLayer:
        return layer >= 0;
    case Pin::kEmbedding:
        return step.tapeOf(stage).kind == "embedding";
    case Pin::kHead:
        return step.tapeOf(stage).kind == "head";
    default:
        return layer == pin.layer;
    }
}

std::string placeText(int place)
{
    switch (place) {
    case Pin::kEveryLayer:
        return "*";
    case Pin::kEmbedding:
        return "embedding";
    case Pin::kHead:
        return "head";
    default:
        return "L" + std::to_string(place);
    }
}

/// Pin::layer of a stage.
int placeOf(const StepTape& step, int stage)
{
    const int layer = step.stages[at(stage)].layer;
    return layer >= 0 ? layer : step.tapeOf(stage).kind == "head" ? Pin::kHead : Pin::kEmbedding;
}

void appendOpPins(std::vector<Pin>& pins, const StepTape& step, const StageOps& place, bool isKeep)
{
    const StageTape& tape = step.tapeOf(place.stage);
    for (std::size_t i = 0; i < tape.ops.size(); ++i)
        if (keeps(place.ops, static_cast<int>(i)))
            pins.push_back({placeOf(step, place.stage), tape.ops[i].name, isKeep});
}

/// What is left of a pin when it says nothing more about the ops taken from it (by stage).
std::vector<Pin> remainder(
    const StepTape& step, const Pin& pin, const std::vector<StageOps>& coverage, const std::vector<KeepSet>& taken)
{
    std::vector<Pin> rest;
    for (const StageOps& covered : coverage) {
        const KeepSet left = covered.ops & ~taken[at(covered.stage)];
        if (left == covered.ops)
            rest.push_back({placeOf(step, covered.stage), pin.target, pin.isKeep});
        else
            appendOpPins(rest, step, {covered.stage, left}, pin.isKeep);
    }
    return rest;
}

} // namespace

const char* sublayerName(Sublayer sublayer)
{
    return kSublayerNames[static_cast<std::size_t>(sublayer)];
}

Result<Pin> parsePin(std::string_view text)
{
    const Error bad{&kBadPin, "--pin", {shortened(text)}};
    const auto equals = text.find('=');
    if (equals == std::string_view::npos)
        return bad;
    const std::string_view wish = text.substr(equals + 1);
    std::string_view place = text.substr(0, equals);
    Pin pin;
    if (wish != "keep" && wish != "recompute")
        return bad;
    pin.isKeep = wish == "keep";
    if (const auto dot = place.find('.'); dot != std::string_view::npos) {
        pin.target = place.substr(dot + 1);
        if (pin.target.empty())
            return bad;
        place = place.substr(0, dot);
    }
    if (place == "*")
        pin.layer = Pin::kEveryLayer;
    else if (place == "embedding")
        pin.layer = Pin::kEmbedding;
    else if (place == "head")
        pin.layer = Pin::kHead;
    else {
        if (place.empty() || place.front() != 'L')
            return bad;
        const char* end = place.data() + place.size();
        const auto [stop, problem] = std::from_chars(place.data() + 1, end, pin.layer);
        if (problem != std::errc() || stop != end || pin.layer < 0)
            return bad;
    }
    return pin;
}

std::string toText(const Pin& pin)
{
    return placeText(pin.layer) + (pin.target.empty() ? "" : "." + pin.target) + (pin.isKeep ? "=keep" : "=recompute");
}

Result<std::vector<StageOps>> opsOfPin(const StepTape& step, const Pin& pin)
{
    std::vector<StageOps> result;
    for (int s = 0; s < static_cast<int>(step.stages.size()); ++s) {
        if (!isAt(step, s, pin))
            continue;
        const Result<KeepSet> set = targetSet(step.tapeOf(s), pin);
        if (!set)
            return set.error();
        result.push_back({s, *set});
    }
    if (!result.empty())
        return result;
    if (pin.layer >= 0)
        return Error{&kNoSuchLayer, toText(pin), {std::int64_t{pin.layer}, step.shape.layers - 1}};
    return Error{&kNoSuchStage, toText(pin), {placeText(pin.layer), std::string(toName(step.setup.profile))}};
}

Result<std::vector<KeepRule>> pinRules(const StepTape& step, const std::vector<Pin>& pins)
{
    std::vector<KeepRule> rules(step.stages.size());
    for (const Pin& pin : pins) {
        const Result<std::vector<StageOps>> places = opsOfPin(step, pin);
        if (!places)
            return places.error();
        for (const auto& [stage, ops] : *places) {
            const StageTape& tape = step.tapeOf(stage);
            const std::string& name = step.stages[at(stage)].name;
            KeepRule& rule = rules[at(stage)];
            (pin.isKeep ? rule.mustKeep : rule.mustDrop) |= ops;
            if (const KeepSet both = rule.mustKeep & rule.mustDrop)
                return Error{&kContradiction, toText(pin), {name + ": " + keepSetName(tape, both)}};
            const auto& sets = tape.granularities;
            const bool allowsAny = sets.empty() || std::any_of(sets.begin(), sets.end(), [&](KeepSet dropped) {
                return rule.allows(keepAll(tape) & ~dropped);
            });
            if (!allowsAny)
                return Error{&kNoGranularity, toText(pin), {name}};
        }
    }
    return rules;
}

std::vector<Pin> replacePins(
    const StepTape& step, const std::vector<Pin>& pins, const std::vector<StageOps>& places, std::optional<bool> isKeep)
{
    std::vector<KeepSet> taken(step.stages.size(), 0);
    for (const StageOps& place : places)
        taken[at(place.stage)] |= place.ops & keepAll(step.tapeOf(place.stage));
    std::vector<KeepSet> wanted = taken; // what no remaining pin wishes yet
    std::vector<Pin> result;
    for (const Pin& pin : pins) {
        const Result<std::vector<StageOps>> coverage = opsOfPin(step, pin);
        const bool isTouched = coverage
            && std::any_of(coverage->begin(), coverage->end(),
                [&](const StageOps& covered) { return (covered.ops & taken[at(covered.stage)]) != 0; });
        if (!isTouched || pin.isKeep == isKeep) {
            result.push_back(pin);
            if (isTouched)
                for (const StageOps& covered : *coverage)
                    wanted[at(covered.stage)] &= ~covered.ops;
            continue;
        }
        const std::vector<Pin> rest = remainder(step, pin, *coverage, taken);
        result.insert(result.end(), rest.begin(), rest.end());
    }
    if (isKeep)
        for (int s = 0; s < static_cast<int>(step.stages.size()); ++s)
            appendOpPins(result, step, {s, wanted[at(s)]}, *isKeep);
    return result;
}

} // namespace remat
