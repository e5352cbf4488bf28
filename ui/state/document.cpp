// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#include "ui/state/document.h"

#include <set>

#include "core/base/json_cursor.h"
#include "core/base/json_text.h"
#include "core/cost/device_json.h"
#include "core/model/model_json.h"
#include "core/model/runtime_shapes.h"
#include "core/model/setup_json.h"

namespace remat::ui {

namespace {

using nlohmann::json;

constexpr const char* kFormat = "remat-document";
constexpr std::int64_t kVersion = 1;
constexpr MessageCode kUnknownProfile{"document-profile", REMAT_TR("A document has no profile \"{0}\"."),
    REMAT_TR("Use runtime or pytorch."), ExitCode::BadInput};

json viewJson(const ViewChoices& view)
{
    json result{{"metric", view.metric}, {"open_sublayers", view.openSublayers}};
    if (view.selectedRow && view.selectedLayer)
        result["selection"] = {{"row", *view.selectedRow}, {"layer", *view.selectedLayer}};
    return result;
}

ViewChoices readView(const JsonCursor& at)
{
    ViewChoices view;
    view.metric = static_cast<int>(at["metric"].integer(0, 3));
    for (const JsonCursor& row : at["open_sublayers"].elements(64))
        view.openSublayers.push_back(static_cast<int>(row.integer(0, 1000)));
    if (at.has("selection")) {
        view.selectedRow = static_cast<int>(at["selection"]["row"].integer(0, 1000));
        view.selectedLayer = static_cast<int>(at["selection"]["layer"].integer(-8, kMaxLayers + 8));
    }
    return view;
}

json toJson(const RankChoices& ranks)
{
    const Parallelism& parallelism = ranks.parallelism;
    return {{"tensor", parallelism.tensor}, {"sequence_parallel", parallelism.isSequenceParallel},
        {"pipeline", parallelism.pipeline}, {"data", parallelism.data}, {"zero", parallelism.zeroStage},
        {"by_paper", ranks.isByPaper}};
}

RankChoices readRanks(const JsonCursor& at)
{
    return {{at["tensor"].integer(1, kMaxDegree), at["sequence_parallel"].boolean(),
                at["pipeline"].integer(1, kMaxDegree), at["data"].integer(1, kMaxDegree), at["zero"].integer(0, 3)},
        at["by_paper"].boolean()};
}

} // namespace

std::string documentText(const Document& document)
{
    json root = document.unknown;
    json pins = json::array();
    for (const remat::Pin& pin : document.inputs.pins)
        pins.push_back(toText(pin));
    root["format"] = kFormat;
    root["version"] = kVersion;
    root["model"] = toJson(document.inputs.shape);
    root["setup"] = toJson(document.inputs.setup);
    root["budget_bytes"] = document.inputs.budget.value;
    root["strategy"] = toName(document.inputs.strategy);
    root["pins"] = std::move(pins);
    root["view"] = viewJson(document.view);
    if (document.inputs.isPytorch())
        root["profile"] = "pytorch";
    if (document.inputs.torch != TorchChoices())
        root["torch"] = toJson(document.inputs.torch);
    if (document.inputs.ranks != RankChoices())
        root["ranks"] = toJson(document.inputs.ranks);
    if (document.device)
        root["device"] = toJson(*document.device);
    return jsonText(root, 1) + "\n";
}

Result<Document> parseDocument(std::string_view text, const std::string& where)
{
    const Result<json> parsed = parseJson(text, where);
    if (!parsed)
        return parsed.error();
    const JsonCursor root(*parsed, where);
    root.requireFormat(kFormat, kVersion);
    if (root.failed())
        return root.error();
    Document document;
    document.inputs.shape = readModelShape(root["model"]);
    document.inputs.setup = withDefaults(document.inputs.shape, readTrainingSetup(root["setup"]));
    document.inputs.budget = root["budget_bytes"].bytes();
    const Result<Strategy> strategy = parseStrategy(root["strategy"].string());
    if (strategy)
        document.inputs.strategy = *strategy;
    else
        root["strategy"].fail(*strategy.error().code, strategy.error().arguments);
    for (const JsonCursor& at : root["pins"].elements(100'000)) {
        const Result<remat::Pin> pin = parsePin(at.string());
        if (pin)
            document.inputs.pins.push_back(*pin);
        else
            at.fail(*pin.error().code, pin.error().arguments);
    }
    if (root.has("view"))
        document.view = readView(root["view"]);
    if (root.has("device"))
        document.device = readDevice(root["device"]);
    if (root.has("torch"))
        document.inputs.torch = readTorchChoices(root["torch"]);
    if (root.has("ranks"))
        document.inputs.ranks = readRanks(root["ranks"]);
    if (root.has("profile")) {
        const std::string profile = root["profile"].string();
        if (profile == "pytorch")
            document.inputs.profile = StepProfile::Pytorch;
        else if (profile != "runtime")
            root["profile"].fail(kUnknownProfile, {profile});
    }
    if (root.failed()) {
        Error error = root.error();
        error.exit = ExitCode::BadInput;
        return error;
    }
    const Inputs& inputs = document.inputs;
    // A model that this program's own run lacks is a state that a person reaches by one click and leaves by another: it
    // is saved and opened like any other, and the window says what is wrong with it.
    const Result<void> valid = inputs.isPytorch() || runtimeLacks(inputs.shape)
        ? validate(regionRequestOf(inputs.shape, inputs.setup, inputs.torch, Device()), ValueOrigin::File)
        : validate(inputs.shape, inputs.setup);
    if (!valid) {
        Error error = valid.error();
        error.where = where + ": " + error.where;
        error.exit = ExitCode::BadInput;
        return error;
    }
    static const std::set<std::string> kKnown{"format", "version", "model", "setup", "budget_bytes", "strategy", "pins",
        "view", "device", "profile", "torch", "ranks"};
    for (const auto& [key, value] : parsed->items())
        if (!kKnown.contains(key))
            document.unknown[key] = value;
    return document;
}

} // namespace remat::ui
