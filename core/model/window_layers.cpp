// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/model/window_layers.h"

#include <algorithm>

#include "core/base/text.h"
#include "core/model/training_setup.h"

namespace remat {

namespace {

constexpr MessageCode kUnknownLayer{"config-layer-type-unsupported",
    REMAT_TR("Layers of type \"{0}\" are not supported."), REMAT_TR("Supported are {1} and {2}.")};
constexpr MessageCode kPatternRepeated{
    "config-layer-types-repeated", REMAT_TR("{0} names {1} layers, but there are {2}: the list is repeated."), ""};

constexpr MessageCode kOwnPattern{"config-layer-types-default",
    REMAT_TR("{0} is not given: by transformers' default the layers are {1}, repeated (s with the window, f without)."),
    ""};

/// Qwen2Config's max_window_layers: layers before it see every token.
constexpr std::int64_t kMaxWindowLayersDefault = 28;
/// Gemma3TextConfig's sliding_window_pattern: one layer of six sees every token.
constexpr std::int64_t kPatternDefault = 6;

/// The shortest pattern whose repetition is this one.
std::string shortestPeriod(const std::string& pattern)
{
    for (std::size_t period = 1; period < pattern.size(); ++period) {
        bool isPeriod = true;
        for (std::size_t i = period; i < pattern.size() && isPeriod; ++i)
            isPeriod = pattern[i] == pattern[i - period];
        if (isPeriod)
            return pattern.substr(0, period);
    }
    return pattern;
}

std::vector<std::string> namesIn(const JsonCursor& at)
{
    std::vector<std::string> names;
    for (const JsonCursor& element : at.elements(static_cast<std::size_t>(kMaxLayers)))
        names.push_back(element.string());
    return names;
}

/// What the family's own rule says of its layers.
std::string ownPattern(ConfigKeys& keys, const AttentionKeys& attention, std::int64_t layers)
{
    std::int64_t period = kPatternDefault, before = kMaxWindowLayersDefault;
    switch (attention.windowLayers) {
    case WindowLayers::All:
        break;
    case WindowLayers::FromDepth:
        before = std::min(keys.integer("max_window_layers", before, 0, kMaxLayers), layers);
        return std::string(static_cast<std::size_t>(before), 'f')
            + std::string(static_cast<std::size_t>(layers - before), 's');
    case WindowLayers::EveryOther:
        return "sf";
    case WindowLayers::FiveOfSix:
        if (keys.isGiven("sliding_window_pattern"))
            period = keys["sliding_window_pattern"].integer(1, kMaxLayers);
        return std::string(static_cast<std::size_t>(period - 1), 's') + "f";
    }
    return "s";
}

} // namespace

std::string patternOf(
    const JsonCursor& at, const std::vector<std::string>& kinds, const char* windowed, const char* full)
{
    std::string pattern;
    for (const std::string& kind : kinds) {
        if (kind != windowed && kind != full) {
            at.fail(kUnknownLayer, {shortened(kind), std::string(windowed), std::string(full)});
            return {};
        }
        pattern += kind == windowed ? 's' : 'f';
    }
    return pattern;
}

void setWindowLayers(ConfigKeys& keys, ModelShape& shape, const char* key, std::string pattern)
{
    const auto layers = static_cast<std::size_t>(shape.layers);
    if (keys.isGiven(key) && pattern.size() != layers)
        keys.note({&kPatternRepeated, {std::string(key), static_cast<std::int64_t>(pattern.size()), shape.layers}});
    if (pattern.size() > layers)
        pattern.resize(layers);
    shape.windowPattern = shortestPeriod(pattern);
    if (shape.windowPattern.find('s') == std::string::npos)
        shape.slidingWindow = 0;
    if (shape.windowPattern == "s" || shape.slidingWindow == 0)
        shape.windowPattern.clear();
}

void readWindow(ConfigKeys& keys, const AttentionKeys& attention, ModelShape& shape)
{
    if (!attention.window)
        return;
    if (attention.windowSwitch && !keys.flag(attention.windowSwitch, false))
        return;
    if (keys.isGiven(attention.window)) {
        shape.slidingWindow = keys[attention.window].integer(1, kMaxPositions);
    } else if (!keys.isNull(attention.window)) {
        shape.slidingWindow = attention.windowDefault;
        keys.noteDefault(attention.window,
            attention.windowDefault > 0 ? std::to_string(attention.windowDefault) : std::string("null"));
    }
    if (shape.slidingWindow == 0 || attention.windowLayers == WindowLayers::All)
        return;
    std::string pattern;
    if (keys.isGiven("layer_types"))
        pattern = patternOf(keys["layer_types"], namesIn(keys["layer_types"]), "sliding_attention", "full_attention");
    else
        pattern = ownPattern(keys, attention, shape.layers);
    if (!keys.isGiven("layer_types"))
        keys.note({&kOwnPattern, {std::string("layer_types"), shortestPeriod(pattern)}});
    setWindowLayers(keys, shape, "layer_types", std::move(pattern));
}

} // namespace remat
