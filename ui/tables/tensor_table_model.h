// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#pragma once
#include <QString>

#include "core/base/units.h"
#include "ui/tables/row_table_model.h"

namespace remat::ui {

/// One tensor of the selected layer, or of all layers.
struct TensorRow {
    QString tensor;   ///< Name in the tape: "ffn_up".
    QString sublayer; ///< Translated: "FFN".
    QString shape;    ///< "B, T, 4C = 16, 1024, 3072".
    Bytes bytes{};
    bool isKept = false;
    QString readBy;              ///< Ops whose backward reads it, joined; empty when none does: then nothing is redone.
    Nanoseconds recomputeTime{}; ///< What making it again would take, from what is kept.
    bool isPinned = false;
    int producer = -1; ///< the op of its stage that makes it; -1: it comes from outside
};

/// Tensor, sublayer, shape, bytes, kept or recomputed, read in backward by, recompute time.
class TensorTableModel : public RowTableModel<TensorRow> {
    Q_OBJECT
public:
    enum Column { Tensor, Sublayer, Shape, Size, Decision, ReadBy, RecomputeTime };
    explicit TensorTableModel(QObject* parent = nullptr);

private:
    static Columns columns();
};

} // namespace remat::ui
