// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#pragma once
#include <QList>
#include <functional>
#include <optional>
#include <utility>

#include "core/model/presets.h"
#include "core/model/training_setup.h"
#include "ui/panels/card.h"
#include "ui/state/document.h"

namespace remat::ui {

class ChoiceField;
class CollapsibleGroup;
class ExplorerState;
class FieldRow;
class GroupHeading;
class HintLine;
class IntegerSlider;
class PrimaryAction;
class RankGroup;
class RunController;
class SizeField;

/// The left column: everything that the person chooses.  Fields show the state and ask it for edits; what the planner
/// refuses is shown under the field that it names.
class ModelPanel : public Card {
    Q_OBJECT
public:
    /// `configurationFolder`: where presets of the person's own lie; empty: nowhere.
    ModelPanel(ExplorerState& state, RunController& runs, std::string configurationFolder, const Theme& theme,
        QWidget* parent = nullptr);
    /// The list of presets, after one was added.
    void readPresets();
    /// The list of places for runs, after one was added.
    void readPlaces();
    void setTheme(const Theme& theme) override;

signals:
    void openConfigRequested();
    void runRequested();

private:
    /// What does not fit scrolls; the run stays in view below it.
    void addScrolledFields();
    void addModelGroup();
    void addDeviceGroup();
    void addStepGroup();
    void addStrategyGroup();
    void addTorchFields();
    void showTorchFields();
    void showStrategies();
    void showDevices();
    void showInputs();
    void addRunGroup();
    void showMachines();
    void showRunLine();
    /// How far the last measured peak was from its prediction; empty before the first run.
    QString lastErrorLine() const;
    void showFieldErrors();
    FieldRow* fieldNamed(const std::string& where) const;
    /// A setup's precision and master weights as one choice: "fp32", "half", "half-master".
    static QString precisionKey(const TrainingSetup& setup);
    static void setPrecision(TrainingSetup& setup, const QString& key);
    /// A size of the architecture, edited as a whole number.
    void addShapeField(
        const char* objectName, const QString& label, std::int64_t most, std::int64_t ModelShape::*member);
    IntegerSlider* addShapeField(const char* objectName, const QString& label, std::int64_t most,
        const std::function<void(ModelShape&, int)>& set);

    ExplorerState& m_state;
    RunController& m_runs;
    std::string m_configurationFolder;
    PresetCatalog m_presets;
    QVBoxLayout* m_scrolled; ///< the rows above the run
    ChoiceField* m_preset;
    HintLine* m_shapeLine;
    CollapsibleGroup* m_shapeGroup;
    QList<std::pair<IntegerSlider*, std::int64_t ModelShape::*>> m_shapeFields;
    IntegerSlider* m_keyValueHeads;
    ChoiceField* m_deviceField;
    SizeField* m_budget;
    IntegerSlider* m_batch;
    IntegerSlider* m_sequence;
    IntegerSlider* m_microBatches;
    ChoiceField* m_profile;
    ChoiceField* m_precision;
    ChoiceField* m_attention;
    ChoiceField* m_head;
    ChoiceField* m_dropout;
    ChoiceField* m_optimizer;
    ChoiceField* m_strategy;
    RankGroup* m_ranks;
    ChoiceField* m_place;
    ChoiceField* m_machine;
    // Of the profile pytorch alone
    CollapsibleGroup* m_torchGroup;
    ChoiceField* m_torchPrecision;
    ChoiceField* m_torchAttention;
    ChoiceField* m_torchLoss;
    ChoiceField* m_torchOptimizer;
    ChoiceField* m_torchRegion;
    ChoiceField* m_torchGradients;
    ChoiceField* m_torchOutputs;
    ChoiceField* m_torchCache;
    ChoiceField* m_torchShift;
    std::optional<StepProfile> m_shownProfile; ///< whose devices and strategies the fields offer
    PrimaryAction* m_run;
    QList<GroupHeading*> m_headings;
    QList<FieldRow*> m_fields;
};

} // namespace remat::ui
