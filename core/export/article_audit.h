// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/result.h"
#include "core/plan/strategy.h"
#include "core/tape/article_tape.h"
#include "core/tape/step_tape.h"

namespace remat {

/// What the article says, quoted (resources/article/claims.json; docs/memory-model.md, "The `article` profile").
struct ArticleClaims {
    struct Granularity {
        Strategy strategy;
        std::optional<std::pair<double, double>> freedPercent; ///< from, to: of a layer's activations
        std::optional<double> extraForwardPercent;
        std::string remark;
    };
    struct Throughput {
        std::string model, preset, strategy; ///< preset: the name that this program has for the model
        std::int64_t batch = 1;
        double secondsPerStep = 1, relative = 1;
    };
    std::string source, model;
    std::int64_t batch = 1, sequence = 1;
    double attentionMb = 0, ffnMb = 0, normsMb = 0, layerMb = 0;
    std::int64_t layers = 1;
    double layersGb = 0;
    std::vector<Granularity> granularities;
    std::vector<Throughput> throughput;
};

Result<ArticleClaims> readArticleClaims();

/// A layer's activations by the article's three parts; the residual adds and dropouts count to the part that they
/// close.
struct LayerParts {
    Bytes attention, ffn, norms;
    Bytes input; ///< the layer's input, which every granularity keeps
    Bytes total() const { return attention + ffn + norms + input; }
};

/// What recomputing one granularity of every layer frees and costs, by one model of a layer.
struct GranularityFigures {
    double freed = 0;        ///< share of the layer's activations, its input included
    double extraForward = 0; ///< FLOPs run again, as a share of a forward
    double extraStep = 0;    ///< the same as a share of forward and backward
    /// Samples per second against no recomputation on a device that computes all the time: 1 / (1 + extraStep).
    double saturatedThroughput() const { return 1.0 / (1.0 + extraStep); }
};

LayerParts layerParts(const StepTape& tape);
GranularityFigures granularityFigures(const StepTape& tape, const Strategy& strategy);

/// One model of the training step that the claims are held against.
struct AuditedModel {
    std::string name; ///< "article", "runtime sdpa", "runtime eager"
    StepTape tape;
};

/// The claims beside what the program computes for the same shape.
struct ArticleAudit {
    ArticleClaims claims;
    ArticleLayer layer;   ///< by the article's own formulas
    Bytes proseAttention; ///< its other formula for attention
    std::vector<AuditedModel> models;
    /// Batch over seconds of the article's own table, against the row "none" of the same model.
    std::vector<double> batchOverSeconds;
};

/// Errors: those of the presets, if the person's own one stands for the article's model.
Result<ArticleAudit> auditArticle(const std::string& configurationFolder);

} // namespace remat
