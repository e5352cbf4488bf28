// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/plan/torch_realization.h"

#include <algorithm>
#include <array>
#include <utility>

#include <nlohmann/json.hpp>

#include "core/base/json_cursor.h"
#include "core/base/text.h"

namespace remat {

namespace {

using nlohmann::json;
using Kind = TorchRegion::Kind;

constexpr const char* kFormat = "remat-torch";
constexpr std::int64_t kVersion = 1;
/// Regions in regions: a block in k blocks, a part in that, and room for what others write.
constexpr int kDeepest = 8;

constexpr MessageCode kUnknownRegion{"torch-unknown-region", REMAT_TR("There is no region of kind \"{0}\"."),
    REMAT_TR("Use block, attention, ffn, core or blocks.")};
constexpr MessageCode kUnknownRealization{"torch-unknown-realization",
    REMAT_TR("There is no realization \"{0}\" in PyTorch."), REMAT_TR("Use regions or exact.")};
constexpr MessageCode kNoPath{"torch-region-without-path", REMAT_TR("A region names {0} modules."),
    REMAT_TR("Name one module, or for blocks two layers or more.")};
constexpr MessageCode kCannotSave{"torch-region-cannot-save",
    REMAT_TR("A region that saves ops is nested, reentrant, or of a kind that cannot save."),
    REMAT_TR("Remove \"save\", or the regions inside and around it.")};
constexpr MessageCode kTooDeep{
    "torch-regions-too-deep", REMAT_TR("Regions are nested more than {0} deep."), REMAT_TR("Nest fewer of them.")};

constexpr std::array<std::pair<Kind, const char*>, 5> kKinds{{{Kind::Block, "block"}, {Kind::Attention, "attention"},
    {Kind::Ffn, "ffn"}, {Kind::Core, "core"}, {Kind::Blocks, "blocks"}}};

const char* nameOf(Kind kind)
{
    return std::find_if(kKinds.begin(), kKinds.end(), [&](const auto& row) { return row.first == kind; })->second;
}

/// Keys that say nothing are left out, so that a file of many layers stays readable.
json toJson(const TorchRegion& region)
{
    json object{{"kind", nameOf(region.kind)}};
    if (region.kind == Kind::Blocks)
        object["paths"] = region.paths;
    else
        object["path"] = region.paths.front();
    for (const auto& [key, value] : {std::pair("norm", &region.norm), {"tail", &region.tail}, {"layer", &region.layer}})
        if (!value->empty())
            object[key] = *value;
    if (!region.save.empty())
        object["save"] = region.save;
    if (!region.stopsEarly)
        object["early_stop"] = false;
    if (region.isReentrant)
        object["reentrant"] = true;
    for (const TorchRegion& part : region.inside)
        object["inside"].push_back(toJson(part));
    return object;
}

std::vector<std::string> readStrings(const JsonCursor& list)
{
    std::vector<std::string> strings;
    for (const JsonCursor& element : list.elements())
        strings.push_back(element.string());
    return strings;
}

TorchRegion readRegion(const JsonCursor& object, int depth)
{
    TorchRegion region;
    const std::string kind = object["kind"].string();
    const auto* row
        = std::find_if(kKinds.begin(), kKinds.end(), [&](const auto& known) { return kind == known.second; });
    if (row == kKinds.end()) {
        object["kind"].fail(kUnknownRegion, {shortened(kind)});
        return region;
    }
    region.kind = row->first;
    const bool isSeveral = region.kind == Kind::Blocks;
    if (isSeveral)
        region.paths = readStrings(object["paths"]);
    else
        region.paths = {object["path"].string()};
    if (region.paths.size() < (isSeveral ? 2u : 1u))
        object.fail(kNoPath, {static_cast<std::int64_t>(region.paths.size())});
    for (const auto& [key, value] : {std::pair("norm", &region.norm), {"tail", &region.tail}, {"layer", &region.layer}})
        if (object.has(key))
            *value = object[key].string();
    if (object.has("save"))
        region.save = readStrings(object["save"]);
    if (object.has("early_stop"))
        region.stopsEarly = object["early_stop"].boolean();
    if (object.has("reentrant"))
        region.isReentrant = object["reentrant"].boolean();
    if (object.has("inside")) {
        if (depth == kDeepest)
            object["inside"].fail(kTooDeep, {std::int64_t{kDeepest}});
        else
            for (const JsonCursor& part : object["inside"].elements())
                region.inside.push_back(readRegion(part, depth + 1));
    }
    const bool canSave
        = depth == 1 && region.inside.empty() && !region.isReentrant && region.kind != Kind::Core && !isSeveral;
    if (!region.save.empty() && !canSave)
        object["save"].fail(kCannotSave);
    return region;
}

} // namespace

const char* toName(TorchRealization::Kind kind)
{
    return kind == TorchRealization::Kind::Regions ? "regions" : "exact";
}

json toJson(const TorchRealization& realization)
{
    json layers = json::array();
    for (const TorchLayer& layer : realization.layers) {
        json object{{"layer", layer.path}};
        if (realization.kind == TorchRealization::Kind::Exact) {
            object["keep"] = layer.keep;
        } else {
            object["regions"] = json::array();
            for (const TorchRegion& region : layer.regions)
                object["regions"].push_back(toJson(region));
        }
        layers.push_back(std::move(object));
    }
    return {{"format", kFormat}, {"version", kVersion}, {"realization", toName(realization.kind)},
        {"model_class", realization.modelClass}, {"layers", std::move(layers)}};
}

TorchRealization readTorchRealization(const JsonCursor& object)
{
    TorchRealization realization;
    object.requireFormat(kFormat, kVersion);
    const std::string kind = object["realization"].string();
    if (kind == toName(TorchRealization::Kind::Exact))
        realization.kind = TorchRealization::Kind::Exact;
    else if (kind != toName(TorchRealization::Kind::Regions))
        object["realization"].fail(kUnknownRealization, {shortened(kind)});
    realization.modelClass = object["model_class"].string();
    for (const JsonCursor& element : object["layers"].elements()) {
        TorchLayer layer;
        layer.path = element["layer"].string();
        if (realization.kind == TorchRealization::Kind::Exact)
            layer.keep = readStrings(element["keep"]);
        else
            for (const JsonCursor& region : element["regions"].elements())
                layer.regions.push_back(readRegion(region, 1));
        realization.layers.push_back(std::move(layer));
    }
    return realization;
}

} // namespace remat
