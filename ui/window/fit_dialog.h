// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#pragma once
#include <QDialog>

#include "core/model/presets.h"
#include "ui/state/document.h"
#include "ui/theme/theme.h"

class QLabel;

namespace remat::ui {

class ChoiceField;
class ExplorerState;
class IntegerSlider;

/// "Fit my model on my GPU": three fields, the budget that follows from the card with the subtraction shown, and one
/// button that plans.  What it sets is one undoable edit.
class FitDialog : public QDialog {
    Q_OBJECT
public:
    FitDialog(ExplorerState& state, PresetCatalog presets, const Theme& theme, QWidget* parent);

    ChoiceField& model() const { return *m_model; }
    ChoiceField& gpu() const { return *m_gpu; }
    IntegerSlider& batch() const { return *m_batch; }
    /// "24.0 GB - 512 MiB context - 458 MiB reserve = 20.9 GiB".
    QString subtraction() const;
    /// What the button would set.
    Inputs inputs() const;

private:
    void showSubtraction();
    void plan();

    ExplorerState& m_state;
    PresetCatalog m_presets;
    ChoiceField* m_model;
    ChoiceField* m_gpu;
    IntegerSlider* m_batch;
    QLabel* m_subtraction;
};

} // namespace remat::ui
