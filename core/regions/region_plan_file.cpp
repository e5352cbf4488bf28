// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/regions/region_plan_file.h"

#include <nlohmann/json.hpp>

#include "core/base/json_cursor.h"
#include "core/base/json_text.h"
#include "core/cost/device_json.h"
#include "core/model/model_json.h"
#include "core/plan/file_agreement.h"
#include "core/plan/torch_realization.h"
#include "core/regions/region_decisions.h"
#include "core/torch/layer_wraps.h"

namespace remat {

namespace {

using nlohmann::json;
using torch::TorchAttention;
using torch::TorchLoss;
using torch::TorchOptimizer;
using torch::TorchPrecision;

constexpr const char* kFormat = "remat-plan";
constexpr std::int64_t kVersion = 1;
constexpr MessageCode kUnknownName{"unknown-torch-name", REMAT_TR("\"{0}\" is not one of {1}."),
    REMAT_TR("Use one of these names."), ExitCode::BadInput};
constexpr MessageCode kLayerCount{"plan-layers", REMAT_TR("The plan has {0} layers, the model has {1}."),
    REMAT_TR("Make the plan anew."), ExitCode::BadInput};

template <class E> struct Named {
    E value;
    const char* name;
};
constexpr Named<TorchPrecision> kPrecisions[]
    = {{TorchPrecision::Half, "half"}, {TorchPrecision::Amp, "amp"}, {TorchPrecision::Fp32, "fp32"}};
constexpr Named<TorchAttention> kAttentions[] = {{TorchAttention::Eager, "eager"}, {TorchAttention::Sdpa, "sdpa"}};
constexpr Named<TorchOptimizer> kOptimizers[]
    = {{TorchOptimizer::None, "none"}, {TorchOptimizer::Sgd, "sgd"}, {TorchOptimizer::SgdMomentum, "sgd-momentum"},
        {TorchOptimizer::AdamW, "adamw"}, {TorchOptimizer::AdamWFused, "adamw-fused"},
        {TorchOptimizer::Adafactor, "adafactor"}, {TorchOptimizer::AdamW8Bit, "adamw-8bit"}};
constexpr Named<torch::DType> kHalfTypes[] = {{torch::DType::BFloat16, "bf16"}, {torch::DType::Float16, "fp16"}};

template <class E, std::size_t N> const char* nameIn(const Named<E> (&table)[N], E value)
{
    for (const Named<E>& row : table)
        if (row.value == value)
            return row.name;
    return table[0].name;
}

template <class E, std::size_t N> E readIn(const Named<E> (&table)[N], const JsonCursor& at)
{
    const std::string name = at.string();
    std::string known;
    for (const Named<E>& row : table) {
        if (name == row.name)
            return row.value;
        known += (known.empty() ? "" : ", ") + std::string(row.name);
    }
    at.fail(kUnknownName, {name, known});
    return table[0].value;
}

json layerJson(const RegionPlan& plan, std::size_t layer)
{
    const torch::LayerRegions& regions = plan.request.setup.layers[layer];
    if (plan.request.isExact)
        return {{"layer", layer}, {"module", torch::layerPath(plan.request.shape, layer)},
            {"option", plan.options[layer]}, {"exact", regions.isExact}, {"keep", regions.kept}};
    return {{"layer", layer}, {"module", torch::layerPath(plan.request.shape, layer)}, {"option", plan.options[layer]},
        {"block", regions.isBlock}, {"attention", regions.isAttention}, {"ffn", regions.isFfn},
        {"attention_core", regions.isAttentionCore}, {"attention_norm", regions.hasAttentionNorm},
        {"ffn_norm", regions.hasFfnNorm}, {"attention_tail", regions.hasAttentionTail},
        {"ffn_tail", regions.hasFfnTail}, {"save", regions.saved}, {"save_sdpa", regions.savesSdpa},
        {"span", regions.span}};
}

double readProbability(const JsonCursor& at)
{
    const double value = at.number();
    if (!(value >= 0 && value < 1))
        at.fail(kDropoutOutOfBounds, {value});
    return value;
}

torch::TorchSetup readSetup(const JsonCursor& at)
{
    torch::TorchSetup setup = readTorchChoices(at);
    setup.batch = at["batch"].integer(1, kMaxBatch);
    setup.sequence = at["sequence"].integer(1, kMaxPositions);
    setup.embeddingDropout = readProbability(at["embedding_dropout"]);
    setup.attentionDropout = readProbability(at["attention_dropout"]);
    setup.residualDropout = readProbability(at["residual_dropout"]);
    setup.microBatches = at["micro_batches"].integer(1, kMaxBatch);
    return setup;
}

torch::LayerRegions readRegions(const JsonCursor& at, std::int64_t layers)
{
    torch::LayerRegions regions;
    regions.isBlock = at["block"].boolean();
    regions.isAttention = at["attention"].boolean();
    regions.isFfn = at["ffn"].boolean();
    regions.isAttentionCore = at["attention_core"].boolean();
    regions.hasAttentionNorm = at["attention_norm"].boolean();
    regions.hasFfnNorm = at["ffn_norm"].boolean();
    regions.hasAttentionTail = at["attention_tail"].boolean();
    regions.hasFfnTail = at["ffn_tail"].boolean();
    for (const JsonCursor& name : at["save"].elements(64))
        regions.saved.push_back(name.string());
    regions.savesSdpa = at["save_sdpa"].boolean();
    regions.span = static_cast<int>(at["span"].integer(0, layers));
    return regions;
}

torch::LayerRegions readKeepSet(const JsonCursor& at)
{
    torch::LayerRegions layer;
    layer.isExact = at["exact"].boolean();
    for (const JsonCursor& name : at["keep"].elements(256))
        layer.kept.push_back(name.string());
    return layer;
}

void readLayers(const JsonCursor& list, RegionPlan& plan)
{
    const std::vector<JsonCursor> layers = list.elements();
    const std::size_t count = torch::layerCount(plan.request.shape);
    if (layers.size() != count)
        list.fail(kLayerCount, {static_cast<std::int64_t>(layers.size()), static_cast<std::int64_t>(count)});
    for (const JsonCursor& at : layers) {
        plan.request.setup.layers.push_back(
            plan.request.isExact ? readKeepSet(at) : readRegions(at, static_cast<std::int64_t>(count)));
        plan.options.push_back(at["option"].string());
    }
}

} // namespace

const char* toName(TorchPrecision precision)
{
    return nameIn(kPrecisions, precision);
}

const char* toName(TorchAttention attention)
{
    return nameIn(kAttentions, attention);
}

const char* toName(TorchOptimizer optimizer)
{
    return nameIn(kOptimizers, optimizer);
}

const char* lossName(TorchLoss loss, const ModelShape& shape)
{
    if (loss == TorchLoss::LogitsSum)
        return "logits_sum";
    return shape.head == HeadKind::MaskedLm ? "mlm_hf" : "lm_hf";
}

torch::TorchSetup readTorchChoices(const JsonCursor& at)
{
    torch::TorchSetup setup;
    setup.precision = readIn(kPrecisions, at["precision"]);
    setup.half = readIn(kHalfTypes, at["dtype"]);
    setup.attention = readIn(kAttentions, at["attention"]);
    setup.loss = at["loss"].string() == "logits_sum" ? TorchLoss::LogitsSum : TorchLoss::ModelLoss;
    setup.hasOldLossShift = at["old_loss_shift"].boolean();
    setup.keepsOutputs = at["keep_outputs"].boolean();
    setup.usesCache = at["use_cache"].boolean();
    setup.hasResidentGrads = at["gradients_resident"].boolean();
    setup.optimizer = readIn(kOptimizers, at["optimizer"]);
    setup.stopsEarly = at["early_stop"].boolean();
    setup.isReentrant = at["reentrant"].boolean();
    return setup;
}

json toJson(const torch::TorchSetup& setup, const ModelShape& shape)
{
    return {{"profile", "pytorch"}, {"batch", setup.batch}, {"sequence", setup.sequence},
        {"precision", toName(setup.precision)}, {"dtype", nameIn(kHalfTypes, setup.half)},
        {"attention", toName(setup.attention)}, {"embedding_dropout", setup.embeddingDropout},
        {"attention_dropout", setup.attentionDropout}, {"residual_dropout", setup.residualDropout},
        {"loss", lossName(setup.loss, shape)}, {"old_loss_shift", setup.hasOldLossShift},
        {"keep_outputs", setup.keepsOutputs}, {"use_cache", setup.usesCache},
        {"gradients_resident", setup.hasResidentGrads}, {"micro_batches", setup.microBatches},
        {"optimizer", toName(setup.optimizer)}, {"early_stop", setup.stopsEarly}, {"reentrant", setup.isReentrant}};
}

json toJson(const RegionPrediction& p, std::int64_t microBatches)
{
    const torch::PeakPlace& at = p.peakAt;
    return {{"peak_bytes", p.peak.value}, {"peak_at", placeText(at)},
        {"peak_place", {{"phase", phaseName(at.phase)}, {"module", at.module}, {"op", at.op}, {"node", at.node}}},
        {"forward_peak_bytes", p.forwardPeak.value}, {"backward_peak_bytes", p.backwardPeak.value},
        {"optimizer_peak_bytes", p.optimizerPeak.value}, {"saved_bytes", p.saved.value},
        {"weight_cast_bytes", p.weightCasts.value}, {"base_bytes", p.base.value},
        {"parameter_bytes", p.parameters.value}, {"gradient_bytes", p.gradients.value},
        {"optimizer_bytes", p.optimizer.value}, {"reserved_bytes", p.reserved.value},
        {"reserved_most_bytes", p.reservedMost.value}, {"device_bytes", p.device.value}, {"time_ns", p.time.value},
        {"overhead_ns", p.overhead.value}, {"keep_all_ns", p.keepAll.value}, {"optimizer_ns", p.optimizerTime.value},
        {"step_ns", p.stepTime(microBatches).value}, {"attention", p.attention},
        {"flops", {{"forward", p.forward.value}, {"backward", p.backward.value}, {"recompute", p.recompute.value}}}};
}

json toJson(const RegionPlan& plan)
{
    json layers = json::array();
    for (std::size_t layer = 0; layer < plan.options.size(); ++layer)
        layers.push_back(layerJson(plan, layer));
    json model = toJson(plan.request.shape);
    model["parameters"] = plan.prediction.parameterCount;
    return {{"format", kFormat}, {"version", kVersion}, {"realization", toName(plan.request.realization())},
        {"model", model}, {"parameters", plan.prediction.parameterCount},
        {"setup", toJson(plan.request.setup, plan.request.shape)}, {"device", toJson(plan.request.device)},
        {"budget_bytes", plan.budget ? json(plan.budget->value) : json(nullptr)}, {"strategy", toName(plan.strategy)},
        {"fits", plan.fits()}, {"fits_device", plan.fitsDevice()},
        {"prediction", toJson(plan.prediction, plan.request.setup.microBatches)}, {"layers", layers},
        {"proof",
            {{"class", plan.strategy.isPlanner() ? toName(plan.request.realization()) : "fixed"}, {"exact", false}}},
        {"assumptions",
            {"eager PyTorch 2.x with transformers 5.24 code, "
                    + (plan.request.isExact ? "saved_tensors_hooks and a dispatch mode"
                                            : "torch.utils.checkpoint with use_reentrant="
                                + std::string(plan.request.setup.isReentrant ? "True" : "False")),
                "bytes are what the caching allocator hands out, in multiples of 512; times are a roofline"}}};
}

std::string regionPlanFileText(const RegionPlan& plan)
{
    return jsonText(toJson(plan), 1) + "\n";
}

bool isRegionPlan(std::string_view text)
{
    const Result<json> document = parseJson(text, "");
    if (!document || !document->is_object())
        return false;
    const json realization = document->value("realization", json());
    return realization == json("regions") || realization == json("exact");
}

Result<RegionPlan> parseRegionPlan(std::string_view text, const std::string& where)
{
    const Result<json> document = parseJson(text, where);
    if (!document)
        return document.error();
    const JsonCursor root(*document, where);
    root.requireFormat(kFormat, kVersion);
    RegionPlan plan;
    plan.request.isExact = root["realization"].string() == toName(TorchRealization::Kind::Exact);
    plan.request.shape = readModelShape(root["model"]);
    plan.request.setup = readSetup(root["setup"]);
    plan.request.device = readDevice(root["device"]);
    plan.budget = root["budget_bytes"].optionalBytes();
    const Result<Strategy> strategy = parseStrategy(root["strategy"].string());
    if (!strategy)
        root["strategy"].fail(*strategy.error().code, strategy.error().arguments);
    else
        plan.strategy = *strategy;
    if (root.failed())
        return root.error();
    if (auto valid = validate(plan.request, ValueOrigin::File); !valid)
        return valid.error();
    readLayers(root["layers"], plan);
    if (root.failed())
        return root.error();
    RegionRequest keepAll = plan.request;
    keepAll.setup.layers.clear();
    const Nanoseconds least = predict(keepAll, {}).time;
    plan.prediction = predict(plan.request, least);
    requireSame(root["prediction"], toJson(plan.prediction, plan.request.setup.microBatches));
    if (root["fits"].boolean() != plan.fits())
        failDisagreeing(root["fits"], root["fits"].boolean() ? "true" : "false", plan.fits() ? "true" : "false");
    checkDecisions(root["layers"], plan);
    const json expected = toJson(plan);
    for (const char* key : {"parameters", "setup", "layers", "proof", "assumptions"})
        requireSame(root[key], expected[key]);
    // Other keys of a model may be missing in older files, this one never.
    requireSame(root["model"]["parameters"], expected["model"]["parameters"]);
    if (root.has("fits_device"))
        requireSame(root["fits_device"], expected["fits_device"]);
    if (root.failed())
        return root.error();
    return plan;
}

} // namespace remat
