// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include <cstdio>

#include <nlohmann/json.hpp>

#include "app/cli/budget.h"
#include "app/cli/step_choice.h"
#include "app/cli/verbs.h"
#include "core/base/format_units.h"
#include "core/cost/device_memory.h"
#include "core/export/article_audit.h"
#include "core/export/article_table.h"
#include "core/export/article_torch.h"
#include "core/export/table.h"
#include "core/paper/paper_layer.h"

namespace remat::cli {

namespace {

using nlohmann::json;

std::string fixed(double value, int decimals)
{
    char text[64];
    std::snprintf(text, sizeof text, "%.*f", decimals, value);
    return text;
}

std::string mebibytes(Bytes bytes)
{
    return fixed(static_cast<double>(bytes.value) / 1048576.0, 2);
}

std::string percent(double share)
{
    return fixed(100 * share, 1) + " %";
}

/// A part of a layer as the article names it.
struct Part {
    const char* name;
    double claimedMb;
    Bytes formula;
    Bytes (*of)(const LayerParts&);
};

std::vector<Part> partsOf(const ArticleAudit& audit)
{
    const ArticleClaims& claims = audit.claims;
    return {{"attention", claims.attentionMb, audit.layer.attention, [](const LayerParts& p) { return p.attention; }},
        {"ffn", claims.ffnMb, audit.layer.ffn, [](const LayerParts& p) { return p.ffn; }},
        {"norms", claims.normsMb, audit.layer.norms, [](const LayerParts& p) { return p.norms; }},
        {"layer", claims.layerMb, audit.layer.total(), [](const LayerParts& p) { return p.total(); }}};
}

Table layerTable(const ArticleAudit& audit)
{
    Table table{{"MiB of one layer", "claimed", "its formulas"}, {}};
    for (std::size_t m = 1; m < audit.models.size(); ++m)
        table.columns.push_back(audit.models[m].name);
    for (const Part& part : partsOf(audit)) {
        table.rows.push_back({part.name, fixed(part.claimedMb, 0), mebibytes(part.formula)});
        for (std::size_t m = 1; m < audit.models.size(); ++m)
            table.rows.back().push_back(mebibytes(part.of(layerParts(audit.models[m].tape))));
    }
    const std::int64_t layers = audit.claims.layers;
    table.rows.push_back({std::to_string(layers) + " layers", fixed(audit.claims.layersGb * 1024, 0),
        mebibytes(layers * audit.layer.total())});
    for (std::size_t m = 1; m < audit.models.size(); ++m)
        table.rows.back().push_back(mebibytes(layers * layerParts(audit.models[m].tape).total()));
    return table;
}

/// What PyTorch keeps of the same layer.
Table torchTable(const ArticleAudit& audit, const std::vector<TorchArticleModel>& torch)
{
    Table table{{"MiB of one layer", "claimed"}, {}};
    for (const TorchArticleModel& model : torch)
        table.columns.push_back(model.name);
    for (const Part& part : partsOf(audit)) {
        table.rows.push_back({part.name, fixed(part.claimedMb, 0)});
        for (const TorchArticleModel& model : torch)
            table.rows.back().push_back(mebibytes(part.of(model.parts)));
    }
    const std::int64_t layers = audit.claims.layers;
    table.rows.push_back({std::to_string(layers) + " layers", fixed(audit.claims.layersGb * 1024, 0)});
    for (const TorchArticleModel& model : torch)
        table.rows.back().push_back(mebibytes(layers * model.parts.total()));
    return table;
}

Table savingsTable(const ArticleAudit& audit, const std::vector<TorchArticleModel>& torch)
{
    Table table{{"granularity", "model", "frees", "extra forward", "extra step", "throughput at saturation"}, {}};
    for (std::size_t g = 0; g < audit.claims.granularities.size(); ++g) {
        const ArticleClaims::Granularity& row = audit.claims.granularities[g];
        const std::string claimedFree = row.freedPercent
            ? fixed(row.freedPercent->first, 0) + " to " + fixed(row.freedPercent->second, 0) + " %"
            : "";
        const std::string claimedForward = row.extraForwardPercent ? fixed(*row.extraForwardPercent, 0) + " %" : "";
        table.rows.push_back({toName(row.strategy), row.remark.empty() ? "claimed" : "claimed: " + row.remark,
            claimedFree, claimedForward, "", ""});
        const auto add = [&table](const std::string& name, const GranularityFigures& figures) {
            table.rows.push_back({"", name, percent(figures.freed), percent(figures.extraForward),
                percent(figures.extraStep), fixed(figures.saturatedThroughput(), 2)});
        };
        for (const AuditedModel& model : audit.models)
            add(model.name, granularityFigures(model.tape, row.strategy));
        for (const TorchArticleModel& model : torch)
            add(model.name, model.granularities[g]);
    }
    return table;
}

Table throughputTable(const ArticleAudit& audit)
{
    Table table{{"model", "strategy", "batch", "s per step", "claimed throughput", "batch / step"}, {}};
    for (std::size_t i = 0; i < audit.claims.throughput.size(); ++i) {
        const ArticleClaims::Throughput& row = audit.claims.throughput[i];
        table.rows.push_back({row.model, row.strategy, std::to_string(row.batch), fixed(row.secondsPerStep, 2),
            fixed(row.relative, 2), fixed(audit.batchOverSeconds[i], 2)});
    }
    return table;
}

/// The article's strategy table for the device that was asked for.
Result<ArticleTable> rebuiltTable(const Arguments& arguments, const Environment& environment)
{
    const Result<Device> device = findDevice(arguments.setup, *arguments.setup.device, environment);
    if (!device)
        return device.error();
    const Result<std::optional<Bytes>> budget = readBudget(arguments);
    if (!budget)
        return budget.error();
    Result<ArticleTable> table = ArticleTable::make(
        *device, budget->value_or(deviceBudget(*device).value_or(Bytes{})), environment.configurationFolder);
    while (table && table->computeNext({})) { }
    return table;
}

std::string strategiesText(const ArticleTable& rebuilt)
{
    Table table{{"model", "strategy", "batch claimed", "batch", "peak", "s per step claimed", "s per step",
                    "throughput claimed", "throughput"},
        {}};
    std::string why;
    for (const ArticleTableRow& row : rebuilt.rows()) {
        const auto claimed = [&](auto text) { return row.claim ? text(*row.claim) : std::string(); };
        using Claim = ArticleClaims::Throughput;
        table.rows.push_back({row.shape.name, toName(row.strategy),
            claimed([](const Claim& c) { return std::to_string(c.batch); }), std::to_string(row.largestBatch),
            formatBytes(row.peak), claimed([](const Claim& c) { return fixed(c.secondsPerStep, 2); }),
            row.largestBatch > 0 ? fixed(static_cast<double>(row.step.value) / 1e9, 2) : "",
            claimed([](const Claim& c) { return fixed(c.relative, 2); }), row.relative ? fixed(*row.relative, 2) : ""});
        why += "* " + row.shape.name + ", " + toName(row.strategy) + ":";
        for (const Message& reason : row.why)
            why += " " + englishText(reason);
        why += "\n";
    }
    return "The strategy table on " + rebuilt.device().title + ", " + formatBytes(rebuilt.budget()) + " for a step\n\n"
        + toText(table) + "\n" + why + "\n";
}

json strategiesJson(const ArticleTable& rebuilt)
{
    json rows = json::array();
    for (const ArticleTableRow& row : rebuilt.rows()) {
        json why = json::array();
        for (const Message& reason : row.why)
            why.push_back(englishText(reason));
        rows.push_back({{"model", row.shape.name}, {"strategy", toName(row.strategy)},
            {"claimed_batch", row.claim ? json(row.claim->batch) : json(nullptr)},
            {"claimed_seconds_per_step", row.claim ? json(row.claim->secondsPerStep) : json(nullptr)},
            {"claimed_relative", row.claim ? json(row.claim->relative) : json(nullptr)},
            {"largest_batch", row.largestBatch}, {"peak_bytes", row.peak.value}, {"step_ns", row.step.value},
            {"samples_per_second", row.samplesPerSecond},
            {"relative", row.relative ? json(*row.relative) : json(nullptr)}, {"why", why}});
    }
    return {{"device", rebuilt.device().name}, {"budget_bytes", rebuilt.budget().value}, {"rows", rows}};
}

constexpr const char* kPrecision
    = "Its formulas count numbers of 2 bytes; the runtime profile computes in fp32, 4 bytes a number, and keeps the "
      "layer's input too. What PyTorch keeps counts to the part that reads it; by the model's own dropout.";
constexpr const char* kThroughput
    = "Its throughput column follows from no combination of its own columns; recomputation cannot raise the "
      "throughput of a saturated device.";

/// What the article's figures are figures of: one tensor each, of 2 bytes a number.
std::string oneTensorText(const ArticleAudit& audit, const ModelShape& shape)
{
    const ArticleClaims& claims = audit.claims;
    const PaperSizes sizes = PaperSizes::of(shape, claims.batch, claims.sequence);
    return "One tensor of scores is " + mebibytes({2 * sizes.scores()}) + " MiB, one of the FFN's width "
        + mebibytes({2 * sizes.batch * sizes.sequence * shape.ffn})
        + " MiB: it counts one of each, where backward reads scores after softmax, their mask and what dropout leaves, "
          "and before and after the activation.";
}

std::vector<std::string> remarks(const ArticleAudit& audit, const ModelShape& shape)
{
    return {"The article's MB are MiB: units are corrected here.", oneTensorText(audit, shape),
        "Its prose has another formula for attention, B S H (6 + S / head width): " + mebibytes(audit.proseAttention)
            + " MiB here.",
        kPrecision, "Left out by the article: embedding, head and loss, weights, gradients, optimizer and transients.",
        "Backward is taken as twice the forward's FLOPs where the article says nothing.", kThroughput};
}

json auditJson(const ArticleAudit& audit, const std::vector<TorchArticleModel>& torch, const ModelShape& shape)
{
    json layer = json::array(), savings = json::array(), throughput = json::array();
    for (const Part& part : partsOf(audit)) {
        json models = json::object();
        for (const AuditedModel& model : audit.models)
            models[model.name] = part.of(layerParts(model.tape)).value;
        for (const TorchArticleModel& model : torch)
            models[model.name] = part.of(model.parts).value;
        layer.push_back({{"part", part.name}, {"claimed_mb", part.claimedMb}, {"formula_bytes", part.formula.value},
            {"kept_bytes", models}});
    }
    for (std::size_t g = 0; g < audit.claims.granularities.size(); ++g) {
        const ArticleClaims::Granularity& row = audit.claims.granularities[g];
        json models = json::object();
        const auto add = [&models](const std::string& name, const GranularityFigures& figures) {
            models[name] = {{"freed", figures.freed}, {"extra_forward", figures.extraForward},
                {"extra_step", figures.extraStep}, {"saturated_throughput", figures.saturatedThroughput()}};
        };
        for (const AuditedModel& model : audit.models)
            add(model.name, granularityFigures(model.tape, row.strategy));
        for (const TorchArticleModel& model : torch)
            add(model.name, model.granularities[g]);
        const auto number = [](const std::optional<double>& n) { return n ? json(*n) : json(nullptr); };
        savings.push_back({{"strategy", toName(row.strategy)},
            {"claimed_freed_percent",
                row.freedPercent ? json::array({row.freedPercent->first, row.freedPercent->second}) : json(nullptr)},
            {"claimed_extra_forward_percent", number(row.extraForwardPercent)}, {"remark", row.remark},
            {"computed", models}});
    }
    for (std::size_t i = 0; i < audit.claims.throughput.size(); ++i) {
        const ArticleClaims::Throughput& row = audit.claims.throughput[i];
        throughput.push_back({{"model", row.model}, {"strategy", row.strategy}, {"claimed_batch", row.batch},
            {"claimed_seconds_per_step", row.secondsPerStep}, {"claimed_relative", row.relative},
            {"batch_over_seconds", audit.batchOverSeconds[i]}});
    }
    return {{"format", "remat-article"}, {"version", 1}, {"source", audit.claims.source}, {"model", audit.claims.model},
        {"batch", audit.claims.batch}, {"sequence", audit.claims.sequence}, {"layer", layer},
        {"prose_attention_bytes", audit.proseAttention.value}, {"savings", savings}, {"throughput", throughput},
        {"remarks", remarks(audit, shape)}};
}

} // namespace

Result<Answer> runArticle(const Arguments& arguments, const Environment& environment)
{
    const Result<ArticleAudit> audit = auditArticle(environment.configurationFolder);
    if (!audit)
        return audit.error();
    const Result<std::vector<TorchArticleModel>> torch
        = torchArticleModels(audit->claims, environment.configurationFolder);
    if (!torch)
        return torch.error();
    const ModelShape& shape = audit->models.front().tape.shape;
    std::optional<ArticleTable> rebuilt;
    if (arguments.setup.device) {
        Result<ArticleTable> table = rebuiltTable(arguments, environment);
        if (!table)
            return table.error();
        rebuilt = *std::move(table);
    }
    if (arguments.isJson) {
        json object = auditJson(*audit, *torch, shape);
        object["strategies"] = rebuilt ? strategiesJson(*rebuilt) : json(nullptr);
        return jsonAnswer(object);
    }
    std::string text = audit->claims.source + "\n" + audit->claims.model + ", batch "
        + std::to_string(audit->claims.batch) + " x " + std::to_string(audit->claims.sequence) + " tokens\n\n"
        + toText(layerTable(*audit)) + "\n" + toText(torchTable(*audit, *torch)) + "\n"
        + toText(savingsTable(*audit, *torch)) + "\n" + toText(throughputTable(*audit)) + "\n";
    if (rebuilt)
        text += strategiesText(*rebuilt);
    for (const std::string& remark : remarks(*audit, shape))
        text += "* " + remark + "\n";
    return Answer{text, {}, 0};
}

} // namespace remat::cli
