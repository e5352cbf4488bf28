// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/base/result.h"
#include "core/cost/device.h"
#include "core/paper/parallelism.h"
#include "core/plan/strategy.h"
#include "core/plan/study.h"
#include "ui/state/torch_choices.h"

namespace remat::ui {

/// Whose training step the window describes: this program's own run, or PyTorch's.
enum class StepProfile { Runtime, Pytorch };

/// How the view of one GPU of several divides the step, and who counts; plans are for one GPU all the same.
struct RankChoices {
    Parallelism parallelism;
    bool isByPaper = false; ///< the papers' closed forms instead of the simulation of PyTorch

    bool operator==(const RankChoices&) const = default;
};

/// Everything that the person chose: what undo restores and a document file holds.
struct Inputs {
    ModelShape shape;
    TrainingSetup setup;
    Bytes budget;
    Strategy strategy;
    std::vector<remat::Pin> pins; ///< of the runtime profile; kept while the other one is shown
    StepProfile profile = StepProfile::Runtime;
    TorchChoices torch; ///< of the profile pytorch; kept while the other one is shown
    RankChoices ranks;

    bool isPytorch() const { return profile == StepProfile::Pytorch; }

    bool operator==(const Inputs&) const = default;
};

/// How the person looks at it: saved with the document, not undone.
struct ViewChoices {
    int metric = 0; ///< GridMetric
    std::vector<int> openSublayers;
    std::optional<int> selectedRow, selectedLayer;

    bool operator==(const ViewChoices&) const = default;
};

/// A document file: `"format": "remat-document"`, `"version": 1` (docs/file-formats.md).  Keys that this version does
/// not know are kept and written again.
struct Document {
    Inputs inputs;
    ViewChoices view;
    /// The setup's device, where it is none that every installation has.
    std::optional<Device> device;
    nlohmann::json unknown = nlohmann::json::object();
};

std::string documentText(const Document& document);
/// Errors: not JSON, other format, missing or mistyped keys, an invalid shape or setup.
Result<Document> parseDocument(std::string_view text, const std::string& where);

} // namespace remat::ui
