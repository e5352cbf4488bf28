// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <nlohmann/json.hpp>

#include <algorithm>
#include <string>
#include <vector>

#include "core/base/files.h"
#include "core/model/config_import.h"
#include "core/model/training_setup.h"
#include "core/torch/torch_step.h"

namespace remat::torch {

/// A record of tests/data/torch: a case, and what the tracker in reference/torch measured of real PyTorch code.
struct TorchRecord {
    std::string id, modelType, problem; ///< problem: why the config could not be imported
    ModelShape shape;
    TorchSetup setup;
    std::string checkpoint;
    std::int64_t parameters = 0, base = 0, saved = 0, weightCasts = 0, peak = 0;
    double savedPerLayer = 0;
    std::string peakPhase, peakModule, peakOp, attention;
    std::int64_t flops[3] = {};
};

/// Layers of the checkpoint variants of the records, for any number of layers.
inline std::vector<LayerRegions> regionsNamed(const std::string& name, std::int64_t layers)
{
    std::vector<LayerRegions> regions;
    for (std::int64_t i = 0; i < layers && name != "none"; ++i) {
        LayerRegions r;
        r.isBlock = name == "full" || (name == "every2" && i % 2 == 0);
        r.isAttention = name == "attn";
        r.isFfn = name == "ffn";
        regions.push_back(r);
    }
    return regions;
}

inline TorchRecord recordOf(const nlohmann::json& json)
{
    TorchRecord record;
    record.id = json["id"];
    record.modelType = json["config"]["model_type"];
    record.checkpoint = json["checkpoint"];
    const auto imported = importConfig(json["config"].dump(), record.id);
    if (!imported) {
        record.problem = englishText(imported.error());
        return record;
    }
    record.shape = imported->shape;
    TorchSetup& setup = record.setup;
    setup.batch = json["batch"];
    setup.sequence = json["seq"];
    const std::string precision = json["precision"], type = json["dtype"];
    setup.precision = precision == "half" ? TorchPrecision::Half
        : precision == "amp"              ? TorchPrecision::Amp
                                          : TorchPrecision::Fp32;
    setup.half = type == "fp16" ? DType::Float16 : DType::BFloat16;
    setup.attention = json["attention"] == "eager" ? TorchAttention::Eager : TorchAttention::Sdpa;
    TrainingSetup plain;
    if (!json["dropout"].is_null()) // else each probability is the config's own
        plain.dropout = json["dropout"].get<double>();
    const Dropouts dropout = effectiveDropout(record.shape, plain);
    setup.embeddingDropout = dropout.embedding;
    setup.attentionDropout = dropout.attention;
    setup.residualDropout = dropout.residual;
    setup.loss = json["loss"] == "logits_sum" ? TorchLoss::LogitsSum : TorchLoss::ModelLoss;
    setup.keepsOutputs = json.value("keep_outputs", false);
    setup.hasResidentGrads = json.value("grads_resident", false);
    setup.usesCache = json.value("use_cache", false);
    setup.stopsEarly = json.value("early_stop", true);
    setup.isReentrant = json.value("reentrant", false);
    const std::string optimizer = json["optimizer"];
    setup.optimizer = optimizer == "adamw" ? TorchOptimizer::AdamW
        : optimizer == "adamw_fused"       ? TorchOptimizer::AdamWFused
        : optimizer == "sgd"               ? TorchOptimizer::Sgd
        : optimizer == "sgd_momentum"      ? TorchOptimizer::SgdMomentum
                                           : TorchOptimizer::None;
    setup.hasOwnCheckpointing = record.checkpoint == "full" || record.checkpoint == "every2";
    setup.layers = regionsNamed(record.checkpoint, record.shape.layers + record.shape.decoderLayers);
    const nlohmann::json& expected = json["expected"];
    record.parameters = expected["parameters"];
    record.base = expected["base"];
    record.saved = expected["saved"];
    record.savedPerLayer = expected["saved_per_layer"];
    record.weightCasts = expected["weight_casts"];
    record.peak = expected["peak"];
    record.peakPhase = expected["peak_at"][0];
    record.peakModule = expected["peak_at"][1];
    record.peakOp = expected["peak_at"][2];
    record.attention = expected["sdpa"];
    for (std::size_t i = 0; i < 3; ++i)
        record.flops[i] = expected["flops"][i];
    return record;
}

inline std::vector<TorchRecord> readRecords(const std::string& path)
{
    std::vector<TorchRecord> records;
    for (const nlohmann::json& json : nlohmann::json::parse(*readFile(path)))
        records.push_back(recordOf(json));
    return records;
}

} // namespace remat::torch
