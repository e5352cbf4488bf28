// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/chain/pins.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "core/base/text.h"

namespace remat {

namespace {

constexpr MessageCode kBadPin{"bad-pin", REMAT_TR("\"{0}\" is not a pin."),
    REMAT_TR(
        "Write a place, a target and a wish: L3.ffn_up=keep, L3.ffn=recompute, *.gelu=recompute or head.logits=keep."),
    ExitCode::Usage};
constexpr MessageCode kNoSuchLayer{"pin-no-such-layer", REMAT_TR("There is no layer {0}; the last one is {1}."),
    REMAT_TR("Name a layer of this model, or * for all of them."), ExitCode::Usage};
constexpr MessageCode kNoSuchTarget{"pin-no-such-target", REMAT_TR("\"{0}\" names nothing in this stage."),
    REMAT_TR("Name one of: {1}."), ExitCode::Usage};
constexpr MessageCode kNothingToPin{"pin-nothing-to-keep",
    REMAT_TR("No backward reads what \"{0}\" makes, so it is never kept and never costs memory."),
    REMAT_TR("Remove this pin, or name one of: {1}."), ExitCode::Usage};
constexpr MessageCode kContradiction{"pin-contradiction", REMAT_TR("\"{0}\" is pinned to keep and to recompute."),
    REMAT_TR("Remove one of the two pins."), ExitCode::Usage};

constexpr MessageCode kNoGranularity{"pin-no-granularity",
    REMAT_TR("With these pins {0} has no granularity left that the profile allows."), REMAT_TR("Remove a pin."),
    ExitCode::Usage};

constexpr std::array<const char*, 8> kSublayerNames{
    "embedding", "norm1", "attention", "residual1", "norm2", "ffn", "residual2", "head"};

bool names(const StageTape& tape, const Op& op, const std::string& target)
{
    if (target.empty() || op.name == target || sublayerName(op.sublayer) == target)
        return true;
    return std::any_of(op.writes.begin(), op.writes.end(),
        [&](int t) { return tape.tensors[static_cast<std::size_t>(t)].name == target; });
}

std::string candidateNames(const StageTape& tape)
{
    std::string result;
    for (const int op : tape.candidates())
        result += (result.empty() ? "" : ", ") + tape.ops[static_cast<std::size_t>(op)].name;
    return result;
}

Result<KeepSet> targetSet(const StageTape& tape, const Pin& pin)
{
    KeepSet named = 0;
    for (std::size_t i = 0; i < tape.ops.size(); ++i)
        if (names(tape, tape.ops[i], pin.target))
            named |= KeepSet{1} << i;
    if (named == 0)
        return Error{&kNoSuchTarget, toText(pin), {pin.target, candidateNames(tape)}};
    const KeepSet useful = named & keepAll(tape);
    if (useful == 0)
        return Error{&kNothingToPin, toText(pin), {pin.target, candidateNames(tape)}};
    return useful;
}

bool isAt(const StageInstance& stage, const Pin& pin)
{
    switch (pin.layer) {
    case Pin::kEveryLayer:
        return stage.layer >= 0;
    case Pin::kEmbedding:
        return stage.name == "embedding";
    case Pin::kHead:
        return stage.name == "head";
    default:
        return stage.layer == pin.layer;
    }
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
    std::string place;
    switch (pin.layer) {
    case Pin::kEveryLayer:
        place = "*";
        break;
    case Pin::kEmbedding:
        place = "embedding";
        break;
    case Pin::kHead:
        place = "head";
        break;
    default:
        place = "L" + std::to_string(pin.layer);
    }
    return place + (pin.target.empty() ? "" : "." + pin.target) + (pin.isKeep ? "=keep" : "=recompute");
}

Result<std::vector<KeepRule>> pinRules(const StepTape& step, const std::vector<Pin>& pins)
{
    std::vector<KeepRule> rules(step.stages.size());
    for (const Pin& pin : pins) {
        bool found = false;
        for (std::size_t s = 0; s < step.stages.size(); ++s) {
            if (!isAt(step.stages[s], pin))
                continue;
            found = true;
            const StageTape& tape = step.tapeOf(static_cast<int>(s));
            const Result<KeepSet> set = targetSet(tape, pin);
            if (!set)
                return set.error();
            (pin.isKeep ? rules[s].mustKeep : rules[s].mustDrop) |= *set;
            const auto& sets = tape.granularities;
            const bool allowsAny = sets.empty() || std::any_of(sets.begin(), sets.end(), [&](KeepSet dropped) {
                return rules[s].allows(keepAll(tape) & ~dropped);
            });
            if (const KeepSet both = rules[s].mustKeep & rules[s].mustDrop)
                return Error{&kContradiction, toText(pin), {step.stages[s].name + ": " + keepSetName(tape, both)}};
            if (!allowsAny)
                return Error{&kNoGranularity, toText(pin), {step.stages[s].name}};
        }
        if (!found)
            return Error{&kNoSuchLayer, toText(pin), {std::int64_t{pin.layer}, step.shape.layers - 1}};
    }
    return rules;
}

} // namespace remat
