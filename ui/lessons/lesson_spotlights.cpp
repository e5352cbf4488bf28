// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#include "ui/lessons/lesson_spotlights.h"

#include <algorithm>
#include <iterator>

namespace remat::ui {

namespace {

constexpr LessonSpotlight kSpotlights[] = {
    {"verdict", "verdict", false},
    {"ruler", "ruler", false},
    {"grid", "grid", false},
    {"grid_metric", "metric", false},
    {"details", "details", true},
    {"model", "preset", false},
    {"device", "device", false},
    {"budget", "budget", false},
    {"batch", "batch", false},
    {"sequence", "sequence", false},
    {"precision", "precision", false},
    {"attention", "attention", false},
    {"head", "head", false},
    {"optimizer", "optimizer", false},
    {"strategy", "strategy", false},
    {"run", "run", false},
    {"timeline", "timeline", true},
    {"playback", "playback", false},
    {"per_layer", "perLayer", true},
    {"tensors", "tensors", true},
    {"tradeoff", "tradeoff", true},
    {"strategies", "strategies", true},
    {"runs", "runs", true},
};

} // namespace

std::span<const LessonSpotlight> lessonSpotlights()
{
    return kSpotlights;
}

const LessonSpotlight* findLessonSpotlight(std::string_view name)
{
    const auto* const found = std::find_if(
        std::begin(kSpotlights), std::end(kSpotlights), [&](const LessonSpotlight& s) { return s.name == name; });
    return found == std::end(kSpotlights) ? nullptr : found;
}

} // namespace remat::ui
