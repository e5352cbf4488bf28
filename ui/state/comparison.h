// SPDX-FileCopyrightText: 2026 The RematScope authors
// SPDX-License-Identifier: GPL-3.0-only
#pragma once
#include <QObject>
#include <QString>
#include <memory>
#include <optional>
#include <vector>

#include "core/plan/plan.h"
#include "core/run/run_report.h"
#include "core/run/step_figures.h"

namespace remat::ui {

class ExplorerState;
class RunController;

/// One side of a comparison: a plan, or a run that really happened.
struct Comparand {
    QString key;   ///< "shown", "strategy:full", "run:3", "kept:2"; never shown
    QString title; ///< Translated.
    std::shared_ptr<const Plan> plan;
    std::shared_ptr<const RunReport> report;             ///< of a run, which then has no plan
    std::shared_ptr<const RegionPlan> regions = nullptr; ///< of PyTorch's step, instead of either

    StepFigures figures() const { return plan ? figuresOf(*plan) : regions ? figuresOf(*regions) : figuresOf(*report); }
};

/// Which two steps are put side by side: the plan shown, a strategy of the board, a run, or a plan that was put aside:
/// a snapshot, or the plan of a file, whatever the window shows since.
///
///   comparison.putAside(tr("before"), plan);         // a snapshot; B is it
///   const auto a = comparison.a(), b = comparison.b();   // b: nothing chosen, or gone since
class Comparison : public QObject {
    Q_OBJECT
public:
    Comparison(const ExplorerState& state, const RunController& runs, QObject* parent = nullptr);

    static QString shownKey() { return QStringLiteral("shown"); }
    static QString strategyKey(const QString& name) { return QStringLiteral("strategy:") + name; }
    static QString runKey(int number) { return QStringLiteral("run:%1").arg(number); }

    /// Everything that can be compared now.
    std::vector<Comparand> choices() const;
    std::optional<Comparand> a() const { return find(m_a); }
    std::optional<Comparand> b() const { return find(m_b); }
    QString aKey() const { return m_a; }
    QString bKey() const { return m_b; }

    void setA(const QString& key);
    void setB(const QString& key);
    void swap();
    /// Keeps a plan for comparing, at most kMostAside of them (the oldest goes), and makes it B.
    void putAside(const QString& title, const Plan& plan);
    void putAside(const QString& title, const RegionPlan& plan);
    void putAsideShown();
    void clear();

    static constexpr std::size_t kMostAside = 12;

signals:
    void changed();

private:
    void putAside(Comparand aside);
    std::optional<Comparand> find(const QString& key) const;

    const ExplorerState& m_state;
    const RunController& m_runs;
    QString m_a = shownKey(), m_b;
    std::vector<Comparand> m_aside;
    int m_lastAside = 0;
};

} // namespace remat::ui
