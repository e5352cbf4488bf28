// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#pragma once
#include <optional>

#include "core/base/units.h"
#include "ui/tables/row_table_model.h"

namespace remat::ui {

/// A row of the article's strategy table: what it claims beside what comes out here.
struct ArticleRow {
    struct Figures {
        std::int64_t batch = 0;
        double seconds = 0;    ///< of a step
        double throughput = 0; ///< against no recomputation of the same model
    };
    QString model, strategy;
    bool isComputed = false;
    std::optional<Figures> claimed;
    std::optional<Figures> computed; ///< of a row that is computed: absent where nothing fits
    Bytes peak;
    QString why; ///< Translated: whole sentences.
};

/// Model, strategy, largest batch, seconds a step and throughput, each claimed and computed.
class ArticleTableModel : public RowTableModel<ArticleRow> {
    Q_OBJECT
public:
    enum Column {
        Model,
        Strategy,
        ClaimedBatch,
        Batch,
        ClaimedStep,
        Step,
        ClaimedThroughput,
        Throughput,
    };
    explicit ArticleTableModel(QObject* parent = nullptr);

private:
    static Columns columns();
};

} // namespace remat::ui
