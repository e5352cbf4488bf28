// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/export/article_audit.h"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "core/base/json_cursor.h"
#include "core/chain/stage_script.h"
#include "core/model/presets.h"
#include "resources/embedded_files.h"

namespace remat {

namespace {

constexpr MessageCode kNoClaims{"article-missing", REMAT_TR("The article's claims are not part of this program."), ""};
constexpr const char* kPath = "article/claims.json";

std::optional<double> optionalNumber(const JsonCursor& at)
{
    return at.isNull() ? std::nullopt : std::optional(at.number());
}

ArticleClaims::Granularity readGranularity(const JsonCursor& at)
{
    ArticleClaims::Granularity row;
    const Result<Strategy> strategy = parseStrategy(at["strategy"].string());
    if (strategy)
        row.strategy = *strategy;
    else
        at["strategy"].fail(*strategy.error().code, strategy.error().arguments);
    if (!at["freed_percent"].isNull()) {
        const std::vector<JsonCursor> range = at["freed_percent"].elements(2);
        if (range.size() == 2)
            row.freedPercent = {range[0].number(), range[1].number()};
    }
    row.extraForwardPercent = optionalNumber(at["extra_forward_percent"]);
    row.remark = at.has("remark") ? at["remark"].string() : "";
    return row;
}

/// The tape of the article's layer, whose kind has an attention and an FFN.
int layerStage(const StepTape& tape)
{
    const auto layer = std::find_if(
        tape.stages.begin(), tape.stages.end(), [](const StageInstance& stage) { return stage.layer == 0; });
    return static_cast<int>(layer - tape.stages.begin());
}

StageScript scriptOf(const StepTape& tape, KeepSet keep)
{
    const int stage = layerStage(tape);
    return buildStageScript(tape.tapeOf(stage), tape.flowOf(stage), keep, tape.setup.hasGradientsInBase());
}

} // namespace

Result<ArticleClaims> readArticleClaims()
{
    const auto files = embeddedFiles();
    const auto file = std::find_if(files.begin(), files.end(), [](const EmbeddedFile& f) { return f.path == kPath; });
    if (file == files.end())
        return Error{&kNoClaims, kPath, {}};
    const Result<nlohmann::json> json = parseJson(file->text, kPath);
    if (!json)
        return json.error();
    const JsonCursor root(*json, kPath);
    root.requireFormat("remat-article-claims", 1);
    if (root.failed())
        return root.error();
    ArticleClaims claims;
    claims.source = root["source"].string();
    claims.model = root["model"].string();
    claims.batch = root["batch"].integer(1, kMaxBatch);
    claims.sequence = root["sequence"].integer(1, kMaxPositions);
    const JsonCursor layer = root["layer_mb"];
    claims.attentionMb = layer["attention"].number();
    claims.ffnMb = layer["ffn"].number();
    claims.normsMb = layer["norms"].number();
    claims.layerMb = layer["layer"].number();
    claims.layers = root["layers_gb"]["layers"].integer(1, kMaxLayers);
    claims.layersGb = root["layers_gb"]["gb"].number();
    for (const JsonCursor& row : root["granularities"].elements())
        claims.granularities.push_back(readGranularity(row));
    for (const JsonCursor& row : root["throughput"].elements())
        claims.throughput.push_back({row["model"].string(), row["preset"].string(), row["strategy"].string(),
            row["batch"].integer(1, kMaxBatch), row["seconds_per_step"].number(), row["relative"].number()});
    if (root.failed())
        return root.error();
    return claims;
}

LayerParts layerParts(const StepTape& tape)
{
    const StageTape& layer = tape.tapeOf(layerStage(tape));
    LayerParts parts;
    parts.input = layer.tensors[static_cast<std::size_t>(layer.input)].bytes;
    for (const int t : scriptOf(tape, keepAll(layer)).savedTensors) {
        const Tensor& tensor = layer.tensors[static_cast<std::size_t>(t)];
        switch (tensor.sublayer) {
        case Sublayer::Norm1:
        case Sublayer::Norm2:
            parts.norms += tensor.bytes;
            break;
        case Sublayer::Ffn:
        case Sublayer::Residual2:
            parts.ffn += tensor.bytes;
            break;
        default:
            parts.attention += tensor.bytes;
        }
    }
    return parts;
}

GranularityFigures granularityFigures(const StepTape& tape, const Strategy& strategy)
{
    const StageTape& layer = tape.tapeOf(layerStage(tape));
    const KeepSet keep = keepSetsOf(strategy, tape, {}, {})[static_cast<std::size_t>(layerStage(tape))];
    const StageScript script = scriptOf(tape, keep);
    Bytes kept = layer.tensors[static_cast<std::size_t>(layer.input)].bytes;
    for (const int t : script.savedTensors)
        kept += layer.tensors[static_cast<std::size_t>(t)].bytes;
    Flops forward, backward, again;
    for (const Op& op : layer.ops) {
        forward += op.forwardFlops;
        backward += op.backwardFlops;
    }
    for (const ScriptStep& step : script.backward)
        if (step.isRerun)
            again += layer.ops[static_cast<std::size_t>(step.op)].forwardFlops;
    return {1.0 - ratio(kept, layerParts(tape).total()), ratio(again, forward), ratio(again, forward + backward)};
}

Result<ArticleAudit> auditArticle(const std::string& configurationFolder)
{
    Result<ArticleClaims> claims = readArticleClaims();
    if (!claims)
        return claims.error();
    const Result<ModelShape> shape = findPreset(claims->model, configurationFolder);
    if (!shape)
        return shape.error();
    TrainingSetup setup;
    setup.batch = claims->batch;
    setup.sequence = claims->sequence;
    if (auto valid = validate(*shape, setup, ValueOrigin::File); !valid)
        return valid.error();

    ArticleAudit audit;
    TrainingSetup article = setup;
    article.profile = Profile::Article;
    audit.layer = articleLayer(*shape, article);
    audit.proseAttention = articleProseAttention(*shape, article);
    audit.models.push_back({"article", buildStepTape(*shape, article, {})});
    audit.models.push_back({"runtime sdpa", buildStepTape(*shape, setup, {})});
    setup.attention = AttentionKind::Stored;
    audit.models.push_back({"runtime eager", buildStepTape(*shape, setup, {})});
    for (const ArticleClaims::Throughput& row : claims->throughput) {
        const auto none = std::find_if(claims->throughput.begin(), claims->throughput.end(),
            [&](const auto& other) { return other.model == row.model && other.strategy == "none"; });
        const auto rate = [](const auto& r) { return static_cast<double>(r.batch) / r.secondsPerStep; };
        audit.batchOverSeconds.push_back(none == claims->throughput.end() ? 0.0 : rate(row) / rate(*none));
    }
    audit.claims = *std::move(claims);
    return audit;
}

} // namespace remat
