// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/export/article_audit.h"
#include "core/plan/largest_batch.h"

namespace remat {

/// A row of the article's strategy table as it comes out here: the largest batch by exact peak on a device, and what a
/// step of it takes.
struct ArticleTableRow {
    ModelShape shape;
    Strategy strategy;
    std::optional<ArticleClaims::Throughput> claim; ///< absent where the article has no such row
    std::optional<double> claimBatchOverSeconds;    ///< of the claim's own columns, against its row "none"

    // Computed by ArticleTable::computeNext().
    std::int64_t largestBatch = 0; ///< 0: not even one sample fits
    Bytes peak;
    Nanoseconds step;
    double samplesPerSecond = 0;
    std::optional<double> relative; ///< samples per second against the row "none" of the same model
    std::vector<Message> why;       ///< one sentence each: why it differs from the claim
};

/// The article's table rebuilt: BERT-base, BERT-large and GPT-2-medium, each with none, full, ffn-only and optimal, on
/// one device.  Rows come one by one, because each is a search: a dozen plans for a rule, a dozen solves for optimal.
///
/// Every step is the runtime profile's with its defaults, at the article's sequence length and AdamW, in fp32 or (on a
/// GPU) in half precision, as the article's formulas count.  The budget is what the person gives the step, or else what
/// the device has for one (core/cost/device_memory.h).
///
///   ArticleTable table = ArticleTable::make(device, budget, folder).value();
///   while (table.computeNext({})) {}
class ArticleTable {
public:
    /// Errors: those of the claims and of the presets.
    static Result<ArticleTable> make(const Device& device, Bytes budget, const std::string& configurationFolder,
        Precision precision = Precision::Fp32);

    const std::vector<ArticleTableRow>& rows() const { return m_rows; }
    /// How many of them are computed, from the first on.
    std::size_t computed() const { return m_computed; }
    bool isComplete() const { return m_computed == m_rows.size(); }
    const Device& device() const { return m_device; }
    Bytes budget() const { return m_budget; }
    Precision precision() const { return m_precision; }

    /// Computes the next row; false where none is left, or the limits cancelled it (then it is still the next).
    bool computeNext(const FlatLimits& limits);

private:
    Device m_device;
    Bytes m_budget;
    Precision m_precision = Precision::Fp32;
    std::int64_t m_sequence = 1;
    std::vector<ArticleTableRow> m_rows;
    std::size_t m_computed = 0;
};

} // namespace remat
