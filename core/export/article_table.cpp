// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/export/article_table.h"

#include <algorithm>
#include <array>

#include "core/model/presets.h"
#include "core/plan/best_batch.h"

namespace remat {

namespace {

constexpr MessageCode kWhyNothingFits{
    "article-nothing-fits", REMAT_TR("Not even one sample fits {0}: {1} is needed."), ""};
constexpr MessageCode kWhyBatch{"article-why-batch",
    REMAT_TR(
        "The article counts a layer's activations only; with weights, gradients, optimizer, head and working memory "
        "{0} samples fit {1}."),
    ""};
constexpr MessageCode kWhyNoClaim{
    "article-no-claim", REMAT_TR("The article has no such row; {0} samples fit {1}."), ""};
constexpr MessageCode kWhyOwnColumns{"article-why-columns",
    REMAT_TR(
        "The article's own batch over seconds gives {0} times the samples of \"none\", not the {1} that it claims."),
    ""};
constexpr MessageCode kWhyRate{"article-why-rate",
    REMAT_TR(
        "Recomputing adds {0} % to a step, and a larger batch does not make a busy device faster: it only spreads the "
        "optimizer's step and what each operation costs beyond its work over more samples. What is left is {1} "
        "times \"none\"."),
    ""};

constexpr std::array<const char*, 3> kModels{"bert-base", "bert-large", "gpt2-medium"};
constexpr std::array<Strategy::Kind, 4> kStrategies{
    Strategy::Kind::None, Strategy::Kind::Full, Strategy::Kind::FfnOnly, Strategy::Kind::Optimal};

std::vector<Message> reasons(const ArticleTableRow& row, double extraTime, Bytes budget)
{
    std::vector<Message> why;
    if (row.largestBatch == 0)
        return {{&kWhyNothingFits, {budget, row.peak}}};
    why.push_back({row.claim ? &kWhyBatch : &kWhyNoClaim, {row.largestBatch, budget}});
    if (row.strategy.kind == Strategy::Kind::None)
        return why;
    if (row.claim && row.claimBatchOverSeconds)
        why.push_back({&kWhyOwnColumns, {*row.claimBatchOverSeconds, row.claim->relative}});
    if (row.relative)
        why.push_back({&kWhyRate, {100 * extraTime, *row.relative}});
    return why;
}

} // namespace

Result<ArticleTable> ArticleTable::make(
    const Device& device, Bytes budget, const std::string& configurationFolder, Precision precision)
{
    const Result<ArticleAudit> audit = auditArticle(configurationFolder);
    if (!audit)
        return audit.error();
    ArticleTable table;
    table.m_device = device;
    table.m_budget = budget;
    table.m_precision = precision;
    table.m_sequence = audit->claims.sequence;
    for (const char* model : kModels) {
        const Result<ModelShape> shape = findPreset(model, configurationFolder);
        if (!shape)
            return shape.error();
        for (const Strategy::Kind kind : kStrategies) {
            ArticleTableRow row;
            row.shape = *shape;
            row.strategy = {kind};
            for (std::size_t i = 0; i < audit->claims.throughput.size(); ++i)
                if (const auto& claim = audit->claims.throughput[i];
                    claim.preset == model && claim.strategy == toName(row.strategy)) {
                    row.claim = claim;
                    row.claimBatchOverSeconds = audit->batchOverSeconds[i];
                }
            table.m_rows.push_back(std::move(row));
        }
    }
    return table;
}

bool ArticleTable::computeNext(const FlatLimits& limits)
{
    if (isComplete())
        return false;
    ArticleTableRow row = m_rows[m_computed];
    TrainingSetup setup;
    setup.batch = row.claim ? row.claim->batch : 1;
    setup.sequence = m_sequence;
    setup.device = m_device.name;
    setup.precision = m_precision;
    setup = withDefaults(row.shape, setup);
    const BatchSearch search{{row.shape, setup, m_device, {}}, row.strategy, m_budget, std::nullopt};
    const std::optional<std::int64_t> largest = largestBatch(search, limits);
    if (!largest)
        return false;
    row.largestBatch = *largest;
    double extraTime = 0;
    if (*largest == 0) {
        row.peak = leastPeakAt(search, 1, limits).value_or(Bytes{});
    } else {
        const Result<PlannedBatch> planned = planBatch(search, *largest, limits);
        if (!planned)
            return false;
        row.peak = planned->plan.prediction.peak;
        row.step = planned->plan.prediction.stepTime(planned->plan.setup());
        row.samplesPerSecond = planned->samplesPerSecond();
        extraTime = planned->plan.extraTime();
        // "none" is the first row of each model.
        const auto none = std::find_if(
            m_rows.begin(), m_rows.end(), [&](const ArticleTableRow& other) { return other.shape == row.shape; });
        const double reference
            = row.strategy.kind == Strategy::Kind::None ? row.samplesPerSecond : none->samplesPerSecond;
        if (reference > 0)
            row.relative = row.samplesPerSecond / reference;
    }
    if (limits.cancel.stop_requested())
        return false;
    row.why = reasons(row, extraTime, m_budget);
    m_rows[m_computed++] = std::move(row);
    return true;
}

} // namespace remat
