// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#pragma once
#include <QList>
#include <functional>
#include <memory>
#include <optional>

#include "ui/forms/collapsible_group.h"
#include "ui/state/document.h"
#include "ui/state/rank_work.h"

namespace remat::ui {

class ChoiceField;
class ExplorerState;
class FieldRow;
class HintLine;
class IntegerSlider;

/// The step divided over several GPUs: by what degrees, and the four memory numbers of the fullest GPU, by the
/// simulation of PyTorch or by the papers' closed forms.  Worked out while the group is open and the planner has
/// nothing more urgent to do.  Plans are for one GPU; this group says so.
class RankGroup : public CollapsibleGroup {
    Q_OBJECT
public:
    RankGroup(ExplorerState& state, const Theme& theme, QWidget* parent = nullptr);
    ~RankGroup() override;
    void setTheme(const Theme& theme);
    /// For the column that aligns and explains them.
    const QList<FieldRow*>& fields() const { return m_fields; }
    /// What was found, as it stands under the fields.
    QString text() const;
    bool isComplete() const { return m_isComplete; }

private:
    IntegerSlider* addDegree(const char* objectName, const QString& label, std::int64_t Parallelism::*member);
    ChoiceField* addChoice(const char* objectName, const QString& label);
    void edit(const std::function<void(RankChoices&)>& change, bool isDragging = false);
    void showChoices();
    void follow();
    void take();
    void showAnswer(const RankAnswer& answer);
    void showError(const Error& error);

    ExplorerState& m_state;
    QList<FieldRow*> m_fields;
    ChoiceField* m_source;
    IntegerSlider* m_tensor;
    ChoiceField* m_sequenceParallel;
    IntegerSlider* m_pipeline;
    IntegerSlider* m_data;
    ChoiceField* m_zero;
    HintLine* m_numbers;
    HintLine* m_forms;
    std::shared_ptr<RankWork> m_work;
    std::optional<Inputs> m_asked; ///< what the numbers are about
    Device m_askedDevice;
    bool m_isComplete = false;
};

} // namespace remat::ui
